"""`awhm eval`: what recall is worth, on a corpus or on the built-in benchmark."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from awhm_hooks.cli import output
from awhm_hooks.config import AWHMConfig
from awhm_hooks.errors import UsageError
from awhm_hooks.evaluate import builtin, loading, runner
from awhm_hooks.evaluate.answering import Setting
from awhm_hooks.evaluate.audit import deletion_audit
from awhm_hooks.evaluate.corpus import Corpus, Granularity
from awhm_hooks.evaluate.report import DEFAULT_K, Gate, gate, report
from awhm_hooks.paths import Paths
from awhm_hooks.recall import semantic


def register(app: typer.Typer) -> None:
    app.command("eval")(evaluate)


def evaluate(
    file: Annotated[str | None, typer.Argument(help="The corpus; without one, the built-in benchmark is run.")] = None,
    corpus: Annotated[str | None, typer.Option(help="The same as the argument.")] = None,
    format_name: Annotated[
        str | None, typer.Option("--format", help=f"{', '.join(loading.NAMES)}; recognised where it is left out.")
    ] = None,
    longmemeval: Annotated[bool, typer.Option("--longmemeval", help="The same as --format longmemeval.")] = False,
    pool: Annotated[str | None, typer.Option(help="LongMemEval: a recipe, question id -> ids of its haystack.")] = None,
    one_store: Annotated[bool, typer.Option("--one-store", help="All sessions of the file in one memory.")] = False,
    granularity: Annotated[
        Granularity | None, typer.Option(help="What counts as a result; by default what the corpus is scored by.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask only so many questions.")] = None,
    k: Annotated[
        int | None, typer.Option("--k", "-k", min=1, help="Depth of strict, contamination and the like; 5.")
    ] = None,
    ner: Annotated[
        bool, typer.Option("--ner", help="Recognise entities too: seconds a session, no metric asks for it.")
    ] = False,
    processes: Annotated[int | None, typer.Option(min=1, help="How many at once; one a core by default.")] = None,
    minimum: Annotated[
        list[str] | None, typer.Option("--min", help="METRIC=VALUE: exit 1 below it. Repeatable.")
    ] = None,
    maximum: Annotated[
        list[str] | None, typer.Option("--max", help="METRIC=VALUE: exit 1 above it. Repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Measure recall: the corpus is logged and consolidated as sessions are, then asked as `awhm query` asks."""
    paths, config = output.store()
    chosen = _corpus(file, corpus, "longmemeval" if longmemeval else format_name, pool, one_store)
    if limit:
        chosen = chosen.limited(limit)
    depth = k or chosen.k or DEFAULT_K
    gates = [gate(text, True, depth) for text in minimum or ()] + [gate(text, False, depth) for text in maximum or ()]
    by = granularity or chosen.granularity
    setting = Setting(_parameters(config, ner), _models(paths, config))
    with _bar() as bar:
        task = bar.add_task(chosen.name, total=None)
        outcomes = runner.run(
            chosen, setting, lambda done, total: bar.update(task, completed=done, total=total), processes
        )
    found = report(chosen, by, outcomes, depth)
    if not (file or corpus):
        found["deletion_audit"] = deletion_audit(setting.config, setting.models).as_json()
    if as_json:
        output.print_json(found)
    else:
        _print(found, depth)
    _judge(gates, found)


def _corpus(file: str | None, option: str | None, name: str | None, pool: str | None, one_store: bool) -> Corpus:
    if file and option:
        raise UsageError("name the corpus once, as the argument or by --corpus")
    path = file or option
    if path:
        return loading.load(path, name, pool, one_store)
    if name or pool or one_store:
        raise UsageError("--format, --pool and --one-store need a corpus")
    return builtin.corpus()


def _parameters(config: AWHMConfig, ner: bool) -> dict[str, object]:
    """The person's configuration: a measurement of other weights would be one of another product."""
    return dict(config.items()) if ner else {**dict(config.items()), "ner_labels": ()}


def _models(paths: Paths, config: AWHMConfig) -> str | None:
    """The prepared model's folder, made now where there is none; None where recall by meaning is switched off."""
    if not config.semantic:
        return None
    try:
        semantic.checked_manifest(paths)
    except semantic.ModelUnusable:
        from awhm_hooks.manage import model

        model.prepare(paths)
    return paths.models


def _bar() -> Progress:
    """On standard error, so that JSON stays alone on standard output; rich shows it on a terminal only."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _print(found: dict[str, Any], k: int) -> None:
    say = output.console.print
    say(
        f"{found['corpus']} ({found['format']}, by {found['granularity']}, {found['n']} questions, k {k})", style="bold"
    )
    shown = {name: value for name, value in found["metrics"].items() if value is not None}
    for name, value in shown.items():
        say(f"  {name:<20}{value:8.3f}", markup=False)
    latency, tokens = found["latency_ms"], found["tokens"]
    say(f"  {'latency p50/p95':<20}{latency['p50']:8.1f} / {latency['p95']:.1f} ms", markup=False)
    say(f"  {'tokens a query':<20}{tokens['mean']:8.1f}", markup=False)
    if "deletion_audit" in found:
        failed = [name.replace("_", " ") for name, kept in found["deletion_audit"].items() if not kept]
        say(f"  {'deletion audit':<20}{'passed' if not failed else 'failed: ' + ', '.join(failed)}", markup=False)
    if not found["by_category"]:
        return
    columns = [name for name in ("hit@1", "hit@5", "frac@10", "ndcg@10", "rejection", "substring@5") if name in shown]
    say(f"\n  {'category':<28}{'n':>5}" + "".join(f"{name:>13}" for name in columns), markup=False, style="bold")
    for name, part in found["by_category"].items():
        cells = (part["metrics"][column] for column in columns)
        say(f"  {name:<28}{part['n']:>5}" + "".join(f"{_cell(value):>13}" for value in cells), markup=False)


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _judge(gates: list[Gate], found: dict[str, Any]) -> None:
    broken = [reason for one in gates if (reason := one.broken_by(found))]
    if not found.get("deletion_audit", {"passed": True})["passed"]:
        broken.append("the deletion audit failed")
    for reason in broken:
        typer.echo(f"awhm eval: {reason}", err=True)
    if broken:
        raise typer.Exit(1)
