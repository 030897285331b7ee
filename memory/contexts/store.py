"""Reads what a member's context is made from, for an audience, and keeps the texts that models made of it.

A text is told only while all that it was made from is there and unchanged, and to those who could read all of it.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from enum import StrEnum, auto
from hashlib import sha256
from typing import Annotated

import orjson
from pydantic import AfterValidator, TypeAdapter

from memory.core.log_values import Kind
from memory.core.values import Fact
from memory.db.database import Database
from memory.db.table_declarations import Follows, Goes, How, TableDeclaration, columns
from memory.fact_rows import SELECT, TOLD, readable
from memory.facts.changes import fact_before
from memory.leases import Lease
from memory.places.view import Audience
from memory.policy.settings import GuildSettings


class TextKind(StrEnum):
    """Names what a model makes of what is known of a member."""

    WEEK = auto()
    """Of their days before today."""
    CONTEXT = auto()
    """Of facts, today and the days before."""
    FACTS = auto()
    """Of the facts alone, where they are too many to stand side by side."""


@dataclass(frozen=True, slots=True)
class Window:
    """Spans today by the guild's clocks, and the days before it that belong to a context."""

    first: date
    """Of the days before."""
    last: date
    """Yesterday."""
    today: date
    since: datetime
    """No day of the window begins before that."""


_Moment = Annotated[datetime, AfterValidator(lambda moment: moment.astimezone(UTC))]


@dataclass(frozen=True, slots=True)
class DayPart:
    """Describes a day of the window, and what it says of the member, if it says anything that may be told."""

    scope: int
    starts_at: _Moment
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
class MadeText:
    """Holds a text that a model made. All that it goes back to is still there, and as it was."""

    kind: TextKind
    scope: int
    version: int
    made_from: str
    """A digest of the words it was made from."""
    fact_ids: frozenset[int]
    day_starts: tuple[_Moment, ...]
    """Of days of its scope, when each begins."""
    day_changes: tuple[int, ...]
    """How often the sources of each had changed."""
    text: str


@dataclass(frozen=True, slots=True)
class MemberParts:
    """Holds all that may be told to one audience of one member, as it was at one moment."""

    user_id: int
    window: Window
    hall_facts: tuple[Fact, ...]
    """What everybody in the hall may hear, in the order in which it was told."""
    other_facts: tuple[Fact, ...]
    """What was told elsewhere, where this audience could listen."""
    facts_are_whole: bool
    """The hall knows no more than this audience may hear."""
    days: tuple[DayPart, ...]
    texts: tuple[MadeText, ...]


_DAY_PARTS, _MADE_TEXTS = TypeAdapter(tuple[DayPart, ...]), TypeAdapter(tuple[MadeText, ...])


@dataclass(frozen=True, slots=True)
class NewText:
    """Holds a text as a model has just made it."""

    kind: TextKind
    scope: int
    user_id: int
    made_on: date
    version: int
    made_from: str
    facts: tuple[Fact, ...]
    days: tuple[DayPart, ...]
    source_channels: frozenset[int]
    text: str
    model: str
    made_at: datetime
    asked_at: datetime | None
    """None: nobody asked for it just now."""


@dataclass(frozen=True, slots=True)
class Found:
    """Holds what one read found of a member, not taken apart yet."""

    zone: str
    stamp: bytes
    """Changes with anything that is told, and with who may be told."""
    window: Window
    user_id: int
    packed: str

    def parts(self) -> MemberParts:
        found = orjson.loads(self.packed)
        facts = [(row["in_hall"] or row["everywhere"], fact_before(row)) for row in found["facts"] or ()]
        return MemberParts(
            user_id=self.user_id,
            window=self.window,
            hall_facts=tuple(fact for is_of_hall, fact in facts if is_of_hall),
            other_facts=tuple(fact for is_of_hall, fact in facts if not is_of_hall),
            facts_are_whole=not found["is_closed"],
            days=_DAY_PARTS.validate_python(found["days"] or ()),
            texts=_MADE_TEXTS.validate_python(found["texts"] or ()),
        )


NO_ZONE = GuildSettings().time_zone
"""Of a guild that has not been met."""
MOST_FACTS = 200
"""About one member, the newest of them."""


class ContextStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, audience: Audience, scopes: Collection[int], user_id: int, window: Window) -> Found:
        """Find texts by one statement that touches a few rows by their keys, however long the history is."""
        [row] = await self._database.read(
            "store.contexts.find",
            _FIND,
            audience.guild_id,
            user_id,
            list(audience.sources),
            list(scopes),
            window.since,
            window.first,
            window.today,
        )
        zone, packed = row["time_zone"] or NO_ZONE, row["parts"]
        stamp = sha256(f"{row['epoch']} {zone} {window.today} {packed}".encode("utf-8", "surrogatepass")).digest()
        return Found(zone, stamp, window, user_id, packed)

    async def put(self, claim: Lease, made: NewText) -> bool:
        """Keep a text; False if something it goes back to has changed, or another has the claim by now."""
        sources = {"facts", "days", "source_channels"}
        row = {one.name: getattr(made, one.name) for one in fields(made) if one.name not in sources} | {
            "guild_id": claim.guild_id,
            "fact_ids": [fact.fact_id for fact in made.facts],
            "facts_digest": _digest(made.facts),
            "day_starts": [day.starts_at for day in made.days],
            "day_changes": [day.changes for day in made.days],
            "source_channels": sorted(made.source_channels),
        }
        async with self._database.transaction("store.contexts.put") as connection:
            return await connection.fetchval(_PUT, row, claim.guild_id, claim.what, claim.claimed_by) is not None

    async def asked_since(self, guild_id: int, moment: datetime) -> list[int]:
        """List members whose texts somebody asked for since then, the latest first."""
        rows = await self._database.read(
            "store.contexts.asked_since",
            """
            SELECT user_id FROM texts WHERE guild_id = $1 AND asked_at >= $2
            GROUP BY user_id ORDER BY max(asked_at) DESC, user_id
            """,
            guild_id,
            moment,
        )
        return [row["user_id"] for row in rows]

    async def sweep(self, guild_id: int, since: date) -> None:
        """Delete what was made before that day, and what does not hold and was not taken away when it ceased to,
        because somebody was writing it."""
        async with self._database.transaction("store.contexts.sweep") as connection:
            await connection.execute(
                "DELETE FROM texts WHERE guild_id = $1 AND (made_on < $2 OR NOT text_holds(texts))", guild_id, since
            )


def _digest(facts: Collection[Fact]) -> str:
    """Digest a text's sources as `text_holds` in the schema does."""
    lines = [
        f"{one.fact_id} {one.standing} {one.channel_id} {'t' if one.everywhere else 'f'} {one.text}"
        for one in sorted(facts, key=lambda fact: fact.fact_id)
    ]
    return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


_DAYS = """
SELECT days.scope, days.starts_at, day, changes, source_channels, is_final AND changes = seen_changes AS is_settled,
    model IS NULL AND corrected_by IS NULL AS is_quoted,
    text IS NOT NULL AND NOT source_channels <@ $3::bigint[] AS is_closed,
    CASE WHEN source_channels <@ $3::bigint[] AND changes = seen_changes THEN text END AS text
FROM days LEFT JOIN day_entries AS told
    ON told.guild_id = $1 AND told.scope = days.scope AND told.starts_at = days.starts_at AND told.user_id = $2
WHERE days.guild_id = $1 AND days.scope = ANY ($4::bigint[]) AND days.starts_at >= $5 AND day BETWEEN $6 AND $7
"""

# What `text_holds` says, in place: called for each text it would take longer than all the rest of the statement.
_TEXTS = """
SELECT kind, scope, version, made_from, fact_ids, day_starts, day_changes, text FROM texts AS made
WHERE guild_id = $1 AND user_id = $2 AND source_channels <@ $3::bigint[] AND scope = ANY ($4::bigint[])
  AND made_on >= $6 AND facts_digest = encode(sha256(convert_to(coalesce((
      SELECT string_agg(concat_ws(' ', fact_id, standing, channel_id, everywhere, facts.text), E'\\n' ORDER BY fact_id)
      FROM facts WHERE guild_id = $1 AND fact_id = ANY (made.fact_ids) AND valid_to IS NULL AND NOT withheld
  ), ''), 'UTF8')), 'hex')
  AND NOT EXISTS (
      SELECT 1 FROM unnest(made.day_starts, made.day_changes) AS seen (starts_at, changes)
      LEFT JOIN days ON days.guild_id = $1 AND days.scope = made.scope AND days.starts_at = seen.starts_at
      WHERE days.changes IS DISTINCT FROM seen.changes)
"""

_FIND = f"""
SELECT epoch, time_zone, json_build_object(
    'facts', (SELECT json_agg(to_json(told) ORDER BY fact_id) FROM (
        {SELECT} WHERE guild_id = $1 AND subject_id = $2 AND {TOLD} AND {readable("$3")}
        ORDER BY fact_id DESC LIMIT {MOST_FACTS}) AS told),
    'is_closed', EXISTS (
        SELECT 1 FROM facts WHERE guild_id = $1 AND subject_id = $2 AND {TOLD} AND in_hall AND NOT {readable("$3")}),
    'days', (SELECT json_agg(to_json(told) ORDER BY scope, starts_at) FROM ({_DAYS}) AS told),
    'texts', (SELECT json_agg(to_json(made) ORDER BY kind, scope) FROM ({_TEXTS}) AS made))::text AS parts
FROM (VALUES ($1::bigint)) AS asked (guild_id) LEFT JOIN guilds USING (guild_id)
"""  # noqa: S608 - made of constants

_KEY = ("guild_id", "kind", "scope", "user_id")
_MADE = (
    *("made_on", "version", "made_from", "fact_ids", "facts_digest", "day_starts", "day_changes"),
    *("source_channels", "text", "model", "made_at"),
)

_PUT = f"""
INSERT INTO texts AS known ({", ".join((*_KEY, *_MADE, "asked_at"))})
SELECT {", ".join((*_KEY, *_MADE, "asked_at"))} FROM jsonb_populate_record(NULL::texts, $1::jsonb) AS made
WHERE text_holds(made) AND EXISTS (
    SELECT 1 FROM claims WHERE claims.guild_id = $2 AND claims.what = $3 AND claims.claimed_by = $4)
ON CONFLICT ({", ".join(_KEY)}) DO UPDATE SET {", ".join(f"{column} = excluded.{column}" for column in _MADE)},
    asked_at = coalesce(excluded.asked_at, known.asked_at)
RETURNING true
"""  # noqa: S608 - made of constants


TABLES = (
    TableDeclaration(
        table="texts",
        purpose="what is known about a member, written up by a model: from the facts told in public channels, from"
        " their last days, and from both with today; which facts and days each text was made from, and when somebody"
        " last asked for it",
        until="what it was made from is edited, deleted, forgotten, excluded or erased, or a newer one is made; a week"
        " at most",
        columns=columns(
            ids="guild_id scope fact_ids source_channels",
            people="user_id",
            words="text",
            digests="made_from facts_digest",
            times="made_on day_starts made_at asked_at",
            numbers="version day_changes",
            states="kind model",
        ),
        message=Follows("days", How.TRIGGER),
        member=Goes("user_id = {member}"),
        channel=Goes("source_channels && {channels}"),
        guild=Goes(),
        counted=Kind.CONTEXTS,
    ),
)
