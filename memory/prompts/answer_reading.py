"""What is made of a model's reply to the prompt of an answer: words that can do nothing but be read.

Its numbers leave the text, and where they stood is kept beside it: which of their sources can be opened by those who
read the answer, and so which numbers it will bear, is decided when it is sent.
"""

import html
import re

from ai_clients.errors import BadReply, Refused
from memory.core.outcomes import Answer, Citation
from memory.models.prompt_data import calm
from memory.prompts.answer_by_model import Asked
from memory.prompts.refusals import is_refusal

REPLY_LIMIT = 6_000

_CITED = re.compile(r"\s?\[(\d{1,6}(?:\s*,\s*\d{1,6})*)\](?=[\s.,;:!?)\[]|$)|\[(\d{1,6}(?:\s*,\s*\d{1,6})*)\]")
"""With the space before it, unless that is the only one between what stands around it."""
_FIRST_MARK = 0xF0000
_MARKS = f"{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + 0xFFFD)}"
"""For private use: no language is written in them, and what a model writes in them is left out."""
_MARK = re.compile(f"[{_MARKS}]")
_REST = rf"[^\s<>()\[\]{_MARKS}]*[^\s<>()\[\].,;:!?'\"*_~|{_MARKS}]"
_LINK = re.compile(
    rf"(?:https?://|www\.|discord\.gg/|discord(?:app)?\.com/)(?:\[[^\s\[\]<>()]*\](?:{_REST})?|{_REST})", re.IGNORECASE
)
"""A host may stand in brackets of its own."""
LONGEST_ECHO = 40
"""A line of the rules that is at least this long may not come back in a reply."""


def cited_by(text: str, asked: Asked) -> list[int]:
    """The places of the items that a reply names by their numbers, in the order in which it does."""
    return [place for cited in _CITED.finditer(text) for place in _places(cited, asked)]


def read(text: str, asked: Asked) -> Answer:
    """The reply as an answer: without tags, foreign links and calls, with the sources that it names.

    Raises `ModelError` where it is none.
    """
    text = _MARK.sub("", text)
    said = _without_foreign_links(_bare(text, asked.fence), asked)
    if any(len(rule) >= LONGEST_ECHO and rule in said for rule in _bare(asked.prompt.rules, asked.fence).splitlines()):
        raise BadReply("the model told its rules instead of an answer")
    if not said:
        raise BadReply("nothing was left of the reply")
    said = said[:REPLY_LIMIT]
    sources = dict.fromkeys(asked.sources[place] for place in cited_by(text, asked))
    if not sources and is_refusal(said):
        raise Refused("the model said that it will not answer")
    return Answer(said, tuple(sources), without_model=False, citations=_citations(text, said, asked))


def _places(cited: re.Match[str], asked: Asked) -> list[int]:
    numbers = map(int, (cited[1] or cited[2]).split(","))
    return [number - 1 for number in numbers if 0 < number <= len(asked.sources)]


def _citations(text: str, said: str, asked: Asked) -> tuple[Citation, ...]:
    """Where in what is left of the reply its numbers stood: it is read once more, with marks in their places."""
    marked = _CITED.sub(lambda cited: "".join(chr(_FIRST_MARK + place) for place in _places(cited, asked)), text)
    if marked == text:
        return ()
    left = _without_foreign_links(_bare(marked, asked.fence), asked)
    # Where a mark stood in the way of a rule that made something harmless, nobody can say where it belongs.
    if not _MARK.sub("", left).startswith(said):
        return ()
    found = list(_MARK.finditer(left))
    return tuple(
        Citation(mark.start() - number, asked.sources[ord(mark[0]) - _FIRST_MARK])
        for number, mark in enumerate(found)
        if mark.start() - number <= len(said)
    )


def _without_foreign_links(text: str, asked: Asked) -> str:
    """Last of all: before, one may still be hidden in entities, or taken apart by characters that nobody sees."""
    given = html.unescape(asked.prompt.data)
    return _LINK.sub(lambda link: link[0] if link[0] in given else "…", text)


def _bare(text: str, fence: str) -> str:
    """A model's words without what was only between it and us."""
    return calm(_CITED.sub("", re.sub(rf"</?\w+-{re.escape(fence)}[^>]*>", "", text)))
