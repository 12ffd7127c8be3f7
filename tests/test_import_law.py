"""The import law: a hot module imports the standard library and hot modules, nothing else, at any depth."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "awhm_hooks"
HOT_FOLDERS = ("hooks", "journal", "recall")
HOT_FILES = (
    "__init__.py entry.py code_cache.py errors.py paths.py config.py files.py error_log.py wire_json.py regexes.py"
    " graph/__init__.py graph/model.py graph/store.py graph/migrations.py graph/strength.py graph/validity.py"
    " graph/scope.py graph/sqlite.py"
).split()
BANNED = {
    "asyncio", "logging", "dataclasses", "pathlib", "typing", "inspect", "tempfile", "subprocess", "importlib.metadata",
}  # fmt: skip
# Where a banned or foreign import stands inside a function on purpose: (module, imported name).
ALLOWED = {
    ("recall/semantic.py", "tokenizers"),
    ("recall/wordpiece.py", "tokenizers"),
    ("hooks/detach.py", "subprocess"),  # Windows alone has no posix_spawn
    ("entry.py", "awhm_hooks.cli"),  # the way to the command line, which no hook takes
}


def hot_modules():
    files = [PACKAGE / name for name in HOT_FILES]
    for folder in HOT_FOLDERS:
        files += sorted((PACKAGE / folder).rglob("*.py"))
    return sorted({str(file.relative_to(PACKAGE)) for file in files})


def imports(tree):
    """Every import but those under `if TYPE_CHECKING:`."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "absolute imports only"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        todo.extend(ast.iter_child_nodes(node))


def is_allowed(module, name):
    if any(module == where and (name == what or name.startswith(what + ".")) for where, what in ALLOWED):
        return True
    if name.split(".")[0] == "awhm_hooks":
        parts = name.split(".")[1:]
        for end in range(len(parts), 0, -1):
            for file in ("/".join(parts[:end]) + ".py", "/".join(parts[:end]) + "/__init__.py"):
                if (PACKAGE / file).exists():
                    return file in hot_modules()
        return True
    return name.split(".")[0] in sys.stdlib_module_names and not any(
        name == banned or name.startswith(banned + ".") for banned in BANNED
    )


@pytest.mark.parametrize("module", hot_modules())
def test_a_hot_module_imports_only_what_is_hot(module):
    tree = ast.parse((PACKAGE / module).read_text())
    assert [name for name in imports(tree) if not is_allowed(module, name)] == []


def test_nobody_imports_the_command_line_or_the_hooks():
    wrong = []
    for file in sorted(PACKAGE.rglob("*.py")):
        module = str(file.relative_to(PACKAGE))
        for name in imports(ast.parse(file.read_text())):
            for part in ("cli", "hooks"):
                inside = module.startswith(part + "/") or module == "entry.py"
                if not inside and (name == f"awhm_hooks.{part}" or name.startswith(f"awhm_hooks.{part}.")):
                    wrong.append((module, name))
    assert wrong == []


def test_broad_excepts_stand_in_two_places():
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ExceptHandler):
                kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
                names = {getattr(kind, "id", None) for kind in kinds}
                raises = any(isinstance(inner, ast.Raise) and inner.exc is None for inner in ast.walk(node))
                if names & {None, "Exception", "BaseException"} - ({None} if node.type else set()) and not raises:
                    found.append(str(file.relative_to(PACKAGE)))
    assert found == ["cli/app.py", "entry.py"]


PAYLOADS = {
    "session-start": {"hook_event_name": "SessionStart", "source": "startup"},
    "prompt": {"hook_event_name": "UserPromptSubmit", "prompt": "Which staging port? I prefer tabs.", "prompt_id": "p"},
    "stop": {"hook_event_name": "Stop", "last_assistant_message": "It uses 8443.", "prompt_id": "p"},
    "session-end": {"hook_event_name": "SessionEnd", "reason": "other"},
}  # fmt: skip
NOT_LOADED = {
    *BANNED,
    "re",
    "json",
    "enum",
    "sqlite3",
    "datetime",
    "numpy",
    "onnxruntime",
    "spacy",
    "typer",
    "rank_bm25",
}


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A data directory with a consolidated memory, and caches that are written."""
    directory = str(tmp_path_factory.mktemp("data"))
    said = {**PAYLOADS["prompt"], "prompt": "The staging port is 8443.", "session_id": "before", "cwd": "/tmp"}
    for event, payload in (("prompt", said), ("session-end", {**PAYLOADS["session-end"], "session_id": "before"})):
        run_hook(event, payload, directory)
    subprocess.run([sys.executable, "-m", "awhm_hooks", "consolidate"], env=environment(directory), check=True)
    for event, payload in PAYLOADS.items():
        run_hook(event, {**payload, "session_id": "warm", "cwd": "/tmp"}, directory)
    return directory


def environment(directory):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWHM_", "CLAUDE"))}
    return {**kept, "AWHM_DATA_DIR": directory, "PYTHONPATH": str(PACKAGE.parent)}


def run_hook(event, payload, directory):
    from awhm_hooks.manage.hook_block import EVENTS, hook_settings

    names = {ours: theirs for theirs, ours in EVENTS.items()}
    handler = hook_settings()["hooks"][names[event]][0]["hooks"][0]
    command = [handler["command"], "-X", "importtime", *handler["args"]]
    return subprocess.run(command, input=json.dumps(payload).encode(), capture_output=True, env=environment(directory))


@pytest.mark.parametrize("event", PAYLOADS)
def test_a_real_hook_loads_nothing_else(warm, event):
    done = run_hook(event, {**PAYLOADS[event], "session_id": "s1", "cwd": "/tmp"}, warm)
    lines = [line for line in done.stderr.decode().splitlines() if line.startswith("import time:")]
    loaded = {line.rsplit("|", 1)[1].strip() for line in lines}
    assert "awhm_hooks.entry" in loaded
    assert done.returncode == 0
    assert loaded & NOT_LOADED == set()
    assert bool(done.stdout) == (event == "prompt"), "the prompt recalls, so recall was loaded too"
