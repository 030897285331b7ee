"""The sentences of a message, as people type them: with and without punctuation, in any script.

A line ends a sentence; so do full stops and their like, where they are not part of an abbreviation, a number, a link,
code or a bracket. In doubt two sentences stay together: one that is cut says something else. Emoji and smileys behind
a sentence belong to it.
"""

import re
import unicodedata
from dataclasses import dataclass

import regex

from memory.core.extract.abbreviations import ABBREVIATIONS, BEFORE_ORDINALS, MAY_END_A_SENTENCE
from memory.core.quoted import FILLER, hide_borrowed
from memory.core.recall.calendar_words import MONTHS
from memory.core.text import fold

# These end a sentence whatever follows; scripts that have them put no space behind.
_HARD = "。！？｡．︒"
_SOFT = ".!?…؟۔।॥።՞‼⁇⁈⁉‽"
_ENDS = re.compile(rf"[{_HARD}{_SOFT}]+|[”»](?=\s+[“«])")
_CLOSERS = "\"'”’»›)]}」』】）〉》*_~|"
_QUOTES = "\"'”’»›」』"
_SMILEY = re.compile(r"[:;=8xX][-'^]?[)(\]\[DPpOo3/\\|*]+(?!\w)|\^\^|<3+|[xX]D+(?!\w)")
_EMOJI_NAME = re.compile(r"<a?:\w{2,32}:\d+>|:\w{2,32}:")
_LINES = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_LIST_MARK = re.compile(r"\s*(?:[-*+•‣◦▪–—]\s+|\(?\d{1,2}[.)]\s+|\[[ xX]?\]\s+|#{1,3}\s+|-#\s+)+")
_TOKEN = re.compile(r"(?<![\w.])[\w.]++$")
_WRAPPED_FROM = 60
"""A line this long that goes on in small letters was broken by a program, not by its author."""
_LOOK = 40
_BRACKETED = 600
"""Characters that are looked at around a mark, so that no text can make the work grow faster than itself."""
_VOWELS = frozenset("aeiouyаеёиоуыэюя")
_ZWJ = "\u200d"
_EXTENDS = regex.compile(r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]")


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    """In one line, without the mark of a list."""
    start: int
    end: int
    """Where it stands in the message."""


def sentences_of(text: str) -> list[Sentence]:
    hidden = hide_borrowed(text)
    found: list[Sentence] = []
    for first, last in _paragraphs(text):
        start = first
        for end in _ends_in(text, hidden, first, last):
            found += _sentence(text, start, end)
            start = end
        found += _sentence(text, start, last)
    return found


def extends(character: str) -> bool:
    """Whether it is seen as one with what stands before it: accents, skin tones, variants, joiners."""
    return not character.isascii() and _EXTENDS.match(character) is not None


def _sentence(text: str, start: int, end: int) -> list[Sentence]:
    """One or none: nothing but space is no sentence."""
    mark = _LIST_MARK.match(text, start, end)
    if mark is not None and not _is_joined(text, mark.end()):
        start = mark.end()
    while start < end and text[start].isspace() and not _is_joined(text, start + 1):
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    words = " ".join(text[start:end].split())
    return [Sentence(words, start, end)] if words else []


def _is_joined(text: str, place: int) -> bool:
    """Whether a cut here would take a character apart."""
    return place < len(text) and extends(text[place])


def _paragraphs(text: str) -> list[tuple[int, int]]:
    """Where the lines begin and end; those that a program broke are put together again."""
    lines: list[tuple[int, int]] = []
    start = 0
    for line_end in _LINES.finditer(text):
        if not _is_joined(text, line_end.end()):
            lines.append((start, line_end.start()))
            start = line_end.end()
    lines.append((start, len(text)))
    joined = [lines[0]]
    for first, last in lines[1:]:
        before = joined[-1]
        if _goes_on(text[before[0] : before[1]], text[first:last]):
            joined[-1] = (before[0], last)
        else:
            joined.append((first, last))
    return joined


def _goes_on(line: str, following: str) -> bool:
    is_open = bool(line) and line.rstrip()[-1:].isalnum()
    return is_open and len(line) - max(line.rfind("\n"), 0) >= _WRAPPED_FROM and following[:1].islower()


def _ends_in(text: str, hidden: str, first: int, last: int) -> list[int]:
    """Where sentences end before the end of the paragraph."""
    ends: list[int] = []
    start = first
    for mark in _ENDS.finditer(text, first, last):
        if mark.start() < start or hidden[mark.end() - 1 : mark.end() + 1] == FILLER * 2:
            continue
        behind = _behind(text, mark.end(), last)
        if behind >= last:
            break
        # A link takes the full stop behind it for a part of itself.
        is_end = text[behind].isspace() if hidden[mark.end() - 1] == FILLER else _is_end(text, mark, behind, start)
        if not is_end or _is_in_brackets(text, start, behind, last):
            continue
        behind = _with_emoji(text, behind, last)
        if behind < last:
            ends.append(behind)
            start = behind
    return ends


def _behind(text: str, place: int, last: int) -> int:
    """Behind the closing marks, and behind whatever is one character with them."""
    while place < last:
        if extends(text[place]):
            place += 2 if text[place] == _ZWJ and place + 1 < last else 1
        elif text[place] in _CLOSERS:
            place += 1
        else:
            break
    return place


def _is_end(text: str, mark: re.Match[str], behind: int, start: int) -> bool:
    if mark.group()[-1] in _HARD + "”»":
        return True
    ahead = text[behind : behind + _LOOK].lstrip()
    following = ahead[:1]
    if not text[behind].isspace() or _is_joined(text, behind + 1):
        # "3.5", "main.py", "what?!no"; but an emoji may follow at once.
        return _is_emoji(text[behind])
    closers = text[mark.end() : behind]
    if any(quote in closers for quote in _QUOTES) and following.islower():
        return False
    if mark.group() == ".":
        return not _is_abbreviated(text[max(start, mark.start() - _LOOK) : mark.start()], ahead)
    if mark.group().startswith(("..", "…")) and mark.group().strip(".…") == "":
        return not following.islower()
    return True


def _is_abbreviated(before: str, following: str) -> bool:
    found = _TOKEN.search(before)
    if found is None:
        return False
    word = fold(found.group()).strip(".")
    if word.isdigit():
        return _is_ordinal(word, before[: found.start()], following)
    if word in MAY_END_A_SENTENCE:
        return not following[:1].isupper()
    if word in ABBREVIATIONS:
        return True
    if len(word) == 1:
        return word != "i" and word.isalpha() and following[:1].isupper()
    letters = [letter for letter in word if letter.isalpha()]
    is_spoken = not letters or not _VOWELS.isdisjoint(letters) or any(letter > "ӿ" for letter in letters)
    return not is_spoken and len(word) <= 5 and following[:1].islower()


def _is_ordinal(number: str, before: str, following: str) -> bool:
    if len(number) > 2:
        return False
    word = re.match(r"\w+", following)
    if word is None or word.group()[0].islower() or fold(word.group()) in MONTHS:
        return word is not None
    words = fold(before).split()
    return bool(words) and words[-1] in BEFORE_ORDINALS


def _is_in_brackets(text: str, start: int, place: int, last: int) -> bool:
    said = _SMILEY.sub("", text[max(start, place - _BRACKETED) : place])
    ahead = text[place : min(last, place + _BRACKETED)]
    return any(
        said.count(opening) > said.count(closing) and closing in ahead
        for opening, closing in ("()", "[]", "“”", "«»", "「」", "（）")
    )


def _with_emoji(text: str, place: int, last: int) -> int:
    """Behind the emoji and smileys that follow."""
    while True:
        here = place
        while here < last and text[here].isspace():
            here += 1
        found = _EMOJI_NAME.match(text, here, last) or _SMILEY.match(text, here, last)
        if found is not None:
            here = found.end()
        elif here < last and _is_emoji(text[here]):
            while here < last and (_is_emoji(text[here]) or extends(text[here])):
                here += 1
        else:
            return place
        place = _behind(text, here, last)


def _is_emoji(character: str) -> bool:
    return character > "\u203b" and unicodedata.category(character) in ("So", "Sk")
