"""Chooses what is shown of all that was found, and brings back a message with what one has to read beside it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from itertools import islice
from typing import TypeVar

from memory.commands.small_talk import asks_the_same, is_kind
from memory.core.values import Message, Source, linking
from memory.db.database import Database
from memory.language.stems import WordForms, stem, topics
from memory.log.reading import PAUSE, message_of, not_pending_removal
from memory.places.view import Audience
from memory.recall.index_store import CONVERSATION
from memory.recall.ranking import (
    WEIGHTS,
    Asking,
    Closeness,
    Ranked,
    Said,
    Weights,
    in_one_talk,
    rank,
    shares_of_totals,
    turns_to,
)

QUOTABLE = 0.29
"""The chance from which on the best find is quoted as an answer; docs/decisions/recall.md says what that is worth."""
QUOTABLE_IF_SAID = 0.15
"""The chance from which on it is quoted where nobody is named and it says as much as `SAYS_IT`."""
FAINT = 0.1
"""The chance from which on it is worth a look by somebody who searches."""
SAYS_IT = 0.4
"""Which share of what is looked for a message has to say itself, rare words counting more."""
TODAY = timedelta(days=1)
SHORT = 8
"""Words of a message that is hardly understood alone."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Holds a message with what one has to read beside it to understand it."""

    message: Message
    before: tuple[Message, ...]
    after: tuple[Message, ...]

    @property
    def source(self) -> Source:
        return Source(self.message.channel_id, self.message.message_id)

    @property
    def messages(self) -> tuple[Message, ...]:
        """List the messages in the order in which they were said."""
        return (*self.before, self.message, *self.after)


Kind = TypeVar("Kind", bound=Passage)


def linked_in(passage: Kind, linked: Iterable[Message]) -> Kind:
    """Complete a passage with what its messages link to."""
    found = tuple(linked)
    before, [message], after = (linking(one, found) for one in (passage.before, [passage.message], passage.after))
    return replace(passage, before=tuple(before), message=message, after=tuple(after))


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Marks where a passage stands: its message, and whether one has to read what was said right before or after it."""

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


@dataclass(frozen=True)
class Looked:
    """Holds what was found, with all that is needed to put it into order."""

    asking: Asking
    pool: Sequence[Said]
    rankable: Collection[int]
    closeness: Closeness
    weights: Weights = WEIGHTS

    @cached_property
    def ranked(self) -> list[Ranked]:
        """Rank what was found, the best first."""
        return rank(self.asking, self.pool, self.rankable, self.closeness, self.weights)

    @cached_property
    def _place_of(self) -> dict[int, int]:
        return {said.found.message_id: place for place, said in enumerate(self.pool)}

    def chosen(self, *, k: int) -> tuple[Recollection, ...]:
        """Choose the best for somebody who reads one after the other and judges themselves: what may well be it, and
        whatever says the words they typed, since of many that say them each has but a small chance. No message comes
        twice."""
        hits = [one for one in self.ranked if one.chance >= FAINT or one.parts.said >= SAYS_IT][:k]
        # What is worth being found comes before what helps to understand it.
        shown = {one.said.found.message_id for one in hits}
        found: list[Recollection] = []
        for one in hits:
            place = self._place_of[one.said.found.message_id]
            passage = self._recollection(one, place, self._unshown(self._pair(place), shown))
            shown |= {message.message_id for message in passage.messages}
            found.append(passage)
        return tuple(found)

    def quotable(self, *, k: int, known: Collection[int] = ()) -> tuple[Recollection, ...]:
        """Choose what answers a question in the words of those who said it, the best first; nothing, if nothing is
        likely.

        A question goes with its reply, and a reply with its question: neither comes once more by itself. What only asks
        the same stands beside what was answered to it, or is left out.
        """
        found: list[Recollection] = []
        shown = set(known)
        for one in _answering(self._fitting(), self.asking):
            if len(found) == k:
                break
            if one.said.found.message_id in shown or is_kind(one.said.heard.text):
                continue
            place = self._place_of[one.said.found.message_id]
            if asks_the_same(one.said.heard.text, self.asking.asked.meant):
                answers = self._unshown(self._answers(place), shown)
                if not answers:
                    continue
                beside, place = [place], answers[0]
            else:
                beside = self._unshown(self._pair(place), shown)
            passage = self._recollection(one, place, beside)
            shown |= {message.message_id for message in passage.messages}
            found.append(passage)
        return tuple(found)

    def _unshown(self, places: Iterable[int], shown: Collection[int]) -> list[int]:
        return [place for place in places if self.pool[place].found.message_id not in shown]

    def _recollection(self, one: Ranked, place: int, beside: Sequence[int]) -> Recollection:
        before = tuple(self.pool[near].heard.message() for near in beside if near < place)
        after = tuple(self.pool[near].heard.message() for near in beside if near > place)
        return Recollection(self.pool[place].heard.message(), before, after, one.chance, WEIGHTS.explained(one.parts))

    def _fitting(self) -> list[Ranked]:
        """Keep, where somebody is named, only what has to do with them; of names that are nobody's, it has to say
        one."""
        people, named, names = self.asking.people, self.asking.people_named, self.asking.asked.proper
        if not people:
            return [one for one in self.ranked if not names or names & one.said.found.matched]

        def replied_to(said: Said) -> Said | None:
            place = self._place_of.get(said.heard.reply_to or 0)
            return None if place is None else self.pool[place]

        return [
            one
            for one in self.ranked
            if one.said.found.author_id in people or turns_to(people, named, one.said, replied_to(one.said))
        ]

    def _pair(self, place: int) -> Iterator[int]:
        """Find what a reply or a short message follows, and what answers a question: the message that says that it
        does, or the next one by somebody else."""
        said = self.pool[place]
        replied_to = self._place_of.get(said.heard.reply_to or 0)
        if replied_to is not None:
            yield replied_to
        elif place > 0 and _leads_to(self.pool[place - 1], said):
            yield place - 1
        if said.found.is_post:
            yield from outcome_of(self.pool, place)
        elif said.signs.asks:
            yield from islice(self._replies(place), 1)

    def _replies(self, place: int) -> Iterator[int]:
        """Find replies to a question: what says that it is one, then what others said next."""
        pool, said = self.pool, self.pool[place]
        yield from (near for near, other in enumerate(pool) if other.heard.reply_to == said.found.message_id)
        for near in range(place + 1, min(place + 3, len(pool))):
            if in_one_talk(said.found, pool[near].found) and pool[near].found.author_id != said.found.author_id:
                yield near

    def _answers(self, place: int) -> Iterator[int]:
        """Find those of the replies that tell something."""
        for near in self._replies(place):
            if not self.pool[near].signs.asks and not is_kind(self.pool[near].heard.text):
                yield near


def _answering(fitting: Sequence[Ranked], asking: Asking) -> list[Ranked]:
    """Find those that are likely enough, seen among each other alone. If none is and nobody is named, those that say
    the words of the question themselves need less."""
    if asking.asked.words:
        shares = shares_of_totals([one.total for one in fitting])
        fitting = [
            replace(one, chance=WEIGHTS.chance(one.total, share)) for one, share in zip(fitting, shares, strict=True)
        ]
    if max((one.chance for one in fitting), default=0.0) >= QUOTABLE:
        return _latest_here(fitting, [one for one in fitting if one.chance >= FAINT], asking)
    if asking.people:
        return []
    likely = [one for one in fitting if one.chance >= QUOTABLE_IF_SAID and one.parts.said >= SAYS_IT]
    return _latest_here(fitting, [one for one in likely if _says_one_of(asking.asked.words, one.said)], asking)


def _says_one_of(words: Sequence[str], said: Said) -> bool:
    """Say whether a message has one of the words, in any form: recall also finds what only looks or means alike."""
    forms = WordForms(topics(said.heard.text))
    return not said.signs.words.isdisjoint(words) or any(stem(word) in forms for word in words)


def _latest_here(fitting: Sequence[Ranked], likely: Sequence[Ranked], asking: Asking) -> list[Ranked]:
    """Put before those that are likely what was said here today and says as much as the best of them, the newest first:
    it is what holds now."""

    def is_as_good(one: Ranked) -> bool:
        found = one.said.found
        is_here = found.channel_id == asking.channel_id and asking.when - found.sent_at < TODAY
        return is_here and found.matched == likely[0].said.found.matched

    newest = [one for one in fitting if is_as_good(one)] if likely else []
    newest.sort(key=lambda one: -one.said.found.message_id)
    return [*newest, *(one for one in likely if one not in newest)]


def outcome_of(pool: Sequence[Said], place: int) -> Iterator[int]:
    """Find what was said last in the thread that a post begins."""
    channel_id = pool[place].found.channel_id
    last = max(at for at in range(place, len(pool)) if pool[at].found.channel_id == channel_id)
    if last > place:
        yield last


def _leads_to(before: Said, said: Said) -> bool:
    """Say whether one has to read what somebody said before it."""
    is_led = before.signs.asks or (said.found.length < SHORT and not said.signs.asks)
    return is_led and before.found.author_id != said.found.author_id and in_one_talk(before.found, said.found)


# Reads messages that were found before, once more, for whoever may hear them now.
#
# What was deleted, set aside or closed to the reader meanwhile is missing; what was edited says what it says today.


class PassageStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, audience: Audience, marks: Sequence[Bookmark]) -> list[Passage]:
        """Read the marked passages, in the order of the marks."""
        rows = await self._database.read(
            "store.passages.read",
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
    """Find what stands next to a message, if no pause lies between them."""
    other = sides.get(side)
    if other is None or abs(other.sent_at - sides[0].sent_at) >= PAUSE:
        return ()
    return (other,)


_TELLABLE = not_pending_removal("said")
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
