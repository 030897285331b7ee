"""Nothing that a member is shown depends on what is told about them in a room they cannot read: neither its words nor
that there is any, how much, when, or by whom. Two worlds differ by those tellings alone, and show the member the
same.
"""

import io
import re
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.facts.memory_pages import ENTRIES_ON_A_PAGE, NOBODY, Sheet, audit_page, memory_page
from bot.innkeeper import how_it_is
from bot.privacy.holdings import describe_gone_of_me, describe_mine, describe_opted_out
from bot.why import page as why_page
from bot.words import Voice
from memory.core.outcomes import ForgottenAll
from memory.core.provenance import Evidence, Explanation, Read, ReplyReceipt
from memory.core.values import Fact, Rank
from memory.db.database import Database, ExternalPostgres
from memory.language.detect import Language
from memory.policy.authority import Action, Actor
from memory.policy.settings import LogSettings
from memory.privacy.export_queries import Signposts
from tests.databases import PostgresServer
from tests.memory.facts.held_facts import Holding, alone, done, told
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GUILD, HALL, World

VOICE = Voice(Language.EN, "Innkeeper")
REPLY = 77_000
LAST_ID = 10**6


@pytest.fixture
async def worlds(postgres_server: PostgresServer) -> AsyncIterator[tuple[World, World]]:
    names = [await postgres_server.create(await postgres_server.template()) for _ in range(2)]
    databases = [await Database.open(ExternalPostgres(postgres_server.url_of(name))) for name in names]
    quiet, whispering = [await World(database).settle() for database in databases]
    yield quiet, whispering
    for world, name in zip((quiet, whispering), names, strict=True):
        await world.memory.log.settled()
        await world.database.close()
        await postgres_server.drop(name)


async def live(world: World, *, with_whispers: bool) -> Fact:
    """What was told about Alice last, which `REPLY` repeats."""
    holding = Holding(world)
    await world.say(ALICE, "the cat sat on the roof")
    await world.remember(ALICE, "I live in Graz")
    await world.remember(BOB, "Alice whistles")
    later, next_id = world.clock.now() + timedelta(hours=1), world._last_id + 100
    if with_whispers:  # all that can be done in the cellar about somebody who cannot read it
        await world.remember(FLORENT, "Alice gets a lute", CELLAR)
        await world.remember(FLORENT, "Alice and Bob are a couple", CELLAR)
        await world.remember(FLORENT, "Alice whistles", CELLAR)  # which everybody knows
        await world.remember(FLORENT, "Alice is called Lia", CELLAR)
        await world.remember(FLORENT, "Alice collects stamps", CELLAR)  # which everybody will know
        forgotten = told(await world.remember(FLORENT, "Alice sings", CELLAR))
        done(await holding.do(Action.FORGET, FLORENT, forgotten, CELLAR))
        await world.ask_about(FLORENT, "<@1>", CELLAR)
        await world.ask(FLORENT, "what does Alice get?", CELLAR)
    world.clock.move(later - world.clock.now())
    world._last_id = next_id
    told(await world.remember(BOB, "Alice paints"))
    await holding.shown(FLORENT, ALICE, CELLAR)
    asked = await world.say(ALICE, "Bot what is new?")
    stamps = told(await world.remember(BOB, "Alice collects stamps"))
    used = Evidence.all_quoted(Read.of_facts([stamps]))
    receipt = ReplyReceipt(GUILD, asked.message_id, HALL, ALICE.user_id, world.clock.now(), Language.EN, used)
    await world.memory.receipts.put(receipt)
    await world.memory.receipts.note_sent(receipt, [REPLY])
    await world.memory.indexer.catch_up()
    return stamps


async def exported(world: World) -> str:
    """The whole file. Ids of changes are drawn by lot."""
    file = io.BytesIO()
    await world.memory.exports.of_member(alone(ALICE), Signposts("The Inn", {}, lambda *ids: f"{ids}"), file)
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "(some id)", file.getvalue().decode())


async def shown(world: World) -> dict[str, object]:
    """By where it is shown."""
    memory, reader, actor = world.memory, alone(ALICE), Actor(ALICE.user_id, Rank.MANAGER)
    facts = await memory.hearsay.page(reader, actor, ALICE.user_id, skip=0, most=10)
    of_her = await memory.audit_log.of_member(reader, ALICE.user_id, skip=0, most=ENTRIES_ON_A_PAGE)
    of_all = await memory.audit_log.of_guild(reader, skip=0, most=ENTRIES_ON_A_PAGE)
    why = await memory.receipts.explain(reader, REPLY, None)
    answers = [
        await world.ask_about(ALICE, "me"),
        await world.ask_about(BOB, "Lia"),
        await world.ask(ALICE, "what does Alice get?"),
        await world.ask(ALICE, "who whistles?"),
    ]
    return {
        "/privacy show": describe_mine(await memory.exports.held_on(reader), LogSettings(), VOICE),
        "/privacy export": await exported(world),
        "/memory show": memory_page(facts, Sheet(ALICE.user_id), reader, VOICE),
        "/memory audit of a member": audit_page(of_her, Sheet(ALICE.user_id), VOICE),
        "/memory audit": audit_page(of_all, Sheet(NOBODY), VOICE),
        "Why did you say that?": why_page(why, GUILD, VOICE) if isinstance(why, Explanation) else why,
        "answers": [answer.text for answer in answers],
        "recall": await memory.recall.search("Alice lute cat roof", reader, ALICE.user_id, world.clock.now()),
        "/innkeeper status": how_it_is(await memory.heartbeat.report(), VOICE),
    }


async def test_what_is_told_in_a_closed_room_changes_nothing_its_subject_is_shown(worlds: tuple[World, World]) -> None:
    quiet, whispering = worlds
    await live(quiet, with_whispers=False)
    await live(whispering, with_whispers=True)
    before, after = await shown(quiet), await shown(whispering)
    assert "looked (3)" in str(before["/memory audit of a member"])
    assert "paints" in str(before["/privacy export"])
    assert "gets a lute" not in str(after)
    assert any("a couple" in text for text in await Holding(whispering).texts(FLORENT, ALICE, CELLAR))
    for where, words in before.items():
        assert after[where] == words, where


async def test_taking_all_of_it_away_shows_no_more(worlds: tuple[World, World]) -> None:
    """Forgetting and erasing reach everything, and tell of what the member could read alone."""
    said: list[list[str]] = []
    for world, with_whispers in zip(worlds, (False, True), strict=True):
        stamps = await live(world, with_whispers=with_whispers)
        world.clock.move(timedelta(seconds=1))  # changes of one moment stand in any order
        done(await Holding(world).do(Action.CONFIRM, ALICE, stamps))
        forgotten = await world.forget(ALICE, "everything about me")
        assert isinstance(forgotten, ForgottenAll)
        assert forgotten.change_id is not None
        taken = [str([fact.text for fact in forgotten.heard]), await exported(world)]
        undone = await world.memory.undos.undo(GUILD, forgotten.change_id, Actor(ALICE.user_id), alone(ALICE))
        taken += [re.sub(r"UUID\(.*?\)|fact_id=\d+", "", str(undone)), await exported(world)]
        erased = await world.memory.privacy.erase_member(GUILD, ALICE.user_id, LAST_ID)
        taken += [describe_gone_of_me(erased, VOICE), describe_opted_out(erased, VOICE), await exported(world)]
        assert await Holding(world).texts(FLORENT, ALICE, CELLAR) == [], "what the cellar knew of her is gone as well"
        said.append(taken)
    assert said[1] == said[0]
