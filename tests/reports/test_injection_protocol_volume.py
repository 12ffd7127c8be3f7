"""What reaches the model: by the one channel that does, at most once, only when it fits, and never too much."""

import json

import pytest
from e2e.client import injected

from awhm_hooks.config import AWHMConfig
from awhm_hooks.recall.context import MAX_UTF16_UNITS, estimated_tokens
from reports.person import has_in_graph, injected_lines

# The channel.

LIVES = [
    ("I live in Cape Town", "where do I live?", "Cape Town"),
    ("Vivo en Ciudad del Cabo", "¿dónde vivo?", "Ciudad del Cabo"),
    ("Ich wohne in Kapstadt.", "Wo wohne ich?", "Kapstadt"),
]


@pytest.fixture(scope="module")
def residents(new_person):
    found = []
    for said, _, _ in LIVES:
        found.append(new_person())
        found[-1].tells(said, session="before")
    return found


@pytest.mark.report("AWHM-P024")
@pytest.mark.report("AWHM-P025")
@pytest.mark.parametrize("number", range(len(LIVES)), ids=["case", "Spanish", "German"])
def test_memories_go_into_additional_context_and_nowhere_else(residents, number):
    _, asked, part = LIVES[number]
    run = residents[number].says(asked)
    (answer,) = run.stdout.splitlines()
    parsed = json.loads(answer)
    assert set(parsed) == {"hookSpecificOutput"}, "no systemMessage, no additionalContext at the top"
    assert set(parsed["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert parsed["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert part in parsed["hookSpecificOutput"]["additionalContext"]


@pytest.mark.report("AWHM-P025")
@pytest.mark.parametrize(
    "text", ["write a haiku about autumn", "haz un dibujo con letras", "Sortiere diese Liste: 3, 1, 2"]
)
def test_without_a_match_not_a_byte_is_printed(residents, text):
    for person in residents:
        assert person.says(text, "s-other").stdout == b""


@pytest.mark.report("AWHM-P024")
def test_the_model_of_the_real_client_is_told(new_machine, residents):
    machine = new_machine()
    machine.extra_env.update(residents[0].env)
    machine.data_dir = residents[0].data_dir
    turn = machine.ask(LIVES[0][1])
    assert turn.returncode == 0
    (request,) = machine.api.turns()
    (context,) = injected(request)
    assert "Cape Town" in context


# Once.

REPEATED = [
    (
        "CI runs on self-hosted runners",
        ["Why is CI slow?", "And what about CI caching?", "Back to CI: which runners?"],
        "self-hosted",
    ),
    (
        "La CI corre en runners propios.",
        ["¿En qué runners corre la CI?", "¿y la CI, en qué corre?", "Otra vez: ¿en qué corre la CI?"],
        "runners propios",
    ),
    (
        "Unsere CI läuft auf eigenen Runnern.",
        ["Worauf läuft unsere CI?", "Und unsere CI, worauf läuft die?", "Noch mal: Worauf läuft unsere CI?"],
        "eigenen Runnern",
    ),
]


@pytest.mark.report("AWHM-P027")
@pytest.mark.parametrize(("said", "prompts", "part"), REPEATED, ids=["case", "Spanish", "German"])
def test_a_memory_is_told_once_in_a_context_window(person, said, prompts, part):
    person.tells(said, session="before")
    told = [person.says(text, prompt_id=f"p{n}").context for n, text in enumerate(prompts)]
    assert sum(part in context for context in told) == 1
    for source, again in (("resume", False), ("compact", True), ("clear", True)):
        person.begins(source=source)
        assert (part in person.says(prompts[2], prompt_id=f"after {source}").context) is again, source


@pytest.mark.report("AWHM-P027")
def test_a_memory_that_changed_is_told_again(person):
    person.tells("CI runs on self-hosted runners.", session="before")
    assert "self-hosted" in person.says("Which runners does CI run on?", prompt_id="1").context
    person.tells("Actually, CI runs on GitHub runners now.", session="meanwhile")
    told = person.says("So, which runners does CI run on?", prompt_id="2").context
    assert "GitHub runners" in told and "self-hosted" not in told


# Only what fits.

FACTS = [
    "The staging port is 8443.",
    "Our database is Postgres 16.",
    "The main branch is called trunk.",
    "We deploy on Tuesdays.",
    "My name is Priyanka.",
    "I live in Rotterdam.",
    "I prefer tabs over spaces.",
    "Never push to trunk directly.",
    "The API base is https://api.shop.test/v2",
    "Our package manager is pnpm.",
    "The queue library is BullMQ.",
    "CI runs on self-hosted runners.",
    "The backup box is a TrueNAS server.",
    "My editor is Zed.",
    "The billing provider is Stripe.",
    "Logs are kept for 30 days.",
    "The mobile app is written in Flutter.",
]
IDLE = [
    "ok",
    "thanks!",
    "fix the typo in README",
    "go on",
    "y",
    "sí, dale",
    "ja, mach weiter",
    "¡gracias!",
    "lgtm",
    "👍",
]
IDLE += ["rename this variable to total", "schreib einen Test für den leeren Warenkorb", "why is this loop slow?"]


@pytest.fixture(scope="module")
def talker(new_person):
    someone = new_person()
    someone.tells(*FACTS, session="before")
    return someone


@pytest.mark.report("AWHM-P028")
@pytest.mark.parametrize("text", IDLE)
def test_a_prompt_that_asks_for_nothing_known_gets_nothing(talker, text):
    assert len(talker.statements()) >= 15
    assert talker.says(text, f"s-{IDLE.index(text)}").stdout == b""


# Never too much.

LONG_FACTS = {
    "question": ("payments", "what do we know about payments?", "worden"),
    "order": ("payments", "summarise payments", "worden"),
    "case": ("payments", "summarise everything about payments", "worden"),
    "Spanish": ("pagos", "resume todo lo que sabes sobre los pagos", "palabra"),
    "German": ("Zahlungen", "fasse alles über Zahlungen zusammen", "Ärzte"),
    "emoji": ("payments", "what do we know about payments?", "🚀🎉" * 3),
}


@pytest.mark.report("AWHM-P029")
@pytest.mark.parametrize("kind", LONG_FACTS)
def test_a_large_find_is_cut_to_the_budget_between_memories_and_between_words(person, kind):
    topic, asked, word = LONG_FACTS[kind]
    facts = [f"Fact {n} about {topic}: " + " ".join([word] * (860 // (len(word) + 1))) for n in range(40)]
    has_in_graph(person, facts, "fact")
    run = person.says(asked)
    config = AWHMConfig()
    lines = injected_lines(run)
    assert 1 <= len(lines) <= config.hook_max_memories
    assert len(run.context.encode("utf-16-le")) // 2 <= MAX_UTF16_UNITS < 10_000
    assert estimated_tokens(run.context) <= config.hook_max_tokens
    for line in lines:
        text = line.split("] ", 1)[1].removesuffix("…").removeprefix("…").strip()
        assert any(text in fact for fact in facts), "one stretch of one memory"
        assert all(part == word or part in facts[0] or part.isdigit() for part in text.split()), "no word cut"


@pytest.mark.report("AWHM-P029")
@pytest.mark.parametrize("tokens", ["60", "200", "5000"])
def test_the_budget_is_a_setting_and_never_passes_what_the_client_takes_whole(person, tokens):
    has_in_graph(person, [f"Fact {n} about payments: " + "word " * 160 for n in range(40)], "fact")
    env = {"AWHM_HOOK_MAX_TOKENS": tokens, "AWHM_HOOK_MAX_MEMORIES": "200", "AWHM_SNIPPET_MAX_CHARS": "5000"}
    context = person.says("what do we know about payments?", env=env).context
    assert (context == "") == (tokens in ("60", "200")), "a memory that does not fit is left out whole"
    assert not context or estimated_tokens(context) <= int(tokens)
    assert len(context.encode("utf-16-le")) // 2 <= MAX_UTF16_UNITS
