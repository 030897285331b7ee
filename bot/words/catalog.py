"""What the bot says about settings, the log and who may be in it: answers of `/privacy`, `/settings` and the setup.

One file for each language; a test holds them against each other.
"""

from bot.words import english, french, german, russian, spanish
from bot.words.keys import Notice, Phrase
from memory.language.detect import Language

# What is said about the facts that are held about members, and who did what to them: `/memory`, `/settings facts`.


MEMORY_NOTICES: dict[Language, dict[Notice, str]] = {
    Language.EN: english.MEMORY_NOTICES,
    Language.DE: german.MEMORY_NOTICES,
    Language.FR: french.MEMORY_NOTICES,
    Language.ES: spanish.MEMORY_NOTICES,
    Language.RU: russian.MEMORY_NOTICES,
}


# What is said about what is held, to whom it belongs, and its end: `/privacy`, `/channel-memory`, leaving.


PRIVACY_NOTICES: dict[Language, dict[Notice, str]] = {
    Language.EN: english.PRIVACY_NOTICES,
    Language.DE: german.PRIVACY_NOTICES,
    Language.FR: french.PRIVACY_NOTICES,
    Language.ES: spanish.PRIVACY_NOTICES,
    Language.RU: russian.PRIVACY_NOTICES,
}


# What is said to somebody who asks why we said something.


WHY_NOTICES: dict[Language, dict[Notice, str]] = {
    Language.EN: {
        Notice.WHY_HEADING: "What I made that from, as far as you can see it now:",
        Notice.WHY_FACTS: "Told to me",
        Notice.WHY_DAYS: "Summaries of days",
        Notice.WHY_MESSAGES: "Messages",
        Notice.WHY_QUOTED: "I repeat what is marked with ❝; the rest I only had before me.",
        Notice.WHY_MORE: "… and {count} more.",
        Notice.WHY_SHOW: "show",
        Notice.WHY_HERE: "summary of {day} in {channel}",
        Notice.WHY_HALL: "summary of {day}",
        Notice.WHY_NOTHING: "There is nothing in my memory that I made that from and that you could look at now.",
        Notice.WHY_NOT_OURS: "That message is not mine, so I cannot say where it comes from.",
        Notice.WHY_UNKNOWN: (
            "I have no receipt for that message. It tells nothing from my memory, or I wrote it before I kept "
            "receipts or while my memory was out of reach."
        ),
        Notice.WHY_TAKEN_BACK: (
            "I have taken that message back, because something it came from is gone or has changed. "
            "Of such messages I keep no receipt."
        ),
    },
    Language.DE: {
        Notice.WHY_HEADING: "Woraus ich das gemacht habe, soweit du es jetzt sehen kannst:",
        Notice.WHY_FACTS: "Mir gesagt",
        Notice.WHY_DAYS: "Zusammenfassungen von Tagen",
        Notice.WHY_MESSAGES: "Nachrichten",
        Notice.WHY_QUOTED: "Was mit ❝ beginnt, wiederhole ich; das Übrige lag mir nur vor.",
        Notice.WHY_MORE: "… und {count} mehr.",
        Notice.WHY_SHOW: "zeigen",
        Notice.WHY_HERE: "Zusammenfassung vom {day} in {channel}",
        Notice.WHY_HALL: "Zusammenfassung vom {day}",
        Notice.WHY_NOTHING: "In meinem Gedächtnis ist nichts, woraus ich das gemacht habe und was du sehen könntest.",
        Notice.WHY_NOT_OURS: "Diese Nachricht ist nicht von mir, deshalb kann ich nicht sagen, woher sie kommt.",
        Notice.WHY_UNKNOWN: (
            "Für diese Nachricht habe ich keinen Beleg. Sie erzählt nichts aus meinem Gedächtnis, oder ich habe sie "
            "geschrieben, bevor ich Belege aufhob oder während mein Gedächtnis nicht erreichbar war."
        ),
        Notice.WHY_TAKEN_BACK: (
            "Diese Nachricht habe ich zurückgenommen, weil etwas, woraus sie gemacht war, weg ist oder sich geändert "
            "hat. Von solchen Nachrichten hebe ich keinen Beleg auf."
        ),
    },
    Language.FR: {
        Notice.WHY_HEADING: "Ce dont je me suis servi, pour autant que tu puisses le voir maintenant :",
        Notice.WHY_FACTS: "Ce qu'on m'a dit",
        Notice.WHY_DAYS: "Résumés de journées",
        Notice.WHY_MESSAGES: "Les messages",
        Notice.WHY_QUOTED: "Je répète ce qui est marqué d'un ❝ ; le reste, je l'avais seulement sous les yeux.",
        Notice.WHY_MORE: "… et {count} de plus.",
        Notice.WHY_SHOW: "voir",
        Notice.WHY_HERE: "résumé du {day} dans {channel}",
        Notice.WHY_HALL: "résumé du {day}",
        Notice.WHY_NOTHING: "Il n'y a rien dans ma mémoire dont je me sois servi et que tu puisses voir maintenant.",
        Notice.WHY_NOT_OURS: "Ce message n'est pas de moi, je ne peux donc pas dire d'où il vient.",
        Notice.WHY_UNKNOWN: (
            "Je n'ai pas de reçu pour ce message. Il ne dit rien de ma mémoire, ou je l'ai écrit avant de garder des "
            "reçus, ou pendant que ma mémoire était hors d'atteinte."
        ),
        Notice.WHY_TAKEN_BACK: (
            "J'ai retiré ce message, parce que quelque chose dont il venait a disparu ou changé. "
            "De tels messages, je ne garde pas de reçu."
        ),
    },
    Language.ES: {
        Notice.WHY_HEADING: "De dónde lo saqué, hasta donde puedes verlo ahora:",
        Notice.WHY_FACTS: "Lo que me contaron",
        Notice.WHY_DAYS: "Resúmenes de días",
        Notice.WHY_MESSAGES: "Mensajes",
        Notice.WHY_QUOTED: "Repito lo que lleva ❝; lo demás solo lo tenía delante.",
        Notice.WHY_MORE: "… y {count} más.",
        Notice.WHY_SHOW: "ver",
        Notice.WHY_HERE: "resumen del {day} en {channel}",
        Notice.WHY_HALL: "resumen del {day}",
        Notice.WHY_NOTHING: "No hay nada en mi memoria de donde lo sacara y que puedas ver ahora.",
        Notice.WHY_NOT_OURS: "Ese mensaje no es mío, así que no puedo decir de dónde viene.",
        Notice.WHY_UNKNOWN: (
            "No tengo recibo de ese mensaje. No cuenta nada de mi memoria, o lo escribí antes de guardar recibos o "
            "mientras no llegaba a mi memoria."
        ),
        Notice.WHY_TAKEN_BACK: (
            "He retirado ese mensaje, porque algo de lo que venía ya no está o ha cambiado. "
            "De esos mensajes no guardo recibo."
        ),
    },
    Language.RU: {
        Notice.WHY_HEADING: "Из чего я это сделал, насколько тебе это сейчас видно:",
        Notice.WHY_FACTS: "Мне рассказали",
        Notice.WHY_DAYS: "Сводки дней",
        Notice.WHY_MESSAGES: "Сообщения",
        Notice.WHY_QUOTED: "Отмеченное знаком ❝ я повторяю; остальное просто было у меня перед глазами.",
        Notice.WHY_MORE: "… и ещё {count}.",
        Notice.WHY_SHOW: "показать",
        Notice.WHY_HERE: "сводка за {day} в {channel}",
        Notice.WHY_HALL: "сводка за {day}",
        Notice.WHY_NOTHING: "В моей памяти нет ничего, из чего я это сделал бы и что тебе сейчас было бы видно.",
        Notice.WHY_NOT_OURS: "Это сообщение не моё, поэтому я не могу сказать, откуда оно.",
        Notice.WHY_UNKNOWN: (
            "У меня нет записи о том, из чего сделано это сообщение. В нём нет ничего из моей памяти, либо я написал "
            "его до того, как начал вести такие записи, либо пока память была недоступна."
        ),
        Notice.WHY_TAKEN_BACK: (
            "Я забрал это сообщение назад, потому что что-то, из чего оно было сделано, исчезло или изменилось. "
            "О таких сообщениях я записей не храню."
        ),
    },
}


_EVERYDAY = {
    Language.EN: english.NOTICES,
    Language.DE: german.NOTICES,
    Language.FR: french.NOTICES,
    Language.ES: spanish.NOTICES,
    Language.RU: russian.NOTICES,
}

NOTICES: dict[Language, dict[Notice, str]] = {
    language: notices | PRIVACY_NOTICES[language] | MEMORY_NOTICES[language] | WHY_NOTICES[language]
    for language, notices in _EVERYDAY.items()
}


# Every sentence the bot has of its own when it is spoken to, in every language. A new language is one more file.


PHRASES: dict[Language, dict[Phrase, str]] = {
    Language.EN: english.PHRASES,
    Language.DE: german.PHRASES,
    Language.FR: french.PHRASES,
    Language.ES: spanish.PHRASES,
    Language.RU: russian.PHRASES,
}
