"""What in a message is not the author's own voice: quoted lines, code, links."""

import re

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
    """The text, as long as before, with every borrowed character replaced by `FILLER` (line ends stay)."""
    if not any(sign in text for sign in ("`", "> ", "://")):
        return text
    hidden = _TO_THE_END.sub(_fill, text)
    return _BORROWED.sub(_fill, hidden)


def own_words(text: str) -> str:
    """The text without what is borrowed."""
    return hide_borrowed(text).replace(FILLER, "").strip()


def _fill(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", FILLER, found.group())
