import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.config import AWHMConfig
from awhm_hooks.journal import optout
from awhm_hooks.paths import Paths

NOW = 1_000.0


@pytest.mark.parametrize(
    ("pattern", "place", "matches"),
    [
        ("/a/b", "/a/b", True),
        ("/a/b", "/a/b/c/d", True),
        ("/a/b", "/a", False),
        ("/a/b", "/a/bc", False),
        ("/a/b/", "/a/b", True),
        ("/", "/anything", True),
        ("/a/*", "/a", False),
        ("/a/*", "/a/b/c", True),
        ("/a/*/x", "/a/b/x/y", True),
        ("/a/*/x", "/a/b/c/x", False),
        ("/a/**", "/a", True),
        ("/a/**", "/a/b/c", True),
        ("/a/**/x", "/a/x", True),
        ("/a/**/x", "/a/b/c/x/y", True),
        ("/a/**/x", "/a/b/c", False),
        ("/a/client-*", "/a/client-acme/api", True),
        ("/a/client-*", "/a/clients", False),
        ("/a/?at", "/a/cat", True),
        ("/a/?at", "/a/at", False),
        ("/a/[bc]", "/a/b", False),
        ("**/secret", "/home/me/secret/x", True),
        ("**/*.private", "/x/y.private", True),
    ],
)
def test_a_pattern_matches_a_directory_and_all_below_it(pattern, place, matches):
    assert optout.matches(pattern, place) is matches


NAMES = st.text("ab.-", min_size=1, max_size=3).filter(lambda name: name not in (".", ".."))


@given(st.lists(NAMES, min_size=1, max_size=5), st.lists(NAMES, max_size=3))
def test_a_path_is_a_pattern_for_itself_and_what_is_below(folders, below):
    place = "/" + "/".join(folders)
    assert optout.matches(place, "/".join([place, *below]))
    assert optout.matches("/**/" + folders[-1], place)
    assert optout.matches("/" + "/".join("*" for _ in folders), place)


def silence(tmp_path, directory, **parameters):
    found = optout.silence(Paths(str(tmp_path / "data")), AWHMConfig(**parameters), (str(directory),), NOW)
    return found and found.kind


@pytest.fixture
def home(tmp_path, monkeypatch):
    home = tmp_path / "home"
    (home / "clients" / "acme" / "api").mkdir(parents=True)
    (home / "work").mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


def test_nothing_configured_silences_nothing(tmp_path, home):
    assert silence(tmp_path, home / "work") is None


def test_enabled_false_silences_everywhere(tmp_path, home):
    assert silence(tmp_path, home / "work", enabled=False) == optout.OFF


@pytest.mark.report("AWHM-P047")
@pytest.mark.parametrize("pattern", ["~/clients/**", "~/clients", "~/clients/acme", "clients/*", "acme", " ~/clients "])
def test_an_excluded_directory_is_silent_and_its_neighbour_is_not(tmp_path, home, pattern):
    assert silence(tmp_path, home / "clients" / "acme" / "api", exclude=(pattern,)) == optout.EXCLUDED
    assert silence(tmp_path, home / "work", exclude=(pattern, "")) is None


@pytest.mark.report("AWHM-P047")
def test_a_link_to_an_excluded_directory_is_silent(tmp_path, home):
    link = tmp_path / "shortcut"
    link.symlink_to(home / "clients" / "acme")
    assert silence(tmp_path, link / "api", exclude=("~/clients/**",)) == optout.EXCLUDED


def test_a_pattern_through_a_link_excludes_what_it_points_to(tmp_path, home):
    (tmp_path / "link").symlink_to(home / "clients")
    pattern = str(tmp_path / "link" / "*")
    assert silence(tmp_path, home / "clients" / "acme", exclude=(pattern,)) == optout.EXCLUDED


def test_a_worktree_of_an_excluded_repository_is_silent(tmp_path, home):
    main, tree = home / "clients" / "acme", home / "work" / "feature"
    (main / ".git" / "worktrees" / "feature").mkdir(parents=True)
    (main / ".git" / "worktrees" / "feature" / "commondir").write_text("../..\n")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {main / '.git' / 'worktrees' / 'feature'}\n")
    assert silence(tmp_path, tree, exclude=("~/clients/**",)) == optout.EXCLUDED


def test_an_ignore_file_silences_its_directory_and_all_below(tmp_path, home):
    (home / "clients" / ".awhmignore").touch()
    assert silence(tmp_path, home / "clients" / "acme" / "api") == optout.IGNORED
    assert silence(tmp_path, home / "work") is None


def test_an_ignore_file_counts_behind_a_link_too(tmp_path, home):
    (home / "clients" / ".awhmignore").touch()
    (tmp_path / "shortcut").symlink_to(home / "clients" / "acme")
    assert silence(tmp_path, tmp_path / "shortcut") == optout.IGNORED


@pytest.mark.report("AWHM-P047")
def test_in_opt_in_mode_only_marked_trees_are_active(tmp_path, home):
    (home / "lab" / "deep").mkdir(parents=True)
    (home / "lab" / ".awhminclude").touch()
    parameters = {"opt_in": True, "include": ("~/work",)}
    assert silence(tmp_path, home / "lab" / "deep", **parameters) is None
    assert silence(tmp_path, home / "work", **parameters) is None
    assert silence(tmp_path, home / "clients", **parameters) == optout.NOT_INCLUDED
    assert silence(tmp_path, home / "clients", include=("~/work",)) is None


def test_an_exclusion_wins_over_an_inclusion(tmp_path, home):
    assert silence(tmp_path, home / "work", opt_in=True, include=("~/work",), exclude=("~/work",)) == optout.EXCLUDED
    (home / "work" / ".awhmignore").touch()
    assert silence(tmp_path, home / "work", opt_in=True, include=("~/work",)) == optout.IGNORED


def test_one_silent_directory_of_several_is_enough(tmp_path, home):
    paths, config = Paths(str(tmp_path / "data")), AWHMConfig(exclude=("~/clients",))
    directories = (str(home / "work"), str(home / "clients"))
    assert optout.silence(paths, config, directories, NOW).kind == optout.EXCLUDED


# Pauses.


def paused(tmp_path, *marks):
    meta = tmp_path / "data" / "meta"
    meta.mkdir(parents=True, exist_ok=True)
    lines = [mark if isinstance(mark, str) else json.dumps({"project": "", **mark}) for mark in marks]
    (meta / optout.PAUSES).write_text("".join(f"{line}\n" for line in lines))
    return [(one.project, one.begin, one.end) for one in optout.pauses(Paths(str(tmp_path / "data")))]


FOREVER = optout.FOREVER


@pytest.mark.parametrize(
    ("marks", "stretches"),
    [
        ([], []),
        ([{"at": 1}], [("", 1, FOREVER)]),
        ([{"at": 1, "until": 5}], [("", 1, 5)]),
        ([{"at": 1}, {"at": 3, "resume": True}], [("", 1, 3)]),
        ([{"at": 1, "until": 2}, {"at": 3, "resume": True}], [("", 1, 2)]),
        ([{"at": 1}, {"at": 2, "until": 9}], [("", 1, 2), ("", 2, 9)]),
        ([{"at": 1, "project": "/a"}, {"at": 2}], [("/a", 1, FOREVER), ("", 2, FOREVER)]),
        ([{"at": 1, "project": "/a"}, {"at": 2, "resume": True}], [("/a", 1, 2)]),
        ([{"at": 1}, {"at": 2, "resume": True, "project": "/a"}], [("", 1, FOREVER)]),
        (['{"at": 1, "proj', "[]", "", '{"at": "x", "project": ""}', {"at": 4}], [("", 4, FOREVER)]),
    ],
)
def test_the_stretches_of_a_file_of_marks(tmp_path, marks, stretches):
    assert paused(tmp_path, *marks) == stretches


def test_a_pause_is_over_when_its_time_is(tmp_path, home):
    paused(tmp_path, {"at": NOW - 10, "until": NOW + 1})
    assert silence(tmp_path, home) == optout.PAUSED
    paused(tmp_path, {"at": NOW - 10, "until": NOW})
    assert silence(tmp_path, home) is None
    paused(tmp_path, {"at": NOW + 1})
    assert silence(tmp_path, home) is None


def test_a_project_s_pause_is_for_it_and_what_is_below(tmp_path, home):
    paused(tmp_path, {"at": 1, "project": str(home / "clients")})
    assert silence(tmp_path, home / "clients" / "acme") == optout.PAUSED
    assert silence(tmp_path, home / "work") is None


# The data directory that was deleted.


def test_a_directory_that_was_in_use_and_is_gone_was_deleted(tmp_path):
    environ = {"HOME": str(tmp_path)}
    paths = Paths(str(tmp_path / "data"))
    assert not optout.was_deleted(paths, environ)
    optout.note_in_use(paths, environ)
    optout.note_in_use(paths, environ)
    assert optout.was_deleted(paths, environ)
    assert not optout.was_deleted(Paths(str(tmp_path / "other")), environ)
    os.mkdir(paths.data_dir)
    assert not optout.was_deleted(paths, environ)
    register = tmp_path / ".local" / "state" / "awhm" / "data-dirs"
    assert register.read_text() == f"{paths.data_dir}\n"
    assert register.stat().st_mode & 0o777 == 0o600


def test_the_state_directory_is_where_the_environment_has_it(tmp_path):
    environ = {"HOME": "/nowhere", "XDG_STATE_HOME": str(tmp_path)}
    assert optout.register_file(environ) == str(tmp_path / "awhm" / "data-dirs")
    assert optout.register_file({**environ, "XDG_STATE_HOME": "relative"}).startswith("/nowhere/.local/state")


def test_a_register_that_cannot_be_written_costs_nothing(tmp_path):
    (tmp_path / ".local").write_text("a file")
    environ = {"HOME": str(tmp_path)}
    optout.note_in_use(Paths(str(tmp_path / "data")), environ)
    assert not optout.was_deleted(Paths(str(tmp_path / "data")), environ)
