"""Has a model put an answer into words, within the limits of the member, the guild and the time there is."""

import asyncio
import logging
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum, auto

from ai_clients.base import PromptFile, Purpose
from ai_clients.build import Models
from ai_clients.errors import BadReply, BudgetExhausted, Misconfigured, ModelError, RateLimited, Refused, TimedOut
from memory.answers.gather import Material
from memory.answers.prompt import Asked, render, with_names
from memory.answers.quote import Say
from memory.answers.read_reply import Kind, ModelReply, cited_by, inputs_of, read
from memory.core.clock import Clock
from memory.core.outcomes import Answer, Wait
from memory.core.values import Member, Message, Question, Standing
from memory.facts.matching import Hearsay, told_by_others, unattributed
from memory.language.detect import Language
from memory.language.text import fold, words_in
from memory.language.wording import wording
from memory.models.metering import AskedTooOften, Metering
from memory.models.usage import ModelHealth, Requester
from memory.people.names import other_names, told_apart
from memory.receipts.overlap import quoted_by

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
