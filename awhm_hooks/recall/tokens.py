"""One tokeniser for index and query.

Words are lower-cased, freed of stop words and lightly stemmed. Identifiers count both whole and split
(`SettlementService.closeRun` -> the whole, settlement, service, close, run): look-ups of identifiers need the whole,
questions in prose need the parts. Runs of Chinese, Japanese and Korean characters become bigrams; a Korean word is
freed of its particle or ending before, as nearly every sentence shares those.
"""

from awhm_hooks import regexes

MAX_TERM_CHARS = 64

_SOURCES = {
    # A run of letters and digits with inner joints: dots, dashes, slashes, underscores, colons, @.
    "word": r"[^\W_]+(?:(?:[._\-/@]|::|:(?=\w))+[^\W_]+)*",
    "part": r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+(?:\.\d+)*|[^\W\d_A-Za-z]+",
    "cjk": r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+",
}

STOP_WORDS = frozenset(
    """
a about above after again against all am an and any are aren as at be because been before being below between both but
by can could couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn have
haven having he her here hers herself him himself his how i if in into is isn it its itself just let ll m me might
more most must mustn my myself needn no nor not now of off on once only or other ought our ours ourselves out over own
please re s same shall shan she should shouldn so some such t than that the their theirs them themselves then there
these they this those through to too under until up us ve very was wasn we were weren what when where which while who
whom why will with won would wouldn y you your yours yourself yourselves also else ever yes ok okay hey hi hello
thanks thank el la los las un una unos unas de del al y o u e que qué en es son por para con sin se su sus mi mis tu
tus lo le les me te nos como cómo más pero si sí ya muy este esta esto ese esa eso hay cuál cuáles dónde cuando cuándo
ha he está están fue ser der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren
wird werden nicht kein keine mit von zu zum zur im am auf für aus bei nach über unter ich du er sie wir ihr mein meine
dein deine sein seine unser unsere mich mir dich dir uns euch welche welcher welches wie was wer wo wann warum auch
noch nur schon sehr als wenn dass hier
""".split()
)


_KOREAN_STOP_WORDS = frozenset(
    """
무엇 무슨 뭐 뭐야 뭔지 어디 어떤 어느 언제 누구 누가 왜 어떻게 얼마 몇 우리 나 내 저 제 너 그 이 것 이것 그것
저것 거 수 좀 더 및 또는 그리고 그래서 하지만 지금 다시 대해 대한 위해 때 안 못 잘 다 모두 네 예 아니 아니요
있 없 있는 없는 같은 하 되
""".split()
)
# By length, the longest first: "는" only after two syllables or more, as nouns of two may end in it.
_KOREAN_ENDINGS = tuple(
    frozenset(endings.split())
    for endings in (
        "이었습니다 해주십시오",
        "했습니다 였습니다 있습니다 없습니다 해주세요 하십시오",
        "입니다 입니까 합니다 합니까 됩니다 됩니까 습니다 습니까 하세요 주세요 인가요 이에요 거든요 해줘요"
        " 에서는 에서도 에게는 으로는 이라는 이라고",
        "에서 에게 으로 까지 부터 하고 이나 이랑 처럼 보다 마다 조차 라는 라고 에는 에도 로는 와는 과는 께서 한테"
        " 나요 까요 예요 에요 해요 해줘 해라 하자 한다 했다 하는 하면 해서 하기 되는 된다 됐다 이다 였다 였지 네요 군요"
        " 는데 는지 인지 인가 들은 들이 들을 들의 이고 이며",
        "은 는 이 가 을 를 의 에 로 와 과 도 만 야",
    )
)


def tokenise(text: str) -> list[str]:
    """The terms of a text, in order, with repetitions."""
    patterns = regexes.group("tokens", _SOURCES)
    terms: list[str] = []
    put = terms.append
    part = patterns["part"].findall
    for word in patterns["word"].findall(text):
        if word.isascii():
            if word.isalpha() and (word.islower() or word.istitle() or word.isupper()):
                lower = word.lower()
                if lower not in STOP_WORDS and len(lower) <= MAX_TERM_CHARS:
                    put(stem(lower))
            else:
                _put_identifier(word, part(word), put)
        else:
            _put_unicode(word, patterns, put)
    return terms


def _put_identifier(word: str, parts: list[str], put: "Callable[[str], None]") -> None:
    if len(parts) > 1 or not word.isalpha():
        whole = word.lower()
        if len(whole) <= MAX_TERM_CHARS:
            put(whole)
        if len(parts) == 1 and parts[0].lower() == whole:
            return
    for piece in parts:
        lower = piece.lower()
        if lower not in STOP_WORDS and (len(lower) > 1 or lower.isdigit()) and len(lower) <= MAX_TERM_CHARS:
            put(stem(lower))


def _put_unicode(word: str, patterns: "dict[str, Pattern[str]]", put: "Callable[[str], None]") -> None:
    rest = 0
    for run in patterns["cjk"].finditer(word):
        if run.start() > rest:
            _put_words(word[rest : run.start()], patterns, put)
        if "가" <= word[run.start()] <= "힣":
            _put_korean(run.group(), put)
        else:
            _put_bigrams(run.group(), put)
        rest = run.end()
    if rest < len(word):
        _put_words(word[rest:], patterns, put)


def _put_words(text: str, patterns: "dict[str, Pattern[str]]", put: "Callable[[str], None]") -> None:
    for word in patterns["word"].findall(text):
        lower = word.lower()
        if lower.isalpha():
            if lower not in STOP_WORDS and len(lower) <= MAX_TERM_CHARS:
                put(stem(lower))
        else:
            _put_identifier(word, patterns["part"].findall(word), put)


def _put_korean(word: str, put: "Callable[[str], None]") -> None:
    for endings in _KOREAN_ENDINGS:
        size = len(next(iter(endings)))
        if word[-size:] in endings and (size > 1 or len(word) > 2):
            word = word[:-size]
            break
    if word and word not in _KOREAN_STOP_WORDS:
        _put_bigrams(word, put)


def _put_bigrams(run: str, put: "Callable[[str], None]") -> None:
    if len(run) == 1:
        put(run)
    for i in range(len(run) - 1):
        put(run[i : i + 2])


def stem(word: str) -> str:
    """A light stem: plurals, -ed, -ing, -ly and a final e, with doubled consonants undone.

    It joins the forms that one person uses of one word, and little else (after Harman's S stemmer, 1991).
    """
    size = len(word)
    if size < 4:
        return word
    if word.endswith(("ies", "ied")) and size > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and word[-2] not in "su":
        word = word[:-1]
    if word.endswith("ing") and len(word) > 5 and _has_vowel(word[:-3]):
        word = _undouble(word[:-3])
    elif word.endswith("ed") and len(word) > 4 and _has_vowel(word[:-2]):
        word = _undouble(word[:-2])
    elif word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return word


_UNLIKE = frozenset("ban brok cent chart corn custom fold form man mat numb post pow sum tow".split())
_KINDRED_CHARS = range(4, 10)  # of a doing's stem; shorter ones make too many other words


def kindred(term: str) -> str:
    """The stem of who does what a stem says, and the reverse: "linter" and "lint", "planner" and "plan"; "" for none.

    The index keeps them apart, as "customer" and "custom" are two things: only a query looks for both.
    """
    if not (term.isascii() and term.isalpha()):
        return ""
    if term.endswith(("er", "ator")):
        base = term[:-3] + "y" if term.endswith("ier") else term[:-2]
        base = base if base[-1:] == "y" else _undouble(base)
        return base if len(base) in _KINDRED_CHARS and base not in _UNLIKE else ""
    if len(term) not in _KINDRED_CHARS or term in _UNLIKE:
        return ""
    is_doubled = len(term) == 4 and term[-1] not in "aeiouwxyls" and term[-2] in "aeiou" and term[-3] not in "aeiou"
    return term + (term[-1] if is_doubled else "") + "er"


def _has_vowel(text: str) -> bool:
    return any(vowel in text for vowel in "aeiouy")


def _undouble(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Pattern
