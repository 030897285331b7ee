"""What a database has on record as deleted, erased, vetoed or not to be stored, held against a guild that comes in.

It is set aside before the guild is imported, and afterwards decided once more by whatever decides it every day, as if
it came in just now. So there is no second rule of what it means.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.core.clock import Clock
from memory.core.log_values import Consent, LogSettings
from memory.db.database import Connection, Database, LogWrite, Record
from memory.db.table_declarations import Erasing
from memory.fact_rows import SELECT, fact_of
from memory.facts import others
from memory.facts.follow_messages import MessageFollower
from memory.facts.ledger import FactStore
from memory.log import reading
from memory.log import store as log
from memory.policy import store as policy
from memory.policy.rules import WHOLE_GUILD
from memory.policy.settings import GuildSettings, read_settings, settings_to_change, write_settings
from memory.privacy.erase import CHUNK, Erasure
from memory.privacy.service import EVERY_ID
from memory.settings import MemoryOptions
from memory.transfer.folder import Unusable

GUARDS = ("consents", "erasures", "channel_erasures", "closed_channels", "tombstones", "vetoes")


@dataclass(frozen=True, slots=True)
class OnRecord:
    """Of one guild, before another copy of it comes in."""

    rows: Mapping[str, Sequence[Record]]
    settings: GuildSettings | None
    """None: the guild is not known."""
    kept_since: datetime | None


async def on_record(connection: Connection, guild_id: int) -> OnRecord:
    rows = {
        table: await connection.fetch(f"SELECT * FROM {table} WHERE guild_id = $1", guild_id)  # noqa: S608 - ours
        for table in GUARDS
    }
    kept_since = await connection.fetchval("SELECT kept_since FROM guilds WHERE guild_id = $1", guild_id)
    return OnRecord(rows, await read_settings(connection, guild_id), kept_since)


class KeepOut:
    """Decides what was on record once more, within the transaction of an import."""

    def __init__(self, database: Database, options: MemoryOptions, clock: Clock) -> None:
        self._clock = clock
        self._facts = FactStore(database, options.fact_blob_aim)
        self._erasure = Erasure(database, self._facts, clock)
        self._follower = MessageFollower(self._facts, clock, options.fact_limit)

    async def again(self, connection: LogWrite, guild_id: int, before: OnRecord) -> None:
        await self._erased(connection, guild_id, before)
        await self._opted_out(connection, guild_id, before.rows["consents"])
        await self._closed(connection, guild_id, before.rows["closed_channels"])
        deleted = [(row["channel_id"], row["message_id"]) for row in before.rows["tombstones"]]
        for first in range(0, len(deleted), CHUNK):
            gone = deleted[first : first + CHUNK]
            await log.delete_messages(connection, guild_id, gone)
            await self._follower.forget(connection, guild_id, [message_id for _, message_id in gone])
        await self._vetoed(connection, guild_id, before.rows["vetoes"])
        if before.settings is not None:
            await self._settle(connection, guild_id, before.settings, before.kept_since)

    async def _erased(self, connection: LogWrite, guild_id: int, before: OnRecord) -> None:
        for row in await _not_known(connection, guild_id, "erasures", "user_id", before):
            user_id, through = row["user_id"], row["through_message_id"]
            await policy.forbid_through(connection, guild_id, [user_id], through, row["erased_at"])
            member = {"member": user_id, "through": through}
            await self._erasure.at_once(connection, Erasing.MEMBER, guild_id, member)
        for row in await _not_known(connection, guild_id, "channel_erasures", "channel_id", before):
            channel_id, through = row["channel_id"], row["through_message_id"]
            if channel_id == WHOLE_GUILD:
                raise Unusable(
                    f"The guild {guild_id} was erased here on {row['erased_at']:%Y-%m-%d}, and stays so."
                    " Import the others, with --guild and the id of each."
                )
            await policy.empty_through(connection, guild_id, channel_id, through, row["erased_at"])
            channel = {"channels": await log.threads_of(connection, guild_id, channel_id), "through": through}
            await self._erasure.at_once(connection, Erasing.CHANNEL, guild_id, channel)

    async def _opted_out(self, connection: LogWrite, guild_id: int, words: Sequence[Record]) -> None:
        for row in words:
            user_id = row["user_id"]
            if row["choice"] == "out":
                await policy.choose(connection, guild_id, user_id, "out", row["decided_at"])
                member = {"member": user_id, "through": EVERY_ID}
                await self._erasure.at_once(connection, Erasing.OPTING_OUT, guild_id, member)
            else:
                await connection.execute(
                    """
                    INSERT INTO consents (guild_id, user_id, choice, decided_at) VALUES ($1, $2, 'in', $3)
                    ON CONFLICT DO NOTHING
                    """,
                    guild_id,
                    user_id,
                    row["decided_at"],
                )

    async def _closed(self, connection: LogWrite, guild_id: int, channels: Sequence[Record]) -> None:
        for row in channels:
            closed = await log.close_channel(connection, guild_id, row["channel_id"])
            await reading.forget_channels(connection, guild_id, closed)
            await self._follower.forget_channels(connection, guild_id, closed)
            while await log.drop_messages_of(connection, guild_id, closed, CHUNK):
                pass

    async def _vetoed(self, connection: LogWrite, guild_id: int, vetoes: Sequence[Record]) -> None:
        if not vetoes:
            return
        await connection.executemany(
            """
            INSERT INTO vetoes (guild_id, subject_id, statement, vetoed_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """,
            [tuple(row) for row in vetoes],
        )
        told = await connection.fetch(
            f"{SELECT} WHERE guild_id = $1 AND subject_id = ANY ($2) AND teller_id <> subject_id ORDER BY fact_id",
            guild_id,
            [row["subject_id"] for row in vetoes],
        )
        denied = [
            fact
            for fact in map(fact_of, told)
            if fact.subject_id and await others.is_vetoed(connection, guild_id, fact.subject_id, fact.text)
        ]
        await self._facts.restate(connection, guild_id, dict.fromkeys(denied), self._clock.now())

    async def _settle(
        self, connection: LogWrite, guild_id: int, here: GuildSettings, kept_since: datetime | None
    ) -> None:
        """What was decided here and there about keeping holds, whichever keeps less. The purge removes what may not
        stay, and until then nobody is told of it."""
        there = await settings_to_change(connection, guild_id)
        facts = replace(there.facts, about_others=here.facts.about_others and there.facts.about_others)
        both = replace(there, log=_stricter(here.log, there.log), facts=facts)
        if both == there and kept_since is None:
            return
        await write_settings(connection, guild_id, both, self._clock.now())
        await connection.execute(
            "UPDATE guilds SET kept_since = greatest(kept_since, $2) WHERE guild_id = $1", guild_id, kept_since
        )
        changed = await others.obey(connection, guild_id)
        await self._facts.rebuild(connection, guild_id, changed, self._clock.now())
        await reading.begin(connection, guild_id)


async def _not_known(connection: Connection, guild_id: int, table: str, key: str, before: OnRecord) -> list[Record]:
    """Erasures of which what came in knows nothing. The others it has carried out, and may know more since."""
    came_in = await connection.fetch(
        f"SELECT {key}, through_message_id FROM {table} WHERE guild_id = $1",  # noqa: S608 - ours
        guild_id,
    )
    through = {row[key]: row["through_message_id"] for row in came_in}
    return [row for row in before.rows[table] if through.get(row[key], -1) < row["through_message_id"]]


def _stricter(one: LogSettings, other: LogSettings) -> LogSettings:
    return LogSettings(
        consent=Consent.OPT_IN if Consent.OPT_IN in (one.consent, other.consent) else Consent.OPT_OUT,
        retention_days=_fewer(one.retention_days, other.retention_days),
        excluded_channels=one.excluded_channels | other.excluded_channels,
        excluded_roles=one.excluded_roles | other.excluded_roles,
        summary_days=_fewer(one.summary_days, other.summary_days),
        fact_days=_fewer(one.fact_days, other.fact_days),
    )


def _fewer(one: int | None, other: int | None) -> int | None:
    return min((days for days in (one, other) if days is not None), default=None)
