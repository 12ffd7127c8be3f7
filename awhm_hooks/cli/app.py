"""The command line for people: typer, with one place where errors become exit codes."""

import os
import sys
import traceback
from importlib import import_module
from typing import cast

import typer

from awhm_hooks import __version__, error_log
from awhm_hooks.errors import EXIT_BUG, EXIT_FAILURE, AwhmError
from awhm_hooks.graph import sqlite
from awhm_hooks.paths import resolve

# Newer versions of typer have a click of their own: what they raise is not the click package's exception.
_WRONG_USE = cast(
    "type[typer.BadParameter]", next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
)

# The modules of cli/ with the commands of each, in the order of their registration. Only the one that is called for
# is imported: all of them take 0.5 s, most of it numpy's and the worker's.
COMMANDS = {
    "hook": ("hook",),
    "model": ("model",),
    "memory": ("status", "query", "consolidate"),
    "replay": ("replay", "demo"),
    "evaluate": ("eval",),
    "snapshot": ("snapshot",),
    "importing": ("import", "export"),
    "edit": ("remember", "supersede", "retract", "show"),
    "forget": ("delete", "gc"),
    "doctor": ("doctor", "why"),
    "pause": ("pause", "resume", "init"),
    "config": ("config",),
}


def command_line(command: str | None = None) -> typer.Typer:
    """The command line with the module of this command alone; with all of them where no command has that name."""
    app = typer.Typer(
        name="awhm",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help="Long-term memory for Claude Code: what you said in one session is there in the next.",
    )
    app.callback(invoke_without_command=True)(_root)
    wanted = [module for module, commands in COMMANDS.items() if command in commands]
    for module in wanted or (COMMANDS if command != "--version" else ()):
        import_module(f"awhm_hooks.cli.{module}").register(app)
    return app


def _root(version: bool = typer.Option(False, "--version", help="Show the version and exit.")) -> None:
    if version:
        typer.echo(f"awhm {__version__}")
        raise typer.Exit


def run() -> None:
    """Run the command line and leave with its exit code: 1 what a person can mend, 2 wrong usage, 3 our own fault."""
    try:
        code = command_line(sys.argv[1] if len(sys.argv) > 1 else None)(standalone_mode=False)
    except _WRONG_USE as problem:
        problem.show()
        code = problem.exit_code
    except typer.Abort:
        code = EXIT_FAILURE
    except AwhmError as problem:
        _say(f"awhm: {problem}")
        code = problem.exit_code
    except OSError as problem:
        _say(f"awhm: {problem}")
        code = EXIT_FAILURE
    except sqlite.Error as problem:
        way_out = "another process uses it, try again" if "locked" in str(problem) else "`awhm doctor` tells more"
        _say(f"awhm: {resolve(dict(os.environ)).graph_db}: {problem}; {way_out}")
        code = EXIT_FAILURE
    except Exception as problem:  # noqa: BLE001 - the edge: our own fault is reported, not thrown at a person
        code = _report_bug(problem)
    sys.exit(code or 0)


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _report_bug(problem: Exception) -> int:
    paths = resolve(dict(os.environ))
    where = traceback.extract_tb(problem.__traceback__)[-1]
    error_log.note(paths, f"cli {os.path.basename(where.filename)}:{where.lineno}", problem)
    _say(f"awhm: a fault of ours: {type(problem).__name__}: {problem}\nIt is noted in {paths.error_log}")
    return EXIT_BUG
