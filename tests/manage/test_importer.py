import json
import os
import random
import shutil
import tempfile
import time

import pytest
from graph_state import state
from hypothesis import given, settings
from hypothesis import strategies as st
from in_process import Memory
from transcripts import EVALUATION, FIRST_AT, Transcript

from awhm_hooks.errors import AwhmError
from awhm_hooks.graph.store import open_graph
from awhm_hooks.journal import optout, raw_log
from awhm_hooks.manage import importer
from awhm_hooks.manage.importer import Wanted
from awhm_hooks.paths import Paths

PROJECT = "/home/dev/shop-api"
DAY = 86_400


@pytest.fixture
def projects(tmp_path):
    """A folder laid out like ~/.claude/projects."""
    folder = tmp_path / "projects" / "-home-dev-shop-api"
    folder.mkdir(parents=True)
    return folder


class Importer:
    def __init__(self, memory, folder):
        self.memory, self.folder = memory, folder

    def __call__(self, *places, project=None, since=None, dry_run=False, now=None):
        files = importer.files_of(places or [str(self.folder)])
        wanted = Wanted(project, since)
        return importer.import_transcripts(
            self.memory.paths, self.memory.config, files, wanted, now or time.time(), dry_run
        )

    def messages(self):
        return self.memory.rows("text, session", "family = 'message'")


@pytest.fixture
def import_(memory, projects):
    return Importer(memory, projects.parent)


def everything(directory):
    return {
        os.path.join(folder, name): (os.stat(os.path.join(folder, name)).st_mtime_ns)
        for folder, _, names in os.walk(directory)
        for name in names
    }


# What is taken, from where, when.


def test_history_is_remembered_with_its_own_dates_and_project(memory, projects, import_):
    Transcript(projects / "s1.jsonl").user("The staging port is 8443.").reply("Noted.").write()
    report = import_()
    memory.consolidate()
    assert (report.files, report.total("new"), report.total("known")) == (1, 2, 0)
    rows = memory.rows("text, said_at, valid_from, project, session", "family = 'fact'")
    assert rows == [("The staging port is 8443", FIRST_AT + 60, FIRST_AT + 60, PROJECT, "claude-s1")]
    assert memory.ask("staging port", project=PROJECT)[:1] == ["The staging port is 8443"]
    assert memory.ask("staging port", project="/home/dev/other") == []


def test_the_second_import_adds_nothing(memory, projects, import_):
    Transcript(projects / "s1.jsonl").user("The staging port is 8443.").reply("Noted.").user("ok").write()
    import_()
    before = everything(memory.paths.data_dir)
    report = import_()
    assert (report.total("new"), report.total("known")) == (0, 3)
    assert everything(memory.paths.data_dir) == before
    memory.consolidate()
    known = state(memory.paths)
    assert import_().total("new") == 0
    memory.consolidate()
    assert state(memory.paths) == known


def test_a_dry_run_counts_by_session_and_writes_nothing(memory, projects, import_):
    Transcript(projects / "s1.jsonl").user("one").reply("two").write()
    Transcript(projects / "s2.jsonl", "s2", "/home/dev/web", FIRST_AT + DAY).user("three").write()
    report = import_(dry_run=True)
    assert [(one.session, one.project, one.new) for one in report.sessions] == [
        ("claude-s1", PROJECT, 2),
        ("claude-s2", "/home/dev/web", 1),
    ]
    assert not os.path.exists(memory.paths.data_dir)


def test_subagents_and_their_files_are_left_out(projects, import_):
    Transcript(projects / "s1.jsonl").user("one").user("Warmup", isSidechain=True).write()
    Transcript(projects / "s1" / "subagents" / "agent-1.jsonl").user("two").write()
    Transcript(projects / "agent-2.jsonl").user("three").write()
    (projects / "notes.txt").write_text("four")
    report = import_()
    assert (report.files, report.total("new")) == (1, 1)


def test_a_file_that_is_named_is_read_whatever_its_name(tmp_path, import_):
    path = Transcript(tmp_path / "agent-export.txt").user("one").write()
    assert import_(path).total("new") == 1


def test_a_place_that_is_not_there_is_an_error(import_):
    with pytest.raises(AwhmError, match="nowhere"):
        import_("/nowhere/at/all")


def test_only_one_project_and_only_from_a_day_on(projects, import_):
    Transcript(projects / "s1.jsonl").user("one").user("two").write()
    Transcript(projects / "s2.jsonl", "s2", "/home/dev/web").user("three").write()
    report = import_(project=PROJECT, since=FIRST_AT + 100)
    assert (report.total("new"), report.total("earlier"), report.others) == (1, 1, 1)
    assert import_().total("new") == 2, "what was left out comes when it is asked for"


def test_a_bad_line_is_reported_with_its_place_and_the_rest_is_taken(memory, projects, import_):
    path = Transcript(projects / "s1.jsonl").user("one").raw("42").user("two").raw('{"type": "user", "mess').write(True)
    report = import_()
    assert [str(one) for one in report.rejected] == [
        f"{path}:2: not a JSON object",
        f"{path}:4: cut off, no JSON: Unterminated string starting at at column 18",
    ]
    assert report.total("new") == 2


def test_a_file_that_cannot_be_read_does_not_stop_the_others(projects, import_):
    Transcript(projects / "s1.jsonl").user("one").write()
    os.symlink(projects / "nowhere", projects / "s2.jsonl")
    report = import_()
    assert report.total("new") == 1
    assert [(os.path.basename(one.path), one.line) for one in report.rejected] == [("s2.jsonl", 0)]


def test_a_session_stays_in_the_project_that_it_began_in(memory, projects, import_):
    Transcript(projects / "s1.jsonl").user("one").user("two", cwd="/tmp").write()
    import_()
    memory.consolidate()
    assert {row[0] for row in memory.rows("project")} == {PROJECT}


def test_a_directory_of_another_system_is_a_project_of_its_own(memory, projects, import_, monkeypatch):
    """Read as a relative path it would belong to whatever project the command is given in."""
    os.mkdir(projects / ".git")
    monkeypatch.chdir(projects)
    Transcript(projects / "s1.jsonl", cwd="C:\\work\\shop").user("one").write()
    assert [one.project for one in import_().sessions] == ["C:\\work\\shop"]


def test_worktrees_of_a_repository_are_one_project(tmp_path, projects, import_):
    main = tmp_path / "shop"
    (main / ".git").mkdir(parents=True)
    (main / "src").mkdir()
    Transcript(projects / "s1.jsonl", cwd=str(main / "src")).user("one").write()
    assert [one.project for one in import_().sessions] == [str(main)]


def test_secrets_go_as_they_do_in_live_capture(memory, projects, import_):
    key = "ghp_" + "a1B2" * 9
    Transcript(projects / "s1.jsonl").user(f"The deploy token is {key}, use it.").reply(f"{key}? Noted.").write()
    import_()
    memory.consolidate()
    for path in everything(memory.paths.data_dir):
        assert key.encode() not in open(path, "rb").read(), path


def test_where_and_while_memory_was_off_nothing_is_taken(new_memory, projects):
    memory = new_memory(exclude=("/home/dev/secret",))
    import_ = Importer(memory, projects.parent)
    memory.paths.make(memory.paths.data_dir)
    memory.paths.make(memory.paths.meta)
    with open(f"{memory.paths.meta}/{optout.PAUSES}", "w") as file:
        file.write(json.dumps({"at": FIRST_AT + 90, "project": "", "until": FIRST_AT + 150}) + "\n")
    Transcript(projects / "s1.jsonl").user("before").user("while paused").user("after").write()
    Transcript(projects / "s2.jsonl", "s2", "/home/dev/secret/plans").user("never").write()
    report = import_()
    assert (report.total("new"), report.total("unheard")) == (2, 2)
    memory.consolidate()
    assert [text for text, _ in import_.messages()] == ["before", "after"]


# What is known already.


def live(memory, session, *said):
    """A session as hooks log it: (role, text, at)."""
    for number, (role, text, at) in enumerate(said):
        raw_log.append_message(memory.paths, f"claude-{session}", role, text, at, f"p{number}", PROJECT, PROJECT)


def test_of_a_session_that_hooks_have_logged_only_what_is_missing_is_taken(memory, projects, import_):
    transcript = Transcript(projects / "s1.jsonl").user("Which port?").reply("Let me look.").reply("8443.")
    transcript.user("And again: which port?").reply("8443.").write()
    live(
        memory,
        "s1",
        ("user", "Which port?", FIRST_AT + 60.2),
        ("assistant", "8443.", FIRST_AT + 180.4),
        ("user", "And again: which port?", FIRST_AT + 240.1),
        ("assistant", "8443.", FIRST_AT + 300.3),
    )
    report = import_()
    assert (report.total("new"), report.total("known")) == (1, 4)
    memory.consolidate()
    assert [text for text, _ in import_.messages()].count("8443.") == 2
    assert import_().total("new") == 0


def test_a_live_session_is_left_to_its_hooks_but_for_what_came_before_them(memory, projects, import_):
    at = time.time() - 600
    Transcript(projects / "s1.jsonl", at=at - 3600).user("before the hooks").write()
    transcript = Transcript(projects / "s1.jsonl", at=at - 3600).user("before the hooks")
    transcript.at = at
    transcript.user("The port is 8443.").reply("The hook has not logged this yet.").write()
    live(memory, "s1", ("user", "The port is 8443.", at + 60))
    report = import_()
    assert [(one.new, one.known, one.live) for one in report.sessions] == [(1, 0, True)]
    assert [record.text for record in raw_log.read(memory.paths.log_file("claude-s1"))] == [
        "The port is 8443.",
        "before the hooks",
    ]


def test_a_session_that_no_hook_logs_is_taken_as_far_as_it_is(memory, projects, import_):
    transcript = Transcript(projects / "s1.jsonl", at=time.time() - 600).user("one")
    transcript.write()
    assert import_().total("new") == 1
    transcript.user("two").write()
    assert import_().total("new") == 1


# A fork's file repeats the old lines: with the old session's id or the new one's, with the old line ids or new ones.
FORKS = [
    ("lines with the old session's id", {}),
    ("lines under the new session's id", {"sessionId": "s2"}),
    ("lines under new ids altogether", {"sessionId": "s2", "uuid": "new"}),
]


@pytest.mark.report("AWHM-P018")
@pytest.mark.parametrize("renamed", [row[1] for row in FORKS], ids=[row[0] for row in FORKS])
def test_a_fork_adds_its_own_messages_alone(memory, projects, import_, renamed):
    old = Transcript(projects / "s1.jsonl").user("The port is 8443.").user("I prefer tabs.").user("My name is Ada.")
    old.write()
    copied = Transcript(projects / "s2.jsonl", "s2", at=old.at)
    for number, line in enumerate(old.lines):
        fields = {**json.loads(line), **renamed}
        copied.raw(json.dumps({**fields, "uuid": f"new-{number}"} if "uuid" in renamed else fields))
    copied.user("The fork's own words.").write()
    report = import_()
    memory.consolidate()
    assert report.total("new") == 4
    assert import_.messages()[-1] == ("The fork's own words.", "claude-s2")
    assert len(import_.messages()) == 4 and len(memory.statements()) == 3
    assert import_().total("new") == 0


def test_a_repeated_yes_of_a_fork_stays_known_though_nothing_is_learned_from_it(memory, projects, import_):
    old = Transcript(projects / "s1.jsonl").user("yes").user("The port is 8443.")
    old.write()
    copied = Transcript(projects / "s2.jsonl", "s2")
    for line in old.lines:
        copied.raw(json.dumps({**json.loads(line), "sessionId": "s2"}))
    copied.write()
    assert import_().total("new") == 2
    memory.consolidate()
    assert import_().total("new") == 0


def test_the_same_words_at_another_time_are_another_message(memory, projects, import_):
    Transcript(projects / "s1.jsonl").user("Run the tests.").user("Run the tests.").write()
    Transcript(projects / "s2.jsonl", "s2", at=FIRST_AT + DAY).user("Run the tests.").write()
    assert import_().total("new") == 3


def test_lines_without_ids_are_known_again(memory, projects, import_):
    Transcript(projects / "s1.jsonl").user("one", uuid=None).reply("two", uuid=None).write()
    assert import_().total("new") == 2
    assert import_().total("new") == 0


# Newer facts stand.

LAST_YEAR = "The staging port is 9000."
THIS_YEAR = "The staging port is 8443."


@pytest.mark.parametrize("is_restated", [False, True], ids=["said once", "said before it and again after it"])
def test_a_fact_that_was_said_later_stands_against_history(memory, projects, import_, is_restated):
    now = time.time()
    if is_restated:
        memory.say(THIS_YEAR, project=PROJECT, session="before", at=FIRST_AT - DAY)
    memory.say(THIS_YEAR, project=PROJECT, session="live", at=now - DAY)
    memory.consolidate()
    Transcript(projects / "s1.jsonl").user(LAST_YEAR).write()
    import_()
    memory.consolidate()
    assert memory.ask("staging port", project=PROJECT, now=now) == ["The staging port is 8443"]
    statuses = dict(memory.rows("text, status", "family = 'fact'"))
    assert statuses == {"The staging port is 8443": "active", "The staging port is 9000": "superseded"}
    then = memory.ask("staging port", project=PROJECT, now=now, as_of=FIRST_AT + DAY)
    assert "The staging port is 9000" in then


def test_history_fills_the_past_between_known_facts(memory, projects, import_):
    """Live: v1, then v3. Imported: v2, said between them."""
    memory.say("The API version is 1.", project=PROJECT, session="a", at=FIRST_AT - DAY)
    memory.say("The API version is 3.", project=PROJECT, session="b", at=FIRST_AT + 30 * DAY)
    memory.consolidate()
    Transcript(projects / "s1.jsonl").user("The API version is 2.").write()
    import_()
    memory.consolidate()
    for day, version in ((-0.5, 1), (5, 2), (40, 3)):
        at = FIRST_AT + day * DAY
        assert memory.ask("API version", project=PROJECT, now=time.time(), as_of=at)[:1] == [
            f"The API version is {version}"
        ]


def test_files_are_taken_oldest_first_whatever_their_names(memory, projects, import_):
    Transcript(projects / "a.jsonl", "a", at=FIRST_AT + DAY).user(THIS_YEAR).write()
    Transcript(projects / "z.jsonl", "z", at=FIRST_AT).user(LAST_YEAR).write()
    report = import_()
    assert [one.session for one in report.sessions] == ["claude-z", "claude-a"]
    memory.consolidate()
    assert dict(memory.rows("text, status", "family = 'fact'"))["The staging port is 8443"] == "active"


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(5)), st.lists(st.integers(1, 3), min_size=5, max_size=5))
def test_whatever_the_order_the_fact_that_was_said_last_is_the_one_that_holds(order, ports):
    """Five sessions a day apart each state a port; they come to be known in any order."""
    with tempfile.TemporaryDirectory() as directory:
        memory = Memory(directory)
        for day in order:
            memory.say(f"The staging port is {ports[day]}.", session=f"s{day}", at=FIRST_AT + day * DAY)
            memory.consolidate()
        active = [text for text, status in memory.statements() if status == "active"]
        assert active == [f"The staging port is {ports[-1]}"]


# Interruptions.


def history(folder):
    """A few sessions and a fork, with facts that contradict one another."""
    at = FIRST_AT
    for number in range(6):
        session = Transcript(folder / f"s{number}.jsonl", f"s{number}", f"/home/dev/p{number % 2}", at)
        session.user(f"The staging port is {8000 + number}.").reply("Noted.").user("I prefer tabs.").user("yes")
        session.user(f"The name of service {number} is gate{number}.").reply(f"Service {number} it is.").write()
        at = session.at
    fork = Transcript(folder / "fork.jsonl", "fork", at=at)
    for line in Transcript(folder / "s5.jsonl").lines or open(folder / "s5.jsonl").read().splitlines():
        fork.raw(line)
    fork.user("The staging port is 9999.").write()


def test_an_import_that_was_cut_off_anywhere_goes_on_to_the_same_result(memory, new_memory, projects, tmp_path):
    """The raw logs are all that an import writes: a kill leaves the first so many bytes of them, in their order."""
    history(projects)
    whole = Importer(memory, projects.parent)
    report = whole(now=1_772_000_000.0)
    logs = [memory.paths.log_file(one.session) for one in report.sessions]
    data = [open(path, "rb").read() for path in logs]
    memory.consolidate()
    expected = state(memory.paths)
    chance = random.Random(50)
    for _ in range(50):
        shutil.rmtree(memory.paths.data_dir)
        os.makedirs(memory.paths.logs)
        cut = chance.randrange(sum(map(len, data)))
        for path, content in zip(logs, data, strict=True):
            if cut > 0:
                with open(path, "wb") as file:
                    file.write(content[:cut])
            cut -= len(content)
        if chance.random() < 0.5:  # a hook's worker may take what is there before the import is begun again
            memory.consolidate()
        whole()
        memory.consolidate()
        assert state(memory.paths) == expected


def recorded():
    return sorted(str(path) for path in EVALUATION.rglob("*.jsonl"))


def test_every_recorded_transcript_imports_twice_with_the_same_result(memory):
    import_ = Importer(memory, None)
    first = import_(*recorded())
    memory.consolidate()
    expected = state(memory.paths)
    again = import_(*recorded())
    memory.consolidate()
    assert first.total("new") == again.total("known") > 40
    assert again.total("new") == 0
    assert [str(one) for one in first.rejected] == [str(one) for one in again.rejected]
    assert state(memory.paths) == expected


@pytest.mark.parametrize("path", recorded(), ids=os.path.basename)
def test_each_alone_does_too(memory, path):
    import_ = Importer(memory, None)
    first = import_(path)
    memory.consolidate()
    expected = state(memory.paths)
    assert import_(path).total("new") == 0
    memory.consolidate()
    assert state(memory.paths) == expected
    assert len(expected[0]) >= first.total("new") - sum("yes" in one.session for one in first.sessions)


def test_a_damaged_graph_is_no_obstacle_to_knowing_what_was_imported(memory, projects, import_):
    Transcript(projects / "s1.jsonl").user("The staging port is 8443.").write()
    import_()
    memory.consolidate()
    with open(memory.paths.graph_db, "wb") as file:
        file.write(b"junk" * 2000)
    assert import_().total("new") == 0
    memory.consolidate()
    assert len(memory.statements()) == 1
    open_graph(memory.paths.graph_db).close()


def test_the_imported_survives_a_rebuild(memory, projects, import_):
    history(projects)
    import_()
    memory.consolidate()
    expected = state(memory.paths)
    shutil.rmtree(memory.paths.graph)
    memory.consolidate()
    assert state(memory.paths) == expected


def test_progress_is_told_in_bytes(memory, projects):
    Transcript(projects / "s1.jsonl").user("one").write()
    Transcript(projects / "s2.jsonl", "s2").user("two").write()
    files = importer.files_of([str(projects)])
    told = []
    importer.import_transcripts(
        memory.paths, memory.config, files, Wanted(), 1.0, progress=lambda done, total: told.append((done, total))
    )
    total = sum(map(os.path.getsize, files))
    assert told[0] == (0, total) and told[-1] == (total, total) and len(told) == 3


def test_a_link_loop_in_the_folder_ends(projects):
    Transcript(projects / "s1.jsonl").user("one").write()
    os.symlink(projects, projects / "loop")
    assert len(importer.files_of([str(projects)])) == 1


def test_paths_of_a_store_elsewhere_are_not_needed(tmp_path, projects):
    """Reading needs no data directory."""
    assert importer.files_of([str(projects)]) == []
    assert not os.path.exists(Paths(str(tmp_path / "data")).data_dir)
