"""What is brought back from the log: a message, what one has to read with it, and why it was chosen."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.core.values import Message, Source, text_of
from memory.db.database import Database
from memory.language.text import shorten
from memory.log.reading import PAUSE, message_of, tellable
from memory.places.view import Audience
from memory.recall.index_store import CONVERSATION
from memory.recall.ranking import WEIGHTS, Ranked, Said, in_one_talk
from memory.settings import tokens

GOOD = 0.7
"""The chance from which on a recollection is worth being put before a model, or being told unasked for."""
FAINT = 0.1
"""The chance from which on it is worth a look by somebody who searches."""
SNIPPET_BUDGET = 1_500
"""Tokens of all recollections together."""
LONGEST_QUOTE = 600
"""Characters of one message that are quoted, and counted."""
SHORT = 8
"""Words of a message that is hardly understood alone."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A message with what one has to read beside it to understand it."""

    message: Message
    before: tuple[Message, ...]
    after: tuple[Message, ...]

    @property
    def source(self) -> Source:
        return Source(self.message.channel_id, self.message.message_id)

    @property
    def messages(self) -> tuple[Message, ...]:
        """In the order in which they were said."""
        return (*self.before, self.message, *self.after)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Where a passage stands: its message, and whether one has to read what was said right before or after it."""

    message_id: int
    with_before: bool = False
    with_after: bool = False

    @classmethod
    def of(cls, passage: Passage) -> "Bookmark":
        return cls(passage.message.message_id, bool(passage.before), bool(passage.after))


@dataclass(frozen=True, slots=True)
class Recollection(Passage):
    chance: float
    """That it holds what was asked for, or a part of it."""
    why: Mapping[str, float]
    """What spoke for it, and how much; `memory.recall.ranking` says what each part is."""

    @property
    def says(self) -> float:
        """Which share of what is asked for it says itself, rare words counting more."""
        return said_by(self.why)

    @property
    def is_good(self) -> bool:
        """Good enough for a model. A message that says nearly all that is asked for is, however many others do."""
        return max(self.chance, self.says) >= GOOD


def said_by(why: Mapping[str, float]) -> float:
    return why.get("said", 0.0) / WEIGHTS.said


def quoted(message: Message) -> str:
    return shorten(text_of(message), LONGEST_QUOTE)


def chosen(
    ranked: Sequence[Ranked],
    pool: Sequence[Said],
    explained: Callable[[Ranked], Mapping[str, float]],
    *,
    k: int,
    least: float,
    says: float | None = None,
    known: Collection[int] = (),
    budget: int = SNIPPET_BUDGET,
) -> tuple[Recollection, ...]:
    """The best that fit into the budget. No message comes twice, and none that the reader has before them already.

    With `says`, one that says such a share of what is asked for is taken whatever its chance.
    """
    place_of = {said.found.message_id: place for place, said in enumerate(pool)}
    hits: list[tuple[Ranked, Message]] = []
    for one in ranked:
        if len(hits) == k:
            break
        if one.said.found.message_id in known:
            continue
        if one.chance < least and (says is None or said_by(explained(one)) < says):
            continue
        message = one.said.heard.message()
        cost = tokens(quoted(message))
        if cost <= budget:
            budget -= cost
            hits.append((one, message))
    # What is worth being found comes before what helps to understand it.
    taken = {*known, *(message.message_id for _, message in hits)}
    found: list[Recollection] = []
    for one, message in hits:
        before, after = _neighbours(pool, place_of[message.message_id], taken, budget)
        found.append(Recollection(message, before, after, one.chance, explained(one)))
        taken |= {neighbour.message_id for neighbour in (*before, *after)}
        budget -= sum(tokens(quoted(neighbour)) for neighbour in (*before, *after))
    return tuple(found)


def _neighbours(
    pool: Sequence[Said], place: int, taken: Collection[int], budget: int
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """As needed: what a short message follows, the question it answers, the answer to what it asks."""
    sides: tuple[list[Message], list[Message]] = ([], [])
    for step in _needed(pool, place):
        other = pool[place + step]
        if other.found.message_id in taken:
            continue
        message = other.heard.message()
        cost = tokens(quoted(message))
        if cost <= budget:
            budget -= cost
            sides[step > 0].append(message)
    return tuple(sides[0]), tuple(sides[1])


def _needed(pool: Sequence[Said], place: int) -> Iterator[int]:
    said = pool[place]
    if place > 0 and in_one_talk(pool[place - 1].found, said.found):
        before = pool[place - 1]
        if before.signs.asks or said.found.length < SHORT or said.heard.reply_to == before.found.message_id:
            yield -1
    if place + 1 < len(pool) and in_one_talk(said.found, pool[place + 1].found) and said.signs.asks:
        yield 1


# Reads messages that were found before, once more, for whoever may hear them now.
#
# What was deleted, set aside or closed to the reader meanwhile is missing; what was edited says what it says today.


class PassageStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, audience: Audience, marks: Sequence[Bookmark]) -> list[Passage]:
        """In the order of the marks."""
        async with self._database.transaction("store.passages.read", readonly=True) as connection:
            rows = await connection.fetch(
                _READ,
                audience.guild_id,
                list(audience.sources),
                [mark.message_id for mark in marks],
                [mark.with_before for mark in marks],
                [mark.with_after for mark in marks],
            )
        read: dict[int, dict[int, Message]] = {}
        for row in rows:
            read.setdefault(row["found_id"], {})[row["side"]] = message_of(row)
        found = [read[mark.message_id] for mark in marks if 0 in read.get(mark.message_id, {})]
        return [Passage(sides[0], _beside(sides, -1), _beside(sides, 1)) for sides in found]


def _beside(sides: dict[int, Message], side: int) -> tuple[Message, ...]:
    """What stands next to it, if no pause lies between them."""
    other = sides.get(side)
    if other is None or abs(other.sent_at - sides[0].sent_at) >= PAUSE:
        return ()
    return (other,)


_TELLABLE = tellable("said")
_READ = f"""
WITH wanted AS (
    SELECT said.guild_id, said.channel_id, said.message_id, with_before, with_after
    FROM unnest($3::bigint[], $4::boolean[], $5::boolean[]) AS marked (message_id, with_before, with_after)
    JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = marked.message_id
    WHERE said.channel_id = ANY ($2) AND {CONVERSATION} AND {_TELLABLE}
)
SELECT said.*, wanted.message_id AS found_id, 0 AS side
FROM wanted JOIN chat_history AS said USING (guild_id, message_id)
UNION ALL
SELECT before.*, wanted.message_id, -1 FROM wanted CROSS JOIN LATERAL (
    SELECT * FROM chat_history AS said
    WHERE said.guild_id = wanted.guild_id AND said.channel_id = wanted.channel_id
        AND said.message_id < wanted.message_id AND {CONVERSATION} AND {_TELLABLE}
    ORDER BY said.message_id DESC LIMIT 1) AS before
WHERE with_before
UNION ALL
SELECT behind.*, wanted.message_id, 1 FROM wanted CROSS JOIN LATERAL (
    SELECT * FROM chat_history AS said
    WHERE said.guild_id = wanted.guild_id AND said.channel_id = wanted.channel_id
        AND said.message_id > wanted.message_id AND {CONVERSATION} AND {_TELLABLE}
    ORDER BY said.message_id LIMIT 1) AS behind
WHERE with_after
"""  # noqa: S608 - made of constants
