"""A process of Innkeeper's that obeys orders: the bot, or the web process beside it.

Composed as `main.py bot` and `main.py web` compose theirs, with a time that can be moved on, and with orders to look at
itself: what lives in its memory, and what its own view of the guild tells to whom.
"""

import asyncio
import json
import logging
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.end_to_end.erasure import moved_time  # isort: skip - before anything that asks for the time

from pydantic import SecretStr

from ai_clients.build import Models, build_models
from ai_clients.settings import ModelOptions
from bot.run import run_bot
from bot.settings import BotOptions
from launch.logs import LineFormatter
from memory.access import Door, KeyKind, Refusal
from memory.core.values import AuthorKind, Message, MessageEdit
from memory.db import database as db
from memory.health import Health, PartState
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from memory.shards import ALL, LeaseTimes, Shards
from memory.tasks import RequestIdFilter
from tests.end_to_end.erasure.living_objects import explain, search

Payload = dict[str, Any]
TRIES = 100
"""To have a guild for the night. Who was killed with it in their hand does not give it back."""
LOUD = ("bot", "memory", "web", "launch", "ai_clients")


class InnProcess:
    def __init__(self, memory: MemoryManager, health: Health, clock: moved_time.MovedClock) -> None:
        self._memory = memory
        self._health = health
        self._clock = clock

    async def obey(self, order: Payload) -> object:
        given = {name: value for name, value in order.items() if name != "order"}
        obeyed: Callable[..., Awaitable[object]] = getattr(self, f"order_{order['order']}")
        return await obeyed(**given)

    async def order_move(self, seconds: float) -> None:
        moved_time.move(timedelta(seconds=seconds))
        await asyncio.sleep(0.05)  # whoever was waiting takes a turn

    async def order_connect(self) -> None:
        """Until Discord tells us what happens."""
        while self._health.part("gateway").snapshot().state is not PartState.ACTIVE:  # noqa: ASYNC110 - another's state
            await asyncio.sleep(0.02)

    async def order_search(self) -> list[str]:
        return search()

    async def order_explain(self, needle: str) -> str:
        return explain(needle)

    async def order_sign_in(self, guild_id: int, user_id: int) -> tuple[str, str]:
        """As soon as it is known who may read what: time that has moved on is news to everybody."""
        access = self._memory.access
        session = await access.sign_in(guild_id, user_id)
        while (door := await access.door(session, KeyKind.SESSION)) is Refusal.CLOSED:  # noqa: ASYNC110 - another's state
            await asyncio.sleep(0.05)
        if not isinstance(door, Door):
            return "", ""
        return session, await access.make_token(door, "", 1, may_write=True) or ""

    async def order_night(self) -> None:
        """Once the days are told anew that an erasure took before. Whoever is at a guild just then is waited for."""
        nightly = self._memory.day_answers.nightly
        await asyncio.gather(*nightly._mending)
        for guild_id in await nightly._guilds.present():
            for _ in range(TRIES):
                async with nightly._claims.held(guild_id, "night") as claim:
                    if claim is not None:
                        break
                await asyncio.sleep(0.1)
        await nightly.round()

    async def order_memories(self) -> int:
        return await self._memory.memories.take_due()

    async def order_purge(self) -> None:
        await self._memory.purge(self._clock.now())

    async def order_bring(self, messages: list[Payload]) -> None:
        """What somebody who has not heard of any deletion would still write: pages of history, and late edits."""
        for one in messages:
            message = Message(
                one["guild_id"],
                one["channel_id"],
                one["message_id"],
                one["author_id"],
                AuthorKind.PERSON,
                one["text"],
                self._clock.now() - timedelta(days=2),
                speaker=one["speaker"],
            )
            await self._memory.log.store_page(message.guild_id, message.channel_id, [message])
            edited_at = self._clock.now()
            await self._memory.log.edit_message(MessageEdit(replace(message, edited_at=edited_at)))
        await self._memory.log.settled()


async def _orders(process: InnProcess, orders: socket.socket, url: str) -> None:
    reader, writer = await asyncio.open_connection(sock=orders, limit=2**24)
    await _say(writer, {"ready": url})
    while line := await reader.readline():
        order = json.loads(line)
        del line
        if order["order"] == "stop":
            return
        try:
            answer = {"done": await process.obey(order)}
        except Exception as error:
            logging.getLogger(__name__).exception("an order failed")
            answer = {"failed": repr(error)}
        del order
        await _say(writer, answer)
        del answer


async def _say(writer: asyncio.StreamWriter, answer: object) -> None:
    writer.write(json.dumps(answer).encode() + b"\n")
    await writer.drain()


async def run(given: Payload, orders: socket.socket) -> None:
    clock = moved_time.MovedClock()
    moved_time.move(timedelta(seconds=given["ahead"]))
    health = Health(given["role"], clock)
    models = await _models(given)
    options = MemoryOptions.model_validate(given["memory"])
    memory = await MemoryManager.open(options, clock=clock, health=health, models=models)
    stop = asyncio.Event()
    try:
        running = asyncio.create_task(_run_bot(given, memory, health, clock, stop)) if "bot" in given else None
        async with _served(memory) if running is None else nullcontext("") as url:
            await _orders(InnProcess(memory, health, clock), orders, url)
        stop.set()
        if running is not None:
            await running
    finally:
        await memory.close()
        await models.close()


@asynccontextmanager
async def _served(memory: MemoryManager) -> AsyncIterator[str]:
    """The panel and the API; where. Imported late, as in `launch/processes.py`: the bot does without."""
    from local_guild.port import bind
    from local_guild.serving import serving
    from web.app import create_app

    bound = bind("127.0.0.1", 0)
    async with serving(create_app(memory.heartbeat.report, lambda: memory, None), bound):
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


async def _models(given: Payload) -> Models:
    return await build_models(ModelOptions.model_validate(given["models"]))


async def _run_bot(
    given: Payload, memory: MemoryManager, health: Health, clock: moved_time.MovedClock, stop: asyncio.Event
) -> None:
    options = BotOptions.model_validate(given["bot"] | {"token": SecretStr(given["bot"]["token"])})
    ids, of = given.get("shards", [ALL.ids, ALL.of])
    times = LeaseTimes(**given.get("times", {}))
    await run_bot(options, memory, health, clock, stop, Shards(tuple(ids), of), times)


def main(given: str, orders: socket.socket) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(RequestIdFilter())
    handler.setFormatter(LineFormatter(as_json=False))
    logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.INFO)
    for name in LOUD:
        logging.getLogger(name).setLevel(logging.DEBUG)
    db.STOPPED = "transaction_timeout = '40s'"  # tests do not wait for minutes
    asyncio.run(run(json.loads(given), orders))
