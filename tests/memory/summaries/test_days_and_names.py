"""Days are told with the names that facts give people: which ones, to whom, and what becomes of it afterwards."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from memory.core.outcomes import Forgotten, Remembered
from memory.core.values import Choice, Member, Question, fingerprint
from memory.places.model import Place, PlaceKind
from tests.gemini_server import data_of
from tests.memory.log.logbook import rows_of
from tests.memory.summaries.diary_house import ALICE, BOB, CARL, CELLAR, GUILD, HALL, LOUNGE, PEOPLE, DiaryHouse
from tests.memory.world import there

EVERYWHERE = 0
"""Told in the cellar, for everyone."""


def known_as(house: DiaryHouse, user_id: int) -> str | None:
    """What stands beside a person in the latest prompt."""
    data = data_of(house.scribe.server.requests[-1])
    return there(re.search(rf'<person id="{user_id}" name="[^"]*"(?: also-known-as="([^"]*)")?/>', data))[1]


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ([(ALICE, "Bob is Robert", HALL)], "Robert, bob_the_builder"),
        ([(BOB, "my name is Robert", EVERYWHERE)], "Robert, bob_the_builder"),
        (
            [(BOB, "my name is Robert", HALL)]
            + [(ALICE, f"Bob is also called {name}", HALL) for name in ("Bobby", "Bobster", "Bobkin")],
            "Robert, Bobkin, bob_the_builder",
        ),
        ([(ALICE, 'Bob is called "O\'Neil"', HALL)], "O&#x27;Neil, bob_the_builder"),
    ],
    ids=["from a fact", "for everyone", "few, and the best founded first", "data"],
)
async def test_a_name_that_may_be_heard_stands_beside_its_member(
    house: DiaryHouse, told: list[tuple[Member, str, int]], known: str
) -> None:
    for teller, body, channel in told:
        await house.remember(teller, body, channel or CELLAR, everywhere=channel == EVERYWHERE)
    await house.say(BOB, "We went sailing as far as the island, and <@3> was there too")
    await house.told()
    assert known_as(house, BOB.user_id) == known
    assert known_as(house, CARL.user_id) is None


async def test_no_name_comes_out_of_a_back_room(house: DiaryHouse) -> None:
    await house.remember(ALICE, "Bob is Robert", CELLAR)
    await house.say(BOB, "We went sailing as far as the island")
    await house.told()
    assert known_as(house, BOB.user_id) == "bob_the_builder"
    await house.say(BOB, "In here nobody hears what we plan for the party", CELLAR)
    await house.told(CELLAR)
    assert known_as(house, BOB.user_id) == "Robert, bob_the_builder", "there it may be heard"


async def test_a_forgotten_name_takes_the_texts_of_its_days_along(house: DiaryHouse) -> None:
    await house.remember(ALICE, "Bob is Robert", LOUNGE)
    await house.say(ALICE, "Robert and I went sailing, <@2> was at the helm")
    await house.told()
    house.clock.move(timedelta(days=1))
    assert await house.told(day=10)
    await house.forget(ALICE, "that Bob is Robert", LOUNGE)
    assert not await rows_of(house.database, "day_entries", GUILD)
    await house.pass_night()
    assert "Robert" not in str(known_as(house, BOB.user_id))
    assert await rows_of(house.database, "day_entries", GUILD)


async def test_forgetting_something_else_changes_nothing(house: DiaryHouse) -> None:
    await house.remember(ALICE, "Bob is Robert")
    await house.remember(ALICE, "Bob likes tea")
    await house.say(ALICE, "Robert and I went sailing, <@2> was at the helm")
    await house.told()
    before = await house.told()
    assert isinstance(await house.forget(ALICE, "that Bob likes tea"), Forgotten)
    assert await house.told() == before != {}
    assert len(house.scribe.days) == 1


async def test_an_expired_name_leaves_its_days_as_they_are(house: DiaryHouse) -> None:
    assert isinstance(await house.remember(ALICE, "Bob is Robert"), Remembered)
    await house.say(ALICE, "Robert and I went sailing, <@2> was at the helm")
    await house.told()
    house.clock.move(timedelta(days=60))
    await house.memory.privacy.change_settings(
        GUILD, lambda known: replace(known, log=replace(known.log, fact_days=30))
    )
    assert not await rows_of(house.database, "facts", GUILD)
    assert await rows_of(house.database, "day_entries", GUILD)


async def test_a_room_that_turns_private_takes_the_days_told_with_its_names_along(house: DiaryHouse) -> None:
    assert isinstance(await house.remember(ALICE, "Bob is Robert", LOUNGE), Remembered)
    await house.say(ALICE, "Robert and I went sailing, <@2> was at the helm")
    audience = house.memory.places.audience_of(GUILD, HALL)
    on = await house.memory.day_answers.days.today(GUILD)
    assert await house.told()
    assert await house.memory.day_answers.days.told(audience, on, on)
    house.look(house.memory, GUILD, PEOPLE, LOUNGE)
    now = house.memory.places.audience_of(GUILD, HALL)
    assert LOUNGE not in now.sources
    assert await house.memory.day_answers.days.told(now, on, on) == []


async def test_a_day_is_told_of_all_who_may_be_meant_and_says_so(house: DiaryHouse) -> None:
    twin = Member(GUILD, 4, "bob2", global_name="Bob")
    await house.memory.people.meet_member(twin)
    await house.say(BOB, "We went sailing as far as the island")
    await house.say(twin, "My new kitchen table is ready at last")
    house.clock.move(timedelta(hours=1))
    both = await house.ask(ALICE, "what did Bob do today?")
    assert "sailing" in both.text
    assert "kitchen table" in both.text
    assert both.text.endswith("“Bob” could be <@2> (bob_the_builder) or <@4> (bob2). Mention the one you mean.")
    said = await house.say(ALICE, "Bot what did Bob do today?")
    choice = Choice(fingerprint("bob"), twin.user_id)
    question = Question(
        GUILD, HALL, said.message_id, ALICE.user_id, "what did Bob do today?", said.sent_at, choices=(choice,)
    )
    chosen = await house.memory.answers.answer(question, house.memory.places.audience_of(GUILD, HALL))
    assert "kitchen table" in chosen.text
    assert "sailing" not in chosen.text
    assert chosen.unclear is None


async def test_channels_are_named_that_every_reader_of_the_day_can_read(house: DiaryHouse) -> None:
    for channel, name in ((HALL, "great-hall"), (LOUNGE, "lounge"), (CELLAR, "secret-cellar")):
        house.memory.place_mirror.place(GUILD, Place(channel, PlaceKind.CHANNEL, None, name=name))
    await house.say(BOB, f"Come to <#{HALL}>, not to <#{LOUNGE}> or <#{CELLAR}>, for the sailing lesson")
    await house.told()
    data = data_of(house.scribe.server.requests[-1])
    assert '<conversation channel="#great-hall">' in data
    assert "Come to #great-hall, not to #channel or #channel, for" in data, "nothing of the day was said there"
