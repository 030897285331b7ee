"""Something that the bot shows to one person, with buttons that change it: `/memory show`."""

from dataclasses import dataclass

from local_guild.state.world import Channel, User
from tests.end_to_end.erasure.stage import PATIENCE_SECONDS, Payload, Stage
from tests.end_to_end.house import eventually
from tests.end_to_end.slash import BUTTON

Look = tuple[str, tuple[str, ...]]
"""Words, and what the buttons under them are called."""


@dataclass
class Shown:
    stage: Stage
    reader: User
    channel: Channel
    message_id: int

    @classmethod
    async def memory_of(cls, stage: Stage, reader: User, channel: Channel) -> "Shown":
        outcome = await stage.command(reader, channel, "memory", "show")
        return cls(stage, reader, channel, int(outcome["message"]["id"]))

    @property
    def words(self) -> str:
        return str(self._payload()["content"])

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(str(button["label"]) for button in self._buttons())

    async def press(self, label: str) -> None:
        """Until something else stands there."""
        before = await self._look()
        button = next(one for one in self._buttons() if one["label"] == label)
        await self.stage.press(self.reader, self.channel, {"id": str(self.message_id)}, button)
        await eventually(self._look, lambda now: now != before, seconds=PATIENCE_SECONDS)

    async def _look(self) -> Look:
        return self.words, self.labels

    def _buttons(self) -> list[Payload]:
        rows = self._payload()["components"]
        return [one for row in rows for one in row["components"] if one["type"] == BUTTON]

    def _payload(self) -> Payload:
        server = self.stage.server
        message = server.world.message(self.channel.id, self.message_id)
        assert message is not None
        payload: Payload = server.messages.message(message, self.reader.id)
        return payload
