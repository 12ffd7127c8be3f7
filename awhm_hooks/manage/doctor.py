"""The doctor: everything that keeps memory from working, by name, with the one command that mends it."""

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import awhm_hooks
from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import ner, worker
from awhm_hooks.files import locked
from awhm_hooks.graph.writer import set_aside
from awhm_hooks.manage import doctor_activity, doctor_hooks, doctor_place, doctor_store, model
from awhm_hooks.manage.doctor_finding import Finding, Severity, broken, command, note, warning
from awhm_hooks.paths import Paths

_PACKAGES = ("onnxruntime", "tokenizers", "numpy", "spacy", "dateparser")
_CLIENT_TIMEOUT_S = 3.0
_LOCK_WAIT_S = 120.0
_RANK = {Severity.BROKEN: 0, Severity.WARNING: 1, Severity.NOTE: 2}

Progress = Callable[[int, int], None]


@dataclass
class Report:
    """What was found, worst first, and the facts about this installation. Times are epoch seconds."""

    data_dir: str
    findings: list[Finding] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    settings: list[dict[str, object]] = field(default_factory=list)
    model: dict[str, Any] = field(default_factory=dict)
    last_events: dict[str, float | None] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    last_error: str | None = None

    @property
    def is_healthy(self) -> bool:
        """Nothing is broken."""
        return all(finding.severity is not Severity.BROKEN for finding in self.findings)


def examine(paths: Paths, environ: Mapping[str, str], cwd: str, now: float, config_dir: str | None = None) -> Report:
    """Look at everything, change nothing. Raises UsageError where no home is known, OSError."""
    report = Report(paths.data_dir, versions=versions(environ))
    config, findings = doctor_place.configuration(paths, environ)
    findings += doctor_place.directory_findings(paths, environ)
    findings += doctor_place.silence_findings(paths, config, environ, cwd, now)
    hooks = doctor_hooks.survey(paths, environ, cwd, config_dir)
    findings += hooks.findings
    report.settings = hooks.described()
    store = doctor_store.examine(paths, config)
    findings += store.findings
    report.model = model.status(paths)
    findings += _of_model(config, report.model)
    findings += _of_packages(config)
    activity = doctor_activity.examine(
        paths, config, store.consumed, hooks.since, hooks.config_dir, now, report.model["state"] == "ready"
    )
    findings += activity.findings
    report.last_events, report.last_error = activity.last, activity.last_error
    report.counts = {**store.counts, "sessions": activity.sessions, "pending_sessions": len(activity.pending)}
    report.bytes = doctor_place.disk_use(paths)
    report.findings = sorted(findings, key=lambda one: _RANK[one.severity])
    return report


def versions(environ: Mapping[str, str]) -> dict[str, str]:
    """What is installed, by name; "" for what is not."""
    import sqlite3

    found = {"awhm": awhm_hooks.__version__, "python": sys.version.split()[0], "interpreter": sys.executable}
    found["package"] = os.path.dirname(os.path.abspath(awhm_hooks.__file__))
    found["sqlite"] = sqlite3.sqlite_version
    for name in _PACKAGES:
        found[name] = _version_of(name)
    found["claude"] = _client_version(environ)
    return found


def _version_of(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _client_version(environ: Mapping[str, str]) -> str:
    """What `claude --version` says; "" where it is not on PATH or does not answer."""
    client = shutil.which("claude", path=environ.get("PATH"))
    if client is None:
        return ""
    try:
        done = subprocess.run(
            [client, "--version"],
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_CLIENT_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


def _of_model(config: AWHMConfig, found: Mapping[str, Any]) -> Iterator[Finding]:
    if not config.semantic:
        yield note("recall-by-words-only", "recall by meaning is switched off", "awhm config set semantic true")
    elif found["state"] == "missing":
        message = f"no model is prepared, so recall goes by words alone: {found['reason']}"
        yield warning("model-missing", message, "awhm model prepare")
    elif found["state"] != "ready":
        message = f"the model does not fit what is installed, so recall goes by words alone: {found['reason']}"
        yield warning("model-unverified", message, "awhm model verify")


def _of_packages(config: AWHMConfig) -> Iterator[Finding]:
    missing = [name for name in _PACKAGES if not _version_of(name)]
    if missing:
        fix = command(sys.executable, "-m", "pip", "install", *missing)
        yield broken("packages-missing", f"not installed beside awhm: {', '.join(missing)}", fix)
    if any(config.ner_labels) and not any(importlib.util.find_spec(name) for name in ner.MODELS):
        fix = command(sys.executable, "-m", "pip", "install", ner.PACKAGE)
        yield warning("names-not-recognised", f"{ner.MODELS[0]} is not installed: no names are linked", fix)


def rebuild(paths: Paths, config: AWHMConfig, progress: Progress | None = None) -> tuple[str, worker.Report]:
    """Move the store aside and make it anew from the raw logs; where it is kept, and what came of it.

    Raises AwhmError, OSError.
    """
    kept = ""
    paths.make(paths.data_dir)
    paths.make(paths.meta)
    with locked(paths.worker_lock, _LOCK_WAIT_S):
        if os.path.exists(paths.graph_db):
            kept = set_aside(paths.graph_db, time.time())
    return kept, worker.run(paths, config, _LOCK_WAIT_S, progress, insist=True)
