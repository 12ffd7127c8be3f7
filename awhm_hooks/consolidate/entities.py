"""One node for an entity, however it is written: normal forms, aliases, and the known entities that a text names."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from awhm_hooks.consolidate.word_lists import COMPANY_WORDS, EVERYDAY_NAMES, SECOND_LEVEL_DOMAINS, TOP_LEVEL_DOMAINS

Similarity = Callable[[str, str], float]

COSINE_MIN = 0.85
RATIO_MIN = 0.3
MAX_EXTRA_WORDS = 2

# Labels that the model confuses with one another; a person is never a place or a company.
_KINDS = {"GPE": "place", "LOC": "place", "FAC": "place", "ORG": "maker", "PRODUCT": "maker", "NORP": "group"}
_URL = re.compile(r"(?i)^[a-z][a-z0-9+.-]*://(?:[^/@\s]*@)?([^/?#:\s]+)\S*$")
_DOMAIN = re.compile(r"(?i)^[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)+\.?$")
_INITIALS = re.compile(r"\b(?:\w\.){2,}")
_POSSESSIVE = re.compile(r"(?i)(?<=\w)['’]s?(?!\w)")
_SENTENCE_END = re.compile(r"(?:^|[.!?:\n])\s*$")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_NUMBERS = re.compile(r"\d+")


def normalise(surface: str) -> str:
    """The form by which spellings of one entity meet: "Acme Holdings Ltd", "ACME's" and "acme.com" are all "acme".

    Letters of every script stay (the reference turns "München" into "m nchen" and drops Chinese names), and so do the
    signs that tell C, C++ and C# apart. Empty where no letter or digit is.
    """
    plain = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", surface).strip())
    parts = [_site(part) or part for part in plain.split()]
    words = _words(_INITIALS.sub(lambda found: found[0].replace(".", "") + " ", " ".join(parts)))
    if len(parts) == 1 and parts[0] != plain:  # "acme-corp.com" is a name of its own
        return " ".join(words)
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    kept = len(words)
    while kept > 1 and words[kept - 1] in COMPANY_WORDS:
        kept -= 1
    if kept == 1 and words[0] in COMPANY_WORDS:  # "Limited Company" is all there is
        kept = len(words)
    return " ".join(words[:kept])


def _site(word: str) -> str | None:
    """The name that a domain or an address was registered under: "acme" for "docs.acme.co.uk"; None for other words."""
    address = _URL.match(word)
    host = (address[1] if address else word).strip(".,;:!?()")
    if not address and not _DOMAIN.match(host):
        return None
    labels = host.lower().split(".")
    if labels[-1] == "js" and len(labels) == 2:  # "Node.js" is as often called Node
        return labels[0]
    if len(labels) < 2 or labels[-1] not in TOP_LEVEL_DOMAINS:
        return host if address else None
    labels.pop()
    if len(labels) > 1 and labels[-1] in SECOND_LEVEL_DOMAINS:
        labels.pop()
    return labels[-1]


def _words(text: str) -> list[str]:
    folded = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text)).casefold()
    spaced: list[str] = []
    for position, letter in enumerate(folded):
        kept = unicodedata.category(letter)[0] in "LNM" or (letter in "+#" and position > 0 and spaced[-1] != " ")
        spaced.append(letter if kept else " ")
    return "".join(spaced).split()


class EntityIndex:
    """Every known entity by its aliases. In memory: built from the graph, kept in step with `register`."""

    def __init__(self, rows: Iterable[tuple[int, str | None, str, Iterable[str]]] = ()) -> None:
        """Rows are (node_id, label, name, aliases)."""
        self._labels: dict[int, str | None] = {}
        self._names: dict[int, str] = {}
        self._surfaces: dict[int, set[str]] = {}
        self._nodes: dict[str, list[int]] = {}
        self._forms: dict[str, list[tuple[str, ...]]] = {}
        self._unspaced: list[str] = []
        for node_id, label, name, aliases in rows:
            self.register(node_id, label, name)
            for alias in aliases:
                self.register(node_id, label, alias)

    def register(self, node_id: int, label: str | None, surface: str) -> bool:
        """Records a spelling of the entity, which may be new itself. True where the spelling was not known for it."""
        spelling = " ".join(surface.split()).casefold()
        form = normalise(surface)
        surfaces = self._surfaces.setdefault(node_id, set())
        if self._labels.get(node_id) is None:
            self._labels[node_id] = label
        if not form or spelling in surfaces:
            return False
        self._names.setdefault(node_id, form)
        surfaces.add(spelling)
        nodes = self._nodes.setdefault(form, [])
        if not nodes:
            words = tuple(form.split())
            self._forms.setdefault(words[0], []).append(words)
            if _UNSPACED.search(form):
                self._unspaced.append(form)
        if node_id not in nodes:
            nodes.append(node_id)
        return True

    def resolve(
        self,
        surface: str,
        label: str | None,
        similarity: Similarity | None = None,
        cosine_min: float = COSINE_MIN,
    ) -> int | None:
        """The known entity that the name means, by alias, by containment or by meaning; None for none or several."""
        form = normalise(surface)
        if not form:
            return None
        same = self._agreeing(self._nodes.get(form, ()), label)
        if same:
            return same[0] if len(same) == 1 else None
        near = self._agreeing(self._containing(tuple(form.split())), label)
        if near:
            return near[0] if len(near) == 1 else None
        return None if similarity is None else self._by_meaning(form, label, similarity, cosine_min)

    def mentions(self, text: str) -> list[int]:
        """The known entities that the text names by whole words, in order; the longest name where names overlap."""
        found: dict[int, None] = {}
        folded = " ".join(_words(text))
        for form in self._unspaced:
            if form in folded:
                found.update(dict.fromkeys(self._nodes[form]))
        words = folded.split()
        position = 0
        while position < len(words):
            here = self._longest_at(words, position)
            name = " ".join(here)
            if here and (name not in EVERYDAY_NAMES or _has_capital(text, name)):
                found.update(dict.fromkeys(self._nodes[name]))
            position += len(here) or 1
        return list(found)

    def _agreeing(self, nodes: Iterable[int], label: str | None) -> list[int]:
        return [node for node in nodes if _agree(self._labels[node], label)]

    def _containing(self, words: tuple[str, ...]) -> list[int]:
        """Entities with the same first word of whose words and these one holds all of the other, or nearly no more."""
        near: dict[int, None] = {}
        ours = set(words)
        for other in self._forms.get(words[0], ()):
            theirs = set(other)
            if (ours < theirs or theirs < ours) and len(ours ^ theirs) <= MAX_EXTRA_WORDS:
                near.update(dict.fromkeys(self._nodes[" ".join(other)]))
        return list(near)

    def _by_meaning(self, form: str, label: str | None, similarity: Similarity, cosine_min: float) -> int | None:
        best: tuple[float, int] | None = None
        spelling = SequenceMatcher(None, b=form)
        for node, name in self._names.items():
            if label is None or self._labels[node] != label or _NUMBERS.findall(name) != _NUMBERS.findall(form):
                continue
            spelling.set_seq1(name)
            if spelling.quick_ratio() < RATIO_MIN or spelling.ratio() < RATIO_MIN:
                continue
            cosine = similarity(form, name)
            if cosine >= cosine_min and (best is None or cosine > best[0]):
                best = (cosine, node)
        return None if best is None else best[1]

    def _longest_at(self, words: list[str], position: int) -> tuple[str, ...]:
        here = [
            form
            for form in self._forms.get(words[position], ())
            if list(form) == words[position : position + len(form)]
        ]
        return max(here, key=_length, default=())


def _length(form: tuple[str, ...]) -> int:
    return len(form)


def _agree(one: str | None, other: str | None) -> bool:
    return (
        one is None
        or other is None
        or one == other
        or (_KINDS.get(one) is not None and _KINDS[one] == _KINDS.get(other))
    )


def _has_capital(text: str, word: str) -> bool:
    """Whether the word stands somewhere with a capital that no beginning of a sentence explains."""
    return any(
        not found[0].islower() and not _SENTENCE_END.search(text, 0, found.start())
        for found in re.finditer(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)
    )
