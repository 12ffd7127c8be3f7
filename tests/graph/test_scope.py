import os
import subprocess

import pytest

from awhm_hooks.graph.scope import project_of

GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]


def git(directory, *words):
    subprocess.run([*GIT, *words], cwd=directory, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "shop-api"
    root.mkdir()
    git(root, "init", "-q")
    git(root, "commit", "-q", "--allow-empty", "-m", "first")
    return root


def test_a_folder_of_a_repository_belongs_to_it(repository):
    below = repository / "packages" / "web"
    below.mkdir(parents=True)
    assert project_of(str(below)) == project_of(str(repository)) == os.path.realpath(repository)


def test_worktrees_are_the_repository_they_come_from(repository, tmp_path):
    inside = repository / ".claude" / "worktrees" / "quiet-otter"
    git(repository, "worktree", "add", "-q", str(inside))
    git(repository, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    assert project_of(str(inside)) == project_of(str(tmp_path / "elsewhere")) == os.path.realpath(repository)


def test_a_worktree_of_a_bare_repository_is_that_repository(repository, tmp_path):
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(repository), str(bare))
    git(bare, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert project_of(str(tmp_path / "tree")) == os.path.realpath(bare)


def test_a_submodule_is_a_project_of_its_own(repository, tmp_path):
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repository), "lib")
    assert project_of(str(repository / "lib")) == os.path.realpath(repository / "lib")


def test_without_a_repository_the_directory_counts(tmp_path):
    for name in ("acme/web", "globex/web"):
        (tmp_path / name).mkdir(parents=True)
    assert project_of(str(tmp_path / "acme/web")) != project_of(str(tmp_path / "globex/web"))


def test_a_link_leads_to_the_real_project(repository, tmp_path):
    (tmp_path / "link").symlink_to(repository)
    assert project_of(str(tmp_path / "link")) == os.path.realpath(repository)


@pytest.mark.parametrize("content", ["", "gitdir: /nowhere", "junk", "gitdir: "])
def test_an_odd_git_file_makes_its_folder_the_project(tmp_path, content):
    (tmp_path / ".git").write_text(content)
    assert project_of(str(tmp_path)) == os.path.realpath(tmp_path)


def test_a_directory_that_is_gone_still_has_a_key(tmp_path):
    assert project_of(str(tmp_path / "gone")) == os.path.realpath(tmp_path / "gone")
