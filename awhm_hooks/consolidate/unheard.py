"""What the hooks were told not to hear, and a transcript holds all the same: it must not come back from there."""

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate.transcript import Line
from awhm_hooks.journal import optout, raw_log
from awhm_hooks.journal.raw_log import Record
from awhm_hooks.paths import Paths

_CLOCK_SLACK_S = 2.0
_HEARD = ("message", raw_log.START, raw_log.END)


class Unheard:
    """The stretches of one session in which memory was paused, or silent in the directory that it stood in."""

    def __init__(self, paths: Paths, config: AWHMConfig, project: str, records: list[Record]) -> None:
        self._config = config
        self._project = project
        self._pauses = optout.pauses(paths)
        self._prompts = {record.prompt_id for record in records if record.kind == raw_log.SILENT} - {""}
        self._stretches = list(_silent_stretches(records))
        self._places: dict[str, list[str]] = {}
        self._opted_out: dict[str, bool] = {}

    def holds(self, line: Line) -> bool:
        """A line of the transcript that no hook was to hear."""
        if line.prompt_id in self._prompts or any(begin <= line.at < end for begin, end in self._stretches):
            return True
        here = self._here(line.cwd)
        if any(pause.begin <= line.at < pause.end and pause.covers(here) for pause in self._pauses):
            return True
        if line.cwd not in self._opted_out:
            self._opted_out[line.cwd] = optout.opted_out(self._config, here) is not None
        return self._opted_out[line.cwd]

    def _here(self, cwd: str) -> list[str]:
        if cwd not in self._places:
            self._places[cwd] = optout.places((self._project, cwd))
        return self._places[cwd]


def _silent_stretches(records: list[Record]) -> "Iterator[tuple[float, float]]":
    """(begin, end) from a hook that was silent to the next that was not."""
    begin: float | None = None
    for record in records:
        if record.kind == raw_log.SILENT:
            begin = record.at - _CLOCK_SLACK_S if begin is None else begin
        elif begin is not None and record.kind in _HEARD and "uuid" not in record.fields:
            yield begin, record.at - _CLOCK_SLACK_S
            begin = None
    if begin is not None:
        yield begin, optout.FOREVER


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
