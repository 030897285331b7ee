"""Two guilds, for the chaos test, of one local guild in a process of its own, whose people keep talking.

Everything is done over HTTP. What a guild holds in the end is what the log has to hold. What its people told the bot,
and did not take back, is what the ledger has to hold, and each of it has one reply.
"""

import asyncio
import contextlib
import json
import random
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from tests.loopback import NO_TLS

PATIENCE_SECONDS = 120.0
NAMES = ("The Storm", "The Other Storm")
PEOPLE = ("maren", "florent", "aylin", "gruzilkin", "jonas", "mika")
ROOMS, PRIVATE_ROOMS, DESKS = 12, 2, 2
PUBLIC_THREAD, PRIVATE_THREAD = 11, 12
WRITTEN_BY_SOMEONE = frozenset((0, 19, 20, 23))
"""Kinds of messages that the log keeps; the rest Discord writes by itself."""

Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """What has to be the same in the guild and in the log."""

    channel_id: int
    author_id: int
    text: str
    edited_at: datetime | None


@dataclass(slots=True)
class Tally:
    messages: int = 0
    edits: int = 0
    deletes: int = 0
    told: int = 0
    taken_back: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Telling:
    """A command to remember something that nobody else tells."""

    message_id: int
    place: int
    number: int
    author: str
    """Their token."""


@dataclass
class ChaosGuild:
    http: httpx.AsyncClient
    rng: random.Random
    numbers: Iterator[int]
    """Of what is told, here and in the other guilds."""
    bot_token: str = ""
    guild_id: int = 0
    bot_id: int = 0
    tokens: dict[int, str] = field(default_factory=dict)
    keeper: str = ""
    places: list[int] = field(default_factory=list)
    desks: list[int] = field(default_factory=list)
    """Where people tell the bot something, and nobody edits or deletes by chance."""
    threads: list[int] = field(default_factory=list)
    told: dict[int, Telling] = field(default_factory=dict)
    """What holds, by its message."""
    taken_back: list[Telling] = field(default_factory=list)
    done: Tally = field(default_factory=Tally)
    archiving: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Nobody archives a thread in which somebody else is just about to edit something."""

    @property
    def api_base(self) -> str:
        return f"{self.http.base_url}".rstrip("/") + "/api/v10"

    @property
    def gateway_url(self) -> str:
        return f"{self.http.base_url}".replace("http", "ws", 1).rstrip("/") + "/gateway"

    def shard_of(self, shards: int) -> int:
        return (self.guild_id >> 22) % shards

    async def control(self, method: str, path: str, body: Payload | None = None) -> Payload:
        answer = (await self.http.request(method, f"/local{path}", json=body)).raise_for_status()
        told: Payload = (answer.json() if answer.content else None) or {}
        return told

    async def call(
        self, method: str, path: str, token: str, body: object = None, *, may_be_gone: bool = False
    ) -> httpx.Response:
        """As a member. The troubles are for the bot; a member they hit tries again. `may_be_gone`: somebody else may
        have deleted it a moment ago."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                answer = await self.http.request(method, f"/api/v10{path}", json=body, headers={"Authorization": token})
                if answer.status_code != 429 and answer.status_code < 500:
                    is_gone = may_be_gone and answer.status_code == 404
                    assert answer.is_success or is_gone, f"{method} {path}: {answer.status_code} {answer.text}"
                    return answer
                await asyncio.sleep(0.02)

    # What people do

    async def pour(self, count: int, places: Sequence[int] | None = None) -> None:
        order = {"count": count, "channels": list(places or self.places), "edits": 0.1, "deletes": 0.06}
        report = await self.control("POST", "/firehose", order | {"seed": self.rng.getrandbits(32)})
        self.done.messages += count
        self.done.edits += int(report["edits"])
        self.done.deletes += int(report["deletes"])

    async def say(self, text: str, place: int | None = None) -> int:
        answer = await self.call(
            "POST", f"/channels/{place or self.places[0]}/messages", self.keeper, {"content": text}
        )
        self.done.messages += 1
        return int(answer.json()["id"])

    async def talk(self, messages: int) -> None:
        """People talk and change their minds, tell the bot something, and now and then take that back."""
        await self.pour(messages)
        await self.tell()
        await self.change_their_minds(edits=max(1, messages // 20), deletes=max(1, messages // 40))
        await self.tell()
        if self.rng.random() < 0.3:
            await self.sweep_up(self.rng.choice(self.places))
        if self.rng.random() < 0.3:
            await self.archive(self.rng.choice(self.threads))
        if self.rng.random() < 0.3 and self.told:
            await self.take_back(self.rng.choice(list(self.told.values())))

    async def tell(self) -> None:
        number, place = next(self.numbers), self.rng.choice(self.desks)
        author, about = self.rng.choice(list(self.tokens.values())), self.rng.choice(PEOPLE)
        words = {"content": f"Bot remember that {about} counts to {number}"}
        answer = await self.call("POST", f"/channels/{place}/messages", author, words)
        telling = Telling(int(answer.json()["id"]), place, number, author)
        self.told[telling.message_id] = telling
        self.done.messages += 1
        self.done.told += 1

    async def take_back(self, telling: Telling) -> None:
        await self.call("DELETE", f"/channels/{telling.place}/messages/{telling.message_id}", telling.author)
        self.taken_back.append(self.told.pop(telling.message_id))
        self.done.deletes += 1
        self.done.taken_back += 1

    async def change_their_minds(self, edits: int, deletes: int) -> None:
        """Edit and delete what was said a while ago, anywhere; at times many at once."""
        for place in self.rng.choices(self.places, k=edits):
            message = await self._some_message(place)
            if message is not None and int(message["author"]["id"]) in self.tokens:
                text = f"{message['content']} (or so I thought, {self.rng.getrandbits(16)})"[:2000]
                path = f"/channels/{place}/messages/{message['id']}"
                async with self.archiving:
                    await self._open_again(place)
                    author = self.tokens[int(message["author"]["id"])]
                    await self.call("PATCH", path, author, {"content": text}, may_be_gone=True)
                self.done.edits += 1
        for place in self.rng.choices(self.places, k=deletes):
            message = await self._some_message(place)
            if message is not None:
                path = f"/channels/{place}/messages/{message['id']}"
                await self.call("DELETE", path, self.keeper, may_be_gone=True)
                self.done.deletes += 1

    async def sweep_up(self, place: int) -> None:
        """A bulk deletion of what is on one page."""
        page = await self._page(place, limit=self.rng.randint(4, 12))
        doomed = self.rng.sample([message["id"] for message in page], k=len(page) // 2)
        if len(doomed) >= 2:
            await self.call("POST", f"/channels/{place}/messages/bulk-delete", self.keeper, {"messages": doomed})
            self.done.deletes += len(doomed)

    async def archive(self, thread: int) -> None:
        """It wakes up when somebody speaks in it."""
        async with self.archiving:
            if not await self._is_archived(thread):
                await self.call("PATCH", f"/channels/{thread}", self.keeper, {"archived": True})

    async def _open_again(self, place: int) -> None:
        """Discord lets nobody edit anything in an archived thread."""
        if place in self.threads and await self._is_archived(place):
            await self.call("PATCH", f"/channels/{place}", self.keeper, {"archived": False})

    async def _is_archived(self, thread: int) -> bool:
        told = (await self.call("GET", f"/channels/{thread}", self.keeper)).json()
        return bool(told["thread_metadata"]["archived"])

    async def _some_message(self, place: int) -> Payload | None:
        page = await self._page(place, limit=30)
        if page and self.rng.random() < 0.5:
            page = await self._page(place, limit=100, before=page[-1]["id"]) or page
        return self.rng.choice(page) if page else None

    async def _page(self, place: int, limit: int, before: str | None = None) -> list[Payload]:
        upto = f"&before={before}" if before else ""
        answer = await self.call("GET", f"/channels/{place}/messages?limit={limit}{upto}", self.keeper)
        return [message for message in answer.json() if message["type"] in WRITTEN_BY_SOMEONE]

    # What is true

    async def rows(self) -> dict[int, Row]:
        """Every message that is there now, as its owner reads it back."""
        return {
            int(message["id"]): _row(place, message)
            for place in (*self.places, *self.desks)
            for message in await self._all_of(place)
            if message["type"] in WRITTEN_BY_SOMEONE
        }

    async def replies(self) -> dict[int, list[str]]:
        """What the bot says, by the message that it answers."""
        said: dict[int, list[str]] = {}
        for desk in self.desks:
            for message in await self._all_of(desk):
                if int(message["author"]["id"]) == self.bot_id:
                    answers = int((message.get("message_reference") or {}).get("message_id") or 0)
                    said.setdefault(answers, []).append(message["content"])
        return said

    async def unanswered(self) -> set[int]:
        """What was told and has no reply yet that confirms it, or was taken back and is repeated still."""
        replies = await self.replies()
        said = _numbers(words for replied in replies.values() for words in replied)
        waits = {told for told, each in self.told.items() if each.number not in _numbers(replies.get(told))}
        return waits | {each.message_id for each in self.taken_back if each.number in said}

    async def _all_of(self, place: int) -> list[Payload]:
        found: list[Payload] = []
        before = ""
        while True:
            path = f"/channels/{place}/messages?limit=100{before}"
            page: list[Payload] = (await self.call("GET", path, self.keeper)).json()
            found += page
            if len(page) < 100:
                return found
            before = f"&before={page[-1]['id']}"

    async def settle_in(self, name: str) -> None:
        """Who is there and where; the threads are started, some of them to sleep in the archive."""
        world = await self.control("GET", "/world")
        [guild] = [each for each in world["guilds"] if each["name"] == name]
        self.bot_token, self.bot_id, self.guild_id = world["bot"]["token"], int(world["bot"]["id"]), int(guild["id"])
        self.tokens = {int(member["id"]): member["token"] for member in guild["members"]}
        self.keeper = next(member["token"] for member in guild["members"] if member["name"] == PEOPLE[0])
        channels = [int(channel["id"]) for channel in guild["channels"]]
        self.desks, rooms = channels[:DESKS], channels[DESKS:]
        self.threads = [
            await self._thread(rooms[0], "spring", PUBLIC_THREAD),
            await self._thread(rooms[1], "summer", PUBLIC_THREAD),
            await self._thread(rooms[1], "autumn", PUBLIC_THREAD),
            await self._thread(rooms[2], "winter", PRIVATE_THREAD),
            await self._thread(rooms[3], "carnival", PRIVATE_THREAD),
            await self._thread(rooms[-1], "cellar keys", PUBLIC_THREAD),
        ]
        self.places = [*rooms, *self.threads]
        await self.pour(len(self.places) * 15)
        for thread in self.threads[1::2]:
            await self.archive(thread)

    async def _thread(self, parent: int, name: str, kind: int) -> int:
        answer = await self.call("POST", f"/channels/{parent}/threads", self.keeper, {"name": name, "type": kind})
        thread = int(answer.json()["id"])
        if kind == PRIVATE_THREAD:
            await self.call("PUT", f"/channels/{thread}/thread-members/{self.bot_id}", self.keeper)
        return thread


def _row(place: int, message: Payload) -> Row:
    edited = message["edited_timestamp"]
    return Row(
        channel_id=place,
        author_id=int(message["author"]["id"]),
        text=message["content"],
        edited_at=datetime.fromisoformat(edited) if edited else None,
    )


def _numbers(said: Iterable[str] | None) -> Counter[int]:
    return Counter(int(number) for words in said or () for number in re.findall(r"counts to (\d+)", words))


def _described(name: str) -> Payload:
    private = [PEOPLE[1], PEOPLE[2], "Innkeeper"]
    desks: list[Payload] = [{"name": f"desk-{number}"} for number in range(DESKS)]
    rooms: list[Payload] = [{"name": f"room-{number}"} for number in range(ROOMS)]
    back_rooms: list[Payload] = [{"name": f"back-room-{number}", "only": private} for number in range(PRIVATE_ROOMS)]
    guild = {
        "name": name,
        "owner": PEOPLE[0],
        "members": [{"name": name} for name in PEOPLE],
        "channels": desks + rooms + back_rooms,
    }
    return {"bot": "Innkeeper", "guilds": [guild]}


@contextlib.asynccontextmanager
async def chaos_guilds(folder: Path, rng: random.Random) -> AsyncIterator[list[ChaosGuild]]:
    """They outlive whatever is done to the bots and their database."""
    described = folder / "world.json"
    described.write_text(json.dumps(_described(NAMES[0])), encoding="utf-8")
    options = ["--port", "0", "--data-dir", str(folder / "local_guild"), "--world", str(described)]
    with (folder / "local_guild.log").open("wb") as log:
        started = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "local_guild", *options, stdout=asyncio.subprocess.PIPE, stderr=log
        )
    assert started.stdout is not None
    try:
        greeting = (await asyncio.wait_for(started.stdout.readline(), PATIENCE_SECONDS)).decode()
        url = next(word for word in greeting.split() if word.startswith("http://"))
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE_SECONDS, verify=NO_TLS) as http:
            numbers = count(1)
            guilds = [ChaosGuild(http, random.Random(rng.getrandbits(32)), numbers) for _ in NAMES]
            for guild, name in zip(guilds, NAMES, strict=True):
                if guild is not guilds[0]:
                    await guild.control("POST", "/world", _described(name))
                await guild.settle_in(name)
            yield guilds
    finally:
        if started.returncode is None:
            started.terminate()
        await started.wait()
