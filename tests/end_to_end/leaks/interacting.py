"""A member at the bot's commands, buttons, menus and forms: fills in whatever they ask for and goes where they lead.

It reads a command's definition and a message's components, so that a new command needs no code here, only a surface
that names it.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from local_guild.actions.components import INPUTS, PRESSABLE, ComponentType, walk
from local_guild.state.ids import JsonObject
from local_guild.state.messages import EPHEMERAL
from tests.end_to_end.house import eventually
from tests.end_to_end.leaks.registry import Case
from tests.end_to_end.leaks.wiretap import Leak, Overheard

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
SUBCOMMAND, GROUP, TEXT, INTEGER, SWITCH, PERSON, CHANNEL, ROLE = 1, 2, 3, 4, 5, 6, 7, 8

Payload = dict[str, Any]


async def use(case: Case, *path: str, **given: object) -> Payload | None:
    """A command by its words, and what came of it; None where Discord does not let this member use it."""
    name, *rest = path
    # The bot tells Discord of its commands behind its start, however busy the machine is.
    find = partial(case.scene.server.commands.find, 1, name)
    definition = await eventually(lambda: asyncio.sleep(0, find()))
    assert definition is not None
    data = {"name": name, "options": _options(case, definition, rest, given)}
    return await begin(case, {"type": COMMAND, "data": data})


async def complete(case: Case, *path: str, option: str, typed: str) -> Payload | None:
    """What is offered while somebody is typing."""
    name, *rest = path
    focused: Payload = {"name": option, "type": TEXT, "value": typed, "focused": True}
    options = [focused]
    for depth, word in enumerate(reversed(rest)):
        options = [{"name": word, "type": SUBCOMMAND if depth == 0 else GROUP, "options": options}]
    outcome = await begin(case, {"type": AUTOCOMPLETE, "data": {"name": name, "options": options}})
    offered = str((outcome or {}).get("choices"))
    case.scene.tap.judge(Overheard("choices", case.place.id, frozenset((case.asker.id,)), offered, ephemeral=True))
    return outcome


async def wander(case: Case, outcome: Payload | None, steps: int, avoided: tuple[str, ...] = ()) -> None:
    """Presses, chooses and fills in at random, as far as there is something to press, but nothing that is avoided."""
    message: Payload = (outcome or {}).get("message") or {}
    for _ in range(steps):
        if outcome is None:
            return
        if outcome.get("modal"):
            outcome = await submit(case, outcome["modal"])
            continue
        message = outcome.get("message") or message
        components = [one for _, one in walk(message.get("components") or []) if one.get("type") in PRESSABLE]
        components = [one for one in components if one.get("custom_id") and not one.get("disabled")]
        components = [one for one in components if not str(one["custom_id"]).endswith(avoided)]
        if not components:
            return
        outcome = await press(case, message, case.rng.choice(components))


async def press(case: Case, message: Payload, component: JsonObject) -> Payload | None:
    data: Payload = {"component_type": component["type"], "custom_id": component["custom_id"]}
    if component["type"] != ComponentType.BUTTON:
        data["values"] = _choice(case, component)
    return await begin(case, {"type": COMPONENT, "message_id": message["id"], "data": data})


async def submit(case: Case, modal: Payload) -> Payload | None:
    filled: list[Payload] = []
    for _, field in walk(modal["components"]):
        if field.get("type") == ComponentType.TEXT_INPUT:
            filled.append({"type": field["type"], "custom_id": field["custom_id"], "value": _words(case, field)})
        elif field.get("type") in INPUTS:
            filled.append({"type": field["type"], "custom_id": field["custom_id"], "values": _choice(case, field)})
    rows = [{"type": ComponentType.ROW, "components": [field]} for field in filled]
    return await begin(case, {"type": MODAL, "data": {"id": modal["id"], "components": rows}})


async def begin(case: Case, body: Payload) -> Payload | None:
    """Everything that a command or component answers is for the one who used it."""
    scene = case.scene
    answer = await scene.http.post(
        f"{scene.address.api_url}/interactions?wait=true",
        json=body | {"channel_id": str(case.place.id)},
        headers={"Authorization": case.asker.token},
    )
    if answer.status_code in (400, 403, 404):
        return None
    outcome: Payload = answer.raise_for_status().json()
    for message in [outcome.get("message"), *(outcome.get("followups") or [])]:
        if message and body["type"] == COMMAND and not message["flags"] & EPHEMERAL:
            heard = Overheard("interaction", case.place.id, scene.oracle.viewers(case.place.id), message["content"])
            scene.tap.leaks.append(Leak("an answer", "to a command", "everybody in the place sees it", heard))
    return outcome


def _options(case: Case, definition: JsonObject, rest: Sequence[str], given: dict[str, object]) -> list[Payload]:
    options: list[Payload] = definition.get("options") or []  # type: ignore[assignment] # JSON of our own making
    if rest:
        branch = next(one for one in options if one["name"] == rest[0])
        return [{"name": rest[0], "type": branch["type"], "options": _options(case, branch, rest[1:], given)}]
    wanted = [one for one in options if one["name"] in given or one.get("required")]
    return [{"name": one["name"], "value": given.get(one["name"], _value(case, one))} for one in wanted]


def _value(case: Case, option: Payload) -> object:
    if option.get("choices"):
        return case.rng.choice(option["choices"])["value"]
    match option["type"]:
        case 4:
            return option.get("min_value", 1)
        case 5:
            return case.rng.random() < 0.5
        case 6:
            return str(case.subject.id)
        case 7:
            return str(case.place.id)
        case 8:
            return str(case.rng.choice(sorted(case.guild.roles)))
        case _:
            return f"What is the {case.canary.words} called?"


def _choice(case: Case, menu: JsonObject) -> list[str]:
    match menu["type"]:
        case ComponentType.TEXT_MENU:
            options: Any = menu["options"]
            values = [str(one["value"]) for one in options]
        case ComponentType.ROLE_MENU:
            values = [str(role_id) for role_id in case.guild.roles]
        case ComponentType.CHANNEL_MENU:
            types: Any = menu.get("channel_types")
            places = case.scene.places_of(case.guild)
            values = [str(place.id) for place in places if not types or place.type in types]
        case _:
            values = [str(case.asker.id)]
    least: Any = menu.get("min_values", 1)
    most: Any = menu.get("max_values", 1)
    count = max(int(least), min(int(most), len(values), 1))
    return case.rng.sample(values, min(count, len(values)))


def _words(case: Case, field: JsonObject) -> str:
    """A time zone is the one thing that forms ask for so far; anything else is somebody's words."""
    longest: Any = field.get("max_length", 100)
    words = case.rng.choice(("Europe/Berlin", "UTC", case.canary.words))
    return words[: int(longest)]
