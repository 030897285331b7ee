"""The log after a storm: bot and database killed again and again, the gateway and REST in every kind of trouble.

In the end the log holds exactly what the guild holds: no message lost, none twice, none that was deleted. The seed is
printed; CHAOS_SEED=… blows the same storm again, up to the timing of processes. SOAK=1 makes it a long one,
of another seed each time.
"""

import os
import random
import secrets
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence

from tests.end_to_end.chaos_bot import BotProcess, chaos_bot
from tests.end_to_end.chaos_guild import ChaosGuild, Row, chaos_guild
from tests.end_to_end.chaos_mischief import ALL, Storm
from tests.end_to_end.innkeeper import open_folder

SOAK = bool(os.environ.get("SOAK"))
MESSAGES = 50_000 if SOAK else 2_000
BURST = 800 if SOAK else 200
USUAL = 7
"""The seed of every run that is no soak."""
SHOWN = 20


async def test_the_log_equals_the_guild_after_a_storm() -> None:
    seed = int(os.environ.get("CHAOS_SEED") or (secrets.randbits(32) if SOAK else USUAL))
    say(f"CHAOS_SEED={seed}")
    started = time.monotonic()
    with open_folder() as folder:
        async with chaos_guild(folder, random.Random(seed)) as guild, chaos_bot(folder, guild) as bot:
            storm = Storm(guild, bot, random.Random(seed + 1), BURST)
            await weather(storm)
            stored = await after_one_sweep(bot, guild)
            expected = await guild.rows()
    done, seconds = guild.done, time.monotonic() - started
    say(f"{done.messages} messages, {done.edits} edits, {done.deletes} deletes in {seconds:.0f} s, {bot.kills} kills")
    say(", ".join(f"{mischief} {times}" for mischief, times in sorted(storm.done.items())))
    assert done.messages >= MESSAGES
    assert len(expected) == done.messages - done.deletes, "the guild itself has lost something"
    wrong = differences(expected, stored)
    assert not wrong, f"CHAOS_SEED={seed}\n{wrong}"


async def weather(storm: Storm) -> None:
    """Every mischief once in an order of the seed's, and again until enough has been said."""
    storm.bot.start()
    await storm.calm()
    ahead = storm.rng.sample(ALL, k=len(ALL))
    while ahead or storm.guild.done.messages < MESSAGES:
        await storm.blow(ahead.pop() if ahead else storm.rng.choice(ALL))
        if storm.rng.random() < 0.8:
            await storm.calm()  # otherwise the next comes before the last is over


async def after_one_sweep(bot: BotProcess, guild: ChaosGuild) -> list[tuple[int, Row]]:
    """The sky is clear, the bot is started once more, catches up, sweeps once, and is stopped in good order."""
    await guild.control("DELETE", "/faults")
    bot.kill()
    bot.start(SWEEP_DAYS=f"{1 / 86_400:.8f}", SWEEP_PAUSE_SECONDS="0")
    await bot.until_swept_once()
    assert await bot.stop() == 0, bot.last_words()
    return await bot.stored()


def differences(expected: Mapping[int, Row], stored: Sequence[tuple[int, Row]]) -> str:
    """The ids that are wrong, by kind, the first of each; empty if the log is right."""
    known, times = dict(stored), Counter(message_id for message_id, _ in stored)
    both = expected.keys() & known.keys()
    kinds = {
        "lost": expected.keys() - known.keys(),
        "twice": {each for each in both if times[each] > 1},
        "deleted, but kept": known.keys() - expected.keys(),
        "in another channel": {each for each in both if expected[each].channel_id != known[each].channel_id},
        "by another author": {each for each in both if expected[each].author_id != known[each].author_id},
        "with another text": {each for each in both if expected[each].text != known[each].text},
        "with another edit time": {each for each in both if expected[each].edited_at != known[each].edited_at},
    }
    return "\n".join(f"{len(ids)} {kind}: {sorted(ids)[:SHOWN]}" for kind, ids in kinds.items() if ids)


def say(line: str) -> None:
    sys.stdout.write(f"chaos: {line}\n")
