"""Who can read what, as the local guild itself decides it. Nothing of ours has a say here."""

from collections.abc import Collection

from local_guild.permissions import Permission
from local_guild.server import LocalGuild
from local_guild.world import Channel, ChannelType
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
        """Whether what these readers read in a place may hold the canary."""
        place = self._world.channels.get(place_id)
        if canary.gone or place is None or place.guild_id != canary.guild_id:
            return False
        if canary.kind in OF_THE_WHOLE_GUILD:
            return True
        needed = LOOK_IN if canary.kind in NAMES_OF_PLACES else READ_BACK
        return self.may_draw_upon(canary.source_id or 0, place, readers, needed)

    def may_link(self, guild_id: int, channel_id: int, place_id: int, readers: Collection[int]) -> bool:
        place = self._world.channels.get(place_id)
        if place is None or place.guild_id != guild_id:
            return False
        return self.may_draw_upon(channel_id, place, readers, READ_BACK)

    def may_draw_upon(self, source_id: int, place: Channel, readers: Collection[int], needed: int) -> bool:
        source = self._world.channels.get(source_id)
        if source is None or source.guild_id != place.guild_id:
            return False
        if source.id == place.id:
            return True
        if self.asks_for_age(source) and not self.asks_for_age(place):
            return False
        if source.type in (ChannelType.VOICE, ChannelType.STAGE):
            needed |= int(Permission.CONNECT)  # Discord hands out its messages to nobody who may not enter
        return all(self._server.access.in_channel(source, one) & needed == needed for one in readers)

    def may_speak(self, channel: Channel, user_id: int) -> bool:
        rights = self._server.access.in_channel(channel, user_id)
        needed = READ_BACK | int(Permission.SEND_MESSAGES)
        return rights & needed == needed

    def asks_for_age(self, channel: Channel) -> bool:
        if channel.thread is None:
            return channel.nsfw
        parent = self._world.channels.get(channel.parent_id or 0)
        return parent is None or parent.nsfw
