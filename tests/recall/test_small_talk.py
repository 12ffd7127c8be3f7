import pytest

from awhm_hooks.recall.small_talk import is_go_ahead, is_small_talk

TALK = [
    "hi",
    "Good morning! How are you today?",
    "hello claude, how are you?",
    "thanks a lot, that was great",
    "yes please",
    "hey, what's up?",
    "good morning! ready to start?",
    "Hola, buenos días, ¿qué tal?",
    "Buenas tardes, ¿cómo se encuentra usted hoy?",
    "Guten Morgen! Wie geht's?",
    "danke, bis morgen",
    "bonjour, ça va ?",
    "你好,在吗?",
    "辛苦了，明天见！",
    "おはようございます。今日もよろしくお願いします。",
    "お疲れ様です",
    "안녕하세요!",
]
MATTER = [
    "",
    "???",
    "42",
    "good morning, which port does staging use?",
    "thanks, now fix the parser",
    "ready to start the migration?",
    "what is it for?",
    "what's for tomorrow?",
    "is everyone ready for tomorrow?",
    "what's today?",
    "yes, with Redis",
    "你好，我们的日志保存在哪个集群？",
    "おはよう、ステージングのポートは？",
    "hello " * 40,
]


@pytest.mark.parametrize("text", TALK)
def test_greetings_thanks_and_farewells_of_many_languages(text):
    assert is_small_talk(text)


@pytest.mark.parametrize("text", MATTER)
def test_whatever_says_anything_besides_is_none(text):
    assert not is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    ["Do it.", "do it", "Go ahead!", "Do it. Also update the README with the new migration commands.", "looks good"],
)
def test_a_go_ahead_says_nothing_of_its_own(text):
    assert is_go_ahead(text)


@pytest.mark.parametrize(
    "text",
    [
        "Do it. We use pnpm everywhere.",
        "do it with pnpm",
        "go ahead. The token lives 20 minutes",
        "Update the README.",
        "",
        "Do it. " + "Also add a test. " * 9,
    ],
)
def test_what_says_more_or_less_is_none(text):
    assert not is_go_ahead(text)
