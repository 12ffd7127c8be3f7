"""The proper names of a query, wanted and unwanted: "the dates for Kyoto, not the Tokyo stay".

Words and meaning both take Tokyo for nearly Kyoto. Where some memory holds a name that was asked for, one that holds
none of them, and stands beside none that does, is about something else.
"""

_EDGES = ".,;:!?()[]{}\"'“”‘’«»"
_ENDS = ".!?:"
_NOT_NAMES = frozenset(
    """i i'm i'd i've i'll ok api url id january february march april may june july august september october november
december monday tuesday wednesday thursday friday saturday sunday""".split()
)
_NEGATIONS = frozenset(("not", "nicht", "no", "without", "ohne", "sin", "except"))
_REACH = 3  # words that a negation reaches
_LEAST_CHARS = 3
_LONGEST_NAME = 24


def names(text: str) -> tuple[set[str], set[str]]:
    """(wanted, unwanted) names, in lower case: capitalised words inside a sentence; those in a row are one name.

    A text in capitals, or in a script or language that writes most nouns so, gives none: there a capital says nothing.
    """
    words = text.split()
    capitals = sum(1 for word in words if word[:1].isupper())
    if capitals * 2 > len(words):
        return set(), set()
    wanted: set[str] = set()
    unwanted: set[str] = set()
    is_start, since_negation = True, _REACH + 1
    joined = ""  # the name that the word before ended in
    for word in words:
        bare = word.strip(_EDGES).removesuffix("'s").removesuffix("’s")
        lower = bare.lower()
        since_negation = 0 if lower in _NEGATIONS else since_negation + 1
        is_name = bare[:1].isupper() and len(bare) >= _LEAST_CHARS and "/" not in bare  # "an A/B test"
        if is_name and not is_start and lower not in _NOT_NAMES:
            found = unwanted if since_negation <= _REACH else wanted
            if joined in found:
                found.discard(joined)
                lower = f"{joined} {lower}"
            found.add(lower)
            joined = lower if word.endswith(bare) else ""
        else:
            joined = ""
        is_start = word[-1:] in _ENDS
    return wanted, unwanted - wanted


def holds(text: str, wanted: set[str]) -> bool:
    """The text holds all words of one of the names."""
    lower = text.lower()
    return any(name in lower or all(word in lower for word in name.split()) for name in wanted)


def speaker(text: str) -> str:
    """Who says it, in lower case, where the text begins with a name and a colon; "" where it does not."""
    name, colon, _ = text[:_LONGEST_NAME].partition(": ")
    return name.lower() if colon and name.isalpha() and name[0].isupper() else ""
