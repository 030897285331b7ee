"""What the bot answers to somebody of whom nothing may be kept is not kept either, whichever way it comes in."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from memory.core.log_values import Consent
from memory.core.provenance import Broken, Evidence, Read, ReplyReceipt
from memory.core.values import ERASED, Answered, AuthorKind, Member, Message, last_id_of
from memory.language.detect import Language
from memory.manager import MemoryManager
from memory.policy.settings import LogSettings
from memory.receipts.store import ReceiptStore
from tests.memory.log.logbook import decide_log, rows_of
from tests.memory.world import ALICE, BOB, GUILD, HALL, INNKEEPER, LOUNGE, World

Decide = Callable[[World], Awaitable[object]]
EXCLUDED_ROLE = 77


def said_now(world: World, author: Member, text: str) -> Message:
    """With an id that tells its time, as Discord's do."""
    world.clock.move(timedelta(seconds=1))
    now = world.clock.now()
    return Message(GUILD, HALL, last_id_of(now), author.user_id, AuthorKind.PERSON, text, now)


def answer_to(world: World, question: Message) -> Message:
    reply = said_now(world, INNKEEPER, f"You asked: {question.text}")
    answered = Answered(question.author_id, question.message_id)
    return replace(reply, author_kind=AuthorKind.SELF, reply_to=question.message_id, answers=answered)


async def opt_out(world: World) -> None:
    await world.memory.privacy.opt_out(GUILD, ALICE.user_id)


async def want_consent(world: World) -> None:
    await decide_log(world.memory, GUILD, LogSettings(consent=Consent.OPT_IN))


async def erase(world: World) -> None:
    world.clock.move(timedelta(seconds=1))
    await world.memory.privacy.erase_member(GUILD, ALICE.user_id, last_id_of(world.clock.now()))


async def exclude_her_role(world: World) -> None:
    await world.memory.people.meet_member(replace(ALICE, roles=(EXCLUDED_ROLE,)))
    await decide_log(world.memory, GUILD, LogSettings(excluded_roles=frozenset({EXCLUDED_ROLE})))


WAYS_IN: dict[str, Callable[[MemoryManager, Message], Awaitable[object]]] = {
    "live": lambda memory, said: memory.ingest_message(said),
    "by a page": lambda memory, said: memory.log.store_page(GUILD, said.channel_id, [said]),
    "by comparison": lambda memory, said: memory.log.reconcile(GUILD, said.channel_id, [said]),
}


@pytest.mark.parametrize("decide", [opt_out, erase, want_consent, exclude_her_role])
async def test_an_answer_stays_out_with_its_question(world: World, decide: Decide) -> None:
    question = said_now(world, ALICE, "Bot who is Quetzal?")
    other = said_now(world, BOB, "Bot who is Quetzal?")
    await decide(world)
    consents = decide is not want_consent
    for way, comes in WAYS_IN.items():
        await comes(world.memory, answer_to(world, question))
        kept = answer_to(world, other)
        await comes(world.memory, kept)
        await world.memory.log.settled()
        stored = [row["message_id"] for row in await rows_of(world.database, "chat_history", GUILD)]
        assert stored == ([kept.message_id] if consents else []), way
        await world.delete(kept.message_id)


def receipt_of(question: Message, world: World, evidence: Evidence | None = None) -> ReplyReceipt:
    return ReplyReceipt(
        GUILD,
        question.message_id,
        question.channel_id,
        question.author_id,
        world.clock.now(),
        Language.EN,
        evidence or Evidence(),
    )


@pytest.mark.parametrize("decide", [opt_out, want_consent, exclude_her_role])
async def test_a_receipt_does_not_say_who_asked_of_whom_nothing_is_kept(world: World, decide: Decide) -> None:
    await decide(world)
    source = await world.say(BOB, "Quetzal is a bird") if decide is not want_consent else None
    question = said_now(world, ALICE, "Bot who is Quetzal?")
    evidence = Evidence.all_quoted(Read.of_messages([source])) if source else Evidence()
    store, receipt = ReceiptStore(world.database), receipt_of(question, world, evidence)
    parts = [answer_to(world, question), replace(answer_to(world, question), reply_to=None, answers=None)]
    assert await store.put(receipt) is None, "it was asked afterwards, so it is answered"
    await world.hear(*parts)
    await store.note_sent(receipt, [part.message_id for part in parts])
    [row] = await rows_of(world.database, "receipts", GUILD)
    assert row["asker_id"] == ERASED
    assert row["message_ids"] == [part.message_id for part in parts]
    await world.hear(*parts)
    kept = [row["message_id"] for row in await rows_of(world.database, "chat_history", GUILD)]
    assert kept == ([source.message_id] if source else []), "the later parts name nobody, and stay out all the same"
    if source is not None:
        await world.delete(source.message_id)
        [row] = await rows_of(world.database, "receipts", GUILD)
        assert row["because"] == "source", "it is taken back like any other"


async def empty_the_channel(world: World) -> None:
    world.clock.move(timedelta(seconds=1))
    await world.memory.privacy.erase_channel(GUILD, HALL, last_id_of(world.clock.now()), BOB.user_id)


@pytest.mark.parametrize("decide", [opt_out, erase, empty_the_channel])
async def test_what_is_still_being_answered_goes_with_its_question(world: World, decide: Decide) -> None:
    question = said_now(world, ALICE, "Bot who is Quetzal?")
    await world.memory.ingest_message(question)
    world.clock.move(timedelta(seconds=1))
    await decide(world)
    assert await ReceiptStore(world.database).put(receipt_of(question, world)) is Broken.QUESTION
    [row] = await rows_of(world.database, "receipts", GUILD)
    assert row["because"] == "question"


async def test_nobody_elses_answers_go(world: World) -> None:
    question = said_now(world, BOB, "Bot who is Quetzal?")
    await opt_out(world)
    await erase(world)
    await world.memory.privacy.erase_channel(GUILD, LOUNGE, last_id_of(world.clock.now()), BOB.user_id)
    store = ReceiptStore(world.database)
    assert await store.put(receipt_of(question, world)) is None
    [row] = await rows_of(world.database, "receipts", GUILD)
    assert row["asker_id"] == BOB.user_id
