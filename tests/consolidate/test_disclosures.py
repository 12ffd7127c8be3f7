"""What a message's writer tells of themselves, sentence by sentence."""

import pytest

from awhm_hooks.consolidate.disclosures import MOST, disclosures

FEED = "By the way, I also bought 20 pounds of scratch grains for my chickens."


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (f"Can you suggest a menu for Saturday? {FEED}", [FEED]),
        (f"What sells at a market?\n\n- {FEED}\n- Is a permit needed?", [FEED]),
        (
            "Kannst du den Test reparieren? Übrigens haben wir den Port auf 8443 gelegt.",
            ["Übrigens haben wir den Port auf 8443 gelegt."],
        ),
        (
            "¿Puedes revisar esto? Por cierto, nuestro servidor de pruebas es Caddy.",
            ["Por cierto, nuestro servidor de pruebas es Caddy."],
        ),
        ("你能看一下吗？\n顺便说一下，我们的测试服务器换成了Caddy。", ["顺便说一下，我们的测试服务器换成了Caddy。"]),
        (
            "고쳐 줄래요? 그리고 우리 스테이징 서버는 베를린에 있습니다.",
            ["그리고 우리 스테이징 서버는 베를린에 있습니다."],
        ),
        ("直してくれますか？\nちなみに、私のエディタはHelixです。", ["ちなみに、私のエディタはHelixです。"]),
    ],
)
def test_the_sentence_that_tells_is_found_beside_the_one_that_asks(message, told):
    assert disclosures(message) == told


@pytest.mark.parametrize(
    "message",
    [
        FEED,  # the message's own vector is this sentence's
        "Fix the failing test. Run the linter first.",
        "Should I use bun? Or do we stay with npm for now?",
        "Look at this. I see.",
        "Compare the rates. The US rate is lower than the one of MI this year.",
        "Here is what it prints:\n```\nI am a log line of my server\nWe are another one of it\n```",
        "Read this mail:\n> I have moved our staging server to Berlin.\n> Our port is 8443 now, by the way.",
        "",
    ],
)
def test_orders_questions_and_the_words_of_others_tell_nothing(message):
    assert disclosures(message) == []


def test_a_long_message_is_bounded():
    assert len(disclosures("\n\n".join(f"I know my fact number {n}." for n in range(100)))) == MOST
