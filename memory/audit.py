"""Writes down who looks at or changes what is remembered of somebody else: never what it says."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Literal
from uuid import UUID, uuid4

from memory.core.log_values import Kind
from memory.core.values import Fact
from memory.db.database import Connection, Database
from memory.db.table_declarations import Erasing, Goes, Stays, TableDeclaration, columns
from memory.places.view import Audience
from memory.policy.rules import WHOLE_GUILD

KEPT = timedelta(days=365)
LOSS_TOLD = timedelta(days=30)
"""How long whoever put a summary or a day right is told that it went."""
MEMBER_ERASED: Literal["member erased"] = "member erased"
"""No deed of anybody's: how many messages went, and on which day, of a member who had everything erased."""
NOBODY = 0


class Deed(StrEnum):
    LOOKED = "looked"
    """At the facts about a member. Written down once a day, at the first look, with the most that were seen at once."""
    TOLD = "told"
    REPLACED = "replaced"
    """Told something that took the place of what was known."""
    FORGOT = "forgot"
    EDITED = "edited"
    UNDID = "undid"
    VETOED = "vetoed"
    """Said of oneself that it is not true, and with it went what it said of others."""
    CORRECTED_DAY = "corrected day"
    """Put into other words what a day was about for a member. Its row has the member and the day as its id."""
    CORRECTED_SUMMARY = "corrected summary"
    """Put what was talked about in a channel into other words. Its row has the number of the summary as its id."""
    SHOWED_CHANNEL = "showed channel"
    EXPORTED_CHANNEL = "exported channel"
    ERASED_CHANNEL = "erased channel"
    OPENED_CHANNEL = "opened channel"
    """Let the readers of a channel read what an import brought of one that is gone."""
    CLOSED_CHANNEL = "closed channel"
    ENDED_REMINDER = "ended reminder"
    """Of a member, that was to come in a channel."""
    CHANGED_KEEPING = "changed keeping"
    """Decided what is kept of members and what they may tell of each other; what may not stay goes."""
    CHANGED_PERSONA = "changed persona"


OF_CHANNELS = frozenset(
    (
        Deed.SHOWED_CHANNEL,
        Deed.EXPORTED_CHANNEL,
        Deed.ERASED_CHANNEL,
        Deed.OPENED_CHANNEL,
        Deed.CLOSED_CHANNEL,
    )
)
"""Done to a channel as a whole, by those who manage the guild. The others are done to facts and days."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    at: datetime
    actor_id: int
    deed: Deed
    subject_id: int | None
    """Whose memory it was; None: the guild's own, or a channel's."""
    channel_id: int | None
    """The channel it was done to, if it was one."""
    items: int
    """Facts or messages, as far as whoever reads this could read them."""


@dataclass(frozen=True, slots=True)
class AuditPage:
    entries: tuple[AuditEntry, ...]
    """The newest first."""
    in_all: int


def is_of_another(fact: Fact, actor_id: int) -> bool:
    """Say whether a fact concerns somebody else than the one who does something to it."""
    return fact.teller_id != actor_id if fact.subject_id is None else fact.subject_id != actor_id


# The audit log: who looked at or changed what is remembered of somebody else. Ids and numbers, never words.
#
# `note` and `note_facts` are called in the transaction that does it, so that nothing is done without being written
# down. A row about facts has the channel they were told in, and is read by those alone who could read them there: that
# somebody was told of at all, when and by whom, is as much a secret of that room as the words.


_CHANNEL_DEEDS = ", ".join(f"'{deed}'" for deed in sorted(OF_CHANNELS))


DONE_BY_ANOTHER = "actor_id IS DISTINCT FROM subject_id"
"""The condition of whoever reads what others did: that somebody corrected their own day is for them alone."""


def readable(sources: str) -> str:
    """Give the condition of every read: on facts that the reader could read, on a whole channel, or of no channel."""
    return f"(channel_id IS NULL OR channel_id = ANY({sources}) OR action IN ({_CHANNEL_DEEDS}))"


_NOTE = "INSERT INTO audit (guild_id, at, audit_id, actor_id, action, subject_id, channel_id, items)"
_ONCE_A_DAY = f"""
WITH before AS (
    UPDATE audit SET items = greatest(items, $8)
    WHERE guild_id = $1 AND at >= $9 AND at < $9 + interval '1 day' AND actor_id = $4 AND action = $5
        AND subject_id IS NOT DISTINCT FROM $6 AND channel_id IS NOT DISTINCT FROM $7
    RETURNING 1)
{_NOTE} SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE NOT EXISTS (SELECT FROM before)
"""  # noqa: S608 - made of constants


def _day_of(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


_COUNTED = f"channel IS NULL OR channel = {WHOLE_GUILD} OR channel = ANY($2)"
"""How much there was in a channel is for those who can read it."""


async def note(
    connection: Connection,
    guild_id: int,
    actor_id: int,
    deed: Deed | Literal["member erased"],
    at: datetime,
    *,
    subject_id: int | None = None,
    channel_id: int | None = None,
    items: int = 0,
    audit_id: UUID | None = None,
) -> None:
    """Write down, within the caller's transaction, what somebody did. What they do to their own memory is written down
    only where they are to find it again, by the id that is given, and shown to nobody else."""
    if subject_id == actor_id and audit_id is None:
        return
    given = (guild_id, at, audit_id or uuid4(), actor_id, deed, subject_id, channel_id, items)
    if deed is Deed.LOOKED:
        await connection.execute(_ONCE_A_DAY, *given, _day_of(at))
    else:
        await connection.execute(f"{_NOTE} VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING", *given)


async def note_facts(connection: Connection, actor_id: int, deed: Deed, facts: Iterable[Fact], at: datetime) -> None:
    """Write down, within the caller's transaction, what somebody did to facts: once for each member they are about and
    each channel they were told in. What everyone may know is no channel's."""
    done = Counter(
        (fact.guild_id, fact.subject_id, None if fact.everywhere else fact.channel_id)
        for fact in facts
        if is_of_another(fact, actor_id)
    )
    for (guild_id, subject_id, channel_id), items in done.items():
        await note(connection, guild_id, actor_id, deed, at, subject_id=subject_id, channel_id=channel_id, items=items)


async def note_erasure(connection: Connection, guild_id: int, at: datetime, messages: int) -> None:
    """Write down that a member was erased, by the day alone: the minute would tell whom it was about."""
    await note(connection, guild_id, NOBODY, MEMBER_ERASED, _day_of(at), items=messages)


class AuditLog:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_guild(self, reader: Audience, *, skip: int, most: int) -> AuditPage:
        """List all entries whose fact or channel this manager could read."""
        return await self._page("$3::bigint IS NULL", reader, None, skip, most)

    async def of_member(self, reader: Audience, user_id: int, *, skip: int, most: int) -> AuditPage:
        """List what others did to the memory of a member, as far as the reader could read those facts."""
        return await self._page("subject_id = $3", reader, user_id, skip, most)

    async def purge(self, now: datetime) -> int:
        """Delete what is older than a year, in every guild; give how much that was."""
        async with self._database.transaction("store.audit.purge") as connection:
            done = await connection.execute("DELETE FROM audit WHERE at < $1", now - KEPT)
        return int(done.split()[-1])

    async def _page(self, condition: str, reader: Audience, user_id: int | None, skip: int, most: int) -> AuditPage:
        """Read one page. What was done at once to facts of several channels is one entry."""
        found = f"""
            SELECT at, actor_id, action, subject_id, channel,
                coalesce(sum(items) FILTER (WHERE {_COUNTED}), 0)::integer AS items FROM (
                SELECT *, CASE WHEN action IN ({_CHANNEL_DEEDS}) THEN channel_id END AS channel FROM audit
                WHERE guild_id = $1 AND actor_id <> {NOBODY} AND {DONE_BY_ANOTHER} AND {readable("$2")}
                    AND {condition}) AS readable
            GROUP BY at, actor_id, action, subject_id, channel
        """  # noqa: S608 - ours
        given = (reader.guild_id, sorted(reader.sources), user_id)
        async with self._database.transaction("store.audit.page", readonly=True) as connection:
            in_all: int = await connection.fetchval(f"SELECT count(*) FROM ({found}) AS entries", *given)  # noqa: S608 - ours
            rows = await connection.fetch(
                f"{found} ORDER BY at DESC, actor_id, action, subject_id, channel OFFSET $4 LIMIT $5",
                *given,
                skip,
                most,
            )
        entries = tuple(
            AuditEntry(row["at"], row["actor_id"], Deed(row["action"]), row["subject_id"], row["channel"], row["items"])
            for row in rows
        )
        return AuditPage(entries, in_all)


TABLES = (
    TableDeclaration(
        table="audit",
        purpose="who looked at or changed what is remembered about somebody else, when, and how many facts or messages"
        " that was; never what they say. About a member who had everything erased: the day and the number of messages,"
        " not who it was. About your own memory: only that you corrected a day, so that you can be told if the"
        " correction goes; nobody else sees that",
        until="365 days",
        columns=columns(
            ids="guild_id audit_id channel_id",
            people="actor_id subject_id",
            times="at",
            numbers="items",
            states="action",
        ),
        message=Stays("it is about no message"),
        member=Goes("subject_id = {member}"),
        opting_out=Stays("it says who looked at what was kept about you until then"),
        channel=Stays("it tells who had the channel erased"),
        guild=Goes(),
        counted=Kind.AUDIT,
        named_on={Erasing.MEMBER: {"actor_id": "others may know for a year what you did with what is kept about them"}},
    ),
)
