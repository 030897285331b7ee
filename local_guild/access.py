"""Who may do what where, asked of a world: the permission rules applied to its present state."""

from local_guild.permissions import Permission, effective, guild_permissions, overwritten, thread_permissions
from local_guild.world import Channel, ChannelType, Guild, World

# As a plain number: asked for every event and reader, where an enumeration's arithmetic would show.
VIEW_CHANNEL = int(Permission.VIEW_CHANNEL)
DM_PERMISSIONS = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.ATTACH_FILES
    | Permission.EMBED_LINKS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.PIN_MESSAGES
)


class Access:
    def __init__(self, world: World) -> None:
        self._world = world
        self._revision = -1
        self._known: dict[tuple[int, int], int] = {}

    def in_guild(self, guild: Guild, user_id: int) -> int:
        member = self._world.member(guild.id, user_id)
        if member is None:
            return 0
        return guild_permissions(guild.roles, guild.id, member.role_ids, owner=guild.owner_id == user_id)

    def in_channel(self, channel: Channel, user_id: int) -> int:
        if self._revision != self._world.revision:
            self._known.clear()
            self._revision = self._world.revision
        key = (channel.id, user_id)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._compute(channel, user_id)
        return known

    def may_view(self, channel: Channel, user_id: int) -> bool:
        return bool(self.in_channel(channel, user_id) & VIEW_CHANNEL)

    def viewers(self, channel: Channel) -> set[int]:
        candidates = channel.recipient_ids if channel.guild_id is None else self._world.members(channel.guild_id)
        return {user_id for user_id in candidates if self.may_view(channel, user_id)}

    def is_private(self, channel: Channel) -> bool:
        """Whether somebody with no role but @everyone is kept out."""
        if channel.guild_id is None or channel.type == ChannelType.PRIVATE_THREAD:
            return True
        if channel.thread is not None:
            parent = self._world.channels.get(channel.parent_id or 0)
            return parent is None or self.is_private(parent)
        guild = self._world.guilds[channel.guild_id]
        granted = guild_permissions(guild.roles, guild.id, (), owner=False)
        seen = overwritten(granted, channel.overwrites, guild_id=guild.id, user_id=0, role_ids=())
        return not seen & Permission.VIEW_CHANNEL

    def _compute(self, channel: Channel, user_id: int) -> int:
        if channel.guild_id is None:
            return DM_PERMISSIONS if user_id in channel.recipient_ids else 0
        guild = self._world.guilds[channel.guild_id]
        member = self._world.member(guild.id, user_id)
        if member is None:
            return 0
        # A thread has no overwrites of its own: its parent's count.
        place = channel if channel.thread is None else self._world.channels.get(channel.parent_id or 0)
        if place is None:
            return 0
        granted = overwritten(
            self.in_guild(guild, user_id),
            place.overwrites,
            guild_id=guild.id,
            user_id=user_id,
            role_ids=member.role_ids,
        )
        if channel.thread is None:
            return effective(granted)
        private = channel.type == ChannelType.PRIVATE_THREAD
        return thread_permissions(granted, private=private, joined=user_id in channel.thread.member_since)
