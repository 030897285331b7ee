"""A message of the bot's with things to press, used by a member as a client would use it: the setup, `/memory`."""

from dataclasses import dataclass
from typing import Any

from local_guild.state.messages import EPHEMERAL
from memory.policy.settings import GuildSettings
from tests.end_to_end.asking import at_home
from tests.end_to_end.house import GENERAL, Inn, Payload, Person, eventually, until
from tests.end_to_end.slash import BUTTON, COMPONENT, fill_in, press, use

ROLE_MENU, CHANNEL_MENU = 6, 8


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
        return house.server.payloads.message(message, self.person.user.id)

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
        return await press(self.person, self._payload, label)

    async def do(self, label: str, words: str) -> str:
        """Presses it, and gives what stands there when that has changed, and these words stand there."""
        before = (self.words, self.labels())
        await self.press(label)

        async def look() -> tuple[str, list[str]]:
            return self.words, self.labels()

        return (await eventually(look, lambda now: now != before and words in now[0]))[0]

    async def choose(self, kind: int, *values: object, number: int = 0) -> Payload:
        menu = self.menu(kind, number)
        data = {"component_type": kind, "custom_id": menu["custom_id"], "values": [str(value) for value in values]}
        return await self.person.interact(COMPONENT, data, message_id=self.message_id)

    async def fill_in(self, opened: Payload, *values: str, **named: str) -> Payload:
        return await fill_in(self.person, opened, *values, message=self._payload, **named)


async def memory_of(person: Person, whom: Person | None = None, command: str = "show") -> Screen:
    """`/memory show`: its pages, the facts on them, and what can be done about each."""
    outcome = await use(person, "memory", command, **({} if whom is None else {"member": str(whom.user.id)}))
    assert outcome["message"]["flags"] & EPHEMERAL, "everybody would see it"
    return Screen(person, int(outcome["message"]["id"]))


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
