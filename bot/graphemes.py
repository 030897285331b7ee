"""Where a text may be cut without tearing apart what a reader sees as one character.

A working subset of Unicode's extended grapheme clusters (UAX #29) on the standard library: combining marks, joined
emoji, skin tones, flags, keycaps, tags, Hangul syllables, CR LF.
"""

import unicodedata

ZERO_WIDTH_JOINER = "\u200d"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_HANGUL_LEADING = range(0x1100, 0x1160)
_HANGUL_REST = range(0x1160, 0x1200)
_HANGUL_SYLLABLES = range(0xAC00, 0xD7A4)

LONGEST_CLUSTER = 64
"""A longer run of marks is an attack on the eye, not a character; it may be cut."""


def _extends(char: str) -> bool:
    """Whether `char` belongs to whatever stands before it."""
    if char == ZERO_WIDTH_JOINER:
        return True
    point = ord(char)
    return unicodedata.category(char) in ("Mn", "Me", "Mc") or point in _SKIN_TONES or point in _TAGS


def _flag_letters_before(text: str, index: int) -> int:
    start = index
    while start > 0 and ord(text[start - 1]) in _FLAG_LETTERS:
        start -= 1
    return index - start


def is_boundary(text: str, index: int) -> bool:
    """Whether `text` may be cut before `text[index]`."""
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if _extends(after):
        return False
    if before == ZERO_WIDTH_JOINER:
        return False
    if before == "\r" and after == "\n":
        return False
    if ord(after) in _FLAG_LETTERS:
        return _flag_letters_before(text, index) % 2 == 0
    if ord(after) in _HANGUL_REST:
        return not (ord(before) in _HANGUL_LEADING or ord(before) in _HANGUL_REST or ord(before) in _HANGUL_SYLLABLES)
    if ord(before) in _HANGUL_LEADING:
        return not (ord(after) in _HANGUL_LEADING or ord(after) in _HANGUL_SYLLABLES)
    return True


def last_boundary(text: str, at_most: int, after: int = 0) -> int:
    """The last place to cut in `text[after:at_most]`; `at_most` itself where a cluster is absurdly long."""
    for index in range(at_most, max(after, at_most - LONGEST_CLUSTER), -1):
        if is_boundary(text, index):
            return index
    return at_most
