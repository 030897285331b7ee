"""Tells what happened on a day by topic, a sentence each with the messages that say it; finds what was decided. Pure.

A model writes them together with the entries for members; without one they are quoted.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum, auto
from itertools import groupby, islice, zip_longest
from typing import TypeVar
from zoneinfo import ZoneInfo

from memory.core.values import Message, Source, time_of
from memory.language.dates import MONTHS, WEEKDAYS
from memory.language.detect import language_of, word_set
from memory.language.stems import topics
from memory.language.text import fold, plain_words
from memory.language.time_grammar import Grain
from memory.language.time_meaning import Reading, moment_of
from memory.language.times import within
from memory.models.prompt_data import quoted
from memory.summaries.calendar import CalendarDay
from memory.summaries.extractive import SAMENESS, alike, candidates
from memory.summaries.extractive import happenings as most_telling

FURTHEST = timedelta(days=400)
MOST_LOOKED_AT = 200
"""Messages with such words, the newest: to read a date takes its time."""
LONGEST = 240
"""Characters of a sentence. Longer ones tell a story."""

# On folded text: without case and accents.
_DECIDED = re.compile(
    r"\b(?:decided|decision is|agreed (?:on|to|that)|settled on|it'?s a deal|rescheduled|postponed"
    r"|(?:let'?s|we'?ll|we will|we are|we're) (?:go|going) with|(?:is|was|got) (?:confirmed|approved|cancell?ed)"
    r"|beschlossen|entschieden|abgemacht|vereinbart|geeinigt|wir nehmen|dann machen wir|bleibt (?:es )?dabei"
    r"|festgelegt|abgesagt|verschoben|steht fest"
    r"|(?:on|nous|c'est|est|avons|ont) (?:a |avons )?(?:donc )?decide[es]?|convenu|on part sur|c'est valide|est adopte"
    r"|est reportee?|est annulee?|est confirmee?"
    r"|decidido|decidimos|acordado|acordamos|quedamos (?:en|a|el|para)|nos quedamos con|vamos con|confirmado|aplazado"
    r"|cancelado|pospuesto"
    r"|решили|решено|договорились|постановили|утвердили|остановились на|перенесли|отменили|подтвердили)\b"
)
_DENIED = word_set(
    "not no never haven't hasn't didn't isn't undecided nicht noch nie kein keine pas jamais nunca не нет ещё yet"
)
_PLANNED = re.compile(
    r"\b(?:we'?ll|i'?ll|will|let'?s|let us|going to|gonna|meet|meets|meeting|meetup|plan|planned|scheduled|deadline|due"
    r"|starts?|begins?|launch|release|party|event|join us|see you|takes place|is on"
    r"|treffen|trifft|machen wir|gehen wir|wird|werden|geplant|termin|frist|beginnt|startet|geht'?s los|lasst uns"
    r"|findet|abgabe|ist am"
    r"|on se (?:voit|retrouve)|rendez-vous|rdv|prevue?|aura lieu|commence|reunion|allons|on va|echeance|c'est (?:le|a)"
    r"|quedamos|nos vemos|vamos a|sera|empieza|previst[oa]|planead[oa]|plazo|quedada|fiesta|es el"
    r"|встреч[аиу]|встретимся|встречаемся|собираемся|планируем|начн[её]тся|начало|начинаем|будет|будем|созвон|дедлайн"
    r"|срок|давайте|релиз)\b"
)
_CLOCK = re.compile(r"\W?\d{1,2}(?:[:.h/]\d{0,4}|(?:am|pm|uhr|st|nd|rd|th)?\b)")
_CALLS_ALL = re.compile(r"@(?:everyone|here)\b")
_DATED = (
    frozenset(WEEKDAYS)
    | frozenset(MONTHS)
    | word_set(
        "tomorrow tonight today next morgen übermorgen heute nächste nächsten nächster demain soir aujourd'hui"
        " prochain prochaine mañana hoy noche próximo próxima завтра послезавтра сегодня следующий следующую следующей"
    )
) - word_set("may mars")


@dataclass(frozen=True, slots=True)
class Plan:
    """Holds a sentence by which something was decided, planned or announced."""

    text: str
    source: Source
    author_id: int
    when: datetime | None = None
    """The moment it speaks of."""
    is_day: bool = False
    """Of that moment only the day was said."""


def decided(messages: Iterable[Message], zone: ZoneInfo) -> list[Plan]:
    """Find sentences that decide or plan, the newest first, each with the moment it speaks of, read in that zone."""
    newest_first = sorted(messages, key=lambda message: -message.message_id)
    saying = islice((one for one in newest_first if _may_say_so(one.text)), MOST_LOOKED_AT)
    return [line for message in saying for line in _lines(message, zone)]


def _may_say_so(text: str) -> bool:
    folded = fold(text[:4_000])
    return any(pattern.search(folded) for pattern in (_DECIDED, _PLANNED, _CALLS_ALL))


def _lines(message: Message, zone: ZoneInfo) -> Iterable[Plan]:
    source = Source(message.channel_id, message.message_id)
    is_announced = _CALLS_ALL.search(message.text) is not None
    for one in candidates(message):
        if len(one.text) > LONGEST or one.text.rstrip(" )\"'").endswith("?"):
            continue
        folded = fold(one.text)
        is_decided = _is_decided(folded)
        reading = _date_in(one.text, message, zone) if is_decided or is_announced or _PLANNED.search(folded) else None
        if is_announced or is_decided or reading is not None:
            is_day = reading is not None and reading.grain not in (Grain.SECOND, Grain.MINUTE, Grain.HOUR)
            if reading is not None and is_day:  # at noon, so that it is the same day for most who read it
                reading = replace(reading, wall=reading.wall.replace(hour=12))
            moment = None if reading is None else moment_of(reading, message.sent_at, zone).at
            yield Plan(one.text, source, message.author_id, when=moment, is_day=is_day)
            is_announced = False  # of an announcement the first sentence, and what else is dated


def _is_decided(folded: str) -> bool:
    said = _DECIDED.search(folded)
    return said is not None and _DENIED.isdisjoint(folded[: said.end()].replace(",", " ").split()[-5:])


def _date_in(text: str, message: Message, zone: ZoneInfo) -> Reading | None:
    """Read the time that a sentence ends or begins with, or that stands at the first of its words which speaks of one.

    None if it is over by then, if it may be several moments, or if the rest of the sentence speaks of another.
    """
    now, words = message.sent_at.astimezone(zone), text.split()
    first = next((place for place, word in enumerate(words) if _speaks_of_time(word)), None)
    if first is None:
        return None
    tails = [" ".join(words[place:]) for place in dict.fromkeys((max(first - 1, 0), first))]
    for said in (text, *tails):
        understood = within(said.rstrip(".!… "), now, language_of(text))
        if understood is None or any(map(_speaks_of_time, understood.rest.split())):
            continue
        reading, here = understood.readings[0], now.replace(tzinfo=None)
        is_plain = len(understood.readings) == 1 and reading.repeat is None
        return reading if is_plain and here < reading.wall < here + FURTHEST else None
    return None


def _speaks_of_time(word: str) -> bool:
    return _CLOCK.match(word) is not None or not _DATED.isdisjoint(plain_words(word))


# What happened on a day, told by topic: a sentence each, with the messages that say it.

MOST = 7
"""Of one day."""
MOST_DECIDED = 3
"""Of these, where they are quoted: by rule more is found than was decided."""


class EntryKind(StrEnum):
    """Names what an entry of a day is."""

    MEMBER = auto()
    """What the day was about for one member."""
    HAPPENED = auto()
    DECIDED = auto()
    PLANNED = auto()


@dataclass(frozen=True, slots=True)
class Happening:
    kind: EntryKind
    text: str
    cites: tuple[int, ...]
    """Messages, the most telling first."""


@dataclass(frozen=True, slots=True)
class ToldHappening:
    """Holds a happening as it may be told to an audience."""

    scope: int
    day: CalendarDay
    kind: EntryKind
    text: str
    """Quoted: by whom, and their words between marks."""
    cites: tuple[int, ...]
    sources: tuple[Source, ...]
    """Those of the cited messages that the audience can still open."""
    source_channels: frozenset[int]
    """What its day was told from."""
    is_quoted: bool
    changes: int
    """How often something that the day was told from had changed."""
    messages: int = 0
    """Of its day."""
    left_out: int = 0
    """Of these, what was too much for a model."""


Told = TypeVar("Told", Happening, ToldHappening)


def weightiest(parts: Iterable[Sequence[Told]], most: int = MOST) -> list[Told]:
    """Choose from parts of a day or of several days, each the weightiest first: each has its turn before any has a
    second one. What says the same, or rests on the same message, is told once."""
    taken: list[Told] = []
    for turn in zip_longest(*parts):
        for one in turn:
            if one is not None and len(taken) < most and not any(is_same(one, other) for other in taken):
                taken.append(one)
    return taken


def weightiest_of_days(happened: Sequence[ToldHappening], most: int) -> list[ToldHappening]:
    """Choose the weightiest happenings of days, in the order in which they happened."""
    of_days = [list(some) for _, some in groupby(happened, key=lambda one: one.day.starts_at)]
    return sorted(weightiest(of_days, most), key=lambda one: one.cites)


def is_same(one: Told, other: Told) -> bool:
    return one.cites[:1] == other.cites[:1] or alike(topics(one.text), topics(other.text)) >= SAMENESS


def without_model(day: Sequence[Message], zone: ZoneInfo) -> list[Happening]:
    """Choose the most telling sentences of the day, and by which something was decided or planned, whole and in
    quotation marks."""
    plans = [
        Happening(
            EntryKind.PLANNED if plan.when is not None else EntryKind.DECIDED,
            said_by(plan.author_id, plan.text),
            (plan.source.message_id,),
        )
        for plan in decided(day, zone)
        if not _is_for_the_day(plan, zone)
    ]
    telling = [
        Happening(EntryKind.HAPPENED, said_by(one.author_id, one.text), (one.source.message_id,))
        for one in most_telling([day])
    ]
    return weightiest([[*weightiest([plans], MOST_DECIDED), *telling]])


def _is_for_the_day(plan: Plan, zone: ZoneInfo) -> bool:
    """Say whether a plan was for the day it was said: then it is over when the day is."""
    said_at = time_of(plan.source.message_id)
    return plan.when is not None and plan.when.astimezone(zone).date() == said_at.astimezone(zone).date()


def said_by(author_id: int, text: str) -> str:
    return f"<@{author_id}>: {quoted(text)}"
