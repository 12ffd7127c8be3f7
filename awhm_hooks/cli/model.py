"""`awhm model prepare`, `status`, `verify`."""

from collections.abc import Callable
from typing import Annotated

import typer
from rich.progress import Progress

from awhm_hooks.cli import output
from awhm_hooks.errors import AwhmError
from awhm_hooks.manage import model
from awhm_hooks.paths import Paths

app = typer.Typer(no_args_is_help=True, help="The model behind recall by meaning: all-MiniLM-L6-v2, prepared for here.")

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def register(root: typer.Typer) -> None:
    root.add_typer(app, name="model")


@app.command()
def prepare(
    source: Annotated[
        str | None,
        typer.Argument(
            help="A directory with the model as ONNX or safetensors, or hub:sentence-transformers/all-MiniLM-L6-v2 to"
            " download it; the installed package by default."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Make it anew, also where it is ready.")] = False,
    as_json: Json = False,
) -> None:
    """Write the fast form of the model for this machine, and verify it in a process of its own."""
    paths, _ = output.store()
    _show(paths, as_json, lambda report: model.prepare(paths, source, report, force))


@app.command()
def verify(as_json: Json = False) -> None:
    """Check the prepared model against ONNX Runtime's own binding and the float model."""
    paths, _ = output.store()
    _show(paths, as_json, lambda report: model.verify(paths, report))


@app.command()
def status(as_json: Json = False) -> None:
    """Show which model is in force and whether the hooks use it."""
    paths, _ = output.store()
    _print(model.status(paths), as_json)


def prepare_for_install(paths: Paths) -> None:
    """Prepare the model with a progress bar; without it recall goes by words alone, and the reason is said."""
    try:
        with_progress(False, lambda report: model.prepare(paths, None, report))
    except AwhmError as problem:
        typer.echo(f"Recall goes by words alone for now: {problem}", err=True)


def with_progress(quiet: bool, work: "Callable[[model.Progress], object]") -> None:
    """Do some work that reports its steps, behind a progress bar."""
    with Progress(console=output.console, transient=True, disable=quiet) as bar:
        task = bar.add_task("Preparing the model", total=None)

        def report(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, description=what)

        work(report)


def _show(paths: Paths, as_json: bool, work: "Callable[[model.Progress], object]") -> None:
    with_progress(as_json, work)
    found = model.status(paths)
    _print(found, as_json)
    if found["state"] != "ready":
        raise typer.Exit(1)


def _print(found: dict[str, object], as_json: bool) -> None:
    if as_json:
        output.print_json(found)
        return
    typer.echo(f"State       {found['state']}{': ' if found['reason'] else ''}{found['reason']}")
    verified = found.get("verified")
    if isinstance(verified, dict):
        typer.echo(f"Generation  {found['generation']}, from {found['source']}")
        typer.echo(f"Verified    {verified['at']} with ONNX Runtime {verified['onnxruntime']}")
        typer.echo(f"Parity      cosine {verified['parity']:.4f} to the binding, {verified['to_float']:.4f} to float")
