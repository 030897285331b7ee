"""Reads what is said to us only to be kind, or to get to know us: thanks, a greeting, praise, "what can you do?".

It wants a word of ours, and no answer. Small and careful: a sentence counts only if there is nothing else in it.
Whoever says more says something.
"""

import re
from enum import StrEnum

from memory.commands.grammar import (
    behind_courtesies,
    behind_wish,
    is_wish,
    opens_with,
    reminds_other,
    wants_nothing_kept,
)
from memory.commands.phrases import PHRASES, in_plain_spelling
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


_ORDERS = frozenset((Kindness.NOTHING_KEPT, Kindness.REMINDERS, Kindness.REMIND_OTHER))
_LAUGHTER = re.compile(r"(?:[hj][ae]){2,}+[hj]?|a?(?:ha){2,}+h?|lo+l|l+mf?a+o+|rofl|xd|mdr|ptdr|а?(?:ха){2,}+х?|лол")
_ASIDE = word_set(
    "please pls plz bitte s'il te plaît svp stp por favor пожалуйста hey hi hallo ok okay bot eigentlich eig denn"
    " exactly actually au fait en fait exactamente вообще here today lately hier heute alles ici aujourd'hui aquí hoy"
    " здесь тут сегодня so then all of alle tous todos все"
)


def _spelt(text: str) -> list[str]:
    return [in_plain_spelling(word) for word in plain_words(text)]


def _without_asides(text: str) -> str:
    return " ".join(word for word in _spelt(text) if word not in _ASIDE)


# Of words that two of them have, the first is meant: "merci" is French before it is German.
_LANGUAGES = (Language.EN, Language.FR, Language.DE, Language.ES, Language.RU)
_KINDS = (Kindness.THANKS, Kindness.FAREWELL, Kindness.GREETING, Kindness.OTHER)
_KIND = {language: {kind: frozenset(map(fold, PHRASES[language][kind])) for kind in _KINDS} for language in _LANGUAGES}
_KNOWN = {
    language: frozenset(map(fold, PHRASES[language]["beside"])).union(*kinds.values())
    for language, kinds in _KIND.items()
}
_WHOLE = {
    _without_asides(sentence): (kindness, language)
    for language in _LANGUAGES
    for kindness in (Kindness.REMINDERS, Kindness.MISSED, Kindness.HELP)
    for sentence in PHRASES[language][kindness]
}


def wanted_in(text: str) -> tuple[Kindness, Language] | None:
    """Find what a sentence wants that no answer is needed for, and in which language: help, what was missed, or what we
    do by leaving it, leave to a command or do not do."""
    folded = fold(text)
    if (language := wants_nothing_kept(folded)) is not None:
        return Kindness.NOTHING_KEPT, language
    if len(text) <= LONGEST_CALL:
        parts = [part for part in _SENTENCES.findall(folded) if words_in(part)]
        wanted = [_WHOLE.get(_without_asides(part[behind_wish(part) :])) for part in parts]
        if wanted and None not in wanted:
            return wanted[0]
    language = reminds_other(text)
    return None if language is None else (Kindness.REMIND_OTHER, language)


def order_in(text: str) -> tuple[Kindness, Language] | None:
    """Find an order in a sentence: to remember nothing, or reminders of one's own or of somebody else."""
    wanted = wanted_in(text)
    return wanted if wanted is not None and wanted[0] in _ORDERS else None


def chatter_in(text: str, guess: Language | None = None) -> Language | None:
    """Find the language of a sentence that wants a word of ours and no answer: one that is nothing but kind, or that is
    wanted as `wanted_in` says; `guess`, where it is in several. None for any other question."""
    if (wanted := wanted_in(text)) is not None:
        return wanted[1]
    spoken = _kindly_spoken(text)
    return guess if guess in spoken else next(iter(spoken), None)


def is_kind(text: str) -> bool:
    """Say whether a sentence holds kind words and nothing else; laughter alone may be about anybody."""
    is_laughter = all(map(_LAUGHTER.fullmatch, _spelt(text[:LONGEST_CALL])))
    return not is_laughter and bool(_kindly_spoken(text)) and wanted_in(text) is None


def _kindly_spoken(text: str) -> list[Language]:
    """List the languages in which a sentence is nothing but kind words."""
    words = _spelt(text) if "?" not in text else []
    if len(words) > MOST_WORDS:
        return []
    return [one for one in _LANGUAGES if _kind_in(words, one) is not None and _is_covered(words, one)]


def kindness_of(text: str, language: Language) -> Kindness:
    """Say what a sentence that is known to be chatter is for, as far as its words tell."""
    if (wanted := wanted_in(text)) is not None:
        return wanted[0]
    words = _spelt(text)
    kinds = (_kind_in(words, one) for one in (language, *Language))
    return next((kind for kind in kinds if kind is not None), Kindness.OTHER)


def _kind_in(words: list[str], language: Language) -> Kindness | None:
    """Find the first kind that any of the words is of."""
    spoken = next((kind for kind, known in _KIND[language].items() if not known.isdisjoint(words)), None)
    return spoken or (Kindness.OTHER if any(map(_LAUGHTER.fullmatch, words)) else None)


def _is_covered(words: list[str], language: Language) -> bool:
    return all(word in _KNOWN[language] or _LAUGHTER.fullmatch(word) for word in words)


# Whether a sentence is a question by its form alone, in five languages. Careful: in doubt it is not.


_TAG = re.compile(r",\s*+\w++(?:\s++\w++)?+\s*+\?++$")


def asks_by_form(sentence: str) -> bool:
    """Say whether an own sentence is a question by its form alone, in each of its parts."""
    parts = [part.strip() for part in _SENTENCES.findall(fold(sentence)) if words_in(part)]
    return bool(parts) and all(_is_question(part) for part in parts)


def _is_question(part: str) -> bool:
    if opens_with(part, "tell") is not None:
        return True
    if is_wish(part):  # "could you …?" may want anything
        return False
    opens = opens_with(part, "questions") is not None
    if part.endswith("?"):
        return opens or not _TAG.search(part)  # "My sister is called Mira, ok?" tells something
    return opens and "," not in part[behind_courtesies(part) :]


LONGEST_QUESTION = 300
"""Characters. Whoever says more tells something with it."""
_ANYBODY = word_set("anyone anybody someone somebody jemand irgendwer irgendjemand quelqu alguien нибудь")


def asks_the_same(text: str, question: str) -> bool:
    """Say whether a text only asks what a question asks, and holds no answer: "who brings the cards on Friday?" is none
    to "who brings the cards?", but "is the quiz on Friday?" is one to "when is the quiz?"."""
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
    """List the questions of a text in which nothing but kind words stands beside them; none, if it says more."""
    if len(text) > LONGEST_QUESTION:
        return []
    parts = [part.strip() for part in _SENTENCES.findall(fold(text)) if words_in(part)]
    asked = [part for part in parts if _is_question(part) or not _ANYBODY.isdisjoint(plain_words(part)[:2])]
    beside = [_spelt(part) for part in parts if part not in asked] if asked else []
    return asked if all(any(_is_covered(words, one) for one in Language) for words in beside) else []


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
    """Keep the person's own words, with marks where they quoted, mentioned somebody or named a channel."""
    own = _BORROWED.sub(f" {QUOTED} ", hide_borrowed(body))
    own = "\n".join(map(_without_quotations, own.split("\n")))
    own = _CHANNEL.sub(PLACE, _MENTION.sub(MEMBER, own))
    return " ".join(_TOKEN.sub(" ", own).split())


def _without_quotations(line: str) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in quotations_in(line):
        pieces += [line[done:start], f" {QUOTED} "]
        done = end
    return "".join(pieces) + line[done:]


def quotations_in(text: str) -> list[tuple[int, int]]:
    """Find what stands in quotation marks. Where each closes is looked for once, however many are opened."""
    found: list[tuple[int, int]] = []
    done = 0
    nearest: dict[str, int] = {}
    for place, character in enumerate(text):
        if place < done or character not in _CLOSED_BY:
            continue
        for closing in _CLOSED_BY[character]:
            if nearest.get(closing, 0) <= place:
                closed = text.find(closing, place + 1)
                nearest[closing] = len(text) if closed < 0 else closed
        end = min(nearest[closing] for closing in _CLOSED_BY[character])
        if place + 1 < end < len(text):
            found.append((place, end + 1))
            done = end + 1
    return found


def says_something(sentence: str) -> bool:
    """Say whether a sentence holds anything beside quotations and names."""
    return bool(words_in(sentence.replace(MEMBER, " ").replace(PLACE, " ")))
