"""From sentences to statements: where a statement starts, where it ends, and which rule it meets."""

from awhm_hooks import regexes
from awhm_hooks.journal.patterns import Statement
from awhm_hooks.journal.patterns.checks import CHECKS
from awhm_hooks.journal.patterns.keys import key_of
from awhm_hooks.journal.patterns.languages import Language, Rule, grammatical
from awhm_hooks.journal.patterns.sentences import Block, blocks
from awhm_hooks.journal.patterns.values import Clause, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

# Habits that "from now on" turns from facts into policies.
_HABITS = ("use", "done", "led_use", "led_done")
_TRAILING = " \t\r\n.,;:!?…-–—*"
_MAX_LEADS = 7
_MAX_SEGMENTS = 30

_SOURCES = {
    "separator": (
        r"(?:[,;:]| -{1,2}| –| —)\s+(?:(?:and|but|so|then|also|y|pero|asi que|und|aber|also|sondern) )?"
        r"| (?:and|but|so|or|y|e|pero|und|aber|sondern) "
    ),
    "label": r"^\s*(?:\S+\s+){0,2}\S+$",
}


class Opening:
    """What stands before a statement: where the kept text and the statement proper begin, and what was announced."""

    __slots__ = ("body", "kept", "marker", "placed", "standing")

    def __init__(self, start: int) -> None:
        self.kept = -1
        self.body = start
        self.marker = ""
        self.standing = ""
        self.placed = False

    @property
    def start(self) -> int:
        return self.kept if self.kept >= 0 else self.body


def opening(language: Language, folded: str, start: int, end: int) -> Opening:
    """Skips greetings, fillers and correction markers; keeps dates, places and "from now on" with the statement."""
    patterns = language.patterns
    found = Opening(start)
    for _ in range(_MAX_LEADS):
        if match := patterns["marker"].match(folded, found.body, end):
            found.marker, found.kept = match.group(), -1
        elif match := patterns["standing"].match(folded, found.body, end):
            found.standing = "label" if any(sign in match.group() for sign in ":–—") else "time"
            found.kept = found.start
        elif match := patterns["placed"].match(folded, found.body, end):
            found.placed, found.kept = True, found.start
        elif match := patterns["dated"].match(folded, found.body, end):
            found.kept = found.start
        elif not (match := patterns["lead"].match(folded, found.body, end)):
            break
        if match.end() == found.body:
            break
        found.body = match.end()
    return found


def clause_at(shown: str, folded: str, lead: Opening, end: int) -> Clause:
    """The clause that follows an opening."""
    clause = Clause(shown, folded, lead.body, end)
    clause.marker, clause.standing, clause.placed = lead.marker, lead.standing, lead.placed
    return clause


def read(text: str, spoken: list[Language], limit: int) -> list[Statement]:
    """The statements of a message in the given languages, in order, at most `limit`."""
    found: dict[str, Statement] = {}
    count = 0
    for block in blocks(text):
        for statement in _read_block(block, spoken):
            found.setdefault(statement.text, statement)
            count += 1
        if count >= limit:
            break
    return list(found.values())[:limit]


def _read_block(block: Block, spoken: list[Language]) -> list[Statement]:
    found: list[Statement] = []
    spoken = grammatical(words_of(block.folded), spoken)
    if any(language.patterns["joke"].search(block.folded) for language in spoken):
        return []
    carried = {language.code: "" for language in spoken}
    for start, end in block.sentences:
        begin = end - len(block.folded[start:end].lstrip())
        for language in spoken:
            if language.patterns["whole_void"].match(block.folded, begin, end):
                return found
            sentence = Sentence(block, language, begin, end, carried[language.code])
            statements = sentence.statements()
            carried[language.code] = sentence.carried
            if statements:
                found.extend(statements)
                break
    return found


class Sentence:
    """One sentence, cut at its commas and conjunctions, read in one language."""

    __slots__ = ("_breaks", "_marker", "_starts", "block", "carried", "end", "language", "question", "start")

    def __init__(self, block: Block, language: Language, start: int, end: int, marker: str) -> None:
        self.block = block
        self.language = language
        self.start = start
        self.end = end
        self.question = "?" in block.folded[max(start, end - 4) : end]
        self.carried = ""
        self._marker = marker
        self._starts: list[int] = [start]
        self._breaks: list[int] = [start]
        separator = regexes.group("clauses", _SOURCES)["separator"]
        for match in separator.finditer(block.folded, start, end):
            if len(self._starts) == _MAX_SEGMENTS:
                break
            self._breaks.append(match.start())
            self._starts.append(match.end())

    def statements(self) -> list[Statement]:
        """In order; none where the sentence is a hypothetical, a report or a question as a whole."""
        found: list[Statement] = []
        language, folded = self.language, self.block.folded
        patterns = language.patterns
        asked = patterns["question"].match(folded, self.start, self.end) is not None
        conditional = ""
        unread = self.start
        index = 0
        subject = ""
        while index < len(self._starts):
            begin = self._starts[index]
            if index and self._is_voided(unread, self._breaks[index]):
                condition = patterns["conditional"].match(folded, unread, self.end)
                if condition is None:
                    break
                conditional = condition.group()
            lead = opening(language, folded, begin, self.end)
            if index == 0 and self._marker and not lead.marker:
                lead.marker = self._marker
            if lead.body >= self.end or not folded[lead.body : self.end].strip(" .!?"):
                self.carried = lead.marker
                break
            index = self._segment_of(lead.body)
            statement, following = self._statement_at(lead, index, conditional, asked and begin > self.start, subject)
            if statement is not None:
                found.append(statement)
                subject = self._carried_subject(lead.body) or subject
                unread = self._starts[following] if following < len(self._starts) else self.end
            index = following if statement is not None else index + 1
        return found

    def _is_voided(self, start: int, end: int) -> bool:
        """Whether unread words before a clause make it a supposition, somebody's words or another's label."""
        patterns, folded = self.language.patterns, self.block.folded
        if start >= end:
            return False
        if patterns["void"].search(folded, start, end) or patterns["conditional"].match(folded, start, end):
            return True
        if patterns["reported"].search(folded, start, end):
            return True
        label = folded[end : end + 1] == ":" and regexes.group("clauses", _SOURCES)["label"].match(folded[start:end])
        return bool(label) and not patterns["lead"].match(folded, start, end + 1)

    def _segment_of(self, position: int) -> int:
        last = 0
        for index, start in enumerate(self._starts):
            if start <= position:
                last = index
        return last

    def _carried_subject(self, body: int) -> str:
        first = self.block.folded[body : body + 4].split("'")[0].split(" ")[0]
        return self.block.shown[body : body + len(first)] if first in self.language.words["carry"] else ""

    def _statement_at(
        self, lead: Opening, index: int, conditional: str, asked: bool, subject: str
    ) -> tuple[Statement | None, int]:
        """The statement that begins at a segment, if one does, and the segment that follows it."""
        following = self._end_of(index, lead.body, subject)
        clause = clause_at(self.block.shown, self.block.folded, lead, self._closing(following))
        clause.led = lead.body > max(self._starts[0], self._starts[index])
        clause.conditional = conditional
        hit = judge(self.language, clause, self._closing(len(self._starts)))
        if hit is None:
            return self._elliptic(clause, index, following, subject), following
        rule, match, reach = hit
        joined = self._with_subject(clause, subject) if subject and index else None
        if joined is not None and joined[0] is rule:  # German leaves the subject out: "… und bevorzuge Tabs"
            return self._elliptic(clause, index, following, subject), following
        if rule.wide and reach > clause.end:
            following = self._end_of(
                self._segment_of(match.start("v") if match.start("v") >= 0 else lead.body), reach, ""
            )
            clause.end = self._closing(following)
            match = self.language.patterns[rule.pattern].match(clause.folded, lead.body, clause.end) or match
        if self._is_refused(rule, clause, following, asked):
            return None, following
        return self._made(rule, match, clause, self.block.text, lead.start, lead.start), following

    def _closing(self, following: int) -> int:
        """Where a clause ends that the given segment follows, closing punctuation left out."""
        end = self._breaks[following] if following < len(self._starts) else self.end
        return self.start + len(self.block.folded[self.start : end].rstrip(_TRAILING))

    def _end_of(self, index: int, body: int, subject: str) -> int:
        """The first later segment that is a clause of its own."""
        following = index + 1
        carry = self._carried_subject(body) or subject
        while following < len(self._starts) and not self._stands_alone(following, carry):
            following += 1
        return following

    def _stands_alone(self, index: int, carry: str) -> bool:
        folded, patterns = self.block.folded, self.language.patterns
        begin = self._starts[index]
        end = self._breaks[index + 1] if index + 1 < len(self._starts) else self.end
        if patterns["cut"].match(folded, begin, self.end):
            return True
        lead = opening(self.language, folded, begin, self.end)
        if lead.body >= end:
            return lead.body > begin
        clause = Clause(self.block.shown, folded, lead.body, end)
        groups = fitting(self.language, clause)
        for rule in self.language.rules:
            if not rule.general and rule.group in groups and patterns[rule.pattern].match(folded, lead.body, end):
                return True
        return bool(carry) and self._with_subject(clause, carry) is not None

    def _with_subject(self, clause: Clause, carry: str) -> "tuple[Rule, Match[str], Clause] | None":
        """The clause read with the former clause's subject: "I live in Oslo and work at Acme"."""
        joined = Clause(
            f"{carry} {clause.shown[clause.start : clause.end]}",
            f"{carry.lower()} {clause.folded[clause.start : clause.end]}",
            0,
            clause.end - clause.start + len(carry) + 1,
        )
        hit = judge(self.language, joined, joined.end)
        return None if hit is None or hit[0].general else (hit[0], hit[1], joined)

    def _elliptic(self, clause: Clause, index: int, following: int, subject: str) -> Statement | None:
        if not subject or index == 0 or clause.conditional:
            return None
        hit = self._with_subject(clause, subject)
        if hit is None or self._is_refused(hit[0], clause, following, False):
            return None
        rule, match, joined = hit
        source = f"{subject} {self.block.text[clause.start : clause.end]}"
        return self._made(rule, match, joined, source, 0, clause.start)

    def _is_refused(self, rule: Rule, clause: Clause, following: int, asked: bool) -> bool:
        """A question, a guess, another's words after the fact, or an order that holds for the task at hand only."""
        patterns, folded = self.language.patterns, self.block.folded
        habitual = rule.family == "preference" and clause.conditional in self.language.words["habitual"]
        if clause.conditional and rule.check != "act" and not habitual:
            return True
        if self._is_asked(rule, clause, following, asked):
            return True
        if rule.family == "outcome":
            return patterns["hedge"].search(folded, clause.start, clause.end) is not None
        if patterns["task"].search(folded, clause.start, clause.end):
            return True
        if rule.family == "policy":
            personal = folded.startswith(tuple(self.language.words["we"]), clause.start)
            return not personal and patterns["here"].search(folded, clause.start, clause.end) is not None
        if patterns["hedge"].search(folded, clause.start, clause.end):
            return True
        tail = folded[self._starts[following] : self.end] if following < len(self._starts) else ""
        return bool(tail) and patterns["said"].match(tail) is not None

    def _is_asked(self, rule: Rule, clause: Clause, following: int, asked: bool) -> bool:
        confirming = self.language.patterns["confirming"]
        if asked and rule.family == "policy" and self.question:
            return True
        if not self.question:
            return False
        if following >= len(self._starts):
            return True
        tail = self.block.folded[self._starts[following] : self.end].strip(" ?!.")
        if self.language.patterns["said"].match(tail):
            return True
        if tail.startswith("¿"):  # the question begins there, and a request can be a word long
            return False
        return len(tail.split()) < 3 and not confirming.match(tail)

    def _made(
        self, rule: Rule, match: "Match[str]", clause: Clause, source: str, kept: int, position: int
    ) -> Statement:
        """`kept` is where the statement's text begins in `source`, `position` where it stands in the block."""
        patterns, folded = self.language.patterns, clause.folded
        correction = bool(clause.marker) or patterns["mid_marker"].search(folded, clause.start, clause.end) is not None
        categories: tuple[str, ...] = ("correction",) if correction else ()
        if rule.check not in ("correcting", "meant"):
            categories += ("preference" if rule.family == "policy" else rule.family,)
        length = len(source[kept : clause.end].rstrip(_TRAILING))
        if position > kept:
            length -= len(source.split(" ", 1)[0]) + 1
        return Statement(
            _clean(source[kept : clause.end]),
            rule.family,
            is_correction=correction,
            categories=categories,
            key=key_of(self.language, rule, clause, match, source),
            scope=self._scope(rule, clause),
            start=self.block.place(position),
            end=self.block.place(position + length - 1) + 1,
            language=self.language.code,
            change=rule.change or patterns["change"].search(folded, kept, clause.end) is not None,
        )

    def _scope(self, rule: Rule, clause: Clause) -> str:
        words = self.language.words
        first = words_of(clause.folded[clause.start : clause.end])[:4]
        if rule.family not in ("fact", "preference") or not first or first[0] not in words["self"]:
            return "project"
        if first[0] in words["mine"] and any(word in words["project"] for word in first[1:3]):
            return "project"
        return "user"


def fitting(language: Language, clause: Clause) -> set[str]:
    """The groups of rules that may hold at the clause's start."""
    groups = language.groups.items()
    found = {name for name, group in groups if group.fits(clause.folded, clause.start, clause.end)}
    return found | {"policy"} if clause.standing or clause.placed else found


def judge(language: Language, clause: Clause, sentence_end: int) -> "tuple[Rule, Match[str], int] | None":
    """The first rule whose pattern and check both hold at the clause's start, its match, and how far that reached."""
    patterns = language.patterns
    groups = fitting(language, clause)
    for rule in language.rules:
        if rule.group not in groups or (clause.standing == "time" and rule.check in _HABITS):
            continue
        reach = sentence_end if rule.wide else clause.end
        match = patterns[rule.pattern].match(clause.folded, clause.start, reach)
        if match and CHECKS[rule.check](language, clause, match):
            return rule, match, reach
    return None


def _clean(words: str) -> str:
    """The words without the punctuation at either end."""
    return words.lstrip(",;:-–— ").rstrip(_TRAILING)
