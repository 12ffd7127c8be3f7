"""`awhm snapshot create`, `list`, `restore`, `diff`."""

import os
import time
from typing import Annotated

import typer
from rich.progress import Progress

from awhm_hooks.cli import output
from awhm_hooks.errors import AwhmError
from awhm_hooks.manage import snapshots
from awhm_hooks.manage.snapshots import Change, Snapshot

app = typer.Typer(
    no_args_is_help=True, help="Keep what is remembered as a file, go back to it, or see what has changed since."
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

_SHOWN_CHARS = 100
_SHOWN_CHANGES = 40
_LOCK_WAIT_S = 120.0
_KINDS = {
    snapshots.ASKED: "",
    snapshots.BEFORE_RESTORE: "the state before a restore",
    snapshots.BASE: "what a damaged store is rebuilt from, with the raw logs",
}


def register(root: typer.Typer) -> None:
    root.add_typer(app, name="snapshot")


@app.command()
def create(as_json: Json = False) -> None:
    """Write what is remembered now to a file in the data directory; sessions may go on meanwhile."""
    paths, _ = output.store()
    made = snapshots.create(paths, time.time())
    if as_json:
        output.print_json(_as_json(made))
    else:
        output.console.print(f"{made.nodes} memories in {made.path} ({output.size(made.size)})", markup=False)


@app.command("list")
def list_(as_json: Json = False) -> None:
    """Show the snapshots, newest first."""
    paths, _ = output.store()
    found = snapshots.listed(paths)
    if as_json:
        output.print_json({"snapshots": [_as_json(one) for one in found]})
        return
    if not found:
        output.console.print("No snapshots yet; `awhm snapshot create` makes one.", markup=False)
    for one in found:
        kind = _KINDS.get(one.reason, one.reason)
        output.console.print(
            f"{output.local_time(one.created_at)}  {output.size(one.size):>9}  {one.path}"
            + (f"  ({kind})" if kind else ""),
            markup=False,
        )


@app.command()
def restore(
    path: Annotated[
        str | None, typer.Option(help="The snapshot's file, or its name; the newest by default.", metavar="FILE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Go back to a snapshot. The present state is kept as another; what was said since stays in the raw logs."""
    from awhm_hooks.consolidate import worker
    from awhm_hooks.manage import restoring

    paths, config = output.store()
    done = restoring.restore(paths, config, _file(paths.snapshots, path) if path else None, time.time())
    with Progress(console=output.console, transient=True, disable=as_json or not output.console.is_terminal) as bar:
        task = bar.add_task("Consolidating what had been said before it", total=None)
        report = worker.run(
            paths,
            config.with_values(stage2_enabled=False),
            _LOCK_WAIT_S,
            lambda count, total: bar.update(task, completed=count, total=total),
        )
    if as_json:
        added = report.counts.get("messages", 0)
        output.print_json({**vars(done), "created_at": output.iso(done.created_at), "messages_added": added})
        return
    say = output.console.print
    say(f"{done.nodes} memories as of {output.local_time(done.created_at)}, from {done.path}", markup=False)
    if done.deleted:
        say(f"{done.deleted} that were deleted since were left out.", markup=False)
    if done.set_aside:
        say(f"{done.set_aside} messages said since are set aside; they stay in the raw logs.", markup=False)
    if done.kept:
        say(f"The state until now: {done.kept}", markup=False)


@app.command()
def diff(
    before: Annotated[str | None, typer.Argument(help="A snapshot; the newest by default.", metavar="FILE")] = None,
    after: Annotated[str | None, typer.Argument(help="Another; the store as it is by default.", metavar="FILE")] = None,
    as_json: Json = False,
) -> None:
    """Show what was added, what is gone and what changed its status."""
    paths, _ = output.store()
    newest = None if before else snapshots.latest(paths)
    if before is None and newest is None:
        raise AwhmError(f"{paths.snapshots}: no snapshot yet; `awhm snapshot create` makes one")
    first = _file(paths.snapshots, before) if before else (newest.path if newest else "")
    found = snapshots.difference(paths, first, _file(paths.snapshots, after) if after else None)
    if as_json:
        output.print_json(found)
        return
    output.console.print(f"From {found.before}\n  to {found.after}", markup=False)
    for sign, word, changes in (
        ("+", "added", found.added),
        ("-", "gone", found.removed),
        ("~", "changed", found.changed),
    ):
        output.console.print(f"{len(changes)} {word}", markup=False, style="bold")
        for change in changes[:_SHOWN_CHANGES]:
            output.console.print(f"  {sign} {_line(change)}", markup=False)
        if len(changes) > _SHOWN_CHANGES:
            output.console.print(f"    and {len(changes) - _SHOWN_CHANGES} more; --json shows all", markup=False)


def _line(change: Change) -> str:
    text = " ".join(change.text.split())
    shown = text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
    status = f"{change.before} -> {change.after}" if change.before and change.after else change.after or change.before
    return f"{change.id}  {change.family}, {status}: {shown}"


def _file(directory: str, name: str) -> str:
    """A file as named, or one of that name among the snapshots."""
    inside = os.path.join(directory, name)
    return inside if not os.path.exists(name) and os.path.exists(inside) else os.path.expanduser(name)


def _as_json(one: Snapshot) -> dict[str, object]:
    return {**vars(one), "created_at": output.iso(one.created_at)}
