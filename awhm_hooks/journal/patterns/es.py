"""How Spanish says it; see en.py for the groups. Text is folded: no accents, lower case, ñ kept."""

from awhm_hooks.journal.patterns.es_words import ACTIONS, WORDS
from awhm_hooks.journal.patterns.languages import Language, Rule, filled

_FRAGMENTS = {
    "GAP": r"[\s,:;.!–—-]*",
    "W": r"[^\s,;:()!?¿¡]+",
    "S": r"(?P<s><W>(?: <W>){0,7}?)",
    "V": r"(?P<v>\S.*)",
    "O": r"(?P<o>\S.*)",
    "ADV": (
        r"(?:(?:yo|nosotros|nosotras|personalmente|siempre|normalmente|generalmente|actualmente|ahora|hoy|ya|tambien|solo|solamente|"
        r"todavia|aun|principalmente|sobre todo|en general|por fin|finalmente|oficialmente|recientemente|de momento|mucho|realmente) ){0,3}"
    ),
    "TEAM": r"(?:el equipo|nuestro equipo|mi equipo|la empresa|todo el equipo)",
    "PLACE": (
        r"(?:proyecto|repo|repositorio|codigo|servicio|app|aplicacion|paquete|libreria|equipo|empresa|producto|sitio|web|monorepo|modulo)"
    ),
    "MONTH": r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)",
}

_SOURCES = {
    "lead": (
        r"(?:ok|okay|vale|bueno|bien|perfecto|genial|gracias|muchas gracias|hola(?: claude)?|buenas|oye|mira|claude|si(?=,)|claro|entonces|"
        r"pues|asi que|y|pero|ademas|tambien|por cierto|que sepas|para que (?:lo )?(?:sepas|conste)|como (?:contexto|referencia)|contexto|nota|ojo|"
        r"importante|recordatorio|recuerda|ten en cuenta|como (?:ya )?(?:te )?dije|como sabes|en general|personalmente|la verdad|sinceramente|en mi opinion|"
        r"para ser (?:claro|exacto)|dato|aviso|una cosa|otra cosa|al final|por desgracia|desgraciadamente|lamentablemente|por suerte|afortunadamente|dos cosas|por si acaso|perdon|no olvides|lo siento|preferencia|resumen|"
        r"en (?:mi|nuestro) equipo|en el trabajo)"
        r"(?: que)?(?=[\s,:;.!–—-])<GAP>"
    ),
    "dated": (
        r"(?:ayer|hoy|ahora|actualmente|esta (?:semana|mañana)|este (?:mes|año|sprint)|la semana pasada|el (?:mes|año|lunes|martes|miercoles|jueves|viernes) pasado|"
        r"hace (?:un|una|dos|tres|unos|unas) (?:dias?|semanas?|mes|meses|años?)|ultimamente|recientemente|"
        r"(?:desde|a partir de|a partir del|en|hasta|el)(?: el)? (?:dia )?(?:\d{4}-\d\d(?:-\d\d)?|\d{4}|\d{1,2} de <MONTH>(?: de \d{4})?|<MONTH>(?: de \d{4})?|"
        r"lunes|martes|miercoles|jueves|viernes|hoy|mañana|la v\S+|la version \S+))(?=[\s,:–—-])<GAP>"
    ),
    "standing": (
        r"(?:por favor,? )?(?:a partir de (?:ahora|hoy|este momento)|de (?:ahora|aqui|hoy) en adelante|desde (?:ahora|hoy|ya)|en adelante|en el futuro|en lo sucesivo|"
        r"como (?:regla|norma)(?: general)?|por (?:regla|norma) general|por defecto|(?:nueva |nuestra )?(?:regla|norma|politica|convencion)(?: del (?:equipo|proyecto))?(?=[:–—-]))"
        r"(?=[\s,:;.!–—-])<GAP>"
    ),
    "placed": r"(?:en|para|por) (?:este|esta|nuestro|nuestra|todo el|todo nuestro|todos (?:los|mis|nuestros)) <PLACE>s?(?=[\s,:–—-])<GAP>",
    "marker": (
        r"(?:(?:ah|uy|perdon|espera|bueno|vale|ups|lo siento)[,!. ]+){0,2}"
        r"(?:(?:en realidad|correccion|corrijo|rectifico|me equivoque|me he equivocado|estaba equivocado|estaba equivocada|mejor dicho|quise decir|queria decir|"
        r"me referia a|eso (?:no es (?:cierto|correcto|verdad|asi)|es (?:incorrecto|falso)|esta mal)|esta mal|estas equivocado|te equivocas|no es correcto|"
        r"no es cierto|no,? (?:en realidad|espera|perdon|mejor dicho))"
        r"(?: que)?(?=[\s,:;.!–—-]|$)|no(?=[,.:!–—-])|no(?= (?:es |son )))<GAP>"
    ),
    "it": r"(?:(?:eso|esto) )?(?:es|son) ",
    "mid_marker": r"\b(?:es|son|esta) en realidad\b|\ben realidad (?:es|son|esta)\b",
    "stopped": r"\b(?:ya no|dejamos|dejado|deje)\b",
    "hedge": (
        r"\b(?:quizas?|tal vez|a lo mejor|puede que|probablemente|posiblemente|supuestamente|al parecer|creo que|supongo|imagino que|no estoy segur[oa]|"
        r"podria|podriamos|o algo asi|o algo|seria|ojala|igual)\b"
    ),
    "void": (
        r"\b(?:quizas?|tal vez|a lo mejor|puede que|probablemente|supongo|supongamos|imagina|imaginemos|creo que|pienso que|me parece|dudo|no se si|ojala|espero|parece|"
        r"podria|podriamos|deberia|deberiamos|seria|por ejemplo|segun|como si|me pregunto|digamos|pongamos|se supone|no estoy segur[oa])\b"
    ),
    "conditional": r"(?:si(?!,)|cuando|cada vez que|antes de|despues de|mientras|siempre que|a menos que|salvo que|en caso de|al|para)\b",
    "reported": (
        r"(?:\b<W> (?:dijo|dice|dicen|dijeron|comento|afirma|afirmo|cree|creen|piensa|pregunto|pregunta|escribio|asegura|sugiere|sugirio|recomienda|menciono)\b|"
        r"\bsegun\b|\b(?:la documentacion|el readme|el linter|el error|el mensaje|el log) )"
    ),
    "said": (
        r"(?:(?:dijo|dice|segun|comento|afirma)\b|(?:el|ella|ellos|<W>) (?:dijo|dice|dicen|comento|afirma)\b|creo|supongo|quizas?|tal vez|es broma|¿?(?:no|verdad|cierto|correcto|o no)$)"
    ),
    "joke": r"\b(?:es broma|era broma|bromeaba|es coña)\b",
    "whole_void": r"(?:y |pero |ok,? |¿)?(?:imagina|imaginemos|imaginate|supongamos|supon que|suponte|digamos|pongamos|por ejemplo|hagamos como)\b",
    "question": (
        r"[¿]|(?:y |pero |oye,? )?(?:puedes|podrias|puede|podemos|podriamos|quieres|deberia|deberiamos|sabes|que|cual|cuales|como|por que|donde|quien|cuando|cuanto|"
        r"hay|me (?:explicas|ayudas|dices)|explicame|dime|muestrame)\b"
    ),
    "confirming": r"¿?(?:ok|okay|vale|de acuerdo|entendido|por favor|si|estamos)\W*$",
    "cut": (
        r"(?:(?:y|pero|asi que|entonces|pues|porque|aunque|o|ademas)[, ]+)?(?:¿|(?:yo|tu|el dijo|ella|nosotros|ellos|eso|esto|esta claro|hay|puedes|podrias|puede|"
        r"por favor|gracias|vamos a|dime|ayudame|que te parece|no se|creo|asi|me (?:ayudas|explicas))\b)"
    ),
    "task": (
        r"\b(?:por ahora|de momento|por el momento|ahora mismo|en este momento|esta vez|solo por hoy|temporalmente|provisionalmente|mientras tanto|aun no|todavia no|"
        r"(?:en|para|de|a|con|por) (?:este|esta|ese|esa|estos|estas|esos|esas) (?:archivo|fichero|funcion|metodo|clase|test|prueba|caso|pr|commit|rama|tarea|ticket|linea|lineas|bloque|"
        r"pagina|componente|fragmento|cambio|ejemplo|script|consulta|paso|parte|sesion|modulo|migracion|boton|vista)|"
        r"(?:este|esta|ese|esa) (?:archivo|fichero|funcion|metodo|clase|test|linea|variable|componente|fragmento|bloque|pagina|script)|"
        r"(?:la|el|las|los) (?:primera?|segund[oa]|tercer[oa]?|ultim[oa]|anterior|siguiente|otr[oa]|mism[oa])|(?:opcion|version|variante|propuesta) (?:\w|dos|tres)|"
        r"tu (?:idea|propuesta|version|sugerencia|codigo|solucion|respuesta))\b"
    ),
    "here": r"\b(?:aqui|aca|ahi|aun|todavia)\b",
    "change": (
        r"\b(?:ya no|ahora|migramos|migrado|migro|cambiamos|cambiado|cambio|cambie|movimos|movido|movio|movi|pasamos a|nos pasamos|hemos pasado|pasado a|paso a|reemplaz\w+|sustitu\w+|"
        r"renombr\w+|actualiz\w+|mudamos|mudado|mude|en lugar de|en vez de|a partir de|de ahora en adelante|desde ahora|dejamos|dejado|abandon\w+|aplaz\w+)\b"
    ),
    # Facts about the person.
    "called": r"(?:me llamo|mi nombre(?: completo)? es|puedes llamarme|llamame|todos me llaman|me llaman) <V>",
    "live": r"<ADV>(?:vivo|resido|estoy (?:basad[oa]|ubicad[oa]|viviendo)) <ADV>(?:en|cerca de) <V>",
    "moving_home": r"<ADV>(?:me (?:he )?(?:mude|mudado|traslade|trasladado))(?: de (?P<old><W>(?: <W>)?))? a <V>",
    "work_at": r"<ADV>(?:trabajo|empece a trabajar) <ADV>(?:en|para) <V>",
    "work_on": r"<ADV>(?:trabajo|estudio|doy clases) (?:como|desde|en remoto|de) ?<V>",
    "role": r"<ADV>soy <V>",
    "machine": (
        r"<ADV>(?:uso|estoy en|trabajo (?:en|con)) (?:un |una |mi )?(?P<v>(?:macos|mac|windows|linux|ubuntu|debian|fedora|arch|nixos|wsl|macbook|thinkpad)\b.*)"
    ),
    "speak": r"<ADV>(?:hablo|programo en|vengo de) <V>",
    "habit": r"(?:yo )?(?:casi )?(?:siempre|nunca|normalmente|suelo|generalmente) (?:uso|usar|utilizo|escribo|escribir|programo|programar|hago|hacer|trabajo con|trabajar con) <O>",
    # Facts about the work.
    "no_longer": (
        r"(?:(?:nosotros |el equipo )?ya no (?P<a>usamos|utilizamos|usa|uso|utilizo|desplegamos|alojamos|soportamos|trabajamos|ejecutamos|dependemos)|"
        r"(?:hemos dejado|dejamos|deje|he dejado) de (?:usar|utilizar|soportar))(?: en| con| de)? (?P<old><W>(?: <W>){0,6}?)(?P<more> nunca mas)?"
        r"(?:[,;.]? (?:-+|–|—)? ?(?:sino que |sino |ahora |y |pero )*(?:usamos|utilizamos|uso) <V>)?$"
    ),
    "moved": (
        r"<ADV>(?:nos |me |lo )?(?:(?:hemos|han) (?:pasado|cambiado|migrado|movido|mudado|actualizado|trasladado|renombrado|subido|bajado)|(?P<w>he|hemos) (?:pasado|cambiado|migrado|movido|actualizado|renombrado)|"
        r"pasamos|cambiamos|migramos|movimos|mudamos|actualizamos|trasladamos|renombramos|subimos|bajamos|estamos migrando|estamos pasando|"
        r"(?P<bare>cambie|movi|migre|pase|actualice|renombre))(?: (?P<s>(?!de\b|a\b|al\b|por\b)<W>(?: <W>){0,6}?))?(?: de (?P<old>\S.{0,60}?))? (?:a|al|hacia|como) <V>"
    ),
    "replaced": r"<ADV>(?:hemos )?(?:reemplazamos|reemplazado|sustituimos|sustituido|cambiamos|cambiado) (?P<old>\S.{0,60}?) (?:por|con) <V>",
    "dropped": r"<ADV>(?:hemos )?(?:abandonamos|abandonado|retiramos|retirado|descartamos|descartado)(?: el soporte (?:de|para))? <V>",
    "shifted": (
        r"<S> (?:se )?(?:ha |han |fue |fueron )?(?:cambio|cambiado|cambiada|movio|movido|movida|paso|pasado|migro|migrado|migrada|mudo|mudado|traslado|trasladado|renombro|renombrado|renombrada|"
        r"actualizo|actualizado|actualizada|aplazo|aplazado|aplazada|subio|subido|bajo|bajado)(?: de (?P<old>\S.{0,60}?))? (?:a|al|hasta|para|por) (?:ser )?<V>"
    ),
    "was_now": (
        r"<S> (?:era|eran|ya no es|ya no son|no es) (?P<old>[^,;]{1,60}?)[,;]? (?:(?:-+|–|—|y|pero|sino) )*(?:ahora (?:es|son)|es ahora|es|son|sino) <V>"
    ),
    "no_more": r"<S> ya no (?:es|son) <V>",
    "as_our": (
        r"<ADV>(?:(?P<w>uso|utilizo)|usamos|utilizamos|elegimos|tenemos|<TEAM> usa) (?P<v>\S.{0,60}?) (?:como|(?P<for>para)) (?P<s>(?:<W> ){0,4}?<W>)(?= en | desde | porque |[,;]|$)"
    ),
    "use": (
        r"<ADV>(?:(?P<w>uso|utilizo|estoy usando)|usamos|utilizamos|empleamos|estamos usando|<TEAM> <ADV>(?:usa|utiliza)|vamos con|nos quedamos con|seguimos con|apostamos por|"
        r"dependemos de|vamos a usar|(?P<plus>estamos en)) <ADV><V>"
    ),
    "do": (
        r"<ADV>(?:desplegamos|alojamos|guardamos|almacenamos|publicamos|lanzamos|escribimos|construimos|compilamos|probamos|ejecutamos|soportamos|seguimos|trabajamos|hacemos (?:deploy|despliegues|releases)|"
        r"mantenemos|gestionamos|versionamos|documentamos|<TEAM> (?:despliega|publica|trabaja|escribe)) <V>"
    ),
    "decided": (
        r"<ADV>(?:hemos |se ha |<TEAM> (?:ha )?)?(?:decidimos|decidido|decidio|acordamos|acordado|acordo|elegimos|elegido|escogimos|adoptamos|adoptado|optamos|optado|quedamos en|"
        r"nos decidimos|nos hemos decidido)(?: (?P<how>por|que|en contra de|en))? <V>"
    ),
    "decision": r"(?:la |nuestra )?decision (?:final )?(?:es|fue|ha sido)(?: que)? <V>",
    "labelled": r"decision(?: final)?\s*[:–—-]+ <V>",
    "runs": (
        r"<S> <ADV>(?:corre|corren|se ejecuta|se ejecutan|escucha|escuchan|vive|viven|esta alojad[oa]s?|esta desplegad[oa]s?|esta hospedad[oa]|esta hech[oa]|esta escrit[oa]|esta construid[oa]|esta basad[oa]|se encuentra|esta disponible|se despliega|"
        r"esta|estan) (?P<p>en|sobre|detras de|bajo|con) <V>"
    ),
    "named": r"<S> <ADV>se (?:llama|llaman|denomina) <ADV><V>",
    "has": (
        r"<S> <ADV>(?:usa|usan|utiliza|utilizan|requiere|requieren|soporta|soportan|depende de|dependen de|apunta a|apuntan a|expira|caduca|vence|empieza|termina|pertenece a|lleva|"
        r"gestiona|mantiene|se conecta a|habla) <V>"
    ),
    "fact": r"<S> <ADV>(?:es|son|sera|pasa a ser|ha pasado a ser)(?: (?:ahora|actualmente|oficialmente|siempre))* <V>",
    "was": r"<S> (?:era|eran|fue) <V>",
    "it_is": r"(?:(?:eso|esto) )?(?:es|son|deberia ser|tiene que ser|esta en) <V>",
    "bare_value": r"<V>",
    # Preferences.
    "prefer": r"(?:<TEAM> )?<ADV>(?:prefiero|preferimos|(?<=equipo )prefiere)(?: (?:usar|utilizar|tener|trabajar (?:con|en)|escribir|ver|que))? <O>",
    "like_more": r"(?:a mi )?(?:me|nos) gustan? (?:mas (?P<o>\S.*)|(?P<o2>\S.{0,60}?) mas(?: que .*|$))",
    "like": r"(?:a mi )?(?:no )?(?:me|nos) (?:gustan?|encantan?)(?: mucho)? (?:usar |tener |escribir |trabajar con )?<O>",
    "hate": r"<ADV>(?:odio|detesto|no soporto|adoro) <O>",
    "favourite": r"mis? (?P<s><W>(?: <W>){0,4}? (?:favorit[oa]s?|preferid[oa]s?)) (?:es|son) <V>",
    "preference": r"(?:mi|nuestra) preferencia(?: para \S+(?: \S+)?)? (?:es|son) (?:usar |tener )?<O>",
    "prefer_it": r"(?:por favor,? )?prefiere (?:usar |utilizar )?(?P<o>\S.* (?:a|sobre|en vez de|en lugar de|antes que|frente a) .*)",
    # Policies.
    "never": (
        r"(?:por favor,? |recuerda |asegurate de |hay que |debes |tienes que |y |pero )*(?:siempre|nunca|jamas|nunca jamas) (?:debes |hay que |tienes que |se debe |debemos |te )?(?P<a><W>) <O>$"
    ),
    "never_after": (
        r"(?:por favor,? |y |pero )*(?:(?:no )(?P<a><W>) (?:nunca|jamas)|(?P<a2><W>) siempre)(?: <O>)?$"
    ),
    "make_sure": r"(?:por favor,? )?(?:asegurate siempre de|siempre asegurate de|acuerdate siempre de|recuerda siempre|no olvides nunca|nunca olvides|nunca te olvides de)(?: que)? (?P<a><W>)(?: <O>)?$",
    "convention": r"(?:nuestra|la|una) (?:<W> )?(?:convencion|regla|norma|politica)(?: (?:aqui|del equipo|del proyecto))? es(?: que)? <O>",
    "ask_first": r"(?:por favor,? )?(?:siempre )?(?:pregunta|preguntame|consulta|consultame|avisame|pideme permiso|pide permiso)(?: siempre)? antes de <O>",
    "without": r"(?:por favor,? )?no (?P<a><W>) (?P<o>\S.* sin (?:preguntar|preguntarme|permiso|mi|revision|aprobacion|una|avisar|consultar).*)",
    "must": (
        r"(?P<s><W>(?: <W>){0,6}?)(?P<n> siempre| nunca| jamas)? (?P<m>no deben|no debe|no pueden|no puede|deben|debe|tienen que|tiene que|pueden|puede)"
        r"(?P<n2> siempre| nunca| no)? (?P<a><W>)(?: <O>)?$"
    ),
    "allowed": r"<S> (?:estan?|quedan?|son) (?:terminantemente |estrictamente |totalmente |absolutamente )?(?P<v>(?:prohibid[oa]s?|obligatori[oa]s?|vetad[oa]s?).*)",
    "forbidden": r"(?:esta (?:terminantemente |estrictamente )?prohibido|queda prohibido|no se permite|no se permiten|es obligatorio|es obligatoria) <O>",
    "do_it": r"(?:por favor,? |hay que |debes |vamos a )?(?P<not>no |evita |deja de )?(?P<a><W>)(?: <O>)?$",
    "in_project": (
        r"(?:por favor,? )?(?P<a>usa|usad|use|usen|utiliza|escribe|pon|sigue|evita|no uses|no utilices) "
        r"(?P<o>(?!el |la |los |las |esto |este |esta )\S.* (?:en (?:este|nuestro|todo el|todo nuestro) <PLACE>|en todas partes|en todo el codigo|por defecto|siempre))\W*$"
    ),
    "from_now": r"(?:por favor,? )?(?P<not>no |evita )?(?P<a><W>) (?P<o>\S.*(?:a partir de ahora|de ahora en adelante|antes de cada (?:commit|push|merge|pr|despliegue|release)|en cada (?:commit|pr|despliegue)|cada vez que .*).*)",
    # Outcomes.
    "worked": (
        r"(?:y |pero |perfecto,? |genial,? |si,? )?(?:(?:eso|esto|todo|(?:tu|el|la|nuestro|nuestra) (?:\S+ ){0,2}?(?:arreglo|parche|cambio|despliegue|deploy|migracion|solucion|actualizacion|release|rollback|"
        r"importacion|instalacion|truco|sugerencia|prueba)) )?(?:ya |si |no |finalmente |al final |tambien |tampoco )*(?:lo )?(?:funciono|fallo|sirvio|ayudo|(?:arreglo|soluciono|resolvio|rompio)\b.*|ha funcionado|ha fallado|salio (?:bien|mal))"
        r"(?=[\s,.!:;–—-]|$).*"
    ),
    "works_now": r"(?:(?:todo|eso) )?(?:ya|ahora(?: si)?|por fin|al fin) (?:funciona|pasa|pasan|compila|esta (?:arreglado|solucionado|resuelto))(?: (?:bien|todo|perfecto|todos los tests))?\W*$",
    "fixed": (
        r"(?:ya )?(?:lo )?(?:(?:arreglado|solucionado|resuelto)\W*$|(?:(?:he |hemos )?(?:arregle|solucione|resolvi|arreglado|solucionado|resuelto|arreglamos|solucionamos|resolvimos))(?: .{1,60}?)?(?: (?:con|al|gracias a|usando|cambiando|\w+ando|\w+iendo) \S.*))"
    ),
    "turned_out": r"(?:y |al final )?(?:la cosa )?result(?:o|a)(?: ser)?(?: que)? <V>",
    "cause": (
        r"(?:la|el)(?: (?:verdadera?|real))? (?:solucion|causa(?: raiz)?|raiz|culpable|arreglo|fix|problema|error|fallo|bug|truco|motivo)(?: (?:real|raiz|final))?(?: (?:de|del|en) .{1,50}?)? (?:fue|era|eran|fueron|estaba en)(?: que)? <V>"
    ),
    "culprit": r"(?:la|el) (?:causa raiz|causa real|culpable)(?: (?:de|del) .{1,40}?)? es(?: que)? <V>",
    "by_doing": r"(?P<s>(?:\w+(?:ar|er|ir|arlo|erlo)|el|la|tu)\b(?: <W>){0,9}?) (?P<a>lo arreglo|lo soluciono|lo resolvio|arreglo|soluciono|resolvio|funciono|no funciono|ayudo|no ayudo)\b ?<V>?",
}

_RULES = (
    Rule("called", "fact", "name", "name"),
    Rule("live", "fact", "place", "live"),
    Rule("moving_home", "fact", "place", "live", change=True),
    Rule("machine", "fact", "plain"),
    Rule("work_at", "fact", "employer", "work"),
    Rule("work_on", "fact", "role"),
    Rule("role", "fact", "role"),
    Rule("speak", "fact", "thing"),
    Rule("like_more", "preference", "prefer", "prefer"),
    Rule("like", "preference", "like", "prefer"),
    Rule("hate", "preference", "like", "prefer"),
    Rule("prefer", "preference", "prefer", "prefer"),
    Rule("favourite", "preference", "favourite", "favourite"),
    Rule("preference", "preference", "prefer", "prefer"),
    Rule("prefer_it", "preference", "prefer", "prefer"),
    Rule("habit", "preference", "prefer", "prefer"),
    Rule("make_sure", "policy", "act", "act"),
    Rule("never", "policy", "act", "act"),
    Rule("never_after", "policy", "act", "act"),
    Rule("convention", "policy", "convention"),
    Rule("ask_first", "policy", "plain"),
    Rule("without", "policy", "act", "act"),
    Rule("forbidden", "policy", "plain"),
    Rule("no_longer", "fact", "no_longer", change=True, wide=True),
    Rule("decision", "fact", "decided"),
    Rule("labelled", "fact", "plain", wide=True),
    Rule("works_now", "outcome", "outcome"),
    Rule("worked", "outcome", "outcome"),
    Rule("fixed", "outcome", "outcome"),
    Rule("turned_out", "outcome", "turned_out"),
    Rule("cause", "outcome", "cause"),
    Rule("culprit", "outcome", "cause"),
    Rule("as_our", "fact", "as_our", "as_our"),
    Rule("replaced", "fact", "replaced", change=True),
    Rule("moved", "fact", "moved", "moved", change=True),
    Rule("dropped", "fact", "thing", change=True),
    Rule("use", "fact", "use"),
    Rule("do", "fact", "done"),
    Rule("decided", "fact", "decided"),
    Rule("in_project", "policy", "act", "act"),
    Rule("from_now", "policy", "act", "act"),
    Rule("do_it", "policy", "standing", "act", general=True),
    Rule("by_doing", "outcome", "by_doing"),
    Rule("allowed", "policy", "allowed"),
    Rule("must", "policy", "must"),
    Rule("was_now", "fact", "change", "subject", change=True, wide=True),
    Rule("shifted", "fact", "change", "subject", change=True),
    Rule("no_more", "fact", "no_more", "subject", change=True),
    Rule("named", "fact", "relation", "subject"),
    Rule("runs", "fact", "relation", "runs"),
    Rule("fact", "fact", "fact", "subject"),
    Rule("has", "fact", "relation"),
    Rule("was", "fact", "key_only", "subject"),
    Rule("bare_value", "policy", "announced", general=True),
    Rule("it_is", "fact", "correcting", general=True),
    Rule("bare_value", "fact", "meant", general=True),
)

LANGUAGE = Language(
    "es",
    filled(_SOURCES, _FRAGMENTS),
    _RULES,
    WORDS,
    ACTIONS,
    {"nuestro": "el", "nuestra": "la", "un": "el", "una": "la"},
)
