"""The five languages Innkeeper converses in, and how to tell them by the small words nobody can do without."""

import re
from enum import StrEnum

from memory.core.text import fold


class Language(StrEnum):
    EN = "en"
    DE = "de"
    FR = "fr"
    ES = "es"
    RU = "ru"


def word_set(words: str) -> frozenset[str]:
    """The words of a line, folded as `fold` does, so that they can be looked up."""
    return frozenset(fold(words).split())


# Words that carry no topic: they tell the language, and are left out when topics are compared.
STOP_WORDS: dict[Language, frozenset[str]] = {
    Language.EN: word_set(
        "a about after again all also am an and any are aren as at be because been before being between both but by"
        " can cannot could couldn did didn do does doesn doing don down during each ever few for from further had has"
        " hasn have haven having he her here hers him his how i if in into is isn it its itself just let ll m may me"
        " might more most must my myself no nor not now of off on once one only or other our ours out over own please"
        " re really s same shall she should so some such t tell than that the their them then there these they this"
        " those through to too under until up us ve very was wasn we were what when where which while who whom whose"
        " why will with won would yes you your yours"
    ),
    Language.DE: word_set(
        "aber alle als also am an auch auf aus bei beim bin bis bist bitte da damit dann das dass dein deine dem den"
        " denn der des dich die dies diese dieser dieses dir doch dort du durch ein eine einem einen einer eines er es"
        " etwas euch euer für gegen gibt hab habe haben hat hatte hier ich ihm ihn ihr im in ist ja jede jeder jetzt"
        " kann kannst kein keine können man mal mein meine meinen meiner mich mir mit muss nach nicht nichts noch nun"
        " nur ob oder ohne schon sehr sein seine seit sich sie sind so über um und uns unser unter vom von vor wann"
        " war waren warum was weil welche welcher wem wen wenn wer werden wie wieso will wir wird wo zu zum zur"
    ),
    Language.FR: word_set(
        "ai alors as au aucun aussi autre aux avec avez avoir avons c ce cela ces cet cette ceux chez comme comment d"
        " dans de des donc dont du elle elles en encore est et étaient était être eu fait faire il ils j je l la le"
        " les leur leurs lui m ma mais me même mes moi mon n ne nos notre nous on ont ou où par pas peu peut plus pour"
        " pourquoi qu quand que quel quelle quels quelles qui quoi sa sans se sera ses si son sont suis sur t ta te"
        " tes toi ton tous tout toute très tu un une va vos votre vous y ça"
    ),
    Language.ES: word_set(
        "a al algo alguien antes aquí así aún bien cada como cómo con contra cual cuál cuando cuándo cuánto de del"
        " desde donde dónde dos el él ella ellas ellos en entre era eres es esa ese eso esta está estaba están estas"
        " este esto estos fue ha había han has hasta hay he la las le les lo los más me mi mí mis mucho muy nada ni no"
        " nos nosotros o os otra otro para pero poco por porque qué que quién quien se sea ser si sí sin sobre son soy"
        " su sus también tan tanto te tiene tienen todo todos tu tú tus un una unas uno unos usted y ya yo"
    ),
    Language.RU: word_set(
        "а без более был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее её если"
        " есть еще ещё же за здесь и из или им их к как какая какие какой ко когда кого кому кто куда ли лучше между"
        " меня мне много может можно мой моя моё мои мы на над надо нас не него нее ней нет ни них но ну о об обо он"
        " она они оно от по под пока после потом потому почему при про раз с сам сейчас со так там тебя тебе то тогда"
        " того тоже той только том тот ты у уже хоть чего чем что чтобы чья чьё эта эти это этого этой этот я"
    ),
}

ALL_STOP_WORDS: frozenset[str] = frozenset().union(*STOP_WORDS.values())

# Words of short questions that only one of them has, though some are topics ("what happened yesterday?").
_ALSO_TELLING = {
    Language.EN: word_set("yesterday today tomorrow many much old since"),
    Language.DE: word_set("gestern heute morgen lange oft viel viele wieviel wieviele"),
    Language.FR: word_set("combien depuis aujourd hui demain lequel laquelle"),
    Language.ES: word_set("cuánta cuántas cuántos ayer hoy mañana años quiénes cuáles"),
}
# An apostrophe leaves these behind in French as well ("s'appelle").
_TELLING_WORDS = STOP_WORDS | {Language.EN: STOP_WORDS[Language.EN] - word_set("s t m")}


def _votes() -> dict[str, tuple[tuple[Language, int], ...]]:
    votes: dict[str, dict[Language, int]] = {}
    for words_of, weight in ((_TELLING_WORDS, 1), (_ALSO_TELLING, 2)):
        for language, words in words_of.items():
            for word in words:
                spoken = votes.setdefault(word, {})
                spoken[language] = spoken.get(language, 0) + weight
    return {word: tuple(spoken.items()) for word, spoken in votes.items()}


_VOTES = _votes()

_SIGNS = {Language.DE: frozenset("äöüß"), Language.FR: frozenset("âçèêîôùûœ"), Language.ES: frozenset("ñ¿¡")}
"""They are in names as well, so all of them together count as one word."""
_LETTERS = re.compile(r"[^\W\d_]+")
_CYRILLIC = re.compile("[а-яё]")


def language_of(text: str, guess: Language | None = None) -> Language | None:
    """The language most of the small words speak; `guess`, or None, where they do not decide.

    A guess is given up only for a language with two more of them: one word may look like another's ("im tired").
    """
    words = _LETTERS.findall(fold(text))
    if not words:
        return guess
    if sum(bool(_CYRILLIC.match(word)) for word in words) * 2 > len(words):
        return Language.RU
    votes = dict.fromkeys(Language, 0)
    for word in words:
        for language, weight in _VOTES.get(word, ()):
            votes[language] += weight
    # No other of the languages has this word.
    votes[Language.EN] += 2 * ("i" in words)
    written = frozenset(text.lower())
    for language, signs in _SIGNS.items():
        votes[language] += not signs.isdisjoint(written)
    ranked = sorted(votes.items(), key=lambda vote: vote[1], reverse=True)
    (best, most), (_, second) = ranked[0], ranked[1]
    if guess is not None and most - votes[guess] < 2:
        return guess
    return best if most > second else guess
