"""What is learned is what was meant: the right words, in the right slot, from the right speaker."""

import pytest

# Only what is meant to last.

IDLE = [
    "I like that, sounds good",
    "Should I prefer tabs?",
    "If I always used Go, would it be faster?",
    'She said "I prefer Vim".',
    "I need help with this endpoint",
    "Me gusta, suena bien",
    "¿Debería preferir tabs?",
    "Si siempre usara Go, ¿sería más rápido?",
    "Necesito ayuda con este endpoint",
    "Das gefällt mir, klingt gut",
    "Sollte ich Tabs bevorzugen?",
    "Wenn ich immer Go nähme, wäre es schneller?",
    "Ich brauche Hilfe mit diesem Endpunkt",
    "please always on top of it, thanks",
    "I prefer Vim, she said",
    "I prefer not to decide now",
    "Prefiero esperar a mañana",
    "Ich bevorzuge, das jetzt nicht zu entscheiden",
]
WISHES = [
    ("I prefer dark mode over light mode, can you set it up?", "dark mode over light mode", "set it up"),
    ("Prefiero pnpm, ¿puedes cambiarlo?", "pnpm", "cambiarlo"),
    ("Prefiero el modo oscuro. ¿Puedes configurarlo?", "modo oscuro", "configurarlo"),
    ("Ich bevorzuge den dunklen Modus, kannst du das einstellen?", "dunklen Modus", "einstellen"),
]


@pytest.fixture(scope="module")
def learner(new_person):
    someone = new_person()
    someone.tells(*IDLE, *(text for text, _, _ in WISHES))
    return someone


@pytest.mark.report("AWHM-P059")
def test_polite_task_bound_asked_and_reported_phrases_teach_nothing(learner):
    learned = learner.statements() + learner.statements("superseded")
    assert {family for family, _ in learned} == {"preference"}
    assert len(learned) == len(WISHES)
    assert len(learner.messages()) == len(IDLE) + len(WISHES)


@pytest.mark.report("AWHM-P059")
@pytest.mark.parametrize(("text", "wish", "tail"), WISHES)
def test_a_wish_is_kept_without_the_request_behind_it(learner, text, wish, tail):
    (found,) = [said for _, said in learner.statements() if wish in said]
    assert tail not in found


# Slots.

SLOTS = [
    (
        "my default shell is zsh",
        "my default editor is Helix",
        "my default shell is fish",
        ("zsh", "fish", "Helix"),
        ("default shell", "default editor"),
    ),
    (
        "Mi shell por defecto es zsh.",
        "Mi editor por defecto es Helix.",
        "Mi shell por defecto es fish.",
        ("zsh", "fish", "Helix"),
        ("shell por defecto", "editor por defecto"),
    ),
    (
        "Unser Staging-Port ist 8443.",
        "Unser Produktions-Port ist 9443.",
        "Unser Staging-Port ist 8444.",
        ("8443", "8444", "9443"),
        ("Staging-Port", "Produktions-Port"),
    ),
    (
        "The billing queue is SQS.",
        "The mail queue is Redis.",
        "The billing queue is Kafka.",
        ("SQS", "Kafka", "Redis"),
        ("billing queue", "mail queue"),
    ),
]


@pytest.mark.report("AWHM-P060")
@pytest.mark.parametrize(
    ("first", "other", "second", "values", "asked"), SLOTS, ids=["case", "Spanish", "German", "English"]
)
def test_a_slot_is_named_by_its_whole_subject(person, first, other, second, values, asked):
    old, new, beside = values
    person.tells(first, other, second)
    assert sorted(text.rstrip(".") for _, text in person.statements()) == sorted(
        [other.rstrip("."), second.rstrip(".")]
    )
    assert [old in text for _, text in person.statements("superseded")] == [True]
    for question, value, others in ((asked[0], new, (old, beside)), (asked[1], beside, (old, new))):
        first_found = person.asks(question)[0]["text"]
        assert value in first_found and not any(one in first_found for one in others)


# Guesses.

GUESSES = [
    (
        "why is search empty?",
        "The endpoint is returning empty results because the index is broken.",
        "No, the index is fine. My curl parsed the wrong field.",
        "is the search index broken?",
        "index is broken",
    ),
    (
        "¿por qué la búsqueda no devuelve nada?",
        "El endpoint no devuelve nada porque el índice está dañado.",
        "No, el índice está bien. Mi curl leía otro campo.",
        "¿está dañado el índice de búsqueda?",
        "índice está dañado",
    ),
    (
        "Warum ist die Suche leer?",
        "Der Endpunkt liefert nichts, weil der Index kaputt ist.",
        "Nein, der Index ist in Ordnung. Mein curl las das falsche Feld.",
        "Ist der Suchindex kaputt?",
        "Index kaputt ist",
    ),
]


@pytest.mark.report("AWHM-P061")
@pytest.mark.parametrize(("asked", "guess", "answer", "again", "part"), GUESSES, ids=["case", "Spanish", "German"])
def test_an_assistant_s_guess_is_no_fact(person, asked, guess, answer, again, part):
    person.says(asked)
    person.is_answered(guess)
    person.says(answer)
    person.leaves()
    assert [text for _, text in person.statements() if part in text] == []
    for line in person.says(again, "s-2").context.splitlines()[1:]:
        assert part not in line or "the assistant said" in line


@pytest.mark.report("AWHM-P061")
@pytest.mark.parametrize("reply", ["Your port is 8443.", "I prefer tabs.", "Always squash commits.", "Der Port ist 1."])
def test_nothing_that_the_assistant_states_becomes_a_statement(person, reply):
    person.says("What do you think?")
    person.is_answered(reply)
    person.leaves()
    assert person.statements() == []
