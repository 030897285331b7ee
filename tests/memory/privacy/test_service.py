"""What people decide about the log is carried out, and stays carried out by whatever way a message comes."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.core.log_values import Purged
from memory.core.outcomes import SourceNotKept, SubjectOptedOut
from memory.core.values import AuthorKind, Guild, Intent, Message
from memory.policy.settings import GuildSettings, LogSettings
from tests.memory.db.triggers import triggered
from tests.memory.log.logbook import decide_log, rows_of
from tests.memory.privacy.said_messages import come_again, say, texts
from tests.memory.world import ALICE, BOB, EVERYONE, GRUZILKIN, GUILD, HALL, LOUNGE, World, audience
from tests.models import BY


async def test_of_who_opted_out_only_what_waits_for_an_answer_is_noted(world: World) -> None:
    """Their messages are not kept, and history that is read again leaves no trace of them."""
    await world.memory.privacy.opt_out(GUILD, ALICE.user_id)
    long_ago = await say(world, ALICE, "Bot, what of it?", wish=Intent.QUESTION)
    asked = await say(world, ALICE, "Bot, and now?", wish=Intent.QUESTION, is_unanswered=True)
    await world.memory.log.store_page(GUILD, HALL, [long_ago, asked])
    assert [row["message_id"] for row in await rows_of(world.database, "addressed", GUILD)] == [asked.message_id]


@pytest.mark.parametrize("decision", ["out", "erased"])
async def test_what_may_not_be_stored_is_not_kept_as_a_fact_either(world: World, decision: str) -> None:
    said = await say(world, ALICE, "I have a cat")
    if decision == "out":
        await world.memory.privacy.opt_out(GUILD, ALICE.user_id)
    else:
        await world.memory.privacy.erase_member(GUILD, ALICE.user_id, said.message_id)
    refused = SubjectOptedOut(is_teller=False) if decision == "out" else SourceNotKept()
    assert await world.remember(BOB, "this", about=said) == refused
    assert await rows_of(world.database, "facts", GUILD) == []


async def test_whoever_has_an_excluded_role_is_not_stored_even_after_leaving(world: World) -> None:
    said = await say(world, GRUZILKIN, "before the role")
    await decide_log(world.memory, GUILD, LogSettings(excluded_roles=frozenset({77})))
    assert await texts(world) == {"before the role"}
    await world.memory.people.meet_member(replace(GRUZILKIN, roles=(76, 77)))
    later = await say(world, GRUZILKIN, "with the role")
    assert await texts(world) == {"before the role"}
    assert (await world.memory.purge(world.clock.now())).messages == 1
    await world.memory.people.part_from_member(GUILD, GRUZILKIN.user_id)
    await come_again(world, said, later)
    assert await texts(world) == set()


async def test_retention_removes_the_old_and_keeps_them_out_even_if_it_is_lifted(world: World) -> None:
    old = await say(world, ALICE, "long ago")
    await world.remember(BOB, "I like tea")
    world.clock.move(timedelta(days=10))
    await say(world, ALICE, "today")
    await decide_log(world.memory, GUILD, LogSettings(retention_days=30))
    assert "long ago" in await texts(world)
    world.clock.move(timedelta(days=25))
    assert await world.memory.purge(world.clock.now()) == Purged(messages=2, guilds=0)
    await come_again(world, old)
    await decide_log(world.memory, GUILD, LogSettings())
    await come_again(world, old)
    assert await texts(world) == {"today"}
    assert await world.memory.get_memories(audience(), BOB.user_id, BY) == "“I like tea” – <@2>."
    assert await rows_of(world.database, "addressed", GUILD) == []


async def test_a_guild_we_left_waits_seven_days_and_then_goes(world: World) -> None:
    await say(world, ALICE, "hello")
    await world.remember(BOB, "I like tea")
    await world.memory.privacy.opt_out(GUILD, GRUZILKIN.user_id)
    await world.memory.privacy.leave_guild(GUILD)
    assert await world.memory.people.known_guilds() == []
    world.clock.move(timedelta(days=6, hours=23))
    await world.memory.privacy.leave_guild(GUILD)
    assert await world.memory.purge(world.clock.now()) == Purged()
    world.clock.move(timedelta(hours=2))
    assert await world.memory.purge(world.clock.now()) == Purged(messages=2, guilds=1)
    rows = await world.database.read("test", f"{_COLUMNS} AND column_name = 'guild_id'")
    tables = [row["table_name"] for row in rows]
    assert "chat_history" in tables
    left = {table for table in tables if await rows_of(world.database, table, GUILD)}
    assert left == {"consents"}, "a member's word outlives our stay"
    await world.settle()
    await say(world, GRUZILKIN, "still not for the log")
    await say(world, ALICE, "welcome back")
    assert await texts(world) == {"welcome back"}


_BREAKING_OFF = """
IF (SELECT count(*) FROM chat_history WHERE guild_id = 100) < 3 THEN RAISE EXCEPTION 'lost'; END IF;
RETURN NULL;
"""


@pytest.fixture
async def leaving(world: World) -> World:
    """A guild that was left, more than goes in one part, of which the removal has broken off."""
    world.memory.privacy._erasure._chunk = 2
    for number in range(5):
        await say(world, ALICE, f"number {number}")
    await world.memory.log.store_page(GUILD, HALL, [], through=1)
    await world.remember(BOB, "I like tea")
    await world.memory.indexer.catch_up()
    await world.memory.privacy.leave_guild(GUILD)
    world.clock.move(timedelta(days=8))
    async with triggered(world.database, "AFTER DELETE", _BREAKING_OFF, each="STATEMENT"):
        assert await world.memory.purge(world.clock.now()) == Purged(messages=2, failed=1), "what went before counts"
    assert 0 < len(await texts(world)) < 6
    return world


async def test_a_left_guild_goes_in_parts_and_what_broke_off_goes_with_the_next_purge(leaving: World) -> None:
    left = len(await texts(leaving))
    assert await leaving.memory.purge(leaving.clock.now()) == Purged(messages=left, guilds=1)
    for table in ("chat_history", "message_index", "term_counts", "facts", "guilds"):
        assert await rows_of(leaving.database, table, GUILD) == []


async def test_a_guild_that_cannot_be_purged_keeps_no_other_from_it(world: World) -> None:
    other = GUILD + 1
    await world.memory.people.meet_guild(Guild(other, "Elsewhere"), [])
    await say(world, ALICE, "hello")
    await world.hear(Message(other, HALL, 1, ALICE.user_id, AuthorKind.PERSON, "hello", world.clock.now()))
    for guild_id in (GUILD, other):
        await decide_log(world.memory, guild_id, LogSettings(retention_days=2))
    world.clock.move(timedelta(days=3))
    world.memory.privacy.is_unfinished.set()
    no = f"IF OLD.guild_id = {GUILD} THEN RAISE EXCEPTION 'refused'; END IF; RETURN OLD;"
    async with triggered(world.database, "BEFORE DELETE", no):
        assert await world.memory.purge(world.clock.now()) == Purged(messages=1, failed=1)
        assert await rows_of(world.database, "chat_history", other) == []
        assert world.memory.privacy.is_unfinished.is_set(), "so that it is tried again soon"
    assert await world.memory.purge(world.clock.now()) == Purged(messages=1)
    assert not world.memory.privacy.is_unfinished.is_set()


async def test_who_decides_what_is_kept_of_others_is_written_down_with_how_much_goes(world: World) -> None:
    await world.say(ALICE, "hello")
    await world.say(BOB, "hello", LOUNGE)

    def without_lounge(now: GuildSettings) -> GuildSettings:
        return replace(now, log=LogSettings(excluded_channels=frozenset({LOUNGE})))

    for change in (without_lounge, without_lounge, lambda now: replace(now, time_zone="Europe/Vienna")):
        await world.memory.privacy.change_settings(GUILD, change, BOB.user_id)
    [row] = await rows_of(world.database, "audit", GUILD)
    assert (row["actor_id"], row["action"], row["items"], row["subject_id"]) == (
        BOB.user_id,
        "changed keeping",
        1,
        None,
    )


async def test_a_complete_list_parts_from_those_who_are_not_in_it(world: World) -> None:
    await world.memory.people.meet_guild(Guild(GUILD, "The Inn"), [ALICE])
    assert len(await rows_of(world.database, "members", GUILD)) == len(EVERYONE)
    await world.memory.people.meet_guild(Guild(GUILD, "The Inn"), [ALICE, replace(BOB, roles=(5, 6))], complete=True)
    members = await rows_of(world.database, "members", GUILD)
    assert {row["user_id"]: row["roles"] for row in members} == {1: [], 2: [5, 6]}
    assert {row["user_id"] for row in await rows_of(world.database, "member_names", GUILD)} == {1, 2}


_COLUMNS = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
