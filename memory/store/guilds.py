"""The guilds we are in."""

from collections.abc import Sequence
from datetime import datetime

from memory.core.model import Guild, Member
from memory.core.text import repair
from memory.store.database import Database
from memory.store.members import meet_members


class GuildStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def meet(self, guild: Guild, members: Sequence[Member], met_at: datetime) -> None:
        """Learn or refresh a guild's name and its members'; when we first met stays as it was."""
        newest = {member.user_id: member for member in members}
        async with self._database.transaction("store.guilds.meet") as connection:
            await connection.execute(
                """
                INSERT INTO guilds (guild_id, name, met_at) VALUES ($1, $2, $3)
                ON CONFLICT (guild_id) DO UPDATE SET name = excluded.name
                """,
                guild.guild_id,
                repair(guild.name),
                met_at,
            )
            await meet_members(connection, guild.guild_id, list(newest.values()))
