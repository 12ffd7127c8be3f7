"""The Python API: a session of one's own, with the same log, worker and recall as the hooks'."""

import os
import time
import uuid
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from awhm_hooks import config as configuration
from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import worker
from awhm_hooks.consolidate.dates import parse_moment
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.graph.scope import project_of
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import optout, raw_log, redact, wal
from awhm_hooks.manage import pausing
from awhm_hooks.manage.asking import ask
from awhm_hooks.paths import Paths, resolve
from awhm_hooks.recall.memory import Memory
from awhm_hooks.types import Role

TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.consolidate.llm import LLMClient
    from awhm_hooks.consolidate.stage2 import Wish
    from awhm_hooks.recall.meaning import Meaning

PREFIX = "python-"
_LOCK_WAIT_S = 120.0


@dataclass(frozen=True)
class QueryResult:
    """A memory. `source` is "buffer", "log" or "graph"; what is not consolidated yet has no `id`.

    Times are aware, in local time. `trace` holds the features behind the score, where they were asked for.
    """

    content: str
    source: str
    score: float
    id: str | None
    family: str
    status: str
    said_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    scope: str
    project: str | None
    session: str | None
    role: str | None
    trace: dict[str, float] | None = None


class AWHMSession:
    """One conversation. Made by `start_session`; a context manager that ends it."""

    def __init__(
        self,
        paths: Paths,
        config: AWHMConfig,
        session_id: str,
        project: str,
        use_mock_embeddings: bool = False,
        llm_client: "LLMClient | None" = None,
    ) -> None:
        self.paths = paths
        self.config = config
        self.session_id = session_id
        self.project = project
        self._is_mock = use_mock_embeddings
        self._client = llm_client
        self._is_over = False

    @classmethod
    def start_session(
        cls,
        config: AWHMConfig | None = None,
        *,
        use_mock_embeddings: bool = False,
        session_id: str | None = None,
        project: str | None = None,
        llm_client: "LLMClient | None" = None,
    ) -> Self:
        """Begin a session, or with its id go on with one.

        Without `config`, config.toml and AWHM_* variables hold. `project` is a directory, the current one by default.
        `use_mock_embeddings`: vectors made of hashes in place of the model's. `llm_client` is asked at Stage 2, where
        the configuration has it enabled. Raises AwhmError, OSError.
        """
        environ = dict(os.environ)
        if config is not None and config.data_dir:
            environ["AWHM_DATA_DIR"] = config.data_dir
        paths = resolve(environ)
        pausing.refuse_deleted(paths, environ)
        parameters = configuration.load(paths, environ) if config is None else config
        name = session_id or PREFIX + uuid.uuid4().hex
        made = cls(paths, parameters, name, project_of(project or os.getcwd()), use_mock_embeddings, llm_client)
        if not made._is_silent():
            raw_log.append_mark(paths, name, raw_log.START, time.time(), made.project, made._mark({"source": "python"}))
        return made

    def log_message(self, role: Role | str, text: str) -> str | None:
        """Log a message; its id, or None where nothing of it is to be kept: it is empty, private, or memory is paused.

        Raises UsageError for an unknown role, AwhmError after the session's end, OSError.
        """
        said_by = _role(role)
        self._refuse_ended()
        cleaned = redact.clean(text).strip()
        if not cleaned or self._is_silent():
            return None
        now = time.time()
        quiet = said_by is Role.USER and (redact.is_command(cleaned) or redact.is_control(cleaned))
        appended = raw_log.append_message(
            self.paths, self.session_id, said_by.value, cleaned, now, uuid.uuid4().hex, self.project, os.getcwd(), quiet
        )
        if not quiet:
            record = buffers.message_record(appended, said_by.value, cleaned, now)
            wal.append(self.paths, self.session_id, [record])
        return appended.message_id

    def query(
        self,
        text: str,
        k: int | None = None,
        *,
        include_history: bool | None = None,
        as_of: str | datetime | None = None,
        with_trace: bool | None = None,
    ) -> list[QueryResult]:
        """The best memories for a question, this session's own among them at once.

        `as_of` is a date in words or a datetime: what was true then. What is left out is as the configuration says.
        Raises UsageError for what is no date, AwhmError where the store cannot be read.
        """
        history = self.config.include_history_by_default if include_history is None else include_history
        traced = self.config.trace_retrieval if with_trace is None else with_trace
        found = ask(
            self.paths,
            self.config,
            text,
            self.project,
            self.config.k if k is None else k,
            time.time(),
            history,
            None if as_of is None else moment_of(as_of),
            self._meaning(),
        )
        return [result_of(memory, traced) for memory in found]

    def consolidate_current(self) -> worker.Report:
        """Take this session into the graph now; what was done. Raises AwhmError where that failed, OSError."""
        self.paths.make(self.paths.data_dir)
        report = worker.run(
            self.paths,
            self.config.with_values(semantic=False) if self._is_mock else self.config,
            _LOCK_WAIT_S,
            insist=True,
            only=self.session_id,
            stage2=self._wish(),
        )
        if report.failed:
            raise AwhmError("; ".join(f"{session}: {reason}" for session, reason in report.failed.items()))
        return report

    def end_session(self) -> None:
        """Mark the end; the next worker takes what is not consolidated yet. A second end is nothing. Raises OSError."""
        if not self._is_over and not self._is_silent():
            mark = self._mark({"reason": "python"})
            raw_log.append_mark(self.paths, self.session_id, raw_log.END, time.time(), self.project, mark)
        self._is_over = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end_session()

    def _mark(self, fields: dict[str, object]) -> dict[str, object]:
        return {**fields, "stage2": True} if self.config.stage2_enabled else fields

    def _is_silent(self) -> bool:
        """Memory is paused, or this directory is opted out."""
        return optout.silence(self.paths, self.config, (self.project, os.getcwd()), time.time()) is not None

    def _refuse_ended(self) -> None:
        if self._is_over:
            raise AwhmError(f"{self.session_id}: the session has ended")

    def _meaning(self) -> "Meaning | None":
        if not self._is_mock:
            return None
        from awhm_hooks.mock_embeddings import MockMeaning

        return MockMeaning()

    def _wish(self) -> "Wish | None":
        if not self.config.stage2_enabled:
            return None
        from awhm_hooks.consolidate.stage2 import Wish

        return Wish(sessions=[self.session_id], client=self._client)


def _role(role: Role | str) -> Role:
    try:
        return Role(role)
    except ValueError:
        raise UsageError(f"{role!r} is no role; use {', '.join(map(str, Role))}") from None


def moment_of(as_of: str | datetime) -> float:
    """Epoch seconds of a datetime (a naive one is local), or of a date in words. Raises UsageError."""
    if isinstance(as_of, datetime):
        return as_of.timestamp()
    return parse_moment(as_of, datetime.now().astimezone()).timestamp()


def result_of(memory: Memory, traced: bool) -> QueryResult:
    """A recalled memory as the API gives it."""
    return QueryResult(
        content=memory.text,
        source=memory.origin,
        score=memory.score,
        id=memory.uid or None,
        family=memory.family,
        status=memory.status,
        said_at=_local(memory.at),
        valid_from=None if memory.valid_from is None else _local(memory.valid_from),
        valid_to=None if memory.valid_to is None else _local(memory.valid_to),
        scope="user" if memory.user_scope else "project",
        project=memory.project or None,
        session=memory.session or None,
        role=memory.role or None,
        trace=dict(memory.features) if traced else None,
    )


def _local(at: float) -> datetime:
    return datetime.fromtimestamp(at).astimezone()


def as_json(result: QueryResult) -> dict[str, Any]:
    """A result for a program: times as ISO 8601, without what is not there."""
    row = {
        name: value.isoformat(timespec="seconds") if isinstance(value, datetime) else value
        for name, value in vars(result).items()
    }
    return {name: value for name, value in row.items() if value is not None}
