"""Promise 1, nothing lost: whatever happened while the bot was away is in the log once it is back, exactly."""

from datetime import timedelta
from pathlib import Path

import asyncpg
import pytest

from local_guild.actions.posting import Draft
from local_guild.faults import RestTrouble
from local_guild.gateway.sessions import StartRules
from local_guild.state.ids import JsonObject
from local_guild.state.world import Channel, ChannelType
from memory.health import PartState
from memory.log.batch_queue import MOST_ROWS
from tests.end_to_end.absence import archive, meddle, readable, running_again, talk, thread_in, until_live
from tests.end_to_end.cable import cable_to
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, House, Inn, eventually, open_house, until
from tests.end_to_end.ledger import logged, told, until_equal
from tests.end_to_end.taken_back import delete, edit, let_the_bot_see

PAGES = 230
"""More than two of Discord's pages."""


async def test_after_an_absence_the_log_is_what_discord_has(own_inn: Inn) -> None:
    house, general, kitchen = own_inn.house, own_inn.channel(GENERAL), own_inn.channel(KITCHEN)
    lively, quiet = thread_in(own_inn, general, "lively"), thread_in(own_inn, general, "quiet")
    async with house.bot_running():
        for place in (general, kitchen, lively, quiet):
            talk(own_inn, place, 12)
        await until_live(own_inn)
    secret = thread_in(own_inn, general, "secret", private=True)
    forum = Channel(house.server.ids.next(), ChannelType.FORUM, "questions", own_inn.guild.id)
    house.server.places.add_channel(forum)
    question = thread_in(own_inn, forum, "why?")
    for place in (kitchen, lively, quiet):
        meddle(own_inn, place)
    talk(own_inn, general, PAGES)
    for place in (kitchen, lively, quiet, secret, question):
        talk(own_inn, place, 3, "meanwhile")
    for place in (quiet, secret, question):
        archive(own_inn, place)
    async with running_again(house):
        assert len(await until_equal(own_inn)) > PAGES
        talk(own_inn, lively, 2, "live again")
        await until_equal(own_inn)


async def test_a_message_that_discord_py_stumbles_over_costs_the_connection_and_not_the_message(own_inn: Inn) -> None:
    house, general = own_inn.house, own_inn.channel(GENERAL)
    author = own_inn.person("aylin").user.id
    endless: JsonObject = {"question": {"text": "Tea?"}, "answers": [], "expiry": None, "allow_multiselect": False}
    async with house.bot_running():
        await until_live(own_inn)
        odd = house.server.posting.send(
            Draft(channel=general, author_id=author, content="What shall we drink?", poll=endless)
        )
        plain = house.server.posting.send(Draft(channel=general, author_id=author, content="Tea it is."))
        for said in (odd, plain):
            await own_inn.until_stored(said.id, text=said.content)
        assert await own_inn.person("aylin").ask("Bot, what shall we drink?")


async def test_losing_the_permission_in_the_middle_deletes_nothing(own_inn: Inn) -> None:
    house, kitchen = own_inn.house, own_inn.channel(KITCHEN)
    async with house.bot_running():
        talk(own_inn, kitchen, 150)
        await until_live(own_inn)
    before = await logged(own_inn)
    talk(own_inn, kitchen, PAGES, "meanwhile")
    slow = RestTrouble(kind="rate_limit", requests=1, path=f"/channels/{kitchen.id}/messages", retry_after=1.0)
    await house.server.control.trouble_rest(slow)
    async with running_again(house):
        readable(own_inn, KITCHEN, yes=False)
        talk(own_inn, own_inn.channel(GENERAL), 3)
        await own_inn.until_stored(house.server.world.log(own_inn.channel(GENERAL).id).ids()[-1])
        assert before.items() <= (await logged(own_inn)).items()
        readable(own_inn, KITCHEN, yes=True)
        await until_equal(own_inn)


async def test_a_channel_that_becomes_readable_is_read(own_inn: Inn) -> None:
    house, kitchen = own_inn.house, own_inn.channel(KITCHEN)
    readable(own_inn, KITCHEN, yes=False)
    talk(own_inn, kitchen, PAGES, "before")
    async with house.bot_running():
        heard = await own_inn.person("aylin").say("heard, though not to be read back", KITCHEN)
        await own_inn.until_stored(heard)
        readable(own_inn, KITCHEN, yes=True)
        await until_equal(own_inn)
        let_the_bot_see(own_inn, BACK_ROOM, yes=False)
        talk(own_inn, own_inn.channel(BACK_ROOM), 5, "behind closed doors")
        let_the_bot_see(own_inn, BACK_ROOM, yes=True)
        talk(own_inn, own_inn.channel(BACK_ROOM), 1, "open again")
        await until_equal(own_inn)


async def test_one_channel_in_trouble_does_not_stop_the_others(own_inn: Inn) -> None:
    house, general, kitchen = own_inn.house, own_inn.channel(GENERAL), own_inn.channel(KITCHEN)
    async with house.bot_running():
        await until_live(own_inn)
    last = talk(own_inn, kitchen, 120)[-1]
    talk(own_inn, general, 5)
    await house.server.control.trouble_rest(
        RestTrouble(kind="error", status=403, path=f"GET .*/channels/{general.id}/messages", seconds=30)
    )
    async with running_again(house):
        await own_inn.until_stored(last)
        await house.server.control.clear_faults()
        # What was refused is asked for again when the view of the guild changes.
        readable(own_inn, GENERAL, yes=False)
        readable(own_inn, GENERAL, yes=True)
        await until_equal(own_inn)


async def test_a_database_that_was_away_misses_nothing(database_url: str, tmp_path: Path) -> None:
    async with cable_to(database_url) as cable, open_house(tmp_path, cable.url, guilds=1) as house, house.bot_running():
        inn = Inn(house, next(house.fresh))
        general = inn.channel(GENERAL)
        house.database_url = database_url
        talk(inn, general, 20)
        await until_live(inn)
        await cable.cut(house.memory)
        talk(inn, general, 120, "unwritten")
        meddle(inn, general)
        talk(inn, inn.channel(KITCHEN), 3, "unwritten")
        await until(lambda: house.state_of("log") is PartState.FAILING)
        await cable.mend()
        await until_equal(inn)
        await until(lambda: house.state_of("log") is PartState.ACTIVE)
        talk(inn, general, 3, "written at once")
        await until_equal(inn)


async def test_the_sweep_finds_what_nobody_told(own_inn: Inn) -> None:
    house, general = own_inn.house, own_inn.channel(GENERAL)
    world = house.server.world
    async with house.bot_running(recent_window=0, sweep_days=0.00001, sweep_pause_seconds=0):
        ids = talk(own_inn, general, PAGES)
        await until_live(own_inn)
        for number in (5, 101, 140):
            doomed = world.message(general.id, ids[number])
            assert doomed is not None
            world.drop(doomed)  # no event tells of it
        changed = world.message(general.id, ids[60])
        assert changed is not None
        changed.content, changed.edited_at = "changed in silence", house.server.clock.now()
        await house.rows("DELETE FROM chat_history WHERE guild_id = $1 AND message_id = $2", own_inn.guild.id, ids[120])
        await until_equal(own_inn)


async def test_a_guild_left_and_joined_again_is_caught_up_with(own_inn: Inn) -> None:
    house, general = own_inn.house, own_inn.channel(GENERAL)
    server, guild = house.server, own_inn.guild

    async def left_at() -> object:
        rows = await house.rows("SELECT left_at FROM guilds WHERE guild_id = $1", guild.id)
        return rows[0]["left_at"]

    async with house.bot_running():
        talk(own_inn, general, 5)
        await until_live(own_inn)
        server.membership.leave(guild, server.world.members(guild.id)[house.bot.id])
        await eventually(left_at)
        talk(own_inn, general, 5, "unheard")
        server.membership.join(guild, server.world.bot)
        await eventually(left_at, lambda left: left is None)
        await until_equal(own_inn)
    server.membership.leave(guild, server.world.members(guild.id)[house.bot.id])
    async with running_again(house):
        await eventually(left_at)
    assert len(await logged(own_inn)) == 10


@pytest.mark.parametrize("days", [None, 2])
async def test_the_past_is_read_when_a_guild_is_joined(own_inn: Inn, days: int | None) -> None:
    house, general = own_inn.house, own_inn.channel(GENERAL)
    posting, author = house.server.posting, own_inn.person("aylin").user.id
    now = house.server.clock.now()
    for hours in range(300, 0, -1):
        then = now - timedelta(hours=hours - 0.5)
        posting.send(Draft(channel=general, author_id=author, content=f"{hours} hours ago", at=then))
    async with house.bot_running(backfill_days=days):
        live = await own_inn.person("aylin").say("live while the past is read")
        await own_inn.until_stored(live)
        if days is None:
            await until_equal(own_inn)
        else:
            await eventually(lambda: logged(own_inn), lambda log: len(log) == 24 * days + 1)
        await until(lambda: house.health.part("back-fill").snapshot().counts["channels_done"] == 3)
        assert house.health.part("back-fill").snapshot().counts["messages"] >= 48
    if days is not None:
        assert len(await logged(own_inn)) == 24 * days + 1


async def test_back_fill_goes_on_where_it_was_stopped(own_inn: Inn) -> None:
    house, general = own_inn.house, own_inn.channel(GENERAL)
    talk(own_inn, general, 650)

    async def reached() -> int | None:
        rows = await house.rows("SELECT backfilled_to FROM channel_progress WHERE channel_id = $1", general.id)
        return rows[0]["backfilled_to"] if rows else None

    await house.server.control.limit_rates(2, 1.0)
    async with house.bot_running():
        first = await eventually(reached)
    await house.server.control.limit_rates(2000, 1.0)
    assert first is not None
    assert len(await logged(own_inn)) < 650
    async with running_again(house):
        await until_equal(own_inn)
    assert len(told(own_inn)) == 650


async def test_a_socket_lost_before_signing_in_is_no_session_to_resume(own_inn: Inn) -> None:
    house, aylin = own_inn.house, own_inn.person("aylin")
    async with house.bot_running():
        await own_inn.until_stored(await aylin.say("before"))
        # It has been greeted, and waits before it signs in.
        await house.server.control.limit_starts(StartRules(total=0, reset_seconds=1.0))
        await house.server.control.invalidate_sessions(resumable=False)
        await until(lambda: "used up" in house.issues_of("gateway"))
        signed_in = sum(1 for session in house.server.sessions if session.link)
        assert house.server.gateway.open_sockets > signed_in, "nobody has said yet on one who they are"
        await house.server.control.drop_sockets()
        await house.server.control.limit_starts(StartRules())
        await own_inn.until_stored(await aylin.say("after"))


FLOOD = 4_000
ROOM = 2 * MOST_ROWS


async def test_a_full_log_leaves_out_messages_and_reads_them_later(own_house: House, own_inn: Inn) -> None:
    async with own_house.bot_running():
        aylin = own_inn.person("aylin")
        edited, deleted = [await aylin.say(text) for text in ("The boat is red.", "The boat is lost.")]
        for said in (edited, deleted):
            await own_inn.until_stored(said)
        log = own_house.health.part("log")
        writer = own_house.memory.log._writer
        writer.limit = ROOM
        in_the_way = await asyncpg.connect(own_house.database_url)
        try:
            await in_the_way.execute("SELECT pg_advisory_lock(hashtextextended('log', $1))", own_inn.guild.id)
            poured = await own_house.http.post(f"{own_house.address.url}/local/firehose", json={"count": FLOOD})
            poured.raise_for_status()
            await until(lambda: log.snapshot().counts.get("missed", 0) > 0)
            assert writer.waiting == ROOM
            await edit(aylin, edited, "The boat is blue.")
            await delete(aylin, deleted)
            await until(lambda: writer.waiting == ROOM + 2)
        finally:
            await in_the_way.close()
        await own_inn.until_gone(deleted)
        await own_inn.until_stored(edited, text="The boat is blue.")
        await eventually(
            lambda: own_house.rows("SELECT count(*) AS stored FROM chat_history"),
            lambda rows: rows[0]["stored"] == FLOOD + 1,
        )
