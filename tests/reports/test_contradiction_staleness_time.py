"""What was corrected is gone from answers; when something was said or true is told in the person's own time."""

import calendar
import time

import pytest

from reports.person import has_logged, injected_lines
from reports.watching import at_a_clock

# Corrections.

CORRECTIONS = [
    (
        "The backup box is a Synology NAS.",
        "Actually, the backup box is a TrueNAS server.",
        "what is the backup box?",
        ("Synology", "TrueNAS"),
        "backup box",
    ),
    (
        "El servidor de correo es Postfix.",
        "En realidad, el servidor de correo es Exim.",
        "¿cuál es el servidor de correo?",
        ("Postfix", "Exim"),
        "servidor de correo",
    ),
    (
        "Der Mailserver ist Postfix.",
        "Korrektur: Der Mailserver ist Exim.",
        "Was ist der Mailserver?",
        ("Postfix", "Exim"),
        "Mailserver",
    ),
    (
        "The deploy target is Heroku.",
        "No, the deploy target is Fly.io.",
        "what is the deploy target?",
        ("Heroku", "Fly.io"),
        "deploy target",
    ),
]


@pytest.mark.report("AWHM-P062")
@pytest.mark.parametrize(("wrong", "right", "asked", "values", "topic"), CORRECTIONS)
def test_after_a_correction_only_the_right_value_is_told(person, wrong, right, asked, values, topic):
    old, new = values
    person.tells(wrong, session="k1")
    person.says(right, "k2", prompt_id="1")
    told = [person.says(asked, "k2", prompt_id="2").context]
    person.leaves("k2")
    told.append(person.says(asked, "k3").context)
    assert [(new in one, old in one) for one in told] == [(True, False)] * 2
    history = {one["text"]: one for one in person.asks(topic, "--include-history") if one["family"] == "fact"}
    (gone,) = [one for text, one in history.items() if old in text]
    assert gone["status"] == "superseded" and gone["valid_to"] is not None


# Beside the client's own memory.

TOOLS = [
    ("We use pnpm in this project, not npm.", "install deps with pnpm or npm?", "pnpm"),
    ("Usamos pnpm como gestor de paquetes.", "¿qué gestor de paquetes usamos?", "pnpm"),
    ("Wir benutzen pnpm als Paketmanager.", "Was ist unser Paketmanager?", "pnpm"),
]


@pytest.mark.report("AWHM-P064")
@pytest.mark.parametrize(("said", "asked", "part"), TOOLS, ids=["case", "Spanish", "German"])
def test_stop_says_nothing_and_what_is_told_shows_its_date_and_source(person, said, asked, part):
    """The case's prompt, "install deps", names no tool: what to hand back would be a guess. Here it is asked for."""
    memory = person.home / ".claude" / "projects" / "-shop-api" / "memory" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("use npm\n")
    person.says(said)
    assert person.is_answered("Done.").stdout == b""
    person.leaves()
    assert person.says("install deps", "s-2").stdout == b""
    run = person.says(asked, "s-3")
    assert part in run.context
    assert all(line.startswith(f"- [{time.strftime('%Y-%m-%d')}, this project") for line in injected_lines(run))
    assert memory.read_text() == "use npm\n"


# Local time.

ZONES = [
    ("Asia/Tokyo", "2026-05-11T07:55:00", 9, "2026-05-11"),
    ("America/Los_Angeles", "2026-05-10T20:30:00", -7, "2026-05-10"),
    ("Asia/Kolkata", "2026-05-11T03:10:00", 5.5, "2026-05-11"),
    ("Pacific/Auckland", "2026-01-31T23:30:00", 13, "2026-01-31"),
]


def moment(local, offset_hours):
    return calendar.timegm(time.strptime(local, "%Y-%m-%dT%H:%M:%S")) - offset_hours * 3600


@pytest.mark.report("AWHM-P068")
@pytest.mark.parametrize("consolidated", [False, True])
@pytest.mark.parametrize(("zone", "local", "offset", "day"), ZONES)
def test_the_day_told_is_the_person_s_own(person, zone, local, offset, day, consolidated):
    said_at = moment(local, offset)
    fact = person.payload("prompt", "before", prompt="The staging port is 8443.")
    assert at_a_clock(person, "prompt", fact, said_at, TZ=zone).returncode == 0
    if consolidated:
        person.leaves("before", env={"TZ": zone})
    asked = person.payload("prompt", "s-1", prompt="when did I say which staging port?")
    done = at_a_clock(person, "prompt", asked, said_at + 3600, TZ=zone)
    assert f"[{day}, this project" in done.stdout.decode()
    if consolidated:
        found = person.asks("staging port", env={"TZ": zone})
        said = next(one["said_at"] for one in found if one["text"].startswith("The staging port"))
        assert said.startswith(local) and said[19:] not in ("", "Z"), "with its offset"


RELATIVE = [
    (
        "America/Chicago",
        "2026-02-23T23:30:00",
        -6,
        "Yesterday we moved the API endpoint to https://v2.test",
        "2026-02-22",
        "API endpoint",
    ),
    (
        "Asia/Tokyo",
        "2026-02-23T00:30:00",
        9,
        "Gestern haben wir die Datenbank auf Postgres umgestellt.",
        "2026-02-22",
        "Postgres",
    ),
    ("Europe/Berlin", "2026-02-23T00:30:00", 1, "Gestern sind wir auf pnpm umgestiegen", "2026-02-22", "pnpm"),
    ("Europe/Madrid", "2026-07-01T00:15:00", 2, "Ayer migramos la API a https://v2.test", "2026-06-30", "API"),
]


@pytest.mark.report("AWHM-P069")
@pytest.mark.parametrize(
    ("zone", "local", "offset", "said", "day", "asked"), RELATIVE, ids=["case", "German", "second verb", "Spanish"]
)
def test_yesterday_is_counted_where_it_was_said(person, zone, local, offset, said, day, asked):
    env = {"TZ": zone}
    at_a_clock(person, "prompt", person.payload("prompt", "s-1", prompt=said), moment(local, offset), **env)
    person.leaves(env=env)
    statements = [one for one in person.asks(asked, "--as-of", day, env=env) if one["family"] != "message"]
    assert statements and statements[0]["valid_from"].startswith(day), statements
    before = time.strftime("%Y-%m-%d", time.gmtime(calendar.timegm(time.strptime(day, "%Y-%m-%d")) - 86_400))
    assert [one for one in person.asks(asked, "--as-of", before, env=env) if one["family"] != "message"] == []


# Travelling in time.


@pytest.fixture(scope="module")
def traveller(new_person):
    """The endpoint was v1 from the new year to the first of March, v2 from then on."""
    someone = new_person()
    for month, session, text in (
        (1, "old", "The API endpoint is https://v1.test"),
        (3, "new", "Actually, the API endpoint is https://v2.test"),
    ):
        has_logged(someone, session, [text], at=moment(f"2026-0{month}-01T10:00:00", 0))
    someone.runs("consolidate")
    return someone


AS_OF = [
    ("March 2026", "v2.test"),
    ("2026-02-01", "v1.test"),
    ("marzo de 2026", "v2.test"),
    ("Februar 2026", "v1.test"),
    ("2026-13-40", None),
    ("2026-02-30", None),
    ("soonish", None),
    ("", None),
    ("  ", None),
]


@pytest.mark.report("AWHM-P070")
@pytest.mark.parametrize(("date", "part"), AS_OF)
def test_a_date_is_understood_or_refused(traveller, date, part):
    done = traveller.runs("query", "API endpoint", "--as-of", date)
    if part is None:
        assert done.returncode != 0 and done.stderr and not done.stdout
    else:
        assert done.returncode == 0 and part in done.stdout, done.stderr


INVERTED = [
    ("From June until May the endpoint is https://x.test", "endpoint", "x.test"),
    ("From 2026-09-01 until 2026-03-01 the staging port is 8443.", "staging port", "8443"),
    ("Von Juni bis Mai ist der Endpunkt https://x.test", "Endpunkt", "x.test"),
    ("Desde junio hasta mayo el endpoint es https://x.test", "endpoint", "x.test"),
]


@pytest.mark.report("AWHM-P070")
@pytest.mark.parametrize(("said", "asked", "part"), INVERTED, ids=["case", "days", "German", "Spanish"])
def test_an_end_before_the_start_makes_nothing_unreachable(person, said, asked, part):
    person.tells(said)
    assert any(part in one["text"] for one in person.asks(asked))
    windows = person.rows("SELECT valid_from, valid_to FROM nodes WHERE valid_to IS NOT NULL")
    assert all(begin is None or begin < end for begin, end in windows)
