import os
import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from awhm_hooks.config import CHOICES, PARAMETERS, load
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.manage import config_file
from awhm_hooks.paths import Paths


@pytest.fixture
def paths(tmp_path):
    return Paths(str(tmp_path))


def write(paths, text):
    with open(paths.config_toml, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def read(paths):
    with open(paths.config_toml, encoding="utf-8", newline="") as file:
        return file.read()


def test_every_parameter_is_listed_with_its_source(paths):
    write(paths, "k = 7\n")
    found = {one.name: one for one in config_file.read(paths, {"AWHM_ALPHA": "0.5", "AWHM_STAGE2": "1"}).entries}
    assert found.keys() == PARAMETERS.keys() - {"data_dir"}
    sources = {name: (found[name].value, found[name].source) for name in ("k", "alpha", "stage2_enabled", "beta")}
    assert sources == {
        "k": (7, "config.toml"),
        "alpha": (0.5, "AWHM_ALPHA"),
        "stage2_enabled": (True, "AWHM_STAGE2"),
        "beta": (0.1, "default"),
    }
    assert all(one.what for one in found.values())


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("hook_max_memorys = 3\n", "hook_max_memorys", "did you mean hook_max_memories?"),
        ("zzz = 1\n", "zzz", "awhm config list"),
        ("k = -1\n", "k", "at least 1"),
        ("k = 1.5\n", "k", "a number"),
        ("embed_threshold = 3\n", "embed_threshold", "0 to 1"),
        ("alpha = nan\n", "alpha", "at least 0"),
        ("exclude = 5\n", "exclude", "a list"),
        ('storage_backend = "json"\n', "storage_backend", "choose from sqlite"),
        ('stage2_client = "openai"\n', "stage2_client", "claude-code, anthropic"),
        ('data_dir = "/x"\n', "data_dir", "AWHM_DATA_DIR"),
        ("k = = 3\n", "", "config.toml"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(paths, text, name, says):
    write(paths, text)
    (problem,) = config_file.read(paths, {}).problems
    assert (problem.source, problem.name) == ("config.toml", name)
    assert says in problem.message


def test_what_is_wrong_in_the_environment_is_named(paths):
    environ = {"AWHM_K": "many", "AWHM_SEMANTC": "0", "AWHM_DATA_DIR": "/x", "AWHM_HOOK_ACTIVE": "1", "HOME": "/h"}
    problems = {one.source: one.message for one in config_file.read(paths, environ).problems}
    assert problems.keys() == {"AWHM_K", "AWHM_SEMANTC"}
    assert "semantic" in problems["AWHM_SEMANTC"]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("k", "20", 20),
        ("alpha", "0.5", 0.5),
        ("semantic", "off", False),
        ("semantic", "True", True),
        ("exclude", "~/a, ~/b", ("~/a", "~/b")),
        ("exclude", '["~/a,b"]', ("~/a,b",)),
        ("exclude", "", ()),
        ("stage2_model", "sonnet", "sonnet"),
    ],
)
def test_a_value_as_a_person_writes_it(name, text, value):
    assert config_file.parsed(name, text) == value


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("knn", "3", "no such parameter"),
        ("semantic", "maybe", "true or false"),
        ("k", "many", "a number"),
        ("k", "0", "at least 1"),
        ("exclude", "[1, ", "["),
        ("data_dir", "/x", "AWHM_DATA_DIR"),
    ],
)
def test_a_wrong_value_is_refused(name, text, says):
    with pytest.raises(UsageError, match=says.replace("[", r"\[")):
        config_file.parsed(name, text)


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("", 5, "k = 5\n"),
        ("# mine\n", 5, "# mine\nk = 5\n"),
        ("alpha = 0.5", 5, "alpha = 0.5\nk = 5\n"),
        ("k = 7\n", 5, "k = 5\n"),
        ("k=7", 5, "k = 5"),
        ("# a\nk = 7  # seven, not 10\nalpha = 0.5\n", 5, "# a\nk = 5  # seven, not 10\nalpha = 0.5\n"),
        ('"k" = 7\r\nalpha = 0.5\r\n', 5, "k = 5\r\nalpha = 0.5\r\n"),
        ("# k = 1\n  k = 7\n", 5, "# k = 1\n  k = 5\n"),
        ("k = 5 # the same\n", 5, "k = 5 # the same\n"),
        ("# a\nk = 7 # gone\nalpha = 0.5\n", None, "# a\nalpha = 0.5\n"),
        ("alpha = 0.5\n", None, "alpha = 0.5\n"),
    ],
)
def test_one_line_changes_and_all_else_stays(before, value, after):
    assert config_file.changed(before, "k", value, "config.toml") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('exclude = [\n  "~/a",\n  "~/b",\n]\nk = 3\n', 'exclude = ["~/c"]\nk = 3\n'),
        ('exclude = ["a # no comment"] # one\n', 'exclude = ["~/c"] # one\n'),
        ('exclude = """\na\n"""\n', 'exclude = ["~/c"]\n'),
    ],
)
def test_a_value_over_several_lines_is_replaced_whole(before, after):
    assert config_file.changed(before, "exclude", ("~/c",), "config.toml") == after


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("k = = 3\n", "mend it by hand"),
        ("[hooks]\nk = 3\n", "tables"),
        ('exclude = [\n  "a", # why\n]\n', "by hand"),
    ],
)
def test_what_cannot_be_changed_by_lines_is_refused(before, says):
    with pytest.raises(AwhmError, match=says):
        config_file.changed(before, "exclude", ("b",), "config.toml")


VALUES = {
    bool: st.booleans(),
    int: st.integers(1, 1000),
    float: st.floats(0, 1),
    tuple: st.lists(st.text(max_size=8).map(str.strip), max_size=3).map(tuple),
    str: st.text(max_size=10),
}
SETTABLE = sorted(PARAMETERS.keys() - CHOICES.keys() - {"data_dir"})


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_what_is_set_is_what_is_loaded(tmp_path, data):
    paths = Paths(str(tmp_path))
    write(paths, "# a comment\nalpha = 0.5 # another\n")
    for name in data.draw(st.lists(st.sampled_from(SETTABLE), max_size=4)):
        value = data.draw(VALUES[type(PARAMETERS[name][0])])
        config_file.change(paths, name, value)
        assert getattr(load(paths, {}), name) == value
    assert "# a comment\n" in read(paths)
    assert "# another" in read(paths)
    tomllib.loads(read(paths))


def test_a_change_keeps_mode_and_link_and_says_whether_it_was_one(tmp_path):
    paths = Paths(str(tmp_path / "data"))
    target = tmp_path / "dotfiles.toml"
    target.write_text("k = 3\n")
    target.chmod(0o640)
    os.mkdir(paths.data_dir)
    os.symlink(target, paths.config_toml)
    assert config_file.change(paths, "k", 4) is True
    assert config_file.change(paths, "k", 4) is False
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("k = 4\n", 0o640)
    assert os.path.islink(paths.config_toml)


def test_a_new_file_is_private(paths):
    config_file.change(paths, "k", 4)
    assert os.stat(paths.config_toml).st_mode & 0o777 == 0o600


def test_a_line_that_no_parameter_is_called_by_can_be_taken_out(paths):
    write(paths, "knn = 3\nk = 4\n")
    assert config_file.change(paths, "knn", None) is True
    assert read(paths) == "k = 4\n"
