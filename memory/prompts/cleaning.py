"""A model's sentences before they are kept: no tags, links, calls, ids or rules in them, and none of them cut."""

import re
from collections.abc import Collection

from memory.language.sensitive import is_sensitive
from memory.language.sentences import Joined, sentences_of
from memory.prompts.escape import calm

_LOOKED_AT = 8_000
"""Characters of a model's text. Nobody asked for more, and nobody will read it."""
_PASSES = 8
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<[#!/?:][^<>]*>")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_LINK = re.compile(
    r"(?:(?<!\w)\w++://|www\.|discord\.gg/)(?:\[[^\s\[\]<>()]*\])?(?:[^\s<>()\[\]]*[^\s<>()\[\].,;:!?…])?",
    re.IGNORECASE,
)
"""A host may stand in brackets of its own."""
_BRACKETED_ID = re.compile(r"(?:(?<!\s)\s++)?+[(\[]\s*+(?:id:?+\s*+)?+(\d{1,20}+)\s*+[)\]]", re.IGNORECASE)
_LONG_NUMBER = re.compile(r"\d{15,}")
_SPACE_BEFORE = re.compile(r"(?<!\s)\s++([.,;:!?])")
_EMPTY_BRACKETS = re.compile(r"(?:(?<!\s)\s++)?+(?:\(\s*+\)|\[\s*+\])")
LONGEST_ECHO = 40
"""A line of our rules that is at least this long may not come back."""


def cleaned(text: str, limit: int, *, rules: str, ids: Collection[int] = (), sensitive: bool = False) -> str:
    """Whole sentences up to the limit; empty where nothing usable is left.

    `ids` are those that stood in the prompt, and are taken out like all that look so. Unless `sensitive` is allowed,
    sentences that touch such a topic are left out.
    """
    joined = Joined(limit)
    echoes = [line for line in map(_plain, rules.splitlines()) if len(line) >= LONGEST_ECHO]
    for sentence in sentences_of(_at_rest(text[:_LOOKED_AT], ids)):
        if any(_plain(sentence.text) in echo for echo in echoes if len(sentence.text) >= LONGEST_ECHO):
            continue
        if (sensitive or not is_sensitive(sentence.text)) and any(map(str.isalpha, sentence.text)):
            joined.add(sentence.text)
    return joined.text


def _at_rest(text: str, ids: Collection[int]) -> str:
    """Cleaned until cleaning changes nothing: what is taken out may bring together what stood on both sides of it."""
    for _ in range(_PASSES):
        after = _once(text, ids)
        if after == text:
            return after
        text = after
    return ""


def _once(text: str, ids: Collection[int]) -> str:
    text = _TAG.sub(" ", calm(text))
    text = _LINK.sub("", _MARKDOWN_LINK.sub(r"\1", text))
    text = _BRACKETED_ID.sub(lambda found: "" if int(found[1]) in ids else found[0], text)
    text = _EMPTY_BRACKETS.sub("", _LONG_NUMBER.sub("", text))
    return calm(_SPACE_BEFORE.sub(r"\1", " ".join(text.split())))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
