"""Stage 2: after Stage 1, a model proposes what the rules did not find, and code decides.

A call runs under a lock of its own, so that no model keeps Stage 1 waiting. What it brought goes to the session's raw
log first and from there into the graph (`stage2_record`). A call that fails changes nothing: Stage 1's result stands,
the session waits for Stage 2 only, and the ledger (`spending`) says when it is asked about again.
"""

import contextlib
import os
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from awhm_hooks import error_log
from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import llm, spending, stage2_record
from awhm_hooks.consolidate.admission import Admission, parse_answer
from awhm_hooks.consolidate.llm import LLMClient, LLMMissing, Usage
from awhm_hooks.consolidate.stage2_prompt import SCHEMA, SYSTEM, Known, Piece, build, learnable, pieces
from awhm_hooks.errors import AwhmError, LockTimeout
from awhm_hooks.files import locked
from awhm_hooks.graph import model
from awhm_hooks.graph.scope import USER
from awhm_hooks.graph.store import USER_SCOPE, Graph, open_graph
from awhm_hooks.journal import raw_log
from awhm_hooks.paths import Paths

LOCK = "stage2.lock"
FAILURES_IN_A_ROW = 2
_PATIENCE_S = 0.5  # the one who holds the lock may only be looking whether anybody does
MAX_KNOWN = 5_000
# What a client of somebody else's may raise beside LLMError; more would hide faults of ours.
CLIENT_ERRORS = (AwhmError, OSError, RuntimeError, ValueError, TypeError, LookupError, AttributeError)
_STATEMENTS = (model.FACT, model.PREFERENCE, model.POLICY, model.OUTCOME)


@dataclass
class Outcome:
    """What Stage 2 did in a run. `refused` counts proposals by reason, `waiting` the sessions that are left."""

    calls: int = 0
    admitted: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    waiting: int = 0
    capped: bool = False
    billed_to: str = ""


@dataclass
class Wish:
    """What is asked for. `everything` takes also sessions from before Stage 2 was switched on, and insists on those
    that failed; `sessions` names some, ended or not; `client` takes the place of the configured one."""

    everything: bool = False
    sessions: Sequence[str] = ()
    client: LLMClient | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))


def run(paths: Paths, config: AWHMConfig, wish: Wish, consolidate: "Callable[[], None]", wait_s: float) -> Outcome:
    """Consolidate, ask about every session that waits, and consolidate what came of it.

    Where another process asks already, only Stage 1 is run (that process looks again before it leaves), or, with time
    to wait, its end is waited for. Raises AwhmError and sqlite.Error where the store cannot be used.
    """
    paths.make(paths.data_dir)
    paths.make(paths.meta)
    outcome = Outcome()
    if any(marker in wish.environ for marker in llm.MARKERS):  # a call inside a call would never end
        consolidate()
        return outcome
    tried: set[str] = set()
    patience_s = _PATIENCE_S
    while True:
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(locked(f"{paths.meta}/{LOCK}", patience_s))
            except LockTimeout:
                consolidate()
                if patience_s >= wait_s or not waiting_sessions(paths, wish):
                    return outcome
                patience_s = wait_s
                continue
            consolidate()
            asking = _Asking(paths, config, wish, outcome, tried)
            if asking.ask_all():
                consolidate()
        outcome.waiting = len(waiting_sessions(paths, wish))
        if asking.stopped or all(session in tried for session in asking.due()):
            return outcome


def waiting_sessions(paths: Paths, wish: Wish) -> list[str]:
    """The sessions with something to ask about, the newest first."""
    graph = open_graph(paths.graph_db)
    if graph is None:
        return []
    with contextlib.closing(graph):
        rows = graph.db.execute(
            "SELECT s.id, s.wanted, t.ended FROM stage2_sessions s JOIN sessions t ON t.id = s.id"
            " WHERE s.unasked > 0 ORDER BY t.last_at DESC, s.id"
        ).fetchall()
    if wish.sessions:
        return [session for session, _, _ in rows if session in wish.sessions]
    return [session for session, wanted, ended in rows if ended and (wanted or wish.everything)]


class _Asking:
    """One turn with Stage 2's lock held. `stopped` says that going on is of no use now."""

    def __init__(self, paths: Paths, config: AWHMConfig, wish: Wish, outcome: Outcome, tried: set[str]) -> None:
        self.stopped = False
        self._paths = paths
        self._config = config
        self._wish = wish
        self._outcome = outcome
        self._tried = tried
        self._ledger = spending.Ledger(paths)
        self._in_a_row = 0
        self._fresh: list[Known] = []
        self._cosines = _Cosines(paths) if config.semantic else None

    def due(self) -> list[str]:
        """The waiting sessions that may be asked about now."""
        failed = spending.failures(self._ledger.lines())
        now = time.time()
        insists = self._wish.everything or bool(self._wish.sessions)
        return [
            session
            for session in waiting_sessions(self._paths, self._wish)
            if insists or session not in failed or failed[session].may_try(now, self._messages(session))
        ]

    def _messages(self, session: str) -> int:
        return len(stage2_record.unasked(self._records(session)))

    def _records(self, session: str) -> list[raw_log.Record]:
        return raw_log.in_force(list(raw_log.read(self._paths.log_file(session))))

    def ask_all(self) -> bool:
        """Ask about each due session; True when a log has grown by what came of it."""
        due = [session for session in self.due() if session not in self._tried]
        if not due:
            return False
        self._ledger.compact(time.time())
        try:
            client = self._wish.client or llm.make_client(self._paths, self._config, self._wish.environ)
            ready = getattr(client, "ready", None)
            if ready is not None:
                ready()
        except AwhmError as problem:
            self._stop(str(problem))
            return False
        grown = False
        for session in due:
            if self.stopped:
                break
            self._tried.add(session)
            try:
                grown = self._ask_about(session, client) or grown
            except OSError as problem:
                error_log.note(self._paths, f"stage 2 session {session}", problem)
                self._outcome.failed.append(f"{session}: {problem}")
        return grown

    def _stop(self, why: str) -> None:
        self.stopped = True
        self._outcome.failed.append(why)
        self._ledger.note_error(why, time.time())

    def _ask_about(self, session: str, client: LLMClient) -> bool:
        records = self._records(session)
        asked = {record.message_id for record in stage2_record.unasked(records)}
        if not asked:
            self._settle(session)
            return False
        admission = self._admission(next((record.project for record in records if record.project), ""))
        grown = False
        max_chars = int(self._config.stage2_max_chars)
        for piece in pieces(learnable(records), asked, int(self._config.stage2_max_messages), max_chars):
            if self.stopped or self._is_capped():
                break
            grown = self._ask(session, client, piece, admission, len(asked)) or grown
        return grown

    def _is_capped(self) -> bool:
        if spending.calls_of_day(self._ledger.lines(), time.time()) < self._config.stage2_max_calls_per_day:
            return False
        self._outcome.capped = self.stopped = True
        return True

    def _ask(self, session: str, client: LLMClient, piece: Piece, admission: Admission, messages: int) -> bool:
        """One call; True when it was answered. Raises OSError where its result cannot be kept."""
        name = getattr(client, "name", type(client).__name__)
        billed_to = llm.billing(name, self._wish.environ)
        call = self._ledger.begin(session, name, self._config.stage2_model, time.time(), messages, billed_to)
        self._outcome.calls += 1
        self._outcome.billed_to = billed_to
        prompt = build(piece, admission.known, secrets.token_hex(8), int(self._config.stage2_max_chars))
        try:
            values = parse_answer(client.complete_json(SYSTEM, prompt, SCHEMA))
        except CLIENT_ERRORS as problem:
            self._note_failure(call, session, problem, _usage(client))
            return False
        self._in_a_row = 0
        used = _usage(client) or Usage(self._config.stage2_model)
        before = len(admission.known)
        verdict = admission.judge(values, piece)
        self._fresh += admission.known[before:]
        record = stage2_record.as_record(call, time.time(), name, used, piece.asked, verdict.admitted)
        raw_log.append_lines(self._paths, session, [record])
        refused = {reason.value: count for reason, count in verdict.refused.items()}
        self._ledger.end(call, session, time.time(), used, "", len(verdict.admitted), refused)
        self._outcome.admitted += len(verdict.admitted)
        self._outcome.refused = dict(Counter(self._outcome.refused) + Counter(refused))
        return True

    def _note_failure(self, call: str, session: str, problem: Exception, usage: Usage | None) -> None:
        said = str(problem) if isinstance(problem, AwhmError) else f"{type(problem).__name__}: {problem}"
        self._ledger.end(call, session, time.time(), usage, said)
        self._outcome.failed.append(f"{session}: {said}")
        self._in_a_row += 1
        self.stopped = self._in_a_row >= FAILURES_IN_A_ROW or isinstance(problem, LLMMissing)

    def _settle(self, session: str) -> None:
        """Nothing to ask about after all: a session from before the graph knew of Stage 2."""
        graph = open_graph(self._paths.graph_db)
        if graph is not None:
            with contextlib.closing(graph):
                graph.db.execute("UPDATE stage2_sessions SET unasked = 0 WHERE id = ?", (session,))

    def _admission(self, project: str) -> Admission:
        graph = open_graph(self._paths.graph_db)
        if graph is None:
            return Admission(self._fresh, USER_SCOPE, self._config, self._cosines)
        with contextlib.closing(graph):
            scopes = graph.scope_ids(project or USER)
            stored = known_statements(graph, scopes)
        fresh = [known for known in self._fresh if known.scope in scopes]
        return Admission(stored + fresh, scopes[-1], self._config, self._cosines)


def known_statements(graph: Graph, scopes: list[int]) -> list[Known]:
    """What the memory holds in these scopes, superseded statements too, oldest first."""
    marks = ", ".join("?" * len(scopes))
    rows = graph.db.execute(
        "SELECT id, text, canonical_key, scope, family, said_at, status FROM nodes"
        f" WHERE family IN {_STATEMENTS} AND scope IN ({marks}) ORDER BY said_at DESC, id DESC LIMIT {MAX_KNOWN}",
        scopes,
    )
    found = [
        Known(node, text, key, scope, family, said_at, status == model.ACTIVE)
        for node, text, key, scope, family, said_at, status in rows
    ]
    return found[::-1]


def _usage(client: LLMClient) -> Usage | None:
    usage = getattr(client, "usage", None)
    return usage if isinstance(usage, Usage) else None


class _Cosines:
    """Cosines by the prepared model, loaded when first asked; without a model every cosine is 0."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._embed: Callable[[Sequence[str]], Any] | None = None
        self._is_missing = False

    def __call__(self, text: str, others: Sequence[str]) -> Sequence[float]:
        if self._embed is None and not self._is_missing:
            from awhm_hooks.consolidate.embed import Embedder

            try:
                self._embed = Embedder(self._paths).embed
            except (AwhmError, OSError):  # the worker's own indexing has said so already
                self._is_missing = True
        if self._embed is None:
            return [0.0] * len(others)
        vectors = self._embed([text, *others])
        return [float(vectors[0] @ vector) for vector in vectors[1:]]


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any
