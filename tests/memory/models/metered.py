"""A model that costs what it is told to cost, and the door through which it is asked."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import BaseModel

from ai_clients.base import Prompt, Purpose, Shaped, ShapeT, Usage
from ai_clients.chain import Chain, Link
from ai_clients.errors import ModelError
from ai_clients.guard import Guard
from ai_clients.settings import ModelOptions
from memory.core.clock import SetClock
from memory.core.values import Guild
from memory.db.database import Database
from memory.health import Health
from memory.models.metering import Metering
from memory.models.usage import Requester, Routine
from memory.people.store import GuildStore
from memory.policy.settings import GuildSettings, write_settings
from memory.settings import MemoryOptions

GUILD, OTHER = 100, 200
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
QUESTION = Prompt("Answer.", "Who likes tea?")


class Who(BaseModel):
    who: str


@dataclass
class Costly:
    """Stands where a provider would."""

    name: str = "m1"
    usage: Usage = field(default_factory=lambda: Usage(100, 10))
    error: ModelError | None = None
    asked: int = 0
    hold: asyncio.Event | None = None

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        self.asked += 1
        if self.hold is not None:
            await self.hold.wait()
        if self.error is not None:
            raise self.error
        return Shaped(shape.model_validate({"who": "Bob."}), self.name, self.usage)


def chain(*models: Costly, purpose: Purpose = Purpose.ANSWER, seconds: float = 20.0) -> Chain:
    return Chain(purpose, [Link(model, Guard(model.name)) for model in models], seconds)


async def ask(
    metering: Metering,
    *models: Costly,
    of: int = GUILD,
    by: Requester | Routine = Routine.NIGHT,
    purpose: Purpose = Purpose.ANSWER,
    live: bool = True,
) -> str:
    """What is answered in a guild."""
    asked = chain(*models or (Costly(),), purpose=purpose)
    return (await metering.ask_for(of, asked, QUESTION, Who, by=by, live=live)).value.who


@dataclass
class Office:
    """Metering over a real database; several of them are several processes."""

    database: Database
    clock: SetClock = field(default_factory=lambda: SetClock(NOON))
    open: list[Metering] = field(default_factory=list)
    health: Health = field(init=False)

    def __post_init__(self) -> None:
        self.health = Health("bot", self.clock)

    def metering(self, *, prices: ModelOptions | None = None, **options: object) -> Metering:
        given = MemoryOptions.model_validate(options)
        made = Metering(self.database, given, self.clock, self.health, has_model=True, prices=prices)
        self.open.append(made)
        return made

    async def meet(self, guild_id: int, zone: str) -> None:
        await GuildStore(self.database).meet(Guild(guild_id, "The Inn"), [], self.clock.now())
        async with self.database.transaction("test.zone") as connection:
            await write_settings(connection, guild_id, GuildSettings(time_zone=zone), self.clock.now())


@asynccontextmanager
async def office(database: Database) -> AsyncIterator[Office]:
    opened = Office(database)
    try:
        yield opened
    finally:
        for metering in opened.open:
            await metering.close()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in another task
            await asyncio.sleep(0.01)
