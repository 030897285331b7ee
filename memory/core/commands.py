"""Reads what is wanted of us from words that are known to be for us, by the phrases of `verbs`."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from memory.core.for_everyone import without_the_word
from memory.core.language import Language, language_of, word_set
from memory.core.phrase_patterns import GAP, NOT_INSIDE_A_WORD, any_of, spelling
from memory.core.quoted import FILLER
from memory.core.text import Folded, fold
from memory.core.verbs import PHRASES, Phrases


class Intent(StrEnum):
    REMEMBER = "remember"
    FORGET = "forget"
    KNOWLEDGE = "knowledge"
    QUESTION = "question"
    CHATTER = "chatter"
    """A kind word that wants no more than a nod. The log holds it as a question: both are said to us."""


@dataclass(frozen=True, slots=True)
class Wish:
    """An intent, and the stretch of the folded text that holds what is said."""

    intent: Intent
    start: int
    end: int
    language: Language | None
    everywhere: bool = False
    """What is told may be known everywhere, not only where it is told."""


_TRAILING = " \t\n\r,;:!.…?¿¡"
_LONGEST_COURTESY = 80


def read_wish(folded: Folded, start: int, end: int) -> Wish | None:
    """What the words from `start` to `end` want, or None where no phrase is known: then it is a question."""
    text = folded.text[start:end]
    wishes = [wish for language in Language if (wish := _wish_in(language, folded, start, text)) is not None]
    if not wishes:
        return None
    # A few phrases are spelt alike in two languages ("mémorise que …"): whoever understands more of it is right.
    spoken = language_of(text)
    return min(wishes, key=lambda wish: (wish.end - wish.start, wish.language is not spoken))


def _wish_in(language: Language, folded: Folded, start: int, text: str) -> Wish | None:
    for intent, pattern in _patterns(language):
        found = pattern.match(text)
        if found is None:
            continue
        first, last, everywhere = _trim(text, found, language, intent)
        if intent is Intent.REMEMBER and _asks_for_a_memory(text, text[first:last], language):
            return None
        typed = folded.typed(start + first, start + last)
        if found.groupdict().get("who") is not None and not _sounds_like_a_person(typed, language):
            continue
        return Wish(intent, start + first, start + last, language, everywhere)
    return None


def is_chatter(text: str) -> bool:
    """Whether folded words that follow our name without a comma speak about us rather than to us.

    A question mark at the end makes them ours again: "Bot is Alice at home?".
    """
    if text.rstrip().endswith(("?", "؟")):
        return False
    if _GERMAN_QUESTION.match(text):
        return False
    return any(_chatter(language).match(text) for language in Language)


# English "was" speaks about us, German "was" asks us.
_GERMAN_QUESTION = re.compile(
    r"\s*was\s+(?:macht|machst|weiss|weisst|ist|sind|hat|hast|haben|sagt|sagst|kann|kannst|soll|will|willst|bist|meint|"
    r"meinst|war|waren|fur|gibt|geht|mag|magst|denkst|halt|haltst|bedeutet|heisst)\b"
)


def _trim(text: str, found: re.Match[str], language: Language, intent: Intent) -> tuple[int, int, bool]:
    """Takes courtesies, conjunction and loose punctuation off both ends of what is said, and the word that everyone
    may know it; whether that was there."""
    start, end = _hole(found)
    everywhere = found.groupdict().get("everywhere") is not None
    end = _without_courtesy(text, start, end, language)
    if intent is Intent.KNOWLEDGE or found["asking"] is not None:
        end = start + len(text[start:end].rstrip(_TRAILING))
    start = _past_courtesy(text, start, end, language)
    if intent is Intent.REMEMBER:
        start, end, said_so = without_the_word(text, start, end, language)
        if said_so:
            everywhere = True
            end = _without_courtesy(text, start, end, language)
            start = _past_courtesy(text, start, end, language)
    if intent is not Intent.KNOWLEDGE:
        conjunction = _conjunction(language).match(text, start, end)
        if conjunction is not None and conjunction.end() < end:
            start = conjunction.end()
    # Marks alone, as in "remember!", say nothing.
    return (start, end if text[start:end].strip(_TRAILING) else start, everywhere)


def _without_courtesy(text: str, start: int, end: int, language: Language) -> int:
    ending = _trailing_courtesy(language).search(text, max(start, end - _LONGEST_COURTESY), end)
    return end if ending is None else ending.start()


def _past_courtesy(text: str, start: int, end: int, language: Language) -> int:
    lead = _leading(language).match(text, start, end)
    return start if lead is None else lead.end()


def _hole(found: re.Match[str]) -> tuple[int, int]:
    names = [name for name, value in found.groupdict().items() if name.startswith("body") and value is not None]
    return found.span(names[0])


def _asks_for_a_memory(text: str, said: str, language: Language) -> bool:
    """ "Remember when we met?" wants to hear something; it does not tell us anything."""
    first = re.match(r"\w+", said)
    if first is None:
        return False
    if language is Language.EN and first.group() == "when":
        return True
    interrogatives = {fold(word) for word in PHRASES[language].interrogatives}
    return text.rstrip().endswith("?") and first.group() in interrogatives


_LOOSE_ENDS = word_set(
    "it that this there here online right wrong next the a an in on at going coming he she they you to das da der die"
    " es hier dran du là ça le la un une il elle aquí ahí el una esto este там здесь тут это ты он она они"
)
_MENTION_OR_HANDLE = re.compile(r"<@!?\d+>|@\S")


def _sounds_like_a_person(typed: str, language: Language) -> bool:
    """Behind "who is": a mention, oneself, one word that could be a name, or up to three with capitals."""
    if _MENTION_OR_HANDLE.match(typed):
        return True
    words = typed.split()
    if not 1 <= len(words) <= 3 or FILLER in typed:
        return False
    asking = {fold(word) for word in PHRASES[language].interrogatives}
    if any(fold(word) in _LOOSE_ENDS or fold(word) in asking for word in words):
        return False
    return len(words) == 1 or all(word[0].isupper() for word in words)


@cache
def _patterns(language: Language) -> tuple[tuple[Intent, re.Pattern[str]], ...]:
    """Knowledge first; then remembering, whose "don't forget" must not be read as forgetting."""
    phrases = PHRASES[language]
    return (
        (Intent.KNOWLEDGE, _pattern(phrases, phrases.knowledge, ())),
        (Intent.KNOWLEDGE, _pattern(phrases, phrases.who_is, (), group="who")),
        (Intent.REMEMBER, _pattern(phrases, phrases.remember, phrases.remember_asked, everywhere=phrases.everywhere)),
        (Intent.FORGET, _pattern(phrases, phrases.forget, phrases.forget_asked)),
    )


def _pattern(
    phrases: Phrases,
    plain: tuple[str, ...],
    asked: tuple[str, ...],
    group: str = "plain",
    everywhere: tuple[str, ...] = (),
) -> re.Pattern[str]:
    courtesy = rf"(?:{any_of(phrases.greetings + phrases.polite)}{NOT_INSIDE_A_WORD}{GAP})*"
    polite = rf"(?:{any_of(phrases.polite)}{NOT_INSIDE_A_WORD}{GAP})*"
    ways = [rf"(?P<{group}>{_ways(plain, 'body_plain')})"]
    if asked:
        asking = rf"(?P<asking>{any_of(phrases.asking)}){NOT_INSIDE_A_WORD}{GAP}{polite}"
        if everywhere:  # "kannst du dir überall merken, dass …"
            asking += rf"(?:(?P<everywhere>{any_of(everywhere)}){NOT_INSIDE_A_WORD}{GAP}{polite})?"
        ways.insert(0, asking + _ways(asked, "body_asked"))
    else:
        ways.append(r"(?P<asking>(?!))(?P<body_asked>)")
    return re.compile(rf"{GAP}[¿¡]?{courtesy}(?:{'|'.join(ways)})", re.DOTALL)


def _ways(templates: tuple[str, ...], group: str) -> str:
    """All phrases of one kind, the longest first; those with a hole before those without."""
    around = [template for template in templates if "…" in template]
    ahead = [template for template in templates if "…" not in template]
    ways = []
    for number, template in enumerate(sorted(around, key=len, reverse=True)):
        before, after = (spelling(part.strip()) for part in template.split("…"))
        opening = rf"{before}\s+" if before else ""
        ways.append(rf"{opening}(?P<{group}{number}>\S.*?)\s+{after}[\s.!?]*$")
    ways.append(rf"(?:{any_of(tuple(ahead))}){NOT_INSIDE_A_WORD}(?P<{group}>.*)$")
    return f"(?:{'|'.join(ways)})"


@cache
def _leading(language: Language) -> re.Pattern[str]:
    return re.compile(rf"{GAP}(?:{any_of(PHRASES[language].polite)}{NOT_INSIDE_A_WORD}{GAP})*")


@cache
def _trailing_courtesy(language: Language) -> re.Pattern[str]:
    courteous = tuple(word for word in PHRASES[language].polite if word not in _NOT_AT_THE_END)
    return re.compile(rf"(?:^|[\s,;.!]+){any_of(courteous)}[\s.!?]*$")


# Courtesies in the middle, but part of what is said at its end: "dass Alice nicht mehr raucht, jetzt".
_NOT_AT_THE_END = frozenset(
    ("mal", "doch", "noch", "auch", "jetzt", "bien", "aussi", "también", "себе", "ещё", "тоже", "for me", "für mich",
     "pour moi", "para mí", "для меня")
)  # fmt: skip


@cache
def _conjunction(language: Language) -> re.Pattern[str]:
    words = sorted(PHRASES[language].conjunctions, key=len, reverse=True)
    elided = [re.escape(fold(word)) for word in words if word.endswith("'")]
    whole = [spelling(word) + r"(?=[\s,:])" for word in words if not word.endswith("'")]
    return re.compile(rf"(?:{'|'.join(whole + elided)}){GAP}")


@cache
def _chatter(language: Language) -> re.Pattern[str]:
    return re.compile(rf"\s+{any_of(PHRASES[language].chatter)}(?![\w'])")
