"""From hits to memories: evidence, fusion of features, abstention.

A candidate's relevance is the share of the query's weight that it holds: each query term weighs its idf, smoothed so
that a store of three memories judges like one of thousands, and less where it is a word that any request is made of.
The share answers "is this about what was asked?", which a BM25 score, open upwards, does not.
"""

from awhm_hooks.graph.model import ACTIVE, ENTITY, MESSAGE, PREFERENCE
from awhm_hooks.recall import lexical
from awhm_hooks.recall.generic import GENERIC
from awhm_hooks.recall.tokens import tokenise

CANDIDATES = 60
_PRIOR_DOCS = 400  # documents without the term, assumed besides those of the store
_GENERIC_WEIGHT = 0.35
_PREFER_WEIGHT = 0.6
_PREFER_STEMS = frozenset(("prefer", "favourit", "favorit", "lik", "preferenc"))


class Abstention:
    """What a memory must show before it is handed back unasked, or asked for."""

    __slots__ = ("message_relevance", "message_terms", "statement_relevance")

    def __init__(self, statement_relevance: float, message_relevance: float, message_terms: int) -> None:
        self.statement_relevance = statement_relevance
        self.message_relevance = message_relevance
        self.message_terms = message_terms


UNASKED = Abstention(0.34, 0.55, 2)
ASKED = Abstention(0.05, 0.05, 1)
_FOCUSED = 0.5


class Memory:
    """A candidate for recall, from the buffer, a pending session's log, or the graph. Times are epoch seconds."""

    __slots__ = (
        "at",
        "family",
        "features",
        "key",
        "message_id",
        "node",
        "origin",
        "project",
        "role",
        "score",
        "session",
        "status",
        "terms",
        "text",
        "uid",
        "user_scope",
        "valid_from",
        "valid_to",
    )

    def __init__(self, origin: str, family: str, text: str, at: float, terms: list[str]) -> None:
        self.origin = origin  # "buffer", "log" or "graph"
        self.family = family
        self.text = text
        self.at = at
        self.terms = terms
        self.key: str | None = None
        self.message_id = ""
        self.node = 0
        self.project = ""
        self.role = ""
        self.session = ""
        self.status = ACTIVE
        self.uid = ""
        self.user_scope = False
        self.valid_from: float | None = None
        self.valid_to: float | None = None
        self.features: dict[str, float] = {}
        self.score = 0.0


class Query:
    """A query's terms with their weights."""

    __slots__ = ("terms", "total", "weights")

    def __init__(self, terms: list[str], frequencies: dict[str, int], docs: int) -> None:
        self.terms = list(dict.fromkeys(terms))
        self.weights = {term: _term_weight(term, frequencies.get(term, 0), docs) for term in self.terms}
        self.total = sum(self.weights.values()) or 1.0

    def relevance(self, held: list[str]) -> float:
        """The share of the query's weight in the terms that a memory holds, 0 to 1."""
        return sum(self.weights.get(term, 0.0) for term in held) / self.total

    def focus(self, text: str, held: list[str]) -> float:
        """The share of a statement's own terms that the query holds, 0 to 1: a long prompt may ask in passing."""
        own = {term for term in tokenise(text) if term not in GENERIC}
        return len(own.intersection(held)) / len(own) if own else 0.0

    def specific(self, held: list[str]) -> int:
        """How many of the held terms say what the query is about."""
        return sum(1 for term in held if term in self.weights and term not in GENERIC)


def _term_weight(term: str, frequency: int, docs: int) -> float:
    weight = lexical.idf(docs + _PRIOR_DOCS, frequency)
    if term in _PREFER_STEMS:
        return weight * _PREFER_WEIGHT
    return weight * _GENERIC_WEIGHT if term in GENERIC else weight


def from_graph(graph: "Graph", result: lexical.LexicalResult, is_shown: "Callable[[Node], bool]") -> list[Memory]:
    """The memories behind lexical hits; entities lead to others and are never shown themselves."""
    nodes = graph.nodes([hit.node for hit in result.hits])
    top = result.hits[0].score if result.hits else 1.0
    memories = []
    for hit in result.hits:
        node = nodes.get(hit.node)
        if node is None or node.family == ENTITY or not is_shown(node):
            continue
        memory = of_node(node, hit.terms)
        memory.features["lexical"] = hit.score / top
        memories.append(memory)
    return memories


def of_node(node: "Node", held: list[str]) -> Memory:
    """A graph node as a candidate."""
    memory = Memory("graph", node.family, node.text, node.said_at, held)
    memory.key = node.canonical_key
    memory.message_id = node.message
    memory.node = node.id
    memory.project = node.project
    memory.role = node.role
    memory.session = node.session
    memory.status = node.status
    memory.uid = node.uid
    memory.user_scope = node.scope == 1
    memory.valid_from = node.valid_from
    memory.valid_to = node.valid_to
    memory.features["confidence"] = node.confidence
    return memory


def from_statements(statements: "list[BufferedStatement]", wanted: set[str]) -> list[Memory]:
    """Buffered statements that hold a term of the query and that nothing later in the buffer contradicts."""
    memories = []
    for one in statements:
        if one.superseded:
            continue
        held = [term for term in dict.fromkeys(tokenise(one.text)) if term in wanted]
        if held:
            memory = Memory("buffer", one.family, one.text, one.at, held)
            memory.key = one.key
            memory.message_id = one.message_id
            memory.session = one.session
            memory.user_scope = one.scope == "user"
            memory.features["confidence"] = one.confidence
            memories.append(memory)
    return memories


def score(memories: list[Memory], query: Query, config: "AWHMConfig") -> None:
    """Give each candidate its score, a weighted sum of its features."""
    for memory in memories:
        features = memory.features
        features["relevance"] = query.relevance(memory.terms)
        if memory.family != MESSAGE:
            features["focus"] = query.focus(memory.text, memory.terms)
        memory.score = (
            features["relevance"]
            + config.w_lexical * features.get("lexical", features["relevance"])
            + config.w_confidence * features.get("confidence", 0.5)
            + 0.3 * features.get("focus", 0.0)
            + config.w_association * features.get("association", 0.0)
            + (0.25 if memory.family != MESSAGE else 0.0)
            + (0.15 if memory.family == PREFERENCE and any(term in _PREFER_STEMS for term in query.terms) else 0.0)
            - (config.contradiction_penalty if memory.status != ACTIVE else 0.0)
        )


def abstain(memories: list[Memory], query: Query, threshold: Abstention) -> list[Memory]:
    """The candidates that show enough to be handed back."""
    kept = []
    for memory in memories:
        relevance = memory.features["relevance"]
        specific = query.specific(memory.terms)
        if memory.family == MESSAGE:
            enough = relevance >= threshold.message_relevance and specific >= min(
                threshold.message_terms, max(1, query.specific(query.terms))
            )
        else:
            is_about = relevance >= threshold.statement_relevance and (specific > 0 or relevance > 0.9)
            enough = is_about or (specific > 1 and memory.features["focus"] >= _FOCUSED)
        if enough:
            kept.append(memory)
    return kept


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from awhm_hooks.config import AWHMConfig
    from awhm_hooks.graph.model import Node
    from awhm_hooks.graph.store import Graph
    from awhm_hooks.journal.buffer import BufferedStatement
