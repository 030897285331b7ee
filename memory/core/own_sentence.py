"""A person's own words in what they said to us.

Nothing that somebody else wrote is theirs: quoted lines, code, links, what stands in quotation marks, and the names
behind mentions.
"""

import re

from memory.core.quoted import FILLER, hide_borrowed
from memory.core.text import words_in

QUOTED = "[…]"
"""Stands where something was quoted."""
MEMBER, PLACE = "@member", "#channel"

_IN_MARKS = re.compile(r"\"[^\"\n]+\"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»|»[^«\n]+«|‹[^›\n]+›")
_BORROWED = re.compile(rf"{FILLER}[{FILLER}\s]*")
_MENTION = re.compile(r"<@!?\d+>|<@&\d+>")
_CHANNEL = re.compile(r"<#\d+>|<id:\w+>")
_TOKEN = re.compile(r"<a?:\w+:\d+>|<t:-?\d+(?::\w)?>|</[^>\n]+:\d+>")


def own_sentence(body: str) -> str:
    """The person's own words, with marks where they quoted, mentioned somebody or named a channel."""
    own = _BORROWED.sub(f" {QUOTED} ", hide_borrowed(body))
    own = _IN_MARKS.sub(f" {QUOTED} ", own)
    own = _CHANNEL.sub(PLACE, _MENTION.sub(MEMBER, own))
    return " ".join(_TOKEN.sub(" ", own).split())


def says_something(sentence: str) -> bool:
    """Whether there is anything in it beside quotations and names."""
    return bool(words_in(sentence.replace(MEMBER, " ").replace(PLACE, " ")))
