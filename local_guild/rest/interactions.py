"""Begins interactions of members, checked against what the bot offers, and takes the bot's callbacks to them."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from local_guild.actions.components import (
    INPUTS,
    MENUS,
    PRESSABLE,
    ComponentType,
    Path,
    numbered,
    walk,
    with_custom_id,
)
from local_guild.actions.interactions import CHAT_INPUT, LOADING, Interaction, Kind, Resolved, permitted
from local_guild.rest.call import ApiError, Call, Endpoints, InvalidFormError, Refusal, invalid, validated
from local_guild.rest.commands import NESTING, Option, OptionType
from local_guild.rest.interaction_answers import AnswerForm, give
from local_guild.state.ids import Json, JsonObject
from local_guild.state.messages import Message
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel

MAX_TEXT, MAX_INPUT = 6000, 4000
LARGEST_INTEGER = 2**53

Value = str | int | float | bool


class Given(BaseModel):
    """Holds one option as the member's client sent it; its type may be left out, the definition knows it."""

    name: str
    value: Value | None = None
    options: list["Given"] | None = None
    focused: bool = False


@dataclass(slots=True)
class Filling:
    """Goes through what was given for one command. `typing` is autocomplete: unfinished, nothing resolved."""

    resolved: Resolved
    typing: bool = False
    called: list[str] = field(default_factory=list)

    def fill(
        self, defined: Sequence[Option], given: Sequence[Given], path: Path = ("data", "options")
    ) -> list[JsonObject]:
        """Make the options as the bot receives them; refuse the first that does not fit."""
        known = {option.name: option for option in defined}
        branches = [option.name for option in defined if option.type in NESTING]
        if branches and len(given) != 1:
            raise _mistaken(path, f"One sub-command is needed: {', '.join(branches)}.")
        filled = []
        for index, one in enumerate(given):
            option = known.pop(one.name, None)
            if option is None:
                raise _mistaken((*path, index, "name"), f'There is no such option: "{one.name[:40]}".')
            if option.type in NESTING:
                self.called.append(option.name)
                inner = self.fill(option.options or [], one.options or [], (*path, index, "options"))
                filled.append({"type": int(option.type), "name": option.name, "options": inner})
            else:
                filled.append(self._valued(option, one, (*path, index, "value")))
        for option in known.values():
            if option.required and not self.typing:
                raise _mistaken((*path, option.name), "This option is required.")
        return filled

    def _valued(self, option: Option, one: Given, path: Path) -> JsonObject:
        body: JsonObject = {"type": int(option.type), "name": option.name, "value": one.value}
        if self.typing:
            return body | {"focused": True} if one.focused else body
        if option.type in _KINDS:
            body["value"] = str(one.value)
        if sentence := _objection(option, one.value, self.resolved):
            raise _mistaken(path, sentence)
        return body


def _mistaken(path: Path, sentence: str) -> InvalidFormError:
    return InvalidFormError([(path, sentence)])


def _objection(option: Option, value: Value | None, resolved: Resolved) -> str | None:
    """Say what is wrong with a value, or None. Whatever it names is noted as resolved."""
    if option.choices and value not in [choice.value for choice in option.choices]:
        return "Must be one of the choices."
    match option.type, value:
        case OptionType.STRING, str():
            return _outside(len(value), option.min_length or 0, option.max_length or MAX_TEXT)
        case OptionType.BOOLEAN, bool():
            return None
        case (OptionType.INTEGER, int(number)) | (OptionType.NUMBER, int(number) | float(number)) if not isinstance(
            number, bool
        ):
            least = -LARGEST_INTEGER if option.min_value is None else option.min_value
            most = LARGEST_INTEGER if option.max_value is None else option.max_value
            return _outside(number, least, most)
        case ((OptionType.USER | OptionType.CHANNEL | OptionType.ROLE), (str() | int())):
            return _unresolved(resolved, _KINDS[option.type], str(value), option.channel_types)
    return "Must be of another kind."


def _outside(measure: float, least: float, most: float) -> str | None:
    return None if least <= measure <= most else f"Must be between {least} and {most}."


def _unresolved(resolved: Resolved, kind: ComponentType, value: str, types: list[int] | None) -> str | None:
    """Note the thing of that kind with this id as resolved, or say that there is none."""
    thing_id = int(value) if value.isascii() and value.isdigit() else 0
    match kind:
        case ComponentType.USER_MENU:
            found = resolved.user(thing_id)
        case ComponentType.ROLE_MENU:
            found = resolved.role(thing_id)
        case _:
            found = resolved.channel(thing_id, types)
    return None if found else "There is nobody and nothing here with this id."


_KINDS = {
    OptionType.USER: ComponentType.USER_MENU,
    OptionType.CHANNEL: ComponentType.CHANNEL_MENU,
    OptionType.ROLE: ComponentType.ROLE_MENU,
}

# What a member did with components: pressed or chose something in a message, filled in a form.


def pressed(components: Sequence[JsonObject], data: JsonObject, resolved: Resolved) -> JsonObject:
    """Read the data of a component interaction, if the message has such a component and takes such values."""
    component = with_custom_id(components, str(data.get("custom_id", "")))
    if component is None or component.get("type") not in PRESSABLE or component.get("disabled"):
        raise _mistaken(("data", "custom_id"), "The message has no component that can be used like this.")
    body: JsonObject = {name: component.get(name) for name in ("custom_id", "id")}
    body["component_type"] = component["type"]
    if component["type"] in MENUS:
        body["values"] = values = _texts(data.get("values"))
        if sentence := _menu_objection(component, values, resolved):
            raise _mistaken(("data", "values"), sentence)
        body |= resolved.part()
    return body


def submitted(modal: Sequence[JsonObject], given: Sequence[object], resolved: Resolved) -> list[JsonObject]:
    """Fill in the modal's components with what was given, in the modal's own shape whatever shape was sent."""
    entries = {str(one["custom_id"]): one for _, one in walk(given) if "custom_id" in one}
    filled = numbered(modal)
    for _, component in walk(filled):
        if component["type"] in INPUTS:
            entry = entries.get(str(component["custom_id"]), {})
            if sentence := _filled_in(component, entry, resolved):
                raise _mistaken(("data", "components", str(component["custom_id"])), sentence)
    return filled


def _filled_in(component: JsonObject, entry: JsonObject, resolved: Resolved) -> str | None:
    """Put into a component what its member gave, and say what is wrong with that."""
    is_text = component["type"] == ComponentType.TEXT_INPUT
    given = str(entry.get("value") or "") if is_text else _texts(entry.get("values"))
    component["value" if is_text else "values"] = given
    if not given:
        return "This field is required." if component.get("required") is not False else None
    if isinstance(given, list):
        return _menu_objection(component, given, resolved)
    least, most = component.get("min_length"), component.get("max_length")
    return _outside(len(given), _whole(least, 0), _whole(most, MAX_INPUT))


def _menu_objection(component: JsonObject, values: list[str], resolved: Resolved) -> str | None:
    least, most = _whole(component.get("min_values"), 1), _whole(component.get("max_values"), 1)
    if not least <= len(values) <= most or len(set(values)) != len(values):
        return f"Choose {least} to {most}."
    if component["type"] == ComponentType.TEXT_MENU:
        options = component.get("options")
        offered = {str(o["value"]) for o in options if isinstance(o, dict)} if isinstance(options, list) else set()
        return None if set(values) <= offered else "This is not among the choices."
    types, kind = component.get("channel_types"), ComponentType(_whole(component["type"], 0))
    objections = (_unresolved(resolved, kind, one, types if isinstance(types, list) else None) for one in values)
    return next((one for one in objections if one is not None), None)


def _texts(values: object) -> list[str]:
    return [str(value) for value in values] if isinstance(values, list) else []


def _whole(value: object, default: int) -> int:
    return value if isinstance(value, int) else default


endpoints = Endpoints()
local_endpoints = Endpoints()

PATIENCE_SECONDS = 15.0


class CommandData(BaseModel):
    """Holds what a client says of a command; only its name is needed, the rest the server knows."""

    name: str
    type: int = CHAT_INPUT
    target_id: int | None = None
    options: list[Given] = Field(default_factory=list, max_length=25)


class Begun(BaseModel):
    type: Kind
    channel_id: int
    message_id: int | None = None
    nonce: str | int | None = None
    data: JsonObject


@endpoints("POST", "/interactions")
async def begin(call: Call) -> Json:
    """Begin a member's use of a command, component or modal; with `?wait=true` the answer says what came of it."""
    form = await call.body(Begun)
    channel = _place(call, form)
    match form.type:
        case Kind.COMPONENT:
            interaction = _component(call, channel, form)
        case Kind.MODAL:
            interaction = _modal(call, channel, form)
        case _:
            command = validated(CommandData, form.data)
            interaction = _command(call, channel, command, typing=form.type == Kind.AUTOCOMPLETE)
    interaction.nonce = None if form.nonce is None else str(form.nonce)
    interactions = call.server.interactions
    interactions.open(interaction)
    if not call.asks_for("wait"):
        return {"id": str(interaction.id)}
    # Still being thought about after that: what there is so far is the honest answer.
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(interaction.settled.wait(), PATIENCE_SECONDS)
    return interactions.outcome(interaction)


@endpoints("POST", "/interactions/{interaction_id}/{token}/callback")
async def answer(call: Call) -> Json:
    interaction = call.server.interactions.awaiting(call.id("interaction_id"), call.text("token"))
    if interaction is None:
        raise ApiError(Refusal.UNKNOWN_INTERACTION)
    if interaction.answer is not None:
        raise ApiError(Refusal.ALREADY_ANSWERED)
    form = await call.body(AnswerForm)
    resource = await give(call, interaction, form)
    if not call.asks_for("with_response"):
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
    """Tell what has come of an interaction of the caller's so far, follow-ups included."""
    interaction = call.server.interactions.get(call.id("interaction_id"))
    if interaction is None or interaction.user_id != call.caller.id:
        raise ApiError(Refusal.UNKNOWN_INTERACTION)
    return call.server.interactions.outcome(interaction)


def _place(call: Call, form: Begun) -> Channel:
    """Find the channel of an interaction, where the caller may look in and the bot is to be found."""
    world = call.server.world
    if call.caller.bot:
        raise ApiError(Refusal.BOTS_CANNOT)
    channel = call.visible(form.channel_id)
    present = channel.recipient_ids if channel.guild_id is None else world.members(channel.guild_id)
    if world.facts.bot_id not in present:
        raise ApiError(Refusal.UNKNOWN_APPLICATION)
    return channel


def _command(call: Call, channel: Channel, said: CommandData, *, typing: bool) -> Interaction:
    command = call.server.commands.find(said.type, said.name)
    if command is None or channel.guild_id is None:
        raise ApiError(Refusal.UNKNOWN_COMMAND)
    if not permitted(command, call.rights_in(channel)):
        raise ApiError(Refusal.MISSING_PERMISSION)
    resolved = Resolved(call.server.realm, channel, call.caller.id)
    data: JsonObject = {"id": command["id"], "name": said.name, "type": said.type}
    called = said.name
    if said.type == CHAT_INPUT:
        filling = Filling(resolved, typing)
        data["options"] = filling.fill(_defined(command), said.options)
        called = " ".join([said.name, *filling.called])
    else:
        resolved.message(_target(call, channel, said))
        data["target_id"] = str(said.target_id)
    data |= resolved.part()
    kind = Kind.AUTOCOMPLETE if typing else Kind.COMMAND
    return call.server.interactions.begun(call.caller.id, channel, kind, data, called)


def _defined(command: JsonObject) -> list[Option]:
    options = command.get("options")
    return [Option.model_validate(option) for option in options] if isinstance(options, list) else []


def _target(call: Call, channel: Channel, said: CommandData) -> Message:
    """Find the message that a context menu was opened on, if the member may read it."""
    message = call.server.world.message(channel.id, said.target_id or 0)
    if message is None or message.ephemeral or not call.rights_in(channel) & Permission.READ_MESSAGE_HISTORY:
        raise ApiError(Refusal.UNKNOWN_MESSAGE)
    return message


def _component(call: Call, channel: Channel, form: Begun) -> Interaction:
    message = call.server.world.message(channel.id, form.message_id or 0)
    hidden = message is not None and message.ephemeral and message.reader_id != call.caller.id
    if message is None or hidden or message.author_id != call.server.world.facts.bot_id:
        raise ApiError(Refusal.UNKNOWN_MESSAGE)
    resolved = Resolved(call.server.realm, channel, call.caller.id)
    data = pressed(message.components, form.data, resolved)
    interaction = call.server.interactions.begun(call.caller.id, channel, Kind.COMPONENT, data)
    interaction.message = message
    return interaction


def _modal(call: Call, channel: Channel, form: Begun) -> Interaction:
    """Submit a modal under the id of the interaction it was the answer to, and only once."""
    opener = call.server.interactions.get(_id_in(form.data))
    if opener is None or opener.modal is None or opener.user_id != call.caller.id:
        raise ApiError(Refusal.UNKNOWN_INTERACTION)
    if form.data.get("custom_id") not in (None, opener.modal["custom_id"]):
        raise invalid("custom_id", "This is not the modal that was opened.")
    resolved = Resolved(call.server.realm, channel, call.caller.id)
    filled = submitted(_list(opener.modal["components"]), _list(form.data.get("components")), resolved)
    data: JsonObject = {"custom_id": opener.modal["custom_id"], "components": filled, **resolved.part()}
    interaction = call.server.interactions.begun(call.caller.id, channel, Kind.MODAL, data)
    interaction.message = opener.message
    opener.modal = None
    return interaction


def _id_in(data: JsonObject) -> int:
    value = str(data.get("id", ""))
    return int(value) if value.isascii() and value.isdigit() else 0


def _list(value: object) -> list[JsonObject]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
