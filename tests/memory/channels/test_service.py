"""What is told of a channel, to whom, when a model is asked for it, and what becomes of its reply."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from ai_clients.base import Purpose
from ai_clients.gemini import GeminiApi, GeminiModel
from memory.channels.make import SummaryOutcome
from memory.channels.store import ChannelSummaryStore
from memory.channels.values import ChannelSummary, Policy, SummaryRules
from memory.core.outcomes import Correction
from memory.core.values import AuthorKind, Message, last_id_of
from memory.db.database import Database
from memory.models.usage import Requester
from memory.places.model import Place, PlaceKind
from tests.gemini_server import GeminiServer, data_of, gemini_server
from tests.memory.places.test_service import CLOSED
from tests.memory.places.test_service import Inn as PlacesInn
from tests.memory.world import ALICE, BOB, CELLAR, GRUZILKIN, GUILD, HALL, LOUNGE, World, audience, there
from tests.models import BY, answering

LINE = re.compile(r'<message n="(\d+)"[^>]*author="(@P\d+|someone)">([^<]*)</message>')


def minutes(data: str) -> str:
    """By a model that does as it is told: who said what last, and what it was told before."""
    before = re.search(r"<before-\w+>\n(.*)\n</before", data)
    number, author, text = LINE.findall(data)[-1]
    told = f"{before[1]} " if before else ""
    return json.dumps({"summary": f"{told}{author} said that {text}. [{number}]"})


class Hall:
    def __init__(self, world: World, gemini: GeminiServer) -> None:
        self.world, self.gemini = world, gemini
        self.store, self.summaries = ChannelSummaryStore(world.database), world.memory.channels

    async def decide(self, summaries: SummaryRules) -> None:
        privacy = self.world.memory.privacy
        await privacy.change_settings(GUILD, lambda settings: replace(settings, summaries=summaries), ALICE.user_id)

    async def open(self) -> None:
        """As the bot sees them."""
        inn = PlacesInn(self.world)
        inn.look(*(Place(channel, PlaceKind.CHANNEL, None) for channel in (HALL, LOUNGE)), CLOSED)
        await inn.written()

    async def talk(self, count: int, word: str = "boat", channel: int = HALL) -> list[int]:
        said = [
            await self.world.say((ALICE, BOB)[number % 2], f"we take the {word} number {number} on Friday", channel)
            for number in range(count)
        ]
        return [message.message_id for message in said]

    async def talk_now(self, count: int, channel: int = HALL) -> None:
        """With ids that tell the time, as Discord's do."""
        for number in range(count):
            self.world.clock.move(timedelta(seconds=1))
            now, author = self.world.clock.now(), (ALICE, BOB)[number % 2]
            text = f"the ferry number {number} leaves on Friday"
            said = Message(GUILD, channel, last_id_of(now), author.user_id, AuthorKind.PERSON, text, now)
            await self.world.memory.ingest_message(said)
        await self.world.memory.log.settled()

    async def made(self) -> None:
        """Until what was begun behind is done."""
        await asyncio.gather(*self.summaries._behind.values())


@pytest.fixture
async def hall(database: Database) -> AsyncIterator[Hall]:
    async with gemini_server() as gemini:
        model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=20)
        gemini.says = minutes
        world = await World(database, answering(model, others={Purpose.SUMMARISE: model})).settle()
        yield Hall(world, gemini)
        await world.memory.channels.stop()
        await model.close()


async def test_an_extract_serves_until_a_model_has_summed_it_up(hall: Hall) -> None:
    ids = await hall.talk(20)
    text = there(await hall.summaries.text(audience(), HALL, BY))
    assert (text.summaries, text.is_due) == ((), True)
    assert text.extract is not None
    await hall.made()
    text = there(await hall.summaries.text(audience(), HALL, BY))
    [summary] = text.summaries
    assert not text.is_due
    assert (summary.span.first_id, summary.span.last_id, summary.span.messages) == (ids[0], ids[9], 10)
    assert summary.cites == (ids[9],)
    assert f"<@{BOB.user_id}> said that we take the boat number 9 on Friday [1]." in summary.text
    assert summary.model == "gemini-good"
    assert summary.quality is not None
    assert summary.quality > 0.5


async def test_the_model_is_told_the_name_of_the_channel(hall: Hall) -> None:
    mirror = hall.world.memory.place_mirror
    mirror.begin(lambda: None)
    mirror.look_around(GUILD)
    for channel, name in ((HALL, "great-hall"), (LOUNGE, "quiet-lounge")):
        mirror.place(GUILD, Place(channel, PlaceKind.CHANNEL, None, name=name))
    await hall.world.say(ALICE, f"we go on in <#{LOUNGE}>, not in <#{HALL}>")
    await hall.talk(20)
    assert await hall.summaries.now(audience(), BY) is SummaryOutcome.MADE
    data = data_of(hall.gemini.requests[-1])
    assert re.search(r'<messages-\w+ channel="#great-hall">', data)
    assert "we go on in #channel, not in #great-hall" in data, "who reads here later need not see the other"


async def test_the_next_goes_on_from_the_one_before_and_what_is_new(hall: Hall) -> None:
    await hall.talk(20)
    await hall.summaries.now(audience(), BY)
    before = len(hall.gemini.requests)
    await hall.talk(20, "sail")
    await hall.summaries.text(audience(), HALL, BY)
    await hall.made()
    assert len(hall.gemini.requests) == before + 1
    [summary] = (await hall.summaries.status(audience())).summaries
    assert summary.span.messages == 30, "whoever asked had the newest in it; by itself it leaves some open"
    assert "number 19 on Friday [1]" in summary.text
    assert summary.text.count("[2]") == 1


async def test_a_reply_that_is_no_summary_is_asked_for_twice_and_then_an_extract_serves(hall: Hall) -> None:
    hall.gemini.says = lambda _: json.dumps({"summary": "Hello! I am your assistant. [1]"})
    await hall.talk(20)
    before = len(hall.gemini.requests)
    assert await hall.summaries.now(audience(), BY) is SummaryOutcome.FAILED
    assert len(hall.gemini.requests) == before + 2
    status = await hall.summaries.status(audience())
    assert (status.summaries, status.open_talk.messages, status.is_due) == ((), 20, True)
    assert there(await hall.summaries.text(audience(), HALL, BY)).extract is not None
    await hall.made()
    assert len(hall.gemini.requests) == before + 2, "whoever reads it does not have a failing model asked again"
    assert hall.world.health.part("channels").snapshot().issues
    hall.gemini.says = minutes
    assert await hall.summaries.now(audience(), BY) is SummaryOutcome.MADE
    assert not hall.world.health.part("channels").snapshot().issues


async def test_what_is_edited_is_out_of_use_at_once_and_made_anew_from_the_log(hall: Hall) -> None:
    ids = await hall.talk(20)
    await hall.summaries.now(audience(), BY)
    await hall.world.reword(ids[9], "we take the train after all", ALICE)
    assert there(await hall.summaries.text(audience(), HALL, BY)).summaries == ()
    await hall.made()
    [summary] = (await hall.summaries.status(audience())).summaries
    assert "number 9 " not in summary.text
    assert "train" in summary.text


async def test_of_a_private_channel_nothing_is_told_or_made_from_elsewhere(hall: Hall) -> None:
    await hall.talk(20, channel=CELLAR)
    before = len(hall.gemini.requests)
    assert await hall.summaries.text(audience(HALL), CELLAR, BY) is None
    wide = replace(audience(HALL), sources=audience(HALL).sources | {CELLAR})
    assert there(await hall.summaries.text(wide, CELLAR, BY)).is_due
    await hall.made()
    assert len(hall.gemini.requests) == before
    await hall.summaries.text(audience(CELLAR), CELLAR, BY)
    await hall.made()
    assert len(hall.gemini.requests) == before + 1


async def test_a_hand_puts_it_right_and_the_next_goes_on_from_that(hall: Hall) -> None:
    await hall.talk(20)
    await hall.summaries.now(audience(), BY)
    [summary] = (await hall.summaries.status(audience())).summaries
    corrected = "They take the big boat [1]."
    assert await hall.summaries.correct(audience(), summary.summary_id, corrected, ALICE.user_id) is Correction.DONE
    assert await hall.summaries.correct(audience(), summary.summary_id + 1, "no", ALICE.user_id) is Correction.GONE
    await hall.talk(10, "sail")
    assert await hall.summaries.now(audience(), BY) is SummaryOutcome.MADE
    [after] = (await hall.summaries.status(audience())).summaries
    assert after.text.startswith("They take the big boat [1].")
    assert after.corrected_by is None, "a model wrote it"


async def test_a_correction_names_nobody_who_wants_nothing_kept(hall: Hall) -> None:
    await hall.talk(20)
    await hall.summaries.now(audience(), BY)
    [summary] = (await hall.summaries.status(audience())).summaries
    await hall.world.memory.privacy.opt_out(GUILD, GRUZILKIN.user_id)
    for text in (f"<@{GRUZILKIN.user_id}> steers", f"{GRUZILKIN.display_name} steers the boat"):
        corrected = await hall.summaries.correct(audience(), summary.summary_id, text, ALICE.user_id)
        assert corrected is Correction.NAMES_WHO_OPTED_OUT


async def test_a_correction_goes_with_whoever_wrote_it(hall: Hall) -> None:
    await hall.talk(20)
    await hall.summaries.now(audience(), BY)
    [summary] = (await hall.summaries.status(audience())).summaries
    await hall.summaries.correct(audience(), summary.summary_id, "I know better", GRUZILKIN.user_id)
    await hall.world.memory.privacy.erase_member(GUILD, GRUZILKIN.user_id, 2**62)
    assert await hall.summaries.by_id(audience(), summary.summary_id) is None


async def test_a_history_covers_nothing_and_is_told_anew_when_that_is_due(hall: Hall) -> None:
    await hall.talk(15)
    asked = len(hall.gemini.requests)
    [first] = (await hall.summaries.history(audience(), BY)).summaries
    assert "number 14 " in first.text
    assert len(hall.gemini.requests) == asked + 1
    assert (await hall.summaries.status(audience())).open_talk.messages == 15
    assert (await hall.summaries.history(audience(), BY)).summaries == (first,)
    assert len(hall.gemini.requests) == asked + 1, "nothing is new"
    await hall.talk(1, "oar")
    [by_request] = (await hall.summaries.history(audience(), BY)).summaries
    assert "oar number 0 " in by_request.text
    assert by_request.summary_id == first.summary_id


async def test_two_who_ask_for_a_history_at_once_both_get_it(hall: Hall) -> None:
    await hall.talk(15)
    first, second = await asyncio.gather(*(hall.summaries.history(audience(), BY) for _ in range(2)))
    assert len(first.summaries) == 1
    assert second.summaries == first.summaries


async def test_a_history_that_was_asked_for_once_is_renewed_behind_an_exchange_when_that_is_due(hall: Hall) -> None:
    async def exchanged() -> ChannelSummary:
        hall.summaries.after_exchange(GUILD, HALL, Requester.without_message(BY.user_id, hall.world.clock.now()))
        await hall.made()
        [told] = await hall.store.told(audience(), HALL, Policy.HISTORY)
        return told

    await hall.talk(15)
    [first] = (await hall.summaries.history(audience(), BY)).summaries
    await hall.talk(5)
    assert await exchanged() == first
    await hall.talk(45)
    after_many = await exchanged()
    assert "number 44 " in after_many.text
    await hall.talk(1)
    hall.world.clock.move(timedelta(hours=25))
    assert (await exchanged()).made_at > after_many.made_at


async def test_a_history_is_renewed_when_the_talk_has_turned(hall: Hall) -> None:
    for number in range(60):
        await hall.world.say((ALICE, BOB)[number % 2], f"the boat needs new sails and oars before regatta {number}")
    [first] = (await hall.summaries.history(audience(), BY)).summaries
    for number in range(45):
        await hall.world.say((ALICE, BOB)[number % 2], f"bake the bread with rye flour and salt in oven {number}")
    hall.summaries.after_exchange(GUILD, HALL, BY)
    await hall.made()
    [told] = await hall.store.told(audience(), HALL, Policy.HISTORY)
    assert told.made_at > first.made_at


async def test_without_any_summary_a_history_serves_an_answer(hall: Hall) -> None:
    await hall.talk(15)
    [history] = (await hall.summaries.history(audience(), BY)).summaries
    assert await hall.summaries.for_answer(audience()) == (history,)
    await hall.talk(10)
    await hall.summaries.now(audience(), BY)
    assert history not in await hall.summaries.for_answer(audience())


async def test_a_topic_that_comes_back_brings_what_was_said_of_it(hall: Hall) -> None:
    goat = [
        await hall.world.say(BOB, text)
        for text in ("the goat ate the red flag again", "that goat eats every flag", "we need a fence for the goat")
    ]
    await hall.talk(60, "ferry")
    now, last = hall.world.clock.now(), 2**62
    found = await hall.summaries.returning("what did the goat do to the flag?", audience(), last, now)
    assert {one.message.message_id for one in found} <= {one.message_id for one in goat}
    assert found
    assert all(1 <= one.priority <= 5 and 0.7 <= one.relevance <= 1 and one.expires_at > now for one in found)
    assert await hall.summaries.returning("what did the goat do?", audience(CELLAR), last, now) == []


async def test_whoever_asks_too_often_has_to_wait(hall: Hall) -> None:
    await hall.talk(20)
    await hall.talk(20, channel=LOUNGE)
    requests = len(hall.gemini.requests)
    assert await hall.summaries.now(audience(), Requester(ALICE.user_id, 1)) is SummaryOutcome.MADE
    assert await hall.summaries.now(audience(LOUNGE), Requester(ALICE.user_id, 2)) is SummaryOutcome.TOO_OFTEN
    assert await hall.summaries.now(audience(LOUNGE), Requester(BOB.user_id, 3)) is SummaryOutcome.MADE
    assert len(hall.gemini.requests) == requests + 2
    assert not hall.world.health.part("channels").snapshot().issues


async def test_a_model_is_asked_behind_an_exchange_for_summary_and_history_and_not_elsewhere(hall: Hall) -> None:
    await hall.talk(40)
    await hall.talk(40, channel=LOUNGE)
    assert hall.gemini.requests == []
    hall.summaries.after_exchange(GUILD, HALL, BY)
    hall.summaries.after_exchange(GUILD, HALL, BY)
    await hall.made()
    assert len(hall.gemini.requests) == 2
    assert [one.channel_id for one in await hall.summaries.for_answer(audience())] == [HALL]
    assert await hall.store.told(audience(), HALL, Policy.HISTORY)
    assert await hall.summaries.for_answer(audience(LOUNGE)) == ()


async def test_where_little_was_said_an_exchange_makes_no_history(hall: Hall) -> None:
    await hall.talk(10)
    hall.summaries.after_exchange(GUILD, HALL, BY)
    await hall.made()
    assert hall.gemini.requests == []


async def test_a_channel_that_falls_silent_is_summed_up_by_itself_once(hall: Hall) -> None:
    await hall.open()
    await hall.talk_now(5, LOUNGE)
    await hall.talk_now(20, CELLAR)  # private: only if somebody asks in there
    await hall.talk_now(20)
    hall.world.clock.move(timedelta(minutes=50))
    await hall.summaries.round()
    assert hall.gemini.requests == [], "they may go on talking"
    hall.world.clock.move(timedelta(minutes=20))
    for _ in range(2):
        await hall.summaries.round()
        assert len(hall.gemini.requests) == 1
    [summary] = (await hall.summaries.status(audience())).summaries
    assert summary.span.messages == 10
    await hall.decide(SummaryRules(is_on=False))
    await hall.talk_now(20)
    hall.world.clock.move(timedelta(hours=2))
    await hall.summaries.round()
    assert len(hall.gemini.requests) == 1


async def test_by_levels_turns_alone_make_a_summary_due_in_a_quiet_hour(hall: Hall) -> None:
    await hall.open()
    await hall.decide(SummaryRules(policy=Policy.LEVELS, turns=4))
    for more, made in ((3, 0), (2, 1)):  # Alice, Bob, Alice; Alice, Bob
        await hall.talk_now(more)
        hall.world.clock.move(timedelta(minutes=61))
        await hall.summaries.round()
        assert len((await hall.summaries.status(audience())).summaries) == made


async def test_from_elsewhere_a_channel_is_summed_up_once_an_hour(hall: Hall) -> None:
    await hall.open()
    asked = []
    for minutes_later in (0, 10, 61):
        await hall.talk(20, channel=LOUNGE)
        hall.world.clock.move(timedelta(minutes=minutes_later))
        await hall.summaries.text(audience(), LOUNGE, BY)
        await hall.made()
        asked.append(len(hall.gemini.requests))
    assert asked == [1, 1, 2]


async def test_a_model_merges_the_oldest_of_a_level_and_reads_their_sources_again(hall: Hall) -> None:
    await hall.decide(SummaryRules(policy=Policy.LEVELS, turns=4))
    ids: list[int] = []
    for number in range(6):
        ids += await hall.talk(4, f"boat{number}")
        assert await hall.summaries.now(audience(), BY) is SummaryOutcome.MADE
    status = await hall.summaries.status(audience())
    assert [(one.level, one.span.messages) for one in status.summaries] == [(2, 20), (1, 4)]
    assert (status.covered, status.highest_level, status.open_talk.messages) == (24, 2, 0)
    merged = status.summaries[0]
    assert merged.cites
    assert set(merged.cites) <= set(ids[:20])
    asked = next(data for data in map(data_of, reversed(hall.gemini.requests)) if data.count("<before-") == 5)
    assert len(LINE.findall(asked)) >= 5, "sources of each child stand beside its text"
    await hall.world.delete(ids[1])
    status = await hall.summaries.status(audience())
    assert [(one.level, one.span.first_id) for one in status.summaries] == [(1, ids[4 * n]) for n in range(1, 6)]
    assert status.open_talk.messages == 3
