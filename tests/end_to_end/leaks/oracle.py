"""Who can read what, as the local guild itself decides it. Nothing of ours has a say here."""

from collections.abc import Collection

from local_guild.server import LocalGuild
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType
from tests.end_to_end.leaks.canaries import NAMES_OF_PLACES, OF_THE_WHOLE_GUILD, Canary

LOOK_IN = int(Permission.VIEW_CHANNEL)
READ_BACK = LOOK_IN | int(Permission.READ_MESSAGE_HISTORY)


class Oracle:
    """Answers for the present moment: whoever asks while a message is being sent hears who reads it."""

    def __init__(self, server: LocalGuild) -> None:
        self._server = server
        self._world = server.world

    def viewers(self, channel_id: int) -> frozenset[int]:
        """The people who see what is sent to a place. Bots are none."""
        channel = self._world.channels.get(channel_id)
        if channel is None:
            return frozenset()
        return frozenset(one for one in self._server.access.viewers(channel) if not self._world.users[one].bot)

    def may_hold(self, canary: Canary, place_id: int, readers: Collection[int]) -> bool:
        return self.objection(canary, place_id, readers) is None

    def objection(self, canary: Canary, place_id: int, readers: Collection[int]) -> str | None:
        """Why what these readers read in a place may not hold the canary; None if it may."""
        place = self._world.channels.get(place_id)
        if canary.gone:
            return "it was taken back"
        if place is None or place.guild_id != canary.guild_id:
            return "it belongs to another guild"
        if canary.kind in OF_THE_WHOLE_GUILD:
            return None
        needed = LOOK_IN if canary.kind in NAMES_OF_PLACES else READ_BACK
        return self._closed(canary.source_id or 0, place, readers, needed)

    def objection_to_link(self, guild_id: int, channel_id: int, place_id: int, readers: Collection[int]) -> str | None:
        place = self._world.channels.get(place_id)
        if place is None or place.guild_id != guild_id:
            return "it leads to another guild"
        return self._closed(channel_id, place, readers, READ_BACK)

    def _closed(self, source_id: int, place: Channel, readers: Collection[int], needed: int) -> str | None:
        source = self._world.channels.get(source_id)
        if source is None or source.guild_id != place.guild_id:
            return "its channel is gone"
        if source.id == place.id:
            return None
        if self.asks_for_age(source) and not self.asks_for_age(place):
            return "its channel asks for an age, and the place does not"
        if source.type in (ChannelType.VOICE, ChannelType.STAGE):
            needed |= int(Permission.CONNECT)  # Discord hands out its messages to nobody who may not enter
        for one in readers:
            missing = needed & ~self._server.access.in_channel(source, one)
            if missing:
                return f"{self._world.users[one].name} has no {Permission(missing)!r} in {source.name}"
        return None

    def may_speak(self, channel: Channel, user_id: int) -> bool:
        rights = self._server.access.in_channel(channel, user_id)
        needed = READ_BACK | int(Permission.SEND_MESSAGES)
        return rights & needed == needed

    def asks_for_age(self, channel: Channel) -> bool:
        if channel.thread is None:
            return channel.nsfw
        parent = self._world.channels.get(channel.parent_id or 0)
        return parent is None or parent.nsfw
