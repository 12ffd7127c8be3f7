"""`awhm eval` as a command: options, JSON, gates, exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from awhm_hooks.cli import evaluate
from awhm_hooks.errors import UsageError

from . import corpora


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("AWHM_DATA_DIR", str(tmp_path / "awhm"))
    monkeypatch.setenv("AWHM_SEMANTIC", "0")
    app = typer.Typer()
    evaluate.register(app)
    return lambda *arguments: CliRunner().invoke(app, arguments)


@pytest.fixture
def longmemeval(tmp_path: Path) -> str:
    path = tmp_path / "lme.json"
    path.write_text(json.dumps(corpora.LONGMEMEVAL))
    return str(path)


def test_json_is_all_that_is_printed(run: Any, longmemeval: str) -> None:
    ran = run(longmemeval, "--json", "--processes", "1")
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    assert (found["corpus"], found["n"], found["granularity"]) == ("lme", 2, "session")
    assert found["metrics"]["hit@1"] == 1.0


def test_a_corpus_can_be_named_as_the_seed_names_it(run: Any, longmemeval: str) -> None:
    ran = run("--corpus", longmemeval, "--longmemeval", "--limit", "1", "--granularity", "turn", "--json")
    found = json.loads(ran.stdout)
    assert (found["n"], found["granularity"], found["format"]) == (1, "turn", "longmemeval")


def test_without_a_corpus_the_builtin_benchmark_is_run(run: Any) -> None:
    found = json.loads(run("--json").stdout)
    assert (found["corpus"], found["n"]) == ("builtin", 3)
    assert found["metrics"]["substring@5"] == 1.0
    assert found["deletion_audit"]["passed"]


def test_people_get_a_table(run: Any, longmemeval: str) -> None:
    ran = run(longmemeval, "--processes", "1")
    assert "ndcg@10" in ran.output and "single-session-user" in ran.output


def test_a_missed_gate_exits_1_and_says_which(run: Any, longmemeval: str) -> None:
    assert run(longmemeval, "--processes", "1", "--min", "hit@5=0.9", "--max", "tokens.mean=600").exit_code == 0
    ran = run(longmemeval, "--processes", "1", "--max", "hit@5=0.5")
    assert ran.exit_code == 1 and "hit@5 is 1, wanted <= 0.5" in ran.output


@pytest.mark.parametrize(
    "arguments", [("--pool", "x.json"), ("--one-store",), ("a.json", "--corpus", "b.json"), ("--min", "hit@1")]
)
def test_wrong_usage_is_told(run: Any, arguments: tuple[str, ...]) -> None:
    assert isinstance(run(*arguments).exception, UsageError)
