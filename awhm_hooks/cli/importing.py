"""`awhm import` of Claude Code's transcripts and of another store's memories, `awhm export`."""

import os
import shlex
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from awhm_hooks.cli import output
from awhm_hooks.errors import UsageError
from awhm_hooks.paths import Paths

if TYPE_CHECKING:
    from awhm_hooks.config import AWHMConfig
    from awhm_hooks.consolidate import worker
    from awhm_hooks.manage.importer import Report, SessionCount, Wanted

_LOCK_WAIT_S = 120.0
_SHOWN_REJECTED = 50
_INTERRUPTED = 130


def register(root: typer.Typer) -> None:
    root.command("import")(import_)
    root.command()(export)


def import_(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Transcripts, or folders of them such as ~/.claude/projects; or a graph written by `awhm export`.",
        ),
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count by project and session, write nothing.")] = False,
    since: Annotated[str | None, typer.Option(help="Only what was said from this day on.", metavar="DATE")] = None,
    project: Annotated[str | None, typer.Option(help="Only this project's sessions.", metavar="DIR")] = None,
    renamed: Annotated[
        list[str] | None,
        typer.Option("--map", help="A directory over there = its name here, for a graph.", metavar="OLD=NEW"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Remember what was said before, dated by when it was said. Doing it again adds nothing."""
    from awhm_hooks.manage import importer

    output.refuse_empty(since=since, project=project)
    paths, config = output.store()
    wanted = importer.Wanted(output.project_key(project, False) if project else None, _moment(since))
    graphs, transcripts = _sorted_by_kind(importer.files_of(places))
    if graphs and (since or project):
        raise UsageError(f"{graphs[0]} is a graph: --since and --project are for transcripts")
    merged = [_take_in(paths, path, renamed or [], dry_run) for path in graphs]
    found = _import_transcripts(paths, config, transcripts, wanted, dry_run, as_json)
    consolidated = None if dry_run or not transcripts else _consolidate(paths, config, as_json)
    if as_json:
        output.print_json(_as_json(found, merged, consolidated, dry_run))
        return
    for one in merged:
        _print_merged(one, dry_run)
    if transcripts or not graphs:
        _print_report(found, consolidated, dry_run)


def _moment(since: str | None) -> float | None:
    if since is None:
        return None
    from awhm_hooks.consolidate.dates import parse_moment

    return parse_moment(since, datetime.now().astimezone()).timestamp()


def _sorted_by_kind(files: list[str]) -> tuple[list[str], list[str]]:
    from awhm_hooks.manage import graph_json

    graphs = [path for path in files if not path.endswith(".jsonl") and graph_json.is_graph(path)]
    return graphs, [path for path in files if path not in graphs]


def _import_transcripts(
    paths: Paths, config: "AWHMConfig", files: list[str], wanted: "Wanted", dry_run: bool, quiet: bool
) -> "Report":
    from awhm_hooks.manage import importer

    columns = (TextColumn("Reading"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    try:
        with Progress(
            *columns, console=output.console, transient=True, disable=quiet or not output.console.is_terminal
        ) as bar:
            task = bar.add_task("", total=None)
            return importer.import_transcripts(
                paths,
                config,
                files,
                wanted,
                time.time(),
                dry_run,
                lambda done, total: bar.update(task, completed=done, total=total),
            )
    except KeyboardInterrupt:
        raise _interrupted() from None


def _consolidate(paths: Paths, config: "AWHMConfig", quiet: bool) -> "worker.Report":
    from awhm_hooks.consolidate import worker

    try:
        with Progress(console=output.console, transient=True, disable=quiet or not output.console.is_terminal) as bar:
            task = bar.add_task("Consolidating", total=None)
            return worker.run(
                paths,
                config.with_values(stage2_enabled=False),  # years of history would be thousands of model calls
                _LOCK_WAIT_S,
                lambda done, total: bar.update(task, completed=done, total=total),
                insist=True,
            )
    except KeyboardInterrupt:
        raise _interrupted() from None


def _interrupted() -> typer.Exit:
    print("Interrupted. Nothing is half done: the same command goes on where it was.", file=sys.stderr)
    return typer.Exit(_INTERRUPTED)


def _take_in(paths: Paths, path: str, renamed: list[str], dry_run: bool) -> dict[str, object]:
    from awhm_hooks.manage import restoring

    merged, deleted = restoring.take_in(paths, path, time.time(), _renaming(renamed), dry_run)
    return {"path": path, **vars(merged), "deleted": deleted}


def _renaming(pairs: list[str]) -> "restoring.Renamed | None":
    """From `OLD=NEW` pairs a function on directories. Raises UsageError."""
    names = [pair.partition("=") for pair in pairs]
    for old, sign, new in names:
        if not (old and sign and new):
            raise UsageError(f"--map {old}{sign}{new}: it takes two directories, OLD=NEW")

    def rename(directory: str) -> str:
        for old, _, new in names:
            stem = old.rstrip("/\\")
            if directory == stem or directory.startswith((stem + "/", stem + "\\")):
                return new.rstrip("/\\") + directory[len(stem) :].replace("\\", "/")
        return directory

    return rename if names else None


def _print_merged(merged: dict[str, object], dry_run: bool) -> None:
    would = "would be " if dry_run else ""
    output.console.print(
        f"{merged['path']}: {merged['added']} memories {would}added, {merged['known']} known,"
        f" {merged['superseded']} {would}superseded, {merged['deleted']} were deleted here and stay so.",
        markup=False,
    )


def _print_report(found: "Report", consolidated: "worker.Report | None", dry_run: bool) -> None:
    say = output.console.print
    for line in found.rejected[:_SHOWN_REJECTED]:
        print(line, file=sys.stderr)
    if len(found.rejected) > _SHOWN_REJECTED:
        print(f"and {len(found.rejected) - _SHOWN_REJECTED} more; --json shows all", file=sys.stderr)
    projects: dict[str, list[SessionCount]] = {}
    for one in sorted(found.sessions, key=lambda one: one.first_at):
        projects.setdefault(one.project, []).append(one)
    for project, sessions in projects.items():
        new, known = sum(one.new for one in sessions), sum(one.known for one in sessions)
        counts = f"{_many(len(sessions), 'session')}, {_many(new, 'new message')}, {known} known"
        say(f"{project or '(no project)'}: {counts}", markup=False)
        for one in sessions if dry_run else ():
            say(f"  {_line(one)}", markup=False)
    would = "would be " if dry_run else ""
    total = _many(found.total("new"), "message")
    say(f"{total} of {_many(len(found.sessions), 'session')} {would}imported.", markup=False)
    _print_left_out(found)
    if consolidated:
        counts = ", ".join(f"{count} {name}" for name, count in consolidated.counts.items() if count)
        say(f"Consolidated: {counts or 'nothing new'}.", markup=False)
        for session, reason in consolidated.failed.items():
            say(f"{session}: {reason}", markup=False)


def _print_left_out(found: "Report") -> None:
    live = sum(one.live for one in found.sessions)
    for count, what in (
        (found.total("earlier"), "message|said before --since"),
        (found.total("deleted"), "message|deleted here before, not taken again"),
        (found.total("unheard"), "message|said where or when memory was off"),
        (found.others, "session|of other projects"),
        (live, "session|still going on, the rest of it left to its hooks"),
        (len(found.rejected), "line|passed over"),
    ):
        noun, _, why = what.partition("|")
        if count:
            output.console.print(f"Left out: {_many(count, noun)} {why}.", markup=False)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _line(one: "SessionCount") -> str:
    day = output.local_time(one.first_at)[:10]
    left_out = "".join(
        f", {count} {word}" for count, word in ((one.earlier, "older"), (one.deleted, "deleted")) if count
    )
    return f"{day}  {one.session}: {one.new} new, {one.known} known{left_out}{', still going on' if one.live else ''}"


def _as_json(
    found: "Report", merged: list[dict[str, object]], consolidated: "worker.Report | None", dry_run: bool
) -> dict[str, object]:
    sessions = [
        {**vars(one), "first_at": output.iso(one.first_at), "last_at": output.iso(one.last_at)}
        for one in found.sessions
    ]
    names = ("new", "known", "earlier", "deleted", "unheard")
    return {
        "dry_run": dry_run,
        "files": found.files,
        "messages": {name: found.total(name) for name in names},
        "sessions": sessions,
        "other_sessions": found.others,
        "rejected": [vars(one) for one in found.rejected],
        "graphs": merged,
        "consolidated": consolidated
        and {"sessions": consolidated.sessions, "counts": consolidated.counts, "failed": consolidated.failed},
    }


def offer(projects: str) -> None:
    """One line for a person who may not know that former sessions can be had; nothing is read here."""
    from awhm_hooks.manage.importer import files_of

    if os.path.isdir(projects) and (files := files_of([projects])):
        shown = shlex.quote(projects)
        typer.echo(f"Your {_many(len(files), 'earlier session')} can be remembered too: awhm import {shown} --dry-run")


def export(
    path: Annotated[str, typer.Argument(help="The file to write; - for standard output.", metavar="FILE")],
) -> None:
    """Write all that is remembered as one JSON file, which `awhm import` reads on another machine."""
    from awhm_hooks.manage import snapshots

    paths, _ = output.store()
    if path == "-":
        sys.stdout.buffer.write(snapshots.exported(paths, time.time())[0])
        return
    made = snapshots.export(paths, os.path.abspath(os.path.expanduser(path)), time.time())
    output.console.print(f"{made.nodes} memories in {made.path} ({output.size(made.size)})", markup=False)


if TYPE_CHECKING:
    from awhm_hooks.manage import restoring
