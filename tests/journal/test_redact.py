"""Laws that hold for every text, and the limits of size and time."""

import os
import string
import subprocess
import sys
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from awhm_hooks.journal import redact
from awhm_hooks.journal.redact import INJECTION_HEADER, clean, is_command, is_control, is_machine_prompt

ALNUM36 = "Ab3dE9" * 6
HEX40 = "9fceb02d0ae598e95dc970b74767f19372d61af8"
BASE40 = "wJalrXUtnFEMI" + "/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"
JWT = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"

PIECES = [
    *(
        "<private>",
        "</private>",
        "<pri",
        "vate>",
        "</pri",
        "<system-reminder>",
        "</system-reminder>",
        "<bash-input>",
        "</bash-input>",
    ),
    *(
        "`",
        "``",
        "```",
        "\n```\n",
        "~~~\n",
        "\n",
        "\n\n",
        " ",
        "  ",
        "\t",
        "\r",
        "\0",
        "\x1b[",
        "\x1b]",
        "\ud800",
        "\udc00",
        "é",
        "İ",
    ),
    *(
        INJECTION_HEADER,
        INJECTION_HEADER[:40],
        INJECTION_HEADER[40:],
        "\n- [2026-01-01, x] y",
        "- [",
        "Stop hook success: ",
        " hook ",
    ),
    *(
        "password",
        "token",
        "key",
        "secret",
        "api_key",
        "my ",
        "is",
        "=",
        ":",
        " = ",
        ": ",
        " is ",
        " to ",
        "--",
        "'",
        '"',
        "“",
        "”",
        "(",
        ")",
    ),
    *(
        "hunter2",
        "swordfish",
        "abc123def456",
        "[redacted:",
        "[redacted:password]",
        "]",
        "$X",
        "${",
        "<x>",
        "...",
        "-p",
        "mysql ",
        "curl -u a:",
    ),
    *(
        "ghp_",
        ALNUM36,
        "AKIA",
        "IOSFODNN7EXAMPLE",
        BASE40,
        HEX40,
        "eyJ",
        JWT,
        "sk-",
        "http://a:",
        "@b",
        "?",
        "&",
        "Cookie: ",
        "a=b",
        ";",
        ",",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "4111 1111 1111 1111",
        "5",
        "Authorization: Bearer ",
        "Basic ",
        "las contraseña ",
    ),
    *(
        "correct horse battery",
        "passphrase",
        "as the",
        "for the x",
        "\\",
        "\\n",
        "#",
        "*",
        "_",
        ".",
        "PuTTY-User-Key-File-2: ",
        "Private-Lines:",
    ),
]
texts = st.one_of(
    st.text(), st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=14).map("".join)
)

# Each is repeated up to three million characters: what is not linear in these takes minutes.
LONG = {
    "lines": "x" * 79 + "\n",
    "blanks": " ",
    "line ends": "\n",
    "openings": "<private>",
    "closings": "</private>",
    "pairs": "<private></private>",
    "wrappers": "<system-reminder>",
    "uneven wrappers": "<system-reminder><system-reminder></system-reminder>",
    "assignments": "password=",
    "assignments apart": "password=abc123 ",
    "names": "key:",
    "references": "token:$",
    "base64": "Ab3dE9/+",
    "backticks": "`a",
    "fences": "```\n<private>\n",
    "key blocks": "-----BEGIN PRIVATE KEY----- ",
    "addresses": "http://a:b@",
    "headers": INJECTION_HEADER + "\n- [2026-01-01, x] y\n",
    "hook lines": "Stop hook success: \n",
    "commands": "mysql -u curl ",
    "digits": "4111 ",
    "escapes": "\x1b[",
    "surrogates": "\ud800",
}

IDLE = """
import sys
from awhm_hooks import regexes
from awhm_hooks.journal import redact
text = "Please fix the flaky refund test. We deploy with make ship; I prefer pytest over unittest."
assert redact.clean(text) == text
assert not redact.is_machine_prompt(text) and not redact.is_command(text) and not redact.is_control(text)
print(regexes._groups, {"re", "typing", "awhm_hooks.journal.secrets"} & set(sys.modules))
"""


@given(texts)
@settings(max_examples=1500, deadline=None)
@example("`a <private>\n\n</private> `<system-reminder>x</system-reminder>` b")
@example("<private>x</private>```\n```\n<system-reminder>x</system-reminder>\n```")
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean(text)
    assert clean(once) == once


@given(texts)
@settings(max_examples=500, deadline=None)
def test_every_text_comes_out_storable_and_every_question_is_answered(text: str) -> None:
    cleaned = clean(text)
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert all(char in "\n\t" or not (char < " " or "\x7f" <= char < "\xa0") for char in cleaned)
    assert {is_machine_prompt(text), is_command(text), is_control(text)} <= {True, False}


@given(st.text(string.ascii_letters + string.digits, min_size=20, max_size=40), texts, texts)
@settings(max_examples=300, deadline=None)
def test_an_issued_key_between_blanks_never_stays(tail: str, before: str, after: str) -> None:
    key = "ghp" + "_" + tail
    if "xxxxx" not in tail.lower() and "your" not in tail.lower():
        assert key not in clean(f"{before} {key} {after}")


@given(texts, texts, st.text(string.ascii_lowercase, min_size=12, max_size=12))
@settings(max_examples=300, deadline=None)
def test_a_private_word_never_stays(before: str, after: str, word: str) -> None:
    before = before.replace("`", "").replace("~", "")
    assert word not in clean(f"{before} <private>{word}</private> {after}") or word in before + after


@pytest.mark.report("AWHM-P037")
def test_a_very_long_text_keeps_head_and_tail() -> None:
    text = "please look: " + ("x" * 79 + "\n") * 37_500 + "The flaky test is test_refund."
    kept = clean(text)
    assert kept.startswith("please look: ")
    assert kept.endswith("The flaky test is test_refund.")
    head, mark, tail = kept.partition("\n[… ")
    left_out, mark_end, tail = tail.partition(" characters left out …]\n")
    assert mark and mark_end
    assert len(head) <= redact.KEPT_CHARS >= len(tail)
    assert len(head) + len(tail) + int(left_out) == len(text)
    assert head.endswith("x" * 79) and tail.startswith("x" * 79)


@pytest.mark.parametrize("length", [0, 1, 199_999, 200_000, 200_100, 200_101, 300_000])
def test_only_what_exceeds_head_and_tail_is_cut(length: int) -> None:
    text = "ab " * (length // 3) + "c" * (length % 3)
    assert (clean(text) == text) == (length <= 200_100)


@pytest.mark.report("AWHM-P037")
@pytest.mark.parametrize("unit", LONG.values(), ids=LONG)
def test_three_million_characters_take_linear_time(unit: str) -> None:
    text = unit * (3_000_000 // len(unit))
    started = time.process_time()
    clean(text)
    is_machine_prompt(text)
    assert time.process_time() - started < 20


def test_a_plain_prompt_loads_no_pattern() -> None:
    root = os.path.dirname(os.path.dirname(redact.__file__)) + "/.."
    code = f"import sys; sys.path.insert(0, {root!r})\n{IDLE}"
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "{} set()\n"
