"""A guild as the web process sees it, through the database alone, and browsers before its panel."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
from fastapi import FastAPI
from nicegui import background_tasks
from nicegui.testing import User, user_simulation

from memory.access import Door
from memory.core.values import Guild, Member
from memory.health import Health, HealthStore
from memory.manager import MemoryManager
from memory.places.model import (
    MANAGE_GUILD,
    READ_MESSAGE_HISTORY,
    VIEW_CHANNEL,
    Overwrite,
    Place,
    PlaceKind,
    Role,
    Seat,
)
from memory.settings import MemoryOptions
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GUILD, HALL, LOUNGE, World
from web.guard import Doors, Guard, sign_in_routes

SEE = VIEW_CHANNEL | READ_MESSAGE_HISTORY
STEWARDS = 700
STEWARD = replace(FLORENT, roles=(STEWARDS,))
"""May manage the server, and may not read the cellar, which is Alice's: she owns the place."""
PEOPLE = (ALICE, BOB, STEWARD)
HOST = "http://127.0.0.1:8080"


@asynccontextmanager
async def simulated() -> AsyncIterator[User]:
    """Pages without a browser. Where another application was served before, NiceGUI would wait for ever for its tasks,
    whose loop does not run any more."""
    here = asyncio.get_running_loop()
    for task in [one for one in background_tasks.running_tasks if one.get_loop() is not here]:
        background_tasks.running_tasks.discard(task)
    gc.freeze()  # it has the collector look through everything that is there, twice
    async with user_simulation() as user:
        yield user


class WebInn:
    def __init__(self, world: World) -> None:
        self.world, self.bot, self.clock = world, world.memory, world.clock
        self.web = MemoryManager(world.database, MemoryOptions(), world.clock, Health("web", world.clock))
        self.doors = Doors(lambda: self.web, is_tls=False)
        self.app = self.served(self.doors)

    def served(self, doors: Doors) -> FastAPI:
        app = FastAPI()
        app.include_router(sign_in_routes(doors, None))
        app.add_middleware(Guard)
        return app

    async def open(self) -> "WebInn":
        mirror = self.bot.place_mirror
        mirror.begin(lambda: None)
        await self.beat()
        look = mirror.look_around(GUILD)
        mirror.owner(GUILD, ALICE.user_id)
        mirror.role(GUILD, Role(GUILD, SEE, "@everyone"))
        mirror.role(GUILD, Role(STEWARDS, MANAGE_GUILD, "stewards"))
        closed = (Overwrite(GUILD, True, 0, VIEW_CHANNEL),)
        for place in (
            Place(HALL, PlaceKind.CHANNEL, None, name="hall"),
            Place(LOUNGE, PlaceKind.CHANNEL, None, name="lounge"),
            Place(CELLAR, PlaceKind.CHANNEL, None, closed, name="cellar"),
        ):
            mirror.place(GUILD, place)
        for member in PEOPLE:
            mirror.seat(GUILD, Seat(member.user_id, member.roles))
        assert mirror.complete(look, with_everyone=True)
        await mirror.distrust(GUILD)
        await self.bot.people.meet_guild(Guild(GUILD, "The Inn"), PEOPLE, complete=True)
        await mirror.write_anew(GUILD)
        return self

    async def beat(self) -> None:
        """The bot goes on: without it nobody knows who may read what."""
        await HealthStore(self.world.database).beat(self.world.health.snapshot())

    async def change_place(self, place: Place) -> None:
        self.bot.place_mirror.place(GUILD, place)
        await self.bot.place_mirror.write_anew(GUILD)

    async def leave(self, member: Member) -> None:
        self.bot.place_mirror.no_seat(GUILD, member.user_id)
        await self.bot.people.part_from_member(GUILD, member.user_id)

    async def door(self, member: Member) -> Door:
        """Signed in to the panel."""
        door = await self.doors.of_session(await self.web.access.sign_in(GUILD, member.user_id))
        assert isinstance(door, Door)
        return door

    async def meet(self, member: Member) -> None:
        self.bot.place_mirror.seat(GUILD, Seat(member.user_id, member.roles))
        await self.bot.people.meet_member(member)

    def browser(self, app: FastAPI | None = None, host: str = HOST, **headers: str) -> httpx.AsyncClient:
        """As a person's, which says where a request comes from."""
        transport = httpx.ASGITransport(app or self.app, client=("127.0.0.1", 1))
        return httpx.AsyncClient(transport=transport, base_url=host, headers={"origin": host, **headers})
