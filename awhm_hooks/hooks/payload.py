"""Wire JSON -> HookEvent; tolerant of unknown and missing fields."""

from awhm_hooks import wire_json

_BOM = b"\xef\xbb\xbf"


class HookEvent:
    """One event as the hooks use it. A field that the payload lacks, or holds as another kind, is ""."""

    __slots__ = (
        "agent_id",
        "cwd",
        "prompt",
        "prompt_id",
        "reason",
        "reply",
        "session_id",
        "source",
        "transcript_path",
    )

    def __init__(self, fields: dict[str, object]) -> None:
        def text(name: str) -> str:
            value = fields.get(name)
            return value if isinstance(value, str) else ""

        self.session_id = text("session_id")
        self.prompt_id = text("prompt_id")
        self.cwd = text("cwd")
        self.transcript_path = text("transcript_path")
        self.prompt = text("user_prompt") or text("prompt")
        self.reply = text("last_assistant_message")
        self.source = text("source")
        self.reason = text("reason")
        self.agent_id = text("agent_id")


def parse(data: bytes) -> HookEvent | None:
    """The event in a payload; None for no payload at all. Raises ValueError for what is no JSON object."""
    data = data.removeprefix(_BOM)
    if not data.strip():
        return None
    fields = wire_json.loads(data.decode("utf-8", "replace"))
    if not isinstance(fields, dict):
        raise ValueError("the payload is no JSON object")
    return HookEvent(fields)
