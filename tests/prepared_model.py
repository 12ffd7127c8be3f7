"""One prepared model for all tests of a process: preparing takes some seconds."""

import atexit
import functools
import os
import shutil
import tempfile
from pathlib import Path

from awhm_hooks.manage import model
from awhm_hooks.paths import Paths


@functools.cache
def prepared() -> Paths:
    """A data directory whose model is ready; tests read it and don't change it."""
    directory = tempfile.mkdtemp(prefix="awhm-model-")
    owner = os.getpid()
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(directory, ignore_errors=True))
    paths = Paths(directory)
    manifest = model.prepare(paths)
    assert manifest.verified, manifest.failure
    return paths


def copied(target: Path) -> Paths:
    """A copy of it that a test may break; what is not changed is shared with the original."""
    paths = Paths(str(target))
    shutil.copytree(prepared().models, paths.models, copy_function=os.link)
    return paths


def replaced(path: Path, content: bytes) -> None:
    """Put other bytes in the place of a file that may be shared with the original."""
    path.unlink()
    path.write_bytes(content)


def generation(paths: Paths) -> Path:
    return Path(paths.models) / model.status(paths)["generation"]
