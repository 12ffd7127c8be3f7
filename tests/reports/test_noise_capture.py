"""What the harness puts into the conversation is neither stored nor searched nor answered."""

import json

import pytest
from e2e import store
from e2e.fake_api import Rule

NOISE = [
    "<task-notification>\n<task-id>b7x</task-id>\n<summary>Monitor event: CI failed; never deploy on red</summary>\n"
    "</task-notification>",
    "<system-reminder>The TodoWrite tool has not been used</system-reminder>",
    "<bash-notification><shell-id>1</shell-id><status>completed</status></bash-notification>",
    "<task-notification>\n<task-id>c1</task-id>\n<summary>Agent: always use tabs; the deploy port is 1</summary>\n"
    "</task-notification>\nRead the output file to retrieve the result: /tmp/x",
    "<system-reminder>Nunca despliegues en rojo.</system-reminder>\n\n<system-reminder>x</system-reminder>",
    "This session is being continued from a previous conversation that ran out of context. We always deploy on Monday.",
    "[Request interrupted by user for tool use]",
]


@pytest.mark.report("AWHM-P054")
@pytest.mark.parametrize("number", range(len(NOISE)))
def test_notices_are_nobody_s_message(person, number):
    person.tells("The deploy target is Hetzner.", session="before")
    run = person.says(NOISE[number])
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert person.messages("s-1") == []
    assert [text for _, text in person.statements()] == ["The deploy target is Hetzner"]
    assert "Hetzner" in person.says("What is the deploy target?").context, "nothing was counted as told"


@pytest.mark.report("AWHM-P054")
def test_the_words_around_a_notice_are_still_the_person_s(person):
    person.says(NOISE[1] + "\nThe staging port is 8443.")
    assert person.messages() == [("user", "The staging port is 8443.")]


WRAPPED = [
    "Result: <persisted-output>40 KB of grep output ...</persisted-output> I prefer option B.",
    "<local-command-stdout>Prefiero la opción B.</local-command-stdout> Listo.",
    "Fertig. <tool_use_error>Der Port ist 1.</tool_use_error> Ich bevorzuge Variante B.",
]


@pytest.mark.report("AWHM-P055")
@pytest.mark.parametrize("reply", WRAPPED)
def test_a_reply_s_wrappers_are_dropped_and_its_wishes_are_not_the_person_s(person, reply):
    person.says("Which option is better?")
    person.is_answered(reply)
    person.says("<command-name>/model</command-name><local-command-stdout>Set model to sonnet</local-command-stdout>")
    person.leaves()
    for hidden in ("grep output", "Set model", "persisted-output", "stdout", "Der Port ist 1"):
        assert person.files_with(hidden) == []
    assert [family for family, _ in person.statements()] == []
    assert [role for role, _ in person.messages()] == ["user", "assistant"]


TYPED = [
    ("/compact keep the API notes", "quiet"),
    ("/deploy never skip tests", "quiet"),
    ("y", "quiet"),
    ("/review always be strict about ports", "quiet"),
    ("sí, dale", "quiet"),
    ("ja, mach weiter", "quiet"),
    ("/home/dev/shop-api/src is the source root", "heard"),
    ("/api/v2 is our base path", "heard"),
    ("/tmp ist unser Arbeitsverzeichnis", "heard"),
]


@pytest.fixture(scope="module")
def commanding(new_person):
    someone = new_person()
    someone.tells("The API notes are in docs/api.md.", session="before")
    someone.runs_of = {text: someone.says(text, f"s-{n}") for n, (text, _) in enumerate(TYPED)}
    for number in range(len(TYPED)):
        someone.leaves(f"s-{number}", wait=False)
    someone.waits()
    return someone


@pytest.mark.report("AWHM-P056")
@pytest.mark.parametrize(("text", "kind"), TYPED)
def test_commands_and_confirmations_make_no_memory(commanding, text, kind):
    assert (commanding.runs_of[text].returncode, commanding.runs_of[text].stdout) == (0, b"")
    nodes = commanding.rows("SELECT text FROM nodes")
    assert ((text,) in nodes) is (kind == "heard")
    learned = [said for _, said in commanding.statements() if said.rstrip(".") in text]
    assert kind == "heard" or learned == []


@pytest.mark.report("AWHM-P054")
@pytest.mark.report("AWHM-P056")
def test_the_real_client_s_commands_and_notices_teach_nothing(new_machine):
    machine = new_machine()
    machine.extra_env.update({"AWHM_NER_LABELS": "", "AWHM_SEMANTIC": "0"})
    machine.api.rules = [Rule(text="<persisted-output>We never deploy on red.</persisted-output> Done.")]
    machine.ask("/nosuchcommand never skip tests")
    machine.ask("<system-reminder>always use tabs</system-reminder>")
    assert [message.text for message in store.logged(machine.data_dir) if "tabs" in message.text] == []
    assert "never deploy on red" not in json.dumps([message.text for message in store.logged(machine.data_dir)])
    assert store.statements(machine.data_dir) == []
