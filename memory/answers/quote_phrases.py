"""What the offline answerer says of its own, in the five languages."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from ai_clients.errors import BadReply, BudgetExhausted, Misconfigured, ModelError, RateLimited, Refused, TimedOut
from memory.language.detect import Language


class Say(StrEnum):
    KNOWN = "known"
    KNOWN_OF_YOU = "known of you"
    KNOWN_OF_GUILD = "known of guild"
    NOTHING = "nothing"
    NOTHING_OF_YOU = "nothing of you"
    NOTHING_OF_GUILD = "nothing of guild"
    NOBODY = "nobody"
    NOBODY_BUT = "nobody but"
    WHICH = "which"
    GUESSED = "guessed"
    PERHAPS = "perhaps"
    SEVERAL = "several"
    OR = "or"
    TOLD_BY = "told by"
    REPLACED = "replaced"
    KNEW = "knew"
    KNEW_OF_YOU = "knew of you"
    KNEW_OF_GUILD = "knew of guild"
    KNEW_ALL = "knew all"
    KNEW_NOTHING = "knew nothing"
    WAS_SO = "was so"
    KNOWN_SINCE = "known since"
    SINCE = "since"
    MORE = "more"
    QUOTING = "quoting"
    NOTHING_RELEVANT = "nothing relevant"
    NOTHING_ASKED = "nothing asked"
    LAST_KNOWN = "last known"
    CUT_OFF = "cut off"
    NOTHING_WHILE_CUT_OFF = "nothing while cut off"
    NOT_LOOKED_BACK = "not looked back"
    NOT_FROM_MEMORY = "not from memory"


PHRASES: dict[Language, dict[Say, str]] = {
    Language.EN: {
        Say.KNOWN: "What I know about {who}:",
        Say.KNOWN_OF_YOU: "What I know about you:",
        Say.KNOWN_OF_GUILD: "What I know about this server:",
        Say.NOTHING: "I know nothing about {who} yet. Tell me with “remember that {who} …”.",
        Say.NOTHING_OF_YOU: "I know nothing about you yet. Tell me with “remember that I …”.",
        Say.NOTHING_OF_GUILD: "I know nothing about this server yet. Tell me with “remember that …”.",
        Say.NOBODY: "I know nobody here called “{name}”.",
        Say.NOBODY_BUT: "I know nobody here called “{name}”, but I was told this:",
        Say.WHICH: "Which “{name}” do you mean: {candidates}?",
        Say.GUESSED: "I know nobody here called “{name}”. Do you mean {candidates}?",
        Say.PERHAPS: "Or do you mean {candidates}?",
        Say.SEVERAL: "“{name}” may be {candidates} here. Mention the one you mean to hear of them alone.",
        Say.OR: "or",
        Say.TOLD_BY: "told by {teller}",
        Say.REPLACED: "since then: {fact}",
        Say.KNEW: "What I knew about {who} then{when}:",
        Say.KNEW_OF_YOU: "What I knew about you then{when}:",
        Say.KNEW_OF_GUILD: "What I knew about this server then{when}:",
        Say.KNEW_ALL: "What I knew then{when}:",
        Say.KNEW_NOTHING: "Nothing that I know of today was told to me by then{when}.",
        Say.WAS_SO: "What I was told of that time{when}:",
        Say.KNOWN_SINCE: "Since when I know it; how long it was so before, I was not told:",
        Say.SINCE: "since {day}",
        Say.MORE: "… and {count} more.",
        Say.QUOTING: "From what was said here:",
        Say.NOTHING_RELEVANT: "I looked through what I was told and through the messages: nothing about that.",
        Say.NOTHING_ASKED: "I am here. Ask me something, or tell me with “remember that …”.",
        Say.LAST_KNOWN: "I cannot look into my memory just now. This is what I knew about {who} when I last looked:",
        Say.CUT_OFF: "I cannot look into my memory just now. This is only from what I heard and read last:",
        Say.NOTHING_WHILE_CUT_OFF: "I cannot look into my memory just now, and in the last messages I heard here there"
        " is nothing about that. Please ask me again in a few minutes.",
        Say.NOT_LOOKED_BACK: "I could not look further back than the latest messages just now.",
        Say.NOT_FROM_MEMORY: "Not from my memory.",
    },
    Language.DE: {
        Say.KNOWN: "Was ich über {who} weiß:",
        Say.KNOWN_OF_YOU: "Was ich über dich weiß:",
        Say.KNOWN_OF_GUILD: "Was ich über diesen Server weiß:",
        Say.NOTHING: "Über {who} weiß ich noch nichts. Sag es mir mit „merk dir, dass {who} …“.",
        Say.NOTHING_OF_YOU: "Über dich weiß ich noch nichts. Sag es mir mit „merk dir, dass ich …“.",
        Say.NOTHING_OF_GUILD: "Über diesen Server weiß ich noch nichts. Sag es mir mit „merk dir, dass …“.",
        Say.NOBODY: "Ich kenne hier niemanden namens „{name}“.",
        Say.NOBODY_BUT: "Ich kenne hier niemanden namens „{name}“, aber mir wurde gesagt:",
        Say.WHICH: "Wen meinst du mit „{name}“: {candidates}?",
        Say.GUESSED: "Ich kenne hier niemanden namens „{name}“. Meinst du {candidates}?",
        Say.PERHAPS: "Oder meinst du {candidates}?",
        Say.SEVERAL: "„{name}“ kann hier {candidates} sein. Erwähne, wen du meinst, dann geht es nur um diese Person.",
        Say.OR: "oder",
        Say.TOLD_BY: "gesagt von {teller}",
        Say.REPLACED: "seitdem: {fact}",
        Say.KNEW: "Was ich damals über {who} wusste{when}:",
        Say.KNEW_OF_YOU: "Was ich damals über dich wusste{when}:",
        Say.KNEW_OF_GUILD: "Was ich damals über diesen Server wusste{when}:",
        Say.KNEW_ALL: "Was ich damals wusste{when}:",
        Say.KNEW_NOTHING: "Von dem, was ich heute weiß, war mir damals noch nichts gesagt worden{when}.",
        Say.WAS_SO: "Was mir über diese Zeit gesagt wurde{when}:",
        Say.KNOWN_SINCE: "Seit wann ich es weiß; wie lange es davor schon so war, wurde mir nicht gesagt:",
        Say.SINCE: "seit {day}",
        Say.MORE: "… und {count} mehr.",
        Say.QUOTING: "Aus dem, was hier gesagt wurde:",
        Say.NOTHING_RELEVANT: "In dem, was mir gesagt wurde, und in den Nachrichten steht nichts dazu.",
        Say.NOTHING_ASKED: "Ich bin da. Frag mich etwas, oder sag mir „merk dir, dass …“.",
        Say.LAST_KNOWN: "Ich kann gerade nicht in mein Gedächtnis schauen. Das wusste ich zuletzt über {who}:",
        Say.CUT_OFF: "Ich kann gerade nicht in mein Gedächtnis schauen. Das hier ist nur aus dem, was ich zuletzt"
        " gehört und gelesen habe:",
        Say.NOTHING_WHILE_CUT_OFF: "Ich kann gerade nicht in mein Gedächtnis schauen, und in den letzten Nachrichten,"
        " die ich hier gehört habe, steht nichts dazu. Bitte frag mich in ein paar Minuten noch einmal.",
        Say.NOT_LOOKED_BACK: "Weiter zurück als bis zu den letzten Nachrichten konnte ich gerade nicht schauen.",
        Say.NOT_FROM_MEMORY: "Nicht aus meinem Gedächtnis.",
    },
    Language.FR: {
        Say.KNOWN: "Ce que je sais de {who} :",
        Say.KNOWN_OF_YOU: "Ce que je sais de toi :",
        Say.KNOWN_OF_GUILD: "Ce que je sais de ce serveur :",
        Say.NOTHING: "Je ne sais encore rien de {who}. Dis-le-moi avec « souviens-toi que {who} … ».",
        Say.NOTHING_OF_YOU: "Je ne sais encore rien de toi. Dis-le-moi avec « souviens-toi que je … ».",
        Say.NOTHING_OF_GUILD: "Je ne sais encore rien de ce serveur. Dis-le-moi avec « souviens-toi que … ».",
        Say.NOBODY: "Je ne connais personne ici qui s'appelle « {name} ».",
        Say.NOBODY_BUT: "Je ne connais personne ici qui s'appelle « {name} », mais on m'a dit ceci :",
        Say.WHICH: "De qui parles-tu avec « {name} » : {candidates} ?",
        Say.GUESSED: "Je ne connais personne ici qui s'appelle « {name} ». Parles-tu de {candidates} ?",
        Say.PERHAPS: "Ou parles-tu de {candidates} ?",
        Say.SEVERAL: "« {name} » peut être {candidates} ici. Mentionne l'une d'elles pour ne parler que d'elle.",
        Say.OR: "ou",
        Say.TOLD_BY: "dit par {teller}",
        Say.REPLACED: "depuis : {fact}",
        Say.KNEW: "Ce que je savais alors de {who}{when} :",
        Say.KNEW_OF_YOU: "Ce que je savais alors de toi{when} :",
        Say.KNEW_OF_GUILD: "Ce que je savais alors de ce serveur{when} :",
        Say.KNEW_ALL: "Ce que je savais alors{when} :",
        Say.KNEW_NOTHING: "De ce que je sais aujourd'hui, rien ne m'avait encore été dit{when}.",
        Say.WAS_SO: "Ce qu'on m'a dit de ce temps-là{when} :",
        Say.KNOWN_SINCE: "Depuis quand je le sais ; depuis quand c'était déjà le cas, on ne me l'a pas dit :",
        Say.SINCE: "depuis le {day}",
        Say.MORE: "… et {count} de plus.",
        Say.QUOTING: "D'après ce qui s'est dit ici :",
        Say.NOTHING_RELEVANT: "Je n'ai rien trouvé là-dessus dans ce qu'on m'a dit ni dans les messages.",
        Say.NOTHING_ASKED: "Je suis là. Pose-moi une question, ou dis-moi « souviens-toi que … ».",
        Say.LAST_KNOWN: "Je ne peux pas consulter ma mémoire pour le moment. Voici ce que je savais de {who} la"
        " dernière fois :",
        Say.CUT_OFF: "Je ne peux pas consulter ma mémoire pour le moment. Voici seulement ce que j'ai entendu et lu"
        " en dernier :",
        Say.NOTHING_WHILE_CUT_OFF: "Je ne peux pas consulter ma mémoire pour le moment, et il n'y a rien là-dessus dans"
        " les derniers messages entendus ici. Redemande-moi dans quelques minutes.",
        Say.NOT_LOOKED_BACK: "Je n'ai pas pu regarder plus loin que les derniers messages.",
        Say.NOT_FROM_MEMORY: "Ne vient pas de ma mémoire.",
    },
    Language.ES: {
        Say.KNOWN: "Lo que sé de {who}:",
        Say.KNOWN_OF_YOU: "Lo que sé de ti:",
        Say.KNOWN_OF_GUILD: "Lo que sé de este servidor:",
        Say.NOTHING: "Todavía no sé nada de {who}. Cuéntamelo con «recuerda que {who} …».",
        Say.NOTHING_OF_YOU: "Todavía no sé nada de ti. Cuéntamelo con «recuerda que yo …».",
        Say.NOTHING_OF_GUILD: "Todavía no sé nada de este servidor. Cuéntamelo con «recuerda que …».",
        Say.NOBODY: "No conozco aquí a nadie llamado «{name}».",
        Say.NOBODY_BUT: "No conozco aquí a nadie llamado «{name}», pero me han contado esto:",
        Say.WHICH: "¿A quién te refieres con «{name}»: {candidates}?",
        Say.GUESSED: "No conozco aquí a nadie llamado «{name}». ¿Te refieres a {candidates}?",
        Say.PERHAPS: "¿O te refieres a {candidates}?",
        Say.SEVERAL: "«{name}» puede ser aquí {candidates}. Menciona a una de esas personas para saber solo de ella.",
        Say.OR: "o",
        Say.TOLD_BY: "contado por {teller}",
        Say.REPLACED: "desde entonces: {fact}",
        Say.KNEW: "Lo que sabía entonces de {who}{when}:",
        Say.KNEW_OF_YOU: "Lo que sabía entonces de ti{when}:",
        Say.KNEW_OF_GUILD: "Lo que sabía entonces de este servidor{when}:",
        Say.KNEW_ALL: "Lo que sabía entonces{when}:",
        Say.KNEW_NOTHING: "De lo que sé hoy, entonces aún no me habían contado nada{when}.",
        Say.WAS_SO: "Lo que me contaron de ese tiempo{when}:",
        Say.KNOWN_SINCE: "Desde cuándo lo sé; cuánto hacía que era así, no me lo han contado:",
        Say.SINCE: "desde el {day}",
        Say.MORE: "… y {count} más.",
        Say.QUOTING: "De lo que se ha dicho aquí:",
        Say.NOTHING_RELEVANT: "No he encontrado nada de eso en lo que me han contado ni en los mensajes.",
        Say.NOTHING_ASKED: "Aquí estoy. Pregúntame algo, o dime «recuerda que …».",
        Say.LAST_KNOWN: "Ahora mismo no puedo mirar en mi memoria. Esto es lo último que sabía de {who}:",
        Say.CUT_OFF: "Ahora mismo no puedo mirar en mi memoria. Esto sale solo de lo último que he oído y leído:",
        Say.NOTHING_WHILE_CUT_OFF: "Ahora mismo no puedo mirar en mi memoria, y en los últimos mensajes que he oído"
        " aquí no hay nada de eso. Vuelve a preguntarme en unos minutos.",
        Say.NOT_LOOKED_BACK: "Ahora mismo no he podido mirar más atrás de los últimos mensajes.",
        Say.NOT_FROM_MEMORY: "No viene de mi memoria.",
    },
    Language.RU: {
        Say.KNOWN: "Что я знаю о {who}:",
        Say.KNOWN_OF_YOU: "Что я знаю о тебе:",
        Say.KNOWN_OF_GUILD: "Что я знаю об этом сервере:",
        Say.NOTHING: "Я пока ничего не знаю о {who}. Расскажи мне: «запомни, что {who} …».",
        Say.NOTHING_OF_YOU: "Я пока ничего не знаю о тебе. Расскажи мне: «запомни, что я …».",
        Say.NOTHING_OF_GUILD: "Я пока ничего не знаю об этом сервере. Расскажи мне: «запомни, что …».",
        Say.NOBODY: "Я не знаю здесь никого по имени «{name}».",
        Say.NOBODY_BUT: "Я не знаю здесь никого по имени «{name}», но мне говорили:",
        Say.WHICH: "Кого ты имеешь в виду под «{name}»: {candidates}?",
        Say.GUESSED: "Я не знаю здесь никого по имени «{name}». Ты имеешь в виду {candidates}?",
        Say.PERHAPS: "Или ты имеешь в виду {candidates}?",
        Say.SEVERAL: "«{name}» здесь может быть {candidates}. Упомяни того, о ком речь, чтобы услышать только о нём.",
        Say.OR: "или",
        Say.TOLD_BY: "со слов {teller}",
        Say.REPLACED: "с тех пор: {fact}",
        Say.KNEW: "Что я знал тогда о {who}{when}:",
        Say.KNEW_OF_YOU: "Что я знал тогда о тебе{when}:",
        Say.KNEW_OF_GUILD: "Что я знал тогда об этом сервере{when}:",
        Say.KNEW_ALL: "Что я знал тогда{when}:",
        Say.KNEW_NOTHING: "Из того, что я знаю сегодня, тогда мне ещё ничего не рассказали{when}.",
        Say.WAS_SO: "Что мне рассказывали о том времени{when}:",
        Say.KNOWN_SINCE: "С каких пор я это знаю; как долго так было до того, мне не сказали:",
        Say.SINCE: "с {day}",
        Say.MORE: "… и ещё {count}.",
        Say.QUOTING: "Из того, что здесь говорили:",
        Say.NOTHING_RELEVANT: "Ни в том, что мне рассказали, ни в сообщениях об этом ничего нет.",
        Say.NOTHING_ASKED: "Я здесь. Спроси меня о чём-нибудь или скажи «запомни, что …».",
        Say.LAST_KNOWN: "Сейчас я не могу заглянуть в свою память. Вот что я знал о {who}, когда заглядывал в"
        " последний раз:",
        Say.CUT_OFF: "Сейчас я не могу заглянуть в свою память. Это только из того, что я слышал и читал последним:",
        Say.NOTHING_WHILE_CUT_OFF: "Сейчас я не могу заглянуть в свою память, а в последних сообщениях, которые я здесь"
        " услышал, об этом ничего нет. Спроси меня ещё раз через несколько минут.",
        Say.NOT_LOOKED_BACK: "Заглянуть дальше последних сообщений сейчас не удалось.",
        Say.NOT_FROM_MEMORY: "Это не из моей памяти.",
    },
}


# Why an answer is only quoted although there is a model: one sentence for each reason, fit for any member to read.
#
# None of them says that nothing is known, and none tells of keys, names of models or what a server said.


class Why(StrEnum):
    BUSY = "busy"
    SPENT = "spent"
    AWAY = "away"
    SLOW = "slow"
    REFUSED = "refused"
    MISCONFIGURED = "misconfigured"
    UNUSABLE = "unusable"
    ASKED_TOO_OFTEN = "asked too often"
    """How long they have to wait is said before it."""


@dataclass(frozen=True, slots=True)
class Reason:
    why: Why
    until: datetime | None = None
    """When that is over, where it is known."""

    @classmethod
    def of(cls, error: ModelError, now: datetime) -> "Reason":
        match error:
            case BudgetExhausted(retry_after=float(seconds)):
                return cls(Why.SPENT, now + timedelta(seconds=seconds))
            case BudgetExhausted():
                return cls(Why.SPENT)
            case RateLimited():
                return cls(Why.BUSY)
            case TimedOut():
                return cls(Why.SLOW)
            case Misconfigured():
                return cls(Why.MISCONFIGURED)
            case Refused():
                return cls(Why.REFUSED)
            case BadReply():
                return cls(Why.UNUSABLE)
        return cls(Why.AWAY)

    def sentence(self, language: Language) -> str:
        said = _SENTENCES[language][self.why]
        if self.until is None:
            return said
        # Discord shows it as "in 5 hours", in the language of whoever reads it.
        return f"{said} (<t:{int(self.until.timestamp())}:R>)"


_SENTENCES: dict[Language, dict[Why, str]] = {
    Language.EN: {
        Why.BUSY: "My language model is asked too much just now.",
        Why.SPENT: "What my language model may do for this server today is used up.",
        Why.AWAY: "My language model does not answer just now.",
        Why.SLOW: "My language model takes too long just now.",
        Why.REFUSED: "My language model will not answer that.",
        Why.MISCONFIGURED: "My language model needs the attention of whoever runs me.",
        Why.UNUSABLE: "My language model gave no usable answer.",
        Why.ASKED_TOO_OFTEN: "Until then I answer without my language model.",
    },
    Language.DE: {
        Why.BUSY: "Mein Sprachmodell wird gerade zu viel gefragt.",
        Why.SPENT: "Was mein Sprachmodell heute für diesen Server tun darf, ist aufgebraucht.",
        Why.AWAY: "Mein Sprachmodell antwortet gerade nicht.",
        Why.SLOW: "Mein Sprachmodell braucht gerade zu lange.",
        Why.REFUSED: "Mein Sprachmodell will darauf nicht antworten.",
        Why.MISCONFIGURED: "Um mein Sprachmodell muss sich kümmern, wer mich betreibt.",
        Why.UNUSABLE: "Mein Sprachmodell hat keine brauchbare Antwort gegeben.",
        Why.ASKED_TOO_OFTEN: "Bis dahin antworte ich ohne mein Sprachmodell.",
    },
    Language.FR: {
        Why.BUSY: "Mon modèle de langue est trop sollicité en ce moment.",
        Why.SPENT: "Mon modèle de langue a épuisé ce qu'il peut faire aujourd'hui pour ce serveur.",
        Why.AWAY: "Mon modèle de langue ne répond pas en ce moment.",
        Why.SLOW: "Mon modèle de langue est trop lent en ce moment.",
        Why.REFUSED: "Mon modèle de langue ne veut pas répondre à cela.",
        Why.MISCONFIGURED: "La personne qui me fait tourner doit s'occuper de mon modèle de langue.",
        Why.UNUSABLE: "Mon modèle de langue n'a pas donné de réponse utilisable.",
        Why.ASKED_TOO_OFTEN: "D'ici là, je réponds sans mon modèle de langue.",
    },
    Language.ES: {
        Why.BUSY: "Mi modelo de lenguaje recibe demasiadas preguntas ahora mismo.",
        Why.SPENT: "Mi modelo de lenguaje ya ha hecho hoy todo lo que puede hacer por este servidor.",
        Why.AWAY: "Mi modelo de lenguaje no responde ahora mismo.",
        Why.SLOW: "Mi modelo de lenguaje tarda demasiado ahora mismo.",
        Why.REFUSED: "Mi modelo de lenguaje no quiere responder a eso.",
        Why.MISCONFIGURED: "Quien me mantiene tiene que ocuparse de mi modelo de lenguaje.",
        Why.UNUSABLE: "Mi modelo de lenguaje no ha dado una respuesta útil.",
        Why.ASKED_TOO_OFTEN: "Hasta entonces respondo sin mi modelo de lenguaje.",
    },
    Language.RU: {
        Why.BUSY: "Мою языковую модель сейчас слишком много спрашивают.",
        Why.SPENT: "На сегодня для этого сервера моя языковая модель исчерпана.",
        Why.AWAY: "Моя языковая модель сейчас не отвечает.",
        Why.SLOW: "Моя языковая модель сейчас отвечает слишком долго.",
        Why.REFUSED: "Моя языковая модель не хочет на это отвечать.",
        Why.MISCONFIGURED: "Моей языковой моделью должен заняться тот, кто меня запускает.",
        Why.UNUSABLE: "Моя языковая модель не дала пригодного ответа.",
        Why.ASKED_TOO_OFTEN: "До тех пор я отвечаю без языковой модели.",
    },
}
