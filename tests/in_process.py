import pytest

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import worker
from awhm_hooks.graph.store import open_graph
from awhm_hooks.journal import raw_log
from awhm_hooks.manage.asking import ask
from awhm_hooks.paths import Paths

PROJECT = "/p"


class Memory:
    """A store of its own, spoken to in process: the same code as the hooks' and the worker's."""

    def __init__(self, directory, **parameters):
        self.paths = Paths(str(directory))
        self.config = AWHMConfig(**{"ner_labels": (), "semantic": False, **parameters})
        self.at = 1_772_000_000.0
        self.number = 0

    def say(self, *texts, session="s", role="user", project=PROJECT, at=None):
        for text in texts:
            self.number += 1
            self.at = at if at is not None else self.at + 60
            raw_log.append_message(self.paths, session, role, text, self.at, f"p{self.number}", project, project)

    def consolidate(self):
        report = worker.run(self.paths, self.config, 5.0)
        assert report.failed == {}
        return report

    def ask(self, text, project=PROJECT, now=None, **more):
        moment = now if now is not None else self.at + 3600
        return [memory.text for memory in ask(self.paths, self.config, text, project, 10, moment, **more)]

    def rows(self, columns, where="1"):
        graph = open_graph(self.paths.graph_db)
        found = graph.db.execute(f"SELECT {columns} FROM nodes WHERE {where} ORDER BY id").fetchall()
        graph.close()
        return found

    def statements(self):
        return self.rows("text, status", "family NOT IN ('message', 'entity')")


@pytest.fixture
def memory(tmp_path):
    return Memory(tmp_path / "data")


@pytest.fixture
def new_memory(tmp_path):
    return lambda **parameters: Memory(tmp_path / "data", **parameters)
