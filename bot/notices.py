"""What the bot says about the log and who may be in it, in every language: answers of `/privacy` and `/settings`."""

from enum import StrEnum, auto

from memory.core.language import Language


class Notice(StrEnum):
    OPTED_OUT = auto()
    OPTED_IN = auto()
    ERASE_ASK = auto()
    ERASE_YES = auto()
    ERASE_NO = auto()
    ERASED = auto()
    NOT_ERASED = auto()
    NOT_DONE = auto()
    ONLY_MANAGERS = auto()
    LOG_SETTINGS = auto()
    LOG_CLEANED = auto()
    CONSENT_OPT_OUT = auto()
    CONSENT_OPT_IN = auto()
    KEPT_FOREVER = auto()
    KEPT_DAYS = auto()
    NONE = auto()


NOTICES: dict[Language, dict[Notice, str]] = {
    Language.EN: {
        Notice.OPTED_OUT: (
            "From now on I store nothing that you write on this server, and I have removed what I had stored: "
            "{messages} of your messages. If you talk to me I still answer, and keep none of it.\n"
            "The facts that you or others told me to remember stay. To have those removed too, use `/privacy erase`; "
            "to be stored again, `/privacy opt-in`."
        ),
        Notice.OPTED_IN: (
            "From now on I store what you write on this server, where I can read it. To stop that, use "
            "`/privacy opt-out`; to have it removed, `/privacy erase`."
        ),
        Notice.ERASE_ASK: (
            "Shall I erase what I have of you on this server? Your messages go, my answers to them, the facts you told "
            "me and those others told me about you. It cannot be undone, and they do not come back.\n"
            "Your messages on Discord stay as they are. What you write from now on is stored again, unless you use "
            "`/privacy opt-out` as well."
        ),
        Notice.ERASE_YES: "Erase it all",
        Notice.ERASE_NO: "Keep it",
        Notice.ERASED: (
            "Erased.\n• your messages: {messages}\n• my answers to them: {replies}\n• facts you told me: {facts_told}\n"
            "• facts about you, or from your messages: {facts_about}"
        ),
        Notice.NOT_ERASED: "Nothing was erased.",
        Notice.NOT_DONE: "I cannot reach my memory just now, so nothing was changed. Please try again in a moment.",
        Notice.ONLY_MANAGERS: "Only those who manage this server may change that.",
        Notice.LOG_SETTINGS: (
            "**The log of this server**\n• Who is stored: {consent}\n• Kept: {kept}\n"
            "• Channels that are not stored: {channels}\n• Roles that are not stored: {roles}"
        ),
        Notice.LOG_CLEANED: "Removed from the log, because it may not be there any longer: {messages} messages",
        Notice.CONSENT_OPT_OUT: "everyone who has not used `/privacy opt-out`",
        Notice.CONSENT_OPT_IN: "only those who have used `/privacy opt-in`",
        Notice.KEPT_FOREVER: "until it is deleted",
        Notice.KEPT_DAYS: "for {days} days",
        Notice.NONE: "none",
    },
    Language.DE: {
        Notice.OPTED_OUT: (
            "Ab jetzt speichere ich nichts mehr, was du auf diesem Server schreibst, und habe entfernt, was ich "
            "gespeichert hatte: {messages} deiner Nachrichten. Wenn du mich ansprichst, antworte ich weiterhin, "
            "behalte davon aber nichts.\nWas du oder andere mir zu merken gaben, bleibt. Um auch das entfernen zu "
            "lassen, nutze `/privacy erase`; um wieder gespeichert zu werden, `/privacy opt-in`."
        ),
        Notice.OPTED_IN: (
            "Ab jetzt speichere ich, was du auf diesem Server schreibst, soweit ich es lesen kann. Um das zu beenden, "
            "nutze `/privacy opt-out`; um es entfernen zu lassen, `/privacy erase`."
        ),
        Notice.ERASE_ASK: (
            "Soll ich löschen, was ich auf diesem Server von dir habe? Deine Nachrichten gehen, meine Antworten "
            "darauf, was du mir gesagt hast und was andere mir über dich gesagt haben. Das lässt sich nicht rückgängig "
            "machen, und nichts davon kommt wieder.\nDeine Nachrichten auf Discord bleiben, wie sie sind. Was du ab "
            "jetzt schreibst, wird wieder gespeichert, außer du nutzt auch `/privacy opt-out`."
        ),
        Notice.ERASE_YES: "Alles löschen",
        Notice.ERASE_NO: "Behalten",
        Notice.ERASED: (
            "Gelöscht.\n• deine Nachrichten: {messages}\n• meine Antworten darauf: {replies}\n"
            "• was du mir gesagt hast: {facts_told}\n• über dich oder aus deinen Nachrichten: {facts_about}"
        ),
        Notice.NOT_ERASED: "Es wurde nichts gelöscht.",
        Notice.NOT_DONE: (
            "Ich erreiche mein Gedächtnis gerade nicht, es wurde also nichts geändert. "
            "Versuch es bitte gleich noch einmal."
        ),
        Notice.ONLY_MANAGERS: "Das darf nur ändern, wer diesen Server verwaltet.",
        Notice.LOG_SETTINGS: (
            "**Das Protokoll dieses Servers**\n• Gespeichert wird: {consent}\n• Aufbewahrt: {kept}\n"
            "• Nicht gespeicherte Kanäle: {channels}\n• Nicht gespeicherte Rollen: {roles}"
        ),
        Notice.LOG_CLEANED: "Aus dem Protokoll entfernt, weil es dort nicht mehr stehen darf: {messages} Nachrichten",
        Notice.CONSENT_OPT_OUT: "wer nicht `/privacy opt-out` genutzt hat",
        Notice.CONSENT_OPT_IN: "nur, wer `/privacy opt-in` genutzt hat",
        Notice.KEPT_FOREVER: "bis es gelöscht wird",
        Notice.KEPT_DAYS: "{days} Tage lang",
        Notice.NONE: "keine",
    },
    Language.FR: {
        Notice.OPTED_OUT: (
            "Désormais, je n’enregistre plus rien de ce que tu écris sur ce serveur, et j’ai supprimé ce que j’avais "
            "enregistré : {messages} de tes messages. Si tu me parles, je réponds toujours, sans rien en garder.\n"
            "Ce que toi ou d’autres m’avez demandé de retenir reste. Pour le faire supprimer aussi, utilise "
            "`/privacy erase` ; pour être de nouveau enregistré, `/privacy opt-in`."
        ),
        Notice.OPTED_IN: (
            "Désormais, j’enregistre ce que tu écris sur ce serveur, là où je peux le lire. Pour arrêter, utilise "
            "`/privacy opt-out` ; pour le faire supprimer, `/privacy erase`."
        ),
        Notice.ERASE_ASK: (
            "Dois-je effacer ce que j’ai de toi sur ce serveur ? Tes messages disparaissent, mes réponses, ce que tu "
            "m’as confié et ce que d’autres m’ont dit de toi. C’est irréversible, et rien n’en reviendra.\n"
            "Tes messages sur Discord restent tels quels. Ce que tu écris à partir de maintenant est de nouveau "
            "enregistré, sauf si tu utilises aussi `/privacy opt-out`."
        ),
        Notice.ERASE_YES: "Tout effacer",
        Notice.ERASE_NO: "Garder",
        Notice.ERASED: (
            "Effacé.\n• tes messages : {messages}\n• mes réponses : {replies}\n• ce que tu m’as dit : {facts_told}\n"
            "• à ton sujet ou tiré de tes messages : {facts_about}"
        ),
        Notice.NOT_ERASED: "Rien n’a été effacé.",
        Notice.NOT_DONE: (
            "Je ne peux pas atteindre ma mémoire en ce moment, rien n’a donc été changé. Réessaie dans un instant."
        ),
        Notice.ONLY_MANAGERS: "Seules les personnes qui gèrent ce serveur peuvent changer cela.",
        Notice.LOG_SETTINGS: (
            "**Le journal de ce serveur**\n• Sont enregistrés : {consent}\n• Conservation : {kept}\n"
            "• Salons non enregistrés : {channels}\n• Rôles non enregistrés : {roles}"
        ),
        Notice.LOG_CLEANED: "Supprimé du journal, car cela ne doit plus y être : {messages} messages",
        Notice.CONSENT_OPT_OUT: "tous ceux qui n’ont pas utilisé `/privacy opt-out`",
        Notice.CONSENT_OPT_IN: "seulement ceux qui ont utilisé `/privacy opt-in`",
        Notice.KEPT_FOREVER: "jusqu’à la suppression",
        Notice.KEPT_DAYS: "pendant {days} jours",
        Notice.NONE: "aucun",
    },
    Language.ES: {
        Notice.OPTED_OUT: (
            "A partir de ahora no guardo nada de lo que escribas en este servidor, y he borrado lo que había guardado: "
            "{messages} de tus mensajes. Si me hablas, sigo respondiendo, sin guardar nada.\n"
            "Lo que tú u otros me pedisteis recordar se queda. Para que también se borre, usa `/privacy erase`; para "
            "que vuelva a guardarte, `/privacy opt-in`."
        ),
        Notice.OPTED_IN: (
            "A partir de ahora guardo lo que escribas en este servidor, donde puedo leerlo. Para dejarlo, usa "
            "`/privacy opt-out`; para que se borre, `/privacy erase`."
        ),
        Notice.ERASE_ASK: (
            "¿Borro lo que tengo de ti en este servidor? Desaparecen tus mensajes, mis respuestas, lo que me contaste "
            "y lo que otros me contaron de ti. No se puede deshacer y nada de ello vuelve.\nTus mensajes en Discord "
            "siguen como están. Lo que escribas desde ahora se guarda de nuevo, salvo que uses también "
            "`/privacy opt-out`."
        ),
        Notice.ERASE_YES: "Borrarlo todo",
        Notice.ERASE_NO: "Conservarlo",
        Notice.ERASED: (
            "Borrado.\n• tus mensajes: {messages}\n• mis respuestas: {replies}\n• lo que me contaste: {facts_told}\n"
            "• sobre ti o sacado de tus mensajes: {facts_about}"
        ),
        Notice.NOT_ERASED: "No se ha borrado nada.",
        Notice.NOT_DONE: (
            "Ahora mismo no puedo acceder a mi memoria, así que no se ha cambiado nada. "
            "Inténtalo de nuevo en un momento."
        ),
        Notice.ONLY_MANAGERS: "Eso solo puede cambiarlo quien administra este servidor.",
        Notice.LOG_SETTINGS: (
            "**El registro de este servidor**\n• Se guarda a: {consent}\n• Se conserva: {kept}\n"
            "• Canales que no se guardan: {channels}\n• Roles que no se guardan: {roles}"
        ),
        Notice.LOG_CLEANED: "Borrado del registro, porque ya no debe estar ahí: {messages} mensajes",
        Notice.CONSENT_OPT_OUT: "todos los que no han usado `/privacy opt-out`",
        Notice.CONSENT_OPT_IN: "solo los que han usado `/privacy opt-in`",
        Notice.KEPT_FOREVER: "hasta que se borre",
        Notice.KEPT_DAYS: "durante {days} días",
        Notice.NONE: "ninguno",
    },
    Language.RU: {
        Notice.OPTED_OUT: (
            "С этого момента я не сохраняю ничего из того, что вы пишете на этом сервере, и удалил сохранённое: ваших "
            "сообщений — {messages}. Если вы обратитесь ко мне, я отвечу, но ничего не сохраню.\n"
            "То, что вы или другие просили меня запомнить, остаётся. Чтобы удалить и это, используйте "
            "`/privacy erase`; чтобы вас снова сохраняли — `/privacy opt-in`."
        ),
        Notice.OPTED_IN: (
            "С этого момента я сохраняю то, что вы пишете на этом сервере, там, где могу это читать. Чтобы прекратить, "
            "используйте `/privacy opt-out`; чтобы удалить — `/privacy erase`."
        ),
        Notice.ERASE_ASK: (
            "Удалить всё, что у меня есть о вас на этом сервере? Исчезнут ваши сообщения, мои ответы на них, то, что "
            "вы мне рассказали, и то, что другие рассказали о вас. Отменить это нельзя, и ничего из этого не "
            "вернётся.\nВаши сообщения в Discord останутся как есть. То, что вы напишете после этого, снова будет "
            "сохраняться, если вы не используете ещё и `/privacy opt-out`."
        ),
        Notice.ERASE_YES: "Удалить всё",
        Notice.ERASE_NO: "Оставить",
        Notice.ERASED: (
            "Удалено.\n• ваши сообщения: {messages}\n• мои ответы на них: {replies}\n"
            "• рассказанное вами: {facts_told}\n• о вас или из ваших сообщений: {facts_about}"
        ),
        Notice.NOT_ERASED: "Ничего не удалено.",
        Notice.NOT_DONE: ("Сейчас моя память недоступна, поэтому ничего не изменено. Попробуйте ещё раз чуть позже."),
        Notice.ONLY_MANAGERS: "Это может изменить только тот, кто управляет сервером.",
        Notice.LOG_SETTINGS: (
            "**Журнал этого сервера**\n• Сохраняются: {consent}\n• Хранится: {kept}\n"
            "• Каналы, которые не сохраняются: {channels}\n• Роли, которые не сохраняются: {roles}"
        ),
        Notice.LOG_CLEANED: "Удалено из журнала, потому что больше не должно там быть: сообщений — {messages}",
        Notice.CONSENT_OPT_OUT: "все, кто не использовал `/privacy opt-out`",
        Notice.CONSENT_OPT_IN: "только те, кто использовал `/privacy opt-in`",
        Notice.KEPT_FOREVER: "пока не будет удалено",
        Notice.KEPT_DAYS: "дней: {days}",
        Notice.NONE: "нет",
    },
}
