"""A digest is posted once, whatever ends the process that posts it: one of two real ones, while the other stands by."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg

from local_guild.faults import RestTrouble
from tests.end_to_end.erasure.processes import Process
from tests.end_to_end.house import KITCHEN, House, Inn, eventually, until
from tests.end_to_end.reminding import said_in
from tests.end_to_end.test_reminders_once import LONGER_THAN_A_LEASE, LONGER_THAN_NONCES, two_bots

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
