"""Messages as Discord's v10 objects, in full and as a bot without the Message Content intent gets them."""

from urllib.parse import quote

import orjson

from local_guild.payloads.objects import Payloads, bare_member_payload
from local_guild.state.ids import JsonObject, encode, iso, iso_or_none
from local_guild.state.messages import Attachment, Message, Reaction
from local_guild.state.world import Member, World

REPLY_TYPES = frozenset({19, 20, 21, 23})
CONTENT_FIELDS: JsonObject = {"content": "", "embeds": [], "attachments": [], "components": []}


def emoji_payload(name: str, emoji_id: int | None) -> JsonObject:
    return {"id": None if emoji_id is None else str(emoji_id), "name": name, "animated": False}


def without_content(payload: JsonObject) -> JsonObject:
    """Takes the content out of a message, for a reader who may not read it."""
    reduced = payload | CONTENT_FIELDS
    reduced.pop("poll", None)
    reduced.pop("message_snapshots", None)
    referenced = reduced.get("referenced_message")
    if isinstance(referenced, dict):
        reduced["referenced_message"] = referenced | CONTENT_FIELDS
    return reduced


class MessagePayloads:
    def __init__(self, world: World, payloads: Payloads) -> None:
        self._world = world
        self._payloads = payloads
        # Where this server answers; files are linked to under it. Set once the address is known.
        self.base_url = "http://127.0.0.1"
        self._members_as_of = -1
        self._encoded_members: dict[tuple[int, int], orjson.Fragment] = {}

    def message(self, message: Message, reader_id: int | None = None) -> JsonObject:
        payload = self._body(message, reader_id)
        if message.reference is not None:
            payload["message_reference"] = message.reference
            if message.type in REPLY_TYPES:
                payload["referenced_message"] = self._referenced(message.reference, reader_id)
        started = self._world.channels.get(message.id)
        if started is not None and started.thread is not None:
            payload["thread"] = self._payloads.channel(started, reader_id)
        return payload

    def event(self, message: Message) -> JsonObject:
        """As the gateway sends it: with the guild, and with the authors and mentioned as members."""
        payload = self.message(message)
        channel = self._world.channels[message.channel_id]
        payload["channel_type"] = channel.type
        if channel.guild_id is None:
            return payload
        payload["guild_id"] = str(channel.guild_id)
        author = self._world.member(channel.guild_id, message.author_id)
        if author is not None and message.webhook_id is None:
            payload["member"] = self._encoded_member(author)
        mentions: list[JsonObject] = []
        for user_id in message.mentions:
            mentioned = self._payloads.user(user_id)
            member = self._world.member(channel.guild_id, user_id)
            if member is not None:
                mentioned["member"] = bare_member_payload(member)
            mentions.append(mentioned)
        payload["mentions"] = mentions
        return payload

    def _encoded_member(self, member: Member) -> orjson.Fragment:
        """Encoded once for all that the member says until something about people or places changes."""
        if self._members_as_of != self._world.revision:
            self._encoded_members.clear()
            self._members_as_of = self._world.revision
        key = (member.guild_id, member.user_id)
        known = self._encoded_members.get(key)
        if known is None:
            known = self._encoded_members[key] = orjson.Fragment(encode(bare_member_payload(member)))
        return known

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
        if attachment.description is not None:
            payload["description"] = attachment.description
        return payload

    def _body(self, message: Message, reader_id: int | None) -> JsonObject:
        payload: JsonObject = {
            "id": str(message.id),
            "channel_id": str(message.channel_id),
            "author": self._payloads.user(message.author_id),
            "content": message.content,
            "timestamp": iso(message.created_at),
            "edited_timestamp": iso_or_none(message.edited_at),
            "tts": False,
            "mention_everyone": message.mention_everyone,
            "mentions": [self._payloads.user(user_id) for user_id in message.mentions],
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
        if message.sticker_items:
            payload["sticker_items"] = message.sticker_items
        if message.message_snapshots:
            payload["message_snapshots"] = message.message_snapshots
        if message.poll is not None:
            payload["poll"] = message.poll
        if message.nonce is not None:
            payload["nonce"] = message.nonce
        if message.webhook_id is not None:
            payload["webhook_id"] = str(message.webhook_id)
        if message.application_id is not None:
            payload["application_id"] = str(message.application_id)
        if message.interaction_metadata is not None:
            payload["interaction_metadata"] = message.interaction_metadata
        return payload

    def _referenced(self, reference: JsonObject, reader_id: int | None) -> JsonObject | None:
        message = self._world.message(int(str(reference["channel_id"])), int(str(reference["message_id"])))
        return None if message is None else self._body(message, reader_id)

    def _reaction(self, reaction: Reaction, reader_id: int | None) -> JsonObject:
        return {
            "count": len(reaction.user_ids),
            "count_details": {"burst": 0, "normal": len(reaction.user_ids)},
            "me": reader_id in reaction.user_ids,
            "me_burst": False,
            "burst_colors": [],
            "emoji": emoji_payload(reaction.emoji_name, reaction.emoji_id),
        }
