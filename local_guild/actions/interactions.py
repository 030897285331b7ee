"""Interactions: a member does something with the bot, and the bot has three seconds to answer.

This file keeps them: opens them, tells the bot and the member, and lets them fail or expire. What an
answer does to messages is the REST part's business.
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum

from local_guild.actions.interaction_payloads import InteractionPayloads, owners
from local_guild.actions.realm import Realm
from local_guild.gateway.events import Event
from local_guild.state.ids import JsonObject
from local_guild.state.messages import Message
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, Guild, Record

ANSWER_WITHIN = timedelta(seconds=3)
TOKEN_LIFE = timedelta(minutes=15)
NOT_ANSWERED_IN_TIME = 2
# The flag of a message that says the bot is thinking.
LOADING = 1 << 7


class Kind(IntEnum):
    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Answer(IntEnum):
    PONG = 1
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
        self._payloads = InteractionPayloads(realm)
        self._known: OrderedDict[int, Interaction] = OrderedDict()
        self._by_token: dict[str, Interaction] = {}

    def begun(self, user_id: int, channel: Channel, kind: Kind, data: JsonObject, metadata: JsonObject) -> Interaction:
        """By a member; nobody is told of it yet."""
        interaction_id = self._realm.ids.next()
        who: JsonObject = {
            "id": str(interaction_id),
            "type": int(kind),
            "user": self._realm.payloads.user(user_id),
            "authorizing_integration_owners": owners(channel),
        }
        return Interaction(
            id=interaction_id,
            created_at=self._realm.clock.now(),
            kind=kind,
            user_id=user_id,
            channel=channel,
            data=data,
            metadata=who | metadata,
        )

    def open(self, interaction: Interaction) -> None:
        """Tell the bot, and start to wait for the answer."""
        self._forget_old()
        self._known[interaction.id] = interaction
        self._by_token[interaction.token] = interaction
        self._tell_member("INTERACTION_CREATE", interaction, {"id": str(interaction.id)})
        payload = self._payloads.created(
            interaction.id,
            interaction.token,
            kind=interaction.kind,
            user_id=interaction.user_id,
            channel=interaction.channel,
            data=interaction.data,
            message=interaction.message,
        )
        self._realm.hub.tell_bot(Event(name="INTERACTION_CREATE", data=payload, guild_id=interaction.guild_id))
        patience = self.answer_within.total_seconds()
        asyncio.get_running_loop().call_later(patience, self._give_up, interaction)

    def get(self, interaction_id: int) -> Interaction | None:
        return self._known.get(interaction_id)

    def awaiting(self, interaction_id: int, token: str) -> Interaction | None:
        """The interaction a callback is for; None once it is too late, by the world's clock too."""
        interaction = self._with_token(token)
        if interaction is None or interaction.id != interaction_id:
            return None
        late = self._realm.clock.now() - interaction.created_at > self.answer_within
        if late and interaction.answer is None:
            self._give_up(interaction)
        return None if interaction.failed else interaction

    def answered(self, token: str) -> Interaction | None:
        """The interaction whose token this is, as long as that lives and was answered."""
        interaction = self._with_token(token)
        if interaction is None or interaction.answer is None:
            return None
        return None if self._realm.clock.now() - interaction.created_at > TOKEN_LIFE else interaction

    def acknowledge(self, interaction: Interaction, answer: Answer) -> None:
        """Note the answer before its effects are told, so that no second one can slip in between."""
        interaction.answer = answer

    def succeed(self, interaction: Interaction) -> None:
        self._tell_member("INTERACTION_SUCCESS", interaction, {"id": str(interaction.id)})
        if interaction.answer is not Answer.LATER:
            interaction.settled.set()

    def show_modal(self, interaction: Interaction, modal: JsonObject) -> None:
        interaction.modal = modal
        application = self._realm.world.bot
        data: JsonObject = {
            "id": str(interaction.id),
            "channel_id": str(interaction.channel.id),
            "application": {"id": str(application.id), "name": application.name, "icon": None, "description": ""},
            **modal,
        }
        self._tell_member("INTERACTION_MODAL_CREATE", interaction, data)
        interaction.settled.set()

    def suggest(self, interaction: Interaction, choices: list[JsonObject]) -> None:
        interaction.choices = choices
        self._tell_member("APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE", interaction, {"choices": choices})
        interaction.settled.set()

    def outcome(self, interaction: Interaction) -> JsonObject:
        """What has come of it so far, for the member who began it."""
        body: JsonObject = {"id": str(interaction.id), "type": interaction.answer, "failed": interaction.failed}
        messages = self._realm.messages
        if interaction.original is not None and self._is_there(interaction.original):
            body["message"] = messages.message(interaction.original, interaction.user_id)
        followups = [message for message in interaction.followups if self._is_there(message)]
        if followups:
            body["followups"] = [messages.message(message, interaction.user_id) for message in followups]
        if interaction.modal is not None:
            body["modal"] = {"id": str(interaction.id), **interaction.modal}
        if interaction.choices is not None:
            body["choices"] = interaction.choices
        return body

    def _is_there(self, message: Message) -> bool:
        """Whether nobody has deleted it meanwhile."""
        return self._realm.world.message(message.channel_id, message.id) is not None

    def _with_token(self, token: str) -> Interaction | None:
        return self._by_token.get(token)

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


CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3
IN_GUILD, IN_BOT_DM = 0, 1
GUILD_INSTALL = 0

_PREFIX = "command:"


class ApplicationCommands:
    """Commands live as records of the world; a scope is a guild's id, or None for everywhere."""

    def __init__(self, realm: Realm) -> None:
        self._realm = realm

    def listed(self, scope: int | None) -> list[JsonObject]:
        prefix = _key(scope, "")
        return [record.body for key, record in self._realm.world.records.items() if key.startswith(prefix)]

    def get(self, scope: int | None, command_id: int) -> JsonObject | None:
        record = self._realm.world.records.get(_key(scope, command_id))
        return None if record is None else record.body

    def named(self, scope: int | None, kind: int, name: str) -> JsonObject | None:
        for command in self.listed(scope):
            if (command["type"], command["name"]) == (kind, name):
                return command
        return None

    def put(self, scope: int | None, fields: JsonObject, *, replacing: JsonObject | None = None) -> JsonObject:
        """Store a command as new, or in place of an older one whose id it keeps."""
        if replacing is not None and all(replacing.get(name) == value for name, value in fields.items()):
            return replacing
        version = str(self._realm.ids.next())
        command: JsonObject = {
            "id": version if replacing is None else replacing["id"],
            "application_id": str(self._realm.world.facts.bot_id),
            "version": version,
            **({} if scope is None else {"guild_id": str(scope)}),
            **fields,
        }
        self._realm.world.keep(Record(_key(scope, command["id"]), command))
        return command

    def remove(self, scope: int | None, command: JsonObject) -> None:
        self._realm.world.drop(self._realm.world.records[_key(scope, command["id"])])

    def overwrite(self, scope: int | None, wanted: list[JsonObject]) -> list[JsonObject]:
        """Make the scope's commands exactly these; one of the same kind and name keeps its id."""
        before = {(command["type"], command["name"]): command for command in self.listed(scope)}
        kept = [
            self.put(scope, fields, replacing=before.pop((fields["type"], fields["name"]), None)) for fields in wanted
        ]
        for command in before.values():
            self.remove(scope, command)
        return kept

    def offered_in(self, guild: Guild | None) -> Iterator[JsonObject]:
        """What there is to use in a guild, or in a direct message with the bot; a guild's own come first."""
        if guild is not None:
            yield from self.listed(guild.id)
        context = IN_BOT_DM if guild is None else IN_GUILD
        yield from (command for command in self.listed(None) if _meant_for(command, context))

    def find(self, guild: Guild | None, kind: int, name: str, command_id: int | None = None) -> JsonObject | None:
        for command in self.offered_in(guild):
            if command_id is not None and command["id"] != str(command_id):
                continue
            if (command["type"], command["name"]) == (kind, name):
                return command
        return None

    def usable(self, guild: Guild, user_id: int) -> list[JsonObject]:
        """The commands a member may use somewhere in the guild."""
        rights = self._realm.access.in_guild(guild, user_id)
        return [command for command in self.offered_in(guild) if _permitted(command, rights)]

    def may_use(self, command: JsonObject, channel: Channel, user_id: int) -> bool:
        if channel.guild_id is None:
            return True
        if command.get("nsfw") and not self._is_age_restricted(channel):
            return False
        return _permitted(command, self._realm.access.in_channel(channel, user_id))

    def _is_age_restricted(self, channel: Channel) -> bool:
        parent = self._realm.world.channels.get(channel.parent_id or 0) if channel.thread is not None else None
        return channel.nsfw or (parent is not None and parent.nsfw)


def _key(scope: int | None, command_id: object) -> str:
    return f"{_PREFIX}{'everywhere' if scope is None else scope}:{command_id}"


def _meant_for(command: JsonObject, context: int) -> bool:
    contexts, installs = command.get("contexts"), command.get("integration_types")
    if isinstance(installs, list) and GUILD_INSTALL not in installs:
        return False
    if isinstance(contexts, list):
        return context in contexts
    return context == IN_GUILD or command.get("dm_permission") is not False


def _permitted(command: JsonObject, rights: int) -> bool:
    """By its default permissions: unset is for all, none at all ("0") is for administrators."""
    needed = command.get("default_member_permissions")
    if needed is None or rights & Permission.ADMINISTRATOR:
        return bool(rights & Permission.USE_APPLICATION_COMMANDS)
    bits = int(str(needed))
    return bits != 0 and rights & bits == bits and bool(rights & Permission.USE_APPLICATION_COMMANDS)
