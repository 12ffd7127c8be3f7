"""How German says it; see en.py for the groups. Text is folded: ä, ö, ü as a, o, u (or spelt ae, oe, ue), ß kept."""

from awhm_hooks.journal.patterns.de_frame import FRAME, LATE
from awhm_hooks.journal.patterns.de_words import ACTIONS, WORDS
from awhm_hooks.journal.patterns.languages import Group, Language, Rule

_FRAGMENTS = {
    "GAP": r"[\s,:;.!–—-]*",
    "W": r"[^\s,;:()!?]+",
    "S": r"(?P<s><W>(?: <W>){0,7}?)",
    "V": r"(?P<v>\S.*)",
    "O": r"(?P<o>\S.*)",
    "ADV": (
        r"(?:(?:\w+(?:lich|weise|tlich|ell)|ubrigens|meistens|meist|aktuell|derzeit|jetzt|nun|inzwischen|mittlerweile|auch|immer noch|noch|nur|schon|"
        r"bereits|sehr|klar|gerne?|intern|alles?|dafur|heute|hier|dann|gemeinsam|einstimmig|seit \S+) ){0,3}"
    ),
    "TEAM": r"(?:unser team|das team|mein team|die firma|unsere firma|das ganze team)",
    "PLACE": r"(?:projekt|repo|repository|codebase|code|dienst|service|app|anwendung|paket|bibliothek|team|firma|produkt|seite|monorepo|modul)",
    "MONTH": r"(?:januar|februar|marz|maerz|april|mai|juni|juli|august|september|oktober|november|dezember)",
    "NEVER": r"(?:immer|stets|nie|niemals|nie wieder|auf keinen fall|unter keinen umstanden)",
    "DOING": (
        r"deployen|hosten|speichern|releasen|veroffentlichen|bauen|testen|schreiben|entwickeln|betreiben|lagern|halten|arbeiten|unterstutzen|folgen|tracken|mergen|"
        r"verwalten|dokumentieren|versionieren|deployt|hostet|arbeitet|kommunizieren|loggen|planen|pflegen|liefern|rechnen|trainieren"
    ),
    "CHANGED": (
        r"(?:umgestiegen|gewechselt|umgezogen|migriert|umgestellt|geandert|geaendert|verschoben|aktualisiert|umbenannt|gesetzt|erhoht|gesenkt|verlegt|verlangert|portiert|"
        r"angehoben|hochgezogen|gestellt|gestiegen|gegangen|ausgewichen)"
    ),
}

# Facts about the person.
_PERSON = {
    "called": r"(?:ich hei(?:ß|ss)e|hei(?:ß|ss)e ich|mein (?:voller )?name ist|(?:du kannst mich|nenn mich|man nennt mich|alle nennen mich)) (?P<v>\S.*?)(?: nennen)?$",
    "live": r"(?:ich )?(?:wohne|lebe)(?: ich)? <ADV>(?:in|bei|nahe) <V>",
    "moving_home": r"(?:ich )?bin (?:ich )?<ADV>(?:von (?P<old><W>(?: <W>)?) )?nach (?P<v>\S.{0,40}?) (?:um)?gezogen.*",
    "work_at": r"(?:ich )?(?:arbeite|bin angestellt)(?: ich)? <ADV>(?:bei|fur|fuer) <V>",
    "machine": (
        r"(?:ich )?(?:nutze|verwende|benutze|arbeite|bin|entwickle|habe)(?: ich)? <ADV>(?:auf |mit |unter |an )?(?:einem |einen |ein |meinem )?"
        r"(?P<v>(?:macos|mac|windows|linux|ubuntu|debian|fedora|arch|nixos|wsl|macbook|thinkpad)\b.*)"
    ),
    "work_on": r"(?:ich )?(?:arbeite|studiere)(?: ich)? <ADV>(?:als|im homeoffice|remote|von) ?<V>?",
    "role": r"(?:ich )?bin (?:ich )?<ADV><V>",
    "speak": r"(?:ich )?(?:spreche|programmiere in|komme aus)(?: ich)? <V>",
}
# Preferences.
_TASTE = {
    "like_more": r"(?:ich|wir) (?:mag|mogen|finde|finden) (?P<o>\S.{0,60}?) (?:lieber|mehr|besser)(?: als .*|$)|mir (?:ist|sind|gefallt|gefaellt|gefallen) (?P<o2>\S.{0,60}?) (?:lieber|besser)(?: als .*|$)",
    "rather": (
        r"(?:ich|wir) (?:nutze|verwende|benutze|nutzen|verwenden|schreibe|schreiben|nehme|nehmen|arbeite|arbeiten|habe|haben|programmiere) <ADV>(?:lieber|am liebsten) (?:mit |in |auf )?<O>|"
        r"am liebsten (?:nutze|verwende|benutze|schreibe|nehme|arbeite|habe|programmiere|mag) ich (?:mit |in |auf )?(?P<o2>\S.*)"
    ),
    "rather_do": r"ich \w+e <ADV>lieber (?P<o>\S+ \S.*)",
    "little_of": r"von (?P<o>\S+(?: \S+)?) halte ich (?:nichts|wenig|viel|nicht viel)\b.*",
    "like_when": r"(?:ich|wir) (?:mag|mogen|liebe|lieben|hasse|hassen|schatze) es,? (?:wenn|dass) <O>",
    "prefer_over": r"(?:ich|wir) ziehen? (?P<o>\S.*) vor$|(?:ziehe ich|ziehen wir) (?P<o2>\S.*) vor$",
    "prefer": r"(?:(?P<w>wir|ich|<TEAM>) )?<ADV>(?:bevorzuge|bevorzugen|bevorzugt|favorisiere|favorisieren|praferiere|praferieren)(?: ich| wir)? <ADV>(?:es,? (?:wenn|dass) )?<O>",
    "favourite": r"meine? (?P<s>lieblings\S+(?: \S+)?) (?:ist|sind|heißt) <V>",
    "preference": r"(?:meine|unsere) praferenz (?:ist|sind) <O>",
    "like": r"(?:ich|wir) (?:mag|mogen|hasse|hassen|liebe|lieben|verabscheue) (?:keine? |keinen )?<O>",
    "habit": r"ich (?:nutze|verwende|benutze|schreibe|programmiere|mache|nehme|arbeite)(?: \S+){0,2}? (?:immer|nie|niemals|meistens|normalerweise) <O>|ich (?P<o2>squashe|rebase) (?:immer|nie|niemals|meistens|normalerweise)$",
}
# Policies.
_POLICY = {
    "make_sure": r"(?:bitte )?(?:achte immer darauf|achte stets darauf|stelle? (?:immer |stets )?sicher|denk immer daran|denke immer daran)(?:, dass|,)? (?P<o>\S.* (?:immer |nie |niemals )?.*)",
    "never": r"(?:bitte,? |und |aber )*(?P<a><W>) (?:bitte |mir |mich |uns |ab jetzt |ab sofort |in zukunft ){0,2}<NEVER>(?: <O>)?$",
    "never_first": r"(?:bitte,? |und |aber )*<NEVER> (?P<o>\S.* )?(?P<a><W>)$",
    "we_never": r"(?:wir|<TEAM>) (?P<a><W>)(?: \S+){0,4}? <NEVER>(?: <O>)?$",
    "you_must": r"du (?:sollst|musst|darfst|solltest) (?:mir |mich )?(?P<n>immer|stets|nie|niemals|auf keinen fall) (?P<o>\S.* )?(?P<a><W>)$",
    "convention": r"(?:unsere|die|eine) (?:\S+ )?\S*(?:regel|konvention|richtlinie|vorgabe|policy) (?:ist|lautet)(?:,? dass|,|:)? <O>",
    "ask_first": r"(?:bitte )?(?:immer )?(?:frag|frage|sprich)(?: mich| uns| dich mit mir)?(?: immer| erst| vorher| zuerst)?,? (?:bevor|vor) <O>",
    "no_without": r"keine?n? <O> ohne (?:review|freigabe|genehmigung|tests?|ticket|zustimmung|mein\w*|ein\w*|zwei)\b.*",
    "without": r"(?:bitte )?(?P<a><W>) (?P<o>\S.* ohne (?:mich|uns|rucksprache|freigabe|ein review|review|genehmigung|zu fragen|vorher)\b.*)",
    "needs": r"(?P<s>(?:jede[rsn]?|alle|keine?)(?: <W>){1,5}?) (?:braucht|brauchen|benotigt|benotigen|bekommt|bekommen) <O>",
    "from_now": r"(?:bitte )?(?P<a><W>) (?P<o>\S.*(?:ab jetzt|ab sofort|von nun an|in zukunft|kunftig|zukunftig|vor jedem (?:commit|push|merge|deploy|release|pr)|nach jedem (?:commit|push|merge|deploy|release)).*)",
    "do_it": r"(?:bitte )?(?P<a><W>)(?: wir| ich)?(?: <O>)?$",
    "do_last": r"(?:bitte )?(?P<o>\S.* )(?P<a><W>)$",
    "allowed": r"<S> (?:ist|sind|bleibt|bleiben) (?:.{0,40}? )?(?P<v>(?:strikt |streng |absolut |grundsatzlich )?(?:verboten|nicht erlaubt|tabu|untersagt|pflicht|verpflichtend|obligatorisch|nicht gestattet)\b.*)",
    "must": (
        r"(?P<s><W>(?: <W>){0,6}?) (?P<m>mussen|muessen|muss|durfen|duerfen|darf|sollen|sollten|sollte)(?P<n> immer| stets| nie| niemals| nicht| nur| auf keinen fall)? (?P<o>\S.*)"
    ),
}
# Facts about the work: what "we" do, and changes to it.
_WORK = {
    "no_longer": (
        r"(?:(?:wir|ich|<TEAM>) )?(?P<a>nutzen|verwenden|benutzen|nutze|verwende|benutze|nutzt|verwendet|deployen|hosten|setzen auf|setzen|unterstutzen|brauchen|fahren)(?: wir| ich)? (?P<old>(?!keine?)<W>(?: <W>){0,6}?)"
        r"(?P<more> nicht (?:mehr|langer)| nicht)(?:[,;.]? (?:-+|–|—)? ?(?:sondern|jetzt|nun|aber|und|wir|nutzen|verwenden) +(?:wir )?(?:nutzen |verwenden )?(?:jetzt |nun )?<V>)?$"
    ),
    "none_any_more": r"(?:wir|ich|<TEAM>) (?:nutzen|verwenden|benutzen|nutze|verwende|benutze|nutzt|verwendet|veroffentlichen|bauen|schreiben|unterstutzen|liefern|deployen|hosten|testen) <ADV>keine?n? (?P<v>\S.{0,60}?) mehr\b.*",
    "choice": r"(?:die|unsere) (?:wahl|entscheidung) (?:fiel|ist|viel) auf (?P<v>\S.*?)(?: gefallen)?$",
    "will_use": r"(?:wir|<TEAM>) (?:werden|wird) <ADV>(?P<v>\S.{0,80}?) (?:verwenden|nutzen|benutzen|einsetzen|nehmen)$",
    "labelled": r"(?:entscheidung|beschluss)\s*[:–—-]+ <V>",
    "moved": (
        r"(?:(?P<w>wir|ich|<TEAM>) (?:sind|bin|haben|habe|hat|ist)|(?:sind|haben) wir|(?P<bare>(?:bin|habe) ich)) <ADV>(?P<s>(?!von\b|auf\b|zu\b|nach\b|uns\b|im\b|am\b|seit\b|vor\b|letzte|diese|beschlossen\b|entschieden\b)<W>(?: <W>){0,5}? )??<ADV>(?:(?:im|am|seit|vor|letzte\w*|diese\w*) \S+ |(?:vor)?gestern |heute |neulich )?"
        r"(?:von (?P<old>\S.{0,60}?) )?(?:auf|zu|nach|in|zur|zum) (?P<v>\S.{0,80}?) <CHANGED>\b.*"
    ),
    "replaced": r"(?:wir|ich|<TEAM>) (?:haben|habe|hat) <ADV>(?P<old>\S.{0,60}?) (?:durch|mit) (?P<v>\S.{0,60}?) (?:ersetzt|abgelost|ausgetauscht)\b.*",
    "have": r"wir haben (?P<v>(?:eine?n?|zwei|drei|vier|funf|sechs|sieben|acht|zehn|\d+) \S.*)",
    "decided": (
        r"(?:(?P<w>wir|ich|<TEAM>) (?:haben|habe|hat)|haben wir|es wurde) (?:uns |mich |sich )?<ADV>(?:(?P<how>fur|fuer|auf|gegen|darauf) (?P<v>\S.{0,80}?) (?:entschieden|geeinigt|festgelegt|verstandigt)\b.*|"
        r"(?:beschlossen|entschieden|vereinbart|festgelegt|darauf geeinigt|dafur entschieden),? (?P<v2>\S.*))"
    ),
    "as_our": (
        r"(?:(?P<w>wir|ich|<TEAM>) (?:nutzen|verwenden|benutzen|nutze|verwende|benutze|nutzt|verwendet|haben)|(?:nutzen|verwenden) wir) <ADV>(?P<v>\S.{0,60}?) (?:als|(?P<for>fur|zum|zur)) (?P<s>(?:<W> ){0,4}?<W>)(?= in | seit |[,;]|$)"
    ),
    "set_in": r"(?:wir|<TEAM>) (?:setzen|setzt) <ADV>(?P<v>\S.{0,60}?) ein\b.*",
    "use": (
        r"(?P<w>wir|ich|<TEAM>) <ADV>(?:nutzen|verwenden|benutzen|nutze|verwende|benutze|nutzt|verwendet|setzen <ADV>auf|setzt <ADV>auf|bleiben bei|vertrauen auf|bauen auf|gehen mit|nehmen|(?P<plus>sind <ADV>auf|laufen auf)) <ADV><V>"
    ),
    "use_inverted": r"(?:nutzen|verwenden|benutzen|nutze|verwende|benutze)(?: (?:wir|ich)) <ADV><V>",
    "moving": (
        r"(?:(?P<w>wir|ich|<TEAM>) )?(?:wechseln|migrieren|stellen|ziehen|steigen|wechsle|migriere|wechselt)(?: wir| ich)? <ADV>(?P<s>(?:den|die|das|unsere?n?|alles) <W> )?(?:von (?P<old>\S.{0,60}?) )?(?:auf|zu|nach|in) <V>"
    ),
    "do": r"(?:wir|<TEAM>) <ADV>(?:<DOING>) <ADV><V>",
    "do_inverted": r"(?:<DOING>) wir <ADV><V>",
}
# Outcomes.
_OUTCOME = {
    "worked": (
        r"(?:und |aber |super,? |perfekt,? |ja,? )?(?:das|dies|es|alles|(?:dein|der|die|das|unser|unsere) (?:\S+ ){0,2}?(?:fix|patch|anderung|migration|release|rollout|rollback|upgrade|deploy|deployment|import|losung|workaround|"
        r"vorschlag|update|umstellung|installation|hotfix|experiment|versuch)) (?:hat|haben|ist|ging|hatte)(?: \S+){0,4}? ?(?:funktioniert|geklappt|geholfen|gelost|geloest|behoben|repariert|fehlgeschlagen|gescheitert|schief(?:gegangen|gelaufen)?|nichts gebracht|gut gelaufen|daneben)\b.*"
    ),
    "worked_inverted": (
        r"(?:hat|haben|ist) (?:das|es|alles|die \S+|der \S+) (?:\S+ ){0,3}?(?:funktioniert|geklappt|geholfen|gelost|behoben|fehlgeschlagen|gescheitert|schiefgegangen|nichts gebracht)\b.*"
    ),
    "works_now": r"(?:(?:jetzt|endlich|nun) (?:geht|funktioniert|lauft|klappt)(?:'s| es| alles| das| wieder)?(?: wieder)?|(?:es|das|alles) (?:geht|funktioniert|lauft|klappt) (?:jetzt|wieder|nun|endlich)(?: wieder)?)\W*$",
    "tests_pass": r"(?:jetzt )?(?:alle |die )*tests (?:laufen|sind|gehen) (?:jetzt |wieder |nun |alle )*(?:durch|grun)(?: jetzt)?$",
    "fixed": r"(?:behoben|gefixt|gelost|repariert)(?: .*)?$|(?:ich|wir) (?:habe|haben) (?P<o>.{1,80}?) (?:behoben|gefixt|gelost|repariert|gefixed)(?:,? (?:indem|mit|durch|per) .*)",
    "turned_out": r"(?:und |aber )?(?:es|das problem)? ?(?:stellte sich heraus|hat sich herausgestellt|wie sich herausstellte|stellte sich)(?:,? dass)?,? <V>|(?:es )?lag (?:am|an der|an dem|daran,? dass|an) (?P<v2>\S.*)",
    "cause": (
        r"(?:die|der|das)(?: (?:eigentliche|wahre|richtige|endgultige|tatsachliche))? (?:losung|ursache|fix|grundursache|schuldige|workaround|problem|fehler|bug|grund)(?: (?:fur|des|der|von|im|in) .{1,50}?)? (?:war|waren|lag)(?:,? dass|,)? <V>"
    ),
    "culprit": r"die (?:grund)?ursache(?: (?:fur|des|der|von) .{1,40}?)? ist(?:,? dass|,)? <V>",
    "by_doing": r"(?P<s>(?:das|der|die|den|ein|eine) (?:<W> ){1,8}?)(?P<a>hat|haben) (?P<v>\S.* )?(?:behoben|gelost|geholfen|repariert|gefixt)\b.*",
}
# Facts about things: "X is Y".
_STATE = {
    "was_now": (
        r"<S> (?:war|waren|ist nicht|sind nicht|lautet nicht) (?P<old>[^,;]{1,60}?)(?: mehr)?[,;]? (?:(?:-+|–|—|und|aber|sondern) )*(?:(?:jetzt|nun) (?:ist (?:es|er|sie)|sind es|lautet (?:er|sie|es))|"
        r"es ist|er ist|sie ist|(?<=sondern ))(?: ?jetzt| ?nun)? ?<V>"
    ),
    "shifted": (
        r"<S> (?:ist|sind|wurde|wurden|hat sich|wird) <ADV>(?:von (?P<old>\S.{0,60}?) )?(?:auf|nach|in|zu|zur|zum) (?P<v>\S.{0,80}?) <CHANGED>\b.*"
    ),
    "no_more": r"<S> (?:ist|sind) nicht mehr <V>",
    "named": r"<S> (?:hei(?:ß|ss)t|hei(?:ß|ss)en) <ADV><V>",
    "expires": r"<S> (?:lauft|laufen|verfallt|verfallen) (?:nach|am|in|um) (?P<v>\S.{0,40}?)(?: ab)?$",
    "runs": (
        r"<S> (?:lauft|laeuft|laufen|lauscht|lauschen|hort|horen|liegt|liegen|steht|wohnt|lebt|befindet sich|hangt) <ADV>(?P<p>auf|unter|in|bei|hinter|an) <V>"
    ),
    "goes": r"<S> (?:gehen|geht|fließen|fließt|landen|landet) <ADV>(?:nach|in|an|zu|auf|bei) <V>",
    "hosted": r"<S> (?:wird|werden|ist|sind) <ADV>(?P<p>auf|unter|in|bei|von|mit|uber) (?P<v>\S.{0,80}?) (?:gehostet|deployt|betrieben|deployed|verwaltet|erreichbar|gespeichert|gebaut|geschrieben|abgelegt|verfugbar)\b.*",
    "fact": r"<S> (?:ist|sind|lautet)(?: (?:jetzt|aktuell|nun|derzeit|offiziell|immer|ubrigens|eigentlich|tatsachlich|mittlerweile|inzwischen|neuerdings|weiterhin))* <V>",
    "fact_inverted": r"(?:ist|sind|lautet) (?P<s>(?:der|die|das|unsere?|meine?|dieses) <W>(?: <W>){0,2}?)(?: jetzt| nun)? <V>",
    "named_inverted": r"hei(?:ß|ss)t (?P<s>(?:der|die|das|unsere?|meine?|dieses) <W>(?: <W>){0,2}?)(?: jetzt| nun)? <V>",
    "has": (
        r"<S> <ADV>(?:nutzt|verwendet|benutzt|nutzen|verwenden|benotigt|braucht|unterstutzt|basiert auf|basieren auf|setzt auf|zeigt auf|gehort dem|gehort zum|gehort zu|endet am|dauert|dauern|beginnt am|beginnt um|startet um|lauft ab am) <ADV><V>"
    ),
    "will_be": r"<S> wird (?P<v>\S.{0,60}?)(?: sein| heißen)$",
    "was": r"<S> (?:war|waren) <V>",
    "it_is": r"(?:es|das|er|sie) (?:ist|sind|sollte|muss|lautet|heißt)(?: jetzt)? (?P<v>\S.*?)(?: sein)?$",
    "bare_value": r"<V>",
}

_RULES = (
    Rule("called", "person", "fact", "name", "name"),
    Rule("live", "person", "fact", "place", "live"),
    Rule("moving_home", "person", "fact", "place", "live", change=True),
    Rule("work_at", "person", "fact", "employer", "work"),
    Rule("machine", "person", "fact", "plain"),
    Rule("work_on", "person", "fact", "plain"),
    Rule("role", "person", "fact", "role"),
    Rule("speak", "person", "fact", "thing"),
    Rule("like_more", "taste", "preference", "prefer", "prefer"),
    Rule("rather", "taste", "preference", "prefer", "prefer"),
    Rule("rather_do", "taste", "preference", "prefer", "prefer"),
    Rule("little_of", "taste", "preference", "prefer", "prefer"),
    Rule("like_when", "taste", "preference", "prefer", "prefer"),
    Rule("prefer_over", "taste", "preference", "prefer", "prefer"),
    Rule("prefer", "taste", "preference", "prefer", "prefer"),
    Rule("favourite", "taste", "preference", "favourite", "favourite"),
    Rule("preference", "taste", "preference", "prefer", "prefer"),
    Rule("like", "taste", "preference", "like", "prefer"),
    Rule("habit", "taste", "preference", "prefer", "prefer"),
    Rule("make_sure", "policy", "policy", "plain"),
    Rule("never", "policy", "policy", "act", "act"),
    Rule("never_first", "policy", "policy", "act", "act"),
    Rule("we_never", "policy", "policy", "act", "act"),
    Rule("you_must", "policy", "policy", "act", "act"),
    Rule("convention", "policy", "policy", "convention"),
    Rule("ask_first", "policy", "policy", "plain"),
    Rule("no_without", "policy", "policy", "plain"),
    Rule("without", "policy", "policy", "act", "act"),
    Rule("needs", "policy", "policy", "needs"),
    Rule("no_longer", "work", "fact", "no_longer", change=True, wide=True),
    Rule("none_any_more", "work", "fact", "thing", change=True),
    Rule("choice", "work", "fact", "thing"),
    Rule("will_use", "work", "fact", "use"),
    Rule("labelled", "work", "fact", "plain", wide=True),
    Rule("worked", "outcome", "outcome", "outcome"),
    Rule("worked_inverted", "outcome", "outcome", "led"),
    Rule("works_now", "outcome", "outcome", "outcome"),
    Rule("tests_pass", "outcome", "outcome", "outcome"),
    Rule("fixed", "outcome", "outcome", "outcome"),
    Rule("turned_out", "outcome", "outcome", "turned_out"),
    Rule("cause", "outcome", "outcome", "cause"),
    Rule("culprit", "outcome", "outcome", "cause"),
    Rule("moved", "work", "fact", "moved", "moved", change=True),
    Rule("replaced", "work", "fact", "replaced", change=True),
    Rule("have", "work", "fact", "have"),
    Rule("decided", "work", "fact", "decided_de"),
    Rule("as_our", "work", "fact", "as_our", "as_our"),
    Rule("set_in", "work", "fact", "thing"),
    Rule("use", "work", "fact", "use"),
    Rule("use_inverted", "work", "fact", "led_use"),
    Rule("moving", "work", "fact", "moved", "moved", change=True),
    Rule("do", "work", "fact", "done"),
    Rule("do_inverted", "work", "fact", "led_done"),
    Rule("from_now", "policy", "policy", "act", "act"),
    Rule("do_it", "policy", "policy", "standing", "act", general=True),
    Rule("do_last", "policy", "policy", "standing", "act", general=True),
    Rule("by_doing", "outcome", "outcome", "by_doing"),
    Rule("allowed", "policy", "policy", "allowed"),
    Rule("must", "policy", "policy", "must_de"),
    Rule("was_now", "state", "fact", "change", "subject", change=True, wide=True),
    Rule("shifted", "state", "fact", "change", "subject", change=True),
    Rule("no_more", "state", "fact", "no_more", "subject", change=True),
    Rule("named", "state", "fact", "relation", "subject"),
    Rule("named_inverted", "state", "fact", "led_relation", "subject"),
    Rule("expires", "state", "fact", "relation_named"),
    Rule("runs", "state", "fact", "relation", "runs"),
    Rule("goes", "state", "fact", "relation_named"),
    Rule("hosted", "state", "fact", "relation", "runs"),
    Rule("fact", "state", "fact", "fact", "subject"),
    Rule("fact_inverted", "state", "fact", "led_fact", "subject"),
    Rule("has", "state", "fact", "relation"),
    Rule("will_be", "state", "fact", "relation", "subject"),
    Rule("was", "state", "fact", "key_only", "subject"),
    Rule("bare_value", "state", "policy", "announced", general=True),
    Rule("it_is", "state", "fact", "correcting", general=True),
    Rule("bare_value", "state", "fact", "meant", general=True),
)

_GROUPS = {
    "frame": Group(FRAME),
    "late": Group(LATE),
    "person": Group(
        _PERSON,
        needs="ich~ ~ich mich mein wohne lebe arbeite bin~ nenn studiere spreche komme nutze verwende benutze entwickle habe programmiere",
    ),
    "taste": Group(
        _TASTE,
        needs="bevorzug favorisier praferi praferenz lieber liebsten mag~ mogen hass lieb zieh halte gefall gefaell schatze verabscheu immer nie meistens normalerweise find mir~",
    ),
    "policy": Group(
        _POLICY,
        needs=(
            "immer nie stets keinen~fall keinen~umst muss muess darf durf duerf soll verboten erlaubt tabu untersagt pflicht obligatorisch gestattet"
            " regel konvention richtlinie vorgabe policy frag sprich ohne brauch benotig bekomm ab~jetzt ab~sofort nun~an zukunft kunftig vor~jedem"
            " nach~jedem achte sicher denk"
        ),
    ),
    "work": Group(
        _WORK, needs="wir ich~ team firma nutz verwend benutz setz wahl entscheid beschluss wurde wechs migrier"
    ),
    "outcome": Group(
        _OUTCOME,
        needs=(
            "funktion klapp geholf lost behob repar fehlg schief gelaufen daneben gebracht gescheitert fix heraus lag~ losung ursache problem"
            " fehler bug grund schuldige workaround geht lauft tests"
        ),
    ),
    "state": Group(_STATE),
}

LANGUAGE = Language(
    "de",
    _GROUPS,
    _FRAGMENTS,
    _RULES,
    WORDS,
    ACTIONS,
    {
        **dict.fromkeys(
            (
                "der",
                "die",
                "das",
                "den",
                "dem",
                "unser",
                "unsere",
                "unseren",
                "unserem",
                "unserer",
                "ein",
                "eine",
                "einen",
            ),
            "",
        ),
        "meinen": "mein",
        "meinem": "mein",
        "meiner": "meine",
    },
    capital_nouns=True,
)
