"""Semantic recall in a hook's process: the binding's answers, and silence where anything is amiss."""

import gzip
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from prepared_model import copied, generation, prepared, replaced

from awhm_hooks.consolidate import vectors_write
from awhm_hooks.consolidate.embed import Embedder, python_vectors
from awhm_hooks.manage.model_sentences import SENTENCES
from awhm_hooks.paths import Paths
from awhm_hooks.recall import semantic, vectors

ROOT = Path(__file__).parents[2]
EVAL = Path(__file__).parents[3] / "shared" / "eval"
PATIENCE_S = 600.0


def opened(paths: Paths) -> semantic.Semantic:
    return semantic.Semantic(paths, time.monotonic() + PATIENCE_S)


@pytest.fixture
def recall():
    found = opened(prepared())
    yield found
    found.close()


def floats(vector: bytes) -> np.ndarray:
    return np.frombuffer(vector, np.float32)


def test_a_text_becomes_a_unit_vector_and_its_row(recall):
    recall.ask("Helix is what I write code in.", [], 0)
    answer = recall.answer()
    assert np.linalg.norm(floats(answer.vector)) == pytest.approx(1, abs=1e-5)
    assert answer.row == vectors_write.to_rows(floats(answer.vector).reshape(1, -1)).tobytes()
    assert answer.hits == []


def test_a_paraphrase_without_a_shared_word_is_nearest(recall):
    memories = ["Helix is what I write code in.", "The staging port is 8443.", "My dog is called Bruno."]
    rows = vectors_write.to_rows(Embedder(prepared()).embed(memories))
    recall.ask("which text editor am I used to?", [vectors.joined([row.tobytes() for row in rows])], 3)
    hits = recall.answer().hits[0]
    assert hits[0][0] == 0
    assert hits[0][1] > hits[1][1] + 0.1


def test_several_sets_of_rows_are_scored_at_once(recall):
    rows = [row.tobytes() for row in vectors_write.to_rows(Embedder(prepared()).embed(SENTENCES[:4]))]
    recall.ask(SENTENCES[2], [vectors.joined(rows[:2]), vectors.joined([]), vectors.joined(rows)], 2)
    hits = recall.answer().hits
    assert [len(found) for found in hits] == [2, 0, 2]
    assert hits[2][0][0] == 2
    assert hits[2][0][1] == pytest.approx(1, abs=0.02)


def test_questions_can_follow_one_another(recall):
    first, second = recall.embed("one"), recall.embed("two")
    assert first != second
    assert recall.embed("one") == first
    itself = vectors.joined([vectors_write.to_rows(floats(first).reshape(1, -1)).tobytes()])
    assert recall.score(first, itself, 1) == [(0, pytest.approx(1, abs=0.001))]


def test_a_question_that_nobody_waited_for_gives_way_to_the_next(recall):
    recall.ask("one", [], 0)
    recall.ask("two", [], 0)
    assert recall.answer().vector == recall.embed("two")
    assert recall.answer() is None


@pytest.mark.parametrize(
    "text", ["", " ", "a", "x" * 10_000, "word " * 3000, "\x00\ud800", "😀 文"], ids=lambda t: repr(t[:8])
)
def test_any_text_has_a_vector(recall, text):
    assert np.linalg.norm(floats(recall.embed(text))) == pytest.approx(1, abs=1e-5)


def eval_texts() -> tuple[list[str], list[str]]:
    """200 questions and the memories that they are asked of."""
    corpus = json.loads((EVAL / "awm_public_corpus_seed20261008.json").read_text(encoding="utf-8"))
    memories = [memory["text"] for memory in corpus["memories"]][:50]
    with gzip.open(EVAL / "longmemeval_oracle_dev.json.gz") as file:
        questions = [item["question"] for item in json.load(file)]
    return questions[:120] + [case["query"] for case in corpus["cases"]][:80], memories + questions[120:220]


def test_the_c_path_and_the_binding_find_the_same_ten_for_200_queries(recall):
    queries, memories = eval_texts()
    assert len(queries) == 200
    stored = Embedder(prepared()).embed(memories)
    ours = np.array([floats(recall.embed(query)) for query in queries])
    binding = python_vectors(generation(prepared()), queries)
    exact = Embedder(prepared()).embed(queries)
    assert (ours * binding).sum(axis=1).min() > 0.999
    assert (ours * exact).sum(axis=1).min() > 0.98
    best = [np.argsort(-(stored @ vector), kind="stable")[:10].tolist() for vector in ours]
    assert best == [np.argsort(-(stored @ vector), kind="stable")[:10].tolist() for vector in binding]


def test_scores_are_the_cosines_of_the_stored_rows(recall, tmp_path):
    noise = np.random.default_rng(3)
    stored = noise.standard_normal((3000, 384)).astype(np.float32)
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    rows = vectors_write.to_rows(stored)
    found = vectors.open_rows(vectors_write.create(str(tmp_path), 1, rows), 1)
    vector = recall.embed("Which database does the billing service use?")
    hits = recall.score(vector, found, 50)
    dequantised = (rows.astype(np.float32) - vectors.ZERO) * np.float32(vectors.STEP)
    cosines = dequantised @ floats(vector)
    assert [cosine for _, cosine in hits] == sorted((cosine for _, cosine in hits), reverse=True)
    for row, cosine in hits:
        assert cosine == pytest.approx(float(cosines[row]), abs=1e-5)
    assert len({row for row, _ in hits} & set(np.argsort(-cosines)[:50].tolist())) >= 45
    assert hits[0][0] == int(np.argmax(cosines))


def test_more_than_there_are_is_all_of_them(recall):
    rows = vectors.joined([row.tobytes() for row in vectors_write.to_rows(Embedder(prepared()).embed(["a", "b"]))])
    assert sorted(row for row, _ in recall.score(recall.embed("a"), rows, 50)) == [0, 1]


# --- silence -------------------------------------------------------------------------------------


def manifest_changed(paths: Paths, **changes: object) -> None:
    path = Path(paths.models) / semantic.MANIFEST
    replaced(path, json.dumps({**json.loads(path.read_text()), **changes}).encode())


def library_changed(paths: Paths, **changes: object) -> None:
    path = Path(paths.models) / semantic.MANIFEST
    manifest_changed(paths, library={**json.loads(path.read_text())["library"], **changes})


def file_cut(paths: Paths, name: str) -> None:
    path = generation(paths) / name
    replaced(path, path.read_bytes()[:-100])


BREAKAGES = {
    "no model": (lambda paths: (Path(paths.models) / semantic.MANIFEST).unlink(), "no model is prepared"),
    "not JSON": (lambda paths: replaced(Path(paths.models) / semantic.MANIFEST, b"{"), "current.json"),
    "not an object": (lambda paths: replaced(Path(paths.models) / semantic.MANIFEST, b"[1]"), "format"),
    "a later format": (lambda paths: manifest_changed(paths, format=99), "format"),
    "never verified": (lambda paths: manifest_changed(paths, verified=None), "not verified"),
    "no library named": (lambda paths: manifest_changed(paths, library={}), "damaged"),
    "files of no kind": (lambda paths: manifest_changed(paths, files=[1]), "damaged"),
    "library gone": (lambda paths: library_changed(paths, path="/nowhere/libonnxruntime.so"), "ONNX Runtime"),
    "library replaced": (lambda paths: library_changed(paths, mtime_ns=1), "ONNX Runtime"),
    "other version": (lambda paths: manifest_changed(paths, onnxruntime="1.2.3"), r"not 1\.2\.3"),
    "generation gone": (lambda paths: manifest_changed(paths, generation="other"), "missing or damaged"),
    "weights cut short": (lambda paths: file_cut(paths, "weights.data"), "missing or damaged"),
    "graph cut short": (lambda paths: file_cut(paths, "query.onnx"), "missing or damaged"),
    "vocabulary cut short": (lambda paths: file_cut(paths, "vocab.bin"), "missing or damaged"),
}


@pytest.mark.parametrize("kind", BREAKAGES)
def test_what_is_amiss_is_a_reason_and_no_answer(tmp_path, kind):
    paths = copied(tmp_path)
    breakage, reason = BREAKAGES[kind]
    breakage(paths)
    recall = opened(paths)
    assert recall.embed("anything") is None
    assert recall.score(bytes(1536), vectors.joined([bytes(384)]), 1) == []
    recall.ask("anything", [], 0)
    assert recall.answer() is None
    assert re.search(reason, recall.reason), recall.reason
    recall.close()


def test_a_deadline_that_has_passed_is_a_reason_and_no_answer():
    recall = semantic.Semantic(prepared(), time.monotonic() - 1)
    began = time.monotonic()
    assert recall.embed("anything") is None
    assert time.monotonic() - began < 1
    assert "deadline" in recall.reason
    recall.close()


def test_a_vector_of_the_wrong_length_is_a_reason_and_no_answer():
    recall = opened(prepared())
    assert recall.score(b"", vectors.joined([bytes(384)]), 1) == []
    assert "OnnxError" in recall.reason
    recall.close()


@pytest.mark.parametrize(
    "rows", [vectors.Rows(bytearray(100), 5), vectors.Rows(bytearray(384), 1, 384)], ids=["short", "beyond"]
)
def test_rows_that_are_not_there_are_a_reason_and_no_answer(rows):
    recall = opened(prepared())
    recall.ask("anything", [rows], 1)
    assert recall.answer() is None
    assert "OnnxError" in recall.reason
    recall.close()


def test_after_its_end_there_are_no_answers():
    recall = opened(prepared())
    assert recall.embed("anything")
    recall.close()
    recall.close()
    assert recall.embed("anything") is None


# --- crashes of native code, each in a process of its own -----------------------------------------

HOOK = """
import sys
sys.path.insert(0, {root!r})
import os, time
from awhm_hooks.paths import Paths
from awhm_hooks.recall import semantic, vectors
recall = semantic.Semantic(Paths({data!r}), time.monotonic() + 60)
rows = [vectors.open_rows({rows!r}, 1)] if {rows!r} else []
{before}
recall.ask("Which text editor am I used to?", rows, 5)
answer = recall.answer()
print("answer" if answer else "lexical: " + recall.reason)
sys.stdout.flush()
os._exit(0)
"""


def hook(paths: Paths, rows: str = "", before: str = "") -> str:
    code = HOOK.format(root=str(ROOT), data=paths.data_dir, rows=rows, before=before)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    assert done.stderr == ""
    return done.stdout.strip()


def stamped(paths: Paths, name: str) -> None:
    """Have the manifest believe that a damaged file is what it should be."""
    path = Path(paths.models) / semantic.MANIFEST
    files = json.loads(path.read_text())["files"]
    files[name]["size"] = (generation(paths) / name).stat().st_size
    manifest_changed(paths, files=files)


def test_a_cold_process_answers_and_loads_nothing_heavy(tmp_path):
    heavy = "{'typing', 're', 'enum', 'json', 'ctypes', 'threading', 'numpy', 'onnxruntime', 'tokenizers', 'logging'}"
    assert hook(prepared(), before=f"print(*({heavy} & set(sys.modules)))") == "answer"


def test_a_library_that_is_something_else_leaves_the_lexical_answer(tmp_path):
    paths = copied(tmp_path / "data")
    fake = tmp_path / "libonnxruntime.so"
    for content in (b"\x7fELF" + bytes(5000), b"no library at all"):
        fake.write_bytes(content)
        size, changed = semantic.file_stamp(str(fake))
        library_changed(paths, path=str(fake), size=size, mtime_ns=changed)
        assert hook(paths).startswith("lexical: OnnxError: cannot open")


def test_a_library_cut_short_leaves_the_lexical_answer(tmp_path):
    paths = copied(tmp_path / "data")
    whole = Path(json.loads((Path(paths.models) / semantic.MANIFEST).read_text())["library"]["path"])
    for share in (0.2, 0.6, 0.97):
        fake = tmp_path / "libonnxruntime.so"
        fake.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * share)])
        size, changed = semantic.file_stamp(str(fake))
        library_changed(paths, path=str(fake), size=size, mtime_ns=changed)
        assert hook(paths).startswith("lexical: ")


def test_weights_cut_short_behind_the_manifests_back_leave_the_lexical_answer(tmp_path):
    paths = copied(tmp_path / "data")
    path = generation(paths) / "weights.data"
    replaced(path, path.read_bytes()[: 14 << 20])
    stamped(paths, "weights.data")
    assert hook(paths).startswith("lexical: ")


def test_rows_cut_short_while_they_are_mapped_leave_the_lexical_answer(tmp_path):
    rows = vectors_write.create(str(tmp_path), 1, np.full((5000, 384), 128, np.uint8))
    assert hook(prepared(), rows=rows, before=f"os.truncate({rows!r}, 4096)") == (
        "lexical: native code crashed with signal 7"
    )


@pytest.mark.parametrize("name", ["query.onnx", "vocab.bin"])
def test_damaged_files_of_the_right_size_leave_the_lexical_answer(tmp_path, name):
    paths = copied(tmp_path / "data")
    path = generation(paths) / name
    replaced(path, bytes(path.stat().st_size))
    assert hook(paths).startswith("lexical: ")


def test_nothing_is_left_behind_by_a_deadline(tmp_path):
    before = set(os.listdir(prepared().models))
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import os, time\n"
    code += "from awhm_hooks.paths import Paths\nfrom awhm_hooks.recall import semantic\n"
    code += f"recall = semantic.Semantic(Paths({prepared().data_dir!r}), time.monotonic() + 0.005)\n"
    code += "print(recall.embed('x'), recall.reason)\nsys.stdout.flush()\nos._exit(0)"
    for _ in range(5):
        done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("None the deadline passed")
    assert set(os.listdir(prepared().models)) == before
