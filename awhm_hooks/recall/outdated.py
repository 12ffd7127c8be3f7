"""What was said of something before it changed: not told as if it were current.

The patterns see that "the default branch was renamed to trunk" replaces "the default branch is master" where both fill
one slot. Most changes are told in passing ("Tomasz has taken the on-call phone over"): `supersession` judges the pairs
that stand side by side before a prompt. What a newer memory supersedes gives it its place; what it may supersede is
told with the newer one behind it.
"""

from awhm_hooks.graph.model import MESSAGE
from awhm_hooks.recall.said import SENTENCE_ENDS
from awhm_hooks.recall.supersession import Change, Supersession, source

_SUPERSEDED_ODDS = -0.4  # where the newer one says so: three to two against
_SUPERSEDED_ODDS_BY_WORDS = 0.5  # by words alone: three to two in its favour
_PLAIN_ODDS = 2.0  # seven to one, where it does not
_DOUBTFUL_ODDS = -2.2  # a tenth
_MOST = 8
_FULL_CHARS = 240
_MORE_CHARS = 15
_ENDS = ".! "
_JOINTS = (",", ";", " and ", " but ", " because ", " so ", " und ", " weil ", " y ", " porque ")


def without_outdated(
    kept: "list[Memory]", candidates: "list[Memory]", weights: dict[str, float], vectors: "Vectors | None"
) -> "list[Memory]":
    """What is kept without what a newer candidate supersedes; that takes the place of the first that it supersedes.

    Where that is in doubt the newer one becomes the older one's `later`. `weights` are those of the prompt's terms;
    `vectors` gives the stored rows of memories, by `row_key`; None where there are none: then words alone decide.
    """
    first = kept[:_MOST]
    judged = Supersession(first, candidates, weights, vectors)
    messages = judged.messages
    newer: dict[tuple[str, str], Memory] = {}
    doubtful: list[tuple[float, Memory, Memory]] = []
    for memory in first if judged.changes else ():
        sure, odds, likeliest = _superseding(judged, memory)
        if sure:
            newer[source(memory)] = _latest(judged, sure)  # a message and its statements go together
        elif likeliest:
            doubtful.append((odds, memory, _latest(judged, likeliest)))
    told = [newer.get(source(memory), memory) for memory in first] + kept[_MOST:]
    told = list(dict.fromkeys(_in_full(memory, messages) for memory in told))
    return _with_later(told, doubtful, messages) if doubtful else told


def _superseding(judged: Supersession, memory: "Memory") -> "tuple[Memory | None, float, Memory | None]":
    """(the newest change that surely supersedes a memory, the log odds of the likeliest other one, that one)."""
    sure, likeliest, most = None, None, _DOUBTFUL_ODDS
    for change in judged.changes:
        odds = judged.odds(change, memory, _DOUBTFUL_ODDS)
        if _is_sure(judged, change, memory, odds):
            sure = max(sure or change.memory, change.memory, key=_newest)
        elif odds >= most:
            likeliest, most = change.memory, odds
    return sure, most, likeliest


def _is_sure(judged: Supersession, change: Change, older: "Memory", odds: float) -> bool:
    if odds >= (_SUPERSEDED_ODDS if judged.has_vectors else _SUPERSEDED_ODDS_BY_WORDS):
        return odds >= _PLAIN_ODDS or judged.says_so(change, older)
    return odds >= _DOUBTFUL_ODDS and judged.says_gone(change, older)


def _latest(judged: Supersession, memory: "Memory") -> "Memory":
    """What supersedes a memory and is not superseded itself; the memory where nothing does."""
    sure, _, _ = _superseding(judged, memory)
    return _latest(judged, sure) if sure else memory


def _newest(memory: "Memory") -> tuple[float, bool]:
    return memory.at, memory.family == MESSAGE


def _with_later(
    told: "list[Memory]", doubtful: "list[tuple[float, Memory, Memory]]", messages: "dict[tuple[str, str], Memory]"
) -> "list[Memory]":
    """Each with what may supersede it, which is told behind one memory only: the one it most likely supersedes."""
    there = {source(memory): memory for memory in reversed(told)}
    behind: dict[tuple[str, str], Memory] = {}
    for _, older, later in sorted(doubtful, key=lambda one: one[0], reverse=True):
        memory = there.get(source(older))
        is_free = memory and source(memory) not in behind and source(later) not in behind
        if memory and is_free and not memory.later and not there.get(source(later), later).later:
            memory.later = _in_full(later, messages)
            behind[source(later)] = memory
    return list(dict.fromkeys(behind.get(source(memory), memory) for memory in told))


def _in_full(memory: "Memory", messages: "dict[tuple[str, str], Memory]") -> "Memory":
    """A short message in place of a statement that is a part of it: what it says beside belongs to it.

    Of a longer one the statement's sentence is shown, as the user went on: "never in the code, they go into Strings/".
    """
    whole = messages.get(source(memory)) if memory.family != MESSAGE else None
    if whole is None:
        return memory
    is_little_more = len(whole.text) < len(memory.text) + _MORE_CHARS
    if is_little_more and whole.text.rstrip(_ENDS).endswith(memory.text.rstrip(_ENDS)):
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


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.recall.memory import Memory
    from awhm_hooks.recall.supersession import Vectors
