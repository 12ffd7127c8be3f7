"""The only writer of a hook's stdout."""

import os

from awhm_hooks import wire_json


def with_context(text: str) -> None:
    """Hand a prompt's context to the client: the one JSON object, in one piece. Raises OSError."""
    answer = {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": text}}
    data = memoryview((wire_json.dumps(answer) + "\n").encode("ascii"))
    while data:
        data = data[os.write(1, data) :]
