"""Slash commands and buttons, used by a member over HTTP."""

from collections.abc import Iterator
from typing import Any

from tests.end_to_end.house import GENERAL, House, Payload, Person

SUBCOMMAND, GROUP, COMMAND, COMPONENT, BUTTON, TEXT = 1, 2, 2, 3, 2, 10


async def use(person: Person, *path: str, **options: Any) -> Payload:  # noqa: ANN401 - whatever a command takes
    """`/innkeeper status`, `/settings log retention days:30` …, and what came of it."""
    name, *groups, last = path
    given: list[Payload] = [{"name": key, "value": value} for key, value in options.items()]
    option: Payload = {"name": last, "type": SUBCOMMAND, "options": given}
    for group in reversed(groups):
        option = {"name": group, "type": GROUP, "options": [option]}
    body = {
        "type": COMMAND,
        "channel_id": str(person.inn.channel(GENERAL).id),
        "data": {"name": name, "options": [option]},
    }
    outcome: Payload = (await person.call("POST", "/interactions?wait=true", body)).json()
    return outcome


async def press(person: Person, outcome: Payload, number: int) -> Payload:
    """A button of what a command answered, by its place."""
    message = outcome["message"]
    buttons = [one for row in message["components"] for one in row["components"] if one["type"] == BUTTON]
    body = {
        "type": COMPONENT,
        "channel_id": str(person.inn.channel(GENERAL).id),
        "message_id": message["id"],
        "data": {"component_type": BUTTON, "custom_id": buttons[number]["custom_id"]},
    }
    pressed: Payload = (await person.call("POST", "/interactions?wait=true", body)).json()
    return pressed


def words_of(outcome: Payload) -> str:
    messages = [outcome.get("message") or {}, *(outcome.get("followups") or [])]
    return "\n".join(map(text_of, messages))


def text_of(message: Payload) -> str:
    """What a message says; of a card, what stands on it."""
    shown = [str(one["content"]) for one in parts_of(message.get("components")) if one["type"] == TEXT]
    return str(message.get("content") or "\n".join(shown))


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
