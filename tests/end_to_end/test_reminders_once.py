"""Reminders and digests are said once, whatever ends the process that says them: two real ones, with clocks apart."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import asyncpg

from local_guild.faults import RestTrouble
from tests.end_to_end.erasure.processes import Process
from tests.end_to_end.house import KITCHEN, House, Inn, eventually, open_house, until
from tests.end_to_end.reminding import rows_of, said_in

APART = 30.0
LONGER_THAN_A_LEASE = 150.0
LONGER_THAN_NONCES = 900.0
"""For so long Discord itself would drop what is sent twice."""


def bot_process(
    role: str, house: House, folder: Path, *, more: dict[str, object] | None = None, **memory: object
) -> Process:
    """A process that becomes a bot of this house once it is started."""
    bot = {"token": house.bot.token, "api_base": house.address.api_url, "gateway_url": house.address.gateway_url}
    given: dict[str, object] = {
        "memory": {"data_dir": str(folder / "data"), "database_url": house.database_url, **memory},
        "models": {},
        "bot": {**bot, "identify_seconds": 0.0},
    }
    return Process(role, folder, given | (more or {}))


@contextlib.asynccontextmanager
async def two_bots(house: House, folder: Path) -> AsyncIterator[tuple[Process, Process]]:
    first, second = (bot_process(role, house, folder) for role in ("first", "second"))
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


DAY = timedelta(days=1).total_seconds()
RULES = """
UPDATE guilds SET digest = jsonb_build_object('channel_id', $2::bigint, 'hour', $3::int, 'least', 1,
    'since', $4::float)
WHERE guild_id = $1 RETURNING 1
"""
WAITING = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO digests%'"


async def test_it_is_posted_once_whatever_ends_the_one_who_posts_it(own_house: House, tmp_path: Path) -> None:
    inn = Inn(own_house, next(own_house.fresh))
    kitchen, clock = inn.channel(KITCHEN).id, own_house.server.clock
    posting = rf"POST .*/channels/{kitchen}/messages$"
    now = datetime.now(UTC)
    # At an hour of this very day, also shortly before midnight; that of today is over when the rules begin to hold.
    due = now.replace(minute=0, second=5, microsecond=0)

    def ahead(days: int, seconds: float = 0) -> float:
        """Of the machine's clock, when it is due on such a day from now on."""
        return (due - datetime.now(UTC)).total_seconds() + days * DAY + seconds

    def posted() -> int:
        return len(said_in(inn, kitchen, "📰"))

    async def rows() -> list[dict[str, Any]]:
        return await own_house.rows("SELECT * FROM digests WHERE guild_id = $1 ORDER BY local_date", inn.guild.id)

    async def begin(bot: Process, seconds: float) -> None:
        await bot.start(seconds)
        await bot.order("connect")

    async def talk(at: datetime) -> None:
        clock.set(at)
        for text in ("The sourdough bread is rising", "My rye bread needs an hour", "We bake bread for the market"):
            said = await inn.person("aylin").say(text)
        await inn.until_stored(said)

    async with two_bots(own_house, tmp_path) as (first, second):
        await begin(first, 0)
        await eventually(lambda: own_house.rows("SELECT 1 FROM guilds WHERE guild_id = $1", inn.guild.id))
        await talk(now)
        await own_house.rows(RULES, inn.guild.id, kitchen, due.hour, due.timestamp())

        # Before the claim: the database has it wait there, and it is killed.
        holding = await asyncpg.connect(own_house.database_url)
        async with holding.transaction():
            await holding.execute("LOCK TABLE digests IN SHARE MODE")
            clock.set(due + timedelta(days=1))
            await first.order("move", seconds=ahead(1))
            await eventually(lambda: own_house.rows(WAITING))
            await first.kill()
        await holding.close()
        assert (await rows(), posted()) == ([], 0)

        # After the claim: Discord holds what is sent, and whoever sends it is killed. The next waits for the lease.
        own_house.server.faults.trouble_rest(RestTrouble(kind="hang", path=posting, seconds=600, hang_seconds=5))
        await begin(second, ahead(1))
        await eventually(rows, lambda found: found and found[0]["claimed_by"] is not None)
        await second.kill()
        own_house.server.faults.clear()
        assert posted() == 0
        clock.set(due + timedelta(days=1, seconds=LONGER_THAN_A_LEASE))
        await begin(second, ahead(1, LONGER_THAN_A_LEASE))
        await first.start(ahead(1, LONGER_THAN_A_LEASE))
        await eventually(rows, lambda found: found[0]["state"] == "posted")
        assert posted() == 1

        # After sending and before marking: it stands there, and nobody was told. It is found, and not sent again.
        await talk(due + timedelta(days=1, seconds=LONGER_THAN_NONCES))
        own_house.server.faults.trouble_rest(RestTrouble(kind="unanswered", path=posting, seconds=600, hang_seconds=5))
        clock.set(due + timedelta(days=2))
        await second.order("move", seconds=DAY)
        await until(lambda: posted() == 2)
        await second.kill()
        own_house.server.faults.clear()
        assert (await rows())[1]["state"] == "open"
        clock.set(due + timedelta(days=2, seconds=LONGER_THAN_NONCES))
        await first.order("move", seconds=DAY + LONGER_THAN_NONCES)
        _, again = await eventually(rows, lambda found: found[1]["state"] == "posted")
        posts = {one.id for one in said_in(inn, kitchen, "📰")}
        assert len(posts) == 2
        assert again["message_id"] in posts
        receipts = await own_house.rows("SELECT message_ids FROM receipts WHERE guild_id = $1", inn.guild.id)
        assert {message_id for row in receipts for message_id in row["message_ids"]} == posts
