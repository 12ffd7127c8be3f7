"""Spanish word lists, folded; see en_words.py for what each is for."""

WORDS = {
    "attribute": """nombre apodo puerto endpoint url host dominio direccion ip correo email base bd esquema editor ide shell terminal sistema distro rama version
        framework libreria biblioteca lenguaje idioma stack zona equipo jefe jefa manager lider responsable deadline plazo fecha presupuesto region bucket
        namespace registro cola broker proveedor entorno repo repositorio linter formateador compilador bundler runtime ci licencia tema fuente teclado
        cumpleaños pronombres usuario rol puesto titulo trabajo empresa cliente ciudad pais moneda unidad formato limite timeout intervalo indentacion sangria
        estilo convencion estandar estrategia flujo arquitectura orm driver protocolo prefijo sufijo id etiqueta canal dueño dueña mantenedor
        contacto calendario ruta directorio carpeta raiz plataforma objetivo dispositivo maquina portatil movil hosting backend frontend herramienta
        tablero wiki retencion codificacion ortografia mascota gato perro navegador cto ceo fundador fundadora prioridad hito trimestre sprint ventana color comando
        archivo umbral cuota sla tamaño cabecera motor modelo dependencia gestor becario becaria companero compañero compañera pareja mujer marido hija hijo
        clave variable patron separador proxy gateway cdn cron almacen pipeline despliegue monitorizacion hora reunion daily limite horario scrum po""",
    "thing": """entornos servidor base api backend frontend servicio app aplicacion sitio web cluster cache cola broker almacenamiento buscador pasarela proxy cdn
        monorepo repo repositorio proyecto producto plataforma infraestructura entorno staging produccion desarrollo stack sistema pipeline ci despliegue
        hosting auth autenticacion monitorizacion logging vpn wiki tablero maquina portatil runner planificador pruebas tests documentacion cliente nas""",
    "code": """funcion funciones metodo metodos clase clases variable variables archivo archivos fichero ficheros test linea lineas bucle consulta pagina boton
        formulario componente campo columna fila peticion respuesta salida entrada resultado valor cadena lista objeto mensaje log diff parche pr commit
        fragmento logica condicion parametro argumento elemento modal texto palabra imagen icono enlace paso tarea ticket cambio build script proceso hilo llamada
        tipo interfaz usuario usuarios parte seccion ejemplo caso memoria latencia cobertura carga uso rendimiento total suma pantalla vista plantilla bloque
        comentario tabla elemento clave tamaño contador numero cursor menu pestaña titulo color margen fuente ancho alto animacion excepcion""",
    "vague": """cosa cosas problema problemas error errores bug bugs fallo pregunta duda idea punto razon respuesta solucion diferencia manera forma causa truco resto
        hecho plan objetivo siguiente proximo primero segundo ultimo otro otra lio desastre broma pesadilla reto cuello caso asunto preocupacion fracaso lastima
        culpable aviso sensacion impresion sugerencia nada todo algo verdad lo tema pena ventaja desventaja bola gracia diseño enfoque resultado trabajo avance""",
    "passing": """no nunca demasiado tan muy bastante algo un-poco poco mal bien roto rota rotos rotas caido caida caidos lento lenta lentos rapido rapida listo lista hecho hecha
        vacio vacia lleno llena correcto correcta incorrecto incorrecta raro rara importante claro inestable verde rojo roja fallando muerto vivo ocupado
        ocupada libre abierto abierta cerrado cerrada bloqueado bloqueada blanco nulo null enorme grande pequeño pequeña largo larga corto corta sucio feo dificil facil simple
        complicado complicada confuso imposible posible necesario necesaria obsoleto obsoleta viejo vieja nuevo nueva antigua antiguas antiguos viejos viejas nuevas nuevos larguisimo confusa confusos ambiguo ambigua generico generica aburrido aburrida bonito bonita interesante critico critica grave leve alto alta altos altas bajo baja bajos bajas claro oscuro oscura privado publico publica local remoto remota propio propia unica unico antiguo inutil util caro cara barato seguro segura inseguro
        peligroso horrible feliz triste cansado perdido perdida igual mismo misma distinto distinta diferente parecido disponible inalcanzable corrupto corrupta visible invisible
        invalido invalida valido valida desconocido conocido pendiente terminado terminada completo completa incompleto mejor peor bueno buena malo mala genial perfecto
        casi solo ya aun todavia siempre ahora aqui ahi alli que porque como cuando donde si mas menos el-mismo tuyo mio suyo eso esto ese esta falso verdadero real estable
        sobrecargado saturado funcionando corriendo tarde pronto pesado ligero ligera""",
    "idle": "progreso marcha orden curso uso problemas duda ello eso esto lista pausa mal bien manos rojo verde blanco juego",
    "function": """yo tu el-mismo ella ellos ellas nosotros usted ustedes eso esto ese esa este esta esos esas estos estas aqui ahi alli que quien cual cuales como cuando
        donde porque si aunque mientras y e o u pero sino ni no si es son era eran fue esta estan hay ha han he hemos puede pueden puedes debe deben quizas quiza tal un una unos
        unas algun alguna otro otra su sus tu tus cada-uno nadie nada algo alguien todo muy tan solo siempre nunca tambien ahora luego entonces en a por para con sin de
        sobre desde hasta entre contra segun ayer hoy mañana gracias hola ok vale asi mas menos mucho muchos poco pocos dice dijo creo lo le les se me te nos
        cuanto cuantos cuanta antes despues durante ademas igual bueno mejor peor del al haz mira usa dime ojala espero aun ya casi""",
    "subordinate": "cual cuales quien donde deben debe si que-si como porque cuando mientras dijo dice creo dicen segun era es son",
    "determiner": "el la los las nuestro nuestra nuestros nuestras mi mis cada todos todas todo toda",
    "article": "un una unos unas el la los las nuestro nuestra nuestros nuestras mi mis",
    "the": "el la",
    "preposition": """entre tras en a con por para sobre bajo desde hasta de al del hacia dentro detras via alojado alojada desplegado desplegada escrito escrita hecho basado basada
        guardado guardada configurado construido construida gestionado gestionada""",
    "split": "de del para en con que por a al sobre cuando",
    "pronoun": """eso esto ese esa este esta esos esas estos estas lo le les el-que ella ellos ellas nosotros algo nada todo todos todas ninguno ninguna ambos ambas cual que como cuando
        donde quien tu tus su sus aqui ahi alli asi ello ti mi-mismo""",
    "vague_article": "el la los las este esta estos estas ese esa tu tus su sus mi mis",
    "mine": "mi mis nuestro nuestra nuestros nuestras",
    "ours": "nuestro nuestra nuestros nuestras mi mis",
    "number": "uno dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta cien",
    "calendar": """lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
        semanalmente diariamente mensualmente cada mañana mediodia medianoche semana semanas hora horas minuto minutos dia dias segundo segundos mes meses año años""",
    "snippet": "bucle variable flag regex funcion helper hack contador mutex diccionario lista mapa for while string lambda hook callback clase metodo timer print test archivo consulta nueva nuevo simple",
    "project": "proyecto app repo repositorio servicio servidor api codigo rama build base endpoint sitio web cluster backend frontend despliegue pipeline equipo empresa aplicacion libreria monorepo paquete producto modulo codebase",
    "role": """desarrollador desarrolladora ingeniero ingeniera programador programadora diseñador diseñadora estudiante investigador investigadora cientifico cientifica analista consultor
        consultora freelance autonomo autonoma administrador administradora sysadmin arquitecto arquitecta fundador fundadora cto ceo profesor profesora principiante mantenedor
        mantenedora tester sre pm becario becaria jefe jefa lider responsable dev devops usuario usuaria data dba qa backend frontend fullstack tecnico tecnica
        doctorando doctoranda periodista traductor traductora medico medica contable""",
    "not_role": "tonto nuevo-aqui consciente fan capaz feliz",
    "decide": """usar utilizar adoptar ir cambiar migrar mantener quedarnos quedarse desplegar alojar construir escribir guardar almacenar ejecutar reemplazar sustituir soportar estandarizar renombrar
        dividir lanzar publicar llamar posponer aplazar reescribir retirar exigir requerir permitir prohibir limitar dejar empezar hacer poner no pasar pasarnos apostar abandonar eliminar congelar subir bajar
        comprar cobrar versionar fusionar cachear separar unificar""",
    "to": "",
    "that_way": "que",
    "the_deictic": "el la los las este esta ese esa tu su mi",
    "we": "",
    "i": "uso utilizo estoy he yo",
    "this": "este esta",
    "taste": "favorito favorita favoritos favoritas preferido preferida preferencia",
    "set_by_hand": "defecto predeterminado predeterminada favorito preferido preferida oficial minima minimo maximo maxima principal",
    "all": "todo todos todas",
    "generic": "todo toda todos todas cada ningun ninguna cualquier solo",
    "must": "deben debe tienen-que tiene-que",
    "can": "pueden puede",
    "no": "ningun ninguna solo",
    "be": "ser estar",
    "have_been": "sido estado",
    "determiner_the": "el la los las nuestro nuestra nuestros nuestras mi mis",
    "cure_articles": "el la tu",
    "cured": "lo arreglo soluciono resolvio",
    "restating": "decir correccion corrijo dicho referia rectifico",
    "adjective_ends": "able ible oso osa ando iendo ado ada ido ida ente ante mente",
    "participle_ends": "ado ada ados adas ido ida idos idas cho cha chos chas to ta tos tas",
    "gerund_ends": "ar er ir arlo erlo arla",
    "clause_opening_ends": "que",
    "role_ends": "ologo ologa",
    "self": "me mi mis prefiero vivo trabajo soy uso utilizo yo odio detesto hablo a puedes llamame personalmente siempre suelo normalmente adoro programo estudio",
    "carry": "",
    "habitual": "cuando para",
    "negation": "no",
    "later": "mañana manana",
    "momentary": "ahora hoy luego despues todavia aun",
    "deliberating": "decidir decidirlo discutir decir decirlo pensar pensarlo esperar adivinar",
    "lodging": "vive viven",
    "generic_article": "el la los las",
    "plural_article": "los las",
    "secret": "contraseña contraseñas secreto token clave",
    "head_first": "nuevo nueva gran primer primera verdadero verdadera",
    "person": "compañero compañera colega amigo amiga jefe jefa mujer marido pareja hermano hermana hijo hija padre madre becario becaria vecino vecina cliente usuario gente",
    "port": "puerto",
    "dwelling": "vive viven esta estan encuentra disponible",
    "the_slot": "",
    "employing": "en para",
    "workplace": "startup empresa banco equipo universidad consultora agencia fintech laboratorio multinacional hospital colegio estudio",
    "single": "ci ci/cd autenticacion hosting pagos cache despliegue monitorizacion logging correo busqueda facturacion formatear linting analitica",
    "act_on_this": "esto eso este esta estos estas lo",
    "lasting_verbs": "usa usad use usen usar utiliza utilizar prefiere evita sigue escribe escribir pon mantener manten nombra",
    "closed": "cerrado cerrada abierto reportado asignado creado fusionado desplegado arreglado resuelto desconocida claro dificil facil grande pequeño rechazado bueno buena genial nunca todavia",
    "branchy": "main master develop head trunk",
    "not_gerund": "ayer mujer lugar ser dar par bar",
    "stop": "el la los las un una unos unas a de que mi mis nuestro nuestra en con no para usar utilizar tener todo todos todas siempre nunca por",
    "verbs": "haz haga hagas hacer hagamos hacemos pon pongas poner di digas decir ten ve ser estar ir ten",
    "infinitive_ends": "ar er ir arse erse irse",
    "codebase_nouns": "codigo tests metodos funciones",
    "announcing": "nada",
    "telling_ends": "a",
    "never": "nunca jamas",
    "negative_order_ends": "es as",
    "stems": """vay us utiliz escrib ejecut corr hac hag añad agreg borr elimin edit modific toc toqu cambi import export imprim registr guard public publiqu despleg desplieg despliegu prob prueb
        teste formate revis mantien manten deja dej pregunt confirm verific verifiqu valid comprueb comprob commite merge mergee fusion pushe sub empuj instal actualiz actualic document coment
        explic expliqu muestr mostr respond contest habl asum supon supong ignor omit salt desactiv activ captur nombr mencion inclu incluy cre
        exig exij evit prefier sigu sig segu respet trat manej envi compart cifr encript firm etiquet fij copi muev mov orden aline indent defin declar tip anot conviert cit
        traduc traduzc agrup separ reinici par ped pid llev gener construy constru añadan utilic hardcode loguee loguea commit pin cubr abr cierr cerr asegur ejecuten van van acompañ cumpl pas teng ten""",
    "verb_endings_ends": "a e o as es ar er ir ad ed id an en amos emos imos arlo erlo irlo arlos erlos ando iendo is",
    "happening": "",
    "state": "compatible unico unicos privado privados inmutable idempotente idempotentes estatico minusculas mayusculas cifrados firmados tipado documentado documentada",
}

ACTIONS = {
    **dict.fromkeys(
        (
            "usa",
            "usad",
            "use",
            "uses",
            "usen",
            "usar",
            "usamos",
            "usemos",
            "utiliza",
            "utilizar",
            "utilices",
            "utilice",
            "utilizamos",
        ),
        "use",
    ),
    **dict.fromkeys(("haz", "haga", "hagas", "hacer", "hacemos", "hagamos"), "do"),
    **dict.fromkeys(("escribe", "escribir", "escribas", "escriba", "escribimos", "escribid"), "write"),
    **dict.fromkeys(("manten", "mantener", "mantengas", "mantenemos"), "keep"),
}
