"""A real hook process, watched from inside: what it opened, started and loaded, what it read, how large it grew."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass

from conftest import clean_env, hook_command, wire

_PROBE = """
import os, sys
report = {{"opened": [], "started": [], "loaded": [], "connected": []}}
def watch(event, args):
    if event == "open":
        report["opened"].append(str(args[0]))
    elif event in ("os.posix_spawn", "os.exec", "os.fork", "subprocess.Popen", "os.system"):
        report["started"].append(event)
    elif event == "ctypes.dlopen":
        report["loaded"].append(str(args[0]))
    elif event.startswith("socket."):
        report["connected"].append(event)
sys.addaudithook(watch)
leave = os._exit
def last(code):
    opened = list(report["opened"])
    io = dict(line.split(": ") for line in open("/proc/self/io").read().splitlines())
    peak = [line for line in open("/proc/self/status") if line.startswith("VmHWM")][0].split()[1]
    report.update(opened=opened, read=int(io["rchar"]), peak_kb=int(peak), modules=sorted(sys.modules))
    import json
    with open({place!r}, "w") as file:
        json.dump(report, file)
    leave(code)
os._exit = last
"""


@dataclass
class Watched:
    """What a watched hook gave back and did."""

    returncode: int
    stdout: bytes
    stderr: bytes
    opened: list
    started: list
    loaded: list
    connected: list
    read: int
    peak_kb: int
    modules: list


def command_with(event, code):
    """The hook's installed command, with this code run before its own."""
    command = hook_command(event)
    at = command.index("-c") + 1
    first, rest = command[at].split("\n", 1)
    return [*command[:at], first + "\n" + code + rest, *command[at + 1 :]]


def watched(person, event, payload, **env):
    place = person.home / "watched.json"
    done = subprocess.run(
        command_with(event, _PROBE.format(place=str(place))),
        input=wire(payload),
        capture_output=True,
        env=clean_env(person.home, person.data_dir, {**person.env, **env}),
        cwd=person.home,
        timeout=120,
    )
    return Watched(done.returncode, done.stdout, done.stderr, **json.loads(place.read_text()))


def at_a_clock(person, event, payload, moment, **env):
    """The same hook with its clock stopped at this moment (epoch seconds)."""
    return subprocess.run(
        command_with(event, f"import time\ntime.time = lambda: {moment!r}\n"),
        input=wire(payload),
        capture_output=True,
        env=clean_env(person.home, person.data_dir, {**person.env, **env}),
        cwd=person.home,
        timeout=120,
    )


_NO_NETWORK = """
import ctypes, os, platform, struct, sys
number, arch = {"x86_64": (41, 0xC000003E), "aarch64": (198, 0xC00000B7)}[platform.machine()]
step = lambda code, yes, no, value: struct.pack("HBBI", code, yes, no, value)
program = b"".join([
    step(0x20, 0, 0, 4), step(0x15, 0, 5, arch),
    step(0x20, 0, 0, 0), step(0x15, 0, 3, number),
    step(0x20, 0, 0, 16), step(0x15, 1, 0, 1),
    step(0x06, 0, 0, 0x80000000), step(0x06, 0, 0, 0x7FFF0000),
])
buffer = ctypes.create_string_buffer(program)
filter_ = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
libc = ctypes.CDLL(None, use_errno=True)
for call in ((38, 1, 0, 0, 0), (22, 2, filter_, 0, 0)):
    if libc.prctl(*call):
        sys.exit("prctl: " + os.strerror(ctypes.get_errno()))
os.execv(sys.argv[1], sys.argv[1:])
"""


def without_network(command):
    """The command under a filter of the kernel's: whoever asks for a socket other than AF_UNIX is killed, SIGSYS."""
    return [sys.executable, "-c", _NO_NETWORK, *command]


_NO_PRIVILEGE = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
for capability in (1, 2, 3):  # a superuser's right to write and read what the mode forbids
    libc.prctl(24, capability, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def without_privilege(command):
    """The command, for which file modes count also where the tests run as root."""
    return [sys.executable, "-c", _NO_PRIVILEGE, *command]


_SMALL_DISK = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
os.execv(sys.argv[2], sys.argv[2:])
"""


def on_a_small_disk(command, size):
    """The command, for which the kernel refuses every write beyond this size: no file grows further."""
    return [sys.executable, "-c", _SMALL_DISK, str(size), *command]


def started(person, command, payload, **env):
    """A command fed with a payload, as the client would start it."""
    return subprocess.run(
        command,
        input=wire(payload),
        capture_output=True,
        env=clean_env(person.home, person.data_dir, {**person.env, **env}),
        cwd=os.fspath(person.home),
        timeout=120,
    )
