"""The console script, and the hooks' way in: hook events go straight to hooks/, all else to cli/."""

import gc
import os
import sys
import time

from awhm_hooks import code_cache

HOOKS = ("prompt", "stop", "session-start", "session-end")

# Set for a model call of our own, so that the hooks inside it do nothing (the second name is the reports').
GUARDS = ("AWHM_HOOK_ACTIVE", "AWHM_IN_STAGE2")

_READ_BYTES = 1 << 20


def main() -> None:
    """`awhm …`: a hook event runs its hook and nothing else; a command line for people goes to the CLI."""
    arguments = sys.argv[1:]
    if len(arguments) >= 2 and arguments[0] == "hook" and arguments[1] in HOOKS:
        hook(arguments[1], arguments[2:])
    from awhm_hooks.cli.app import run

    run()


def hook(name: str, options: list[str] | None = None) -> None:
    """Run one hook and leave with exit code 0, whatever happens; never returns.

    Leaving through `os._exit` saves the interpreter's teardown, 2 ms, and a process this short needs no collector, 1.4.
    """
    gc.disable()
    try:
        code_cache.install()
        _run(name, sys.argv[2:] if options is None else options)
    except BaseException as problem:  # noqa: BLE001 - the hook's last resort: a prompt is never blocked
        _note(name, problem)
    finally:
        os._exit(0)


def _run(name: str, options: list[str]) -> None:
    started = time.monotonic()
    environ = dict(os.environ)
    if any(guard in environ for guard in GUARDS) or name not in HOOKS:
        return
    from awhm_hooks import paths
    from awhm_hooks.hooks import payload
    from awhm_hooks.hooks.session import Clock, is_ours, is_silenced
    from awhm_hooks.journal import optout

    where = paths.resolve(environ)
    data, is_first = _stdin(), not os.path.isdir(where.data_dir)
    if is_first and optout.was_deleted(where, environ):
        return
    event = payload.parse(data)
    if event is None or not is_ours(event):
        return
    if os.path.exists(where.meta + "/stage2-calls"):  # Stage 2 was used here: its own call must not be remembered
        from awhm_hooks.journal import own_call

        if own_call.is_inside(f"{where.meta}/{own_call.FILE}", event.session_id):
            return
    if "--stage2" in options:
        environ["AWHM_STAGE2"] = "1"
    parameters, clock = _parameters(where, environ, name), Clock(time.time(), started)
    if is_silenced(event, where, parameters, environ, clock):
        return
    _handler(name)(event, where, parameters, environ, clock)
    if is_first or name == "session-start":
        optout.note_in_use(where, environ)


def _parameters(where: "Paths", environ: dict[str, str], name: str) -> "AWHMConfig":
    """The configuration; a mistake in it costs a line in the error log, not what was said."""
    from awhm_hooks import config, error_log
    from awhm_hooks.errors import AwhmError

    try:
        return config.load(where, environ)
    except (AwhmError, OSError) as problem:
        error_log.note_once(where, f"{name} goes by the defaults:", problem)
        return config.salvaged(where, environ)


def _handler(name: str) -> "Callable[..., None]":
    if name == "prompt":
        from awhm_hooks.hooks import prompt

        return prompt.run
    if name == "stop":
        from awhm_hooks.hooks import stop

        return stop.run
    if name == "session-end":
        from awhm_hooks.hooks import session_end

        return session_end.run
    from awhm_hooks.hooks import session_start

    return session_start.run


def _stdin() -> bytes:
    """All of standard input; nothing where it is closed or a terminal."""
    parts = []
    try:
        if os.isatty(0):
            return b""
        while part := os.read(0, _READ_BYTES):
            parts.append(part)
    except OSError:
        return b""
    return b"".join(parts)


def _note(name: str, problem: BaseException) -> None:
    try:
        from awhm_hooks import error_log, paths

        error_log.note(paths.resolve(dict(os.environ)), name, problem)
    except (ImportError, OSError, ValueError):  # the log is a courtesy; the prompt goes on without it
        pass


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from awhm_hooks.config import AWHMConfig
    from awhm_hooks.paths import Paths
