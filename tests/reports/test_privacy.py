"""What is private or secret reaches no file; what is forgotten is gone; where memory is not wanted it keeps out."""

import shutil
import time

import pytest

from reports import transcripts

# Private spans.

PROMPTS = [
    ("Rotate it. <private>vault pin 4471</private> I prefer monthly rotation.", "4471", "monthly rotation"),
    (
        "<PRIVATE>\nder Code ist 991-A\n</PRIVATE>\nIch bevorzuge wöchentliche Rotation.",
        "991-A",
        "wöchentliche Rotation",
    ),
    (
        "a <private>uno <private>dos-77</private> tres-78</private> b, prefiero rotar cada mes",
        "tres-78",
        "rotar cada mes",
    ),
    ('Prefer <private reason="x">k-5512</private> yearly rotation.', "k-5512", "yearly rotation"),
]


@pytest.mark.report("AWHM-P041")
@pytest.mark.parametrize(("text", "hidden", "kept"), PROMPTS, ids=["case", "German", "nested", "attribute"])
def test_a_private_span_of_a_prompt_reaches_no_file(person, text, hidden, kept):
    person.says(text)
    person.leaves()
    assert person.files_with(hidden) == []
    assert person.files_with(kept) != []


REPLIES = [
    ("Sure: <private>client is Northwind</private> migration is done.", "northwind", "migration is done"),
    ("The plan: step 1. <private>client is Northwind, and more", "northwind", "step 1"),
    ("Klar. <private>Kunde ist Nordwind AG</private> Umzug ist fertig.", "nordwind", "Umzug ist fertig"),
    ("Hecho. <private>el cliente es Vientonorte", "vientonorte", "Hecho"),
]


@pytest.mark.report("AWHM-P042")
@pytest.mark.parametrize(("text", "hidden", "kept"), REPLIES, ids=["case", "unclosed", "German", "unclosed Spanish"])
def test_a_private_span_of_a_reply_reaches_no_file(person, text, hidden, kept):
    person.is_answered(text)
    person.leaves()
    assert person.files_with(hidden) == []
    assert person.files_with(kept) != []


# Secrets.

GITHUB = "ghp_" + "Ab3dE9" * 6
SLACK = "xoxb-" + "2048573920-" * 2 + "aB3xY9kLm2Qp7RtZ4vWc8NdE"
ANTHROPIC = "sk-ant-api03-" + "Zx9Qw7Er5Ty3Ui1Op" * 5 + "AA"
SECRETS = {
    "case": (
        f"use {GITHUB} to push and AKIAIOSFODNN7EXAMPLE for S3; db is postgres://app:hunter2pass@db.local/x",
        f"Set GITHUB_TOKEN={GITHUB}",
        [GITHUB, "AKIAIOSFODNN7EXAMPLE", "hunter2pass"],
        "S3",
    ),
    "German": (
        f"Der Slack-Token ist {SLACK}, und mein Passwort lautet Sommer!2031x. Die Staging-Region ist fra1.",
        f"SLACK_TOKEN='{SLACK}' steht jetzt in der Umgebung.",
        [SLACK, "Sommer!2031x"],
        "fra1",
    ),
    "Spanish": (
        f"la clave de la API es {ANTHROPIC}; el usuario de staging es deploy-bot",
        f"export ANTHROPIC_API_KEY={ANTHROPIC}",
        [ANTHROPIC],
        "deploy-bot",
    ),
    "key file": (
        "add this to the agent\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n"
        "AAAAMwAAAAtzc2gtZWQyNTUxOQAAACBqkX7\n-----END OPENSSH PRIVATE KEY-----\nthe host is build-7",
        "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0."
        "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        ["b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ", "dozjgNryP4J3jVmNHl0w5N"],
        "build-7",
    ),
}


@pytest.mark.report("AWHM-P043")
@pytest.mark.parametrize("kind", SECRETS)
def test_secrets_reach_no_file_and_no_injection(person, kind):
    prompt, reply, secrets, kept = SECRETS[kind]
    person.says(prompt)
    person.is_answered(reply)
    told = person.says("what did I say about the token, the key, the host, staging and push?", "s-2").context
    person.leaves()
    told += person.says("which token, key, password or host was that for push and staging?", "s-3").context
    for secret in secrets:
        assert person.files_with(secret) == []
        assert secret not in told
    assert person.files_with("[redacted:") != []
    assert any(kept in one["text"] for one in person.asks(kept))


# Forgetting.

FORGOTTEN = [
    ("The client is Northwind", "Northwind", "Northwind signed off on the plan."),
    ("El cliente es Vientonorte SL.", "Vientonorte", "Vientonorte aprobó el plan."),
    ("Unser Kunde ist die Nordwind AG.", "Nordwind", "Die Nordwind AG hat zugestimmt."),
]


@pytest.mark.report("AWHM-P045")
@pytest.mark.parametrize(("said", "name", "reply"), FORGOTTEN, ids=["case", "Spanish", "German"])
def test_what_is_deleted_is_in_no_byte_and_does_not_come_back(person, said, name, reply):
    path = person.home / ".claude" / "projects" / "-shop-api" / "s-1.jsonl"
    person.says(f"{said}. Our database is Postgres 16.".replace("..", "."), prompt_id="1")
    transcripts.write(path, [transcripts.line("user", said, time.time(), "s-1", person.project, promptId="1")])
    person.leaves()
    person.says("Any news from the client?", "s-2")
    person.is_answered(reply, "s-2")
    person.leaves("s-2")
    assert person.runs("snapshot", "create").returncode == 0
    assert person.files_with(name)
    gone = person.runs("delete", "--match", name, "--yes")
    assert gone.returncode == 0, gone.stdout + gone.stderr
    for place in ("raw logs", "graph", "snapshots"):
        assert place in gone.stdout
    assert person.files_with(name) == []
    assert person.runs("delete", "--verify", name).returncode == 0
    person.begins("s-1", "resume")
    person.leaves("s-1")
    assert person.runs("import", str(path.parent)).returncode == 0
    assert person.files_with(name) == []
    assert person.files_with("Postgres 16"), "only the spans concerned"


@pytest.mark.report("AWHM-P045")
@pytest.mark.parametrize("options", [("nosuchid",), ("nosuchid", "--yes"), ("--match", "nobody said this", "--yes")])
def test_deleting_nothing_is_no_success(person, options):
    person.tells("The client is Northwind.")
    done = person.runs("delete", *options)
    if options[0] == "--match":
        assert done.returncode == 0 and "0 deleted" in done.stdout, "a search that finds nothing has done its work"
    else:
        assert done.returncode != 0 and "nosuchid" in done.stderr
    assert person.files_with("Northwind")


# Opting out.


@pytest.mark.report("AWHM-P046")
@pytest.mark.parametrize("text", ["hello again", "¿qué recuerdas de mí?", "I prefer tabs over spaces."])
def test_a_deleted_data_directory_stays_deleted(person, text):
    folder = person.home / ".claude" / "projects" / "-shop-api"
    folder.mkdir(parents=True)
    for number in range(30):
        (folder / f"old-{number}.jsonl").write_text(
            '{"type":"user","message":{"role":"user","content":"I use vim."}}\n'
        )
    assert person.runs("init").returncode == 0
    person.tells("The client is Northwind.")
    shutil.rmtree(person.data_dir)
    for session in ("s-1", "s-2"):
        for step in (person.begins, lambda s: person.says(text, s), lambda s: person.is_answered("ok", s)):
            done = step(session)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        person.leaves(session, wait=False)
    person.waits_for_all_processes()
    assert not person.data_dir.exists()
    assert person.runs("init").returncode == 0
    person.tells(text, session="s-3")
    assert person.messages() == [("user", text)]


TREES = ["clients/acme/api", "clients/deep/er/est", "lab/x", "scratch"]


@pytest.fixture(scope="module")
def opted(new_person):
    """Two people in the same trees: one shuts some out, one lets only marked ones in."""
    found = {}
    for mode, settings in (
        ("excluding", {"AWHM_EXCLUDE": "~/clients/**"}),
        ("opt-in", {"AWHM_OPT_IN": "1"}),
    ):
        someone = found[mode] = new_person(**settings)
        for tree in TREES:
            (someone.home / tree).mkdir(parents=True)
        (someone.home / "lab" / (".awhmignore" if mode == "excluding" else ".awhminclude")).touch()
        (someone.home / "alias").symlink_to(someone.home / "clients" / "acme")
    return found


@pytest.mark.report("AWHM-P047")
@pytest.mark.parametrize(
    ("mode", "tree", "heard"),
    [
        ("excluding", "clients/acme/api", False),
        ("excluding", "clients/deep/er/est", False),
        ("excluding", "alias/api", False),
        ("excluding", "lab/x", False),
        ("excluding", "scratch", True),
        ("opt-in", "scratch", False),
        ("opt-in", "clients/acme/api", False),
        ("opt-in", "lab/x", True),
    ],
)
def test_a_tree_is_heard_or_not_as_its_owner_wants(opted, mode, tree, heard):
    person = opted[mode]
    session, cwd = f"s-{tree.replace('/', '-')}", person.home / tree
    before = person.size() if person.data_dir.exists() else 0
    said = person.says("The client wants SSO.", session, cwd=cwd)
    person.is_answered("Noted: SSO.", session, cwd=cwd)
    told = person.says("what does the client want?", session + "-2", cwd=cwd)
    assert (said.returncode, said.stdout, said.stderr) == (0, b"", b"")
    after = person.size() if person.data_dir.exists() else 0
    assert ("SSO" in told.context, told.stdout != b"", after > before) == (heard, heard, heard)
