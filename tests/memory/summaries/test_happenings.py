"""A day told by topic: by a model or quoted, in answers, catch-up and digest; and gone with what it rests on."""

import json
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.core.values import Message, Source, last_id_of
from memory.daily.values import Boundary, CatchUp, Edition, Schedule, Section, Since, Trouble
from memory.db.database import Database
from memory.models.usage import Requester
from memory.policy.settings import digest_rules
from memory.summaries.happenings import EntryKind, Happening, weightiest
from tests.gemini_server import data_of
from tests.memory.summaries.diary_house import ALICE, BOB, CARL, CELLAR, GUILD, HALL, LOUNGE, DiaryHouse
from tests.memory.summaries.diary_house import diary_house as opened

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
TALK = (
    (ALICE, "The balcony plants look thirsty, who waters them?", HALL),
    (BOB, "I watered all the balcony plants this morning", HALL),
    (CARL, "watered them again, sorry", HALL),
    (BOB, "We decided to buy the blue oven.", LOUNGE),
    (ALICE, "The oven party starts tomorrow at 18:00", LOUNGE),
)
WRITTEN = (
    ("Bob and Carl both watered the balcony plants.", "happened", ("I watered", "them again")),
    ("They decided to buy the blue oven.", "decided", ("We decided",)),
    ("The oven party starts on 11 March at 18:00.", "planned", ("party starts",)),
)


def writes(data: str) -> str:
    said = re.findall(r' n="(\d+)">(.*?)</message>', data)
    happenings = [
        {"text": text, "kind": kind, "messages": [int(n) for one in cited for n, words in said if one in words]}
        for text, kind, cited in WRITTEN
    ]
    members = [{"id": f"{one.user_id}", "summary": f"{one.display_name} was there."} for one in (ALICE, BOB, CARL)]
    return json.dumps({"members": members, "happenings": happenings})


@pytest.fixture
async def house(database: Database) -> AsyncIterator[DiaryHouse]:
    async with opened(database) as house:
        await house.open_guild()
        house.scribe.server.says = writes
        yield house


async def talk(house: DiaryHouse) -> list[Message]:
    said = []
    for who, text, channel in TALK:
        house.clock.move(MINUTE)
        said.append(await house.say(who, text, channel))
    return said


async def caught_up(house: DiaryHouse, channel: int | None = None) -> CatchUp:
    """What Carl missed."""
    now = house.clock.now()
    audience = house.memory.places.audience_for(GUILD, HALL, CARL.user_id)
    since = Boundary(Since.TIME, now - DAY, last_id_of(now - DAY))
    by = Requester(CARL.user_id, house.new_id())
    return await house.memory.catch_ups.catch_up(audience, since, last_id_of(now), channel, (), by=by)


async def digest(house: DiaryHouse) -> Edition:
    digests, places = house.memory.digests, house.memory.places
    schedule = Schedule(GUILD, ZoneInfo("UTC"), digest_rules({"channel_id": HALL}))
    audience = places.audience_of(GUILD, HALL)
    return await digests.make(await digests.preview(schedule), schedule, audience, by_model=True)


def texts(found: CatchUp, section: Section) -> list[str]:
    return [line.text for line in found.sections[section]]


async def test_yesterday_is_told_by_topic_each_thing_once_with_its_link(house: DiaryHouse) -> None:
    said = await talk(house)
    await house.pass_night()
    asked = len(house.scribe.server.requests)
    answer = await house.ask(CARL, "what happened yesterday?")
    assert answer.text.splitlines()[1:] == [
        "• Bob and Carl both watered the balcony plants.",
        "**Decided**",
        "• They decided to buy the blue oven.",
        "**Planned**",
        "• The oven party starts on 11 March at 18:00.",
        "-# Active: <@1>, <@2>, <@3>",
    ]
    linked = [one.source for one in answer.citations]
    assert linked == [Source(one.channel_id, one.message_id) for one in (said[1], *said[3:])], "one link each"
    of_week = (await house.ask(CARL, "what happened this week?")).text
    assert "• <t:1773144000:D>: Bob and Carl both watered the balcony plants." in of_week
    assert (await house.ask(CARL, "what did Bob do yesterday?")).text.count("Bob was there.") == 1
    assert len(house.scribe.server.requests) == asked, "the one call of the night gave all of it"


async def test_catch_up_and_digest_read_the_same_things(house: DiaryHouse) -> None:
    said = await talk(house)
    await house.say(BOB, "the cellar key is 1234", CELLAR)
    found = await caught_up(house)
    assert len(house.scribe.server.requests) == 1
    assert "1234" not in data_of(house.scribe.server.requests[0])
    assert texts(found, Section.COMING) == ["The oven party starts on 11 March at 18:00."]
    assert found.sections[Section.COMING][0].when is not None
    assert texts(found, Section.DECIDED) == ["They decided to buy the blue oven."]
    assert texts(found, Section.TALKED)[0] == "Bob and Carl both watered the balcony plants."
    assert found.account.by_model
    house.clock.move(MINUTE)
    late = await house.say(ALICE, "The cat sleeps in the new flower pot now")
    found = await caught_up(house)
    assert [line.sources[0].message_id for line in found.sections[Section.TALKED]][1:] == [late.message_id]
    assert len(house.scribe.server.requests) == 1, "today is told once an hour; what came since is quoted"
    assert texts(await caught_up(house, channel=LOUNGE), Section.TALKED) == []
    house.clock.move(DAY)
    edition = await digest(house)
    assert [line.text for line in edition.plans] == ["The oven party starts on 11 March at 18:00."]
    assert [line.text for line in edition.decided] == ["They decided to buy the blue oven."]
    assert [line.text for line in edition.topics] == ["Bob and Carl both watered the balcony plants."]
    assert {one.message_id for one in said[1:]} <= edition.evidence.quoted.messages.keys()
    assert edition.evidence.quoted.days


@pytest.mark.parametrize("way", ["edited", "deleted", "opted out", "erased"])
async def test_it_goes_with_what_it_rests_on(house: DiaryHouse, way: str) -> None:
    said = await talk(house)
    await house.pass_night()
    audience = house.memory.places.audience_of(GUILD, HALL)
    yesterday = (house.clock.now() - DAY).date()
    days = house.memory.day_answers.days
    assert len(await days.happened(audience, yesterday, yesterday)) == 3
    match way:
        case "edited":
            await house.edit(said[3], "We decided nothing at all.")
        case "deleted":
            await house.delete(said[1])
        case "opted out":
            await house.memory.privacy.opt_out(GUILD, CARL.user_id)
        case _:
            await house.memory.privacy.erase_member(GUILD, CARL.user_id, house.new_id())
    left = [one for one in await days.happened(audience, yesterday, yesterday) if way in ("edited", "deleted")]
    assert left == []
    assert not (await digest(house)).by_model or way in ("opted out", "erased"), "made anew from the rest at once"


async def test_without_a_model_whole_sentences_are_quoted_and_decisions_marked(database: Database) -> None:
    async with opened(database, with_model=False) as house:
        await house.open_guild()
        await talk(house)
        await house.pass_night()
        answer = await house.ask(CARL, "what happened yesterday?")
        lines = answer.text.splitlines()
        assert lines[0] == "From what was said here:"
        assert "• <@2>: “I watered all the balcony plants this morning”" in lines
        assert lines[lines.index("**Decided**") + 1] == "• <@2>: “We decided to buy the blue oven.”"
        assert lines[lines.index("**Planned**") + 1] == "• <@1>: “The oven party starts tomorrow at 18:00”"
        assert len(answer.sources) == sum(line.startswith("• ") for line in lines)
        assert not (await caught_up(house)).account.by_model


async def test_where_no_model_can_a_catch_up_quotes_and_says_so(house: DiaryHouse) -> None:
    house.scribe.server.says = lambda _: "nonsense"
    await talk(house)
    found = await caught_up(house)
    assert found.trouble is Trouble.FAILED
    assert texts(found, Section.DECIDED) == ["We decided to buy the blue oven."]
    assert texts(found, Section.COMING) == ["The oven party starts tomorrow at 18:00"]
    assert all(line.people for line in found.sections[Section.TALKED])


def test_of_several_parts_each_has_its_turn_and_nothing_is_told_twice() -> None:
    morning = [Happening(EntryKind.HAPPENED, f"Anna baked loaf of sort{number}.", (number,)) for number in range(9)]
    noon = [
        Happening(EntryKind.DECIDED, "They bought the blue oven together.", (21,)),
        Happening(EntryKind.HAPPENED, "The blue oven was bought together.", (22,)),
    ]
    told = weightiest([morning, noon])
    assert len(told) <= 7
    assert [one.cites[0] for one in told[:2]] == [0, 21]
    assert 22 not in {one.cites[0] for one in told}
