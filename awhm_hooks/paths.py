"""The data directory and every path under it."""

import os

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
_HEX = frozenset("0123456789abcdefABCDEF")
_MAX_NAME_BYTES = 200


def encode_name(session: str) -> str:
    """A session id as one file name: percent-encoded, reversible by `decode_name`.

    An id too long for a file name is cut and told apart by its checksum; only such ids do not round-trip.
    """
    raw = session.encode("utf-8", "replace")
    name = "".join(chr(b) if chr(b) in _SAFE else f"%{b:02X}" for b in raw)
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) > _MAX_NAME_BYTES:
        from binascii import crc32

        name = f"{name[: _MAX_NAME_BYTES - 10]}%~{crc32(raw):08x}"
    return name


def decode_name(name: str) -> str:
    """The session id behind a file name made by `encode_name`."""
    out = bytearray()
    i = 0
    while i < len(name):
        pair = name[i + 1 : i + 3]
        if name[i] == "%" and len(pair) == 2 and _HEX.issuperset(pair):
            out.append(int(pair, 16))
            i += 3
        else:
            out += name[i].encode()
            i += 1
    return out.decode("utf-8", "replace")


class Paths:
    """Every file and folder of one data directory. Building it touches nothing on disk."""

    __slots__ = (
        "config_toml",
        "data_dir",
        "error_log",
        "graph",
        "graph_db",
        "logs",
        "meta",
        "models",
        "snapshots",
        "wal",
        "worker_lock",
    )

    def __init__(self, data_dir: str, models: str = "") -> None:
        self.data_dir = data_dir
        self.logs = data_dir + "/logs"
        self.wal = data_dir + "/wal"
        self.graph = data_dir + "/graph"
        self.graph_db = self.graph + "/memory_graph.sqlite"
        self.models = models or data_dir + "/models"
        self.snapshots = data_dir + "/snapshots"
        self.meta = data_dir + "/meta"
        self.error_log = self.meta + "/errors.log"
        self.worker_lock = self.meta + "/worker.lock"
        self.config_toml = data_dir + "/config.toml"

    def log_file(self, session: str) -> str:
        return f"{self.logs}/{encode_name(session)}.jsonl"

    def wal_file(self, session: str) -> str:
        return f"{self.wal}/{encode_name(session)}.wal"

    def make(self, directory: str) -> None:
        """Create a folder of the data directory, private to its owner."""
        try:
            os.mkdir(directory, 0o700)
        except FileExistsError:
            pass
        except FileNotFoundError:
            os.makedirs(self.data_dir, 0o700, exist_ok=True)
            os.makedirs(directory, 0o700, exist_ok=True)


def resolve(environ: dict[str, str]) -> Paths:
    """The data directory that the environment names: `AWHM_DATA_DIR`, else `~/.awhm`.

    `AWHM_MODELS_DIR` lets several data directories share one prepared model of 35 MB.
    """
    home = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
    named = environ.get("AWHM_DATA_DIR") or os.path.join(home, ".awhm")
    models = environ.get("AWHM_MODELS_DIR") or ""
    return Paths(_absolute(named), _absolute(models) if models else "")


def _absolute(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path))
