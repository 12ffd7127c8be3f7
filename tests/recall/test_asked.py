"""What holds for a question that is put to memory: when it is answered, with what, and in which order."""

import pytest
from in_process import PROJECT
from prepared_model import prepared

from awhm_hooks.manage.asking import ask
from awhm_hooks.paths import Paths


@pytest.fixture
def meaning(new_memory):
    """A store that is asked by meaning too."""
    memory = new_memory(semantic=True)
    memory.paths = Paths(memory.paths.data_dir, prepared().models)
    return memory


def apart(memory, *texts, role="user"):
    """Each in a session of its own."""
    for text in texts:
        memory.say(text, session=f"s{memory.number}", role=role)


FACTS = [
    "Helix is what I write code in.",
    "Let's fix the flaky login test.",
    "My deploys go to Fly.io in the Frankfurt region.",
    "The billing service listens on port 8082.",
    "I have two daughters, Mia and Lena.",
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which text editor am I used to?", "Helix"),
        ("what are my kids called?", "Mia"),
        ("which port does billing use", "8082"),
    ],
)
def test_the_best_candidate_answers_a_paraphrase(meaning, question, answer):
    apart(meaning, *FACTS)
    meaning.consolidate()
    assert answer in meaning.ask(question)[0]


@pytest.mark.parametrize(
    "question",
    ["What is my birthday?", "What is my favorite color?", "What is my phone number?", "rust borrow checker lifetimes"],
)
def test_of_what_nobody_said_nothing_is_told(meaning, question):
    apart(meaning, *FACTS)
    meaning.consolidate()
    assert meaning.ask(question) == []


def test_the_nearest_of_a_hundred_must_be_nearer(meaning):
    question = "Which company employs the developer?"
    apart(meaning, *FACTS, *[f"Order {number} was shipped." for number in range(112)])
    meaning.consolidate()
    assert meaning.ask(question) == []
    meaning.say("My employer is a company named Acme.", session="work")
    meaning.consolidate()
    assert "Acme" in meaning.ask(question)[0]


def test_what_the_user_said_comes_before_what_was_answered(memory):
    memory.say("The tomato seedlings moved to the balcony.", session="a")
    memory.say("Fine.", session="a", role="assistant")
    memory.say("Hello there.", session="b")
    memory.say("Tomato seedlings, on a balcony: tomato seedlings like a balcony.", session="b", role="assistant")
    memory.consolidate()
    assert "moved" in memory.ask("Where are the tomato seedlings, on the balcony?")[0]
    assert "like" in memory.ask("What did you tell me about tomato seedlings on a balcony?")[0]


def test_a_lone_question_of_the_user_s_is_not_preferred(memory):
    memory.say("Which seedlings grow on a balcony?", session="a")
    memory.say("Tomato seedlings grow on a balcony.", session="a", role="assistant")
    memory.consolidate()
    assert "Tomato" in memory.ask("seedlings that grow on the balcony?")[0]


def test_the_name_of_the_project_tells_nothing_apart(memory):
    apart(memory, *[f"The shop-api has module{number}." for number in range(8)])
    apart(memory, *[f"Remark{number} about the weather." for number in range(60)])
    apart(memory, "Recharts draws the pie diagram.")
    memory.consolidate()
    assert "Recharts" in memory.ask("What draws in the shop-api?")[0]


def test_an_identifier_that_few_hold_decides(memory):
    apart(memory, "The shop-api has one module.", *[f"Remark{number} about the weather." for number in range(60)])
    apart(memory, *[f"Recharts{number} draws the pie diagram." for number in range(4)])
    memory.consolidate()
    assert "shop-api" in memory.ask("What draws in the shop-api?")[0]


def test_a_question_over_all_projects_prefers_the_one_that_it_names(memory):
    memory.say("The queue library is Celery.", session="a", project="/work/shop-api")
    memory.say("The queue library is Dramatiq.", session="b", project="/work/dashboard")
    memory.consolidate()
    assert "Celery" in memory.ask("Which queue library does the shop-api use?", project=None)[0]
    assert "Dramatiq" in memory.ask("Which queue library does the dashboard use?", project=None)[0]


def test_what_a_question_does_not_mean_does_not_count(memory):
    apart(memory, "The policy for backups is the archive.", "The retired policy for backups was a NAS.")
    memory.consolidate()
    assert "archive" in memory.ask("What is the policy for backups rather than the retired one?")[0]
    assert "NAS" in memory.ask("What was the retired policy for backups?")[0]


def test_what_a_memory_says_it_is_not_for_does_not_count(memory):
    apart(
        memory,
        "Use Redis for short-lived sessions, not for persistent application data.",
        "Postgres holds the application data.",
    )
    memory.consolidate()
    assert "Postgres" in memory.ask("Where is persistent application data kept?")[0]


def test_the_twin_of_what_was_asked_for_by_name_is_left_out(memory):
    apart(
        memory,
        "In Kyoto we stay at the Sakura Inn near the river.",
        "In Tokyo we stay at the Sakura Park near the river.",
    )
    memory.consolidate()
    found = memory.ask("Where do we stay in Kyoto, near which river?")
    assert "Kyoto" in found[0]
    assert not any("Tokyo" in text for text in found)


def test_what_holds_an_unwanted_name_is_left_out(memory):
    apart(memory, "Luna the dog gets one tablet.", "Maria's cat Luna gets drops, two of them.")
    memory.consolidate()
    found = memory.ask("What does my dog Luna get, not Maria's cat?")
    assert found and not any("drops" in text for text in found)


def test_a_name_leads_to_who_speaks_of_it(memory):
    memory.say("Sarah: I work at the Memorial Hospital as a nurse.", "Mike: I build engines.", session="talk")
    memory.say("Emma: I teach biology.", "Sarah: On weekends I paint, my hobby for years.", session="talk")
    memory.consolidate()
    found = memory.ask("Which hobby has the person who works at Memorial Hospital?")
    assert any("paint" in text for text in found[:2])


@pytest.mark.parametrize("question", ["When was that scheduled?", "Which dosage does it need?", "What did we decide?"])
def test_a_question_that_names_nothing_is_understood_by_what_was_said_before(memory, question):
    apart(memory, "The production deployment is on Sundays.", "The dentist comes on Tuesdays.")
    memory.consolidate()
    assert not any("Sundays" in text for text in memory.ask(question))
    assert "Sundays" in memory.ask(question, before="I prepare the production deployment.")[0]


def test_a_question_that_names_its_subject_is_not_changed_by_what_was_said_before(memory):
    apart(memory, "The production deployment is on Sundays.", "The dentist appointment is on Tuesdays.")
    memory.consolidate()
    found = memory.ask("When is the dentist appointment?", before="I prepare the production deployment.")
    assert "Tuesdays" in found[0]


def test_a_session_that_is_told_is_told_with_what_lies_far_behind_in_it(memory):
    memory.say("The lighthouse museum opens at nine on Sundays.", session="trip")
    memory.say("Lunch was fine.", session="trip", role="assistant")
    memory.say("Sundays are for sleeping.", session="home")
    memory.consolidate()
    found = memory.ask("When does the lighthouse museum open on Sundays?")
    assert found[0].startswith("The lighthouse museum")
    assert "Lunch was fine." in found
    assert "Sundays are for sleeping." not in found


BIKES = [
    "I replaced the chain of my road bike.",
    "New tyres for the road bike, and the brakes were adjusted.",
    "The gravel bike has another saddle now.",
]


def likenesses(meaning, question):
    """By the message's text, of every memory that is told."""
    found = ask(meaning.paths, meaning.config, question, PROJECT, 20, meaning.at + 3600)
    return {memory.text: memory.features["likeness"] for memory in found}


def test_what_shares_the_matter_of_the_best_is_more_like_them(meaning):
    parts = "chain saddle tyre brake pedal bell fork hub lamp rack spoke cable lever gear rim".split()
    bikes = [f"My bike got a new {part}." for part in parts]
    apart(meaning, *bikes, *FACTS, *[f"Order {number} was shipped." for number in range(60)])
    meaning.consolidate()
    alike = likenesses(meaning, "Which repairs did my bikes need?")
    others = [likeness for text, likeness in alike.items() if text not in bikes]
    assert others and min(alike[text] for text in bikes) > max(others)
    assert max(alike.values()) < 0.48


def test_likeness_counts_for_more_where_a_question_counts(meaning):
    apart(meaning, *BIKES)
    meaning.consolidate()
    plain = likenesses(meaning, "Which repairs did my bikes need?")
    counting = likenesses(meaning, "How many repairs did my bikes need?")
    for text in BIKES:
        assert counting[text] == pytest.approx(3 * plain[text], rel=0.01)


def test_without_a_model_nothing_is_said_of_likeness(memory):
    apart(memory, *BIKES)
    memory.consolidate()
    found = ask(memory.paths, memory.config, "Which repairs did my bikes need?", PROJECT, 20, memory.at + 3600)
    assert found and not any("likeness" in one.features for one in found)
