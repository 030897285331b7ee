"""Contexts of members and the histories in them: their parts for an audience, and what models made of these.

What was made is told only while all that it goes back to is there and unchanged, and to those who could read all of it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory.core.log_values import Kind
from memory.core.values import Fact
from memory.db.database import Database, Record
from memory.db.table_declarations import Follows, Goes, How, Stays, TableDeclaration, columns
from memory.fact_rows import SELECT, TOLD, fact_of, readable
from memory.leases import Lease
from memory.places.view import Audience
from memory.policy.settings import GuildSettings
from memory.policy.store import said_no

# What the store knows of a member's context: the parts it is made from, and what was made of them before.


@dataclass(frozen=True, slots=True)
class Window:
    """Today by the guild's clocks, and the days before it that belong to a context."""

    first: date
    """Of the days before."""
    last: date
    """Yesterday."""
    today: date
    since: datetime
    """No day of the window begins before that."""


@dataclass(frozen=True, slots=True)
class DayPart:
    """A day of the window, and what it says of the member, if it says anything that may be told."""

    scope: int
    starts_at: datetime
    day: date
    changes: int
    source_channels: frozenset[int]
    is_settled: bool
    """It is over, and nothing it was made from has changed since it was told."""
    is_quoted: bool
    is_closed: bool
    """It says something of the member that this audience may not be told."""
    text: str | None


@dataclass(frozen=True, slots=True)
class KeptHistory:
    scope: int
    made_from: str
    text: str


@dataclass(frozen=True, slots=True)
class Hashes:
    """Of the texts that are merged; nothing has an empty one."""

    facts: str
    today: str
    history: str


@dataclass(frozen=True, slots=True)
class KeptContext:
    """All that it goes back to is still there, and as it was."""

    scope: int
    version: int
    hashes: Hashes
    fact_ids: frozenset[int]
    days: tuple[tuple[datetime, int], ...]
    """Of its scope, by when each begins, with how often its sources had changed."""
    text: str


@dataclass(frozen=True, slots=True)
class MemberParts:
    """All that may be told to one audience of one member, as it was at one moment."""

    user_id: int
    window: Window
    blob: str | None
    hall_facts: tuple[Fact, ...]
    """What everybody in the hall may hear, in the order in which it was told."""
    other_facts: tuple[Fact, ...]
    """What was told elsewhere, where this audience could listen."""
    facts_digest: str
    """Of the hall's facts."""
    facts_are_whole: bool
    """The hall knows no more than this audience may hear."""
    days: tuple[DayPart, ...]
    histories: tuple[KeptHistory, ...]
    contexts: tuple[KeptContext, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """What a model made for a scope and a member, and of which days."""

    scope: int
    user_id: int
    version: int
    days: tuple[DayPart, ...]
    source_channels: frozenset[int]
    text: str
    model: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class MadeHistory(Made):
    last_day: date
    made_from: str


@dataclass(frozen=True, slots=True)
class MadeContext(Made):
    made_on: date
    hashes: Hashes
    fact_ids: tuple[int, ...]
    facts_digest: str


@dataclass(frozen=True, slots=True)
class Stamp:
    """Changes with anything that a context is made from, for one audience and member."""

    epoch: int
    zone: str
    digest: bytes


NO_ZONE = GuildSettings().time_zone
"""Of a guild that has not been met."""
MOST_FACTS = 200
"""About one member, the newest of them."""
KEPT_HISTORIES = timedelta(days=7)


class ContextStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def stamp(self, audience: Audience, scopes: Collection[int], user_id: int, window: Window) -> Stamp:
        """One statement that touches a few rows by their keys, however long the history is."""
        [row] = await self._database.read("store.contexts.stamp", _STAMP, *_asked(audience, scopes, user_id, window))
        return Stamp(row["epoch"] or 0, row["time_zone"] or NO_ZONE, row["digest"])

    async def parts(
        self, audience: Audience, scopes: Collection[int], user_id: int, window: Window, history_version: int
    ) -> MemberParts:
        asked = _asked(audience, scopes, user_id, window)
        async with self._database.transaction(
            "store.contexts.parts", isolation="repeatable_read", readonly=True
        ) as connection:
            facts = await connection.fetch(_FACTS, *asked[:3], MOST_FACTS)
            hall = [row for row in facts if row["in_hall"] or row["everywhere"]][::-1]
            summed = await connection.fetchrow(_FACTS_IN_ALL, *asked[:3], [row["fact_id"] for row in hall])
            days = await connection.fetch(_DAYS, *asked)
            histories = await connection.fetch(_HISTORIES, *asked[:4], window.last, history_version)
            contexts = await connection.fetch(_CONTEXTS, *asked[:4], window.first)
        return MemberParts(
            user_id=user_id,
            window=window,
            blob=None if summed is None else summed["blob"],
            hall_facts=tuple(fact_of(row) for row in hall),
            other_facts=tuple(fact_of(row) for row in facts[::-1] if not row["in_hall"] and not row["everywhere"]),
            facts_digest="" if summed is None else summed["digest"],
            facts_are_whole=summed is not None and not summed["is_closed"],
            days=tuple(map(_day_part, days)),
            histories=tuple(KeptHistory(row["scope"], row["made_from"], row["text"]) for row in histories),
            contexts=tuple(map(_kept_context, contexts)),
        )

    async def put_history(self, claim: Lease, made: MadeHistory) -> bool:
        """Whether it was kept: not if something it goes back to has changed, or another has the claim by now."""
        async with self._database.transaction("store.contexts.put_history") as connection:
            kept = await connection.fetchval(
                _PUT_HISTORY,
                claim.guild_id,
                made.scope,
                made.user_id,
                made.last_day,
                made.version,
                made.made_from,
                [day.starts_at for day in made.days],
                [day.changes for day in made.days],
                sorted(made.source_channels),
                made.text,
                made.model,
                made.made_at,
                claim.what,
                claim.claimed_by,
            )
            await connection.execute(
                "DELETE FROM histories WHERE guild_id = $1 AND scope = $2 AND user_id = $3 AND last_day < $4",
                claim.guild_id,
                made.scope,
                made.user_id,
                made.last_day - KEPT_HISTORIES,
            )
        return kept is not None

    async def put_context(self, claim: Lease, made: MadeContext) -> bool:
        """The same for a context."""
        async with self._database.transaction("store.contexts.put_context") as connection:
            kept = await connection.fetchval(
                _PUT_CONTEXT,
                claim.guild_id,
                made.scope,
                made.user_id,
                made.made_on,
                made.version,
                made.hashes.facts,
                made.hashes.today,
                made.hashes.history,
                list(made.fact_ids),
                made.facts_digest,
                [day.starts_at for day in made.days],
                [day.changes for day in made.days],
                sorted(made.source_channels),
                made.text,
                made.model,
                made.made_at,
                claim.what,
                claim.claimed_by,
            )
        return kept is not None

    async def note_asked(self, guild_id: int, user_id: int, at: datetime) -> None:
        """Not of those who want nothing kept of them."""
        async with self._database.transaction("store.contexts.note_asked") as connection:
            await connection.execute(_NOTE_ASKED, guild_id, user_id, at)

    async def asked_since(self, guild_id: int, moment: datetime) -> list[int]:
        """Who asked or was asked about since then; who was before is not remembered any longer."""
        async with self._database.transaction("store.contexts.asked_since") as connection:
            await connection.execute("DELETE FROM asked_about WHERE guild_id = $1 AND asked_at < $2", guild_id, moment)
            rows = await connection.fetch(
                "SELECT user_id FROM asked_about WHERE guild_id = $1 ORDER BY asked_at DESC", guild_id
            )
        return [row["user_id"] for row in rows]

    async def sweep(self, guild_id: int) -> None:
        """What does not hold any more and was not taken away when it ceased to, because somebody was writing it."""
        async with self._database.transaction("store.contexts.sweep") as connection:
            await connection.execute(
                f"DELETE FROM contexts WHERE guild_id = $1 AND NOT ({_HOLDS})",  # noqa: S608 - made of constants
                guild_id,
            )
            await connection.execute(
                f"DELETE FROM histories WHERE guild_id = $1 AND NOT {_DAYS_HOLD}",  # noqa: S608 - made of constants
                guild_id,
            )


def _asked(audience: Audience, scopes: Collection[int], user_id: int, window: Window) -> tuple[object, ...]:
    return (
        audience.guild_id,
        user_id,
        list(audience.sources),
        list(scopes),
        window.since,
        window.first,
        window.today,
    )


def _day_part(row: Record) -> DayPart:
    return DayPart(
        scope=row["scope"],
        starts_at=row["starts_at"],
        day=row["day"],
        changes=row["changes"],
        source_channels=frozenset(row["source_channels"]),
        is_settled=row["is_settled"],
        is_quoted=row["is_quoted"],
        is_closed=row["is_closed"],
        text=row["text"],
    )


def _kept_context(row: Record) -> KeptContext:
    return KeptContext(
        scope=row["scope"],
        version=row["version"],
        hashes=Hashes(row["facts_hash"], row["today_hash"], row["history_hash"]),
        fact_ids=frozenset(row["fact_ids"]),
        days=tuple(zip(row["day_starts"], row["day_changes"], strict=True)),
        text=row["text"],
    )


_DAYS_HOLD = "days_hold(guild_id, scope, day_starts, day_changes)"
_HOLDS = f"{_DAYS_HOLD} AND facts_digest = facts_digest(guild_id, fact_ids)"

_STAMP = f"""
SELECT epoch, time_zone, sha256(convert_to(concat_ws('|',
    (SELECT string_agg(concat_ws(' ', fact_id, standing, in_hall, everywhere, hashtextextended(text, 0)), ','
        ORDER BY fact_id)
     FROM facts WHERE guild_id = $1 AND subject_id = $2 AND {TOLD} AND {readable("$3")}),
    '', (SELECT concat_ws(' ', made_from, by_model, source_channels <@ $3::bigint[]) FROM user_facts
     WHERE guild_id = $1 AND user_id = $2),
    '', (SELECT string_agg(concat_ws(' ', scope, starts_at, is_final, changes, seen_changes, made_at, model,
            source_channels <@ $3::bigint[]), ',' ORDER BY scope, starts_at)
     FROM days WHERE guild_id = $1 AND scope = ANY ($4::bigint[]) AND starts_at >= $5 AND day BETWEEN $6 AND $7),
    '', (SELECT string_agg(concat_ws(' ', scope, last_day, made_at, source_channels <@ $3::bigint[]), ','
        ORDER BY scope, last_day)
     FROM histories WHERE guild_id = $1 AND scope = ANY ($4::bigint[]) AND user_id = $2),
    '', (SELECT string_agg(concat_ws(' ', scope, made_at, source_channels <@ $3::bigint[]), ',' ORDER BY scope)
     FROM contexts WHERE guild_id = $1 AND scope = ANY ($4::bigint[]) AND user_id = $2)), 'UTF8')) AS digest
FROM (VALUES ($1::bigint)) AS asked (guild_id) LEFT JOIN guilds USING (guild_id)
"""  # noqa: S608 - made of constants

_FACTS = f"""{SELECT}
WHERE guild_id = $1 AND subject_id = $2 AND {TOLD} AND {readable("$3")} ORDER BY fact_id DESC LIMIT $4
"""

_FACTS_IN_ALL = f"""
SELECT facts_digest($1, $4::bigint[]) AS digest,
    (SELECT memory_blob FROM user_facts
     WHERE guild_id = $1 AND user_id = $2 AND source_channels <@ $3::bigint[]) AS blob,
    EXISTS (SELECT 1 FROM facts WHERE guild_id = $1 AND subject_id = $2 AND {TOLD} AND in_hall
        AND NOT {readable("$3")}) AS is_closed
"""  # noqa: S608 - made of constants

_DAYS = """
SELECT days.scope, days.starts_at, day, changes, source_channels, is_final AND changes = seen_changes AS is_settled,
    model IS NULL AND corrected_by IS NULL AS is_quoted,
    text IS NOT NULL AND NOT source_channels <@ $3::bigint[] AS is_closed,
    CASE WHEN source_channels <@ $3::bigint[] AND changes = seen_changes THEN text END AS text
FROM days LEFT JOIN day_summaries AS told
    ON told.guild_id = $1 AND told.scope = days.scope AND told.starts_at = days.starts_at AND told.user_id = $2
WHERE days.guild_id = $1 AND days.scope = ANY ($4::bigint[]) AND days.starts_at >= $5 AND day BETWEEN $6 AND $7
ORDER BY days.scope, days.starts_at
"""

_HISTORIES = f"""
SELECT scope, made_from, text FROM histories
WHERE guild_id = $1 AND user_id = $2 AND source_channels <@ $3::bigint[] AND scope = ANY ($4::bigint[])
  AND last_day = $5 AND version = $6 AND {_DAYS_HOLD}
"""  # noqa: S608 - made of constants

_CONTEXTS = f"""
SELECT scope, version, facts_hash, today_hash, history_hash, fact_ids, day_starts, day_changes, text FROM contexts
WHERE guild_id = $1 AND user_id = $2 AND source_channels <@ $3::bigint[] AND scope = ANY ($4::bigint[])
  AND made_on >= $5 AND {_HOLDS}
"""  # noqa: S608 - made of constants

_PUT_HISTORY = """
INSERT INTO histories AS known (guild_id, scope, user_id, last_day, version, made_from, day_starts, day_changes,
    source_channels, text, model, made_at)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
WHERE days_hold($1, $2, $7::timestamptz[], $8::bigint[])
  AND EXISTS (SELECT 1 FROM claims WHERE claims.guild_id = $1 AND what = $13 AND claimed_by = $14)
ON CONFLICT (guild_id, scope, user_id, last_day) DO UPDATE SET version = excluded.version,
    made_from = excluded.made_from, day_starts = excluded.day_starts, day_changes = excluded.day_changes,
    source_channels = excluded.source_channels, text = excluded.text, model = excluded.model,
    made_at = excluded.made_at
RETURNING true
"""

_PUT_CONTEXT = """
INSERT INTO contexts AS known (guild_id, scope, user_id, made_on, version, facts_hash, today_hash, history_hash,
    fact_ids, facts_digest, day_starts, day_changes, source_channels, text, model, made_at)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
WHERE days_hold($1, $2, $11::timestamptz[], $12::bigint[]) AND facts_digest($1, $9::bigint[]) = $10
  AND EXISTS (SELECT 1 FROM claims WHERE claims.guild_id = $1 AND what = $17 AND claimed_by = $18)
ON CONFLICT (guild_id, scope, user_id) DO UPDATE SET made_on = excluded.made_on, version = excluded.version,
    facts_hash = excluded.facts_hash, today_hash = excluded.today_hash, history_hash = excluded.history_hash,
    fact_ids = excluded.fact_ids, facts_digest = excluded.facts_digest, day_starts = excluded.day_starts,
    day_changes = excluded.day_changes, source_channels = excluded.source_channels, text = excluded.text,
    model = excluded.model, made_at = excluded.made_at
RETURNING true
"""

_NOTE_ASKED = f"""
INSERT INTO asked_about AS known (guild_id, user_id, asked_at) SELECT $1, $2, $3
WHERE NOT {said_no("$2")}
ON CONFLICT (guild_id, user_id) DO UPDATE SET asked_at = greatest(known.asked_at, excluded.asked_at)
"""


TABLES = (
    TableDeclaration(
        table="asked_about",
        purpose="when a member last asked the bot something or was asked about, to prepare their context at night; no"
        " text, and nothing of those who opted out",
        until="a week later",
        columns=columns(ids="guild_id", people="user_id", times="asked_at"),
        message=Stays("it names no message"),
        member=Goes("user_id = {member}"),
        channel=Stays("it names no channel"),
        guild=Goes(),
    ),
    TableDeclaration(
        table="histories",
        purpose="a member's last days in one text by a model, and which days it was made from; only of members who"
        " asked or were asked about",
        until="what it was made from is edited, deleted, excluded or erased, or the days are over",
        columns=columns(
            ids="guild_id scope source_channels",
            people="user_id",
            words="text",
            digests="made_from",
            times="last_day day_starts made_at",
            numbers="version day_changes",
            states="model",
        ),
        message=Follows("days", How.TRIGGER),
        member=Goes("user_id = {member}"),
        channel=Goes("source_channels && {channels}"),
        guild=Goes(),
        counted=Kind.CONTEXTS,
    ),
    TableDeclaration(
        table="contexts",
        purpose="one text of what is known of a member, merged by a model from facts, today and the days before, and"
        " which of them it was made from; only of members who asked or were asked about",
        until="what it was made from is edited, deleted, forgotten, excluded or erased, or a newer one is made",
        columns=columns(
            ids="guild_id scope fact_ids source_channels",
            people="user_id",
            words="text",
            digests="facts_hash today_hash history_hash facts_digest",
            times="made_on day_starts made_at",
            numbers="version day_changes",
            states="model",
        ),
        message=Follows("days", How.TRIGGER),
        member=Goes("user_id = {member}"),
        channel=Goes("source_channels && {channels}"),
        guild=Goes(),
        counted=Kind.CONTEXTS,
    ),
)
