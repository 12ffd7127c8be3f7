"""The little of ONNX's protobuf that is read and written: what is written is read back, what is broken is refused."""

import numpy as np
import onnxruntime as ort
import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.manage import onnx_proto
from awhm_hooks.manage.onnx_proto import FLOAT, INT64, BadModel, DataFile, Graph, read_model


def small_graph(data: DataFile | None = None) -> bytes:
    graph = Graph("small", data)
    x = graph.input("x", FLOAT, ("n", 4))
    weight = graph.constant("weight", np.arange(4 * 1000, dtype=np.float32).reshape(4, 1000))
    product = graph.node("MatMul", [x, weight], "product")
    graph.node("ReduceSum", [product, graph.constant("axes", np.array([-1], np.int64))], "y", keepdims=0)
    graph.output("y", FLOAT, ("n",))
    return graph.serialised(17)


def test_a_written_graph_runs():
    session = ort.InferenceSession(small_graph(), providers=["CPUExecutionProvider"])
    found = session.run(["y"], {"x": np.ones((2, 4), np.float32)})[0]
    assert found.tolist() == [3999 * 2000, 3999 * 2000]
    assert session.get_inputs()[0].shape == ["n", 4]


def test_a_written_graph_is_read_back():
    model = read_model(memoryview(small_graph()))
    assert [(node.op, node.inputs, node.outputs) for node in model.nodes] == [
        ("MatMul", ["x", "weight"], ["product"]),
        ("ReduceSum", ["product", "axes"], ["y"]),
    ]
    assert model.tensors["weight"].array({}).shape == (4, 1000)
    assert model.tensors["axes"].array({}).tolist() == [-1]


def test_large_tensors_go_to_the_data_file_on_a_page_of_their_own(tmp_path):
    data = DataFile("weights.data")
    data.place("other", b"x")
    (tmp_path / "small.onnx").write_bytes(small_graph(data))
    (tmp_path / "weights.data").write_bytes(b"".join(data.chunks))
    tensor = read_model(memoryview((tmp_path / "small.onnx").read_bytes())).tensors["weight"]
    assert (tensor.location, tensor.offset, tensor.length) == ("weights.data", 4096, 16000)
    session = ort.InferenceSession(str(tmp_path / "small.onnx"), providers=["CPUExecutionProvider"])
    assert session.run(["y"], {"x": np.ones((1, 4), np.float32)})[0].tolist() == [3999 * 2000]


def test_a_tensor_placed_twice_is_stored_once():
    data = DataFile("weights.data")
    assert data.place("a", b"12345") == data.place("a", b"12345") == (0, 5)
    assert data.size == 5


@given(st.integers(-(2**63), 2**63 - 1))
def test_any_integer_goes_through(value):
    found = onnx_proto._packed(memoryview(onnx_proto.varint(value)))
    assert found == [value]


ARRAYS = [
    np.array([[1, 2], [3, 100]], kind) for kind in (np.float32, np.int8, np.uint8, np.int32, np.int64, np.float16)
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
def test_every_kind_of_tensor_goes_through(array):
    graph = Graph("one")
    graph.node("Identity", [graph.constant("c", array)], "y")
    graph.output("y", onnx_proto.ONNX_OF[array.dtype], array.shape)
    back = read_model(memoryview(graph.serialised(17))).tensors["c"].array({})
    assert back.dtype == array.dtype
    assert (back == array).all()


def test_numbers_that_are_not_stored_as_raw_bytes_are_read():
    tensor = onnx_proto.put(1, 2) + onnx_proto.put(2, INT64) + onnx_proto.put(8, "t")
    tensor += onnx_proto.put(7, onnx_proto.varint(5) + onnx_proto.varint(-1))
    graph = onnx_proto.put(1, onnx_proto.put(4, "Identity")) + onnx_proto.put(5, tensor)
    model = read_model(memoryview(onnx_proto.put(7, graph)))
    assert model.tensors["t"].array({}).tolist() == [5, -1]


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data):
    try:
        read_model(memoryview(data))
    except BadModel:
        pass


@given(st.data())
def test_a_damaged_graph_is_read_or_refused(data):
    whole = small_graph()[:3000]
    at = data.draw(st.integers(0, 300))
    broken = whole[:at] + data.draw(st.binary(max_size=4)) + whole[at + data.draw(st.integers(0, 4)) :]
    try:
        for tensor in read_model(memoryview(broken)).tensors.values():
            tensor.array({})
    except BadModel:
        pass


def test_a_tensor_of_the_wrong_size_is_refused():
    tensor = onnx_proto.Tensor("t", [3], FLOAT, memoryview(b"1234"))
    with pytest.raises(BadModel, match="4 bytes where 12"):
        tensor.array({})
