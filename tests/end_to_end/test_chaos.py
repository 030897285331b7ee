"""Two guilds after a storm: their bots and the database killed again and again, the gateway and REST in every trouble.

In the end the log holds exactly what the guilds hold: no message lost, none twice, none that was deleted. What people
told the bots is known once and has one reply, and nothing is left of what they took back. The seed is printed;
CHAOS_SEED=… blows the same storm again, up to the timing of processes. SOAK=1 makes it a long one, of another seed each
time: at least SOAK_KILLS (30) deaths of a bot, and a fifth as many of the database.
"""

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pytest

from tests.end_to_end.chaos_bot import Kept, chaos_bots
from tests.end_to_end.chaos_guild import ChaosGuild, Row, Tally, chaos_guilds
from tests.end_to_end.chaos_mischief import ALL, Storm
from tests.end_to_end.innkeeper import open_folder
from tests.soak import SOAK, seed_of

KILLS = int(os.environ.get("SOAK_KILLS", "30")) if SOAK else 4
DATABASE_DEATHS = KILLS // 5
MESSAGES, BURST = (KILLS * 500, 500) if SOAK else (2_000, 120)
USUAL = 7
"""The seed of every run that is no soak."""
SHOWN = 20


@pytest.mark.soak
async def test_nothing_is_lost_or_done_twice_in_a_storm() -> None:
    seed = seed_of("CHAOS_SEED", USUAL)
    say(f"CHAOS_SEED={seed}")
    started = time.monotonic()
    with open_folder() as folder:
        async with chaos_guilds(folder, random.Random(seed)) as guilds, chaos_bots(folder, guilds) as bots:
            storm = Storm(guilds, bots, random.Random(seed + 1), BURST)
            await weather(storm)
            kept = await after_one_sweep(storm)
            expected = {message_id: row for guild in guilds for message_id, row in (await guild.rows()).items()}
            wrong = differences(expected, kept.log) + "".join([await misdeeds(guild, kept) for guild in guilds])
    done, seconds = all_done(guilds), time.monotonic() - started
    say(f"{done} in {seconds:.0f} s; {bots.kills} bots and {bots.database_deaths} databases killed")
    say(", ".join(f"{mischief} {times}" for mischief, times in sorted(storm.done.items())))
    assert not wrong, f"CHAOS_SEED={seed}\n{wrong}"
    assert (done.messages >= MESSAGES, bots.kills >= KILLS, bots.database_deaths >= DATABASE_DEATHS) == (True,) * 3


async def weather(storm: Storm) -> None:
    """Every mischief once in an order of the seed's, and again until there was enough of it."""
    for bot in storm.bots.all:
        bot.start()
    await storm.calm()
    ahead = storm.rng.sample(ALL, k=len(ALL))
    while ahead or not is_enough(storm):
        await storm.blow(ahead.pop() if ahead else storm.rng.choice(ALL))
        if storm.rng.random() < 0.8:
            await storm.calm()  # otherwise the next comes before the last is over


def is_enough(storm: Storm) -> bool:
    bots = storm.bots
    said = all_done(storm.guilds).messages
    return bots.kills >= KILLS and bots.database_deaths >= DATABASE_DEATHS and said >= MESSAGES


def all_done(guilds: Iterable[ChaosGuild]) -> Tally:
    return sum((guild.done for guild in guilds), Tally())


async def after_one_sweep(storm: Storm) -> Kept:
    """The sky is clear, the bots are started once more, catch up, sweep once, and are stopped in good order."""
    await storm.guilds[0].control("DELETE", "/faults")
    for bot in storm.bots.all:
        bot.kill()
        bot.start(SWEEP_DAYS=f"{1 / 86_400:.8f}", SWEEP_PAUSE_SECONDS="0")
    for bot in storm.bots.all:
        await storm.bots.until_swept_once(bot)
        await storm.bots.until_answered(bot)
    for bot in storm.bots.all:
        await bot.stop()
    return await storm.bots.kept()


def differences(expected: Mapping[int, Row], stored: Sequence[tuple[int, Row]]) -> str:
    """The ids that are wrong, by kind, the first of each; empty if the log is right."""
    known, times = dict(stored), Counter(message_id for message_id, _ in stored)
    both = expected.keys() & known.keys()
    return listed(
        {
            "lost": expected.keys() - known.keys(),
            "twice": {each for each in both if times[each] > 1},
            "deleted, but kept": known.keys() - expected.keys(),
            "in another channel": {each for each in both if expected[each].channel_id != known[each].channel_id},
            "by another author": {each for each in both if expected[each].author_id != known[each].author_id},
            "with another text": {each for each in both if expected[each].text != known[each].text},
            "with another edit time": {each for each in both if expected[each].edited_at != known[each].edited_at},
        }
    )


async def misdeeds(guild: ChaosGuild, kept: Kept) -> str:
    """The tellings that are wrong, by kind: each is known once, by its message, and has one reply."""
    known = Counter(message_id for guild_id, message_id in kept.facts if guild_id == guild.guild_id)
    replies = await guild.replies()
    taken_back = {each.message_id for each in guild.taken_back}
    # Whoever could not be served, and did not wait for it, was told so; it repeats nothing, and may stay.
    say(f"stands under what was taken back: {[replies[each] for each in taken_back & replies.keys()]}")
    return listed(
        {
            "not carried out": guild.told.keys() - known.keys(),
            "carried out twice": {told for told, times in known.items() if times > 1},
            "taken back or never told, but known": known.keys() - guild.told.keys(),
            "not answered": guild.told.keys() - replies.keys(),
            "answered twice": {told for told, said in replies.items() if len(said) > 1},
            "answered, though nobody told it": replies.keys() - guild.told.keys() - taken_back,
            "answered wrong": await guild.unanswered(),
        }
    )


def listed(kinds: Mapping[str, Iterable[int]]) -> str:
    return "".join(
        f"{len(ids)} {kind}: {sorted(ids)[:SHOWN]}\n" for kind, found in kinds.items() if (ids := set(found))
    )


def say(line: str) -> None:
    sys.stdout.write(f"chaos: {line}\n")
