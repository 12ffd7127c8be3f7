"""`awhm hook settings`, `install`, `uninstall`; the events themselves never come here (see entry.py)."""

import os
from contextlib import suppress
from typing import Annotated

import typer

from awhm_hooks.cli import importing, output
from awhm_hooks.cli.model import prepare_for_install
from awhm_hooks.manage import settings
from awhm_hooks.manage.pausing import begin_anew

app = typer.Typer(
    no_args_is_help=True,
    help="Connect Claude Code to the memory, or take the connection back. The client itself calls"
    " `awhm hook prompt|stop|session-start|session-end` with a payload on standard input.",
)

Command = Annotated[str | None, typer.Option(help="An executable to name instead of this Python.", metavar="EXE")]
ScopeOption = Annotated[
    settings.Scope, typer.Option(help="user: everywhere; project: for all who share it; local: here, for you.")
]
ConfigDir = Annotated[str | None, typer.Option(help="Claude Code's configuration directory, for --scope user.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the change and write nothing.")]


def register(root: typer.Typer) -> None:
    root.add_typer(app, name="hook")


@app.command("settings")
def show(command: Command = None) -> None:
    """Print the block for a settings.json, for those who paste it themselves."""
    typer.echo(settings.hook_settings_text(settings.hook_settings(command)), nl=False)


@app.command()
def install(
    scope: ScopeOption = settings.Scope.USER,
    dry_run: DryRun = False,
    config_dir: ConfigDir = None,
    command: Command = None,
) -> None:
    """Add the four hooks to Claude Code's settings; everything else in the file stays as it is."""
    paths, _ = output.store()
    path = settings.settings_path(scope, os.environ, os.getcwd(), config_dir)
    block, record_dir = settings.hook_settings(command), paths.meta + "/settings"
    if not dry_run:
        settings.install(path, block, dry_run=True, record_dir=record_dir)  # refuses before anything is made
        begin_anew(paths, dict(os.environ))
        paths.make(paths.meta)
    change = settings.install(path, block, dry_run, record_dir)
    _report(change, dry_run, "The hooks are installed already")
    if not dry_run:
        _get_ready()
        prepare_for_install(paths)
        typer.echo(f"Memories will be kept in {paths.data_dir}")
        typer.echo("Start Claude Code in any project; `awhm status` shows what is remembered.")
        if change.added:
            importing.offer(os.path.join(os.path.dirname(path), "projects"))


@app.command()
def uninstall(
    scope: ScopeOption = settings.Scope.USER,
    all_scopes: Annotated[bool, typer.Option("--all-scopes", help="In the user's, project's and local file.")] = False,
    dry_run: DryRun = False,
    config_dir: ConfigDir = None,
) -> None:
    """Take our hooks out of Claude Code's settings; the memories are kept."""
    paths, _ = output.store()
    for one in list(settings.Scope) if all_scopes else [scope]:
        path = settings.settings_path(one, os.environ, os.getcwd(), config_dir)
        _report(settings.uninstall(path, dry_run, paths.meta + "/settings"), dry_run, "No hooks of ours")
    if not dry_run:
        typer.echo(f"Memories are kept in {paths.data_dir}; delete that directory to forget them all.")


def _report(change: settings.Change, dry_run: bool, nothing: str) -> None:
    for warning in change.warnings:
        typer.echo(f"Mind: {warning}", err=True)
    if not change.changed:
        typer.echo(f"{nothing}: {change.path}")
        return
    if dry_run:
        typer.echo(change.diff, nl=False)
        return
    done = [
        f"{change.added} hooks added" if change.added else "",
        f"{change.removed} removed" if change.removed else "",
    ]
    typer.echo(f"{', '.join(part for part in done if part)}: {change.path}")
    if change.backup:
        typer.echo(f"The file as it was: {change.backup}")


def _get_ready() -> None:
    """Make the caches that a first hook would otherwise have to do without, or to make."""
    from awhm_hooks import code_cache
    from awhm_hooks.journal import patterns, redact
    from awhm_hooks.recall.tokens import tokenise

    tokenise("warm")
    patterns.capture("I prefer tabs. Prefiero tabs. Ich bevorzuge Tabs.")
    redact.clean("<private>x</private> password=x")
    with suppress(OSError):
        code_cache.refresh()
