"""Reads what members said to us and was not read for memories yet; puts the memories found into the ledger.

How far was read is written in the transaction that keeps what was found: whoever is ended before it begins anew, and
finds nothing twice.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.core.values import Intent, Message, Standing, last_id_of
from memory.db.database import Database, LogWrite
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.facts.changes import LedgerChange
from memory.facts.enter import NewFact, NotKept, enter, is_vetoed, known_to, saying_the_same
from memory.facts.ledger import FactStore, may_be_told_on
from memory.language.sentences import sentences_around
from memory.leases import Lease
from memory.log.reading import message_of, not_pending_removal, stored
from memory.log.store import log_transaction
from memory.memories.prompt import Candidate, replaced
from memory.places.view import Audience
from memory.policy.settings import read_settings
from memory.policy.store import opted_out_among

LOOK_BACK = timedelta(days=1)
"""What was said longer ago is not read any more, whatever kept us from it."""
MOST_READ = 20
"""Messages of one reading."""
KEPT_FOR = 2 * LOOK_BACK
_EXCHANGES = (Intent.QUESTION, Intent.KNOWLEDGE)


@dataclass(frozen=True, slots=True)
class Place:
    """Names where a member speaks with us."""

    guild_id: int
    channel_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Holds how many exchanges with a member were not read yet."""

    place: Place
    exchanges: int
    last_at: datetime


class MemoryStore:
    def __init__(self, database: Database, facts: FactStore) -> None:
        self._database = database
        self._facts = facts

    async def waiting(self, now: datetime) -> list[Waiting]:
        """List all that was said to us and not read, in every guild."""
        rows = await self._database.read(
            "store.memories.waiting", _WAITING, list(_EXCHANGES), last_id_of(now - LOOK_BACK)
        )
        return [
            Waiting(Place(row["guild_id"], row["channel_id"], row["author_id"]), row["exchanges"], row["last_at"])
            for row in rows
        ]

    async def unread(self, place: Place, now: datetime) -> list[Message]:
        """Read what a member said to us there and was answered, the oldest first."""
        rows = await self._database.read(
            "store.memories.unread",
            _UNREAD,
            place.guild_id,
            place.channel_id,
            place.user_id,
            list(_EXCHANGES),
            last_id_of(now - LOOK_BACK),
            MOST_READ,
        )
        return [message_of(row) for row in rows]

    async def keep(
        self,
        claim: Lease,
        place: Place,
        through: int,
        found: Sequence[Candidate],
        audience: Audience,
        at: datetime,
    ) -> int:
        """Note that all up to a message was read, and what was found there; give how many are new.

        Nothing, if another has the claim by now. What was edited or deleted meanwhile, vetoed, or may not be taken any
        more, is left out.
        """
        async with log_transaction(self._database, "store.memories.keep", place.guild_id) as connection:
            if not await connection.fetchval(_HOLDS, claim.guild_id, claim.what, claim.claimed_by):
                return 0
            await connection.execute(_READ_THROUGH, place.guild_id, place.channel_id, place.user_id, through, at)
            wanted = await _still_wanted(connection, place, found)
            if not wanted:
                return 0
            change = LedgerChange(connection, place.guild_id, [place.user_id], at)
            new = sum([await _enter(change, one, audience) for one in wanted])
            self._facts.changed(change)
        return new

    async def purge(self, now: datetime) -> None:
        async with self._database.transaction("store.memories.purge") as connection:
            await connection.execute("DELETE FROM memory_progress WHERE read_at < $1", now - KEPT_FOR)


async def _still_wanted(connection: LogWrite, place: Place, found: Collection[Candidate]) -> list[Candidate]:
    """Find the candidates that may still be kept. Asked again behind the lock: a model takes its time."""
    settings = await read_settings(connection, place.guild_id)
    is_out = await opted_out_among(connection, place.guild_id, [place.user_id])
    if not found or settings is None or not settings.answers.takes_memories or is_out:
        return []
    ids = {one.message.message_id for one in found}
    said = {message.message_id: message for message in await stored(connection, place.guild_id, ids)}
    wanted: list[Candidate] = []
    for one in found:
        message = said.get(one.message.message_id)
        if message is None or sentences_around(one.span, message.text) != one.span:
            continue
        is_denied = await is_vetoed(connection, place.guild_id, place.user_id, one.text)
        if not is_denied and await may_be_told_on(connection, message):
            wanted.append(one)
    return wanted


async def _enter(change: LedgerChange, candidate: Candidate, audience: Audience) -> bool:
    """Enter a candidate; say whether it is new: what was told and says otherwise, or says so already, holds."""
    message = candidate.message
    new = NewFact(
        guild_id=message.guild_id,
        subject_id=message.author_id,
        teller_id=message.author_id,
        channel_id=message.channel_id,
        message_id=message.message_id,
        source_message_id=message.message_id,
        text=candidate.text,
        standing=Standing.INFERRED,
        in_hall=audience.is_hall,
        valid_from=message.sent_at,
        attribute=candidate.attribute,
        span=candidate.span,
    ).with_traits(candidate.traits)
    rows = await known_to(change.connection, new, audience)
    if await saying_the_same(rows, new.text):
        return False
    earlier = [row for row in rows if row["standing"] == Standing.INFERRED and row["valid_from"] <= new.valid_from]
    over = replaced(candidate, {row["fact_id"]: (row["category"], row["attribute"]) for row in earlier})
    with suppress(NotKept):
        return (await enter(change, new, audience, over)).is_new
    return False


_HOLDS = "SELECT EXISTS (SELECT 1 FROM claims WHERE guild_id = $1 AND what = $2 AND claimed_by = $3)"

_READ_THROUGH = """
INSERT INTO memory_progress AS known (guild_id, channel_id, user_id, read_through, read_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (guild_id, channel_id, user_id) DO UPDATE
SET read_through = greatest(known.read_through, excluded.read_through), read_at = excluded.read_at
"""

_ANSWERED = """
EXISTS (SELECT 1 FROM chat_history AS reply
        WHERE reply.guild_id = said.guild_id AND reply.reply_to = said.message_id AND reply.author_kind = 'self')
"""

_WAITING = f"""
SELECT said.guild_id, said.channel_id, said.author_id, count(*) AS exchanges, max(said.sent_at) AS last_at
FROM addressed JOIN chat_history AS said USING (guild_id, message_id)
LEFT JOIN memory_progress AS done
    ON done.guild_id = said.guild_id AND done.channel_id = said.channel_id AND done.user_id = said.author_id
WHERE addressed.intent = ANY ($1) AND addressed.message_id > greatest($2, done.read_through)
  AND said.author_kind = 'person' AND NOT said.imported AND {_ANSWERED}
GROUP BY said.guild_id, said.channel_id, said.author_id
"""  # noqa: S608 - made of constants

_UNREAD = f"""
SELECT said.* FROM addressed JOIN chat_history AS said USING (guild_id, message_id)
LEFT JOIN memory_progress AS done
    ON done.guild_id = $1 AND done.channel_id = $2 AND done.user_id = $3
WHERE addressed.guild_id = $1 AND addressed.message_id > greatest($5, done.read_through)
  AND addressed.intent = ANY ($4) AND said.channel_id = $2 AND said.author_id = $3
  AND said.author_kind = 'person' AND NOT said.imported AND {_ANSWERED} AND {not_pending_removal("said")}
ORDER BY said.message_id LIMIT $6
"""  # noqa: S608 - made of constants

TABLES = (
    TableDeclaration(
        table="memory_progress",
        purpose="how far a member's messages to the bot in a channel were read for memories; ids only",
        until="two days later",
        columns=columns(ids="guild_id channel_id read_through", people="user_id", times="read_at"),
        message=Stays("how far was read is true whatever became of what was read"),
        member=Goes("user_id = {member}"),
        channel=Goes("channel_id = ANY({channels})"),
        guild=Goes(),
    ),
)
