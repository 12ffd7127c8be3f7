"""What the hooks share: the session's name in the log, its project, and whether a payload is theirs at all."""

from awhm_hooks.graph.scope import project_of
from awhm_hooks.hooks.payload import HookEvent

PREFIX = "claude-"


class Clock:
    """When the hook runs: `now` in epoch seconds, and `started`, a reading of `time.monotonic`."""

    __slots__ = ("now", "started")

    def __init__(self, now: float, started: float) -> None:
        self.now = now
        self.started = started


def log_session(event: HookEvent) -> str:
    """The session's id in logs and graph."""
    return PREFIX + event.session_id


def project_for(event: HookEvent, environ: dict[str, str]) -> str:
    """The project's key: where the client was started, which `cd` does not move; else where it stands; else ""."""
    directory = environ.get("CLAUDE_PROJECT_DIR") or event.cwd
    return project_of(directory) if directory else ""


def is_ours(event: HookEvent | None) -> bool:
    """A payload with a session, and not a subagent's."""
    return event is not None and bool(event.session_id) and not event.agent_id
