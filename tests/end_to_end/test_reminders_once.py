"""A reminder is said once, whatever ends the process that says it: two real ones, their clocks 30 seconds apart."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Literal

from local_guild.faults import RestTrouble
from tests.end_to_end.erasure.processes import Process
from tests.end_to_end.house import House, Inn, eventually, open_house, until
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
            "identify_seconds": 0.0,
        },
    }
    first, second = (Process(role, folder, given) for role in ("first", "second"))
    try:
        yield first, second
    finally:
        await asyncio.gather(first.end(), second.end())


async def test_it_is_said_once_whatever_ends_the_one_who_says_it(database_url: str, tmp_path: Path) -> None:
    """One process is killed before it claims a reminder, after it claimed another, and, in another guild, after it said
    a third and before it marked that."""
    async with open_house(tmp_path, database_url, guilds=2) as house, two_bots(house, tmp_path) as (first, second):
        inn, other = Inn(house, next(house.fresh)), Inn(house, next(house.fresh))
        asked_in = {1: inn, 2: inn, 3: other}

        def place_of(number: int) -> int:
            return asked_in[number].channel("general").id

        def said(number: int) -> int:
            return len(said_in(asked_in[number], place_of(number), f"⏰ turn {number}"))

        async def due(number: int, ahead: float) -> None:
            """For whoever's clock is so far ahead, and for nobody else yet."""
            await house.rows(
                "UPDATE reminders SET due_at = date_trunc('second', clock_timestamp() + make_interval(secs => $2))"
                " WHERE text = $1 RETURNING 1",
                f"turn {number}",
                ahead,
            )

        async def row_of(number: int) -> dict[str, object]:
            return next(row for row in await rows_of(asked_in[number]) if row["text"] == f"turn {number}")

        async def connected(bot: Process) -> None:
            """Until it knows who sees what."""
            await bot.order("connect")
            knows = "SELECT 1 FROM guilds JOIN process_health ON run = places_run WHERE process = $1 AND guild_id = $2"
            for one in (inn, other):
                await eventually(lambda one=one: house.rows(knows, bot.role, one.guild.id))  # type: ignore[misc]

        def trouble(number: int, kind: Literal["hang", "unanswered"]) -> None:
            posting = rf"POST .*/channels/{place_of(number)}/messages$"
            house.server.faults.trouble_rest(RestTrouble(kind=kind, path=posting, seconds=600, hang_seconds=5))

        await first.start(0)
        await connected(first)
        for number, where in asked_in.items():
            await where.person("aylin").ask(f"Bot remind me in 3 hours of turn {number}")
            assert (await row_of(number))["in_hall"]
        await second.start(0)  # it stands by

        # The one whose clock is ahead has both: Discord holds one of them, and takes the other without telling.
        trouble(2, "hang")
        trouble(3, "unanswered")
        await due(2, APART - 2)
        await due(3, APART - 2)
        await first.order("move", seconds=APART)
        await eventually(lambda: row_of(2), lambda row: row["claimed_by"] is not None)
        await until(lambda: said(3) == 1)
        await first.kill()
        house.server.faults.clear()
        assert [said(number) for number in asked_in] == [0, 0, 1]
        assert (await row_of(3))["state"] == "open"

        assert (await row_of(1))["claimed_by"] is None
        await connected(second)
        await due(1, 0)
        house.server.clock.advance(timedelta(seconds=LONGER_THAN_NONCES))
        await second.order("move", seconds=LONGER_THAN_NONCES)
        for number in asked_in:
            await eventually(lambda number=number: row_of(number), lambda row: row["state"] == "sent")  # type: ignore[misc]
        assert [said(number) for number in asked_in] == [1, 1, 1]
        receipts = await house.rows("SELECT message_ids FROM receipts WHERE guild_id = $1", other.guild.id)
        assert sum(said_in(other, place_of(3), "⏰ turn")[0].id in row["message_ids"] for row in receipts) == 1
