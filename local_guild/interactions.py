"""Interactions: a member does something with the bot, and the bot has three seconds to answer.

This file keeps them: opens them, tells the bot and the member, and lets them fail or expire. What an
answer does to messages is the REST part's business.
"""

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum

from local_guild.events import Event
from local_guild.interaction_payloads import InteractionPayloads
from local_guild.message_log import Message
from local_guild.realm import Realm
from local_guild.wire import JsonObject
from local_guild.world import Channel

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
