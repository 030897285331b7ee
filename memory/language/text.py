"""Handles text as people type it: made safe to store, and folded so that two spellings of one word compare equal."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# Postgres' text holds no U+0000, and UTF-8 holds no surrogates.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

# Invisible, although Unicode does not call them format characters (Cf).
_FILLERS = frozenset(map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0)))
_VARIATION_SELECTORS = frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_ACCENTS = frozenset(map(chr, range(0x0300, 0x0370)))
_APOSTROPHES = dict.fromkeys("’ʼ‘`´＇", "'")
_SPACES = re.compile(r"\s{2,}+")


def repair(text: str) -> str:
    """Replace what cannot be stored by U+FFFD."""
    if text.isascii() and "\x00" not in text:
        return text  # nearly all that passes here
    return _UNSTORABLE.sub(REPLACEMENT, text)


def is_invisible(character: str) -> bool:
    """Say whether a reader does not see a character: zero-width, direction and others."""
    if character.isascii():
        return False
    return unicodedata.category(character) == "Cf" or character in _FILLERS or character in _VARIATION_SELECTORS


def is_word_character(character: str) -> bool:
    """Say whether a character belongs to words: letters, digits and their marks, in any script."""
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")


@dataclass(frozen=True, slots=True)
class Folded:
    """Holds text in a form made for comparing, and for each of its characters the place it has in the original."""

    original: str
    text: str
    origins: tuple[int, ...]

    def origin(self, index: int) -> int:
        return self.origins[index] if index < len(self.origins) else len(self.original)

    def origin_of_end(self, index: int) -> int:
        """Find the place just behind the character that ends at `index`, whatever follows it in the original."""
        return self.origins[index - 1] + 1 if index else 0

    def typed(self, start: int, end: int) -> str:
        """Give the original characters behind a stretch of the folded text."""
        return self.original[self.origin(start) : self.origin(end)] if start < end else ""


def fold_in_place(text: str, *, keep_accents: bool = False, at_most: int | None = None) -> Folded:
    """Fold a text: compatibility forms, case, unseen characters, repeated spaces and (unless kept) accents go.

    Characters are taken apart one by one, never put together, so that the way back to the original stays known.
    `at_most` ends the folded text early, for those who need only its beginning.
    """
    if at_most is None and text.isascii():
        return _with_single_spaces(text, text.lower().replace("`", "'"), range(len(text)))
    table = _WITH_ACCENTS if keep_accents else _WITHOUT_ACCENTS
    characters: list[str] = []
    origins: list[int] = []
    for index, code in enumerate(map(ord, text)):
        if at_most is not None and len(characters) >= at_most:
            break
        for part in table[code]:
            characters.append(part)
            origins.append(index)
    return _with_single_spaces(text, "".join(characters), origins)


def fold(text: str, *, keep_accents: bool = False) -> str:
    if text.isascii():
        return _SPACES.sub(_space, text.lower().replace("`", "'"))
    return _SPACES.sub(_space, text.translate(_WITH_ACCENTS if keep_accents else _WITHOUT_ACCENTS))


class _Folding(dict[int, str]):
    """Knows what each character is folded to, worked out when first met. It knows characters, and nobody's words."""

    def __init__(self, *, keep_accents: bool) -> None:
        self._keep_accents = keep_accents

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        if not self._keep_accents:
            folded = "".join(part for part in folded if part not in _ACCENTS)
        if len(self) >= _MOST_CHARACTERS:
            self.clear()
        self[code] = folded
        return folded


_MOST_CHARACTERS = 20_000
"""More than any text needs; somebody may go through all there are."""
_LONGEST_FORM = 8
"""Letters of a character that is taken apart: one is a phrase of eighteen, and would make a text that much longer."""
_WITH_ACCENTS, _WITHOUT_ACCENTS = _Folding(keep_accents=True), _Folding(keep_accents=False)


def _with_single_spaces(original: str, folded: str, origins: Sequence[int]) -> Folded:
    """Shorten runs of spaces, which a pattern could divide in many ways; what was typed is found as before."""
    pieces: list[str] = []
    kept: list[int] = []
    place = 0
    for run in _SPACES.finditer(folded):
        pieces += [folded[place : run.start()], _space(run)]
        kept += origins[place : run.start() + 1]
        place = run.end()
    return Folded(original, "".join(pieces) + folded[place:], (*kept, *origins[place:]))


def _space(run: re.Match[str]) -> str:
    return "\n" if "\n" in run.group() else " "


def _fold_character(character: str) -> str:
    if character.isascii():
        return "'" if character == "`" else character.lower()
    if is_invisible(character):
        return ""
    if character in _APOSTROPHES:
        return "'"
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return folded if len(folded) <= _LONGEST_FORM else character


@dataclass(frozen=True, slots=True)
class Word:
    """Holds a folded word and where it stands in the original text."""

    text: str
    start: int
    end: int


# An underscore parts words here, although it joins them in programming.
_WORD = re.compile(r"[^\W_]+")


def words_in(text: str) -> list[Word]:
    """List the words of a text, folded, in order."""
    folded = fold_in_place(text)
    return [
        Word(found.group(), folded.origin(found.start()), _end_in_original(folded, found.end()))
        for found in _WORD.finditer(folded.text)
    ]


def plain_words(text: str) -> list[str]:
    """List the words of a text, without where they stand."""
    return _WORD.findall(fold(text))


def _end_in_original(folded: Folded, end: int) -> int:
    """Find the place just behind the last character of a word; marks that were dropped behind it belong to it."""
    place = folded.origins[end - 1] + 1
    while place < len(folded.original) and unicodedata.category(folded.original[place]) == "Mn":
        place += 1
    return place


def shorten(text: str, limit: int) -> str:
    """Cut a text to `limit` characters at the end of a word, with an ellipsis where something is missing."""
    if len(text) <= limit:
        return text
    room = text[: limit - 1]
    if not text[limit - 1].isspace():
        cut = max(room.rfind(" "), room.rfind("\n"))
        # A single endless word has no end to cut at.
        room = room[:cut] if cut > limit // 2 else room
    return room.rstrip(" \n,;:.") + "…"


# What in a message is not the author's own voice: quoted lines, code, links.


FILLER = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for a hidden character: neither a space nor part of a word, so nothing is read across it."""

_BORROWED = re.compile(
    r"""
      ^[ \t]*>>>[ ].*\Z              # a quote down to the end
    | ^[ \t]*>[ ].*?$                # a quoted line
    | ```.*?(?:```|\Z)               # a code block, closed or not
    | (?P<ticks>`{1,2})(?!`).+?(?<!`)(?P=ticks)(?!`)   # code in a line
    | https?://[^\s<>]+              # a link
    """,
    re.VERBOSE | re.MULTILINE,
)
_TO_THE_END = re.compile(r"^[ \t]*>>>[ ].*\Z|```.*?(?:```|\Z)", re.MULTILINE | re.DOTALL)


def hide_borrowed(text: str) -> str:
    """Replace every borrowed character by `FILLER` in a text as long as before (line ends stay)."""
    if not any(sign in text for sign in ("`", "> ", "://")):
        return text
    hidden = _TO_THE_END.sub(_fill, text)
    return _BORROWED.sub(_fill, hidden)


def own_words(text: str) -> str:
    """Take what is borrowed out of a text."""
    return hide_borrowed(text).replace(FILLER, "").strip()


def _fill(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", FILLER, found.group())
