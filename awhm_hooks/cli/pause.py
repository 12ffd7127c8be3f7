"""`awhm pause`, `resume`, `init`."""

import os
import time
from typing import Annotated

import typer

from awhm_hooks.cli import output
from awhm_hooks.journal.optout import EVERYWHERE, FOREVER, Pause
from awhm_hooks.manage import pausing

Project = Annotated[
    str | None, typer.Option(metavar="DIR", help="In the project of this directory only; everywhere by default.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def register(app: typer.Typer) -> None:
    app.command()(pause)
    app.command()(resume)
    app.command()(init)


def pause(
    project: Project = None,
    for_: Annotated[str | None, typer.Option("--for", metavar="TIME", help="For so long: 30m, 2h, 1d.")] = None,
    as_json: Json = False,
) -> None:
    """Stop listening and answering, in running sessions too. What is said meanwhile is never remembered."""
    paths, _ = output.store()
    for_s = pausing.seconds_of(for_) if for_ else None
    made = pausing.pause(paths, dict(os.environ), _key(project), time.time(), for_s)
    if as_json:
        output.print_json(_as_json(made))
        return
    until = "until `awhm resume`" if made.end == FOREVER else f"until {output.local_time(made.end)}"
    typer.echo(f"Paused {_where(made)} {until}: nothing is logged and nothing handed back.")


def resume(project: Project = None, as_json: Json = False) -> None:
    """End a pause: of one project, or every pause there is."""
    paths, config = output.store()
    ended = pausing.resume(paths, _key(project), time.time())
    if as_json:
        output.print_json({"ended": [_as_json(one) for one in ended]})
        return
    for one in ended:
        typer.echo(f"Memory goes on {_where(one)}.")
    if not ended:
        typer.echo("Nothing was paused.")
    left = pausing.silence_in(paths, config, dict(os.environ), os.getcwd(), time.time())
    if left:
        typer.echo(f"In this directory memory is {pausing.described(left)}.")


def init(as_json: Json = False) -> None:
    """Make the data directory. Where it was deleted this switches memory on again, with nothing in it."""
    paths, _ = output.store()
    is_new = pausing.begin_anew(paths, dict(os.environ))
    if as_json:
        output.print_json({"data_dir": paths.data_dir, "made": is_new})
    elif is_new:
        typer.echo(f"Memories will be kept in {paths.data_dir}")
        typer.echo("`awhm hook install` connects Claude Code to it; `awhm doctor` shows whether all is well.")
    else:
        typer.echo(f"{paths.data_dir} is there already.")


def _key(project: str | None) -> str:
    return pausing.project_key(project) if project else EVERYWHERE


def _where(one: Pause) -> str:
    return f"in {one.project}" if one.project else "everywhere"


def _as_json(one: Pause) -> dict[str, object]:
    return {
        "project": one.project or None,
        "since": output.iso(one.begin),
        "until": None if one.end == FOREVER else output.iso(one.end),
    }
