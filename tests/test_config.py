import pytest

from awhm_hooks.config import PARAMETERS, AWHMConfig, load, salvaged
from awhm_hooks.errors import AwhmError
from awhm_hooks.paths import Paths

SEED_DEFAULTS = {
    "alpha": 0.3,
    "beta": 0.1,
    "w_rec": 0.4,
    "w_freq": 0.6,
    "w_semantic": 0.55,
    "w_lexical": 0.20,
    "w_strength": 0.15,
    "w_confidence": 0.10,
    "contradiction_penalty": 0.35,
    "include_history_by_default": False,
    "trace_retrieval": False,
    "k": 10,
    "entity_link_threshold": 0.85,
    "dedup_threshold": 0.92,
    "bm25_anchor_ratio": 0.5,
    "embed_threshold": 0.3,
    "raw_log_score_scale": 0.5,
    "neighbor_expansion": True,
    "neighbor_decay": 0.6,
    "w_association": 0.10,
    "stage2_enabled": False,
    "stage2_client": "claude-code",
    "stage2_max_messages": 60,
    "stage2_min_confidence": 0.5,
    "correction_window_messages": 3,
    "delete_snapshots_on_hard_delete": True,
}


@pytest.mark.parametrize(("name", "default"), SEED_DEFAULTS.items())
def test_the_seed_s_defaults_hold(name, default):
    assert getattr(AWHMConfig(), name) == default


def test_every_parameter_says_what_it_is():
    assert all(text for _, text in PARAMETERS.values())


def test_it_is_frozen():
    with pytest.raises(AttributeError):
        AWHMConfig().k = 3


def test_the_environment_beats_the_file_and_the_file_the_default(tmp_path):
    paths = Paths(str(tmp_path))
    (tmp_path / "config.toml").write_text('k = 7\nalpha = 0.5\nner_labels = ["ORG"]\n')
    config = load(paths, {"AWHM_K": "9", "AWHM_SEMANTIC": "0", "AWHM_STAGE2": "1", "AWHM_UNKNOWN": "x"})
    assert (config.k, config.alpha, config.ner_labels) == (9, 0.5, ("ORG",))
    assert (config.semantic, config.stage2_enabled) == (False, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [("k = 'many'\n", "k = 'many'"), ("knn = 3\n", "knn"), ("k = = 3\n", "config.toml"), ("alpha = true\n", "alpha")],
)
def test_a_wrong_file_is_named_with_its_value(tmp_path, text, message):
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(AwhmError, match=message):
        load(Paths(str(tmp_path)), {})


@pytest.mark.parametrize(
    ("text", "environ", "enabled", "k"),
    [
        ("k = 7\nknn = 3\n", {}, True, 7),
        ("k = 7\nalpha = true\n", {}, True, 7),
        ("k = 'many'\n", {"AWHM_K": "9"}, True, 9),
        ("k = 7\n", {"AWHM_ALPHA": "x"}, True, 7),
        ("k = = 3\n", {}, True, 10),
        ('k = = 3\nexclude = ["~/clients"]\n', {}, False, 10),
        ('k = 7\nexlude = ["~/clients"]\n', {}, False, 7),
        ("exclude = 5\n", {}, False, 10),
        ("opt-in = true\n", {}, False, 10),
        ('exclude = ["~/clients"]\nknn = 3\n', {}, True, 10),
    ],
)
def test_of_a_wrong_file_the_rest_holds_and_what_may_be_an_opt_out_silences(tmp_path, text, environ, enabled, k):
    (tmp_path / "config.toml").write_text(text)
    config = salvaged(Paths(str(tmp_path)), environ)
    assert (config.enabled, config.k) == (enabled, k)
    assert config.exclude == (("~/clients",) if "knn" in text and "exclude" in text else ())
