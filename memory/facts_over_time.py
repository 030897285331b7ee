"""Questions for what was known when, answered from the ledger: what held then, and since when something is.

A model gets the facts of then with their dates among all else that it answers from; without one they are listed. What
the ledger does not speak of is left to be answered as every question is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from memory.core.asked_time import AskedTime, asked_time, known_time, may_ask_for_a_time
from memory.core.outcomes import Answer
from memory.core.then_words import BESIDE_A_THING, THINGS
from memory.core.values import Fact, Member, Question
from memory.facts.history import FactsThenStore, PastFact
from memory.facts.matching import thing_of
from memory.knowing import language_to_answer_in
from memory.language.detect import Language
from memory.language.stems import WordForms, coverage, topics
from memory.language.text import repair
from memory.people.names import mentioned_ids, with_strangers
from memory.places.view import Audience
from memory.prompts.material import Material
from memory.prompts.tell_then import told_then

SPOKEN_OF = 0.75
"""Which share of what is asked for a fact has to say: of up to three words each."""
CAME_AFTER = 0.5
"""Which share of what is said behind "before" the successor has to say: of a thing and how it came about."""


class FactsOverTime:
    def __init__(self, facts: FactsThenStore, zone_of: Callable[[int], Awaitable[str]]) -> None:
        self._facts = facts
        self._zone_of = zone_of

    async def beside(
        self, material: Material, question: Question, audience: Audience, members: Sequence[Member]
    ) -> Material:
        """The material with what held at the time that is asked for; the same, if none is, or nothing is told of it."""
        text = repair(question.text)
        if not may_ask_for_a_time(text):
            return material
        zone = await self._zone_of(question.guild_id)
        everyone, asker = _people(text, question, members)
        asked = await asyncio.to_thread(
            asked_time, text, everyone, asker, question.asked_at, ZoneInfo(zone), question.language
        )
        if asked is None:
            return material
        held = await self._held(asked, audience)
        if not held and asked.about:
            return material  # perhaps it was talked about
        then = [fact for one in held for fact in (one.fact, one.successor) if fact is not None]
        told = _told(asked, held, question, zone, material.language)
        return replace(material, then=list(dict.fromkeys(then)), ledger=told)

    async def known_then(self, question: Question, audience: Audience, members: Sequence[Member]) -> Answer | None:
        """Behind "what do you know about …": what was known of somebody at a time; None if no time is named."""
        text = repair(question.text)
        zone = await self._zone_of(question.guild_id)
        everyone, asker = _people(text, question, members)
        asked = await asyncio.to_thread(
            known_time, text, everyone, asker, question.asked_at, ZoneInfo(zone), question.language
        )
        if asked is None:
            return None
        held = await self._held(asked, audience)
        return _told(asked, held, question, zone, language_to_answer_in(question))

    async def _held(self, asked: AskedTime, audience: Audience) -> list[PastFact]:
        held = await self._facts.held_between(audience, asked.start, asked.end, asked.people or None)
        return await asyncio.to_thread(_asked_for, asked, held)


def _people(text: str, question: Question, members: Sequence[Member]) -> tuple[list[Member], Member]:
    everyone = with_strangers(members, question.guild_id, [question.asker_id, *mentioned_ids(text)])
    return everyone, next(member for member in everyone if member.user_id == question.asker_id)


def _asked_for(asked: AskedTime, held: Sequence[PastFact]) -> list[PastFact]:
    wanted = topics(" ".join(asked.then_came))
    return [
        one
        for one in held
        if not (asked.is_over and one.fact.valid_to is None)
        and not (asked.then_came and not _came_after(one, wanted))
        and not (asked.is_of_guild and one.fact.subject_id is not None)
        and _speaks_of(one.fact, asked)
    ]


def _speaks_of(fact: Fact, asked: AskedTime) -> bool:
    """Whether it says what is asked for: of a thing such as where somebody lives, in whatever words."""
    if not asked.about:
        return True
    of_things = BESIDE_A_THING.union(*(THINGS[thing] for thing in asked.things)) if asked.things else frozenset()
    spoken = WordForms(topics(fact.text))
    if asked.things and thing_of(fact.text) not in asked.things:
        forms = topics(" ".join(word for word in asked.about if word in of_things))
        if not coverage(forms, spoken):
            return False
    wanted = topics(" ".join(word for word in asked.about if word not in of_things))
    return not wanted or coverage(wanted, spoken) >= SPOKEN_OF


def _came_after(held: PastFact, wanted: Collection[str]) -> bool:
    """Whether this took its place: "before Rome", or "before he moved to Rome"."""
    return held.successor is not None and coverage(wanted, WordForms(topics(held.successor.text))) >= CAME_AFTER


def _told(asked: AskedTime, held: Sequence[PastFact], question: Question, zone: str, language: Language) -> Answer:
    pairs = [(one.fact, one.successor) for one in held]
    return told_then(asked, pairs, question.asker_id, zone, question.asked_at, language)
