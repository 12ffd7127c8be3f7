import pytest

from awhm_hooks.recall.intent import (
    addresses_assistant,
    asks_back,
    beside_first_question,
    is_cjk,
    is_foreign,
    is_lone_question,
)

ASKING = [
    "which text editor am I used to?",
    "what color theme do I like",
    "How do we deploy?",
    "remind me which queue library we picked",
    "I need to fix the login. By the way, which port does staging use?",
    "migrate the pricing to decimals, who is the owner?",
    "what does our gateway do with retries?",
    "¿qué editor uso?",
    "welchen Editor benutze ich?",
    "部署环境是什么？",
    "どのエディタを使っていますか",
]
WORK = [
    "write a haiku about the sea",
    "fix the typo in README",
    "create the release PR",
    "ok",
    "thanks!",
    "",
    "please add a test for the parser",
    "run the tests again",
    "what is a closure in JavaScript?",
    "what's the difference between a mutex and a semaphore?",
    "how do I undo the last commit?",
    "how do I undo my last commit but keep the changes",
    "can you make the button blue?",
    "¿qué significa idempotente?",
    "was ist ein Semaphor?",
    "The build fails with the error below.\n" + "error: x is not defined\n" * 20,
]


@pytest.mark.parametrize("text", ASKING)
def test_a_question_about_what_was_settled_asks_back(text):
    assert asks_back(text)


@pytest.mark.parametrize("text", WORK)
def test_a_request_for_work_does_not(text):
    assert not asks_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "Which book did you suggest?",
        "Remind me of the name",
        "In our previous chat, what was it?",
        "Was hast du gesagt?",
    ],
)
def test_a_question_to_the_assistant(text):
    assert addresses_assistant(text)


@pytest.mark.parametrize("text", ["Which book did I buy?", "What does the youth club do?", ""])
def test_a_question_to_nobody(text):
    assert not addresses_assistant(text)


@pytest.mark.parametrize(
    "text", ["Which port?", "which port does it use?\n", "端口是多少？", "Where is it? And who reads it?"]
)
def test_one_sentence_that_asks(text):
    assert is_lone_question(text)


@pytest.mark.parametrize(
    "text", ["The port is 1. Is that right?", "端口是 1。对吗？", "The port is 1", "", "One line\nwhich?"]
)
def test_a_message_that_says_something_is_no_lone_question(text):
    assert not is_lone_question(text)


@pytest.mark.parametrize(
    ("text", "says_something"),
    [
        ("bumped the toolchain to 1.85 this morning for edition 2024, so why does clippy complain?", True),
        ("p99 looks awful on desk-overview (yes the dashboard i have open all day), any idea?", True),
        ("Jenkins braucht für die Pipeline 25 Minuten, kannst du die Schritte parallelisieren?", True),
        ("subí el tutorial a nuestro canal de Vimeo, ¿me ayudas a escribir una descripción?", True),
        ("昨天跟客服开会，他们现在用 Zendesk 处理工单，能加个接口吗？", True),
        ("finally home early, support closes at five now :) could you fix the banner?", True),
        ("I want to change how the locking code works, whose approval do I need?", False),
        ("so, which port?", False),
        ("which port do we use on staging, could you look it up?", False),
        ("设置页面的按钮要改，应该找谁？", False),
    ],
)
def test_what_is_said_before_a_request_counts_and_the_reason_of_a_question_does_not(text, says_something):
    assert is_lone_question(text) != says_something


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("Which port? Again.", "Again."),
        ("Where is it? And who reads it? Thanks", "And who reads it? Thanks"),
        ("Which port?", None),
        ("We moved the carts to DynamoDB, could you fix the test? Thanks.", None),
        ("The port is 1. Is that right? Thanks.", None),
        ("What a day. Is it 1? Thanks.", None),
        ("", None),
    ],
)
def test_what_follows_the_question_that_a_message_opens_with(text, beside):
    assert beside_first_question(text) == beside


@pytest.mark.parametrize(
    "text", ["¿cómo invierto una lista?", "wie heißt der Server?", "用 Rust 写", "どこですか", "어디"]
)
def test_what_is_not_in_english(text):
    assert is_foreign(text)


@pytest.mark.parametrize("text", ["which port does staging use?", "the café's naïve façade", "fix it — now…", ""])
def test_what_is(text):
    assert not is_foreign(text)
    assert not is_cjk(text)


@pytest.mark.parametrize(
    "text",
    [
        "when do we ship releases? 🚀",
        "⚠️ fix the ﬁrst one",
        "\ufeffwhich port?",
        "which school is my son in?",
        "at 3pm EST?",
    ],
)
def test_signs_and_words_that_are_english_too_make_no_other_language(text):
    assert not is_foreign(text)
