"""Finds replies that have to be taken back: which, why, and what stands there instead."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum, auto

from memory.core.clock import Clock
from memory.db.database import Connection, Database, Record
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.health import Health
from memory.language.detect import Language
from memory.leases import Leases, LeaseStore
from memory.log.store import shared_log_transaction
from memory.places.model import PlaceKind
from memory.places.service import PlaceMirror
from memory.places.view import GuildView
from memory.receipts.store import keep_out

# Replies of ours that have to be taken back on Discord: for whom, and what is to stand in their place.


class Replacement(StrEnum):
    """Names what is left of the reply."""

    NOTHING = auto()
    """The question is gone, so nobody would know what it answers."""
    TAKEN_BACK = auto()
    """Something that it was made from has been deleted or changed."""
    FORGOTTEN = auto()
    """It named what was forgotten, for as long as that could be undone."""
    NOT_FOR_ALL = auto()
    """Somebody came to read it who could not read a channel that it was made from."""


@dataclass(frozen=True, slots=True)
class Retraction:
    guild_id: int
    asked_in: int
    """The message that it answers."""
    channel_id: int
    language: Language
    message_ids: tuple[int, ...]
    """Our messages, as far as they are known."""
    because: str
    made_at: datetime
    marked_at: datetime
    tries: int
    instead: Replacement

    @property
    def key(self) -> tuple[int, int]:
        return self.guild_id, self.asked_in


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Groups replies in one place that were made from the same other channels."""

    channel_id: int
    sources: frozenset[int]
    is_new: bool
    """They were made since the readers were last looked at."""
    asked_in: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Viewers:
    """Tells who saw each channel and private thread when that was last looked at; nobody, where nobody looked."""

    checked_at: datetime
    people: tuple[int, ...]
    seen_by: Mapping[int, int]
    """By channel, a bit for each of the people."""

    @classmethod
    def of_rooms(cls, checked_at: datetime, rooms: Mapping[int, frozenset[int]]) -> "Viewers":
        people = tuple(sorted(frozenset().union(*rooms.values())))
        bits: dict[frozenset[int], int] = {}
        for viewers in rooms.values():
            if viewers not in bits:
                bits[viewers] = int("0" + "".join("01"[one in viewers] for one in reversed(people)), 2)
        return cls(checked_at, people, {room: bits[viewers] for room, viewers in rooms.items()})

    def of(self, room: int) -> frozenset[int]:
        marks = reversed(f"{self.seen_by.get(room, 0):b}")
        return frozenset(one for one, mark in zip(self.people, marks, strict=False) if mark == "1")


NEVER_LOOKED = Viewers(datetime(1970, 1, 1, tzinfo=UTC), (), {})


# Which of our replies have to be taken back on Discord by now, and which have been.
#
# That they have to be is decided by the database itself, where whatever they quote is deleted or changed; and by
# whoever sees Discord, where somebody comes to read them who could not read what they were made from.


# A question that is gone is told by its tombstone, or by the channel that went with it.
_DUE = """
SELECT due.guild_id, due.asked_in, due.channel_id, due.language, due.message_ids, due.because, due.made_at,
       due.take_back_at, due.tries,
       EXISTS (SELECT 1 FROM tombstones AS gone WHERE gone.guild_id = due.guild_id AND gone.message_id = due.asked_in)
           AS question_is_gone
FROM receipts AS due
WHERE due.guild_id = $1 AND due.take_back_at <= $2 AND due.asked_in <> ALL ($3::bigint[])
ORDER BY due.take_back_at, due.asked_in LIMIT $4
"""

_BORROWED = """
SELECT channel_id, source_channels, made_at >= $2 AS is_new, array_agg(asked_in) FROM receipts
WHERE guild_id = $1 AND source_channels <> '{}'
  AND (take_back_at IS NULL OR take_back_at > TIMESTAMP WITH TIME ZONE 'epoch')
GROUP BY channel_id, source_channels, is_new
"""

# Not of a guild that was erased while they were looked at.
_NOTE_VIEWERS = """
INSERT INTO place_viewers (guild_id, checked_at, people, channels, viewers)
SELECT guild_id, $2, $3::bigint[], $4::bigint[], $5::bytea[] FROM guilds WHERE guild_id = $1
ON CONFLICT (guild_id) DO UPDATE SET checked_at = excluded.checked_at, people = excluded.people,
    channels = excluded.channels, viewers = excluded.viewers
"""

_AS_IT_WAS = "guild_id = $1 AND asked_in = $2 AND message_ids = $3 AND because = $4 AND take_back_at = $5"
"""More messages may have been noted meanwhile, or another answer has taken the place of this one."""


async def detach_expired_facts(connection: Connection, guild_id: int, fact_ids: Collection[int]) -> None:
    """Let replies keep what they say when these facts expire, within the caller's transaction."""
    await connection.execute(
        """
        UPDATE receipts SET quoted_facts = ARRAY(SELECT unnest(quoted_facts) EXCEPT SELECT unnest($2::bigint[]))
        WHERE guild_id = $1 AND quoted_facts && $2
        """,
        guild_id,
        list(fact_ids),
    )


def _due(row: Record) -> Retraction:
    return Retraction(
        guild_id=row["guild_id"],
        asked_in=row["asked_in"],
        channel_id=row["channel_id"],
        language=Language(row["language"]),
        message_ids=tuple(row["message_ids"]),
        because=row["because"],
        made_at=row["made_at"],
        marked_at=row["take_back_at"],
        tries=row["tries"],
        instead=_instead(row["because"], question_is_gone=row["question_is_gone"]),
    )


def _instead(because: str, *, question_is_gone: bool) -> Replacement:
    if question_is_gone or because == "question":
        return Replacement.NOTHING
    if because == "lapsed":
        return Replacement.FORGOTTEN
    return Replacement.NOT_FOR_ALL if because == "readers" else Replacement.TAKEN_BACK


def _values(due: Retraction) -> tuple[object, ...]:
    return due.guild_id, due.asked_in, list(due.message_ids), due.because, due.marked_at


TABLES = (
    TableDeclaration(
        table="place_viewers",
        purpose="which members could see which channel when the bot's answers there were last checked, so that an"
        " answer is taken back when somebody comes who could not read what it was made from; ids only",
        until="the next check, seconds after a role, a channel or a member changes",
        columns=columns(ids="guild_id channels", people="people", times="checked_at", states="viewers"),
        message=Stays("it is about no message"),
        member=Stays("it says who can see what on Discord now; without it the bot could not tell who came later"),
        channel=Stays("the channel is still there, and so are those who may see it"),
        guild=Goes(),
    ),
)


MOST_AT_ONCE = 50


class Retractions:
    def __init__(self, database: Database, clock: Clock, place_mirror: PlaceMirror, health: Health) -> None:
        self._place_mirror = place_mirror
        self._database = database
        self._claims = Leases(LeaseStore(database), clock, health)
        self._clock = clock
        self._marked = asyncio.Event()
        self._checked: dict[int, int] = {}
        """The version of each guild's view that its replies were last held against."""
        self._unchanged_until: dict[int, datetime] = {}
        """When that version was last seen to hold still: until then, whoever is noted as a viewer saw the place."""

    def wake(self) -> None:
        """Wake whoever takes back: something was deleted or changed, and perhaps we quoted it."""
        self._marked.set()

    async def marked(self, seconds: float) -> bool:
        """Wait until something may have to be taken back, or the time is up; say whether it was woken."""
        try:
            async with asyncio.timeout(seconds):
                await self._marked.wait()
        except TimeoutError:
            return False
        self._marked.clear()
        return True

    async def check_readers(self, guild_id: int) -> None:
        """Mark what stands where somebody came who could not read a channel that it was made from.

        Only after something changed that decides who sees what, and never while that is not known.
        """
        view, now = self._place_mirror.view(guild_id), self._clock.now()
        version = view.version
        if not view.is_open:
            return
        if self._checked.get(guild_id) == version:
            self._unchanged_until[guild_id] = now
            return
        self._checked[guild_id] = version  # first, so that whoever wants another check meanwhile gets one
        try:
            before = await self._viewers_before(guild_id)
            since = max(before.checked_at, self._unchanged_until.get(guild_id, before.checked_at))
            borrowed = await self._borrowed(guild_id, since)
            # All of one moment, so nothing is awaited; if it is a later one, it is looked at once more.
            view = self._place_mirror.view(guild_id)
            if not view.is_open:
                return
            exposed = [asked_in for one in borrowed if self._is_exposed(one, view, before) for asked_in in one.asked_in]
            await self._note_viewers(guild_id, self._viewers(view, before, now), exposed)
        except BaseException:
            self.check_again(guild_id)
            raise
        if exposed:
            self.wake()

    def check_again(self, guild_id: int) -> None:
        """Check a guild again: a receipt came after its reply, and nobody knows who came in between."""
        self._checked.pop(guild_id, None)

    def _viewers(self, view: GuildView, before: Viewers, now: datetime) -> Viewers:
        """Say who sees a place; where nobody is seen, who is in a private thread may only not be known yet."""
        seen = {room: view.viewers(room) for room in self._place_mirror.rooms(view.guild_id)}
        people = {bits: view.people(bits) for bits in frozenset(seen.values())}
        return Viewers.of_rooms(now, {room: people[bits] or before.of(room) for room, bits in seen.items()})

    def _is_exposed(self, borrowed: Borrowed, view: GuildView, before: Viewers) -> bool:
        """Say whether somebody sees a place now who did not before, and cannot read a source of a reply there.

        Whoever saw it before could read them then, and may have lost that since: they have read the reply. Of one newer
        than the last look nobody knows who saw it when it was said. Text of a channel that asks for an age may not
        stand where none is asked, whoever sees it. What is gone nobody can read.
        """
        place = self._place_mirror.known_place(view.guild_id, borrowed.channel_id)
        if place is None:
            return False
        room = place.parent_id if place.kind is PlaceKind.THREAD else place.channel_id
        known = frozenset() if borrowed.is_new or room is None else before.of(room)
        viewers = view.viewers(borrowed.channel_id)
        asks_for_age = view.is_age_restricted(borrowed.channel_id)
        for source in borrowed.sources - view.audience_of(borrowed.channel_id).sources:
            strangers = viewers & ~view.readers(source)
            is_too_young = view.is_age_restricted(source) and not asks_for_age
            if view.people(strangers) - known or (viewers and (is_too_young or not strangers)):
                return True
        return False

    async def guilds(self, guild_ids: Collection[int]) -> list[int]:
        """List those of these guilds in which there is something to take back."""
        rows = await self._database.read(
            "store.taking_back.guilds",
            "SELECT DISTINCT guild_id FROM receipts WHERE take_back_at <= $2 AND guild_id = ANY($1) ORDER BY guild_id",
            list(guild_ids),
            self._clock.now(),
        )
        return [row["guild_id"] for row in rows]

    @asynccontextmanager
    async def due(self, guild_id: int, but: Collection[int] = ()) -> AsyncIterator[list[Retraction]]:
        """Give what is due in a guild, the longest due first, without the replies to some questions. For this process
        alone; nothing while another is at it."""
        async with self._claims.held(guild_id, "taking back") as claim:
            if claim is None:
                yield []
                return
            given = (guild_id, self._clock.now(), list(but), MOST_AT_ONCE)
            yield [_due(row) for row in await self._database.read("store.taking_back.due", _DUE, *given)]

    async def is_due(self, due: Retraction) -> bool:
        """Say whether it is still to be taken back as it was read, and nobody has something else stand there by now."""
        rows = await self._database.read(
            "store.taking_back.is_due",
            f"SELECT 1 FROM receipts WHERE {_AS_IT_WAS}",  # noqa: S608 - ours
            *_values(due),
        )
        return bool(rows)

    async def done(self, due: Retraction) -> None:
        """Note that a reply is taken back."""
        async with self._database.transaction("store.taking_back.done") as connection:
            await connection.execute(f"DELETE FROM receipts WHERE {_AS_IT_WAS}", *_values(due))  # noqa: S608 - ours

    async def put_off(self, due: Retraction) -> None:
        async with self._database.transaction("store.taking_back.put_off") as connection:
            await connection.execute(
                f"UPDATE receipts SET tries = tries + 1 WHERE {_AS_IT_WAS}",  # noqa: S608 - ours
                *_values(due),
            )

    async def note_found(self, due: Retraction, message_ids: Collection[int]) -> bool:
        """Note messages of ours that nobody had noted: they are kept out of the log like those that were. Whether it is
        still to be taken back as it was read: looking for them takes a while."""
        async with shared_log_transaction(self._database, "store.taking_back.note_found", due.guild_id) as connection:
            noted = await connection.fetchval(
                f"UPDATE receipts SET message_ids = $6 WHERE {_AS_IT_WAS} RETURNING true",  # noqa: S608 - ours
                *_values(due),
                sorted(message_ids),
            )
            if noted:
                await keep_out(connection, due.guild_id, due.asked_in)
        return noted is not None

    async def unnoted(self, guild_id: int, message_ids: Collection[int]) -> list[int]:
        """List those of these messages of ours of which no receipt knows."""
        if not message_ids:
            return []
        rows = await self._database.read(
            "store.taking_back.unnoted",
            """
            SELECT message_id FROM unnest($2::bigint[]) AS ours (message_id) WHERE NOT EXISTS (
                SELECT 1 FROM receipts WHERE guild_id = $1 AND message_ids @> ARRAY[ours.message_id])
            ORDER BY message_id
            """,
            guild_id,
            list(message_ids),
        )
        return [row["message_id"] for row in rows]

    async def _viewers_before(self, guild_id: int) -> Viewers:
        """Read the viewers as they were when they were last noted."""
        rows = await self._database.read(
            "store.taking_back.viewers",
            "SELECT checked_at, people, channels, viewers FROM place_viewers WHERE guild_id = $1",
            guild_id,
        )
        if not rows:
            return NEVER_LOOKED
        checked_at, people, channels, viewers = rows[0]
        bits = (int.from_bytes(one, "little") for one in viewers)
        return Viewers(checked_at, tuple(people), dict(zip(channels, bits, strict=True)))

    async def _borrowed(self, guild_id: int, since: datetime) -> list[Borrowed]:
        """Read what stands and was made from other channels than its own, apart for what was made since then."""
        rows = await self._database.read("store.taking_back.borrowed", _BORROWED, guild_id, since)
        return [Borrowed(place, frozenset(sources), new, tuple(ids)) for place, sources, new, ids in rows]

    async def _note_viewers(self, guild_id: int, viewers: Viewers, exposed: Collection[int]) -> None:
        """Note that these see the places now, and that the replies to these questions are to be taken back for that."""
        size = (len(viewers.people) + 7) // 8
        # The log's turn is taken in any case: changes of who sees what are rare.
        async with shared_log_transaction(self._database, "store.taking_back.note_viewers", guild_id) as connection:
            if exposed:
                await connection.execute("SELECT take_back($1, $2, 'readers')", guild_id, sorted(exposed))
            await connection.execute(
                _NOTE_VIEWERS,
                guild_id,
                viewers.checked_at,
                list(viewers.people),
                list(viewers.seen_by),
                [bits.to_bytes(size, "little") for bits in viewers.seen_by.values()],
            )


# A reply that somebody has in hand: they are about to say there what holds now, since they have just changed it.
#
# What changes a fact has every reply taken back that quotes it. The one under which somebody pressed will be put right
# by whoever answers the press; only if that does not come about, it is taken back like the others.


PATIENCE = timedelta(minutes=1)
"""For whoever answers the press. They wait for Discord no longer than that."""


async def postpone_retraction(connection: Connection, guild_id: int, message_id: int | None, now: datetime) -> None:
    """Postpone a retraction, within the change's transaction, after it; without a message there is none."""
    if message_id is None:
        return
    await connection.execute(
        """
        UPDATE receipts SET take_back_at = $3
        WHERE guild_id = $1 AND message_ids @> ARRAY[$2::bigint] AND because = 'forgotten' AND take_back_at < $3
        """,
        guild_id,
        message_id,
        now + PATIENCE,
    )
