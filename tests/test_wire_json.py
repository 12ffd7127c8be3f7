import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks import wire_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_both_halves_agree_with_the_public_module(value):
    assert json.loads(wire_json.dumps(value)) == value
    assert wire_json.loads(json.dumps(value)) == value
    assert wire_json.loads(json.dumps(value, ensure_ascii=False)) == value


@given(st.text())
def test_a_text_is_refused_exactly_when_the_public_module_refuses_it(text):
    try:
        expected = json.loads(text, strict=False)
    except ValueError:
        with pytest.raises(ValueError):
            wire_json.loads(text)
    else:
        got = wire_json.loads(text)
        assert got == expected or (got != got and expected != expected)


@pytest.mark.parametrize("text", ["", " ", "{", "[1", '{"a":1} x', "nul", '"\\ud800', "[" * 100_000])
def test_what_is_no_json_raises_value_error(text):
    with pytest.raises(ValueError):
        wire_json.loads(text)


def test_lone_surrogates_and_control_characters_pass():
    assert wire_json.loads('"a\\udc88\tb"') == "a\udc88\tb"
    assert wire_json.dumps("\udc88\n") == '"\\udc88\\n"'


def test_the_c_half_is_used_without_the_public_module():
    code = (
        "import sys; from awhm_hooks import wire_json as w; w.loads(w.dumps({'a': [1]})); print('json' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_what_is_no_json_value_is_refused():
    with pytest.raises(TypeError):
        wire_json.dumps({"a": object()})
