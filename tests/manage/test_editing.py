import itertools
import json
import os
import time

import pytest
from pictures import differences, picture, rebuilt

from awhm_hooks.consolidate import by_hand
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.files import locked
from awhm_hooks.graph.store import open_graph
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.manage import deletion, editing
from awhm_hooks.manage.deletion_selection import Selection
from awhm_hooks.manage.lifecycle import show


def remember(memory, text, key=None, scope=None, project="/p", at=None):
    memory.at = at or memory.at + 60
    return editing.remember(memory.paths, memory.config, text, project, memory.at, key, scope)


def supersede(memory, given, text, why=""):
    memory.at += 60
    return editing.supersede(memory.paths, memory.config, given, text, why, memory.at)


def retract(memory, given, why=""):
    memory.at += 60
    return editing.retract(memory.paths, memory.config, given, why, memory.at)


def uid_of(memory, text):
    ((uid,),) = memory.rows("uid", f"text = '{text}' AND family != 'message'")
    return uid


# Remember.


@pytest.mark.parametrize(
    ("text", "more", "expected"),
    [
        ("The staging port is 8443", {}, ("fact", "fact:the staging port", 2)),
        ("I prefer dark mode", {}, ("preference", "preference:dark", 1)),
        ("Never use tabs for indentation", {}, ("policy", "policy:use:tabs", 2)),
        ("Helix, whenever I write code", {"key": "my editor"}, ("fact", "fact:my editor", 2)),
        (
            "fish all the way",
            {"key": "preference:My  Shell", "scope": "user"},
            ("preference", "preference:my shell", 1),
        ),
        ("The staging port is 8443", {"scope": "user"}, ("fact", "fact:the staging port", 1)),
        ("I prefer dark mode", {"scope": "project"}, ("preference", "preference:dark", 2)),
        ("Alice knows the deploy key's owner", {}, ("fact", None, 2)),
        ("The staging port is 8443", {"project": ""}, ("fact", "fact:the staging port", 1)),
    ],
)
def test_a_statement_is_read_as_one_from_a_session_is(memory, text, more, expected):
    done = remember(memory, text, **more)
    node = done.node
    assert (node.family, node.canonical_key, node.scope) == expected
    assert (node.text, node.status, node.provenance, node.confidence) == (text, "active", "by hand", 1.0)
    assert memory.ask(text, project=more.get("project", "/p"))[0] == text


def test_it_takes_the_place_of_what_fills_the_slot(memory):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    remember(memory, "The staging port is 9443")
    assert memory.statements() == [("The staging port is 8443", "superseded"), ("The staging port is 9443", "active")]
    assert memory.ask("staging port") == ["The staging port is 9443"]


def test_what_is_said_later_in_a_session_takes_its_place(memory):
    remember(memory, "The staging port is 9443")
    memory.say("The staging port is 7443.")
    memory.consolidate()
    assert memory.ask("staging port")[0] == "The staging port is 7443"


def test_what_is_known_is_not_kept_twice(memory):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    done = remember(memory, "the staging port is 8443")
    assert done.known and done.node.uid == uid_of(memory, "The staging port is 8443")
    assert len(memory.statements()) == 1


def test_a_secret_never_reaches_the_disk(memory):
    done = remember(memory, "The deploy token is ghp_Ab3dE9Ab3dE9Ab3dE9Ab3dE9Ab3dE9Ab3dE9")
    assert done.cleaned and "ghp_" not in done.node.text
    assert "ghp_" not in open(memory.paths.log_file(by_hand.SESSION)).read()
    with pytest.raises(UsageError):
        remember(memory, "<private>all of it</private>")


def test_waiting_sessions_are_left_to_the_worker(memory):
    memory.say("The production port is 443.", session="waiting")
    remember(memory, "The staging port is 9443")
    assert memory.statements() == [("The staging port is 9443", "active")]


def test_while_a_consolidation_is_under_way_it_is_noted_and_applied_later(memory, monkeypatch):
    monkeypatch.setattr(editing, "LOCK_WAIT_S", 0.05)
    memory.consolidate()
    with locked(memory.paths.worker_lock):
        done = remember(memory, "The staging port is 9443")
    assert done.waits and done.node is None
    memory.consolidate()
    assert memory.statements() == [("The staging port is 9443", "active")]


# Supersede.


def test_a_statement_takes_another_s_place_whatever_it_says(memory):
    memory.say("Alice owns the deploy key, I think, or she did")
    memory.consolidate()
    old = remember(memory, "Alice owns the deploy key").node
    done = supersede(memory, old.uid[:6], "Bob owns the deploy key", "she left")
    assert (done.older.uid, done.older.status, done.node.status) == (old.uid, "superseded", "active")
    assert "Bob owns the deploy key" in memory.ask("who owns the deploy key?")
    assert "Alice owns the deploy key" not in memory.ask("who owns the deploy key?")
    life = show(memory.paths, old.uid)
    (newer,) = life.superseded_by
    assert (newer.id, newer.reason, newer.at) == (done.node.uid, "by hand: she left", memory.at)
    assert show(memory.paths, done.node.uid).supersedes[0].id == old.uid


def test_the_reason_is_kept_where_the_slot_would_have_done_it(memory):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    done = supersede(memory, uid_of(memory, "The staging port is 8443"), "The staging port is 9443", "moved")
    assert show(memory.paths, done.older.uid).superseded_by[0].reason == "by hand: moved"
    assert (done.node.canonical_key, done.node.scope) == (done.older.canonical_key, done.older.scope)


@pytest.mark.parametrize("text", ["the staging port is 8443!", "", "<private>x</private>"])
def test_a_text_that_says_nothing_new_is_refused(memory, text):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    with pytest.raises(UsageError):
        supersede(memory, uid_of(memory, "The staging port is 8443"), text)


def test_only_what_is_in_force_can_be_superseded(memory):
    memory.say("The staging port is 8443.", "The staging port is 9443.")
    memory.consolidate()
    with pytest.raises(AwhmError, match="superseded already"):
        supersede(memory, uid_of(memory, "The staging port is 8443"), "The staging port is 7443")
    with pytest.raises(AwhmError, match="no memory has this id"):
        supersede(memory, "feedfacecafe", "The staging port is 7443")


# Retract.


def test_what_is_taken_back_is_served_no_more_and_nothing_takes_its_place(memory):
    memory.say("The staging port is 8443.", session="a")
    memory.say("Actually, the staging port is 9443.", session="b")
    memory.consolidate()
    done = retract(memory, uid_of(memory, "the staging port is 9443"), "a slip")
    assert done.node.status == "retracted"
    assert memory.ask("staging port") == []
    assert "the staging port is 9443" in memory.ask("staging port", history=True)
    life = show(memory.paths, done.node.uid)
    assert (life.retracted_at, life.retracted_why) == (memory.at, "a slip")
    assert retract(memory, done.node.uid).known


def test_said_again_afterwards_it_holds_again(memory):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    retract(memory, uid_of(memory, "The staging port is 8443"))
    memory.say("The staging port is 8443.", session="later")
    memory.consolidate()
    assert memory.statements() == [("The staging port is 8443", "retracted"), ("The staging port is 8443", "active")]


def test_said_before_and_consolidated_afterwards_it_stays_taken_back(memory):
    memory.say("The staging port is 8443.", session="first", at=1_772_000_000.0)
    memory.consolidate()
    memory.at = 1_772_100_000.0
    retract(memory, uid_of(memory, "The staging port is 8443"))
    memory.say("The staging port is 8443.", session="late", at=1_772_050_000.0)
    memory.consolidate()
    assert memory.statements() == [("The staging port is 8443", "retracted")]
    assert memory.ask("staging port", now=1_772_200_000.0) == []


def test_an_older_value_that_comes_late_does_not_fill_the_slot_again(memory):
    memory.say("The staging port is 9443.", session="new", at=1_772_000_000.0)
    memory.consolidate()
    memory.at = 1_772_100_000.0
    retract(memory, uid_of(memory, "The staging port is 9443"))
    memory.say("The staging port is 8443.", session="old", at=1_760_000_000.0)
    memory.consolidate()
    assert dict(memory.statements()) == {
        "The staging port is 9443": "retracted",
        "The staging port is 8443": "superseded",
    }


def test_a_message_can_be_taken_back_and_a_name_cannot(new_memory):
    memory = new_memory(ner_labels=("ORG", "PERSON", "GPE"))
    memory.say("Acme Corporation pays us. The Acme Corporation contract is signed.")
    memory.consolidate()
    ((message,),) = memory.rows("uid", "family = 'message'")
    ((name,),) = memory.rows("uid", "family = 'entity'")
    assert retract(memory, message).node.status == "retracted"
    with pytest.raises(AwhmError, match="is a name"):
        retract(memory, name)


# It lasts.


def acts(memory):
    memory.say("The staging port is 8443.", "My name is Alice.", session="a")
    memory.consolidate()
    remember(memory, "The production port is 443")
    remember(memory, "my name is alice")
    memory.say("The production port is 443.", session="b")
    memory.say("My name is Alice.", session="b")
    memory.consolidate()
    supersede(memory, uid_of(memory, "The staging port is 8443"), "The staging port is 9443", "moved")
    retract(memory, uid_of(memory, "The production port is 443"), "a slip")
    memory.say("I prefer tabs", "The production port is 4430.", session="c")
    memory.consolidate()


def test_a_graph_made_anew_has_all_of_it(memory):
    acts(memory)
    before = picture(memory.paths)
    after = rebuilt(memory)

    def told(found):
        return {(node[1].lower(), node[6], node[-1]) for node in found["nodes"].values() if node[0] != "message"}

    assert told(after) == told(before)
    assert {at for _, at in after["retractions"]} == {at for _, at in before["retractions"]}


def test_every_id_that_a_memory_ever_had_leads_to_it_after_a_rebuild(memory):
    memory.say("The staging port is 8443.", session="a")
    memory.consolidate()
    uid = uid_of(memory, "The staging port is 8443")
    done = remember(memory, "The staging port is 8443", at=memory.at + 10)
    by_record = by_hand.uid_of_record(next(iter(raw_log.read(memory.paths.log_file(by_hand.SESSION)))).message_id)
    assert done.node.uid == uid
    rebuilt(memory)
    assert show(memory.paths, uid).id == show(memory.paths, by_record).id


def test_a_retraction_follows_its_memory_to_another_id(memory):
    memory.say("The staging port is 8443.", session="a")
    memory.say("The staging port is 8443.", session="b")
    memory.consolidate()
    retract(memory, uid_of(memory, "The staging port is 8443"))
    deletion.delete(memory.paths, memory.config, Selection(session="a"), time.time())
    assert memory.statements() == [("The staging port is 8443", "retracted")]
    before = picture(memory.paths)
    assert differences(before, rebuilt(memory)) == {}


def test_what_was_remembered_is_deleted_for_good(memory):
    done = remember(memory, "The vault code is blue giraffe")
    deletion.delete(memory.paths, memory.config, Selection(ids=(done.node.uid,)), time.time())
    assert memory.statements() == []
    assert not os.path.exists(memory.paths.log_file(by_hand.SESSION)), "nothing else was in it"
    rebuilt(memory)
    assert memory.statements() == []


def test_a_deleted_reason_leaves_the_act(memory):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    retract(memory, uid_of(memory, "The staging port is 8443"), "Northwind asked for it")
    deletion.delete(memory.paths, memory.config, Selection(match="northwind"), time.time())
    assert json.loads(open(memory.paths.log_file(by_hand.SESSION)).read())["why"] == "[deleted] asked for it"
    assert memory.statements() == [("The staging port is 8443", "retracted")]
    assert show(memory.paths, uid_of(memory, "The staging port is 8443")).retracted_why == "[deleted] asked for it"


# Show.


def test_a_memory_s_whole_life(memory):
    memory.say("The staging port is 8443.", session="a")
    memory.say("The staging port is 8443.", session="b")
    memory.consolidate()
    uid = uid_of(memory, "The staging port is 8443")
    graph = open_graph(memory.paths.graph_db)
    from awhm_hooks.recall.context import injection_marks
    from awhm_hooks.recall.memory import of_node

    node = next(
        iter(graph.nodes([graph.db.execute("SELECT id FROM nodes WHERE uid = ?", (uid,)).fetchone()[0]]).values())
    )
    told = {"k": "i", "for": "x", "at": 5.0, "marks": injection_marks(of_node(node, [])), "uids": [uid], "why": []}
    memory.say("Which port was it?", session="c")
    wal.append(memory.paths, "c", [told])
    assert show(memory.paths, uid).injections == [("c", 5.0)], "also before it is consolidated"
    memory.consolidate()
    life = show(memory.paths, uid)
    assert life.injections == [("c", 5.0)]
    assert [(source.session, source.text) for source in life.sources] == [
        ("a", "The staging port is 8443."),
        ("b", "The staging port is 8443."),
    ]
    assert (life.access_count, len(life.other_ids), life.key) == (2, 1, "fact:the staging port")
    assert show(memory.paths, life.other_ids[0]).id == uid
    message = show(memory.paths, memory.rows("uid", "family = 'message'")[0][0])
    assert [one.id for one in message.statements] == [uid]


@pytest.mark.parametrize("given", ["nosuch", "ab", ""])
def test_an_unknown_id_is_said_to_be_one(memory, given):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    with pytest.raises(AwhmError):
        show(memory.paths, given)


def test_of_two_that_begin_alike_none_is_taken(memory):
    memory.say(*[f"message number {number}" for number in range(300)])
    memory.consolidate()
    uids = sorted(uid for (uid,) in memory.rows("uid"))
    alike = next((one[:4] for one, other in itertools.pairwise(uids) if one[:4] == other[:4]), None)
    if alike:
        with pytest.raises(AwhmError, match="ids begin like that"):
            show(memory.paths, alike)
    assert show(memory.paths, uids[0]).id == uids[0]
