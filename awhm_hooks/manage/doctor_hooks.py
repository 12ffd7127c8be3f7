"""The doctor on the hooks: registered where, once or twice, switched off, and whether what they start is there."""

import glob
import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import awhm_hooks
from awhm_hooks.errors import AwhmError
from awhm_hooks.manage import settings
from awhm_hooks.manage.doctor_finding import Finding, broken, command, listed, note, warning
from awhm_hooks.manage.hook_block import EVENTS, MARK
from awhm_hooks.manage.settings import Scope
from awhm_hooks.manage.settings_survey import Double, FileReport, HookReport, Survey, import_directories
from awhm_hooks.paths import Paths

_START_TIMEOUT_S = 20
_INSTALL = "awhm hook install"
_SWITCHED_OFF, _MANAGED_ONLY = "disableAllHooks", "allowManagedHooksOnly"
_TRY = "import sys;sys.path+={directories};import awhm_hooks.hooks.prompt as p,awhm_hooks;print(awhm_hooks.__version__)"


@dataclass(frozen=True)
class Registration:
    """The settings files that Claude Code reads here, and other profiles' of this person."""

    here: Survey
    others: Survey
    config_dir: str
    scopes: Mapping[str, str]
    """Path of a settings file -> its scope, for `awhm hook install --scope`."""
    managed: str
    is_own_config_dir: bool
    findings: list[Finding] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        return self.here.events >= EVENTS.keys()

    @property
    def since(self) -> float | None:
        """When the newest settings file with a hook of ours was written."""
        times = [os.path.getmtime(file.path) for file in self.here.files if file.hooks and os.path.exists(file.path)]
        return max(times, default=None)

    def described(self) -> list[dict[str, object]]:
        """Each settings file with hooks of ours, and the events they stand for."""
        return [
            {"path": file.path, "events": sorted({hook.event for hook in file.hooks}), "read_here": survey is self.here}
            for survey in (self.here, self.others)
            for file in survey.files
            if file.hooks
        ]

    def install(self) -> str:
        return (
            _INSTALL if self.is_own_config_dir else command("awhm", "hook", "install", "--config-dir", self.config_dir)
        )


def survey(paths: Paths, environ: Mapping[str, str], cwd: str, config_dir: str | None = None) -> Registration:
    """Look at every settings file that counts here. Raises UsageError where no home is known."""
    scopes = {settings.settings_path(scope, environ, cwd, config_dir): str(scope) for scope in reversed(Scope)}
    user = settings.settings_path(Scope.USER, environ, cwd, config_dir)
    managed = settings.managed_settings_path()
    record_dir = paths.meta + "/settings"
    own = os.path.dirname(user)
    files = [user, *(path for path in scopes if path != user), managed]
    search_path = environ.get("PATH")
    found = settings.inspect(files, settings.plugin_hook_files(own), record_dir, search_path)
    elsewhere = [path for path in _other_profiles(record_dir, environ) if path not in files]
    others = settings.inspect(elsewhere, (), record_dir, search_path)
    is_own = own == os.path.dirname(settings.settings_path(Scope.USER, environ, cwd))
    registration = Registration(found, others, own, scopes, managed, is_own)
    registration.findings.extend(_findings(registration, environ))
    return registration


def _other_profiles(record_dir: str, environ: Mapping[str, str]) -> list[str]:
    """Settings files in which hooks were installed once, and those of other profiles in the home."""
    found = []
    for path in sorted(glob.glob(os.path.join(glob.escape(record_dir), "*.json"))):
        try:
            with open(path, encoding="utf-8") as file:
                place = json.load(file).get("path")
        except (OSError, ValueError, AttributeError):
            continue
        found += [place] if isinstance(place, str) else []
    home = environ.get("HOME") or environ.get("USERPROFILE")
    if home:
        found += sorted(glob.glob(os.path.join(glob.escape(home), ".claude*", "settings.json")))
    return list(dict.fromkeys(found))


def _findings(found: Registration, environ: Mapping[str, str]) -> Iterator[Finding]:
    for file in found.here.files:
        yield from _of_file(found, file)
    yield from _of_events(found)
    for double in found.here.doubles:
        yield from _of_double(found, double)
    for hook in found.here.hooks:
        yield from _of_hook(found, hook)
    yield from _of_programs(found, environ)


def _of_file(found: Registration, file: FileReport) -> Iterator[Finding]:
    if file.error:
        yield broken(
            "settings-unreadable",
            f"{file.error}; Claude Code cannot read it either, and no hook in it runs",
            command("python3", "-m", "json.tool", file.path),
        )
    if _SWITCHED_OFF in file.switches:
        yield broken(
            "hooks-disabled",
            f"disableAllHooks is true in {file.path}: Claude Code runs no hook at all",
            command(
                "sed",
                "-i.bak",
                r's/"disableAllHooks"[[:space:]]*:[[:space:]]*true/"disableAllHooks": false/',
                file.path,
            ),
        )
    if _MANAGED_ONLY in file.switches and file.path == found.managed:
        yield broken(
            "hooks-managed-only",
            f"allowManagedHooksOnly is true in {file.path}: only hooks in that file run",
            f"ask whoever looks after this machine to put the block of `awhm hook settings` into {file.path}",
        )


def _of_events(found: Registration) -> Iterator[Finding]:
    if not found.here.events:
        elsewhere = sorted({hook.path for hook in found.others.hooks})
        hint = f"; there are some in {listed(elsewhere)}, which is not read here" if elsewhere else ""
        yield broken(
            "hooks-not-installed", f"no hook of ours is registered in {found.config_dir}{hint}", found.install()
        )
    elif not found.is_complete:
        missing = [event for event in EVENTS if event not in found.here.events]
        yield broken("hooks-incomplete", f"no hook of ours for {', '.join(missing)}", found.install())


def _of_double(found: Registration, double: Double) -> Iterator[Finding]:
    places = [f"{hook.path}:{hook.line}" for hook in double.hooks]
    if double.runs == 1:
        yield note("hooks-listed-twice", f"{double.event}: the same hook stands in {listed(places)}; it runs once")
        return
    extra = _extra(found, double)
    fix = command("awhm", "hook", "uninstall", "--scope", found.scopes[extra.path]) if extra else _INSTALL
    where = f"; take it out of {extra.path}" if extra else ""
    yield warning("hooks-twice", f"{double.event} starts {double.runs} of our hooks: {listed(places)}{where}", fix)


def _extra(found: Registration, double: Double) -> HookReport | None:
    """The hook to take out of several: a settings file's beside a plugin's, a project's beside the person's."""
    in_files = [hook for hook in double.hooks if hook.path in found.scopes]
    if len({hook.path for hook in double.hooks}) < 2 or not in_files:
        return None
    rank = {Scope.USER: 0, Scope.PROJECT: 1, Scope.LOCAL: 2}
    return max(in_files, key=lambda hook: rank[Scope(found.scopes[hook.path])])


def _of_hook(found: Registration, hook: HookReport) -> Iterator[Finding]:
    place = f"{hook.event} in {hook.path}:{hook.line}"
    if hook.missing:
        yield broken("hook-program-missing", f"{place}: {listed(list(hook.missing))} is gone", _mend(found, hook))
    for problem in hook.problems:
        yield broken("hook-skipped", f"{place}: {problem}", _mend(found, hook))
    if hook.mixed:
        yield note("hook-in-a-shell-line", f"{place}: a shell line that runs something else too; uninstall leaves it")


def _mend(found: Registration, hook: HookReport) -> str:
    scope = found.scopes.get(hook.path)
    if hook.plugin:
        return "claude plugin update awhm"
    return found.install() if scope in (None, Scope.USER) else command("awhm", "hook", "install", "--scope", scope)


# Whether what they start runs. A project's settings are another's perhaps: nothing is started for them.


def _of_programs(found: Registration, environ: Mapping[str, str]) -> Iterator[Finding]:
    tried: set[tuple[str, ...]] = set()
    own = _own_block()
    for hook in found.here.hooks:
        is_trusted = hook.plugin or found.scopes.get(hook.path) == Scope.USER
        words = _trial(hook.handler)
        if not is_trusted or hook.missing or words is None or tuple(words) in tried:
            continue
        tried.add(tuple(words))
        version, problem = _started(words, environ)
        place = f"{hook.event} in {hook.path}:{hook.line}"
        if problem:
            yield broken("hook-does-not-start", f"{place}: {hook.handler['command']} {problem}", _mend(found, hook))
        elif version != awhm_hooks.__version__:
            yield warning(
                "hooks-of-another-version",
                f"{place} runs version {version or 'unknown'}, this is {awhm_hooks.__version__}",
                _mend(found, hook),
            )
        elif own and not hook.plugin and MARK in str(hook.handler.get("args")) and hook.handler not in own.values():
            yield warning(
                "hooks-outdated", f"{place} is not as `awhm hook settings` would have it now", _mend(found, hook)
            )


def _own_block() -> dict[str, dict[str, Any]]:
    try:
        block = settings.hook_settings()
    except AwhmError:
        return {}
    return {event: groups[0]["hooks"][0] for event, groups in block["hooks"].items()}


def _trial(handler: dict[str, Any]) -> list[str] | None:
    """What to start to see whether this hook would: its program, asked for the version; None for a shell line."""
    program, args = str(handler["command"]), handler.get("args")
    if not isinstance(args, list) or "${" in program:
        return None
    codes = [arg for arg in args if isinstance(arg, str) and MARK in arg]
    if not codes:
        return [program, "--version"]
    directories = "[" + ",".join(ascii(path) for path in import_directories(codes[0])) + "]"
    flags = [arg for arg in args[: args.index(codes[0])] if isinstance(arg, str)]
    return [program, *flags, _TRY.replace("{directories}", directories)]


def _started(words: list[str], environ: Mapping[str, str]) -> tuple[str, str]:
    """(version it says it has, what is wrong)."""
    try:
        done = subprocess.run(
            words,
            env={**environ, "AWHM_HOOK_ACTIVE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_START_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "", f"gave no sign in {_START_TIMEOUT_S} s"
    except OSError as problem:
        return "", f"cannot be started: {problem.strerror}"
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return "", f"ends with {done.returncode}: {said[-1] if said else 'no word'}"
    return done.stdout.decode("utf-8", "replace").split()[-1] if done.stdout.split() else "", ""
