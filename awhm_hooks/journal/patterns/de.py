"""How German says it; see en.py for the groups. Text is folded: ä, ö, ü as a, o, u (or spelt ae, oe, ue), ß kept."""

from awhm_hooks.journal.patterns.de_words import ACTIONS, WORDS
from awhm_hooks.journal.patterns.languages import Language, Rule, filled

_FRAGMENTS = {
    "GAP": r"[\s,:;.!–—-]*",
    "W": r"[^\s,;:()!?]+",
    "S": r"(?P<s><W>(?: <W>){0,7}?)",
    "V": r"(?P<v>\S.*)",
    "O": r"(?P<o>\S.*)",
    "ADV": (
        r"(?:(?:ubrigens|eigentlich|meistens|meist|normalerweise|grundsatzlich|generell|aktuell|derzeit|momentan|jetzt|nun|inzwischen|mittlerweile|auch|immer noch|"
        r"noch|nur|schon|bereits|hauptsachlich|uberwiegend|ausschließlich|ausschliesslich|personlich|eher|sehr|wirklich|klar|stark|vor allem|gern|gerne|endlich|seit \S+|offiziell|"
        r"bei uns|intern|alle|alles|dafur|heute|hier|dann|gemeinsam|einstimmig) ){0,3}"
    ),
    "TEAM": r"(?:unser team|das team|mein team|die firma|unsere firma|das ganze team)",
    "PLACE": r"(?:projekt|repo|repository|codebase|code|dienst|service|app|anwendung|paket|bibliothek|team|firma|produkt|seite|monorepo|modul)",
    "MONTH": r"(?:januar|februar|marz|maerz|april|mai|juni|juli|august|september|oktober|november|dezember)",
    "NEVER": r"(?:immer|stets|nie|niemals|nie wieder|auf keinen fall|unter keinen umstanden)",
    "USE": r"(?:nutzen|verwenden|benutzen|einsetzen|fahren)",
    "DOING": (
        r"deployen|hosten|speichern|releasen|veroffentlichen|bauen|testen|schreiben|entwickeln|betreiben|lagern|halten|arbeiten|unterstutzen|folgen|tracken|mergen|"
        r"verwalten|dokumentieren|versionieren|deployt|hostet|arbeitet|kommunizieren|loggen|planen|pflegen|liefern"
    ),
    "CHANGED": (
        r"(?:umgestiegen|gewechselt|umgezogen|migriert|umgestellt|geandert|geaendert|verschoben|aktualisiert|umbenannt|gesetzt|erhoht|gesenkt|verlegt|verlangert|portiert|"
        r"angehoben|hochgezogen|gestellt|gestiegen|gegangen|ausgewichen)"
    ),
}

_SOURCES = {
    "lead": (
        r"(?:ok|okay|also|gut|super|prima|perfekt|danke|vielen dank|hallo(?: claude)?|hi|hey|moin|servus|claude|ja|klar|genau|na ja|naja|leider|zum gluck|dann|und|aber|doch|ach|ah|oh|"
        r"ubrigens|zur info|zur information|info|hinweis|notiz|wichtig|achtung|merke?(?: dir)?|bitte merk(?:e)? dir|denk dran|kurzer hinweis|kurz zum kontext|zum kontext|kontext|nur damit du es weißt|"
        r"damit du es weißt|nur zur info|fyi|btw|ps|wie gesagt|wie schon gesagt|wie erwahnt|im allgemeinen|im prinzip|personlich|ehrlich gesagt|um genau zu sein|meiner meinung nach|"
        r"erinnerung|noch was|noch etwas|eine sache noch|zwei dinge|du solltest wissen|vergiss nicht|nicht vergessen|bei uns|bei uns im team|in meinem team|in unserem team|bei der arbeit|"
        r"auf der arbeit|sorry|entschuldigung|gerne|praferenz|update|stand)"
        r"(?:,? dass)?(?=[\s,:;.!–—-])<GAP>"
    ),
    "dated": (
        r"(?:gestern|heute|jetzt(?! (?:geht|funktioniert|lauft|klappt))|nun|aktuell|derzeit|mittlerweile|inzwischen|neuerdings|vorgestern|diese woche|diesen monat|dieses jahr|letzte woche|letzten \w+|letztes jahr|vor (?:einem|einer|zwei|drei|ein paar) "
        r"(?:tag|tagen|woche|wochen|monat|monaten|jahr|jahren)|kurzlich|"
        r"(?:seit|ab|am|im|bis|vom|zum)(?: dem| der)? (?:\d{4}-\d\d(?:-\d\d)?|\d{4}|\d{1,2}\. ?(?:<MONTH>|\d{1,2}\.)(?: ?\d{4})?|<MONTH>(?: \d{4})?|montag|dienstag|mittwoch|donnerstag|freitag|"
        r"gestern|heute|morgen|letzter woche|letztem \w+|version \S+|v\d\S*))(?=[\s,:–—-])<GAP>"
    ),
    "standing": (
        r"(?:bitte )?(?:ab (?:jetzt|sofort|heute)|von (?:jetzt|nun|heute) an|in zukunft|zukunftig|kunftig|fortan|ab diesem zeitpunkt|grundsatzlich|generell|standardmaßig|standardmassig|als (?:regel|grundregel)|"
        r"(?:neue |unsere |wichtige )*(?:team|projekt)?-?(?:regel|konvention|richtlinie|policy)(?: \d+)?(?=[:–—-]))(?: gilt)?(?=[\s,:;.!–—-])<GAP>"
    ),
    "placed": r"(?:in|bei|fur) (?:diesem|dieser|unserem|unserer|dem ganzen|der ganzen|allen(?: unseren)?|meinen) <PLACE>(?:en|e|s|n)?(?=[\s,:–—-])<GAP>",
    "marker": (
        r"(?:(?:ah|oh|ups|sorry|moment|warte|hm|ach|entschuldigung|okay|ok|ja)[,!. ]+){0,2}"
        r"(?:(?:eigentlich|tatsachlich|korrektur|kleine korrektur|berichtigung|ich (?:habe mich (?:geirrt|vertan|vertippt)|lag falsch|korrigiere(?: mich)?|meinte)|"
        r"das (?:ist (?:falsch|nicht richtig|nicht korrekt|inkorrekt|veraltet|so nicht richtig)|stimmt (?:so )?nicht(?: mehr)?|war falsch)|stimmt nicht|mein fehler|da liegst du falsch|du liegst falsch|besser gesagt|"
        r"genauer gesagt|vielmehr|doch nicht|nee)(?=[\s,:;.!–—-]|$)|nein(?=[,.:!–—-])|falsch(?=[,.:!–—-])|nein(?= (?:es |das |der |die |wir |ich )))<GAP>"
    ),
    "it": r"(?:es|das|er|sie) (?:ist|sind) ",
    "mid_marker": r"\b(?:ist|sind|bin|heißt|lauft|nutzen|verwenden|bevorzuge) (?:eigentlich|tatsachlich|in wirklichkeit)\b",
    "stopped": r"\b(?:nicht mehr|kein\w* \S+(?: \S+)? mehr|aufgehort)\b",
    "hedge": (
        r"\b(?:vielleicht|eventuell|evtl|moglicherweise|wahrscheinlich|vermutlich|wohl|angeblich|anscheinend|scheinbar|glaube ich|denke ich|ich glaube|ich denke|nehme ich an|"
        r"konnte|konnten|konntest|wurde ich|wurden wir|waere|ware|oder so|hoffentlich|nicht sicher|theoretisch)\b"
    ),
    "void": (
        r"\b(?:vielleicht|eventuell|moglicherweise|wahrscheinlich|vermutlich|angenommen|nehmen wir an|stell dir vor|stellen wir uns vor|ich glaube|ich denke|ich vermute|ich nehme an|ich hoffe|hoffentlich|"
        r"ich frage mich|ob|wurde|wurden|wurdest|konnte|konnten|konntest|sollten wir|ware|waere|ich wunschte|wunschte|zum beispiel|z\.b|beispielsweise|laut|als ob|mal angenommen|scheint|anscheinend|nicht sicher|keine ahnung|"
        r"ich bezweifle|im beispiel)\b"
    ),
    "conditional": r"(?:wenn|falls|sobald|bevor|nachdem|wahrend|sofern|immer wenn|jedes mal wenn|beim|bei|fur|um|solange|sollte)\b",
    "reported": (
        r"(?:\b(?!ich |wir |du )<W> (?:sagt|sagte|sagen|sagten|meint|meinte|behauptet|behauptete|schreibt|schrieb|glaubt|denkt|fragt|fragte|erwahnt|erwahnte|empfiehlt|empfahl|erzahlte)\b|"
        r"\blaut\b|\b(?:die doku|das readme|der linter|die fehlermeldung|das log|der fehler|die dokumentation) )"
    ),
    "said": (
        r"(?:(?:sagte?|meinte?|behauptete?|schrieb) (?:er|sie|<W>)|laut\b|(?:er|sie|<W>) (?:sagt|sagte|meint|meinte|schrieb)|glaube ich|denke ich|vermutlich|war nur spaß|scherz|"
        r"(?:oder|richtig|stimmt's|stimmts|nicht wahr|korrekt|oder nicht|oder doch|nicht)$)"
    ),
    "joke": r"\b(?:nur (?:ein )?(?:spaß|spass|scherz)|war ein (?:witz|scherz)|kleiner scherz)\b",
    "whole_void": r"(?:und |aber |also |ok,? )?(?:stell dir vor|stellen wir uns vor|angenommen|nehmen wir(?: mal)? an|mal angenommen|zum beispiel|tun wir so|gesetzt den fall)\b",
    "question": (
        r"(?:und |aber |also |hey,? )?(?:kannst|konntest|konnen|konnten|wurdest|willst|soll|sollen|sollte|sollten|darf|durfen|muss ich|mussen wir|ist|sind|hat|haben|gibt|weißt|weisst|was|wie|wieso|warum|weshalb|"
        r"wer|wo|wann|welche[rsnm]?|woher|wohin|erklar|erklare|zeig mir|sag mir|nutzen wir|verwenden wir)\b"
    ),
    "confirming": r"(?:ok|okay|klar|verstanden|bitte|ja|in ordnung|einverstanden|alles klar)\W*$",
    "cut": (
        r"(?:(?:und|aber|also|denn|weil|da|oder|deshalb|daher|deswegen)[, ]+)?(?:(?:ich|du|er|sie|es|wir|ihr|das|dies|man|kannst|konntest|konnten|wurdest|bitte|danke|was|wie|warum|wo|lass|mach|hilf|"
        r"ist das|oder|richtig|sonst)(?=[\s,.!?']|$))"
    ),
    "task": (
        r"\b(?:vorerst|vorlaufig|furs erste|im moment|im augenblick|diesmal|dieses mal|nur heute|ausnahmsweise|temporar|ubergangsweise|zurzeit noch|noch nicht|gerade|"
        r"(?:in|fur|bei|an|mit|von|zu|auf) (?:diese[rmns]?|jene[rmns]?) (?:datei|funktion|methode|klasse|test|tests|fall|pr|commit|branch|aufgabe|ticket|zeile|zeilen|block|seite|komponente|"
        r"anderung|beispiel|skript|script|abfrage|schritt|teil|session|modul|migration|button|ansicht)|"
        r"diese[rsnm]? (?:datei|funktion|methode|klasse|test|zeile|variable|komponente|block|seite|skript|stelle)|"
        r"(?:die|der|das|den|dem) (?:erste|ersten|zweite|zweiten|dritte|dritten|letzte|letzten|andere|anderen|vorherige|vorherigen|folgende|folgenden|gleiche|gleichen|obige|obigen)|"
        r"(?:option|variante|vorschlag|version) (?:\w|eins|zwei|drei)|dein(?:e|en|em|er)? (?:vorschlag|idee|version|losung|code|ansatz|antwort))\b"
    ),
    "here": r"\b(?:hier|da|dort|noch|mal)\b",
    "change": (
        r"\b(?:nicht mehr|kein\w* \S+ mehr|jetzt|nun|mittlerweile|inzwischen|umgestiegen|gewechselt|wechseln|umgezogen|gezogen|migriert|migrieren|umgestellt|geandert|geaendert|verschoben|umbenannt|ersetzt|"
        r"aktualisiert|abgelost|neuerdings|statt|anstatt|anstelle|ab sofort|ab jetzt|von nun an|kunftig|zukunftig|in zukunft|aufgehort|verlegt|eingestellt|erhoht|gesenkt|verlangert|abgeschafft)\b"
    ),
    # Facts about the person.
    "called": r"(?:ich hei(?:ß|ss)e|hei(?:ß|ss)e ich|mein (?:voller )?name ist|(?:du kannst mich|nenn mich|man nennt mich|alle nennen mich)) (?P<v>\S.*?)(?: nennen)?$",
    "live": r"(?:ich )?(?:wohne|lebe)(?: ich)? <ADV>(?:in|bei|nahe) <V>",
    "moving_home": r"(?:ich )?bin (?:ich )?<ADV>(?:von (?P<old><W>(?: <W>)?) )?nach (?P<v>\S.{0,40}?) (?:um)?gezogen.*",
    "work_at": r"(?:ich )?(?:arbeite|bin angestellt)(?: ich)? <ADV>(?:bei|fur|fuer) <V>",
    "work_on": r"(?:ich )?(?:arbeite|studiere)(?: ich)? <ADV>(?:als|im homeoffice|remote|von) ?<V>?",
    "role": r"(?:ich )?bin (?:ich )?<ADV><V>",
    "machine": (
        r"(?:ich )?(?:nutze|verwende|benutze|arbeite|bin|entwickle|habe)(?: ich)? <ADV>(?:auf |mit |unter |an )?(?:einem |einen |ein |meinem )?"
        r"(?P<v>(?:macos|mac|windows|linux|ubuntu|debian|fedora|arch|nixos|wsl|macbook|thinkpad)\b.*)"
    ),
    "speak": r"(?:ich )?(?:spreche|programmiere in|komme aus)(?: ich)? <V>",
    "habit": r"ich (?:nutze|verwende|benutze|schreibe|programmiere|mache|nehme|arbeite)(?: \S+){0,2}? (?:immer|nie|niemals|meistens|normalerweise) <O>",
    # Facts about the work.
    "no_longer": (
        r"(?:(?:wir|ich|<TEAM>) )?(?P<a>nutzen|verwenden|benutzen|nutze|verwende|benutze|nutzt|verwendet|deployen|hosten|setzen auf|setzen|unterstutzen|brauchen|fahren)(?: wir| ich)? (?P<old>(?!keine?)<W>(?: <W>){0,6}?)"
        r"(?P<more> nicht (?:mehr|langer)| nicht)(?:[,;.]? (?:-+|–|—)? ?(?:sondern|jetzt|nun|aber|und|wir|nutzen|verwenden) +(?:wir )?(?:nutzen |verwenden )?(?:jetzt |nun )?<V>)?$"
    ),
    "none_any_more": r"(?:wir|ich|<TEAM>) (?:nutzen|verwenden|benutzen|nutze|verwende|benutze|nutzt|verwendet) <ADV>keine?n? (?P<v>\S.{0,60}?) mehr\b.*",
    "moved": (
        r"(?:(?P<w>wir|ich|<TEAM>) (?:sind|bin|haben|habe|hat|ist)|(?:sind|haben) wir|(?P<bare>(?:bin|habe) ich)) <ADV>(?P<s>(?!von\b|auf\b|zu\b|nach\b|uns\b|beschlossen\b|entschieden\b)<W>(?: <W>){0,5}? )??<ADV>"
        r"(?:von (?P<old>\S.{0,60}?) )?(?:auf|zu|nach|in|zur|zum) (?P<v>\S.{0,80}?) <CHANGED>\b.*"
    ),
    "moving": (
        r"(?:(?P<w>wir|ich|<TEAM>) )?(?:wechseln|migrieren|stellen|ziehen|steigen|wechsle|migriere|wechselt)(?: wir| ich)? <ADV>(?P<s>(?:den|die|das|unsere?n?|alles) <W> )?(?:von (?P<old>\S.{0,60}?) )?(?:auf|zu|nach|in) <V>"
    ),
    "replaced": r"(?:wir|ich|<TEAM>) (?:haben|habe|hat) <ADV>(?P<old>\S.{0,60}?) (?:durch|mit) (?P<v>\S.{0,60}?) (?:ersetzt|abgelost|ausgetauscht)\b.*",
    "shifted": (
        r"<S> (?:ist|sind|wurde|wurden|hat sich|wird) <ADV>(?:von (?P<old>\S.{0,60}?) )?(?:auf|nach|in|zu|zur|zum) (?P<v>\S.{0,80}?) <CHANGED>\b.*"
    ),
    "was_now": (
        r"<S> (?:war|waren|ist nicht|sind nicht|lautet nicht) (?P<old>[^,;]{1,60}?)(?: mehr)?[,;]? (?:(?:-+|–|—|und|aber|sondern) )*(?:(?:jetzt|nun) (?:ist (?:es|er|sie)|sind es|lautet (?:er|sie|es))|"
        r"es ist|er ist|sie ist|(?<=sondern ))(?: ?jetzt| ?nun)? ?<V>"
    ),
    "no_more": r"<S> (?:ist|sind) nicht mehr <V>",
    "as_our": (
        r"(?:(?P<w>wir|ich|<TEAM>) (?:nutzen|verwenden|benutzen|nutze|verwende|benutze|nutzt|verwendet|haben)|(?:nutzen|verwenden) wir) <ADV>(?P<v>\S.{0,60}?) (?:als|(?P<for>fur|zum|zur)) (?P<s>(?:<W> ){0,4}?<W>)(?= in | seit |[,;]|$)"
    ),
    "use": (
        r"(?P<w>wir|ich|<TEAM>) <ADV>(?:nutzen|verwenden|benutzen|nutze|verwende|benutze|nutzt|verwendet|setzen <ADV>auf|setzt <ADV>auf|bleiben bei|vertrauen auf|bauen auf|gehen mit|(?P<plus>sind auf|laufen auf)) <ADV><V>"
    ),
    "use_inverted": r"(?:nutzen|verwenden|benutzen|nutze|verwende|benutze)(?: (?:wir|ich)) <ADV><V>",
    "set_in": r"(?:wir|<TEAM>) (?:setzen|setzt) <ADV>(?P<v>\S.{0,60}?) ein\b.*",
    "do": r"(?:wir|<TEAM>) <ADV>(?:<DOING>) <ADV><V>",
    "do_inverted": r"(?:<DOING>) wir <ADV><V>",
    "decided": (
        r"(?:(?P<w>wir|ich|<TEAM>) (?:haben|habe|hat)|haben wir|es wurde) (?:uns |mich |sich )?<ADV>(?:(?P<how>fur|fuer|auf|gegen|darauf) (?P<v>\S.{0,80}?) (?:entschieden|geeinigt|festgelegt|verstandigt)\b.*|"
        r"(?:beschlossen|entschieden|vereinbart|festgelegt|darauf geeinigt|dafur entschieden),? (?P<v2>\S.*))"
    ),
    "labelled": r"(?:entscheidung|beschluss)\s*[:–—-]+ <V>",
    "runs": (
        r"<S> (?:lauft|laeuft|laufen|lauscht|lauschen|hort|horen|liegt|liegen|steht|wohnt|lebt|befindet sich|hangt) <ADV>(?P<p>auf|unter|in|bei|hinter|an) <V>"
    ),
    "hosted": r"<S> (?:wird|werden|ist|sind) <ADV>(?P<p>auf|unter|in|bei|von|mit|uber) (?P<v>\S.{0,80}?) (?:gehostet|deployt|betrieben|deployed|verwaltet|erreichbar|gespeichert|gebaut|geschrieben|abgelegt|verfugbar)\b.*",
    "named": r"<S> (?:hei(?:ß|ss)t|hei(?:ß|ss)en) <ADV><V>",
    "has": (
        r"<S> <ADV>(?:nutzt|verwendet|benutzt|nutzen|verwenden|benotigt|braucht|unterstutzt|basiert auf|basieren auf|setzt auf|zeigt auf|gehort dem|gehort zum|gehort zu|endet am|dauert|dauern|beginnt am|beginnt um|startet um|lauft ab am) <ADV><V>"
    ),
    "fact": r"<S> (?:ist|sind|lautet)(?: (?:jetzt|aktuell|nun|derzeit|offiziell|immer|ubrigens|eigentlich|tatsachlich|mittlerweile|inzwischen|neuerdings|weiterhin))* <V>",
    "fact_inverted": r"(?:ist|sind|lautet) (?P<s>(?:der|die|das|unsere?|meine?|dieses) <W>(?: <W>){0,2}?)(?: jetzt| nun)? <V>",
    "will_be": r"<S> wird (?P<v>\S.{0,60}?)(?: sein| heißen)$",
    "was": r"<S> (?:war|waren) <V>",
    "it_is": r"(?:es|das|er|sie) (?:ist|sind|sollte|muss|lautet|heißt)(?: jetzt)? (?P<v>\S.*?)(?: sein)?$",
    "bare_value": r"<V>",
    # Preferences.
    "prefer": r"(?:(?P<w>wir|ich|<TEAM>) )?<ADV>(?:bevorzuge|bevorzugen|bevorzugt|favorisiere|favorisieren|praferiere|praferieren)(?: ich| wir)? <ADV>(?:es,? (?:wenn|dass) )?<O>",
    "prefer_over": r"(?:ich|wir) ziehen? (?P<o>\S.*) vor$|(?:ziehe ich|ziehen wir) (?P<o2>\S.*) vor$",
    "like_more": r"(?:ich|wir) (?:mag|mogen|finde|finden) (?P<o>\S.{0,60}?) (?:lieber|mehr|besser)(?: als .*|$)|mir (?:ist|sind|gefallt|gefaellt|gefallen) (?P<o2>\S.{0,60}?) (?:lieber|besser)(?: als .*|$)",
    "rather": (
        r"(?:ich|wir) (?:nutze|verwende|benutze|nutzen|verwenden|schreibe|schreiben|nehme|nehmen|arbeite|arbeiten|habe|haben|programmiere) <ADV>(?:lieber|am liebsten) (?:mit |in |auf )?<O>|"
        r"am liebsten (?:nutze|verwende|benutze|schreibe|nehme|arbeite|habe|programmiere|mag) ich (?:mit |in |auf )?(?P<o2>\S.*)"
    ),
    "like": r"(?:ich|wir) (?:mag|mogen|hasse|hassen|liebe|lieben|verabscheue) (?:keine? |keinen )?<O>",
    "favourite": r"meine? (?P<s>lieblings\S+(?: \S+)?) (?:ist|sind|heißt) <V>",
    "preference": r"(?:meine|unsere) praferenz (?:ist|sind) <O>",
    # Policies.
    "never": r"(?:bitte,? |und |aber )*(?P<a><W>) (?:bitte )?<NEVER>(?: <O>)?$",
    "never_first": r"(?:bitte,? |und |aber )*<NEVER> (?P<o>\S.* )?(?P<a><W>)$",
    "we_never": r"(?:wir|<TEAM>) (?P<a><W>)(?: \S+){0,4}? <NEVER>(?: <O>)?$",
    "make_sure": r"(?:bitte )?(?:achte immer darauf|achte stets darauf|stelle? (?:immer |stets )?sicher|denk immer daran|denke immer daran)(?:, dass|,)? (?P<o>\S.* (?:immer |nie |niemals )?.*)",
    "you_must": r"du (?:sollst|musst|darfst|solltest) (?:mir |mich )?(?P<n>immer|stets|nie|niemals|auf keinen fall) (?P<o>\S.* )?(?P<a><W>)$",
    "convention": r"(?:unsere|die|eine) (?:\S+ )?\S*(?:regel|konvention|richtlinie|vorgabe|policy) (?:ist|lautet)(?:,? dass|,|:)? <O>",
    "ask_first": r"(?:bitte )?(?:immer )?(?:frag|frage|sprich)(?: mich| uns| dich mit mir)?(?: immer| erst| vorher| zuerst)?,? (?:bevor|vor) <O>",
    "must": (
        r"(?P<s><W>(?: <W>){0,6}?) (?P<m>mussen|muessen|muss|durfen|duerfen|darf|sollen|sollten|sollte)(?P<n> immer| stets| nie| niemals| nicht| nur| auf keinen fall)? (?P<o>\S.*)"
    ),
    "allowed": r"<S> (?:ist|sind|bleibt|bleiben) (?:.{0,40}? )?(?P<v>(?:strikt |streng |absolut |grundsatzlich )?(?:verboten|nicht erlaubt|tabu|untersagt|pflicht|verpflichtend|obligatorisch|nicht gestattet)\b.*)",
    "do_it": r"(?:bitte )?(?P<a><W>)(?: wir| ich)?(?: <O>)?$",
    "do_last": r"(?:bitte )?(?P<o>\S.* )(?P<a><W>)$",
    "from_now": r"(?:bitte )?(?P<a><W>) (?P<o>\S.*(?:ab jetzt|ab sofort|von nun an|in zukunft|kunftig|zukunftig|vor jedem (?:commit|push|merge|deploy|release|pr)|nach jedem (?:commit|push|merge|deploy|release)).*)",
    # Outcomes.
    "worked": (
        r"(?:und |aber |super,? |perfekt,? |ja,? )?(?:das|dies|es|alles|(?:dein|der|die|das|unser|unsere) (?:\S+ ){0,2}?(?:fix|patch|anderung|migration|release|rollout|rollback|upgrade|deploy|deployment|import|losung|workaround|"
        r"vorschlag|update|umstellung|installation)) (?:hat|haben|ist|ging|hatte)(?: \S+){0,4}? ?(?:funktioniert|geklappt|geholfen|gelost|geloest|behoben|repariert|fehlgeschlagen|gescheitert|schief(?:gegangen|gelaufen)?|nichts gebracht|gut gelaufen|daneben)\b.*"
    ),
    "worked_inverted": (
        r"(?:hat|haben|ist) (?:das|es|alles|die \S+|der \S+) (?:\S+ ){0,3}?(?:funktioniert|geklappt|geholfen|gelost|behoben|fehlgeschlagen|gescheitert|schiefgegangen|nichts gebracht)\b.*"
    ),
    "works_now": r"(?:(?:jetzt|endlich|nun) (?:geht|funktioniert|lauft|klappt)(?:'s| es| alles| das| wieder)?(?: wieder)?|(?:es|das|alles) (?:geht|funktioniert|lauft|klappt) (?:jetzt|wieder|nun|endlich)(?: wieder)?)\W*$",
    "fixed": r"(?:behoben|gefixt|gelost|repariert)(?: .*)?$|(?:ich|wir) (?:habe|haben) (?P<o>.{1,80}?) (?:behoben|gefixt|gelost|repariert|gefixed)(?:,? (?:indem|mit|durch|per) .*)",
    "turned_out": r"(?:und |aber )?(?:es|das problem)? ?(?:stellte sich heraus|hat sich herausgestellt|wie sich herausstellte|stellte sich)(?:,? dass)?,? <V>|(?:es )?lag (?:am|an der|an dem|daran,? dass|an) (?P<v2>\S.*)",
    "cause": (
        r"(?:die|der|das)(?: (?:eigentliche|wahre|richtige|endgultige|tatsachliche))? (?:losung|ursache|fix|grundursache|schuldige|workaround|problem|fehler|bug|grund)(?: (?:fur|des|der|von|im|in) .{1,50}?)? (?:war|waren|lag)(?:,? dass|,)? <V>"
    ),
    "culprit": r"die (?:grund)?ursache(?: (?:fur|des|der|von) .{1,40}?)? ist(?:,? dass|,)? <V>",
    "by_doing": r"(?P<s>(?:das|der|die|ein|eine) (?:<W> ){1,8}?)(?P<a>hat|haben) (?P<v>\S.* )?(?:behoben|gelost|geholfen|repariert|gefixt)\b.*",
}

_RULES = (
    Rule("called", "fact", "name", "name"),
    Rule("live", "fact", "place", "live"),
    Rule("moving_home", "fact", "place", "live", change=True),
    Rule("work_at", "fact", "employer", "work"),
    Rule("machine", "fact", "plain"),
    Rule("work_on", "fact", "plain"),
    Rule("role", "fact", "role"),
    Rule("speak", "fact", "thing"),
    Rule("like_more", "preference", "prefer", "prefer"),
    Rule("rather", "preference", "prefer", "prefer"),
    Rule("prefer_over", "preference", "prefer", "prefer"),
    Rule("prefer", "preference", "prefer", "prefer"),
    Rule("favourite", "preference", "favourite", "favourite"),
    Rule("preference", "preference", "prefer", "prefer"),
    Rule("like", "preference", "like", "prefer"),
    Rule("habit", "preference", "prefer", "prefer"),
    Rule("make_sure", "policy", "plain"),
    Rule("never", "policy", "act", "act"),
    Rule("never_first", "policy", "act", "act"),
    Rule("we_never", "policy", "act", "act"),
    Rule("you_must", "policy", "act", "act"),
    Rule("convention", "policy", "convention"),
    Rule("ask_first", "policy", "plain"),
    Rule("no_longer", "fact", "no_longer", change=True, wide=True),
    Rule("none_any_more", "fact", "thing", change=True),
    Rule("labelled", "fact", "plain", wide=True),
    Rule("worked", "outcome", "outcome"),
    Rule("worked_inverted", "outcome", "led"),
    Rule("works_now", "outcome", "outcome"),
    Rule("fixed", "outcome", "outcome"),
    Rule("turned_out", "outcome", "turned_out"),
    Rule("cause", "outcome", "cause"),
    Rule("culprit", "outcome", "cause"),
    Rule("moved", "fact", "moved", "moved", change=True),
    Rule("replaced", "fact", "replaced", change=True),
    Rule("decided", "fact", "decided_de"),
    Rule("as_our", "fact", "as_our", "as_our"),
    Rule("set_in", "fact", "thing"),
    Rule("use", "fact", "use"),
    Rule("use_inverted", "fact", "led_use"),
    Rule("moving", "fact", "moved", "moved", change=True),
    Rule("do", "fact", "done"),
    Rule("do_inverted", "fact", "led_done"),
    Rule("from_now", "policy", "act", "act"),
    Rule("do_it", "policy", "standing", "act", general=True),
    Rule("do_last", "policy", "standing", "act", general=True),
    Rule("by_doing", "outcome", "by_doing"),
    Rule("allowed", "policy", "allowed"),
    Rule("must", "policy", "must_de"),
    Rule("was_now", "fact", "change", "subject", change=True, wide=True),
    Rule("shifted", "fact", "change", "subject", change=True),
    Rule("no_more", "fact", "no_more", "subject", change=True),
    Rule("named", "fact", "relation", "subject"),
    Rule("runs", "fact", "relation", "runs"),
    Rule("hosted", "fact", "relation", "runs"),
    Rule("fact", "fact", "fact", "subject"),
    Rule("fact_inverted", "fact", "led_fact", "subject"),
    Rule("has", "fact", "relation"),
    Rule("will_be", "fact", "relation", "subject"),
    Rule("was", "fact", "key_only", "subject"),
    Rule("bare_value", "policy", "announced", general=True),
    Rule("it_is", "fact", "correcting", general=True),
    Rule("bare_value", "fact", "meant", general=True),
)

LANGUAGE = Language(
    "de",
    filled(_SOURCES, _FRAGMENTS),
    _RULES,
    WORDS,
    ACTIONS,
    {
        **dict.fromkeys(("der", "die", "das", "den", "dem", "unser", "unsere", "unseren", "unserem", "unserer", "ein", "eine", "einen"), ""),
        "meinen": "mein",
        "meinem": "mein",
        "meiner": "meine",
    },
)
