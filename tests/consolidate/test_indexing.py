import shutil
import time

import numpy as np
import pytest
from prepared_model import prepared

from awhm_hooks.consolidate import indexing, vectors_write
from awhm_hooks.consolidate.embed import Embedder
from awhm_hooks.graph.store import open_graph
from awhm_hooks.graph.writer import open_writer
from awhm_hooks.recall.meaning import Meaning
from awhm_hooks.recall.semantic import Semantic
from awhm_hooks.recall.vectors import FIRST_SENTENCE, WIDTH, path_of


class Counting:
    """An embedder whose vector tells the text's length; windows of 40 characters."""

    def __init__(self):
        self.texts = []

    def embed(self, texts):
        self.texts += texts
        rows = np.zeros((len(texts), WIDTH), np.float32)
        for n, text in enumerate(texts):
            rows[n, len(text) % WIDTH] = 1
        return rows

    def windows(self, text):
        return [text[i : i + 40] for i in range(0, len(text), 40)]


class Unbounded(Counting):
    """The same, for which every text fits."""

    def windows(self, text):
        return [text]


def rows_of(memory):
    graph = open_graph(memory.paths.graph_db)
    found = graph.db.execute("SELECT row, node, window FROM vector_rows ORDER BY row").fetchall()
    state = graph.vectors_in_force()
    graph.close()
    return found, state


def index(memory, embedder, known=None):
    writer = open_writer(memory.paths)
    try:
        return indexing.index(memory.paths, writer, embedder, known or {})
    finally:
        writer.db.close()


def test_every_memory_gets_its_rows_once(memory):
    memory.say("short", "long " * 20)
    memory.consolidate()
    embedder = Counting()
    assert index(memory, embedder) == 4
    assert index(memory, embedder) == 0
    found, (generation, count) = rows_of(memory)
    assert [(row, window) for row, _, window in found] == [(0, 0), (1, 0), (2, 1), (3, 2)]
    assert count == len(vectors_write.read_rows(memory.paths.graph, generation)) == 4
    memory.say("one more")
    memory.consolidate()
    assert index(memory, embedder) == 1


def test_a_hook_s_row_is_taken_and_not_made_again(memory):
    memory.say("short")
    memory.consolidate()
    ((node,),) = memory.rows("id")
    row = bytes(range(256)) + bytes(128)
    embedder = Counting()
    index(memory, embedder, {node: row})
    assert embedder.texts == []
    _, (generation, _) = rows_of(memory)
    assert vectors_write.read_rows(memory.paths.graph, generation)[0].tobytes() == row


@pytest.mark.parametrize("damage", ["gone", "short", "junk"])
def test_a_lost_file_is_made_anew(memory, damage):
    memory.say("one", "two")
    memory.consolidate()
    index(memory, Counting())
    _, (generation, _) = rows_of(memory)
    path = path_of(memory.paths.graph, generation)
    data = open(path, "rb").read()
    import os

    os.unlink(path)
    if damage != "gone":
        with open(path, "wb") as file:
            file.write(data[: len(data) // 2] if damage == "short" else b"junk" * 3000)
    memory.say("three")
    memory.consolidate()
    assert index(memory, Counting()) == 3
    found, (now, count) = rows_of(memory)
    assert now > generation and count == 3 and len(found) == 3


def test_rows_that_a_killed_worker_left_are_written_over(memory):
    memory.say("one")
    memory.consolidate()
    index(memory, Counting())
    _, (generation, count) = rows_of(memory)
    vectors_write.append_rows(memory.paths.graph, generation, count, np.full((5, WIDTH), 7, np.uint8))
    memory.say("two")
    memory.consolidate()
    assert index(memory, Counting()) == 1
    assert rows_of(memory)[1] == (generation, 2)


def test_a_sentence_in_which_the_user_tells_something_has_a_row_of_its_own(memory):
    told = "By the way, I bought grain for my hens."
    message = f"Menus? {told}"
    memory.say(message, session="u")
    memory.say(message, role="assistant", session="a")
    memory.consolidate()
    (of_user, _), (_, _) = memory.rows("id, role")
    hook_s = bytes(range(256)) + bytes(128)
    embedder = Unbounded()
    index(memory, embedder, {of_user: hook_s})
    assert embedder.texts == [told, message]
    found, (generation, _) = rows_of(memory)
    assert [window for _, node, window in found if node == of_user] == [0, FIRST_SENTENCE]
    assert vectors_write.read_rows(memory.paths.graph, generation)[0].tobytes() == hook_s


def test_what_is_told_by_the_way_is_found_by_its_own_meaning(new_memory):
    """The sentence comes nearer than its message, less what it gains by saying less."""
    told = "By the way, I bought 20 pounds of scratch grain for my chickens."
    question = "poultry feed that the farm owner purchased"
    memory = new_memory(semantic=True)
    shutil.copytree(prepared().models, memory.paths.models)
    memory.say(f"Can you suggest a three course menu for a dinner with friends from Madrid on Saturday? {told}")
    memory.consolidate()
    ((node,),) = memory.rows("id", "family = 'message'")
    graph = open_graph(memory.paths.graph_db)
    meaning = Meaning(Semantic(memory.paths, time.monotonic() + 600))
    try:
        meaning.ask(question, graph, memory.paths.graph, [])
        meaning.collect(graph, graph.scope_ids(None))
    finally:
        meaning.close()
        graph.close()
    ask, whole, sentence = Embedder(prepared()).embed([question, *memory.rows("text")[0], told])
    assert meaning.nodes[node] == pytest.approx(float(ask @ sentence) - 0.05, abs=0.02)
    assert meaning.nodes[node] > float(ask @ whole) + 0.1
