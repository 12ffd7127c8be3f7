"""The Python API, as the seed has it."""

import os
import subprocess
import sys
import time
from datetime import datetime

import pytest
from conftest import clean_env

import awhm_hooks
from awhm_hooks import AWHMConfig, AWHMSession, Role
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.journal import raw_log
from awhm_hooks.manage import pausing
from awhm_hooks.mock_embeddings import embed
from awhm_hooks.paths import Paths

QUICK = {"ner_labels": (), "semantic": False}


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return AWHMConfig(data_dir=str(tmp_path / "memory"), **QUICK)


@pytest.fixture
def session(config):
    with AWHMSession.start_session(config, use_mock_embeddings=True) as session:
        yield session


def contents(results):
    return [result.content for result in results]


def test_the_seed_s_quick_start(config):
    session = AWHMSession.start_session(config, use_mock_embeddings=True)
    session.log_message(Role.USER, "My name is Alice")
    session.log_message(Role.ASSISTANT, "Hello Alice!")
    session.log_message(Role.USER, "I prefer Python over JavaScript")
    session.log_message(Role.USER, "The API endpoint is https://api.example.com/v2")
    results = session.query("What language does the user prefer?")
    assert results[0].content == "I prefer Python over JavaScript"
    assert results[0].source == "buffer"
    assert results[0].id is None
    report = session.consolidate_current()
    assert (report.sessions, report.counts["messages"], report.counts["statements"]) == (1, 4, 3)
    again = session.query("What language does the user prefer?", k=1)
    assert [(one.content, one.source, one.status) for one in again] == [(results[0].content, "graph", "active")]
    assert again[0].id
    session.end_session()


def test_a_context_manager_ends_the_session_once(config):
    with AWHMSession.start_session(config) as session:
        session.log_message("user", "The staging port is 8443.")
    session.end_session()
    kinds = [record.kind for record in raw_log.read(session.paths.log_file(session.session_id))]
    assert kinds == ["start", "message", "end"]
    with pytest.raises(AwhmError, match="has ended"):
        session.log_message(Role.USER, "Too late.")


def test_a_session_goes_on_under_its_id_and_the_next_one_recalls_it(config):
    with AWHMSession.start_session(config, session_id="chat-1") as session:
        session.log_message(Role.USER, "The staging port is 8443.")
    with AWHMSession.start_session(config, session_id="chat-1") as session:
        session.log_message(Role.USER, "Actually, the staging port is 9443.")
        session.consolidate_current()
    with AWHMSession.start_session(config) as other:
        assert contents(other.query("staging port"))[0] == "the staging port is 9443"
        assert "8443" not in " ".join(contents(other.query("staging port")))


def test_projects_are_apart_and_the_person_s_own_is_everywhere(config, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    with AWHMSession.start_session(config, project=str(tmp_path / "a")) as session:
        session.log_message(Role.USER, "The staging port is 8443.")
        session.log_message(Role.USER, "My name is Alice.")
    with AWHMSession.start_session(config, project=str(tmp_path / "b")) as other:
        assert contents(other.query("staging port")) == []
        assert "Alice" in contents(other.query("what is my name"))[0]


def test_history_and_time_travel(session):
    session.log_message(Role.USER, "The API endpoint is https://v1.test")
    session.consolidate_current()
    between = datetime.now().astimezone()
    time.sleep(0.01)  # the log keeps milliseconds
    session.log_message(Role.USER, "Actually, the API endpoint is https://v2.test")
    session.consolidate_current()
    now = contents(session.query("API endpoint"))
    assert "v2.test" in now[0]
    assert not [text for text in now if "v1.test" in text]
    assert [text for text in contents(session.query("API endpoint", include_history=True)) if "v1.test" in text]
    then = contents(session.query("API endpoint", as_of=between))
    assert "v1.test" in then[0]
    assert not [text for text in then if "v2.test" in text]
    assert session.query("API endpoint", as_of="2001-01-01") == []
    with pytest.raises(UsageError, match="is no date"):
        session.query("API endpoint", as_of="someday")


def test_the_trace_is_there_when_asked_for(session):
    session.log_message(Role.USER, "The staging port is 8443.")
    assert session.query("staging port")[0].trace is None
    assert session.query("staging port", with_trace=True)[0].trace["relevance"] > 0


def test_secrets_and_private_words_reach_no_file(session):
    key = "ghp_Ab3dE9Ab3dE9Ab3dE9Ab3dE9Ab3dE9Ab3dE9"
    session.log_message(Role.USER, f"Push with {key} please.")
    assert session.log_message(Role.USER, "<private>all of it</private>") is None
    assert session.log_message(Role.USER, "   ") is None
    with open(session.paths.log_file(session.session_id)) as file:
        assert key not in file.read()


def test_an_unknown_role_is_refused(session):
    with pytest.raises(UsageError, match="user, assistant"):
        session.log_message("narrator", "x")


def test_a_paused_session_logs_nothing_and_may_still_be_asked(session, tmp_path):
    session.log_message(Role.USER, "The staging port is 8443.")
    pausing.pause(session.paths, {"HOME": str(tmp_path)}, "", 0.0)
    assert session.log_message(Role.USER, "The code name is Falcon.") is None
    assert contents(session.query("staging port"))[0] == "The staging port is 8443"
    assert contents(session.query("code name Falcon")) == []


def test_without_a_configuration_the_environment_s_holds(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWHM_DATA_DIR", str(tmp_path / "here"))
    monkeypatch.setenv("AWHM_K", "3")
    with AWHMSession.start_session() as session:
        assert (session.paths.data_dir, session.config.k) == (str(tmp_path / "here"), 3)


def test_mock_embeddings_are_never_stored(session):
    session.log_message(Role.USER, "The staging port is 8443.")
    session.consolidate_current()
    assert not [name for name in os.listdir(session.paths.graph) if name.startswith("vectors")]


def test_mock_vectors_are_the_same_everywhere_and_near_for_shared_words():
    texts = ["The staging port is 8443.", "Which staging port?", "A haiku about the sea.", ""]
    vectors = embed(texts)
    code = f"from awhm_hooks.mock_embeddings import embed; print(embed({texts!r}).tobytes().hex())"
    env = {**clean_env("/nowhere", "/nowhere"), "PYTHONPATH": os.path.dirname(os.path.dirname(awhm_hooks.__file__))}
    other = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == vectors.tobytes().hex()
    cosines = vectors @ vectors[0]
    assert cosines[0] == pytest.approx(1.0)
    assert cosines[1] > 0.4 > abs(cosines[2]) and cosines[3] == 0


def test_stage_2_asks_the_client_that_is_handed_over(config, tmp_path):
    class Client:
        asked = 0

        def complete_json(self, system, user, schema):
            self.asked += 1
            return '{"memories": []}'

    client = Client()
    with AWHMSession.start_session(config.with_values(stage2_enabled=True), llm_client=client) as session:
        session.log_message(Role.USER, "Let us go with Rust for the importer then, I think it is the better fit.")
        session.consolidate_current()
    assert client.asked == 1


def test_importing_the_package_loads_none_of_it():
    code = "import sys, awhm_hooks; print([name for name in sys.modules if name.startswith('awhm_hooks.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert {"AWHMSession", "AWHMConfig", "Role", "QueryResult"} <= set(dir(awhm_hooks))
    with pytest.raises(AttributeError, match="no attribute"):
        awhm_hooks.nothing


def test_a_deleted_memory_is_not_begun_anew_without_being_told(tmp_path, monkeypatch):
    environ = {"HOME": str(tmp_path), "AWHM_DATA_DIR": str(tmp_path / "here")}
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    pausing.begin_anew(Paths(environ["AWHM_DATA_DIR"]), environ)
    os.rmdir(environ["AWHM_DATA_DIR"])
    with pytest.raises(AwhmError, match="awhm init"):
        AWHMSession.start_session()
