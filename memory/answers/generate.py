"""Has a model put an answer into words, within the limits of the member, the guild and the time there is.

Its words stand as they are, and can do nothing but be read. No sentence is judged, removed or put differently.
Citations become sources, links that came from no line are taken out, nobody is pinged, and a reply that tells its rules
is refused. Where its numbers stood is kept beside the text: which of their sources the readers can open, and so which
numbers it will bear, is decided when it is sent.
"""

import asyncio
import html
import logging
import re
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum, auto
from typing import Final

from pydantic import BaseModel

from ai_clients.base import PromptFile, Purpose
from ai_clients.build import Models
from ai_clients.errors import BadReply, BudgetExhausted, Misconfigured, ModelError, RateLimited, Refused, TimedOut
from memory.answers.gather import Material
from memory.answers.prompt import Asked, render, with_names
from memory.answers.quote import Say
from memory.channels.values import SummaryLine
from memory.contexts.parts import ContextSources
from memory.core.clock import Clock
from memory.core.outcomes import Answer, Citation, Wait
from memory.core.provenance import Read
from memory.core.values import Fact, Member, Message, Question, Standing, text_of
from memory.facts.matching import Hearsay, told_by_others, unattributed
from memory.language.detect import Language
from memory.language.text import fold, repair, words_in
from memory.language.wording import wording
from memory.models.metering import AskedTooOften, Metering
from memory.models.prompt_data import calm
from memory.models.usage import ModelHealth, Requester
from memory.people.names import other_names, told_apart
from memory.receipts.overlap import Input, quoted_by

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


# Says whose word it is where a model repeats hearsay as if it were so: it is asked to say who said it, and may not.


def attributing(answer: Answer, material: Material, names: Mapping[int, str]) -> Answer:
    """Name, under an answer, those whose mere word it repeats without naming them."""
    facts = {fact.fact_id: fact for fact in (*material.facts, *material.then)}
    hearsay = [fact for fact in facts.values() if fact.standing is Standing.HEARSAY and fact.subject_id is not None]
    own = [fact.text for fact in facts.values() if fact.standing is not Standing.HEARSAY]
    folded = fold(answer.text)
    quoted = [fact for fact in hearsay if fact.fact_id in answer.evidence.quoted.facts]
    # Named anywhere in the answer is enough: a reader sees whose word it is.
    unnamed = [fact for fact in quoted if not (name := fold(names.get(fact.teller_id, ""))) or name not in folded]
    if not unnamed:
        return answer
    are_unsaid = unattributed(answer.text, [Hearsay(fact.text, f"<@{fact.teller_id}>") for fact in unnamed], own)
    tellers = [fact.teller_id for fact, is_unsaid in zip(unnamed, are_unsaid, strict=True) if is_unsaid]
    if not tellers:
        return answer
    return replace(answer, text=f"{answer.text}\n{told_by_others(dict.fromkeys(tellers), material.language)}")


logger = logging.getLogger(__name__)

ANSWER_SECONDS = 20.0
"""Where there is no model, whose settings say how long an answer may take."""
SHARE_OF_THE_MODEL = 0.9
"""Of the time that is left; in the rest others have to find the words."""


# Why an answer is only quoted although there is a model: one sentence for each reason, fit for any member to read.
#
# None of them says that nothing is known, and none tells of keys, names of models or what a server said.


class Why(StrEnum):
    BUSY = auto()
    SPENT = auto()
    AWAY = auto()
    SLOW = auto()
    REFUSED = auto()
    MISCONFIGURED = auto()
    UNUSABLE = auto()
    ASKED_TOO_OFTEN = auto()
    """How long they have to wait is said before it."""


_REASONS = (
    (BudgetExhausted, Why.SPENT),
    (RateLimited, Why.BUSY),
    (TimedOut, Why.SLOW),
    (Misconfigured, Why.MISCONFIGURED),
    (Refused, Why.REFUSED),
    (BadReply, Why.UNUSABLE),
)
"""The first that an error is."""


@dataclass(frozen=True, slots=True)
class Reason:
    why: Why
    until: datetime | None = None
    """When that is over, where it is known."""

    @classmethod
    def of(cls, error: ModelError, now: datetime) -> "Reason":
        if isinstance(error, BudgetExhausted) and error.retry_after is not None:
            return cls(Why.SPENT, now + timedelta(seconds=error.retry_after))
        return cls(next((why for kind, why in _REASONS if isinstance(error, kind)), Why.AWAY))

    def sentence(self, language: Language) -> str:
        said = wording(language, self.why)
        if self.until is None:
            return said
        # Discord shows it as "in 5 hours", in the language of whoever reads it.
        return f"{said} (<t:{int(self.until.timestamp())}:R>)"


@dataclass(frozen=True, slots=True)
class Silence:
    """Says that no model answers this, and why."""

    reason: Reason
    wait: Wait | None = None
    """For whoever asks more often than they may."""


@dataclass(frozen=True, slots=True)
class Said:
    """Holds what a model says, of which kind that is, and what it would look for to say more."""

    answer: Answer
    kind: Kind
    searches: tuple[str, ...]


class Generator:
    def __init__(
        self, models: Models, metering: Metering, health: ModelHealth, clock: Clock, persona: str = ""
    ) -> None:
        self._chain = models.chain(Purpose.ANSWER)
        self._metering = metering
        self._health = health
        self._clock = clock
        self._persona = persona

    @property
    def is_there(self) -> bool:
        """Say whether there is a model at all; it may still not answer."""
        return self._chain is not None

    @property
    def seconds(self) -> float:
        """Say how long an answer may take in all."""
        return ANSWER_SECONDS if self._chain is None else self._chain.seconds

    def admit(self, question: Question, hourly: int | None = None) -> Wait | None:
        """Admit a question before anything is got ready. None: there is no model, or its asker may; it counts, once.

        `hourly`: how many questions of one member the guild wants a model to answer.
        """
        if self._chain is None or not question.text.strip(" ?!.,\n"):
            return None
        return self._metering.admit(question.guild_id, Requester(question.asker_id, question.message_id), hourly)

    async def answer(
        self,
        material: Material,
        question: Question,
        people: Sequence[Member],
        *,
        until: float,
        wait: Wait | None = None,
        may_search: bool = False,
        persona: str = "",
    ) -> Said | Silence | None:
        """Have a model answer; None where there is no model, or nothing was asked. `until` is a time of the loop's
        clock; `wait` is what `admit` said. There are searches only where the model may search. `persona`: the guild's
        own."""
        if self._chain is None or not material.question.strip(" ?!.,\n"):
            return None
        if wait is not None:
            return Silence(Reason(Why.ASKED_TOO_OFTEN), wait)
        pictures = tuple(PromptFile(one.media_type, one.data) for one in question.pictures)
        said = await self._ask(material, question, people, pictures, until, may_search=may_search, persona=persona)
        if pictures and isinstance(said, Silence) and said.reason.why is Why.REFUSED:
            # A model that does not see is asked once more, without them.
            said = await self._ask(material, question, people, (), until, may_search=may_search, persona=persona)
        return said

    async def _ask(
        self,
        material: Material,
        question: Question,
        people: Sequence[Member],
        files: tuple[PromptFile, ...],
        until: float,
        *,
        may_search: bool,
        persona: str,
    ) -> Said | Silence:
        if self._chain is None:
            raise TypeError("there is no model to be asked")
        names = told_apart(people)
        # Facts, messages and words of the question: members decide how many, so others are served meanwhile.
        asked = await asyncio.to_thread(
            render,
            material,
            asker_id=question.asker_id,
            names=names,
            language=question.language,
            fence=secrets.token_hex(4),
            other_names=other_names(people),
            persona=persona or self._persona,
            may_search=may_search,
            sees=bool(files),
        )
        shown = {one.message_id for one in question.pictures} if files else set[int]()
        seconds = (until - asyncio.get_running_loop().time()) * SHARE_OF_THE_MODEL
        try:
            reply = await self._metering.ask_for(
                question.guild_id,
                self._chain,
                replace(asked.prompt, files=files),
                ModelReply,
                by=Requester(question.asker_id, question.message_id),
                seconds=seconds,
                bad_replies=0,  # there may be a second look; more than two calls nobody waits for
            )
            answer = await asyncio.to_thread(answer_of, reply.value, material, asked, people, shown)
        except AskedTooOften as error:
            return Silence(Reason(Why.ASKED_TOO_OFTEN), error.wait)
        except ModelError as error:
            logger.warning("no model answered: %s", error, extra={"reason": type(error).__name__})
            self._health.quoted(error)
            return Silence(Reason.of(error, self._clock.now()))
        self._health.answered()
        return Said(answer, reply.value.kind, reply.value.to_look_for() if may_search else ())


def answer_of(
    reply: ModelReply, material: Material, asked: Asked, people: Sequence[Member], shown: Collection[int] = ()
) -> Answer:
    """Make the reply as it will be posted. `people`: those whom the prompt may name; `shown`: messages whose pictures
    the model saw, on which it rests in any case. Raises `BadReply` where it is none."""
    names = told_apart(people)
    if reply.kind is Kind.MISSING and not reply.answer.strip():
        return Answer(wording(material.language, Say.NOTHING_RELEVANT), without_model=False)
    answer, cited = read(reply.answer, asked), cited_by(reply.answer, asked)
    seen = [n for n, one in enumerate(asked.items) if isinstance(one, Message) and one.message_id in shown]
    question = with_names(material.question, names)
    answer = replace(
        answer, evidence=quoted_by(answer.text, question, inputs_of(material, asked, names, people), {*cited, *seen})
    )
    answer = attributing(answer, material, names)
    if reply.kind is Kind.GENERAL and not cited and _names_anyone(answer.text, material, names):
        return replace(answer, text=f"{answer.text}\n-# {wording(material.language, Say.NOT_FROM_MEMORY)}")
    return answer


def _names_anyone(text: str, material: Material, names: Mapping[int, str]) -> bool:
    """Say whether the question or the answer to it names a member other than by "I" and "you"."""
    said = {word.text for word in words_in(text)}
    return bool(material.named_ids) or any(said & {word.text for word in words_in(name)} for name in names.values())


# The reply, read.


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
