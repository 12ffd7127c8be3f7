"""What a prompt wants: whether it asks back for something that was said or settled before.

"Which editor am I used to?" asks memory; "create the release PR" asks for work. The first is answered on lighter
evidence: its words are few and rarely those of the statement that answers it.
"""

_ASKING = frozenset(
    """what what's whats which who whose where when how why did do does is are was were am have has can
qué que cuál cual cuáles dónde donde cuándo cómo como quién cuánto
was welche welcher welches welchen wo wann wie wer wessen worauf womit wohin""".split()
)
_OWN = frozenset(
    """i i'm my mine me we we're our ours us again
yo mi mis me nuestro nuestra nosotros usamos uso prefiero
ich mein meine meinen meinem mir mich wir unser unsere uns""".split()
)
_REMIND = (
    "remind me",
    "recuérdame",
    "recuerdas",
    "erinnere mich",
    "do you remember",
    "weißt du noch",
    "as we discussed",
)
_CJK_ASKING = (
    "什么",
    "哪",
    "谁",
    "吗",
    "呢",
    "？",
    "何",
    "誰",
    "どこ",
    "どの",
    "いつ",
    "ですか",
    "무엇",
    "어디",
    "누구",
)
WORK = frozenset(
    """write fix add create implement refactor build make generate explain show run update change remove delete rename
please schreib schreibe erstelle füge escribe crea arregla añade haz""".split()
)

# They open a question about the world.
_GENERAL = (
    "what is a ",
    "what is an ",
    "what is the difference ",
    "what's a ",
    "what's an ",
    "what's the difference ",
    "what are the differences ",
    "what does ",
    "what do you ",
    "how do i ",
    "how do you ",
    "how can i ",
    "how to ",
    "how does ",
    "why does ",
    "why do ",
    "can you ",
    "could you ",
    "would you ",
    "will you ",
    "was ist ein",
    "was ist der unterschied ",
    "was bedeutet ",
    "wie kann ich ",
    "wie kann man ",
    "kannst du ",
    "qué es un",
    "qué significa ",
    "cómo puedo ",
    "cómo se ",
    "puedes ",
)
# "How do I undo my last commit?" is of the world too.
_OURS = _OWN - set("i i'm my me again yo mi mis ich mein meine meinen meinem mich mir".split())

_LONGEST = 30  # words of a question about oneself
_SHORT = 14  # words of any other
_LEAD = 5  # "by the way, which …"


_STATEMENT_ENDS = (". ", "! ", ":) ", ";) ", ":( ", "。", "\n")

# "We moved the carts to DynamoDB, could you fix the test?" wants work done, and says something first; "I want to move
# the carts, whom do I ask?" only asks.
_REQUESTS = (
    *("can you ", "can u ", "could you ", "could u ", "would you ", "will you ", "have a look", "any idea"),
    *("why ", "kannst du ", "könntest du ", "könnt ihr ", "können sie ", "magst du ", "warum ", "wieso "),
    *("puedes ", "podrías ", "me ayudas ", "por qué "),
)
_REQUESTS_CJK = ("くれ", "もらえ", "いただけ", "能", "可以", "帮")
_CONNECTIVES = ("so ", "and ", "but ", "then ", "also ", "y ", "pero ", "und ", "aber ")
_CLAUSE_ENDS = (", ", "; ", " - ", " – ", " — ")
_CLAUSE_ENDS_CJK = ("，", "、")
_STATED_WORDS = 4
_STATED_CHARS_CJK = 8

# Function words of other languages; one of them may be an English word too, or a name.
FUNCTION_WORDS = {
    language: frozenset(words.split())
    for language, words in (
        (
            "de",
            """der das und ist nicht wir ich für wie wo wer wann welche welchen welchem welcher welches mit auf ein
eine einen zu zum zur dem des unser unsere unseren habe haben wird bei aus von über kannst bitte noch schon""",
        ),
        (
            "es",
            """el los las la del que qué por para una un como cómo cuál dónde cuándo quién en con es está se su
nuestro nuestra""",
        ),
        ("fr", "le la les des une un est et dans avec quel quelle où nous notre"),
    )
}
_FOREIGN = frozenset().union(*FUNCTION_WORDS.values())
_FOREIGN_SIGNS = 2
_CJK_CHARS = 600  # of a text, in which its script shows

# One of these stands in every text that names a time; see `timeframe`.
TIME_WORDS = frozenset(
    """ago back yesterday last past previous vor gestern letzte letzten letzter letztes hace ayer pasado pasada
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
montag dienstag mittwoch donnerstag freitag samstag sonntag
lunes martes miércoles jueves viernes sábado domingo
januar februar märz mai juni juli oktober dezember
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre""".split()
)


def names_a_time(text: str) -> bool:
    """The text may name a day or a stretch of time."""
    return not TIME_WORDS.isdisjoint(text.lower().replace("?", " ").replace(",", " ").replace(".", " ").split())


_ASSISTANT = frozenset("you your you're you've you'd tú tu te du dein deine deinen dir".split())
_CONVERSATION = ("remind me", "our previous", "our last", "our earlier", "previous conversation", "previous chat")


def addresses_assistant(text: str) -> bool:
    """The question is about what the assistant said: "which book did you suggest?"."""
    lower = text.lower()
    if any(phrase in lower for phrase in _CONVERSATION):
        return True
    return not _ASSISTANT.isdisjoint(lower.replace("?", " ").replace(",", " ").split())


def asks_back(text: str) -> bool:
    """A question about the user, the project or what was settled; not a request for work."""
    lower = text.lower()
    if any(phrase in lower for phrase in _REMIND):
        return True
    if any(word in text for word in _CJK_ASKING):
        return True
    if asks_the_world(text):
        return False
    question = _question(lower)
    words = _words(question)
    if not words:
        return False
    is_question = words[0] in _ASKING or "?" in question
    if is_question and words[0] not in WORK and len(words) <= _LONGEST and not _OWN.isdisjoint(words):
        return True
    opens = not _ASKING.isdisjoint(words[:_LEAD])
    return opens and words[0] not in WORK and "?" in question and len(words) <= _SHORT


def asks_the_world(text: str) -> bool:
    """A question about the world, unless it is about ours: "how do I undo the last commit?"."""
    question = _question(text.lower())
    return question.strip(" ¿").startswith(_GENERAL) and _OURS.isdisjoint(_words(question))


def is_cjk(text: str) -> bool:
    """A Chinese, Japanese or Korean character stands near the text's beginning."""
    return not text.isascii() and any(
        "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or "\uf900" <= char <= "\ufaff"
        for char in text[:_CJK_CHARS]
    )


def is_foreign(text: str) -> bool:
    """The text is not in English, the language of the model: what is near to it is often only of the same language."""
    if is_cjk(text):
        return True
    signs = len(_FOREIGN.intersection(_words(text.lower())))
    return signs >= _FOREIGN_SIGNS or (signs > 0 and any(char.isalpha() and not char.isascii() for char in text))


def is_lone_question(text: str) -> bool:
    """It asks, and says nothing besides."""
    bare = text.strip()
    if not bare.endswith(("?", "？")) or any(end in bare for end in _STATEMENT_ENDS):
        return False
    return not (_states_first_cjk(bare) if is_cjk(bare) else _states_first(bare.lower()))


def _states_first(sentence: str) -> bool:
    """A clause of some length that asks nothing stands before one which wants work done."""
    stated, _, request = max((sentence.rpartition(end) for end in _CLAUSE_ENDS), key=lambda parts: len(parts[0]))
    request = request.lstrip("¿")
    for word in _CONNECTIVES:
        request = request.removeprefix(word)
    words = _words(stated)
    return len(words) >= _STATED_WORDS and words[0] not in _ASKING and request.startswith(_REQUESTS)


def _states_first_cjk(sentence: str) -> bool:
    stated, _, request = max((sentence.rpartition(end) for end in _CLAUSE_ENDS_CJK), key=lambda parts: len(parts[0]))
    if len(stated) < _STATED_CHARS_CJK or not any(word in request for word in _REQUESTS_CJK):
        return False
    stated = stated.replace("誰も", "")  # nobody
    return not any(word in stated for word in _CJK_ASKING)


def beside_first_question(text: str) -> str | None:
    """What follows the question that a text opens with; None where it opens with none.

    "We moved the carts to DynamoDB, could you fix the test?" opens with a statement.
    """
    question, mark, beside = text.partition("? ")
    opens = mark and question.lower().split(None, 1)[:1]
    if not opens or opens[0] not in _ASKING or any(end in question for end in _STATEMENT_ENDS):
        return None
    return beside


def _words(question: str) -> list[str]:
    return question.replace("?", " ").replace(",", " ").replace("¿", " ").split()


def _question(lower: str) -> str:
    """The last sentence that ends in a question mark; the whole of a short text without one."""
    if "?" not in lower:
        return lower if len(lower) < 200 else ""
    before = lower[: lower.rindex("?") + 1]
    start = max(before.rfind(mark, 0, len(before) - 1) for mark in ".!?\n")
    sentence = before[start + 1 :].strip()
    last = sentence.rpartition(", ")[2]  # "migrate the prices, who is the owner?"
    return last if last.split(None, 1)[0].strip("¿") in _ASKING else sentence
