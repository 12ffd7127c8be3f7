"""`awhm config list`, `get`, `set`, `unset`."""

import os
from typing import Annotated

import typer

from awhm_hooks.cli import output
from awhm_hooks.manage import config_file
from awhm_hooks.manage.config_file import Entry, Problem
from awhm_hooks.paths import resolve

app = typer.Typer(no_args_is_help=True, help="The parameters: config.toml in the data directory, and AWHM_* variables.")

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The parameter, as `awhm config list` calls it.")]


def register(root: typer.Typer) -> None:
    root.add_typer(app, name="config")


@app.command("list")
def list_(as_json: Json = False) -> None:
    """Show every parameter: its value, where that comes from, its default, and what it is."""
    paths, environ = resolve(dict(os.environ)), dict(os.environ)
    found = config_file.read(paths, environ)
    if as_json:
        output.print_json(
            {
                "file": paths.config_toml,
                "parameters": [_as_json(one) for one in found.entries],
                "problems": [vars(one) for one in found.problems],
            }
        )
    else:
        for one in found.entries:
            _print(one)
        for problem in found.problems:
            output.console.print(_said(problem), markup=False, style="red")
    if found.problems:
        raise typer.Exit(1)


@app.command()
def get(name: Name, as_json: Json = False) -> None:
    """Show one parameter's value."""
    found = config_file.entry(resolve(dict(os.environ)), os.environ, name)
    if as_json:
        output.print_json(_as_json(found))
    else:
        typer.echo(config_file.toml_of(found.value))


@app.command("set")
def set_(
    name: Name,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="A list takes commas: 'a, b'; '' is an empty one.")],
) -> None:
    """Write a value into config.toml; comments and everything else in it stay as they are."""
    parsed = config_file.parsed(name, value)
    is_new = config_file.change(resolve(dict(os.environ)), name, parsed)
    _report(name, "is set" if is_new else "was set already")


@app.command()
def unset(name: Name) -> None:
    """Take a line out of config.toml, also one that no parameter is called by: the default holds again."""
    is_new = config_file.change(resolve(dict(os.environ)), name, None)
    _report(name, "is taken out" if is_new else "does not stand in it")


def _report(name: str, done: str) -> None:
    paths = resolve(dict(os.environ))
    typer.echo(f"{name} {done}: {paths.config_toml}")
    found = config_file.read(paths, os.environ)
    for one in found.entries:
        if one.name == name:
            is_elsewhere = one.source not in (config_file.FILE, config_file.DEFAULT)
            by = f", from the environment ({one.source}), which goes first" if is_elsewhere else ""
            typer.echo(f"{name} = {config_file.toml_of(one.value)}{by}")
    for problem in found.problems:
        typer.echo(_said(problem), err=True)


def _print(one: Entry) -> None:
    value = f"{one.name} = {config_file.toml_of(one.value)}"
    if one.source == config_file.DEFAULT:
        source = "default"
    else:
        source = f"{one.source}; default {config_file.toml_of(one.default)}"
    output.console.print(f"{value}  ({source})", markup=False, style="bold" if one.source != "default" else None)
    output.console.print(f"    {one.what}", markup=False, style="dim")


def _said(problem: Problem) -> str:
    return f"{problem.source}: {problem.message}"


def _as_json(one: Entry) -> dict[str, object]:
    return {"name": one.name, "value": one.value, "default": one.default, "source": one.source, "what": one.what}
