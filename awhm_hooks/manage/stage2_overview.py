"""What `awhm status` tells of Stage 2: whether it is on, what waits, what it has cost, and what went wrong."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import llm, spending
from awhm_hooks.consolidate.spending import Spending, Sum
from awhm_hooks.graph.store import open_graph
from awhm_hooks.paths import Paths


@dataclass
class Stage2Overview:
    """`waiting` sessions will be asked about; `given_up` are those of them that failed three times; `never_asked` are
    from before Stage 2 was switched on and are asked about only by `awhm consolidate --stage2`."""

    enabled: bool
    client: str
    model: str
    calls_per_day: int
    waiting: int = 0
    given_up: int = 0
    never_asked: int = 0
    admitted_in_graph: int = 0
    spending: Spending = field(default_factory=Spending)
    billed_to: str = ""


def stage2_overview(paths: Paths, config: AWHMConfig, environ: Mapping[str, str], now: float) -> Stage2Overview:
    """The state of Stage 2. Raises AwhmError and sqlite.Error where the store cannot be read."""
    found = Stage2Overview(
        bool(config.stage2_enabled),
        str(config.stage2_client),
        str(config.stage2_model),
        int(config.stage2_max_calls_per_day),
        billed_to=llm.billing(str(config.stage2_client), environ),
    )
    lines = spending.Ledger(paths).lines()
    found.spending = spending.summary(lines, now)
    graph = open_graph(paths.graph_db)
    if graph is not None:
        with contextlib.closing(graph):
            rows = graph.db.execute(
                "SELECT s.id, s.wanted FROM stage2_sessions s JOIN sessions t ON t.id = s.id"
                " WHERE s.unasked > 0 AND t.ended"
            ).fetchall()
            query = "SELECT count(*) FROM nodes WHERE provenance = 'stage2'"
            found.admitted_in_graph = graph.db.execute(query).fetchone()[0]
        failed = spending.failures(lines)
        waiting = [session for session, wanted in rows if wanted or session in failed]
        found.waiting = len(waiting)
        found.never_asked = len(rows) - len(waiting)
        found.given_up = sum(1 for session in waiting if session in failed and failed[session].has_given_up())
    return found


def rows_of(found: Stage2Overview) -> list[tuple[str, str]]:
    """The lines for a person; one line where Stage 2 is off and never was on."""
    spent = found.spending
    if not found.enabled and not spent.total.calls and not spent.last_error:
        return [("Stage 2", "off")]
    state = f"on ({found.client}, {found.model or 'its default model'})" if found.enabled else "off"
    waits = f", {found.waiting} {'session waits' if found.waiting == 1 else 'sessions wait'}"
    gave_up = f", {found.given_up} given up (`awhm consolidate --stage2` tries again)" if found.given_up else ""
    rows = [
        ("Stage 2", state + waits + gave_up),
        ("  today", f"{spent.today.calls} of {found.calls_per_day} calls{_used(spent.today)}"),
        ("  in total", f"{spent.total.calls} calls{_used(spent.total)}"),
        ("  proposals", f"{spent.total.admitted} admitted; refused: {_refused(spent)}"),
        ("  last error", _error(spent)),
    ]
    if found.enabled and found.billed_to:
        rows.append(("  billing", f"{found.billed_to} is set: calls are billed to that key, not to your login"))
    elif spent.billed_to:
        rows.append(("  billing", f"the last call was billed to the key in {spent.billed_to}, not to a login"))
    return rows


def _used(sums: Sum) -> str:
    if not sums.calls:
        return ""
    unpriced = f" and {sums.unpriced} calls of unknown cost" if sums.unpriced else ""
    tokens = f"{sums.input_tokens + sums.output_tokens:,} tokens ({sums.input_tokens:,} in, {sums.output_tokens:,} out)"
    failed = f", {sums.failed} failed" if sums.failed else ""
    return f", {tokens}, {_dollars(sums.cost_usd)}{unpriced}{failed}"


def _dollars(cost: float) -> str:
    """Enough digits that a small cost is not shown as none."""
    return f"${cost:.2f}" if cost >= 1 else f"${cost:.4f}" if cost >= 0.0001 or not cost else f"${cost:.7f}"


def _refused(spent: Spending) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in spent.refused.items()) or "none"


def _error(spent: Spending) -> str:
    if not spent.last_error or spent.last_error_at is None:
        return "none"
    at = datetime.fromtimestamp(spent.last_error_at).astimezone().strftime("%Y-%m-%d %H:%M %z")
    return f"{at} {spent.last_error}"
