"""Guilds that keep a diary: real memory and database, a model on loopback that counts, and time that can be moved."""

import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.chain import Chain, Link
from ai_clients.embedding import StaticVectors
from ai_clients.gemini import GeminiApi, GeminiModel
from ai_clients.guard import Guard
from memory.core.clock import SetClock
from memory.core.outcomes import Answer, ForgetOutcome, RememberOutcome
from memory.core.values import AuthorKind, Guild, Member, Message, MessageEdit, Question, RememberRequest, last_id_of
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.places.model import READ_MESSAGE_HISTORY, VIEW_CHANNEL, Overwrite, Place, PlaceKind, Role, Seat
from memory.policy.settings import GuildSettings
from memory.settings import MemoryOptions
from tests.gemini_server import GeminiServer, data_of, gemini_server
from tests.models import BY, Watch

SEE = VIEW_CHANNEL | READ_MESSAGE_HISTORY
GUILD = 100
HALL, LOUNGE, CELLAR = 1001, 1002, 1003
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
ALICE = Member(GUILD, 1, "alice", global_name="Alice")
BOB = Member(GUILD, 2, "bob_the_builder", global_name="Bob")
CARL = Member(GUILD, 3, "carl", global_name="Carl")
PEOPLE = (ALICE, BOB, CARL)

_PERSON = re.compile(r'<person id="(\d+)" name="([^"]*)"')
_LINE = re.compile(r'<message time="[^"]*" author-id="(\d+)"[^>]* n="(\d+)">(.*?)</message>')
_DAY = re.compile(r'day="([\d-]+)"')


@dataclass
class Scribe:
    """The model: says of everybody who is in the prompt what they said last, and that this happened; and knows for
    which days it was asked."""

    server: GeminiServer

    @property
    def days(self) -> list[str]:
        return [found[1] for body in self.server.requests if (found := _DAY.search(data_of(body)))]

    @property
    def calls(self) -> Counter[str]:
        return Counter(self.days)

    @staticmethod
    def writes(data: str) -> str:
        said = {author: (" ".join(text.split()[:12]), int(n)) for author, n, text in _LINE.findall(data)}
        wrote = {
            user_id: (f"{name} wrote that {said[user_id][0].rstrip('.!?')}.", said[user_id][1])
            for user_id, name in _PERSON.findall(data)
            if user_id in said
        }
        members = [{"id": user_id, "summary": text} for user_id, (text, _) in wrote.items()]
        happenings = [{"text": text, "kind": "happened", "messages": [number]} for text, number in wrote.values()]
        return json.dumps({"members": members, "happenings": happenings})


@dataclass
class DiaryHouse:
    database: Database
    models: Models | None
    clock: SetClock = field(default_factory=lambda: SetClock(NOON))
    started: list[MemoryManager] = field(default_factory=list)
    _numbers: "count[int]" = field(default_factory=count)
    scribe: Scribe = field(init=False)

    def __post_init__(self) -> None:
        self.memory = self.start()

    def start(self, models: Models | None = None, **options: object) -> MemoryManager:
        """Another process; or the same one again, after `stop`."""
        given = MemoryOptions.model_validate({"guild_daily_tokens": 0} | options)
        memory = MemoryManager(self.database, given, self.clock, Health("bot", self.clock), models or self.models)
        memory.place_mirror.begin(lambda: None)
        self.started.append(memory)
        return memory

    async def stop(self, memory: MemoryManager) -> None:
        """Without closing the database, which the others use."""
        await memory.log.settled()
        await memory.day_answers.stop()
        self.started.remove(memory)

    async def open_guild(self, guild_id: int = GUILD, zone: str = "UTC", members: Sequence[Member] = PEOPLE) -> None:
        """Two rooms for everybody, and one for the owner, who comes first, and a guest."""
        await self.memory.people.meet_guild(Guild(guild_id, "The Inn"), members)
        for kept in self.started:
            self.look(kept, guild_id, members)
        await self.move(guild_id, zone)

    def look(
        self, memory: MemoryManager, guild_id: int = GUILD, members: Sequence[Member] = PEOPLE, *shut: int
    ) -> None:
        """As the bot sees the guild; `shut` are rooms that are not for everybody any more."""
        seeing = memory.place_mirror
        look = seeing.look_around(guild_id)
        seeing.owner(guild_id, members[0].user_id)
        seeing.role(guild_id, Role(guild_id, SEE))
        for channel in rooms(guild_id):
            is_shut = channel == rooms(guild_id)[2] or channel in shut
            guest = Overwrite(members[1].user_id, False, VIEW_CHANNEL, 0)
            doors = (Overwrite(guild_id, True, 0, VIEW_CHANNEL), guest) if is_shut else ()
            seeing.place(guild_id, Place(channel, PlaceKind.CHANNEL, None, doors))
        for member in members:
            seeing.seat(guild_id, Seat(member.user_id, ()))
        assert seeing.complete(look, with_everyone=True)
        seeing.hall_role(guild_id, None, epoch=0)

    async def move(self, guild_id: int, zone: str) -> None:
        await self.memory.privacy.change_settings(guild_id, lambda known: moved(known, zone))

    def new_id(self, at: datetime | None = None) -> int:
        """As Discord gives them out: by their time, and never twice."""
        return last_id_of(at or self.clock.now()) - (1 << 22) + 1 + next(self._numbers) % (1 << 22)

    async def say(
        self,
        author: Member,
        text: str,
        channel: int = HALL,
        *,
        at: datetime | None = None,
        kind: AuthorKind = AuthorKind.PERSON,
    ) -> Message:
        """Now, or as if it were `at` that time: then it arrives late."""
        at = at or self.clock.now()
        message = Message(author.guild_id, channel, self.new_id(at), author.user_id, kind, text, at)
        await self.memory.ingest_message(message)
        await self.memory.log.settled()
        return message

    async def edit(self, message: Message, text: str) -> None:
        now = self.clock.now()
        await self.memory.log.edit_message(MessageEdit(replace(message, text=text, edited_at=now)))
        await self.memory.log.settled()

    async def delete(self, *messages: Message) -> None:
        for message in messages:
            await self.memory.log.delete_messages(message.guild_id, message.channel_id, [message.message_id])
        await self.memory.log.settled()

    async def ask(self, asker: Member, text: str, channel: int = HALL, memory: MemoryManager | None = None) -> Answer:
        memory = memory or self.memory
        said = await self.say(asker, f"Bot {text}", channel)
        question = Question(asker.guild_id, channel, said.message_id, asker.user_id, text, said.sent_at)
        return await memory.answers.answer(question, memory.places.audience_of(asker.guild_id, channel))

    async def ask_alone(self, asker: Member, text: str, channel: int = HALL) -> Answer:
        """By `/ask`: it stands in no channel."""
        question = Question(asker.guild_id, channel, self.new_id(), asker.user_id, text, self.clock.now())
        audience = self.memory.places.audience_for(asker.guild_id, channel, asker.user_id)
        return await self.memory.answers.answer(question, audience)

    async def remember(
        self, teller: Member, body: str, channel: int = HALL, *, everywhere: bool = False
    ) -> RememberOutcome:
        telling = replace(await self._telling(teller, f"Bot remember {body}", body, channel), everywhere=everywhere)
        return await self.memory.remember(telling, self.memory.places.audience_of(GUILD, channel))

    async def forget(self, teller: Member, body: str, channel: int = HALL) -> ForgetOutcome:
        telling = await self._telling(teller, f"Bot forget {body}", body, channel)
        return await self.memory.forget(telling, self.memory.places.audience_of(GUILD, channel))

    async def _telling(self, teller: Member, said: str, body: str, channel: int) -> RememberRequest:
        message = await self.say(teller, said, channel)
        return RememberRequest(GUILD, channel, message.message_id, teller.user_id, body, message.sent_at)

    async def told(self, channel: int = HALL, day: int | None = None) -> dict[int, str]:
        """What a reader in that room is told of a day of March 2026, after having asked for it."""
        audience = self.memory.places.audience_of(GUILD, channel)
        on = await self.memory.day_answers.days.today(GUILD)
        found = await self.memory.day_answers.day(audience, on if day is None else on.replace(day=day), BY)
        return {one.user_id: one.text for one in found.told}

    async def pass_night(self, hours: float = 3) -> None:
        """To three o'clock of the next day of UTC, with one look at what there is to do."""
        now = self.clock.now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        self.clock.move(midnight + timedelta(hours=hours) - now)
        await self.memory.day_answers.nightly.round()


def rooms(guild_id: int) -> tuple[int, int, int]:
    return (HALL, LOUNGE, CELLAR) if guild_id == GUILD else (guild_id + 1, guild_id + 2, guild_id + 3)


def moved(settings: GuildSettings, zone: str) -> GuildSettings:
    return GuildSettings(zone, settings.hall_role_id, settings.speaks_in, settings.set_up_at, settings.log)


def summarising(model: GeminiModel) -> Models:
    guard = Guard(model.name, now=Watch().now)
    chain = Chain(Purpose.SUMMARISE, [Link(model, guard)], 20.0)
    return Models({Purpose.SUMMARISE: chain}, StaticVectors(), {model.name: guard}, (model,))


@asynccontextmanager
async def diary_house(database: Database, *, with_model: bool = True) -> AsyncIterator[DiaryHouse]:
    async with gemini_server() as server:
        server.says = Scribe.writes
        model = GeminiModel("gemini-good", GeminiApi(server.options()), seconds=20)
        house = DiaryHouse(database, summarising(model) if with_model else None)
        house.scribe = Scribe(server)
        try:
            yield house
        finally:
            for memory in list(house.started):
                await house.stop(memory)
            await model.close()
