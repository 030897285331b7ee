"""Whatever happens to a guild, in whatever order and while the bot is whatever far away: the mirror ends up right."""

import contextlib
import random
from collections.abc import AsyncIterator

import pytest

from tests.end_to_end.house import Inn
from tests.end_to_end.leaks.canaries import Canaries
from tests.end_to_end.leaks.upheaval import Upheaval
from tests.end_to_end.mirror import Mirror

SCENES = 8
CHANGES_EACH = 12
FEWEST = 3


@contextlib.asynccontextmanager
async def out_of_touch(inn: Inn, how: str) -> AsyncIterator[None]:
    """What happens meanwhile the bot sees, or has to find out afterwards."""
    control, bot_id = inn.house.server.control, inn.house.bot.id
    if how == "session lost":
        await control.refuse_resumes()
    if how in ("connection lost", "session lost"):
        await control.drop_sockets(user_id=bot_id)
    if how == "guild unavailable":
        await control.fall_out(inn.guild)
    yield
    if how == "guild unavailable":
        await control.recover(inn.guild)


WAYS = ("seen", "seen", "connection lost", "session lost", "guild unavailable")


@pytest.mark.parametrize("seed", [11, 12, 13])
async def test_the_mirror_ends_up_right(own_inn: Inn, seed: int) -> None:
    rng, mirror = random.Random(seed), Mirror(own_inn)
    upheaval = Upheaval(own_inn.house.server, rng, Canaries(random.Random(seed)), fewest=FEWEST)
    for _ in range(2):
        own_inn.house.health.part("gateway").initializing()
        async with own_inn.house.bot_running():
            await mirror.agrees()
            for _ in range(SCENES // 2):
                async with out_of_touch(own_inn, rng.choice(WAYS)):
                    upheaval.change(own_inn.guild, CHANGES_EACH)
                await mirror.agrees()
        upheaval.change(own_inn.guild, CHANGES_EACH)
