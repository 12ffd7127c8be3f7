"""Run in a child process: does the prepared model give the same vectors by every way in which it is used?

A crash of native code ends this process only. Prints one JSON object; its parent is `manage.model`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from awhm_hooks.consolidate.embed import Embedder, python_vectors, runtime
from awhm_hooks.manage.model_sentences import SENTENCES
from awhm_hooks.manage.model_weights import Array
from awhm_hooks.recall.semantic import Model
from awhm_hooks.recall.vectors import joined


def check(directory: Path, library: str) -> dict[str, object]:
    """The lowest cosines: C path to Python binding (`parity`), and to the float model (`to_float`).

    A single word is left out of the latter: it is no query, and in 7 bits "yes" alone is off by 0.03.
    """
    version = str(runtime().__version__)
    model = Model({"library": {"path": library}, "onnxruntime": version}, str(directory))
    found = [model.embed(text) for text in SENTENCES]
    ours = np.array([np.frombuffer(vector, np.float32) for vector, _ in found])
    binding = python_vectors(directory, list(SENTENCES))
    exact = Embedder.of_directory(directory).embed(SENTENCES)
    parity, to_float = (ours * binding).sum(axis=1), (ours * exact).sum(axis=1)
    rows = joined([row for _, row in found])
    scored = [model.score(vector, rows, 10) for vector, _ in found]
    top = np.mean([_overlap(hits, ours, index) for index, hits in enumerate(scored)])
    return {
        "onnxruntime": version,
        "sentences": len(SENTENCES),
        "parity": float(parity.min()),
        "to_float": float(to_float[[" " in text for text in SENTENCES]].min()),
        "to_float_mean": float(to_float.mean()),
        "top10": float(top),
        "cosine_error": max(abs(c - float(ours[i] @ ours[r])) for i, hits in enumerate(scored) for r, c in hits),
    }


def _overlap(hits: list[tuple[int, float]], vectors: Array, index: int) -> float:
    best = np.argsort(-(vectors @ vectors[index]))[:10]
    return len({row for row, _ in hits} & set(best.tolist())) / 10


def main() -> None:
    print(json.dumps(check(Path(sys.argv[1]), sys.argv[2])))
