"""What the tombstones leave of another state's memories: of an old snapshot's, or another machine's."""

from awhm_hooks.consolidate import tombstone_file
from awhm_hooks.graph import model
from awhm_hooks.journal import slots
from awhm_hooks.manage.deletion_verdicts import Judge, Verdicts, View
from awhm_hooks.manage.graph_json import PortableGraph, PortableNode
from awhm_hooks.paths import Paths


def forget(paths: Paths, graph: PortableGraph) -> int:
    """Take out of a graph what was deleted here; how many nodes went. Raises AwhmError for a damaged file."""
    stones = tombstone_file.load(paths)
    if not stones:
        return 0
    judge: Judge[str] = Judge(stones)
    for node in graph.nodes:
        if node.columns["family"] == model.MESSAGE:
            judge.message(_view(node))
    for node in graph.nodes:
        if node.columns["family"] != model.MESSAGE:
            judge.other(_view(node))
    return _apply(graph, judge.verdicts)


def _view(node: PortableNode) -> View[str]:
    columns = node.columns
    text = str(columns["text"])
    is_statement = columns["family"] not in (model.MESSAGE, model.ENTITY)
    return View(
        node.uid,
        node.uid,
        columns["family"],
        str(columns.get("role") or ""),
        text,
        str(columns.get("project") or ""),
        str(columns.get("session") or ""),
        str(columns.get("message") or ""),
        columns["said_at"],
        slots.statement_key(text) if is_statement else "",
        node.sources,
        node.aliases,
    )


def _apply(graph: PortableGraph, verdicts: Verdicts[str]) -> int:
    dropped = set(verdicts.dropped)
    unsourced, unnamed = set(verdicts.unsourced), set(verdicts.unnamed)
    graph.nodes = [node for node in graph.nodes if node.uid not in dropped]
    for node in graph.nodes:
        node.columns["text"] = verdicts.texts.get(node.uid, node.columns["text"])
        node.sources = [place for place in node.sources if (node.uid, place) not in unsourced]
        node.aliases = [name for name in node.aliases if (node.uid, name) not in unnamed]
    return len(dropped)
