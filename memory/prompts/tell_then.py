"""What was known at some time, told from the ledger without a model: with the days on which it was told and ended."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from memory.core.asked_time import AskedTime, Form
from memory.core.outcomes import Answer
from memory.core.provenance import Evidence, Read
from memory.core.values import Fact, Source, Standing
from memory.facts.matching import attributed
from memory.language.detect import Language
from memory.language.time_zones import time_in
from memory.models.prompt_data import one_line
from memory.prompts.answer import MOST_LISTED
from memory.prompts.answer_phrases import PHRASES, Say
from memory.prompts.quoting import QUOTE_LIMIT

MOST_SINCE = 3
"""Facts that say since when something is; the rest would be something else."""


def told_then(
    asked: AskedTime,
    held: Sequence[tuple[Fact, Fact | None]],
    asker_id: int,
    zone: str,
    now: datetime,
    language: Language,
) -> Answer:
    """`held` are facts, the oldest first, each with what took its place."""
    heading = _heading(asked, bool(held), asker_id, zone, now, language)
    most = MOST_SINCE if asked.form is Form.SINCE else MOST_LISTED
    newest = list(held)[-most:]
    lines = [heading, *(f"• {_line(fact, successor, zone, language)}" for fact, successor in newest)]
    if len(held) > len(newest) and asked.form is not Form.SINCE:
        lines.append(PHRASES[language][Say.MORE].format(count=len(held) - len(newest)))
    facts = [fact for pair in newest for fact in pair if fact is not None]
    sources = dict.fromkeys(Source(fact.channel_id, fact.message_id) for fact in facts)
    return Answer("\n".join(lines), tuple(sources), evidence=Evidence.all_quoted(Read.of_facts(facts)))


def _heading(asked: AskedTime, is_anything: bool, asker_id: int, zone: str, now: datetime, language: Language) -> str:
    say = PHRASES[language]
    when = _when(asked, zone, now)
    match asked.form:
        case Form.SINCE:
            return say[Say.KNOWN_SINCE]
        case Form.STATE:
            return say[Say.WAS_SO].format(when=when)
    if not is_anything:
        return say[Say.KNEW_NOTHING].format(when=when)
    if asked.is_of_guild:
        return say[Say.KNEW_OF_GUILD].format(when=when)
    if len(asked.people) != 1:
        return say[Say.KNEW_ALL].format(when=when)
    (user_id,) = asked.people
    return say[Say.KNEW_OF_YOU if user_id == asker_id else Say.KNEW].format(who=f"<@{user_id}>", when=when)


def _when(asked: AskedTime, zone: str, now: datetime) -> str:
    """Days of the guild in brackets, the last one included; open at the side that the question leaves open, and
    nothing where it leaves both."""
    if asked.start is None and asked.end >= now:
        return ""
    last = "…" if asked.end >= now else _day(asked.end - timedelta(microseconds=1), zone)
    first = "…" if asked.start is None else _day(asked.start, zone)
    return f" ({first})" if first == last else f" ({first} – {last})"


def _line(fact: Fact, successor: Fact | None, zone: str, language: Language) -> str:
    """The fact, who told it, from when to when it held, and what took its place."""
    say = PHRASES[language]
    day = _day(fact.valid_from, zone)
    dates = say[Say.SINCE].format(day=day) if fact.valid_to is None else f"{day} – {_day(fact.valid_to, zone)}"
    told = [dates]
    if fact.standing is Standing.SELF or fact.subject_id is None:
        told.append(say[Say.TOLD_BY].format(teller=f"<@{fact.teller_id}>"))
    if successor is not None:
        told.append(say[Say.REPLACED].format(fact=_said(successor, language)))
    return f"{_said(fact, language)} ({'; '.join(told)})"


def _said(fact: Fact, language: Language) -> str:
    return attributed(fact, language, one_line(fact.text, QUOTE_LIMIT * 2))


def _day(moment: datetime, zone: str) -> str:
    return f"{time_in(zone, moment):%Y-%m-%d}"
