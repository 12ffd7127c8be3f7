"""Recall for a person: the same code path as the hook's, with the lighter abstention of a question that was asked."""

import time

from awhm_hooks.config import AWHMConfig
from awhm_hooks.graph.store import open_graph
from awhm_hooks.paths import Paths
from awhm_hooks.recall import asked, buffered, engine, settled
from awhm_hooks.recall.meaning import Meaning
from awhm_hooks.recall.memory import Memory
from awhm_hooks.recall.semantic import Semantic

NO_SESSION = ""
_PATIENCE_S = 10.0


def ask(
    paths: Paths,
    config: AWHMConfig,
    text: str,
    project: str | None,
    k: int,
    now: float,
    history: bool = False,
    as_of: float | None = None,
    meaning: Meaning | None = None,
    before: str = "",
) -> list[Memory]:
    """The best `k` memories for a question; `project` None asks in all of them, `as_of` in the past.

    `now` and `as_of` are epoch seconds; `meaning` takes the place of the prepared model. `before` is what the asker
    said last, for a question that refers to it. Raises AwhmError and sqlite.Error where the store cannot be read.
    """
    request = asked.request(asked.in_context(text, before), project, now)
    request.history = history
    request.as_of = as_of
    request.pending = buffered.pending_buffers(paths, NO_SESSION, config.correction_window_messages)
    request.meaning = meaning
    if config.semantic and meaning is None:
        request.meaning = Meaning(Semantic(paths, time.monotonic() + _PATIENCE_S))
    graph = open_graph(paths.graph_db)
    try:
        if graph:
            settled.without_settled(graph, request.pending)
        if as_of is None:
            return engine.recall(graph, request, paths, config)[:k]
        from awhm_hooks.manage import past  # dates in words: 60 ms of imports that no other question needs

        said_then = past.narrow(request.pending, as_of, config.correction_window_messages)
        return past.without_closed(engine.recall(graph, request, paths, config), said_then, as_of)[:k]
    finally:
        if graph:
            graph.close()
        if request.meaning:
            request.meaning.close()
