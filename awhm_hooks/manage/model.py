"""Prepare, verify and report the embedding model: once, at set-up or by the first worker, never inside a hook."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from awhm_hooks.errors import AwhmError
from awhm_hooks.files import locked, write_whole
from awhm_hooks.manage import model_graph, model_source
from awhm_hooks.manage.model_graph import Form
from awhm_hooks.manage.model_sentences import CALIBRATION
from awhm_hooks.manage.model_source import HUB, Source
from awhm_hooks.manage.model_weights import Array, Weights, read_weights
from awhm_hooks.manage.onnx_proto import DataFile
from awhm_hooks.paths import Paths
from awhm_hooks.recall import semantic, wordpiece

Progress = model_source.Progress

BUILD = 1  # raised when the graphs change, so that old ones are made anew
DATA_FILE = "weights.data"
PARITY_AT_LEAST = 0.999
TO_FLOAT_AT_LEAST = 0.98
CHECK_TIMEOUT_S = 300.0
LOCK_WAIT_S = 600.0
CPU_FLAGS = ("avx2", "avx_vnni", "avx512f", "avx512_vnni", "amx_int8", "asimddp", "i8mm")
STEPS = 5
WORKSHOP = "making-"


class PreparationFailed(AwhmError):
    """The model could not be prepared, or did not pass its verification in any form."""


class CheckInterrupted(PreparationFailed):
    """The verification came to no result; another try may."""


@dataclass(frozen=True)
class Manifest:
    """models/current.json: the generation in force, what it was made of, and what it was verified with."""

    generation: str
    source: str
    source_sha256: str
    build: int
    form: str
    files: dict[str, dict[str, Any]]
    onnxruntime: str = ""
    library: dict[str, Any] = field(default_factory=dict)
    cpu: list[str] = field(default_factory=list)
    verified: dict[str, Any] | None = None
    failure: str = ""
    format: int = semantic.MANIFEST_FORMAT


def prepare(
    paths: Paths, source: str | None = None, progress: Progress | None = None, force: bool = False, hub: str = HUB
) -> Manifest:
    """Write, verify and put in force the prepared model; what is in force stays where it is ready and meant.

    `source` is a local path, `hub:sentence-transformers/all-MiniLM-L6-v2`, or None: what is in force, else the package.
    A model that fails in every form is put in force unverified, for the worker; no hook uses it. Raises AwhmError.
    """
    report = progress or _no_report
    paths.make(paths.models)
    with locked(f"{paths.models}/lock", LOCK_WAIT_S), _workshop(paths) as work:
        current = _current(paths)
        if current and source is None and not force and (_is_ready(paths, current) or _is_settled(paths, current)):
            return current
        report(0, STEPS, "looking for the model")
        found = model_source.find(source or _origin(current), Path(work), report, hub)
        if current and not force and current.source_sha256 == found.sha256 and _is_ready(paths, current):
            return current
        return _put_in_force(paths, _made(paths, found, list(Form), Path(work), report), report)


def verify(paths: Paths, progress: Progress | None = None) -> Manifest:
    """Check the model in force in a child process and record what came of it; on failure, make it in a safer form.

    Raises ModelUnusable where none is prepared, AwhmError where it failed and its source is gone.
    """
    report = progress or _no_report
    semantic.read_manifest(paths)
    with locked(f"{paths.models}/lock", LOCK_WAIT_S), _workshop(paths) as work:
        current = _current(paths)
        if current is None:
            raise semantic.ModelUnusable("the model's manifest is damaged: run `awhm model prepare`")
        report(0, STEPS, "verifying")
        checked = _put_in_force(paths, _checked(current, Path(paths.models) / current.generation), report)
        forms = list(Form)[Form(current.form).rank + 1 :] if _is_whole(paths, current) else list(Form)
        if checked.verified or not forms:
            return checked
        found = model_source.find(_origin(current), Path(work), report)
        return _put_in_force(paths, _made(paths, found, forms, Path(work), report), report)


def _no_report(done: int, total: int, what: str) -> None:
    pass


def _workshop(paths: Paths) -> tempfile.TemporaryDirectory[str]:
    """A folder to make a model in; one that a crash left is removed, for the lock is ours."""
    for left in Path(paths.models).glob(f"{WORKSHOP}*"):
        shutil.rmtree(left, ignore_errors=True)
    return tempfile.TemporaryDirectory(dir=paths.models, prefix=WORKSHOP)


def _origin(current: Manifest | None) -> str | None:
    """Where the model in force came from, if that is a path and still there; the hub is asked only by name."""
    return current.source if current and Path(current.source).exists() else None


def status(paths: Paths) -> dict[str, Any]:
    """`state` is ready, unverified or missing, `reason` what is wrong and how to mend it; the rest is the manifest."""
    try:
        raw, _ = semantic.read_manifest(paths)
    except semantic.ModelUnusable as error:
        return {"state": "missing", "reason": str(error)}
    known: dict[str, Any] = {"state": "ready", "reason": "", **raw}
    try:
        semantic.checked_manifest(paths)
    except semantic.ModelUnusable as error:
        known.update(state="unverified", reason=raw.get("failure") or str(error))
    return known


def _current(paths: Paths) -> Manifest | None:
    try:
        known: dict[str, Any] = semantic.read_manifest(paths)[0]
        return Manifest(**known)
    except (semantic.ModelUnusable, TypeError):
        return None


def _is_ready(paths: Paths, current: Manifest) -> bool:
    try:
        semantic.checked_manifest(paths)
    except semantic.ModelUnusable:
        return False
    return current.build == BUILD


def _is_settled(paths: Paths, current: Manifest) -> bool:
    """Every form was tried with this very library and none passed: trying once more gives the same."""
    tried = current.build == BUILD and bool(current.failure) and current.library == _library_stamp() != {}
    return tried and _is_whole(paths, current)


def _is_whole(paths: Paths, manifest: Manifest) -> bool:
    folder = f"{paths.models}/{manifest.generation}"
    sizes = {name: semantic.file_stamp(f"{folder}/{name}")[0] for name in manifest.files}
    return all(sizes[name] == entry.get("size") for name, entry in manifest.files.items())


# --- making a generation -------------------------------------------------------------------------


def _made(paths: Paths, source: Source, forms: list[Form], work: Path, report: Progress) -> Manifest:
    """A new generation, in the first form that passes or else unverified in the first one of all."""
    report(1, STEPS, "reading the weights")
    weights = read_weights(source.weights)
    report(2, STEPS, "measuring ranges")
    ranges = measured_ranges(weights, source.tokens)
    first: tuple[Manifest, Path] | None = None
    for form in forms:
        report(3, STEPS, f"writing the {form.value} form")
        folder = work / form.value
        write_model(folder, weights, source.tokens, form, ranges)
        report(4, STEPS, f"verifying the {form.value} form")
        files = {path.name: _entry(path) for path in sorted(folder.iterdir())}
        manifest = Manifest(
            _new_generation(paths, source, form),
            source.name,
            source.sha256,
            BUILD,
            form.value,
            files,
            cpu=cpu_features(),
        )
        manifest = _checked(manifest, folder)
        first = first or (manifest, folder)
        if manifest.verified:
            first = (manifest, folder)
            break
    if first is None:
        raise PreparationFailed("there is no form to prepare the model in")
    manifest, folder = first
    os.replace(folder, Path(paths.models) / manifest.generation)
    return manifest


def write_model(folder: Path, weights: Weights, tokens: list[str], form: Form, ranges: model_graph.Ranges) -> None:
    """Every file of a generation, synced."""
    folder.mkdir(0o700)
    data = DataFile(DATA_FILE)
    files = {
        semantic.QUERY: model_graph.query_graph(weights, form, data, ranges),
        "document.onnx": model_graph.document_graph(weights, data),
        semantic.SCORE: model_graph.score_graph(),
        semantic.VOCABULARY: wordpiece.build(tokens),
        "vocab.txt": ("\n".join(tokens) + "\n").encode(),
        DATA_FILE: b"".join(data.chunks),
        "LICENSE.txt": model_source.licence(),
    }
    for name, content in files.items():
        write_whole(str(folder / name), content)


def measured_ranges(weights: Weights, tokens: list[str]) -> model_graph.Ranges:
    """The largest magnitude of each channel before each smoothed product, over the calibration sentences."""
    from awhm_hooks.consolidate.embed import load_graph

    graph, sites = model_graph.ranges_graph(weights)
    session = load_graph(graph)
    vocabulary = wordpiece.Vocabulary(wordpiece.build(tokens))
    ranges: dict[str, Array] = {}
    for text in CALIBRATION:
        ids = np.array([wordpiece.encode(text, vocabulary)], np.int64)
        for site, found in zip(sites, session.run([f"{site}_range" for site in sites], {"ids": ids}), strict=True):
            ranges[site] = np.maximum(ranges.get(site, found), found)
    return ranges


def _entry(path: Path) -> dict[str, Any]:
    return {"size": path.stat().st_size, "sha256": model_source.sha256_of(path)}


def _new_generation(paths: Paths, source: Source, form: Form) -> str:
    stem = f"{source.sha256[:8]}-{form.value}-{BUILD}"
    number = 1
    while Path(paths.models, f"{stem}.{number}").exists():
        number += 1
    return f"{stem}.{number}"


def _put_in_force(paths: Paths, manifest: Manifest, report: Progress) -> Manifest:
    """Replace the manifest, the last step; then remove what no manifest names. Gives the manifest back."""
    text = json.dumps(asdict(manifest), indent=1, sort_keys=True)
    write_whole(f"{paths.models}/{semantic.MANIFEST}", text.encode())
    for entry in Path(paths.models).iterdir():
        if entry.is_dir() and (entry / semantic.QUERY).exists() and entry.name != manifest.generation:
            shutil.rmtree(entry, ignore_errors=True)  # on Windows a running hook can hold it: next time
    report(STEPS, STEPS, "ready" if manifest.verified else "not verified")
    return manifest


# --- verifying it --------------------------------------------------------------------------------


def _checked(manifest: Manifest, folder: Path) -> Manifest:
    """The manifest with what a child process found out: `verified`, or `failure`."""
    known = replace(manifest, onnxruntime="", library={}, cpu=cpu_features(), verified=None)
    try:
        library = find_library()
        found = _child_check(folder, library)
    except CheckInterrupted as error:
        return replace(known, failure=str(error))
    except PreparationFailed as error:
        return replace(known, library=_library_stamp(), failure=str(error))
    known = replace(known, onnxruntime=str(found["onnxruntime"]), library=_library_stamp())
    if found["parity"] < PARITY_AT_LEAST or found["to_float"] < TO_FLOAT_AT_LEAST:
        figures = f"{found['parity']:.4f} to the Python binding, {found['to_float']:.4f} to the float model"
        return replace(known, failure=f"the {manifest.form} form's vectors are off: cosine {figures}")
    return replace(known, verified={**found, "at": datetime.now(UTC).isoformat(timespec="seconds")}, failure="")


def _library_stamp() -> dict[str, Any]:
    """What the manifest says of the library that is installed; empty where none is."""
    try:
        library = str(find_library())
    except PreparationFailed:
        return {}
    size, changed = semantic.file_stamp(library)
    return {"path": library, "size": size, "mtime_ns": changed}


def _child_check(folder: Path, library: Path) -> dict[str, Any]:
    root = str(Path(__file__).parents[2])
    code = f"import sys; sys.path.insert(0, {root!r}); from awhm_hooks.manage.model_check import main; main()"
    command = [sys.executable, "-I", "-c", code, str(folder), str(library)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=CHECK_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CheckInterrupted(f"the check did not end: {error}") from error
    if done.returncode < 0:
        raise PreparationFailed(f"the check crashed with signal {-done.returncode}")
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise PreparationFailed(f"the check failed: {last}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def find_library() -> Path:
    """ONNX Runtime's C library, as the installed wheel ships it. Raises PreparationFailed."""
    spec = importlib.util.find_spec("onnxruntime")
    if spec is None or not spec.submodule_search_locations:
        raise PreparationFailed("onnxruntime is not installed")
    from awhm_hooks.recall.onnx_c import library_name

    try:
        version = importlib.metadata.version("onnxruntime")
    except importlib.metadata.PackageNotFoundError:
        version = "*"
    for place in spec.submodule_search_locations:
        for library in sorted(Path(place, "capi").glob(library_name(version))):
            return library.resolve()
    raise PreparationFailed("the installed onnxruntime ships no C library that can be opened")


def cpu_features() -> list[str]:
    """The machine's kind and those features of its CPU that decide how int8 products are computed, where known."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return [platform.machine()]
    lines = [line.split(":", 1)[1].split() for line in text.splitlines() if line.startswith(("flags", "Features"))]
    present = set(lines[0]) if lines else set()
    return [platform.machine(), *(flag for flag in CPU_FLAGS if flag in present)]
