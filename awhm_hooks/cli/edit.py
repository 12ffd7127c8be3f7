"""`awhm remember`, `supersede`, `retract`, `show`: what a person does to single memories."""

import os
import time
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import typer

from awhm_hooks.cli import output
from awhm_hooks.graph.model import Node
from awhm_hooks.graph.scope import PROJECT, USER
from awhm_hooks.manage import editing
from awhm_hooks.manage.editing import Done
from awhm_hooks.manage.lifecycle import Life, Other, show
from awhm_hooks.manage.pausing import refuse_deleted

_SHOWN_CHARS = 160
_TIMES = ("said_at", "valid_from", "valid_to", "last_accessed", "retracted_at", "at")


class Scope(StrEnum):
    """Whom a statement is about: the user, wherever they work, or one project."""

    USER = USER
    PROJECT = PROJECT


Id = Annotated[str, typer.Argument(metavar="ID", help="A memory's id, or the beginning of it.")]
Why = Annotated[str, typer.Option(help="The reason, kept with it.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def register(app: typer.Typer) -> None:
    app.command()(remember)
    app.command()(supersede)
    app.command()(retract)
    app.command("show")(show_memory)


def remember(
    text: Annotated[str, typer.Argument(help="A statement, in plain words.")],
    key: Annotated[
        str | None, typer.Option(help="The slot that it fills, like 'fact:the staging port'; read from it otherwise.")
    ] = None,
    scope: Annotated[Scope | None, typer.Option(help="About you everywhere, or this project; read from it.")] = None,
    project: Annotated[str | None, typer.Option(help="The project's directory; the current one by default.")] = None,
    as_json: Json = False,
) -> None:
    """Remember a statement now. It takes the place of what fills the same slot."""
    output.refuse_empty(key=key, project=project)
    paths, config = output.store()
    refuse_deleted(paths, dict(os.environ))
    where = output.project_key(project, False) or ""
    done = editing.remember(paths, config, text, where, time.time(), key, scope.value if scope else None)
    _report(done, "known already" if done.known else "remembered", as_json)


def supersede(
    memory: Id, text: Annotated[str, typer.Argument(help="What holds instead.")], why: Why = "", as_json: Json = False
) -> None:
    """Put a new statement in the place of an old one, which stays in history."""
    paths, config = output.store()
    _report(editing.supersede(paths, config, memory, text, why, time.time()), "remembered", as_json)


def retract(memory: Id, why: Why = "", as_json: Json = False) -> None:
    """Take a memory back: it is served no more. It stays in history; `awhm delete` leaves nothing of it."""
    paths, config = output.store()
    done = editing.retract(paths, config, memory, why, time.time())
    _report(done, "retracted already" if done.known else "retracted", as_json)


def _report(done: Done, verb: str, as_json: bool) -> None:
    if as_json:
        output.print_json(
            {
                "id": done.node.uid if done.node else None,
                "text": done.node.text if done.node else None,
                "status": done.node.status if done.node else None,
                "key": done.node.canonical_key if done.node else None,
                "superseded": done.older.uid if done.older else None,
                "known": done.known,
                "waits": done.waits,
            }
        )
        return
    say = output.console.print
    if done.node:
        say(f"{done.node.uid} {verb}: {_short(done.node.text)}{_slot(done.node)}", markup=False)
    if done.older:
        say(f"{done.older.uid} {done.older.status}: {_short(done.older.text)}", markup=False)
    if done.cleaned:
        say("A secret was taken out of the text.")
    if done.waits:
        say("A consolidation is under way; it will be applied at its end.")


def _slot(node: Node) -> str:
    return f"  [{node.canonical_key}]" if node.canonical_key else ""


def show_memory(memory: Id, as_json: Json = False) -> None:
    """Show a memory with its whole life: its sources, what it superseded, what superseded it, when it was told."""
    paths, _ = output.store()
    life = show(paths, memory)
    if as_json:
        output.print_json(_with_dates(asdict(life)))
    else:
        _print(life)


def _with_dates(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: output.iso(one) if name in _TIMES and not isinstance(one, str) else _with_dates(one)
            for name, one in value.items()
        }
    if isinstance(value, tuple) and len(value) == 2:
        return {"session": value[0], "at": output.iso(value[1])}
    return [_with_dates(one) for one in value] if isinstance(value, list) else value


def _print(life: Life) -> None:
    say = output.console.print
    say(life.text, markup=False, style="bold")
    until = f" until {output.local_time(life.valid_to)}" if life.valid_to is not None else ""
    since = output.local_time(life.valid_from) if life.valid_from is not None else "an unknown day"
    retracted = ""
    if life.retracted_at is not None:
        why = f": {life.retracted_why}" if life.retracted_why else ""
        retracted = f", taken back {output.local_time(life.retracted_at)}{why}"
    rows = [
        ("Id", ", ".join([life.id, *life.other_ids])),
        ("Kind", f"{life.family} ({life.type}), {life.provenance}, confidence {life.confidence:.2f}"),
        ("Status", life.status + retracted),
        ("Holds", f"from {since}{until}"),
        ("Slot", life.key or "none"),
        ("About", "the user" if life.scope == USER else life.project or "no project"),
        ("Accessed", f"{life.access_count} times, last {output.local_time(life.last_accessed)}"),
        *((("Aliases", ", ".join(life.aliases)),) if life.aliases else ()),
    ]
    for name, value in rows:
        say(f"  {name:<10}{value}", markup=False)
    _print_others("Supersedes", life.supersedes)
    _print_others("Superseded by", life.superseded_by)
    if life.sources:
        say("  Said in")
    for source in life.sources:
        day = output.local_time(source.at) if source.at else "an unknown day"
        said = f": {_short(source.text)}" if source.text and source.text != life.text else ""
        say(f"    {day} {source.role or 'by hand'}, {source.session} {source.message}{said}", markup=False)
    _print_others("Names", life.names)
    _print_others("Statements", life.statements)
    if life.injections:
        say("  Told in")
    for session, at in life.injections:
        say(f"    {output.local_time(at)} {session}", markup=False)


def _print_others(title: str, others: list[Other]) -> None:
    if others:
        output.console.print(f"  {title}")
    for other in others:
        when = f"{output.local_time(other.at)} " if other.at is not None else ""
        reason = f" ({other.reason})" if other.reason else ""
        output.console.print(f"    {when}{other.id} {other.status}: {_short(other.text)}{reason}", markup=False)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHARS else line[: _SHOWN_CHARS - 1] + "…"
