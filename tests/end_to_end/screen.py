"""A message of the bot's with things to press, used by a member over HTTP as a client would use it: the setup."""

from dataclasses import dataclass
from typing import Any

from memory.policy.settings import GuildSettings
from tests.end_to_end.asking import at_home
from tests.end_to_end.house import GENERAL, Inn, Payload, Person, eventually, until
from tests.end_to_end.slash import BUTTON, COMPONENT, use

TEXT_MENU, ROLE_MENU, CHANNEL_MENU, MODAL = 3, 6, 8, 5


@dataclass
class Screen:
    person: Person
    message_id: int

    @classmethod
    async def open(cls, person: Person, *path: str, **options: Any) -> "Screen":  # noqa: ANN401 - whatever a command takes
        """What a command answers with."""
        outcome = await use(person, *path, **options)
        return cls(person, int(outcome["message"]["id"]))

    @property
    def _payload(self) -> Payload:
        house, channel_id = self.person.inn.house, self.person.inn.channel(GENERAL).id
        message = house.server.world.message(channel_id, self.message_id)
        assert message is not None
        return house.server.messages.message(message, self.person.user.id)

    @property
    def words(self) -> str:
        return str(self._payload["content"])

    @property
    def components(self) -> list[Payload]:
        return [one for row in self._payload["components"] for one in row["components"]]

    def labels(self) -> list[str]:
        return [str(one["label"]) for one in self.components if one["type"] == BUTTON]

    def button(self, label: str) -> Payload:
        return next(one for one in self.components if one["type"] == BUTTON and label in one["label"])

    def menu(self, kind: int, number: int = 0) -> Payload:
        return [one for one in self.components if one["type"] == kind][number]

    async def until(self, words: str) -> str:
        async def look() -> str:
            return self.words

        return await eventually(look, lambda seen: words in seen)

    async def press(self, label: str) -> Payload:
        return await self._send(self.button(label), {})

    async def choose(self, kind: int, *values: object, number: int = 0) -> Payload:
        return await self._send(self.menu(kind, number), {"values": [str(value) for value in values]})

    async def fill_in(self, opened: Payload, text: str) -> Payload:
        """Submits a form with one field, or with the first of several."""
        first = opened["modal"]["components"][0]["component"]
        return await self.fill_in_all(opened, **{first["custom_id"]: text})

    async def fill_in_all(self, opened: Payload, **given: str) -> Payload:
        """Submits a form with what is given by the names of its fields."""
        modal = opened["modal"]
        labels = [one for one in modal["components"] if one["component"]["custom_id"] in given]
        fields = [{**one["component"], **_typed(one["component"], given)} for one in labels]
        filled = [{**label, "component": field} for label, field in zip(labels, fields, strict=True)]
        return await self._begin(MODAL, {"id": modal["id"], "custom_id": modal["custom_id"], "components": filled})

    async def _send(self, component: Payload, given: Payload) -> Payload:
        data = {"component_type": component["type"], "custom_id": component["custom_id"], **given}
        return await self._begin(COMPONENT, data)

    async def _begin(self, kind: int, data: Payload) -> Payload:
        body = {
            "type": kind,
            "channel_id": str(self.person.inn.channel(GENERAL).id),
            "message_id": str(self.message_id),
            "data": data,
        }
        outcome: Payload = (await self.person.call("POST", "/interactions?wait=true", body)).json()
        assert not outcome["failed"], "the bot did not answer"
        return outcome


async def ready(inn: Inn) -> None:
    """The commands are known, and the view of the rooms is open."""
    await at_home(inn)
    await until(lambda: inn.house.memory.places.hall(inn.guild.id))


async def set_up(person: Person) -> Screen:
    return await Screen.open(person, "innkeeper", "setup")


async def to_the_summary(screen: Screen) -> None:
    while "Step 5" not in screen.words:
        await screen.press("Next")
    await screen.press("Next")
    await screen.until("Summary")


async def settings(inn: Inn) -> GuildSettings:
    return await inn.house.memory.privacy.settings(inn.guild.id)


def role_id(inn: Inn, name: str) -> int:
    return next(role.id for role in inn.guild.roles.values() if role.name == name)


def _typed(field: Payload, given: dict[str, str]) -> Payload:
    value = given[field["custom_id"]]
    return {"value": value} if field["type"] != TEXT_MENU else {"values": [value]}
