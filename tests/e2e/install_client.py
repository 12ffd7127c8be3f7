"""The real Claude Code client for the tests: found where it is, or installed from npm at the pinned version.

`python tests/e2e/install_client.py` installs it where needed and prints its path.
"""

import fcntl
import glob
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping

PACKAGE = "@anthropic-ai/claude-code"
VERSION = "2.1.332"
"""The version whose hook behaviour the tests rely on; the client changes it between releases."""

INSTALL_TIMEOUT_S = 300
VERSION_TIMEOUT_S = 60


class ClientMissingError(Exception):
    """The client is not there and may not, or could not, be installed."""


def version_of(binary: str) -> str:
    """The version the binary reports, "" where it does not run."""
    with tempfile.TemporaryDirectory() as home:
        env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "TMPDIR": home}
        try:
            ran = subprocess.run(
                [binary, "--version"], env=env, capture_output=True, check=False, text=True, timeout=VERSION_TIMEOUT_S
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
    return ran.stdout.split(" ")[0].strip() if ran.returncode == 0 else ""


def cache_dir(environ: Mapping[str, str], home: str) -> str:
    return os.path.join(environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), "awhm-tests")


def installed_in(prefix: str) -> str | None:
    """The binary of an npm prefix: the platform's own package, which needs no Node and no install script."""
    packages = os.path.join(prefix, "node_modules", "@anthropic-ai")
    for binary in sorted(glob.glob(os.path.join(packages, "claude-code-*", "claude"))):
        if version_of(binary) == VERSION:
            return binary
    return None


def find(environ: Mapping[str, str], home: str) -> str | None:
    """AWHM_TEST_CLAUDE as it is; else the pinned version from PATH or the cache; None where there is none."""
    named = environ.get("AWHM_TEST_CLAUDE")
    if named:
        if not version_of(named):
            raise ClientMissingError(f"AWHM_TEST_CLAUDE={named} does not run")
        return named
    on_path = shutil.which("claude", path=environ.get("PATH"))
    if on_path and version_of(on_path) == VERSION:
        return on_path
    return installed_in(os.path.join(cache_dir(environ, home), f"claude-code-{VERSION}"))


def install(environ: Mapping[str, str], home: str) -> str:
    """Install the pinned client into the cache, once even when several processes ask, and return its path."""
    cache = cache_dir(environ, home)
    os.makedirs(cache, exist_ok=True)
    prefix = os.path.join(cache, f"claude-code-{VERSION}")
    with open(os.path.join(cache, "install.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return installed_in(prefix) or npm_install(prefix, cache, {**environ, "HOME": home})


def npm_install(prefix: str, cache: str, environ: Mapping[str, str]) -> str:
    os.makedirs(prefix, exist_ok=True)
    command = ["npm", "install", "--prefix", prefix, "--cache", os.path.join(cache, "npm"), "--no-audit", "--no-fund"]
    try:
        ran = subprocess.run(
            [*command, f"{PACKAGE}@{VERSION}"],
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
            timeout=INSTALL_TIMEOUT_S,
        )
    except FileNotFoundError as missing:
        raise ClientMissingError("npm is needed to install the Claude Code client and is not on PATH") from missing
    except subprocess.TimeoutExpired as late:
        raise ClientMissingError(f"npm took longer than {INSTALL_TIMEOUT_S} s") from late
    binary = installed_in(prefix) if ran.returncode == 0 else None
    if binary is None:
        raise ClientMissingError(f"npm install {PACKAGE}@{VERSION} failed ({ran.returncode}):\n{ran.stderr[-2000:]}")
    return binary


def main() -> int:
    home = os.path.expanduser("~")
    try:
        print(find(os.environ, home) or install(os.environ, home))
    except ClientMissingError as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
