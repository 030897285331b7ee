"""Counts how much there is: messages a day and memories, as far as one reader may read; what members decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory.audit import MEMBER_ERASED, Deed
from memory.core.clock import Clock, last_days
from memory.core.values import Category, last_id_of
from memory.db.database import Database
from memory.fact_rows import readable
from memory.places.view import Audience
from memory.policy.rules import WHOLE_GUILD
from memory.policy.settings import SettingsOf

LATELY = timedelta(days=30)
NAMES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Held:
    """Counts what is held: messages, facts, memories, days and summaries."""

    messages: int
    facts: int
    memories: int
    days: int
    summaries: int


@dataclass(frozen=True, slots=True)
class NewMemories:
    """Counts how many of one kind and importance came on a day."""

    day: date
    category: Category
    importance: int
    count: int


@dataclass(frozen=True, slots=True)
class Erased:
    """Notes that something was erased for good; of whom is nobody's business."""

    at: datetime
    """Of a member's the day alone."""
    channel_id: int | None
    """None: it was a member's."""
    messages: int | None
    """None: it was not written down, or too long ago."""

    @property
    def is_whole_guild(self) -> bool:
        return self.channel_id == WHOLE_GUILD


@dataclass(frozen=True, slots=True)
class SeenWebhook:
    """Holds a webhook that posted lately, where one reader could see it."""

    webhook_id: int
    channels: tuple[int, ...]
    names: tuple[str, ...]
    """That it bore, the latest first."""
    messages: int


class Overview:
    def __init__(self, database: Database, settings: SettingsOf, clock: Clock) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock

    async def messages(self, reader: Audience, days: int) -> Mapping[date, int]:
        """Count messages on each of the last so many days of the guild, today included."""
        calendar, first_ids = await self._calendar(reader.guild_id, days)
        rows = await self._database.read(
            "overview.messages", _A_DAY, reader.guild_id, sorted(reader.sources), first_ids
        )
        counts = {row["day"]: row["messages"] for row in rows}
        return {day: counts.get(number, 0) for number, day in enumerate(calendar, start=1)}

    async def memories(self, reader: Audience, days: int) -> list[NewMemories]:
        """Count, for each of the last so many days of the guild, the memories that came then and still hold."""
        calendar, first_ids = await self._calendar(reader.guild_id, days)
        given = (reader.guild_id, sorted(reader.sources), reader.viewer_id, first_ids)
        rows = await self._database.read("overview.memories", _MEMORIES_A_DAY, *given)
        return [
            NewMemories(calendar[row["day"] - 1], Category(row["category"]), row["importance"], row["memories"])
            for row in rows
        ]

    async def _calendar(self, guild_id: int, days: int) -> tuple[list[date], list[int]]:
        """List the last so many days of the guild, with the first id that can have been given out on each."""
        zone = (await self._settings(guild_id)).time_zone
        starts = last_days(zone, self._clock.now(), days)
        return [day for day, _ in starts], [last_id_of(start) - (1 << 22) + 1 for _, start in starts]

    async def held(self, reader: Audience) -> Held:
        sources = sorted(reader.sources)
        [row] = await self._database.read("overview.held", _HELD, reader.guild_id, sources, reader.viewer_id)
        return Held(*row.values())

    async def webhooks(self, reader: Audience) -> list[SeenWebhook]:
        """List the webhooks that posted in the last thirty days, whoever said most first."""
        since = last_id_of(self._clock.now() - LATELY)
        rows = await self._database.read(
            "overview.webhooks", _WEBHOOKS, reader.guild_id, sorted(reader.sources), since, NAMES_SHOWN
        )
        return [
            SeenWebhook(row["author_id"], tuple(row["channels"]), tuple(row["names"] or ()), row["messages"])
            for row in rows
        ]

    async def opted_out(self, guild_id: int) -> int:
        """Count the members who opted out; who they are is nobody's business."""
        [row] = await self._database.read("overview.opted_out", _OPTED_OUT, guild_id)
        return int(row["members"])

    async def erasures(self, guild_id: int, most: int) -> list[Erased]:
        """List erasures, the newest first: of members for a year, of each channel the last one."""
        noted = (Deed.ERASED_CHANNEL, MEMBER_ERASED)
        rows = await self._database.read("overview.erasures", _ERASED, guild_id, most, *noted)
        return [Erased(*row.values()) for row in rows]


# Ids tell when they were given out, so that an index alone answers it.
_A_DAY = """
SELECT width_bucket(message_id, $3::bigint[]) AS day, count(*) AS messages FROM chat_history
WHERE guild_id = $1 AND channel_id = ANY($2) AND message_id >= ($3::bigint[])[1] GROUP BY 1
"""
_WEBHOOKS = """
SELECT author_id, array_agg(DISTINCT channel_id) AS channels, sum(messages)::bigint AS messages,
    (array_agg(speaker ORDER BY last_id DESC) FILTER (WHERE speaker IS NOT NULL))[:$4] AS names
FROM (
    SELECT author_id, channel_id, speaker, count(*) AS messages, max(message_id) AS last_id FROM chat_history
    WHERE guild_id = $1 AND author_kind = 'webhook' AND channel_id = ANY ($2) AND message_id > $3
    GROUP BY author_id, channel_id, speaker) AS said
GROUP BY author_id ORDER BY messages DESC, author_id LIMIT 25
"""
_OPTED_OUT = "SELECT count(*) AS members FROM consents WHERE guild_id = $1 AND choice = 'out'"
_ERASED = """
SELECT at AS erased_at, NULL::bigint AS channel_id, items AS messages FROM audit WHERE guild_id = $1 AND action = $4
UNION ALL
SELECT erased_at, erased.channel_id, noted.items FROM channel_erasures AS erased
LEFT JOIN audit AS noted ON noted.guild_id = $1 AND noted.at = erased.erased_at AND noted.action = $3
    AND noted.channel_id = erased.channel_id
WHERE erased.guild_id = $1 ORDER BY 1 DESC LIMIT $2
"""
_FACTS = f"""
SELECT count(*) FROM facts
WHERE guild_id = $1 AND {readable("$2")} AND valid_to IS NULL AND (NOT withheld OR subject_id = $3)
"""  # noqa: S608 - made of constants
_MEMORIES_A_DAY = f"""
SELECT width_bucket(message_id, $4::bigint[]) AS day, category, importance, count(*) AS memories
{_FACTS.replace("SELECT count(*) ", "")} AND category IS NOT NULL AND message_id >= ($4::bigint[])[1]
GROUP BY 1, 2, 3
"""
_HELD = f"""
SELECT (SELECT count(*) FROM chat_history WHERE guild_id = $1 AND channel_id = ANY($2)) AS messages,
    ({_FACTS} AND category IS NULL) AS facts, ({_FACTS} AND category IS NOT NULL) AS memories,
    (SELECT count(*) FROM days WHERE guild_id = $1 AND source_channels <@ $2 AND seen_seq IS NOT NULL) AS days,
    (SELECT count(*) FROM channel_summaries WHERE guild_id = $1 AND channel_id = ANY($2)) AS summaries
"""  # noqa: S608 - made of constants
