"""What was said in a project is known there, wherever in it, and nowhere else."""

import shutil
import subprocess

import pytest


def git(*arguments, cwd):
    settings = ["-c", "user.name=Dev", "-c", "user.email=dev@example.test", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *settings, *arguments], cwd=cwd, check=True, capture_output=True)


def repository(path):
    path.mkdir(parents=True)
    git("init", "-q", cwd=path)
    (path / "README").write_text("x\n")
    git("add", ".", cwd=path)
    git("commit", "-q", "-m", "first", cwd=path)
    return path


def projects(person):
    return {row[0] for row in person.rows("SELECT project FROM nodes WHERE family = 'message'")}


WORKTREES = [
    ("We decided to use pnpm here.", "which package manager here?", "pnpm", ".claude/worktrees/quiet-otter"),
    ("Unser Paketmanager ist pnpm.", "Was ist unser Paketmanager?", "pnpm", "../shop-api-fix"),
    ("Nuestro gestor de paquetes es pnpm.", "¿qué gestor de paquetes usamos?", "pnpm", "../árbol de prueba"),
]


@pytest.mark.report("AWHM-P048")
@pytest.mark.parametrize("removed", [False, True])
@pytest.mark.parametrize(("said", "asked", "part", "tree"), WORKTREES, ids=["case", "beside", "with a space"])
def test_worktrees_of_a_repository_are_one_project(person, said, asked, part, tree, removed):
    """The case's question shares no word with its answer: it takes meaning to find it."""
    if said == WORKTREES[0][0]:
        person.env["AWHM_SEMANTIC"] = "1"
    main = repository(person.home / "shop-api")
    worktree = (main / tree).resolve()
    git("worktree", "add", "-q", str(worktree), "-b", "side", cwd=main)
    (worktree / "src").mkdir()
    person.says(said, "wt", cwd=worktree / "src")
    person.leaves("wt", cwd=worktree / "src")
    if removed:
        git("worktree", "remove", "--force", str(worktree), cwd=main)
    assert part in person.says(asked, "main", cwd=main).context
    person.leaves("main")
    assert projects(person) == {str(main.resolve())}


NAMESAKES = [
    ("The API base is https://api.acme.test", "what's the API base?", "api.acme.test"),
    ("La base de la API es https://api.acme.test", "¿cuál es la base de la API?", "api.acme.test"),
    ("Die Testdatenbank heißt acme_test.", "Wie heißt die Testdatenbank?", "acme_test"),
]


@pytest.mark.report("AWHM-P049")
@pytest.mark.parametrize("consolidated", [False, True])
@pytest.mark.parametrize(("said", "asked", "part"), NAMESAKES, ids=["case", "Spanish", "German"])
def test_folders_of_one_name_are_two_projects(person, said, asked, part, consolidated):
    acme, globex = (repository(person.home / owner / "web") for owner in ("acme", "globex"))
    person.says(said, "a", cwd=acme)
    if consolidated:
        person.leaves("a", cwd=acme)
    assert person.says(asked, "b", cwd=globex).stdout == b""
    assert part in person.says(asked, "c", cwd=acme).context


@pytest.mark.report("AWHM-P049")
@pytest.mark.parametrize(
    ("said", "asked", "part"),
    [
        ("Lint is biome", "which linter?", "biome"),
        ("The linter is biome.", "which linter?", "biome"),
        ("El linter es biome.", "¿qué linter usamos?", "biome"),
        ("Unser Linter ist biome.", "Welchen Linter nehmen wir?", "biome"),
    ],
)
def test_a_folder_of_a_repository_is_not_a_project_of_its_own(person, said, asked, part):
    mono = repository(person.home / "mono")
    inside = mono / "packages" / "web"
    inside.mkdir(parents=True)
    person.says(said, "c", cwd=inside)
    assert part in person.says(asked, "d", cwd=mono).context


LEAKS = [
    ("The cron job restarts nginx at 3am", "why does nginx restart?", "nginx"),
    ("El cron reinicia nginx a las 3.", "¿por qué se reinicia nginx?", "nginx"),
    ("Der Cronjob startet nginx um 3 Uhr neu.", "Warum startet nginx neu?", "nginx"),
]


@pytest.mark.report("AWHM-P050")
@pytest.mark.parametrize(("said", "asked", "word"), LEAKS, ids=["case", "Spanish", "German"])
def test_another_project_s_memory_is_not_told_unless_asked_for(person, said, asked, word):
    server = repository(person.home / "home-server")
    person.says(said, "hs", cwd=server)
    person.leaves("hs", cwd=server)
    assert person.says(asked).stdout == b""
    assert [one["text"] for one in person.asks(word) if one["text"] != asked] == []
    assert any(word in one["text"] for one in person.asks(word, "--all-projects"))
    assert any(word in one["text"] for one in person.asks(word, "--project", str(server)))


@pytest.mark.report("AWHM-P050")
@pytest.mark.parametrize("said", ["I prefer tabs over spaces.", "Prefiero tabs a espacios.", "Ich bevorzuge Tabs."])
def test_what_is_said_about_the_person_travels(person, said):
    server = repository(person.home / "home-server")
    person.says(said, "hs", cwd=server)
    person.leaves("hs", cwd=server)
    assert any("abs" in one["text"] for one in person.asks("tabs"))


MOVES = [
    ("Use zod for validation.", "ok", "packages/api"),
    ("The validator is zod.", "Noted.", "../elsewhere"),
    ("Unser Validator ist zod.", "Gut.", "packages/api/deep/er"),
]


@pytest.mark.report("AWHM-P052")
@pytest.mark.parametrize(("said", "reply", "moved"), MOVES, ids=["case", "out of the repository", "deep"])
def test_a_session_keeps_the_project_it_began_in(person, said, reply, moved):
    shop = repository(person.home / "shop")
    there = shop / moved
    there.mkdir(parents=True)
    person.says(said, "sp", cwd=shop)
    person.is_answered(reply, "sp", cwd=there)
    person.says("The port is 8443.", "sp", cwd=there)
    person.leaves("sp", cwd=there)
    assert projects(person) == {str(shop.resolve())}
    assert len(person.rows("SELECT DISTINCT scope FROM nodes WHERE family IN ('message', 'fact')")) == 1


@pytest.mark.report("AWHM-P052")
def test_the_client_s_own_directory_counts_before_one_that_follows_cd(person):
    shop = repository(person.home / "shop")
    other = repository(person.home / "other")
    person.says("The validator is zod.", "sp", cwd=other, env={"CLAUDE_PROJECT_DIR": str(shop)})
    person.leaves("sp")
    assert projects(person) == {str(shop.resolve())}
    shutil.rmtree(other)
