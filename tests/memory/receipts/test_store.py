"""Receipts in the store: what changes behind a reply is found, whether it comes before or after the receipt."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.core.provenance import DayKey, Evidence, Read, ReplyReceipt
from memory.core.values import AuthorKind, Fact, Message, MessageEdit
from memory.language.detect import Language
from memory.receipts.retractions import PATIENCE, postpone_retraction
from memory.receipts.store import AT_ONCE, ReceiptStore
from tests.memory.facts.held_facts import told
from tests.memory.log.logbook import rows_of
from tests.memory.world import ALICE, BOB, GUILD, HALL, INNKEEPER, NOON, World, there

MONDAY = DayKey(0, datetime(2026, 2, 23, tzinfo=UTC))
REPLY = 77_000
FORGET = "DELETE FROM facts WHERE guild_id = $1"


async def lay_day(world: World, day: DayKey, channel: int) -> None:
    ends_at = day.starts_at + timedelta(days=1)
    await world.execute(
        """
        INSERT INTO days (guild_id, scope, starts_at, ends_at, day, source_channels, people, messages, read_seq,
            seen_seq, tried_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 1, 1, 1, $3)
        """,
        *(GUILD, day.scope, day.starts_at, ends_at, day.starts_at.date(), [channel], [ALICE.user_id]),
    )


class Desk:
    """A question, something said, something told, a day; and a receipt that quotes all of it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.store = ReceiptStore(world.database)
        self.said: Message
        self.asked: Message
        self.fact: Fact

    async def lay(self) -> "Desk":
        self.said = await self.world.say(BOB, "the tower fell")
        self.fact = told(await self.world.remember(ALICE, "I like cheese"))
        self.asked = await self.world.say(ALICE, "Bot what happened?")
        await lay_day(self.world, MONDAY, HALL)
        return self

    @property
    def read(self) -> Read:
        return Read.of_messages([self.said]) | Read.of_facts([self.fact]) | Read(days={MONDAY: 0})

    def receipt(self, evidence: Evidence | None = None) -> ReplyReceipt:
        evidence = evidence or Evidence.all_quoted(self.read)
        return ReplyReceipt(GUILD, self.asked.message_id, HALL, ALICE.user_id, NOON, Language.EN, evidence)

    async def row(self) -> Mapping[str, object]:
        """The receipt as it is kept."""
        rows = await rows_of(self.world.database, "receipts", GUILD)
        [row] = [row for row in rows if row["asked_in"] == self.asked.message_id]
        return row

    async def why_taken_back(self) -> object:
        row = await self.row()
        assert row["take_back_at"] in (None, AT_ONCE)
        return row["because"]

    async def log(self) -> set[object]:
        rows = await rows_of(self.world.database, "chat_history", GUILD)
        return {row["message_id"] for row in rows if row["author_kind"] == "self"}

    async def reply(self, message_id: int = REPLY) -> None:
        """Ours, as it comes back from Discord."""
        said = Message(GUILD, HALL, message_id, INNKEEPER.user_id, AuthorKind.SELF, "The tower fell.", NOON)
        await self.world.hear(replace(said, reply_to=self.asked.message_id))


@pytest.fixture
async def desk(world: World) -> Desk:
    return await Desk(world).lay()


async def delete_message(desk: Desk, which: int | None = None) -> None:
    await desk.world.delete(which or desk.said.message_id)


async def edit_message(desk: Desk) -> None:
    said = desk.said
    later = NOON + timedelta(hours=1)
    await desk.world.edit(MessageEdit(replace(said, text="the tower stands", edited_at=later)))


async def delete_question(desk: Desk) -> None:
    await delete_message(desk, desk.asked.message_id)


Change = Callable[[Desk], Awaitable[None]]
CHANGES: list[tuple[Change, str]] = [
    (delete_message, "source"),
    (edit_message, "source"),
    (delete_question, "question"),
    (lambda desk: desk.world.execute(FORGET, GUILD), "forgotten"),
    (
        lambda desk: desk.world.execute("UPDATE facts SET text = 'something else' WHERE guild_id = $1", GUILD),
        "forgotten",
    ),
    (lambda desk: desk.world.execute("UPDATE facts SET withheld = true WHERE guild_id = $1", GUILD), "forgotten"),
    (lambda desk: desk.world.execute("UPDATE days SET changes = changes + 1 WHERE guild_id = $1", GUILD), "source"),
]


@pytest.mark.parametrize(("change", "reason"), CHANGES)
async def test_what_changed_between_reading_and_writing_is_found(desk: Desk, change: Change, reason: str) -> None:
    receipt = desk.receipt()
    await change(desk)
    assert await desk.store.put(receipt) is not None
    assert await desk.why_taken_back() == reason


@pytest.mark.parametrize(("change", "reason"), CHANGES)
async def test_what_changes_afterwards_takes_the_reply_back(desk: Desk, change: Change, reason: str) -> None:
    assert await desk.store.put(desk.receipt()) is None
    await desk.reply()
    await desk.store.note_sent(desk.receipt(), [REPLY])
    assert await desk.log() == {REPLY}
    await change(desk)
    assert await desk.why_taken_back() == reason
    assert await desk.log() == set()
    assert await desk.store.is_taken_back(GUILD, REPLY)


@pytest.mark.parametrize(("change", "reason"), [pair for pair in CHANGES if pair[1] != "question"])
async def test_what_was_only_used_may_change(desk: Desk, change: Change, reason: str) -> None:
    del reason
    assert await desk.store.put(desk.receipt(Evidence(used=desk.read))) is None
    await change(desk)
    assert await desk.why_taken_back() is None


async def test_a_fact_that_is_over_was_true_when_it_was_said(desk: Desk) -> None:
    receipt = desk.receipt()
    newer = told(await desk.world.remember(ALICE, "I hate cheese"))
    await desk.world.execute(
        "UPDATE facts SET valid_to = $2, superseded_by = $3 WHERE fact_id = $1", desk.fact.fact_id, NOON, newer.fact_id
    )
    assert await desk.store.put(receipt) is None


async def test_a_second_receipt_takes_the_place_of_the_first_and_keeps_its_messages(desk: Desk) -> None:
    await desk.store.put(desk.receipt())
    await desk.store.note_sent(desk.receipt(), [REPLY])
    await desk.store.put(desk.receipt(Evidence.all_quoted(Read.of_facts([desk.fact]))))
    kept = there(await desk.store.of_reply(GUILD, REPLY, None))
    assert not kept.messages
    assert not kept.days
    assert kept.quoted_facts == {desk.fact.fact_id}


async def test_what_is_made_anew_without_what_is_gone_stands_again(desk: Desk) -> None:
    await desk.store.put(desk.receipt())
    await delete_message(desk)
    assert await desk.store.put(desk.receipt(Evidence.all_quoted(Read.of_facts([desk.fact])))) is None
    assert await desk.why_taken_back() is None


async def test_without_its_question_no_reply_stands_again(desk: Desk) -> None:
    await desk.store.put(desk.receipt())
    await delete_question(desk)
    assert await desk.store.put(desk.receipt(Evidence())) is not None
    assert await desk.why_taken_back() == "question"


async def test_messages_that_become_known_too_late_are_taken_back_as_well(desk: Desk) -> None:
    await desk.store.put(desk.receipt())
    await delete_message(desk)
    await desk.reply()
    await desk.store.note_sent(desk.receipt(), [REPLY])
    assert await desk.log() == set()
    await desk.reply()
    assert await desk.log() == set(), "it came back from Discord once more"


async def test_a_receipt_that_is_gone_before_its_messages_are_known_comes_back_for_them(desk: Desk) -> None:
    await desk.store.put(desk.receipt())
    await desk.world.execute("DELETE FROM receipts")
    await desk.store.note_sent(desk.receipt(), [REPLY])
    assert await desk.why_taken_back() == "source"


async def test_what_was_forgotten_may_be_named_until_its_undo_is_over(desk: Desk) -> None:
    tomorrow = NOON + timedelta(days=1)
    evidence = Evidence.all_quoted(Read.of_facts([desk.fact]))
    await desk.world.execute(FORGET, GUILD)
    assert await desk.store.put(replace(desk.receipt(evidence), lapses_at=tomorrow)) is None
    row = await desk.row()
    assert (row["take_back_at"], row["because"]) == (tomorrow, "lapsed")


async def test_while_the_log_was_away_something_may_not_have_come_into_it_yet(desk: Desk) -> None:
    heard = Read(messages={desk.asked.message_id + 1_000: None})
    receipt = desk.receipt(Evidence.all_quoted(heard))
    assert await desk.store.put(replace(receipt, made_during_outage=True)) is None
    assert await desk.store.put(receipt) is not None


async def test_a_deletion_beside_the_receipt_is_never_missed(desk: Desk) -> None:
    for _ in range(10):
        desk.said = await desk.world.say(BOB, "the tower fell again")
        receipt = desk.receipt(Evidence.all_quoted(Read.of_messages([desk.said])))
        await asyncio.gather(desk.store.put(receipt), delete_message(desk))
        assert await desk.why_taken_back() == "source"


async def forget_with(desk: Desk, message_id: int | None) -> None:
    """The fact goes, by somebody who pressed under this message."""
    async with desk.world.database.transaction("test") as connection:
        await connection.execute("DELETE FROM facts WHERE guild_id = $1 AND fact_id = $2", GUILD, desk.fact.fact_id)
        await postpone_retraction(connection, GUILD, message_id, NOON)


async def sent(world: World) -> Desk:
    desk = await Desk(world).lay()
    receipt = desk.receipt()
    assert await desk.store.put(receipt) is None
    await desk.store.note_sent(receipt, [REPLY])
    return desk


async def test_the_reply_that_was_pressed_under_waits_for_whoever_pressed(world: World) -> None:
    desk = await sent(world)
    await forget_with(desk, REPLY)
    assert (await desk.row())["take_back_at"] == NOON + PATIENCE


async def test_every_other_reply_is_taken_back_at_once(world: World) -> None:
    for message_id in (None, REPLY + 1):
        desk = await sent(world)
        await forget_with(desk, message_id)
        assert (await desk.row())["take_back_at"] == AT_ONCE
        await desk.world.execute("DELETE FROM days")


async def test_it_stands_when_it_says_something_else_and_not_before(world: World) -> None:
    """Between the receipt and the message, Discord may fail: then the old words still stand there."""
    desk = await sent(world)
    await forget_with(desk, REPLY)
    now = replace(desk.receipt(), evidence=Evidence())
    assert await desk.store.put(now) is None
    assert (await desk.row())["take_back_at"] == NOON + PATIENCE
    await desk.store.note_sent(now, [REPLY])
    assert (await desk.row())["take_back_at"] is None


async def test_what_goes_meanwhile_has_it_taken_back_all_the_same(world: World) -> None:
    desk = await sent(world)
    await forget_with(desk, REPLY)
    await delete_question(desk)
    assert (await desk.row())["take_back_at"] == AT_ONCE
    await desk.store.note_sent(replace(desk.receipt(), evidence=Evidence()), [REPLY])
    assert (await desk.row())["take_back_at"] == AT_ONCE
