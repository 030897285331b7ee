"""Does what goes wrong in the chaos test, while people talk; which mischief, when and how is up to the seed."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.end_to_end.chaos_bot import BotProcess, Bots
from tests.end_to_end.chaos_guild import ChaosGuild

HISTORY, POSTS = r"GET .*/messages$", r"POST .*/messages$"
LONG_SECONDS = 60.0
MOST_OWED = 10
"""Replies to a guild. Of more than twenty calls that wait in one channel the bot answers the newest alone."""


@dataclass
class Storm:
    guilds: list[ChaosGuild]
    bots: Bots
    rng: random.Random
    burst: int
    """How many messages are said around one mischief."""
    done: Counter[str] = field(default_factory=Counter)
    talking: asyncio.Task[None] | None = None

    async def blow(self, mischief: "Mischief") -> None:
        """People talk, something goes wrong in the middle of it, and they talk on."""
        await self.answers_owed()
        before = self.rng.randint(1, self.burst - 1)
        self.talking = asyncio.create_task(self.talk(before))
        await asyncio.wait({self.talking}, timeout=self.rng.choice((0.0, 0.02, 0.1, 0.4, 1.0)))
        await mischief(self)
        self.done[mischief.__name__.replace("_", " ")] += 1
        await self.silence()
        await self.talk(self.burst - before)

    async def silence(self) -> None:
        """Until those who talk have finished."""
        if self.talking is not None:
            await self.talking

    async def talk(self, messages: int) -> None:
        """In all guilds at once."""
        share = max(1, messages // len(self.guilds))
        await asyncio.gather(*(guild.talk(share) for guild in self.guilds))

    async def calm(self) -> None:
        """No trouble is on, and what is said now reaches the log."""
        await self.guilds[0].control("DELETE", "/faults")
        for bot in self.bots.all:
            await self.bots.until_stored(bot, await bot.guild.say("Is anybody listening?"))

    async def answers_owed(self) -> None:
        """Wait, where many wait for a reply, until all have theirs."""
        for bot in self.bots.all:
            if len(await bot.guild.unanswered()) > MOST_OWED:
                await self.guilds[0].control("DELETE", "/faults")
                await self.bots.until_answered(bot)

    def some_bot(self) -> BotProcess:
        return self.rng.choice(self.bots.all)

    async def control(self, trouble: str, /, **order: object) -> None:
        await self.guilds[0].control("POST", f"/faults/{trouble}", order)


Mischief: TypeAlias = Callable[[Storm], Awaitable[None]]


async def kill_bot(storm: Storm) -> None:
    bot = storm.some_bot()
    bot.kill()
    bot.start()


async def kill_bot_for_a_while(storm: Storm) -> None:
    """Much is said, edited and deleted before it is back."""
    bot = storm.some_bot()
    bot.kill()
    await storm.talk(storm.burst)
    bot.start()


async def kill_all_bots(storm: Storm) -> None:
    for bot in storm.bots.all:
        bot.kill()
    for bot in storm.bots.all:
        bot.start()


async def kill_server(storm: Storm) -> None:
    storm.bots.kill_database("server_pid")


async def kill_guardian(storm: Storm) -> None:
    storm.bots.kill_database("guardian_pid")


async def kill_backend(storm: Storm) -> None:
    await storm.bots.kill_backend()


async def kill_bot_and_server(storm: Storm) -> None:
    storm.bots.kill_database("server_pid")
    await kill_bot(storm)


async def drop_the_gateway(storm: Storm) -> None:
    await storm.control("sockets", code=storm.rng.choice((1012, 4000, 4009)))


async def refuse_to_resume(storm: Storm) -> None:
    await storm.control("resumes", count=len(storm.bots.all))
    await storm.control("sockets", code=4000)
    await storm.talk(storm.burst // 2)


async def ask_to_reconnect(storm: Storm) -> None:
    await storm.control("reconnect")


async def invalidate_the_session(storm: Storm) -> None:
    await storm.control("sessions", resumable=storm.rng.random() < 0.3)


async def shuffle_events(storm: Storm) -> None:
    """Twice, late and out of order; at times the bot dies over it."""
    delay, seed = storm.rng.choice((0, 0.05)), storm.rng.getrandbits(32)
    await storm.control("events", duplicate=0.2, reorder=0.2, delay_seconds=delay, seed=seed)
    await storm.talk(storm.burst)
    if storm.rng.random() < 0.5:
        await kill_bot(storm)


async def lose_sight_of_a_guild(storm: Storm) -> None:
    guild = storm.rng.choice(storm.guilds)
    outage = f"/guilds/{guild.guild_id}/outage"
    await storm.silence()  # nobody can look into it, either
    await guild.control("POST", outage)
    await guild.pour(storm.burst // 2)
    await guild.control("DELETE", outage)


async def trouble_rest(storm: Storm) -> None:
    """A new session has to be caught up with, and people answered, by a REST API that stumbles."""
    for path in (HISTORY, POSTS):
        requests = storm.rng.randint(2, 6)
        await storm.control("rest", kind="error", status=500, requests=requests, path=path)
        await storm.control("rest", kind="rate_limit", retry_after=0.1, requests=requests, path=path)
    await storm.control("sessions", resumable=False)


async def die_while_catching_up(storm: Storm) -> None:
    """Some channels have been read, others hang: there the process ends."""
    bot = storm.some_bot()
    guild = bot.guild
    await storm.silence()  # people would hang, too
    bot.kill()
    await guild.pour(storm.burst)
    read, *hanging = storm.rng.sample(guild.places, 4)
    was_read, was_not = await guild.say("Who reads this?", read), await guild.say("And this?", hanging[0])
    for place in hanging:
        path = f"GET .*/channels/{place}/messages$"
        await storm.control("rest", kind="hang", hang_seconds=LONG_SECONDS, seconds=LONG_SECONDS, path=path)
    bot.start()
    await storm.bots.until_stored(bot, was_read)
    assert not await storm.bots.is_stored(bot, was_not), "it was to be killed in the middle of catching up"
    bot.kill()
    await guild.control("DELETE", "/faults")
    bot.start()


ALL: tuple[Mischief, ...] = (
    kill_bot,
    kill_bot_for_a_while,
    kill_all_bots,
    kill_server,
    kill_guardian,
    kill_backend,
    kill_bot_and_server,
    drop_the_gateway,
    refuse_to_resume,
    ask_to_reconnect,
    invalidate_the_session,
    shuffle_events,
    lose_sight_of_a_guild,
    trouble_rest,
    die_while_catching_up,
)
