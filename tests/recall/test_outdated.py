"""What changed is told as it is now: pairs of memories by words and by the real model, and whole prompts."""

import json
from pathlib import Path

import pytest
from in_process import PROJECT
from prepared_model import prepared

from awhm_hooks.consolidate.embed import Embedder
from awhm_hooks.consolidate.vectors_write import to_rows
from awhm_hooks.graph import model
from awhm_hooks.manage import editing
from awhm_hooks.recall import context, lexical, outdated, rank, supersession
from awhm_hooks.recall.memory import Memory
from awhm_hooks.recall.request import Request
from awhm_hooks.recall.tokens import tokenise

CHANGES = Path(__file__).parents[1] / "data" / "changes.jsonl"
PAIRS = [json.loads(line) for line in CHANGES.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def embedder():
    return Embedder(prepared())


def candidate(text, question, at, vectors=None):
    wanted = set(tokenise(question))
    memory = Memory("graph", model.MESSAGE, text, at, [term for term in tokenise(text) if term in wanted])
    memory.role, memory.session, memory.message_id, memory.node = "user", f"s{at}", f"m{at}", int(at)
    memory.cosine = float(vectors[0] @ vectors[1]) if vectors else 0.0
    memory.follows = True  # as where the older one's words lead to the newer
    return memory


def weights_of(question):
    return rank.Query(Request(question, None, True, 0.0), lexical.NOTHING).weights


def told_of(pair, embedder=None):
    """What becomes of the older of two: "gone", told with the newer one behind it, or "alone"."""
    own = question = None
    rows = {}
    if embedder:
        older, newer, question = embedder.embed([pair["older"], pair["newer"], pair["question"]])
        own = [older, newer]
        rows = {(n + 1, "", ""): to_rows(vector[None])[0].tobytes() for n, vector in enumerate(own)}
    memories = [
        candidate(pair[name], pair["question"], n + 1.0, (own[n], question) if own else None)
        for n, name in enumerate(("older", "newer"))
    ]
    weights = weights_of(pair["question"])
    left = outdated.without_outdated(list(memories), memories, weights, (lambda _: rows) if embedder else None)
    assert memories[1] in context.with_later(left), "the newer one is told in any case"
    return "gone" if memories[0] not in left else "behind" if memories[0].later is memories[1] else "alone"


def shares(split, embedder=None):
    """(of the changes the share whose older one is not told as if it held, of the others the share where it is gone)"""
    told = {True: [], False: []}
    for pair in PAIRS:
        if pair["split"] == split:
            told[pair["replaces"]].append(told_of(pair, embedder))
    return 1 - told[True].count("alone") / len(told[True]), told[False].count("gone") / len(told[False])


@pytest.mark.parametrize(("split", "least", "most"), [("unseen", 0.75, 0.15), ("tuned", 0.9, 0.1), ("hard", 0.7, 0.3)])
def test_what_changed_is_not_told_as_if_it_held_and_other_news_hide_little(embedder, split, least, most):
    """All but the "tuned" ones were written to be hard; the weights were fitted without the "unseen" ones."""
    right, wrong = shares(split, embedder)
    assert right >= least
    assert wrong <= most


def test_without_a_model_words_alone_decide():
    right, wrong = shares("unseen")
    assert right >= 0.4
    assert wrong <= 0.1


# Whole prompts, through the real hook.


@pytest.fixture
def told(hook, memory):
    def ask(text):
        payload = {"session_id": "asking", "prompt_id": "p", "cwd": PROJECT, "hook_event_name": "UserPromptSubmit"}
        environ = {"AWHM_DATA_DIR": memory.paths.data_dir, "AWHM_SEMANTIC": "0"}
        context = hook("prompt", {**payload, "prompt": text}, environ).context
        return [line.split("] ", 1)[1] for line in context.splitlines()[1:]]

    return ask


def known(memory, *texts):
    for number, text in enumerate(texts):
        memory.say(text, session=f"s{number}")
        memory.consolidate()


def test_what_patterns_do_not_catch_is_told_as_it_is_now(memory, told):
    known(
        memory,
        "uploads above 20 MB bounce, that is the size limit in the proxy",
        "I bumped the size limit for uploads in the proxy to 64 MB this morning",
    )
    assert told("what is the size limit for uploads in the proxy?") == [
        "I bumped the size limit for uploads in the proxy to 64 MB this morning"
    ]


def test_other_news_of_the_same_thing_hide_nothing(memory, told):
    known(
        memory,
        "The staging database lives on db-stage-07.internal, port 6432.",
        "the backups of the staging database now run at 3 in the morning",
    )
    assert any("db-stage-07" in line for line in told("Which host is the staging database on?"))


def test_a_change_that_is_only_considered_replaces_nothing(memory, told):
    known(memory, "Our message broker is RabbitMQ.", "maybe we should have our message broker moved to NATS")
    assert any("RabbitMQ" in line for line in told("Which message broker do we use?"))


def test_an_older_statement_never_replaces_a_newer_one(memory, told):
    known(memory, "Our message broker has changed: we moved to NATS.", "Our message broker is RabbitMQ.")
    assert any("RabbitMQ" in line for line in told("Which message broker do we use?"))


def test_a_short_message_is_told_whole(memory, told):
    known(memory, "We deploy with Nomad, the jobs are in infra/jobs.")
    assert told("How do we deploy?") == ["We deploy with Nomad, the jobs are in infra/jobs."]


LONG = (
    "I read through your booking screen and liked how you handled the empty state, it reads well. {} Please redo that "
    "part, and while you're at it the confirm button should be disabled until a bike is picked, and not before that."
)


@pytest.mark.parametrize(
    "sentence",
    [
        "We never put user-facing strings in the Swift code, they all go into Strings/rider.yml as keys.",
        "We deploy with Nomad, the jobs are in infra/jobs.",
    ],
)
def test_of_a_long_message_the_sentence_is_told_whole(memory, told, sentence):
    known(memory, LONG.format(sentence))
    asked = "where do user-facing strings go in the Swift code?" if "Swift" in sentence else "How do we deploy?"
    assert told(asked) == [sentence.rstrip(".")]
    assert told(asked) == [], "it stands in the context window"


@pytest.mark.parametrize("message", ["{}", LONG])
def test_what_changed_since_is_not_told_beside(memory, told, message):
    known(
        memory,
        message.format("We deploy with Nomad, the search service runs on port 8080."),
        "The search service runs on port 9090.",
    )
    assert not any("8080" in line for line in told("How do we deploy?"))


def test_the_next_line_is_not_told_with_a_statement(memory, told):
    known(memory, LONG.format("We deploy with Nomad\n- and delete the branch afterwards."))
    assert told("How do we deploy?") == ["We deploy with Nomad"]


@pytest.mark.parametrize("message", ["{}", LONG])
def test_what_was_taken_back_is_not_told_beside(memory, told, message):
    known(memory, message.format("We deploy with Nomad, the search service runs on port 8080."))
    uid = memory.rows("uid", "family = 'fact' AND text LIKE '%8080'")[0][0]
    editing.retract(memory.paths, memory.config, uid, "a slip", memory.at)
    assert not any("8080" in line for line in told("How do we deploy?"))


CHARTS = ("Klaus maintains the helm charts", "the helm charts got a values schema now")


def test_where_a_change_is_in_doubt_both_are_told_in_one_line_and_once(memory, told):
    known(memory, *CHARTS)
    (line,) = told("who maintains the helm charts?")
    assert all(text in line for text in CHARTS)
    assert told("the helm charts again: who maintains them?") == []


def test_what_may_be_a_change_is_told_behind_what_it_most_likely_changed():
    question = "who maintains the helm charts?"
    texts = ("Klaus maintains the helm charts", "Ines maintains the helm charts of the shop")
    older = [candidate(text, question, number + 1.0) for number, text in enumerate(texts)]
    news = candidate("the helm charts of the shop got a values schema now", question, 9.0)
    left = outdated.without_outdated([*older, news], [*older, news], weights_of(question), None)
    assert left == older
    assert [one.later for one in left] == [None, news]


def test_what_fits_another_memory_better_is_no_change_of_this_one(embedder):
    texts = (
        "The API timeout is 30 seconds.",
        "The websocket timeout is 20 seconds.",
        "we raised the websocket timeout to 60 seconds",
    )
    *own, question = embedder.embed([*texts, "what is the API timeout?"])
    memories = [
        candidate(text, "what is the API timeout?", number + 1.0, (own[number], question))
        for number, text in enumerate(texts)
    ]
    rows = {(n + 1, "", ""): to_rows(vector[None])[0].tobytes() for n, vector in enumerate(own)}
    api, websocket, change = memories

    def odds(*known):
        weights = weights_of("what is the API timeout?")
        judged = supersession.Supersession([api], [*known, change], weights, lambda _: rows)
        return next(judged.odds(one, api) for one in judged.changes if one.memory is change)

    assert odds(api, websocket) < odds(api) - 1


@pytest.mark.parametrize(
    ("said", "statement", "told"),
    [
        ("ops upgraded the database over the weekend, to 17.2", "ops upgraded the database over the weekend", "said"),
        ("Actually, the port is 9443.", "the port is 9443", "statement"),
    ],
)
def test_a_statement_that_leaves_out_what_stands_behind_it_is_told_with_it(said, statement, told):
    whole = Memory("graph", model.MESSAGE, said, 1.0, [])
    part = Memory("graph", "fact", statement, 1.0, [])
    whole.message_id = part.message_id = "m"
    assert outdated.without_outdated([part], [part, whole], {}, None) == [whole if told == "said" else part]
