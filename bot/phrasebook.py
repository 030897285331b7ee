"""Every sentence the bot has of its own, in every language it is spoken to. A new language is one more table."""

from enum import StrEnum, auto

from memory.core.language import Language


class Phrase(StrEnum):
    REMEMBERED = auto()
    REMEMBERED_ABOUT_SERVER = auto()
    ALREADY_KNOWN = auto()
    WHICH_MEMBER = auto()
    NOTHING_TO_REMEMBER = auto()
    FACT_TOO_LONG = auto()
    FORGOTTEN = auto()
    FORGOTTEN_ALL = auto()
    UNCLEAR_WHAT = auto()
    NOTHING_FOUND = auto()
    MAY_NOT_FORGET = auto()
    CANNOT_LOOK = auto()
    CANNOT_WRITE = auto()
    TOOK_TOO_LONG = auto()
    UNEXPECTED = auto()
    NOTHING_TO_SAY = auto()
    CUT = auto()
    DIRECT_MESSAGE = auto()


BOOK: dict[Language, dict[Phrase, str]] = {
    Language.EN: {
        Phrase.REMEMBERED: "I will remember about {name}: {fact}",
        Phrase.REMEMBERED_ABOUT_SERVER: (
            "I recognised no member in that, so I keep it about this server: {fact}\n"
            "If it is about someone, mention them: “{bot} remember that @name …”"
        ),
        Phrase.ALREADY_KNOWN: "I know that already: {fact}",
        Phrase.WHICH_MEMBER: "Which “{name}” do you mean? Please say it again with a mention.\n{candidates}",
        Phrase.NOTHING_TO_REMEMBER: (
            "What shall I remember? For example “{bot} remember that @name likes tea”, "
            "or answer a message with “{bot} remember this about @name”."
        ),
        Phrase.FACT_TOO_LONG: "That is too long ({length} characters of at most {limit}). Please say it more briefly.",
        Phrase.FORGOTTEN: "Forgotten:\n{facts}",
        Phrase.FORGOTTEN_ALL: "Whatever I was told about you, anywhere on this server, is forgotten.",
        Phrase.UNCLEAR_WHAT: (
            "Which of these shall I forget? Nothing is forgotten yet; please say it more exactly: “{query}”\n{facts}"
        ),
        Phrase.NOTHING_FOUND: "I found nothing of that kind in my memory, so nothing was forgotten: “{query}”",
        Phrase.MAY_NOT_FORGET: (
            "I keep this. Only the person it is about, the one who told me, or someone who manages the server may have "
            "it forgotten:\n{facts}"
        ),
        Phrase.CANNOT_LOOK: (
            "I cannot look into my memory just now, so I do not know whether I know anything about that. "
            "Please try again in a moment."
        ),
        Phrase.CANNOT_WRITE: (
            "I cannot write into my memory just now, so do not count on that being done. "
            "Please say it again in a moment."
        ),
        Phrase.TOOK_TOO_LONG: "That took me too long and I stopped. Please try again in a moment.",
        Phrase.UNEXPECTED: "Something went wrong on my side, and I could not finish that. (Request {request})",
        Phrase.NOTHING_TO_SAY: "I have nothing to say to that.",
        Phrase.CUT: "… (cut)",
        Phrase.DIRECT_MESSAGE: (
            "Hello! I live in servers and remember what is said there; here I keep nothing. "
            "Mention me in a server we share, or write “{bot} remember …” there."
        ),
    },
    Language.DE: {
        Phrase.REMEMBERED: "Ich merke mir über {name}: {fact}",
        Phrase.REMEMBERED_ABOUT_SERVER: (
            "Ich habe darin kein Mitglied erkannt und merke es mir über diesen Server: {fact}\n"
            "Wenn es um jemanden geht, erwähne die Person: „{bot} merk dir, dass @name …“"
        ),
        Phrase.ALREADY_KNOWN: "Das weiß ich schon: {fact}",
        Phrase.WHICH_MEMBER: "Wen meinst du mit „{name}“? Sag es bitte noch einmal mit einer Erwähnung.\n{candidates}",
        Phrase.NOTHING_TO_REMEMBER: (
            "Was soll ich mir merken? Zum Beispiel „{bot} merk dir, dass @name Tee mag“, "
            "oder antworte auf eine Nachricht mit „{bot} merk dir das über @name“."
        ),
        Phrase.FACT_TOO_LONG: "Das ist zu lang ({length} Zeichen von höchstens {limit}). Sag es bitte kürzer.",
        Phrase.FORGOTTEN: "Vergessen:\n{facts}",
        Phrase.FORGOTTEN_ALL: "Was immer mir über dich gesagt wurde, wo auch immer auf diesem Server, ist vergessen.",
        Phrase.UNCLEAR_WHAT: (
            "Was davon soll ich vergessen? Noch ist nichts vergessen; sag es bitte genauer: „{query}“\n{facts}"
        ),
        Phrase.NOTHING_FOUND: "So etwas habe ich mir nicht gemerkt, es wurde also nichts vergessen: „{query}“",
        Phrase.MAY_NOT_FORGET: (
            "Das behalte ich. Vergessen lassen darf es nur, um wen es geht, wer es mir gesagt hat, oder wer den Server "
            "verwaltet:\n{facts}"
        ),
        Phrase.CANNOT_LOOK: (
            "Ich kann gerade nicht in mein Gedächtnis schauen und weiß daher nicht, ob ich dazu etwas weiß. "
            "Versuch es bitte gleich noch einmal."
        ),
        Phrase.CANNOT_WRITE: (
            "Ich kann gerade nicht in mein Gedächtnis schreiben, verlass dich also nicht darauf. "
            "Sag es mir bitte gleich noch einmal."
        ),
        Phrase.TOOK_TOO_LONG: "Das hat mir zu lange gedauert, ich habe aufgehört. Versuch es bitte gleich noch einmal.",
        Phrase.UNEXPECTED: "Bei mir ging etwas schief, ich konnte das nicht zu Ende bringen. (Anfrage {request})",
        Phrase.NOTHING_TO_SAY: "Dazu habe ich nichts zu sagen.",
        Phrase.CUT: "… (gekürzt)",
        Phrase.DIRECT_MESSAGE: (
            "Hallo! Ich lebe auf Servern und merke mir, was dort gesagt wird; hier behalte ich nichts. "
            "Erwähne mich auf einem gemeinsamen Server, oder schreib dort „{bot} merk dir …“."
        ),
    },
    Language.FR: {
        Phrase.REMEMBERED: "Je retiens à propos de {name} : {fact}",
        Phrase.REMEMBERED_ABOUT_SERVER: (
            "Je n’y ai reconnu aucun membre, je le retiens donc à propos de ce serveur : {fact}\n"
            "Si cela concerne quelqu’un, mentionne la personne : « {bot} souviens-toi que @nom … »"
        ),
        Phrase.ALREADY_KNOWN: "Je le sais déjà : {fact}",
        Phrase.WHICH_MEMBER: "De quel « {name} » parles-tu ? Redis-le avec une mention, s’il te plaît.\n{candidates}",
        Phrase.NOTHING_TO_REMEMBER: (
            "Que dois-je retenir ? Par exemple « {bot} souviens-toi que @nom aime le thé », "
            "ou réponds à un message par « {bot} souviens-toi de ça à propos de @nom »."
        ),
        Phrase.FACT_TOO_LONG: "C’est trop long ({length} caractères sur {limit} au plus). Dis-le plus brièvement.",
        Phrase.FORGOTTEN: "Oublié :\n{facts}",
        Phrase.FORGOTTEN_ALL: "Tout ce qu’on m’a dit de toi, où que ce soit sur ce serveur, est oublié.",
        Phrase.UNCLEAR_WHAT: (
            "Que dois-je oublier ? Rien n’est encore oublié ; dis-le plus précisément : « {query} »\n{facts}"
        ),
        Phrase.NOTHING_FOUND: "Je n’ai rien retenu de tel, rien n’a donc été oublié : « {query} »",
        Phrase.MAY_NOT_FORGET: (
            "Je garde cela. Seule la personne concernée, celle qui me l’a dit ou quelqu’un qui gère le serveur peut le "
            "faire oublier :\n{facts}"
        ),
        Phrase.CANNOT_LOOK: (
            "Je ne peux pas consulter ma mémoire en ce moment, je ne sais donc pas si j’en sais quelque chose. "
            "Réessaie dans un instant."
        ),
        Phrase.CANNOT_WRITE: (
            "Je ne peux pas écrire dans ma mémoire en ce moment, ne compte donc pas dessus. "
            "Redis-le-moi dans un instant."
        ),
        Phrase.TOOK_TOO_LONG: "Cela m’a pris trop de temps et je me suis arrêté. Réessaie dans un instant.",
        Phrase.UNEXPECTED: "Quelque chose a mal tourné de mon côté, je n’ai pas pu terminer. (Requête {request})",
        Phrase.NOTHING_TO_SAY: "Je n’ai rien à dire à cela.",
        Phrase.CUT: "… (coupé)",
        Phrase.DIRECT_MESSAGE: (
            "Bonjour ! Je vis sur des serveurs et je retiens ce qui s’y dit ; ici, je ne garde rien. "
            "Mentionne-moi sur un serveur commun, ou écris-y « {bot} souviens-toi … »."
        ),
    },
    Language.ES: {
        Phrase.REMEMBERED: "Recordaré sobre {name}: {fact}",
        Phrase.REMEMBERED_ABOUT_SERVER: (
            "No he reconocido a ningún miembro, así que lo guardo sobre este servidor: {fact}\n"
            "Si trata de alguien, menciónalo: «{bot} recuerda que @nombre …»"
        ),
        Phrase.ALREADY_KNOWN: "Eso ya lo sé: {fact}",
        Phrase.WHICH_MEMBER: "¿A qué «{name}» te refieres? Dilo otra vez con una mención, por favor.\n{candidates}",
        Phrase.NOTHING_TO_REMEMBER: (
            "¿Qué debo recordar? Por ejemplo «{bot} recuerda que a @nombre le gusta el té», "
            "o responde a un mensaje con «{bot} recuerda esto sobre @nombre»."
        ),
        Phrase.FACT_TOO_LONG: "Es demasiado largo ({length} caracteres de {limit} como máximo). Dilo más brevemente.",
        Phrase.FORGOTTEN: "Olvidado:\n{facts}",
        Phrase.FORGOTTEN_ALL: "Todo lo que me han contado de ti, en cualquier parte de este servidor, queda olvidado.",
        Phrase.UNCLEAR_WHAT: (
            "¿Qué debo olvidar? Aún no se ha olvidado nada; dilo con más precisión: «{query}»\n{facts}"
        ),
        Phrase.NOTHING_FOUND: "No recordaba nada así, de modo que no se ha olvidado nada: «{query}»",
        Phrase.MAY_NOT_FORGET: (
            "Esto lo conservo. Solo puede hacerlo olvidar la persona de quien trata, quien me lo contó o quien "
            "administra el servidor:\n{facts}"
        ),
        Phrase.CANNOT_LOOK: (
            "Ahora mismo no puedo consultar mi memoria, así que no sé si sé algo de eso. "
            "Inténtalo de nuevo en un momento."
        ),
        Phrase.CANNOT_WRITE: (
            "Ahora mismo no puedo escribir en mi memoria, así que no cuentes con ello. Dímelo otra vez en un momento."
        ),
        Phrase.TOOK_TOO_LONG: "Eso me ha llevado demasiado tiempo y lo he dejado. Inténtalo de nuevo en un momento.",
        Phrase.UNEXPECTED: "Algo ha fallado por mi parte y no he podido terminarlo. (Petición {request})",
        Phrase.NOTHING_TO_SAY: "No tengo nada que decir a eso.",
        Phrase.CUT: "… (cortado)",
        Phrase.DIRECT_MESSAGE: (
            "¡Hola! Vivo en servidores y recuerdo lo que se dice allí; aquí no guardo nada. "
            "Mencióname en un servidor que compartamos, o escribe allí «{bot} recuerda …»."
        ),
    },
    Language.RU: {
        Phrase.REMEMBERED: "Запомню. {name}: {fact}",
        Phrase.REMEMBERED_ABOUT_SERVER: (
            "Я не узнал здесь никого из участников, поэтому запомню это о самом сервере: {fact}\n"
            "Если это о ком-то, упомяните его: «{bot} запомни, что @имя …»"
        ),
        Phrase.ALREADY_KNOWN: "Это я уже знаю: {fact}",
        Phrase.WHICH_MEMBER: "Кто имеется в виду: «{name}»? Повторите, пожалуйста, с упоминанием.\n{candidates}",
        Phrase.NOTHING_TO_REMEMBER: (
            "Что мне запомнить? Например: «{bot} запомни, что @имя любит чай», "
            "или ответьте на сообщение: «{bot} запомни это про @имя»."
        ),
        Phrase.FACT_TOO_LONG: "Это слишком длинно (символов: {length}, можно не больше {limit}). Скажите короче.",
        Phrase.FORGOTTEN: "Забыто:\n{facts}",
        Phrase.FORGOTTEN_ALL: "Всё, что мне когда-либо и где-либо на этом сервере говорили о вас, забыто.",
        Phrase.UNCLEAR_WHAT: ("Что именно забыть? Пока ничего не забыто; скажите точнее: «{query}»\n{facts}"),
        Phrase.NOTHING_FOUND: "Ничего такого в моей памяти не нашлось, поэтому ничего не забыто: «{query}»",
        Phrase.MAY_NOT_FORGET: (
            "Это я сохраню. Попросить забыть может только тот, о ком это, тот, кто мне это сказал, или управляющий "
            "сервером:\n{facts}"
        ),
        Phrase.CANNOT_LOOK: (
            "Сейчас я не могу заглянуть в свою память и потому не знаю, известно ли мне что-нибудь об этом. "
            "Попробуйте ещё раз чуть позже."
        ),
        Phrase.CANNOT_WRITE: (
            "Сейчас я не могу писать в свою память, поэтому не рассчитывайте, что это сделано. "
            "Повторите, пожалуйста, чуть позже."
        ),
        Phrase.TOOK_TOO_LONG: "Это заняло слишком много времени, и я остановился. Попробуйте ещё раз чуть позже.",
        Phrase.UNEXPECTED: "У меня что-то пошло не так, и я не смог закончить. (Запрос {request})",
        Phrase.NOTHING_TO_SAY: "Мне нечего на это сказать.",
        Phrase.CUT: "… (обрезано)",
        Phrase.DIRECT_MESSAGE: (
            "Здравствуйте! Я живу на серверах и помню то, что там говорят; здесь я ничего не храню. "
            "Упомяните меня на общем сервере или напишите там «{bot} запомни …»."
        ),
    },
}
