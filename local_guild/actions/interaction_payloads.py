"""Interactions as Discord's v10 objects: the event the bot gets, what it resolves, and what stays on messages."""

from local_guild.actions.realm import Realm
from local_guild.payloads.objects import bare_member_payload, role_payload
from local_guild.state.ids import JsonObject
from local_guild.state.messages import Attachment, Message
from local_guild.state.world import Channel

MAX_FILE_BYTES = 10 * 1024 * 1024
LOCALE = "en-US"
IN_GUILD, IN_BOT_DM = 0, 1


class InteractionPayloads:
    def __init__(self, realm: Realm) -> None:
        self._realm = realm

    def created(
        self,
        interaction_id: int,
        token: str,
        *,
        kind: int,
        user_id: int,
        channel: Channel,
        data: JsonObject,
        message: Message | None,
    ) -> JsonObject:
        world, access = self._realm.world, self._realm.access
        bot_id = world.facts.bot_id
        rights = access.in_channel(channel, user_id)
        payload: JsonObject = {
            "id": str(interaction_id),
            "application_id": str(bot_id),
            "type": kind,
            "token": token,
            "version": 1,
            "data": data,
            "channel_id": str(channel.id),
            "channel": self._realm.payloads.channel(channel, bot_id) | {"permissions": str(rights)},
            "app_permissions": str(access.in_channel(channel, bot_id)),
            "locale": LOCALE,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": owners(channel),
            "attachment_size_limit": MAX_FILE_BYTES,
        }
        if message is not None:
            payload["message"] = self._realm.messages.message(message, bot_id)
        if channel.guild_id is None:
            return payload | {"user": self._realm.payloads.user(user_id), "context": IN_BOT_DM}
        guild = world.guilds[channel.guild_id]
        member = world.members(guild.id)[user_id]
        return payload | {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": guild.preferred_locale, "features": []},
            "guild_locale": guild.preferred_locale,
            "member": self._realm.payloads.member(member) | {"permissions": str(rights)},
            "context": IN_GUILD,
        }


def owners(channel: Channel) -> JsonObject:
    """Who has installed the application here: the guild; in a direct message nobody in particular."""
    return {"0": "0" if channel.guild_id is None else str(channel.guild_id)}


class Resolved:
    """The things an interaction names by id, each as the object it stands for. `user_id` is who names them."""

    def __init__(self, realm: Realm, channel: Channel, user_id: int) -> None:
        self._realm = realm
        self._channel = channel
        self._user_id = user_id
        self._found: dict[str, dict[str, JsonObject]] = {}

    def payload(self) -> JsonObject:
        return dict(self._found)

    def user(self, user_id: int) -> bool:
        if user_id not in self._realm.world.users:
            return False
        self._note("users", user_id, self._realm.payloads.user(user_id))
        member = self._realm.world.member(self._channel.guild_id or 0, user_id)
        if member is not None:
            rights = self._realm.access.in_channel(self._channel, user_id)
            self._note("members", user_id, bare_member_payload(member) | {"permissions": str(rights)})
        return True

    def role(self, role_id: int) -> bool:
        guild = self._realm.world.guilds.get(self._channel.guild_id or 0)
        role = None if guild is None else guild.roles.get(role_id)
        if role is None:
            return False
        self._note("roles", role_id, role_payload(role))
        return True

    def channel(self, channel_id: int, types: list[int] | None = None) -> bool:
        """Only a channel that the member may view, and of the types asked for."""
        channel = self._realm.world.channels.get(channel_id)
        if channel is None or channel.guild_id != self._channel.guild_id:
            return False
        rights = self._realm.access.in_channel(channel, self._user_id)
        if not self._realm.access.may_view(channel, self._user_id) or (types and channel.type not in types):
            return False
        payload = self._realm.payloads.channel(channel) | {"permissions": str(rights)}
        payload.pop("permission_overwrites", None)
        self._note("channels", channel_id, payload)
        return True

    def message(self, message: Message) -> None:
        self._note("messages", message.id, self._realm.messages.message(message))

    def attachment(self, attachment: Attachment) -> None:
        self._note("attachments", attachment.id, self._realm.messages.attachment(attachment))

    def _note(self, kind: str, thing_id: int, payload: JsonObject) -> None:
        self._found.setdefault(kind, {})[str(thing_id)] = payload
