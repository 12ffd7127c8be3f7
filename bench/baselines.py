"""What plain methods reach on the same documents: BM25, BM25 with stop words and stems, MiniLM, and two fusions.

Documents are what results are judged as: turns, or whole sessions. A session's vectors are those of its turns; its
cosine is that of the best of them. No method abstains, save that BM25 has no result where no term is shared.
"""

import re

import numpy as np
from rank_bm25 import BM25Okapi

from awhm_hooks.evaluate.answering import judge
from awhm_hooks.evaluate.corpus import Granularity
from awhm_hooks.recall import tokens

METHODS = ("BM25", "BM25 stop+stem", "MiniLM", "RRF", "min-max .5")
RRF_K = 60  # Cormack et al. 2009
DEPTH = 200
_WORD = re.compile(r"\w+")

try:
    import snowballstemmer

    _stem = snowballstemmer.stemmer("english").stemWord
except ImportError:  # a development dependency: the product's own stems are close
    _stem = tokens.stem


def plain_terms(text):
    return _WORD.findall(text.lower())


def stemmed_terms(text):
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in tokens.STOP_WORDS]


class Terms:
    """Terms of texts, computed once a text."""

    def __init__(self, split):
        self._split = split
        self._known = {}

    def of(self, text):
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._split(text)
        return found


class Baselines:
    """Judgements of the plain methods over a corpus; `embed` maps texts to lists of vectors."""

    def __init__(self, embed):
        self._embed = embed
        self._plain = Terms(plain_terms)
        self._stemmed = Terms(stemmed_terms)
        self._vectors = {}

    def judgements(self, corpus, granularity, progress=None):
        """{method: [judgement of each question, in order]}"""
        texts = list(
            dict.fromkeys(turn.text for store in corpus.stores for one in store.sessions for turn in one.turns)
        )
        texts += [question.text for question in corpus.questions()]
        texts = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        self._vectors |= dict(zip(texts, self._embed(texts, progress), strict=True))
        found = {method: [] for method in METHODS}
        for store in corpus.stores:
            self._store(store, granularity, found)
        return found

    def _store(self, store, granularity, found):
        documents = {}
        for session in store.sessions:
            for turn in session.turns:
                unit = session.id if granularity is Granularity.SESSION else turn.judged_as
                documents.setdefault((session.project, unit), []).append(turn.text)
        for project in {question.project for question in store.questions}:
            seen = {unit: texts for (place, unit), texts in documents.items() if project in (None, place)}
            index = Index(seen, self._plain, self._stemmed, self._vectors)
            for question in store.questions:
                if question.project != project:
                    continue
                for method, ranked in index.rankings(question.text, self._vectors[question.text][0]).items():
                    texts = ["\n".join(seen[unit]) for unit in ranked]
                    found[method].append((question.id, judge(question, ranked, texts, granularity)))


class Index:
    """One store's documents, ready to be ranked by each method."""

    def __init__(self, documents, plain, stemmed, vectors):
        self.units = list(documents)
        self._plain, self._stemmed = plain, stemmed
        self._by_plain = BM25Okapi(
            [[term for text in texts for term in plain.of(text)] or [""] for texts in documents.values()]
        )
        self._by_stem = BM25Okapi(
            [[term for text in texts for term in stemmed.of(text)] or [""] for texts in documents.values()]
        )
        rows = [np.concatenate([vectors[text] for text in texts]) for texts in documents.values()]
        self._rows = np.concatenate(rows)
        self._starts = np.cumsum([0, *(len(row) for row in rows[:-1])])

    def rankings(self, query, vector):
        plain = self._by_plain.get_scores(self._plain.of(query))
        stemmed = self._by_stem.get_scores(self._stemmed.of(query))
        cosine = np.maximum.reduceat(self._rows @ vector, self._starts)
        fused = 1 / (RRF_K + places(stemmed)) + 1 / (RRF_K + places(cosine))
        return {
            "BM25": self._best(plain, plain != 0),
            "BM25 stop+stem": self._best(stemmed, stemmed != 0),
            "MiniLM": self._best(cosine),
            "RRF": self._best(fused),
            "min-max .5": self._best(0.5 * scaled(stemmed) + 0.5 * scaled(cosine)),
        }

    def _best(self, scores, among=None):
        order = np.argsort(-scores, kind="stable")[:DEPTH]
        return [self.units[place] for place in order if among is None or among[place]]


def places(scores):
    """Rank of each document, from 1."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return ranks


def scaled(scores):
    """Scores in [0, 1]; all 0 where they are equal."""
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)
