"""Finds the sentences of a message, as people type them: with and without punctuation, in any script.

A line ends a sentence; so do full stops and their like, where they are not part of an abbreviation, a number, a link,
code or a bracket. In doubt two sentences stay together: one that is cut says something else.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import regex

from memory.language.dates import MONTHS
from memory.language.detect import word_set
from memory.language.text import FILLER, fold, hide_borrowed, plain_words

# Words that end with a full stop without ending a sentence, in the five languages; folded, without the last stop.


ABBREVIATIONS = word_set(
    # English
    "mr mrs ms dr prof sr jr st vs e.g i.e eg ie approx no nos vol fig ch pp ed dept est ext incl min max temp tel"
    " gen sgt capt lt col rev hon gov ave blvd aka cf viz"
    # German
    " z.b z.t d.h u.a o.a u.u i.d.r s.o s.u m.e bzw ca evtl ggf inkl exkl nr str vgl bzgl sog abs art bd geb gest hr fr"
    " hrsg jh kap mio mrd mind max o.k s.g tgl urspr usw u.s.w v.a ver zz zzgl z.zt"
    # French
    " m mm mme mmes mlle p.ex env av bd chap cf n.b p.s s.v.p tél art éd"
    # Spanish
    " sra srta sres d da ud uds vd p.ej ej núm pág págs av avda aprox c.f ee.uu"
    # Russian
    " т.е т.к т.н т.о т.ч напр др пр г гг ул им кв стр рис см ср руб коп тыс млн млрд проф акад св гл"
)

MAY_END_A_SENTENCE = word_set(
    "etc usw u.s.w etcetera co inc ltd corp gmbh a.m p.m am pm no nos ok o.k т.д т.п др пр г гг руб ud uds ee.uu"
)
"""These do both: what follows decides."""

BEFORE_ORDINALS = word_set("am zum der die das dem den im vom beim ab bis jeder jede jedes unser mein sein ihr ihren")
"""German writes "zum 3. Mal": behind these, a number with a full stop counts."""

# These end a sentence whatever follows; scripts that have them put no space behind.
_HARD = "。！？｡．︒"
_SOFT = ".!?…؟۔।॥።՞‼⁇⁈⁉‽"
_ENDS = re.compile(rf"[{_HARD}{_SOFT}]+|[”»](?=\s+[“«])")
_CLOSERS = "\"'”’»›)]}」』】）〉》*_~|"
_QUOTES = "\"'”’»›」』"
_SMILEY = re.compile(r"(?:[:;=xX][-'^]?|8[-'^])[)(\]\[DPpOo3/\\|*]+(?!\w)|\^\^|<3+|[xX]D+(?!\w)")
"""An eight alone has no eyes: "[8]" cites a line, and "(until 8)" is a time."""
_LINES = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_LIST_MARK = re.compile(r"\s*(?:[-*+•‣◦▪–—]\s+|\(?\d{1,2}[.)]\s+|\[[ xX]?\]\s+|#{1,3}\s+|-#\s+)+")
_TOKEN = re.compile(r"(?<![\w.])[\w.]++$")
_LOOK = 40
_BRACKETED = 600
"""Characters that are looked at around a mark, so that no text can make the work grow faster than itself."""
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


def sentences_around(span: str, text: str) -> str | None:
    """Find the whole sentences around a span, word for word; None where it is nowhere in the author's own voice.

    White space aside nothing is forgiven, and what is borrowed (quotes, code, links) is no part of a sentence.
    """
    sentences = [one.text for one in sentences_of(hide_borrowed(text))]
    wanted = " ".join(span.split())
    start = " ".join(sentences).find(wanted)
    if not wanted or start < 0:
        return None
    around: list[str] = []
    place = 0
    for one in sentences:
        if place < start + len(wanted) and start < place + len(one):
            around.append(one)
        place += len(one) + 1
    whole = " ".join(around)
    return None if FILLER in whole else whole


def extends(character: str) -> bool:
    """Say whether a character is seen as one with what stands before it: accents, skin tones, variants, joiners."""
    return not character.isascii() and _EXTENDS.match(character) is not None


def _sentence(text: str, start: int, end: int) -> list[Sentence]:
    """Make a sentence, or none: nothing but space is no sentence."""
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
    """Say whether a cut here would take a character apart."""
    return place < len(text) and extends(text[place])


def _paragraphs(text: str) -> list[tuple[int, int]]:
    """Find where the lines begin and end."""
    lines: list[tuple[int, int]] = []
    start = 0
    for line_end in _LINES.finditer(text):
        if not _is_joined(text, line_end.end()):
            lines.append((start, line_end.start()))
            start = line_end.end()
    return [*lines, (start, len(text))]


def _ends_in(text: str, hidden: str, first: int, last: int) -> list[int]:
    """Find where sentences end before the end of the paragraph."""
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
        ends.append(behind)
        start = behind
    return ends


def _behind(text: str, place: int, last: int) -> int:
    """Find the place behind the closing marks, and behind whatever is one character with them."""
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
        return False  # "3.5", "main.py", "what?!no"
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
    if word.replace(".", "").isdigit():
        return _is_ordinal(word, before[: found.start()], following)
    if word in MAY_END_A_SENTENCE:
        return not following[:1].isupper()
    if word in ABBREVIATIONS or (word.endswith("str") and following[:1].isdigit()):
        return True  # "Habsburgerstr. 19" as well
    return len(word) == 1 and word != "i" and word.isalpha() and following[:1].isupper()


def _is_ordinal(number: str, before: str, following: str) -> bool:
    """Say whether a number is an ordinal: "am 3. Mai", "on 10.10. at noon", not "come at 8. Bring snacks"."""
    if any(len(part) > 2 for part in number.split(".")):
        return False
    word = re.match(r"\w+", following)
    if word is None or word.group()[0].islower() or fold(word.group()) in MONTHS:
        return word is not None
    return bool(words := fold(before).split()) and words[-1] in BEFORE_ORDINALS


def _is_in_brackets(text: str, start: int, place: int, last: int) -> bool:
    said = _SMILEY.sub("", text[max(start, place - _BRACKETED) : place])
    ahead = text[place : min(last, place + _BRACKETED)]
    return any(
        said.count(opening) > said.count(closing) and closing in ahead
        for opening, closing in ("()", "[]", "“”", "«»", "「」", "（）")
    )


# Puts texts together sentence by sentence: none is cut, and none is said twice.


class Joined:
    """Grows a text by whole sentences as long as there is room."""

    def __init__(self, limit: int, said: Iterable[str] = ()) -> None:
        """`said` are sentences that stand elsewhere already."""
        self._room = limit
        self._sentences: list[str] = []
        self._said = {_key(sentence) for sentence in said}

    def add(self, sentence: str, beside: int = 0) -> bool:
        """Add a sentence; False if it does not fit or is said already. `beside` it so many characters are needed."""
        cost = len(sentence) + beside + (1 if self._sentences else 0)
        key = _key(sentence)
        if cost > self._room or key in self._said:
            return False
        self._said.add(key)
        self._sentences.append(sentence)
        self._room -= cost
        return True

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(self._sentences)

    @property
    def text(self) -> str:
        return " ".join(self._sentences)


def in_turns(texts: Sequence[str], limit: int) -> str:
    """Take each text's first sentence, then each one's second, while they fit; in the order of the texts."""
    apart = [[sentence.text for sentence in sentences_of(text)] for text in texts]
    joined = Joined(limit)
    taken: set[tuple[int, int]] = set()
    for rank, row in enumerate(zip_longest(*apart)):
        taken |= {(place, rank) for place, sentence in enumerate(row) if sentence is not None and joined.add(sentence)}
    return " ".join(apart[place][rank] for place, rank in sorted(taken))


def _key(sentence: str) -> str:
    """Make a key that sentences of the same words share, whatever their case and punctuation."""
    return " ".join(plain_words(sentence)) or sentence
