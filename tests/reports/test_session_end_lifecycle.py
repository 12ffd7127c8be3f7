"""A session may end in any way, or not at all, or more than once: it is consolidated exactly once."""

import os
import signal
import time

import pytest

from reports.person import has_logged

SESSION_END_BUDGET_S = 1.5
"""What the client gives all SessionEnd hooks together."""
MESSAGES = "SELECT text FROM nodes WHERE family = 'message'"


def killed_after(person, seconds, **env):
    """The session-end hook, its process group killed after so many seconds; how long it took if it was done before."""
    began = time.monotonic()
    with person.hook.start("session-end", {**person.env, **env}) as process:
        payload = person.payload("session-end", "s-1", reason="prompt_input_exit")
        process.stdin.write(str(payload).replace("'", '"').encode())
        process.stdin.close()
        while process.poll() is None and time.monotonic() - began < seconds:
            time.sleep(0.005)
        took = time.monotonic() - began
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return took
    return took


def in_graph_once(person, count):
    texts = [row[0] for row in person.rows(MESSAGES)]
    assert len(texts) == len(set(texts)) == count


@pytest.mark.report("AWHM-P009")
def test_the_worker_outlives_a_hook_killed_when_its_time_is_up(person):
    """With entities recognised, so that the worker takes its seconds."""
    has_logged(person, "s-1", [f"Alice Johnson from Microsoft asked for change {n} in Berlin." for n in range(60)])
    took = [killed_after(person, 1.4, AWHM_NER_LABELS="PERSON,ORG,GPE")]
    person.waits()
    in_graph_once(person, 60)
    assert person.rows("SELECT count(*) FROM nodes WHERE family = 'entity'")[0][0] > 0
    took += [killed_after(person, 1.4) for _ in range(2)]
    assert min(took) < SESSION_END_BUDGET_S
    person.waits()
    in_graph_once(person, 60)


@pytest.mark.report("AWHM-P009")
@pytest.mark.parametrize("seconds", [0.0, 0.03, 0.3])
def test_wherever_the_hook_is_killed_the_next_session_takes_over(person, seconds):
    has_logged(person, "s-1", [f"Message {n}." for n in range(60)])
    killed_after(person, seconds)
    person.waits_for_all_processes()
    person.begins("s-2")
    person.waits(pending=1)  # the one that has begun
    in_graph_once(person, 60)


@pytest.mark.report("AWHM-P009")
def test_a_worker_that_dies_too_is_followed_by_another(person):
    for n in range(3):
        has_logged(person, f"s-{n}", [f"Session {n}, message {m}." for m in range(20)])
    person.leaves("s-0", wait=False)
    end = time.monotonic() + 60
    while not (workers := person.processes()) and time.monotonic() < end:
        time.sleep(0.005)
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    person.waits_for_all_processes()
    person.begins("s-9")
    person.waits(pending=1)
    in_graph_once(person, 60)


SAID = [
    ("We deploy from the release branch only.", "Noted.", "How do we deploy?", "release branch"),
    ("Desplegamos solo desde la rama release.", "Anotado.", "¿Desde qué rama desplegamos?", "rama release"),
    ("Wir deployen nur vom Release-Branch.", "Notiert.", "Von welchem Branch deployen wir?", "Release-Branch"),
]


@pytest.mark.report("AWHM-P010")
@pytest.mark.parametrize(("said", "reply", "asked", "part"), SAID, ids=["case", "Spanish", "German"])
@pytest.mark.parametrize("how", ["another session ends", "consolidate"])
def test_a_session_that_never_ended_is_found_and_consolidated(person, said, reply, asked, part, how):
    person.says(said, "dead-1")
    person.is_answered(reply, "dead-1")
    assert part in person.says(asked, "new-1").context
    if how == "consolidate":
        assert person.runs("consolidate").returncode == 0
    else:
        person.leaves("new-1")
    assert (said,) in person.rows("SELECT text FROM nodes WHERE session = 'claude-dead-1' AND family = 'message'")
    assert person.status()["pending_sessions"] == 0
    assert part in person.says(asked, "new-2").context


CORRECTED = [
    ("My editor is Helix.", "Actually, my editor is Zed.", "Helix", "Zed"),
    ("Mi zona horaria es Europe/Madrid.", "En realidad, mi zona horaria es America/Lima.", "Madrid", "Lima"),
    ("Meine Shell ist zsh.", "Eigentlich ist meine Shell fish.", "zsh", "fish"),
]


@pytest.mark.report("AWHM-P012")
@pytest.mark.parametrize(("first", "second", "old", "new"), CORRECTED, ids=["case", "Spanish", "German"])
def test_one_session_may_end_several_times(person, first, second, old, new):
    person.says(first, "r1")
    person.leaves("r1", "resume")
    person.says(second, "r1")
    person.leaves("r1")
    dump = "SELECT id, family, text, status, valid_from, valid_to FROM nodes ORDER BY id"
    after_two = person.rows(dump)
    assert [text for _, text in person.statements() if old in text or new in text] == [
        text for _, text in person.statements() if new in text
    ]
    assert [old in text for _, text in person.statements("superseded")] == [True]
    assert sorted(row[0] for row in person.rows(MESSAGES)) == sorted([first, second])
    person.leaves("r1")
    assert person.rows(dump) == after_two


@pytest.mark.report("AWHM-P012")
@pytest.mark.parametrize("reason", ["clear", "logout", "other", "compact-of-a-later-version"])
def test_every_reason_is_an_end(person, reason):
    person.says("The staging port is 8443.")
    assert person.leaves(reason=reason).returncode == 0
    assert ("fact", "The staging port is 8443.") in [(f, t.rstrip(".") + ".") for f, t in person.statements()]
