"""Makes people's words safe to stand inside ours: they ping nobody and cannot break out of their quotation marks."""

import html
import re
from collections.abc import Callable

from memory.language.text import is_invisible, shorten

_KEPT = re.compile(r"(https?://[^\s<>]+|<@!?\d+>|<#\d+>|<a?:\w+:\d+>)")
_ROLE = re.compile(r"<@&\d+>")
_CALLED = re.compile(r"<@[&!]?\d+>")
_CALL = re.compile(r"@(everyone|here)", re.IGNORECASE)
_MARKUP = re.compile(r"([\\`*\[\]]|~~|\|\||__|(?<!\w)_|_(?!\w))")


def one_line(text: str, limit: int) -> str:
    """Somebody's words as one line of ours, shortened at the end of a word."""
    calm = _ROLE.sub("@role", " ".join(_without(text, _turns_direction).split()))
    # A zero-width space keeps the look and takes the effect.
    calm = _CALL.sub("@\u200b\\1", calm).replace("“", '"').replace("”", '"')
    kept = _KEPT.split(shorten(calm, limit))
    return "".join(part if number % 2 else _MARKUP.sub(r"\\\1", part) for number, part in enumerate(kept))


def as_data(text: str, limit: int) -> str:
    """Somebody's words as data of a prompt: one line, nothing hidden, no tag, no attribute that ends early."""
    return html.escape(shorten(" ".join(_without(text, _hides).split()), limit))


def calm(text: str) -> str:
    """A model's words: they call nobody, hide nothing and turn nothing around; their lines and markup stay."""
    visible = _without(html.unescape(text), _hides)
    return _CALL.sub("@\u200b\\1", _CALLED.sub("@…", visible)).strip()


def _without(text: str, is_unwanted: Callable[[str], bool]) -> str:
    """A text has many characters and few different ones: each of these is judged once, and plain ones not at all."""
    others = () if text.isascii() else (character for character in set(text) if character > "\x7f")
    unwanted = [character for character in others if is_unwanted(character)]
    return text.translate(dict.fromkeys(map(ord, unwanted))) if unwanted else text


def _hides(character: str) -> bool:
    """Unseen, and not one of those that join letters and emoji."""
    return is_invisible(character) and character not in "\u200c\u200d\ufe0e\ufe0f"


def _turns_direction(character: str) -> bool:
    """Characters that would turn the rest of our line around."""
    return is_invisible(character) and character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
