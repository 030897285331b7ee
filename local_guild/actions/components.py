"""Buttons, menus, text inputs and the layout around them: finding them, numbering them, and their rules."""

from collections.abc import Iterator, Sequence
from enum import IntEnum

from local_guild.state.ids import JsonObject


class ComponentType(IntEnum):
    ROW = 1
    BUTTON = 2
    TEXT_MENU = 3
    TEXT_INPUT = 4
    USER_MENU = 5
    ROLE_MENU = 6
    MENTIONABLE_MENU = 7
    CHANNEL_MENU = 8
    SECTION = 9
    TEXT = 10
    CONTAINER = 17
    LABEL = 18


MENUS = frozenset(
    {
        ComponentType.TEXT_MENU,
        ComponentType.USER_MENU,
        ComponentType.ROLE_MENU,
        ComponentType.MENTIONABLE_MENU,
        ComponentType.CHANNEL_MENU,
    }
)
INPUTS = MENUS | {ComponentType.TEXT_INPUT}
PRESSABLE = MENUS | {ComponentType.BUTTON}

MAX_ROWS, MAX_IN_ROW, MAX_CUSTOM_ID = 5, 5, 100

Path = tuple[str | int, ...]
Mistake = tuple[Path, str, str]


def walk(components: Sequence[object], path: Path = ()) -> Iterator[tuple[Path, JsonObject]]:
    """Every component with its place, those in rows, sections, containers and labels included."""
    for index, component in enumerate(components):
        if isinstance(component, dict):
            yield from _walk_one(component, (*path, index))


def _walk_one(component: JsonObject, path: Path) -> Iterator[tuple[Path, JsonObject]]:
    yield path, component
    inner = component.get("components")
    if isinstance(inner, list):
        yield from walk(inner, (*path, "components"))
    for name in ("component", "accessory"):
        single = component.get(name)
        if isinstance(single, dict):
            yield from _walk_one(single, (*path, name))


def with_custom_id(components: Sequence[object], custom_id: str) -> JsonObject | None:
    for _, component in walk(components):
        if component.get("custom_id") == custom_id:
            return component
    return None


def numbered(components: Sequence[JsonObject]) -> list[JsonObject]:
    """The same components, those without an id given one that no other has, as Discord does."""
    copied = [_copy(component) for component in components]
    taken = {component.get("id") for _, component in walk(copied)}
    number = 1
    for _, component in walk(copied):
        if not component.get("id"):
            while number in taken:
                number += 1
            component["id"] = number
            taken.add(number)
    return copied


def mistakes_in(components: Sequence[JsonObject], path: Path = ("components",)) -> Iterator[Mistake]:
    """What Discord would refuse: too many in a row, a custom id that is missing, too long or used twice."""
    if len(components) > MAX_ROWS and all(one.get("type") == ComponentType.ROW for one in components):
        yield path, "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {MAX_ROWS} in length."
    seen: set[object] = set()
    for place, component in walk(components, path):
        kind, custom_id = component.get("type"), component.get("custom_id")
        inner = component.get("components")
        if kind == ComponentType.ROW and not (isinstance(inner, list) and 1 <= len(inner) <= MAX_IN_ROW):
            yield (*place, "components"), "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {MAX_IN_ROW} in length."
        if custom_id is None:
            if _needs_custom_id(component):
                yield (*place, "custom_id"), "BASE_TYPE_REQUIRED", "This field is required"
        elif not isinstance(custom_id, str) or not 1 <= len(custom_id) <= MAX_CUSTOM_ID:
            sentence = f"Must be between 1 and {MAX_CUSTOM_ID} in length."
            yield (*place, "custom_id"), "BASE_TYPE_BAD_LENGTH", sentence
        elif custom_id in seen:
            sentence = "Component custom id cannot be duplicated"
            yield (*place, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", sentence
        seen.add(custom_id)


def _needs_custom_id(component: JsonObject) -> bool:
    if component.get("type") == ComponentType.BUTTON:
        return component.get("url") is None and component.get("sku_id") is None
    return component.get("type") in INPUTS


def _copy(component: JsonObject) -> JsonObject:
    copied = dict(component)
    inner = copied.get("components")
    if isinstance(inner, list):
        copied["components"] = [_copy(one) if isinstance(one, dict) else one for one in inner]
    for name in ("component", "accessory"):
        single = copied.get(name)
        if isinstance(single, dict):
            copied[name] = _copy(single)
    chosen = copied.get("default_values")
    if isinstance(chosen, list):
        # Clients may send ids as numbers; whoever reads them gets text, since not every language counts that far.
        copied["default_values"] = [one | {"id": str(one.get("id"))} for one in chosen if isinstance(one, dict)]
    return copied
