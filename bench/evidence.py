"""The trees of `awhm_hooks/recall/evidence_trees.py`, and how they do on sets that they were not fitted on.

    python bench/evidence.py [--sizes 100,10000] [--sets harbour,hospital] [--data ../shared/eval] [--cache DIR]
                             [--write]

The candidates that recall weighs before each prompt of the sets of `injection_sets/` are gathered here, with their
signs. One is positive where it holds the value that a related prompt asks for, or the old or the new one of a corrected
fact. What else is found before such a prompt may be to the point as well, so it weighs little. Gradient boosting by
scikit-learn, with few and large trees: 40 of 24 leaves do as well as 200 of 12, and are quicker.

The table is of sets that were left out, three at a time. For some probabilities as the least from which on a memory is
told: how many related and corrected prompts have what they ask for among the three most probable candidates, and how
many unrelated ones are answered.
"""

import json
import os
import tempfile

import injection
import numpy as np
import supersession
from sklearn.ensemble import HistGradientBoostingClassifier

from awhm_hooks.recall import evidence

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE = os.path.join(HERE, "..", "awhm_hooks", "recall", "evidence_trees.py")
TREES, LEAVES, RATE, LEAST_SAMPLES = 40, 24, 0.15, 30
OTHER_WEIGHT = 0.15
FOLDS = 9
TOLD = 3
LEASTS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.6)
LEAF = -1


class Recorded(evidence.Evidence):
    """What is weighed before a prompt, kept for the bench."""

    __slots__ = ()
    last = None

    def __init__(self, memories, query, asks_back):
        super().__init__(memories, query, asks_back)
        Recorded.last = [(memory.text, self.signs(memory)) for memory in self.chosen]


def of_sets(names, size, arguments, models):
    """[(set, group, candidates)] of each prompt; candidates are (holds what is asked for, signs)."""
    found = []
    for name in names:
        with open(os.path.join(injection.SETS, f"{name}.json"), encoding="utf-8") as file:
            cases = json.load(file)
        prompts = [("related", prompt, (value,)) for _, prompt, value in cases["related"]]
        prompts += [("corrected", asked, (stale, fresh)) for _, _, _, asked, stale, fresh in cases["corrected"]]
        prompts += [("unrelated", prompt, ()) for _, prompt in cases["unrelated"]]
        with tempfile.TemporaryDirectory(prefix="awhm-evidence-") as directory:
            ask = supersession.asking(cases, size, arguments, models, directory)
            for group, prompt, values in prompts:
                Recorded.last = []
                ask(prompt)
                rows = [(any(value in text for value in values), signs) for text, signs in Recorded.last]
                found.append((name, group, rows))
        print(f"{name}, {size}: {len(found)} prompts so far", flush=True)
    return found


class Table:
    """All candidates: signs (n, signs), labels, weights, and of each its prompt and set."""

    def __init__(self, prompts):
        rows = [(number, group, *row) for number, (_, group, found) in enumerate(prompts) for row in found]
        self.prompts = prompts
        self.prompt = np.array([row[0] for row in rows])
        self.labels = np.array([row[2] for row in rows], int)
        self.signs = np.array([row[3] for row in rows], float)
        is_sure = (self.labels == 1) | np.array([row[1] == "unrelated" for row in rows])
        self.weights = np.where(is_sure, 1.0, OTHER_WEIGHT)
        self.sets = np.array([prompts[number][0] for number in self.prompt])

    def fitted(self, rows):
        booster = HistGradientBoostingClassifier(
            max_iter=TREES,
            learning_rate=RATE,
            max_leaf_nodes=LEAVES,
            min_samples_leaf=LEAST_SAMPLES,
            l2_regularization=1.0,
            early_stopping=False,
        )
        return booster.fit(self.signs[rows], self.labels[rows], sample_weight=self.weights[rows])

    def left_out(self):
        """The probability of each candidate by trees that were fitted without its set."""
        chances = np.zeros(len(self.labels))
        names = np.unique(self.sets)
        for fold in range(min(FOLDS, len(names))):
            is_out = np.isin(self.sets, names[fold::FOLDS])
            chances[is_out] = self.fitted(~is_out).predict_proba(self.signs[is_out])[:, 1]
        return chances

    def tell(self, chances):
        best = np.zeros(len(self.prompts))
        for number in np.unique(self.prompt):
            rows = np.flatnonzero(self.prompt == number)
            told = rows[np.argsort(-chances[rows])][:TOLD]
            is_wanted = self.labels[told] == 1
            if self.prompts[number][1] == "unrelated":
                is_wanted[:] = True
            best[number] = max(chances[told][is_wanted], default=0.0)
        groups = np.array([group for _, group, _ in self.prompts])
        for least in LEASTS:
            counts = [
                f"{group} {np.sum(best[groups == group] >= least)} of {np.sum(groups == group)}"
                for group in ("related", "corrected", "unrelated")
            ]
            print(f"    {least:.2f}  {', '.join(counts)}")


def flat(booster):
    """(bias, roots, sign, value, right) of the trees in preorder: a node's left branch follows it."""
    roots, sign, value, right = [], [], [], []
    for (predictor,) in booster._predictors:
        nodes = predictor.nodes

        def put(index, nodes=nodes):
            node, place = nodes[index], len(sign)
            sign.append(LEAF if node["is_leaf"] else int(node["feature_idx"]))
            value.append(float(f"{node['value'] if node['is_leaf'] else node['num_threshold']:.6g}"))
            right.append(0)
            if not node["is_leaf"]:
                put(node["left"])
                right[place] = len(sign)
                put(node["right"])

        roots.append(len(sign))
        put(0)
    return float(booster._baseline_prediction.ravel()[0]), roots, sign, value, right


def source(bias, roots, sign, value, right):
    """The module's text: the trees as rows of numbers."""
    lines = ['"""The trees of `evidence`, as `python bench/evidence.py --write` fitted them: not to be edited.', ""]
    lines += [
        "In preorder: a node's left branch follows it, RIGHT says where the other one is. VALUE is a node's bound, and",
        "a leaf's log odds.",
    ]
    lines += ['"""', "", "# fmt: off", f"LEAF = {LEAF}", f"BIAS = {bias:.5g}"]
    for name, numbers in (("ROOTS", roots), ("SIGN", sign), ("VALUE", value), ("RIGHT", right)):
        lines.append(f"{name} = (")
        row = "   "
        for number in numbers:
            text = f" {number},"
            if len(row) + len(text) > 118:
                lines.append(row)
                row = "   "
            row += text
        lines += [row, ")"]
    return "\n".join(lines) + "\n"


def main():
    write = ("--write", "put the trees in force that all sets give")
    arguments, home = supersession.parsed(__doc__.splitlines()[0], "100,10000", write)
    evidence.Evidence = Recorded
    prompts = []
    for size in map(int, arguments.sizes.split(",")):
        prompts += of_sets(arguments.sets.split(","), size, arguments, home.models)
    table = Table(prompts)
    table.tell(table.left_out())
    if arguments.write:
        with open(MODULE, "w", encoding="utf-8") as file:
            file.write(source(*flat(table.fitted(slice(None)))))


if __name__ == "__main__":
    main()
