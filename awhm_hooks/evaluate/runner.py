"""A corpus through the product: one store after the other, on every core."""

import multiprocessing
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

from awhm_hooks.errors import AwhmError
from awhm_hooks.evaluate.answering import Outcome, Setting, answer_store
from awhm_hooks.evaluate.corpus import Corpus

Progress = Callable[[int, int], None]


def run(
    corpus: Corpus, setting: Setting, progress: Progress | None = None, processes: int | None = None
) -> list[Outcome]:
    """The outcome of every question, in the corpus' order. `progress` is called with (questions done, all of them).

    Raises AwhmError where a store cannot be built or read.
    """
    with tempfile.TemporaryDirectory(prefix="awhm-eval-", ignore_cleanup_errors=True) as directory:
        if setting.models and not setting.cache:
            setting = replace(setting, cache=os.path.join(directory, "vectors.sqlite"))
        return _run(corpus, setting, progress, processes)


def _run(corpus: Corpus, setting: Setting, progress: Progress | None, processes: int | None) -> list[Outcome]:
    count = min(processes or os.cpu_count() or 1, len(corpus.stores))
    total = sum(1 for _ in corpus.questions())
    done = 0

    def advance(by: int = 1) -> None:
        nonlocal done
        done += by
        if progress:
            progress(done, total)

    if count <= 1:
        return [outcome for store in corpus.stores for outcome in answer_store(store, setting, advance)]
    by_store: dict[int, list[Outcome]] = {}
    # spawn: a forked child would share SQLite's and ONNX Runtime's state with its parent
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as pool:
        jobs = {pool.submit(answer_store, store, setting): number for number, store in enumerate(corpus.stores)}
        try:
            for job in as_completed(jobs):
                by_store[jobs[job]] = job.result()
                advance(len(by_store[jobs[job]]))
        except BrokenProcessPool as problem:
            raise AwhmError(f"a process of the evaluation ended: {problem}; try --processes 1") from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    return [outcome for number in range(len(corpus.stores)) for outcome in by_store[number]]
