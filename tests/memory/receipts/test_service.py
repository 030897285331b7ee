"""What an answer says it was made from, and what becomes of receipts while the database is away."""

from collections.abc import AsyncIterator

import pytest

from memory.core.provenance import Evidence, Read, ReplyReceipt
from memory.core.values import Message, Question
from memory.db.database import Database
from memory.language.detect import Language
from memory.places.view import Audience
from memory.receipts import service as receipts_module
from tests.end_to_end.cable import Cable, cable_to
from tests.gemini_server import GeminiServer
from tests.memory.answers.answered_world import answered_by
from tests.memory.answers.test_kinds_of_answer import number_of
from tests.memory.facts.held_facts import told
from tests.memory.log.logbook import rows_of
from tests.memory.log.test_outages import world_at
from tests.memory.models.metered import until
from tests.memory.world import ALICE, BOB, CELLAR, GUILD, HALL, World, audience

REPLY = 77_000


async def test_what_is_listed_is_repeated(world: World) -> None:
    cheese, opera = (
        told(await world.remember(ALICE, "I like cheese")),
        told(await world.remember(ALICE, "I sing opera")),
    )
    await world.remember(BOB, "I play chess")
    answer = await world.ask_about(BOB, "<@1>")
    assert set(answer.evidence.quoted.facts) == {cheese.fact_id, opera.fact_id}
    assert [citation.source for citation in answer.citations] == list(answer.sources)
    lines = answer.text.split("\n")
    assert [answer.text[: citation.at].count("\n") for citation in answer.citations] == [1, 2]
    assert len(lines) == 3


@pytest.fixture
async def spoken(database: Database, gemini: GeminiServer) -> AsyncIterator[World]:
    """A world in which a model answers, each member once in ten minutes."""
    async with answered_by(gemini, database, cooldown=600) as world:
        yield world


async def test_a_model_repeats_what_it_cites_and_what_it_shares_words_with(spoken: World, gemini: GeminiServer) -> None:
    quiz = await spoken.say(BOB, "The quiz is on Friday at eight")
    cat = await spoken.say(BOB, "Nobody has a cat")
    drink = told(await spoken.remember(ALICE, "I drink absinthe"))
    gemini.says = lambda data: f"On Friday [{number_of(data, 'quiz')}], with absinthe."
    evidence = (await spoken.ask(BOB, "when is the quiz of <@1>?")).evidence
    assert set(evidence.quoted.messages) == {quiz.message_id}
    assert set(evidence.quoted.facts) == {drink.fact_id}
    assert {quiz.message_id, cat.message_id} <= set(evidence.used.messages)


async def test_who_is_answered_anew_has_asked_once(spoken: World, gemini: GeminiServer) -> None:
    """What was made for other readers, or from what is gone meanwhile, is made again, and nobody asked too often."""
    await spoken.say(BOB, "The quiz is on Friday at eight")
    gemini.says = lambda _: "On Friday at eight."
    asked = await spoken.say(ALICE, "Bot when is the quiz?")
    question = Question(GUILD, HALL, asked.message_id, ALICE.user_id, "when is the quiz?", asked.sent_at)
    answers = [await spoken.memory.answers.answer(question, audience()) for _ in range(2)]
    assert [(answer.text, answer.wait) for answer in answers] == [("On Friday at eight.", None)] * 2
    assert (await spoken.ask(ALICE, "when is the quiz?")).wait is not None


def receipt_of(world: World, asked: Message, evidence: Evidence, readers: Audience | None = None) -> ReplyReceipt:
    return world.memory.receipts.receipt_of(
        readers or audience(), asked.message_id, ALICE.user_id, Language.EN, evidence
    )


async def test_only_what_can_be_opened_is_linked(world: World) -> None:
    said = await world.say(BOB, "The quiz is on Friday at eight")
    answer = await world.ask(ALICE, "when is the quiz?")
    linked = await world.memory.receipts.with_standing_sources(answer, audience())
    assert [source.message_id for source in linked.sources] == [said.message_id]
    await world.delete(said.message_id)
    assert (await world.memory.receipts.with_standing_sources(answer, audience())).sources == ()
    elsewhere = Audience(GUILD, CELLAR, frozenset((CELLAR,)))
    assert (await world.memory.receipts.with_standing_sources(linked, elsewhere)).sources == ()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipts_module, "RETRY_SECONDS", 0.05)


async def with_receipt_while_away(world: World, cable: Cable) -> Message:
    said = await world.say(BOB, "the tower fell")
    asked = await world.say(ALICE, "Bot what happened?")
    receipt = receipt_of(world, asked, Evidence.all_quoted(Read.of_messages([said])))
    await cable.cut(world.memory)
    await world.memory.receipts.put(receipt)
    await world.memory.receipts.note_sent(receipt, [REPLY])
    await cable.mend()
    return asked


@pytest.mark.usefixtures("quick")
async def test_while_the_database_is_away_receipts_wait_and_are_written_later(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with cable_to(database_url) as cable, world_at(cable.url) as world:
        asked = await with_receipt_while_away(world, cable)
        part = world.health.part("receipts")
        await until(lambda: part.snapshot().counts.get("written late"))
        [row] = await rows_of(world.database, "receipts", GUILD)
        assert (row["asked_in"], row["message_ids"], row["because"]) == (asked.message_id, [REPLY], None)
    assert "tower" not in caplog.text


async def test_whoever_stops_writes_what_waits(database_url: str) -> None:
    async with cable_to(database_url) as cable:
        async with world_at(cable.url) as world:
            await with_receipt_while_away(world, cable)
        async with world_at(cable.url) as again:
            assert len(await rows_of(again.database, "receipts", GUILD)) == 1
