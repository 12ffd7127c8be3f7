"""What was said of something before it changed.

The patterns see that "the default branch was renamed to trunk" replaces "the default branch is master" where both fill
one slot. Most changes are told in passing ("Tomasz has taken the on-call phone over"), so two memories are compared
when they stand side by side before a prompt: the newer one replaces the older where it tells of a change and both say
the same kind of thing. Each condition and its threshold is from 41 changes and 25 pairs that only share their subject
(docs/quality.md has the figures).
"""

from awhm_hooks.graph.model import MESSAGE
from awhm_hooks.recall.generic import is_generic
from awhm_hooks.recall.tokens import tokenise

_SAME_COSINE = 0.57
_SAME_COSINE_CJK = 0.5
_LIKE_COSINE = 0.45
_LIKE_SHARE = 0.5
_REPLACED_SHARE = 0.6
_OTHER_COSINE = 0.3
_RESTATED_COSINE = 0.88
_RESTATED_SHARE = 0.6
_AS_NEAR = 0.15
_NEAR = 0.3
_MOST = 8
_MOST_READ = 60
_MOST_CHANGES = 20
_CHARS = 600
_FULL_CHARS = 240
_MORE_CHARS = 15
_CJK = "\u2e80"

# Words that say that one thing took another's place or was said wrongly, and those that only tell of something new.
_REPLACED = frozenset(
    (
        "moved switched migrated changed renamed replaced swapped upgraded downgraded bumped raised lowered taken took"
        " actually correction scrap forget korrektur corrección"
        " umgestiegen gewechselt umgezogen ersetzt umbenannt abgelöst"
        " cambiamos cambió cambiado pasamos migramos migrado movimos reemplazamos reemplazado sustituido renombrado"
    ).split()
)
_CHANGED = _REPLACED.union(
    (
        "now nowadays longer anymore instead since gone left meanwhile formerly"
        " updated reduced increased dropped retired deprecated removed went became turned rolled"
        " jetzt nunmehr inzwischen mittlerweile neuerdings stattdessen statt geändert erhöht gesenkt seit"
        " ahora ya movido sustituimos renombramos actualizamos actualizado subimos bajamos desde"
    ).split()
)
_PHRASES = ("these days", "any more", "as of ", "from now on", "nicht mehr", "kein mehr", "ab sofort", "ab jetzt")
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
    "もう",
    "今は",
    "訂正",
    "更正",
)
_UNSURE = frozenset(
    (
        "maybe perhaps should could might would consider considering thinking wonder suppose"
        " vielleicht könnte könnten sollte sollten würde quizás quizá podríamos deberíamos"
    ).split()
)
_EDGES = ".,;:!?()\"'“”„"


def without_outdated(kept: "list[Memory]", candidates: "list[Memory]", vectors: "Vectors | None") -> "list[Memory]":
    """What is kept without what a newer candidate replaces; that takes the place of the first that it replaces.

    `vectors` gives the stored rows of memories, by `row_key`; None where there are none: then words alone decide.
    """
    messages = {_source(one): one for one in candidates if one.family == MESSAGE}
    first = kept[:_MOST]
    changes = _changes(first, candidates, messages, vectors is not None)
    if changes:
        memories = first + [change.memory for change in changes]
        pairs = _Pairs(vectors(memories) if vectors else {})
        for n, memory in enumerate(first):
            newer = [change.memory for change in changes if pairs.replaces(change, memory)]
            if newer:
                first[n] = max(newer, key=_newest)
    return list(dict.fromkeys(_in_full(memory, messages) for memory in first + kept[_MOST:]))


def _newest(memory: "Memory") -> tuple[float, bool]:
    return memory.at, memory.family == MESSAGE


class _Change:
    """A memory that may replace older ones: whether it tells of a change, and of one thing in another's place."""

    __slots__ = ("is_replaced", "is_told", "memory")

    def __init__(self, memory: "Memory", is_told: bool, is_replaced: bool) -> None:
        self.memory = memory
        self.is_told = is_told
        self.is_replaced = is_replaced


def _changes(
    kept: "list[Memory]", candidates: "list[Memory]", messages: "dict[tuple[str, str], Memory]", has_rows: bool
) -> list[_Change]:
    """The candidates that may replace something, best first; without rows, a change must be told as one."""
    oldest = min((memory.at for memory in kept), default=0.0)
    wanted = {term for memory in kept for term in memory.terms}
    found = []
    for memory in sorted(candidates, key=_score, reverse=True)[:_MOST_READ]:
        if memory.at <= oldest or memory.role == "assistant":
            continue
        if memory.cosine < _NEAR and wanted.isdisjoint(memory.terms):
            continue
        text = messages.get(_source(memory), memory).text[:_CHARS].lower()  # "Actually, …" is no part of a statement
        words = {word.strip(_EDGES) for word in text.split()}
        is_told = _tells_a_change(text, words)
        if (is_told or has_rows) and _UNSURE.isdisjoint(words) and not text.rstrip().endswith(("?", "？")):
            found.append(_Change(memory, is_told, not _REPLACED.isdisjoint(words)))
    return found[:_MOST_CHANGES]


def _score(memory: "Memory") -> float:
    return memory.score


def _tells_a_change(lower: str, words: set[str]) -> bool:
    if not _CHANGED.isdisjoint(words) or any(phrase in lower for phrase in _PHRASES):
        return True
    return _is_cjk(lower) and any(mark in lower for mark in _CJK_CHANGED)


def _is_cjk(text: str) -> bool:
    return any(character > _CJK for character in text)


def _source(memory: "Memory") -> tuple[str, str]:
    return memory.session, memory.message_id


def _in_full(memory: "Memory", messages: "dict[tuple[str, str], Memory]") -> "Memory":
    """A short message in place of a statement that is a part of it: what it says beside belongs to it."""
    whole = messages.get(_source(memory)) if memory.family != MESSAGE else None
    if whole is None or not len(memory.text) + _MORE_CHARS <= len(whole.text) <= _FULL_CHARS:
        return memory
    return whole if memory.text in " ".join(whole.text.split()) else memory


class _Pairs:
    """Judges pairs of memories; each text is read once."""

    __slots__ = ("_rows", "_terms")

    def __init__(self, rows: "dict[tuple[int, str, str], bytes]") -> None:
        self._rows = rows
        self._terms: dict[int, set[str]] = {}

    def replaces(self, change: _Change, older: "Memory") -> bool:
        """Both say the same kind of thing of the same subject, and the newer one says that it changed."""
        newer = change.memory
        if newer.at <= older.at or _source(newer) == _source(older):
            return False
        cosine = self._cosine(newer, older)
        if cosine is not None and cosine < (_RESTATED_COSINE if not change.is_told else _OTHER_COSINE):
            return False
        as_near = older.cosine - newer.cosine <= _AS_NEAR
        own, other = self._content(older), self._content(newer)
        shared = len(own & other)
        if not shared:  # the subject may be an everyday word: "the build"
            is_same = cosine is not None and (cosine >= _SAME_COSINE or (cosine >= _LIKE_COSINE and as_near))
            return change.is_replaced and is_same and not set(older.terms).isdisjoint(newer.terms)
        share = shared / min(len(own), len(other))
        lacks = any(term not in newer.terms and not is_generic(term) and not _is_cjk(term) for term in older.terms)
        if not change.is_told:
            return cosine is not None and share >= _RESTATED_SHARE and not lacks
        if share >= _REPLACED_SHARE and shared > 1 and not lacks and change.is_replaced:
            return True
        if cosine is None:
            return share >= _LIKE_SHARE and (shared > 1 or change.is_replaced) and not lacks
        if lacks and not (change.is_replaced and as_near):
            return False
        if cosine >= (_SAME_COSINE_CJK if _is_cjk(older.text) else _SAME_COSINE):
            return True
        return cosine >= _LIKE_COSINE and share >= _LIKE_SHARE and as_near

    def _content(self, memory: "Memory") -> set[str]:
        known = self._terms.get(id(memory))
        if known is None:
            known = {term for term in tokenise(memory.text[:_CHARS]) if not is_generic(term)}
            self._terms[id(memory)] = known
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
