"""Finds what was decided, planned or announced, without a model: by the words that people use for it, and by dates.

In doubt nothing is found: what is denied, asked or over is no plan. A date is told only where it can mean one day.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from memory.core.values import Message, Source
from memory.language.dates import MONTHS, WEEKDAYS
from memory.language.detect import language_of, word_set
from memory.language.text import fold, plain_words
from memory.reminders.values import Grain, Reading, moment_of
from memory.reminders.when import within
from memory.summaries.sentence_weights import candidates

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
    """A sentence by which something was decided, planned or announced."""

    text: str
    source: Source
    author_id: int
    when: datetime | None = None
    """The moment it speaks of."""
    is_day: bool = False
    """Of that moment only the day was said."""


def decided(messages: Iterable[Message], zone: ZoneInfo) -> list[Plan]:
    """The sentences that say so, the newest first, each with the moment it speaks of. Dates are read in that zone."""
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
    """The time that a sentence ends or begins with, or that stands at the first of its words which speaks of one.

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
