"""The seed's synthetic benchmark: three facts, each corrected in a second session."""

from awhm_hooks.evaluate.corpus import Corpus
from awhm_hooks.evaluate.formats import native

NAME = "builtin"
CATEGORY = "correction"
_ASKED = "What is the API endpoint?"
_FACTS = (
    ("preferred_language", "my preferred language is", "Python", "Rust", "What is my preferred language?"),
    ("api_endpoint", "the API endpoint is", "https://api.v1.example.com", "https://api.v2.example.com", _ASKED),
    ("city", "my city is", "San Francisco", "New York", "What is my city?"),
)


def corpus() -> Corpus:
    """The two sessions and the three questions, each with its fresh value and the stale one that must not come back."""
    before = [{"role": "user", "content": f"{fact[0].upper()}{fact[1:]} {old}"} for _, fact, old, _, _ in _FACTS]
    after = [{"role": "user", "content": f"Actually, {fact} {new}"} for _, fact, _, new, _ in _FACTS]
    questions = [
        {"id": name, "question": asked, "expected": [new], "forbidden": [old], "category": CATEGORY}
        for name, _, old, new, asked in _FACTS
    ]
    sessions = [{"id": "baseline", "messages": before}, {"id": "corrections", "messages": after}]
    return native.read({"sessions": sessions, "questions": questions}, NAME)
