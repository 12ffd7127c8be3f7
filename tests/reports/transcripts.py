"""Transcripts as the client writes them."""

import json
import time
import uuid


def stamp(at):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + f".{int(at * 1000) % 1000:03d}Z"


def line(role, text, at, session, cwd, **more):
    """One line of a person's prompt or of a reply."""
    content = text if role == "user" else [{"type": "text", "text": text}]
    return {
        "type": role,
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{session} {at} {role} {text}")),
        "sessionId": session,
        "timestamp": stamp(at),
        "cwd": str(cwd),
        "isSidechain": False,
        **({"promptSource": "typed", "origin": {"kind": "human"}} if role == "user" else {}),
        "message": {"role": role, "content": content},
        **more,
    }


def write(path, lines, torn=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines) + torn, "utf-8")
    return path
