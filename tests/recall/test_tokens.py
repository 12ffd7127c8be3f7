import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from awhm_hooks.recall.tokens import MAX_TERM_CHARS, kindred, stem, tokenise

CASES = [
    ("The quick brown FOX jumped over the lazy dog", ["quick", "brown", "fox", "jump", "lazy", "dog"]),
    ("SettlementService.closeRun", ["settlementservice.closerun", "settlement", "servic", "clos", "run"]),
    ("max_retries=3", ["max_retries", "max", "retry", "3"]),
    ("HTTPServer", ["httpserver", "http", "server"]),
    ("v1.2.3 and 3.11", ["v1.2.3", "1.2.3", "3.11"]),
    ("src/app/main.py", ["src/app/main.py", "src", "app", "main", "py"]),
    ("部署环境是什么？", ["部署", "署环", "环境", "境是", "是什", "什么"]),
    ("端口 is 8080", ["端口", "8080"]),
    ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
    ("이름", ["이름"]),
    ("스테이징 포트는 8443입니다.", ["스테", "테이", "이징", "포트", "8443"]),
    ("배포 환경에서 무엇을 하나요?", ["배포", "환경"]),
    ("우리 서버로 보냈습니다", ["서버", "보냈"]),
    ("회의가 평가", ["회의", "평가"]),
    ("Größe naïve", ["größ", "naïv"]),
    ("don't you", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "terms"), CASES)
def test_terms(text, terms):
    assert tokenise(text) == terms


@pytest.mark.parametrize(
    "forms",
    [
        ("deploy", "deploys", "deployed", "deploying"),
        ("cache", "caches", "cached", "caching"),
        ("prefer", "prefers", "preferred", "preferring"),
        ("retry", "retries", "retried"),
        ("run", "runs", "running"),
        ("branch", "branches"),
    ],
)
def test_the_forms_of_a_word_share_a_stem(forms):
    assert len({stem(form) for form in forms}) == 1, [stem(form) for form in forms]


@pytest.mark.parametrize(
    ("doer", "deed"),
    [("linter", "lint"), ("bundler", "bundle"), ("parsers", "parsing"), ("planner", "plan"), ("validator", "validate")],
)
def test_who_does_it_and_what_is_done_are_kindred(doer, deed):
    assert kindred(stem(doer)) == stem(deed)
    assert kindred(stem(deed)) in (stem(doer), stem(deed) + "er")


@pytest.mark.parametrize(
    "term", ["customer", "custom", "broker", "broke", "use", "8443", "端口", "größer", "a.linter", ""]
)
def test_what_only_looks_so_has_no_kin(term):
    assert kindred(stem(term)) == ""


@given(st.text())
@example("\ua640")  # a capital between the Han and the Hangul blocks
def test_any_text_has_terms_that_are_short_and_lower_case(text):
    for term in tokenise(text):
        assert 0 < len(term) <= MAX_TERM_CHARS
        assert term == term.lower()


def test_a_long_text_takes_time_in_proportion():
    assert len(tokenise("deployment " * 100_000)) == 100_000
    tokenise("a" * 1_000_000 + "_" * 100_000 + "." * 100_000)
