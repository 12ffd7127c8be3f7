"""A candidate for recall."""

from awhm_hooks.graph.model import ACTIVE


class Memory:
    """From a buffer, a waiting session's log, or the graph.

    `at` is epoch seconds; `terms` are the query's that it holds. `cosine` is its own, `near_cosine` and `bm25`
    lean on the turns beside it; `features` is what was made of the evidence, by name, and `score` the sum. `shown` is
    what is told of it: its text, or the sentence that this is a part of; `later` what may supersede it, told behind it.
    It `follows` another where it was said after that, names a rare word of it, and tells of a change.
    """

    __slots__ = (
        "asks",
        "at",
        "bm25",
        "cosine",
        "family",
        "features",
        "follows",
        "key",
        "later",
        "message_id",
        "near_cosine",
        "node",
        "opens",
        "origin",
        "project",
        "role",
        "score",
        "session",
        "shown",
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
        self.asks = False
        self.bm25 = 0.0
        self.cosine = 0.0
        self.near_cosine = 0.0
        self.key: str | None = None
        self.later: Memory | None = None
        self.message_id = ""
        self.node = 0
        self.opens = False
        self.project = ""
        self.role = ""
        self.session = ""
        self.shown = text
        self.status = ACTIVE
        self.uid = ""
        self.user_scope = False
        self.valid_from: float | None = None
        self.valid_to: float | None = None
        self.features: dict[str, float] = {}
        self.follows = False
        self.score = 0.0

    def row_key(self) -> tuple[int, str, str]:
        """By what its stored vector is found: its node, or its message where it waits for consolidation."""
        return (self.node, "", "") if self.node else (0, self.session, self.message_id)


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


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.graph.model import Node
