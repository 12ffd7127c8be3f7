"""`awhm replay` and `awhm demo`: the real hook processes on recorded payloads."""

import os
import tempfile
from typing import Annotated

import typer

from awhm_hooks.cli import output
from awhm_hooks.manage.demo import conversation
from awhm_hooks.manage.replay import Replayer, Step, payloads
from awhm_hooks.paths import Paths


def register(app: typer.Typer) -> None:
    app.command()(replay)
    app.command()(demo)


def replay(
    files: Annotated[list[str], typer.Argument(help="Payloads: one JSON object a line, or a file each.")],
    data_dir: Annotated[
        str | None, typer.Option(help="Where to keep the memories; a new directory by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object an event, one a line.")] = False,
) -> None:
    """Feed recorded hook payloads to the hooks and show what each event logged, captured, injected, and took."""
    recorded = [payload for path in files for payload in payloads(path)]
    directory = os.path.abspath(data_dir) if data_dir else tempfile.mkdtemp(prefix="awhm-replay-")
    replayer = Replayer(Paths(directory), dict(os.environ))
    for payload in recorded:
        step = replayer.step(payload)
        if as_json:
            output.print_json_line(step)
        else:
            _print_step(step)
    if not as_json:
        output.console.print(f"The memories are in {directory}", markup=False)


def _print_step(step: Step) -> None:
    output.console.print(f"{step.event} ({step.session}), {step.seconds * 1000:.0f} ms", markup=False, style="bold")
    for entry in step.logged:
        text = f": {_short(entry['text'])}" if entry["text"] else ""
        output.console.print(f"  logged    {entry['role']}{text}", markup=False)
    for said in step.captured:
        output.console.print(
            f"  captured  {said['family']}: {_short(said['text'] or '')}  [{said['key']}]", markup=False
        )
    for line in step.reply.splitlines():
        output.console.print(f"  injected  {line}", markup=False, style="green")
    if step.consolidated:
        counts = ", ".join(f"{count} {name}" for name, count in step.consolidated.items() if count)
        output.console.print(f"  consolidated {counts or 'nothing new'}", markup=False)
    if step.error or step.exit_code:
        output.console.print(f"  exit {step.exit_code} {step.error}", markup=False, style="red")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"


def demo() -> None:
    """Show it at work: two sessions through the real hooks, in a directory of their own; about ten seconds."""
    say = output.console.print
    with tempfile.TemporaryDirectory(prefix="awhm-demo-", ignore_cleanup_errors=True) as directory:
        project = os.path.join(directory, "project")
        os.mkdir(project)
        replayer = Replayer(Paths(os.path.join(directory, "data")), dict(os.environ))
        told: list[tuple[str, str]] = []
        for payload in conversation(project):
            with output.console.status(f"{payload['hook_event_name']} …"):
                step = replayer.step(payload)
            _narrate(step)
            if step.event == "UserPromptSubmit" and step.session == "demo-2":
                told.append((step.said, step.reply))
    say("\nWhat the second session was told:", style="bold")
    for prompt, reply in told:
        say(f"  {prompt}", markup=False)
        say("\n".join(f"    {line}" for line in reply.splitlines()) or "    (nothing: no memory fits)", markup=False)
    say("\nThe memories of this demonstration are deleted. To connect Claude Code:", style="bold")
    own = output.own_command()
    say(f"  {own} hook install      adds the hooks to your settings, everything else kept", markup=False)
    say(f"  {own} hook uninstall    takes them out again", markup=False)


def _narrate(step: Step) -> None:
    say = output.console.print
    if step.event == "SessionStart":
        say(f"\nSession {step.session}", style="bold")
    elif step.event == "UserPromptSubmit":
        say(f"  > {step.said}  ({step.seconds * 1000:.0f} ms)", markup=False)
        for said in step.captured:
            say(f"      captured as {said['family']}: {said['text']}", markup=False, style="dim")
    elif step.event == "SessionEnd":
        counts = step.consolidated
        say(
            f"  session ended ({step.seconds * 1000:.0f} ms); consolidated in the background:"
            f" {output.counted(counts.get('messages', 0), 'message')},"
            f" {output.counted(counts.get('statements', 0), 'statement')}, {counts.get('superseded', 0)} superseded",
            markup=False,
        )
