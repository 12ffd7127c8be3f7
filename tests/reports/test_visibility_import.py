"""That memory does not work is seen, with what mends it; and what was said before the install can be had."""

import json
import os
import shutil
import time

import pytest

from reports import transcripts

NINE_DAYS_S = 9 * 86_400


def hooks_absent(person):
    return {"hooks-not-installed"}, "awhm hook install"


def only_half_of_them(person):
    person.runs_well("hook", "install")
    settings = json.loads(person.settings().read_text())
    del settings["hooks"]["Stop"]
    person.settings().write_text(json.dumps(settings))
    return {"hooks-incomplete"}, "awhm hook install"


def interpreter_gone(person):
    person.runs_well("hook", "install", "--command", str(person.home / "venv" / "bin" / "awhm"))
    return {"hook-program-missing"}, "awhm hook install"


def switched_off(person):
    person.runs_well("hook", "install")
    settings = json.loads(person.settings().read_text())
    person.settings().write_text(json.dumps({**settings, "disableAllHooks": True}))
    return {"hooks-disabled"}, "settings.json"


def nothing_for_nine_days(person):
    person.runs_well("hook", "install")
    person.tells("The port is 8443.")
    then = time.time() - NINE_DAYS_S
    settings = person.settings()
    os.utime(settings, (then, then))
    for path in (person.data_dir / "logs").iterdir():
        records = [json.loads(line) for line in path.read_text().splitlines()]
        path.write_text(
            "".join(json.dumps({**one, "at": one["at"] - NINE_DAYS_S}, separators=(",", ":")) + "\n" for one in records)
        )
        os.utime(path, (then, then))
    line = transcripts.line("user", "hello", time.time(), "unheard", person.project)
    transcripts.write(settings.parent / "projects" / "-shop-api" / "unheard.jsonl", [line])
    return {"no-capture"}, "awhm"


@pytest.mark.report("AWHM-P082")
@pytest.mark.parametrize(
    "state", [hooks_absent, only_half_of_them, interpreter_gone, switched_off, nothing_for_nine_days]
)
def test_each_way_of_not_working_has_its_name_and_its_cure(person, state):
    person.settings()
    names, cure = state(person)
    done = person.runs("doctor", "--json")
    assert done.returncode == 1
    broken = [one for one in json.loads(done.stdout)["findings"] if one["severity"] == "broken"]
    assert {one["name"] for one in broken} == names
    assert all(cure in one["fix"] for one in broken)


@pytest.mark.report("AWHM-P082")
def test_a_working_memory_is_well_and_shows_what_it_did(person):
    person.settings()
    person.runs_well("hook", "install")
    person.begins()
    person.says("The port is 8443.")
    person.is_answered("Noted.")
    person.leaves()
    done = person.runs("doctor", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0, report["findings"]
    assert all(report["last_events"][hook] for hook in ("prompt", "stop", "session-start", "session-end"))
    assert report["counts"]["memories"] >= 3 and report["bytes"]["total"] > 0
    assert report["counts"]["sessions"] == 1 and report["counts"]["pending_sessions"] == 0


@pytest.mark.report("AWHM-P019")
@pytest.mark.parametrize("second", ["project", "local", "plugin"])
def test_hooks_registered_twice_are_reported_with_the_file_to_edit(person, second):
    user = person.settings()
    person.runs_well("hook", "install")
    if second == "plugin":
        root = person.home / "plugin"
        (root / "hooks").mkdir(parents=True)
        shutil.copy(user, root / "hooks" / "hooks.json")
        (user.parent / "plugins").mkdir()
        installed = {"version": 2, "plugins": {"awhm@market": [{"installPath": str(root)}]}}
        (user.parent / "plugins" / "installed_plugins.json").write_text(json.dumps(installed))
    else:
        person.runs_well("hook", "install", "--scope", second, "--command", "/bin/true")
    found = json.loads(person.runs("doctor", "--json").stdout)["findings"]
    twice = [one for one in found if one["name"] == "hooks-twice"]
    assert len(twice) == 4
    file = user if second == "plugin" else person.project / ".claude" / f"settings{'.local' * (second == 'local')}.json"
    assert all(str(file) in one["message"] and one["fix"].startswith("awhm hook uninstall") for one in twice)


# Import.

LAST_YEAR = time.time() - 300 * 86_400
LANGUAGES = {
    "case": (
        "Our package manager is yarn.",
        "Our package manager is pnpm.",
        "package manager",
        "The mail host is mx1.",
    ),
    "Spanish": (
        "Nuestro gestor de paquetes es yarn.",
        "Nuestro gestor de paquetes es pnpm.",
        "gestor de paquetes",
        "El host de correo es mx1.",
    ),
    "German": ("Unser Paketmanager ist yarn.", "Unser Paketmanager ist pnpm.", "Paketmanager", "Der Mailhost ist mx1."),
}
TOKEN = "ghp_" + "Ab3dE9" * 6


def history(person, old, new, other, live_at):
    """Three transcripts: of this project a year ago, of another one with a torn end, and one captured live."""
    folder = person.home / ".claude" / "projects"
    elsewhere = person.home / "elsewhere"
    elsewhere.mkdir()

    def line(role, text, second, session, cwd=person.project, **more):
        return transcripts.line(role, text, LAST_YEAR + second, session, cwd, **more)

    tool = [{"type": "tool_result", "tool_use_id": "t", "content": "Our package manager is bower."}]
    transcripts.write(
        folder / "-shop-api" / "one.jsonl",
        [
            line("user", old, 0, "one"),
            line("assistant", "Noted.", 1, "one"),
            line("user", "", 2, "one", message={"role": "user", "content": tool}, toolUseResult={"stdout": "x"}),
            line("user", "Our package manager is bun.", 3, "one", isSidechain=True),
            line("user", f"Push with {TOKEN}, and keep it secret.", 4, "one"),
        ],
    )
    transcripts.write(
        folder / "-elsewhere" / "two.jsonl",
        [line("user", other, 10, "two", elsewhere)],
        torn=json.dumps(line("user", "Our package manager is npm.", 11, "two", elsewhere))[:90],
    )
    transcripts.write(
        folder / "-shop-api" / "live.jsonl",
        [transcripts.line("user", new, live_at, "live", person.project)],
    )
    return folder, elsewhere


def as_it_is(person):
    """Every file but the database's, which a reader may tidy, and what is in that."""
    files = {path: path.read_bytes() for path in person.files() if path.parent.name != "graph"}
    return files, person.rows("SELECT * FROM nodes ORDER BY id"), person.rows("SELECT * FROM sessions ORDER BY id")


@pytest.mark.report("AWHM-P083")
@pytest.mark.parametrize("language", LANGUAGES)
def test_history_is_imported_once_dated_and_below_what_is_newer(person, language):
    old, new, asked, other = LANGUAGES[language]
    folder, elsewhere = history(person, old, new, other, time.time() + 1)
    person.says(new, "live")
    person.leaves("live", transcript_path=str(folder / "-shop-api" / "live.jsonl"))
    before = as_it_is(person)
    preview = person.runs_well("import", str(folder), "--dry-run")
    assert "4 messages of 3 sessions would be imported" in preview, preview
    assert as_it_is(person) == before
    first = person.runs("import", str(folder))
    assert first.returncode == 0 and "two.jsonl:2:" in first.stderr, "the torn line is named"
    again = json.loads(person.runs_well("import", str(folder), "--json"))
    assert again["messages"]["new"] == 0
    person.waits()
    texts = [row[0] for row in person.rows("SELECT text FROM nodes WHERE family = 'message'")]
    assert sorted(texts) == sorted(
        [old, "Noted.", f"Push with {'[redacted:github-token]'}, and keep it secret.", other, new]
    )
    assert person.files_with(TOKEN) == []
    (current, *_) = person.asks(asked)
    assert "pnpm" in current["text"] and "yarn" not in json.dumps([one["text"] for one in person.asks(asked)])
    history_of = {
        one["text"].rstrip("."): one for one in person.asks(asked, "--include-history") if one["family"] != "message"
    }
    outdated = history_of[old.rstrip(".")]
    year = time.strftime("%Y-%m-%d", time.localtime(LAST_YEAR))
    assert outdated["said_at"].startswith(year) and outdated["status"] == "superseded"
    assert person.asks("mx1", "--all-projects")[0]["project"] == str(elsewhere)
    assert person.asks("mx1") == []
