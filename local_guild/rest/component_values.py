"""Components in forms: as a bot sends them, and what a member did with them."""

from collections.abc import Sequence

from local_guild.actions.components import (
    INPUTS,
    MENUS,
    PRESSABLE,
    ComponentType,
    mistakes_in,
    numbered,
    walk,
    with_custom_id,
)
from local_guild.actions.interactions import Resolved
from local_guild.rest.command_forms import Mistake, OptionType
from local_guild.rest.errors import InvalidFormError
from local_guild.rest.option_values import resolve
from local_guild.state.ids import JsonObject

MAX_INPUT = 4000

_MENU_OF = {
    ComponentType.USER_MENU: OptionType.USER,
    ComponentType.ROLE_MENU: OptionType.ROLE,
    ComponentType.CHANNEL_MENU: OptionType.CHANNEL,
}


def checked(components: Sequence[JsonObject]) -> list[JsonObject]:
    """The components of a message or modal about to be sent, if Discord would take them, with ids."""
    mistakes = list(mistakes_in(components))
    if mistakes:
        raise InvalidFormError(mistakes)
    return numbered(components)


def pressed(components: Sequence[JsonObject], data: JsonObject, resolved: Resolved) -> JsonObject:
    """The data of a component interaction, if the message has such a component and takes such values."""
    component = with_custom_id(components, str(data.get("custom_id", "")))
    if component is None or component.get("type") not in PRESSABLE:
        raise InvalidFormError([(("data", "custom_id"), "COMPONENT_NOT_FOUND", "The message has no such component.")])
    if component.get("disabled"):
        raise InvalidFormError([(("data", "custom_id"), "COMPONENT_DISABLED", "This component is disabled.")])
    body: JsonObject = {
        "component_type": component["type"],
        "custom_id": component["custom_id"],
        "id": component.get("id", 0),
    }
    if component["type"] not in MENUS:
        return body
    values = _texts(data.get("values"))
    sentence = _menu_objection(component, values, resolved, required=True)
    if sentence is not None:
        raise InvalidFormError([(("data", "values"), "COMPONENT_VALUES_INVALID", sentence)])
    body["values"] = values
    if component["type"] != ComponentType.TEXT_MENU:
        body["resolved"] = resolved.payload()
    return body


def submitted(modal: Sequence[JsonObject], given: Sequence[object], resolved: Resolved) -> list[JsonObject]:
    """The modal's components with what was filled in, in the modal's own shape whatever shape was sent."""
    entries = {str(one["custom_id"]): one for _, one in walk(given) if "custom_id" in one}
    mistakes: list[Mistake] = []
    filled = [_filled(component, entries, resolved, mistakes) for component in modal]
    if mistakes:
        raise InvalidFormError(mistakes)
    return filled


def _filled(
    component: JsonObject, entries: dict[str, JsonObject], resolved: Resolved, mistakes: list[Mistake]
) -> JsonObject:
    body: JsonObject = {"type": component["type"], "id": component.get("id", 0)}
    inner, single = component.get("components"), component.get("component")
    if isinstance(inner, list):
        body["components"] = [_filled(one, entries, resolved, mistakes) for one in inner]
    if isinstance(single, dict):
        body["component"] = _filled(single, entries, resolved, mistakes)
    if component["type"] not in INPUTS:
        return body
    custom_id = str(component["custom_id"])
    entry = entries.get(custom_id, {})
    body["custom_id"] = custom_id
    if component["type"] == ComponentType.TEXT_INPUT:
        value = entry.get("value")
        body["value"] = value if isinstance(value, str) else ""
        sentence = _text_objection(component, str(body["value"]))
    else:
        body["values"] = values = _texts(entry.get("values"))
        sentence = _menu_objection(component, values, resolved, required=component.get("required") is not False)
    if sentence is not None:
        mistakes.append((("data", "components", custom_id), "COMPONENT_VALUES_INVALID", sentence))
    return body


def _text_objection(component: JsonObject, value: str) -> str | None:
    if not value:
        return "This field is required." if component.get("required") is not False else None
    least, most = _whole(component.get("min_length"), 0), _whole(component.get("max_length"), MAX_INPUT)
    return None if least <= len(value) <= most else f"Must be {least} to {most} characters long."


def _menu_objection(component: JsonObject, values: list[str], resolved: Resolved, *, required: bool) -> str | None:
    if not values and not required:
        return None
    least, most = _whole(component.get("min_values"), 1), _whole(component.get("max_values"), 1)
    if not least <= len(values) <= most or len(set(values)) != len(values):
        return f"Choose {least} to {most}."
    if component["type"] == ComponentType.TEXT_MENU:
        options = component.get("options")
        offered = {str(o["value"]) for o in options if isinstance(o, dict)} if isinstance(options, list) else set()
        return None if set(values) <= offered else "This is not among the choices."
    kind = _MENU_OF[ComponentType(_whole(component["type"], 0))]
    types = component.get("channel_types")
    for value in values:
        known = value.isascii() and value.isdigit()
        if not known or not resolve(resolved, kind, int(value), types if isinstance(types, list) else None):
            return "There is nobody and nothing here with this id."
    return None


def _texts(values: object) -> list[str]:
    return [str(value) for value in values] if isinstance(values, list) else []


def _whole(value: object, default: int) -> int:
    return value if isinstance(value, int) else default
