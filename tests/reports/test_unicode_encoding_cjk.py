"""Any text goes in and comes out as it is, whatever code page surrounds it, and is found in any script."""

import json

import claude_stub
import pytest
from e2e import store

from reports.person import Person

CODE_PAGES = ["cp932:surrogateescape", "cp950:surrogateescape", "cp1252:strict", "ascii:strict"]


def code_page(name):
    """The environment of a machine whose code page is not UTF-8."""
    return {"PYTHONUTF8": "0", "PYTHONIOENCODING": name, "LC_ALL": "C", "LANG": "C"}


def stored_is_utf8(person):
    for path in person.files():
        if path.suffix in (".jsonl", ".wal", ".log", ".json"):
            path.read_bytes().decode("utf-8")


# Lone surrogates.

LONE = [
    (b'"I prefer tea \\udc88 over coffee"', "tea", "I prefer tea \ufffd over coffee"),
    (b'"\\ud83d I prefer tabs over spaces"', "tabs", "\ufffd I prefer tabs over spaces"),
    (b'"Mi editor es Helix \\ude80\\ud83d."', "Helix", "Mi editor es Helix \ufffd\ufffd."),
    (b'"I prefer rockets \\ud83d\\ude80 over stars"', "rockets", "I prefer rockets \U0001f680 over stars"),
]


@pytest.mark.report("AWHM-P030")
@pytest.mark.parametrize(("prompt", "word", "kept"), LONE, ids=["case", "high first", "swapped", "a whole pair"])
def test_a_lone_surrogate_is_replaced_and_the_rest_is_found(person, prompt, word, kept):
    head = (
        b'{"session_id":"u1","cwd":"'
        + str(person.project).encode()
        + b'","hook_event_name":"UserPromptSubmit","prompt":'
    )
    done = person.hook("prompt", head + prompt + b"}", person.env)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert person.leaves("u1").returncode == 0
    stored_is_utf8(person)
    assert person.messages("u1") == [("user", kept)]
    assert any(kept.strip(".") in one["text"] for one in person.asks(word))


# Astral characters at a cut.


@pytest.mark.report("AWHM-P031")
@pytest.mark.parametrize("sign", ["\U0001f680", "👩‍🚀", "𝔘𝔫𝔦"], ids=["case", "joined emoji", "astral letters"])
def test_no_budget_cuts_a_character_in_two(person, sign):
    person.tells(f"My status emoji is {sign * 200}.", session="before")
    for budget in (1, 2, 3, 5, 7, 13, 29, 40, 41, 42, 43, 67, 101, 199, 333, 500):
        for name in ("AWHM_SNIPPET_MAX_CHARS", "AWHM_HOOK_MAX_TOKENS"):
            context = person.says("what's my status emoji?", f"s-{budget}-{name}", env={name: str(budget)}).context
            context.encode("utf-16-le", "strict")
            own = context.replace(sign, "")
            for part in sign:
                own = own.replace(part, "")
            assert all(ord(character) < 0x10000 for character in own)
    assert sign in person.says("what's my status emoji?", "s-last").context


# Code pages.

TYPED = [
    ('表示は "dark" が好き', "dark", "C:\\Users\\dev\\表"),
    ("ソート順は \\ と ー を使う ascending", "ascending", "C:\\ソ\\能"),
    ("許功蓋 prefers the indigo theme — 95\xa0%", "indigo", "C:\\Users\\許功蓋"),
]


@pytest.mark.report("AWHM-P032")
@pytest.mark.parametrize(
    ("text", "word", "cwd", "page"),
    [(*row, page) for number, row in enumerate(TYPED) for page in (CODE_PAGES[0], CODE_PAGES[1 + number])],
)
def test_a_payload_is_read_as_utf8_whatever_the_code_page(person, text, word, cwd, page):
    done = person.says(text, "w1", cwd=cwd, env=code_page(page))
    assert (done.returncode, done.stderr) == (0, b"")
    assert person.messages("w1") == [("user", text)]
    assert text in [one["text"] for one in person.asks(word, "--all-projects", env=code_page(page))]


STYLES = [
    ("Arrow style: → and ⟦x⟧", "which arrow style do I use?", "→ and ⟦x⟧"),
    ("Our currency sign is ₹, never Rs.", "which currency sign do we use?", "₹"),
    ("Unser Trenner ist „·“ — mit Gedankenstrich.", "Welchen Trenner nehmen wir?", "„·“ —"),
]


@pytest.mark.report("AWHM-P033")
@pytest.mark.parametrize("page", CODE_PAGES)
@pytest.mark.parametrize(("said", "asked", "part"), STYLES, ids=["case", "rupee", "German quotes"])
def test_what_is_injected_survives_a_code_page_without_its_characters(person, said, asked, part, page):
    person.says(said, "before")
    done = person.says(asked, env=code_page(page))
    assert (done.returncode, done.stderr) == (0, b"")
    assert part in json.loads(done.stdout.decode("utf-8"))["hookSpecificOutput"]["additionalContext"]


# What a proposal names must have been said: the case's message alone ("let's move to gRPC then") says nothing of REST.
PROPOSED = [
    ("let's move from REST to gRPC then, for the latency", "Moved from REST → gRPC — latency"),
    ("dann nehmen wir für die Worker eben Größe L", "Worker: Größe L – „Größe L“"),
    ("好的，那就用 gRPC 吧", "用 gRPC"),
]


@pytest.mark.report("AWHM-P034")
@pytest.mark.parametrize(("said", "content"), PROPOSED, ids=["case", "German", "Chinese"])
def test_a_model_s_answer_is_read_as_utf8(tmp_path, said, content):
    stub = claude_stub.make(tmp_path / "stub").plays(claude_stub.answer(claude_stub.proposal(content)))
    person = Person(tmp_path, AWHM_STAGE2="1", AWHM_STAGE2_COMMAND=stub.path, **code_page("cp1252:strict"))
    person.says(said)
    person.leaves(wait=False)
    person.waits_for_all_processes()
    assert len(stub.calls) == 1
    kept = [one.text for one in store.statements(person.data_dir)]
    refused = person.status()["stage2"]["spending"]["refused"] if not kept else {}
    assert content in kept, refused


# Chinese, Japanese, Korean.

ASKED = [
    ("我们的部署环境是阿里云", "部署环境是什么？", "阿里云"),
    ("本番環境はさくらのクラウドです。", "本番環境はどこですか？", "さくらのクラウド"),
    ("우리 배포 환경은 네이버 클라우드입니다.", "배포 환경은?", "네이버 클라우드"),
    ("资料库的端口是五千四百", "资料库端口是多少？", "五千四百"),
]


@pytest.mark.report("AWHM-P035")
@pytest.mark.parametrize(("said", "asked", "part"), ASKED, ids=["case", "Japanese", "Korean", "port"])
def test_a_sentence_without_spaces_is_found_by_words_alone(person, said, asked, part):
    person.tells("The staging port is 8443.", said, "I prefer tabs.", session="z1")
    assert part in person.says(asked, "z2").context
    assert "8443" not in person.says(asked, "z3").context
