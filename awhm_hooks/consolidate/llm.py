"""Clients of Stage 2: `claude -p`, the Anthropic SDK, or any object with `complete_json(system, user, schema) -> str`.

A client makes one call and gives back JSON as text. It says what the call used in an attribute `usage`, also when the
call failed; a client of somebody else's may lack it.
"""

import contextlib
import importlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from awhm_hooks.config import AWHMConfig
from awhm_hooks.errors import AwhmError
from awhm_hooks.files import locked
from awhm_hooks.journal import own_call, redact
from awhm_hooks.paths import Paths

MARKERS = ("AWHM_HOOK_ACTIVE", "AWHM_IN_STAGE2")
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
MAX_ARGUMENT_BYTES = 30_000
MAX_OUTPUT_TOKENS = 8_000
_MAX_TURNS = 4  # the structured answer is the second; the rest are repetitions of one that did not fit the schema
_GRACE_S = 1.0
_KEPT_CALLS = 40
_LOCK_WAIT_S = 5.0
_SHOWN_CHARS = 160
_CLAUDE_PLACES = ("~/.local/bin/claude", "~/.claude/local/claude", "/opt/homebrew/bin/claude", "/usr/local/bin/claude")
# What the client sets for its children says nothing about a call of its own.
_NOT_INHERITED = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_CHILD_NOTES_DIR",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_PID",
    "AI_AGENT",
    "AWHM_STAGE2",
)
# The API knows no bare family name.
_API_MODELS = {"haiku": "claude-haiku-4-5", "sonnet": "claude-sonnet-4-5", "opus": "claude-opus-4-5"}


class LLMError(AwhmError):
    """A call was made and brought no usable answer."""


class LLMMissing(LLMError):
    """There is nothing to call: no program, no SDK, no key. No call was made."""


@dataclass(frozen=True)
class Usage:
    """What one call used. `cost_usd` is None where the client does not tell."""

    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None


class LLMClient(Protocol):
    """What Stage 2 asks."""

    def complete_json(self, system: str, user: str, schema: dict[str, Any]) -> str:
        """The model's answer as JSON text that should fit the schema. Raises LLMError."""


def make_client(paths: Paths, config: AWHMConfig, environ: Mapping[str, str]) -> "ClaudeCode | AnthropicAPI":
    """The client that the configuration names."""
    if config.stage2_client == AnthropicAPI.name:
        return AnthropicAPI(config.stage2_model, config.stage2_timeout_s, environ)
    return ClaudeCode(paths, config.stage2_command, config.stage2_model, config.stage2_timeout_s, environ)


def billing(client: str, environ: Mapping[str, str]) -> str:
    """The variable whose key is billed for a call of this client, "" for a login."""
    if client in (ClaudeCode.name, AnthropicAPI.name):
        return next((name for name in KEYS if environ.get(name)), "")
    return ""


class ClaudeCode:
    """`claude -p`: the login that is there already, no key of ours.

    Lean and without hooks (measured with 2.1.332): no tools, no MCP servers, no CLAUDE.md, no transcript, the prompt on
    standard input, in a directory of its own.
    """

    name = "claude-code"

    def __init__(self, paths: Paths, command: str, model: str, timeout_s: float, environ: Mapping[str, str]) -> None:
        self.usage: Usage | None = None
        self._paths = paths
        self._command = command
        self._model = model
        self._timeout_s = timeout_s
        self._environ = dict(environ)

    def ready(self) -> None:
        """Raises LLMMissing where there is no program to call."""
        find_command(self._command, self._environ)

    def complete_json(self, system: str, user: str, schema: dict[str, Any]) -> str:
        """The structured output, as JSON text. Raises LLMError, LLMMissing."""
        self.usage = None
        session = str(uuid.uuid4())
        argv = [*find_command(self._command, self._environ), *self._arguments(system, schema, session)]
        longest = max(len(argument.encode("utf-8", "replace")) for argument in argv)
        if longest > MAX_ARGUMENT_BYTES:
            raise LLMError(f"system prompt or schema of {longest} bytes: at most {MAX_ARGUMENT_BYTES} fit")
        with self._noted(session) as note_child:
            code, out, err = self._run(argv, user.encode("utf-8", "replace"), note_child)
        return self._answer(code, out, err)

    def _arguments(self, system: str, schema: dict[str, Any], session: str) -> list[str]:
        model = ["--model", self._model] if self._model else []
        return [
            "-p",
            *("--settings", '{"disableAllHooks":true}'),
            "--no-session-persistence",
            *("--session-id", session),
            *("--tools", ""),
            "--strict-mcp-config",
            *("--max-turns", str(_MAX_TURNS)),
            *("--system-prompt", " ".join(system.split())),
            *model,
            *("--output-format", "json"),
            *("--json-schema", json.dumps(schema, separators=(",", ":"))),
        ]

    def _child_environ(self) -> dict[str, str]:
        kept = {name: value for name, value in self._environ.items() if name not in _NOT_INHERITED}
        return {
            **kept,
            **dict.fromkeys(MARKERS, "1"),
            "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
            "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
            "CLAUDE_CODE_MAX_RETRIES": "1",  # ten by default: 181 s with the API down
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(MAX_OUTPUT_TOKENS),
        }

    @contextlib.contextmanager
    def _noted(self, session: str) -> "Iterator[Callable[[int], None]]":
        """While the block runs, hooks know its call (`journal/own_call.py`). Raises LLMError."""
        self._paths.make(self._paths.meta)
        path = f"{self._paths.meta}/{own_call.FILE}"
        with locked(path, _LOCK_WAIT_S) as held:

            def note(*pids: int) -> None:
                before = os.pread(held.fd, 1 << 16, 0) if hasattr(os, "pread") else b""
                kept = [line for line in before.splitlines() if not line.startswith(session.encode())]
                line = " ".join([session, own_call.namespace(), *map(str, pids)]).encode()
                data = b"\n".join([*kept[-_KEPT_CALLS:], line]) + b"\n"
                os.lseek(held.fd, 0, os.SEEK_SET)
                os.write(held.fd, data)
                os.ftruncate(held.fd, len(data))

            note(os.getpid())
            yield lambda child: note(os.getpid(), child)

    def _run(self, argv: list[str], prompt: bytes, note_child: "Callable[[int], None]") -> tuple[int, bytes, bytes]:
        """(exit code, stdout, stderr). Raises LLMError after the timeout, with everything it started ended."""
        cwd = f"{self._paths.meta}/neutral"
        self._paths.make(cwd)
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=self._child_environ(),
                **_OWN_GROUP,
            )
        except OSError as problem:
            raise LLMMissing(f"{argv[0]} cannot be started: {problem.strerror or problem}") from None
        try:
            note_child(process.pid)
            out, err = process.communicate(prompt, self._timeout_s)
        except subprocess.TimeoutExpired:
            _end(process)
            raise LLMError(f"claude gave no answer within {self._timeout_s:g} s and was ended") from None
        finally:
            if process.poll() is None:
                _end(process)
        return process.returncode, out, err

    def _answer(self, code: int, out: bytes, err: bytes) -> str:
        envelope = read_envelope(out.decode("utf-8", "replace"))
        if envelope is None:
            said = _last_line(err) or _last_line(out) or "no output"
            raise LLMError(f"claude ended with exit code {code} and without an answer: {said}")
        self.usage = usage_of(envelope, self._model)
        if code or envelope.get("is_error"):
            raise LLMError(f"claude: {_failure(envelope, code)}")
        structured = envelope.get("structured_output")
        if structured is None:
            said = _short(str(envelope.get("result") or ""))
            raise LLMError(f"the model answered in prose instead of the structure asked for: {said!r}")
        return json.dumps(structured, ensure_ascii=False)


def find_command(command: str, environ: Mapping[str, str]) -> list[str]:
    """The program and its first arguments. Raises LLMMissing where it is neither on PATH nor in its usual places."""
    words = [command] if os.path.isfile(command) else shlex.split(command, posix=sys.platform != "win32")
    if not words:
        raise LLMMissing("stage2_command is empty: it names the claude executable")
    found = shutil.which(words[0], path=environ.get("PATH"))
    if found is None and words[0] == "claude":
        home = environ.get("HOME") or os.path.expanduser("~")
        places = (place.replace("~", home, 1) for place in _CLAUDE_PLACES)
        found = next((place for place in places if os.access(place, os.X_OK)), None)
    if found is None:
        raise LLMMissing(f"{words[0]} was not found on PATH; set stage2_command to the full path of claude")
    return [found, *words[1:]]


def read_envelope(out: str) -> dict[str, Any] | None:
    """The result object of `--output-format json`, also behind lines that a wrapper printed; None without one."""
    for text in (out.strip(), *reversed(out.strip().splitlines())):
        try:
            value = json.loads(text)
        except ValueError:
            continue
        events = value if isinstance(value, list) else [value]  # a verbose client lists all its events
        for event in reversed(events):
            if isinstance(event, dict) and event.get("type") == "result":
                return event
    return None


def usage_of(envelope: Mapping[str, Any], model: str) -> Usage:
    """Tokens and cost of all requests of a call; the model's full name where the envelope tells it."""
    used = envelope.get("usage")
    counts = used if isinstance(used, dict) else {}
    models = envelope.get("modelUsage")
    names = [name for name in models if isinstance(name, str)] if isinstance(models, dict) else []
    cost = envelope.get("total_cost_usd")
    read = sum(_count(counts.get(f"{kind}input_tokens")) for kind in ("", "cache_creation_", "cache_read_"))
    return Usage(
        names[0] if names else model,
        read,
        _count(counts.get("output_tokens")),
        float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None,
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _failure(envelope: Mapping[str, Any], code: int) -> str:
    errors = envelope.get("errors")
    said = envelope.get("result") or (errors[0] if isinstance(errors, list) and errors else None)
    status = envelope.get("api_error_status")
    text = _short(str(said or envelope.get("subtype") or f"exit code {code}"))
    return f"{status}: {text}" if status and str(status) not in text else text


def _short(text: str) -> str:
    line = redact.clean(" ".join(text.split()))
    return line if len(line) <= _SHOWN_CHARS else line[: _SHOWN_CHARS - 1] + "…"


def _last_line(data: bytes) -> str:
    lines = data.decode("utf-8", "replace").strip().splitlines()
    return _short(lines[-1]) if lines else ""


_OWN_GROUP: dict[str, Any] = {}
if sys.platform == "win32":
    _OWN_GROUP["creationflags"] = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP

    def _end(process: "subprocess.Popen[bytes]") -> None:
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
        _reap(process)
else:
    _OWN_GROUP["start_new_session"] = True

    def _end(process: "subprocess.Popen[bytes]") -> None:
        """End a call and what it started: its whole process group, a wrapper's children included."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            if number == signal.SIGTERM:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_GRACE_S)
        _reap(process)


def _reap(process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout, process.stderr):
        with contextlib.suppress(OSError):
            if pipe:
                pipe.close()
    process.wait()


class AnthropicAPI:
    """The Anthropic SDK (extra `[anthropic]`): for those who prefer to be billed by the API."""

    name = "anthropic"

    def __init__(self, model: str, timeout_s: float, environ: Mapping[str, str]) -> None:
        self.usage: Usage | None = None
        self._model = _API_MODELS.get(model, model) or _API_MODELS["haiku"]
        self._timeout_s = timeout_s
        self._environ = environ

    def ready(self) -> None:
        """Raises LLMMissing where the SDK or the key is missing."""
        _sdk()
        if not any(self._environ.get(name) for name in KEYS):
            raise LLMMissing(f"{KEYS[0]} is not set: the client `{self.name}` needs a key; `claude-code` needs none")

    def complete_json(self, system: str, user: str, schema: dict[str, Any]) -> str:
        """The input of the one tool that the model must call, as JSON text. Raises LLMError, LLMMissing."""
        self.usage = None
        self.ready()
        sdk = _sdk()
        key, token = (self._environ.get(name) or None for name in KEYS)
        try:
            client = sdk.Anthropic(
                api_key=key,
                auth_token=None if key else token,
                base_url=self._environ.get("ANTHROPIC_BASE_URL") or None,
                timeout=self._timeout_s,
                max_retries=1,
            )
            message = client.messages.create(
                model=self._model,
                max_tokens=MAX_OUTPUT_TOKENS,
                system=system,
                messages=[{"role": "user", "content": user}],
                tools=[{"name": "propose", "description": "Hand over the proposals.", "input_schema": schema}],
                tool_choice={"type": "tool", "name": "propose"},
            )
        except sdk.AnthropicError as problem:
            status = getattr(problem, "status_code", None)
            said = _short(f"{type(problem).__name__}: {problem}")
            raise LLMError(f"anthropic: {status}: {said}" if status else f"anthropic: {said}") from None
        used = message.usage
        self.usage = Usage(message.model, _count(used.input_tokens), _count(used.output_tokens))
        for block in message.content:
            if block.type == "tool_use":
                return json.dumps(block.input, ensure_ascii=False)
        raise LLMError("the model answered in prose instead of the structure asked for")


def _sdk() -> Any:
    try:
        return importlib.import_module("anthropic")
    except ImportError:
        raise LLMMissing("the anthropic package is missing: pip install 'awhm-hooks[anthropic]'") from None


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
