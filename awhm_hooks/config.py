"""Every parameter, its default and its unit; one frozen object, passed down."""

import os

from awhm_hooks.errors import AwhmError
from awhm_hooks.paths import Paths

DEFAULT_NER_LABELS = ("PERSON", "ORG", "GPE", "LOC", "PRODUCT", "NORP", "FAC", "EVENT")

# name -> (default, what it is)
PARAMETERS: dict[str, tuple[object, str]] = {
    "alpha": (0.3, "recency: power-law exponent"),
    "beta": (0.1, "recency: scaling of the age in hours"),
    "w_rec": (0.4, "weight of recency in a node's strength"),
    "w_freq": (0.6, "weight of frequency in a node's strength"),
    "w_semantic": (0.55, "weight of cosine similarity"),
    "w_lexical": (0.20, "weight of BM25"),
    "w_strength": (0.15, "weight of a node's strength"),
    "w_confidence": (0.10, "weight of a statement's confidence"),
    "w_association": (0.10, "weight of neighbour evidence"),
    "contradiction_penalty": (0.35, "taken off a memory that is no longer active, where history is asked for"),
    "include_history_by_default": (False, "query: show superseded and retracted memories too"),
    "trace_retrieval": (False, "query: show the features behind each result"),
    "k": (10, "query: number of results"),
    "hook_max_memories": (3, "prompt hook: memories handed back at most"),
    "hook_max_tokens": (600, "prompt hook: budget of one injection, in tokens of about 4 characters"),
    "snippet_max_chars": (400, "characters of a message's snippet"),
    "semantic": (True, "recall by meaning as well as by words"),
    "semantic_deadline_ms": (250, "recall goes on without the semantic half after this long"),
    "entity_link_threshold": (0.85, "cosine that links an entity to a known one"),
    "dedup_threshold": (0.92, "cosine from which a statement is a repetition"),
    "bm25_anchor_ratio": (0.5, "a lexical anchor scores at least this share of the best"),
    "embed_threshold": (0.3, "a semantic anchor has at least this cosine"),
    "raw_log_score_scale": (0.5, "weight of messages that are not consolidated yet"),
    "neighbor_expansion": (True, "one-hop neighbours of the anchors join the candidates"),
    "neighbor_decay": (0.6, "weight of an edge to a neighbour"),
    "correction_window_messages": (3, "an explicit correction reaches this many messages back"),
    "ner_labels": (DEFAULT_NER_LABELS, "spaCy labels that become entities"),
    "session_idle_hours": (12.0, "a session without its end is taken as ended after this long"),
    "stage2_enabled": (False, "let a model propose memories at the end of a session"),
    "stage2_client": ("claude-code", "claude-code or anthropic"),
    "stage2_model": ("haiku", "the model asked"),
    "stage2_max_messages": (60, "messages of one call"),
    "stage2_min_confidence": (0.5, "proposals below are dropped"),
    "delete_snapshots_on_hard_delete": (True, "a hard delete reaches into snapshots"),
}

# The and the seed's short names for switches that a person sets by hand.
_ALIASES = {"AWHM_STAGE2": "stage2_enabled", "AWHM_SEMANTIC": "semantic"}
_NOT_PARAMETERS = frozenset({"AWHM_DATA_DIR", "AWHM_MODELS_DIR", "AWHM_HOOK_ACTIVE", "AWHM_IN_STAGE2"})
_FALSE = frozenset({"0", "false", "no", "off", ""})


class AWHMConfig:
    """Every parameter as an attribute. Raises AwhmError for an unknown name or a value of the wrong kind."""

    __slots__ = ("_values",)

    def __init__(self, **values: object) -> None:
        merged = {name: default for name, (default, _) in PARAMETERS.items()}
        for name, value in values.items():
            merged[name] = checked(name, value)
        object.__setattr__(self, "_values", merged)

    def __getattr__(self, name: str) -> "Any":
        try:
            return object.__getattribute__(self, "_values")[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"the configuration is frozen; {name} cannot be set")

    def items(self) -> list[tuple[str, object]]:
        return list(self._values.items())


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def checked(name: str, value: object) -> object:
    """The value as the parameter's kind; text is converted. Raises AwhmError."""
    if name not in PARAMETERS:
        raise AwhmError(f"{name}: no such parameter; `awhm config list` shows them all")
    default = PARAMETERS[name][0]
    try:
        return _converted(default, value)
    except (TypeError, ValueError):
        kind = "true or false" if isinstance(default, bool) else f"a {type(default).__name__}"
        raise AwhmError(f"{name} = {value!r}: expected {kind}, such as {default!r}") from None


def _converted(default: object, value: object) -> object:
    if isinstance(default, bool):
        if isinstance(value, str):
            return value.strip().lower() not in _FALSE
        if isinstance(value, bool | int):
            return bool(value)
        raise TypeError
    if isinstance(default, int) and not isinstance(value, bool):
        return int(value)  # type: ignore[call-overload]
    if isinstance(default, float) and not isinstance(value, bool):
        return float(value)  # type: ignore[arg-type]
    if isinstance(default, tuple):
        parts = value.split(",") if isinstance(value, str) else value
        return tuple(str(part).strip() for part in parts)  # type: ignore[attr-defined]
    if isinstance(default, str) and isinstance(value, str):
        return value
    raise TypeError


def load(paths: Paths, environ: dict[str, str]) -> AWHMConfig:
    """The configuration: defaults, then `config.toml`, then `AWHM_*` variables. Raises AwhmError."""
    values: dict[str, object] = {}
    if os.path.exists(paths.config_toml):
        values.update(_read_toml(paths.config_toml))
    for name, text in environ.items():
        if name.startswith("AWHM_") and name not in _NOT_PARAMETERS:
            parameter = _ALIASES.get(name) or name[5:].lower()
            if parameter in PARAMETERS:
                values[parameter] = text
    return AWHMConfig(**values)


def _read_toml(path: str) -> dict[str, object]:
    import tomllib

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise AwhmError(f"{path}: {problem}; mend the line, or move the file away to use the defaults") from None
