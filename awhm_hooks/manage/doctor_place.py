"""The doctor on the data directory and the configuration: there, private, with room, understood."""

import os
import shutil
from collections.abc import Iterator, Mapping

from awhm_hooks.config import PARAMETERS, AWHMConfig, salvaged
from awhm_hooks.journal import optout
from awhm_hooks.manage import config_file, pausing
from awhm_hooks.manage.config_file import Problem
from awhm_hooks.manage.doctor_finding import Finding, broken, command, listed, note, warning
from awhm_hooks.paths import Paths

_LEAST_FREE_BYTES = 20_000_000
_LITTLE_FREE_BYTES = 500_000_000
_OTHERS = 0o077
_SQLITE_S = ("-wal", "-shm")  # SQLite makes them anew as it made the store, behind the directory's own rights


def directory_findings(paths: Paths, environ: Mapping[str, str]) -> Iterator[Finding]:
    """The directory itself, its rights and its disk. Raises OSError."""
    where = paths.data_dir
    if not os.path.isdir(where):
        yield from _of_missing(paths, environ)
        return
    if not os.access(where, os.R_OK | os.W_OK | os.X_OK):
        yield broken(
            "data-not-writable", f"{where} cannot be read and written by you", command("chmod", "u+rwx", where)
        )
        return
    unwritable, opened = _rights(where)
    if unwritable:
        fix = command("chmod", "-R", "u+rwX", where)
        yield broken("data-not-writable", f"cannot be written by you: {listed(unwritable)}", fix)
    if opened and os.name == "posix":
        fix = command("chmod", "-R", "go-rwx", where)
        yield warning("permissions-open", f"others can read what is remembered: {listed(opened)}", fix)
    free = shutil.disk_usage(where).free
    if free < _LEAST_FREE_BYTES:
        yield broken("disk-full", f"{free // 1_000_000} MB are left on the disk of {where}", "awhm gc")
    elif free < _LITTLE_FREE_BYTES:
        yield warning("disk-nearly-full", f"{free // 1_000_000} MB are left on the disk of {where}", "awhm gc")


def _of_missing(paths: Paths, environ: Mapping[str, str]) -> Iterator[Finding]:
    if os.path.lexists(paths.data_dir):
        fix = command("mv", paths.data_dir, paths.data_dir + ".aside")
        yield broken("data-not-a-directory", f"{paths.data_dir} is no directory", fix)
    elif optout.was_deleted(paths, dict(environ)):
        message = f"{paths.data_dir} was deleted: hooks stay silent, and nothing is remembered"
        yield warning("data-directory-deleted", message, "awhm init")
    else:
        yield note("nothing-stored-yet", f"{paths.data_dir} is made when the first hook runs")


def _rights(directory: str) -> tuple[list[str], list[str]]:
    """(what we cannot write, what others can read) below a directory."""
    unwritable, opened = [], []
    for folder, _, names in os.walk(directory):
        for path in [folder, *(os.path.join(folder, name) for name in names)]:
            try:
                mode = os.lstat(path).st_mode
            except FileNotFoundError:
                continue
            if not os.path.islink(path):
                if mode & _OTHERS and not path.endswith(_SQLITE_S):
                    opened.append(path)
                if not os.access(path, os.W_OK):
                    unwritable.append(path)
    return unwritable, opened


def disk_use(paths: Paths) -> dict[str, int]:
    """Bytes by part of the data directory, and the whole."""
    found: dict[str, int] = {"total": 0}
    for folder, _, names in os.walk(paths.data_dir):
        part = os.path.relpath(folder, paths.data_dir).split(os.sep)[0]
        for name in names:
            try:
                size = os.lstat(os.path.join(folder, name)).st_size
            except FileNotFoundError:
                continue
            found[part] = found.get(part, 0) + size
            found["total"] += size
    found.pop(".", None)
    return found


# Configuration.


def configuration(paths: Paths, environ: Mapping[str, str]) -> tuple[AWHMConfig, list[Finding]]:
    """What is in force, without what cannot be understood; and what is wrong with it."""
    config = salvaged(paths, dict(environ))
    findings = [_of_problem(paths, config, one) for one in config_file.read(paths, environ).problems]
    if config.include and not config.opt_in:
        message = "include is set and opt_in is not: it has no effect"
        findings.append(warning("include-without-opt-in", message, "awhm config set opt_in true"))
    return config, findings


def _until_mended(config: AWHMConfig) -> str:
    if config.enabled:
        return "until it is mended, it does not count"
    return "it may keep memory out of somewhere: until it is mended, hooks are silent everywhere"


def _of_problem(paths: Paths, config: AWHMConfig, problem: Problem) -> Finding:
    if problem.source == config_file.FILE:
        fix = command("awhm", "config", "unset", problem.name) if problem.name else _set_aside(paths)
        return broken("config-invalid", f"{problem.message}; {_until_mended(config)}", fix)
    fix = command("unset", problem.source)
    if problem.name in PARAMETERS and problem.name != config_file.DATA_DIR:
        message = f"{problem.source}: {problem.message}; {_until_mended(config)}"
        return broken("environment-invalid", message, fix)
    return warning("environment-unknown", f"{problem.source} is not heeded: {problem.message}", fix)


def _set_aside(paths: Paths) -> str:
    return command("mv", paths.config_toml, paths.config_toml + ".aside")


def silence_findings(
    paths: Paths, config: AWHMConfig, environ: Mapping[str, str], cwd: str, now: float
) -> Iterator[Finding]:
    """Where memory is silent because a person wants it so."""
    here = pausing.silence_in(paths, config, dict(environ), cwd, now)
    for one in pausing.active(paths, now):
        where = f"in {one.project}" if one.project else "everywhere"
        fix = command("awhm", "resume", "--project", one.project) if one.project else "awhm resume"
        yield note("paused", f"memory is paused {where}", fix)
    if here and here.kind == optout.OFF:
        yield note("switched-off", f"memory is {pausing.described(here)}", "awhm config set enabled true")
    elif here and here.kind in (optout.EXCLUDED, optout.IGNORED, optout.NOT_INCLUDED):
        yield note("silent-here", f"memory is {pausing.described(here)}")
