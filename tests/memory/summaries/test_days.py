"""Days on demand: made when asked for, told to those who may hear them, gone with what they were made from."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta

import httpx
import pytest
from aiohttp import web

from memory.access import Door, KeyKind
from memory.audit import LOSS_TOLD, Deed
from memory.core.outcomes import Correction
from memory.core.provenance import DayKey, Evidence, Read
from memory.core.values import ERASED, MessageEdit, last_id_of
from memory.language.detect import Language
from memory.models.usage import Requester
from memory.summaries.calendar import HALL_SCOPE
from memory.summaries.make_day import DayOutcome
from tests.gemini_server import body, data_of, spoken
from tests.memory.summaries.diary_house import ALICE, BOB, CARL, CELLAR, GUILD, HALL, LOUNGE, PEOPLE, DiaryHouse
from tests.models import BY
from web.api.app import Api
from web.guard import Buckets, Doors, Guard

HOUR = timedelta(hours=1)


async def test_today_is_made_when_asked_for_at_most_hourly_and_only_if_something_is_new(house: DiaryHouse) -> None:
    await house.say(ALICE, "The quiz was great fun")
    assert house.scribe.days == [], "nobody has asked"
    assert await house.told() == {1: "Alice wrote that The quiz was great fun."}
    await house.say(BOB, "We found a new kitchen table")
    assert await house.told() == {1: "Alice wrote that The quiz was great fun."}, "once an hour"
    house.clock.move(HOUR)
    assert (await house.told())[2] == "Bob wrote that We found a new kitchen table."
    house.clock.move(HOUR)
    await house.told()
    assert house.scribe.days == ["2026-03-10"] * 2, "nothing new was said in the last hour"


async def test_a_member_has_a_day_made_anew_and_it_counts_as_theirs(house: DiaryHouse) -> None:
    await house.say(ALICE, "The quiz was great fun")
    await house.told()
    await house.say(ALICE, "The quiz ended in a draw")
    days, bob = house.memory.day_answers.days, house.memory.places.reader(GUILD, BOB.user_id)
    today = await days.today(GUILD)
    assert await days.regenerate(bob, HALL_SCOPE, today, Requester(BOB.user_id, 1)) is DayOutcome.MADE
    [told] = await days.told(bob, today, today)
    assert told.text == "Alice wrote that The quiz ended in a draw."
    assert await days.regenerate(bob, HALL_SCOPE, today, Requester(BOB.user_id, 2)) is DayOutcome.TOO_OFTEN
    assert await days.told(bob, today, today) == [told]
    carl = house.memory.places.reader(GUILD, CARL.user_id)
    assert await days.regenerate(carl, CELLAR, today, Requester(CARL.user_id, 3)) is DayOutcome.KEPT
    assert len(house.scribe.days) == 2


async def test_a_reading_token_has_no_more_days_told_than_its_holder_may_ask_for(house: DiaryHouse) -> None:
    for _ in range(5):
        await house.say(ALICE, "The quiz was great fun")
        house.clock.move(timedelta(days=1))
    access, today = house.memory.access, await house.memory.day_answers.days.today(GUILD)
    door = await access.door(await access.sign_in(GUILD, BOB.user_id), KeyKind.SESSION)
    assert isinstance(door, Door)
    token = await access.make_token(door, "reads", 1, may_write=False)
    api = Api(Doors(lambda: house.memory, is_tls=False), Buckets())
    transport = httpx.ASGITransport(Guard(api.app))
    async with httpx.AsyncClient(transport=transport, base_url="http://inn.example") as http:
        for back in range(1, 6):
            path = f"/api/v1/guilds/{GUILD}/days/{today - timedelta(days=back)}"
            read = await http.get(path, headers={"Authorization": f"Bearer {token}"})
            assert "The quiz was great fun" in read.text, "what no model tells is quoted"
    assert len(house.scribe.days) == 1, "one request within two seconds"


async def test_a_day_rests_on_what_its_member_said_where_one_can_read(house: DiaryHouse) -> None:
    said = await house.say(ALICE, "The quiz was great fun")
    await house.say(ALICE, "The prize lies in the old barrel", CELLAR)
    await house.told()
    days, bob = house.memory.day_answers.days, house.memory.places.reader(GUILD, BOB.user_id)
    today = await days.today(GUILD)
    [told] = await days.told(bob, today, today)
    assert [one.message_id for one in await days.rests_on(bob, told, 5)] == [said.message_id]


async def test_words_that_somebody_corrects_stand_until_what_the_day_rests_on_changes(house: DiaryHouse) -> None:
    days, privacy = house.memory.day_answers.days, house.memory.privacy
    alice, bob = (house.memory.places.reader(GUILD, one.user_id) for one in (ALICE, BOB))
    today = await days.today(GUILD)
    quiz = await house.say(ALICE, "The quiz was great fun")
    await house.told()
    [told] = await days.told(bob, today, today)
    assert days.may_correct(told, ALICE.user_id, is_manager=False)
    assert days.may_correct(told, BOB.user_id, is_manager=True)
    assert not days.may_correct(told, BOB.user_id, is_manager=False)
    nobody = replace(bob, sources=frozenset())
    assert await days.correct(nobody, told, "I cannot read it", BOB.user_id) is Correction.GONE
    receipts, evidence = house.memory.receipts, Read(days={DayKey(told.scope, told.day.starts_at): told.changes})
    reply = receipts.receipt_of(replace(bob, viewer_id=None), 7, ERASED, Language.EN, Evidence.all_quoted(evidence))
    assert reply is not None
    assert await receipts.put(reply) is None
    words = "Alice and <@3>\n• <@2>: @everyone lost the quiz\0"
    assert await days.correct(bob, told, words, BOB.user_id) is Correction.DONE
    kept = await receipts.of_message(GUILD, 0, 7)
    assert kept is not None
    assert kept.is_taken_back, "nothing that was told from the words before is left standing"
    assert await days.correct(alice, told, "Too late", ALICE.user_id) is Correction.GONE, "it says something else"
    [corrected] = await days.told(bob, today, today)
    assert corrected.text == "Alice and <@3> • <@2>: @\u200beveryone lost the quiz�"
    assert (corrected.corrected_by, corrected.is_quoted) == (BOB.user_id, False)
    log = await house.memory.audit_log.of_member(bob, ALICE.user_id, skip=0, most=9)
    assert [(one.deed, one.actor_id) for one in log.entries] == [(Deed.CORRECTED_DAY, BOB.user_id)]

    # The day goes on, and the words stay.
    await house.say(BOB, "We found a new kitchen table")
    house.clock.move(HOUR)
    assert await house.told() == {1: corrected.text, 2: "Bob wrote that We found a new kitchen table."}
    assert len(house.scribe.days) == 2

    # Until somebody goes who is named in them and was not there, or a message that they were told from.
    await privacy.erase_member(GUILD, CARL.user_id, last_id_of(house.clock.now()))
    assert ALICE.user_id not in {one.user_id for one in await days.told(bob, today, today)}
    house.clock.move(HOUR)
    assert (await house.told())[1] == "Alice wrote that The quiz was great fun."
    [told, _] = await days.told(alice, today, today)
    assert told.corrected_by is None, "a model wrote it"
    assert today in await days.lost_corrections(bob, HALL_SCOPE, today, today)
    assert await days.correct(alice, told, "I won the quiz", ALICE.user_id) is Correction.DONE
    assert await days.lost_corrections(alice, HALL_SCOPE, today, today) == {}
    corrected_at = house.clock.now()
    await house.delete(quiz)
    assert await days.told(alice, today, today) == []
    assert await days.lost_corrections(alice, HALL_SCOPE, today, today) == {today: corrected_at}
    assert await days.lost_corrections(bob, HALL_SCOPE, today, today) == {}, "Alice had put hers in its place"
    log = await house.memory.audit_log.of_guild(bob, skip=0, most=9)
    assert [one.actor_id for one in log.entries] == [BOB.user_id], "what she does to her own is for her alone"
    house.clock.move(HOUR)
    assert (await house.told()).keys() == {2}
    house.clock.move(LOSS_TOLD)
    assert await days.lost_corrections(alice, HALL_SCOPE, today, today) == {}


async def test_corrected_words_go_with_a_room_that_turns_private_and_name_none_who_opted_out(
    house: DiaryHouse,
) -> None:
    days, bob = house.memory.day_answers.days, house.memory.places.reader(GUILD, BOB.user_id)
    await house.say(ALICE, "The quiz was great fun")
    await house.say(ALICE, "The prize lies in the old barrel", LOUNGE)
    await house.told()
    today = await days.today(GUILD)
    [told] = await days.told(bob, today, today)
    assert await days.correct(bob, told, "Alice hid the prize in a barrel", BOB.user_id) is Correction.DONE
    house.look(house.memory, GUILD, PEOPLE, LOUNGE)
    house.clock.move(HOUR)
    assert await house.told() == {1: "Alice wrote that The quiz was great fun."}
    carl = house.memory.places.reader(GUILD, CARL.user_id)
    await house.memory.privacy.opt_out(GUILD, BOB.user_id)
    [told] = await days.told(carl, today, today)
    assert await days.correct(carl, told, "Bob was there", ALICE.user_id) is Correction.NAMES_WHO_OPTED_OUT


async def test_many_who_ask_at_once_are_one_call(house: DiaryHouse) -> None:
    await house.say(ALICE, "The quiz was great fun")
    other = house.start()
    house.look(other)
    day = date(2026, 3, 10)
    told = await asyncio.gather(
        *(
            memory.day_answers.day(memory.places.audience_of(GUILD, HALL), day, BY)
            for memory in (house.memory, other)
            for _ in range(5)
        )
    )
    assert house.scribe.days == ["2026-03-10"]
    assert any(one.told for one in told)
    assert all(one.told or one.said for one in told), "whoever did not wait for it gets the words themselves"


async def test_of_somebody_who_was_not_there_whatever_else_is_known_is_told(house: DiaryHouse) -> None:
    await house.say(ALICE, "The quiz was great fun")
    answer = await house.ask(BOB, "what did Carl do today?")
    assert "I looked through what I was told and what was said" in answer.text, "an answer like any other"


@pytest.mark.parametrize(
    "fault",
    [body("nonsense"), body({"promptFeedback": {"blockReason": "SAFETY"}}), body(spoken('{"members": []}'))],
    ids=["bad", "blocked", "empty"],
)
async def test_a_day_that_could_not_be_made_is_quoted_and_tried_again(house: DiaryHouse, fault: web.Response) -> None:
    await house.say(ALICE, "The quiz on Tuesday was won by the red team after a long fight")
    house.clock.move(timedelta(days=1))
    house.scribe.server.fault = lambda _: web.Response(text=fault.text, content_type="application/json")
    answer = await house.ask(BOB, "what happened yesterday?")
    assert answer.text.startswith("From what was said here:\n• ")
    assert "red team" in answer.text
    assert house.memory.day_answers.days._maker.part.snapshot().issues
    asked = len(house.scribe.days)
    await house.told(day=10)
    assert len(house.scribe.days) == asked, "not again at once"
    house.scribe.server.fault = None
    house.clock.move(HOUR)
    assert (await house.told(day=10))[1].startswith("Alice wrote that")
    assert house.memory.day_answers.days._maker.part.snapshot().issues == ()


async def test_looked_up_links_change_nothing(house: DiaryHouse) -> None:
    said = await house.say(ALICE, "The quiz was great fun")
    first = await house.told()
    await house.memory.log.edit_message(MessageEdit(replace(said, embeds=("A page about quizzes",))))
    await house.memory.log.settled()
    house.clock.move(HOUR)
    assert await house.told() == first
    assert len(house.scribe.days) == 1


async def test_a_change_while_the_model_is_at_it_is_noticed(house: DiaryHouse) -> None:
    secret = await house.say(ALICE, "The treasure lies under the old stairs of the inn")
    held, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_: object) -> None:
        held.set()
        await go_on.wait()

    house.scribe.server.fault = wait  # type: ignore[assignment]  # it only waits
    asking = asyncio.create_task(house.told())
    await held.wait()
    await house.delete(secret)
    go_on.set()
    assert await asking == {}
    assert not await house.database.read("test", "SELECT FROM day_entries")
    asked = len(house.scribe.days)
    await house.say(ALICE, "The boat has been painted green at last")
    await house.told()
    assert len(house.scribe.days) == asked, "whoever edits a day while it is told may go on: not again at once"
    house.clock.move(HOUR)
    assert (await house.told())[1].startswith("Alice wrote that")


async def test_whoever_opted_out_is_not_summarised_from_the_words_of_others(house: DiaryHouse) -> None:
    await house.memory.privacy.opt_out(GUILD, 2)
    await house.say(ALICE, "<@2> told me about the new kitchen table and <@3> agreed")
    await house.told()
    data = data_of(house.scribe.server.requests[0])
    assert 'id="3"' in data
    assert 'id="2"' not in data
    assert "Bob" not in data


async def test_after_a_move_the_next_day_begins_where_the_last_ended(house: DiaryHouse) -> None:
    await house.move(GUILD, "Pacific/Auckland")
    house.clock.move(timedelta(hours=-2))
    await house.say(ALICE, "The last evening in Auckland")  # 23:00 of the 10th
    house.clock.move(timedelta(hours=4))
    await house.told(day=10)
    await house.move(GUILD, "America/Los_Angeles")
    await house.say(BOB, "The first morning in Los Angeles")  # 7:00 of the 10th again
    assert await house.told(day=10) == {
        1: "Alice wrote that The last evening in Auckland.",
        2: "Bob wrote that The first morning in Los Angeles.",
    }
    assert len(house.scribe.days) == 2
    assert "Auckland" not in data_of(house.scribe.server.requests[1]), "nothing is told twice"


async def test_a_big_day_takes_several_calls_and_one_entry_for_each_member(house: DiaryHouse) -> None:
    long = " ".join(f"word{number}" for number in range(150))
    for hour in range(6):
        for member in PEOPLE:
            for _ in range(10):
                await house.say(member, f"{member.display_name} tells of hour {hour}: {long}")
        house.clock.move(timedelta(minutes=50))
    told = await house.told()
    assert set(told) == {1, 2, 3}
    assert 2 <= len(house.scribe.days) <= 6
    assert all(len(text) <= 400 for text in told.values())
