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


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("the sync is at 10:45", "the sync is at 09:15"),
        ("we have Python 3.13 on them", "they are still on Python 3.10"),
        ("they go to /mnt/siskin/prev", "they go to /mnt/vireo/prev"),
        ("the reports are on heron-3", "the reports are on kranich-04"),
        ("stay at 175 requests a minute", "it is happy with 640 requests a minute"),
        ("no longer at 09:15, it is at 10:45", "the sync is at 09:15"),
        ("deploys are told in #ship-log", "they are told in #ride-backend"),
        ("ask @okan", "ask @delphine, who knows"),
        ("it is bastion-west", "it was bastion-east"),
        ("it's called palisade-quickstart", "it's called palisade-starter"),
    ],
)
def test_values_of_one_kind_that_differ_contradict(now, before):
    assert Said(now, []).contradicts(Said(before, []))


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("the sync is at 09:15", "the sync is at 09:15"),
        ("backups run at 03:40", "the port is 6432"),
        ("the room has 12 chairs", "the sprint ends on day 3"),
        ("it is recorded now", "it is at 09:15"),
        ("it logs to stdout, e.g. on errors", "it runs on node.js"),
        ("a tree-sitter grammar", "a well-known one, by hand-made rules"),
        ("see #501 in the tracker", "they are told in #ride-backend"),
        ("it - well - runs", "it - no - stands"),
        ("", ""),
    ],
)
def test_the_same_value_another_kind_or_another_number_s_matter_do_not(now, before):
    assert not Said(now, []).contradicts(Said(before, []))


@pytest.mark.parametrize("text", ["it is Luxon now", "Luxon has it now", "it is on /data now", "we have 12 now"])
def test_a_value_is_a_number_a_name_or_a_path(text):
    assert Said(text, []).tells_a_value_beyond(Said("it is something else", []))


@pytest.mark.parametrize(
    "text",
    [
        "The review is recorded now",
        "it got a button",
        "It is date-fns. Good.",
        "It's fine, they've got a schema now",
        "Die Helm-Charts haben jetzt ein Schema und das ist gut",
        "",
    ],
)
def test_everyday_words_and_what_is_known_already_are_none(text):
    assert not Said(text, []).tells_a_value_beyond(Said("it is Date-fns", []))


OWEN = Said("The owner of the recommendations service is Owen Castellane.", ["owner", "recommendation"])


def test_what_takes_a_thing_s_place_names_that():
    now = Said("Mireille Dufort took over the recommendations service from Owen Castellane.", ["recommendation"])
    assert now.names_value_of(OWEN, ["owner", "recommendation"])


def test_a_name_inside_another_word_is_none():
    assert not Said("we moved the backups to S3", []).names_value_of(Said("the backups are run by Ed", []), [])


@pytest.mark.parametrize("text", ["The Recommendations got a new Owner.", "recommendations are slow", ""])
def test_what_only_names_what_is_asked_about_does_not(text):
    assert not Said(text, []).names_value_of(OWEN, ["owner", "recommendation", "servic"])


def test_words_stand_without_what_surrounds_them():
    assert words('Anyway: it is "Luxon", now!') == {"anyway", "it", "is", "luxon", "now"}


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("Rolf has retired, we deal with Saskia", "our contact is Rolf Emmerling"),
        ("we dropped redux toolkit in favour of zustand", "state management is redux toolkit"),
        ("said goodbye to Crowdin on Monday. Weblate now", "translations are managed in Crowdin"),
        ("Good talk. I finally kicked ESLint and Prettier out", "we use eslint + prettier"),
        ("we no longer pay for sentry", "errors go to sentry"),
        ("switched all packages from jest to vitest", "unit tests are jest"),
        ("Snapdesk was rebranded Deskly", "the product is called Snapdesk"),
        ("Jenkins haben wir beerdigt", "Unsere CI läuft auf Jenkins"),
        ("adiós al texto plano", "los logs son texto plano"),
    ],
)
def test_what_the_other_one_names_is_given_up(now, before):
    assert Said(now, []).gives_up(Said(before, []), ["packag"])


@pytest.mark.parametrize(
    "now",
    [
        "Rolf left a message about the outage",
        "Rolf removed the old tests",
        "Rolf takes longer than that",
        "Rolf needs more memory",
        "someone else has retired",
        "Rolf is not on leave",
        "",
    ],
)
def test_what_does_something_is_not_given_up(now):
    assert not Said(now, []).gives_up(Said("our contact is Rolf Emmerling", []), [])


@pytest.mark.parametrize("now", ["we dropped Rolf", "Rolf was replaced"])
def test_what_is_asked_about_is_not_what_is_given_up(now):
    assert not Said(now, []).gives_up(Said("our contact is Rolf Emmerling", []), ["rolf", "emmerl"])


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
    assert Said(now, ["timeout"]).is_about_the_same(before, ["timeout"]) is is_same


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
