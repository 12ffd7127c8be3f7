"""What the tests of deletion share: deleting, saying as a hook does, and looking for words in every byte."""

import json
import os
import time

from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.manage import deletion
from awhm_hooks.manage.deletion_selection import Selection

SECRET = "The client is Blue Giraffe 4471"
FORMS = ("utf-8", "utf-16-le", "utf-16-be")


def delete(memory, now=None, **selection):
    return deletion.delete(memory.paths, memory.config, Selection(**selection), now or time.time())


def found_in(memory, *words):
    """Every file that holds one of the words, in any case and encoding, also as JSON escapes it."""
    hits = set()
    for folder, _, names in os.walk(memory.paths.data_dir):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read().lower()
            for word in words:
                forms = [word.lower().encode(form) for form in FORMS] + [json.dumps(word)[1:-1].lower().encode()]
                if any(form in data for form in forms):
                    hits.add(os.path.join(folder, name))
    return hits


def uid_of(memory, text):
    ((uid,),) = memory.rows("uid", f"text = '{text}'")
    return uid


def log_lines(memory, session):
    return [record.text for record in raw_log.read(memory.paths.log_file(session)) if record.kind == "message"]


def end(memory, session):
    raw_log.append_mark(memory.paths, session, raw_log.END, memory.at + 1, "/p", {"reason": "other"})


def hook_says(memory, text, session="live"):
    """What the prompt hook writes: raw log, then write-ahead log."""
    memory.number += 1
    memory.at += 60
    appended = raw_log.append_message(memory.paths, session, "user", text, memory.at, f"p{memory.number}", "/p", "/p")
    wal.append(memory.paths, session, [buffers.message_record(appended, "user", text, memory.at)])
