"""The evidence that a candidate is to the point, and the trees that weigh it."""

import pytest

from awhm_hooks.config import AWHMConfig
from awhm_hooks.graph.model import MESSAGE
from awhm_hooks.recall import evidence, evidence_trees, lexical, rank
from awhm_hooks.recall.evidence import SIGNS, Evidence, probability
from awhm_hooks.recall.memory import Memory
from awhm_hooks.recall.request import Request
from awhm_hooks.recall.tokens import tokenise

PROMPT = "Which port does the staging gateway listen on?"
SAID = "The staging gateway listens on port 7443."
OTHERS = [
    f"Please {verb} the {thing} of the report."
    for verb in ("sort", "paint", "print", "rotate", "shrink", "fold")
    for thing in ("chart", "legend")
]


def weighed(cosine_of_said, prompt=PROMPT, others=OTHERS):
    """(the evidence among some candidates, that for what was said)"""
    request = Request(prompt, "/work/shop", True, 0.0)
    frequencies = dict.fromkeys(request.terms, 1)
    query = rank.Query(request, lexical.LexicalResult({}, {}, frequencies, 200))
    memories = []
    for number, text in enumerate([SAID, *others]):
        held = [term for term in dict.fromkeys(tokenise(text)) if term in request.terms]
        memory = Memory("graph", MESSAGE, text, 1.0, held)
        memory.node, memory.role = number + 1, "user"
        memory.bm25 = float(len(held))
        memory.cosine = 0.05 + 0.01 * number if number else cosine_of_said
        memories.append(memory)
    rank.score(memories, query, True, AWHMConfig())
    return Evidence(memories, query, True), memories[0]


def test_what_is_near_and_shares_words_is_probable_and_what_is_far_is_not():
    chances = []
    for cosine in (0.7, 0.02):
        found, said = weighed(cosine)
        chances.append(probability(found.signs(said)))
    assert chances[0] > 0.9 and chances[1] < chances[0]


def test_the_others_are_below_the_least():
    found, said = weighed(0.7)
    others = [memory for memory in found.chosen if memory is not said]
    assert others and all(probability(found.signs(memory)) < evidence.LEAST for memory in others)


def test_among_few_there_is_no_measure():
    found, _ = weighed(0.7, others=OTHERS[:5])
    assert found.chosen == []


def test_the_nearest_are_weighed_whatever_their_score():
    many = [f"{SAID} {number}" for number in range(40)]
    found, said = weighed(0.7, others=many)
    assert len(found.chosen) <= evidence._FIRST + evidence._NEAREST
    nearest = sorted(memory.cosine for memory in found.chosen)[-3:]
    assert nearest == pytest.approx([0.05 + 0.39, 0.05 + 0.4, 0.7])
    assert said in found.chosen


def test_every_sign_has_its_number():
    found, said = weighed(0.5)
    assert len(found.signs(said)) == len(SIGNS)
    assert dict(zip(SIGNS, found.signs(said), strict=True))["cosine"] == 0.5


def test_the_trees_are_whole():
    """From each root every branch ends in a leaf, and all nodes belong to one tree."""
    sign, right, roots = evidence_trees.SIGN, evidence_trees.RIGHT, evidence_trees.ROOTS
    assert len(sign) == len(right) == len(evidence_trees.VALUE)
    seen: list[int] = []
    for root in roots:
        todo = [root]
        while todo:
            node = todo.pop()
            seen.append(node)
            if sign[node] != evidence_trees.LEAF:
                assert 0 <= sign[node] < len(SIGNS) and right[node] > node + 1
                todo += [node + 1, right[node]]
    assert sorted(seen) == list(range(len(sign)))
