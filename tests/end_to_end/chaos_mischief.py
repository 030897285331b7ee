"""What goes wrong in the chaos test. Each mischief is done while people talk; which, when and how is up to the seed."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.end_to_end.chaos_bot import BotProcess
from tests.end_to_end.chaos_guild import ChaosGuild

HISTORY = r"GET .*/messages$"
LONG_SECONDS = 60.0


@dataclass
class Storm:
    guild: ChaosGuild
    bot: BotProcess
    rng: random.Random
    burst: int
    """How many messages are said around one mischief."""
    done: Counter[str] = field(default_factory=Counter)
    talking: asyncio.Task[None] | None = None

    async def blow(self, mischief: "Mischief") -> None:
        """People talk, something goes wrong in the middle of it, and they talk on."""
        before = self.rng.randint(1, self.burst - 1)
        self.talking = asyncio.create_task(self.talk(before))
        await asyncio.wait({self.talking}, timeout=self.rng.choice((0.0, 0.02, 0.1, 0.4)))
        await mischief(self)
        self.done[mischief.__name__.replace("_", " ")] += 1
        await self.silence()
        await self.talk(self.burst - before)

    async def silence(self) -> None:
        """Until those who talk have finished."""
        if self.talking is not None:
            await self.talking

    async def talk(self, messages: int) -> None:
        await self.guild.pour(messages)
        await self.guild.change_their_minds(edits=max(1, messages // 20), deletes=max(1, messages // 40))
        if self.rng.random() < 0.3:
            await self.guild.sweep_up(self.rng.choice(self.guild.places))
        if self.rng.random() < 0.3:
            await self.guild.archive(self.rng.choice(self.guild.threads))

    async def calm(self) -> None:
        """No trouble is on, and what is said now reaches the log."""
        await self.guild.control("DELETE", "/faults")
        await self.bot.until_stored(await self.guild.say("Is anybody listening?"))


Mischief: TypeAlias = Callable[[Storm], Awaitable[None]]


async def kill_bot(storm: Storm) -> None:
    storm.bot.kill()
    storm.bot.start()


async def kill_bot_for_a_while(storm: Storm) -> None:
    """Much is said, edited and deleted before it is back."""
    storm.bot.kill()
    await storm.talk(storm.burst)
    storm.bot.start()


async def kill_server(storm: Storm) -> None:
    storm.bot.kill_database("server_pid")


async def kill_guardian(storm: Storm) -> None:
    storm.bot.kill_database("guardian_pid")


async def kill_backend(storm: Storm) -> None:
    await storm.bot.kill_backend()


async def kill_bot_and_server(storm: Storm) -> None:
    storm.bot.kill_database("server_pid")
    storm.bot.kill()
    storm.bot.start()


async def drop_the_gateway(storm: Storm) -> None:
    await storm.guild.control("POST", "/faults/sockets", {"code": storm.rng.choice((1012, 4000, 4009))})


async def refuse_to_resume(storm: Storm) -> None:
    await storm.guild.control("POST", "/faults/resumes", {"count": 1})
    await storm.guild.control("POST", "/faults/sockets", {"code": 4000})
    await storm.talk(storm.burst // 2)


async def ask_to_reconnect(storm: Storm) -> None:
    await storm.guild.control("POST", "/faults/reconnect")


async def invalidate_the_session(storm: Storm) -> None:
    await storm.guild.control("POST", "/faults/sessions", {"resumable": storm.rng.random() < 0.3})


async def shuffle_events(storm: Storm) -> None:
    """Twice, late and out of order; at times the bot dies over it."""
    trouble = {"duplicate": 0.2, "reorder": 0.2, "delay_seconds": storm.rng.choice((0, 0.05))}
    await storm.guild.control("POST", "/faults/events", trouble | {"seed": storm.rng.getrandbits(32)})
    await storm.talk(storm.burst)
    if storm.rng.random() < 0.5:
        storm.bot.kill()
        storm.bot.start()


async def lose_sight_of_the_guild(storm: Storm) -> None:
    outage = f"/guilds/{storm.guild.guild_id}/outage"
    await storm.silence()  # nobody can look into it, either
    await storm.guild.control("POST", outage)
    await storm.guild.pour(storm.burst // 2)
    await storm.guild.control("DELETE", outage)


async def trouble_rest(storm: Storm) -> None:
    """A new session has to be caught up with, by a REST API that stumbles."""
    requests = storm.rng.randint(2, 6)
    for trouble in ({"kind": "error", "status": 500}, {"kind": "rate_limit", "retry_after": 0.1}):
        await storm.guild.control("POST", "/faults/rest", {**trouble, "requests": requests, "path": HISTORY})
    await storm.guild.control("POST", "/faults/sessions", {"resumable": False})


async def die_while_catching_up(storm: Storm) -> None:
    """Some channels have been read, others hang: there the process ends."""
    guild, bot = storm.guild, storm.bot
    await storm.silence()  # people would hang, too
    bot.kill()
    await guild.pour(storm.burst)
    read, *hanging = storm.rng.sample(guild.places, 4)
    was_read, was_not = await guild.say("Who reads this?", read), await guild.say("And this?", hanging[0])
    for place in hanging:
        path = f"GET .*/channels/{place}/messages$"
        trouble = {"kind": "hang", "hang_seconds": LONG_SECONDS, "seconds": LONG_SECONDS, "path": path}
        await guild.control("POST", "/faults/rest", trouble)
    bot.start()
    await bot.until_stored(was_read)
    assert not await bot.is_stored(was_not), "it was to be killed in the middle of catching up, and is through"
    bot.kill()
    await guild.control("DELETE", "/faults")
    bot.start()


ALL: tuple[Mischief, ...] = (
    kill_bot,
    kill_bot_for_a_while,
    kill_server,
    kill_guardian,
    kill_backend,
    kill_bot_and_server,
    drop_the_gateway,
    refuse_to_resume,
    ask_to_reconnect,
    invalidate_the_session,
    shuffle_events,
    lose_sight_of_the_guild,
    trouble_rest,
    die_while_catching_up,
)
