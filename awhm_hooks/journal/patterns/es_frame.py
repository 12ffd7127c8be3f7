"""What stands around a Spanish statement: lead-ins, correction markers, and what makes it none (see es.py)."""

# Needed for every sentence.
FRAME = {
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
        r"lunes|martes|miercoles|jueves|viernes|hoy|mañana|la v\S+|la version \S+))(?=[\s,:–—-])<GAP>|"
        r"(?:para|en) (?:el |la |los |las )?<W>(?: <W>){0,3}?,? (?=(?:usamos|utilizamos|uso|prefiero|preferimos|elegimos|nos quedamos|vamos con)\b)"
    ),
    "standing": (
        r"(?:por favor,? )?(?:a partir de (?:ahora|hoy|este momento)|de (?:ahora|aqui|hoy) en adelante|desde (?:ahora|hoy|ya)|en adelante|en el futuro|en lo sucesivo|"
        r"antes de cada (?:commit|push|merge|despliegue|release|pr)|como (?:regla|norma)(?: general)?|por (?:regla|norma) general|por defecto|(?:nueva |nuestra )?(?:regla|norma|politica|convencion)(?: del (?:equipo|proyecto))?(?=[:–—-]))"
        r"(?=[\s,:;.!–—-])<GAP>"
    ),
    "placed": r"(?:en|para|por) (?:este|esta|nuestro|nuestra|todo el|todo nuestro|todos (?:los|mis|nuestros)) <PLACE>s?(?=[\s,:–—-])<GAP>|(?:en|para) (?:los |las )?<W>(?: <W>)?,? (?=(?:siempre|nunca|jamas)\b)",
    "marker": (
        r"(?:(?:ah|uy|perdon|espera|bueno|vale|ups|lo siento)[,!. ]+){0,2}"
        r"(?:(?:en realidad|correccion|corrijo|rectifico|me equivoque|me he equivocado|estaba equivocado|estaba equivocada|mejor dicho|quise decir|queria decir|"
        r"me referia a|eso (?:no es (?:cierto|correcto|verdad|asi)|es (?:incorrecto|falso)|esta mal)|esta mal|estas equivocado|te equivocas|no es correcto|"
        r"no es cierto|no,? (?:en realidad|espera|perdon|mejor dicho))"
        r"(?: que)?(?=[\s,:;.!–—-]|$)|no(?=[,.:!–—-])|no(?= (?:es |son )))<GAP>"
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
    "joke": r"\b(?:es broma|era broma|bromeaba|es coña)\b",
    "whole_void": r"(?:y |pero |ok,? |¿)?(?:imagina|imaginemos|imaginate|supongamos|supon que|suponte|digamos|pongamos|por ejemplo|hagamos como)\b",
    "question": (
        r"[¿]|(?:y |pero |oye,? )?(?:puedes|podrias|puede|podemos|podriamos|quieres|deberia|deberiamos|sabes|que|cual|cuales|como|por que|donde|quien|cuando|cuanto|"
        r"hay|me (?:explicas|ayudas|dices)|explicame|dime|muestrame)\b"
    ),
    "cut": (
        r"(?:(?:y|pero|asi que|entonces|pues|porque|aunque|o|ademas)[, ]+)?(?:¿|(?:yo|tu|el dijo|ella|nosotros|ellos|eso|esto|esta claro|hay|puedes|podrias|puede|"
        r"por favor|gracias|vamos a|dime|ayudame|que te parece|no se|creo|asi|me (?:ayudas|explicas))\b)"
    ),
}

# Needed only where a rule has matched.
LATE = {
    "it": r"(?:(?:eso|esto) )?(?:es|son) ",
    "mid_marker": r"\b(?:es|son|esta) en realidad\b|\ben realidad (?:es|son|esta)\b",
    "stopped": r"\b(?:ya no|dejamos|dejado|deje)\b",
    "hedge": (
        r"\b(?:quizas?|tal vez|a lo mejor|puede que|probablemente|posiblemente|supuestamente|al parecer|creo que|supongo|imagino que|no estoy segur[oa]|"
        r"podria|podriamos|o algo asi|o algo|seria|ojala|igual)\b"
    ),
    "said": (
        r"(?:(?:dijo|dice|segun|comento|afirma)\b|(?:el|ella|ellos|<W>) (?:dijo|dice|dicen|comento|afirma)\b|creo|supongo|quizas?|tal vez|es broma|¿?(?:no|verdad|cierto|correcto|o no|no crees|no te parece|a que si|te parece)$)"
    ),
    "confirming": r"¿?(?:ok|okay|vale|de acuerdo|entendido|por favor|si|estamos)\W*$",
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
}
