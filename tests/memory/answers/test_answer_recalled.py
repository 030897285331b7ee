"""Answers out of what was said long ago: quoted with who, when and where, in five languages, in time or without."""

from datetime import timedelta

import pytest

from ai_clients.build import without_models
from memory.core.outcomes import Answer
from memory.core.values import Message, Question, Source
from memory.db.database import Database
from memory.health import PartState
from memory.language.detect import Language
from memory.places.view import Audience
from tests.memory.world import ALICE, BOB, GRUZILKIN, GUILD, HALL, LOUNGE, World

RECENT = 50
"""As many as an answer looks at anyway."""


@pytest.fixture
async def world(database: Database) -> World:
    return await World(database, without_models()).settle()


async def bury(world: World, channel: int = HALL) -> None:
    """Days of other talk."""
    for number in range(RECENT + 5):
        if number % 10 == 0:
            world.clock.move(timedelta(hours=7))
        await world.say(GRUZILKIN, f"nothing new on watch {number}", channel)
    await world.memory.indexer.catch_up()


async def said_long_ago(world: World, text: str, channel: int = HALL) -> Message:
    said = await world.say(BOB, text, channel)
    await bury(world, channel)
    return said


BOATHOUSE = {
    Language.EN: """We will paint the old boathouse green in spring.
        who said that the boathouse will be painted?
        when did we talk about painting the boathouse?
        what did Bob say about the boathouse?
        when was the last time we talked about the boathouse?""",
    Language.DE: """Das alte Bootshaus streichen wir im Frühling grün.
        wer hat gesagt, dass wir das Bootshaus streichen?
        wann haben wir über das Bootshaus gesprochen?
        was hat Bob über das Bootshaus gesagt?
        wann haben wir das letzte Mal über das Bootshaus geredet?""",
    Language.FR: """Nous allons peindre le vieux hangar à bateaux en vert au printemps.
        qui a dit que nous allons peindre le hangar ?
        quand avons-nous parlé du hangar à bateaux ?
        qu'est-ce que Bob a dit sur le hangar ?
        la dernière fois que nous avons parlé du hangar ?""",
    Language.ES: """En primavera pintamos de verde el viejo cobertizo de las barcas.
        ¿quién dijo que pintamos el cobertizo?
        ¿cuándo hablamos del cobertizo de las barcas?
        ¿qué dijo Bob sobre el cobertizo?
        ¿la última vez que hablamos del cobertizo?""",
    Language.RU: """Весной мы покрасим старый лодочный сарай в зелёный цвет.
        кто сказал, что мы покрасим сарай?
        когда мы говорили про лодочный сарай?
        что Bob говорил про сарай?
        когда мы в последний раз говорили про сарай?""",
}


@pytest.mark.parametrize("language", Language)
async def test_who_when_what_and_the_last_time_in_five_languages(world: World, language: Language) -> None:
    said, who, when, what, last = map(str.strip, BOATHOUSE[language].splitlines())
    message = await said_long_ago(world, said)
    stamp = int(message.sent_at.timestamp())
    for question in (who, what):
        answer = await world.ask(ALICE, question, language=language)
        assert answer.text.splitlines()[1] == f"• <@2> (<t:{stamp}:D>): “{said}”"
        assert answer.sources == (Source(HALL, message.message_id),)
    for question in (when, last):
        answer = await world.ask(ALICE, question, language=language)
        assert answer.text.splitlines()[1] == f"• <t:{stamp}:f> (<t:{stamp}:R>), <@2>: “{said}”"


async def test_the_last_time_is_the_newest(world: World) -> None:
    await world.say(BOB, "The boathouse leaks again.")
    await bury(world)
    newest = await said_long_ago(world, "The boathouse has a new roof.")
    answer = await world.ask(ALICE, "when was the last time we talked about the boathouse?")
    assert answer.text.splitlines()[1].endswith("“The boathouse has a new roof.”")
    assert answer.sources[0] == Source(HALL, newest.message_id)


async def test_a_fact_that_answers_comes_before_what_was_said(world: World) -> None:
    await world.remember(BOB, "I paint boathouses")
    await said_long_ago(world, "The boathouse needs paint.")
    lines = (await world.ask(ALICE, "what does Bob paint?")).text.splitlines()
    assert lines[1].startswith("• “I paint boathouses” – <@2>")


async def test_what_the_reader_has_before_them_is_not_quoted_twice(world: World) -> None:
    await world.say(BOB, "The boathouse has a new roof.")
    await world.memory.indexer.catch_up()
    answer = await world.ask(ALICE, "what about the roof of the boathouse?")
    assert answer.text.count("boathouse") == 1


async def test_what_was_said_elsewhere_names_the_channel(world: World) -> None:
    await said_long_ago(world, "The boathouse has a new roof.", LOUNGE)
    answer = await world.ask(ALICE, "what about the roof of the boathouse?")
    assert f", <#{LOUNGE}>): “The boathouse" in answer.text


async def test_japanese_is_quoted_too(world: World) -> None:
    await said_long_ago(world, "合鍵は時計の後ろにあります。")
    assert "合鍵は時計の後ろ" in (await world.ask(ALICE, "合鍵はどこにありますか？")).text


async def ask_alone(world: World, text: str, language: Language | None = None) -> Answer:
    """By `/ask`: nothing is written down for it."""
    world.clock.move(timedelta(seconds=1))
    question = Question(GUILD, HALL, 2**40, ALICE.user_id, text, world.clock.now(), language=language)
    alone = Audience(GUILD, HALL, frozenset((HALL,)), viewer_id=ALICE.user_id)
    return await world.memory.answers.answer(question, alone)


async def test_recall_that_fails_costs_a_line_and_not_the_answer(world: World) -> None:
    await world.say(BOB, "The kettle is on the stove.")
    async with world.database.connection("test.break") as connection:
        await connection.execute("ALTER TABLE index_channels RENAME TO lost_channels")
        answer = await ask_alone(world, "where is the kettle?")
        nothing = await ask_alone(world, "wo ist die Leiter?", Language.DE)
        assert world.health.part("recall").snapshot().state is PartState.FAILING
        await connection.execute("ALTER TABLE lost_channels RENAME TO index_channels")
    assert "“The kettle is on the stove.”" in answer.text
    assert answer.text.endswith("\n-# I couldn't look further back than the latest messages just now.")
    assert nothing.text.endswith("Weiter zurück als bis zu den neuesten Nachrichten konnte ich gerade nicht schauen.")
    assert "further back" not in (await ask_alone(world, "where is the kettle?")).text
    assert world.health.part("recall").snapshot().state is PartState.ACTIVE


async def test_recall_that_hangs_costs_no_more_than_its_patience(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.answers.service.PATIENCE_SECONDS", 0.3)
    await world.say(BOB, "The kettle is on the stove.")
    async with world.database.connection("test.hold") as connection, connection.transaction():
        await connection.execute("LOCK TABLE index_channels IN ACCESS EXCLUSIVE MODE")
        answer = await ask_alone(world, "where is the kettle?")
    assert "“The kettle is on the stove.”" in answer.text
    assert "couldn't look further back" in answer.text
