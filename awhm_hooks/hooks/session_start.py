"""SessionStart: adopt unfinished sessions; after a compaction, forget what was injected."""

import os

from awhm_hooks.config import AWHMConfig
from awhm_hooks.hooks.detach import spawn_worker
from awhm_hooks.hooks.payload import HookEvent
from awhm_hooks.hooks.session import Clock, log_session, project_for, stage2_mark
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.paths import Paths

_EMPTIES_WINDOW = ("compact", "clear")


def run(event: HookEvent, paths: Paths, config: AWHMConfig, environ: dict[str, str], clock: Clock) -> None:
    """Prints nothing. Raises OSError."""
    session = log_session(event)
    raw_log.append_mark(
        paths,
        session,
        raw_log.START,
        clock.now,
        project_for(event, environ),
        {"source": event.source, "transcript": event.transcript_path, **stage2_mark(config)},
    )
    if event.source in _EMPTIES_WINDOW:
        wal.append(paths, session, [{"k": wal.BOUNDARY, "at": clock.now, "source": event.source}])
    if _is_anything_waiting(paths, session):
        spawn_worker(environ)


def _is_anything_waiting(paths: Paths, own_session: str) -> bool:
    """Another session has a log; whether it is consolidated to its end, the worker knows."""
    own = os.path.basename(paths.log_file(own_session))
    try:
        return any(name.endswith(".jsonl") and name != own for name in os.listdir(paths.logs))
    except FileNotFoundError:
        return False
