"""The bot's sentences in Spanish."""

from bot.phrasebook.phrase import Phrase

BOOK = {
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
