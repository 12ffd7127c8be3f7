"""The vectors file as a hook reads it."""

import numpy as np
import pytest

from awhm_hooks.consolidate import vectors_write
from awhm_hooks.recall import vectors


def unit_rows(count: int, seed: int = 0) -> np.ndarray:
    found = np.random.default_rng(seed).standard_normal((count, vectors.WIDTH)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_rows_are_mapped_as_they_were_written(tmp_path):
    rows = vectors_write.to_rows(unit_rows(5))
    path = vectors_write.create(str(tmp_path), 7, rows)
    found = vectors.open_rows(path, 7)
    assert (found.count, found.offset) == (5, vectors.HEADER_BYTES)
    assert bytes(found.buffer[found.offset :]) == rows.tobytes()


def test_rows_stay_readable_while_more_are_appended(tmp_path):
    vectors_write.create(str(tmp_path), 1, vectors_write.to_rows(unit_rows(3)))
    found = vectors.open_rows(vectors.path_of(str(tmp_path), 1), 1)
    before = bytes(found.buffer[:])
    vectors_write.append(str(tmp_path), 1, 3, unit_rows(2000, seed=1))
    assert bytes(found.buffer[vectors.HEADER_BYTES :]) == before[vectors.HEADER_BYTES :]


def test_writing_to_the_buffer_does_not_reach_the_file(tmp_path):
    path = vectors_write.create(str(tmp_path), 1, vectors_write.to_rows(unit_rows(1)))
    before = (tmp_path / "vectors.1.u8").read_bytes()
    found = vectors.open_rows(path, 1)
    found.buffer[vectors.HEADER_BYTES] = 0
    assert (tmp_path / "vectors.1.u8").read_bytes() == before


def test_an_empty_file_has_no_rows(tmp_path):
    assert vectors.open_rows(vectors_write.create(str(tmp_path), 1), 1).count == 0


def broken_files() -> dict[str, bytes]:
    head = vectors.header(1, 2).ljust(vectors.HEADER_BYTES, b"\0")
    rows = bytes(2 * vectors.WIDTH)
    torn = bytearray(head)
    torn[24] ^= 1
    return {
        "empty": b"",
        "not ours": b"x" * 8192,
        "header only, torn": head[:20],
        "count torn": bytes(torn) + rows,
        "rows cut short": head + rows[:-1],
        "no rows": head,
        "another width": head[:8] + (385).to_bytes(8, "little") + head[16:] + rows,
    }


@pytest.mark.parametrize("kind", broken_files())
def test_a_damaged_file_is_refused(tmp_path, kind):
    path = tmp_path / "vectors.1.u8"
    path.write_bytes(broken_files()[kind])
    with pytest.raises(vectors.VectorsUnusable):
        vectors.open_rows(str(path), 1)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(vectors.VectorsUnusable, match="No such file"):
        vectors.open_rows(str(tmp_path / "vectors.1.u8"), 1)


def test_another_generation_is_refused(tmp_path):
    path = vectors_write.create(str(tmp_path), 2)
    with pytest.raises(vectors.VectorsUnusable, match="generation 2"):
        vectors.open_rows(path, 1)


def test_fewer_rows_than_the_graph_names_are_refused(tmp_path):
    path = vectors_write.create(str(tmp_path), 1, vectors_write.to_rows(unit_rows(2)))
    assert vectors.open_rows(path, 1, at_least=2).count == 2
    with pytest.raises(vectors.VectorsUnusable, match="fewer than 3"):
        vectors.open_rows(path, 1, at_least=3)


def test_rows_in_memory_are_joined():
    found = vectors.joined([b"a" * 384, b"b" * 384])
    assert (found.count, found.offset, len(found.buffer)) == (2, 0, 768)


def test_the_cosine_of_two_rows_is_that_of_their_vectors():
    pair = unit_rows(2)
    one, other = (row.tobytes() for row in vectors_write.to_rows(pair))
    assert vectors.cosine(one, other) == pytest.approx(float(pair[0] @ pair[1]), abs=0.01)
    assert vectors.cosine(one, one) == pytest.approx(1.0, abs=0.01)
