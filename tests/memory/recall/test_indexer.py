"""The index follows the log: what is said, edited, deleted, erased; through restarts, and never ahead of the truth."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest
from pgvector import HalfVector

from memory.core.values import Attachment, AuthorKind, Intent, MessageEdit, Question
from memory.db.database import Database
from memory.recall import indexer
from memory.recall import store as tail
from tests.memory.models.metered import until
from tests.memory.recall.index_world import ALICE, EVERYWHERE, GUILD, HALL, OTHER_GUILD, IndexWorld, heard


@pytest.fixture
async def world(database: Database) -> AsyncIterator[IndexWorld]:
    world = await IndexWorld(database).settle(GUILD, OTHER_GUILD)
    yield world
    await world.memory.log.settled()


async def test_everything_that_comes_with_a_message_is_found(world: IndexWorld) -> None:
    said = await world.say(
        "",
        attachments=(Attachment("floorplan-attic.pdf", description="a sketch of the staircase"),),
        embeds=("Recipe for gingerbread",),
        poll="Which boardgame on Friday?",
        forwarded=("the ferry leaves at nine",),
        stickers=("WaveHello",),
    )
    await world.indexer.catch_up()
    for question in ("attic", "staircases", "gingerbread", "boardgames", "ferry", "wavehello"):
        assert await world.by_words(question) == [said.message_id], question


async def test_what_is_no_conversation_is_not_indexed(world: IndexWorld) -> None:
    for kind in (AuthorKind.BOT, AuthorKind.WEBHOOK, AuthorKind.SELF):
        await world.say("the lantern is lit", kind=kind)
    command = await world.say("Bot, who has the lantern?")
    question = Question(GUILD, HALL, command.message_id, ALICE, "who has the lantern?", command.sent_at)
    await world.memory.answers.mark_addressed(question, Intent.QUESTION)
    assert await world.found("lantern") == set()
    await world.indexer.catch_up()
    assert await world.found("lantern") == set()
    assert await world.count("message_index") == 0


async def test_what_turns_out_to_be_said_to_us_leaves_the_index(world: IndexWorld) -> None:
    command = await world.say("Bot, who has the lantern?")
    await world.indexer.catch_up()
    assert await world.found("lantern") == {command.message_id}
    question = Question(GUILD, HALL, command.message_id, ALICE, "who has the lantern?", command.sent_at)
    await world.memory.answers.mark_addressed(question, Intent.QUESTION)
    assert await world.found("lantern") == set()
    assert set((await world.sizes()).values()) == {0}
    await world.check_counts()


@pytest.mark.parametrize("indexed", [True, False], ids=["indexed", "not yet"])
async def test_an_edit_is_followed_at_once(world: IndexWorld, indexed: bool) -> None:
    said = await world.say("The heron stood in the pond")
    if indexed:
        await world.indexer.catch_up()
    edited_at = said.sent_at + timedelta(minutes=5)
    await world.edit(MessageEdit(replace(said, text="A stork on the chimney", edited_at=edited_at)))
    for _ in range(2):
        assert await world.found("heron") == set()
        assert await world.found("storks") == {said.message_id}
        await world.indexer.catch_up()
        await world.check_counts()
    [nearest, *_] = await world.by_meaning("a stork on a chimney")
    assert nearest.message_id == said.message_id
    assert (nearest.meaning or 0) > 0.8


async def _erase(world: IndexWorld, message_id: int) -> None:
    await world.memory.privacy.erase_member(GUILD, ALICE, message_id)


async def _delete_channel(world: IndexWorld, message_id: int) -> None:
    await world.memory.log.delete_channel(GUILD, HALL)
    await world.memory.log.settled()


REMOVALS = (IndexWorld.delete, _erase, _delete_channel)


@pytest.mark.parametrize("indexed", [True, False], ids=["indexed", "not yet"])
@pytest.mark.parametrize("remove", REMOVALS, ids=lambda removal: removal.__name__)
async def test_whatever_removes_a_message_removes_all_that_was_made_of_it(
    world: IndexWorld, remove: object, indexed: bool
) -> None:
    said = await world.say("my password is xylophone77")
    elsewhere = await world.say("a xylophone77 in another guild", guild=OTHER_GUILD)
    if indexed:
        await world.indexer.catch_up()
    await remove(world, said.message_id)  # type: ignore[operator] # one of REMOVALS
    assert await world.found("xylophone77") == set()
    assert set((await world.sizes()).values()) == {0}
    await world.indexer.catch_up()
    assert await world.found("xylophone77") == set()
    assert set((await world.sizes()).values()) == {0}
    await world.check_counts()
    assert await world.found("xylophone77", heard(HALL, guild=OTHER_GUILD)) == {elsewhere.message_id}


async def test_the_count_of_a_word_outlives_one_of_its_messages(world: IndexWorld) -> None:
    first, second = await world.say_all(["marmalade and toast", "more marmalade"])
    await world.indexer.catch_up()
    await world.delete(first.message_id)
    assert await world.by_words("marmalade toast") == [second.message_id]
    await world.check_counts()


async def test_a_deletion_between_reading_and_writing_leaves_nothing(
    world: IndexWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The indexer has read the message and is about to write it when it is deleted."""
    said, edited, kept = await world.say_all(["a secret walnut", "a walnut", "the walnut tree"])
    plain = indexer.entries_of

    async def meanwhile(*values: object) -> object:
        entries = await plain(*values)  # type: ignore[arg-type] # passed on
        await world.delete(said.message_id)
        await world.edit(MessageEdit(replace(edited, text="an almond", edited_at=edited.sent_at + timedelta(hours=1))))
        monkeypatch.setattr(indexer, "entries_of", plain)
        return entries

    monkeypatch.setattr(indexer, "entries_of", meanwhile)
    await world.indexer.catch_up()
    assert await world.by_words("walnut") == [kept.message_id]
    assert await world.by_words("almonds") == [edited.message_id]
    await world.check_counts()


async def test_a_restart_goes_on_where_it_was(world: IndexWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer, "MOST_AT_ONCE", 3)
    said = await world.say_all(f"cherry number{number}" for number in range(10))
    writes = 0
    plain = world.indexer._index.write

    async def crash(batch: object, entries: object) -> int | None:
        nonlocal writes
        writes += 1
        if writes > 2:
            raise ConnectionError
        return await plain(batch, entries)  # type: ignore[arg-type] # passed on

    monkeypatch.setattr(world.indexer._index, "write", crash)
    with pytest.raises(ConnectionError):
        await world.indexer.catch_up()
    assert await world.count("message_index") == 6
    assert await world.found("cherry") == {message.message_id for message in said}
    await world.new_indexer().catch_up()
    assert set(await world.by_words("cherry")) == {message.message_id for message in said}
    await world.check_counts()


async def test_what_was_just_said_is_found_while_a_long_history_is_stored(
    world: IndexWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail, "MOST_LOOKED_AT", 5)
    monkeypatch.setattr(tail, "MOST_READ", 5)
    said = await world.say("the heron is back")
    old = replace(said, text="an old remark")
    days = range(1, 20)
    await world.hear(*(replace(old, message_id=day, sent_at=said.sent_at - timedelta(days=day)) for day in days))
    assert await world.in_tail("heron") == [said.message_id]
    assert 19 in await world.in_tail("old remark")
    assert len(await world.in_tail("heron old remark")) == 5


async def test_late_messages_close_the_gap_between_two_conversations(world: IndexWorld) -> None:
    first = await world.say("shall we go sailing")
    last = await world.say("at the pier then", after=timedelta(minutes=50))
    other = await world.say("something else entirely", after=timedelta(hours=3))
    await world.indexer.catch_up()
    assert await world.count("conversations") == 3
    between = replace(
        first, message_id=last.message_id + 50, text="at nine?", sent_at=first.sent_at + timedelta(minutes=25)
    )
    await world.hear(between)
    await world.indexer.catch_up()
    assert await world.count("conversations") == 2
    await world.check_counts()
    terms = await world.terms("sailing")
    reading = world.recall.reading(EVERYWHERE)
    whole = await reading.around([last.message_id], terms, reach=5)
    of = {one.found.message_id: one.found.conversation_id for one in whole}
    assert of[first.message_id] == of[last.message_id] == of[between.message_id] != of[other.message_id]


async def test_connections_that_are_older_than_pgvector_learn_of_it(world: IndexWorld) -> None:
    await world.execute("DROP TABLE message_vectors; DROP EXTENSION vector")
    await world.database.forget_plans()
    said = await world.say("the heron stood in the pond")
    await world.indexer.catch_up()
    assert [one.message_id for one in await world.by_meaning("a grey bird by the water")] == [said.message_id]


async def test_without_pgvector_words_serve_and_health_says_so(world: IndexWorld) -> None:
    async with world.database.transaction("test.without") as connection:
        await connection.execute("DROP TABLE message_vectors; DROP EXTENSION vector")
        await connection.execute("CREATE OR REPLACE FUNCTION equip_recall() RETURNS void LANGUAGE sql AS $$ SELECT $$")
    said = await world.say("the heron stood in the pond")
    world.indexer.start()
    try:
        await until(lambda: world.health.part("index").snapshot().issues)
    finally:
        await world.indexer.stop()
    assert await world.by_words("herons") == [said.message_id]
    assert world.health.part("index").snapshot().issues == (indexer.WITHOUT_VECTORS,)
    assert await world.by_meaning("a grey bird by the water") == []
    terms = await world.terms("heron")
    reading = world.recall.reading(EVERYWHERE)
    [one] = await reading.around([said.message_id], terms, tail.Meant("any", HalfVector([0.0] * 256)))
    assert one.found.meaning is None
    assert one.found.matched == {0}
    assert one.message() == said
    await world.delete(said.message_id)
    assert await world.found("heron") == set()
