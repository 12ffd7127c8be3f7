"""Somebody at work: what the client would send for their prompts, replies and leaving, and what came of it on disk."""

import json
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from conftest import WORKER_TIMEOUT_S, Awhm, Hooks, worker_is_running
from e2e import store

from awhm_hooks import wire_json
from awhm_hooks.errors import StoreCorrupt
from awhm_hooks.graph.writer import open_writer
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.manage.overview import overview
from awhm_hooks.paths import Paths

QUICK = {"AWHM_NER_LABELS": "", "AWHM_SEMANTIC": "0"}
"""Neither names nor meaning are the point of most reports, and both cost seconds."""

PROCESSES_END_S = 120


class Person:
    """One home, one data directory, one project; every step is a process of its own."""

    def __init__(self, root, **env):
        self.home, self.data_dir, self.project = root / "home", root / "awhm", root / "shop-api"
        self.home.mkdir(parents=True)
        self.project.mkdir()
        self.env = {**QUICK, **env}
        self.hook, self.command = Hooks(self.home, self.data_dir), Awhm(self.home, self.data_dir)

    # What they do.

    def payload(self, event, session, cwd=None, **fields):
        names = {"prompt": "UserPromptSubmit", "stop": "Stop", "session-start": "SessionStart"}
        return {
            "session_id": session,
            "transcript_path": f"{self.home}/.claude/projects/-shop-api/{session}.jsonl",
            "cwd": str(cwd or self.project),
            "permission_mode": "default",
            "hook_event_name": names.get(event, "SessionEnd"),
            **fields,
        }

    def says(self, text, session="s-1", cwd=None, env=None, **fields):
        """Type a prompt; the hook's run, its `context` being what the model is told."""
        payload = self.payload("prompt", session, cwd, prompt=text, **fields)
        return self.hook("prompt", payload, {**self.env, **(env or {})})

    def is_answered(self, text, session="s-1", cwd=None, env=None, **fields):
        payload = self.payload("stop", session, cwd, stop_hook_active=False, last_assistant_message=text, **fields)
        return self.hook("stop", payload, {**self.env, **(env or {})})

    def begins(self, session="s-1", source="startup", cwd=None, env=None):
        payload = self.payload("session-start", session, cwd, source=source)
        return self.hook("session-start", payload, {**self.env, **(env or {})})

    def leaves(self, session="s-1", reason="prompt_input_exit", wait=True, env=None, **fields):
        """End the session; unless told otherwise, until the worker has done its work."""
        payload = self.payload("session-end", session, reason=reason, **fields)
        done = self.hook("session-end", payload, {**self.env, **(env or {})})
        if wait:
            self.waits()
        return done

    def tells(self, *texts, session="s-1", **more):
        """A whole session of prompts, consolidated."""
        for text in texts:
            self.says(text, session, **more)
        self.leaves(session)

    def waits(self, pending=0):
        """Until no worker runs and no more than `pending` sessions are unfinished."""
        end = time.monotonic() + WORKER_TIMEOUT_S
        while worker_is_running(self.data_dir) or self._waiting() > pending:
            assert time.monotonic() < end, f"{self._waiting()} sessions wait still"
            time.sleep(0.05)

    def _waiting(self):
        """How many sessions are unfinished; all, where a damaged store is still to be made anew."""
        try:
            return overview(Paths(str(self.data_dir))).pending_sessions
        except StoreCorrupt:
            return len(list((self.data_dir / "logs").iterdir()))

    def runs(self, *args, env=None, cwd=None, **more):
        return self.command(*args, env={**self.env, **(env or {})}, cwd=cwd or self.project, **more)

    def runs_well(self, *args, **more):
        """What a command that must succeed printed."""
        done = self.runs(*args, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def asks(self, text, *options, env=None, cwd=None):
        """The results of `awhm query`."""
        return json.loads(self.runs_well("query", text, *options, "--json", env=env, cwd=cwd))["results"]

    def status(self):
        return json.loads(self.runs_well("status", "--json"))

    # What is there.

    def settings(self):
        """The place of the client's settings, its folder made."""
        path = self.home / ".claude" / "settings.json"
        path.parent.mkdir(exist_ok=True)
        return path

    def messages(self, session=None):
        """(role, text) of the raw logs, repetitions included."""
        name = session and f"claude-{session}"
        return [(one.role, one.text) for one in store.logged(self.data_dir) if name in (None, one.session)]

    def statements(self, status="active"):
        """(family, text) of the statements in the graph with this status."""
        return [(one.family, one.text) for one in store.statements(self.data_dir) if one.status == status]

    def rows(self, query):
        return store.rows(self.data_dir, query)

    def files(self):
        return [path for path in self.data_dir.rglob("*") if path.is_file()]

    def files_with(self, needle):
        """The files of the data directory that hold these bytes, in any case of letters."""
        data = (needle.encode() if isinstance(needle, str) else needle).lower()
        return [str(path.relative_to(self.data_dir)) for path in self.files() if data in path.read_bytes().lower()]

    def size(self):
        return sum(path.stat().st_size for path in self.files())

    def processes(self):
        """The ids of the processes that were started with this data directory, by /proc."""
        mark = f"AWHM_DATA_DIR={self.data_dir}\0".encode()
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes() + b"\0":
                    found.append(int(entry.name))
            except OSError:  # gone meanwhile, or another user's
                continue
        return [pid for pid in found if pid != os.getpid()]

    def waits_for_all_processes(self):
        """Until three looks in a row find none: a process that is just being started hides its environment."""
        self._waits_for_processes(lambda pid: None)

    def kills_all_processes(self):
        """With SIGKILL, those too that a process started before it could be killed."""

        def kill(pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

        self._waits_for_processes(kill)

    def _waits_for_processes(self, act):
        end = time.monotonic() + PROCESSES_END_S
        quiet = 0
        while quiet < 3:
            left = self.processes()
            assert time.monotonic() < end, f"still running: {left}"
            for pid in left:
                act(pid)
            quiet = 0 if left else quiet + 1
            time.sleep(0.05)


def injected_lines(run):
    """The memories that a prompt's hook handed to the model, a line each."""
    return run.context.splitlines()[1:]


def has_logged(person, session, texts, at=None, project=None):
    """A session of earlier, user and assistant in turn, in log and write-ahead log as the hooks leave them."""
    paths = Paths(str(person.data_dir))
    name, key = f"claude-{session}", os.path.realpath(project or person.project)
    began = time.time() - 40_000 if at is None else at
    lines, records, offset = [], [], 0
    for number, text in enumerate(texts):
        role = (raw_log.USER, raw_log.ASSISTANT)[number % 2]
        moment, prompt_id = began + number, f"p{number // 2}"
        message_id = f"{prompt_id}:{raw_log.fingerprint(role, text)}"
        line = {"kind": "message", "role": role, "text": text, "at": moment, "utc_offset_s": 0}
        lines.append({**line, "prompt_id": prompt_id, "cwd": key, "project": key, "id": message_id})
        end = offset + len(wire_json.dumps(lines[-1])) + 1
        appended = raw_log.Appended(message_id, offset, end, key, False)
        records.append(buffers.message_record(appended, role, text, moment))
        offset = end
    raw_log.append_lines(paths, name, lines)
    wal.append(paths, name, records)


def has_in_graph(person, texts, family="message", at=None):
    """Memories of this project that were consolidated long ago."""
    writer = open_writer(Paths(str(person.data_dir)))
    began = time.time() - 4_000_000 if at is None else at
    project = os.path.realpath(person.project)
    with writer.transaction():
        scope = writer.scope_id(project)
        for number, text in enumerate(texts):
            writer.add_node(
                family,
                text,
                uid=f"old{number}",
                scope=scope,
                project=project,
                session=f"old{number // 200}",
                message=f"m{number}",
                role="user",
                said_at=began + number,
                valid_from=began + number,
            )
    writer.db.close()
