"""Interactions begun by a member, and the bot's callbacks to them."""

import asyncio
import contextlib

from pydantic import BaseModel, Field

from local_guild.actions.interactions import CHAT_INPUT, LOADING, Interaction, Kind, Resolved
from local_guild.rest import errors
from local_guild.rest.call import Call, Endpoints
from local_guild.rest.command_forms import Option
from local_guild.rest.component_values import pressed, submitted
from local_guild.rest.errors import (
    ApiError,
    MissingAccessError,
    MissingPermissionError,
    UnknownThingError,
    invalid,
)
from local_guild.rest.interaction_answers import AnswerForm, give
from local_guild.rest.option_values import Filling, Given
from local_guild.state.ids import Json, JsonObject
from local_guild.state.messages import Message
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel

endpoints = Endpoints()
local_endpoints = Endpoints()

PATIENCE_SECONDS = 15.0
BOTS_CANNOT = 20001


class CommandData(BaseModel):
    """What a client says of a command; only its name is needed, the rest the server knows."""

    name: str
    id: int | None = None
    type: int = CHAT_INPUT
    target_id: int | None = None
    options: list[Given] = Field(default_factory=list, max_length=25)


class Begun(BaseModel):
    type: Kind
    channel_id: int
    guild_id: int | None = None
    application_id: int | None = None
    message_id: int | None = None
    nonce: str | int | None = None
    data: JsonObject


class BegunCommand(BaseModel):
    """The part of the same form that says which command, checked field by field."""

    data: CommandData


@endpoints("POST", "/interactions")
async def begin(call: Call) -> Json:
    """A member uses a command, a component or a modal; with `?wait=true` the answer says what came of it."""
    form = await call.body(Begun)
    channel = _place(call, form)
    match form.type:
        case Kind.COMPONENT:
            interaction = _component(call, channel, form)
        case Kind.MODAL:
            interaction = _modal(call, channel, form)
        case _:
            command = (await call.body(BegunCommand)).data
            interaction = _command(call, channel, command, typing=form.type == Kind.AUTOCOMPLETE)
    interaction.nonce = None if form.nonce is None else str(form.nonce)
    interactions = call.server.interactions
    interactions.open(interaction)
    if not _asked(call, "wait"):
        return {"id": str(interaction.id)}
    # Still being thought about after that: what there is so far is the honest answer.
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(interaction.settled.wait(), PATIENCE_SECONDS)
    return interactions.outcome(interaction)


@endpoints("POST", "/interactions/{interaction_id}/{token}/callback")
async def answer(call: Call) -> Json:
    interaction = call.server.interactions.awaiting(call.id("interaction_id"), call.text("token"))
    if interaction is None:
        raise UnknownThingError(errors.UNKNOWN_INTERACTION)
    if interaction.answer is not None:
        raise ApiError(400, errors.ALREADY_ANSWERED, "Interaction has already been acknowledged.")
    form = await call.body(AnswerForm)
    resource = await give(call, interaction, form)
    if not _asked(call, "with_response"):
        return None
    told: JsonObject = {"id": str(interaction.id), "type": interaction.kind}
    if interaction.original is not None:
        told |= {
            "response_message_id": str(interaction.original.id),
            "response_message_loading": bool(interaction.original.flags & LOADING),
            "response_message_ephemeral": interaction.original.ephemeral,
        }
    return {"interaction": told, "resource": {"type": form.type, **resource}}


@local_endpoints("GET", "/interactions/{interaction_id}")
async def outcome(call: Call) -> Json:
    """What has come of an interaction of the caller's so far, follow-ups included."""
    interaction = call.server.interactions.get(call.id("interaction_id"))
    if interaction is None or interaction.user_id != call.caller.id:
        raise UnknownThingError(errors.UNKNOWN_INTERACTION)
    return call.server.interactions.outcome(interaction)


def _asked(call: Call, name: str) -> bool:
    return call.request.query_params.get(name, "").lower() in ("1", "true")


def _place(call: Call, form: Begun) -> Channel:
    """The channel it happens in, where the caller may look in and the bot is to be found."""
    world = call.server.world
    if call.caller.bot:
        raise ApiError(403, BOTS_CANNOT, "Bots cannot use this endpoint")
    if form.application_id not in (None, world.facts.bot_id):
        raise UnknownThingError(errors.UNKNOWN_APPLICATION)
    channel = world.channels.get(form.channel_id)
    if channel is None or form.guild_id not in (None, channel.guild_id):
        raise UnknownThingError(errors.UNKNOWN_CHANNEL)
    if not call.server.access.may_view(channel, call.caller.id):
        raise MissingAccessError
    if channel.guild_id is not None and world.guilds[channel.guild_id].unavailable:
        raise ApiError(503, errors.GENERAL, "This guild is temporarily unavailable.")
    present = channel.recipient_ids if channel.guild_id is None else world.members(channel.guild_id)
    if world.facts.bot_id not in present:
        raise UnknownThingError(errors.UNKNOWN_APPLICATION)
    return channel


def _command(call: Call, channel: Channel, said: CommandData, *, typing: bool) -> Interaction:
    call.need(call.rights_in(channel), Permission.USE_APPLICATION_COMMANDS)
    guild = None if channel.guild_id is None else call.server.world.guilds[channel.guild_id]
    command = call.server.commands.find(guild, said.type, said.name, said.id)
    if command is None:
        raise UnknownThingError(errors.UNKNOWN_COMMAND)
    if not call.server.commands.may_use(command, channel, call.caller.id):
        raise MissingPermissionError
    resolved = Resolved(call.server.realm, channel, call.caller.id)
    data: JsonObject = {"id": command["id"], "name": said.name, "type": said.type}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    metadata: JsonObject = {"command_type": said.type, "name": said.name}
    if said.type == CHAT_INPUT:
        filling = Filling(resolved, typing)
        options = filling.fill(_defined(command), said.options)
        data["options"] = options
        metadata["name"] = " ".join([said.name, *filling.called])
    else:
        resolved.message(_target(call, channel, said))
        metadata["target_message_id"] = str(said.target_id)
        data["target_id"] = str(said.target_id)
    if resolved.payload():
        data["resolved"] = resolved.payload()
    kind = Kind.AUTOCOMPLETE if typing else Kind.COMMAND
    return call.server.interactions.begun(call.caller.id, channel, kind, data, metadata)


def _defined(command: JsonObject) -> list[Option]:
    options = command.get("options")
    return [Option.model_validate(option) for option in options] if isinstance(options, list) else []


def _target(call: Call, channel: Channel, said: CommandData) -> Message:
    """The message that a context menu was opened on, if the member may read it."""
    message = call.server.world.message(channel.id, said.target_id or 0)
    hidden = channel.guild_id is not None and not call.rights_in(channel) & Permission.READ_MESSAGE_HISTORY
    if message is None or message.ephemeral or hidden:
        raise UnknownThingError(errors.UNKNOWN_MESSAGE)
    return message


def _component(call: Call, channel: Channel, form: Begun) -> Interaction:
    message = call.server.world.message(channel.id, form.message_id or 0)
    hidden = message is not None and message.ephemeral and message.reader_id != call.caller.id
    if message is None or hidden or message.author_id != call.server.world.facts.bot_id:
        raise UnknownThingError(errors.UNKNOWN_MESSAGE)
    resolved = Resolved(call.server.realm, channel, call.caller.id)
    data = pressed(message.components, form.data, resolved)
    metadata: JsonObject = {"interacted_message_id": str(message.id)}
    interaction = call.server.interactions.begun(call.caller.id, channel, Kind.COMPONENT, data, metadata)
    interaction.message = message
    return interaction


def _modal(call: Call, channel: Channel, form: Begun) -> Interaction:
    """A modal is submitted under the id of the interaction it was the answer to, and only once."""
    opener = call.server.interactions.get(_id_in(form.data))
    if opener is None or opener.modal is None or opener.user_id != call.caller.id:
        raise UnknownThingError(errors.UNKNOWN_INTERACTION)
    if form.data.get("custom_id") not in (None, opener.modal["custom_id"]):
        raise invalid("custom_id", "COMPONENT_NOT_FOUND", "This is not the modal that was opened.")
    resolved = Resolved(call.server.realm, channel, call.caller.id)
    data: JsonObject = {
        "custom_id": opener.modal["custom_id"],
        "components": submitted(_list(opener.modal["components"]), _list(form.data.get("components")), resolved),
    }
    if resolved.payload():
        data["resolved"] = resolved.payload()
    metadata: JsonObject = {"triggering_interaction_metadata": opener.metadata}
    interaction = call.server.interactions.begun(call.caller.id, channel, Kind.MODAL, data, metadata)
    interaction.message = opener.message
    opener.modal = None
    return interaction


def _id_in(data: JsonObject) -> int:
    value = str(data.get("id", ""))
    return int(value) if value.isascii() and value.isdigit() else 0


def _list(value: object) -> list[JsonObject]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
