"""Which project a directory belongs to; a statement's scope is the user or one project."""

import os

USER = "user"
PROJECT = "project"

_MAX_DEPTH = 64


def project_of(directory: str) -> str:
    """The project's key: the repository's main checkout, else the directory itself.

    Worktrees are found by their common git directory, so that all worktrees of a repository are one project.
    """
    start = os.path.realpath(directory)
    here = start
    for _ in range(_MAX_DEPTH):
        git = os.path.join(here, ".git")
        try:
            mode = os.stat(git).st_mode
        except OSError:
            parent = os.path.dirname(here)
            if parent == here:
                break
            here = parent
            continue
        if mode & 0o170000 == 0o040000:
            return here
        return _common_checkout(git, here)
    return start


def _common_checkout(git_file: str, checkout: str) -> str:
    """The main checkout behind a worktree's `.git` file; the worktree itself where it cannot be told."""
    git_dir = _first_line(git_file).removeprefix("gitdir:").strip()
    if not git_dir:
        return checkout
    git_dir = os.path.join(checkout, git_dir)
    common = _first_line(os.path.join(git_dir, "commondir"))
    if not common:  # a submodule has a git directory of its own and is a project of its own
        return checkout
    common = os.path.realpath(os.path.join(git_dir, common))
    return os.path.dirname(common) if os.path.basename(common) == ".git" else common


def _first_line(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.readline(4096).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""
