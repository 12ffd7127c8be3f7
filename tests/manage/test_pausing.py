import shutil

import pytest

from awhm_hooks.config import AWHMConfig
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.journal.optout import EVERYWHERE, FOREVER
from awhm_hooks.manage import pausing
from awhm_hooks.paths import Paths

NOW = 1_000.0


@pytest.fixture
def paths(tmp_path):
    return Paths(str(tmp_path / "data"))


@pytest.fixture
def environ(tmp_path):
    return {"HOME": str(tmp_path)}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90),
        ("30m", 1800),
        ("30 minutes", 1800),
        ("2h", 7200),
        ("2 hrs", 7200),
        ("1h30m", 5400),
        ("1 hour 30 min", 5400),
        ("1.5h", 5400),
        ("3 days", 259_200),
        ("1W", 604_800),
    ],
)
def test_a_duration_in_words(text, seconds):
    assert pausing.seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "2", "h", "2h x", "0h", "2 parsecs", "-2h", "2026-02-01"])
def test_what_is_no_duration_is_named(text):
    with pytest.raises(UsageError, match="is no duration"):
        pausing.seconds_of(text)


def active(paths, now=NOW):
    return [(one.project, one.begin, one.end) for one in pausing.active(paths, now)]


def test_a_pause_is_under_way_until_it_is_ended(paths, environ):
    pausing.pause(paths, environ, EVERYWHERE, NOW)
    assert active(paths) == [("", NOW, FOREVER)]
    assert [one.project for one in pausing.resume(paths, EVERYWHERE, NOW + 1)] == [""]
    assert active(paths, NOW + 1) == []
    assert pausing.resume(paths, EVERYWHERE, NOW + 2) == []


def test_a_pause_and_its_end_hold_from_their_own_moment_on(paths, environ):
    moment = NOW + 0.0006  # nearer to the next millisecond than to the last
    config = AWHMConfig()
    pausing.pause(paths, environ, EVERYWHERE, moment)
    assert pausing.silence_in(paths, config, environ, "/", moment)
    pausing.resume(paths, EVERYWHERE, moment + 1)
    assert pausing.silence_in(paths, config, environ, "/", moment + 1) is None


def test_a_resume_without_a_project_ends_every_pause_and_with_one_only_its(paths, environ):
    for project in ("/a", "/b", EVERYWHERE):
        pausing.pause(paths, environ, project, NOW)
    assert [one.project for one in pausing.resume(paths, "/a", NOW + 1)] == ["/a"]
    assert [one.project for one in pausing.resume(paths, EVERYWHERE, NOW + 2)] == ["/b", ""]


def test_a_second_pause_takes_the_place_of_the_first(paths, environ):
    pausing.pause(paths, environ, EVERYWHERE, NOW)
    pausing.pause(paths, environ, EVERYWHERE, NOW + 1, for_s=10)
    assert active(paths, NOW + 2) == [("", NOW + 1, NOW + 11)]
    assert active(paths, NOW + 11) == []


def test_where_the_directory_was_deleted_nothing_is_made_but_by_init(paths, environ):
    assert pausing.begin_anew(paths, environ) is True
    assert pausing.begin_anew(paths, environ) is False
    shutil.rmtree(paths.data_dir)
    with pytest.raises(AwhmError, match="awhm init"):
        pausing.pause(paths, environ, EVERYWHERE, NOW)
    silent = pausing.silence_in(paths, AWHMConfig(), environ, "/", NOW)
    assert "awhm init" in pausing.described(silent)
    assert pausing.begin_anew(paths, environ) is True
    assert pausing.silence_in(paths, AWHMConfig(), environ, "/", NOW) is None


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"enabled": False}, "AWHM_ENABLED"),
        ({"exclude": ("/x/**",)}, "/x/**"),
        ({"opt_in": True}, "opt_in"),
    ],
)
def test_a_silence_is_described_by_what_makes_it(paths, environ, parameters, says):
    found = pausing.silence_in(paths, AWHMConfig(**parameters), environ, "/x/y", NOW)
    assert says in pausing.described(found)


def test_a_data_directory_that_cannot_be_made_is_named(tmp_path, environ):
    (tmp_path / "file").touch()
    with pytest.raises(AwhmError, match="AWHM_DATA_DIR"):
        pausing.begin_anew(Paths(str(tmp_path / "file" / "data")), environ)


def test_a_project_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no such directory"):
        pausing.project_key(str(tmp_path / "gone"))
