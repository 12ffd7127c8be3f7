"""`awhm status`, `query`, `consolidate`."""

import os
import time
from dataclasses import asdict
from typing import Annotated

import typer

from awhm_hooks.cli import output
from awhm_hooks.errors import UsageError
from awhm_hooks.manage import pausing
from awhm_hooks.manage.asking import ask
from awhm_hooks.recall.context import excerpt
from awhm_hooks.recall.memory import Memory
from awhm_hooks.recall.tokens import tokenise

_SHOWN_CHARS = 400
_LOCK_WAIT_S = 120.0

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def register(app: typer.Typer) -> None:
    app.command()(status)
    app.command()(query)
    app.command()(consolidate)


def status(as_json: Json = False) -> None:
    """Show what is stored, what waits, when each hook last ran, and the last error."""
    from awhm_hooks.manage.overview import overview
    from awhm_hooks.manage.stage2_overview import rows_of, stage2_overview

    paths, config = output.store()
    found = overview(paths)
    stage2 = stage2_overview(paths, config, os.environ, time.time())
    silent = pausing.silence_in(paths, config, dict(os.environ), os.getcwd(), time.time())
    if as_json:
        data = {**vars(found), "last_events": {hook: output.iso(at) for hook, at in found.last_events.items()}}
        reason = pausing.described(silent) if silent else None
        output.print_json({**data, "silent": reason, "stage2": asdict(stage2)})
        return
    families = ", ".join(f"{count} {family}" for family, count in sorted(found.nodes_by_family.items())) or "none yet"
    rows = [
        *((("Here", f"memory is {pausing.described(silent)}"),) if silent else ()),
        ("Data", f"{found.data_dir} ({output.size(found.bytes_on_disk)})"),
        ("Memories", f"{found.nodes} ({families})"),
        ("Superseded", str(found.nodes_by_status.get("superseded", 0))),
        ("Edges", str(found.edges)),
        ("Sessions", f"{found.sessions}, {found.pending_sessions} waiting for consolidation"),
        ("Projects", str(found.projects)),
        *((f"Last {hook}", output.local_time(at)) for hook, at in found.last_events.items()),
        ("Last error", found.last_error or "none"),
        *rows_of(stage2),
    ]
    for name, value in rows:
        output.console.print(f"{name:<19}{value}", markup=False)


def query(
    text: Annotated[str, typer.Argument(help="What to look for, in plain words.")],
    k: Annotated[int | None, typer.Option("-k", min=1, help="How many results.")] = None,
    include_history: Annotated[bool, typer.Option(help="Show superseded memories too.")] = False,
    as_of: Annotated[str | None, typer.Option(help="What was true then: 2026-02-01, 'March 2026', yesterday.")] = None,
    trace: Annotated[bool, typer.Option(help="Show the features behind each result.")] = False,
    project: Annotated[str | None, typer.Option(help="The project's directory; the current one by default.")] = None,
    all_projects: Annotated[bool, typer.Option("--all-projects", help="Search every project.")] = False,
    as_json: Json = False,
) -> None:
    """Search the memory, as the prompt hook does, but with a lighter hand: you asked."""
    output.refuse_empty(as_of=as_of, project=project)
    if project and all_projects:
        raise UsageError("--project and --all-projects exclude each other")
    paths, config = output.store()
    moment = None if as_of is None else _moment(as_of)
    found = ask(
        paths,
        config,
        text,
        output.project_key(project, all_projects),
        k or config.k,
        time.time(),
        include_history or config.include_history_by_default,
        moment,
    )
    trace = trace or config.trace_retrieval
    if as_json:
        output.print_json({"query": text, "results": [_as_json(memory, trace) for memory in found]})
        return
    if not found:
        output.console.print("Nothing is remembered about that here.")
    for number, memory in enumerate(found, 1):
        _print_memory(number, memory, text, trace)


def _moment(as_of: str) -> float:
    from datetime import datetime

    from awhm_hooks.consolidate.dates import parse_moment

    return parse_moment(as_of, datetime.now().astimezone()).timestamp()


def _as_json(memory: Memory, trace: bool) -> dict[str, object]:
    row: dict[str, object] = {
        "id": memory.uid or None,
        "text": memory.text,
        "family": memory.family,
        "status": memory.status,
        "score": round(memory.score, 4),
        "said_at": output.iso(memory.at),
        "scope": "user" if memory.user_scope else "project",
        "project": memory.project or None,
        "session": memory.session or None,
        "role": memory.role or None,
        "source": memory.origin,
        "valid_from": output.iso(memory.valid_from),
        "valid_to": output.iso(memory.valid_to),
    }
    if trace:
        row["features"] = {name: round(value, 4) for name, value in memory.features.items()}
        row["terms"] = memory.terms
    return row


def _print_memory(number: int, memory: Memory, text: str, trace: bool) -> None:
    shown, is_pasted = excerpt(memory, tokenise(text), _SHOWN_CHARS)
    family = f"{memory.family}, pasted" if is_pasted else memory.family
    state = "" if memory.status == "active" else f", {memory.status}"
    source = "user" if memory.user_scope else memory.project or "this project"
    output.console.print(f"{number:>2}. {shown}", markup=False)
    identity = memory.uid or "not consolidated yet"
    output.console.print(
        f"    {output.local_time(memory.at)[:10]}, {family}{state}, {source}, {identity}",
        markup=False,
        style="dim",
    )
    if trace:
        features = ", ".join(f"{name} {value:.3f}" for name, value in memory.features.items())
        output.console.print(
            f"    score {memory.score:.3f}: {features}; terms {memory.terms}", markup=False, style="dim"
        )


def consolidate(
    stage2: Annotated[
        bool, typer.Option("--stage2", help="Then let a model propose what the rules missed, in every session so far.")
    ] = False,
    stage2_model: Annotated[str | None, typer.Option(help="The model to ask, for this run.", metavar="MODEL")] = None,
    as_json: Json = False,
) -> None:
    """Take every waiting session into the graph now, instead of at the end of a session."""
    from rich.progress import Progress  # 40 ms, and `query` shows none

    from awhm_hooks.consolidate import worker

    paths, config = output.store()
    wish = None
    if stage2:
        from awhm_hooks.consolidate.stage2 import Wish

        wish = Wish(everything=True)
        config = config.with_values(stage2_enabled=True, stage2_model=stage2_model or config.stage2_model)
    with Progress(console=output.console, transient=True, disable=as_json) as bar:
        task = bar.add_task("Consolidating", total=None)
        report = worker.run(
            paths,
            config,
            _LOCK_WAIT_S,
            lambda done, total: bar.update(task, completed=done, total=total),
            insist=True,
            stage2=wish,
        )
    if as_json:
        output.print_json(report)
    else:
        counts = ", ".join(f"{count} {name}" for name, count in report.counts.items() if count) or "nothing new"
        output.console.print(f"{output.counted(report.sessions, 'session')} consolidated: {counts}.", markup=False)
        for session, reason in report.failed.items():
            output.console.print(f"{session}: {reason}", markup=False)
        if report.stage2:
            _print_stage2(report.stage2)
    if report.failed or (stage2 and report.stage2 and report.stage2.failed):
        raise typer.Exit(1)


def _print_stage2(done: "Outcome") -> None:
    refused = ", ".join(f"{count} {reason}" for reason, count in done.refused.items())
    calls = f"{done.calls} call{'' if done.calls == 1 else 's'}"
    output.console.print(f"Stage 2: {calls}, {done.admitted} admitted; refused: {refused or 'none'}.", markup=False)
    for reason in done.failed:
        output.console.print(f"Stage 2 failed: {reason}", markup=False)
    if done.capped:
        output.console.print("Stage 2: that was all for today (stage2_max_calls_per_day).", markup=False)
    if done.waiting:
        output.console.print(f"Stage 2: {done.waiting} sessions still wait.", markup=False)
    if done.billed_to:
        output.console.print(
            f"Mind: {done.billed_to} is set, so these calls are billed to that key, not to your login.", markup=False
        )


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.consolidate.stage2 import Outcome
