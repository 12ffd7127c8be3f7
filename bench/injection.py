"""What the prompt hook injects, through real hook processes, in a store of 100 and of 10,000 real messages.

    python bench/injection.py [--sizes 100,10000] [--sets harbour,hospital] [--data ../shared/eval] [--cache DIR]
                              [--json FILE] [--show]

A set is a JSON file of `injection_sets/`: `planted` holds (session, what was said, what was replied), `related` (kind,
prompt, what one of the injected memories must hold), `corrected` (kind, first said, said in a later session, asked,
stale, fresh; "plain" statements are ones that patterns catch), and `unrelated` (kind, prompt) what nothing remembered
has to do with. Filler comes from the corpora's conversations, by raw logs and the worker; the planted sessions, the
later ones that correct them and every prompt go through the hooks as they are installed. Prompts are asked in sessions
of six, each on a fresh copy of the store; each session repeats its first prompt at its end, and nothing may be injected
a second time.

hit: an injected memory holds the value asked for. stale: one holds the old value and not the new one beside it.
fresh: one holds the new value. false: a prompt that nothing fits was answered.
"""

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
import time

from awhm_hooks import config as configuration
from awhm_hooks.consolidate import transcript, worker
from awhm_hooks.evaluate import building, loading
from awhm_hooks.evaluate.corpus import Session, Store, Turn
from awhm_hooks.evaluate.embedding import shared_embedder
from awhm_hooks.manage import model
from awhm_hooks.manage.replay import Replayer
from awhm_hooks.paths import Paths

SETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "injection_sets")
SESSION_TURNS = 40
SHORT_CHARS = 600  # as long as what people type and models answer between tool calls
FILLER_BEGINS = 1_750_000_000.0
PROMPTS_A_SESSION = 6
WORKER_WAIT_S = 600.0


def filler(data, count):
    """`count` real messages, (role, text): coding sessions first, then conversations of every kind."""
    found = list(talk(data))
    return found[:count]


def talk(data):
    for session in corpus_sessions(data, "devmembench_dev.json.gz"):
        yield from ((turn.role, turn.text) for turn in session.turns)
    for folder, _, files in sorted(os.walk(os.path.join(data, "transcripts"))):
        for name in sorted(files):
            if name.endswith(".jsonl"):
                for line in transcript.read(os.path.join(folder, name)):
                    if isinstance(line, transcript.Line):
                        yield line.role, line.text[:SHORT_CHARS]
    for session in corpus_sessions(data, "longmemeval_oracle_dev.json.gz"):
        yield from ((turn.role, turn.text) for turn in session.turns if len(turn.text) <= SHORT_CHARS)
    for session in corpus_sessions(data, "longmemeval_s_head500_dev.json.gz"):
        yield from (("user", line) for turn in session.turns for line in turn.text.splitlines() if len(line) > 40)


def corpus_sessions(data, name):
    stores = loading.load(os.path.join(data, name)).stores
    return list({session.id: session for store in stores for session in store.sessions}.values())


def as_store(messages, project):
    """Messages as sessions of forty, a day apart."""
    sessions = []
    for start in range(0, len(messages), SESSION_TURNS):
        begin = FILLER_BEGINS + start / SESSION_TURNS * 86_400
        part = messages[start : start + SESSION_TURNS]
        turns = tuple(Turn(f"f{start + n}", role, text, begin + 30 * n) for n, (role, text) in enumerate(part))
        sessions.append(Session(f"filler-{start}", turns, project))
    return Store(tuple(sessions), ())


class Client:
    """Sends payloads to the hooks of one data directory, as one project's Claude Code would."""

    def __init__(self, paths, environ, project):
        self._paths, self._environ, self._project = paths, environ, project
        self._replayer = Replayer(paths, environ)
        self.problems = []

    def session(self, name, turns):
        """A whole session, consolidated at its end."""
        self._send("SessionStart", name, source="startup")
        for number, (prompt, reply) in enumerate(turns):
            self._send("UserPromptSubmit", name, prompt_id=f"{name}-{number}", prompt=prompt)
            self._send("Stop", name, prompt_id=f"{name}-{number}", last_assistant_message=reply, stop_hook_active=False)
        self._send("SessionEnd", name, reason="prompt_input_exit")
        worker.run(self._paths, configuration.load(self._paths, self._environ), WORKER_WAIT_S)

    def ask(self, name, number, prompt):
        """(the injected lines, seconds)"""
        step = self._send("UserPromptSubmit", name, prompt_id=f"{name}-{number}", prompt=prompt)
        return [line for line in step.reply.splitlines() if line.startswith("- ")], step.reply, step.seconds

    def _send(self, event, name, **fields):
        payload = {"hook_event_name": event, "session_id": name, "cwd": self._project, "transcript_path": "", **fields}
        step = self._replayer.step(payload)
        if step.exit_code or step.error:
            self.problems.append(f"{event} {name}: exit {step.exit_code} {step.error}")
        return step


def noted(paths):
    """What the hooks and the worker left in the error log: they never fail visibly. The log is emptied."""
    try:
        with open(paths.error_log, "r+", encoding="utf-8") as file:
            lines = file.read().splitlines()
            file.truncate(0)
    except FileNotFoundError:
        return []
    return lines


def planted(client, cases):
    """The sessions that say things, then the ones that correct some of them."""
    for name in dict.fromkeys(session for session, _, _ in cases["planted"]):
        client.session(f"plant-{name}", [(said, reply) for session, said, reply in cases["planted"] if session == name])
    for stage in (1, 2):
        for start in range(0, len(cases["corrected"]), 4):
            turns = [(case[stage], "Understood.") for case in cases["corrected"][start : start + 4]]
            client.session(f"stage{stage}-{start}", turns)


def asked(prompts, template, environ, project):
    """For each prompt what was injected; and how many memories came a second time in their session."""
    answers, repeats, problems = [], 0, []
    for start in range(0, len(prompts), PROMPTS_A_SESSION):
        part = prompts[start : start + PROMPTS_A_SESSION]
        with tempfile.TemporaryDirectory(prefix="awhm-injection-") as directory:
            copy = os.path.join(directory, "awhm")
            shutil.copytree(template, copy, symlinks=True)
            client_paths = Paths(copy)
            client = Client(client_paths, environ, project)
            seen = set()
            for number, prompt in enumerate([*part, part[0]]):
                lines, reply, seconds = client.ask(f"ask-{start}", number, prompt)
                repeats += sum(line in seen for line in lines)
                seen.update(lines)
                if number < len(part):
                    answers.append({"prompt": prompt, "lines": lines, "characters": len(reply), "seconds": seconds})
            problems += client.problems + noted(client_paths)
    return answers, repeats, problems


def measure(cases, size, arguments, environ, models, directory):
    """The result of one set at one size."""
    project = os.path.join(directory, "harbour")
    os.makedirs(project, exist_ok=True)
    template = os.path.join(directory, f"store-{size}")
    paths = Paths(template)
    paths.make(paths.data_dir)
    if models:
        os.symlink(models, paths.models, target_is_directory=True)
    environ = {**environ, "HOME": directory}
    config = configuration.load(paths, {**environ, "AWHM_NER_LABELS": ""})
    messages = filler(arguments.data, size)
    started = time.perf_counter()
    vectors = os.path.join(os.path.abspath(arguments.cache), "vectors.sqlite")
    embedder = shared_embedder(models, vectors) if models else None
    building.build(paths, as_store(messages, os.path.realpath(project)), config, embedder)
    built = time.perf_counter() - started
    client = Client(paths, environ, project)
    planted(client, cases)
    problems = client.problems + noted(paths)
    prompts = {
        "related": [prompt for _, prompt, _ in cases["related"]],
        "corrected": [case[3] for case in cases["corrected"]],
        "unrelated": [prompt for _, prompt in cases["unrelated"]],
    }
    found = {}
    repeats = 0
    for name, texts in prompts.items():
        found[name], again, faults = asked(texts, template, environ, project)
        repeats += again
        problems += faults
    return judged(cases, size, len(messages), built, found, repeats, problems)


def judged(cases, size, messages, built, found, repeats, problems):
    related = []
    for (kind, _, value), answer in zip(cases["related"], found["related"], strict=True):
        related.append({**answer, "kind": kind, "hit": any(value in line for line in answer["lines"])})
    corrected = []
    for (kind, _, _, _, stale, fresh), answer in zip(cases["corrected"], found["corrected"], strict=True):
        lines = answer["lines"]
        is_stale = any(stale in line and fresh not in line for line in lines)
        corrected.append({**answer, "kind": kind, "stale": is_stale, "fresh": any(fresh in line for line in lines)})
    unrelated = [
        {**one, "kind": kind, "false": bool(one["lines"])}
        for (kind, _), one in zip(cases["unrelated"], found["unrelated"], strict=True)
    ]
    shown = [one["characters"] for one in related if one["lines"]]
    seconds = [one["seconds"] for part in found.values() for one in part]
    return {
        "size": size,
        "messages": messages,
        "built_seconds": round(built, 1),
        "related": related,
        "corrected": corrected,
        "unrelated": unrelated,
        "characters_mean": round(sum(shown) / len(shown), 1) if shown else 0.0,
        "repeats": repeats,
        "prompt_ms_mean": round(1000 * sum(seconds) / len(seconds), 1),
        "problems": problems,
    }


def print_result(found, show):
    print(f"\n{found['set']}, {found['messages']} messages, built in {found['built_seconds']} s")
    tell("related: hit", found["related"], "hit")
    tell("corrected: stale", found["corrected"], "stale")
    tell("corrected: fresh", found["corrected"], "fresh")
    tell("unrelated: false", found["unrelated"], "false")
    print(f"{'characters':<20}{found['characters_mean']:>8} a related injection, on average")
    print(f"{'repeats':<20}{found['repeats']:>8}")
    print(f"{'a prompt takes':<20}{found['prompt_ms_mean']:>8} ms on average, as a whole process")
    for problem in found["problems"]:
        print(f"problem: {problem}")
    if show:
        for name, wanted in (
            ("related", {"hit": True}),
            ("corrected", {"stale": False, "fresh": True}),
            ("unrelated", {"false": False}),
        ):
            for one in found[name]:
                missed = [key for key, value in wanted.items() if one[key] != value]
                if missed:
                    print(f"\n{name}, {one['kind']}, wrong {', '.join(missed)}: {one['prompt']}")
                    print("\n".join(f"    {line}" for line in one["lines"]) or "    (nothing)")


def tell(title, rows, key):
    kinds = {kind: [row for row in rows if row["kind"] == kind] for kind in dict.fromkeys(row["kind"] for row in rows)}
    parts = ", ".join(f"{kind} {sum(row[key] for row in part)}/{len(part)}" for kind, part in kinds.items())
    print(f"{title:<20}{sum(row[key] for row in rows):>4}/{len(rows):<4} {parts}", flush=True)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="100,10000")
    known = sorted(name.removesuffix(".json") for name in os.listdir(SETS))
    parser.add_argument("--sets", default="harbour", help=f"some of {', '.join(known)}; harbour where none is named")
    parser.add_argument(
        "--data", default=os.path.join(here, "..", "..", "shared", "eval"), help="the folder of corpora"
    )
    parser.add_argument("--cache", default=os.path.join(os.path.expanduser("~"), ".cache", "awhm-bench"))
    parser.add_argument("--json", help="write everything that was injected here")
    parser.add_argument("--show", action="store_true", help="show each prompt that was answered wrongly")
    parser.add_argument("--lexical", action="store_true", help="without the semantic half")
    arguments = parser.parse_args()
    if unknown := set(arguments.sets.split(",")).difference(known):
        parser.error(f"no set is called {', '.join(sorted(unknown))}")
    environ = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "AWHM_SEMANTIC_DEADLINE_MS": "5000",  # what is injected is measured here: a busy machine must not change it
    }
    models = None
    if arguments.lexical:
        environ["AWHM_SEMANTIC"] = "0"
    else:
        home = Paths(os.path.join(os.path.abspath(arguments.cache), "awhm"))
        os.makedirs(arguments.cache, exist_ok=True)
        home.make(home.data_dir)
        model.prepare(home)
        models = home.models
    print(f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores")
    results = []
    for name in arguments.sets.split(","):
        with open(os.path.join(SETS, f"{name}.json"), encoding="utf-8") as file:
            cases = json.load(file)
        for size in map(int, arguments.sizes.split(",")):
            with tempfile.TemporaryDirectory(prefix="awhm-injection-") as directory:
                found = measure(cases, size, arguments, environ, models, directory)
            results.append({"set": name, **found})
            print_result(results[-1], arguments.show)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"python": sys.version.split()[0], "results": results}, file, indent=1, ensure_ascii=False)


if __name__ == "__main__":
    main()
