"""A message is stored once, however often it reaches us, and nothing of ours grows by itself."""

import time

import pytest
from conftest import wire
from e2e import store

from reports import transcripts
from reports.person import injected_lines
from reports.watching import watched

USER_MESSAGES = "SELECT text, session FROM nodes WHERE family = 'message' AND role = 'user' ORDER BY id"


# A fork repeats its parent's lines.


def forked(person, own, at):
    """Session A, and its fork B: A's lines as they are, then one line of its own."""
    folder = person.home / ".claude" / "projects" / "-shop-api"
    parent = [
        transcripts.line(role, text, at + 10 * n + (role == "assistant"), "A", person.project)
        for n, prompt in enumerate(own[:3])
        for role, text in (("user", prompt), ("assistant", f"Reply {n}."))
    ]
    child = [*parent, transcripts.line("user", own[3], at + 100, "B", person.project)]
    return transcripts.write(folder / "A.jsonl", parent), transcripts.write(folder / "B.jsonl", child)


FORKS = [
    ["The staging port is 8443.", "I prefer tabs.", "How do we deploy?", "We use pnpm as our package manager."],
    ["El puerto de staging es 8443.", "Prefiero tabs.", "¿Cómo desplegamos?", "Nuestro gestor de paquetes es pnpm."],
    ["Der Staging-Port ist 8443.", "Ich bevorzuge Tabs.", "Wie deployen wir?", "Unser Paketmanager ist pnpm."],
]


@pytest.mark.report("AWHM-P018")
@pytest.mark.parametrize("said", FORKS, ids=["case", "Spanish", "German"])
def test_a_fork_s_copied_lines_are_known(person, said):
    parent, child = forked(person, said, time.time() + 1)
    for text in said[:3]:
        person.says(text, "A")
    person.leaves("A", transcript_path=str(parent))
    statements = person.statements()
    imported = person.runs("import", str(parent), str(child))
    assert imported.returncode == 0, imported.stderr
    assert person.rows(USER_MESSAGES) == [*((text, "claude-A") for text in said[:3]), (said[3], "claude-B")]
    found = person.statements()
    assert [one for one in found if one in statements] == statements
    assert len(found) == len(set(found)) == len(statements) + 1
    assert "4" in str(sum(role == "user" for role, _ in person.messages()))


# The same hook, several times at once.


def at_once(person, count, payload, delay=0.0):
    crowd = [person.hook.start("prompt", person.env) for _ in range(count)]
    for process in crowd:
        process.stdin.write(wire(payload))
    for process in crowd:
        process.stdin.close()
        time.sleep(delay)
    outputs = [process.stdout.read() for process in crowd]
    assert [process.wait() for process in crowd] == [0] * count
    for process in crowd:
        process.stdout.close()
        process.stderr.close()
    return outputs


CROWDS = [
    ("AWHM-P019", 2, "I always squash-merge.", 0.02),
    ("AWHM-P019", 2, "Ich bevorzuge kleine Pull Requests.", 0.0),
    ("AWHM-P019", 3, "Nunca hagas push directo a main.", 0.01),
    ("AWHM-P020", 10, "The staging DB is on port 5433.", 0.0),
    ("AWHM-P020", 6, "La base de datos de staging está en el puerto 5433.", 0.0),
    ("AWHM-P020", 6, "Die Staging-Datenbank läuft auf Port 5433.", 0.0),
]


@pytest.mark.parametrize(
    ("count", "text", "delay"),
    [pytest.param(*row, marks=pytest.mark.report(case)) for case, *row in CROWDS],
)
def test_hooks_at_once_store_one_message_and_one_statement(person, count, text, delay):
    prompt_id = "11111111-1111-4111-8111-111111111111"
    at_once(person, count, person.payload("prompt", "s-1", prompt=text, prompt_id=prompt_id), delay)
    assert person.messages() == [("user", text)]
    asked = {"prompt": text.rstrip(".") + ", right?", "prompt_id": "22222222-2222-4222-8222-222222222222"}
    outputs = at_once(person, count, person.payload("prompt", "s-2", **asked), delay)
    assert sum(1 for output in outputs if output) <= 1
    person.leaves("s-1")
    assert [row[0] for row in person.rows(USER_MESSAGES)].count(text) == 1
    assert len(person.statements()) == 1


@pytest.mark.report("AWHM-P020")
@pytest.mark.parametrize("text", ["The staging DB is on port 5433.", "Der Port ist 5433, merk dir das."])
def test_hooks_at_once_without_a_prompt_id_store_one_message(person, text):
    at_once(person, 8, person.payload("prompt", "s-1", prompt=text))
    assert person.messages() == [("user", text)]


# What we injected, handed back.

ECHOES = [
    (
        ["We deploy with make ship.", "Remember that we deploy with make ship."],
        "how do we deploy?",
        "From memory: <awhm-memory>\n- deploy with make ship\n</awhm-memory> So: make ship.",
        "make ship",
    ),
    (
        ["Wir deployen mit make ship."],
        "Womit deployen wir?",
        "{context}\n\nAlso: make ship.",
        "make ship",
    ),
    (
        ["Desplegamos con make ship."],
        "¿con qué desplegamos?",
        "Según la memoria:\n{context}\nPor tanto, make ship.",
        "make ship",
    ),
]


@pytest.mark.report("AWHM-P022")
@pytest.mark.parametrize(
    ("said", "asked", "reply", "fact"), ECHOES, ids=["case", "our block", "our block in a sentence"]
)
def test_what_was_injected_is_not_stored_again(person, said, asked, reply, fact):
    for number, text in enumerate(said):
        person.tells(text, session=f"before-{number}")
    first = person.says(asked)
    assert fact in first.context
    person.is_answered(reply.format(context=first.context))
    (kept,) = [text for role, text in person.messages("s-1") if role == "assistant"]
    assert "awhm-memory" not in kept and "Memory from earlier sessions" not in kept and "- [" not in kept
    person.leaves()
    second = person.says(asked, "s-2")
    lines = injected_lines(second)
    assert sum("deploy with make ship" in line for line in lines if "said]" not in line) <= 1
    assert len(lines) == len(set(lines)) and fact in second.context
    assert second.context.count("Memory from earlier sessions") == 1 and "awhm-memory" not in second.context


# Growth.


@pytest.mark.report("AWHM-P023")
@pytest.mark.parametrize("text", ["step {}", "Schritt {}: weiter mit Modul {}.", "paso {}: sigue con el módulo {}"])
def test_other_sessions_transcripts_are_never_opened(person, text):
    folder = person.home / ".claude" / "projects" / "-shop-api"
    folder.mkdir(parents=True)
    for number in range(200):
        with (folder / f"other-{number}.jsonl").open("wb") as file:
            file.truncate(5_000_000)
    turns = 50 if text == "step {}" else 5
    for number in range(turns):
        person.says(text.format(number, number), prompt_id=f"p{number}")
        person.is_answered(f"ok {number}")
    assert person.size() < 200_000
    for event, fields in (("prompt", {"prompt": "and now?"}), ("stop", {"last_assistant_message": "Done."})):
        seen = watched(person, event, person.payload(event, "s-1", **fields))
        assert not [path for path in seen.opened if "/.claude/" in path]
    person.leaves()
    assert len(store.episodes(person.data_dir)) == 2 * turns + 2
    assert person.size() < 1_000_000, "the graph and its indexes included"
