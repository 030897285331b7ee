"""Knows the five languages Innkeeper converses in: their small words, how to tell them apart, and stems of words."""

import re
from collections.abc import Sequence
from enum import StrEnum

from Stemmer import Stemmer

from memory.language.text import fold


class Language(StrEnum):
    EN = "en"
    DE = "de"
    FR = "fr"
    ES = "es"
    RU = "ru"


def word_set(words: str) -> frozenset[str]:
    """List the words of a line, folded as `fold` does, so that they can be looked up."""
    return frozenset(fold(words).split())


# Words that carry no topic: they tell the language, and are left out when topics are compared.
STOP_WORDS: dict[Language, frozenset[str]] = {
    Language.EN: word_set(
        "a about above after again against all also am an and any are aren as at be because been before being below"
        " between both but by can cannot could couldn did didn do does doesn doing don down during each ever few for"
        " from further had has hasn have haven having he her here hers herself him himself his how i if in into is isn"
        " it its itself just let ll m may me might more most must my myself no nor not now of off on once one only or"
        " other our ours ourselves out over own please re really s same shall she should so some such t tell than that"
        " the their theirs them themselves then there these they this those through to too under until up us ve very"
        " was wasn we were what when where which while who whom whose why will with won would yes you your yours"
        " yourself yourselves"
    ),
    Language.DE: word_set(
        "aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes anders auch auf aus"
        " bei beim bin bis bist bitte da damit dann das dass dein deine deinem deinen deiner dem den denn der des"
        " dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer"
        " eines einige einigen einmal er es etwas euch euer eure euren für gegen gibt hab habe haben hat hatte hatten"
        " hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in ins ist ja jede jedem jeden jeder jedes jetzt"
        " kann kannst kein keine keinem keinen keiner können mal man mein meine meinem meinen meiner meines mich mir"
        " mit muss nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seines seit"
        " selbst sich sie sind so soll sollte sondern sonst über um und uns unser unter vom von vor wann war waren"
        " warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden wie wieder wieso will wir"
        " wird wo wollen wollte zu zum zur zwar zwischen"
    ),
    Language.FR: word_set(
        "ai alors as au aucun aura aurait auront aussi autre aux avaient avais avait avec avez avoir avons ayant c ça"
        " ce cela ces cet cette ceux chez comme comment d dans de des donc dont du elle elles en encore est et étaient"
        " était être eu eux faire fait furent fut il ils j je l la le les leur leurs lui m ma mais me même mes moi mon"
        " n ne nos notre nous on ont ou où par pas peu peut plus pour pourquoi qu quand que quel quelle quelles quels"
        " qui quoi sa sans se sera serait seront ses si soient soit sommes son sont suis sur t ta te tes toi ton tous"
        " tout toute très tu un une va vos votre vous y"
    ),
    Language.ES: word_set(
        "a al algo alguien algunas algunos ante antes aquí así aún bien cada como cómo con contra cual cuál cuando"
        " cuándo cuánto de del desde donde dónde dos durante el él ella ellas ellos en entre era eran eras eres es esa"
        " esas ese eso esos esta está estaba estaban estamos están estar estas este esto estos estoy estuvo fue fueron"
        " fui ha había han has hasta hay haya he hemos hubo la las le les lo los más me mi mí mis mucho muy nada ni no"
        " nos nosotras nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque"
        " qué que quién quien quienes se sea sean ser si sí sin sobre somos son soy su sus suya suyo también tan tanto"
        " te tenemos tengo ti tiene tienen tienes todo todos tu tú tus tuvo un una unas uno unos usted y ya yo"
    ),
    Language.RU: word_set(
        "а без более больше будет бы был была были было быть в вам вас ведь весь во вот все всегда всего всех вы где"
        " да даже для до его ее её ей ему если есть еще ещё же за зачем здесь и из или им их к как какая какие какой ко"
        " когда кого кому конечно кто куда ли лучше между меня мне много моё может можно мой мои моя мы на над надо нас"
        " не него нее ней нельзя нет ни нибудь ним них но ну о об обо он она они оно опять от перед по под пока после"
        " потом потому почему почти при про раз с сам свою себе себя сейчас со совсем так такой там тебе тебя теперь то"
        " тогда того тоже той только том тот тут ты у уже хоть чего чем через что чтоб чтобы чьё чья эта эти это этого"
        " этой этом этот эту я"
    ),
}

ALL_STOP_WORDS: frozenset[str] = frozenset().union(*STOP_WORDS.values())

# Words of short questions that only one of them has, though some are topics ("what happened yesterday?").
_ALSO_TELLING = {
    Language.EN: word_set("yesterday today tomorrow many much old since likes lives eats drinks works said says"),
    Language.DE: word_set(
        "gestern heute morgen lange oft viel viele wieviel wieviele isst trinkt wohnt mag magst heißt macht machst"
        " weißt kennt arbeitet"
    ),
    Language.FR: word_set("combien depuis aujourd hui demain lequel laquelle mange boit habite aime travaille"),
    Language.ES: word_set(
        "cuánta cuántas cuántos ayer hoy mañana años quiénes cuáles bebe vive gusta gustan trabaja pasó pasada"
    ),
}
# An apostrophe leaves these behind in French as well ("s'appelle").
_TELLING_WORDS = STOP_WORDS | {Language.EN: STOP_WORDS[Language.EN] - word_set("s t m")}

# Small words of languages that we do not speak, also those that they share with one of ours: whoever has more of them
# than of any of ours speaks one of these.
_FOREIGN = {
    "it": word_set(
        "che chi cosa quando dove perché quanto quale quali il lo la le gli i un uno una di del della dei delle da dal"
        " in nel nella con su sul per tra e è ed o ma se mi ti ci si vi me te lui lei noi voi loro mio mia tuo tua suo"
        " sua sono sei siamo ha ho hai hanno questo questa quello piace oggi ieri domani molto anche più a al alla"
        " grazie sai"
    ),
    "pt": word_set(
        "que quem qual quando onde porque como quanto o a os as um uma de do da dos das em no na nos nas por para e é"
        " ou mas se não me te lhe nós ele ela eles você vocês meu minha teu tua seu sua sou és são está estou tem tenho"
        " foi isso este esta esse gosta gosto hoje ontem amanhã muito também mais ao à já sobre obrigado obrigada sabe"
    ),
    "nl": word_set(
        "wat wie waar wanneer waarom hoe welke de het een en of maar niet geen van voor op aan in uit bij naar om te"
        " dat die deze er ik jij je u hij zij ze wij we jullie mij me mijn jouw zijn haar ons hun is ben bent was"
        " heeft heb hebt hebben kan wil moet ook nog wel over vandaag gisteren morgen veel graag houdt woont weet"
    ),
    "pl": word_set(
        "co kto gdzie kiedy dlaczego jak który jaki i w z na do od nie tak jest są był była się to ten ta te że ale czy"
        " ja ty on ona my wy oni mnie mi mój moja twój jego jej o po dla za przez przy już jeszcze bardzo też lubi"
        " mieszka dzisiaj wczoraj jutro"
    ),
    "sv": word_set(
        "vad vem när varför hur vilken och eller men inte jag du han hon vi ni de mig dig min din sin är har hade kan"
        " vill ska som att det den en ett på i av för med till från om också mycket idag igår imorgon bor gillar hva"
        " hvem hvor hvornår ikke jeg er og af til"
    ),
    "tr": word_set(
        "ne kim nerede nasıl neden hangi bu şu o ve ile için ama değil var yok mi mı mu mü ben sen biz siz onlar benim"
        " senin bir çok da de gibi daha bugün dün yarın seviyor"
    ),
}


def _votes() -> dict[str, tuple[tuple[str, int], ...]]:
    votes: dict[str, dict[str, int]] = {}
    for words_of, weight in ((_TELLING_WORDS, 1), (_ALSO_TELLING, 2), (_FOREIGN, 1)):
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
_OF_OURS = re.compile("[a-zа-яё]")


def is_cyrillic(word: str) -> bool:
    """Say by its first letter whether a word is Cyrillic."""
    return _CYRILLIC.match(word) is not None


def language_of(text: str, guess: Language | None = None) -> Language | None:
    """Find the language of most small words; `guess`, or None, where they do not decide or speak none of ours.

    A guess is given up only for a language with two more of them: one word may look like another's ("im tired").
    """
    words = _LETTERS.findall(fold(text))
    if not words:
        return guess
    if sum(map(is_cyrillic, words)) * 2 > len(words):
        return Language.RU
    votes = _counted(words, text)
    ranked = sorted(((votes[language], language) for language in Language), reverse=True)
    (most, best), (second, _) = ranked[0], ranked[1]
    if guess is not None and most - votes[guess] < 2:
        return guess
    return best if most > second and most >= max(votes.values()) else guess


def is_foreign(text: str) -> bool:
    """Say whether the words speak a language that is none of ours."""
    words = _LETTERS.findall(fold(text))
    if sum(_OF_OURS.match(word) is None for word in words) * 2 > len(words):
        return True
    votes = _counted(words, text)
    return max(votes.values()) > max(votes[language] for language in Language)


def _counted(words: Sequence[str], text: str) -> dict[str, int]:
    votes: dict[str, int] = dict.fromkeys((*Language, *_FOREIGN), 0)
    for word in words:
        for language, weight in _VOTES.get(word, ()):
            votes[language] += weight
    # No other of our languages has this word.
    votes[Language.EN] += 2 * ("i" in words)
    written = frozenset(text.lower())
    for language, signs in _SIGNS.items():
        votes[language] += not signs.isdisjoint(written)
    return votes


# Without a cache of their own: it would keep people's words, and nobody could empty it. A call takes a microsecond, and
# keeps the interpreter's lock, so threads may share them.
_STEMMERS = {
    Language.EN: Stemmer("english", 0),
    Language.DE: Stemmer("german", 0),
    Language.FR: Stemmer("french", 0),
    Language.ES: Stemmer("spanish", 0),
    Language.RU: Stemmer("russian", 0),
}


def stem_in(language: Language, word: str) -> str:
    """Find what a folded word's forms share in a language, by the Snowball algorithm that PostgreSQL has too."""
    stem: str = _STEMMERS[language].stemWord(word)
    return stem
