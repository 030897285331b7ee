"""The notices in Spanish."""

from bot.notices.notice import Notice

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
