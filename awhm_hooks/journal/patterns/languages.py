"""The languages that statements are read in, each loaded only when a message shows one of its words."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

# A word of the language without which none of its patterns can match, folded (see fold).
_TRIGGERS = {
    "en": frozenset(
        """is are was were my i i'm i've i'd i'll we we're we've we'll our always never must should has have needs prefer
        favor favour don't dont didn't did avoid use uses used using runs run listens lives live called named
        moved switched migrated renamed replaced changed upgraded bumped decided decision agreed worked failed
        fixed solved resolved broke cause works pass passed helped succeeded from going actually correction
        wrong meant it's that's ask allowed forbidden policy rule convention without everyone no every each
        all run keep happen happens expire expires requires supports targets owns project repo codebase
        everywhere hate love like can't turns turned points deploys depends relies communicate talks returns
        starts ends ever not went last lasts do cut made maintain lead appreciate got won't will call go goes""".split()
    ),
    "es": frozenset(
        """el la los las que una mi mis nuestro nuestra nuestros nuestras me es son esta usamos utilizamos uso siempre
        nunca jamas prefiero preferimos vivo trabajo trabajamos soy ya ahora decidimos hemos vamos cambiamos
        migramos pasamos desplegamos alojamos guardamos nos con suelo usaremos sin prohibido del al ningun ninguna
        funciono fallo funciona arreglado solucionado resuelto resulta resulto partir todos todas cada correccion
        quise odio optamos elegimos pregunta preguntame preguntar por para en de un este usa usan lo eso
        actualizamos movimos mudamos renombramos reemplazamos acordamos se y no""".split()
    ),
    "de": frozenset(
        """ich wir mein meine meinen unser unsere der die das den dem ist sind nicht und ein eine immer nie niemals stets
        auf mit heißt heisst lauft laeuft verwende benutze nutze nutzen verwenden bevorzuge mussen muessen muss darf
        ab behoben gelost geloest bitte es hat frag wohne lebe arbeite hasse liebe mag finde ziehe mir wurden alles
        kein keine ohne mich nein korrektur kunftig kuenftig jetzt dieses unserem alle jede jeder jedes fur
        man""".split()
    ),
}

# Words that tell whose grammar a paragraph follows; "uses" alone reads as English inside a Spanish sentence.
_GRAMMAR = {
    "en": frozenset(
        """the a an is are was we i i'm we're it it's my our to of and in for with that this on not you be from as by me
        before please never always all at has have""".split()
    ),
    "es": frozenset(
        """a el la los las que de en un una y por para con es son se mi nuestro nuestra nuestros nuestras del al usamos uses ya
        siempre nunca su""".split()
    ),
    "de": frozenset(
        """in an der die das und ist sind wir ich nicht ein eine einen zu mit auf fur im den dem es von bei unser unsere mein
        meine immer""".split()
    ),
}

_FOLDED = str.maketrans(
    "áàâäãéèêëíìîïóòôöõúùûüçÁÀÂÄÉÈÊËÍÌÎÏÓÒÔÖÚÙÛÜÇ’‘`´\u00a0\u202f\t\n\r",
    "aaaaaeeeeiiiiooooouuuucAAAAEEEEIIIIOOOOUUUUC''''     ",
)


_EDGES = ".,:;!?()[]{}<>\"*_-–—…¿¡'"


def filled(sources: dict[str, str], fragments: dict[str, str]) -> dict[str, str]:
    """The sources with every `<NAME>` replaced by its fragment; a fragment may use those before it."""
    known: dict[str, str] = {}
    for name, fragment in fragments.items():
        known[name] = _fill(fragment, known)
    return {name: _fill(source, known) for name, source in sources.items()}


def _fill(source: str, fragments: dict[str, str]) -> str:
    head, *pieces = source.split("<")
    for piece in pieces:
        name, closed, rest = piece.partition(">")
        head += fragments[name] + rest if closed and name in fragments else "<" + piece
    return head


class _Lists(dict[str, frozenset[str]]):
    """Word lists by name, made when first asked for; one that a language does without is empty."""

    def __init__(self, listings: dict[str, str]) -> None:
        super().__init__()
        self._listings = listings

    def __missing__(self, name: str) -> frozenset[str]:
        words = self[name] = frozenset(self._listings.get(name, "").split())
        return words


class _Endings(dict[str, tuple[str, ...]]):
    """Word endings by name, for `str.endswith`, made when first asked for; none where a language does without."""

    def __init__(self, listings: dict[str, str]) -> None:
        super().__init__()
        self._listings = listings

    def __missing__(self, name: str) -> tuple[str, ...]:
        endings = self[name] = tuple(self._listings.get(name, "").split())
        return endings


class Group:
    """Patterns loaded together, and what a clause must look like for any of them to fit: it begins in one of the ways
    `opens` lists, it contains one of the pieces that `needs` lists (`~` stands for a space)."""

    __slots__ = ("_needs", "_pieces", "opens", "sources")

    def __init__(self, sources: dict[str, str], *, opens: tuple[str, ...] = (), needs: str = "") -> None:
        self.sources = sources
        self.opens = opens
        self._needs = needs
        self._pieces: list[str] = []

    def fits(self, folded: str, start: int, end: int) -> bool:
        if self.opens:
            return folded.startswith(self.opens, start)
        if not self._needs:
            return True
        if not self._pieces:
            self._pieces = self._needs.replace(" ", "|").replace("~", " ").split("|")
        clause = folded[start:end] + " "
        return any(map(clause.__contains__, self._pieces))


class _Patterns(dict[str, "Pattern[str]"]):
    """A language's compiled patterns by name, loaded group by group when first asked for."""

    def __init__(self, code: str, groups: dict[str, Group], fragments: dict[str, str]) -> None:
        super().__init__()
        self._code = code
        self._groups = groups
        self._fragments = fragments

    def __missing__(self, name: str) -> "Pattern[str]":
        from awhm_hooks import regexes

        for label, group in self._groups.items():
            if name in group.sources:
                self.update(regexes.group(f"{self._code}_{label}", filled(group.sources, self._fragments)))
                return self[name]
        raise KeyError(name)


class Language:
    """What one language contributes: patterns in groups, the rules that use them, and its word lists.

    `actions` names a policy's verb as canonical keys do, `articles` says which article stands for which in them.
    """

    __slots__ = ("actions", "articles", "capital_nouns", "code", "ends", "groups", "patterns", "rules", "words")

    def __init__(
        self,
        code: str,
        groups: dict[str, Group],
        fragments: dict[str, str],
        rules: "tuple[Rule, ...]",
        words: dict[str, str],
        actions: dict[str, str],
        articles: dict[str, str],
        *,
        capital_nouns: bool = False,
    ) -> None:
        self.code = code
        self.groups = groups
        self.patterns = _Patterns(code, groups, fragments)
        self.rules = rules
        self.words = _Lists(words)
        self.ends = _Endings(words)
        self.actions = actions
        self.articles = articles
        self.capital_nouns = capital_nouns


class Rule:
    """A way to say something: its pattern and the group that holds it, the family, the check a match must pass (see
    checks.py), how its key is made (see keys.py). A `wide` pattern may reach over the clause's end; a `general` one
    fits nearly any words."""

    __slots__ = ("change", "check", "family", "general", "group", "key", "pattern", "wide")

    def __init__(
        self,
        pattern: str,
        group: str,
        family: str,
        check: str,
        key: str = "",
        *,
        change: bool = False,
        wide: bool = False,
        general: bool = False,
    ) -> None:
        self.pattern = pattern
        self.group = group
        self.family = family
        self.check = check
        self.key = key
        self.change = change
        self.wide = wide
        self.general = general


def fold(text: str) -> str:
    """Lower case, no accents, one kind of apostrophe and of space; as long as the text itself."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lower.translate(_FOLDED)


def word_set(folded: str) -> set[str]:
    return {word.strip(_EDGES) for word in folded.split()}


def spoken(words: set[str]) -> list[str]:
    """Codes of the languages of which a trigger word occurs, English first."""
    return [code for code, triggers in _TRIGGERS.items() if not triggers.isdisjoint(words)]


def grammatical(words: list[str], spoken_here: list[Language]) -> list[Language]:
    """The languages whose small words a paragraph shows most of; one word more or less decides nothing."""
    if len(spoken_here) < 2:
        return spoken_here
    counts = [sum(1 for word in words if word in _GRAMMAR[language.code]) for language in spoken_here]
    least = max(counts) - 1
    return [language for language, count in zip(spoken_here, counts, strict=True) if count >= least]


def load(code: str) -> Language:
    """The language's patterns; the caller has a code from `spoken`."""
    if code == "en":
        from awhm_hooks.journal.patterns.en import LANGUAGE
    elif code == "es":
        from awhm_hooks.journal.patterns.es import LANGUAGE
    else:
        from awhm_hooks.journal.patterns.de import LANGUAGE
    return LANGUAGE
