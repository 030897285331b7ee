"""Writes things of the local guild as Discord's v10 objects: users, roles, channels, guilds and messages."""

from urllib.parse import quote

from local_guild.state.ids import JsonObject, iso, iso_or_none, snowflake_or_none, time_of
from local_guild.state.messages import Attachment, Message, Reaction
from local_guild.state.permissions import Access
from local_guild.state.world import Channel, ChannelType, Guild, Member, Record, Role, Thread, User, World

LARGE_GUILD = 250
TEXT_LIKE = frozenset(
    {ChannelType.TEXT, ChannelType.ANNOUNCEMENT, ChannelType.VOICE, ChannelType.STAGE, ChannelType.FORUM}
)

REPLY_TYPES = frozenset({19, 20, 21, 23})
CONTENT_FIELDS: JsonObject = {"content": "", "embeds": [], "attachments": [], "components": []}


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
        "managed": role.managed,
    }
    if role.bot_id is not None:
        payload["tags"] = {"bot_id": str(role.bot_id)}
    return payload


def bare_member_payload(member: Member) -> JsonObject:
    """Write a member without its user, as it stands beside a message's author."""
    return {
        "nick": member.nick,
        "avatar": None,
        "roles": [str(role_id) for role_id in member.role_ids],
        "joined_at": iso(member.joined_at),
        "flags": 0,
    }


def thread_member_payload(thread_id: int, user_id: int, thread: Thread) -> JsonObject:
    return {
        "id": str(thread_id),
        "user_id": str(user_id),
        "join_timestamp": iso(thread.member_since[user_id]),
        "flags": 0,
    }


def event_payload(event: Record) -> JsonObject:
    """Write a scheduled event, without who is interested in it."""
    return {name: value for name, value in event.body.items() if name != "interested"}


def emoji_payload(name: str) -> JsonObject:
    return {"id": None, "name": name}


def without_content(payload: JsonObject) -> JsonObject:
    """Take the content out of a message, for a reader who may not read it."""
    reduced = payload | CONTENT_FIELDS
    reduced.pop("poll", None)
    reduced.pop("message_snapshots", None)
    referenced = reduced.get("referenced_message")
    if isinstance(referenced, dict):
        reduced["referenced_message"] = referenced | CONTENT_FIELDS
    return reduced


class Payloads:
    def __init__(self, world: World, access: Access) -> None:
        self._world = world
        self._access = access
        # Where this server answers; files are linked to under it. Set once the address is known.
        self.base_url = "http://127.0.0.1"

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
                "last_message_id": snowflake_or_none(self._world.log(channel.id).last_id),
                "last_pin_timestamp": iso_or_none(channel.last_pin_at),
            }
        if channel.type in (ChannelType.VOICE, ChannelType.STAGE):
            payload |= {"bitrate": 64000, "user_limit": 0}
        if channel.type == ChannelType.FORUM:
            payload["available_tags"] = channel.available_tags
        return payload

    def _dm(self, channel: Channel, reader_id: int | None) -> JsonObject:
        others = [user_id for user_id in channel.recipient_ids if user_id != reader_id]
        return {
            "id": str(channel.id),
            "type": channel.type,
            "last_message_id": snowflake_or_none(self._world.log(channel.id).last_id),
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
            "message_count": len(log),
            "total_message_sent": len(log) + thread.deleted_messages,
            "member_count": min(len(thread.member_since), 50),
            "thread_metadata": {
                "archived": thread.archived,
                "auto_archive_duration": 1440,
                "archive_timestamp": iso(thread.archived_at),
                "locked": False,
                "invitable": thread.invitable,
                "create_timestamp": iso(time_of(channel.id)),
            },
        }
        if thread.applied_tags:
            payload["applied_tags"] = list(map(str, thread.applied_tags))
        if reader_id is not None and reader_id in thread.member_since:
            payload["member"] = thread_member_payload(channel.id, reader_id, thread)
        return payload

    def guild(self, guild: Guild) -> JsonObject:
        """Write the guild object that REST gives, which GUILD_CREATE extends."""
        return {
            "id": str(guild.id),
            "name": guild.name,
            "owner_id": str(guild.owner_id),
            "system_channel_id": snowflake_or_none(guild.system_channel_id),
            "preferred_locale": guild.preferred_locale,
            "roles": [role_payload(role) for role in guild.roles.values()],
        }

    def guild_create(self, guild: Guild, reader_id: int, *, all_members: bool, listening: bool) -> JsonObject:
        """Write GUILD_CREATE for one reader.

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
            "guild_scheduled_events": [event_payload(one) for one in self.events(guild.id, reader_id)],
        }

    def events(self, guild_id: int, reader_id: int) -> list[Record]:
        """List the scheduled events that the reader may see: of a channel that they cannot view there is none."""
        records = [one for key, one in self._world.records.items() if key.startswith("event:")]
        here = [one for one in records if one.body["guild_id"] == str(guild_id)]
        places = [self._world.channels.get(int(str(one.body["channel_id"] or 0))) for one in here]
        return [
            one
            for one, place in zip(here, places, strict=True)
            if place is None or self._access.may_view(place, reader_id)
        ]

    def active_threads(self, guild_id: int, reader_id: int) -> list[Channel]:
        return [
            channel
            for channel in self._world.threads_of(guild_id)
            if channel.thread is not None and not channel.thread.archived and self._access.may_view(channel, reader_id)
        ]

    def message(self, message: Message, reader_id: int | None = None) -> JsonObject:
        payload = self._body(message, reader_id)
        if message.reference is not None:
            payload["message_reference"] = message.reference
            if message.type in REPLY_TYPES:
                payload["referenced_message"] = self._referenced(message.reference, reader_id)
        started = self._world.channels.get(message.id)
        if started is not None and started.thread is not None:
            payload["thread"] = self.channel(started, reader_id)
        return payload

    def message_event(self, message: Message) -> JsonObject:
        """Make the event as the gateway sends it: with the guild, and authors and mentioned as members."""
        payload = self.message(message)
        channel = self._world.channels[message.channel_id]
        payload["channel_type"] = channel.type
        if channel.guild_id is None:
            return payload
        payload["guild_id"] = str(channel.guild_id)
        author = self._world.member(channel.guild_id, message.author_id)
        if author is not None and message.webhook_id is None:
            payload["member"] = bare_member_payload(author)
        mentions: list[JsonObject] = []
        for user_id in message.mentions:
            mentioned = self.user(user_id)
            member = self._world.member(channel.guild_id, user_id)
            if member is not None:
                mentioned["member"] = bare_member_payload(member)
            mentions.append(mentioned)
        payload["mentions"] = mentions
        return payload

    def attachment(self, attachment: Attachment) -> JsonObject:
        url = f"{self.base_url}/attachments/{attachment.id}/{quote(attachment.filename)}"
        payload: JsonObject = {
            "id": str(attachment.id),
            "filename": attachment.filename,
            "size": attachment.size,
            "url": url,
            "proxy_url": url,
            "content_type": attachment.content_type,
        }
        for name in ("description", "duration_secs", "waveform"):
            if (value := getattr(attachment, name)) is not None:
                payload[name] = value
        return payload

    def _body(self, message: Message, reader_id: int | None) -> JsonObject:
        payload: JsonObject = {
            "id": str(message.id),
            "channel_id": str(message.channel_id),
            "author": self._author(message),
            "content": message.content,
            "timestamp": iso(message.created_at),
            "edited_timestamp": iso_or_none(message.edited_at),
            "tts": False,
            "mention_everyone": message.mention_everyone,
            "mentions": [self.user(user_id) for user_id in message.mentions],
            "mention_roles": [str(role_id) for role_id in message.mention_roles],
            "attachments": [self.attachment(attachment) for attachment in message.attachments],
            "embeds": message.embeds,
            "components": message.components,
            "pinned": message.pinned,
            "type": message.type,
            "flags": message.flags,
        }
        if message.reactions:
            payload["reactions"] = [self._reaction(reaction, reader_id) for reaction in message.reactions]
        for name in ("sticker_items", "message_snapshots"):
            if value := getattr(message, name):
                payload[name] = value
        if message.poll is not None:
            payload["poll"] = {name: value for name, value in message.poll.items() if name != "voters"}
        for name in ("nonce", "interaction_metadata"):
            if (value := getattr(message, name)) is not None:
                payload[name] = value
        for name in ("webhook_id", "application_id"):
            if (value := getattr(message, name)) is not None:
                payload[name] = str(value)
        return payload

    def _author(self, message: Message) -> JsonObject:
        """Write the author of a message; a webhook by the name that it was given for it."""
        if message.webhook_name is None:
            return self.user(message.author_id)
        return user_payload(User(message.author_id, message.webhook_name, token="", bot=True))

    def _referenced(self, reference: JsonObject, reader_id: int | None) -> JsonObject | None:
        message = self._world.message(int(str(reference["channel_id"])), int(str(reference["message_id"])))
        return None if message is None else self._body(message, reader_id)

    def _reaction(self, reaction: Reaction, reader_id: int | None) -> JsonObject:
        return {
            "count": len(reaction.user_ids),
            "me": reader_id in reaction.user_ids,
            "emoji": emoji_payload(reaction.emoji_name),
        }
