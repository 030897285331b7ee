"""State as Discord's v10 objects: users, roles, members, channels, threads and guilds."""

from local_guild.state.ids import JsonObject, iso, iso_or_none, snowflake_or_none, time_of
from local_guild.state.permissions import Access
from local_guild.state.world import Channel, ChannelType, Guild, Member, Role, Thread, User, World

LARGE_GUILD = 250
TEXT_LIKE = frozenset(
    {ChannelType.TEXT, ChannelType.ANNOUNCEMENT, ChannelType.VOICE, ChannelType.STAGE, ChannelType.FORUM}
)


def user_payload(user: User) -> JsonObject:
    return {
        "id": str(user.id),
        "username": user.name,
        "discriminator": "0",
        "global_name": user.global_name,
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
    }


def role_payload(role: Role) -> JsonObject:
    payload: JsonObject = {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(role.permissions),
        "position": role.position,
        "color": role.color,
        "hoist": role.hoist,
        "managed": role.managed,
        "mentionable": role.mentionable,
        "flags": 0,
    }
    if role.bot_id is not None:
        payload["tags"] = {"bot_id": str(role.bot_id)}
    return payload


def bare_member_payload(member: Member) -> JsonObject:
    """A member without its user, as it stands beside a message's author."""
    return {
        "nick": member.nick,
        "avatar": None,
        "roles": [str(role_id) for role_id in member.role_ids],
        "joined_at": iso(member.joined_at),
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }


def thread_member_payload(thread_id: int, user_id: int, thread: Thread) -> JsonObject:
    return {
        "id": str(thread_id),
        "user_id": str(user_id),
        "join_timestamp": iso(thread.member_since[user_id]),
        "flags": 0,
    }


class Payloads:
    def __init__(self, world: World, access: Access) -> None:
        self._world = world
        self._access = access

    def user(self, user_id: int) -> JsonObject:
        user = self._world.users.get(user_id)
        if user is None:
            return user_payload(User(user_id, "Deleted User", token=""))
        return user_payload(user)

    def member(self, member: Member) -> JsonObject:
        return {"user": self.user(member.user_id), **bare_member_payload(member)}

    def channel(self, channel: Channel, reader_id: int | None = None) -> JsonObject:
        if channel.thread is not None:
            return self._thread(channel, channel.thread, reader_id)
        if channel.guild_id is None:
            return self._dm(channel, reader_id)
        payload: JsonObject = {
            "id": str(channel.id),
            "type": channel.type,
            "guild_id": str(channel.guild_id),
            "name": channel.name,
            "position": channel.position,
            "parent_id": snowflake_or_none(channel.parent_id),
            "nsfw": channel.nsfw,
            "flags": 0,
            "permission_overwrites": [
                {
                    "id": str(overwrite.id),
                    "type": int(overwrite.for_member),
                    "allow": str(overwrite.allow),
                    "deny": str(overwrite.deny),
                }
                for overwrite in channel.overwrites.values()
            ],
        }
        if channel.type in TEXT_LIKE:
            payload |= {
                "topic": channel.topic,
                "rate_limit_per_user": 0,
                "last_message_id": snowflake_or_none(self._world.log(channel.id).last_id),
                "last_pin_timestamp": iso_or_none(channel.last_pin_at),
            }
        if channel.type in (ChannelType.VOICE, ChannelType.STAGE):
            payload |= {"bitrate": 64000, "user_limit": 0}
        if channel.type == ChannelType.FORUM:
            payload["available_tags"] = []
        return payload

    def _dm(self, channel: Channel, reader_id: int | None) -> JsonObject:
        others = [user_id for user_id in channel.recipient_ids if user_id != reader_id]
        return {
            "id": str(channel.id),
            "type": channel.type,
            "last_message_id": snowflake_or_none(self._world.log(channel.id).last_id),
            "flags": 0,
            "recipients": [self.user(user_id) for user_id in others],
        }

    def _thread(self, channel: Channel, thread: Thread, reader_id: int | None) -> JsonObject:
        log = self._world.log(channel.id)
        payload: JsonObject = {
            "id": str(channel.id),
            "type": channel.type,
            "guild_id": str(channel.guild_id),
            "parent_id": str(channel.parent_id),
            "owner_id": str(thread.owner_id),
            "name": channel.name,
            "last_message_id": snowflake_or_none(log.last_id),
            "last_pin_timestamp": iso_or_none(channel.last_pin_at),
            "rate_limit_per_user": 0,
            "message_count": len(log),
            "total_message_sent": len(log) + thread.deleted_messages,
            "member_count": min(len(thread.member_since), 50),
            "flags": 0,
            "thread_metadata": {
                "archived": thread.archived,
                "auto_archive_duration": thread.auto_archive_minutes,
                "archive_timestamp": iso(thread.archived_at),
                "locked": thread.locked,
                "invitable": thread.invitable,
                "create_timestamp": iso(time_of(channel.id)),
            },
        }
        if reader_id is not None and reader_id in thread.member_since:
            payload["member"] = thread_member_payload(channel.id, reader_id, thread)
        return payload

    def guild(self, guild: Guild) -> JsonObject:
        """The guild object REST gives, which GUILD_CREATE extends."""
        return {
            "id": str(guild.id),
            "name": guild.name,
            "owner_id": str(guild.owner_id),
            "system_channel_id": snowflake_or_none(guild.system_channel_id),
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "preferred_locale": guild.preferred_locale,
            "features": [],
            "emojis": [],
            "stickers": [],
            "roles": [role_payload(role) for role in guild.roles.values()],
        }

    def guild_create(self, guild: Guild, reader_id: int, *, all_members: bool, listening: bool) -> JsonObject:
        """GUILD_CREATE for one reader.

        An application (`listening`) is told of every channel, as Discord tells bots, so that it can know
        who sees what; a person only of those they may view. Threads are listed to viewers only.
        """
        members = self._world.members(guild.id)
        large = len(members) > LARGE_GUILD
        listed = list(members.values()) if all_members and not large else [members[reader_id]]
        return self.guild(guild) | {
            "joined_at": iso(members[reader_id].joined_at),
            "large": large,
            "unavailable": False,
            "member_count": len(members),
            "members": [self.member(member) for member in listed],
            "channels": [
                self.channel(channel)
                for channel in self._world.channels_of(guild.id)
                if listening or self._access.may_view(channel, reader_id)
            ],
            "threads": [self.channel(thread, reader_id) for thread in self.active_threads(guild.id, reader_id)],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
        }

    def active_threads(self, guild_id: int, reader_id: int) -> list[Channel]:
        return [
            channel
            for channel in self._world.threads_of(guild_id)
            if channel.thread is not None and not channel.thread.archived and self._access.may_view(channel, reader_id)
        ]
