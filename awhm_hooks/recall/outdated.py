"""What was said of something before it changed.

The patterns see that "the default branch was renamed to trunk" replaces "the default branch is master" where both fill
one slot. Most changes are told in passing ("Tomasz has taken the on-call phone over"), so two memories are compared
when they stand side by side before a prompt: the newer one replaces the older where both say the same kind of thing and
it tells of a change, or holds another value of one kind. The conditions and their thresholds are from 41 changes and 25
pairs that only share their subject, and from the sets of `bench/injection.py` (docs/quality.md has the figures).
"""

from awhm_hooks.graph.model import MESSAGE
from awhm_hooks.recall.generic import is_generic
from awhm_hooks.recall.intent import is_cjk, is_lone_question
from awhm_hooks.recall.said import SENTENCE_ENDS, Said, tells_of_an_end, words
from awhm_hooks.recall.tokens import kindred

_SAME_COSINE = 0.58
_SAME_COSINE_CJK = 0.5
_LIKE_COSINE = 0.45
_LIKE_SHARE = 0.5
_REPLACED_SHARE = 0.6
_OTHER_COSINE = 0.3
_ABOUT_COSINE = 0.4
_COMMON = 2
_OTHERWISE_NEAR = 0.3
_NAMED_COSINE = 0.45
_ALONE_COSINE = 0.5
_COMMON_CJK = 4
_SHARE_CJK = 0.25
_DROPPED_COSINE = 0.2
_GIVEN_UP_COSINE = 0.3
_NAMED_GIVEN_UP_COSINE = 0.4
_REMEASURED_COSINE = 0.2
_ALIKE_COSINE = 0.75
_ALIKE_SHARE = 0.3
_RESTATED_COSINE = 0.88
_RESTATED_SHARE = 0.6
_AS_NEAR = 0.15
_NEAR = 0.3
_REPLACED_COSINE = 0.38
_REPLACED_NEAR = 0.2
_NEARER = -0.2
_ABOUT_SHARE = 0.4
_UNTOLD_COSINE = 0.6
_HARDLY = 0.05
_TOLD_COSINE = 0.35
_TOLD_WEIGHT, _COMMON_WEIGHT, _WHOLE_WEIGHT, _SAME_WEIGHT, _CJK_WEIGHT, _DOUBT = 1.25, 0.23, 0.09, 0.15, 0.26, 0.88
FOLLOWS = "follows"  # among the features of what was found by an older memory's words, and not by the query's
_MOST = 8
_MOST_READ = 60
_MOST_CHANGES = 20
_FULL_CHARS = 240
_MORE_CHARS = 15
_JOINTS = (",", ";", " and ", " but ", " because ", " so ", " und ", " weil ", " y ", " porque ")

# Words that say that one thing took another's place or was said wrongly, and those that only tell of something new.
_REPLACED = frozenset(
    (
        "moved switched migrated changed rewrote rewritten ported ripped instead renamed replaced swapped"
        " upgraded downgraded bumped raised lowered halved doubled tripled taken took handed rebranded merged"
        " actually correction scrap scratch forget swap korrektur corrección"
        " umgestiegen gewechselt umgezogen ersetzt umbenannt abgelöst inzwischen mittlerweile neuerdings"
        " cambiamos cambió cambiado pasamos migramos migrado movimos reemplazamos reemplazado sustituido renombrado"
    ).split()
)
_CHANGED = _REPLACED.union(
    (
        "now nowadays longer anymore since gone left meanwhile formerly"
        " updated reduced increased pushed shifted slipped delayed postponed dropped retired deprecated removed"
        " went became turned rolled lives ended after goodbye former"
        " jetzt nunmehr stattdessen statt geändert erhöht gesenkt seit"
        " ahora ya movido sustituimos renombramos actualizamos actualizado subimos bajamos desde"
    ).split()
)
_FIRM = (
    *("from now on", "from here on", "from today on", "ab sofort", "ab jetzt", "ab heute"),
    *("a partir de ahora", "a partir de hoy", "desde hoy"),
)
_REPLACED_PHRASES = (
    *("no longer", "any more", "anymore", "took over", "got rid of", "rather than", "as of ", "since last "),
    *("nicht mehr", "sondern ", "ya no ", *_FIRM),
)
_PHRASES = ("these days", "turns out", "kein mehr", *_REPLACED_PHRASES)
_CJK_CHANGED = (
    "改",
    "换",
    "換",
    "现在",
    "現在",
    "不再",
    "迁移",
    "移行",
    "変更",
    "変わ",
    "変え",
    "延ば",
    "短縮",
    "乗り換え",
    "引き継",
    "交给",
    "放宽",
    "调到",
    "调整",
    "搬到",
    "不用",
    "もう",
    "今は",
    "訂正",
    "更正",
)
_UNSURE = frozenset(
    (
        "maybe perhaps could might would consider considering thinking wonder suppose"
        " vielleicht könnte könnten würde quizás quizá podríamos"
    ).split()
)
_WISHED = frozenset("should sollte sollten deberíamos debería".split())
# "I would actually prefer fastp", "who would have thought"
_SURE = frozenset("like prefer rather love thought".split())


def without_outdated(kept: "list[Memory]", candidates: "list[Memory]", vectors: "Vectors | None") -> "list[Memory]":
    """What is kept without what a newer candidate replaces; that takes the place of the first that it replaces.

    `vectors` gives the stored rows of memories, by `row_key`; None where there are none: then words alone decide.
    """
    messages = {_source(one): one for one in candidates if one.family == MESSAGE}
    first = kept[:_MOST]
    changes = _changes(first, candidates, messages, vectors is not None)
    if changes:
        memories = first + [change.memory for change in changes]
        pairs = _Pairs(vectors(memories) if vectors else {}, changes)
        latest = [pairs.latest(memory) for memory in first]
        replaced = {_source(memory): now for memory, now in zip(first, latest, strict=True) if now is not memory}
        first = [replaced.get(_source(memory), memory) for memory in first]  # a message and its statements go together
    return list(dict.fromkeys(_in_full(memory, messages) for memory in first + kept[_MOST:]))


def _newest(memory: "Memory") -> tuple[float, bool]:
    return memory.at, memory.family == MESSAGE


class _Change:
    """A memory that may replace older ones: whether it tells of a change, of one thing in another's place, of an end.

    `said` is what its message says. What is only wished replaces another measure: "it should be run with 550 users".
    """

    __slots__ = ("is_ending", "is_replaced", "is_told", "is_wished", "memory", "said")

    def __init__(self, memory: "Memory", said: Said, is_told: bool, is_replaced: bool, is_wished: bool) -> None:
        self.is_ending = tells_of_an_end(said.text)
        self.memory = memory
        self.said = said
        self.is_told = is_told
        self.is_replaced = is_replaced
        self.is_wished = is_wished


def _changes(
    kept: "list[Memory]", candidates: "list[Memory]", messages: "dict[tuple[str, str], Memory]", has_rows: bool
) -> list[_Change]:
    """The candidates that may replace something, best first; without rows, a change must be told as one."""
    oldest = min((memory.at for memory in kept), default=0.0)
    wanted = {term for memory in kept for term in memory.terms}
    found = []
    for memory in sorted(candidates, key=_promise, reverse=True)[:_MOST_READ]:
        if memory.at <= oldest or memory.role == "assistant":
            continue
        if memory.cosine < _NEAR and wanted.isdisjoint(memory.terms) and FOLLOWS not in memory.features:
            continue
        whole = messages.get(_source(memory), memory)  # "Actually, …" is no part of a statement
        said = Said(whole.text, memory.terms)
        around = said.sentence if any(_doubts(said.around)) else said.around
        marks = words(around)
        is_told = _tells_a_change(around.lower(), marks)
        is_unsure, is_wished = _doubts(said.sentence) if memory.family == MESSAGE else (False, False)
        if (is_told or has_rows) and not is_unsure and not is_lone_question(said.sentence):
            found.append(_Change(memory, said, is_told, _tells_a_replacement(around.lower(), marks), is_wished))
        if len(found) == _MOST_CHANGES:
            break
    return found


def _promise(memory: "Memory") -> tuple[bool, float]:
    return FOLLOWS in memory.features, memory.score


def _tells_a_change(lower: str, marks: set[str]) -> bool:
    if not _CHANGED.isdisjoint(marks) or any(phrase in lower for phrase in _PHRASES):
        return True
    return is_cjk(lower) and any(mark in lower for mark in _CJK_CHANGED)


def _doubts(sentence: str) -> tuple[bool, bool]:
    """Whether something is only considered, "maybe we move to NATS", and only wished, "we should move".

    Not so "I would rather have fastp", "from here on it should log JSON".
    """
    said = words(sentence)
    if not _SURE.isdisjoint(said):
        said.discard("would")
    is_wished = not _WISHED.isdisjoint(said) and not any(phrase in sentence.lower() for phrase in _FIRM)
    return not _UNSURE.isdisjoint(said), is_wished


def _tells_a_replacement(lower: str, marks: set[str]) -> bool:
    return not _REPLACED.isdisjoint(marks) or any(phrase in lower for phrase in _REPLACED_PHRASES)


def _source(memory: "Memory") -> tuple[str, str]:
    return memory.session, memory.message_id


def _in_full(memory: "Memory", messages: "dict[tuple[str, str], Memory]") -> "Memory":
    """A short message in place of a statement that is a part of it: what it says beside belongs to it.

    Of a longer one the statement's sentence is shown, as the user went on: "never in the code, they go into Strings/".
    """
    whole = messages.get(_source(memory)) if memory.family != MESSAGE else None
    if whole is None or len(whole.text) < len(memory.text) + _MORE_CHARS:
        return memory
    if len(whole.text) <= _FULL_CHARS:
        return whole if memory.text in " ".join(whole.text.split()) else memory
    said = "\n".join(" ".join(line.split()) for line in whole.text.splitlines())
    begin = said.find(memory.text)
    end = begin + len(memory.text)
    if begin >= 0 and said.startswith(_JOINTS, end):
        memory.shown = said[begin : _sentence_end(said, end)]
    return memory


def _sentence_end(text: str, begin: int) -> int:
    ends = [at for end in (*SENTENCE_ENDS, "\n") if (at := text.find(end, begin, begin + _FULL_CHARS)) >= 0]
    return min(ends, default=begin if len(text) > begin + _FULL_CHARS else len(text))


class _Pair:
    """What a newer and an older memory have in common.

    `shared`: their terms, and `share` of them in the shorter one; `common` and `lacking`: of the query's terms that the
    older one holds, those that the newer one holds (whether it `covers` most of them) and lacks; `distance`: how much
    nearer to the query the older is.
    """

    __slots__ = (
        "asked",
        "before",
        "common",
        "covers",
        "distance",
        "has_subject",
        "is_asked_of_both",
        "is_cjk",
        "lacking",
        "now",
        "share",
        "shared",
    )

    def __init__(self, now: Said, before: Said, newer: "Memory", older: "Memory") -> None:
        self.now = now
        self.before = before
        self.asked = older.terms
        self.shared = len(before.terms() & now.terms())
        self.share = self.shared / (min(len(before.terms()), len(now.terms())) or 1)
        telling = [term for term in older.terms if not is_generic(term)]
        lacking = [term for term in telling if term not in newer.terms and kindred(term) not in newer.terms]
        self.common = len(telling) - len(lacking)
        self.lacking = sum(1 for term in lacking if not is_cjk(term))
        self.has_subject = before.opens_with(set(older.terms)) in newer.terms
        self.is_asked_of_both = not set(older.terms).isdisjoint(newer.terms)
        self.is_cjk = is_cjk(before.text)
        self.covers = 2 * self.common > len(telling) if self.is_cjk else self.lacking <= self.common
        self.distance = older.cosine - newer.cosine


def _replaces_by_words(change: _Change, pair: _Pair) -> bool:
    if change.is_ending and pair.is_asked_of_both and pair.now.gives_up(pair.before, pair.asked):
        return not _is_another_matter(pair)
    if not change.is_told or pair.lacking or not pair.shared:
        return False
    return pair.share >= _LIKE_SHARE and (pair.shared > 1 or change.is_replaced)


def _replaces(change: _Change, pair: _Pair, cosine: float) -> bool:
    if _is_another_matter(pair):
        return False
    if _is_given_up(change, pair, cosine) or _is_remeasured(change, pair, cosine):
        return True
    if _outweighs(change, pair, cosine) or _answers_as_well(change, pair, cosine):
        return True
    if cosine < (_OTHER_COSINE if change.is_told else _SAME_COSINE):
        return False
    is_near = pair.distance <= _AS_NEAR
    if not pair.shared:  # the subject may be an everyday word: "the build"
        is_same = cosine >= _SAME_COSINE or (cosine >= _LIKE_COSINE and is_near)
        return change.is_replaced and is_same and pair.is_asked_of_both
    answers = (pair.covers and pair.common >= _COMMON_CJK) if pair.is_cjk else pair.common >= _COMMON
    is_alike = answers and 2 * pair.lacking <= pair.common and pair.distance <= _OTHERWISE_NEAR
    if is_alike and cosine >= _SAME_COSINE and change.is_told and pair.now.contradicts(pair.before):
        return True
    if not change.is_told:
        return cosine >= _RESTATED_COSINE and pair.share >= _RESTATED_SHARE and not pair.lacking
    least = _OTHER_COSINE if change.is_replaced and pair.share >= _LIKE_SHARE else _NAMED_COSINE
    if (change.is_replaced or answers) and cosine >= least and pair.now.names_value_of(pair.before, pair.asked):
        return True
    is_told_alike = is_alike and (change.is_replaced or pair.common > _COMMON)
    if is_told_alike and cosine >= _ALONE_COSINE and pair.now.tells_a_value_beyond(pair.before):
        return True
    if change.is_replaced and pair.share >= _REPLACED_SHARE and pair.shared > 1 and not pair.lacking:
        return True
    if is_near and _tells_anew(change, pair, cosine, answers):
        return True
    if pair.lacking and not (change.is_replaced and is_near):
        return False
    if pair.is_cjk:
        return pair.covers and cosine >= _SAME_COSINE_CJK and pair.share >= _SHARE_CJK
    return cosine >= _SAME_COSINE or (cosine >= _LIKE_COSINE and pair.share >= _LIKE_SHARE and is_near)


def _is_another_matter(pair: _Pair) -> bool:
    if pair.now.is_of_another_kind(pair.before):
        return True
    if pair.now.leaves(pair.asked) and not pair.now.remeasures(pair.before):
        return True
    if not pair.lacking or not pair.shared or pair.has_subject:
        return False
    return not pair.now.is_about_the_same(pair.before, pair.asked)


def _is_given_up(change: _Change, pair: _Pair, cosine: float) -> bool:
    named = pair.now.gives_up(pair.before, pair.asked) if change.is_ending else 0
    if not named:
        return False
    if cosine >= _DROPPED_COSINE and pair.now.drops_value_of(pair.before, pair.asked):
        return True
    return cosine >= (_GIVEN_UP_COSINE if pair.is_asked_of_both or named > 1 else _NAMED_GIVEN_UP_COSINE)


def _is_remeasured(change: _Change, pair: _Pair, cosine: float) -> bool:
    is_alike = cosine >= _ALIKE_COSINE and pair.share >= _ALIKE_SHARE
    if not (pair.has_subject or is_alike) or not pair.now.remeasures(pair.before):
        return False
    if not pair.lacking:
        least = _OTHER_COSINE if change.is_told else _ABOUT_COSINE
        if pair.common >= _COMMON:
            least = _REMEASURED_COSINE
    else:
        least = _ABOUT_COSINE if change.is_replaced else _ALONE_COSINE if change.is_told else _SAME_COSINE
    return cosine >= least and pair.now.is_about_the_same(pair.before, pair.asked)


def _outweighs(change: _Change, pair: _Pair, cosine: float) -> bool:
    """Another value stands in the newer one, and the signs that it is the same thing's outweigh a doubt together.

    No sign need be strong: the weights are those of a logistic regression on 2,750 pairs (docs/quality.md).
    """
    now, before = pair.now, pair.before
    if pair.lacking > pair.common + (change.is_told and pair.common >= _COMMON):
        return False
    if pair.lacking and not change.is_told and pair.distance > _HARDLY:
        return False
    evidence = cosine * (_TOLD_WEIGHT if change.is_told else 1.0)
    evidence += _COMMON_WEIGHT * (pair.common >= _COMMON) + _WHOLE_WEIGHT * (not pair.lacking)
    evidence -= _CJK_WEIGHT * pair.is_cjk
    if evidence + _SAME_WEIGHT < _DOUBT:  # most pairs: what is compared below is read word by word
        return False
    if evidence < _DOUBT and not now.is_about_the_same(before, pair.asked):
        return False
    return now.contradicts(before) or now.remeasures(before) or now.names_value_of(before, pair.asked)


def _answers_as_well(change: _Change, pair: _Pair, cosine: float) -> bool:
    """The newer one holds most of what the older one does of the question, and comes about as near to it."""
    if cosine < _OTHER_COSINE or not pair.common or not pair.covers:
        return False
    answers = pair.common >= _COMMON
    if change.is_told and _tells_a_replacement(pair.now.sentence.lower(), words(pair.now.sentence)):
        is_like = pair.share >= _ALIKE_SHARE and pair.distance <= (_OTHERWISE_NEAR if answers else _HARDLY)
        if is_like or pair.distance <= _NEARER:
            return True
        return cosine >= _REPLACED_COSINE and pair.distance <= (_OTHERWISE_NEAR if answers else _REPLACED_NEAR)
    if pair.lacking:
        return False
    if change.is_told:
        return cosine >= _TOLD_COSINE and answers and pair.distance <= (_REPLACED_NEAR if pair.is_cjk else 0)
    if answers and cosine >= _ABOUT_COSINE and pair.distance <= _NEARER:
        return True
    least = _ABOUT_SHARE if answers and not pair.is_cjk else _LIKE_SHARE
    return cosine >= _UNTOLD_COSINE and pair.share >= least and pair.distance <= (_AS_NEAR if answers else _HARDLY)


def _tells_anew(change: _Change, pair: _Pair, cosine: float, answers: bool) -> bool:
    """Both hold what is asked about, and the newer one a value that the older one lacks."""
    if answers:
        is_close = cosine >= _ABOUT_COSINE
    else:
        is_close = cosine >= _ALONE_COSINE and pair.common > 0 and not pair.lacking and not pair.is_cjk
    return is_close and (change.is_replaced or pair.is_cjk or pair.now.tells_a_value_beyond(pair.before))


class _Pairs:
    """Judges pairs of memories."""

    __slots__ = ("_changes", "_rows", "_said")

    def __init__(self, rows: "dict[tuple[int, str, str], bytes]", changes: list[_Change]) -> None:
        self._changes = changes
        self._rows = rows
        self._said = {id(one.memory): one.said for one in changes if one.memory.family == MESSAGE}

    def latest(self, memory: "Memory") -> "Memory":
        """What replaces a memory and is not replaced itself; the memory where nothing does."""
        newer = [change.memory for change in self._changes if self.replaces(change, memory)]
        return self.latest(max(newer, key=_newest)) if newer else memory

    def replaces(self, change: _Change, older: "Memory") -> bool:
        """Both say the same kind of thing of the same subject, and the newer one says it otherwise."""
        newer = change.memory
        if newer.at <= older.at or _source(newer) == _source(older):
            return False
        cosine = self._cosine(newer, older)
        if cosine is not None and not self._may_replace(change, older, cosine):
            return False
        now, before = self._of(newer).facing(self._of(older))
        if change.is_wished and not now.remeasures(before):
            return False
        pair = _Pair(now, before, newer, older)
        return _replaces_by_words(change, pair) if cosine is None else _replaces(change, pair, cosine)

    def _may_replace(self, change: _Change, older: "Memory", cosine: float) -> bool:
        """A quick look, for most pairs have nothing in common: comparing the rest took 2.5 ms of a prompt."""
        if cosine < _REMEASURED_COSINE:
            return False
        if cosine >= _LIKE_COSINE or change.is_ending:
            return True
        return not set(older.terms).isdisjoint(change.memory.terms)

    def _of(self, memory: "Memory") -> Said:
        known = self._said.get(id(memory))
        if known is None:
            known = self._said[id(memory)] = Said(memory.text, memory.terms)
        return known

    def _cosine(self, one: "Memory", other: "Memory") -> float | None:
        a, b = self._rows.get(one.row_key()), self._rows.get(other.row_key())
        if a is None or b is None:
            return None
        from awhm_hooks.recall.vectors import cosine  # loaded where there are rows, and not for words alone

        return cosine(a, b)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from awhm_hooks.recall.memory import Memory

    Vectors = Callable[[list[Memory]], dict[tuple[int, str, str], bytes]]
