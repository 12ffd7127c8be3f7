"""What the graph holds: node types, statuses, edges, and a node as recall sees it."""

EPISODIC = "episodic"
SEMANTIC = "semantic"
PROCEDURAL = "procedural"

MESSAGE = "message"
ENTITY = "entity"
FACT = "fact"
PREFERENCE = "preference"
POLICY = "policy"
OUTCOME = "outcome"

ACTIVE = "active"
SUPERSEDED = "superseded"
RETRACTED = "retracted"

TEMPORAL = "temporal"
ABSTRACTION = "abstraction"
ASSOCIATION = "association"

TYPE_OF_FAMILY = {
    MESSAGE: EPISODIC,
    OUTCOME: EPISODIC,
    ENTITY: SEMANTIC,
    FACT: SEMANTIC,
    PREFERENCE: PROCEDURAL,
    POLICY: PROCEDURAL,
}


class Node:
    """One memory. Times are epoch seconds; `scope` is the number of the user's or a project's scope."""

    __slots__ = (
        "access_count",
        "canonical_key",
        "change",
        "confidence",
        "created_at",
        "family",
        "id",
        "label",
        "last_accessed",
        "length",
        "message",
        "project",
        "provenance",
        "role",
        "said_at",
        "scope",
        "session",
        "status",
        "text",
        "type",
        "uid",
        "valid_from",
        "valid_to",
    )

    id: int
    uid: str
    type: str
    family: str
    text: str
    role: str
    label: str
    canonical_key: str | None
    status: str
    confidence: float
    scope: int
    project: str
    session: str
    message: str
    said_at: float
    created_at: float
    valid_from: float | None
    valid_to: float | None
    last_accessed: float
    access_count: int
    provenance: str
    change: int
    length: int

    def __init__(self, row: tuple[object, ...]) -> None:
        for name, value in zip(COLUMNS, row, strict=True):
            setattr(self, name, value)


COLUMNS = (
    "id",
    "uid",
    "type",
    "family",
    "text",
    "role",
    "label",
    "canonical_key",
    "status",
    "confidence",
    "scope",
    "project",
    "session",
    "message",
    "said_at",
    "created_at",
    "valid_from",
    "valid_to",
    "last_accessed",
    "access_count",
    "provenance",
    "change",
    "length",
)
