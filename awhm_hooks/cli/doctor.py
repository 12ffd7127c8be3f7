"""`awhm doctor`, `why`."""

import os
import time
from dataclasses import asdict
from typing import Annotated

import typer
from rich.progress import Progress

from awhm_hooks.cli import output
from awhm_hooks.errors import UsageError
from awhm_hooks.manage import doctor as examination
from awhm_hooks.manage import injections
from awhm_hooks.manage.doctor import Report
from awhm_hooks.manage.doctor_finding import Severity
from awhm_hooks.manage.injections import Prompt, Told
from awhm_hooks.paths import Paths, resolve

_SHOWN_CHARS = 300
_STYLES = {Severity.BROKEN: "red", Severity.WARNING: "yellow", Severity.NOTE: None}

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def register(app: typer.Typer) -> None:
    app.command()(doctor)
    app.command()(why)


def doctor(
    config_dir: Annotated[str | None, typer.Option(help="Claude Code's configuration directory.")] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="First make the store anew from the raw logs; the old one is kept aside.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Find what keeps memory from working, each with the command that mends it. Exit code 1: something is broken."""
    paths = resolve(dict(os.environ))
    if rebuild:
        _rebuild(paths, as_json)
    report = examination.examine(paths, os.environ, os.getcwd(), time.time(), config_dir)
    if as_json:
        output.print_json(_as_json(report))
    else:
        _print(report)
    if not report.is_healthy:
        raise typer.Exit(1)


def _rebuild(paths: Paths, quiet: bool) -> None:
    _, config = output.store()
    with Progress(console=output.console, transient=True, disable=quiet or not output.console.is_terminal) as bar:
        task = bar.add_task("Rebuilding", total=None)
        kept, report = examination.rebuild(
            paths, config, lambda done, total: bar.update(task, completed=done, total=total)
        )
    if not quiet:
        typer.echo(f"{report.sessions} sessions read anew. The old store: {kept or 'there was none'}")


def _as_json(report: Report) -> dict[str, object]:
    return {
        "ok": report.is_healthy,
        **asdict(report),
        "last_events": {hook: output.iso(at) for hook, at in report.last_events.items()},
    }


def _print(report: Report) -> None:
    say = output.console.print
    for finding in report.findings:
        say(f"{finding.severity:<8}{finding.name}: {finding.message}", markup=False, style=_STYLES[finding.severity])
        if finding.fix:
            say(f"        mend it: {finding.fix}", markup=False)
    if report.findings:
        say("")
    versions = report.versions
    libraries = ("sqlite", "onnxruntime", "tokenizers", "spacy")
    rows = [
        ("awhm", f"{versions['awhm']}, Python {versions['python']}, {versions['interpreter']}"),
        ("With", ", ".join(f"{name} {versions[name] or 'missing'}" for name in libraries)),
        ("Claude Code", versions["claude"] or "not on PATH"),
        *(("Hooks", f"{one['path']}{'' if one['read_here'] else ' (another profile)'}") for one in report.settings),
        ("Model", f"{report.model['state']} {report.model.get('generation', '')}"),
        ("Data", f"{report.data_dir} ({output.size(report.bytes['total'])})"),
        ("Memories", str(report.counts.get("memories", 0))),
        ("Sessions", f"{report.counts['sessions']}, {report.counts['pending_sessions']} waiting for consolidation"),
        *((f"Last {hook}", output.local_time(at)) for hook, at in report.last_events.items()),
        ("Last error", report.last_error or "none"),
    ]
    for name, value in rows:
        say(f"{name:<19}{value}", markup=False)
    say("Something is broken." if not report.is_healthy else "Nothing is broken.", style="bold")


def why(
    which: Annotated[
        str | None, typer.Argument(metavar="ID", help="A session or a prompt, by the beginning of its id.")
    ] = None,
    last: Annotated[bool, typer.Option("--last", help="The newest prompt of any session, as without an id.")] = False,
    as_json: Json = False,
) -> None:
    """Show what a prompt was answered with from memory, and the evidence for each."""
    if which and last:
        raise UsageError("--last and an id exclude each other")
    paths = resolve(dict(os.environ))
    newest = injections.last(paths) if which is None else None
    found = injections.matching(paths, which) if which is not None else [newest] if newest else []
    if as_json:
        output.print_json({"prompts": [_prompt_as_json(prompt) for prompt in found]})
        return
    if not found:
        typer.echo("No prompt was logged yet.")
    for prompt in found:
        _print_prompt(prompt)


def _prompt_as_json(prompt: Prompt) -> dict[str, object]:
    told = [{**asdict(one), "said_at": output.iso(one.said_at)} for one in prompt.told]
    return {**asdict(prompt), "at": output.iso(prompt.at), "told": told}


def _print_prompt(prompt: Prompt) -> None:
    say = output.console.print
    say(f"{output.local_time(prompt.at)} {prompt.session} {prompt.prompt_id}", markup=False, style="dim")
    say(_short(prompt.text), markup=False, style="bold")
    for number, one in enumerate(prompt.told, 1):
        _print_told(number, one)
    if prompt.quiet:
        say("    a command or a bare confirmation: memory is not asked", markup=False)
    elif not prompt.told:
        say("    nothing was handed back: nothing new was plainly about it; `awhm query` has a lighter hand")


def _print_told(number: int, one: Told) -> None:
    say = output.console.print
    say(f"{number:>2}. {_short(one.text) or '(no longer remembered)'}", markup=False)
    said = f", said {output.local_time(one.said_at)}" if one.said_at else ""
    state = f", {one.status}" if one.status not in ("", "active") else ""
    say(f"    {one.id}, {one.family or 'memory'}{state}{said}", markup=False, style="dim")
    evidence = ", ".join(f"{name} {value:.3f}" for name, value in one.evidence.items())
    say(f"    score {one.score:.3f}: {evidence}", markup=False, style="dim")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHARS else line[: _SHOWN_CHARS - 1] + "…"
