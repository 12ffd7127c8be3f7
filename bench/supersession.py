"""The weights of `awhm_hooks/recall/supersession.py`, and how they do on sets that they were not fitted on.

    python bench/supersession.py [--sizes 100] [--sets harbour,hospital] [--data ../shared/eval] [--cache DIR]

Before each prompt of the sets of `injection_sets/` recall weighs whether some memory supersedes one that is to be told;
all the pairs that it weighs are gathered here. A pair is positive where the older memory holds the stale value and the
newer one the fresh one, and negative otherwise: fully where the older one holds what the prompt asks for, and 0.3 where
it holds neither, for then nothing is lost. To these come the pairs of `tests/data/changes.jsonl` that are not "unseen",
3.0 each. Logistic regression with a ridge on standardised signs (Hastie, Tibshirani and Friedman, The Elements of
Statistical Learning, 4.4), by Newton's method.

The table leaves each set out in turn. seen: of the stale memories those that a fresh one supersedes at that
probability; harm: of those that hold what is asked for, those that something supersedes.
"""

import argparse
import json
import os
import tempfile
import time

import injection
import numpy as np

from awhm_hooks import config as configuration
from awhm_hooks.consolidate.embed import Embedder
from awhm_hooks.consolidate.vectors_write import to_rows
from awhm_hooks.evaluate import building
from awhm_hooks.evaluate.embedding import shared_embedder
from awhm_hooks.graph.model import MESSAGE
from awhm_hooks.graph.store import open_graph
from awhm_hooks.manage import model
from awhm_hooks.paths import Paths
from awhm_hooks.recall import engine, lexical, outdated, rank, supersession
from awhm_hooks.recall.meaning import Meaning
from awhm_hooks.recall.memory import Memory
from awhm_hooks.recall.request import Request
from awhm_hooks.recall.semantic import Semantic
from awhm_hooks.recall.tokens import tokenise

HERE = os.path.dirname(os.path.abspath(__file__))
CHANGES = os.path.join(HERE, "..", "tests", "data", "changes.jsonl")
RIDGE = 1 / 0.3
OTHER_WEIGHT, MADE_WEIGHT = 0.3, 3.0
BY_MEANING_ALONE = (0, 1, 5, -1)  # the signs that are there only where cosines are
PROBABILITIES = (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)


class Recorded(supersession.Supersession):
    """What is weighed before a prompt, kept for the bench."""

    last = None

    def __init__(self, kept, candidates, weights, vectors):
        super().__init__(kept, candidates, weights, vectors)
        self.kept = kept
        Recorded.last = self

    def pairs(self):
        """(older memory, its message's text, newer message's text, the signs) of all that can supersede."""
        for older in self.kept:
            for change in self.changes:
                newer = change.memory
                if newer.at <= older.at or supersession.source(newer) == supersession.source(older):
                    continue
                cosine = self._cosine(newer, older)
                if cosine is None or self.odds(change, older) == supersession.NEVER:
                    continue
                signs = [*self.glance(change, older, cosine), *self.look(change, older)[:-1]]
                signs.append(self._better_older(newer, older, cosine))
                texts = [self.messages.get(supersession.source(one), one).text for one in (older, newer)]
                yield older, *texts, [float(sign) for sign in signs]


def of_sets(names, size, arguments, models):
    """The pairs before the prompts of some sets: (set, prompt, text of the older, kind, label, signs)."""
    found = []
    for name in names:
        with open(os.path.join(injection.SETS, f"{name}.json"), encoding="utf-8") as file:
            cases = json.load(file)
        with tempfile.TemporaryDirectory(prefix="awhm-supersession-") as directory:
            ask = asking(cases, size, arguments, models, directory)
            for _, prompt, value in cases["related"]:
                for older, before, now, signs in ask(prompt):
                    is_wanted = value in older.text or value in before
                    kind = "other" if not is_wanted or value in now else "wanted"
                    found.append((name, prompt, before, kind, 0, signs))
            for _, _, _, prompt, stale, fresh in cases["corrected"]:
                for _, before, now, signs in ask(prompt):
                    is_stale = stale in before and fresh not in before
                    kind = "stale" if is_stale else "wanted" if fresh in before and fresh not in now else "other"
                    found.append((name, prompt, before, kind, int(is_stale and fresh in now), signs))
        print(f"{name}, {size}: {len(found)} pairs so far", flush=True)
    return found


def asking(cases, size, arguments, models, directory):
    """Builds a set's store; what is returned asks a prompt of it, and gives the pairs that were weighed."""
    project = os.path.join(directory, "harbour")
    os.makedirs(project)
    paths = Paths(os.path.join(directory, "store"))
    paths.make(paths.data_dir)
    os.symlink(models, paths.models, target_is_directory=True)
    environ = {"PATH": os.environ.get("PATH", os.defpath), "HOME": directory, "AWHM_SEMANTIC_DEADLINE_MS": "5000"}
    config = configuration.load(paths, {**environ, "AWHM_NER_LABELS": ""})
    filler = injection.as_store(injection.filler(arguments.data, size), os.path.realpath(project))
    cache = os.path.join(os.path.abspath(arguments.cache), "vectors.sqlite")
    building.build(paths, filler, config, shared_embedder(models, cache))
    injection.planted(injection.Client(paths, environ, project), cases)
    graph = open_graph(paths.graph_db)

    def ask(prompt):
        Recorded.last = None
        request = Request(prompt, os.path.realpath(project), True, time.time())
        request.meaning = Meaning(Semantic(paths, time.monotonic() + 60))
        engine.recall(graph, request, paths, config)
        request.meaning.close()
        return list(Recorded.last.pairs()) if Recorded.last else []

    return ask


def made(embedder):
    """The pairs that were made to be hard; every sixth of a split is a set."""
    found = []
    with open(CHANGES, encoding="utf-8") as file:
        pairs = [pair for pair in map(json.loads, file) if pair["split"] != "unseen"]
    for number, pair in enumerate(pairs):
        older, newer, question = embedder.embed([pair["older"], pair["newer"], pair["question"]])
        query = rank.Query(Request(pair["question"], None, True, 0.0), lexical.NOTHING)
        wanted = set(query.terms)
        memories, rows = [], {}
        for at, text, vector in ((1, pair["older"], older), (2, pair["newer"], newer)):
            memory = Memory("graph", MESSAGE, text, float(at), [term for term in tokenise(text) if term in wanted])
            memory.session = memory.message_id = str(at)
            memory.node, memory.role, memory.cosine = at, "user", float(vector @ question)
            memory.follows = True
            rows[memory.row_key()] = to_rows(vector[None])[0].tobytes()
            memories.append(memory)
        weighed = Recorded(memories[:1], memories, query.weights, lambda _, rows=rows: rows)
        for _, before, _, signs in weighed.pairs():
            kind = "stale" if pair["replaces"] else "wanted"
            name = f"{pair['split']} {number % 6}"
            found.append((name, pair["question"], before, kind, int(pair["replaces"]), signs))
    return found


def fitted(signs, labels, weights):
    """(weights of the signs, bias) of a ridge logistic regression; signs of one value get 0."""
    mean, spread = signs.mean(0), signs.std(0)
    scaled = np.column_stack([(signs - mean) / np.where(spread > 0, spread, 1), np.ones(len(signs))])
    ridge = np.diag([RIDGE] * signs.shape[1] + [0.0])
    beta = np.zeros(scaled.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-scaled @ beta))
        slope = scaled.T @ (weights * (chance - labels)) + ridge @ beta
        curve = (scaled * (weights * chance * (1 - chance))[:, None]).T @ scaled + ridge
        step = np.linalg.solve(curve, slope)
        beta -= step
        if np.abs(step).max() < 1e-8:
            break
    own = np.where(spread > 0, beta[:-1] / np.where(spread > 0, spread, 1), 0.0)
    return own, float(beta[-1] - own @ mean)


def left_out(sets, signs, labels, weights):
    """The probability of each pair by weights fitted on the other sets."""
    found = np.zeros(len(labels))
    for name in set(sets):
        own = sets == name
        beta, bias = fitted(signs[~own], labels[~own], weights[~own])
        found[own] = 1 / (1 + np.exp(-(signs[own] @ beta + bias)))
    return found


def tell(title, pairs, chances):
    """The table: a stale or wanted memory counts once, whatever number of pairs it stands in."""
    best = {}
    for (name, prompt, before, kind, label, _), chance in zip(pairs, chances, strict=True):
        if kind == "wanted" or (kind == "stale" and label):
            key = name, prompt, before, kind
            best[key] = max(chance, best.get(key, 0.0))
    print(title)
    for least in PROBABILITIES:
        counts = []
        for kind in ("stale", "wanted"):
            of_kind = [chance for key, chance in best.items() if key[3] == kind]
            counts.append(f"{sum(chance >= least for chance in of_kind)} of {len(of_kind)}")
        print(f"    {least:.2f}  seen {counts[0]}, harm {counts[1]}")


def parsed(description, sizes, *flags):
    """(the command line's arguments, where its models are prepared); `flags` are (name, help) of further switches."""
    parser = argparse.ArgumentParser(description=description)
    known = sorted(name.removesuffix(".json") for name in os.listdir(injection.SETS))
    parser.add_argument("--sizes", default=sizes)
    parser.add_argument("--sets", default=",".join(known))
    parser.add_argument("--data", default=os.path.join(HERE, "..", "..", "shared", "eval"))
    parser.add_argument("--cache", default=os.path.join(os.path.expanduser("~"), ".cache", "awhm-bench"))
    for name, text in flags:
        parser.add_argument(name, action="store_true", help=text)
    arguments = parser.parse_args()
    home = Paths(os.path.join(os.path.abspath(arguments.cache), "awhm"))
    os.makedirs(arguments.cache, exist_ok=True)
    home.make(home.data_dir)
    model.prepare(home)
    return arguments, home


def main():
    arguments, home = parsed(__doc__.splitlines()[0], "100")
    outdated.Supersession = Recorded
    pairs = []
    for size in map(int, arguments.sizes.split(",")):
        pairs += of_sets(arguments.sets.split(","), size, arguments, home.models)
    natural = len(pairs)
    pairs += made(Embedder(home))
    sets = np.array([pair[0] for pair in pairs])
    labels = np.array([pair[4] for pair in pairs], float)
    signs = np.array([pair[5] for pair in pairs])
    weights = np.array(
        [OTHER_WEIGHT if pair[3] == "other" or (pair[3] == "stale" and not pair[4]) else 1.0 for pair in pairs]
    )
    weights[natural:] = MADE_WEIGHT
    for title, unknown in (("by meaning and words", ()), ("by words alone", BY_MEANING_ALONE)):
        seen = signs.copy()
        seen[:, list(unknown)] = 0.0
        chances = left_out(sets, seen, labels, weights)
        tell(f"\n{title}: the sets", pairs[:natural], chances[:natural])
        tell(f"{title}: the pairs made to be hard", pairs[natural:], chances[natural:])
        own, bias = fitted(seen, labels, weights)
        print("weights", [round(float(one), 2) for one in own], "bias", round(bias, 2))


if __name__ == "__main__":
    main()
