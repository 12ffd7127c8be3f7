"""What the hooks share: the session's name in the log, its project, and whether a payload is theirs at all."""

import os
from binascii import crc32

from awhm_hooks.config import AWHMConfig
from awhm_hooks.graph.scope import project_of
from awhm_hooks.hooks.payload import HookEvent, clean_name
from awhm_hooks.journal import optout, raw_log
from awhm_hooks.paths import Paths, decode_name, encode_name

PREFIX = raw_log.CLIENT_PREFIX
NO_DIRECTORY = "(no directory)"  # a project of its own: what was said there is not everybody's


class Clock:
    """When the hook runs: `now` in epoch seconds, and `started`, a reading of `time.monotonic`."""

    __slots__ = ("now", "started")

    def __init__(self, now: float, started: float) -> None:
        self.now = now
        self.started = started


def log_session(event: HookEvent) -> str:
    """The session's id in logs and graph; one too long for a file's name is shortened."""
    session = raw_log.CLIENT_PREFIX + event.session_id
    if decode_name(encode_name(session)) == session:
        return session
    return f"{raw_log.CLIENT_PREFIX}{crc32(session.encode()):08x}{len(session):x}"


def project_for(event: HookEvent, environ: dict[str, str]) -> str:
    """The project's key: where the client was started, which `cd` does not move; else where it stands."""
    directory = clean_name(environ.get("CLAUDE_PROJECT_DIR") or "") or event.cwd
    return project_of(directory) if directory else NO_DIRECTORY


def is_ours(event: HookEvent | None) -> bool:
    """A payload with a session, and not a subagent's."""
    return event is not None and bool(event.session_id) and not event.agent_id


def stage2_mark(config: AWHMConfig) -> dict[str, object]:
    """What the log notes of a session that a model may read when it is over."""
    return {"stage2": True} if config.stage2_enabled else {}


def is_silenced(event: HookEvent, paths: Paths, config: AWHMConfig, environ: dict[str, str], clock: Clock) -> bool:
    """The hook is to do nothing here.

    A session that has a log already gets a mark, without a word of what was said: its transcript will hold this turn,
    and consolidation must not take it from there. Of a pause the times are known without. Raises OSError.
    """
    directories = (environ.get("CLAUDE_PROJECT_DIR") or "", event.cwd)
    found = optout.silence(paths, config, directories, clock.now)
    if found is None:
        return False
    session = log_session(event)
    if found.kind != optout.PAUSED and os.path.exists(paths.log_file(session)):
        raw_log.append_mark(paths, session, raw_log.SILENT, clock.now, "", {"prompt_id": event.prompt_id})
    return True
