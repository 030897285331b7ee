"""The guilds we are in."""

from collections.abc import Sequence
from datetime import datetime

from memory.core.admission import WHOLE_GUILD
from memory.core.values import Guild, Member
from memory.language.text import repair
from memory.store.database import Connection, Database
from memory.store.held import Goes, Held, Stays, columns
from memory.store.members import meet_members


class GuildStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def meet(self, guild: Guild, members: Sequence[Member], met_at: datetime) -> None:
        """Learn or refresh a guild's name and its members'; when we first met stays as it was. We are in it."""
        newest = {member.user_id: member for member in members}
        async with self._database.transaction("store.guilds.meet") as connection:
            await connection.execute(
                """
                INSERT INTO guilds (guild_id, name, met_at) VALUES ($1, $2, $3)
                ON CONFLICT (guild_id) DO UPDATE SET name = excluded.name, left_at = NULL
                """,
                guild.guild_id,
                repair(guild.name),
                met_at,
            )
            await meet_members(connection, guild.guild_id, list(newest.values()))

    async def present(self) -> list[int]:
        """The guilds we are in, as far as we know."""
        async with self._database.transaction("store.guilds.present", readonly=True) as connection:
            rows = await connection.fetch("SELECT guild_id FROM guilds WHERE left_at IS NULL ORDER BY guild_id")
        return [row["guild_id"] for row in rows]

    async def names(self) -> dict[int, str]:
        """The guilds we are in, in the order of their names."""
        async with self._database.transaction("store.guilds.names", readonly=True) as connection:
            rows = await connection.fetch("SELECT guild_id, name FROM guilds WHERE left_at IS NULL ORDER BY name")
        return {row["guild_id"]: row["name"] for row in rows}

    async def left_before(self, moment: datetime) -> list[int]:
        async with self._database.transaction("store.guilds.left_before", readonly=True) as connection:
            rows = await connection.fetch("SELECT guild_id FROM guilds WHERE left_at < $1 ORDER BY guild_id", moment)
        return [row["guild_id"] for row in rows]

    async def erased(self) -> list[int]:
        """Guilds that were erased as a whole, and which we are not in."""
        async with self._database.transaction("store.guilds.erased", readonly=True) as connection:
            rows = await connection.fetch(
                """
                SELECT guild_id FROM channel_erasures WHERE channel_id = $1
                  AND NOT EXISTS (SELECT 1 FROM guilds WHERE guilds.guild_id = channel_erasures.guild_id)
                ORDER BY guild_id
                """,
                WHOLE_GUILD,
            )
        return [row["guild_id"] for row in rows]

    async def leave(self, guild_id: int, left_at: datetime) -> bool:
        """From now on its data waits; when that began stays as it was. False, if nothing is known of it any more."""
        async with self._database.transaction("store.guilds.leave") as connection:
            known = await connection.fetchval(
                """
                UPDATE guilds SET left_at = coalesce(left_at, $2), epoch = epoch + 1 WHERE guild_id = $1 RETURNING true
                """,
                guild_id,
                left_at,
            )
        return known is not None

    async def rejoin(self, guild_id: int) -> None:
        async with self._database.transaction("store.guilds.rejoin") as connection:
            await connection.execute(
                "UPDATE guilds SET left_at = NULL, epoch = epoch + 1 WHERE guild_id = $1", guild_id
            )


async def leave_for_good(connection: Connection, guild_id: int) -> None:
    """Within the caller's transaction: its data waits for nothing any more, and the next purge removes what is left."""
    await connection.execute(
        "UPDATE guilds SET left_at = TIMESTAMP WITH TIME ZONE 'epoch', epoch = epoch + 1 WHERE guild_id = $1", guild_id
    )


HELD = (
    Held(
        table="guilds",
        purpose="the server's id, name, owner and time zone, and what its managers decided",
        until="7 days after the bot left the server",
        columns=columns(
            ids="guild_id hall_role_id",
            people="owner_id",
            names="name",
            times="met_at kept_since left_at set_up_at heard_until",
            numbers="epoch",
            settings="time_zone consent retention_days excluded_channels excluded_roles speaks_in summary_days"
            " fact_days facts_about_others moderators_may",
            states="places_run going",
        ),
        message=Stays("it is about no message"),
        member=Stays("Discord says who owns a server; nothing else in it is about a member"),
        channel=Stays("what managers decided about a channel holds on"),
        guild=Goes(after=("chat_history",)),
    ),
)
