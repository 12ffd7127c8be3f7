"""The languages that statements are read in, each loaded only when a message shows one of its words."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

# A word of the language without which none of its patterns can match, folded (see sentences.fold).
_TRIGGERS = {
    "en": frozenset(
        """is are was were my i i'm i've i'd i'll we we're we've we'll our always never must should has have needs prefer
        favor favour don't dont didn't did avoid use uses used using runs run listens lives live called named
        moved switched migrated renamed replaced changed upgraded bumped decided decision agreed worked failed
        fixed solved resolved broke cause works pass passed helped succeeded from going actually correction
        wrong meant it's that's ask allowed forbidden policy rule convention without everyone no every each
        all run keep happen happens expire expires requires supports targets owns project repo codebase
        everywhere hate love like can't turns turned points deploys depends relies communicate talks returns
        starts ends ever not went last lasts do""".split()
    ),
    "es": frozenset(
        """el la los las que una mi mis nuestro nuestra nuestros nuestras me es son esta usamos utilizamos uso siempre
        nunca jamas prefiero preferimos vivo trabajo trabajamos soy ya ahora decidimos hemos vamos cambiamos
        migramos pasamos desplegamos alojamos guardamos funciono fallo funciona arreglado solucionado resuelto
        resulta resulto partir todos todas cada correccion quise odio optamos elegimos pregunta preguntame
        preguntar por para en de un este usa usan lo eso actualizamos movimos mudamos renombramos reemplazamos
        acordamos se y no""".split()
    ),
    "de": frozenset(
        """ich wir mein meine meinen unser unsere der die das den dem ist sind nicht und ein eine immer nie niemals stets
        auf mit heißt heisst lauft laeuft verwende benutze nutze nutzen verwenden bevorzuge mussen muessen
        muss darf ab behoben gelost geloest bitte es hat frag nein korrektur kunftig kuenftig jetzt dieses
        unserem alle jede jeder jedes fur man""".split()
    ),
}

# Words that tell whose grammar a paragraph follows; "uses" alone reads as English inside a Spanish sentence.
_GRAMMAR = {
    "en": frozenset(["the", "a", "an", "is", "are", "was", "we", "i", "i'm", "we're", "it", "it's", "my", "our", "to", "of", "and", "in", "for", "with", "that", "this", "on", "not", "you", "be", "from", "as", "by", "me", "before", "please", "never", "always", "all", "at", "has", "have"]),
    "es": frozenset(
        ["el", "la", "los", "las", "que", "de", "en", "un", "una", "y", "por", "para", "con", "es", "son", "se", "mi", "nuestro", "nuestra", "del", "al", "usamos", "uses", "ya", "siempre", "nunca", "su"]
    ),
    "de": frozenset(
        ["der", "die", "das", "und", "ist", "sind", "wir", "ich", "nicht", "ein", "eine", "einen", "zu", "mit", "auf", "fur", "im", "den", "dem", "es", "von", "bei", "unser", "unsere", "mein", "meine", "immer"]
    ),
}

_EDGES = ".,:;!?()[]{}<>\"*_-–—…¿¡'"


def filled(sources: dict[str, str], fragments: dict[str, str]) -> dict[str, str]:
    """The sources with every `<NAME>` replaced by its fragment, fragments within fragments too."""
    complete = {}
    for name, source in sources.items():
        while "<" in source:
            before = source
            for label, fragment in fragments.items():
                source = source.replace(f"<{label}>", fragment)
            if source == before:
                break
        complete[name] = source
    return complete


class _Lists(dict[str, frozenset[str]]):
    """Word lists by name; a list that a language does without is empty."""

    def __missing__(self, name: str) -> frozenset[str]:
        return frozenset()


class Language:
    """What one language contributes: pattern sources, the rules that use them, and its word lists."""

    __slots__ = ("_compiled", "actions", "articles", "code", "ends", "rules", "sources", "words")

    def __init__(
        self,
        code: str,
        sources: dict[str, str],
        rules: "tuple[Rule, ...]",
        words: dict[str, str],
        actions: dict[str, str],
        articles: dict[str, str],
    ) -> None:
        self.code = code
        self.sources = sources
        self.rules = rules
        self.words = _Lists()
        self.words.update({name: frozenset(listing.split()) for name, listing in words.items() if not name.endswith("_ends")})
        self.ends = {name: tuple(listing.split()) for name, listing in words.items() if name.endswith("_ends")}
        self.actions = actions
        self.articles = articles
        self._compiled: dict[str, Pattern[str]] | None = None

    @property
    def patterns(self) -> "dict[str, Pattern[str]]":
        if self._compiled is None:
            from awhm_hooks import regexes

            self._compiled = regexes.group(f"statements_{self.code}", self.sources)
        return self._compiled


class Rule:
    """A way to say something: its pattern, family, the check a match must pass (see checks.py), how its key is made
    (see slots.py). A `wide` pattern may reach over the clause's end; a `general` one fits nearly any words."""

    __slots__ = ("change", "check", "family", "general", "key", "pattern", "wide")

    def __init__(
        self,
        pattern: str,
        family: str,
        check: str,
        key: str = "",
        *,
        change: bool = False,
        wide: bool = False,
        general: bool = False,
    ) -> None:
        self.pattern = pattern
        self.family = family
        self.check = check
        self.key = key
        self.change = change
        self.wide = wide
        self.general = general


def word_set(folded: str) -> set[str]:
    return {word.strip(_EDGES) for word in folded.split()}


def spoken(words: set[str]) -> list[str]:
    """Codes of the languages of which a trigger word occurs, English first."""
    return [code for code, triggers in _TRIGGERS.items() if not triggers.isdisjoint(words)]


def grammatical(words: list[str], spoken_here: list[Language]) -> list[Language]:
    """The languages whose small words are the most frequent in a paragraph, all of them where none shows."""
    if len(spoken_here) < 2:
        return spoken_here
    counts = [sum(1 for word in words if word in _GRAMMAR[language.code]) for language in spoken_here]
    most = max(counts)
    return [language for language, count in zip(spoken_here, counts, strict=True) if count == most]


def load(code: str) -> Language:
    """The language's patterns; the caller has a code from `spoken`."""
    if code == "en":
        from awhm_hooks.journal.patterns.en import LANGUAGE
    elif code == "es":
        from awhm_hooks.journal.patterns.es import LANGUAGE
    else:
        from awhm_hooks.journal.patterns.de import LANGUAGE
    return LANGUAGE
