"""The session buffer: folded from the write-ahead log, derivable from the raw log."""

import os
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.paths import Paths

SESSION = "claude-s"
WINDOW = 3

SAYINGS = [
    "The staging port is 8443.",
    "Actually, the staging port is 9443.",
    "I prefer tabs.",
    "Actually, I prefer spaces.",
    "I prefer dark mode. Never use tabs for indentation.",
    "My name is Alice",
    "my name is alice.",
    "why is search empty?",
    "run the suite again",
    "端口是8443，对吧",
    "a\ud800b \N{ROCKET}",
]


class Session:
    """A session's two logs, written as the hooks write them; a killed hook writes the first only."""

    def __init__(self, directory):
        self.paths = Paths(str(directory))
        self.at = 1_772_000_000.0
        self.number = 0

    def say(self, text, role=raw_log.USER, killed=False, quiet=False):
        self.number += 1
        self.at += 60
        appended = raw_log.append_message(
            self.paths, SESSION, role, text, self.at, f"p{self.number}", "/p", "/p", quiet
        )
        if not killed and not quiet:
            self.write(buffers.message_record(appended, role, text, self.at))
        return appended

    def inject(self, *marks):
        self.write({"k": wal.INJECTION, "at": self.at, "marks": list(marks), "uids": []})

    def empty_window(self):
        self.write({"k": wal.BOUNDARY, "at": self.at, "source": "compact"})

    def checkpoint(self):
        self.write(buffers.checkpoint_record(self.folded()))

    def write(self, record):
        wal.append(self.paths, SESSION, [record])

    def records(self):
        return wal.read_all(self.paths.wal_file(SESSION))

    def folded(self):
        """The buffer as a hook gets it: from the last checkpoint on, within the bytes that it reads."""
        return buffers.fold(SESSION, wal.read_tail(self.paths.wal_file(SESSION))[0], WINDOW)

    def healed(self, buffer=None):
        buffer = buffer or self.folded()
        log_end = raw_log.whole_bytes(self.paths.log_file(SESSION))
        return buffers.heal(self.paths, buffer, log_end)


@pytest.fixture
def session(tmp_path):
    return Session(tmp_path)


def said(buffer):
    """What a buffer shows."""
    return [(one.text, one.family, one.key, one.scope, one.position) for one in buffer.statements if not one.superseded]


def texts(buffer):
    return [one.text for one in buffer.statements if not one.superseded]


def derived(buffer):
    """All of a buffer that the raw log holds too."""
    return {
        "project": buffer.project,
        "position": buffer.position,
        "log_end": buffer.log_end,
        "statements": [(one.text, one.key, one.at, one.position, one.superseded) for one in buffer.statements],
        "messages": [(one.message_id, one.role, one.at, one.begin, one.end, one.terms) for one in buffer.messages],
    }


# The laws.


SPOKEN = st.lists(st.tuples(st.sampled_from(SAYINGS), st.sampled_from([raw_log.USER, raw_log.ASSISTANT])), max_size=12)


@settings(deadline=None, max_examples=40)
@given(SPOKEN)
def test_the_folded_write_ahead_log_is_the_healed_raw_log(spoken):
    with tempfile.TemporaryDirectory() as directory:
        session = Session(directory)
        for text, role in spoken:
            session.say(text, role)
        from_nothing = buffers.fold(SESSION, session.healed(buffers.Buffer(SESSION)), WINDOW)
        assert derived(session.folded()) == derived(from_nothing)
        assert session.healed() == [], "a write-ahead log that is whole lacks nothing"


@settings(deadline=None, max_examples=40)
@given(SPOKEN, st.integers(0, 12))
def test_a_log_that_ran_ahead_is_healed_from_where_it_was_left(spoken, killed_from):
    with tempfile.TemporaryDirectory() as directory:
        whole, killed = Session(directory + "/whole"), Session(directory + "/killed")
        for number, (text, role) in enumerate(spoken):
            whole.say(text, role)
            killed.say(text, role, killed=number >= killed_from)
        records = killed.records() + killed.healed()
        assert derived(buffers.fold(SESSION, records, WINDOW)) == derived(whole.folded())


MARKS = st.lists(st.integers(0, 2**32 - 1), max_size=3).map(tuple)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.sampled_from(SAYINGS)),
        st.tuples(st.just("inject"), MARKS),
        st.tuples(st.just("empty"), st.none()),
        st.tuples(st.just("checkpoint"), st.none()),
    ),
    max_size=25,
)


def play(session, steps, with_checkpoints):
    for kind, value in steps:
        if kind == "say":
            session.say(value)
        elif kind == "inject":
            session.inject(*value)
        elif kind == "empty":
            session.empty_window()
        elif with_checkpoints:
            session.checkpoint()


@settings(deadline=None, max_examples=50)
@given(STEPS)
def test_a_checkpoint_is_worth_all_that_came_before_it(steps):
    with tempfile.TemporaryDirectory() as directory:
        plain, short = Session(directory + "/plain"), Session(directory + "/short")
        play(plain, steps, with_checkpoints=False)
        play(short, steps, with_checkpoints=True)
        whole = plain.folded()
        for other in (short.folded(), buffers.fold(SESSION, short.records(), WINDOW)):
            assert said(other) == said(whole)
            assert other.injected == whole.injected
            assert other.boundary_at == whole.boundary_at
            assert (other.position, other.log_end, other.project) == (whole.position, whole.log_end, whole.project)
        assert short.healed() == []


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(SAYINGS), max_size=8), st.data())
def test_a_record_that_was_written_twice_counts_once(spoken, data):
    with tempfile.TemporaryDirectory() as directory:
        session = Session(directory)
        for text in spoken:
            session.say(text)
        records = session.records()
        repeated = list(records)
        for record in records:
            if data.draw(st.booleans()):
                repeated.insert(data.draw(st.integers(repeated.index(record) + 1, len(repeated))), record)
        assert derived(buffers.fold(SESSION, repeated, WINDOW)) == derived(session.folded())


# What is shown.


SHOWN = [
    (["The staging port is 8443.", "Actually, the staging port is 9443."], ["the staging port is 9443"]),
    (["The staging port is 8443.", "My name is Alice"], ["The staging port is 8443", "My name is Alice"]),
    (["I prefer tabs.", "I prefer dark mode."], ["I prefer tabs", "I prefer dark mode"]),
    (["I prefer tabs.", "Actually, I prefer spaces."], ["I prefer spaces"]),
    (["I prefer tabs.", "a", "b", "Actually, I prefer spaces."], ["I prefer spaces"]),
    (["I prefer tabs.", "a", "b", "c", "Actually, I prefer spaces."], ["I prefer tabs", "I prefer spaces"]),
    (["My name is Alice", "my name is alice."], ["my name is alice"]),
    (["The port is 1.", "The port is 2.", "The port is 1."], ["The port is 1"]),
]


@pytest.mark.parametrize(("spoken", "shown"), SHOWN)
def test_what_a_later_word_contradicts_or_repeats_is_not_shown(session, spoken, shown):
    for text in spoken:
        session.say(text)
    assert texts(session.folded()) == shown


def test_how_far_a_correction_reaches_is_the_configuration_s(session):
    for text in ("I prefer tabs.", "Actually, I prefer spaces."):
        session.say(text)
    assert texts(buffers.fold(SESSION, session.records(), 0)) == ["I prefer tabs", "I prefer spaces"]


def test_only_the_user_s_words_are_statements(session):
    session.say("The staging port is 8443. I prefer option B.", raw_log.ASSISTANT)
    buffer = session.folded()
    assert buffer.statements == []
    assert [message.role for message in buffer.messages] == ["assistant"]


def test_a_message_knows_its_place_in_the_raw_log(session):
    for text in SAYINGS:
        session.say(text)
    path = session.paths.log_file(SESSION)
    for message in session.folded().messages:
        (record,) = raw_log.read(path, message.begin, message.end)
        assert record.message_id == message.message_id


def test_of_a_very_long_message_a_bounded_number_of_terms_is_kept(session):
    session.say(" ".join(f"word{n}" for n in range(50_000)) + " the flaky test is test_refund")
    assert os.path.getsize(session.paths.wal_file(SESSION)) < 20_000


# The context window.


def test_what_was_injected_is_known_until_the_window_is_emptied(session):
    session.inject(1, 2)
    session.inject(3)
    assert session.folded().injected == {1, 2, 3}
    session.empty_window()
    assert session.folded().injected == set()
    session.inject(2)
    assert session.folded().injected == {2}
    assert session.folded().boundary_at == session.at


def test_emptying_the_window_forgets_no_statement(session):
    session.say("The staging port is 8443.")
    session.empty_window()
    assert texts(session.folded()) == ["The staging port is 8443"]


# Healing.


def test_what_was_quiet_is_not_healed(session):
    session.say("/deploy staging", quiet=True)
    session.say("y", quiet=True)
    assert session.healed() == []


def test_healing_writes_nothing(session):
    session.say("The staging port is 8443.", killed=True)
    before = sorted(os.listdir(session.paths.data_dir))
    assert [record["said"][0]["text"] for record in session.healed()] == ["The staging port is 8443"]
    assert sorted(os.listdir(session.paths.data_dir)) == before


def test_a_damaged_record_is_healed_like_a_missing_one(session):
    session.say("My name is Alice")
    begin = os.path.getsize(session.paths.wal_file(SESSION))
    session.say("The staging port is 8443.")
    with open(session.paths.wal_file(SESSION), "r+b") as file:
        file.seek(begin + 40)
        file.write(b"#")
    assert texts(session.folded()) == ["My name is Alice"]
    healed = buffers.fold(SESSION, session.records() + session.healed(), WINDOW)
    assert texts(healed) == ["My name is Alice", "The staging port is 8443"]


def test_a_torn_line_of_the_raw_log_is_passed_over(session):
    session.say("My name is Alice", killed=True)
    with open(session.paths.log_file(SESSION), "ab") as file:
        file.write(b'{"kind":"message","role":"user","text":"torn')
    session.say("The staging port is 8443.", killed=True)
    assert texts(buffers.fold(SESSION, session.healed(), WINDOW)) == ["My name is Alice", "The staging port is 8443"]


def test_records_of_a_newer_kind_are_passed_over(session):
    session.say("My name is Alice")
    session.write({"k": "z", "something": "new"})
    session.say("The staging port is 8443.")
    assert texts(session.folded()) == ["My name is Alice", "The staging port is 8443"]
