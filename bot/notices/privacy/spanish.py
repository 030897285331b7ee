"""What is said in Spanish about what is held, to whom it belongs, and its end."""

from bot.notices.notice import Notice

NOTICES = {
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
