"""Every parameter, its default and its unit; one frozen object, passed down."""

import os

from awhm_hooks.errors import AwhmError
from awhm_hooks.paths import Paths

DEFAULT_NER_LABELS = ("PERSON", "ORG", "GPE", "LOC", "PRODUCT", "NORP", "FAC", "EVENT")

# name -> (default, what it is)
PARAMETERS: dict[str, tuple[object, str]] = {
    "enabled": (True, "hooks log and answer; AWHM_ENABLED=0 before a command silences one session"),
    "exclude": ((), "directories, paths or globs (~ * ? **), in which hooks neither log nor answer"),
    "include": ((), "opt-in mode: directories, paths or globs, in which they do"),
    "opt_in": (False, "opt-in mode: hooks work in included directories only, or below an .awhminclude file"),
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
    "stage2_max_chars": (60_000, "characters of one call at most"),
    "stage2_max_calls_per_day": (20, "calls of one day at most"),
    "stage2_timeout_s": (120.0, "a call without an answer is ended after this long"),
    "stage2_command": ("claude", "the claude executable: a name on PATH, or a full path"),
    "retrieval_profile": ("balanced", "balanced: how much words and meaning count depends on the query"),
    "storage_backend": ("sqlite", "sqlite: the one store; `awhm export` writes the graph as JSON"),
    "ann_index_type": ("none", "none: every vector is compared"),
    "buffer_flush_interval": (30.0, "seconds after which what was said is on disk at the latest; it is there at once"),
    "data_dir": ("", "Python API: where memory lives; elsewhere AWHM_DATA_DIR says it"),
    "delete_snapshots_on_hard_delete": (True, "a hard delete reaches into snapshots"),
    "retention_log_days": (0.0, "gc: raw logs of ended sessions go after so many days; 0 keeps them"),
    "retention_log_mb": (0.0, "gc: the oldest raw logs go until the rest is no larger; 0 for no limit"),
    "retention_superseded_days": (365.0, "gc: statements go so many days after they ceased to hold; 0 keeps them"),
    "retention_damaged_days": (30.0, "gc: copies of a damaged store go after so many days; 0 keeps them"),
}

_SHARES = (
    "entity_link_threshold dedup_threshold bm25_anchor_ratio embed_threshold raw_log_score_scale neighbor_decay"
    " stage2_min_confidence"
).split()
_POSITIVE = "k snippet_max_chars stage2_max_messages stage2_max_chars".split()
OPT_OUTS = ("enabled", "exclude", "include", "opt_in")
CHOICES: dict[str, tuple[str, ...]] = {
    "retrieval_profile": ("balanced",),
    "storage_backend": ("sqlite",),
    "ann_index_type": ("none",),
    "stage2_client": ("claude-code", "anthropic"),
}

# The and the seed's short names for switches that a person sets by hand.
ALIASES = {"AWHM_STAGE2": "stage2_enabled", "AWHM_SEMANTIC": "semantic"}
NOT_PARAMETERS = frozenset({"AWHM_DATA_DIR", "AWHM_MODELS_DIR", "AWHM_HOOK_ACTIVE", "AWHM_IN_STAGE2"})
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

    def with_values(self, **values: object) -> "AWHMConfig":
        """A copy with other values. Raises AwhmError, as the constructor does."""
        return AWHMConfig(**{**self._values, **values})

    def items(self) -> list[tuple[str, object]]:
        return list(self._values.items())


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def checked(name: str, value: object) -> object:
    """The value as the parameter's kind, and within its bounds; text is converted. Raises AwhmError."""
    if name not in PARAMETERS:
        raise AwhmError(f"{name}: no such parameter; {_nearest(name)}")
    default = PARAMETERS[name][0]
    try:
        converted = _converted(default, value)
    except (TypeError, ValueError, OverflowError):
        raise AwhmError(f"{name} = {value!r}: expected {_kind_of(default)}") from None
    wrong = _out_of_bounds(name, converted)
    if wrong:
        raise AwhmError(f"{name} = {value!r}: {wrong}")
    return converted


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), PARAMETERS, 1, 0.5)
    return f"did you mean {close[0]}?" if close else "`awhm config list` shows them all"


def _kind_of(default: object) -> str:
    if isinstance(default, bool):
        return "true or false"
    if isinstance(default, tuple):
        return 'a list, such as ["a", "b"]'
    return f"a text, such as {default!r}" if isinstance(default, str) else f"a number, such as {default!r}"


def _out_of_bounds(name: str, value: object) -> str:
    """What is wrong with a value of the right kind; "" for nothing."""
    if name in CHOICES and value not in CHOICES[name]:
        return f"choose from {', '.join(CHOICES[name])}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = (1 if name in _POSITIVE else 0), (1.0 if name in _SHARES else float("inf"))
        if not low <= value <= high or value == float("inf"):
            return f"expected {low} to 1" if name in _SHARES else f"expected at least {low}"
    return ""


def _converted(default: object, value: object) -> object:
    if isinstance(default, bool):
        if isinstance(value, str):
            return value.strip().lower() not in _FALSE
        if isinstance(value, bool | int):
            return bool(value)
        raise TypeError
    if isinstance(default, int) and not isinstance(value, bool):
        if isinstance(value, float) and value != int(value):
            raise ValueError
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
    values.update(_of_environment(environ))
    return AWHMConfig(**values)


def salvaged(paths: Paths, environ: dict[str, str]) -> AWHMConfig:
    """What can be understood of a configuration with mistakes in it.

    Where what cannot may have kept the hooks out of somewhere, they are to keep out of everywhere: `enabled` is False.
    """
    try:
        held = _read_toml(paths.config_toml) if os.path.exists(paths.config_toml) else {}
    except (AwhmError, OSError):
        held = {"enabled": not _names_an_opt_out(paths.config_toml)}
    values: dict[str, object] = {}
    for name, value in [*held.items(), *_of_environment(environ).items()]:
        try:
            values[name] = checked(name, value)
        except AwhmError:
            if _is_like_an_opt_out(name):
                values["enabled"] = False
                break
    return AWHMConfig(**values)


def _names_an_opt_out(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8", "replace").lower()
    except OSError:
        return True
    return any(name in text for name in OPT_OUTS)


def _is_like_an_opt_out(name: str) -> bool:
    from difflib import get_close_matches

    return bool(get_close_matches(name.lower(), OPT_OUTS, 1, 0.7))


def _of_environment(environ: dict[str, str]) -> dict[str, object]:
    values: dict[str, object] = {}
    for name, text in environ.items():
        if name.startswith("AWHM_") and name not in NOT_PARAMETERS:
            parameter = ALIASES.get(name) or name[5:].lower()
            if parameter in PARAMETERS:
                values[parameter] = text
    return values


def _read_toml(path: str) -> dict[str, object]:
    import tomllib

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise AwhmError(f"{path}: {problem}; mend the line, or move the file away to use the defaults") from None
