"""The words by which a question tells what kind of answer it wants, in the five languages; folded."""

import re
from enum import StrEnum

from memory.core.language import Language, word_set
from memory.core.text import fold


class Want(StrEnum):
    """What an answer has to hold."""

    TIME = "time"
    PLACE = "place"


def _asks(phrases: str) -> re.Pattern[str]:
    """Any of the phrases, which stand between commas, at the beginning of a word."""
    written = "|".join(re.escape(fold(phrase.strip())).replace(r"\ ", r"\s+") for phrase in phrases.split(","))
    return re.compile(rf"\b(?:{written})\b")


ASKS: dict[Want, re.Pattern[str]] = {
    Want.TIME: _asks(
        "when, what date, what day, what year, what month, what time, which year, which month, which day, how long,"
        " since when, how long ago, wann, wie lange, seit wann, an welchem tag, in welchem jahr, in welchem monat,"
        " quand, depuis quand, combien de temps, quel jour, quelle année, quelle date, cuándo, desde cuándo,"
        " cuánto tiempo, qué día, en qué año, когда, сколько времени, как долго, с каких пор, в каком году,"
        " какого числа, в какой день"
    ),
    Want.PLACE: _asks(
        "where, which city, which country, which countries, which state, which place, which places, which town,"
        " what city, what country, what place, what places, wo, wohin, woher, in welcher stadt, in welchem land, où,"
        " quelle ville, quel pays, dónde, adónde, qué ciudad, qué país, где, куда, откуда, в каком городе,"
        " в какой стране"
    ),
}

ASKS_WHO = _asks("who, whose, wer, qui, quién, quiénes, кто")
"""Whoever is named then is not the one who spoke."""

LATEST = _asks(
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
