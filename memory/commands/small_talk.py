"""What is said to us only to be kind, or to get to know us: thanks, a greeting, praise, "what can you do?".

It wants a word of ours, and no answer. Small and careful: a sentence counts only if there is nothing else in it.
Whoever says more says something.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from memory.commands.grammar import behind_courtesies, opening, phrases_of, reminds_other, wants_nothing_kept
from memory.commands.spelling import in_plain_spelling
from memory.language.detect import Language, word_set
from memory.language.question_words import Want, asks_for, signs_of, wants_of
from memory.language.stems import WordForms, topics
from memory.language.text import FILLER, fold, hide_borrowed, plain_words, words_in

MOST_WORDS = 8
LONGEST_CALL = 100
_SENTENCES = re.compile(r"[^.!?…\n]+[.!?…]*")


class Kindness(StrEnum):
    THANKS = "thanks"
    GREETING = "greeting"
    FAREWELL = "farewell"
    OTHER = "other"
    HELP = "help"
    """Who we are, and what we can do."""
    MISSED = "missed"
    """What they have missed, which is shown to them alone."""
    NOTHING_KEPT = "nothing kept"
    """We are told not to remember."""
    REMINDERS = "reminders"
    """What they are to be reminded of, which is shown to them alone."""
    REMIND_OTHER = "remind other"
    """We are told to remind somebody else."""


@dataclass(frozen=True, slots=True)
class _Kindnesses:
    """The words of one language, folded. Those beside them say nothing alone."""

    thanks: frozenset[str]
    greeting: frozenset[str]
    farewell: frozenset[str]
    other: frozenset[str]
    beside: frozenset[str]

    def of(self, words: list[str]) -> Kindness | None:
        """The first kind that any of the words is of."""
        kinds = {
            Kindness.THANKS: self.thanks,
            Kindness.FAREWELL: self.farewell,
            Kindness.GREETING: self.greeting,
            Kindness.OTHER: self.other,
        }
        spoken = next((kind for kind, spoken in kinds.items() if not spoken.isdisjoint(words)), None)
        return spoken or (Kindness.OTHER if any(map(_LAUGHTER.fullmatch, words)) else None)

    def cover(self, words: list[str]) -> bool:
        known = self.thanks | self.greeting | self.farewell | self.other | self.beside
        return all(word in known or _LAUGHTER.fullmatch(word) for word in words)


_LAUGHTER = re.compile(r"(?:[hj][ae]){2,}+[hj]?|a?(?:ha){2,}+h?|lo+l|l+mf?a+o+|rofl|xd|mdr|ptdr|а?(?:ха){2,}+х?|лол")

# Of words that two of them have, the first is meant: "merci" is French before it is German.
_WORDS = {
    Language.EN: _Kindnesses(
        thanks=word_set("thanks thank thx ty tysm tyvm cheers thankyou thnx"),
        greeting=word_set("hello hi hey hiya howdy greetings morning yo"),
        farewell=word_set("bye goodbye cya goodnight night farewell gn gnight nighty"),
        other=word_set(
            "super nice cool great awesome perfect brilliant wow bravo good love yay legend best amazing goat"
        ),
        beside=word_set(
            "you u so very much a lot many for that this it the help again all bot innkeeper there my dear friend"
            " everyone and one job work answer well done evening afternoon day s really just too old your re are tmrw"
            " tomorrow later see"
        ),
    ),
    Language.FR: _Kindnesses(
        thanks=word_set("merci remercie mercii"),
        greeting=word_set("bonjour salut bonsoir coucou hello"),
        farewell=word_set("revoir ciao bye adieu bientôt nuit"),
        other=word_set("super génial parfait bravo cool excellent bien top chouette meilleur"),
        beside=word_set(
            "beaucoup bien à toi a vous pour ton votre aide ta réponse la le ça mille fois encore tout monde tous je te"
            " bonne au cher bot joué et t es tu un trop vraiment"
        ),
    ),
    Language.DE: _Kindnesses(
        thanks=word_set("danke dankeschön dank merci dankesehr"),
        greeting=word_set("hallo hi hey moin servus guten gruß grüß morgen abend"),
        farewell=word_set("tschüss tschüs tschau ciao nacht wiedersehen bis"),
        other=word_set(
            "super toll klasse cool prima genial nice perfekt brav guter gut gute stark schatz beste bester held"
        ),
        beside=word_set(
            "dir sehr vielen schön schon für die das der deine hilfe ganz herzlich herzlichen dich auch tag alle"
            " zusammen lieber liebes bot wirt du bist auf bald später morgen gemacht antwort und nochmal nochmals n ein"
            " s echt einfach"
        ),
    ),
    Language.ES: _Kindnesses(
        thanks=word_set("gracias agradezco"),
        greeting=word_set("hola buenas buenos saludos"),
        farewell=word_set("adiós chao chau luego pronto noches"),
        other=word_set("genial perfecto bravo guay excelente bueno buen estupendo crack máquina mejor grande"),
        beside=word_set(
            "muchas muchísimas mil por la tu su ayuda todo respuesta a ti todos te lo hasta días tardes muy bot trabajo"
            " querido amigo y de nuevo eres un una el"
        ),
    ),
    Language.RU: _Kindnesses(
        thanks=word_set("спасибо благодарю пасиб спс спасибки"),
        greeting=word_set("привет здравствуй здравствуйте добрый доброе приветствую хай"),
        farewell=word_set("пока прощай свидания встречи ночи"),
        other=word_set("супер круто класс отлично браво молодец здорово хороший лучший умница красавчик"),
        beside=word_set(
            "большое огромное тебе вам за помощь ответ день вечер утро всем до спокойной доброй бот и ещё ты самый"
            " просто"
        ),
    ),
}


_HELP_WANTED = {
    Language.EN: (
        "help", "help me", "who are you", "what are you", "what can you do", "what do you do", "how do you work",
        "how does this work", "how do i use you", "what can i ask", "what can i ask you", "introduce yourself",
        "commands", "what are your commands", "list commands", "how does one use you", "how do you use this",
        "is there a list of commands", "what commands are there", "what commands do you have", "which commands",
        "what else can you do", "what are you for", "how can i use you",
    ),
    Language.DE: (
        "hilfe", "hilf mir", "wer bist du", "was bist du", "was kannst du", "was kannst du alles", "was machst du",
        "wie funktionierst du", "wie funktioniert das", "wie geht das", "was kann ich dich fragen", "stell dich vor",
        "befehle", "welche befehle gibt es", "welche befehle hast du", "welche befehle kennst du",
        "gibt es eine liste der befehle", "was kannst du so", "was kannst du so alles", "was kannst du noch",
        "wie benutzt man dich", "wozu bist du da",
    ),
    Language.FR: (
        "aide", "aide moi", "à l'aide", "qui es-tu", "tu es qui", "t'es qui", "qui êtes-vous", "que peux-tu faire",
        "que sais-tu faire", "tu peux faire quoi", "tu sais faire quoi", "qu'est-ce que tu sais faire",
        "qu'est-ce que tu peux faire", "comment ça marche", "comment tu marches", "présente-toi", "commandes",
        "quelles commandes as-tu", "tu as quelles commandes", "quelles sont tes commandes", "c'est quoi tes commandes",
        "comment on t'utilise", "tu sers à quoi", "à quoi tu sers", "à quoi sers-tu",
    ),
    Language.ES: (
        "ayuda", "ayúdame", "quién eres", "qué eres", "qué puedes hacer", "qué sabes hacer", "qué haces",
        "cómo funcionas", "cómo funciona esto", "qué puedo preguntarte", "preséntate", "comandos",
        "qué comandos tienes", "qué comandos hay", "cuáles son tus comandos", "hay una lista de comandos",
        "cómo se te usa", "para qué sirves", "qué más puedes hacer",
    ),
    Language.RU: (
        "помощь", "помоги", "помоги мне", "помогите", "кто ты", "ты кто", "кто ты такой", "что ты умеешь",
        "что ты можешь", "что умеешь", "как ты работаешь", "как это работает", "представься", "команды", "справка",
        "какие у тебя команды", "какие есть команды", "список команд", "есть список команд", "что ты ещё умеешь",
        "как тобой пользоваться", "для чего ты", "зачем ты нужен",
    ),
}  # fmt: skip
_MISSED_WANTED = {
    Language.EN: (
        "what did i miss", "what'd i miss", "what have i missed", "what i missed", "what i've missed",
        "did i miss anything", "did i miss something", "have i missed anything", "catch me up", "what's new",
        "what is new", "anything new", "what happened while i was away", "what happened while i was gone",
        "what did i miss while i was away", "what did i miss while i was gone", "what happened since i was last here",
        "fill me in", "bring me up to date", "bring me up to speed", "get me up to speed",
    ),
    Language.DE: (
        "was habe ich verpasst", "was hab ich verpasst", "was habe ich alles verpasst", "was hab ich alles verpasst",
        "habe ich was verpasst", "hab ich was verpasst", "habe ich etwas verpasst", "hab ich etwas verpasst",
        "was ist passiert während ich weg war", "was war los während ich weg war", "was gibt es neues",
        "was gibt's neues", "was ist neu", "bring mich auf den neuesten stand", "bring mich auf den stand",
    ),
    Language.FR: (
        "qu'est-ce que j'ai raté", "qu'est-ce que j'ai manqué", "qu'est-ce que j'ai loupé", "j'ai raté quoi",
        "j'ai manqué quoi", "j'ai loupé quoi", "qu'ai-je manqué", "qu'ai-je raté", "j'ai raté quelque chose",
        "j'ai manqué quelque chose", "quoi de neuf", "que s'est-il passé pendant mon absence",
        "qu'est-ce qui s'est passé pendant mon absence", "mets-moi au courant", "mets-moi à jour",
    ),
    Language.ES: (
        "qué me perdí", "qué me he perdido", "de qué me perdí", "de qué me he perdido", "me perdí de algo",
        "me perdí algo", "me he perdido algo", "ponme al día", "qué hay de nuevo", "ponme al corriente",
        "qué pasó mientras no estaba",
        "qué ha pasado mientras no estaba",
    ),
    Language.RU: (
        "что я пропустил", "что я пропустила", "что я упустил", "что я упустила", "я что-то пропустил",
        "я что-то пропустила", "что нового", "что было без меня", "что произошло пока меня не было",
        "что было пока меня не было", "введи меня в курс дела", "введи меня в курс",
    ),
}  # fmt: skip
_REMINDERS_WANTED = {
    Language.EN: (
        *(f"{verb} my reminders" for verb in (
            "cancel", "delete", "remove", "clear", "stop", "end", "drop", "forget", "list", "show", "show me",
            "tell me", "what are", "which are",
        )),
        "my reminders", "what reminders do i have", "which reminders do i have", "how many reminders do i have",
        "do i have any reminders", "do i have reminders", "stop reminding me", "don't remind me anymore",
    ),
    Language.DE: (
        *(f"{verb} meine erinnerungen" for verb in (
            "lösche", "lösch", "storniere", "stoppe", "beende", "entferne", "streiche", "vergiss", "zeig", "zeige",
            "zeig mir", "zeige mir", "nenn mir", "was sind", "welche sind", "wie lauten",
        )),
        "meine erinnerungen", "welche erinnerungen habe ich", "welche erinnerungen hab ich", "habe ich erinnerungen",
        "meine erinnerungen löschen", "mir meine erinnerungen zeigen", "meine erinnerungen zeigen",
        "brich meine erinnerungen ab", "hör auf mich zu erinnern", "erinnere mich nicht mehr",
    ),
    Language.FR: (
        *(f"{verb} mes rappels" for verb in (
            "annule", "supprime", "efface", "arrête", "oublie", "montre", "montre-moi", "affiche", "liste",
            "annuler", "supprimer", "effacer", "me montrer", "quels sont", "c'est quoi",
        )),
        "mes rappels", "quels rappels ai-je", "j'ai quels rappels", "ai-je des rappels", "est-ce que j'ai des rappels",
        "arrête de me rappeler", "ne me rappelle plus rien",
    ),
    Language.ES: (
        *(f"{verb} mis recordatorios" for verb in (
            "cancela", "borra", "elimina", "quita", "olvida", "muestra", "muéstrame", "enséñame", "lista", "dime",
            "cancelar", "borrar", "eliminar", "mostrarme", "enseñarme", "cuáles son",
        )),
        "mis recordatorios", "qué recordatorios tengo", "tengo recordatorios", "deja de recordarme",
        "no me recuerdes nada más",
    ),
    Language.RU: (
        *(f"{verb} мои напоминания" for verb in (
            "отмени", "удали", "сотри", "убери", "забудь", "покажи", "покажи мне", "перечисли", "отменить", "удалить",
            "показать", "показать мне", "какие",
        )),
        "мои напоминания", "какие у меня напоминания", "какие у меня есть напоминания", "у меня есть напоминания",
        "есть ли у меня напоминания", "перестань мне напоминать", "перестань напоминать", "не напоминай мне больше",
        "больше не напоминай мне",
    ),
}  # fmt: skip
_ALL = word_set("all of alle tous todos все")
_LATELY = word_set("here today lately hier heute alles ici aujourd'hui aquí hoy здесь тут сегодня so then denn")
_ASIDE = word_set(
    "please pls plz bitte s'il te plaît svp stp por favor пожалуйста hey hi hallo ok okay bot eigentlich eig denn"
    " exactly actually au fait en fait exactamente вообще"
)


def _own_words(text: str) -> str:
    spelt = (in_plain_spelling(word) for word in plain_words(text))
    return " ".join(word for word in spelt if word not in _ASIDE)


def _missed_words(text: str) -> str:
    return " ".join(word for word in _own_words(text).split() if word not in _LATELY)


_MISSED = {_missed_words(asked): language for language, several in _MISSED_WANTED.items() for asked in several}
_REMINDERS = {_own_words(asked): language for language, several in _REMINDERS_WANTED.items() for asked in several}
_HELP = {_own_words(asked): language for language, several in _HELP_WANTED.items() for asked in several}


def help_in(text: str) -> Language | None:
    """The language of sentences that ask who we are or what we can do, and nothing else."""
    if len(text) > LONGEST_CALL:
        return None
    asked = [_HELP.get(_own_words(part)) for part in _SENTENCES.findall(text) if words_in(part)]
    return asked[0] if asked and None not in asked else _HELP.get(_own_words(text))


def missed_in(text: str) -> Language | None:
    """The language of a sentence that asks what somebody has missed, and nothing else."""
    return _MISSED.get(_missed_words(text)) if len(text) <= LONGEST_CALL else None


def order_in(text: str) -> tuple[Kindness, Language] | None:
    """What is wanted that we do by leaving it, leave to a command or do not do, and in which language: not to remember,
    to show or end reminders, to remind somebody else."""
    wanted = {
        Kindness.NOTHING_KEPT: wants_nothing_kept(fold(text)),
        Kindness.REMINDERS: _own_reminders_in(text),
        Kindness.REMIND_OTHER: reminds_other(text),
    }
    return next(((kindness, language) for kindness, language in wanted.items() if language is not None), None)


def _own_reminders_in(text: str) -> Language | None:
    if len(text) > LONGEST_CALL:
        return None
    folded = fold(text)
    wished = opening(phrases_of("asking")).match(folded)
    said = _own_words(folded if wished is None else folded[wished.end() :]).split()
    return _REMINDERS.get(" ".join(word for word in said if word not in _ALL))


def chatter_in(text: str, guess: Language | None = None) -> Language | None:
    """The language of a sentence that wants a word of ours and no answer: one that is nothing but kind, asks for help
    or for what was missed, or orders what we do not do; `guess`, where it is in several. None for any other
    question."""
    if (helped := help_in(text) or missed_in(text)) is not None:
        return helped
    if (ordered := order_in(text)) is not None:
        return ordered[1]
    words = [in_plain_spelling(word) for word in plain_words(text)]
    if not 0 < len(words) <= MOST_WORDS or "?" in text:
        return None
    spoken = [language for language, known in _WORDS.items() if known.of(words) is not None and known.cover(words)]
    return guess if guess in spoken else next(iter(spoken), None)


def is_kind(text: str) -> bool:
    """Whether there are kind words in it and nothing else; laughter alone may be about anybody."""
    words = plain_words(text)
    if chatter_in(text) is None or any(asks(text) is not None for asks in (help_in, missed_in, order_in)):
        return False
    return not all(_LAUGHTER.fullmatch(in_plain_spelling(word)) for word in words)


def kindness_of(text: str, language: Language) -> Kindness:
    """What a sentence that is known to be chatter is for, as far as its words tell."""
    if help_in(text) is not None:
        return Kindness.HELP
    if missed_in(text) is not None:
        return Kindness.MISSED
    if (ordered := order_in(text)) is not None:
        return ordered[0]
    words = [in_plain_spelling(word) for word in plain_words(text)]
    kinds = (_WORDS[one].of(words) for one in (language, *Language))
    return next((kind for kind in kinds if kind is not None), Kindness.OTHER)


# Whether a sentence is a question by its form alone, in five languages. Careful: in doubt it is not.


_TAG = re.compile(r",\s*+\w++(?:\s++\w++)?+\s*+\?++$")

# Without a question mark only these open a question beyond doubt: "when I was young …", "what I said …" tell something.
_VERBS = (
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "should", "would", "will", "has", "have",
)  # fmt: skip
_QUESTION_WORDS = (
    *(f"{word} {verb}" for word in ("what", "where", "when") for verb in _VERBS),
    "who", "whose", "what's", "whats", "what happened", "what happens", "what about", "what time", "what day",
    "who's", "where's", "when's", "why", "how", "how's", "which",
    "is", "are", "was", "were", "does", "did", "has", "do you", "do we", "do they", "do i", "am i", "have we",
    "wer", "was", "wem", "wen", "wessen", "warum", "wieso", "weshalb", "wie", "wo", "wohin", "woher", "wann",
    "welche", "welcher", "welches", "ist", "sind", "hat", "haben", "gibt es",
    "qui", "pourquoi", "comment", "combien", "quel", "quelle", "quels", "quelles", "qu'est-ce", "est-ce", "c'est quoi",
    "quién", "quiénes", "cuál", "cuáles", "cuánto", "cuántos", "cuántas", "por qué", "dónde", "adónde",
    "кто", "где", "куда", "откуда", "почему", "зачем", "сколько", "какой", "какая", "какое", "какие", "чей", "чья",
)  # fmt: skip
_WANTS_TO_HEAR = (
    "tell me", "tell us", "show me", "show us", "explain", "describe", "list", "summarise", "summarize", "look up",
    "help me", "search for", "find out", "translate", "say",
    "sag mir", "sag uns", "erzähl", "erzähle", "zeig", "zeige", "erklär", "erkläre", "beschreib", "nenn", "nenne",
    "fass zusammen", "hilf mir", "suche",
    "dis-moi", "dites-moi", "raconte", "racontez", "montre", "explique", "décris", "résume", "aide-moi", "cherche",
    "dime", "cuéntame", "muéstrame", "explícame", "explica", "describe", "resume", "ayúdame", "busca",
    "скажи", "расскажи", "покажи", "объясни", "опиши", "перечисли", "помоги", "найди",
)  # fmt: skip
_ASKED_TO_TELL = (
    "tell", "say", "explain", "show", "describe", "list", "help", "find", "summarise", "summarize", "look", "translate",
    "sagen", "mir sagen", "uns sagen", "mir erzählen", "mir erklären", "mir zeigen", "mir helfen", "erklären", "zeigen",
    "me dire", "dire", "nous dire", "m'expliquer",
    "expliquer", "montrer", "m'aider", "aider", "decirme", "decir", "decirnos", "explicarme", "explicar", "ayudarme",
    "сказать", "мне сказать", "рассказать", "объяснить", "показать", "помочь",
)  # fmt: skip


def asks_by_form(sentence: str) -> bool:
    """Whether an own sentence is a question by its form alone, in each of its parts."""
    parts = [part.strip() for part in _SENTENCES.findall(fold(sentence)) if words_in(part)]
    return bool(parts) and all(_is_question(part) for part in parts)


def _is_question(part: str) -> bool:
    if opening(_WANTS_TO_HEAR).match(part):
        return True
    wished = opening(phrases_of("asking")).match(part)
    if wished is not None:  # "could you …?" may want anything
        return opening(_ASKED_TO_TELL).match(part, wished.end()) is not None
    opens = opening(_QUESTION_WORDS).match(part) is not None
    if part.endswith("?"):
        return opens or not _TAG.search(part)  # "My sister is called Mira, ok?" tells something
    return opens and "," not in part[behind_courtesies(part) :]


LONGEST_QUESTION = 300
"""Characters. Whoever says more tells something with it."""
_ANYBODY = word_set("anyone anybody someone somebody jemand irgendwer irgendjemand quelqu alguien нибудь")


def asks_the_same(text: str, question: str) -> bool:
    """Whether a text only asks what a question asks, and holds no answer: "who brings the cards on Friday?" is none to
    "who brings the cards?", but "is the quiz on Friday?" is one to "when is the quiz?"."""
    text, question = _MENTION.sub(" ", text), _MENTION.sub(" ", question)
    asked = _asked_alone(text)
    if not asked:
        return False
    wants, words = wants_of(fold(question)), {word for part in asked for word in plain_words(part)}
    asks_all = not words.isdisjoint(_ANYBODY)
    if wants:
        if (asks_all and Want.PERSON in wants) or any(asks_for(want, part) for want in wants for part in asked):
            return True
        return wants.isdisjoint(signs_of(text, wants).tells)
    known = WordForms(topics(question))
    return asks_all or not words.isdisjoint(plain_words(question)[:1]) or all(topic in known for topic in topics(text))


def _asked_alone(text: str) -> list[str]:
    """The questions of a text in which nothing but kind words stands beside them; none, if it says more."""
    if len(text) > LONGEST_QUESTION:
        return []
    parts = [part.strip() for part in _SENTENCES.findall(fold(text)) if words_in(part)]
    asked = [part for part in parts if _is_question(part) or not _ANYBODY.isdisjoint(plain_words(part)[:2])]
    return asked if all(part in asked or _is_only_kind(part) for part in parts) else []


def _is_only_kind(part: str) -> bool:
    words = [in_plain_spelling(word) for word in plain_words(part)]
    return any(known.cover(words) for known in _WORDS.values())


# A person's own words in what they said to us.
#
# Nothing that somebody else wrote is theirs: quoted lines, code, links, what stands in quotation marks, and the names
# behind mentions.


QUOTED = "[…]"
"""Stands where something was quoted."""
MEMBER, PLACE = "@member", "#channel"

_CLOSED_BY = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "‹": "›"}
_BORROWED = re.compile(rf"{FILLER}[{FILLER}\s]*")
_MENTION = re.compile(r"<@!?\d+>|<@&\d+>")
_CHANNEL = re.compile(r"<#\d+>|<id:\w+>")
_TOKEN = re.compile(r"<a?:\w+:\d+>|<t:-?\d+(?::\w)?>|</[^<>:\n]+:\d+>")


def own_sentence(body: str) -> str:
    """The person's own words, with marks where they quoted, mentioned somebody or named a channel."""
    own = _BORROWED.sub(f" {QUOTED} ", hide_borrowed(body))
    own = "\n".join(map(_without_quotations, own.split("\n")))
    own = _CHANNEL.sub(PLACE, _MENTION.sub(MEMBER, own))
    return " ".join(_TOKEN.sub(" ", own).split())


def _without_quotations(line: str) -> str:
    """What stands in quotation marks, on one line. Where each closes is looked for once, however many are opened."""
    pieces: list[str] = []
    done = 0
    nearest: dict[str, int] = {}
    for place, character in enumerate(line):
        if place < done or character not in _CLOSED_BY:
            continue
        for closing in _CLOSED_BY[character]:
            if nearest.get(closing, 0) <= place:
                found = line.find(closing, place + 1)
                nearest[closing] = len(line) if found < 0 else found
        end = min(nearest[closing] for closing in _CLOSED_BY[character])
        if place + 1 < end < len(line):
            pieces += [line[done:place], f" {QUOTED} "]
            done = end + 1
    return "".join(pieces) + line[done:]


def says_something(sentence: str) -> bool:
    """Whether there is anything in it beside quotations and names."""
    return bool(words_in(sentence.replace(MEMBER, " ").replace(PLACE, " ")))
