"""Three processes on one memory in a storm: each job takes effect once, no message is lost, and no reply is doubled.

Their clocks are half a minute apart, and they reach the database through PgBouncer. Each fault comes once; SOAK=1
brings each to every process, with the times of every day, and stops one for a minute.
"""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memory.shards import LeaseTimes
from tests.end_to_end.cable import Cable, cable_to
from tests.end_to_end.erasure.processes import Failed, Process
from tests.end_to_end.house import GENERAL, House, Inn, eventually, open_house, until
from tests.end_to_end.reminding import said_in
from tests.end_to_end.test_reminders_once import bot_process
from tests.pgbouncer import PgBouncer, pgbouncer_before
from tests.soak import SOAK

TIMES = LeaseTimes() if SOAK else LeaseTimes(renew=0.5, hold=6.0, take=8.0, look=0.1)
STARTS = 12
"""What a stopped process holds may keep the next one waiting for 25 s; `make run` starts it again and again."""
STOPPED_SECONDS = 60.0 if SOAK else 0.0
AHEAD = (0.0, 30.0, -30.0)
LOOKED_EVERY = 31.0
"""Seconds within which a process looks for what is due, whoever told another."""
LONG_AGO = 120.0
THINGS = "kettle ladder lantern barrel mirror violin bucket basket candle carpet hammer pillow"


@dataclass
class Storm:
    house: House
    folder: Path
    cable: Cable
    bouncer: PgBouncer
    inns: dict[int, Inn]
    """By shard."""
    shards: int
    bots: dict[int, Process] = field(default_factory=dict)
    moved: float = 0.0
    started: int = 0
    told: list[tuple[Inn, int]] = field(default_factory=list)
    said: list[tuple[Inn, int]] = field(default_factory=list)
    quoting: list[tuple[Inn, int]] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)

    async def start(self, shard: int) -> Process:
        """Another process for a shard, whose clock differs as that of the one before."""
        self.started += 1
        more: dict[str, object] = {"times": asdict(TIMES), "shards": [[shard], self.shards]}
        memory: dict[str, object] = {
            "database_url": self.bouncer.url,
            "database_pooled": True,
            "heartbeat_seconds": 0.5,
        }
        bot = bot_process(f"bot-{self.started}", self.house, self.folder, more=more, **memory)
        self.bots[shard] = bot
        for tries in range(STARTS):
            try:
                await bot.start(AHEAD[list(self.inns).index(shard)] + self.moved)
                break
            except Failed:
                if bot.is_running or tries == STARTS - 1:
                    raise
        return bot

    async def end(self) -> None:
        await asyncio.gather(*(bot.end() for bot in self.bots.values()))

    # What is to be done

    async def prepare(self, turn: int) -> list[tuple[Inn, int, int]]:
        """In every guild a reminder that will be due, and an answer whose source will be deleted: both messages."""
        thing, quoted = THINGS.split()[turn % 12], []
        for inn in self.inns.values():
            aylin = inn.person("aylin")
            await aylin.ask(f"Bot remind me in 3 hours of turn {turn:02}")
            source = await aylin.say(f"The {thing} stands behind the stove.")
            await inn.until_stored(source)
            asked = await aylin.say(f"Bot where does the {thing} stand?")
            answer = await aylin.hear_reply(asked)
            assert "stove" in answer["content"]
            quoted.append((inn, source, int(answer["id"])))
            self.said.append((inn, asked))
        return quoted

    async def talk(self, turn: int, quoted: list[tuple[Inn, int, int]]) -> None:
        """While something is wrong: people talk and tell, reminders fall due, and what was quoted is deleted."""
        for inn, source, answer in quoted:
            aylin, place = inn.person("aylin"), inn.channel(GENERAL).id
            self.said.append((inn, await aylin.say(f"Meanwhile {turn} candles burn.")))
            self.told.append((inn, await aylin.say(f"Bot remember that gruzilkin counts to {turn}")))
            await aylin.call("DELETE", f"/channels/{place}/messages/{source}")
            self.quoting.append((inn, answer))
        self.turns.append(f"turn {turn:02}")
        await self.house.rows(
            "UPDATE reminders SET due_at = date_trunc('second', clock_timestamp() + make_interval(secs => $2))"
            " WHERE text = $1 RETURNING 1",
            self.turns[-1],
            self.moved - LONG_AGO,
        )

    async def settle(self) -> None:
        """Until all of it is done; whoever waits for a moment that has come looks again."""
        for bot in self.bots.values():
            await bot.order("connect")
            await bot.order("move", seconds=LOOKED_EVERY)
        self.moved += LOOKED_EVERY
        self.house.server.clock.advance(timedelta(seconds=LOOKED_EVERY))
        for inn, told in self.told:
            await inn.person("aylin").hear_reply(told)
            await eventually(partial(self._facts, inn), lambda facts: len(facts) >= len(self.turns))
        for inn, said in (*self.said, *self.told):
            await inn.until_stored(said)
        await until(lambda: all(self._reminded(inn, turn) for inn in self.inns.values() for turn in self.turns))
        await until(lambda: not any(map(self._still_quotes, self.quoting)))

    async def count(self) -> None:
        """Nothing twice, however late."""
        for inn, told in self.told:
            assert len(await inn.person("aylin").replies_to(told)) == 1
        for inn in self.inns.values():
            assert [self._reminded(inn, turn) for turn in self.turns] == [1] * len(self.turns)
            facts = await self._facts(inn)
            assert len(facts) == len({fact["text"] for fact in facts}) == len(self.turns)

    async def _facts(self, inn: Inn) -> list[dict[str, Any]]:
        """What was told while memory was out of reach is answered with that first, and kept afterwards."""
        return await self.house.rows("SELECT text FROM facts WHERE guild_id = $1", inn.guild.id)

    def _reminded(self, inn: Inn, turn: str) -> int:
        return len(said_in(inn, inn.channel(GENERAL).id, f"⏰ {turn}"))

    def _still_quotes(self, answer: tuple[Inn, int]) -> bool:
        inn, message_id = answer
        found = self.house.server.world.message(inn.channel(GENERAL).id, message_id)
        return found is not None and "stove" in found.content

    def connected(self) -> int:
        return sum(1 for one in self.house.server.sessions if one.application and one.link)


Fault = Callable[[Storm, int, Callable[[], Awaitable[None]]], Awaitable[None]]


async def killed(storm: Storm, shard: int, meanwhile: Callable[[], Awaitable[None]]) -> None:
    await storm.bots[shard].kill()
    await meanwhile()
    await storm.start(shard)


async def stopped(storm: Storm, shard: int, meanwhile: Callable[[], Awaitable[None]]) -> None:
    """Another takes over; the one that was stopped goes on where it was, and must not say a word."""
    sleeper = storm.bots[shard]
    sleeper.signal(signal.SIGSTOP)
    try:
        await meanwhile()
        heir = await storm.start(shard)
        await heir.order("connect")
        await asyncio.sleep(STOPPED_SECONDS)
        sleeper.signal(signal.SIGCONT)
        await until(lambda: "Its shards are those of another process" in sleeper.log.read_text(errors="replace"))
    finally:
        await sleeper.kill()  # a stopped one would be waited for at the end of the run


async def without_database(storm: Storm, _shard: int, meanwhile: Callable[[], Awaitable[None]]) -> None:
    """For so long that all of them leave Discord."""
    await storm.cable.cut()
    await meanwhile()
    await until(lambda: not storm.connected())
    await storm.cable.mend()


async def pooler_restarted(storm: Storm, _shard: int, meanwhile: Callable[[], Awaitable[None]]) -> None:
    storm.bouncer.stop()
    await meanwhile()
    await storm.bouncer.start()


FAULTS: tuple[Fault, ...] = (killed, stopped, without_database, pooler_restarted)


@pytest.mark.soak
async def test_whatever_fails_each_job_takes_effect_once(database_url: str, tmp_path: Path) -> None:
    async with storming(database_url, tmp_path) as storm:
        await asyncio.gather(*map(storm.start, storm.inns))
        for bot in storm.bots.values():
            await bot.order("connect")
        turns = [(fault, shard) for shard in storm.inns for fault in FAULTS]
        chosen = turns if SOAK else [(fault, list(storm.inns)[place % 3]) for place, fault in enumerate(FAULTS)]
        for turn, (fault, shard) in enumerate(chosen):
            quoted = await storm.prepare(turn)

            async def talk(turn: int = turn, quoted: list[tuple[Inn, int, int]] = quoted) -> None:
                await storm.talk(turn, quoted)

            await fault(storm, shard, talk)
            await storm.settle()
        await storm.count()


@contextlib.asynccontextmanager
async def storming(database_url: str, folder: Path) -> AsyncIterator[Storm]:
    """With a guild on a shard of its own for each process."""
    async with (
        cable_to(database_url) as cable,
        pgbouncer_before(cable.url) as bouncer,
        open_house(folder, database_url, guilds=len(AHEAD)) as house,
    ):
        guilds = list(house.server.world.guilds.values())[: len(AHEAD)]
        shards = next(of for of in range(3, 1_000) if len({(guild.id >> 22) % of for guild in guilds}) == len(guilds))
        inns = {(guild.id >> 22) % shards: Inn(house, guild) for guild in guilds}
        storm = Storm(house, folder, cable, bouncer, inns, shards)
        try:
            yield storm
        finally:
            await storm.end()
