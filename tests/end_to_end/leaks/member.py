"""A member at the bot's commands, buttons, menus and forms: fills in whatever they ask for and goes where they lead.

It reads a command's definition and a message's components, so that a new command needs no code here, only a surface
that names it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from local_guild.actions.components import INPUTS, PRESSABLE, ComponentType, walk
from local_guild.state.ids import JsonObject
from local_guild.state.messages import EPHEMERAL
from local_guild.state.permissions import Permission
from local_guild.state.world import User
from tests.end_to_end.house import Payload, eventually
from tests.end_to_end.leaks.registry import Case
from tests.end_to_end.leaks.wiretap import Leak, Overheard, strings_in
from tests.end_to_end.slash import COMMAND, COMPONENT, GROUP, SUBCOMMAND

AUTOCOMPLETE, MODAL, TEXT_OPTION, MESSAGE_MENU = 4, 5, 3, 3


async def use(case: Case, path: str, **given: object) -> Payload | None:
    """A command by its words, and what came of it; None where Discord does not let this member use it."""
    name, *rest = path.split()
    # The bot tells Discord of its commands behind its start, however busy the machine is.
    find = partial(case.scene.server.commands.find, 1, name)
    definition = await eventually(lambda: asyncio.sleep(0, find()))
    assert definition is not None
    return await begin(case, COMMAND, {"name": name, "options": _options(case, definition, rest, given)})


async def use_menu(case: Case, name: str, message_id: int) -> Payload | None:
    """A client offers it under messages that it shows; others are not found."""
    return await begin(case, COMMAND, {"name": name, "type": MESSAGE_MENU, "target_id": str(message_id)})


async def complete(case: Case, path: str, option: str, typed: str) -> None:
    """What is offered while somebody is typing."""
    name, *rest = path.split()
    options: list[Payload] = [{"name": option, "type": TEXT_OPTION, "value": typed, "focused": True}]
    for depth, word in enumerate(reversed(rest)):
        options = [{"name": word, "type": SUBCOMMAND if depth == 0 else GROUP, "options": options}]
    await begin(case, AUTOCOMPLETE, {"name": name, "options": options})


async def wander(case: Case, outcome: Payload | None, steps: int, avoided: tuple[str, ...] = ()) -> None:
    """Presses, chooses and fills in at random, as far as there is something to press, but nothing that is avoided."""
    message: Payload = {}
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
        components = [one for one in components if not str(one["custom_id"]).startswith(avoided)]
        if not components:
            return
        outcome = await press(case, message, case.rng.choice(components))


async def press(case: Case, message: Payload, component: JsonObject) -> Payload | None:
    data: Payload = {"component_type": component["type"], "custom_id": component["custom_id"]}
    if component["type"] != ComponentType.BUTTON:
        data["values"] = _choice(case, component)
    return await begin(case, COMPONENT, data, message_id=message["id"])


async def press_all(case: Case, reply: Overheard, presser: User, only: str = "") -> None:
    """The buttons under a reply. `only`: how the ids of those begin that are pressed."""
    message = {"id": str(reply.message_id), "components": list(reply.components)}
    for button in buttons_of(message):
        if str(button["custom_id"]).startswith(only):
            await press(replace(case, asker=presser), message, button)


async def press_first(case: Case, outcome: Payload | None, only: str = "") -> Payload | None:
    """The first such button under what a command answered; what came of it."""
    for message in messages_of(outcome):
        for button in buttons_of(message):
            if str(button["custom_id"]).startswith(only):
                return await press(case, message, button)
    return None


def messages_of(outcome: Payload | None) -> list[Payload]:
    outcome = outcome or {}
    return [message for message in (outcome.get("message"), *(outcome.get("followups") or ())) if message]


def buttons_of(message: Payload) -> list[Payload]:
    return [one for row in message.get("components") or [] for one in row["components"] if one["type"] == 2]


async def submit(case: Case, modal: Payload) -> Payload | None:
    filled: list[Payload] = []
    for _, field in walk(modal["components"]):
        if field.get("type") == ComponentType.TEXT_INPUT:
            filled.append({"type": field["type"], "custom_id": field["custom_id"], "value": _words(case, field)})
        elif field.get("type") in INPUTS:
            filled.append({"type": field["type"], "custom_id": field["custom_id"], "values": _choice(case, field)})
    rows = [{"type": ComponentType.ROW, "components": [field]} for field in filled]
    return await begin(case, MODAL, {"id": modal["id"], "components": rows})


async def begin(case: Case, kind: int, data: Payload, **more: object) -> Payload | None:
    """Everything that a command or component answers is for the one who used it: forms and choices as well."""
    scene = case.scene
    answer = await scene.http.post(
        f"{scene.address.api_url}/interactions?wait=true",
        json={"type": kind, "channel_id": str(case.place.id), "data": data, **more},
        headers={"Authorization": case.asker.token},
    )
    if answer.status_code in (400, 403, 404):
        return None
    outcome: Payload = answer.raise_for_status().json()
    shown = "\n".join(strings_in([outcome.get("modal"), outcome.get("choices")]))
    scene.tap.judge(Overheard("a form", case.place.id, frozenset((case.asker.id,)), shown, ephemeral=True))
    for message in messages_of(outcome):
        if kind == COMMAND and not message["flags"] & EPHEMERAL:
            heard = Overheard("interaction", case.place.id, scene.oracle.viewers(case.place.id), message["content"])
            scene.tap.leaks.append(Leak("an answer", "to a command", "everybody in the place sees it", heard))
    return outcome


def by_a_manager(case: Case) -> Case:
    """Mostly: what others are told who try it must not tell them anything either."""
    access, users = case.scene.server.access, case.scene.server.world.users
    viewers = sorted(case.scene.oracle.viewers(case.place.id))
    managers = [one for one in viewers if access.in_channel(case.place, one) & int(Permission.MANAGE_GUILD)]
    if not managers or case.rng.random() < 0.2:
        return case
    return replace(case, asker=users[case.rng.choice(managers)])


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
    drawn: dict[int, object] = {
        4: option.get("min_value", 1),
        5: case.rng.random() < 0.5,
        6: str(case.subject.id),
        7: str(case.place.id),
        8: str(case.rng.choice(sorted(case.guild.roles))),
    }
    return drawn.get(option["type"], f"What is the {case.canary.words} called?")


def _choice(case: Case, menu: JsonObject) -> list[str]:
    given: Any = menu
    match menu["type"]:
        case ComponentType.TEXT_MENU:
            values = [str(one["value"]) for one in given["options"]]
        case ComponentType.ROLE_MENU:
            values = [str(role_id) for role_id in case.guild.roles]
        case ComponentType.CHANNEL_MENU:
            types = given.get("channel_types")
            places = case.scene.places_of(case.guild)
            values = [str(place.id) for place in places if not types or place.type in types]
        case _:
            values = [str(case.asker.id)]
    count = max(int(given.get("min_values", 1)), min(int(given.get("max_values", 1)), 1))
    return case.rng.sample(values, min(count, len(values)))


def _words(case: Case, field: JsonObject) -> str:
    """A time zone is the one thing that forms ask for so far; anything else is somebody's words."""
    longest: Any = field.get("max_length", 100)
    return case.rng.choice(("Europe/Berlin", "UTC", case.canary.words))[: int(longest)]
