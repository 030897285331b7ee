"""When what members say to us is read for memories, by how many calls, and what the ledger has of it then."""

import html
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.embedding import StaticVectors
from memory.core.outcomes import Remembered
from memory.core.values import (
    AuthorKind,
    Category,
    Fact,
    Intent,
    Member,
    Message,
    Question,
    Standing,
    Traits,
    last_id_of,
)
from memory.db.database import Database
from memory.manager import MemoryManager
from memory.memories.service import MemoryStore
from memory.policy.settings import GuildSettings
from memory.settings import MemoryOptions
from tests.gemini_server import GeminiServer, data_of, gemini_server
from tests.memory.facts.small_model import small_world
from tests.memory.world import ALICE, BOB, GUILD, HALL, INNKEEPER, NOON, World, as_a, audience

LINE = re.compile(r'<message n="(\d+)"[^>]*>([^<]*)</message>')
IDLE = timedelta(minutes=30)


class Bar:
    """Where members chat with us, and a model that takes all it is shown for memories."""

    def __init__(self, world: World, gemini: GeminiServer) -> None:
        self.world, self.gemini = world, gemini
        self.memories = world.memory.memories
        world._last_id = last_id_of(NOON)
        self.found: dict[str, object] = {"category": "preference", "importance": 7, "tags": ["food"]}
        gemini.says = self.point

    def point(self, data: str) -> str:
        spans = [(int(number), html.unescape(text)) for number, text in LINE.findall(data)]
        return json.dumps({"memories": [{"message": n, "span": span, **self.found} for n, span in spans]})

    async def chat(self, who: Member, text: str, channel: int = HALL, *, answered: bool = True) -> Message:
        said = await self.world.say(who, text, channel)
        question = Question(GUILD, channel, said.message_id, who.user_id, text, said.sent_at)
        await self.world.memory.answers.mark_addressed(question, Intent.QUESTION)
        if answered:
            await self.world.say(INNKEEPER, "I see!", channel, kind=AuthorKind.SELF, reply_to=said.message_id)
        return said

    async def idle(self) -> int:
        self.world.clock.move(IDLE)
        return await self.memories.take_due()

    async def held(self, who: Member = ALICE, channel: int = HALL) -> list[Fact]:
        return await self.world.memory.facts._facts.about(audience(channel), [who.user_id])

    async def texts(self, who: Member = ALICE, channel: int = HALL) -> list[str]:
        return [fact.text for fact in await self.held(who, channel)]

    @property
    def calls(self) -> int:
        return len(self.gemini.requests)

    def restarted(self) -> MemoryManager:
        """Another process, which heard nothing."""
        world, chain = self.world, self.memories._chain
        assert chain is not None
        models, options = Models({Purpose.SMALL: chain}, StaticVectors(), {}), MemoryOptions(member_cooldown_seconds=0)
        again = MemoryManager(world.database, options, world.clock, world.health, models)
        self.memories = again.memories
        return again


@pytest.fixture
async def bar(database: Database) -> AsyncIterator[Bar]:
    async with gemini_server() as gemini, small_world(database, gemini) as world:
        yield Bar(world, gemini)


async def settings(bar: Bar, **answers: object) -> None:
    def change(before: GuildSettings) -> GuildSettings:
        return replace(before, answers=replace(before.answers, **answers))  # type: ignore[arg-type]

    await bar.world.memory.privacy.change_settings(GUILD, change)


async def test_a_session_is_read_once_it_is_idle_by_one_call(bar: Bar) -> None:
    said = await bar.chat(ALICE, "Bot, I prefer tea over coffee")
    await bar.chat(ALICE, "Bot, what is the time?")
    await bar.chat(ALICE, "Bot, and I play the cello")
    assert await bar.memories.take_due() == 0
    assert bar.calls == 0
    assert await bar.idle() == 2
    assert bar.calls == 1
    assert "time" not in data_of(bar.gemini.requests[-1]), "no model gets what cannot be kept"
    tea, cello = await bar.held()
    assert (tea.text, tea.standing) == ("“I prefer tea over coffee” – <@1>", Standing.INFERRED)
    assert (tea.teller_id, tea.channel_id, tea.message_id) == (ALICE.user_id, HALL, said.message_id)
    assert tea.traits == Traits(Category.PREFERENCE, 7, ("food",))
    assert (tea.valid_from, cello.text) == (said.sent_at, "“I play the cello” – <@1>")
    assert await bar.idle() == 0
    assert bar.calls == 1, "nothing is read twice"
    await bar.chat(ALICE, "Bot, I like tea over coffee")
    await bar.chat(BOB, "Bot, how are you?")
    bar.found["category"] = "fact"
    await bar.idle()
    assert bar.calls == 2, "for Bob, who told nothing, no model is asked"


async def test_what_is_known_is_not_kept_again(bar: Bar) -> None:
    bar.found["category"] = "fact"
    for said, is_new in (
        ("Bot, I bought a new bike last week", 1),
        ("Bot, I bought a NEW bike last week!", 0),
        ("Bot, I sold a new bike last week", 1),
    ):
        await bar.chat(ALICE, said)
        assert await bar.idle() == is_new, said
    await bar.chat(ALICE, "Bot, I starred in three films about owls")
    await bar.chat(ALICE, "Bot, I starred in three films about owls.")
    assert await bar.idle() == 1, "of two in one reply as well"


async def test_after_ten_exchanges_it_is_read_although_they_go_on(bar: Bar) -> None:
    for number in range(9):
        await bar.chat(ALICE, f"Bot, I own boat number {number}")
    assert await bar.memories.take_due() == 0
    await bar.chat(ALICE, "Bot, I own a sledge")
    assert await bar.memories.take_due() == 5
    assert bar.calls == 1


async def test_what_waits_is_found_after_a_restart_and_nothing_is_kept_twice(bar: Bar) -> None:
    await bar.chat(ALICE, "Bot, I prefer tea over coffee")
    await bar.chat(BOB, "Bot, I row on Sundays", answered=False)
    bar.restarted()
    assert await bar.idle() == 1
    assert await bar.texts(BOB) == [], "nobody answered, so it was no exchange"
    bar.restarted()
    assert await bar.idle() == 0
    assert bar.calls == 1
    await bar.chat(ALICE, "Bot, I sail on Mondays")
    bar.world.clock.move(timedelta(days=2))
    bar.restarted()
    assert await bar.memories.take_due() == 0, "what is days old is not read any more"


async def test_only_the_process_that_serves_a_guild_reads_there_and_finds_what_another_left(bar: Bar) -> None:
    await bar.chat(ALICE, "Bot, I prefer tea over coffee")
    mirror = bar.restarted().place_mirror
    mirror.begin(lambda: None)
    assert await bar.idle() == 0
    assert bar.calls == 0
    mirror.look_around(GUILD)
    assert await bar.idle() == 1


async def test_whoever_is_ended_between_call_and_commit_leaves_nothing_and_the_next_keeps_it_once(
    bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bar.chat(ALICE, "Bot, I prefer tea over coffee")

    async def ended(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(MemoryStore, "keep", ended)
    with pytest.raises(KeyboardInterrupt):
        await bar.idle()
    assert await bar.texts() == []
    monkeypatch.undo()
    bar.restarted()
    assert await bar.idle() == 1
    bar.restarted()
    assert await bar.idle() == 0
    assert len(await bar.texts()) == 1


async def test_a_model_that_fails_is_left_alone_for_a_while(bar: Bar) -> None:
    await bar.chat(ALICE, "Bot, I prefer tea over coffee")
    bar.gemini.says = lambda _: "not at all"
    assert await bar.idle() == 0
    failed = bar.calls
    assert await bar.memories.take_due() == 0
    assert bar.calls == failed
    bar.gemini.says = bar.point
    assert await bar.idle() == 1


async def test_a_reply_that_is_none_is_given_up_at_last(bar: Bar) -> None:
    await bar.chat(ALICE, "Bot, I prefer tea over coffee")
    bar.gemini.says = lambda _: "not at all"
    for _ in range(4):
        bar.world.clock.move(timedelta(hours=6))
        await bar.memories.take_due()
    asked = bar.calls
    await bar.idle()
    assert bar.calls == asked


async def test_nothing_is_taken_where_the_guild_or_the_member_does_not_want_it(bar: Bar) -> None:
    await settings(bar, takes_memories=False)
    await bar.chat(ALICE, "Bot, I prefer tea over coffee")
    assert await bar.idle() == 0
    await settings(bar, takes_memories=True)
    assert await bar.idle() == 0, "what was said before is not read later"
    assert bar.calls == 0
    await bar.chat(ALICE, "Bot, I play the cello")
    await bar.world.memory.privacy.opt_out(GUILD, ALICE.user_id)
    assert await bar.idle() == 0
    assert bar.calls == 0


async def test_who_opts_out_while_the_model_thinks_leaves_nothing(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    await bar.chat(ALICE, "Bot, I prefer tea over coffee")
    told = await bar.chat(BOB, "Bot, I row on Sundays")
    keep = MemoryStore.keep

    async def late(store: MemoryStore, *given: object) -> int:
        await bar.world.memory.privacy.opt_out(GUILD, ALICE.user_id)
        await bar.world.delete(told.message_id)
        return await keep(store, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(MemoryStore, "keep", late)
    assert await bar.idle() == 0
    assert not await bar.world.database.read("test", "SELECT FROM facts")


async def test_told_facts_hold_and_what_is_let_on_later_takes_the_place_of_the_same_attribute(bar: Bar) -> None:
    await bar.world.remember(ALICE, "I live in Paris")
    bar.found = {"category": "fact", "attribute": "home city"}
    await bar.chat(ALICE, "Bot, I live in Lyon")
    assert await bar.idle() == 0
    assert await bar.texts() == ["“I live in Paris” – <@1>"]
    bar.found = {"category": "preference", "attribute": "favourite drink"}
    await bar.chat(ALICE, "Bot, I mostly drink green tea")
    assert await bar.idle() == 1
    await bar.chat(ALICE, "Bot, I mostly drink water these days")
    assert await bar.idle() == 1
    assert await bar.texts() == ["“I live in Paris” – <@1>", "“I mostly drink water these days” – <@1>"]
    over = await bar.world.memory.facts._facts.superseded_facts(audience())
    assert [(one.text, one.valid_to is not None) for one in over] == [("“I mostly drink green tea” – <@1>", True)]
    bar.found = {"category": "fact", "attribute": "favourite drink"}
    await bar.chat(ALICE, "Bot, I bake bread at night")
    assert await bar.idle() == 1, "of another category nothing is over"
    told = as_a(Remembered, await bar.world.remember(ALICE, "I bake bread at night"))
    assert told.fact.standing is Standing.SELF
    assert told.replaced == ()
    assert [one.standing for one in await bar.held() if "bread" in one.text] == [Standing.SELF]


async def test_an_appointment_goes_when_its_day_is_over(bar: Bar) -> None:
    bar.found = {"category": "schedule", "until": "2026-03-03"}
    await bar.chat(ALICE, "Bot, my exam is on Tuesday")
    assert await bar.idle() == 1
    [exam] = await bar.held()
    assert exam.traits is not None
    assert exam.traits.category is Category.SCHEDULE
    bar.world.clock.move(timedelta(days=1))
    await bar.world.memory.purge(bar.world.clock.now())
    assert len(await bar.texts()) == 1
    bar.world.clock.move(timedelta(days=2))
    await bar.world.memory.purge(bar.world.clock.now())
    assert await bar.texts() == []
