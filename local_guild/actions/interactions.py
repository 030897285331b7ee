"""Runs interactions: a member does something with the bot, and the bot has three seconds to answer.

This file keeps them: opens them, tells the bot and the member, and lets them fail or expire. What an
answer does to messages is the REST part's business.
"""

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum

from local_guild.actions.realm import Realm
from local_guild.gateway.sessions import Event
from local_guild.payloads import bare_member_payload, role_payload
from local_guild.state.ids import JsonObject
from local_guild.state.messages import MAX_FILE_BYTES, Message
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, Guild, Record

ANSWER_WITHIN = timedelta(seconds=3)
TOKEN_LIFE = timedelta(minutes=15)
NOT_ANSWERED_IN_TIME = 2
LOCALE = "en-US"
IN_GUILD, IN_BOT_DM = 0, 1
# The flag of a message that says the bot is thinking.
LOADING = 1 << 7


class Kind(IntEnum):
    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Answer(IntEnum):
    MESSAGE = 4
    LATER = 5
    UPDATE_LATER = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(slots=True, kw_only=True)
class Interaction:
    id: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(96))
    created_at: datetime
    kind: Kind
    user_id: int
    channel: Channel
    data: JsonObject
    metadata: JsonObject
    nonce: str | None = None
    # What was pressed, or what the modal was opened from; a command has none.
    message: Message | None = None
    answer: Answer | None = None
    failed: bool = False
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    modal: JsonObject | None = None
    choices: list[JsonObject] | None = None
    settled: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def guild_id(self) -> int | None:
        return self.channel.guild_id


class Interactions:
    def __init__(self, realm: Realm) -> None:
        self.answer_within = ANSWER_WITHIN
        self._realm = realm
        self._known: OrderedDict[int, Interaction] = OrderedDict()
        self._by_token: dict[str, Interaction] = {}

    def begun(
        self, user_id: int, channel: Channel, kind: Kind, data: JsonObject, command: str | None = None
    ) -> Interaction:
        """Begin an interaction by a member; nobody is told of it yet."""
        interaction_id = self._realm.ids.next()
        who = self._realm.payloads.user(user_id)
        metadata: JsonObject = {"id": str(interaction_id), "type": int(kind), "user": who}
        return Interaction(
            id=interaction_id,
            created_at=self._realm.clock.now(),
            kind=kind,
            user_id=user_id,
            channel=channel,
            data=data,
            metadata=metadata if command is None else metadata | {"name": command},
        )

    def open(self, interaction: Interaction) -> None:
        """Tell the bot of an interaction, and start to wait for the answer."""
        self._forget_old()
        self._known[interaction.id] = interaction
        self._by_token[interaction.token] = interaction
        self._tell_member("INTERACTION_CREATE", interaction, {"id": str(interaction.id)})
        event = Event(name="INTERACTION_CREATE", data=self._created(interaction), guild_id=interaction.guild_id)
        self._realm.hub.tell_user(self._realm.world.facts.bot_id, event)
        patience = self.answer_within.total_seconds()
        asyncio.get_running_loop().call_later(patience, self._give_up, interaction)

    def _created(self, interaction: Interaction) -> JsonObject:
        """Write the interaction as the bot is told of it."""
        world, access, channel = self._realm.world, self._realm.access, interaction.channel
        bot_id, user_id = world.facts.bot_id, interaction.user_id
        rights = str(access.in_channel(channel, user_id))
        payload: JsonObject = {
            "id": str(interaction.id),
            "application_id": str(bot_id),
            "type": interaction.kind,
            "token": interaction.token,
            "version": 1,
            "data": interaction.data,
            "channel_id": str(channel.id),
            "channel": self._realm.payloads.channel(channel, bot_id) | {"permissions": rights},
            "app_permissions": str(access.in_channel(channel, bot_id)),
            "locale": LOCALE,
            "attachment_size_limit": MAX_FILE_BYTES,
        }
        if interaction.message is not None:
            payload["message"] = self._realm.payloads.message(interaction.message, bot_id)
        if channel.guild_id is None:
            return payload | {"user": self._realm.payloads.user(user_id), "context": IN_BOT_DM}
        guild = world.guilds[channel.guild_id]
        member = world.members(guild.id)[user_id]
        return payload | {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": guild.preferred_locale, "features": []},
            "guild_locale": guild.preferred_locale,
            "member": self._realm.payloads.member(member) | {"permissions": rights},
            "context": IN_GUILD,
        }

    def get(self, interaction_id: int) -> Interaction | None:
        return self._known.get(interaction_id)

    def awaiting(self, interaction_id: int, token: str) -> Interaction | None:
        """Find the interaction a callback is for; None once it is too late, by the world's clock too."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id:
            return None
        late = self._realm.clock.now() - interaction.created_at > self.answer_within
        if late and interaction.answer is None:
            self._give_up(interaction)
        return None if interaction.failed else interaction

    def answered(self, token: str) -> Interaction | None:
        """Find the interaction whose token this is, as long as that lives and was answered."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.answer is None:
            return None
        return None if self._realm.clock.now() - interaction.created_at > TOKEN_LIFE else interaction

    def succeed(self, interaction: Interaction) -> None:
        self._tell_member("INTERACTION_SUCCESS", interaction, {"id": str(interaction.id)})
        if interaction.answer is not Answer.LATER:
            interaction.settled.set()

    def show_modal(self, interaction: Interaction, modal: JsonObject) -> None:
        interaction.modal = modal
        data: JsonObject = {"id": str(interaction.id), "channel_id": str(interaction.channel.id), **modal}
        self._tell_member("INTERACTION_MODAL_CREATE", interaction, data)
        interaction.settled.set()

    def suggest(self, interaction: Interaction, choices: list[JsonObject]) -> None:
        interaction.choices = choices
        self._tell_member("APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE", interaction, {"choices": choices})
        interaction.settled.set()

    def outcome(self, interaction: Interaction) -> JsonObject:
        """Tell what has come of an interaction so far, for the member who began it."""
        body: JsonObject = {"id": str(interaction.id), "type": interaction.answer, "failed": interaction.failed}
        if interaction.original is not None and self._is_there(interaction.original):
            body["message"] = self._realm.payloads.message(interaction.original, interaction.user_id)
        followups = [message for message in interaction.followups if self._is_there(message)]
        if followups:
            body["followups"] = [self._realm.payloads.message(message, interaction.user_id) for message in followups]
        if interaction.modal is not None:
            body["modal"] = {"id": str(interaction.id), **interaction.modal}
        if interaction.choices is not None:
            body["choices"] = interaction.choices
        return body

    def _is_there(self, message: Message) -> bool:
        """Say whether nobody has deleted the message meanwhile."""
        return self._realm.world.message(message.channel_id, message.id) is not None

    def _give_up(self, interaction: Interaction) -> None:
        if interaction.answer is not None or interaction.failed:
            return
        interaction.failed = True
        data: JsonObject = {"id": str(interaction.id), "reason_code": NOT_ANSWERED_IN_TIME}
        self._tell_member("INTERACTION_FAILURE", interaction, data)
        interaction.settled.set()

    def _tell_member(self, name: str, interaction: Interaction, data: JsonObject) -> None:
        event = Event(name=name, data=data | {"nonce": interaction.nonce}, guild_id=interaction.guild_id)
        self._realm.hub.tell_user(interaction.user_id, event)

    def _forget_old(self) -> None:
        horizon = self._realm.clock.now() - TOKEN_LIFE
        while self._known and next(iter(self._known.values())).created_at < horizon:
            _, old = self._known.popitem(last=False)
            del self._by_token[old.token]


# The commands the application offers, everywhere or in one guild, and which of them a member may use.


CHAT_INPUT, MESSAGE_MENU = 1, 3

_PREFIX = "command:"


class ApplicationCommands:
    """Commands live as records of the world, and are offered in every guild."""

    def __init__(self, realm: Realm) -> None:
        self._realm = realm

    def listed(self) -> list[JsonObject]:
        return [record.body for key, record in self._realm.world.records.items() if key.startswith(_PREFIX)]

    def overwrite(self, wanted: list[JsonObject]) -> list[JsonObject]:
        """Make the commands exactly these; one of the same kind and name keeps its id."""
        world, before = self._realm.world, {(one["type"], one["name"]): one for one in self.listed()}
        kept: list[JsonObject] = []
        for fields in wanted:
            known = before.pop((fields["type"], fields["name"]), None)
            version = str(self._realm.ids.next())
            command_id = version if known is None else known["id"]
            own: JsonObject = {"id": command_id, "application_id": str(world.bot.id), "version": version}
            world.keep(Record(f"{_PREFIX}{command_id}", own | fields))
            kept.append(own | fields)
        for command in before.values():
            world.drop(world.records[f"{_PREFIX}{command['id']}"])
        return kept

    def find(self, kind: int, name: str) -> JsonObject | None:
        return next((one for one in self.listed() if (one["type"], one["name"]) == (kind, name)), None)

    def usable(self, guild: Guild, user_id: int) -> list[JsonObject]:
        """List the commands that a member may use somewhere in the guild."""
        rights = self._realm.access.in_guild(guild, user_id)
        return [command for command in self.listed() if permitted(command, rights)]


def permitted(command: JsonObject, rights: int) -> bool:
    """Say whether a command is permitted: unset permissions are for all, none at all ("0") for administrators."""
    needed = command.get("default_member_permissions")
    if needed is None or rights & Permission.ADMINISTRATOR:
        return bool(rights & Permission.USE_APPLICATION_COMMANDS)
    bits = int(str(needed))
    return bits != 0 and rights & bits == bits and bool(rights & Permission.USE_APPLICATION_COMMANDS)


class Resolved:
    """Resolves the things an interaction names by id, each to the object it stands for. `user_id` is who names them."""

    def __init__(self, realm: Realm, channel: Channel, user_id: int) -> None:
        self._realm = realm
        self._channel = channel
        self._user_id = user_id
        self._found: dict[str, dict[str, JsonObject]] = {}

    def part(self) -> JsonObject:
        """Make a part of an interaction's data, which says nothing of it where nothing was named."""
        return {"resolved": dict(self._found)} if self._found else {}

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
        """Say whether the channel is one that the member may view, of the types asked for."""
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
        self._note("messages", message.id, self._realm.payloads.message(message))

    def _note(self, kind: str, thing_id: int, payload: JsonObject) -> None:
        self._found.setdefault(kind, {})[str(thing_id)] = payload
