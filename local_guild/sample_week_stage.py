"""Where the sample week is played, and by whom: a guild's own rooms and people, whatever it has of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle

from local_guild.permissions import Permission
from local_guild.realm import Realm
from local_guild.world import Channel, ChannelType, Guild

PARTS = ("maren", "tom", "aylin", "jonas")
FIRST, SECOND, PRIVATE = "first", "second", "private"


class NoStageError(Exception):
    """The guild lacks what a conversation needs: two people and a room."""


@dataclass(frozen=True, slots=True)
class Room:
    """A channel and who speaks each part in it: the person cast, or a stand-in who may be there."""

    channel: Channel
    speakers: dict[str, int]


@dataclass(frozen=True, slots=True)
class Stage:
    guild: Guild
    cast: dict[str, int]
    rooms: dict[str, Room]

    @classmethod
    def set_in(cls, realm: Realm, guild: Guild) -> Stage:
        cast = dict(zip(PARTS, cycle(_people(realm, guild)), strict=False))
        rooms: dict[str, Room] = {}
        for name, channels in _choices(realm, guild).items():
            for channel in channels:
                present = [user_id for user_id in _people(realm, guild) if _may_speak(realm, channel, user_id)]
                if len(present) >= 2 and name not in rooms:
                    rooms[name] = Room(channel, _speakers(cast, present))
        if FIRST not in rooms:
            raise NoStageError
        return cls(guild, cast, rooms)


def _choices(realm: Realm, guild: Guild) -> dict[str, list[Channel]]:
    """For each room of the script the channels that would do, the best first."""
    texts = [
        channel
        for channel in realm.world.channels_of(guild.id)
        if channel.type == ChannelType.TEXT and not channel.nsfw
    ]
    texts.sort(key=lambda channel: (channel.position, channel.id))
    private = [channel for channel in texts if realm.access.is_private(channel)]
    public = [channel for channel in texts if channel not in private]
    if not public:
        # Where newcomers see nothing, the room that most people see is the hall.
        public = sorted(private, key=lambda channel: -len(realm.access.viewers(channel)))
        private = [channel for channel in private if channel is not public[0]]
        public = public[:1]
    return {FIRST: public, SECOND: [*public[1:], *public[:1]], PRIVATE: private}


def _people(realm: Realm, guild: Guild) -> list[int]:
    """No bots; the owner first, the others by the time they joined."""
    members = [m for m in realm.world.members(guild.id).values() if not realm.world.users[m.user_id].bot]
    members.sort(key=lambda member: (member.user_id != guild.owner_id, member.joined_at, member.user_id))
    return [member.user_id for member in members]


def _may_speak(realm: Realm, channel: Channel, user_id: int) -> bool:
    needed = Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES
    return realm.access.in_channel(channel, user_id) & needed == needed


def _speakers(cast: dict[str, int], present: list[int]) -> dict[str, int]:
    stand_ins = cycle([user_id for user_id in present if user_id not in cast.values()] or present)
    return {part: user_id if user_id in present else next(stand_ins) for part, user_id in cast.items()}
