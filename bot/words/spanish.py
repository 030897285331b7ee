"""The notices in Spanish."""

from bot.words.keys import Notice, Phrase

NOTICES = {
    Notice.NOT_DONE: (
        "Ahora mismo no puedo acceder a mi memoria, así que no se ha cambiado nada. Inténtalo de nuevo en un momento."
    ),
    Notice.ONLY_MANAGERS: "Eso solo puede cambiarlo quien administra este servidor.",
    Notice.LOG_SETTINGS: (
        "**El registro de este servidor**\n• Se guarda a: {consent}\n• Los mensajes se conservan: {kept}\n"
        "• Los resúmenes se conservan: {summaries}\n"
        "• Lo que se me pide recordar se conserva: {facts}\n"
        "• Canales que no se guardan: {channels}\n• Roles que no se guardan: {roles}"
    ),
    Notice.LOG_CLEANED: "Borrado, porque ya no debe conservarse: {what}",
    Notice.SO_MANY_MESSAGES: "{count} mensajes",
    Notice.SO_MANY_FACTS: "{count} datos",
    Notice.CONSENT_OPT_OUT: "todos los que no han usado `/privacy opt-out`",
    Notice.CONSENT_OPT_IN: "solo los que han usado `/privacy opt-in`",
    Notice.KEPT_FOREVER: "hasta que se borren",
    Notice.KEPT_DAYS: "durante {days} días",
    Notice.KEPT_UNTIL_FORGOTTEN: "hasta que se me pida olvidarlo",
    Notice.KEPT_AFTER_TELLING: "{days} días desde la última vez",
    Notice.NONE: "ninguno",
    Notice.SETTINGS: (
        "**Ajustes de este servidor**\n"
        "• Zona horaria: {zone}\n"
        "• La sala común: lo que pueden leer todos los que tienen {hall}\n"
        "• Dónde respondo: {speaks}"
    ),
    Notice.SPEAKS_EVERYWHERE: "en todas partes donde puedo escribir",
    Notice.AND_MORE: "{listed} y {count} más",
    Notice.SET_UP_ON: "-# Configurado {when}",
    Notice.SETUP_SUGGESTED: (
        "Nadie me ha configurado todavía en este servidor. `/innkeeper setup` lo hace en dos minutos y termina con "
        "un aviso para los miembros."
    ),
    Notice.REMOVAL_ASK: "⚠️ Esto quita para siempre: {what}. ¿Lo hago?",
    Notice.REMOVAL_YES: "Cambiar y quitar",
    Notice.REMOVAL_NO: "Dejarlo como está",
    Notice.NOTHING_CHANGED: "No se ha cambiado nada.",
    Notice.CLEANED_LATER: (
        "No se ha podido quitar ahora todo lo que ya no debe estar en el registro; el resto seguirá por sí solo."
    ),
    Notice.ZONE_UNKNOWN: "«{typed}» no es una zona horaria que conozca.",
    Notice.ZONE_NEAR: "¿Querías decir {zones}?",
    Notice.ZONE_HINT: "Prueba con la gran ciudad más cercana, como Berlín (Berlin) o New York.",
    Notice.SETUP_STEP: "-# Paso {number} de {count}. No se cambia nada hasta que guardes al final.",
    Notice.SETUP_BACK: "Atrás",
    Notice.SETUP_NEXT: "Siguiente",
    Notice.SETUP_SKIP: "Omitir",
    Notice.SETUP_CANCEL: "Cancelar",
    Notice.SETUP_CANCELLED: "No se ha cambiado nada. `/innkeeper setup` empieza de nuevo.",
    Notice.RAN_OUT: "Esto ha caducado y no se ha cambiado nada. Usa el comando otra vez.",
    Notice.ZONE_TITLE: "Zona horaria",
    Notice.ZONE_WORDS: "Decide cuándo empieza y acaba un día en lo que recuerdo, y qué significa «ayer».",
    Notice.ZONE_CHOSEN: "Elegida: **{zone}** ({offset}; allí son las {time})",
    Notice.ZONE_MENU: "Elegir una zona horaria",
    Notice.ZONE_TYPE: "Escribir otra",
    Notice.ZONE_FIELD: "Una ciudad o zona, como Madrid",
    Notice.HALL_TITLE: "La sala común",
    Notice.HALL_WORDS: (
        "La sala común son los canales que pueden leer todos los que tienen un rol. Lo que se dice allí se lo "
        "puedo repetir; lo que se dice en otro sitio se queda donde se dijo."
    ),
    Notice.HALL_OPENS: "Elegido: {role}. Personas que lo tienen: {people}. Canales que abre ({count}): {channels}",
    Notice.HALL_OPENS_NOTHING: (
        "Elegido: {role}. Personas que lo tienen: {people}. No hay canal que puedan leer todas, así que nada se "
        "repetiría fuera de donde se dijo."
    ),
    Notice.HALL_UNKNOWN: (
        "Elegido: {role}. Aún no veo quién puede leer qué canal, así que no puedo listar lo que abre; hasta "
        "entonces, todo se queda donde se dijo."
    ),
    Notice.HALL_MENU: "Elegir un rol",
    Notice.HALL_PROPOSED: "Mi propuesta: {role}",
    Notice.EXCEPT_TITLE: "Lo que no se guarda",
    Notice.EXCEPT_WORDS: (
        "No guardo nada de estos canales y sus hilos, ni de los miembros con uno de estos roles. Lo que tengo de "
        "ello se quita al guardar."
    ),
    Notice.EXCEPT_CHANNELS: "Canales que no se guardan",
    Notice.EXCEPT_ROLES: "Roles que no se guardan",
    Notice.MENU_IS_FULL: "Un menú no admite más de {shown}; el resto queda como está y se cambia con `/settings`.",
    Notice.SPEAK_TITLE: "Dónde respondo",
    Notice.SPEAK_WORDS: (
        "Solo escribo en estos canales. En los demás escucho y respondo a una llamada con una reacción; `/ask` "
        "funciona en todas partes. Ninguno elegido: donde pueda escribir."
    ),
    Notice.SPEAK_MENU: "Canales en los que respondo",
    Notice.CONSENT_TITLE: "A quién se guarda",
    Notice.CONSENT_WORDS: (
        "Cada miembro decide por sí mismo; esto vale para quienes no han dicho nada. Si pasa a ser solo quienes "
        "aceptan, los mensajes de los demás se quitan al guardar."
    ),
    Notice.CONSENT_MENU: "Elegir a quién se guarda",
    Notice.CONSENT_OUT: "Todos los que no se han negado",
    Notice.CONSENT_OUT_HINT: "Guardados hasta que usen /privacy opt-out",
    Notice.CONSENT_IN: "Solo quienes aceptan",
    Notice.CONSENT_IN_HINT: "No guardados hasta que usen /privacy opt-in",
    Notice.SUMMARY_TITLE: "Resumen",
    Notice.WILL_REMOVE: "⚠️ Al guardar se quita para siempre: {what}.",
    Notice.WILL_REMOVE_SOME: (
        "⚠️ Al guardar se quita del registro lo que ya no debe estar. Ahora mismo no puedo contarlo."
    ),
    Notice.NOTICE_WHERE: "**El aviso para los miembros**, que se publicará en {channel}:",
    Notice.NOTICE_NOWHERE: "**El aviso para los miembros**; elige abajo dónde publicarlo:",
    Notice.NOTICE_MENU: "Dónde publicar el aviso",
    Notice.NOTICE_MAY_NOT: (
        "⚠️ No puedo escribir en {channel}. Dame «Ver canal» y «Enviar mensajes» allí, o elige otro canal."
    ),
    Notice.SAVE_AND_POST: "Guardar y publicar el aviso",
    Notice.SAVE_ONLY: "Guardar sin aviso",
    Notice.OVERTAKEN: (
        "⚠️ Alguien cambió los ajustes mientras tanto, así que aún no se ha guardado nada. Así quedarían ahora; "
        "míralos otra vez."
    ),
    Notice.SAVED: "Guardado. `/settings show` lo muestra, `/settings` lo cambia.",
    Notice.NOTICE_POSTED: "El aviso está en {channel}.",
    Notice.NOTICE_NOT_POSTED: (
        "No se ha podido publicar el aviso en {channel}. Dame «Ver canal» y «Enviar mensajes» allí y usa "
        "`/innkeeper setup` otra vez."
    ),
    Notice.HOUSE_NOTICE: (
        "**Recuerdo este servidor.** {stored} También guardo lo que se me pide recordar ({facts}). "
        "Lo que se dice en un canal privado no se repite donde otros podrían leerlo, y lo que se borra en "
        "Discord se borra también aquí.\n"
        "• `/privacy show`: lo que tengo de ti; `/privacy export`: todo en un archivo; `/privacy erase`: todo se va\n"
        "• `/privacy opt-out`: no guardo nada de lo que escribes ni nada sobre ti, y lo guardado se va\n"
        "• `/innkeeper about`: cómo hablar conmigo"
    ),
    Notice.HOUSE_STORES_ALL: "Guardo los mensajes de los canales que puedo leer, {kept}.",
    Notice.HOUSE_STORES_AGREED: (
        "Guardo los mensajes de quienes aceptan con `/privacy opt-in`, en los canales que puedo leer, {kept}."
    ),
    Notice.USAGE_ONLY_MANAGERS: "Eso solo puede verlo quien administra este servidor.",
    Notice.USAGE_UNKNOWN: "Ahora mismo no puedo consultar mis registros. Inténtalo de nuevo en un momento.",
    Notice.USAGE_TITLE: "**Uso de modelos en este servidor**",
    Notice.USAGE_NO_MODEL: "Aquí no hay modelo de lenguaje: respondo con citas y no se gasta nada.",
    Notice.USAGE_BUDGET: (
        "Presupuesto de hoy: {spent} de {budget} tokens usados, queda el {left} %. Un nuevo día empieza {when}."
    ),
    Notice.USAGE_NO_BUDGET: "No hay presupuesto diario.",
    Notice.USAGE_TODAY: "Hoy",
    Notice.USAGE_WEEK: "Últimos 7 días",
    Notice.USAGE_MONTH: "Últimos 30 días",
    Notice.USAGE_SUM: "{tokens} tokens en total",
    Notice.USAGE_NOTHING: "nada",
    Notice.USAGE_CALLS: "llamadas {calls}",
    Notice.USAGE_FAILED: "fallidas {failed}",
    Notice.USAGE_TOKENS: "tokens {tokens_in} enviados, {tokens_out} recibidos",
    Notice.USAGE_SECONDS: "{seconds} s cada una",
    Notice.USAGE_ANSWER: "respuestas",
    Notice.USAGE_SUMMARISE: "resúmenes",
    Notice.USAGE_SMALL: "tareas pequeñas",
    Notice.USAGE_EMBED: "vectores",
    Notice.USAGE_ESTIMATED: "-# ~ es en parte una estimación: no todos los modelos dicen cuántos tokens han usado.",
    Notice.USAGE_VECTORS_APART: "-# Los vectores no cuentan para el presupuesto.",
    Notice.USAGE_NO_PRICE: "-# No se conoce el precio de {models}. Quien me gestiona puede indicarlo (`MODEL_PRICES`).",
}


# What is said in Spanish about the facts that are held about members, and who did what to them.


MEMORY_NOTICES = {
    Notice.MEMORY_OF_YOU: "**Lo que sé de ti**",
    Notice.MEMORY_OF: "**Lo que sé de {name}, hasta donde puedes leer**",
    Notice.MEMORY_NONE_OF_YOU: "No sé nada de ti que se haya dicho donde puedes leer.",
    Notice.MEMORY_NONE_OF: "No sé nada de {name} que puedas oír.",
    Notice.MEMORY_PAGE: "Página {page} de {pages}",
    Notice.MEMORY_CHOOSE: "Elige un número para hacer algo con ello.",
    Notice.SAID_BY_YOU: "lo dijiste tú",
    Notice.SAID_BY: "lo dijo {name}",
    Notice.CONFIRMED_BY_YOU: "lo dice {teller}, y tú lo confirmaste",
    Notice.CONFIRMED_BY: "lo dice {teller}, y {name} lo confirmó",
    Notice.TOLD_BY: "lo dice {teller}",
    Notice.SINCE: "desde el {when}",
    Notice.UNTIL: "hasta el {when}",
    Notice.MESSAGE_LINK: "mensaje",
    Notice.MAY_BE_KNOWN: "todos pueden saberlo",
    Notice.WITHHELD: "no se dice a nadie más: este servidor no quiere que se cuente nada de otros",
    Notice.ACT_CONFIRM: "Confirmar",
    Notice.ACT_CORRECT: "Corregir",
    Notice.ACT_FORGET: "Olvidar",
    Notice.ACT_REMOVE: "Quitar",
    Notice.ACT_BACK: "Volver",
    Notice.DONE_CONFIRM: "Confirmado. Desde ahora es tu propia palabra: {fact}",
    Notice.DONE_CORRECT: "Corregido. Ahora guardo tus propias palabras: {fact}",
    Notice.DONE_VETO: "Fuera. No lo guardo, y nadie más puede volver a decírmelo de ti.",
    Notice.DONE_NOT_ME: (
        "Fuera de lo que sé de ti, y nadie puede volver a decírmelo de ti. Para los demás de quienes trata, se queda."
    ),
    Notice.DONE_FORGET: "Olvidado.",
    Notice.DONE_BEFORE: "Ya era así; no cambió nada.",
    Notice.DONE_UNSAID: "Hecho.",
    Notice.CORRECT_TITLE: "Con tus propias palabras",
    Notice.CORRECT_FIELD: "¿Qué es lo cierto?",
    Notice.AUDIT_TITLE: "**Quién miró o cambió lo que sé de otros**",
    Notice.AUDIT_TITLE_OF: "**Quién miró o cambió lo que sé de {name}**",
    Notice.AUDIT_NONE: "No se anotó nada así en los últimos 365 días.",
    Notice.AUDIT_THE_SERVER: "el servidor",
    Notice.DEED_LOOKED: "miró",
    Notice.DEED_TOLD: "me contó algo",
    Notice.DEED_REPLACED: "reemplazó algo",
    Notice.DEED_FORGOT: "hizo olvidar algo",
    Notice.DEED_EDITED: "dijo algo de otro modo",
    Notice.DEED_UNDID: "deshizo algo",
    Notice.DEED_VETOED: "desmintió algo",
    Notice.DEED_SHOWED_CHANNEL: "miró un canal",
    Notice.DEED_EXPORTED_CHANNEL: "exportó un canal",
    Notice.DEED_ERASED_CHANNEL: "borró un canal",
    Notice.DEED_CHANGED_KEEPING: "decidió de nuevo qué se guarda",
    Notice.FACT_RULES: (
        "• Lo que los miembros cuentan de otros: {about_others}\n"
        "• Lo que los moderadores pueden hacer con datos ajenos: {moderators}"
    ),
    Notice.ABOUT_OTHERS_YES: "se guarda",
    Notice.ABOUT_OTHERS_NO: "no se guarda ni se cuenta",
    Notice.MODERATORS_NOTHING: "nada",
    Notice.MODERATORS_REMOVE: "hacerlos olvidar",
    Notice.SECOND_LOOK: "• Cuando al modelo de lenguaje le falta algo: {wanted}",
    Notice.SECOND_LOOK_YES: "busco otra vez y le vuelvo a preguntar",
    Notice.SECOND_LOOK_NO: "le pregunto solo una vez",
}


# What is said in Spanish about what is held, to whom it belongs, and its end.


PRIVACY_NOTICES = {
    Notice.OPT_OUT_ASK: (
        "¿Dejo de guardar cosas tuyas en este servidor y borro lo que tengo? Desaparecen tus mensajes, mis respuestas, "
        "lo que me contaste de ti y lo que otros me contaron de ti. No se puede deshacer. Lo que me contaste de otros "
        "se queda.\n"
        "Tus mensajes en Discord siguen como están. Antes, `/privacy export` te da una copia."
    ),
    Notice.OPT_OUT_YES: "No guardar nada y borrarlo",
    Notice.NOT_OPTED_OUT: "No ha cambiado nada: se te guarda como antes.",
    Notice.OPTED_OUT: (
        "A partir de ahora no guardo nada de lo que escribas en este servidor, ni nada de lo que otros me cuenten de "
        "ti; tu nombre ya no me dice nada. Si me hablas, sigo respondiendo, sin guardar nada. He borrado lo que "
        "tenía:"
    ),
    Notice.OPTED_OUT_NEXT: (
        "Lo que me contaste de otros se queda. Para que también se borre, usa `/privacy erase`; para que vuelva a "
        "guardarte, `/privacy opt-in`."
    ),
    Notice.OPTED_IN: (
        "A partir de ahora guardo lo que escribas en este servidor, donde puedo leerlo, y lo que otros me cuenten de "
        "ti. Para dejarlo, usa `/privacy opt-out`; para que se borre, `/privacy erase`."
    ),
    Notice.ERASE_ASK: (
        "¿Borro lo que tengo de ti en este servidor? Desaparecen tus mensajes, mis respuestas, lo que me contaste "
        "y lo que otros me contaron de ti. No se puede deshacer y nada de ello vuelve.\nTus mensajes en Discord "
        "siguen como están. Lo que escribas desde ahora se guarda de nuevo, salvo que uses también "
        "`/privacy opt-out`. Antes, `/privacy export` te da una copia."
    ),
    Notice.ERASE_YES: "Borrarlo todo",
    Notice.ERASE_NO: "Conservarlo",
    Notice.ERASED: "Borrado.",
    Notice.ERASED_NOTHING: "No había nada que borrar.",
    Notice.NOT_ERASED: "No se ha borrado nada.",
    Notice.ERASING: (
        "Borrando: {done} de {total} mensajes …\n"
        "-# Está decidido: si algo me interrumpe, el resto se va solo, y nada vuelve."
    ),
    Notice.ERASING_GOES_ON: (
        "Esto dura más de lo que Discord me deja contar aquí. Sigue por sí solo; vuelve a mirar más tarde."
    ),
    Notice.ERASE_BROKE_OFF: (
        "A mitad de camino, tras {done} de {total} mensajes, dejé de alcanzar mi memoria. Está decidido de todos "
        "modos: el resto se va solo, por lo general en una hora, y nada vuelve."
    ),
    Notice.TAKING_BACK: "Estoy retirando mis respuestas en Discord que estaban hechas con ello ({count}).",
    Notice.GONE_YOUR_MESSAGES: "tus mensajes",
    Notice.GONE_MESSAGES: "mensajes",
    Notice.GONE_REPLIES: "mis respuestas a ello o hechas con ello",
    Notice.GONE_EARLY_EDITS: "ediciones que esperaban su mensaje",
    Notice.GONE_ADDRESSED: "notas de que algo se me dijo a mí",
    Notice.GONE_YOUR_FACTS: "lo que me contaste",
    Notice.GONE_FACTS_OF_YOURSELF: "lo que me contaste de ti",
    Notice.GONE_FACTS: "datos",
    Notice.GONE_OF_OTHERS: (
        "También ha desaparecido lo que otros me contaron de ti, fuera donde fuera, y lo que yo había hecho con todo "
        "ello. Estoy retirando mis respuestas en Discord que lo repiten."
    ),
    Notice.GONE_FACTS_FROM: "datos sacados de esos mensajes",
    Notice.GONE_FACTS_REPLACED: "datos más antiguos que estos habían sustituido",
    Notice.GONE_SUMMARIES: "resúmenes",
    Notice.GONE_CONTEXTS: "textos hechos con ello",
    Notice.GONE_VETOES: "notas de lo que no es cierto",
    Notice.GONE_CHANGES: "cambios que se podían deshacer",
    Notice.GONE_RECEIPTS: "comprobantes de mis respuestas",
    Notice.GONE_AUDIT: "líneas del registro de control",
    Notice.GONE_NAMES: "nombres",
    Notice.HELD_TITLE: "**Lo que tengo de ti en este servidor**",
    Notice.HELD_NOTHING: "Nada.",
    Notice.HELD_MESSAGES: "tus mensajes",
    Notice.HELD_EARLY_EDITS: "ediciones que esperan su mensaje",
    Notice.HELD_FACTS_TOLD: "lo que me contaste",
    Notice.HELD_FACTS_ABOUT: "lo que otros me contaron de ti",
    Notice.HELD_FACTS_HERE: "datos contados allí",
    Notice.HELD_DAYS: "días resumidos",
    Notice.HELD_HISTORIES: "semanas resumidas",
    Notice.HELD_CONTEXTS: "textos hechos con todo eso",
    Notice.HELD_NAMES: "nombres con los que te encuentro",
    Notice.HELD_RECEIPTS: "comprobantes de mis respuestas",
    Notice.HELD_CHANGES: "textos guardados para deshacer, un día como mucho",
    Notice.HELD_VETOES: "notas de lo que dijiste que no es cierto",
    Notice.HELD_SINCE: "desde el {when}",
    Notice.HELD_SPAN: "del {first} al {last}",
    Notice.HELD_WITHHELD: "no contados a otros {count}",
    Notice.HELD_OVER: "ya no ciertos {count}",
    Notice.HELD_ELSEWHERE: (
        "-# Lo que otros me contaron de ti donde no puedes leer no aparece, ni si lo hay. `/privacy erase` y "
        "`/privacy opt-out` también lo alcanzan."
    ),
    Notice.DECIDED_TITLE: "**Lo que decidiste**",
    Notice.DECIDED_STORED: "nada; este servidor hace guardar a todos los que no se niegan",
    Notice.DECIDED_NOT_STORED: "nada; este servidor solo hace guardar a quienes aceptan",
    Notice.DECIDED_IN: "que te guarde, {when}",
    Notice.DECIDED_OUT: "que no te guarde, {when}",
    Notice.DECIDED_ERASED: "borrado por última vez {when}",
    Notice.LOOKS_TITLE: "**Quién lo miró o lo cambió**",
    Notice.LOOKS_NONE: "nadie más que tú",
    Notice.KEPT_TITLE: "**Cuánto tiempo se conserva**",
    Notice.KEPT_EACH: "• los mensajes: {messages}\n• los resúmenes: {summaries}\n• los datos: {facts}",
    Notice.NEXT_TITLE: "**Lo que puedes hacer**",
    Notice.NEXT_MINE: (
        "• `/privacy export`: todo en un archivo\n"
        "• `/memory show`: cada dato, para confirmarlo, corregirlo, negarlo u olvidarlo\n"
        "• `/privacy erase`: todo se va\n"
        "• `/privacy opt-out`: no se guarda nada más, tampoco sobre ti"
    ),
    Notice.EXPORT_LATE: (
        "Esto dura más de lo que Discord me deja responder aquí. Pídelo de nuevo en un momento más tranquilo."
    ),
    Notice.EXPORT_UNDER_WAY: (
        "Todavía reúno el archivo que pediste antes. Llegará en cuanto esté listo; pídelo de nuevo entonces."
    ),
    Notice.EXPORT_PROGRESS: "Reúno: {done} de {total} mensajes …",
    Notice.EXPORT_READY: (
        "Aquí está todo lo que tengo de ti en este servidor, y de dónde viene. Solo tú lo ves; descarta el mensaje "
        "cuando hayas guardado el archivo."
    ),
    Notice.EXPORT_READY_CHANNEL: (
        "Aquí está lo que tengo de {channel} y sus hilos, hasta donde tú puedes leerlo. Solo tú lo ves."
    ),
    Notice.EXPORT_PACKED: "-# Está comprimido (gzip), porque Discord no acepta un archivo mayor.",
    Notice.EXPORT_PARTS: (
        "-# Está comprimido y en {count} partes, porque Discord no acepta un archivo mayor. Unidas en su orden son un "
        "`.json.gz`."
    ),
    Notice.EXPORT_ABOUT_ME: "Todo lo que {bot} tiene de ti en este servidor, y de dónde viene.",
    Notice.EXPORT_ABOUT_CHANNEL: (
        "Lo que {bot} tiene de un canal y sus hilos, hasta donde puede leerlo quien lo pidió."
    ),
    Notice.EXPORT_ABOUT_ROOMS: (
        "No está lo que otros contaron de ti en salas que no podías leer al pedirlo, ni si lo hay; un canal con "
        "restricción de edad cuenta como tal, salvo que lo pidas en uno. /privacy erase y /privacy opt-out también lo "
        "alcanzan."
    ),
    Notice.EXPORT_ABOUT_FORM: (
        "Las horas son UTC, los identificadores son los de Discord, y hay un enlace donde puedes abrirlo."
    ),
    Notice.NOT_KNOWN_YET: (
        "Ahora mismo no veo quién puede leer qué, así que no puedo decir qué te toca leer. Inténtalo de nuevo en un "
        "minuto."
    ),
    Notice.READS_CHANGED: "Lo que puedes leer acaba de cambiar. Usa el comando otra vez.",
    Notice.CHANNEL_TITLE: "**Lo que tengo de {channel} y sus hilos**",
    Notice.CHANNEL_CLOSED: (
        "Desde aquí no puedes releer {channel}, así que ni muestro ni entrego lo que tengo de él. "
        "`/channel-memory erase` funciona de todos modos."
    ),
    Notice.CHANNEL_NEXT: (
        "• `/channel-memory export`: todo en un archivo\n"
        "• `/channel-memory erase`: todo se va\n"
        "• `/settings log exclude-channel`: no se guarda nada más de él"
    ),
    Notice.CHANNEL_ERASE_ASK: (
        "¿Borro todo lo que tengo de {channel} y sus hilos? Lo que se dijo allí desaparece de mi memoria para todos, "
        "con los datos contados allí y todo lo que se hizo con ello. No se puede deshacer y nada de ello vuelve.\n"
        "Los mensajes en Discord siguen como están. Lo que se escriba allí desde ahora se guarda de nuevo, salvo que "
        "uses también `/settings log exclude-channel`."
    ),
    Notice.CHANNEL_GONE: "De {channel} y sus hilos:",
    Notice.LEAVE_ASK: (
        "¿Borro **todo** lo que tengo de **{server}** y me voy? Mensajes, datos, resúmenes, ajustes: todo desaparece "
        "al momento, para todos, y no se puede recuperar. Si solo se me expulsa del servidor, lo conservo siete días."
    ),
    Notice.LEAVE_YES: "Borrar todo, dejar {server}",
    Notice.LEAVE_NO: "Quedarse",
    Notice.LEAVE_STAYS: "Me quedo, y no se ha borrado nada.",
    Notice.LEAVE_ERASED: "De **{server}**, borrado para siempre:",
    Notice.LEAVE_GOODBYE: "Me voy ahora. Adiós.",
    Notice.LEAVE_NOT_LET: (
        "Todo está borrado, pero Discord no me ha dejado irme. Quítame en los ajustes del servidor: mientras esté "
        "aquí, vuelvo a guardar lo que se escribe."
    ),
}


# The bot's sentences in Spanish.


PHRASES = {
    Phrase.REMEMBERED: "Recordaré sobre {name}: {fact}",
    Phrase.REMEMBERED_ABOUT_SERVER: (
        "No he reconocido a ningún miembro, así que lo guardo sobre este servidor: {fact}\n"
        "Si trata de alguien, menciónalo: «{bot} recuerda que @nombre …»"
    ),
    Phrase.CONFIRMED_BY_TELLING: "Lo había oído, y ahora lo sé por ti: {fact}",
    Phrase.ALREADY_KNOWN: "Eso ya lo sé: {fact}",
    Phrase.WHICH_MEMBER: "¿A qué «{name}» te refieres? Elige abajo o dilo otra vez con una mención.\n{candidates}",
    Phrase.GUESSED_MEMBER: (
        "No conozco a nadie llamado «{name}». ¿A quién te refieres? Elige abajo o dilo otra vez con una mención.\n"
        "{candidates}"
    ),
    Phrase.NONE_OF_THEM: "Nadie de ellos",
    Phrase.MAY_BE_TOLD: "Ahora mismo no sé decir si era una pregunta o algo que debo recordar.",
    Phrase.REMEMBER_THIS: "Recordarlo",
    Phrase.NOT_YOUR_CHOICE: "Se lo pregunté a quien me lo contó; solo esa persona sabe a quién se refiere.",
    Phrase.TELLING_GONE: "Ya no encuentro lo que escribiste, así que no se hizo nada. Dilo otra vez, por favor.",
    Phrase.CHOSEN_TOO_LATE: "De eso hace demasiado tiempo para seguir. Dímelo otra vez, por favor.",
    Phrase.REPLACED: "-# Esto sustituye a:\n{facts}",
    Phrase.KNOWN_BETTER: "{name} me dijo otra cosa, así que conservo esto: {fact}\nSolo {name} puede cambiarlo.",
    Phrase.NOTHING_TO_REMEMBER: (
        "¿Qué debo recordar? Por ejemplo «{bot} recuerda que a @nombre le gusta el té», "
        "o responde a un mensaje con «{bot} recuerda esto sobre @nombre»."
    ),
    Phrase.SOURCE_NOT_KEPT: (
        "El mensaje al que te refieres ya no está, o no puedo guardarlo, así que no he guardado nada."
    ),
    Phrase.FACT_TOO_LONG: "Es demasiado largo ({length} caracteres de {limit} como máximo). Dilo más brevemente.",
    Phrase.TOLD_ENOUGH: (
        "Ya me has contado {limit} cosas sobre {name}, y de una sola persona no guardo más. Esto no se ha "
        "guardado; haz que olvide algo antes: «{bot} olvida …»"
    ),
    Phrase.TOLD_ENOUGH_ABOUT_SERVER: (
        "Ya me has contado {limit} cosas sobre este servidor, y de una sola persona no guardo más. Esto no "
        "se ha guardado; haz que olvide algo antes: «{bot} olvida …»"
    ),
    Phrase.FORGOTTEN: "Olvidado:\n{facts}",
    Phrase.FORGOTTEN_UNSAID: "Queda olvidado.",
    Phrase.FORGOTTEN_ALL: "Todo lo que me han contado de ti, en cualquier parte de este servidor, queda olvidado.",
    Phrase.UNCLEAR_WHAT: ("¿Qué debo olvidar? Aún no se ha olvidado nada; dilo con más precisión: «{query}»\n{facts}"),
    Phrase.FORGET_THIS: "¿Debo olvidar esto? Aún no he olvidado nada; si es así, pulsa 1.\n{facts}",
    Phrase.WHICH_FACT: (
        "¿Qué de esto debo olvidar? Aún no he olvidado nada; elige abajo, o dilo con más precisión: «{query}»\n{facts}"
    ),
    Phrase.NOTHING_FOUND: "No encuentro nada así de lo que pueda hablar aquí; no se ha olvidado nada: «{query}»",
    Phrase.NOT_KEPT_ANY_MORE: "Eso ya no lo guardo.",
    Phrase.MAY_NOT_FORGET: "Esto lo conservo. Solo puede hacerlo olvidar {who}:\n{facts}",
    Phrase.CANNOT_LOOK: (
        "Ahora mismo no puedo consultar mi memoria, así que no sé si sé algo de eso. Inténtalo de nuevo en un momento."
    ),
    Phrase.CANNOT_WRITE: (
        "Ahora mismo no puedo escribir en mi memoria, así que no cuentes con ello. Dímelo otra vez en un momento."
    ),
    Phrase.WAS_AWAY: "He estado fuera un momento.",
    Phrase.TOOK_TOO_LONG: "Eso me ha llevado demasiado tiempo y lo he dejado. Inténtalo de nuevo en un momento.",
    Phrase.UNEXPECTED: "Algo ha fallado por mi parte y no he podido terminarlo. (Petición {request})",
    Phrase.NOTHING_TO_SAY: "No tengo nada que decir a eso.",
    Phrase.WELCOME: "¡De nada!",
    Phrase.GREETING: "¡Hola! Pregúntame algo, o dime qué debo guardar: «{bot} recuerda que …».",
    Phrase.FAREWELL: "¡Hasta la próxima!",
    Phrase.NOD: "Siempre es un placer. 🙂",
    Phrase.CUT: "… (cortado)",
    Phrase.DIRECT_MESSAGE: (
        "¡Hola! Vivo en servidores y recuerdo lo que se dice allí; aquí no guardo nada. "
        "Mencióname en un servidor que compartamos, o escribe allí «{bot} recuerda …»."
    ),
    Phrase.STAYS_HERE: "-# Se queda entre quienes pueden leer este canal.",
    Phrase.STAYS_HERE_ALL_THE_SAME: (
        "-# Se queda entre quienes pueden leer este canal: solo la persona de quien trata, con sus propias palabras, "
        "puede hacer que todos lo sepan."
    ),
    Phrase.EVERYONE_MAY_KNOW: "-# Todos en este servidor pueden saberlo.",
    Phrase.LET_EVERYONE_KNOW: "Todos pueden saberlo",
    Phrase.NOT_YOURS_TO_OPEN: "Eso solo puede decidirlo quien me lo contó de sí mismo.",
    Phrase.NOTHING_TO_OPEN: "Eso ya no lo guardo, así que no hay nada que decidir.",
    Phrase.ANSWER_ONLY_TO_ME: "Respóndeme solo a mí",
    Phrase.NOT_YOUR_ANSWER: ("Este botón es de quien preguntó. Pregúntame tú con `/ask`: solo tú verás mi respuesta."),
    Phrase.QUESTION_GONE: (
        "Ya no encuentro tu pregunta y no sé qué querías saber. Pregúntame con `/ask`: solo tú verás la respuesta."
    ),
    Phrase.ASK_ONLY_ANSWERS: (
        "Con `/ask` solo respondo preguntas. Para que recuerde u olvide algo, escribe «{bot} recuerda …» u "
        "«{bot} olvida …» en un canal."
    ),
    Phrase.ASKED_TOO_SOON: "Una cosa a la vez, por favor: pregúntame otra vez {when}.",
    Phrase.ASKED_ENOUGH: "Me has preguntado muchísimo en la última hora. Con gusto sigo {when}.",
    Phrase.IN_SECONDS: "en unos {count} segundos",
    Phrase.IN_MINUTES: "en unos {count} minutos",
    Phrase.RECALL_HEADING: "🔎 «{query}»{limits}",
    Phrase.RECALL_NOTHING: (
        "No he encontrado nada sobre «{query}»{limits} en lo que puedes leer. Prueba con otras palabras o con "
        "menos límites."
    ),
    Phrase.RECALL_FROM: "de {who}",
    Phrase.RECALL_IN: "en {place}",
    Phrase.RECALL_BEFORE: "antes del {day}",
    Phrase.RECALL_AFTER: "desde el {day}",
    Phrase.RECALL_SHOW: "ver",
    Phrase.RECALL_GONE: "Lo que había en esta página ya no está, o ya no puedes leerlo.",
    Phrase.RECALL_NO_WORDS: "¿Qué busco? Dame palabras, un nombre, un día o una pregunta entera.",
    Phrase.RECALL_NO_PLACE: (
        "Aquí no hay ningún canal así que puedas leer. Mientras escribes te ofrezco los que sí puedes."
    ),
    Phrase.RECALL_NO_DAY: (
        "No entiendo «{typed}» como un día. Prueba por ejemplo con 2026-03-01, ayer, la semana pasada o marzo."
    ),
    Phrase.RECALL_NO_TIME: (
        "Nada se dijo antes del {before} y desde el {after}: entre esos días no hay tiempo. ¿Al revés?"
    ),
    Phrase.UNDO: "Deshacer",
    Phrase.EDIT: "Editar",
    Phrase.NOT_ME: "No soy yo",
    Phrase.NOT_TRUE: "No es cierto",
    Phrase.NOT_KEPT_AFTER_ALL: "Deshecho: no guardo lo que me contaron aquí.",
    Phrase.HOLDS_AGAIN: "Deshecho. Esto vuelve a valer:\n{facts}",
    Phrase.HOLDS_INSTEAD: "Esto vuelve a valer:\n{facts}",
    Phrase.SAYS_AGAIN: "Deshecho. Lo guardo como estaba:\n{facts}",
    Phrase.AS_IT_WAS: "Deshecho: todo está como antes.",
    Phrase.CHANGED_SINCE: "No se deshizo nada: ha cambiado desde entonces.",
    Phrase.HOLDS_NOW: "Esto vale ahora:\n{facts}",
    Phrase.NOTHING_TO_UNDO: "Aquí ya no hay nada que deshacer: ya se deshizo, o hace más de un día.",
    Phrase.ONLY_THEY_MAY: "No se cambió nada. Solo puede hacerlo {who}.",
    Phrase.NOBODY_MAY: "No se cambió nada: trata del servidor, así que no se refiere a nadie.",
    Phrase.OR: "{first} o {last}",
    Phrase.WHO_TOLD: "quien me lo contó",
    Phrase.WHO_IS_MEANT: "la persona de quien trata",
    Phrase.WHO_DID_IT: "quien lo hizo",
    Phrase.WHO_MODERATES: "quien modera este servidor",
    Phrase.WHO_MANAGES: "quien administra el servidor",
    Phrase.VETOED_NOT_ME: "{name} dice que se trata de otra persona, así que no guardo esto sobre ella.",
    Phrase.VETOED_NOT_TRUE: "{name} dice que no es cierto, así que no lo guardo.",
    Phrase.EDIT_TITLE: "En otras palabras",
    Phrase.EDIT_FIELD: "¿Qué debo recordar?",
    Phrase.EDITED: "Cambiado. Recordaré sobre {name}: {fact}",
    Phrase.EDITED_ABOUT_SERVER: "Cambiado. Recordaré sobre este servidor: {fact}",
    Phrase.EDITED_UNSAID: "Cambiado.",
    Phrase.ABOUT_SOMEBODY_ELSE: (
        "Con estas palabras trataría de otra persona, así que no se cambió nada. Deshazlo y cuéntamelo de nuevo."
    ),
    Phrase.SAYS_SO_ALREADY: "Ya dice eso; no se cambió nada.",
    Phrase.NOTHING_TO_EDIT: (
        "Esto ya no se puede cambiar: ya no lo guardo, o se contó hace más de un día. Cuéntamelo de nuevo."
    ),
    Phrase.NOT_ABOUT_OTHERS: (
        "No lo he guardado: quienes administran este servidor decidieron que no guarde nada de lo que los miembros me "
        "cuentan de otros. {name} puede decírmelo: «{bot} recuerda que yo …»"
    ),
    Phrase.SUBJECT_OPTED_OUT: (
        "No lo he guardado: habla de alguien que no quiere que guarde nada suyo en este servidor."
    ),
    Phrase.YOU_OPTED_OUT: (
        "No lo he guardado: has pedido que no guarde nada de ti. Con `/privacy opt-in` podré hacerlo de nuevo."
    ),
    Phrase.DENIED_BEFORE: ("No lo he guardado: {name} me ha dicho que no es verdad. Solo esa persona puede decírmelo."),
    Phrase.SOURCES_CHANGE: (
        "Lo que iba a decir procede de algo que se está borrando o cambiando ahora mismo."
        " Vuelve a preguntarme en un momento."
    ),
    Phrase.TAKEN_BACK: (
        "He retirado esta respuesta: algo de lo que estaba hecha se ha borrado o cambiado desde entonces."
    ),
    Phrase.NOT_FOR_ALL: (
        "He retirado esta respuesta: no todos los que ahora pueden leerla podían leer aquello de lo que estaba hecha."
    ),
}
