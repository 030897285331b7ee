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

_CLOSED_BY = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "‹": "›"}
_BORROWED = re.compile(rf"{FILLER}[{FILLER}\s]*")
_MENTION = re.compile(r"<@!?\d+>|<@&\d+>")
_CHANNEL = re.compile(r"<#\d+>|<id:\w+>")
_TOKEN = re.compile(r"<a?:\w+:\d+>|<t:-?\d+(?::\w)?>|</[^<>:\n]+:\d+>")


def own_sentence(body: str) -> str:
    """The person's own words, with marks where they quoted, mentioned somebody or named a channel."""
    own = _BORROWED.sub(f" {QUOTED} ", hide_borrowed(body))
    own = "\n".join(map(_without_quotations, own.split("\n")))
    own = _CHANNEL.sub(PLACE, _MENTION.sub(MEMBER, own))
    return " ".join(_TOKEN.sub(" ", own).split())


def _without_quotations(line: str) -> str:
    """What stands in quotation marks, on one line. Where each closes is looked for once, however many are opened."""
    pieces: list[str] = []
    done = 0
    nearest: dict[str, int] = {}
    for place, character in enumerate(line):
        if place < done or character not in _CLOSED_BY:
            continue
        for closing in _CLOSED_BY[character]:
            if nearest.get(closing, 0) <= place:
                found = line.find(closing, place + 1)
                nearest[closing] = len(line) if found < 0 else found
        end = min(nearest[closing] for closing in _CLOSED_BY[character])
        if place + 1 < end < len(line):
            pieces += [line[done:place], f" {QUOTED} "]
            done = end + 1
    return "".join(pieces) + line[done:]


def says_something(sentence: str) -> bool:
    """Whether there is anything in it beside quotations and names."""
    return bool(words_in(sentence.replace(MEMBER, " ").replace(PLACE, " ")))
