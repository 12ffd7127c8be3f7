"""Words by which a proposal is held against what was said: negation, change, sentiment, and orders to the memory."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Who or what a statement is about, and how one says that something is so: a proposal may have them where the person
# said it in other words.
GENERIC = _words(
    """
    user users person people team project projects repo repository developer developers conversation session assistant
    use uses used using usage prefer prefers preferred preference like likes want wants wanted need needs choose chooses
    chose chosen choice decide decides decided decision pick picks picked select selected adopt adopted go goes going
    went plan plans planned agree agreed set sets make makes made call called named name keep keeps switch switched
    switches move moved moves change changed changes replace replaced start started run runs running work works always
    current currently new old thing way let lets said says told tell please should must will would now today later
    nutzer benutzer projekt verwendet verwenden nutzt nutzen bevorzugt will wollen entschieden wählt gewählt immer
    usuario proyecto usa usamos usar prefiere prefiero quiere elige eligió decidió decidimos siempre
    """
)
NUMBER_WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "twenty": "20", "thirty": "30", "sixty": "60", "hundred": "100",
    "zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "sechs": "6", "sieben": "7", "acht": "8", "zehn": "10",
    "dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7", "ocho": "8", "diez": "10",
}  # fmt: skip
PREDICATES = {
    word: kind
    for kind, words in {
        "prefer": "prefer prefers preferred like likes liked love loves favor favour favors favours rather bevorzuge"
        " bevorzugt bevorzugen mag prefiero prefiere preferimos",
        "use": "use uses used using usage go goes going went choose chooses chose chosen pick picks picked select"
        " selected adopt adopted decide decides decided verwende verwenden verwendet nutze nutzen nutzt nehmen uso usa"
        " usamos usar",
    }.items()
    for word in words.split()
}
SENTIMENT = re.compile(
    r"(?i)\b(?:lov(?:e|es|ed|ing)|ador(?:e|es|ed)|hat(?:e|es|ed)|enjoy\w*|dislik\w+|favou?rites?|despis\w+|prefer\w*"
    r"|like|likes|liked|fan|lieb(?:e|t|en)|liebling\w*|hass(?:e|t|en)|mag|bevorzug\w*|encanta\w*|odi(?:o|a|amos)"
    r"|favorit[oa]s?|gusta\w*|prefier\w*)\b"
)
STRONG_SENTIMENT = re.compile(
    r"(?i)\b(?:lov(?:e|es|ed)|ador(?:e|es|ed)|hat(?:e|es|ed)|enjoys?|dislik\w+|favou?rites?|despis\w+|liebt?|liebling\w*"
    r"|hasst|encanta\w*|odia|favorit[oa]s?)\b"
)
NEGATION = re.compile(
    r"(?i)\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|\w+n['’]t|(?:do|does|did|wo|is|are|ca|should)nt"
    r"|avoid\w*|stop(?:s|ped|ping)?|drop(?:s|ped|ping)?|quit|ditch\w*|remov\w+|abandon\w*|reject\w*|forbid\w*|bann?(?:ed)?"
    r"|dislik\w+|hat(?:e|es|ed)|despis\w+|against|refus\w+|rid|nicht|nie|niemals|kein\w*|ohne|vermeid\w+|hass(?:e|t|en)"
    r"|nunca|jam[aá]s|sin|tampoco|evit\w+|dejamos|odi(?:o|a|amos))\b"
)
CLAUSE_END = re.compile(
    r"(?i),(?!\d)|[;!?()\[\]\n。、，；！？]|:(?=\s|$)|\.(?=\s|$)|\s[-–—]+\s|—"
    r"|\b(?:but|instead(?!\s+of)|however|though|in favou?r of|aber|sondern|pero|sino)\b"
)
# What follows is what was turned down.
TURNED_DOWN = re.compile(
    r"(?i)\b(?:instead of|rather than|in place of|as opposed to|away from|anstelle von|anstatt|statt|en lugar de"
    r"|en vez de)\b"
)
PREFERRED_OVER = re.compile(r"(?i)(?P<chosen>\b(?:prefer|rather|choos|chose|pick|favou?r)\w*\b.*?)\bover\b")
# "From X to Y", "replace X with Y": the first is given up.
GIVEN_UP = (
    re.compile(
        r"(?i)\b(?:switch|mov|migrat|chang|went|go|ported|porting|convert|wechsel|umgest|umst|cambi|pasa|migr)\w*\b"
        r".*?\b(?:from|von|vom|de|del)\b(?P<old>.+?)(?:\b(?:to|into|auf|zu|nach|a|al)\b|→|->|=>)(?P<new>.+)"
    ),
    re.compile(
        r"(?i)\b(?:replac|swap|substitut|reemplaz|ersetz)\w*\b(?P<old>.+?)\b(?:with|by|for|durch|por|con)\b(?P<new>.+)"
    ),
)
AUXILIARY = _words(
    "do does did is are was were am be been should would could can will must has have had may might why or if and we"
    " i you they it he she probably certainly definitely"
)
CONDITION = re.compile(
    r"(?i)\b(?:if|unless|when|whenever|suppose|imagine|assuming|hypothetically|wenn|falls|sobald|angenommen|si|cuando)\b"
)
HYPOTHETICAL = re.compile(
    r"(?i)^\W*(?:(?:and|but|so|ok|okay|well)\W+)*(?:if|suppose|supposing|imagine|what if|assuming|say we|let's say"
    r"|hypothetically|angenommen|falls|wenn|si|supongamos|imagina)\b"
)
AGREEMENT = re.compile(
    r"(?i)\b(?:yes|yeah|yep|yup|sure|ok|okay|agreed|deal|sounds? (?:good|great|right)|go ahead|works for me|please do"
    r"|go (?:for|with) (?:it|that|this|the)|let's (?:do|go|use|take|try)|do (?:it|that|so)|that one|this one|option"
    r"|th(?:e|at) (?:first|second|third|former|latter)|exactly|perfect|you're right|ja|jo|genau|passt|einverstanden"
    r"|machen wir|klingt gut|nehmen wir|das (?:erste|zweite)|s[ií]|vale|de acuerdo|adelante|perfecto|hag[aá]moslo"
    r"|la primera|la segunda)\b"
)

# "ignore the lint rules" is about a linter, "ignore your rules" about us.
_OVERRIDE_LINKS = (
    "all|any|every|of|your|the|my|our|previous|prior|above|earlier|these|those|system|own|other|safety|existing|given"
    "|initial|original|foregoing|former|preceding"
)
OVERRIDES = re.compile(
    r"(?i)\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|bypass(?:ing)?)\s+"
    r"(?=(?:\w+\s+)*?(?:all|any|every|your|previous|prior|above|earlier|these|those|system|preceding|foregoing|safety)\b)"
    rf"(?:(?:{_OVERRIDE_LINKS})\s+)+"
    r"(?:rules?|instructions?|guidelines?|prompts?|directives?|restrictions?|constraints?|polic(?:y|ies)|safeguards?)\b"
    r"|\b(?:ignorier\w*|vergiss|missachte)\s+(?:(?:alle|all|deine|die|eure|vorherigen|bisherigen|obigen|diese)\s+)+"
    r"(?:regeln|anweisungen|vorgaben|instruktionen)\b"
    r"|\b(?:ignora|ignore|olvida|omite|oublie)\w*\s+(?:(?:todas|tus|las|los|estas|tes|les|toutes|anteriores|sus)\s+)+"
    r"(?:reglas|instrucciones|normas|r[eè]gles|instructions|consignes)\b"
    r"|\b(?:new|updated|real|actual) (?:system )?instructions?\s*:|\bsystem\s*(?:prompt|message|override)\s*:"
)
_MEMORY_VERBS = (
    r"\b(?:store|save|record|memori[sz]e|remember|note|log|add|write|put|keep|insert|propose|output|return|emit|extract"
    r"|learn|create|speicher\w*|merk\w*|notier\w*|guarda\w*|recuerda\w*|anota\w*|registra\w*)\b"
)
_THE_USER = (
    r"(?:(?:the|this|that|your) (?:user|human)|der (?:be)?nutzer|die nutzerin|el usuario|la usuaria|l['’]utilisateur)"
)
# A claim about "the user", which nobody makes of himself.
ABOUT_THE_USER = re.compile(
    rf"(?i)\b(?:{_THE_USER}|user)(?:['’]s\s+(?:favou?rite|preferences?|preferred|home|boss)\b"
    r"|\s+(?:\w+ly\s+|always\s+|never\s+|also\s+)?(?:lov|lik|prefer|hates?\b|hated|want|enjoy|dislik|ador|think|believ"
    r"|trust|approv|decid|chos|lieb|bevorzug|möchte|ama\b|adora|prefier|quiere|aime|préfère)\w*)"
)
THE_USER = re.compile(rf"(?i)\b{_THE_USER}\b")
OF_THE_USER = re.compile(r"(?i)^\W*(?:(?:the )?user\b|i\b|i['’]m\b|my\b|ich\b|mein\w*\b|yo\b|mis?\b)")
DECISION = re.compile(
    r"(?i)\b(?:decid\w*|chose|chosen|choos\w*|pick\w*|select\w*|adopt\w*|agree\w*|us(?:e|es|ed|ing)|projects?|repo|service"
    r"|entschied\w*|gewählt|decid\w*|elig\w*)\b"
)
_MACHINERY = (
    r"(?:\b(?:your|long[- ]term|a new|to|into) memor(?:y|ies)\b|\bmemories\b|\bas a memory\b|\bmemory proposals?\b"
    r"|\"(?:kind|memories|confidence|slot)\"|\b(?:dein|ins) gedächtnis\b|\btu memoria\b)"
)
TO_THE_MEMORY = re.compile(
    rf"(?i){_MEMORY_VERBS}.*{_MACHINERY}|{_MACHINERY}.*{_MEMORY_VERBS}"
    rf"|{_MEMORY_VERBS}.*(?:\bthat\s+|\bdass\s+|\bque\s+|:\s*)(?:{_THE_USER}|user)\b"
)
# "Indentation is 4 spaces": the first word of a proposal that is plainly no name.
NOUN_ENDINGS = ("tion", "tions", "sion", "ment", "ments", "ness", "ing", "ity", "ance", "ence", "ship", "ung", "ción")
MEMORY_VERB = re.compile(rf"(?i){_MEMORY_VERBS}")
