"""How Spanish says it; see en.py for the groups. Text is folded: no accents, lower case, ñ kept."""

from awhm_hooks.journal.patterns.es_frame import FRAME, LATE
from awhm_hooks.journal.patterns.es_words import ACTIONS, WORDS
from awhm_hooks.journal.patterns.languages import Group, Language, Rule

_FRAGMENTS = {
    "GAP": r"[\s,:;.!–—-]*",
    "W": r"[^\s,;:()!?¿¡]+",
    "S": r"(?P<s><W>(?: <W>){0,7}?)",
    "V": r"(?P<v>\S.*)",
    "O": r"(?P<o>\S.*)",
    "ADV": r"(?:(?:\w+mente|yo|nosotros|nosotras|ahora|hoy|ya|tambien|solo|siempre|todavia|aun|mucho|sobre todo) ){0,3}",
    "TEAM": r"(?:el equipo|nuestro equipo|mi equipo|la empresa|todo el equipo)",
    "PLACE": (
        r"(?:proyecto|repo|repositorio|codigo|servicio|app|aplicacion|paquete|libreria|equipo|empresa|producto|sitio|web|monorepo|modulo)"
    ),
    "MONTH": r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)",
}

# Facts about the person.
_PERSON = {
    "called": r"(?:me llamo|mi nombre(?: completo)? es|puedes llamarme|llamame|todos me llaman|me llaman) <V>",
    "live": r"<ADV>(?:vivo|resido|estoy (?:basad[oa]|ubicad[oa]|viviendo)) <ADV>(?:en|cerca de) <V>",
    "moving_home": r"<ADV>(?:me (?:he )?(?:mude|mudado|traslade|trasladado))(?: de (?P<old><W>(?: <W>)?))? a <V>",
    "machine": (
        r"<ADV>(?:uso|estoy en|trabajo (?:en|con)) (?:un |una |mi )?(?P<v>(?:macos|mac|windows|linux|ubuntu|debian|fedora|arch|nixos|wsl|macbook|thinkpad)\b.*)"
    ),
    "work_at": r"<ADV>(?:trabajo|empece a trabajar) <ADV>(?:en|para) <V>",
    "work_on": r"<ADV>(?:trabajo|estudio|doy clases) (?:como|desde|en remoto|de) ?<V>",
    "role": r"<ADV>soy <V>",
    "speak": r"<ADV>(?:hablo|programo en|vengo de) <V>",
}
# Preferences.
_TASTE = {
    "like_more": r"(?:a mi )?(?:me|nos) gustan? (?:mas (?P<o>\S.*)|(?P<o2>\S.{0,60}?) mas(?: que .*|$))",
    "like_when": r"(?:me|nos) (?:gusta|encanta) (?:que|cuando) <O>",
    "like": r"(?:a mi )?(?:no )?(?:me|nos) (?:gustan?|encantan?)(?: mucho)? (?:usar |tener |escribir |trabajar con )?<O>",
    "hate": r"<ADV>(?:odio|detesto|no soporto|adoro) <O>",
    "prefer": r"(?:<TEAM> )?<ADV>(?:prefiero|preferimos|(?<=equipo )prefiere)(?: (?:usar|utilizar|tener|trabajar (?:con|en)|escribir|ver|que))? <O>",
    "favourite": r"mis? (?P<s><W>(?: <W>){0,4}? (?:favorit[oa]s?|preferid[oa]s?)) (?:es|son) <V>",
    "preference": r"(?:mi|nuestra) preferencia(?: para \S+(?: \S+)?)? (?:es|son) (?:usar |tener )?<O>",
    "prefer_it": r"(?:por favor,? )?prefiere (?:usar |utilizar )?(?P<o>\S.* (?:a|sobre|en vez de|en lugar de|antes que|frente a) .*)",
    "habit": r"(?:yo )?(?:casi )?(?:siempre|nunca|normalmente|suelo|generalmente) (?:uso|usar|utilizo|escribo|escribir|programo|programar|hago|hacer|trabajo con|trabajar con) <O>",
}
# Policies.
_POLICY = {
    "make_sure": r"(?:por favor,? )?(?:asegurate siempre de|siempre asegurate de|acuerdate siempre de|recuerda siempre|no olvides nunca|nunca olvides|nunca te olvides de)(?: que)? (?P<a><W>)(?: <O>)?$",
    "never": (
        r"(?:por favor,? |recuerda |asegurate de |hay que |debes |tienes que |y |pero )*(?:siempre|nunca|jamas|nunca jamas) (?:debes |hay que |tienes que |se debe |debemos |te )?(?P<a><W>) <O>$"
    ),
    "never_after": (r"(?:por favor,? |y |pero )*(?:(?:no )(?P<a><W>) (?:nunca|jamas)|(?P<a2><W>) siempre)(?: <O>)?$"),
    "convention": r"(?:nuestra|la|una) (?:<W> )?(?:convencion|regla|norma|politica)(?: (?:aqui|del equipo|del proyecto))? es(?: que)? <O>",
    "ask_first": r"(?:por favor,? )?(?:siempre )?(?:pregunta|preguntame|consulta|consultame|avisame|pideme permiso|pide permiso)(?: siempre)? antes de <O>",
    "without": r"(?:por favor,? )?no (?P<a><W>) (?P<o>\S.* sin (?:preguntar|preguntarme|permiso|mi|revision|aprobacion|una|avisar|consultar).*)",
    "forbidden": r"(?:prohibido|esta (?:terminantemente |estrictamente )?prohibido|queda prohibido|no se permite|no se permiten|es obligatorio|es obligatoria) <O>",
    "no_without": r"(?:ningun|ninguna|nada de) <O> sin (?:revision|aprobacion|permiso|tests|pruebas|ticket|documentacion|mi|una|dos)\b.*",
    "want_you": r"quiero que (?:siempre|nunca|jamas) (?P<o>\S.*)",
    "needs": r"(?P<s>(?:cada|todo|toda|todos|todas|ningun|ninguna)(?: <W>){1,6}?) (?:necesitan?|requieren?|llevan?) <O>",
    "in_project": (
        r"(?:por favor,? )?(?P<a>usa|usad|use|usen|utiliza|escribe|pon|sigue|evita|no uses|no utilices) "
        r"(?P<o>(?!el |la |los |las |esto |este |esta )\S.* (?:en (?:este|nuestro|todo el|todo nuestro) <PLACE>|en todas partes|en todo el codigo|por defecto|siempre))\W*$"
    ),
    "from_now": r"(?:por favor,? )?(?P<not>no |evita )?(?P<a><W>) (?P<o>\S.*(?:a partir de ahora|de ahora en adelante|antes de cada (?:commit|push|merge|pr|despliegue|release)|en cada (?:commit|pr|despliegue)|cada vez que .*).*)",
    "do_it": r"(?:por favor,? |hay que |debes |vamos a )?(?P<not>no |evita |deja de )?(?P<a><W>)(?: <O>)?$",
    "allowed": r"<S> (?:estan?|quedan?|son) (?:terminantemente |estrictamente |totalmente |absolutamente )?(?P<v>(?:prohibid[oa]s?|obligatori[oa]s?|vetad[oa]s?).*)",
    "must": (
        r"(?P<s><W>(?: <W>){0,6}?)(?P<n> siempre| nunca| jamas)? (?P<m>no deben|no debe|no pueden|no puede|deben|debe|tienen que|tiene que|pueden|puede)"
        r"(?P<n2> siempre| nunca| no)? (?P<a><W>)(?: <O>)?$"
    ),
}
# Facts about the work: what "we" do, and changes to it.
_WORK = {
    "no_longer": (
        r"(?:(?:nosotros |el equipo )?ya no (?P<a>usamos|utilizamos|usa|uso|utilizo|desplegamos|alojamos|soportamos|trabajamos|ejecutamos|dependemos|publicamos|mantenemos|escribimos|generamos|compilamos)|"
        r"(?:hemos dejado|dejamos|deje|he dejado) de (?:usar|utilizar|soportar))(?: en| con| de)? (?P<old><W>(?: <W>){0,6}?)(?P<more> nunca mas)?"
        r"(?:[,;.]? (?:-+|–|—)? ?(?:sino que |sino |ahora |y |pero )*(?:usamos|utilizamos|uso) <V>)?$"
    ),
    "decision": r"(?:la |nuestra )?decision (?:final )?(?:es|fue|ha sido)(?: que)? <V>",
    "labelled": r"decision(?: final)?\s*[:–—-]+ <V>",
    "as_our": (
        r"<ADV>(?:(?P<w>uso|utilizo)|usamos|utilizamos|elegimos|tenemos|<TEAM> usa) (?P<v>\S.{0,60}?) (?:como|(?P<for>para)) (?P<s>(?:<W> ){0,4}?<W>)(?= en | desde | porque |[,;]|$)"
    ),
    "replaced": r"<ADV>(?:hemos )?(?:reemplazamos|reemplazado|sustituimos|sustituido|cambiamos|cambiado) (?P<old>\S.{0,60}?) (?:por|con) <V>",
    "moved": (
        r"<ADV>(?:nos |me |lo )?(?:(?:hemos|han) (?:pasado|cambiado|migrado|movido|mudado|actualizado|trasladado|renombrado|subido|bajado)|(?P<w>he|hemos) (?:pasado|cambiado|migrado|movido|actualizado|renombrado)|"
        r"pasamos|cambiamos|migramos|movimos|mudamos|actualizamos|trasladamos|renombramos|subimos|bajamos|estamos migrando|estamos pasando|"
        r"(?P<bare>cambie|movi|migre|pase|actualice|renombre))(?: (?P<s>(?!de\b|a\b|al\b|por\b)<W>(?: <W>){0,6}?))?(?: de (?P<old>\S.{0,60}?))? (?:a|al|hacia|como) <V>"
    ),
    "dropped": r"<ADV>(?:hemos )?(?:abandonamos|abandonado|retiramos|retirado|descartamos|descartado)(?: el soporte (?:de|para))? <V>",
    "use": (
        r"<ADV>(?:(?P<w>uso|utilizo|estoy usando)|usamos|utilizamos|empleamos|estamos usando|<TEAM> <ADV>(?:usa|utiliza)|vamos con|nos quedamos con|seguimos con|apostamos por|"
        r"dependemos de|vamos a usar|usaremos|utilizaremos|(?P<plus>estamos en)) <ADV><V>"
    ),
    "do": (
        r"<ADV>(?:desplegamos|alojamos|guardamos|almacenamos|publicamos|lanzamos|escribimos|construimos|compilamos|probamos|ejecutamos|soportamos|seguimos|trabajamos|hacemos (?:deploy|despliegues|releases)|"
        r"facturamos|cobramos|planificamos|mantenemos|gestionamos|versionamos|documentamos|entrenamos|<TEAM> (?:despliega|publica|trabaja|escribe)) <V>"
    ),
    "have": r"tenemos (?P<v>(?:un|una|dos|tres|cuatro|cinco|seis|siete|ocho|diez|\d+) \S.*)",
    "decided": (
        r"<ADV>(?:hemos |se ha |<TEAM> (?:ha )?)?(?:decidimos|decidido|decidio|acordamos|acordado|acordo|elegimos|elegido|escogimos|adoptamos|adoptado|optamos|optado|quedamos en|"
        r"nos decidimos|nos hemos decidido|nos decantamos|nos hemos decantado|nos inclinamos|se decidio)(?: (?P<how>por|que|en contra de|en))? <V>"
    ),
}
# Outcomes.
_OUTCOME = {
    "works_now": r"(?:(?:todo|eso) )?(?:ya|ahora(?: si)?|por fin|al fin) (?:funciona|pasa|pasan|compila|esta (?:arreglado|solucionado|resuelto))(?: (?:bien|todo|perfecto|todos los tests))?\W*$",
    "worked": (
        r"(?:y |pero |perfecto,? |genial,? |si, )?(?:(?:eso|esto|todo|(?:tu|el|la|nuestro|nuestra) (?:\S+ ){0,2}?(?:arreglo|parche|cambio|despliegue|deploy|migracion|solucion|actualizacion|release|rollback|experimento|intento|hotfix|"
        r"importacion|instalacion|truco|sugerencia|prueba)) )?(?:ya |no |finalmente |al final |tambien |tampoco )*(?:lo )?(?:funciono|fallo|sirvio|ayudo|(?:arreglo|soluciono|resolvio|rompio)\b.*|ha funcionado|ha fallado|salio (?:bien|mal))"
        r"(?=[\s,.!:;–—-]|$).*"
    ),
    "fixed": (
        r"(?:ya )?(?:lo )?(?:(?:arreglado|solucionado|resuelto)\W*$|(?:(?:he |hemos )?(?:arregle|solucione|resolvi|arreglado|solucionado|resuelto|arreglamos|solucionamos|resolvimos))(?: .{1,60}?)?(?: (?:con|al|gracias a|usando|cambiando|\w+ando|\w+iendo) \S.*))"
    ),
    "turned_out": r"(?:y |al final )?(?:la cosa )?result(?:o|a)(?: ser)?(?: que)? <V>",
    "cause": (
        r"(?:la|el)(?: (?:verdadera?|real))? (?:solucion|causa(?: raiz)?|raiz|culpable|arreglo|fix|problema|error|fallo|bug|truco|motivo)(?: (?:real|raiz|final))?(?: (?:de|del|en) .{1,50}?)? (?:fue|era|eran|fueron|estaba en|resulto ser)(?: que)? <V>"
    ),
    "culprit": r"(?:la|el) (?:causa raiz|causa real|culpable)(?: (?:de|del) .{1,40}?)? es(?: que)? <V>",
    "by_doing": r"(?P<s>(?:\w+(?:ar|er|ir|arlo|erlo)|el|la|tu)\b(?: <W>){0,9}?) (?P<a>lo arreglo|lo soluciono|lo resolvio|arreglo|soluciono|resolvio|funciono|no funciono|ayudo|no ayudo)\b ?<V>?",
}
# Facts about things: "X is Y".
_STATE = {
    "was_now": (
        r"<S> (?:era|eran|ya no es|ya no son|no es) (?P<old>[^,;]{1,60}?)[,;]? (?:(?:-+|–|—|y|pero|sino) )*(?:ahora (?:es|son)|es ahora|es|son|sino) <V>"
    ),
    "shifted": (
        r"<S> (?:se )?(?:ha |han |fue |fueron )?(?:cambio|cambiado|cambiada|movio|movido|movida|paso|pasado|migro|migrado|migrada|mudo|mudado|traslado|trasladado|renombro|renombrado|renombrada|"
        r"actualizo|actualizado|actualizada|aplazo|aplazado|aplazada|subio|subido|bajo|bajado)(?: de (?P<old>\S.{0,60}?))? (?:a|al|hasta|para|por) (?:ser )?<V>"
    ),
    "no_more": r"<S> ya no (?:es|son) <V>",
    "named": r"<S> <ADV>se (?:llama|llaman|denomina) <ADV><V>",
    "runs": (
        r"<S> <ADV>(?:corre|corren|se ejecuta|se ejecutan|escucha|escuchan|vive|viven|esta alojad[oa]s?|esta desplegad[oa]s?|esta hospedad[oa]|esta hech[oa]|esta escrit[oa]|esta construid[oa]|esta basad[oa]|se encuentra|esta disponible|se despliega|"
        r"esta|estan) (?P<p>en|sobre|detras de|bajo|con) <V>"
    ),
    "fact": r"<S> <ADV>(?:es|son|sera|pasa a ser|ha pasado a ser)(?: (?:ahora|actualmente|oficialmente|siempre))* <V>",
    "has": (
        r"<S> <ADV>(?:usa|usan|utiliza|utilizan|requiere|requieren|soporta|soportan|depende de|dependen de|apunta a|apuntan a|expiran?|caducan?|vencen?|empieza|termina|pertenece a|lleva|"
        r"gestiona|mantiene|se conecta a|habla) <V>"
    ),
    "goes": r"<S> <ADV>(?:van?|se envian?|se mandan?) a <V>",
    "was": r"<S> (?:era|eran|fue) <V>",
    "it_is": r"(?:(?:eso|esto) )?(?:es|son|deberia ser|tiene que ser|esta en) <V>",
    "bare_value": r"<V>",
}

_RULES = (
    Rule("called", "person", "fact", "name", "name"),
    Rule("live", "person", "fact", "place", "live"),
    Rule("moving_home", "person", "fact", "place", "live", change=True),
    Rule("machine", "person", "fact", "plain"),
    Rule("work_at", "person", "fact", "employer", "work"),
    Rule("work_on", "person", "fact", "role"),
    Rule("role", "person", "fact", "role"),
    Rule("speak", "person", "fact", "thing"),
    Rule("like_more", "taste", "preference", "prefer", "prefer"),
    Rule("like_when", "taste", "preference", "prefer", "prefer"),
    Rule("like", "taste", "preference", "like", "prefer"),
    Rule("hate", "taste", "preference", "like", "prefer"),
    Rule("prefer", "taste", "preference", "prefer", "prefer"),
    Rule("favourite", "taste", "preference", "favourite", "favourite"),
    Rule("preference", "taste", "preference", "prefer", "prefer"),
    Rule("prefer_it", "taste", "preference", "prefer", "prefer"),
    Rule("habit", "taste", "preference", "prefer", "prefer"),
    Rule("make_sure", "policy", "policy", "act", "act"),
    Rule("never", "policy", "policy", "act", "act"),
    Rule("never_after", "policy", "policy", "act", "act"),
    Rule("convention", "policy", "policy", "convention"),
    Rule("ask_first", "policy", "policy", "plain"),
    Rule("without", "policy", "policy", "act", "act"),
    Rule("forbidden", "policy", "policy", "plain"),
    Rule("no_without", "policy", "policy", "plain"),
    Rule("want_you", "policy", "policy", "plain"),
    Rule("needs", "policy", "policy", "needs"),
    Rule("no_longer", "work", "fact", "no_longer", change=True, wide=True),
    Rule("decision", "work", "fact", "decided"),
    Rule("labelled", "work", "fact", "plain", wide=True),
    Rule("works_now", "outcome", "outcome", "outcome"),
    Rule("worked", "outcome", "outcome", "outcome"),
    Rule("fixed", "outcome", "outcome", "outcome"),
    Rule("turned_out", "outcome", "outcome", "turned_out"),
    Rule("cause", "outcome", "outcome", "cause"),
    Rule("culprit", "outcome", "outcome", "cause"),
    Rule("as_our", "work", "fact", "as_our", "as_our"),
    Rule("replaced", "work", "fact", "replaced", change=True),
    Rule("moved", "work", "fact", "moved", "moved", change=True),
    Rule("dropped", "work", "fact", "given_up", change=True),
    Rule("use", "work", "fact", "use"),
    Rule("do", "work", "fact", "done"),
    Rule("have", "work", "fact", "have"),
    Rule("decided", "work", "fact", "decided"),
    Rule("in_project", "policy", "policy", "act", "act"),
    Rule("from_now", "policy", "policy", "act", "act"),
    Rule("do_it", "policy", "policy", "standing", "act", general=True),
    Rule("by_doing", "outcome", "outcome", "by_doing"),
    Rule("allowed", "policy", "policy", "allowed"),
    Rule("must", "policy", "policy", "must"),
    Rule("was_now", "state", "fact", "change", "subject", change=True, wide=True),
    Rule("shifted", "state", "fact", "change", "subject", change=True),
    Rule("no_more", "state", "fact", "no_more", "subject", change=True),
    Rule("named", "state", "fact", "relation", "subject"),
    Rule("runs", "state", "fact", "relation", "runs"),
    Rule("fact", "state", "fact", "fact", "subject"),
    Rule("has", "state", "fact", "relation"),
    Rule("goes", "state", "fact", "relation_named"),
    Rule("was", "state", "fact", "key_only", "subject"),
    Rule("bare_value", "state", "policy", "announced", general=True),
    Rule("it_is", "state", "fact", "correcting", general=True),
    Rule("bare_value", "state", "fact", "meant", general=True),
)

_GROUPS = {
    "frame": Group(FRAME),
    "late": Group(LATE),
    "person": Group(_PERSON, needs="me~ llam nombre vivo resido estoy trabaj estudio soy uso hablo programo vengo doy"),
    "taste": Group(
        _TASTE,
        needs="prefier preferi gusta encanta odio detesto soporto adoro favorit preferencia siempre nunca normalmente suelo generalmente",
    ),
    "policy": Group(
        _POLICY,
        needs=(
            "siempre nunca jamas deb tien pued convencion regla norma politica antes sin prohibid obligatori permit quiero cada todo toda ningun"
            " nada adelante ahora proyecto repo codigo servicio app aplicacion paquete libreria equipo empresa producto sitio web modulo"
            " partes defecto vetad"
        ),
    ),
    "work": Group(
        _WORK,
        needs="mos~ mos equipo empresa decid decision cambi migr movi mudado actuali renombr he~ ha~ han~ dej ya~no uso pase usa utiliz acord",
    ),
    "outcome": Group(
        _OUTCOME,
        needs="funcion fall sirvi ayud arregl solucion resol resuelt result romp salio pasa compila causa culpable problema error bug truco motivo fix raiz",
    ),
    "state": Group(_STATE),
}

LANGUAGE = Language(
    "es",
    _GROUPS,
    _FRAGMENTS,
    _RULES,
    WORDS,
    ACTIONS,
    {"nuestro": "el", "nuestra": "la", "un": "el", "una": "la"},
)
