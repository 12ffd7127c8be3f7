"""One tokeniser for index and query.

Words are lower-cased, freed of stop words and lightly stemmed. Identifiers count both whole and split
(`SettlementService.closeRun` -> the whole, settlement, service, close, run): look-ups of identifiers need the whole,
questions in prose need the parts. Runs of Chinese, Japanese and Korean characters become bigrams.
"""

from awhm_hooks import regexes

MAX_TERM_CHARS = 64

_SOURCES = {
    # A run of letters and digits with inner joints: dots, dashes, slashes, underscores, colons, @.
    "word": r"[^\W_]+(?:(?:[._\-/@]|::|:(?=\w))+[^\W_]+)*",
    "part": r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+(?:\.\d+)*|[^\W\d_A-Za-z]+",
    "cjk": r"[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]+",
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
