"""Makes an answer of a model's reply: its words as they are, which can do nothing but be read.

No sentence is judged, removed or put differently. Citations become sources, links that came from no line are taken
out, nobody is pinged, and a reply that tells its rules is refused. Where its numbers stood is kept beside the text:
which of their sources the readers can open, and so which numbers it will bear, is decided when it is sent.
"""

import html
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from pydantic import BaseModel

from ai_clients.errors import BadReply
from memory.answers.gather import Material
from memory.answers.prompt import Asked, with_names
from memory.channels.values import SummaryLine
from memory.contexts.parts import ContextSources
from memory.core.outcomes import Answer, Citation
from memory.core.provenance import Read
from memory.core.values import Fact, Member, Message, text_of
from memory.language.text import repair
from memory.models.prompt_data import calm
from memory.receipts.overlap import Input

# What a model replies with.


MOST_SEARCHES: Final = 3
LONGEST_SEARCH: Final = 200


class Kind(StrEnum):
    MEMORY = "memory"
    GENERAL = "general"
    MISSING = "missing"


class ModelReply(BaseModel):
    kind: Kind
    answer: str = ""
    searches: list[str] = []

    def to_look_for(self) -> tuple[str, ...]:
        """List the searches, as much of them as anybody would type."""
        wanted = (" ".join(repair(search[:LONGEST_SEARCH]).split()) for search in self.searches[:MOST_SEARCHES])
        return tuple(dict.fromkeys(search for search in wanted if search))


REPLY_LIMIT = 6_000

_NUMBERS = r"\d{1,6}(?:\s*[,;–-]\s*\d{1,6})*"
_CITED = re.compile(rf"\s?\[({_NUMBERS})\](?=[\s.,;:!?)\[]|$)|\[({_NUMBERS})\]")
"""[3], [3, 5] or [24-25], with the space before it, unless that is the only one between what stands around it."""
_RANGE = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")
_FIRST_MARK = 0xF0000
_MARKS = f"{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + 0xFFFD)}"
"""For private use: no language is written in them, and what a model writes in them is left out."""
_MARK = re.compile(f"[{_MARKS}]")
_REST = rf"[^\s<>()\[\]{_MARKS}]*[^\s<>()\[\].,;:!?'\"*_~|{_MARKS}]"
_LINK = re.compile(
    rf"(?:[a-z][a-z0-9+.-]{{0,30}}://|www\.|discord\.gg/|discord(?:app)?\.com/)"
    rf"(?:\[[^\s\[\]<>()]*\](?:{_REST})?|{_REST})",
    re.IGNORECASE,
)
"""Of whatever scheme. A host may stand in brackets of its own."""
_OPENS_PROGRAM = re.compile(r"(?!https?://)[a-z][a-z0-9+.-]*://", re.IGNORECASE)
"""Such a link is taken out, whoever wrote it."""
_EMPTY_LINK = re.compile(r"\[([^\[\]]{1,300})\]\(<?…>?\)")
LONGEST_ECHO = 40
"""A line of the rules that is at least this long may not come back in a reply."""


def cited_by(text: str, asked: Asked) -> list[int]:
    """Find the places of the items that a reply names by their numbers, in the order in which it does."""
    return [place for cited in _CITED.finditer(text) for place in _places(cited, asked)]


def read(text: str, asked: Asked) -> Answer:
    """Make an answer of the reply: without tags, foreign links and calls, with the sources that it names.

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
    return Answer(said, tuple(sources), without_model=False, citations=_citations(text, said, asked))


def _places(cited: re.Match[str], asked: Asked) -> list[int]:
    """Find the places of its numbers that lines of the prompt have, each end of a range included."""
    last = len(asked.sources)
    places: list[int] = []
    for found in _RANGE.finditer(cited[1] or cited[2]):
        first = int(found[1])
        places += range(max(first, 1) - 1, min(int(found[2] or first), last))
    return places


def _citations(text: str, said: str, asked: Asked) -> tuple[Citation, ...]:
    """Find where in what is left of the reply its numbers stood: it is read once more, with marks in their places."""
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
    """Take out foreign links, last: before, one may hide in entities, or be split by characters that nobody sees."""
    given = html.unescape(asked.prompt.data)
    tamed = _LINK.sub(lambda link: link[0] if link[0] in given and not _OPENS_PROGRAM.match(link[0]) else "…", text)
    return _EMPTY_LINK.sub(r"\1", tamed)


def _bare(text: str, fence: str) -> str:
    """Strip a model's words of what was only between it and us."""
    return calm(_CITED.sub("", re.sub(rf"</?\w+-{re.escape(fence)}[^>]*>", "", text)))


# What of its prompt a model's answer repeats. Looked at when the answer is there: nobody waits for it before.


Names = Mapping[int, str]


def inputs_of(material: Material, asked: Asked, names: Names, people: Iterable[Member]) -> list[Input]:
    """List a prompt's inputs: the numbered items in their order, then what was answered before, then the contexts,
    then the nicknames of people."""
    items = [_item(item, names) for item in asked.items]
    earlier = [Input(with_names(one.answered, names), one.quoted) for one in asked.exchanges]
    behind = {user_id: material.behind[user_id] for user_id in asked.members or () if user_id in material.behind}
    # There may be a thousand facts at hand, of which a context was made from a few.
    merged = frozenset(fact_id for sources in behind.values() for fact_id in sources.facts)
    facts = {fact.fact_id: _fact(fact, names) for fact in material.facts if fact.fact_id in merged}
    contexts = [
        _context(user_id, material.contexts[user_id], sources, facts, names) for user_id, sources in behind.items()
    ]
    nicknames = [
        Input(", ".join(one.aliases), Read(facts=dict.fromkeys(one.named_by, b"")), _called({one.user_id}, names))
        for one in people
        if one.user_id in asked.called and one.named_by
    ]
    return [*items, *earlier, *contexts, *nicknames]


def _context(user_id: int, text: str, sources: ContextSources, facts: Mapping[int, Input], names: Names) -> Input:
    told = (facts.get(fact_id) or Input("", Read(facts={fact_id: digest})) for fact_id, digest in sources.facts.items())
    called = _called({user_id}, names)
    days = (Input(with_names(day.text, names), day.read, called) for day in sources.days)
    return Input(with_names(text, names), sources.read, called, parts=(*told, *days))


def _item(item: Fact | SummaryLine | Message, names: Names) -> Input:
    match item:
        case Fact():
            return _fact(item, names)
        case SummaryLine():
            read = Read(summaries=frozenset({item.summary_id}), channels=frozenset({item.channel_id}))
            return Input(with_names(item.text, names), read)
        case Message():
            return _message(item, names)


def _fact(fact: Fact, names: Names) -> Input:
    """Make an input of a fact; people are known by the names that the model was given for them."""
    people = {fact.teller_id} if fact.subject_id is None else {fact.teller_id, fact.subject_id}
    return Input(with_names(fact.text, names), Read.of_facts([fact]), _called(people, names))


def _message(message: Message, names: Names) -> Input:
    called = message.speaker or _called({message.author_id}, names)
    return Input(with_names(text_of(message), names), Read.of_messages([message]), called)


def _called(people: set[int], names: Names) -> str:
    return " ".join(names[user_id] for user_id in sorted(people) if user_id in names)
