import os

from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.paths import Paths, decode_name, encode_name, resolve


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60))
def test_session_names_round_trip_and_stay_in_one_directory(session):
    name = encode_name(session)
    assert "/" not in name and not name.startswith(".") and len(name) <= 255
    assert len(name) >= 190 or decode_name(name) == session


def test_the_names_of_the_seed():
    assert decode_name(encode_name("a/h1")) == "a/h1"
    assert decode_name(encode_name("with space")) == "with space"
    assert encode_name("..") == "%2E."


def test_long_ids_get_distinct_short_names():
    one, other = encode_name("x" * 5000 + "1"), encode_name("x" * 5000 + "2")
    assert one != other and len(one) <= 200


def test_the_data_directory_is_the_environment_s_or_in_the_home(tmp_path):
    assert resolve({"AWHM_DATA_DIR": str(tmp_path / "d")}).data_dir == str(tmp_path / "d")
    assert resolve({"HOME": "/home/x"}).data_dir == "/home/x/.awhm"
    assert resolve({"AWHM_DATA_DIR": "", "HOME": "/home/x"}).data_dir == "/home/x/.awhm"


def test_directories_are_private(tmp_path):
    paths = Paths(str(tmp_path / "deep" / "data"))
    paths.make(paths.logs)
    paths.make(paths.logs)
    assert os.stat(paths.data_dir).st_mode & 0o777 == 0o700
    assert os.stat(paths.logs).st_mode & 0o777 == 0o700
