"""The worker's side of the vectors file: nothing that the graph names is lost, whatever a crash leaves behind."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.consolidate import vectors_write
from awhm_hooks.recall import vectors


def unit_rows(count: int, seed: int = 0) -> np.ndarray:
    found = np.random.default_rng(seed).standard_normal((count, vectors.WIDTH)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_a_row_keeps_its_vector_to_a_thousandth():
    found = unit_rows(200)
    back = vectors_write.to_vectors(vectors_write.to_rows(found))
    assert np.abs(back @ found.T - found @ found.T).max() < 0.006
    assert (back * found).sum(axis=1).min() > 0.9995
    assert np.linalg.norm(back, axis=1) == pytest.approx(1)


def test_a_component_out_of_range_is_clipped():
    vector = np.zeros((1, 384), np.float32)
    vector[0, :2] = (0.8, -0.6)
    row = vectors_write.to_rows(vector)
    assert row[0, :3].tolist() == [255, 0, 128]


def test_a_vector_of_nothing_stays_nothing():
    assert not vectors_write.to_vectors(vectors_write.to_rows(np.zeros((1, 384), np.float32))).any()


@given(st.lists(st.integers(0, 5), max_size=6))
def test_appending_in_any_portions_gives_the_same_rows(tmp_path_factory, portions):
    directory = str(tmp_path_factory.mktemp("graph"))
    everything = unit_rows(sum(portions) or 1)[: sum(portions)]
    vectors_write.create(directory, 1)
    at = 0
    for size in portions:
        at = vectors_write.append(directory, 1, at, everything[at : at + size])
    assert at == len(everything)
    assert (vectors_write.read_rows(directory, 1) == vectors_write.to_rows(everything)).all()


def test_what_a_crash_left_after_the_rows_is_written_over(tmp_path):
    directory = str(tmp_path)
    vectors_write.create(directory, 1, vectors_write.to_rows(unit_rows(3)))
    vectors_write.append(directory, 1, 3, unit_rows(4, seed=9))  # the graph never heard of these
    after = unit_rows(2, seed=5)
    assert vectors_write.append(directory, 1, 3, after) == 5
    found = vectors_write.read_rows(directory, 1)
    assert len(found) == 5
    assert (found == vectors_write.to_rows(np.concatenate([unit_rows(3), after]))).all()


@pytest.mark.parametrize("cut", [1, 200, 384, 500])
def test_a_torn_append_leaves_the_counted_rows_and_is_repaired_by_the_next(tmp_path, cut):
    directory = str(tmp_path)
    path = vectors_write.create(directory, 1, vectors_write.to_rows(unit_rows(3)))
    with open(path, "ab") as file:
        file.write(b"\x55" * cut)  # rows written, header not
    assert vectors.open_rows(path, 1, at_least=3).count == 3
    vectors_write.append(directory, 1, 3, unit_rows(1, seed=2))
    assert (vectors_write.read_rows(directory, 1)[3] == vectors_write.to_rows(unit_rows(1, seed=2))[0]).all()


def test_the_file_never_gets_shorter(tmp_path):
    directory = str(tmp_path)
    path = vectors_write.create(directory, 1, vectors_write.to_rows(unit_rows(9)))
    mapped = vectors.open_rows(path, 1)
    vectors_write.append(directory, 1, 2, unit_rows(1))
    assert os.path.getsize(path) >= vectors.HEADER_BYTES + mapped.count * vectors.WIDTH


@pytest.mark.parametrize(("generation", "at"), [(2, 0), (1, 4)])
def test_an_append_to_what_is_not_there_is_refused(tmp_path, generation, at):
    vectors_write.create(str(tmp_path), 1, vectors_write.to_rows(unit_rows(3)))
    with pytest.raises(vectors.VectorsUnusable):
        vectors_write.append(str(tmp_path), generation, at, unit_rows(1))


def test_an_append_to_a_torn_header_is_refused(tmp_path):
    path = tmp_path / "vectors.1.u8"
    vectors_write.create(str(tmp_path), 1, vectors_write.to_rows(unit_rows(3)))
    with path.open("r+b") as file:
        file.seek(24)
        file.write(b"\xff")
    with pytest.raises(vectors.VectorsUnusable, match="header"):
        vectors_write.append(str(tmp_path), 1, 3, unit_rows(1))


def test_a_compaction_keeps_the_named_rows_in_the_named_order(tmp_path):
    directory = str(tmp_path)
    vectors_write.create(directory, 4, vectors_write.to_rows(unit_rows(6)))
    assert vectors_write.compact(directory, 4, [5, 0, 3]) == 5
    expected = vectors_write.to_rows(unit_rows(6))[[5, 0, 3]]
    assert (vectors_write.read_rows(directory, 5) == expected).all()
    assert len(vectors_write.read_rows(directory, 4)) == 6  # in force until the graph says otherwise
    vectors_write.remove_others(directory, 5)
    assert os.listdir(directory) == ["vectors.5.u8"]


def test_a_compaction_that_names_a_missing_row_changes_nothing(tmp_path):
    vectors_write.create(str(tmp_path), 1, vectors_write.to_rows(unit_rows(2)))
    with pytest.raises(vectors.VectorsUnusable):
        vectors_write.compact(str(tmp_path), 1, [0, 2])
    assert os.listdir(tmp_path) == ["vectors.1.u8"]


def test_a_compaction_to_nothing_is_an_empty_file(tmp_path):
    vectors_write.create(str(tmp_path), 1, vectors_write.to_rows(unit_rows(2)))
    assert vectors.open_rows(vectors.path_of(str(tmp_path), vectors_write.compact(str(tmp_path), 1, [])), 2).count == 0


def test_files_are_private(tmp_path):
    path = vectors_write.create(str(tmp_path), 1)
    assert os.stat(path).st_mode & 0o777 == 0o600
