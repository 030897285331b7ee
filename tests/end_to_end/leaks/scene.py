"""The stage of the leak test: two generated guilds, the bot with its memory, and the wiretap on everything it says."""

import contextlib
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import httpx
from pydantic import SecretStr

from ai_clients.build import Models
from local_guild.actions.posting import Draft, Revision
from local_guild.server import LocalGuild
from local_guild.serving import Address, serve
from local_guild.state.messages import Attachment
from local_guild.state.world import Channel, ChannelType, Guild, User
from memory.core.clock import SystemClock
from memory.health import Health, PartState
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.end_to_end.files import uploaded
from tests.end_to_end.house import ANSWER_WITHIN, PATIENCE_SECONDS, House, eventually, until
from tests.end_to_end.leaks.canaries import Canaries, Canary, Kind, Oracle
from tests.end_to_end.leaks.scenery import SACRIFICED, Scenery, build, poll_of, schedule, start_threads
from tests.end_to_end.leaks.wiretap import Overheard, Wiretap, log_read_by_anybody
from tests.loopback import NO_TLS
from tests.soak import SOAK

SHOWN = 1.0 if SOAK else 0.4
"""In how many places something of every kind is shown."""


@dataclass
class Scene:
    server: LocalGuild
    address: Address
    http: httpx.AsyncClient
    database_url: str
    folder: Path
    scenery: Scenery
    rng: random.Random
    oracle: Oracle
    tap: Wiretap
    cases: int = 0
    web_url: str | None = None
    models: Callable[[], Models] | None = None
    """Makes the models of each run of the bot; without any, answers quote."""
    _house: House | None = None

    @property
    def canaries(self) -> Canaries:
        return self.scenery.canaries

    @property
    def guilds(self) -> tuple[Guild, Guild]:
        return self.scenery.guilds

    @property
    def memory(self) -> MemoryManager:
        """Of the bot that runs now."""
        assert self._house is not None
        return self._house.memory

    @property
    def bot(self) -> User:
        return self.server.world.bot

    @contextlib.asynccontextmanager
    async def open_for_business(self) -> AsyncIterator[None]:
        """The bot as a process starts it, with a memory of its own: nothing in it survives but what is in the store.

        The block begins as soon as Discord has begun to tell it of guilds, before it can have understood them.
        """
        clock = SystemClock()
        health = Health("bot", clock)
        options = MemoryOptions(
            data_dir=self.folder / "data",
            database_url=SecretStr(self.database_url),
            member_cooldown_seconds=0,  # few people ask very much here
            member_hourly_questions=0,
        )
        models = None if self.models is None else self.models()
        memory = await MemoryManager.open(options, clock=clock, health=health, models=models)
        self._house = House(self.server, self.address, self.http, self.database_url, memory, health, clock)
        try:
            async with self._house.bot_running(lambda: any(one.application for one in self.server.sessions)):
                yield
        finally:
            await memory.close()
            if models is not None:
                await models.close()

    async def ready(self) -> None:
        """Until the bot has seen its guilds and Discord knows its commands."""
        house = self._house
        assert house is not None
        await until(lambda: house.state_of("gateway") is PartState.ACTIVE)
        await until(lambda: self.server.commands.listed())

    def say(self, user: User, place: Channel, text: str, *, reply_to: int | None = None, **parts: Any) -> int:  # noqa: ANN401 - of a draft
        """Somebody says something; its id."""
        if reply_to is not None:
            reference = {"type": 0, "message_id": str(reply_to), "channel_id": str(place.id)}
            parts = {"type": 19, "reference": reference | {"guild_id": str(place.guild_id)}} | parts
        draft = Draft(channel=place, author_id=user.id, content=text, **parts)
        return self.server.posting.send(draft).id

    async def ask(self, user: User, place: Channel, text: str, *, reply_to: int | None = None) -> Overheard | None:
        """None where there is no answer to be had; whoever was to ask may have been shut out before they could."""
        if not self.oracle.may_speak(place, user.id) or place.id not in self.server.world.channels:
            return None
        return await self.tap.answer_to(self.say(user, place, text, reply_to=reply_to))

    async def all_said(self) -> None:
        """Until every reply stands with all its parts: of whoever is let in between two of them the bot cannot know."""
        await self.until_row("SELECT NOT EXISTS (SELECT 1 FROM addressed WHERE unanswered)")

    async def until_row(self, query: str, *values: object) -> None:
        connection = await asyncpg.connect(self.database_url)
        try:
            await eventually(lambda: connection.fetchval(query, *values), bool)
        finally:
            await connection.close()

    def places_of(self, guild: Guild) -> list[Channel]:
        """Where something can be said."""
        world = self.server.world
        places = [*world.channels_of(guild.id), *world.threads_of(guild.id)]
        return [place for place in places if place.type != 4 and self.oracle.may_speak(place, self.bot.id)]

    def speakers_in(self, place: Channel) -> list[User]:
        viewers = (self.server.world.users[user_id] for user_id in sorted(self.oracle.viewers(place.id)))
        return [user for user in viewers if self.oracle.may_speak(place, user.id)]

    def askers_in(self, place: Channel) -> list[User]:
        """Whoever has themselves erased gets no answer to what was erased with them."""
        return [user for user in self.speakers_in(place) if user.name != SACRIFICED]

    # What people say

    def talk(self) -> None:
        """Something in every place, also where the bot does not see it, and in many of them something of every kind."""
        world = self.server.world
        for guild in self.guilds:
            for place in [*world.channels_of(guild.id), *world.threads_of(guild.id)]:
                people = self.speakers_in(place)
                if people and place.type != 4:
                    said = self.canary(Kind.MESSAGE, place, author := self.rng.choice(people))
                    said.message_id = self.say(author, place, said.sentence.capitalize())
                    self._say_and_correct(place, self.rng.choice(people))
                    if place.type == ChannelType.VOICE:
                        planned, tomorrow = self.canary(Kind.EVENT, place, author), timedelta(days=1)
                        starts_at = self.server.clock.now() + tomorrow
                        schedule(self.server, guild, author.id, planned.sentence, starts_at, place)
                    if self.rng.random() < SHOWN:
                        self._show(place, self.rng.choice(people))

    def _say_and_correct(self, place: Channel, author: User) -> None:
        before, after = self.canary(Kind.OVERWRITTEN, place, author), self.canary(Kind.EDITED, place, author)
        before.words = after.words
        message = self.server.posting.send(Draft(channel=place, author_id=author.id, content=before.sentence))
        self.server.posting.edit(message, Revision(content=after.sentence))
        before.gone, after.message_id = True, message.id

    def _show(self, place: Channel, author: User) -> None:
        """A file, an embed and a poll, with words beside them that a question can find."""
        name, embedded, asked = (self.canary(kind, place, author) for kind in (Kind.FILE_NAME, Kind.EMBED, Kind.POLL))
        inside = self.canary(Kind.FILE_TEXT, place, author)
        paste = uploaded(self.server, "message.txt", "Nothing in particular.\n" * 40 + inside.sentence)
        file = Attachment(self.server.ids.next(), f"{name.token}.txt", 9, "text/plain", description=name.sentence)
        poll = poll_of(asked.sentence, asked.token, self.server.clock.now() + timedelta(days=1))
        embed = {"type": "rich", "title": embedded.token, "description": embedded.sentence}
        self.say(author, place, f"A {name.words} for you", attachments=[file])
        self.say(author, place, f"Notes on a {inside.words}", attachments=[paste])
        self.say(author, place, f"Look, a {embedded.words}", embeds=[embed])
        self.say(author, place, f"What of the {asked.words}?", poll=poll)

    def edit(self, place: Channel, message_id: int, text: str) -> None:
        message = self.server.world.message(place.id, message_id)
        if message is not None:
            self.server.posting.edit(message, Revision(content=text))

    async def tell(self) -> None:
        """A fact in every place, told to the bot."""
        for guild in self.guilds:
            for place in self.places_of(guild):
                if people := self.speakers_in(place):
                    await self.tell_by(guild, place, self.rng.choice(people))

    async def tell_by(self, guild: Guild, place: Channel, teller: User, *, everywhere: bool = False) -> None:
        people = [self.server.world.users[user_id] for user_id in self.server.world.members(guild.id)]
        drawn = self.rng.random()
        about = (
            None if drawn < 0.3 else teller if drawn < 0.5 else self.rng.choice([one for one in people if not one.bot])
        )
        about = teller if everywhere else about
        kind = Kind.EVERYWHERE if everywhere else Kind.FACT
        canary = self.canary(kind, place, teller, subject_id=None if about is None else about.id)
        who = "the inn owns" if about is None else "I own" if about is teller else f"<@{about.id}> owns"
        verb = "remember everywhere that" if everywhere else "remember that"
        canary.message_id = self.say(teller, place, f"Bot {verb} {who} a {canary.words} called {canary.token}")
        await self.tap.answer_to(canary.message_id)

    def canary(self, kind: Kind, place: Channel, author: User, *, subject_id: int | None = None) -> Canary:
        guild_id = place.guild_id or 0
        return self.canaries.new(kind, guild_id, place.id, author_id=author.id, subject_id=subject_id)


@contextlib.asynccontextmanager
async def set_scene(folder: Path, database_url: str, seed: int) -> AsyncIterator[Scene]:
    rng = random.Random(seed)
    canaries = Canaries(random.Random(seed + 1))
    scenery = build(rng, canaries)
    server = LocalGuild.open(folder / "local_guild", world=scenery.world)
    server.interactions.answer_within = ANSWER_WITHIN
    for guild in scenery.guilds:
        start_threads(server, guild, rng, canaries)
    oracle = Oracle(server)
    tap = Wiretap(server, oracle, canaries)
    tap.attach()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(server.close)
        address = await stack.enter_async_context(serve(server))
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=PATIENCE_SECONDS, verify=NO_TLS))
        stack.enter_context(log_read_by_anybody(tap))
        yield Scene(server, address, http, database_url, folder, scenery, rng, oracle, tap)
