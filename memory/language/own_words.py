"""Keeps what people say of themselves in their own words, and compares it with what is said in the third person.

"I like pizza" told by 7 is kept as “I like pizza” – <@7>. Facts of older versions, those that a model words and those
that others tell say "<@7> likes pizza" instead: `statement_key` is the same for both.
"""

import re
from typing import NamedTuple

from memory.language.detect import Language, language_of, word_set
from memory.language.stems import stem
from memory.language.text import fold, plain_words
from memory.language.word_caches import word_cache

# Who "I" is depends on who speaks. "Mía" and "mío" are left out: folded they look like names.
FIRST_PERSON: dict[Language, frozenset[str]] = {
    Language.EN: word_set("i me my mine myself im ive"),
    Language.DE: word_set("ich mich mir mein meine meinen meinem meiner meines"),
    Language.FR: word_set("je j moi me m mon ma mes"),
    Language.ES: word_set("yo me mi mis conmigo"),
    Language.RU: word_set("я меня мне мной мною мой моя мое мои моего моей моих моему моим моими моем мою"),
}
ANY_FIRST_PERSON = frozenset().union(*FIRST_PERSON.values()) - word_set("im ive m j mi mis mes ma mon mine")
"""Safe in whatever language: "im", "ma" or "mi" are something else elsewhere."""
_WE_AND_YOU: dict[Language, frozenset[str]] = {
    Language.EN: word_set("we us our ours ourselves you your yours yourself youre u ur"),
    Language.DE: word_set(
        "wir uns unser unsere unseren unserem unserer du dich dir dein deine deinen deinem deiner euch euer eure"
    ),
    Language.FR: word_set("nous notre nos tu toi te ton ta tes vous votre vos"),
    Language.ES: word_set("nosotros nosotras nos nuestro nuestra nuestros nuestras tu ti tus contigo usted"),
    Language.RU: word_set(
        "мы нас нам нами наш наша наше наши ты тебя тебе твой твоя твоё твои вы вас вам ваш ваша ваши"
    ),
}
_I_BY_VERB = word_set(
    "soy estoy tengo vivo trabajo prefiero odio hablo necesito juego toco nací llamo"
    " люблю живу работаю учусь играю ненавижу обожаю предпочитаю"
)
"""Spanish and Russian may leave "I" to the verb that opens a sentence."""
_BEFORE_THE_VERB = word_set("no nunca siempre también ya me не никогда всегда очень")

_KEPT = re.compile(r"[“\"](?P<words>.+)[”\"] – (?P<speaker><@\d{1,20}>)\.?", re.DOTALL)
_KEPT_BEFORE = re.compile(r"(?P<speaker><@\d{1,20}>) (?:says|sagt|dit|dice|говорит) ?: “(?P<words>.+)”\.?", re.DOTALL)
"""As versions up to 1.0.0 kept them."""


class OwnWords(NamedTuple):
    words: str
    speaker: str
    """As a mention."""


def in_own_words(words: str, speaker_id: int) -> str:
    """Put down words as they were said, with who said them."""
    inner = re.sub("[“”]", '"', words.strip())
    return f"“{inner}” – <@{speaker_id}>"


def own_words_in(text: str) -> OwnWords | None:
    """Take a statement in somebody's own words apart; None for any other."""
    found = _KEPT.fullmatch(text) or _KEPT_BEFORE.fullmatch(text)
    return None if found is None else OwnWords(found["words"], found["speaker"])


def words_alone(text: str) -> str:
    """Take off who said it, as whoever edits their own words sees them."""
    own = own_words_in(text)
    return text if own is None else own.words


def speaks_in_person(text: str, guess: Language | None = None) -> bool:
    """Tell whether a text says "I", "we" or "you", so that it would be untrue without its speaker."""
    spoken = language_of(text, guess)
    of_person = FIRST_PERSON[spoken] | _WE_AND_YOU[spoken] if spoken else ANY_FIRST_PERSON
    return not (of_person | ANY_FIRST_PERSON).isdisjoint(plain_words(text)) or opens_with_own_verb(text)


def opens_with_own_verb(text: str) -> bool:
    """Tell whether a sentence begins with a verb that stands for "I" as well: "vivo en Madrid"."""
    words = [word for word in plain_words(text)[:3] if word not in _BEFORE_THE_VERB]
    return bool(words) and words[0] in _I_BY_VERB


# What is the same in the first person and in the third.


_FIRST = re.compile(
    r"(?<![\w'’])(?:(?:i|ich|yo|я|my|mine|mein\w{0,2}|mi|mis|mon|ma|mes|мо[йяиёе]|me|mich|mir|меня|мне)(?!\w)|je\b|j(?=['’]))",
    re.IGNORECASE,
)
_OF_PERSONS = (
    frozenset().union(*FIRST_PERSON.values())
    | word_set("they them their theirs themself he him his she her hers er sie ihn ihm ihr ihre sein seine sich")
    | word_set("il elle lui se s son sa ses su sus le les он она его ее ей ему свой своя своё свои")
    | word_set("am is are ve has have haves do does t bin ist hab habe hat suis est ai a an soy es estoy esta tengo")
)
"""What changes, or goes, with the person who speaks."""
_FORMS = dict(
    pair.split(":")
    for pair in fold(
        "don:not doesn:not haven:not hasn:not dont:not doesnt:not havent:not hasnt:not goes:go owns:own"
        " isst:esse spricht:spreche va:vais vit:vis tiene:tengo quiere:quiero juega:juego"
        " живёт:живу хочет:хочу ест:ем пьёт:пью любит:люблю"
    ).split()
)
"""The most common verbs whose forms share no stem: of another, and of oneself."""


def with_speaker(text: str) -> str:
    """Put the speaker into their own words where they say "I": "<@7> like pizza". Only for comparing."""
    own = own_words_in(text)
    if own is None:
        return text
    said, times = _FIRST.subn(own.speaker, own.words, count=1)
    return said if times else f"{own.speaker} {said}"


@word_cache(20_000)
def statement_key(text: str) -> str:
    """Make a key that statements of the same words share, whatever their case and punctuation, in the first person and
    in the third."""
    words = plain_words(with_speaker(text).replace("’s ", " ").replace("'s ", " "))
    return " ".join(_form(word) for word in words if word not in _OF_PERSONS) or " ".join(words)


def _form(word: str) -> str:
    plain = stem(_FORMS.get(word, word))
    return plain[:-1] if len(plain) > 3 and plain.endswith(("t", "e")) else plain
