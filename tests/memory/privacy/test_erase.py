"""Channels and guilds are erased for good, large erasures in parts, and opting out reaches what others write."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from memory.core.log_values import Kind
from memory.core.outcomes import Forgotten, SubjectOptedOut, UnclearWho
from memory.core.values import AuthorKind, Intent, Message, MessageEdit, last_id_of
from memory.facts.ledger import FactStore
from memory.log.reading import MessageStore
from memory.models.usage import ModelCall, UsageStore
from memory.people.store import MemberStore
from memory.privacy.erase import Erasure
from tests.memory.facts.held_facts import told
from tests.memory.log.logbook import rows_of
from tests.memory.privacy.said_messages import come_again, say, texts
from tests.memory.world import ALICE, BOB, CELLAR, GRUZILKIN, GUILD, HALL, INNKEEPER, World, audience, there

THREAD = 1010


async def test_an_erased_channel_goes_with_its_threads_and_never_returns(world: World) -> None:
    said = [
        await say(world, ALICE, "in the cellar", CELLAR),
        await say(world, BOB, "in a thread of it", THREAD, parent_id=CELLAR),
        await say(world, INNKEEPER, "our reply", CELLAR),
    ]
    await world.remember(ALICE, "I like rum", CELLAR)
    await say(world, ALICE, "in the hall")
    await world.remember(ALICE, "I like tea")
    stale = World(world.database)
    await stale.memory.log.store_page(GUILD, HALL, [])
    through = last_id_of(world.clock.now())
    gone = await world.memory.privacy.erase_channel(GUILD, CELLAR, through, BOB.user_id)
    assert (gone[Kind.MESSAGES], gone[Kind.REPLIES], gone[Kind.FACTS_TOLD], gone[Kind.ADDRESSED]) == (3, 1, 1, 1)
    for house in (world, stale):
        await come_again(house, *said)
    assert await texts(world) == {"in the hall", "Bot remember I like tea"}
    assert [row["text"] for row in await rows_of(world.database, "facts", GUILD)] == ["“I like tea” – <@1>"]
    later = await say(world, ALICE, "a new beginning", CELLAR)
    assert later.text in await texts(world)
    assert (await world.memory.privacy.erase_channel(GUILD, CELLAR, through, BOB.user_id)).counts == {}


async def test_an_erased_guild_is_gone_at_once_and_its_past_stays_out(world: World) -> None:
    said = [await say(world, ALICE, f"number {number}") for number in range(3)]
    await world.remember(BOB, "I like tea")
    await world.memory.privacy.opt_out(GUILD, BOB.user_id)
    gone = await world.memory.privacy.erase_guild(GUILD)
    assert gone[Kind.MESSAGES] == 3
    assert gone[Kind.NAMES] == 7
    rows = await world.database.read(
        "test",
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'guild_id'",
    )
    left = {row["table_name"] for row in rows if await rows_of(world.database, row["table_name"], GUILD)}
    assert left == {"consents", "channel_erasures"}
    await come_again(world, *said)
    assert await texts(world) == set()
    await world.memory.people.meet_member(ALICE)
    await say(world, ALICE, "while we are leaving")
    await world.memory.privacy.leave_guild(GUILD)
    assert await texts(world) == set()
    assert await rows_of(world.database, "members", GUILD) == []
    await world.settle()
    await come_again(world, *said)
    await say(world, ALICE, "welcome back")
    assert await texts(world) == {"welcome back"}


@pytest.mark.parametrize("way", ["erasing", "opting out", "channel", "guild"])
async def test_what_was_said_a_moment_ago_is_written_first_and_counted(world: World, way: str) -> None:
    world.clock.move(timedelta(seconds=1))
    now = world.clock.now()
    said = Message(GUILD, HALL, last_id_of(now), ALICE.user_id, AuthorKind.PERSON, "just now", now)
    await world.memory.ingest_message(said)
    gone = await {
        "erasing": lambda: world.memory.privacy.erase_member(GUILD, ALICE.user_id, said.message_id),
        "opting out": lambda: world.memory.privacy.opt_out(GUILD, ALICE.user_id),
        "channel": lambda: world.memory.privacy.erase_channel(GUILD, HALL, said.message_id, BOB.user_id),
        "guild": lambda: world.memory.privacy.erase_guild(GUILD),
    }[way]()
    assert gone[Kind.MESSAGES] == 1
    await world.memory.log.settled()
    assert await texts(world) == set()


async def _break_off(_done: int, _of: int) -> None:
    raise ConnectionAbortedError


async def test_who_had_a_channel_erased_is_written_down_with_the_decision(world: World) -> None:
    for number in range(4):
        await say(world, ALICE, f"number {number}", CELLAR)
    await say(world, ALICE, "elsewhere")
    decided = world.memory.log.settled
    erasure = Erasure(world.database, FactStore(world.database), world.clock, decided, chunk=2)
    with pytest.raises(ConnectionAbortedError):
        await erasure.of_channel(GUILD, CELLAR, last_id_of(world.clock.now()), BOB.user_id, _break_off)
    assert await rows_of(world.database, "channel_erasures", GUILD)
    [row] = await rows_of(world.database, "audit", GUILD)
    assert (row["actor_id"], row["action"], row["channel_id"]) == (BOB.user_id, "erased channel", CELLAR)
    assert row["items"] == 4


async def test_what_is_written_down_after_a_guild_was_erased_goes_with_the_next_purge(world: World) -> None:
    await say(world, ALICE, "hello")
    await world.memory.privacy.erase_guild(GUILD)
    now = world.clock.now()
    call = ModelCall(GUILD, uuid4(), now, "answer", "some model", "ok", 1, 1, is_estimated=False, milliseconds=1)
    await UsageStore(world.database).record([call, replace(call, guild_id=GUILD + 1, call_id=uuid4())])
    await MessageStore(world.database).note_addressed(GUILD, HALL, 4711, Intent.QUESTION)
    await world.memory.purge(now)
    for table in ("model_calls", "addressed"):
        assert await rows_of(world.database, table, GUILD) == []
    assert await rows_of(world.database, "model_calls", GUILD + 1), "of a guild that was not erased"
    await world.settle()
    await say(world, ALICE, "welcome back")
    await world.memory.purge(world.clock.now())
    assert await texts(world) == {"welcome back"}


async def test_opting_out_takes_facts_about_a_member_and_refuses_new_ones(world: World) -> None:
    await world.remember(BOB, "Alice is tall")
    await world.remember(ALICE, "I have a cat")
    await world.remember(ALICE, "Bob is short")
    gone = await world.memory.privacy.opt_out(GUILD, ALICE.user_id)
    assert (gone[Kind.FACTS_ABOUT], gone[Kind.FACTS_TOLD]) == (1, 1)
    assert [row["text"] for row in await rows_of(world.database, "facts", GUILD)] == ["<@2> is short"]
    for body in ("Alice is tall", "<@1> is tall", "I saw Alice in the cellar"):
        assert await world.remember(BOB, body) == SubjectOptedOut(is_teller=False)
    assert await world.remember(ALICE, "I have a cat") == SubjectOptedOut(is_teller=True)
    assert len(await rows_of(world.database, "facts", GUILD)) == 1
    await world.memory.privacy.opt_in(GUILD, ALICE.user_id)
    told(await world.remember(BOB, "Alice is tall"))


@pytest.mark.parametrize("way", ["opting out", "erasing"])
async def test_what_was_told_of_others_goes_where_it_names_the_member(world: World, way: str) -> None:
    await world.remember(BOB, "I live with Alice")
    await world.remember(BOB, "<@3> is married to <@1>")
    await world.remember(BOB, "gruzilkin has a key")
    await world.remember(GRUZILKIN, "I like chess")
    said = await world.say(GRUZILKIN, "I met Alice at the fair")
    await world.remember(BOB, "this", about=said)
    await world.remember(BOB, "I know Alice")
    assert isinstance(await world.forget(BOB, "I know Alice"), Forgotten)
    kept = {row["change_id"] for row in await rows_of(world.database, "changes", GUILD) if "<@1>" in str(row["before"])}
    assert len(kept) == 1
    if way == "erasing":
        gone = await world.memory.privacy.erase_member(GUILD, ALICE.user_id, last_id_of(world.clock.now()))
    else:
        gone = await world.memory.privacy.opt_out(GUILD, ALICE.user_id)
    assert gone[Kind.FACTS_ABOUT] == 3
    facts = await rows_of(world.database, "facts", GUILD)
    assert [row["text"] for row in facts] == ["<@3> has a key", "“I like chess” – <@3>"]
    assert "<@1>" not in str([row["before"] for row in await rows_of(world.database, "changes", GUILD)])
    assert not kept & {row["change_id"] for row in await rows_of(world.database, "changes", GUILD)}, "nor by an undo"


async def test_a_member_whose_number_begins_alike_is_not_meant(world: World) -> None:
    await world.remember(BOB, "gruzilkin is a friend of <@11>")
    await world.memory.privacy.opt_out(GUILD, ALICE.user_id)
    assert len(await rows_of(world.database, "facts", GUILD)) == 1


async def test_no_name_means_somebody_who_opted_out_in_any_process(world: World) -> None:
    other = World(world.database)
    members = MemberStore(world.database)
    await world.memory.privacy.opt_out(GUILD, ALICE.user_id)
    for house in (world, other):
        await house.memory.people.meet_member(ALICE)
        found = await members.spoken_of(audience(), "Alice and alice, <@1>!")
        assert [(one.user_id, one.display_name, one.is_unnamed) for one in found] == [(1, "someone", True)]
    assert await members.spoken_of(audience(), "someone, Alice and alice") == []
    assert await members.typed_in_part(audience(), "alic") is None
    assert not isinstance(await world.remember(BOB, "Alic is tall"), UnclearWho)
    await world.memory.privacy.opt_in(GUILD, ALICE.user_id)
    assert [one.display_name for one in await members.spoken_of(audience(), "Alice")] == ["Alice"]
    guess = there(await members.typed_in_part(audience(), "alic"))
    assert [one.user_id for one in guess.candidates] == [1]


async def test_a_name_that_another_goes_by_too_means_the_other(world: World) -> None:
    await world.memory.people.meet_member(replace(BOB, nickname="Alice"))
    await world.memory.privacy.opt_out(GUILD, ALICE.user_id)
    assert told(await world.remember(BOB, "Alice is tall")).subject_id == BOB.user_id


async def test_a_fact_does_not_come_to_name_somebody_who_opted_out(world: World) -> None:
    said = await world.say(BOB, "I have a friend")
    await world.remember(ALICE, "this", about=said)
    assert len(await rows_of(world.database, "facts", GUILD)) == 1
    await world.memory.privacy.opt_out(GUILD, GRUZILKIN.user_id)
    later = world.clock.now() + timedelta(minutes=1)
    edit = MessageEdit(replace(said, text="I have a friend, gruzilkin", edited_at=later))
    await world.edit(edit)
    assert await rows_of(world.database, "facts", GUILD) == []
