"""What is asked of memory: a prompt or a question, from where, and what is in the context window already."""

from awhm_hooks.graph import model
from awhm_hooks.graph.validity import valid_at
from awhm_hooks.recall.generic import is_generic
from awhm_hooks.recall.intent import is_foreign
from awhm_hooks.recall.tokens import kindred, tokenise

MAX_TERMS = 64
# A longer query says enough as it is, and each term is a look-up. Asked, where the ranking counts, they cost 0.2
# points of nDCG@10 on LoCoMo.
_KINDRED_TERMS = 8
_EDGE_CHARS = 2_000


class Request:
    """A question to memory.

    `project` None sees every project. `now` is epoch seconds; `as_of`, such a moment, asks for what was true then.
    `unasked` is a prompt that nobody put to memory: only what is plainly about it is handed back. `kin` are terms that
    may stand in a memory for some of the query's, with those; `meant` is what the model is asked.
    """

    __slots__ = (
        "as_of",
        "current",
        "history",
        "injected",
        "is_foreign",
        "kin",
        "meaning",
        "meant",
        "now",
        "own",
        "pending",
        "project",
        "terms",
        "text",
        "unasked",
    )

    def __init__(self, text: str, project: str | None, unasked: bool, now: float) -> None:
        self.text = edges(text)
        self.terms = list(dict.fromkeys(tokenise(self.text)))[:MAX_TERMS]
        self.meant = self.text
        self.is_foreign = is_foreign(self.text)
        self.kin: dict[str, list[str]] = _kin(self.terms) if unasked else {}
        if self.is_foreign:
            self._translate()
        self.project = project
        self.unasked = unasked
        self.now = now
        self.own: Buffer | None = None
        self.pending: list[Buffer] = []
        self.current: list[BufferedStatement] = []
        self.injected: set[int] = set()
        self.meaning: Meaning | None = None
        self.history = False
        self.as_of: float | None = None

    def _translate(self) -> None:
        from awhm_hooks.recall.glossary import glossed, glosses

        found = glosses(self.text)
        self.meant = glossed(self.text, found)
        for word, meanings in found:
            own = [term for term in tokenise(word) if term in self.terms]
            for term in [term for meaning in meanings for term in tokenise(meaning)]:
                if term not in self.terms:
                    self.kin.setdefault(term, own)

    def buffers(self) -> "list[Buffer]":
        """The asking session's buffer, and those of the sessions that wait for consolidation."""
        return [self.own, *self.pending] if self.own else self.pending

    def is_shown(self, node: "Node") -> bool:
        """What was true at the moment that is asked about; all but retracted nodes where history is asked for.

        A statement may be superseded from a day on that is still to come: until then it holds. Unasked, what is to
        hold from such a day on is told before: its words say from when.
        """
        if self.history and self.as_of is None:
            return True
        moment = self.now if self.as_of is None else self.as_of
        begin = None if self.unasked else node.valid_from
        if node.status == model.RETRACTED or not valid_at(begin, node.valid_to, moment):
            return False
        return node.status == model.ACTIVE or self.as_of is not None or node.valid_to is not None


def _kin(terms: list[str]) -> dict[str, list[str]]:
    if len(terms) > _KINDRED_TERMS:
        return {}
    pairs = [(kindred(term), term) for term in terms if not is_generic(term)]
    return {other: [term] for other, term in pairs if other and other not in terms and not is_generic(other)}


def edges(text: str) -> str:
    """A prompt as memory is asked: of a long one its beginning and end, where the question stands."""
    if len(text) > 2 * _EDGE_CHARS:
        return text[:_EDGE_CHARS] + "\n" + text[-_EDGE_CHARS:]
    return text


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.graph.model import Node
    from awhm_hooks.journal.buffer import Buffer, BufferedStatement
    from awhm_hooks.recall.meaning import Meaning
