"""SessionEnd: mark the end, start the worker, return."""

from awhm_hooks.config import AWHMConfig
from awhm_hooks.hooks.detach import spawn_worker
from awhm_hooks.hooks.payload import HookEvent
from awhm_hooks.hooks.session import Clock, log_session, project_for, stage2_mark
from awhm_hooks.journal import raw_log
from awhm_hooks.paths import Paths


def run(event: HookEvent, paths: Paths, config: AWHMConfig, environ: dict[str, str], clock: Clock) -> None:
    """A session may end several times (resume); each end is marked. Raises OSError."""
    raw_log.append_mark(
        paths,
        log_session(event),
        raw_log.END,
        clock.now,
        project_for(event, environ),
        {"reason": event.reason, "transcript": event.transcript_path, **stage2_mark(config)},
    )
    spawn_worker(environ)
