"""What stands around a German statement: lead-ins, correction markers, and what makes it none (see de.py)."""

# Needed for every sentence.
FRAME = {
    "lead": (
        r"(?:ok|okay|also|gut|super|prima|perfekt|danke|vielen dank|hallo(?: claude)?|hi|hey|moin|servus|claude|ja|klar|genau|na ja|naja|am ende|letztendlich|letztlich|schließlich|schliesslich|nach langer diskussion|leider|zum gluck|dann|und|aber|doch|ach|ah|oh|"
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
        r"gestern|heute|morgen|letzter woche|letztem \w+|version \S+|v\d\S*))(?=[\s,:–—-])<GAP>|"
        r"(?:fur|bei|in|im|zum|zur) (?:die |den |das |dem |der )?<W>(?: <W>){0,2}? (?=(?:nutzen|verwenden|benutzen|setzen|nehmen|bevorzuge|nutze|verwende|haben) (?:wir|ich)\b)"
    ),
    "standing": (
        r"(?:bitte )?(?:ab (?:jetzt|sofort|heute)|von (?:jetzt|nun|heute) an|in zukunft|zukunftig|kunftig|fortan|ab diesem zeitpunkt|grundsatzlich|generell|standardmaßig|standardmassig|als (?:regel|grundregel)|(?:vor|nach|bei) jede[mr] (?:commit|push|merge|deploy|deployment|release|pr|pull request)|"
        r"(?:neue |unsere |wichtige )*(?:team|projekt)?-?(?:regel|konvention|richtlinie|policy)(?: \d+)?(?=[:–—-]))(?: gilt)?(?=[\s,:;.!–—-])<GAP>"
    ),
    "placed": r"(?:in|bei|fur) (?:diesem|dieser|unserem|unserer|dem ganzen|der ganzen|allen(?: unseren)?|meinen) <PLACE>(?:en|e|s|n)?(?=[\s,:–—-])<GAP>|(?:in|bei|fur) <W>(?: <W>)? (?=(?:immer|nie|niemals|stets)\b)",
    "marker": (
        r"(?:(?:ah|oh|ups|sorry|moment|warte|hm|ach|entschuldigung|okay|ok|ja)[,!. ]+){0,2}"
        r"(?:(?:eigentlich|tatsachlich|korrektur|kleine korrektur|berichtigung|ich (?:habe mich (?:geirrt|vertan|vertippt)|lag falsch|korrigiere(?: mich)?|meinte)|"
        r"das (?:ist (?:falsch|nicht richtig|nicht korrekt|inkorrekt|veraltet|so nicht richtig)|stimmt (?:so )?nicht(?: mehr)?|war falsch)|stimmt nicht|mein fehler|da liegst du falsch|du liegst falsch|besser gesagt|"
        r"genauer gesagt|vielmehr|doch nicht|nee)(?=[\s,:;.!–—-]|$)|nein(?=[,.:!–—-])|falsch(?=[,.:!–—-])|nein(?= (?:es |das |der |die |wir |ich )))<GAP>"
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
    "joke": r"\b(?:nur (?:ein )?(?:spaß|spass|scherz)|war ein (?:witz|scherz)|kleiner scherz)\b",
    "whole_void": r"(?:und |aber |also |ok,? )?(?:stell dir vor|stellen wir uns vor|angenommen|nehmen wir(?: mal)? an|mal angenommen|zum beispiel|tun wir so|gesetzt den fall)\b",
    "question": (
        r"(?:und |aber |also |hey,? )?(?:kannst|konntest|konnen|konnten|wurdest|willst|soll|sollen|sollte|sollten|darf|durfen|muss ich|mussen wir|ist|sind|hat|haben|gibt|weißt|weisst|was|wie|wieso|warum|weshalb|"
        r"wer|wo|wann|welche[rsnm]?|woher|wohin|erklar|erklare|zeig mir|sag mir|nutzen wir|verwenden wir)\b"
    ),
    "cut": (
        r"(?:(?:und|aber|also|denn|weil|da|oder|deshalb|daher|deswegen)[, ]+)?(?:(?:ich|du|er|sie|es|wir|ihr|das|dies|man|kannst|konntest|konnten|wurdest|bitte|danke|was|wie|warum|wo|lass|mach|hilf|"
        r"ist das|oder|richtig|sonst)(?=[\s,.!?']|$))"
    ),
}

# Needed only where a rule has matched.
LATE = {
    "it": r"(?:es|das|er|sie) (?:ist|sind) ",
    "mid_marker": r"\b(?:ist|sind|bin|heißt|lauft|nutzen|verwenden|bevorzuge) (?:eigentlich|tatsachlich|in wirklichkeit)\b",
    "stopped": r"\b(?:nicht mehr|kein\w* \S+(?: \S+)? mehr|aufgehort)\b",
    "hedge": (
        r"\b(?:vielleicht|eventuell|evtl|moglicherweise|wahrscheinlich|vermutlich|wohl|angeblich|anscheinend|scheinbar|glaube ich|denke ich|ich glaube|ich denke|nehme ich an|"
        r"konnte|konnten|konntest|wurde ich|wurden wir|waere|ware|oder so|hoffentlich|nicht sicher|theoretisch)\b"
    ),
    "said": (
        r"(?:(?:sagte?|meinte?|behauptete?|schrieb) (?:er|sie|<W>)|laut\b|(?:er|sie|<W>) (?:sagt|sagte|meint|meinte|schrieb)|glaube ich|denke ich|vermutlich|war nur spaß|scherz|"
        r"(?:oder|richtig|stimmt's|stimmts|nicht wahr|korrekt|oder nicht|oder doch|nicht)$)"
    ),
    "confirming": r"(?:ok|okay|klar|verstanden|bitte|ja|in ordnung|einverstanden|alles klar)\W*$",
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
}
