"""Recall quality on every corpus of a folder, beside plain baselines on the same documents.

    python bench/quality.py [--data ../shared/eval] [--only locomo,memhawk] [--out DIR] [--cache DIR] [--processes N]

Prints a table for each corpus. With `--out`, the same as `quality.json`, and a PNG for each corpus where matplotlib is
installed. The product's figures come from `awhm eval`'s own code: raw logs, the real worker, the recall of the hooks.
"""

import argparse
import json
import os
import platform
import sys
import time

from baselines import METHODS, Baselines
from minilm import MiniLM

from awhm_hooks import config as configuration
from awhm_hooks.evaluate import loading, metrics, runner
from awhm_hooks.evaluate.answering import Setting
from awhm_hooks.evaluate.corpus import Granularity
from awhm_hooks.manage import model
from awhm_hooks.paths import Paths

OURS = "awhm"
TURN, SESSION = Granularity.TURN, Granularity.SESSION
LME = "longmemeval_oracle_dev.json.gz"
POOL = "longmemeval_pool48_dev.json.gz"
RANKING = ("hit@1", "hit@5", "hit@10", "frac@5", "frac@10", "all@5", "ndcg@10", "mrr")
CASES = ("hit@1", "hit@3", "hit@5", "mrr", "rejection", "contamination", "contradiction_error", "strict")
# name, file, how it is loaded, granularities, columns
SETS = [
    ("locomo", "locomo_dev.json.gz", {}, (TURN,), RANKING),
    ("pool48", LME, {"pool": POOL}, (SESSION, TURN), RANKING),
    ("one-store", LME, {"one_store": True}, (SESSION, TURN), RANKING),
    ("oracle", LME, {}, (TURN,), (*RANKING, "substring@5")),
    ("s-head500", "longmemeval_s_head500_dev.json.gz", {}, (SESSION,), RANKING),
    ("devmembench", "devmembench_dev.json.gz", {}, (SESSION,), (*RANKING, "rejection")),
    ("awm-public", "awm_public_corpus_seed20261008.json", {}, (TURN,), CASES),
    ("memhawk", "memhawk_dataset.json", {}, (TURN,), CASES),
    ("awm-longmem", "awm_longmem_eval.json", {}, (TURN,), CASES),
    ("awm-retrieval", "awm_eval_retrieval.json", {}, (TURN,), CASES),
    ("awm-pilot", "awm_pilot.json", {}, (TURN,), CASES),
    ("awm-mini-multihop", "awm_mini_multihop.json", {}, (TURN,), ("hit@1", "hit@5", "frac@10", "all@5", "mrr")),
    ("awm-multihop", "awm_eval_multihop.json", {}, (TURN,), ("hit@1", "hit@5", "hit@10", "frac@10", "mrr")),
    ("awm-abstention", "awm_abstention_eval.json", {}, (TURN,), CASES),
    ("awm-prime", "awm_prime_eval.json", {}, (TURN,), CASES),
]


def measured(name, file, options, granularities, arguments, setting, baselines):
    """The rows of one corpus: for each granularity and method, its metrics."""
    folder = arguments.data
    options = {key: os.path.join(folder, value) if key == "pool" else value for key, value in options.items()}
    corpus = loading.load(os.path.join(folder, file), **options)
    if arguments.limit:
        corpus = corpus.limited(arguments.limit)
    started = time.perf_counter()
    outcomes = runner.run(corpus, setting, shown(name), arguments.processes)
    seconds = time.perf_counter() - started
    depth = corpus.k or 5
    latencies = [one.latency_ms for one in outcomes]
    cost = {
        "p50_ms": round(metrics.percentile(latencies, 50), 1),
        "p95_ms": round(metrics.percentile(latencies, 95), 1),
        "tokens": round(sum(one.tokens for one in outcomes) / len(outcomes), 1),
        "seconds": round(seconds, 1),
    }
    rows = []
    for granularity in granularities:
        judged = {OURS: [one.judged[granularity] for one in outcomes]}
        if baselines:
            by_method = baselines.judgements(corpus, granularity, shown(f"{name}: embedding"))
            judged |= {method: [one for _, one in by_method[method]] for method in METHODS}
        for method, judgements in judged.items():
            values = [metrics.values(one, depth) for one in judgements]
            means = {metric: metrics.mean(values, metric) for metric in metrics.names(depth)}
            row = {"set": name, "granularity": granularity.value, "method": method, "n": len(values), "metrics": means}
            rows.append(row | (cost if method == OURS else {}))
    return rows


def shown(what):
    """A progress line on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        return None

    def progress(done, total):
        sys.stderr.write(f"\r{what} {done}/{total}" + ("\r\033[K" if done >= total else ""))
        sys.stderr.flush()

    return progress


def print_table(rows, columns):
    for granularity in dict.fromkeys(row["granularity"] for row in rows):
        part = [row for row in rows if row["granularity"] == granularity]
        columns_here = [name for name in columns if any(row["metrics"].get(name) is not None for row in part)]
        print(f"\n{part[0]['set']}, by {granularity}, {part[0]['n']} questions")
        print(f"{'':<18}" + "".join(f"{name:>{21 if len(name) > 12 else 14}}" for name in columns_here))
        for row in part:
            cells = (row["metrics"].get(name) for name in columns_here)
            widths = (21 if len(name) > 12 else 14 for name in columns_here)
            line = "".join(
                f"{'-' if cell is None else format(100 * cell, '.1f'):>{width}}"
                for cell, width in zip(cells, widths, strict=True)
            )
            cost = (
                f"   {row['p50_ms']} / {row['p95_ms']} ms, {row['tokens']} tokens, {row['seconds']} s"
                if "p50_ms" in row
                else ""
            )
            print(f"{row['method']:<18}{line}{cost}", flush=True)


def plot(rows, columns, folder):
    """One PNG for each granularity: a group of bars a metric, a bar a method."""
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    for granularity in dict.fromkeys(row["granularity"] for row in rows):
        part = [row for row in rows if row["granularity"] == granularity]
        names = [name for name in columns if any(row["metrics"].get(name) is not None for row in part)]
        figure, axes = pyplot.subplots(figsize=(1.2 + 1.3 * len(names), 4), layout="constrained")
        width = 0.8 / len(part)
        for number, row in enumerate(part):
            places = [place + number * width for place in range(len(names))]
            heights = [100 * (row["metrics"].get(name) or 0.0) for name in names]
            axes.bar(
                places, heights, width, label=row["method"], color="black" if row["method"] == OURS else f"C{number}"
            )
        axes.set_xticks([place + 0.4 - width / 2 for place in range(len(names))], names)
        axes.set_ylim(0, 100)
        axes.set_ylabel("%")
        axes.set_title(f"{part[0]['set']}, by {granularity}, {part[0]['n']} questions")
        axes.legend(fontsize="small", ncols=3, loc="lower center", bbox_to_anchor=(0.5, -0.32))
        figure.savefig(os.path.join(folder, f"{part[0]['set']}-{granularity}.png"), dpi=110)
        pyplot.close(figure)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", default=os.path.join(here, "..", "..", "shared", "eval"), help="the folder of corpora"
    )
    parser.add_argument("--only", help=f"some of {', '.join(one[0] for one in SETS)}")
    parser.add_argument("--limit", type=int, help="ask only so many questions of each")
    parser.add_argument("--out", help="write quality.json and the plots here")
    parser.add_argument("--cache", default=os.path.join(os.path.expanduser("~"), ".cache", "awhm-bench"))
    parser.add_argument("--processes", type=int)
    parser.add_argument("--no-baselines", action="store_true")
    parser.add_argument("--lexical", action="store_true", help="the product without its semantic half")
    arguments = parser.parse_args()
    os.makedirs(arguments.cache, exist_ok=True)
    home = Paths(os.path.join(arguments.cache, "awhm"))
    home.make(home.data_dir)
    if not arguments.lexical:
        model.prepare(home)
    config = configuration.load(home, dict(os.environ))
    parameters = {**dict(config.items()), "ner_labels": (), "semantic": not arguments.lexical}
    cache = os.path.join(arguments.cache, "vectors.sqlite")
    setting = Setting(parameters, None if arguments.lexical else home.models, cache)
    baselines = None if arguments.no_baselines else Baselines(MiniLM(arguments.cache).vectors)
    wanted = arguments.only.split(",") if arguments.only else [one[0] for one in SETS]
    print(f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores")
    everything = []
    for name, file, options, granularities, columns in SETS:
        if name not in wanted:
            continue
        if not os.path.exists(os.path.join(arguments.data, file)):
            print(f"\n{name}: {file} is not there", flush=True)
            continue
        rows = measured(name, file, options, granularities, arguments, setting, baselines)
        print_table(rows, columns)
        everything += rows
        if arguments.out:
            os.makedirs(arguments.out, exist_ok=True)
            plot(rows, columns, arguments.out)
    if arguments.out:
        with open(os.path.join(arguments.out, "quality.json"), "w", encoding="utf-8") as file:
            json.dump(
                {"python": platform.python_version(), "cores": os.cpu_count(), "rows": everything}, file, indent=1
            )


if __name__ == "__main__":
    main()
