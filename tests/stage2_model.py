"""Stage 2 in process: a model of a program's own, and what is asked of a store and told to it."""

import json
import time

from claude_stub import proposal

from awhm_hooks.consolidate import worker
from awhm_hooks.consolidate.llm import Usage
from awhm_hooks.consolidate.stage2 import Wish
from awhm_hooks.consolidate.stage2_prompt import SCHEMA, SYSTEM
from awhm_hooks.journal import raw_log
from awhm_hooks.manage.stage2_overview import rows_of, stage2_overview

DECISION = "let's go with Rust for the importer then"
PROPOSED = proposal("We use Rust for the importer", [1], slot="the importer language")


class Model:
    """Answers in turn with lists of proposals, texts, or errors to raise; the last one again and again."""

    name = "of a program's own"

    def __init__(self, *answers):
        self.answers = list(answers) or [[]]
        self.prompts = []
        self.usage = None

    def complete_json(self, system, user, schema):
        assert (system, schema) == (SYSTEM, SCHEMA)
        self.prompts.append(user)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.usage = Usage("model-1", 100, 10, 0.5)
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, str) else json.dumps({"memories": answer})


def end(memory, session="s", wanted=True):
    fields = {"reason": "other", **({"stage2": True} if wanted else {})}
    raw_log.append_mark(memory.paths, session, raw_log.END, memory.at + 1, "/p", fields)


def ask(memory, model, **wish):
    report = worker.run(memory.paths, memory.config, 5.0, stage2=Wish(client=model, environ={}, **wish))
    assert report.failed == {}
    return report.stage2


def told(memory, *texts, session="s", **more):
    memory.say(*texts, session=session, **more)
    end(memory, session)


def status(memory):
    found = stage2_overview(memory.paths, memory.config, {}, time.time())
    return found, "\n".join(f"{name} {value}" for name, value in rows_of(found))


def made(memory):
    return memory.rows("text, status", "provenance = 'stage2'")
