"""The weights of all-MiniLM-L6-v2, read from an ONNX export (float or int8) or from safetensors."""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from awhm_hooks.manage.onnx_proto import BadModel, ReadModel, ReadNode, read_model

WIDTH, INNER, LAYERS, HEADS, VOCABULARY = 384, 1536, 6, 12, 30522
SAFETENSORS_KINDS = {"F32": "<f4", "F16": "<f2", "F64": "<f8"}
Array = np.ndarray[Any, np.dtype[Any]]
LINEARS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mixed": "attention.output.dense",
    "inner": "intermediate.dense",
    "outer": "output.dense",
}


@dataclass
class Linear:
    """x @ weight * scale + bias: (in, out) int8 with a float32 scale a column, or float32 with scale None."""

    weight: Array
    scale: Array | None
    bias: Array | None

    def values(self) -> Array:
        """(in, out) float32."""
        values = self.weight.astype(np.float32)
        return values if self.scale is None else values * self.scale

    def whole_bias(self) -> Array:
        return np.zeros(self.weight.shape[1], np.float32) if self.bias is None else self.bias


@dataclass
class Norm:
    weight: Array
    bias: Array


@dataclass
class Layer:
    linears: dict[str, Linear]
    attention_norm: Norm
    output_norm: Norm


@dataclass
class Weights:
    """words (30522, 384) int8 with word_scale (30522, 1), or float32 with None.

    positions (512, 384) and types (2, 384) are float32.
    """

    words: Array
    word_scale: Array | None
    positions: Array
    types: Array
    norm: Norm
    layers: list[Layer]

    def words_int8(self) -> tuple[Array, Array]:
        """(words int8, scale (30522, 1) float32)."""
        if self.word_scale is not None:
            return self.words, self.word_scale
        weight, scale = quantised(self.words, axis=1)
        return weight, scale.reshape(-1, 1)


def quantised(values: Array, axis: int, top: int = 127) -> tuple[Array, Array]:
    """Symmetric int8 of float values with one scale for all that lie along `axis`: (int8, scale float32)."""
    scale = np.abs(values).max(axis=axis) / top
    scale = np.where(scale > 0, scale, 1.0).astype(np.float32)
    rounded = np.rint(values / np.expand_dims(scale, axis))
    return np.clip(rounded, -top, top).astype(np.int8), scale


def read_weights(path: Path) -> Weights:
    """The weights in a .onnx or .safetensors file. Raises BadModel where it is not all-MiniLM-L6-v2."""
    if path.suffix == ".safetensors":
        return _assemble(_Safetensors(path))
    return _assemble(_Onnx(path))


class _Safetensors:
    """Named tensors of a safetensors file, as float32."""

    def __init__(self, path: Path) -> None:
        data = _mapped(path)
        size = int.from_bytes(data[:8], "little")
        if size > len(data) - 8:
            raise BadModel(f"{path.name} is cut short")
        try:
            header = json.loads(bytes(data[8 : 8 + size]))
        except ValueError as error:
            raise BadModel(f"{path.name} is not a safetensors file: {error}") from error
        self._body = data[8 + size :]
        self._header = {name: entry for name, entry in header.items() if name != "__metadata__"}
        self._find = _by_suffix(list(self._header))

    def plain(self, suffix: str) -> Array:
        entry = self._header[self._find(suffix)]
        start, end = entry["data_offsets"]
        kind = SAFETENSORS_KINDS.get(entry["dtype"])
        if kind is None or end > len(self._body):
            raise BadModel(f"tensor {suffix}: {entry['dtype']} is not supported, or the file is cut short")
        return np.frombuffer(self._body[start:end], kind).reshape(entry["shape"]).astype(np.float32)

    def table(self, suffix: str) -> tuple[Array, Array | None]:
        return self.plain(suffix), None

    def linear(self, stem: str) -> Linear:
        return Linear(self.plain(f"{stem}.weight").T, None, self.plain(f"{stem}.bias"))


class _Onnx:
    """Named tensors of an ONNX export; a product's anonymous weight is found by the bias that is added to it."""

    def __init__(self, path: Path) -> None:
        self._model: ReadModel = read_model(_mapped(path))
        names = {tensor.location for tensor in self._model.tensors.values() if tensor.location}
        if any(os.path.basename(name) != name for name in names):
            raise BadModel(f"{path.name} points outside its directory for data")
        self._external = {name: _mapped(path.parent / name) for name in names}
        self._maker: dict[str, ReadNode] = {out: node for node in self._model.nodes for out in node.outputs}
        self._adds = {name: node for node in self._model.nodes if node.op == "Add" for name in node.inputs}
        known = list(self._model.tensors) + list(self._maker)
        self._find = _by_suffix(known)

    def _array(self, name: str) -> Array:
        if name not in self._model.tensors:
            raise BadModel(f"the ONNX model has no tensor {name}")
        return self._model.tensors[name].array(self._external)

    def plain(self, suffix: str) -> Array:
        values, scale = self.table(suffix)
        return values.astype(np.float32) if scale is None else values.astype(np.float32) * scale

    def table(self, suffix: str) -> tuple[Array, Array | None]:
        return self._resolved(self._find(suffix))

    def _resolved(self, name: str) -> tuple[Array, Array | None]:
        """(values, scale): an initialiser, or one that the graph casts, scales, dequantises or transposes."""
        if name in self._model.tensors:
            return self._array(name).astype(np.float32), None
        maker = self._maker.get(name)
        if maker is not None and maker.op == "Mul":
            cast = self._maker.get(maker.inputs[0])
            if cast is not None and cast.op == "Cast":
                return self._array(cast.inputs[0]), self._array(maker.inputs[1])
        if maker is not None and maker.op == "Transpose":
            values, scale = self._resolved(maker.inputs[0])
            return values.T, None if scale is None else scale.T
        raise BadModel(f"the ONNX model computes {name} in a way that is not understood")

    def linear(self, stem: str) -> Linear:
        bias = self._find(f"{stem}.bias")
        add = self._adds.get(bias)
        products = [self._maker[name] for name in add.inputs if name in self._maker] if add else []
        if not products or products[0].op != "MatMul":
            raise BadModel(f"the ONNX model has no product for {stem}")
        weight, scale = self._resolved(products[0].inputs[1])
        return Linear(weight, None if scale is None else scale.reshape(-1).astype(np.float32), self._array(bias))


def _mapped(path: Path) -> memoryview:
    try:
        with path.open("rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise BadModel(f"cannot read {path}: {error}") from error


def _by_suffix(names: list[str]) -> Callable[[str], str]:
    """Exporters put a prefix of their own before the names of BERT's parameters."""

    def find(suffix: str) -> str:
        found = [name for name in names if name == suffix or name.endswith("." + suffix)]
        if len(found) != 1:
            raise BadModel(f"{len(found)} tensors are called {suffix}: this is not all-MiniLM-L6-v2")
        return found[0]

    return find


def _assemble(source: _Safetensors | _Onnx) -> Weights:
    words, word_scale = source.table("embeddings.word_embeddings.weight")
    weights = Weights(
        words=words,
        word_scale=word_scale,
        positions=source.plain("embeddings.position_embeddings.weight"),
        types=source.plain("embeddings.token_type_embeddings.weight"),
        norm=_norm(source, "embeddings.LayerNorm"),
        layers=[_layer(source, f"encoder.layer.{index}") for index in range(LAYERS)],
    )
    if weights.words.shape != (VOCABULARY, WIDTH) or weights.positions.shape != (512, WIDTH):
        raise BadModel(f"embeddings of shape {weights.words.shape}: this is not all-MiniLM-L6-v2")
    return weights


def _norm(source: _Safetensors | _Onnx, stem: str) -> Norm:
    return Norm(source.plain(f"{stem}.weight"), source.plain(f"{stem}.bias"))


def _layer(source: _Safetensors | _Onnx, stem: str) -> Layer:
    linears = {name: source.linear(f"{stem}.{place}") for name, place in LINEARS.items()}
    for name, linear in linears.items():
        rows = INNER if name == "outer" else WIDTH
        columns = INNER if name == "inner" else WIDTH
        if linear.weight.shape != (rows, columns):
            raise BadModel(f"{stem}.{name} has shape {linear.weight.shape}: this is not all-MiniLM-L6-v2")
    return Layer(
        linears, _norm(source, f"{stem}.attention.output.LayerNorm"), _norm(source, f"{stem}.output.LayerNorm")
    )
