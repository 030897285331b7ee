"""Reactions and pins: what people do to a message without writing one."""

from local_guild.actions.posting import Draft, Posting
from local_guild.actions.realm import Realm, message_intent
from local_guild.gateway.events import Event, Intent
from local_guild.payloads.messages import emoji_payload
from local_guild.state.ids import JsonObject, iso
from local_guild.state.messages import Message, Reaction
from local_guild.state.world import Channel

PIN_MESSAGE = 6


class Reacting:
    def __init__(self, realm: Realm) -> None:
        self._realm = realm

    def add(self, message: Message, name: str, emoji_id: int | None, user_id: int) -> None:
        reaction = message.reaction(name, emoji_id)
        if reaction is None:
            reaction = Reaction(name, emoji_id, [])
            message.reactions.append(reaction)
        if user_id in reaction.user_ids:
            return
        reaction.user_ids.append(user_id)
        data = self._about(reaction, user_id) | {"message_author_id": str(message.author_id)}
        channel = self._realm.world.channels[message.channel_id]
        member = self._realm.world.member(channel.guild_id or 0, user_id)
        if member is not None:
            data["member"] = self._realm.payloads.member(member)
        self._tell("MESSAGE_REACTION_ADD", message, data)

    def remove(self, message: Message, name: str, emoji_id: int | None, user_id: int) -> bool:
        reaction = message.reaction(name, emoji_id)
        if reaction is None or user_id not in reaction.user_ids:
            return False
        reaction.user_ids.remove(user_id)
        if not reaction.user_ids:
            message.reactions.remove(reaction)
        self._tell("MESSAGE_REACTION_REMOVE", message, self._about(reaction, user_id))
        return True

    def clear(self, message: Message) -> None:
        message.reactions.clear()
        self._tell("MESSAGE_REACTION_REMOVE_ALL", message, {})

    def clear_emoji(self, message: Message, name: str, emoji_id: int | None) -> None:
        reaction = message.reaction(name, emoji_id)
        if reaction is not None:
            message.reactions.remove(reaction)
            data: JsonObject = {"emoji": emoji_payload(name, emoji_id)}
            self._tell("MESSAGE_REACTION_REMOVE_EMOJI", message, data)

    def _about(self, reaction: Reaction, user_id: int) -> JsonObject:
        return {
            "user_id": str(user_id),
            "emoji": emoji_payload(reaction.emoji_name, reaction.emoji_id),
            "burst": False,
            "type": 0,
        }

    def _tell(self, name: str, message: Message, data: JsonObject) -> None:
        if not message.ephemeral:
            self._realm.world.keep(message)
        channel = self._realm.world.channels[message.channel_id]
        data |= {"channel_id": str(channel.id), "message_id": str(message.id)}
        intent = Intent.DIRECT_MESSAGE_REACTIONS
        if channel.guild_id is not None:
            intent = Intent.GUILD_MESSAGE_REACTIONS
            data["guild_id"] = str(channel.guild_id)
        self._realm.hub.dispatch(
            Event(name=name, data=data, intents=intent, guild_id=channel.guild_id, channel_id=channel.id)
        )


class Pinning:
    def __init__(self, realm: Realm, posting: Posting) -> None:
        self._realm = realm
        self._posting = posting

    def pin(self, channel: Channel, message: Message, by: int) -> None:
        if message.pinned:
            return
        message.pinned = True
        channel.last_pin_at = self._realm.clock.now()
        self._realm.world.keep(channel)
        self._posting.announce_change(message)
        self._tell(channel)
        reference: JsonObject = {"message_id": str(message.id), "channel_id": str(channel.id)}
        if channel.guild_id is not None:
            reference["guild_id"] = str(channel.guild_id)
        self._posting.send(Draft(channel=channel, author_id=by, type=PIN_MESSAGE, reference=reference))

    def unpin(self, channel: Channel, message: Message) -> None:
        if message.pinned:
            message.pinned = False
            self._posting.announce_change(message)
            self._tell(channel)

    def pinned(self, channel: Channel) -> list[Message]:
        return [message for message in self._realm.world.log(channel.id).newest_first() if message.pinned]

    def _tell(self, channel: Channel) -> None:
        data: JsonObject = {
            "channel_id": str(channel.id),
            "last_pin_timestamp": None if channel.last_pin_at is None else iso(channel.last_pin_at),
        }
        if channel.guild_id is not None:
            data["guild_id"] = str(channel.guild_id)
        intent = int(Intent.GUILDS) if channel.guild_id is not None else message_intent(channel)
        self._realm.hub.dispatch(
            Event(
                name="CHANNEL_PINS_UPDATE",
                data=data,
                intents=intent,
                guild_id=channel.guild_id,
                channel_id=channel.id,
            )
        )
