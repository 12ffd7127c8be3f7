"""Just enough of ONNX's protobuf format to read one model and write small graphs.

Field numbers are those of onnx.proto (IR version 10 and older readers alike). The `onnx` package would do the same, but
it brings protobuf and is needed once, when a model is prepared.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from awhm_hooks.errors import AwhmError

Array = np.ndarray[Any, np.dtype[Any]]
FLOAT, UINT8, INT8, INT32, INT64, BOOL, FLOAT16, DOUBLE = 1, 2, 3, 6, 7, 9, 10, 11
NUMPY_OF = {
    FLOAT: np.float32,
    UINT8: np.uint8,
    INT8: np.int8,
    INT32: np.int32,
    INT64: np.int64,
    BOOL: np.bool_,
    FLOAT16: np.float16,
    DOUBLE: np.float64,
}
ONNX_OF = {np.dtype(kind): code for code, kind in NUMPY_OF.items()}
IR_VERSION = 8  # read by every ONNX Runtime since 1.10


class BadModel(AwhmError):
    """The bytes are no ONNX model, or not one of the kind that is asked for."""


# --- reading -------------------------------------------------------------------------------------


def fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """(field number, value) in order; a value is an int or, for length-delimited fields, a view. Raises BadModel."""
    at, end = 0, len(data)
    while at < end:
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        if kind == 2:
            size, at = _varint(data, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
        else:
            raise BadModel(f"not an ONNX model: wire type {kind}")
        if at + size > end:
            raise BadModel("the ONNX model is cut short")
        yield key >> 3, data[at : at + size]
        at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise BadModel("the ONNX model is cut short")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


@dataclass
class Tensor:
    """An initialiser as stored; `location` names the external data file, if any."""

    name: str = ""
    dims: list[int] = field(default_factory=list)
    kind: int = 0
    raw: memoryview | None = None
    location: str | None = None
    offset: int = 0
    length: int | None = None

    def array(self, external: dict[str, memoryview]) -> Array:
        """The values, shaped; raises BadModel where they are missing or of a kind that is not read."""
        if self.kind not in NUMPY_OF:
            raise BadModel(f"tensor {self.name}: element type {self.kind} is not supported")
        dtype = np.dtype(NUMPY_OF[self.kind])
        size = int(np.prod(self.dims, dtype=np.int64)) * dtype.itemsize
        data = self.raw if self.raw is not None else memoryview(b"")
        if self.location is not None:
            data = external[self.location][self.offset : self.offset + (size if self.length is None else self.length)]
        if len(data) != size:
            raise BadModel(f"tensor {self.name}: {len(data)} bytes where {size} were expected")
        return np.frombuffer(data, dtype).reshape(self.dims)


@dataclass
class ReadNode:
    op: str = ""
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)


@dataclass
class ReadModel:
    tensors: dict[str, Tensor] = field(default_factory=dict)
    nodes: list[ReadNode] = field(default_factory=list)


def read_model(data: memoryview) -> ReadModel:
    """Initialisers and nodes (without attributes) of a ModelProto. Raises BadModel."""
    model = ReadModel()
    for number, value in fields(data):
        if number == 7 and isinstance(value, memoryview):
            for part, content in fields(value):
                if part == 1 and isinstance(content, memoryview):
                    model.nodes.append(_node(content))
                elif part == 5 and isinstance(content, memoryview):
                    tensor = _tensor(content)
                    model.tensors[tensor.name] = tensor
    if not model.nodes:
        raise BadModel("the file holds no ONNX graph")
    return model


def _text(value: int | memoryview) -> str:
    return bytes(value).decode("utf-8", "replace") if isinstance(value, memoryview) else ""


def _node(data: memoryview) -> ReadNode:
    node = ReadNode()
    for number, value in fields(data):
        if number == 1:
            node.inputs.append(_text(value))
        elif number == 2:
            node.outputs.append(_text(value))
        elif number == 4:
            node.op = _text(value)
    return node


def _tensor(data: memoryview) -> Tensor:
    tensor = Tensor()
    for number, value in fields(data):
        if number == 1:
            tensor.dims += [value] if isinstance(value, int) else _packed(value)
        elif number == 2 and isinstance(value, int):
            tensor.kind = value
        elif number == 8:
            tensor.name = _text(value)
        elif number in (4, 9) and isinstance(value, memoryview):
            tensor.raw = value
        elif number == 7 and isinstance(value, memoryview):
            tensor.raw = memoryview(np.array(_packed(value), np.int64).tobytes())
        elif number == 13 and isinstance(value, memoryview):
            _external(tensor, value)
    return tensor


def _packed(data: memoryview) -> list[int]:
    values, at = [], 0
    while at < len(data):
        value, at = _varint(data, at)
        values.append(value - (1 << 64) if value >> 63 else value)
    return values


def _external(tensor: Tensor, data: memoryview) -> None:
    entry = {number: _text(value) for number, value in fields(data)}
    key, value = entry.get(1), entry.get(2, "")
    if key == "location":
        tensor.location = value
    elif key in ("offset", "length") and value.isdigit():
        setattr(tensor, key, int(value))


# --- writing -------------------------------------------------------------------------------------


def varint(value: int) -> bytes:
    """Base-128, least significant group first; negative numbers as 64-bit two's complement."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def put(number: int, value: int | str | bytes) -> bytes:
    """One field: an int as varint, text and bytes length-delimited."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def attribute(name: str, value: int | float | Sequence[int]) -> bytes:
    """An AttributeProto of kind INT, FLOAT or INTS."""
    if isinstance(value, int):
        return put(1, name) + put(3, value) + put(20, 2)
    if isinstance(value, float):
        return put(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + put(20, 1)
    return put(1, name) + b"".join(put(8, item) for item in value) + put(20, 7)


Shape = Sequence[int | str | None]


def value_info(name: str, kind: int, shape: Shape) -> bytes:
    """A ValueInfoProto of a tensor; a text dimension is symbolic, None is any."""
    dims = b"".join(put(1, b"" if dim is None else put(2 if isinstance(dim, str) else 1, dim)) for dim in shape)
    return put(1, name) + put(2, put(1, put(1, kind) + put(2, dims)))


ALIGNMENT = 4096
INLINE_BYTES = 8192  # every external tensor is a mapping of its own: small ones are cheaper inside the graph


class DataFile:
    """The bytes of an external data file as they are collected; equal tensors are stored once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.chunks: list[bytes] = []
        self.size = 0
        self._known: dict[str, tuple[int, int]] = {}

    def place(self, key: str, data: bytes) -> tuple[int, int]:
        """(offset, length) of the tensor called `key`; page-aligned, as memory mapping wants it."""
        if key not in self._known:
            padding = -self.size % ALIGNMENT
            self.chunks += [bytes(padding), data]
            self._known[key] = (self.size + padding, len(data))
            self.size += padding + len(data)
        return self._known[key]


class Graph:
    """A graph under construction: `node` returns the name of what it computes."""

    def __init__(self, name: str, data: DataFile | None = None) -> None:
        self.name = name
        self._data = data
        self._nodes: list[bytes] = []
        self._tensors: dict[str, bytes] = {}
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []

    def input(self, name: str, kind: int, shape: Shape) -> str:
        self._inputs.append(value_info(name, kind, shape))
        return name

    def output(self, name: str, kind: int, shape: Shape) -> None:
        self._outputs.append(value_info(name, kind, shape))

    def constant(self, name: str, array: Array) -> str:
        """An initialiser; large ones go to the data file, if there is one."""
        if name not in self._tensors:
            self._tensors[name] = self._tensor(name, array)
        return name

    def _tensor(self, name: str, array: Array) -> bytes:
        array = np.asarray(array)
        data = np.ascontiguousarray(array).tobytes()
        head = b"".join(put(1, dim) for dim in array.shape) + put(2, ONNX_OF[array.dtype]) + put(8, name)
        if self._data is None or len(data) <= INLINE_BYTES:
            return head + put(9, data)
        offset, length = self._data.place(name, data)
        entries = {"location": self._data.name, "offset": str(offset), "length": str(length)}
        return head + b"".join(put(13, put(1, key) + put(2, value)) for key, value in entries.items()) + put(14, 1)

    def node(
        self,
        op: str,
        inputs: Sequence[str],
        outputs: Sequence[str] | str,
        domain: str = "",
        **attributes: int | float | Sequence[int],
    ) -> str:
        names = [outputs] if isinstance(outputs, str) else outputs
        parts = [put(1, name) for name in inputs] + [put(2, name) for name in names]
        parts += [put(3, names[0]), put(4, op)]
        parts += [put(5, attribute(key, value)) for key, value in attributes.items()]
        parts += [put(7, domain)] if domain else []
        self._nodes.append(b"".join(parts))
        return names[0]

    def serialised(self, opset: int) -> bytes:
        """The ModelProto."""
        graph = b"".join(put(1, node) for node in self._nodes) + put(2, self.name)
        graph += b"".join(put(5, tensor) for tensor in self._tensors.values())
        graph += b"".join(put(11, value) for value in self._inputs) + b"".join(
            put(12, value) for value in self._outputs
        )
        opsets = put(8, put(1, "") + put(2, opset)) + put(8, put(1, "com.microsoft") + put(2, 1))
        return put(1, IR_VERSION) + put(2, "awhm-hooks") + put(7, graph) + opsets
