"""Finds and numbers buttons, menus, text inputs and the layout around them, and holds their rules."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from enum import IntEnum

from local_guild.state.ids import JsonObject


class ComponentType(IntEnum):
    """Lists the components that somebody uses, or that have rules; what lays others out is passed on as it is."""

    ROW = 1
    BUTTON = 2
    TEXT_MENU = 3
    TEXT_INPUT = 4
    USER_MENU = 5
    ROLE_MENU = 6
    CHANNEL_MENU = 8
    TEXT = 10


MENUS = frozenset(
    {
        ComponentType.TEXT_MENU,
        ComponentType.USER_MENU,
        ComponentType.ROLE_MENU,
        ComponentType.CHANNEL_MENU,
    }
)
INPUTS = MENUS | {ComponentType.TEXT_INPUT}
PRESSABLE = MENUS | {ComponentType.BUTTON}

MAX_ROWS, MAX_CUSTOM_ID = 5, 100
MAX_COMPONENTS, MAX_LAYOUT_TEXT = 40, 4000

Path = tuple[str | int, ...]
Mistake = tuple[Path, str]
"""Where in a form, and what is wrong there."""


def walk(components: Sequence[object], path: Path = ()) -> Iterator[tuple[Path, JsonObject]]:
    """Walk through every component with its place, those in rows, sections, containers and labels included."""
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
    """Give components without an id one that no other has, as Discord does."""
    copied = deepcopy(list(components))
    taken = {component.get("id") for _, component in walk(copied)}
    number = 1
    for _, component in walk(copied):
        if not component.get("id"):
            while number in taken:
                number += 1
            component["id"] = number
            taken.add(number)
        chosen = component.get("default_values")
        if isinstance(chosen, list):
            # Clients may send ids as numbers; whoever reads them gets text, since not every language counts that far.
            component["default_values"] = [one | {"id": str(one.get("id"))} for one in chosen]
    return copied


def mistakes_in(components: Sequence[JsonObject], path: Path = ("components",)) -> Iterator[Mistake]:
    """Find what Discord would refuse anywhere: a custom id that is missing, too long or used twice."""
    seen: set[object] = set()
    for place, component in walk(components, path):
        custom_id = component.get("custom_id")
        if custom_id is None:
            if _needs_custom_id(component):
                yield (*place, "custom_id"), "This field is required"
        elif not isinstance(custom_id, str) or not 1 <= len(custom_id) <= MAX_CUSTOM_ID:
            yield _bad_length((*place, "custom_id"), MAX_CUSTOM_ID)
        elif custom_id in seen:
            yield (*place, "custom_id"), "Component custom id cannot be duplicated"
        seen.add(custom_id)


def mistakes_in_message(components: Sequence[JsonObject], *, is_layout: bool) -> Iterator[Mistake]:
    """Find what Discord would refuse in a message: too much, as rows or with the flag of Components V2 as a layout.

    What may stand where is left to discord.py, which builds nothing else.
    """
    path: Path = ("components",)
    yield from mistakes_in(components, path)
    if not is_layout and len(components) > MAX_ROWS:
        yield _bad_length(path, MAX_ROWS)
    everything = [component for _, component in walk(components)]
    if len(everything) > MAX_COMPONENTS:
        yield path, f"The maximum number of components is {MAX_COMPONENTS}."
    if (
        sum(len(str(one.get("content"))) for one in everything if one.get("type") == ComponentType.TEXT)
        > MAX_LAYOUT_TEXT
    ):
        yield path, f"The maximum length of all texts together is {MAX_LAYOUT_TEXT}."


def _bad_length(path: Path, most: int) -> Mistake:
    return path, f"Must be between 1 and {most} in length."


def _needs_custom_id(component: JsonObject) -> bool:
    if component.get("type") == ComponentType.BUTTON:
        return component.get("url") is None and component.get("sku_id") is None
    return component.get("type") in INPUTS
