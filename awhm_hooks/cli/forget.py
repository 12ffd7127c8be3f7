"""`awhm delete`, `gc`: taking memories away for good, and letting old files go."""

import sys
import time
from dataclasses import asdict
from typing import Annotated

import typer

from awhm_hooks.cli import output
from awhm_hooks.config import AWHMConfig
from awhm_hooks.errors import UsageError
from awhm_hooks.manage import deletion, retention
from awhm_hooks.manage.deletion import Outcome
from awhm_hooks.manage.deletion_selection import Selection
from awhm_hooks.manage.deletion_verify import Scanned
from awhm_hooks.paths import Paths

_SHOWN = 8
_SHOWN_CHARS = 160
_PLACES = {
    "messages": "messages in the graph",
    "spans": "messages in the graph that lose words",
    "statements": "statements",
    "entities": "names",
    "edges": "edges",
    "aliases": "aliases",
    "terms": "words of the index",
    "vectors": "vectors",
    "log_messages": "messages in raw logs",
    "log_spans": "messages in raw logs that lose words",
    "log_files": "raw logs",
    "wal_records": "records of write-ahead logs",
    "snapshots": "snapshots",
    "snapshot_nodes": "memories in snapshots",
    "damaged_copies": "copies of a damaged store",
    "error_lines": "lines of the error log",
    "other_files": "other files",
}
_MEMORIES = ("messages", "spans", "statements", "entities")

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


def register(app: typer.Typer) -> None:
    app.command()(delete)
    app.command()(gc)


def delete(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID...", help="Memories by their ids; with --verify, texts.")
    ] = None,
    match: Annotated[str | None, typer.Option(help="Everything that holds this text, in any case and project.")] = None,
    session: Annotated[str | None, typer.Option(help="Everything of one session.")] = None,
    project: Annotated[
        str | None, typer.Option(help="Everything said in one project, by its directory.", metavar="DIR")
    ] = None,
    since: Annotated[str | None, typer.Option(help="Everything said since: 2026-02-01, 'yesterday'.")] = None,
    yes: Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go, and change nothing.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Look for the texts in every byte of the data directory; delete nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Delete memories for good: from raw logs, write-ahead logs, graph, index, vectors and snapshots.

    Conditions add up: --match X --project DIR takes what holds X in that project. Of a longer message only the
    statement goes. What was deleted does not come back from a transcript, an import or a snapshot; Claude Code's own
    transcripts are not touched.
    """
    output.refuse_empty(match=match, session=session, project=project, since=since)
    paths, config = output.store()
    if verify:
        _verify(paths, config, [*(ids or ()), *([match] if match else ())], as_json)
        return
    now = time.time()
    selection = Selection(
        tuple(ids or ()),
        match or "",
        session or "",
        output.project_key(project, False) or "" if project else "",
        _moment(since) if since else None,
    )
    if dry_run or not yes:
        found = deletion.survey(paths, config, selection, now)
        if dry_run or found.is_nothing():
            _show(found, selection, "would be deleted", as_json)
            return
        _confirm(found, selection, as_json)
    outcome = deletion.delete(paths, config, selection, now)
    _show(outcome, selection, "deleted", as_json)
    if outcome.unscrubbed or (outcome.scanned and outcome.scanned.real() and not selection.is_bounded()):
        raise typer.Exit(1)


def _moment(since: str) -> float:
    from datetime import datetime

    from awhm_hooks.consolidate.dates import parse_moment

    return parse_moment(since, datetime.now().astimezone()).timestamp()


def _confirm(found: Outcome, selection: Selection, as_json: bool) -> None:
    """Show what would go and ask; where nobody can answer, nothing is deleted."""
    if as_json or not sys.stdin.isatty():
        raise UsageError(f"{_memories(found)} would be deleted; say --yes to delete them, or --dry-run to see them")
    _show(found, selection, "would be deleted", as_json=False)
    typer.confirm("Delete this for good?", abort=True)


def _memories(outcome: Outcome) -> str:
    counts = outcome.counts()
    total = max(sum(counts[name] for name in _MEMORIES), counts["log_messages"] + counts["log_spans"])
    return f"{total} {'memory' if total == 1 else 'memories'}"


def _show(outcome: Outcome, selection: Selection, verb: str, as_json: bool) -> None:
    counts = outcome.counts()
    if as_json:
        output.print_json(
            {
                "deleted": 0 if verb != "deleted" else sum(counts[name] for name in _MEMORIES),
                "dry_run": verb != "deleted",
                "by": selection.kind().value,
                "counts": counts,
                "verified": _as_json(outcome.scanned) if outcome.scanned else None,
                "transcripts": outcome.transcripts,
            }
        )
        return
    say = output.console.print
    if outcome.is_nothing():
        say("0 deleted: nothing of that is remembered.")
        return
    say(f"{_memories(outcome)} {verb}:", markup=False)
    for name, label in _PLACES.items():
        if counts[name]:
            say(f"  {counts[name]:>7} {label}", markup=False)
    if counts["revived"]:
        say(f"  {counts['revived']:>7} older statements hold again: they had been superseded by these", markup=False)
    if verb != "deleted":
        for text in outcome.previews[:_SHOWN]:
            say(f"  - {_short(text)}", markup=False, style="dim")
        return
    if outcome.scanned:
        _show_scan(outcome.scanned, selection.is_bounded())
    if outcome.unscrubbed:
        say("A reader keeps the store open: its log still holds old pages. Run `awhm delete` again.", style="red")
    if outcome.transcripts:
        say("Claude Code keeps its own transcripts, which are not ours to change:")
        for path in outcome.transcripts[:_SHOWN]:
            say(f"  {path}", markup=False)


def _verify(paths: Paths, config: AWHMConfig, texts: list[str], as_json: bool) -> None:
    scanned = deletion.verify(paths, config, texts)
    if as_json:
        output.print_json(_as_json(scanned))
    else:
        _show_scan(scanned, is_elsewhere=False)
    if scanned.real():
        raise typer.Exit(1)


def _show_scan(scanned: Scanned, is_elsewhere: bool) -> None:
    say = output.console.print
    real = scanned.real()
    where = f"{scanned.files} files, {output.size(scanned.bytes)}"
    if not real:
        say(f"Verified: found nowhere in {where}.", markup=False)
    elif is_elsewhere:
        say(f"The same words stand in {len(real)} other places; `awhm delete --match` takes them there too:")
    else:
        say(f"Still found in {len(real)} places of {where}:", markup=False, style="red")
    for path in dict.fromkeys(finding.path for finding in real):
        here = [finding for finding in real if finding.path == path]
        first = f"{here[0].form} at {here[0].offset}: {_short(here[0].context)}"
        say(f"  {path}: {len(here)} {'place' if len(here) == 1 else 'places'}, {first}", markup=False)
    harmless = [finding for finding in scanned.findings if finding.harmless]
    for why in dict.fromkeys(finding.harmless for finding in harmless):
        count = sum(1 for finding in harmless if finding.harmless == why)
        say(f"  Not counted: {count} times {why}", markup=False, style="dim")


def _as_json(scanned: Scanned) -> dict[str, object]:
    return {**asdict(scanned), "found": len(scanned.real())}


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHARS else line[: _SHOWN_CHARS - 1] + "…"


def gc(
    older_than: Annotated[
        str | None, typer.Option(help="Let raw logs go that have been silent for so long: 90d, 6m, 2y.")
    ] = None,
    max_size: Annotated[
        str | None, typer.Option(help="Let the oldest raw logs go until the rest fits: 500MB, 2GB.")
    ] = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Let go of what is old: raw logs, superseded statements, copies of a damaged store. Without --yes, only shown.

    The memories of a session whose raw log goes stay in the graph; a damaged graph cannot be made anew from them.
    """
    paths, config = output.store()
    rules = retention.rules(config, older_than, max_size)
    found = retention.collect(paths, config, rules, time.time(), apply=yes)
    if as_json:
        output.print_json({**asdict(found), "dry_run": not yes, "bytes": found.total_bytes()})
        return
    say = output.console.print
    if found.is_nothing():
        say("Nothing is old enough to go.")
        return
    say(f"{output.size(found.total_bytes())} {'freed' if yes else 'would be freed'}:", markup=False)
    for file in [*found.logs, *found.damaged, *found.leftovers]:
        say(
            f"  {file.kind:<10} {output.size(file.bytes):>9}  {output.local_time(file.at)[:10]}  {file.path}",
            markup=False,
        )
    if found.statements:
        say(f"  {found.statements} statements that were superseded or retracted long ago", markup=False)
    if not yes:
        say("Nothing was changed; --yes does it.")
