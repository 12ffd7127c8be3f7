"""ONNX Runtime's C API, called through the interpreter's own foreign function interface.

Importing `onnxruntime` brings numpy and costs 160 ms; opening the library that its wheel ships costs 3. `_ctypes` is
the compiled half of `ctypes`: what is used of it here is what `ctypes` builds on, and the other half costs 3 ms more.
"""

import os
import sys

from awhm_hooks.errors import AwhmError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from mmap import mmap
    from typing import Any

API_VERSION = 17  # the table only ever grows: every release from 1.17 on gives this one
LOG_FATAL = 4
FLOAT, UINT8, INT64 = 1, 2, 7
SIZES = {FLOAT: 4, UINT8: 1, INT64: 8}
POINTER = 8
DEVICE_ALLOCATOR, DEFAULT_MEMORY = 0, 0

GET_ERROR_MESSAGE, CREATE_ENV, DISABLE_TELEMETRY = 2, 3, 6
CREATE_SESSION, RUN, CREATE_SESSION_OPTIONS = 7, 9, 10
DISABLE_MEM_PATTERN, DISABLE_CPU_ARENA, SET_OPTIMISATION = 17, 19, 23
SET_INTRA_THREADS, SET_INTER_THREADS = 24, 25
CREATE_TENSOR, CREATE_CPU_MEMORY_INFO = 49, 69
RELEASE_STATUS, RELEASE_SESSION, RELEASE_VALUE, RELEASE_SESSION_OPTIONS = 93, 95, 96, 100
ADD_CONFIG_ENTRY = 130
ARENA_MAX, TOP_PAD = -8, -2  # of glibc's mallopt
CRASH_ALARM_S = 2  # a crash inside the allocator would leave its lock taken, and the process waiting for it


class OnnxError(AwhmError):
    """ONNX Runtime's library is missing, of another version, or refused a call."""


class Foreign:
    """The few C types that are needed: pointers, text, bytes, and two kinds of function."""

    __slots__ = ("address_of", "array", "function", "handler", "open", "pointer", "reference", "text_function", "wide")

    def __init__(self) -> None:
        try:
            import _ctypes as c
        except ImportError as error:
            raise OnnxError(f"this Python cannot call C libraries: {error}") from None
        cdecl = {"_flags_": c.FUNCFLAG_CDECL}
        self.address_of: Any = c.addressof
        self.reference: Any = c.byref
        self.open: Any
        if sys.platform == "win32":
            self.open = c.LoadLibrary
        else:
            self.open = c.dlopen
        self.pointer: Any = type("Pointer", (c._SimpleCData,), {"_type_": "P"})
        self.wide: Any = type("Wide", (c._SimpleCData,), {"_type_": "Z"})
        self.function: Any = type("Function", (c.CFuncPtr,), {**cdecl, "_restype_": self.pointer})
        text = type("Text", (c._SimpleCData,), {"_type_": "z"})
        self.text_function: Any = type("TextFunction", (c.CFuncPtr,), {**cdecl, "_restype_": text})
        whole = type("Whole", (c._SimpleCData,), {"_type_": "i"})
        self.handler: Any = type("Handler", (c.CFuncPtr,), {**cdecl, "_restype_": None, "_argtypes_": (whole,)})
        byte = type("Byte", (c._SimpleCData,), {"_type_": "B"})
        # a function with no types declared takes a pointer, text, an array or a reference as what it is
        self.array: Any = lambda size: type("Bytes", (c.Array,), {"_type_": byte, "_length_": size})

    def at(self, address: int) -> int:
        """The pointer stored at an address."""
        found: int = self.pointer.from_address(address).value or 0
        return found

    def address(self, buffer: bytearray) -> int:
        """Where the bytes of a writable buffer are; it must outlive the use of the address."""
        found: int = self.address_of(self.array(len(buffer)).from_buffer(buffer))
        return found

    def libc(self) -> "Handle":
        """What the interpreter itself is linked with, on POSIX systems."""
        return Handle(self.open(None, 0))


class Handle:
    """An opened library, as a foreign function wants to be told of it."""

    __slots__ = ("_handle",)

    def __init__(self, handle: int) -> None:
        self._handle = handle


# Without it ONNX Runtime notes a device id and the interpreter's path under ~/.cache when it is opened, and looks up
# its maker's host after a minute; its own `disable_telemetry_events()` does not keep it from that (1.32).
NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"

_memo: list[Foreign] = []
_kept: list[object] = []


def foreign() -> Foreign:
    """The C types, made once. Raises OnnxError where Python was built without them."""
    if not _memo:
        _memo.append(Foreign())
    return _memo[0]


class Library:
    """ONNX Runtime, opened and with an environment; sessions are made from it."""

    __slots__ = ("_table", "c", "env", "memory", "version")

    def __init__(self, path: str, version: str | None = None) -> None:
        """Open the library at `path`, which must be of exactly `version` where that is given. Raises OnnxError."""
        if sys.maxsize < 2**32:
            raise OnnxError("ONNX Runtime needs a 64-bit Python")
        os.environ[NO_TELEMETRY] = "1"
        self.c = c = foreign()
        try:
            base = c.function(("OrtGetApiBase", Handle(c.open(path, 0))))()
        except (OSError, AttributeError) as error:
            raise OnnxError(f"cannot open {path}: {error}") from None
        self.version = _text(c.text_function(c.at(base + POINTER))())
        if version is not None and self.version != version:
            raise OnnxError(f"{path} is ONNX Runtime {self.version}, not {version}")
        self._table = c.function(c.at(base))(c.pointer(API_VERSION))
        if not self._table:
            raise OnnxError(f"ONNX Runtime {self.version} has no C API {API_VERSION}")
        self.env = self.make(CREATE_ENV, LOG_FATAL, b"awhm")
        self.call(DISABLE_TELEMETRY, self.env)
        self.memory = self.make(CREATE_CPU_MEMORY_INFO, DEVICE_ALLOCATOR, DEFAULT_MEMORY)

    def call(self, index: int, *arguments: object) -> None:
        """Call a function of the table that gives back a status. Raises OnnxError with its message."""
        c = self.c
        given = [c.pointer(value) if isinstance(value, int) else value for value in arguments]
        status = c.function(c.at(self._table + index * POINTER))(*given)
        if status:
            message = c.text_function(c.at(self._table + GET_ERROR_MESSAGE * POINTER))(c.pointer(status))
            self.release(RELEASE_STATUS, status)
            raise OnnxError(_text(message))

    def make(self, index: int, *arguments: object) -> int:
        """Call a function whose last argument takes what it made: the address of that. Raises OnnxError."""
        out = self.c.pointer()
        self.call(index, *arguments, self.c.reference(out))
        made: int = out.value or 0
        return made

    def release(self, index: int, address: int) -> None:
        self.c.function(self.c.at(self._table + index * POINTER))(self.c.pointer(address))

    def tensor(self, buffer: "bytearray | mmap", kind: int, shape: tuple[int, ...], offset: int = 0) -> "Tensor":
        """A tensor over the bytes of a writable buffer, which is kept alive with it. Raises OnnxError."""
        return Tensor(self, buffer, kind, shape, offset)


class Tensor:
    """A value of ONNX Runtime whose bytes are ours: what it reads, or where it writes."""

    __slots__ = ("_library", "_view", "value")

    def __init__(
        self, library: Library, buffer: "bytearray | mmap", kind: int, shape: tuple[int, ...], offset: int
    ) -> None:
        size = SIZES[kind]
        for length in shape:
            size *= length
        if size <= 0 or offset + size > len(buffer):
            raise OnnxError(f"a tensor of {size} bytes over a buffer of {len(buffer)}")
        c = library.c
        self._library = library
        self._view: Any = c.array(size).from_buffer(buffer, offset)
        at = c.address_of(self._view)
        shape_bytes = integers(shape)
        self.value = library.make(CREATE_TENSOR, library.memory, at, size, shape_bytes, len(shape), kind)

    def close(self) -> None:
        if self.value:
            self._library.release(RELEASE_VALUE, self.value)
            self.value = 0
            self._view = None


class Session:
    """One loaded graph: no optimisation, no prepacking, one thread."""

    __slots__ = ("_input_names", "_kept", "_library", "_output_names", "_session")

    def __init__(self, library: Library, path: str, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> None:
        """Load the graph at `path`, to be run with these inputs and outputs, in this order. Raises OnnxError."""
        self._library = library
        self._kept: list[bytearray] = []
        options = library.make(CREATE_SESSION_OPTIONS)
        for index, number in ((SET_OPTIMISATION, 0), (SET_INTRA_THREADS, 1), (SET_INTER_THREADS, 1)):
            library.call(index, options, number)
        library.call(DISABLE_MEM_PATTERN, options)
        library.call(DISABLE_CPU_ARENA, options)
        # every weight is used once or twice in the life of a hook: packing it beforehand costs 10 ms and saves 1
        library.call(ADD_CONFIG_ENTRY, options, b"session.disable_prepacking", b"1")
        self._session = library.make(CREATE_SESSION, library.env, self._path(path), options)
        library.release(RELEASE_SESSION_OPTIONS, options)
        self._input_names = self._names(inputs)
        self._output_names = self._names(outputs)

    def _path(self, path: str) -> "Any":
        return self._library.c.wide(path) if sys.platform == "win32" else os.fsencode(path)

    def _names(self, names: tuple[str, ...]) -> bytes:
        buffers = [bytearray(name.encode() + b"\0") for name in names]
        self._kept += buffers
        return pointers([self._library.c.address(buffer) for buffer in buffers])

    def run(self, inputs: list[Tensor], outputs: list[Tensor]) -> None:
        """Compute the outputs into their own buffers. Raises OnnxError."""
        given = pointers([tensor.value for tensor in inputs])
        taken = bytearray(pointers([tensor.value for tensor in outputs]))
        view = self._library.c.array(len(taken)).from_buffer(taken)
        self._library.call(
            RUN, self._session, 0, self._input_names, given, len(inputs), self._output_names, len(outputs), view
        )

    def close(self) -> None:
        if self._session:
            self._library.release(RELEASE_SESSION, self._session)
            self._session = 0


def integers(values: tuple[int, ...] | list[int]) -> bytes:
    """Signed 64-bit integers in the machine's order."""
    return b"".join(value.to_bytes(8, sys.byteorder, signed=True) for value in values)


def pointers(addresses: list[int]) -> bytes:
    return b"".join(address.to_bytes(POINTER, sys.byteorder) for address in addresses)


def _text(value: bytes | None) -> str:
    return str(value or b"", "utf-8", "replace")


def library_name(version: str) -> str:
    """The file that a wheel of ONNX Runtime ships beside its Python module."""
    if sys.platform == "win32":
        return "onnxruntime.dll"
    return f"libonnxruntime.{version}.dylib" if sys.platform == "darwin" else f"libonnxruntime.so.{version}"


def one_arena() -> None:
    """Let all threads of this process allocate from one arena that grows in large steps, where the C library is glibc.

    ONNX Runtime makes 100,000 small allocations when it opens: in the arena of a second thread, which grows page by
    page, that took 4 ms longer.
    """
    if sys.platform != "linux":
        return
    c = foreign()
    try:
        mallopt = c.function(("mallopt", c.libc()))
    except (OSError, AttributeError):
        return
    mallopt(ARENA_MAX, 1)
    mallopt(TOP_PAD, 1 << 22)


def guard(crashed: "Callable[[int], bool]") -> "Callable[[], None] | None":
    """Have `crashed(signal)` called when native code gets a fatal signal; gives back what undoes that.

    Where it says True the thread that crashed sleeps for good and the others go on; else the process dies as it would
    have. None on Windows, where a foreign call that fails this way raises OSError instead.
    """
    if sys.platform == "win32":
        return None
    import _signal  # type: ignore[import-not-found]  # `signal` brings `enum`, 2 ms
    import _thread

    c = foreign()
    try:
        install = c.function(("signal", c.libc()))
    except (OSError, AttributeError):
        return None
    numbers = (_signal.SIGSEGV, _signal.SIGBUS, _signal.SIGILL, _signal.SIGFPE, _signal.SIGABRT)

    def handle(number: int) -> None:
        if crashed(number):
            _signal.alarm(CRASH_ALARM_S)
            asleep = _thread.allocate_lock()
            asleep.acquire()
            asleep.acquire()
        install(c.pointer(number), c.pointer(0))

    handler = c.handler(handle)
    previous = [(number, install(c.pointer(number), handler)) for number in numbers]

    def undo() -> None:
        _signal.alarm(0)
        for number, before in previous:
            install(c.pointer(number), c.pointer(before or 0))
        _kept.clear()

    _kept.append(handler)
    return undo
