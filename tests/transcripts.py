"""Transcripts for the tests, as the client writes them."""

import json
from datetime import UTC, datetime
from pathlib import Path

EVALUATION = Path(__file__).parents[2] / "shared" / "eval" / "transcripts"

FIRST_AT = datetime(2025, 3, 4, 9, 0, tzinfo=UTC).timestamp()


class Transcript:
    """One session's file, a line a call; a minute passes between lines."""

    def __init__(self, path, session="s1", cwd="/home/dev/shop-api", at=FIRST_AT):
        self.path, self.session, self.cwd, self.at = Path(path), session, cwd, at
        self.lines = []

    def add(self, kind, content, **more):
        self.at += 60
        line = {
            "parentUuid": None,
            "isSidechain": False,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": "2.1.332",
            "type": kind,
            "message": {"role": kind, "content": content},
            "uuid": f"{self.session}-{len(self.lines):04}",
            "timestamp": stamp(self.at),
            **more,
        }
        return self.raw(json.dumps({name: value for name, value in line.items() if value is not None}))

    def raw(self, line):
        self.lines.append(line)
        return self

    def user(self, text, **more):
        return self.add("user", text, **more)

    def reply(self, text, **more):
        return self.add("assistant", [{"type": "text", "text": text}], **more)

    def write(self, torn=False):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = "\n".join(self.lines)
        self.path.write_text(text if torn else text + "\n", encoding="utf-8")
        return str(self.path)


def stamp(at):
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
