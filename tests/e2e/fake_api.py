"""A fake Anthropic Messages API on loopback: every request recorded, every reply scripted.

The first `Rule` that takes a request answers it; without one the answer is a short plain text.
"""

import itertools
import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DEFAULT_REPLY = "Noted, thanks."
HOLD_LIMIT_S = 60


@dataclass
class Rule:
    """When a request is taken (all conditions hold) and how it is answered."""

    last_user: str = ""
    """Regex searched in the text of the last user message."""
    after_tool: bool | None = None
    """True: only requests that return a tool's result; False: only others."""
    text: str = ""
    tool_use: dict[str, Any] | None = None
    status: int = 200
    error_type: str = "api_error"
    hold: threading.Event | None = None
    """The answer is kept back until the event is set."""

    def takes(self, said: str, returns_tool: bool) -> bool:
        if self.after_tool is not None and self.after_tool != returns_tool:
            return False
        return re.search(self.last_user, said, re.S) is not None


@dataclass
class Request:
    """One call the client made: `kind` is main (tools offered), aux (none), count_tokens or other."""

    kind: str
    body: dict[str, Any]
    last_user: str
    at: float = field(default_factory=time.monotonic)


def text_of(content: Any) -> str:
    """All text of a message's content (a string or a list of blocks), tool results included."""
    if isinstance(content, str):
        return content
    texts = []
    for block in content or []:
        if block.get("type") == "text":
            texts.append(block.get("text", ""))
        elif block.get("type") == "tool_result":
            texts.append(text_of(block.get("content")))
    return "\n".join(texts)


def last_user_message(body: dict[str, Any]) -> dict[str, Any]:
    said = [message for message in body.get("messages") or [] if message.get("role") == "user"]
    return said[-1] if said else {}


def returns_tool_result(message: dict[str, Any]) -> bool:
    content = message.get("content")
    return isinstance(content, list) and any(block.get("type") == "tool_result" for block in content)


class FakeAPI(ThreadingHTTPServer):
    """Serves from a background thread between `with` and its end."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.rules: list[Rule] = []
        self.requests: list[Request] = []
        self.serial = itertools.count(1)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def __enter__(self) -> "FakeAPI":
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for rule in self.rules:
            if rule.hold:
                rule.hold.set()
        self.shutdown()
        self.server_close()

    def turns(self) -> list[Request]:
        """The requests that asked the model for a reply to the conversation, oldest first."""
        return [request for request in self.requests if request.kind == "main"]

    def rule_for(self, body: dict[str, Any]) -> Rule:
        message = last_user_message(body)
        said, returns_tool = text_of(message.get("content")), returns_tool_result(message)
        for rule in self.rules:
            if rule.takes(said, returns_tool):
                return rule
        return Rule(text=DEFAULT_REPLY)


def content_blocks(rule: Rule, serial: int) -> tuple[list[dict[str, Any]], str]:
    """The content blocks of the answer and its stop reason."""
    blocks: list[dict[str, Any]] = []
    if rule.text or not rule.tool_use:
        blocks.append({"type": "text", "text": rule.text or DEFAULT_REPLY})
    if rule.tool_use:
        blocks.append({"type": "tool_use", "id": f"toolu_{serial:024x}", **rule.tool_use})
    return blocks, "tool_use" if rule.tool_use else "end_turn"


def stream_events(message: dict[str, Any], blocks: list[dict[str, Any]], stop: str) -> Iterator[dict[str, Any]]:
    yield {"type": "message_start", "message": message}
    for index, block in enumerate(blocks):
        start: dict[str, Any]
        if block["type"] == "text":
            start = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": stop, "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 8}}
    yield {"type": "message_stop"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeAPI

    def log_message(self, *_: object) -> None:
        """Nothing on the terminal: the requests are recorded."""

    def do_GET(self) -> None:
        self.send_json({})

    def do_HEAD(self) -> None:
        self.send_json({})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.split("?")[0].rstrip("/")
        try:
            if path.endswith("/count_tokens"):
                self.record("count_tokens", raw)
                self.send_json({"input_tokens": max(1, len(raw) // 4)})
            elif path.endswith("/v1/messages"):
                self.answer(raw)
            else:
                self.record("other", raw)
                self.send_json({})
        except (BrokenPipeError, ConnectionResetError):  # the client was stopped or killed meanwhile
            self.close_connection = True

    def record(self, kind: str, raw: bytes) -> dict[str, Any]:
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        if not isinstance(body, dict):
            body = {"sent": body}
        said = text_of(last_user_message(body).get("content"))
        self.server.requests.append(Request(kind, body, said))
        return body

    def answer(self, raw: bytes) -> None:
        offers_tools = bool(json.loads(raw).get("tools"))
        body = self.record("main" if offers_tools else "aux", raw)
        rule = self.server.rule_for(body)
        if rule.hold:
            rule.hold.wait(HOLD_LIMIT_S)
        if rule.status != 200:
            self.send_json({"type": "error", "error": {"type": rule.error_type, "message": "scripted"}}, rule.status)
            return
        self.reply(body, rule)

    def reply(self, body: dict[str, Any], rule: Rule) -> None:
        serial = next(self.server.serial)
        blocks, stop = content_blocks(rule, serial)
        message = {
            "id": f"msg_{serial:024x}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "fake-model"),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 8, "output_tokens": 1},
        }
        if not body.get("stream"):
            self.send_json({**message, "content": blocks, "stop_reason": stop})
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in stream_events(message, blocks, stop):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()

    def send_json(self, value: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
