"""Recall for a person: the same code path as the hook's, with the lighter abstention of a question that was asked."""

import contextlib

from awhm_hooks.config import AWHMConfig
from awhm_hooks.graph.store import open_graph
from awhm_hooks.paths import Paths
from awhm_hooks.recall import engine, rank

NO_SESSION = ""


def ask(
    paths: Paths,
    config: AWHMConfig,
    text: str,
    project: str | None,
    k: int,
    now: float,
    history: bool = False,
    as_of: float | None = None,
) -> list[rank.Memory]:
    """The best `k` memories for a question; `project` None asks in all of them, `as_of` in the past.

       `now` and `as_of` are epoch seconds.
    Raises AwhmError and sqlite.Error where the store cannot be read.
    """
    request = engine.Request(text, project, rank.ASKED, now)
    request.history = history
    request.as_of = as_of
    request.pending = engine.pending_buffers(paths, NO_SESSION, config.correction_window_messages)
    graph = open_graph(paths.graph_db)
    with contextlib.closing(graph) if graph else contextlib.nullcontext():
        return engine.recall(graph, request, paths, config)[:k]
