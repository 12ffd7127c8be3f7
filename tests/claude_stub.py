"""A small executable that stands in for `claude`, the external program: it records how it was called and plays a part.

The envelopes are those that the real client (2.1.332) was seen to print.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

_CODE = """\
#!{python}
import json, os, subprocess, sys, time
here = {here!r}
plan = json.load(open(here + "/plan.json"))
calls = here + "/calls.jsonl"
stdin = sys.stdin.buffer.read()
call = {{"argv": sys.argv[1:], "stdin": stdin.decode("utf-8", "replace"), "stdin_bytes": len(stdin),
         "env": dict(os.environ), "cwd": os.getcwd(), "files": os.listdir("."), "pid": os.getpid()}}
with open(calls, "a") as file:
    file.write(json.dumps(call) + "\\n")
number = sum(1 for _ in open(calls)) - 1
part = plan[min(number, len(plan) - 1)]
for step in part.get("run", []):
    env = {{k: v for k, v in os.environ.items() if k not in step.get("without", [])}} if not step.get("only") else {{
        k: os.environ[k] for k in step["only"] if k in os.environ}}
    subprocess.run(step["argv"], input=json.dumps(step.get("payload", {{}})).encode(), env=env)
if part.get("child"):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    open(here + "/child.pid", "w").write(str(child.pid))
time.sleep(part.get("sleep", 0))
sys.stderr.write(part.get("err", ""))
sys.stdout.buffer.write(part.get("out", "").encode("utf-8"))
sys.exit(part.get("code", 0))
"""


def envelope(structured=None, **more):
    """What the client prints for an answer."""
    fields = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "num_turns": 2,
        "result": json.dumps(structured),
        "session_id": "00000000-0000-4000-8000-000000000202",
        "total_cost_usd": 0.0025,
        "usage": {"input_tokens": 1000, "cache_read_input_tokens": 200, "output_tokens": 50},
        "modelUsage": {"claude-haiku-5-5": {"inputTokens": 1000}},
    }
    if structured is not None:
        fields["structured_output"] = structured
    return json.dumps({**fields, **more}, ensure_ascii=False)


def failure(status, text, **more):
    """What it prints, with exit code 1, when the API refused: the subtype still says "success"."""
    return {"out": envelope(is_error=True, api_error_status=status, result=text, total_cost_usd=0, **more), "code": 1}


def answer(*memories):
    return {"out": envelope({"memories": list(memories)})}


def proposal(content, messages=(1,), kind="fact", confidence=0.9, slot=None, corrects=None, **more):
    return {
        "kind": kind,
        "content": content,
        "slot": slot,
        "confidence": confidence,
        "messages": list(messages),
        "valid_from": None,
        "valid_to": None,
        "corrects": corrects,
        **more,
    }


@dataclass
class Stub:
    """`path` is the executable; `calls` what it recorded."""

    directory: Path

    @property
    def path(self):
        return str(self.directory / "claude")

    @property
    def calls(self):
        recorded = self.directory / "calls.jsonl"
        return [json.loads(line) for line in recorded.read_text().splitlines()] if recorded.exists() else []

    def plays(self, *parts):
        """The n-th call plays the n-th part, later ones the last."""
        (self.directory / "plan.json").write_text(json.dumps(parts))
        return self


def make(directory):
    """A stub in a new directory, which plays an empty answer until it is told otherwise."""
    directory.mkdir(parents=True)
    path = directory / "claude"
    path.write_text(_CODE.format(python=sys.executable, here=str(directory)))
    path.chmod(0o755)
    return Stub(directory).plays(answer())
