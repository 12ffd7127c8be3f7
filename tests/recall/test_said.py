"""The sentence of a memory that is about the question, and the values in it."""

import pytest

from awhm_hooks.recall.said import Said, words

CARTS = "ugh, again. The carts are in DynamoDB since 10:45. Could you fix the typo? Thanks a lot!"


def test_the_sentence_that_holds_most_of_the_query_is_what_is_said():
    said = Said(CARTS, ["cart", "typo", "stor"])
    assert said.sentence.strip() == "The carts are in DynamoDB since 10:45."
    assert said.around.split() == "ugh, again. The carts are in DynamoDB since 10:45. Could you fix the typo?".split()
    assert {"cart", "dynamodb", "10"} <= said.terms()


@pytest.mark.parametrize("text", ["", " ", "one", "?", "日志保存在集群里。"])
def test_any_text_says_something_or_nothing(text):
    assert Said(text, ["x"]).sentence == text


def test_languages_without_spaces_are_cut_too():
    assert Said("昨天很累。日志保存在集群里。", ["日志", "集群"]).sentence == "日志保存在集群里。"


def test_words_stand_without_what_surrounds_them():
    assert words('Anyway: it is "Luxon", now!') == {"anyway", "it", "is", "luxon", "now"}


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("I had to give it 52 GB. Nice weather.", "it requests 36 GB of memory"),
        ("I left the cut at QUAL 45", "the threshold is QUAL 30 everywhere"),
        ("they take abstracts until 19 June", "it has to be handed in by 2 May"),
        ("see you at the demo, wed 11:30", "the demo is every thu 16:00"),
        ("it is on 8137", "it listens on 8091"),
        ("deliver to s3://dropzone-7", "they are placed in s3://share-leiden"),
        ("ssh deploy@stg-madrid.corp.example", "the server is stg01.corp.example"),
        ("they hang below /data/clients", "they are below /srv/mandanten"),
        ("run it on heron (10.0.4.22)", "it is called falcon, 10.0.4.17"),
        ("one approval and you can merge", "every PR needs two approvals, that's the rule"),
    ],
)
def test_another_measure_in_the_same_unit(now, before):
    assert Said(now, []).remeasures(Said(before, []))


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("it has 36 GB, still", "it requests 36 GB of memory"),
        ("it took 52 minutes", "it requests 36 GB"),
        ("there are 3 of them", "it is on 8091"),
        ("it is at 10:45", "it is on 8091"),
        ("", ""),
    ],
)
def test_the_same_measure_and_one_in_another_unit_are_none(now, before):
    assert not Said(now, []).remeasures(Said(before, []))


def test_two_texts_face_each_other_where_they_speak_of_one_thing():
    before = Said("Morning! The label is off. We render the receipts with wkhtmltopdf.", ["label", "off"])
    now = Said("The label annoyed Priya. So receipts come from Typst. Bye.", [])
    later, earlier = now.facing(Said("Nothing. We render the receipts with wkhtmltopdf.", []))
    assert (later.sentence.strip(), earlier.sentence) == (
        "So receipts come from Typst.",
        "We render the receipts with wkhtmltopdf.",
    )
    assert now.facing(before)[0].sentence.strip() == "The label annoyed Priya."
    assert now.sentence.strip() == "The label annoyed Priya.", "it looks where it looked"


@pytest.mark.parametrize(
    ("now", "is_same"),
    [
        ("the API timeout is 60 seconds", True),
        ("the timeout is 60 seconds", True),
        ("the socket timeout is 60 s", False),
    ],
)
def test_the_words_beside_tell_of_what_it_is(now, is_same):
    before = Said("the API timeout is 30 seconds", ["timeout"])
    assert Said(now, ["timeout"]).strays(before, ["timeout"]) == (not is_same, not is_same)


@pytest.mark.parametrize(
    ("now", "is_other"),
    [
        ("I upgraded the staging database", True),
        ("the production database is slow", False),
        ("staging is like production", True),
        ("the database moved", False),
    ],
)
def test_staging_is_not_production(now, is_other):
    assert Said(now, []).is_of_another_kind(Said("production runs Postgres 14", [])) is is_other


@pytest.mark.parametrize(
    ("now", "drops"),
    [
        ("we dropped tsup in favour of rolldown", True),
        ("forget tsup", True),
        ("we dropped the old tsup config", False),
        ("tsup dropped a config", False),
        ("dropped", False),
    ],
)
def test_what_stands_right_behind_is_dropped(now, drops):
    before = Said("we use tsup to bundle the CLI, one config per package", [])
    assert Said(now, []).drops_value_of(before, ["cli", "config"]) is drops


@pytest.mark.parametrize(
    ("now", "asked", "leaves"),
    [
        ("Grafana ist umgezogen. Der Port ist derselbe wie vorher.", "port", True),
        ("Grafana ist umgezogen. Der Port ist derselbe wie vorher.", "grafana", False),
        ("本番は変わりました。ステージングはそのままです。", "ステ", True),
        ("the port is 80", "port", False),
        ("alarms go to #sirens, deploy noise stays in the old channel", "channel", False),
    ],
)
def test_what_stays_as_it_is_is_left(now, asked, leaves):
    assert Said(now, [asked]).leaves([asked]) is leaves
