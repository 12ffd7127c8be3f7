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
        def text(field: str) -> str:
            value = fields.get(field)
            return value if isinstance(value, str) else ""

        def name(field: str) -> str:
            return clean_name(text(field))

        self.session_id = name("session_id")
        self.prompt_id = name("prompt_id")
        self.cwd = name("cwd")
        self.transcript_path = name("transcript_path")
        self.prompt = text("user_prompt") or text("prompt")
        self.reply = text("last_assistant_message")
        self.source = name("source")
        self.reason = name("reason")
        self.agent_id = name("agent_id")


def clean_name(value: str) -> str:
    """A path or an id that can be written to a file: what is no Unicode is replaced, a NUL is dropped."""
    return value.encode("utf-8", "replace").decode("utf-8").replace("\0", "")


def parse(data: bytes) -> HookEvent | None:
    """The event in a payload; None for no payload at all. Raises ValueError for what is no JSON object."""
    data = data.removeprefix(_BOM)
    if not data.strip():
        return None
    fields = wire_json.loads(data.decode("utf-8", "replace"))
    if not isinstance(fields, dict):
        raise ValueError("the payload is no JSON object")
    return HookEvent(fields)
