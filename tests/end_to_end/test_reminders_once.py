"""A reminder is said once, whatever ends the process that says it: two real ones, their clocks 30 seconds apart."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

from local_guild.faults import RestTrouble
from tests.end_to_end.erasure.processes import Process
from tests.end_to_end.house import House, Inn, eventually, until
from tests.end_to_end.reminding import rows_of, said_in

APART = 30.0
LONGER_THAN_A_LEASE = 150.0
LONGER_THAN_NONCES = 900.0
"""For so long Discord itself would drop what is sent twice."""


@contextlib.asynccontextmanager
async def two_bots(house: House, folder: Path) -> AsyncIterator[tuple[Process, Process]]:
    given = {
        "memory": {"data_dir": str(folder / "data"), "database_url": house.database_url},
        "models": {},
        "bot": {
            "token": house.bot.token,
            "api_base": house.address.api_url,
            "gateway_url": house.address.gateway_url,
        },
    }
    first, second = (Process(role, folder, given) for role in ("first", "second"))
    try:
        yield first, second
    finally:
        await asyncio.gather(first.end(), second.end())


async def test_it_is_said_once_whatever_ends_the_one_who_says_it(own_house: House, tmp_path: Path) -> None:
    inn = Inn(own_house, next(own_house.fresh))
    channel_id, aylin = inn.channel("general").id, inn.person("aylin")
    posting = rf"POST .*/channels/{channel_id}/messages$"

    async def due(number: int, ahead: float) -> None:
        """For whoever's clock is so far ahead, and for nobody else yet."""
        await own_house.rows(
            "UPDATE reminders SET due_at = date_trunc('second', clock_timestamp() + make_interval(secs => $2))"
            " WHERE text = $1 RETURNING 1",
            f"turn {number}",
            ahead,
        )

    def said(number: int) -> int:
        return len(said_in(inn, channel_id, f"⏰ turn {number}"))

    async def is_claimed(number: int) -> bool:
        return any(row["text"] == f"turn {number}" and row["claimed_by"] is not None for row in await rows_of(inn))

    async def is_sent(number: int) -> bool:
        return any(row["text"] == f"turn {number}" and row["state"] == "sent" for row in await rows_of(inn))

    async def begin(bot: Process, ahead: float) -> None:
        """Until it knows who sees what."""
        await bot.start(ahead)
        await bot.order("connect")
        knows = "SELECT 1 FROM guilds JOIN process_health ON run = places_run WHERE process = $1 AND guild_id = $2"
        await eventually(lambda: own_house.rows(knows, bot.role, inn.guild.id))

    async def let_pass(bot: Process, seconds: float = LONGER_THAN_A_LEASE) -> None:
        own_house.server.clock.advance(timedelta(seconds=seconds))
        await bot.order("move", seconds=seconds)

    async with two_bots(own_house, tmp_path) as (first, second):
        await begin(first, 0)
        for number in (1, 2, 3):
            await aylin.ask(f"Bot remind me in 3 hours of turn {number}")
        assert all(row["in_hall"] for row in await rows_of(inn))

        # Before the claim.
        await first.kill()
        await due(1, 0)
        await begin(second, 0)
        await eventually(lambda: is_sent(1))
        assert said(1) == 1

        # After the claim: the one whose clock is ahead has it, and Discord holds what it sends.
        await begin(first, 0)
        own_house.server.faults.trouble_rest(RestTrouble(kind="hang", path=posting, seconds=600, hang_seconds=5))
        await due(2, APART / 2)
        await second.order("move", seconds=APART)
        await eventually(lambda: is_claimed(2))
        await second.kill()
        own_house.server.faults.clear()
        assert said(2) == 0
        await let_pass(first)
        await eventually(lambda: is_sent(2))
        assert said(2) == 1

        # After sending and before marking: it stands there, and nobody was told.
        await begin(second, LONGER_THAN_A_LEASE)
        own_house.server.faults.trouble_rest(RestTrouble(kind="unanswered", path=posting, seconds=600, hang_seconds=5))
        await due(3, LONGER_THAN_A_LEASE + APART / 2)
        await second.order("move", seconds=APART)
        await until(lambda: said(3) == 1)
        await second.kill()
        own_house.server.faults.clear()
        assert not await is_sent(3)
        await let_pass(first, LONGER_THAN_NONCES)
        await eventually(lambda: is_sent(3))
        assert [said(number) for number in (1, 2, 3)] == [1, 1, 1]
        receipts = await own_house.rows("SELECT message_ids FROM receipts WHERE guild_id = $1", inn.guild.id)
        assert sum(said_in(inn, channel_id, "⏰ turn")[0].id in row["message_ids"] for row in receipts) == 1
