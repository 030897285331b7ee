"""Lists the words by which a question tells what kind of answer it wants, in the five languages; folded."""

import re
from collections.abc import Collection, Iterable, Set
from enum import StrEnum
from typing import NamedTuple

from memory.language.dates import AGO, LAST, MONTHS, NUMBERS, UNITS, WEEKDAYS, WEEKEND
from memory.language.detect import Language, word_set
from memory.language.stems import stem, words_of
from memory.language.text import fold


class Want(StrEnum):
    """Names what an answer has to hold."""

    TIME = "time"
    PLACE = "place"
    NUMBER = "number"
    AGE = "age"
    PERSON = "person"


def asks(phrases: str) -> re.Pattern[str]:
    """Match any of the phrases, which stand between commas, at the beginning of a word."""
    written = "|".join(re.escape(fold(phrase.strip())).replace(r"\ ", r"\s+") for phrase in phrases.split(","))
    return re.compile(rf"\b(?:{written})\b")


ASKS: dict[Want, re.Pattern[str]] = {
    Want.TIME: asks(
        "when, what date, what day, what year, what month, what time, which year, which month, which day, how long,"
        " since when, how long ago, wann, wie lange, seit wann, an welchem tag, in welchem jahr, in welchem monat,"
        " quand, depuis quand, combien de temps, quel jour, quelle année, quelle date, cuándo, desde cuándo,"
        " cuánto tiempo, qué día, en qué año, когда, сколько времени, как долго, с каких пор, в каком году,"
        " какого числа, в какой день"
    ),
    Want.PLACE: asks(
        "where, which city, which country, which countries, which state, which place, which places, which town,"
        " what city, what country, what place, what places, wo, wohin, woher, in welcher stadt, in welchem land, où,"
        " quelle ville, quel pays, dónde, adónde, qué ciudad, qué país, где, куда, откуда, в каком городе,"
        " в какой стране"
    ),
    Want.NUMBER: asks(
        "how many, how much, how often, how far, how tall, how big, how high, what number, wie viel, wie viele,"
        " wieviel, wieviele, wie oft, wie weit, wie hoch, wie groß, combien, quel nombre, cuánto, cuánta, cuántos,"
        " cuántas, сколько, как часто, как далеко"
    ),
    Want.AGE: asks("how old, what age, wie alt, quel âge, cuántos años, qué edad, сколько лет, какого возраста"),
}

ASKS_WHO = asks("who, whose, wer, qui, quién, quiénes, кто")
"""Whoever is named then is not the one who spoke."""
AGE_WORDS = word_set("old age alt âge años edad лет возраста")
"""Of a question for an age: what says the age says these, and nothing else does."""

LATEST = asks(
    "last time, most recently, most recent, latest, the last time, zuletzt, letzte mal, letztes mal, das letzte mal,"
    " la dernière fois, dernière fois, dernièrement, la última vez, última vez, últimamente, последний раз,"
    " в последний раз"
)


SAYING = word_set(
    "say says said saying tell tells told telling mention mentions mentioned talk talks talked talking write writes"
    " wrote written ask asks asked speak speaks spoke discuss discussed remember recall"
    " sagen sagt sagte sagten gesagt erzählt erzählen erzählte erwähnt erwähnte schrieb schreiben geschrieben reden"
    " geredet redeten sprachen gesprochen gefragt erinnerst"
    " dit dire disait disent raconté raconte parlé parle parler parlait mentionné écrit écrire demandé rappelles"
    " dijo dice decir dicho dijeron contó cuenta hablamos habló hablado hablar mencionó escribió preguntó recuerdas"
    " сказал сказала сказали говорил говорила говорили говорит рассказал рассказала упоминал упомянул упомянула"
    " писал писала написал написала спросил спросила помнишь обсуждали"
)
"""Verbs of speech carry no topic: what was said is what is looked for."""

ABOUT = word_set("about of regarding concerning über von sur propos sobre acerca о об обо про")
TO = word_set("to with zu zum zur mit an à avec a con к ко с со")
TELLING = word_set("tell tells told telling ask asks asked raconté demandé erzählt gefragt contó preguntó")
"""Verbs whose object is the one who listens."""

SCAFFOLD: dict[Language | None, frozenset[str]] = {
    None: word_set("s d t ll re ve"),
    Language.EN: word_set("kind kinds type types sort thing things ever many much anyone anybody somebody someone"),
    Language.DE: word_set("art arten sorte ding dinge jemals jemand irgendwer viele viel mal"),
    Language.FR: word_set("a as sorte sortes type chose choses jamais quelqu quelqu'un combien fois est-ce"),
    Language.ES: word_set("tipo tipos clase cosa cosas alguna alguien cuantos cuantas vez"),
    Language.RU: word_set("вид виды тип вещь вещи когда-нибудь кто-то сколько раз"),
}
"""Words of the question itself, which nobody says in the answer."""

NOT_AS_SPEAKER = word_set("me mich mir moi m меня мне мной мною conmigo")
""" "Tell me": the asker listens here."""


def wants_of(question: str) -> frozenset[Want]:
    """Find what the answer to a folded question has to hold."""
    wants = [want for want, asks in ASKS.items() if asks.search(question)]
    return frozenset([*wants, Want.PERSON] if ASKS_WHO.match(question.lstrip(" ¿")) else wants)


def asks_for(want: Want, text: str) -> bool:
    """Say whether a folded text asks anywhere for what is wanted."""
    return (ASKS_WHO if want is Want.PERSON else ASKS[want]).search(text) is not None


# What a message looks like, whatever it is about: does it ask, does it name a time, a place, a number or a person?


# "May" and "an" are other words far more often than they are times; a day alone says little.
_TIMES = (
    frozenset(MONTHS)
    | frozenset(WEEKDAYS)
    | frozenset(UNITS)
    | LAST
    | AGO
    | WEEKEND
    | word_set(
        "today tonight heute hoy сегодня yesterday gestern ayer anoche вчера vorgestern anteayer позавчера"
        " next tomorrow since recently now morning nächste nächsten morgen seit kürzlich neulich jetzt demain prochain"
        " prochaine depuis récemment maintenant mañana próximo próxima desde recientemente ahora завтра следующий"
        " следующей недавно сейчас"
    )
) - word_set("may an mars mai hier day days tag dia jour con dec jan")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PLACES = word_set(
    "here place park house home city town country beach studio cafe restaurant shop store museum hier haus stadt land"
    " strand laden ici maison ville pays plage magasin aquí casa ciudad país playa tienda здесь дом город страна пляж"
)
_INTO_A_NAME = re.compile(
    r"\b(?:in|at|to|near|from|nach|aus|bei|à|au|en|chez|a|de|в|на|из|от)\s+"
    r"(?:(?:the|a|my|der|die|das|dem|la|le|el|los)\s+)?[A-ZÀ-ÖØ-ÞА-Я][\w'-]+"
)
_AT_A_THING = re.compile(
    r"\b(?:in|on|at|under|behind|inside|beside|near) (?:the|my|your|our|his|her|their) (?!morning|evening|afternoon"
    r"|night|end|week|month|year|moment|way)\w"
    r"|\b(?:im|(?:in|auf|unter|hinter|neben) (?:der|dem|meine[mr]|unsere[mr])) (?!letzten|moment|jahr|sommer)\w"
    r"|\b(?:dans|sous|derriere|sur|chez) (?!le moment|la journee)\w"
    r"|\b(?:debajo|detras|encima|dentro) de|\b(?:en|sobre) (?:el|la|los|las|mi|su|tu) (?!ano|mes|noche|tarde)\w"
    r"|\b(?:в|на|под|за|у|возле|около) \w{4}"
)
""" "In the flour", "behind the stove": where something is that has no name."""
_CLAUSES = re.compile(r"[,.;:!?\n]")
_NUMBERS = frozenset(word for word, number in NUMBERS.items() if number > 1) | word_set(
    "couple hundred thousand dozen hundert tausend dutzend cent mille douzaine cien mil docena сто тысяча"
)
_DIGITS = re.compile(r"(?<!<@)(?<!<#)(?<!\d)\d{1,9}(?!\d)")
_AGED = re.compile(
    r"(?<![\d.,])(?<!y a )(?<!hace )\d{1,3}[\s-]*(?:years?[\s-]old|y/?o|jahre alt|ans|anos|лет|года?)\b"
    r"(?!\s+(?:ago|назад))"
    r"|\b(?:turn(?:s|ed|ing)?|aged|cumpl\w{1,4}|исполнилось)\s+\d{1,3}\b"
    r"|\b(?:am|i'?m|is|he's|she's|wird|wurde|werde|bin|ist)\s+\d{1,3}(?=\s*(?:[.!?,;)]|$|now|today|years|jahre))"
    r"|\b(?:born|geboren|nee? (?:en|le)|naci|nacio|родил(?:ся|ась))\b"
)
""" "He is 34", "turned 30", "born in 1990"; "the old one" tells no age, and "30 years ago" neither."""
_OF_THE_SPEAKER = word_set("i me my ich mich mir mein je j moi mon ma yo mi я мне меня моя")
_NAME = re.compile(r"<@!?\d+>|(?<![.!?…:]\s)(?<!^)(?<![\w“\"'(])[A-ZÀ-ÖØ-ÞА-Я][a-zß-öø-ÿа-я]+")
_ASKING = ("?", "？", "؟")
_NOTHING: frozenset[Want] = frozenset()


class Signs(NamedTuple):
    words: frozenset[str]
    """Folded, small ones too."""
    asks: bool
    tells: frozenset[Want]
    """What is wanted, as far as it is there."""


_TELLS: dict[Want, tuple[frozenset[str], re.Pattern[str]]] = {
    Want.TIME: (_TIMES, _YEAR),
    Want.PLACE: (_PLACES, _INTO_A_NAME),
    Want.NUMBER: (_NUMBERS, _DIGITS),
    Want.PERSON: (_OF_THE_SPEAKER, _NAME),
}
"""By a word, or by how it is written: a person by name or mention, or it is whoever says so."""


def signs_of(text: str, wants: Collection[Want], about: Set[str] = frozenset()) -> Signs:
    """Find signs of what is wanted in a text, and of nothing else, `about` such words."""
    words = frozenset(words_of(text))
    tells = frozenset([want for want in wants if _tells(want, text, words, about)]) if wants else _NOTHING
    return Signs(words, text.rstrip().endswith(_ASKING), tells)


def _tells(want: Want, text: str, words: frozenset[str], about: Set[str]) -> bool:
    if want is Want.AGE:
        return _AGED.search(fold(text)) is not None
    known, written = _TELLS[want]
    is_told = not words.isdisjoint(known) or written.search(text) is not None
    return is_told or (want is Want.PLACE and _tells_place(fold(text), words, about))


def _tells_place(folded: str, words: frozenset[str], about: Set[str]) -> bool:
    """Say whether a message tells where something is: "the key, I walked in the rain" does not."""
    if words.isdisjoint(about):
        return _AT_A_THING.search(folded) is not None
    beside = (clause for clause in _CLAUSES.split(folded) if not about.isdisjoint(words_of(clause)))
    return any(_AT_A_THING.search(clause) for clause in beside)


# What people tell and ask of each other most, as the five languages say it: "live", "wohnt" and "живёт" mean alike.
# Only for comparing a question with what was told in another language, where no word of it may be the same.


_MEANINGS = tuple(
    frozenset(stem(word) for word in word_set(words))
    for words in (
        "live lives living home reside wohne wohnst wohnt wohnen lebe lebt zuhause habite habites habiter vis vit"
        " vivo vives vive vivir живу живешь живет живут жить проживает moved moving umgezogen gezogen déménagé emménagé"
        " mudé mudó mudado переехал переехала wohnte gewohnt lebte habitait vivait vivía жил жила жили",
        "work works working job profession arbeite arbeitest arbeitet arbeiten beruf travaille travailler métier"
        " boulot trabajo trabajas trabaja trabajar empleo работаю работаешь работает работать работа профессия",
        "old age alt alter jahre âge ans años edad лет год года возраст",
        "birthday born geburtstag geboren anniversaire né née cumpleaños nací nació nacido рождения родился родилась",
        "eat eats eating food esse isst essen gegessen mange manges manger comer comida comes ем ешь ест едят еда",
        "drink drinks drinking trinke trinkst trinkt trinken bois boit boire bebo bebes bebe beber пью пьешь пьет пить",
        "name named called heiße heißt heißen nom prénom appelle appelles llamo llamas llama nombre зовут имя",
        "speak speaks language languages spreche spricht sprache sprachen parle parler langue langues hablo habla"
        " idioma idiomas говорю говорит язык языки языке",
        "dog dogs hund hunde chien chiens perro perros perra собака собаки собаку",
        "cat cats katze katzen kater chat chats gato gatos gata кот кошка кошки кошку",
        "sister sisters schwester schwestern sœur sœurs hermana hermanas сестра сестры сестру",
        "brother brothers bruder brüder frère frères hermano hermanos брат брата братья",
        "mother mum mom mutter mama mère maman mamá мать мама",
        "father dad vater papa père padre papá отец папа",
        "child children kid kids son daughter kind kinder sohn tochter enfant enfants fils fille hijo hijos hija"
        " ребенок дети сын дочь",
        "wife husband partner married frau mann verheiratet femme mari marié mariée esposa esposo marido casado casada"
        " жена муж женат замужем",
        "car drive drives auto fahre fährt voiture conduis conduit coche carro conduzco conduce машина вожу водит",
        "play plays playing spiele spielst spielt spielen joue joues jouer juego juegas juega jugar играю играешь"
        " играет",
        "study studies studying studiere studiert studieren étudie étudier estudio estudia estudiar учусь учится",
        "allergic allergy allergies allergisch allergie allergique alérgico alérgica alergia аллергия аллергик",
    )
)


def meanings_of(topics: Iterable[str]) -> frozenset[int]:
    """Find which of them these stems speak of; a number means nothing by itself."""
    spoken = frozenset(topics)
    return frozenset(number for number, words in enumerate(_MEANINGS) if not words.isdisjoint(spoken))
