"""German word lists, folded; see en_words.py for what each is for. Compounds count by their last member."""

WORDS = {
    "attribute": """stichtag name spitzname port endpunkt endpoint url adresse host hostname domain ip mail email datenbank db schema editor ide shell terminal betriebssystem distro distribution
        branch version framework bibliothek library sprache stack zeitzone team chef chefin manager managerin leiter leiterin lead deadline frist termin budget region bucket namespace registry
        queue warteschlange broker anbieter provider umgebung repo repository linter formatter compiler bundler runtime laufzeit ci lizenz theme design schriftart tastatur layout
        geburtstag pronomen benutzername nutzername username rolle titel job firma arbeitgeber kunde stadt land wahrung einheit format limit timeout intervall einruckung stil konvention
        standard strategie workflow architektur orm treiber protokoll prafix suffix id tag kanal channel verantwortliche verantwortlicher ansprechpartner ansprechpartnerin datum
        pfad verzeichnis ordner wurzel plattform ziel gerat maschine laptop handy hosting backend frontend werkzeug tool tracker wiki dashboard aufbewahrung kodierung
        rechtschreibung haustier hund katze browser cto ceo grunder grunderin mentor prioritat meilenstein quartal sprint fenster farbe befehl kommando datei schwelle quote sla große header
        engine modell abhangigkeit paketmanager praktikant praktikantin kollege kollegin frau mann tochter sohn hobby variable muster trenner proxy gateway cdn cron pipeline deployment
        uhrzeit meeting standup daily hierarchie zeit tag nummer passwort schlussel zeichensatz""",
    "thing": """server datenbank api backend frontend umgebungen umgebung dienst service app anwendung seite website cluster cache queue warteschlange broker speicher suche gateway proxy cdn monorepo repo repository codebase
        projekt produkt plattform infrastruktur umgebung staging produktion stack system pipeline ci hosting authentifizierung monitoring logging vpn wiki tracker maschine laptop
        runner scheduler tests doku dokumentation client nas kiste box""",
    "code": """funktion funktionen methode methoden klasse klassen variable variablen datei dateien test zeile zeilen schleife abfrage seite button knopf formular komponente feld spalte reihe anfrage
        antwort ausgabe eingabe ergebnis wert liste objekt nachricht log diff patch pr commit schnipsel logik bedingung parameter argument element modal text wort bild icon link
        schritt aufgabe ticket anderung build skript script prozess thread aufruf typ interface nutzer benutzer user teil abschnitt beispiel fall speicherverbrauch latenz abdeckung last
        nutzung leistung summe bildschirm ansicht vorlage block kommentar tabelle schlussel große zahler menu tab breite hohe ausnahme meldung""",
    "vague": """sache dinge problem probleme fehler bug bugs frage idee punkt grund losung unterschied art ursache trick rest tatsache plan ziel nachste nachster erste erster zweite letzte letzter andere
        anderer chaos katastrophe witz alptraum herausforderung engpass angelegenheit thema sorge schande schuldige warnung verdacht gefuhl eindruck vorschlag nichts alles etwas es wahrheit
        nachteil vorteil haken mist murks schrott quatsch unsinn wahnsinn mull fix""",
    "passing": """hinter nicht nie kein keine zu so sehr ganz ziemlich etwas kaputt down langsam schnell fertig falsch richtig leer voll gut schlecht okay ok komisch seltsam wichtig klar unklar grun rot instabil
        tot spat fruh beschaftigt frei belegt offen geschlossen blockiert null undefiniert groß gross klein lang kurz unordentlich sauber dreckig hasslich schwer schwierig leicht einfach komplex kompliziert
        verwirrend unmoglich moglich notig unnotig veraltet alt neu nutzlos nutzlich teuer billig sicher unsicher gefahrlich super toll furchtbar schrecklich traurig mude verloren bereit da hier weg dort
        fast nur schon noch immer wieder gerade jetzt aus an dass weil was wie wo wann wer wenn ob gleich ahnlich anders verfugbar erreichbar unerreichbar sichtbar unsichtbar
        gultig ungultig bekannt unbekannt ausstehend besser schlimmer am mehr weniger genug egal schuld deins meins das dies diese dieser uberlastet ausgelastet folgendes folgende normal""",
    "idle": "arbeit ordnung betrieb gange bearbeitung schwierigkeiten es das dies diesem plan pause urlaub",
    "function": """laut gemaß angeblich ich du er sie es wir ihr man das dies diese dieser dieses jene da hier dort was wer wie wo warum wieso weshalb wann welche welcher welches ob wenn falls weil da obwohl wahrend bis
        und aber oder sondern nicht kein keine ja nein ist sind war waren wird werden wurde hat haben hatte kann konnen konnte soll sollte muss mussen darf vielleicht ein eine einen einem einer sein seine
        ihr ihre dein deine nichts etwas alles jemand niemand alle-beide sehr zu so nur noch schon auch dann jetzt nun also in an auf bei mit ohne von aus zu uber unter nach vor fur gegen um durch
        seit immer nie oft gestern heute morgen danke hallo ok okay mehr viel viele wenig wenige sagt sagte meint glaube denke bitte mach nimm schau sieh zeig gib stell lass gut super hoffentlich
        leider sonst trotzdem deshalb daher zum zur im am beim vom ins dass als gerne mal doch ach eben halt""",
    "subordinate": "wenn ob was wie warum weil dass sagt sagte meint meinte glaubt wo als ist sind",
    "determiner": "der die das den dem unser unsere unseren unserem unserer mein meine meinen meinem alle jede jeder jedes beide des",
    "article": "ein eine einen einem einer der die das den dem unser unsere unseren unserem mein meine meinen meinem",
    "the": "der die das",
    "preposition": """in an auf bei mit von aus zu uber unter nach fur via im am beim vom zum zur ins bis als gehostet geschrieben gebaut deployt gespeichert konfiguriert verwaltet
        basierend""",
    "split": "von des der fur in im am an auf bei mit aus zu zum zur hinter den dem uber",
    "pronoun": """weder es das dies diese dieser dieses diesen diesem jene jenen ihn sie ihm ihnen uns euch mir mich dir dich er wir ihr etwas nichts alles beide beides keins keine keinen keiner was wie wo
        wann wer welche welchen dein deine deinen seine ihre hier da dort so""",
    "vague_article": "der die das den dem diese dieser dieses diesen diesem dein deine deinen seine ihre mein meine meinen",
    "mine": "mein meine meinen meinem unser unsere unseren unserem",
    "ours": "unser unsere unseren mein meine",
    "number": "zwei drei vier funf sechs sieben acht neun zehn elf zwolf funfzehn zwanzig dreißig dreissig vierzig funfzig hundert",
    "calendar": """montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags januar februar marz april mai juni juli august september oktober
        november dezember wochentlich taglich nachtlich monatlich stundlich jeden jede jedes mittag mitternacht morgen werktags wochenends stunde stunden minute minuten tag tage tagen woche wochen monat monate jahr jahre sekunde sekunden zweimal einmal dreimal""",
    "snippet": "schleife variable flag regex funktion helfer hack workaround zahler mutex dict liste map set for while string lambda hook callback klasse methode timer print test datei abfrage neue neuen neues",
    "project": "app projekt repo repository dienst service server api code codebase branch build datenbank endpoint seite website cluster backend frontend deployment pipeline team firma anwendung bibliothek monorepo paket produkt modul",
    "role": """entwickler entwicklerin ingenieur ingenieurin programmierer programmiererin designer designerin student studentin forscher forscherin wissenschaftler wissenschaftlerin analyst analystin berater
        beraterin freelancer freelancerin freiberufler freiberuflerin admin administrator administratorin architekt architektin grunder grunderin cto ceo lehrer lehrerin anfanger anfangerin maintainer
        tester testerin sre pm praktikant praktikantin leiter leiterin lead devops nutzer dba qa engineer techniker technikerin doktorand doktorandin journalist arzt arztin informatiker informatikerin
        physiker physikerin mathematiker mathematikerin werkstudent werkstudentin manager managerin developer""",
    "not_role": "bisschen fan idiot fertig sicher",
    "to": "fur fuer auf darauf",
    "we": "wir",
    "i": "ich",
    "this": "diese dieser dieses diesen",
    "taste": "bevorzugte bevorzugter bevorzugtes lieblingseditor lieblingssprache lieblingsfarbe praferenz",
    "set_by_hand": "standard bevorzugte bevorzugter bevorzugtes offizielle offizieller minimale maximale",
    "all": "alles alle",
    "generic": "alle jede jeder jedes kein keine neue nur",
    "must": "mussen muessen muss durfen duerfen darf",
    "be": "sein",
    "no": "kein keine nur",
    "lasting_adverb": "immer stets nie niemals",
    "must_all": "mussen muessen",
    "determiner_the": "der die das unser unsere mein meine",
    "cure_articles": "den das der die ein eine",
    "cured": "hat haben",
    "restating": "meinte korrektur berichtigung korrigiere vertippt vertan",
    "participle_ends": "t en",
    "adjective_ends": "bar lich ig isch los t en end",
    "gerund_ends": "",
    "clause_opening_ends": "wenn dass",
    "role_ends": "entwickler entwicklerin ingenieur ingenieurin designer designerin engineer wissenschaftlerin berater leiter leiterin architekt wissenschaftler student admin manager managerin developer informatiker programmierer",
    "self": "ich mein meine mir mich wohne lebe arbeite heiße heisse bin bevorzuge am nenn nutze verwende benutze ziehe personlich",
    "carry": "ich wir",
    "habitual": "wenn bei fur",
    "negation": "nicht",
    "later": "morgen spater jetzt heute entscheiden",
    "lodging": "wohnt lebt",
    "secret": "passwort passworter kennwort geheimnis token",
    "opening_order_ends": "e",
    "codebase_nouns": "code",
    "announcing": "werden wird gilt gelten sind",
    "person": "kollege kollegin freund freundin chef chefin frau mann partner partnerin bruder schwester sohn tochter vater mutter praktikant praktikantin nachbar kunde nutzer leute",
    "port": "port",
    "dwelling": "liegt liegen steht wohnt lebt befindet",
    "the_slot": "",
    "employing": "bei fur fuer",
    "single": "ci ci/cd authentifizierung hosting zahlungen caching cache deployment monitoring logging suche linting formatieren orchestrierung",
    "act_on_this": "dies diese diesen dieses dieser es",
    "closed": "geschlossen offen gemeldet erstellt gemergt deployt behoben gelost unklar unbekannt nie noch schon weg schwer einfach groß klein abgelehnt gut super",
    "branchy": "main master develop head trunk",
    "stop": """der die das den dem ein eine einen einem einer zu mein meine meinen unser unsere es wenn dass von fur mit auf in zum zur alle jede immer nie niemals direkt keine keinen nutzen verwenden
        kein bitte""",
    "verbs": "sein stehen lassen lass gib nimm lies sprich wirf vergiss hilf trag tun macht frag leg sag ruf",
    "stems": """ruf aufruf verwend benutz nutz schreib committ commit push pull merg rebas deploy test lint formatier pruf pruef frag nenn benenn fuhr ausfuhr ausgefuhr leg anleg angeleg fug hinzufug losch loesch entfern bearbeit ander
        aender anfass fass importier exportier logg druck speicher antwort beantwort erklar zeig erwahn bestatig validier maskier signier aktualisier installier erstell generier bau kompilier ignorier uberspring
        deaktivier aktivier mach behalt beibehalt halt einhalt setz einsetz stell sicherstell gib geb nimm nehm vermeid befolg respektier dokumentier kommentier ubersetz sortier trenn teil kopier verschieb umbenenn definier
        deklarier typisier annotier konvertier verschlussel veroffentlich releas start stopp wart lass hardcod abfang fang werf schließ schliess offn review squash forc force-push verlink zitier red sprech
        sag arbeit hinterleg such find wahl check starte rollback revertier beacht achte einfug einbau lauf durchfuhr erwart geh kurz beschreib schick send teste merk versionier pinn fixier""",
    "verb_endings_ends": "e en t est et n st te",
    "happening": "gehen haben sein finden geht findet lauft laufen sagen",
}

ACTIONS = {
    **dict.fromkeys(
        (
            "verwende",
            "verwenden",
            "verwendet",
            "benutze",
            "benutzen",
            "benutzt",
            "nutze",
            "nutzen",
            "nutzt",
            "einsetzen",
        ),
        "use",
    ),
    **dict.fromkeys(("mach", "mache", "machen"), "make"),
    **dict.fromkeys(("schreib", "schreibe", "schreiben"), "write"),
    **dict.fromkeys(("behalte", "behalten", "beibehalten", "halte", "halten"), "keep"),
}
