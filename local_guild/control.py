"""The strings behind the scene, for tests in the same process and, through `control_api`, for any HTTP client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_guild.event_faults import EventTrouble
from local_guild.faults import RestTrouble
from local_guild.wire import JsonObject
from local_guild.world import Guild

if TYPE_CHECKING:
    from local_guild.server import LocalGuild


class Control:
    def __init__(self, server: LocalGuild) -> None:
        self._server = server

    async def world(self) -> JsonObject:
        world = self._server.world
        bot = world.bot
        return {
            "bot": {"id": str(bot.id), "name": bot.name, "token": bot.token},
            "guilds": [self._guild(guild) for guild in world.guilds.values()],
        }

    async def drop_sockets(self, *, code: int = 4000, user_id: int | None = None) -> int:
        """Close sockets as a failing network would: the sessions can be resumed."""
        return self._server.gateway.drop_sockets(code, user_id=user_id)

    async def refuse_resumes(self, count: int = 1) -> None:
        self._server.faults.refuse_resumes(count)

    async def ask_to_reconnect(self) -> int:
        return self._server.gateway.ask_to_reconnect()

    async def invalidate_sessions(self, *, resumable: bool = False) -> int:
        return self._server.gateway.invalidate_sessions(resumable=resumable)

    async def trouble_events(self, trouble: EventTrouble) -> None:
        self._server.event_faults.start(trouble)

    async def trouble_rest(self, trouble: RestTrouble) -> None:
        self._server.faults.trouble_rest(trouble)

    async def go_down(self) -> None:
        """Refuse everything until `come_back`; open sockets are closed."""
        self._server.faults.go_down()
        self._server.gateway.drop_sockets(1012)

    async def come_back(self) -> None:
        self._server.faults.come_back()

    async def clear_faults(self) -> None:
        self._server.faults.clear()
        self._server.event_faults.clear()
        self._server.rate_limits.set()

    async def limit_rates(self, limit: int, seconds: float) -> None:
        self._server.rate_limits.set(limit, seconds)

    def _guild(self, guild: Guild) -> JsonObject:
        world, access = self._server.world, self._server.access
        return {
            "id": str(guild.id),
            "name": guild.name,
            "channels": [
                {
                    "id": str(channel.id),
                    "name": channel.name,
                    "type": channel.type,
                    "private": access.is_private(channel),
                }
                for channel in world.channels_of(guild.id)
            ],
            "members": [
                {
                    "id": str(user.id),
                    "name": user.name,
                    "token": user.token,
                    "roles": [str(role_id) for role_id in member.role_ids],
                }
                for member in world.members(guild.id).values()
                if not (user := world.users[member.user_id]).bot
            ],
            "roles": [{"id": str(role.id), "name": role.name} for role in guild.roles.values()],
        }
