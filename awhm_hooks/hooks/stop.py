"""Stop: log the reply, and put the turn into the buffer."""

from awhm_hooks.config import AWHMConfig
from awhm_hooks.hooks.payload import HookEvent
from awhm_hooks.hooks.session import Clock, log_session, project_for
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, redact
from awhm_hooks.paths import Paths


def run(event: HookEvent, paths: Paths, config: AWHMConfig, environ: dict[str, str], clock: Clock) -> None:
    """Stop prints nothing, or the client would go on with the turn. Raises OSError."""
    text = redact.clean(event.reply).strip()
    if not text:
        return
    session = log_session(event)
    appended = raw_log.append_message(
        paths, session, raw_log.ASSISTANT, text, clock.now, event.prompt_id, project_for(event, environ), event.cwd
    )
    if not appended.duplicate:
        window = config.correction_window_messages
        missed = buffers.catch_up(paths, session, appended.begin, window)
        said = buffers.message_record(appended, raw_log.ASSISTANT, text, clock.now)
        buffers.remember(paths, session, [*missed, said], window)
