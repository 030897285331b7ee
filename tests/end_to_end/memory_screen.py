"""`/memory` as a member uses it over HTTP: its pages, the facts on them, and what can be done about each."""

import asyncio
from dataclasses import dataclass

from tests.end_to_end.house import GENERAL, PATIENCE_SECONDS, Payload, Person, eventually
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import use


@dataclass
class MemoryScreen(Screen):
    """A message that changes when something in it is pressed."""

    async def _begin(self, kind: int, data: Payload) -> Payload:
        """Once more where Discord gave up waiting, as a person would on a busy machine."""
        body = {
            "type": kind,
            "channel_id": str(self.person.inn.channel(GENERAL).id),
            "message_id": str(self.message_id),
            "data": data,
        }
        begun: Payload = {"failed": True}
        async with asyncio.timeout(PATIENCE_SECONDS):
            while begun.get("failed"):
                begun = (await self.person.call("POST", "/interactions?wait=true", body)).json()
        return begun

    async def do(self, label: str, words: str) -> str:
        """Presses it, and gives what stands there when that has changed, and these words stand there."""
        before = (self.words, self.labels())
        await self.press(label)

        async def look() -> tuple[str, list[str]]:
            return self.words, self.labels()

        return (await eventually(look, lambda now: now != before and words in now[0]))[0]


async def memory_of(person: Person, whom: Person | None = None) -> MemoryScreen:
    options = {} if whom is None else {"member": str(whom.user.id)}
    return await _opened(person, "show", **options)


async def audit_of(person: Person, whom: Person | None = None) -> MemoryScreen:
    options = {} if whom is None else {"member": str(whom.user.id)}
    return await _opened(person, "audit", **options)


async def _opened(person: Person, name: str, **options: str) -> MemoryScreen:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            outcome = await use(person, "memory", name, **options)
            if not outcome.get("failed"):
                break
    message = outcome["message"]
    assert message["flags"] & 64, "everybody would see it"
    return MemoryScreen(person, int(message["id"]))
