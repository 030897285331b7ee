"""Slash commands, menus, buttons and forms, used by a member over HTTP."""

from collections.abc import Iterator
from typing import Any

from local_guild.state.messages import EPHEMERAL
from tests.end_to_end.house import GENERAL, House, Payload, Person

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
SUBCOMMAND, GROUP, STRING = 1, 2, 3
BUTTON, TEXT_MENU, TEXT = 2, 3, 10
MESSAGE_MENU = 3


async def use(person: Person, *path: str, where: Any = GENERAL, **options: Any) -> Payload:  # noqa: ANN401 - as typed
    """`/ask question:…`, `/settings log retention days:30` …, and what came of it. `where`: the name or the id of a
    channel. Names that Python has for itself get a line behind them: `in_`."""
    given = [{"name": key.rstrip("_"), "value": value} for key, value in options.items()]
    return await person.interact(COMMAND, _command(path, given), where)


async def offered(person: Person, *path: str, typed: tuple[str, str], **options: str) -> list[Payload]:
    """What is offered while somebody types an option: its name, and what they have typed."""
    given: list[Payload] = [{"name": key, "type": STRING, "value": value} for key, value in options.items()]
    given.append({"name": typed[0], "type": STRING, "value": typed[1], "focused": True})
    choices: list[Payload] = (await person.interact(AUTOCOMPLETE, _command(path, given)))["choices"]
    return choices


def _command(path: tuple[str, ...], given: list[Payload]) -> Payload:
    name, *groups = path
    for depth, group in enumerate(reversed(groups)):
        given = [{"name": group, "type": GROUP if depth else SUBCOMMAND, "options": given}]
    return {"name": name, "options": given}


async def point_at(person: Person, menu: str, message_id: object, where: str = GENERAL) -> Payload:
    """What comes of the menu of a message: "Remember this", "Why did you say that?" …"""
    data = {"name": menu, "type": MESSAGE_MENU, "target_id": str(message_id)}
    return await person.interact(COMMAND, data, where)


async def press(person: Person, seen: Payload, which: str | int = 0) -> Payload:
    """A button of a message, or of what came of an interaction: by its label, or its place."""
    message = shown(seen)
    buttons = buttons_of(message)
    button = buttons[which] if isinstance(which, int) else next(one for one in buttons if which in one["label"])
    data = {"component_type": BUTTON, "custom_id": button["custom_id"]}
    return await person.interact(COMPONENT, data, int(message["channel_id"]), message["id"])


async def fill_in(
    person: Person, opened: Payload, *values: str, message: Payload | None = None, **named: str
) -> Payload:
    """Submits the form that an interaction opened, with values for its first fields, or for those of these names."""
    modal = opened["modal"]
    fields = [label["component"]["custom_id"] for label in modal["components"]]
    given = dict(zip(fields, values, strict=False)) | named
    labels = [
        {**label, "component": {**label["component"], **_typed(label["component"], given)}}
        for label in modal["components"]
        if label["component"]["custom_id"] in given
    ]
    data = {"id": modal["id"], "custom_id": modal["custom_id"], "components": labels}
    if message is None:
        return await person.interact(MODAL, data)
    return await person.interact(MODAL, data, int(message["channel_id"]), message["id"])


def _typed(field: Payload, given: dict[str, str]) -> Payload:
    value = given[field["custom_id"]]
    return {"values": [value]} if field["type"] == TEXT_MENU else {"value": value}


def shown(seen: Payload) -> Payload:
    """The message that came of an interaction, one with something to press if there is one; or a message itself."""
    if "components" in seen:
        return seen
    messages: list[Payload] = [one for one in (seen["message"], *(seen.get("followups") or [])) if one]
    return next((one for one in messages if one["components"]), messages[0])


def buttons_of(message: Payload) -> list[Payload]:
    return [one for one in parts_of(message["components"]) if one["type"] == BUTTON]


def labels_of(seen: Payload) -> list[str]:
    return [str(button["label"]) for button in buttons_of(shown(seen))]


def words_of(outcome: Payload) -> str:
    messages = [outcome.get("message") or {}, *(outcome.get("followups") or [])]
    return "\n".join(map(text_of, messages))


def whispered_in(outcome: Payload) -> str:
    """What only the one who pressed is told, beside the line that was pressed under."""
    messages = [outcome.get("message"), *(outcome.get("followups") or [])]
    return "\n".join(str(one["content"]) for one in messages if one and one["flags"] & EPHEMERAL)


def text_of(message: Payload) -> str:
    """What a message says; of a card, what stands on it."""
    told = [str(one["content"]) for one in parts_of(message.get("components")) if one["type"] == TEXT]
    return str(message.get("content") or "\n".join(told))


def parts_of(components: object) -> Iterator[Payload]:
    """Components with those in them, at any depth."""
    for one in components if isinstance(components, list) else ():
        yield one
        yield from parts_of(one.get("components"))
        yield from parts_of([one["accessory"]] if "accessory" in one else [])


async def commands_of(house: House) -> list[str]:
    """The names of the commands that the local guild knows, subcommands included."""
    commands = await definitions_of(house)
    return [f"{command['name']} {one['name']}" for command in commands for one in command.get("options") or []]


async def definitions_of(house: House) -> list[Payload]:
    """The commands as the local guild was told them, in all languages."""
    path = f"{house.address.api_url}/applications/{house.bot.id}/commands?with_localizations=true"
    answer = await house.http.get(path, headers={"Authorization": f"Bot {house.bot.token}"})
    answer.raise_for_status()
    commands: list[Payload] = answer.json()
    return commands
