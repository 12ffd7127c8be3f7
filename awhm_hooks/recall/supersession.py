"""Whether a newer memory supersedes an older one: the log odds of it.

They weigh what the two share, how each answers the prompt, whether the newer one tells of a change, and whether another
memory fits one of them better: that the web socket's timeout was raised supersedes what was said of that timeout, and
not what was said of the API's.

The weights are those of two logistic regressions, with cosines and without, on the pairs that arise before the prompts
of `bench/injection_sets` and on 586 pairs that were made to be hard (`tests/data/changes.jsonl`), by
`bench/supersession.py`: docs/quality.md has the figures.
"""

from _operator import mul

from awhm_hooks.graph.model import MESSAGE
from awhm_hooks.recall.generic import is_generic
from awhm_hooks.recall.intent import is_cjk, is_lone_question
from awhm_hooks.recall.said import Said, says_an_end, tells_of_an_end, words
from awhm_hooks.recall.tokens import kindred

NEVER = -99.0
# In the order of `Supersession.glance` and `Supersession.look`; the last is a veto.
_GLANCE_WEIGHTS = (8.03, -9.85, 0.84, 0.98, 0.62, -4.65, 3.13, 0.07, 0.04, -0.31, 0.32)
_LOOK_WEIGHTS = (3.73, 0.73, -3.15, 1.36, -0.29, -9.0)
_BETTER_OLDER_WEIGHT, _BIAS = -19.65, -6.74
_GLANCE_WEIGHTS_BY_WORDS = (0.0, 0.0, 0.77, 0.66, 1.38, 0.0, 6.02, 0.05, 0.12, -0.35, 0.24)
_LOOK_WEIGHTS_BY_WORDS = (3.74, 0.92, -2.77, 1.71, -0.45, -9.0)
_BIAS_BY_WORDS = -5.65
_HIGH_COSINE = 0.55
_MOST_WEIGHT = 8.0
_LENGTH_CHARS = 100
_LEAST_COSINE = 0.2
_ENOUGH_COSINE = 0.45
_NEAR = 0.3
_NEARER = 0.05
_ALIKE = 0.5  # of their terms: "the port of the gateway is …", "the port of the relay is …"
_MOST_READ = 60
_MOST_CHANGES = 20

# Words that say that one thing took another's place or was said wrongly, and those that only tell of something new.
_REPLACED = frozenset(
    (
        "moved switched migrated relocated relocate changed rewrote rewritten ported ripped instead renamed replaced"
        " swapped upgraded downgraded bumped raised lowered halved doubled tripled taken took handed rebranded merged"
        " actually correction scrap scratch forget swap korrektur corrección"
        " umgestiegen umgestellt gewechselt umgezogen ersetzt umbenannt abgelöst inzwischen mittlerweile neuerdings"
        " cambiamos cambió cambiado pasamos pasado migramos migrado movimos olvida reemplazamos reemplazado"
        " sustituido renombrado"
    ).split()
)
_CHANGED = _REPLACED.union(
    (
        "now nowadays longer anymore since gone left meanwhile formerly"
        " settled voted updated reduced increased pushed shifted slipped delayed postponed dropped retired"
        " deprecated removed went became turned rolled lives ended after goodbye former"
        " jetzt nunmehr stattdessen statt geändert erhöht gesenkt seit"
        " ahora ya movido sustituimos renombramos actualizamos actualizado subimos bajamos desde"
    ).split()
)
_FIRM = (
    *("from now on", "from here on", "from today on", "ab sofort", "ab jetzt", "ab heute"),
    *("a partir de ahora", "a partir de hoy", "desde hoy"),
)
_REPLACED_PHRASES = (
    *("these days", "turns out", "no longer", "any more", "anymore", "took over", "got rid of"),
    *("rather than", "as of ", "since last ", "nicht mehr", "sondern ", "ya no ", *_FIRM),
)
_PHRASES = ("kein mehr", *_REPLACED_PHRASES)
_CJK_REPLACED = tuple(
    """改成 改用 改为 改了 改到 换 換 不再 迁移 迁到 移行 変更 変わ 変え 乗り換え 切り替え 引き継 交给 调到 搬到 訂正
更正""".split()
)
_CJK_CHANGED = (*_CJK_REPLACED, *"改 现在 現在 延ば 短縮 放宽 调整 不用 もう 今は".split())
_UNSURE = frozenset(
    (
        "maybe perhaps could might would consider considering suppose"
        " vielleicht könnte könnten würde quizás quizá podríamos"
    ).split()
)
_UNSURE_PHRASES = ("thinking of ", "thinking about ", "i wonder", "i'm wondering", "wondering if", "wondering whether")
# "I would actually prefer fastp", "who would have thought"
_SURE = frozenset("like prefer rather love thought".split())


class Change:
    """A memory that may supersede older ones: does it tell of a change, of one thing in another's place, of an end?"""

    __slots__ = ("is_ending", "is_replaced", "is_told", "memory")

    def __init__(self, memory: "Memory", said: Said) -> None:
        self.memory = memory
        around = said.sentence if _is_unsure(said.around) else said.around
        marks = words(around)
        self.is_told = _tells_a_change(around.lower(), marks)
        self.is_replaced = _tells_a_replacement(around.lower(), marks)
        self.is_ending = tells_of_an_end(said.text)


def tells_of_a_change(text: str) -> bool:
    """Something in it may have changed, or come to an end."""
    lower = text.lower()
    return tells_of_an_end(text) or _tells_a_change(lower, words(lower))


def source(memory: "Memory") -> tuple[str, str]:
    """The message that a memory is, or stands in."""
    return memory.session, memory.message_id


class Supersession:
    """Judges the pairs of memories that come into question before one prompt.

    `weights` are those of the prompt's terms; `vectors` gives the stored rows of memories, by `row_key`, None where
    words alone decide. `messages` are the candidates' own, by their source.
    """

    __slots__ = ("_cosines", "_rows", "_said", "_sources", "_weights", "changes", "has_vectors", "messages")

    def __init__(
        self,
        kept: "list[Memory]",
        candidates: "list[Memory]",
        weights: dict[str, float],
        vectors: "Vectors | None",
    ) -> None:
        self._weights = weights
        self.has_vectors = vectors is not None
        self.messages = {source(one): one for one in candidates if one.family == MESSAGE}
        self._said: dict[tuple[str, str], Said] = {}
        self._cosines: dict[tuple[int, int], float | None] = {}
        self.changes = self._found(kept, candidates)
        memories = kept + [change.memory for change in self.changes]
        self._sources = {source(one): one for one in reversed(memories)}
        self._rows = vectors(memories) if vectors and self.changes else {}

    def _found(self, kept: "list[Memory]", candidates: "list[Memory]") -> list[Change]:
        """The candidates that may supersede something, best first."""
        oldest = min((memory.at for memory in kept), default=0.0)
        wanted = {term for memory in kept for term in memory.terms}
        found: list[Change] = []
        for memory in sorted(candidates, key=_promise, reverse=True)[:_MOST_READ]:
            if memory.at <= oldest or memory.role == "assistant":
                continue
            if memory.cosine < _NEAR and wanted.isdisjoint(memory.terms) and not memory.follows:
                continue
            said = self._said_of(memory)
            if is_lone_question(said.sentence) and not tells_of_a_change(said.after):
                continue
            if not (memory.family == MESSAGE and _is_unsure(said.sentence)):
                found.append(Change(memory, said))
            if len(found) == _MOST_CHANGES:
                break
        return found

    def odds(self, change: Change, older: "Memory", least: float = NEVER) -> float:
        """The log odds that a change supersedes an older memory; NEVER where it cannot.

        What cannot reach `least` is not looked at to the end.
        """
        newer = change.memory
        if newer.at <= older.at or source(newer) == source(older):
            return NEVER
        cosine = self._cosine(newer, older)
        if cosine is None and not change.is_told:  # comparing these cost a prompt by words alone 8 ms, of 44
            return NEVER
        if cosine is None:
            glance, look, odds = _GLANCE_WEIGHTS_BY_WORDS, _LOOK_WEIGHTS_BY_WORDS, _BIAS_BY_WORDS
        elif _may_supersede(change, older, cosine):
            glance, look, odds = _GLANCE_WEIGHTS, _LOOK_WEIGHTS, _BIAS
        else:
            return NEVER
        odds += _weighed(glance, self.glance(change, older, cosine or 0.0))
        if odds + _most(look, change) >= least:
            odds += _weighed(look, self.look(change, older))
        if cosine is not None and odds >= least:
            odds += _BETTER_OLDER_WEIGHT * self._better_older(newer, older, cosine)
        return odds

    def glance(self, change: Change, older: "Memory", cosine: float) -> tuple[float, ...]:
        """How near they are, whether the newer one tells of a change, how each answers the prompt."""
        newer = change.memory
        telling = [term for term in older.terms if not is_generic(term)]
        common = [term for term in telling if term in newer.terms or kindred(term) in newer.terms]
        lacking = len(telling) - len(common)
        said, before = self._said_of(newer), self._said_of(older)
        shared = len(said.all_terms() & before.all_terms())
        is_pairs = is_cjk(before.text)  # of characters: few are held by both, however alike the two are
        return (
            cosine,
            max(cosine - _HIGH_COSINE, 0.0),
            change.is_told,
            change.is_replaced,
            2 * len(common) > len(telling) if is_pairs else lacking <= len(common),
            max(older.cosine - newer.cosine, 0.0),
            shared / (min(len(said.all_terms()), len(before.all_terms())) or 1),
            self._heaviest(common),
            self._heaviest(term for term in newer.terms if term not in telling and not is_generic(term)),
            len(before.text) / _LENGTH_CHARS,
            len(said.text) / _LENGTH_CHARS,
        )

    def look(self, change: Change, older: "Memory") -> tuple[float, ...]:
        """What they say where they speak of one thing; the last is a veto."""
        now, before = self._said_of(change.memory).facing(self._said_of(older))
        strays_anywhere, strays = now.strays(before, older.terms)
        has_subject = before.opens_with(older.terms) in change.memory.terms
        is_remeasured = now.remeasures(before)
        share = len(before.terms() & now.terms()) / (min(len(before.terms()), len(now.terms())) or 1)
        is_sibling = strays_anywhere and not change.is_told and share >= _ALIKE
        return (
            change.is_ending and now.drops_value_of(before, older.terms),
            not strays,
            now.is_of_another_kind(before),
            has_subject and is_remeasured,
            is_sibling,
            now.leaves(older.terms) and not is_remeasured,
        )

    def _heaviest(self, terms: "Iterable[str]") -> float:
        """The most that one of some terms weighs in the prompt; 0 for none."""
        return min(max((self._weights.get(term, 0.0) for term in terms), default=0.0), _MOST_WEIGHT)

    def says_so(self, change: Change, older: "Memory") -> bool:
        """The newer one says of itself that it supersedes: it tells of a replacement or an end, or of another measure.

        So does any change that comes nearer to the question than what it changed.
        """
        if change.is_replaced or says_an_end(self._said_of(change.memory).text):
            return True
        if change.is_told and change.memory.cosine > older.cosine + _NEARER:
            return True
        return self._said_of(change.memory).remeasures(self._said_of(older))

    def says_gone(self, change: Change, older: "Memory") -> bool:
        """It says word by word that the older one's value is gone: "we dropped tsup"."""
        if not change.is_ending:
            return False
        now, before = self._said_of(change.memory).facing(self._said_of(older))
        return now.drops_value_of(before, older.terms)

    def _better_older(self, newer: "Memory", older: "Memory", cosine: float) -> float:
        """By how much another memory from before comes nearer to the newer one."""
        earlier = [one for one in self._sources.values() if one.at < newer.at]
        nearest = [self._cosine(newer, one) or 0.0 for one in earlier if _is_third(one, newer, older)]
        return max([*nearest, cosine]) - cosine

    def _said_of(self, memory: "Memory") -> Said:
        """What its whole message says: "Actually, …" is no part of a statement."""
        key = source(memory)
        if key not in self._said:
            self._said[key] = Said(self.messages.get(key, memory).text, memory.terms)
        return self._said[key]

    def _cosine(self, one: "Memory", other: "Memory") -> float | None:
        pair = id(one), id(other)
        if pair not in self._cosines:
            a, b = self._rows.get(one.row_key()), self._rows.get(other.row_key())
            if a is None or b is None:
                self._cosines[pair] = None
            else:
                from awhm_hooks.recall.vectors import cosine  # loaded where there are rows, and not for words alone

                self._cosines[pair] = cosine(a, b)
        return self._cosines[pair]


def _most(weights: tuple[float, ...], change: Change) -> float:
    """The most that a look can add: it takes most of the time, so it is done where it may decide."""
    drops, same, _, remeasured, _, _ = weights
    return same + remeasured + (drops if change.is_ending else 0.0)


def _weighed(weights: tuple[float, ...], signs: tuple[float, ...]) -> float:
    return float(sum(map(mul, weights, signs)))


def _promise(memory: "Memory") -> tuple[bool, float]:
    return memory.follows, memory.score


def _is_third(one: "Memory", newer: "Memory", older: "Memory") -> bool:
    return source(one) not in (source(newer), source(older))


def _may_supersede(change: Change, older: "Memory", cosine: float) -> bool:
    """A quick look, for most pairs have nothing in common: comparing the rest took 2.5 ms of a prompt."""
    if cosine < _LEAST_COSINE:
        return False
    if cosine >= _ENOUGH_COSINE or change.is_ending or change.is_told:
        return True
    return not set(older.terms).isdisjoint(change.memory.terms)


def _is_unsure(sentence: str) -> bool:
    """Whether something is only considered, as in "maybe we move to NATS"; not so "I would rather have fastp"."""
    said = words(sentence)
    if not _SURE.isdisjoint(said):
        said.discard("would")
    lower = sentence.lower()
    if "not" in said or "would you" in lower or "could you" in lower:  # "could not tell the two apart"
        said -= {"could", "would"}
    return not _UNSURE.isdisjoint(said) or any(phrase in lower for phrase in _UNSURE_PHRASES)


def _tells_a_change(lower: str, marks: set[str]) -> bool:
    if not _CHANGED.isdisjoint(marks) or any(phrase in lower for phrase in _PHRASES):
        return True
    return is_cjk(lower) and any(mark in lower for mark in _CJK_CHANGED)


def _tells_a_replacement(lower: str, marks: set[str]) -> bool:
    if not _REPLACED.isdisjoint(marks) or any(phrase in lower for phrase in _REPLACED_PHRASES):
        return True
    return is_cjk(lower) and any(mark in lower for mark in _CJK_REPLACED)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from awhm_hooks.recall.memory import Memory

    Vectors = Callable[[list[Memory]], dict[tuple[int, str, str], bytes]]
