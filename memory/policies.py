"""The policies of the guilds as this process knows them. The insert judges once more, so an old one does no harm."""

from collections.abc import Callable

from memory.core.admission import Policy
from memory.store.database import Connection
from memory.store.policy import PolicyAt, epoch_of, load_policy


class Policies:
    def __init__(self) -> None:
        self._known: dict[int, PolicyAt] = {}
        self.on_decision: Callable[[int, Policy], None] = lambda _guild_id, _policy: None
        """Told of the policy of a guild whenever it is read anew, perhaps because another process decided something."""

    def known(self, guild_id: int) -> Policy | None:
        """None: nobody has asked the database yet, so nothing may be told of this guild."""
        known = self._known.get(guild_id)
        return None if known is None else known.policy

    async def refresh(self, connection: Connection, guild_id: int) -> Policy:
        """Within the caller's transaction: the policy in force, read again only if something was decided since."""
        known = self._known.get(guild_id)
        if known is None or known.epoch != await epoch_of(connection, guild_id):
            known = self._known[guild_id] = await load_policy(connection, guild_id)
            self.on_decision(guild_id, known.policy)
        return known.policy

    def forget(self, guild_id: int) -> None:
        """Somebody's roles changed, or the guild was met or left."""
        self._known.pop(guild_id, None)
