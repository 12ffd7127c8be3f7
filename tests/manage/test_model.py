"""Preparing, verifying and reporting the model: from every source, atomically, and with a crash kept in its place."""

import http.server
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from prepared_model import copied, generation, prepared, replaced

from awhm_hooks.consolidate.embed import Embedder, python_vectors
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.manage import model, model_source
from awhm_hooks.manage.model_graph import Form
from awhm_hooks.manage.model_sentences import SENTENCES
from awhm_hooks.manage.model_weights import LINEARS, Weights, read_weights
from awhm_hooks.manage.onnx_proto import BadModel
from awhm_hooks.paths import Paths
from awhm_hooks.recall import semantic

PACKAGE = model_source.find(None, Path(), lambda done, total, what: None)


def reference_vectors(texts: tuple[str, ...]) -> np.ndarray:
    """The package's model as it is published, pooled and normalised by hand."""
    import onnxruntime as ort

    from awhm_hooks.recall import wordpiece

    session = ort.InferenceSession(str(PACKAGE.weights), providers=["CPUExecutionProvider"])
    vocabulary = wordpiece.Vocabulary((generation(prepared()) / "vocab.bin").read_bytes())
    found = []
    for text in texts:
        ids = np.array([wordpiece.encode(text, vocabulary)])
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = session.run(None, feeds)[0][0].mean(axis=0)
        found.append(mean / np.linalg.norm(mean))
    return np.array(found)


def test_the_float_form_is_the_published_model():
    texts = SENTENCES[:12]
    found = Embedder(prepared()).embed(texts)
    assert (found * reference_vectors(texts)).sum(axis=1).min() > 0.9999


def test_the_manifest_says_what_was_made_of_what():
    manifest = json.loads((Path(prepared().models) / semantic.MANIFEST).read_text())
    assert manifest["source_sha256"] == model_source.PACKAGE_SHA256
    assert (manifest["form"], manifest["failure"], manifest["format"]) == ("int8", "", 1)
    assert manifest["verified"]["parity"] > 0.999
    assert manifest["verified"]["to_float"] > 0.98
    assert manifest["verified"]["top10"] > 0.9
    assert manifest["library"]["size"] == os.path.getsize(manifest["library"]["path"])
    for name, entry in manifest["files"].items():
        path = generation(prepared()) / name
        assert (path.stat().st_size, model_source.sha256_of(path)) == (entry["size"], entry["sha256"])
        assert path.stat().st_mode & 0o077 == 0
    assert "Apache License" in (generation(prepared()) / "LICENSE.txt").read_text()


def test_a_model_that_is_ready_is_left_as_it_is():
    before = (Path(prepared().models) / semantic.MANIFEST).stat().st_mtime_ns
    for source in (None, str(PACKAGE.weights)):
        model.prepare(prepared(), source)
    assert (Path(prepared().models) / semantic.MANIFEST).stat().st_mtime_ns == before


def test_the_steps_are_reported_to_the_end(tmp_path):
    steps = []
    model.prepare(copied(tmp_path), progress=lambda done, total, what: steps.append((done, total)), force=True)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert steps[-1] == (model.STEPS, model.STEPS)


def test_what_a_crash_left_is_removed(tmp_path):
    paths = copied(tmp_path)
    left = Path(paths.models) / "making-x" / "int8"
    left.mkdir(parents=True)
    (left / "query.onnx").write_bytes(b"half")
    model.prepare(paths)
    assert not left.parent.exists()
    assert model.status(paths)["state"] == "ready"


def test_status_tells_the_states_apart(tmp_path):
    assert model.status(Paths(str(tmp_path / "none")))["state"] == "missing"
    assert model.status(prepared())["state"] == "ready"
    paths = copied(tmp_path / "copy")
    path = generation(paths) / "query.onnx"
    replaced(path, path.read_bytes()[:-1])
    found = model.status(paths)
    assert (found["state"], found["form"]) == ("unverified", "int8")
    assert "damaged" in found["reason"]


def test_a_forced_preparation_replaces_the_generation(tmp_path):
    paths = copied(tmp_path)
    old = generation(paths)
    model.prepare(paths, force=True)
    assert generation(paths) != old
    assert not old.exists()
    assert sorted(os.listdir(paths.models)) == sorted([generation(paths).name, semantic.MANIFEST, "lock"])


def test_a_damaged_model_is_made_anew(tmp_path):
    paths = copied(tmp_path)
    replaced(generation(paths) / "weights.data", b"")
    assert model.prepare(paths).verified
    assert model.status(paths)["state"] == "ready"


# --- verifying -----------------------------------------------------------------------------------


def test_verify_records_the_library_that_is_installed_now(tmp_path):
    paths = copied(tmp_path)
    path = Path(paths.models) / semantic.MANIFEST
    manifest = json.loads(path.read_text())
    manifest["library"]["mtime_ns"] = 1
    replaced(path, json.dumps({**manifest, "onnxruntime": "1.0.0"}).encode())
    assert model.status(paths)["state"] == "unverified"
    found = model.verify(paths)
    assert found.verified["sentences"] == len(SENTENCES)
    assert model.status(paths)["state"] == "ready"


def test_verify_without_a_model_says_how_to_get_one(tmp_path):
    with pytest.raises(semantic.ModelUnusable, match="awhm model prepare"):
        model.verify(Paths(str(tmp_path)))


def test_a_form_that_is_off_gives_way_to_a_safer_one(tmp_path):
    """A query graph whose weights are not those of the document graph, as if products had saturated."""
    paths = copied(tmp_path)
    folder = generation(paths)
    source = read_weights(PACKAGE.weights)
    wrong = folder.parent / "wrong"
    ranges = model.measured_ranges(source, PACKAGE.tokens)
    for layer in source.layers:
        layer.linears["outer"].bias = layer.linears["outer"].bias + np.arange(384, dtype=np.float32) / 100
    model.write_model(wrong, source, PACKAGE.tokens, Form.INT8, ranges)
    replaced(folder / "query.onnx", (wrong / "query.onnx").read_bytes())
    found = model.verify(paths)
    assert found.form == "int7"
    assert found.verified["to_float"] > 0.98
    assert model.status(paths)["state"] == "ready"


def test_a_crash_of_the_check_is_recorded_and_no_hook_uses_the_model(tmp_path):
    """The weights end before the graph's last tensor: mapping them past their end is a bus error."""
    source = tmp_path / "weights"
    folder = tmp_path / "made"
    weights = read_weights(PACKAGE.weights)
    model.write_model(folder, weights, PACKAGE.tokens, Form.INT8, {})
    data = (folder / model.DATA_FILE).read_bytes()
    replaced(folder / model.DATA_FILE, data[: 12 << 20])
    manifest = model.Manifest("made", str(source), "", model.BUILD, "int8", {})
    found = model._checked(manifest, folder)
    assert found.verified is None
    assert "the check" in found.failure


def test_a_model_that_failed_with_this_library_is_not_made_again_and_again(tmp_path, monkeypatch):
    monkeypatch.setattr(model, "TO_FLOAT_AT_LEAST", 1.1)
    paths = Paths(str(tmp_path))
    failed = model.prepare(paths)
    assert (failed.form, failed.verified) == ("int8", None)
    assert "cosine" in model.status(paths)["reason"]
    monkeypatch.undo()
    assert model.prepare(paths) == failed
    assert Embedder(paths).embed(["the worker can use it"]).shape == (1, 384)
    assert model.verify(paths).verified


def test_a_damaged_model_is_never_left_verified(tmp_path, monkeypatch):
    paths = copied(tmp_path)
    replaced(generation(paths) / "query.onnx", b"nonsense")
    monkeypatch.setattr(model_source, "PACKAGE", "no_such_package")
    with pytest.raises(AwhmError, match="not installed"):
        model.verify(paths)
    assert model.status(paths)["state"] == "unverified"


@pytest.mark.parametrize("form", [Form.INT7, Form.FLOAT])
def test_every_form_comes_close_enough_to_the_float_model(tmp_path, form):
    weights = read_weights(PACKAGE.weights)
    folder = tmp_path / "model"
    model.write_model(folder, weights, PACKAGE.tokens, form, model.measured_ranges(weights, PACKAGE.tokens))
    texts = [text for text in SENTENCES if " " in text]
    exact = Embedder.of_directory(folder).embed(texts)
    found = python_vectors(folder, texts)
    assert (found * exact).sum(axis=1).min() > (0.98 if form is Form.INT7 else 0.9999)


# --- sources -------------------------------------------------------------------------------------


def as_safetensors(weights: Weights, path: Path, kind: str = "F32") -> None:
    """The weights under the names that the hub's file gives them."""
    words = weights.words.astype(np.float32) * weights.word_scale
    named = {
        "embeddings.word_embeddings.weight": words,
        "embeddings.position_embeddings.weight": weights.positions,
        "embeddings.token_type_embeddings.weight": weights.types,
        "embeddings.LayerNorm.weight": weights.norm.weight,
        "embeddings.LayerNorm.bias": weights.norm.bias,
    }
    for index, layer in enumerate(weights.layers):
        stem = f"encoder.layer.{index}"
        for key, place in LINEARS.items():
            named[f"{stem}.{place}.weight"] = layer.linears[key].values().T
            named[f"{stem}.{place}.bias"] = layer.linears[key].whole_bias()
        for place, norm in (("attention.output", layer.attention_norm), ("output", layer.output_norm)):
            named[f"{stem}.{place}.LayerNorm.weight"] = norm.weight
            named[f"{stem}.{place}.LayerNorm.bias"] = norm.bias
    header, body, at = {}, [], 0
    for name, array in named.items():
        data = np.ascontiguousarray(array, {"F32": "<f4", "F16": "<f2"}[kind]).tobytes()
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [at, at + len(data)]}
        body.append(data)
        at += len(data)
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(body))


@pytest.fixture(scope="module")
def float_folder(tmp_path_factory) -> Path:
    """A directory as a download of the model looks: safetensors and vocab.txt."""
    folder = tmp_path_factory.mktemp("minilm")
    as_safetensors(read_weights(PACKAGE.weights), folder / "model.safetensors")
    (folder / "vocab.txt").write_text("\n".join(PACKAGE.tokens) + "\n", encoding="utf-8")
    return folder


def test_a_local_directory_of_safetensors_gives_the_same_vectors(tmp_path, float_folder):
    paths = Paths(str(tmp_path))
    manifest = model.prepare(paths, str(float_folder))
    assert model.prepare(paths) == manifest  # not the package instead
    assert manifest.source_sha256 == model_source.sha256_of(float_folder / "model.safetensors")
    assert manifest.verified["parity"] > 0.999
    texts = SENTENCES[:8]
    assert (Embedder(paths).embed(texts) * Embedder(prepared()).embed(texts)).sum(axis=1).min() > 0.999


def test_half_precision_is_read(tmp_path):
    weights = read_weights(PACKAGE.weights)
    as_safetensors(weights, tmp_path / "model.safetensors", "F16")
    found = read_weights(tmp_path / "model.safetensors")
    assert found.words.dtype == np.float32
    expected = weights.layers[0].linears["inner"].values()
    assert np.abs(found.layers[0].linears["inner"].weight - expected).max() < 1e-3


def test_a_local_onnx_file_and_tokenizer_json_are_read(tmp_path):
    (tmp_path / "onnx").mkdir()
    os.link(PACKAGE.weights, tmp_path / "onnx" / "model.onnx")
    ids = {token: index for index, token in enumerate(PACKAGE.tokens)}
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"type": "WordPiece", "vocab": ids}}))
    found = model_source.find(str(tmp_path), tmp_path, lambda done, total, what: None)
    assert found.tokens == PACKAGE.tokens
    assert found.sha256 == model_source.PACKAGE_SHA256


def test_a_directory_without_a_model_is_refused(tmp_path):
    with pytest.raises(AwhmError, match=r"holds none of model\.onnx"):
        model.prepare(Paths(str(tmp_path / "data")), str(tmp_path))


@pytest.mark.parametrize("name", ["model.onnx", "model.safetensors"])
@pytest.mark.parametrize("content", [b"", b"nonsense", bytes(100), b"\xff" * 50], ids=repr)
def test_a_file_that_is_no_model_is_refused(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    paths = Paths(str(tmp_path / "data"))
    with pytest.raises(BadModel):
        model.prepare(paths, str(tmp_path / name))
    assert os.listdir(paths.models) == ["lock"]


def test_another_vocabulary_is_refused(tmp_path, float_folder):
    os.link(float_folder / "model.safetensors", tmp_path / "model.safetensors")
    (tmp_path / "vocab.txt").write_text("[PAD]\nhello\n")
    with pytest.raises(AwhmError, match="vocabulary of 2 tokens"):
        model.prepare(Paths(str(tmp_path / "data")), str(tmp_path))


def test_another_model_on_the_hub_is_refused(tmp_path):
    with pytest.raises(UsageError, match="only hub:"):
        model.prepare(Paths(str(tmp_path)), "hub:someone/else")


class Hub(http.server.SimpleHTTPRequestHandler):
    """The model hub's paths and headers, on loopback."""

    folder: ClassVar[Path]
    stated: ClassVar[dict[str, str]]
    asked: ClassVar[list[str]]

    def translate_path(self, path: str) -> str:
        return str(self.folder / path.rsplit("/", 1)[1])

    def send_head(self):
        self.asked.append(f"{self.command} {self.path}")
        return super().send_head()

    def end_headers(self) -> None:
        stated = self.stated.get(self.path.rsplit("/", 1)[1])
        if stated:
            self.send_header("X-Linked-Etag", f'"{stated}"')
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def hub(float_folder) -> Iterator[str]:
    Hub.folder, Hub.stated, Hub.asked = float_folder, {}, []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


NAME = model_source.HUB_PREFIX + model_source.HUB_MODEL


def test_the_hub_is_asked_only_by_name_and_its_hash_is_checked(tmp_path, hub, float_folder):
    Hub.stated = {"model.safetensors": model_source.sha256_of(float_folder / "model.safetensors")}
    paths = Paths(str(tmp_path))
    seen = []
    manifest = model.prepare(paths, NAME, lambda done, total, what: seen.append(what), hub=hub)
    assert (manifest.source, manifest.source_sha256) == (NAME, Hub.stated["model.safetensors"])
    assert f"GET /{model_source.HUB_MODEL}/resolve/main/model.safetensors" in Hub.asked
    assert "downloading model.safetensors" in seen
    assert sorted(os.listdir(paths.models)) == sorted([manifest.generation, semantic.MANIFEST, "lock"])


def test_a_download_with_another_hash_is_refused(tmp_path, hub):
    Hub.stated = {"model.safetensors": "0" * 64}
    paths = Paths(str(tmp_path))
    with pytest.raises(AwhmError, match="sha256 that the hub states"):
        model.prepare(paths, NAME, hub=hub)
    assert os.listdir(paths.models) == ["lock"]


def test_a_hub_that_cannot_be_reached_is_an_error_of_ours(tmp_path):
    with pytest.raises(AwhmError, match="cannot fetch"):
        model.prepare(Paths(str(tmp_path)), NAME, hub="http://127.0.0.1:9")


def test_a_file_that_the_hub_lacks_is_an_error_of_ours(tmp_path, hub):
    Hub.folder = tmp_path
    with pytest.raises(AwhmError, match="cannot fetch"):
        model.prepare(Paths(str(tmp_path / "data")), NAME, hub=hub)


# --- many at once --------------------------------------------------------------------------------


def test_two_preparations_at_once_leave_one_model(tmp_path):
    paths = Paths(str(tmp_path))
    found: list[model.Manifest] = []
    threads = [threading.Thread(target=lambda: found.append(model.prepare(paths))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({manifest.generation for manifest in found}) == 1
    assert sorted(os.listdir(paths.models)) == sorted([found[0].generation, semantic.MANIFEST, "lock"])
