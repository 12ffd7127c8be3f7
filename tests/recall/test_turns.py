"""A turn's place in its conversation: what an answer lacks, its question has."""

from in_process import PROJECT

from awhm_hooks.graph.store import open_graph
from awhm_hooks.recall import lexical
from awhm_hooks.recall.turns import Turns


def first(memory, question):
    return memory.ask(question)[0]


ANSWER = "Celery, since it retries by itself."


def test_an_answer_is_found_by_the_words_of_its_question(memory):
    memory.say("Which queue library should the importer of the billing service use?", session="a")
    memory.say(ANSWER, role="assistant", session="a")
    memory.say("And where do the logs go?", "Please look into the flaky test.", session="b")
    memory.consolidate()
    assert ANSWER in memory.ask("queue library of the billing importer")[:2], "beside its question"


def test_words_of_a_neighbour_count_less_than_one_s_own(memory):
    memory.say("Redis holds the sessions of the shop.", "Some other remark about the weather.", session="a")
    memory.consolidate()
    assert "Redis" in first(memory, "where are the sessions of the shop held")


def test_a_question_stands_behind_a_statement_with_the_same_words(memory):
    memory.say("Does the gateway cache the tokens?", session="a")
    memory.say("The gateway caches the tokens for ten minutes.", session="b")
    memory.consolidate()
    assert "ten minutes" in first(memory, "gateway cache tokens")


def test_identifiers_weigh_more_than_prose(memory):
    memory.say(
        "The settlement of the run closes late on the service when the run is slow to close.",
        "SettlementService.closeRun takes a lock on the ledger.",
    )
    memory.consolidate()
    assert "lock" in first(memory, "what does SettlementService.closeRun do")


def test_only_short_turns_share_their_words(memory):
    long = " ".join(f"word{number}" for number in range(60))
    memory.say("The zeppelin hangar is open.", "A short remark.", session="a")
    memory.say("The zeppelin hangar is open.", long, session="b")
    memory.say(f"The zeppelin hangar is open, {long}.", "A short remark.", session="c")
    memory.consolidate()
    graph = open_graph(memory.paths.graph_db)
    result = lexical.search(graph, graph.scope_ids(PROJECT), ["zeppelin"])
    nodes = [row[0] for row in graph.db.execute("SELECT id FROM nodes WHERE family = 'message' ORDER BY id")]
    turns = Turns(graph, nodes)
    shared = [turns.bm25(node, result) > 0 for node in nodes]
    graph.close()
    assert shared == [True, True, True, False, True, False]
