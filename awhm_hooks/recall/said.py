"""What a memory says of the matter that is asked about: one sentence of it, and the values in that.

"ugh, again. The carts are in DynamoDB now. Could you fix the typo?" says one thing of the carts.
"""

from awhm_hooks.recall.generic import is_generic
from awhm_hooks.recall.intent import is_cjk, is_foreign
from awhm_hooks.recall.tokens import STOP_WORDS, stem, tokenise

_CHARS = 600
SENTENCE_ENDS = (". ", "! ", "? ", "。", "！", "？")
_EDGES = ".,;:!?()\"'“”„"
_SIGILS = ("#", "@")  # of a channel, of somebody's account

# What is given up may stand before the first kind of words, and behind the second; of the third right behind it.
_LEAVES = frozenset(
    (
        "retired left quit resigned gone dead dying discontinued history anymore traded archived leave"
        " weg abgeschafft abgeschaltet beerdigt ersetzt aufgegangen umbenannt eliminado reemplazado jubilado"
    ).split()
)
_DROPS = frozenset(
    """drop scrap ditch dropped ditched removed scrapped killed deprecated abandoned replaced retired forget
goodbye""".split()
)
_SAID_ENDS = _LEAVES.union(
    _DROPS,
    """scratch threw ripped kicked swapped decommissioned archived rebranded merged ported replaces instead rid
statt eliminamos dejamos reemplazamos adiós""".split(),
)
_ENDS = _SAID_ENDS.union("gave given longer more than from off".split())  # the further ones only may say so
_GONE = frozenset("gone retired dead history discontinued deprecated".split())
_UNCHANGED = frozenset("same unchanged stay stays remain remains derselbe dieselbe dasselbe bleibt bleiben".split())
_JOINTS = (" so ", " because ", " but ")  # between clauses
_UNCHANGED_CJK = ("そのまま", "没动", "没变", "不变")
_PORT_DIGITS = 4
_NUMBERS = {word: str(number) for number, word in enumerate("one two three four five six seven eight".split(), 1)}
_MONTHS = frozenset(
    """january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre""".split()
)
_DAYS = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
mon tue tues wed thu thurs fri montag dienstag mittwoch donnerstag freitag montags dienstags mittwochs donnerstags
freitags lunes martes miércoles jueves viernes""".split()
)
_KINDS = tuple(
    frozenset(kinds.split())
    for kinds in (
        "staging production prod dev development qa",
        "frontend backend",
        "ios android",
        "internal external public",
    )
)


class _Sentence:
    """A sentence, and what is made of it when it is first asked for: one is compared with up to twenty others."""

    __slots__ = ("_ordered", "_telling", "_terms", "_words", "english", "text")

    def __init__(self, text: str, english: "list[str]") -> None:
        self.text = text
        self.english = english
        self._ordered: list[str] | None = None
        self._telling: list[str] | None = None
        self._terms: set[str] | None = None
        self._words: set[str] | None = None

    def holds(self, term: str) -> bool:
        return term in self.text.lower() or term in self.english

    def ordered(self) -> list[str]:
        """Its terms in order, behind them those in English of what is in another language."""
        if self._ordered is None:
            self._ordered = tokenise(self.text) + self.english
        return self._ordered

    def terms(self) -> set[str]:
        """Its terms that are no everyday ones."""
        if self._terms is None:
            self._terms = {term for term in self.ordered() if not is_generic(term)}
        return self._terms

    def telling(self) -> list[str]:
        """Its words in order, as terms, "" in place of those that tell nothing; of other languages the English ones."""
        if self._telling is None and self.english:
            self._telling = ["" if is_generic(term) else term for term in self.english]
        elif self._telling is None:
            plain = [word if word.isalpha() and word not in _NUMBERS else "" for word in _in_order(self.text)]
            terms = [stem(word) if word and word not in STOP_WORDS else "" for word in plain]
            self._telling = ["" if is_generic(term) else term for term in terms]
        return self._telling

    def words(self) -> set[str]:
        if self._words is None:
            self._words = words(self.text)
        return self._words


class _Whole:
    """What is known of a whole text, however it is looked at."""

    __slots__ = ("dropped", "measures", "terms", "unchanged")

    def __init__(self) -> None:
        self.dropped: set[str] | None = None
        self.measures: dict[str, set[str]] | None = None
        self.terms: set[str] | None = None
        self.unchanged: list[str] | None = None


class Said:
    """A text's sentences, of which one is looked at: the one that holds most of the query's terms."""

    __slots__ = ("_at", "_held", "_query", "_sentences", "_whole", "text")

    def __init__(self, text: str, terms: list[str]) -> None:
        self._query = terms
        self.text = text = text[:_CHARS]
        for end in SENTENCE_ENDS:
            text = text.replace(end, f"{end}\n")
        parts = [one for one in text.split("\n") if one.strip()] or [text]
        self._sentences = [_Sentence(one, _english(one)) for one in parts]
        self._held = [sum(sentence.holds(term) for term in terms) for sentence in self._sentences]
        self._at = self._held.index(max(self._held))
        self._whole = _Whole()

    @property
    def sentence(self) -> str:
        """The one that is looked at."""
        return self._sentences[self._at].text

    @property
    def around(self) -> str:
        """The same with those beside it."""
        return " ".join(one.text for one in self._sentences[max(self._at - 1, 0) : self._at + 2])

    @property
    def after(self) -> str:
        """The sentence behind it; "" behind the last."""
        return "".join(one.text for one in self._sentences[self._at + 1 : self._at + 2])

    def terms(self) -> set[str]:
        """The sentence's own terms that are no everyday ones."""
        return self._sentences[self._at].terms()

    def own_terms(self) -> list[str]:
        """Its telling terms that the query does not hold, those of names and values first."""
        names = set(tokenise(" ".join(_names(self.text))))
        own = [term for term in self.all_terms() if term not in self._query]
        return sorted(own, key=lambda term: (term not in names, term))

    def facing(self, other: "Said") -> "tuple[Said, Said]":
        """Both, looked at where they speak of one thing: of what is asked about, and in the same words."""
        if len(self._sentences) == len(other._sentences) == 1:
            return self, other
        best, places = -1.0, (self._at, other._at)
        for i, one in enumerate(self._sentences):
            for j, another in enumerate(other._sentences):
                shared = set(one.ordered()).intersection(another.ordered())
                score = self._held[i] + other._held[j] + sum(0.5 if is_generic(term) else 1.0 for term in shared)
                if score > best:
                    best, places = score, (i, j)
        return self._looked_at(places[0]), other._looked_at(places[1])

    def _looked_at(self, place: int) -> "Said":
        view = Said.__new__(Said)
        view.text, view._query, view._at = self.text, self._query, place
        view._sentences, view._held, view._whole = self._sentences, self._held, self._whole
        return view

    def all_terms(self) -> set[str]:
        """The terms of all its sentences that are no everyday ones."""
        if self._whole.terms is None:
            self._whole.terms = {term for sentence in self._sentences for term in sentence.terms()}
        return self._whole.terms

    def remeasures(self, other: "Said") -> bool:
        """It gives another measure in the same unit: 52 and 36 GB, QUAL 45 and QUAL 30, 10:45 and 09:15."""
        own, others = self._measures(), other._measures()
        return any(not values & others[unit] for unit, values in own.items() if unit in others)

    def _measures(self) -> dict[str, set[str]]:
        if self._whole.measures is None:
            self._whole.measures = _measures(self.text)
        return self._whole.measures

    def drops_value_of(self, other: "Said", asked: list[str]) -> bool:
        """It says that what the other one names, and nobody asks for, is gone, word by word: "we dropped tsup"."""
        if self._whole.dropped is None:
            self._whole.dropped = {term for sentence in self._sentences for term in _dropped(sentence.text)}
        return not self._whole.dropped.isdisjoint(other.terms().difference(asked))

    def leaves(self, asked: list[str]) -> bool:
        """It says of what is asked for that it stays as it is: "code and language stay what they are"."""
        if self._whole.unchanged is None:
            self._whole.unchanged = [part for sentence in self._sentences for part in _unchanged(sentence.text)]
        return any(term in part and not is_generic(term) for part in self._whole.unchanged for term in asked)

    def strays(self, other: "Said", asked: list[str]) -> tuple[bool, bool]:
        """Whether any and all terms asked for stand beside other words in both: "API timeout", "socket timeout"."""
        now, before = self._sentences[self._at], other._sentences[other._at]
        if is_foreign(now.text) and not (now.english and before.english):
            return False, False  # which words are everyday ones is known of English alone
        own, others = now.telling(), before.telling()
        both = [(i, own[i]) for i in range(len(own)) if own[i] in asked and own[i] in others]
        pairs = [(i, j) for i, term in both for j in range(len(others)) if others[j] == term]
        differ = [_differ(own, others, i, j, -1) or _differ(own, others, i, j, 1) for i, j in pairs]
        return any(differ), bool(differ) and all(differ)

    def is_of_another_kind(self, other: "Said") -> bool:
        """The one is of staging, say, and the other of production."""
        own, others = self._sentences[self._at].words(), other._sentences[other._at].words()
        return any(
            not kinds.isdisjoint(own) and not kinds.isdisjoint(others) and kinds & own != kinds & others
            for kinds in _KINDS
        )

    def opens_with(self, asked: list[str]) -> str:
        """The first of some terms in the sentence: mostly its subject; "" where it holds none."""
        ordered = self._sentences[self._at].ordered()
        return next((term for term in ordered if term in asked and not is_generic(term)), "")


def _english(sentence: str) -> list[str]:
    if not is_foreign(sentence):
        return []
    from awhm_hooks.recall.glossary import english_terms

    return english_terms(sentence)


def tells_of_an_end(text: str) -> bool:
    """Something in it may be given up."""
    return not _ENDS.isdisjoint(words(text))


def says_an_end(text: str) -> bool:
    """It says that something is given up."""
    return not _SAID_ENDS.isdisjoint(words(text))


def words(text: str) -> set[str]:
    """The words of a text, in lower case, without what surrounds them; who left a message is not gone."""
    found = set(_in_order(text))
    return found - {"left"} if "left a " in text.lower() else found


def _in_order(text: str) -> list[str]:
    return [word.strip(_EDGES) for word in text.lower().split()]


def _names(text: str) -> list[str]:
    """The capitalised words, numbers and paths of a text, in lower case, without its everyday words."""
    bare = [word.strip(_EDGES) for word in text.split()]
    capital = [word.lower() for word in bare if len(word) > 1 and (_is_value(word) or _is_capital(word))]
    return [word for word in capital if word not in STOP_WORDS and not is_generic(stem(word))]


def _is_capital(word: str) -> bool:
    """Not so "It's"."""
    return word[0].isupper() and "'" not in word and "’" not in word


def _is_value(word: str) -> bool:
    """A number, a path, a host or a channel; not so "e.g" and "and/or"."""
    if any(char.isdigit() for char in word) or (word[:1] in _SIGILS and len(word) > 1):
        return True
    return word[:1] == "/" or word.count(".") > 1 or ("/" in word and "." in word)


def _unchanged(sentence: str) -> "Iterator[str]":
    """What stands in front of a word that says that something stays as it is, in the same clause."""
    if is_cjk(sentence):
        if any(mark in sentence for mark in _UNCHANGED_CJK):
            yield sentence.lower()
        return
    for joint in _JOINTS:
        sentence = sentence.replace(joint, ", ")
    for clause in sentence.split(", "):
        said = _in_order(clause)
        for place, word in enumerate(said):
            if word in _UNCHANGED:
                yield " ".join(said[:place])


def _dropped(sentence: str) -> list[str]:
    """The terms of what is said to be removed or gone: "we said goodbye to our Crowdin", "heron-2 is gone"."""
    said = [word for word in _in_order(sentence) if word not in STOP_WORDS]
    gone = [said[place + 1] for place, word in enumerate(said[:-1]) if word in _DROPS]
    gone += [said[place] for place, word in enumerate(said[1:]) if word in _GONE]
    return tokenise(" ".join(gone))


def _measures(text: str) -> dict[str, set[str]]:
    """What a text measures or names, by its kind: numbers by the words beside them, times, ports, days, addresses."""
    found: dict[str, set[str]] = {}
    said = _in_order(text)
    for place, word in enumerate(said):
        beside = said[max(place - 1, 0) : place] + said[place + 1 : place + 2]
        for unit in _units(word, beside):
            found.setdefault(unit, set()).add(_NUMBERS.get(word, word))
    return found


def _units(word: str, beside: list[str]) -> list[str]:
    if word in _DAYS:
        return ["day"]
    if not word[:1].isdigit() and word not in _NUMBERS:
        return _kinds_of_address(word)
    if not _MONTHS.isdisjoint(beside):
        return ["date"]
    shape = _shape(word)
    if ":" in shape or shape.count(".") > 1 or (shape == "9" and len(word) >= _PORT_DIGITS):
        return [shape]
    return [stem(one) for one in beside if one.isalpha() and one not in STOP_WORDS]


def _kinds_of_address(word: str) -> list[str]:
    scheme, is_url, _ = word.partition("://")
    if is_url:
        return [f"{scheme}://"]
    if word[:1] == "/" and len(word) > 1:
        return ["path"]
    word = word.rpartition("@")[2]
    return ["host"] if word.count(".") > 1 and word.replace(".", "").replace("-", "").isalnum() else []


def _differ(own: list[str], others: list[str], i: int, j: int, step: int) -> bool:
    """Beside the words that both have in common stand two that differ, to the left or to the right."""
    while 0 <= i < len(own) and 0 <= j < len(others) and own[i] == others[j] != "":
        i, j = i + step, j + step
    is_inside = 0 <= i < len(own) and 0 <= j < len(others)
    return is_inside and own[i] != "" != others[j]


def _shape(word: str) -> str:
    if word[:1] in _SIGILS and not word[1:2].isdigit():
        return word[:1]
    shape = ""
    for char in word:
        kind = "9" if char.isdigit() else "a" if char.isalpha() else char
        if shape[-1:] != kind:
            shape += kind
    return shape


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
