"""Answers questions about a time of the past by the facts that were valid then, with since when and until when.

A model gets such facts among all else that it answers from. Without one they are listed, where a question names a time.
What the ledger does not speak of is left to be answered as every question is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from memory.answers.gather import Material, language_to_answer_in
from memory.answers.quote import MOST_LISTED, QUOTE_LIMIT, Say, says_most
from memory.answers.understanding import Understood
from memory.core.outcomes import Answer
from memory.core.provenance import Evidence, Read
from memory.core.values import Fact, Member, Question
from memory.facts.ledger import FactStore, PastFact
from memory.facts.matching import attributed
from memory.language.dates import LAST, SINCE, shown_day
from memory.language.detect import Language, word_set
from memory.language.question_words import asks
from memory.language.stems import WordForms, topics
from memory.language.text import fold, repair, words_in
from memory.language.time_zones import time_in
from memory.language.times import Span
from memory.language.wording import wording
from memory.models.prompt_data import statement_line
from memory.people.names import people_in
from memory.places.view import Audience
from memory.recall.query import read_question

KNOWING = word_set(
    "know knew known believe believed think thought wussten wusste wusstest gewusst glaubten geglaubt dachten savions"
    " savais savait croyions croyait pensait sabiamos sabias sabia creiamos creia знали знал знала известно думали"
)
"""Whoever asks what was known asks for all of it."""
FORMERLY = asks(
    "used to, use to, formerly, previously, in the past, before, früher, vorher, autrefois, auparavant, avant, antes,"
    " anteriormente, раньше, прежде"
)
SINCE_WHEN = asks(
    "since when, how long, seit wann, wie lange, depuis quand, depuis combien de temps, desde cuándo,"
    " cuánto tiempo lleva, с каких пор, как давно, как долго"
)
BEFORE = word_set("before until till prior vor bis avant jusqu antes hasta до перед")
AFTER = word_set("after following nach après después tras после")
SMALL = LAST | BEFORE | AFTER | SINCE | word_set("use used formerly früher autrefois раньше how long lange")
"""Words of the question itself, which no fact says."""
MOST_CHARACTERS = 400
"""A longer text tells something, whatever it asks besides."""
MOST_OVER = 10
"""Facts that are over, before a model."""


@dataclass(frozen=True, slots=True)
class AskedTime:
    """Holds a time asked about; without a start however long ago, without people whomever, without words all."""

    start: datetime | None
    end: datetime
    people: frozenset[int]
    about: tuple[str, ...]
    only_over: bool = False
    """What still holds is told to any question."""


def asked_time(question: Question, members: Iterable[Member], zone: tzinfo, *, is_known: bool) -> AskedTime | None:
    """Read for which time a question asks what was so; None, if it asks for anything else.

    `members` need to hold the asker and those whom it may mean; `is_known`: it stood behind "what do you know about".
    """
    text, when, known = repair(question.text), question.asked_at, {one.user_id: one for one in members}
    if len(text) > MOST_CHARACTERS:
        return None
    asker, folded = known[question.asker_id], fold(text)
    asked = read_question(text, known.values(), asker, when, zone, question.language)
    meant = people_in(text, known.values(), speaker=asker, language=asked.language)
    meant = [one for one in meant if not one.is_speaker] or meant
    people = frozenset(member.user_id for one in meant for member in one.candidates)
    words = [word for word in dict.fromkeys(map(fold, asked.words)) if word not in SMALL]
    about = tuple(word for word in words if word not in KNOWING)
    start, end = (None, when) if asked.span is None else _time(text, asked.span, when)
    if asked.span is not None and (is_known or len(about) < len(words)):
        return AskedTime(start, end, people, about) if people or not is_known else None
    if is_known or not about or not people:
        return None
    if SINCE_WHEN.search(folded):
        return AskedTime(None, when, people, about)
    is_past = asked.span is not None or FORMERLY.search(folded) is not None
    return AskedTime(start, end, people, about, only_over=True) if is_past else None


def _time(text: str, span: Span, when: datetime) -> tuple[datetime | None, datetime]:
    """Find from when to when a question asks: "before June" has no beginning, and "after June" goes on until now."""
    before = {word.text for word in words_in(text[: span.typed[0][0]])[-2:]}
    if before & BEFORE:
        return None, span.start
    return (span.end, when) if before & AFTER else (span.start, min(span.end, when))


class FactsOverTime:
    def __init__(self, facts: FactStore, zone_of: Callable[[int], Awaitable[str]]) -> None:
        self._facts = facts
        self._zone_of = zone_of

    async def for_model(
        self, material: Material, understood: Understood, question: Question, audience: Audience
    ) -> Material:
        """Add facts that are over to the material: about whom is meant, of the days that are, or what speaks of it."""
        people = {question.asker_id, *material.named_ids, *understood.people}
        start, end = None, question.asked_at
        if understood.first_day is not None and understood.last_day is not None:
            zone = ZoneInfo(await self._zone_of(question.guild_id))
            start = datetime.combine(understood.first_day, time.min, zone)
            end = datetime.combine(understood.last_day + timedelta(days=1), time.min, zone)
        over = await self._facts.held_between(audience, start, end, people, only_over=True)
        if start is None:
            wanted = WordForms([topic for topic in topics(material.question) if not topic.startswith("@")])
            over = [one for one in over if wanted.said_in(topics(one.fact.text))]
        return replace(material, then=_with_successors(over[-MOST_OVER:]))

    async def listed(
        self, question: Question, audience: Audience, members: Sequence[Member], *, is_known: bool = False
    ) -> tuple[list[Fact], Answer] | None:
        """List what held at the time that is asked for, and the answer that tells it; None where none is, or where
        nothing is told of what is asked. `members` and `is_known` as above."""
        zone, language = await self._zone_of(question.guild_id), language_to_answer_in(question)
        asked = await asyncio.to_thread(asked_time, question, members, ZoneInfo(zone), is_known=is_known)
        if asked is None:
            return None
        held = await self._facts.held_between(audience, asked.start, asked.end, asked.people, only_over=asked.only_over)
        held = await asyncio.to_thread(_speaking_of, asked, held) if asked.about else held
        if not held:
            return None  # perhaps it was talked about
        newest = held[-MOST_LISTED:]
        lines = [_heading(asked, question, zone, language), *(_line(one, zone, language) for one in newest)]
        if len(held) > len(newest):
            lines.append(wording(language, Say.MORE, count=len(held) - len(newest)))
        facts = _with_successors(newest)
        sources = dict.fromkeys(fact.source for fact in facts)
        return facts, Answer("\n".join(lines), tuple(sources), evidence=Evidence.all_quoted(Read.of_facts(facts)))


def _speaking_of(asked: AskedTime, held: Sequence[PastFact]) -> list[PastFact]:
    """Choose facts that speak of what is asked; "where did Alice live before Lyon?" names what took its place."""

    def told(one: PastFact) -> str:
        if one.successor is None or not asked.only_over or asked.start is not None:
            return one.fact.text
        return f"{one.fact.text} {one.successor.text}"

    wanted = sorted(topics(" ".join(asked.about)))
    return [one for one in held if says_most(wanted, topics(told(one)))]


def _with_successors(held: Sequence[PastFact]) -> list[Fact]:
    return list(dict.fromkeys(fact for one in held for fact in (one.fact, one.successor) if fact is not None))


def _heading(asked: AskedTime, question: Question, zone: str, language: Language) -> str:
    """Write the heading with the days in brackets, the last included; open where the question leaves it open."""
    first = "…" if asked.start is None else _day(asked.start, zone)
    last = "…" if asked.end >= question.asked_at else _day(asked.end - timedelta(microseconds=1), zone)
    when = f" ({first})" if first == last else f" ({first} – {last})"
    return wording(language, Say.WAS_SO, when="" if first == last == "…" else when)


def _line(held: PastFact, zone: str, language: Language) -> str:
    """Write a fact as a line: from when to when it held, who told it, and what took its place."""
    fact, day = held.fact, _day(held.fact.valid_from, zone)
    told = [wording(language, Say.SINCE, day=day) if fact.valid_to is None else f"{day} – {_day(fact.valid_to, zone)}"]
    if fact.subject_id is None:
        told.append(wording(language, Say.TOLD_BY, teller=f"<@{fact.teller_id}>"))
    if held.successor is not None:
        told.append(wording(language, Say.REPLACED, fact=_said(held.successor, language)))
    return f"• {_said(fact, language)} ({'; '.join(told)})"


def _said(fact: Fact, language: Language) -> str:
    return attributed(fact, language, statement_line(fact.text, QUOTE_LIMIT * 2))


def _day(moment: datetime, zone: str) -> str:
    return shown_day(time_in(zone, moment).date())
