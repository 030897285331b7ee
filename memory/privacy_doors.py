"""The part of the one door that leads to what people decide: consent, erasing, settings, retention, leaving."""

from collections.abc import Callable
from datetime import datetime

from memory.audit import AuditLog
from memory.core.log_values import ErasureReport, LogSettings, OnProgress, Purged, Removal
from memory.facts.undo import UndoService
from memory.log.ingest import Ingest
from memory.models.metering import Metering
from memory.places.mirror import PlaceMirror
from memory.policy.settings import GuildSettings, SettingsChange
from memory.privacy import Privacy


class PrivacyDoors:
    """For `MemoryManager`, which has these."""

    _ingest: Ingest
    _metering: Metering
    _privacy: Privacy
    seeing: PlaceMirror
    undoing: UndoService
    auditing: AuditLog

    async def leave_guild(self, guild_id: int) -> None:
        """Its data waits for seven days, then `purge` removes it."""
        await self._privacy.leave_guild(guild_id)

    async def rejoin_guild(self, guild_id: int) -> None:
        await self._privacy.rejoin_guild(guild_id)

    async def opt_out(self, guild_id: int, user_id: int, on_progress: OnProgress | None = None) -> ErasureReport:
        """Nothing of a member is stored from now on, nor told about them, and what was stored goes; how much it was."""
        await self._ingest.settled(guild_id)
        return await self._privacy.opt_out(guild_id, user_id, on_progress)

    async def opt_in(self, guild_id: int, user_id: int) -> None:
        """A member is stored from now on; what they said before stays out."""
        await self._privacy.opt_in(guild_id, user_id)

    async def erase_member(
        self, guild_id: int, user_id: int, through_message_id: int, on_progress: OnProgress | None = None
    ) -> ErasureReport:
        """All that is kept of a member up to a message, never to return; how much that was."""
        await self._ingest.settled(guild_id)
        return await self._privacy.erase_member(guild_id, user_id, through_message_id, on_progress)

    async def erase_channel(
        self, guild_id: int, channel_id: int, through_message_id: int, by: int, on_progress: OnProgress | None = None
    ) -> ErasureReport:
        """All that is kept of a channel and its threads up to a message, never to return; how much that was. That this
        member had it erased stands in the audit log from the moment it is decided."""
        await self._ingest.settled(guild_id)
        return await self._privacy.erase_channel(guild_id, channel_id, through_message_id, by, on_progress)

    async def erase_guild(self, guild_id: int, on_progress: OnProgress | None = None) -> ErasureReport:
        """All that is kept of a guild, at once and never to return; how much that was. For leaving it."""
        await self._ingest.settled(guild_id)
        gone = await self._privacy.erase_guild(guild_id, on_progress)
        self.seeing.forget_decisions(guild_id)
        return gone

    async def settings(self, guild_id: int) -> GuildSettings:
        return await self._privacy.settings(guild_id)

    async def would_remove(self, guild_id: int, log: LogSettings) -> Removal:
        """How much would have to go if this were decided about the log."""
        return await self._privacy.would_remove(guild_id, log)

    async def change_settings(
        self, guild_id: int, change: Callable[[GuildSettings], GuildSettings], by: int | None = None
    ) -> SettingsChange:
        """`change` is told what holds now. What may not be stored any longer is removed at once; the audit log says by
        whose decision."""
        return await self._privacy.change_settings(guild_id, change, by)

    async def erasure_broke_off(self) -> None:
        """Waits until one has, for whoever purges: what it decided holds, and what is left should not wait for long."""
        await self._privacy.is_unfinished.wait()

    async def purge(self, now: datetime) -> Purged:
        await self._metering.purge(now)
        await self.undoing.purge(now)
        await self.auditing.purge(now)
        return await self._privacy.purge(now)
