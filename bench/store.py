"""What a person's commands cost on stores of 1,000 to 100,000 memories, as whole processes, and how it grows.

    python bench/store.py [--sizes 1000,10000,100000] [--runs 5] [--messages 5000] [--words-only] [--json FILE]

Each store has raw logs, an index and vectors. `awhm --version` in the same run is what starting the command line costs;
the factor is a command's time over that of the smallest store. On a busy machine the processor time tells more than the
wall time. The import is measured in this process, without the start: messages a second into the raw logs, and from
there into the graph without and with names looked for.
"""

import argparse
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from datetime import UTC, datetime

from corpus import PROJECT, sentences

from awhm_hooks import __version__
from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import worker
from awhm_hooks.graph.writer import open_writer
from awhm_hooks.journal import raw_log
from awhm_hooks.manage import importer
from awhm_hooks.paths import Paths

BARS_S = {"query": 0.5, "doctor": 5.0, "delete --match": 10.0, "snapshot create": 10.0}
BASELINE = "--version"
_BENCH = os.path.dirname(os.path.abspath(__file__))


def build(directory: str, models: str, size: int) -> None:
    """A store of `size` memories with the raw logs that they come from."""
    corpus = os.path.join(_BENCH, "corpus.py")
    subprocess.run([sys.executable, corpus, "build", directory, models, str(size)], check=True)
    os.unlink(f"{directory}/rows.npy")  # the float vectors that other benchmarks compare with; no part of a store
    paths = Paths(directory, models)
    writer = open_writer(paths)
    sessions: dict[str, list[tuple[int, str, str, float]]] = {}
    for node, session, message, text, at in writer.db.execute(
        "SELECT id, session, message, text, said_at FROM nodes WHERE family = 'message'"
    ):
        sessions.setdefault(session, []).append((node, message, text, at))
    with writer.transaction():
        for session, said in sessions.items():
            raw_log.append_lines(paths, session, [record(message, text, at) for _, message, text, at in said])
            for node, message, _, _ in said:
                writer.note_message(session, message, None, node)
                writer.add_source(node, session, message)
            size_of_log = os.path.getsize(paths.log_file(session))
            writer.note_session(session, PROJECT, said[0][3], said[-1][3], size_of_log, True)
    writer.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    writer.db.close()


def record(message: str, text: str, at: float) -> dict[str, object]:
    fields = {"kind": "message", "role": "user", "text": text, "at": at, "prompt_id": "", "cwd": PROJECT}
    return {**fields, "project": PROJECT, "id": message}


def commands(paths: Paths, run: int) -> dict[str, list[str]]:
    """The command lines of one round: each deletes other memories, first without a snapshot, then with one."""
    return {
        BASELINE: ["--version"],
        "status": ["status", "--json"],
        "query": ["query", "which port does staging use", "--project", PROJECT, "--json"],
        "doctor": ["doctor", "--json"],
        "delete --match": ["delete", "--match", text_of(paths, 7 + 10 * run), "--yes", "--json"],
        "snapshot create": ["snapshot", "create", "--json"],
        "delete, 1 snapshot": ["delete", "--match", text_of(paths, 8 + 10 * run), "--yes", "--json"],
        "snapshot restore": ["snapshot", "restore", "--json"],
    }


def text_of(paths: Paths, number: int) -> str:
    writer = open_writer(paths)
    (text,) = writer.db.execute("SELECT text FROM nodes WHERE uid = ?", (f"bench{number}",)).fetchone()
    writer.db.close()
    return str(text)


def measure(size: int, runs: int, models: str, words_only: bool) -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory(prefix="awhm-bench-") as directory:
        build(directory, models, size)
        environ = {"AWHM_DATA_DIR": directory, "AWHM_MODELS_DIR": models, "HOME": directory, "PATH": os.defpath}
        if words_only:
            environ["AWHM_SEMANTIC"] = "0"
        paths = Paths(directory, models)
        taken: dict[str, list[tuple[float, float]]] = {}
        for run in range(runs):
            for name, arguments in commands(paths, run).items():
                if name == "snapshot restore" and run:  # it takes longest, and nobody waits for it often
                    continue
                taken.setdefault(name, []).append(timed(arguments, environ, directory))
            shutil.rmtree(paths.snapshots)
        return [
            {
                "command": name,
                "memories": size,
                "seconds": round(statistics.median(wall for wall, _ in times), 3),
                "cpu_seconds": round(statistics.median(cpu for _, cpu in times), 3),
                "runs": len(times),
            }
            for name, times in taken.items()
        ]


def timed(arguments: list[str], environ: dict[str, str], directory: str) -> tuple[float, float]:
    """Wall time and processor time of one whole process."""
    started, used = time.perf_counter(), cpu_of_children()
    done = subprocess.run(
        [sys.executable, "-m", "awhm_hooks", *arguments],
        env={**environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        cwd=directory,
        capture_output=True,
        text=True,
    )
    seconds, cpu = time.perf_counter() - started, cpu_of_children() - used
    is_finding = arguments[0] == "doctor" and done.returncode == 1  # there are no hooks in this home
    if done.returncode and not is_finding:
        sys.exit(f"awhm {' '.join(arguments)}: exit {done.returncode}\n{done.stderr}")
    return seconds, cpu


def cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure_import(messages: int) -> dict[str, object]:
    """Messages a second of an import, by stage."""
    with tempfile.TemporaryDirectory(prefix="awhm-bench-") as directory:
        transcripts = f"{directory}/projects"
        write_transcripts(transcripts, messages)
        files = importer.files_of([transcripts])
        found: dict[str, object] = {"messages": messages}
        for labels in ((), AWHMConfig().ner_labels):
            paths = Paths(f"{directory}/data-{len(labels)}")
            config = AWHMConfig(semantic=False, ner_labels=labels)
            started = time.perf_counter()
            importer.import_transcripts(paths, config, files, importer.Wanted(), time.time())
            logged = time.perf_counter()
            worker.run(paths, config, 5.0)
            done = time.perf_counter()
            found["into the raw logs"] = round(messages / (logged - started))
            found["into the graph, with names" if labels else "into the graph"] = round(messages / (done - logged))
        return found


def write_transcripts(directory: str, messages: int) -> None:
    """Sessions of fifty messages, a tool's call and answer in every turn."""
    texts = list(sentences(messages, 5))
    for start in range(0, messages, 50):
        session = str(uuid.UUID(int=start))
        os.makedirs(f"{directory}/-bench-p{start % 7}", exist_ok=True)
        with open(f"{directory}/-bench-p{start % 7}/{session}.jsonl", "w") as file:
            for number, text in enumerate(texts[start : start + 50], start):
                user = number % 2 == 0
                if not user:
                    block = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}
                    answer = {"type": "tool_result", "tool_use_id": "t", "content": "x" * 2_000}
                    write_line(file, session, "assistant", [block], number * 4)
                    write_line(file, session, "user", [answer], number * 4 + 1)
                said = f"The {text.split()[0]} port is {number}." if number % 10 == 0 else text
                write_line(
                    file, session, *(("user", said) if user else ("assistant", [{"type": "text", "text": said}])),
                    number * 4 + 2,
                )  # fmt: skip


def write_line(file, session: str, kind: str, content: object, number: int) -> None:
    at = datetime.fromtimestamp(1_700_000_000 + 30 * number, UTC)
    fields = {
        "isSidechain": False,
        "cwd": f"/bench/p{number % 3}",
        "sessionId": session,
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": str(uuid.UUID(int=number)),
        "timestamp": at.isoformat(),
    }
    file.write(json.dumps(fields) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--messages", type=int, default=5_000, help="how many messages are imported; 0 for none")
    parser.add_argument("--words-only", action="store_true", help="without vectors in query and worker")
    parser.add_argument("--models", help="a folder with the prepared model; it is prepared by default")
    parser.add_argument("--json", help="write the rows to this file too")
    arguments = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    machine = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, {cores} cores"
    print(f"awhm {__version__}, {machine}")
    with tempfile.TemporaryDirectory(prefix="awhm-bench-models-") as scratch:
        models = arguments.models or scratch
        if not arguments.words_only and not arguments.models:
            corpus = os.path.join(_BENCH, "corpus.py")
            subprocess.run([sys.executable, corpus, "model", scratch, scratch, "0"], check=True)
        rows = [
            row
            for size in map(int, arguments.sizes.split(","))
            for row in measure(size, arguments.runs, models, arguments.words_only)
        ]
    smallest = {row["command"]: row["seconds"] for row in reversed(rows)}
    print(f"{'command':<18}{'memories':>10}{'seconds':>10}{'cpu':>9}{'factor':>8}{'bar':>7}")
    for row in rows:
        row["factor"] = round(row["seconds"] / smallest[row["command"]], 1)
        bar = BARS_S.get(row["command"], "")
        seconds = f"{row['seconds']:>10}{row['cpu_seconds']:>9}"
        print(f"{row['command']:<18}{row['memories']:>10}{seconds}{row['factor']:>8}{bar:>7}")
    imported = measure_import(arguments.messages) if arguments.messages else {}
    for name, value in imported.items():
        print(f"import, {name}: {value}{'' if name == 'messages' else ' messages a second'}")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"awhm": __version__, "machine": machine, "rows": rows, "import": imported}, file, indent=1)


if __name__ == "__main__":
    main()
