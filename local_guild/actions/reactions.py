"""Reactions and pins: what people do to a message without writing one."""

from local_guild.actions.posting import Draft, Posting
from local_guild.actions.realm import Realm, message_intent, place_of, reference_to
from local_guild.gateway.events import Intent
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
        data |= place_of(channel) | {"message_id": str(message.id)}
        in_dm, in_guild = Intent.DIRECT_MESSAGE_REACTIONS, Intent.GUILD_MESSAGE_REACTIONS
        self._realm.tell_channel(name, channel, data, in_dm if channel.guild_id is None else in_guild)


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
        last_pin: JsonObject = {"last_pin_timestamp": iso(channel.last_pin_at)}
        intent = message_intent(channel) if channel.guild_id is None else Intent.GUILDS
        self._realm.tell_channel("CHANNEL_PINS_UPDATE", channel, last_pin | place_of(channel), intent)
        reference = reference_to(channel, message.id)
        self._posting.send(Draft(channel=channel, author_id=by, type=PIN_MESSAGE, reference=reference))
