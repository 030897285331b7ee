"""What the managers of a guild decide about it."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory.core.log_values import Consent, LogSettings, Removal
from memory.db.database import Connection, Database, LogWrite, Reading, Reads
from memory.db.errors import GuildNotMet
from memory.policy.authority import FactRules, ModeratorsMay
from memory.policy.store import MAY_STAY, bump_epoch, horizon


class Policy(StrEnum):
    """How the talk of a channel is summed up: see `memory.channels.values`."""

    ROLLING = "rolling"
    LEVELS = "levels"
    HISTORY = "history"


@dataclass(frozen=True, slots=True)
class SummaryRules:
    """When the talk of a channel is summed up."""

    is_on: bool = True
    policy: Policy = Policy.ROLLING
    turns: int = 10
    """Of `LEVELS`: after so many the talk is summed up."""
    kept: int = 10
    """Of `ROLLING`: messages at the end that are not covered."""
    first: int = 20
    first_tokens: int = 8_000
    """Of `ROLLING`: when there are so many messages, or so much in them, the first summary is due."""
    again: int = 10
    """Of `ROLLING`: uncovered messages, besides those at the end, after which the next is due."""


@dataclass(frozen=True, slots=True)
class AnswerRules:
    """How we speak with members, and what we take from it."""

    persona: str = ""
    """The manner to speak in, in the words of a manager; nothing: that of whoever runs the bot."""
    session_minutes: int = 30
    """After so long without a word to us a session is over."""
    exchanges: int = 4
    """Of a session, as many of the last stand before a question."""
    takes_memories: bool = True
    """Whether memories are taken from what members say to us."""
    memories: int = 10
    """Of the asker's, as many as a prompt has room for, the most important first."""
    least_importance: int = 1
    """Less important memories stay out of prompts."""
    hourly_questions: int | None = None
    """Of one member that a model answers; None: as many as whoever runs the bot lets them ask."""


@dataclass(frozen=True, slots=True)
class DigestRules:
    """Where and when the server is told what happened in it. Off until somebody chooses a channel."""

    channel_id: int | None = None
    hour: int = 9
    """By the clock of the guild's time zone."""
    weekdays: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
    """From Monday on."""
    least: int = 10
    """On a day with fewer messages there is none."""
    channels: tuple[int, ...] = ()
    """Of which it tells; none means all that every reader of its channel can read."""
    weekly: bool = False
    """On the first of the weekdays, about seven days."""
    language: str = "en"
    since: float = 0.0
    """When it was set up: nothing was due before."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    time_zone: str = "UTC"
    """By its name in the IANA database."""
    hall_role_id: int | None = None
    """The role whose holders are the guild's public; None: nobody has chosen one, so it is @everyone."""
    speaks_in: frozenset[int] = frozenset()
    """The channels we may write in; none means all of them."""
    set_up_at: datetime | None = None
    """When a manager last went through all of it; None: never."""
    log: LogSettings = field(default_factory=LogSettings)
    facts: FactRules = field(default_factory=FactRules)
    second_look: bool = True
    """Whether a model that misses something may have us look for it once more, at the price of a second call."""
    summaries: SummaryRules = field(default_factory=SummaryRules)
    answers: AnswerRules = field(default_factory=AnswerRules)
    digest: DigestRules = field(default_factory=DigestRules)


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """What became of a wish to change settings."""

    before: GuildSettings
    after: GuildSettings
    removed: Removal = field(default_factory=Removal)
    """What may not be kept any longer, and went."""
    all_removed: bool = True
    """False: the decision holds, but the database went away while they were being removed; the next purge goes on."""


SettingsOf = Callable[[int], Awaitable[GuildSettings]]


# What a guild's managers decided, as its row of `guilds` holds it.
#
# Whoever changes it owns the guild's log meanwhile, as with every decision that the log obeys.


# `MAY_STAY` asks the guild's row for what was decided. Here a row of that name takes its place, with what might be.
_WOULD_GO = f"""
WITH guilds AS (
    SELECT $1::bigint AS guild_id, $2::text AS consent, $3::bigint[] AS excluded_channels,
        $4::bigint[] AS excluded_roles,
        greatest((SELECT kept_since FROM guilds WHERE guild_id = $1), $5::timestamptz) AS kept_since)
SELECT count(*) FILTER (WHERE $6::bigint[] IS NULL OR channel_id = ANY($6)) AS readable, count(*) AS in_all
FROM chat_history AS arrived WHERE guild_id = $1 AND NOT ({MAY_STAY})
"""  # noqa: S608 - made of constants
_FACTS_WOULD_GO = """
SELECT count(*) FILTER (WHERE $3::bigint[] IS NULL OR everywhere OR channel_id = ANY($3)) AS readable,
    count(*) AS in_all
FROM facts WHERE guild_id = $1 AND told_at < $2
"""


class SettingsStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_guild(self, guild_id: int) -> GuildSettings:
        reading = Reading(self._database, "store.settings.of_guild")
        return await read_settings(reading, guild_id) or GuildSettings()

    async def decisions(self, guild_ids: Collection[int]) -> list[tuple[int, int, int | None]]:
        """Of each guild its epoch, which rises with every decision, and the role that makes its hall."""
        query = "SELECT guild_id, epoch, hall_role_id FROM guilds WHERE guild_id = ANY($1)"
        rows = await self._database.read("store.settings.decisions", query, list(guild_ids))
        return [(row["guild_id"], row["epoch"], row["hall_role_id"]) for row in rows]

    async def would_remove(
        self, guild_id: int, log: LogSettings, now: datetime, sources: Collection[int] | None
    ) -> Removal:
        """How many stored messages and facts may not stay if this is decided about the log. Counted are those in
        `sources`, if they are given."""
        async with self._database.transaction("store.settings.would_remove", readonly=True) as connection:
            return await would_go(connection, guild_id, log, now, sources)


async def would_go(
    connection: Connection, guild_id: int, log: LogSettings, now: datetime, sources: Collection[int] | None = None
) -> Removal:
    """The same within the caller's transaction."""
    readable = None if sources is None else sorted(sources)
    [messages] = await connection.fetch(
        _WOULD_GO,
        guild_id,
        log.consent,
        sorted(log.excluded_channels),
        sorted(log.excluded_roles),
        horizon(log.retention_days, now),
        readable,
    )
    [facts] = await connection.fetch(_FACTS_WOULD_GO, guild_id, horizon(log.fact_days, now), readable)
    elsewhere = any(one["in_all"] > one["readable"] for one in (messages, facts))
    return Removal(messages["readable"], facts["readable"], elsewhere)


async def read_settings(connection: Reads, guild_id: int) -> GuildSettings | None:
    """Within the caller's transaction, if there is one; None: the guild has not been met yet."""
    rows = await connection.fetch(
        """
        SELECT time_zone, hall_role_id, speaks_in, set_up_at, consent, retention_days, summary_days,
            fact_days, excluded_channels, excluded_roles, facts_about_others, moderators_may, second_look, summaries,
            answers, digest
        FROM guilds WHERE guild_id = $1
        """,
        guild_id,
    )
    if not rows:
        return None
    [row] = rows
    log = LogSettings(
        Consent(row["consent"]),
        row["retention_days"],
        frozenset(row["excluded_channels"]),
        frozenset(row["excluded_roles"]),
        row["summary_days"],
        row["fact_days"],
    )
    facts = FactRules(row["facts_about_others"], ModeratorsMay(row["moderators_may"]))
    speaks_in = frozenset(row["speaks_in"])
    given = row["summaries"]
    summaries = SummaryRules(**given | {"policy": Policy(given.get("policy", Policy.ROLLING))})
    return GuildSettings(
        row["time_zone"],
        row["hall_role_id"],
        speaks_in,
        row["set_up_at"],
        log,
        facts,
        row["second_look"],
        summaries,
        AnswerRules(**row["answers"]),
        digest_rules(row["digest"]),
    )


def digest_rules(given: dict[str, Any]) -> DigestRules:
    """As they stand in the row of a guild."""
    lists: dict[str, Any] = {name: tuple(given[name]) for name in given.keys() & {"weekdays", "channels"}}
    return DigestRules(**given | lists)


async def write_settings(connection: Connection, guild_id: int, settings: GuildSettings, now: datetime) -> None:
    """Within the caller's transaction. A shorter retention holds at once, a longer one brings nothing back."""
    log = settings.log
    await connection.execute(
        """
        UPDATE guilds SET time_zone = $2, hall_role_id = $3, speaks_in = $4, set_up_at = $5, consent = $6,
            retention_days = $7, excluded_channels = $8, excluded_roles = $9, kept_since = greatest(kept_since, $10),
            summary_days = $11, fact_days = $12, facts_about_others = $13, moderators_may = $14, second_look = $15,
            summaries = $16, answers = $17, digest = $18
        WHERE guild_id = $1
        """,
        guild_id,
        settings.time_zone,
        settings.hall_role_id,
        sorted(settings.speaks_in),
        settings.set_up_at,
        log.consent,
        log.retention_days,
        sorted(log.excluded_channels),
        sorted(log.excluded_roles),
        horizon(log.retention_days, now),
        log.summary_days,
        log.fact_days,
        settings.facts.about_others,
        settings.facts.moderators_may,
        settings.second_look,
        asdict(settings.summaries),
        asdict(settings.answers),
        asdict(settings.digest),
    )
    await bump_epoch(connection, guild_id)


async def settings_to_change(connection: LogWrite, guild_id: int) -> GuildSettings:
    """Read the settings of a guild in order to change them. Raises `GuildNotMet`."""
    settings = await read_settings(connection, guild_id)
    if settings is None:
        raise GuildNotMet("This server is not in the database yet; nothing was changed.")
    return settings
