"""The sentences of a message in which its writer tells of themselves, to be found by a vector of their own.

"Can you suggest a menu? By the way, I also bought 20 pounds of scratch grains for my chickens." has one vector, and
that is about menus. A sentence as the unit of dense retrieval is Chen et al.'s (2024, "Dense X Retrieval"); here it
stands beside the message, and only what may be wanted back of the writer is given one.
"""

import re

from awhm_hooks.journal.patterns import sentences
from awhm_hooks.recall.intent import is_cjk

MOST = 12  # a message of more is a document, whose windows are found as well
_LEAST_WORDS = 4
_LEAST_CJK_CHARS = 8
_QUESTION_ENDS = ("?", "？")
_OF_THE_WRITER = re.compile(  # "US" and "MI" are places
    r"\b(?:[Ii]|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|us|[Oo]urs?"
    r"|[Ii]ch|[Mm]ich|[Mm]ir|[Mm]ein(?:e[mnrs]?)?|[Ww]ir|[Uu]ns|[Uu]nser(?:e[mnrs]?)?"
    r"|[Yy]o|[Mm]is?|[Nn]os|[Nn]osotr[oa]s|[Nn]uestr[oa]s?)\b|[我私僕俺]|우리|저는|제가|나는|내가"
)


def disclosures(text: str) -> list[str]:
    """The sentences of a message's prose that speak in the first person and ask nothing; none of a lone sentence."""
    said = [block.text[start:end].strip() for block in sentences.blocks(text) for start, end in block.sentences]
    return [one for one in said if _discloses(one)][:MOST] if len(said) > 1 else []


def _discloses(sentence: str) -> bool:
    if sentence.endswith(_QUESTION_ENDS) or not _OF_THE_WRITER.search(sentence):
        return False
    return len(sentence.split()) >= _LEAST_WORDS or (len(sentence) >= _LEAST_CJK_CHARS and is_cjk(sentence))
