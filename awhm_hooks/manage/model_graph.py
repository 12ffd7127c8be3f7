"""The ONNX graphs that are made of all-MiniLM-L6-v2's weights.

They are written node by node with the fused operators of ONNX Runtime's CPU provider, so that no optimiser has to run
when a session is created: 58 nodes instead of 385. Pooling and normalisation are part of the graph.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from awhm_hooks.manage.model_weights import HEADS, WIDTH, Array, Layer, Linear, Norm, Weights, quantised
from awhm_hooks.manage.onnx_proto import FLOAT, INT32, INT64, UINT8, DataFile, Graph
from awhm_hooks.recall.vectors import STEP, ZERO

OPSET = 17
MICROSOFT = "com.microsoft"
POSITIONS = 256
EPSILON = 1e-12
# Int8 activations have one scale a tensor, set by a few channels that are 20 times as large as the rest. Dividing each
# channel by max|x|^0.7 / max|w|^0.3 and multiplying the weights by it (SmoothQuant, Xiao et al. 2023) moves the cosine
# to the float model from 0.9953 to 0.9985 on average, for 18 multiplications.
SMOOTHING = 0.7
QUERY_STEP = 0.4 / 63  # 7 bits: u8 x s8 products of two neighbours then fit in 16, as AVX2 without VNNI needs


class Form(Enum):
    """How the query model multiplies, the fastest way first."""

    INT8 = "int8"
    INT7 = "int7"  # for CPUs on which u8 x s8 products saturate
    FLOAT = "float"

    @property
    def rank(self) -> int:
        return list(Form).index(self)


Ranges = dict[str, Array]


def query_graph(weights: Weights, form: Form, data: DataFile, ranges: Ranges | None = None) -> bytes:
    """One whole text, ids (1, s) int64, to vector (1, 384) float32 of unit length and row (1, 384) uint8."""
    # float products need no help
    encoder = _Encoder("query", data, weights, form, {} if form is Form.FLOAT else ranges or {})
    graph = encoder.graph
    x = encoder.embedded(graph.input("ids", INT64, (1, "s")))
    for index, layer in enumerate(weights.layers):
        x = encoder.layer(f"l{index}", layer, x)
    pooled = graph.node("ReduceMean", [x], "pooled", axes=[1], keepdims=0)
    vector = graph.node("LpNormalization", [pooled], "vector", axis=1, p=2)
    graph.node("QuantizeLinear", [vector, *_row_scale(graph)], "row")
    graph.output("vector", FLOAT, (1, WIDTH))
    graph.output("row", UINT8, (1, WIDTH))
    return graph.serialised(OPSET)


def ranges_graph(weights: Weights) -> tuple[bytes, list[str]]:
    """The float encoder, and its smoothed products: output NAME_range is each channel's largest magnitude before."""
    encoder = _Encoder("ranges", None, weights, Form.FLOAT, {})
    graph = encoder.graph
    x = encoder.embedded(graph.input("ids", INT64, (1, "s")))
    for index, layer in enumerate(weights.layers):
        x = encoder.layer(f"l{index}", layer, x)
    for site, name in encoder.smoothable.items():
        size = graph.node("Abs", [name], f"{site}_size")
        graph.node("ReduceMax", [size], f"{site}_range", axes=[0, 1], keepdims=0)
        graph.output(f"{site}_range", FLOAT, (None,))
    return graph.serialised(OPSET), list(encoder.smoothable)


def document_graph(weights: Weights, data: DataFile) -> bytes:
    """Padded texts, ids (b, s) int64 and mask (b, s) int32, to vectors (b, 384) float32 of unit length, in float."""
    encoder = _Encoder("document", data, weights, Form.FLOAT, {})
    graph = encoder.graph
    ids = graph.input("ids", INT64, ("b", "s"))
    mask = graph.input("mask", INT32, ("b", "s"))
    x = encoder.embedded(ids)
    for index, layer in enumerate(weights.layers):
        x = encoder.layer(f"l{index}", layer, x, mask)
    present = graph.node("Cast", [mask], "present", to=FLOAT)
    present = graph.node("Unsqueeze", [present, graph.constant("last", np.array([-1], np.int64))], "present_column")
    tokens = graph.node("Mul", [x, present], "present_tokens")
    # the mean and the sum have the same direction
    pooled = graph.node("ReduceSum", [tokens, graph.constant("second", np.array([1], np.int64))], "pooled", keepdims=0)
    graph.node("LpNormalization", [pooled], "vectors", axis=1, p=2)
    graph.output("vectors", FLOAT, ("b", WIDTH))
    return graph.serialised(OPSET)


def score_graph() -> bytes:
    """vector (1, 384) float32 against rows (n, 384) uint8: the k best cosines (k,) float32 and their indices int64.

    The k are chosen by integer products and then scored again with the unrounded vector; they come unsorted.
    """
    graph = Graph("score")
    vector = graph.input("vector", FLOAT, (1, WIDTH))
    rows = graph.input("rows", UINT8, ("n", WIDTH))
    k = graph.input("k", INT64, (1,))
    as_column = graph.constant("as_column", np.array([WIDTH, 1], np.int64))
    flat = graph.constant("flat", np.array([-1], np.int64))
    step, zero = _row_scale(graph)
    coarse = [
        graph.constant("query_step", np.array(QUERY_STEP, np.float32)),
        graph.constant("query_zero", np.array(0, np.int8)),
    ]
    bytes_ = graph.node("QuantizeLinear", [vector, *coarse], "vector_bytes")
    column = graph.node("Reshape", [bytes_, as_column], "byte_column")
    products = graph.node("MatMulInteger", [rows, column, zero], "products")
    products = graph.node("Reshape", [products, flat], "flat_products")
    graph.node("TopK", [products, k], ["best", "indices"], axis=0, largest=1, sorted=0)
    chosen = graph.node("Gather", [rows, "indices"], "chosen", axis=0)
    chosen = graph.node("DequantizeLinear", [chosen, step, zero], "chosen_vectors")
    column = graph.node("Reshape", [vector, as_column], "column")
    cosines = graph.node("MatMul", [chosen, column], "cosine_column")
    graph.node("Reshape", [cosines, flat], "cosines")
    graph.output("cosines", FLOAT, (None,))
    graph.output("indices", INT64, (None,))
    return graph.serialised(OPSET)


def _row_scale(graph: Graph) -> list[str]:
    return [
        graph.constant("row_step", np.array(STEP, np.float32)),
        graph.constant("row_zero", np.array(ZERO, np.uint8)),
    ]


class _Encoder:
    """BERT's encoder in one form; `smoothable` says which tensor each smoothed product reads."""

    def __init__(self, name: str, data: DataFile | None, weights: Weights, form: Form, ranges: Ranges) -> None:
        self.graph = Graph(name, data)
        self.smoothable: dict[str, str] = {}
        self._weights = weights
        self._form = form
        self._ranges = ranges

    def embedded(self, ids: str) -> str:
        """Rows are gathered as they are stored and scaled after; type 0 and the positions are summed beforehand."""
        graph, weights = self.graph, self._weights
        words, scale = weights.words_int8()
        rows = graph.node("Gather", [graph.constant("words", words), ids], "word_rows", axis=0)
        rows = graph.node("Cast", [rows], "word_values", to=FLOAT)
        scales = graph.node("Gather", [graph.constant("word_scale", scale), ids], "row_scales", axis=0)
        x = graph.node("Mul", [rows, scales], "word_vectors")
        places = (weights.positions[:POSITIONS] + weights.types[0]).astype(np.float32)
        length = graph.node("Shape", [ids], "length", start=1, end=2)
        start = graph.constant("start", np.array([0], np.int64))
        place = graph.node("Slice", [graph.constant("places", places), start, length], "place_rows")
        summed = graph.node("Add", [x, place], "summed")
        return graph.node(
            "LayerNormalization", [summed, *self._norm("n0", weights.norm)], "n0", axis=-1, epsilon=EPSILON
        )

    def layer(self, name: str, layer: Layer, x: str, mask: str = "") -> str:
        mixed = self._attention(f"{name}_qkv", layer, x, mask)
        mixed = self._product(f"{name}_mixed", layer.linears["mixed"], mixed)
        x = self._skip_norm(f"{name}_n1", layer.attention_norm, mixed, x)
        inner = layer.linears["inner"]
        hidden = self._product(f"{name}_inner", Linear(inner.weight, inner.scale, None), x)
        bias = self.graph.constant(f"{name}_inner_b", inner.whole_bias())
        hidden = self.graph.node("BiasGelu", [hidden, bias], f"{name}_gelu", MICROSOFT)
        outer = self._product(f"{name}_outer", layer.linears["outer"], hidden)
        return self._skip_norm(f"{name}_n2", layer.output_norm, outer, x)

    def _norm(self, name: str, norm: Norm) -> list[str]:
        return [self.graph.constant(f"{name}_g", norm.weight), self.graph.constant(f"{name}_b", norm.bias)]

    def _skip_norm(self, name: str, norm: Norm, x: str, skip: str) -> str:
        inputs = [x, skip, *self._norm(name, norm)]
        return self.graph.node("SkipLayerNormalization", inputs, name, MICROSOFT, epsilon=EPSILON)

    def _attention(self, name: str, layer: Layer, x: str, mask: str) -> str:
        joined = _side_by_side([layer.linears[key] for key in ("query", "key", "value")])
        bias = self.graph.constant(f"{name}_b", joined.whole_bias())
        x = self._smoothed(name, joined, x)
        if self._form is Form.FLOAT:
            inputs = [x, self._float_weight(name, joined), bias, *([mask] if mask else [])]
            return self.graph.node("Attention", inputs, name, MICROSOFT, num_heads=HEADS)
        weight, scale = self._bytes(name, joined)
        bytes_, step, zero = f"{name}_x", f"{name}_x_step", f"{name}_x_zero"
        self.graph.node("DynamicQuantizeLinear", [x], [bytes_, step, zero])
        inputs = [bytes_, weight, bias, step, scale, "", zero]
        return self.graph.node("QAttention", inputs, name, MICROSOFT, num_heads=HEADS)

    def _product(self, name: str, linear: Linear, x: str) -> str:
        graph = self.graph
        if not name.endswith("mixed"):
            x = self._smoothed(name, linear, x)
        bias = [] if linear.bias is None else [graph.constant(f"{name}_b", linear.bias)]
        if self._form is not Form.FLOAT:
            inputs = [x, *self._bytes(name, linear), *(["", *bias] if bias else [])]
            return graph.node("DynamicQuantizeMatMul", inputs, name, MICROSOFT)
        product = graph.node("MatMul", [x, self._float_weight(name, linear)], f"{name}_product")
        return graph.node("Add", [product, *bias], name) if bias else product

    def _smoothed(self, name: str, linear: Linear, x: str) -> str:
        """The product's input, divided channel by channel where the ranges are known."""
        self.smoothable[name] = x
        if name not in self._ranges:
            return x
        factor = self.graph.constant(f"{name}_even", (1 / self._factor(name, linear)).astype(np.float32))
        return self.graph.node("Mul", [x, factor], f"{name}_in")

    def _factor(self, name: str, linear: Linear) -> Array:
        strength = np.abs(linear.values()).max(axis=1)
        factor: Array = np.maximum(self._ranges[name], 1e-3) ** SMOOTHING / np.maximum(strength, 1e-4) ** (
            1 - SMOOTHING
        )
        even: Array = factor / np.exp(np.log(factor).mean())
        return even

    def _bytes(self, name: str, linear: Linear) -> list[str]:
        """Names of the int8 weight and its scales."""
        weight, scale = linear.weight, linear.scale
        if name in self._ranges:
            weight, scale = quantised(linear.values() * self._factor(name, linear)[:, None], axis=0)
        elif scale is None:
            weight, scale = quantised(weight, axis=0)
        if self._form is Form.INT7:
            weight, scale = quantised(weight.astype(np.float32) * scale, axis=0, top=63)
        return [self.graph.constant(f"{name}_w", weight), self.graph.constant(f"{name}_s", scale)]

    def _float_weight(self, name: str, linear: Linear) -> str:
        """A constant, or int8 as the source has it and a scaling that ONNX Runtime folds when it loads the graph."""
        if linear.scale is None or self.graph.name != "document":
            return self.graph.constant(f"{name}_f", linear.values())
        stored = self.graph.constant(f"{name}_stored", linear.weight)
        scale = self.graph.constant(f"{name}_stored_s", linear.scale)
        return self.graph.node("Mul", [self.graph.node("Cast", [stored], f"{name}_cast", to=FLOAT), scale], f"{name}_f")


def _side_by_side(parts: list[Linear]) -> Linear:
    scales = [part.scale for part in parts if part.scale is not None]
    return Linear(
        np.concatenate([part.weight for part in parts], axis=1),
        np.concatenate(scales) if scales else None,
        np.concatenate([part.whole_bias() for part in parts]),
    )
