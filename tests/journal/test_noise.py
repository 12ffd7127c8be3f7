"""What nobody typed or wants kept is gone from a text, and nothing else is."""

import pytest

from awhm_hooks.journal.redact import INJECTION_HEADER, clean

BLOCK = f"""{INJECTION_HEADER}
- [2026-02-11, this project] The API endpoint is https://api.example.com/v2
- [2026-02-12, you] Prefers pytest
  over unittest"""

# Our own block, however it comes back: the text and what is left of it.
INJECTED = [
    (BLOCK, ""),
    (f"{BLOCK}\n\nhow do we deploy?", "how do we deploy?"),
    (f"UserPromptSubmit hook additional context: {BLOCK}\n\nhow do we deploy?", "how do we deploy?"),
    (f"<system-reminder>\nUserPromptSubmit hook additional context: {BLOCK}\n</system-reminder>\nand now?", "and now?"),
    (f"<awhm-memory>\n{BLOCK}\n</awhm-memory> So: make ship.", "So: make ship."),
    (f"As you said:\n\n{BLOCK}\n\nSo it is v2.", "As you said:\n\nSo it is v2."),
    (f"I was given: {BLOCK}\nSo it is v2.", "I was given:\nSo it is v2."),
    (f"**{INJECTION_HEADER}**\n* [2026-02-11, this project] x\n\ny", "y"),
    (f"> {INJECTION_HEADER}\n> - [2026-02-11, this project] x\nmine", "mine"),
    (f"{INJECTION_HEADER}\n\n- [2026-02-11, this project] x\n- my own list", "- my own list"),
    (f"{BLOCK}\n{BLOCK}\nz", "z"),
    (f"what does '{INJECTION_HEADER}' mean?", "what does ' ' mean?"),
    (f"{INJECTION_HEADER} - [2026-02-11, this project] x\nz", "z"),
]

PRIVATE = [
    (
        "Rotate it. <private>vault pin 4471</private> I prefer monthly rotation.",
        "Rotate it. I prefer monthly rotation.",
    ),
    ("Sure: <private>client is Northwind</private> migration is done.", "Sure: migration is done."),
    ("a <PRIVATE>b</Private> c", "a c"),
    ("a <private>b <private>c</private> d</private> e", "a e"),
    ("keep <private>hidden\nand\n\nmore", "keep"),
    ("keep <private>a <private>b</private> c", "keep"),
    ("<private>all", ""),
    ("a </private> b", "a b"),
    ("a</private>b", "a b"),
    ("x<private>a</private>y<private>b</private>z", "x y z"),
    ('a <private reason="mine">b</private > c', "a c"),
    ("a <private/> b", "a b"),
    ("a\n<private>b</private>\nc", "a\nc"),
    ("the `<private>` tag hides text", "the `<private>` tag hides text"),
    ("write `<private>` before and `</private>` behind", "write `<private>` before and `</private>` behind"),
    ("```\nvault <private>4471</private> x\n```", "```\nvault x\n```"),
    ("```\nvault <private>4471</private> x", "```\nvault x"),
    ("`<private>4471</private>` x", "` ` x"),
    ("<private>see `</private>` 4471</private> x", "x"),
    ("a\n<private>b</private>\n    c", "a\n    c"),
    ("```\n<private>\n```\nvisible", "```\n<private>\n```\nvisible"),
    ("List<PrivateKey> and private things", "List<PrivateKey> and private things"),
    ("<pri<private>a</private>vate>b", "<pri vate>b"),
]

# What is left of a prompt beside the harness's own elements.
WRAPPED = [
    (
        "Result: <persisted-output>40 KB of grep output ...</persisted-output> I prefer option B.",
        "Result: I prefer option B.",
    ),
    ("<system-reminder>The date changed.</system-reminder>\nfix the test", "fix the test"),
    ("fix it\n<system-reminder>\nx\n</system-reminder>", "fix it"),
    ("a <SYSTEM-REMINDER>b</SYSTEM-REMINDER> c", "a c"),
    ("<ide_opened_file>The user opened /a/b.py.</ide_opened_file>\nwhat is this?", "what is this?"),
    ("<ide_selection>lines 1 to 3</ide_selection> explain", "explain"),
    ("<new-diagnostics>2 errors</new-diagnostics>go on with it", "go on with it"),
    ('<teammate-message teammate_id="a" color="b">done</teammate-message>\nthen merge', "then merge"),
    ("<user-prompt-submit-hook>noise</user-prompt-submit-hook>\nhello there", "hello there"),
    ("UserPromptSubmit hook success: noise\nmore noise\n\nhello there", "hello there"),
    ("<bash-input>ls</bash-input><bash-stdout>a\nb</bash-stdout><bash-stderr></bash-stderr>", ""),
    ("<system-reminder>a <system-reminder> b</system-reminder> mine", "mine"),
    ("<system-reminder>a<system-reminder>b</system-reminder>c</system-reminder>mine", "mine"),
    ("<task-notification>\n<task-id>b7x</task-id>\ncut off on its w", ""),
    ("what does <system-reminder> do?", "what does <system-reminder> do?"),
    ("<system-reminder> is shown to me, why?", "<system-reminder> is shown to me, why?"),
    ("the `<task-notification>x</task-notification>` form", "the `<task-notification>x</task-notification>` form"),
    ("```xml\n<bash-input>ls</bash-input>\n```\nparse it", "```xml\n<bash-input>ls</bash-input>\n```\nparse it"),
    ("~~~\n<bash-input>ls</bash-input>\n~~~", "~~~\n<bash-input>ls</bash-input>\n~~~"),
    ("<command> and <div>x</div> stay", "<command> and <div>x</div> stay"),
    ("if a < b and b > c", "if a < b and b > c"),
]

CHARACTERS = [
    ("I prefer tea \udc88 over coffee", "I prefer tea \ufffd over coffee"),
    ("\ud83d\ude80 go", "\U0001f680 go"),
    ("\ud83d", "\ufffd"),
    ("\ud83da", "\ufffda"),
    ("a\0b\x01c\x7fd\x9fe", "abcde"),
    ("a\r\nb\rc\vd\fe\x85f", "a\nb\nc\nd\ne\nf"),
    ("a\tb\nc", "a\tb\nc"),
    ("\x1b[2mCompacted\x1b[22m (\x1b]8;;https://x.example\x07link\x1b]8;;\x07)", "Compacted (link)"),
    ('表示は "dark" が好き → ⟦x⟧ — é ñ ü 👩‍👩‍👧 \ufeff', '表示は "dark" が好き → ⟦x⟧ — é ñ ü 👩‍👩‍👧 \ufeff'),
    ("ghp" + "_\0" + "Ab3dE9" * 6, "[redacted:github-token]"),
    ("my pass\x00word is hunter2", "my password is [redacted:password]"),
]


@pytest.mark.report("AWHM-P022")
@pytest.mark.parametrize(("text", "left"), INJECTED)
def test_what_we_injected_never_comes_back(text: str, left: str) -> None:
    assert clean(text) == left


@pytest.mark.report("AWHM-P041")
@pytest.mark.report("AWHM-P042")
@pytest.mark.parametrize(("text", "left"), PRIVATE)
def test_private_spans_are_removed(text: str, left: str) -> None:
    assert clean(text) == left


@pytest.mark.report("AWHM-P055")
@pytest.mark.parametrize(("text", "left"), WRAPPED)
def test_the_harness_s_elements_are_removed_with_their_bodies(text: str, left: str) -> None:
    assert clean(text) == left


@pytest.mark.report("AWHM-P030")
@pytest.mark.parametrize(("text", "left"), CHARACTERS)
def test_only_characters_that_can_be_stored_are_left(text: str, left: str) -> None:
    assert clean(text) == left
    assert clean(text).encode("utf-8")
