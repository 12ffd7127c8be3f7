"""ONNX Runtime's C API: what opens, what is refused, and what a crash leaves standing."""

import subprocess
import sys
from array import array
from pathlib import Path

import pytest
from prepared_model import generation, prepared

from awhm_hooks.manage import model
from awhm_hooks.manage.onnx_proto import FLOAT, Graph
from awhm_hooks.recall import onnx_c

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def library() -> onnx_c.Library:
    return onnx_c.Library(str(model.find_library()))


def sum_graph(path: Path) -> str:
    graph = Graph("sum")
    graph.node("Add", [graph.input("a", FLOAT, ("n",)), graph.input("b", FLOAT, ("n",))], "c")
    graph.output("c", FLOAT, ("n",))
    path.write_bytes(graph.serialised(17))
    return str(path)


def floats(*values: float) -> bytearray:
    return bytearray(array("f", values).tobytes())


def test_the_installed_library_tells_its_version(library):
    import importlib.metadata

    assert library.version == importlib.metadata.version("onnxruntime")


def test_a_graph_computes_into_our_own_bytes(library, tmp_path):
    session = onnx_c.Session(library, sum_graph(tmp_path / "sum.onnx"), ("a", "b"), ("c",))
    out = bytearray(12)
    tensors = [library.tensor(buffer, onnx_c.FLOAT, (3,)) for buffer in (floats(1, 2, 3), floats(10, 20, 30), out)]
    session.run(tensors[:2], tensors[2:])
    for tensor in tensors:
        tensor.close()
        tensor.close()
    session.close()
    assert memoryview(out).cast("f").tolist() == [11, 22, 33]


def test_a_tensor_can_begin_inside_a_buffer(library, tmp_path):
    session = onnx_c.Session(library, sum_graph(tmp_path / "sum.onnx"), ("a", "b"), ("c",))
    out = bytearray(8)
    shared = floats(1, 2, 3)
    session.run(
        [library.tensor(shared, onnx_c.FLOAT, (2,), 4), library.tensor(shared, onnx_c.FLOAT, (2,))],
        [library.tensor(out, onnx_c.FLOAT, (2,))],
    )
    assert memoryview(out).cast("f").tolist() == [3, 5]


@pytest.mark.parametrize(
    ("size", "shape", "offset"), [(8, (3,), 0), (12, (3,), 4), (12, (0,), 0), (12, (-1,), 0)], ids=str
)
def test_a_tensor_that_its_buffer_cannot_hold_is_refused(library, size, shape, offset):
    with pytest.raises(onnx_c.OnnxError, match="tensor of"):
        library.tensor(bytearray(size), onnx_c.FLOAT, shape, offset)


def test_a_shape_that_does_not_fit_is_an_error_with_the_librarys_message(library, tmp_path):
    session = onnx_c.Session(library, sum_graph(tmp_path / "sum.onnx"), ("a", "b"), ("c",))
    given = [library.tensor(floats(1, 2), onnx_c.FLOAT, (2,)), library.tensor(floats(1, 2, 3), onnx_c.FLOAT, (3,))]
    with pytest.raises(onnx_c.OnnxError, match="Add"):
        session.run(given, [library.tensor(bytearray(12), onnx_c.FLOAT, (3,))])


def test_another_version_is_refused_before_anything_runs():
    with pytest.raises(onnx_c.OnnxError, match=r"is ONNX Runtime .*, not 1\.2\.3"):
        onnx_c.Library(str(model.find_library()), "1.2.3")


@pytest.mark.parametrize("content", [None, b"", b"not a library", b"\x7fELF" + bytes(100)], ids=str)
def test_what_is_no_library_is_refused(tmp_path, content):
    path = tmp_path / "libonnxruntime.so"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(onnx_c.OnnxError, match="cannot open"):
        onnx_c.Library(str(path))


def test_a_library_of_something_else_is_refused():
    import _ctypes

    with pytest.raises(onnx_c.OnnxError, match="cannot open"):
        onnx_c.Library(_ctypes.__file__)


@pytest.mark.parametrize("content", [None, b"", b"\x08\x08", b"\xff" * 64], ids=str)
def test_what_is_no_graph_is_refused(library, tmp_path, content):
    path = tmp_path / "model.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(onnx_c.OnnxError):
        onnx_c.Session(library, str(path), ("a",), ("b",))


def test_paths_with_other_letters_work(library, tmp_path):
    folder = tmp_path / "Größe 文件"
    folder.mkdir()
    onnx_c.Session(library, sum_graph(folder / "sum.onnx"), ("a", "b"), ("c",)).close()


@pytest.mark.parametrize(
    ("platform", "name"),
    [
        ("linux", "libonnxruntime.so.1.20.0"),
        ("darwin", "libonnxruntime.1.20.0.dylib"),
        ("win32", "onnxruntime.dll"),
    ],
)
def test_each_system_has_its_name_for_the_library(monkeypatch, platform, name):
    monkeypatch.setattr(sys, "platform", platform)
    assert onnx_c.library_name("1.20.0") == name


CRASH = """
import sys
sys.path.insert(0, {root!r})
import _thread, os, time
from awhm_hooks.recall import onnx_c
c = onnx_c.foreign()
seen, crasher, done = [], [], _thread.allocate_lock()
done.acquire()
def crashed(number):
    seen.append(number)
    if _thread.get_ident() not in crasher:
        return False
    done.release()
    return True
undo = onnx_c.guard(crashed)
def crash():
    crasher.append(_thread.get_ident())
    {crash}
if {on_thread}:
    _thread.start_new_thread(crash, ())
    done.acquire()
    undo()
    print("alive after", *seen)
    sys.stdout.flush()
    os._exit(0)
{crash}
"""
CRASHES = {
    "c.function(0x10)()": "11",
    "c.function(('abort', c.libc()))()": "6",
    "c.function(('raise', c.libc()))(c.pointer(8))": "8",
}


def run_crash(crash: str, on_thread: bool) -> subprocess.CompletedProcess[str]:
    code = CRASH.format(root=str(ROOT), crash=crash, on_thread=on_thread)
    return subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("crash", CRASHES)
def test_a_crash_on_the_watched_thread_leaves_the_others_running(crash):
    done = run_crash(crash, on_thread=True)
    assert (done.returncode, done.stdout) == (0, f"alive after {CRASHES[crash]}\n"), done.stderr


def test_a_crash_elsewhere_ends_the_process_as_ever():
    assert run_crash("c.function(0x10)()", on_thread=False).returncode == -11


def test_nothing_heavy_is_imported():
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from awhm_hooks.recall import onnx_c; onnx_c.foreign()"
    code += "; print(*sorted({'ctypes', 'typing', 're', 'enum', 'struct', 'threading'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_prepared_graph_loads_from_mapped_weights(library):
    folder = generation(prepared())
    session = onnx_c.Session(library, str(folder / "query.onnx"), ("ids",), ("vector", "row"))
    session.close()
