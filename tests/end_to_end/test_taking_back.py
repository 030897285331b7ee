"""Promise 3 on Discord itself: what we said goes, or says so, when what it was made from goes."""

import pytest

from bot.replies import retract
from local_guild.state.permissions import Permission
from local_guild.state.world import Overwrite
from memory.health import PartState
from tests.end_to_end.absence import talk
from tests.end_to_end.asking import at_home
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, Payload, Person, eventually, until
from tests.end_to_end.reminding import said_in, text_in
from tests.end_to_end.slash import buttons_of, press, use, words_of
from tests.end_to_end.taken_back import (
    NOT_FOR_ALL,
    TAKEN_BACK,
    answered,
    content_of,
    delete,
    is_gone,
    let_the_bot_see,
    noted,
    nothing_left_to_do,
    says,
)

SAID = "The spare key hangs behind the old clock."
ASKED = "Bot where does the spare key hang?"


async def heard_of_the_key(inn: Inn, channel: str = GENERAL) -> tuple[int, Payload]:
    """Who said it in the kitchen is quoted where the question is asked."""
    await at_home(inn)
    said = await inn.person("florent").say(SAID, KITCHEN)
    await inn.until_stored(said)
    return said, await answered(inn.person("aylin"), ASKED, "old clock", channel)


async def heard_behind_doors(inn: Inn) -> Payload:
    """Said in a kitchen that only Florent and Maren enter, and answered in the back room, which is theirs as well."""
    await at_home(inn)
    insiders = (inn.person("florent").user.id, inn.person("maren").user.id, inn.house.bot.id)
    open_to(inn, KITCHEN, *insiders)
    memory, kitchen = inn.house.memory, inn.channel(KITCHEN).id
    await until(lambda: kitchen not in memory.places.audience_of(inn.guild.id, inn.channel(GENERAL).id).sources)
    await until(lambda: kitchen in memory.places.audience_of(inn.guild.id, inn.channel(BACK_ROOM).id).sources)
    florent = inn.person("florent")
    await inn.until_stored(await florent.say(SAID, KITCHEN))
    return await answered(florent, ASKED, "old clock", BACK_ROOM)


def open_to(inn: Inn, channel: str, *people: int) -> None:
    """To these alone; to everyone, if there are none."""
    bits = int(Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY)
    places, room = inn.house.server.places, inn.channel(channel)
    for one in people:
        places.put_overwrite(room, Overwrite(one, for_member=True, allow=bits))
    everyone = Overwrite(inn.guild.id, for_member=False, deny=bits if people else 0, allow=0 if people else bits)
    places.put_overwrite(room, everyone)


async def told(person: Person, words: str, repeated: str) -> tuple[int, Payload]:
    """Something to remember, and our confirmation."""
    asked = await person.say(f"Bot remember that {words}")
    reply = await person.hear_reply(asked)
    assert repeated in reply["content"]
    await noted(person.inn, asked, int(reply["id"]))
    return asked, reply


class TestTogether:
    """In one house: each test has a guild of its own."""

    async def test_a_deleted_source_takes_the_answer_with_it(self, inn: Inn) -> None:
        said, reply = await heard_of_the_key(inn)
        await inn.until_stored(int(reply["id"]))
        await delete(inn.person("florent"), said, KITCHEN)
        now = await says(inn.person("aylin"), reply, TAKEN_BACK)
        assert buttons_of(now) == []
        await inn.until_gone(int(reply["id"]))
        await nothing_left_to_do(inn)
        # Discord tells us of our own edit, too; it must not come back by that.
        later = await inn.person("aylin").say("how is the weather")
        await inn.until_stored(later)
        assert await inn.stored(int(reply["id"])) is None

    async def test_one_that_does_not_quote_it_stays(self, inn: Inn) -> None:
        said, _ = await heard_of_the_key(inn)
        _, confirmed = await told(inn.person("aylin"), "gruzilkin likes pizza", "pizza")
        await delete(inn.person("florent"), said, KITCHEN)
        await nothing_left_to_do(inn)
        assert "pizza" in (await content_of(inn.person("aylin"), confirmed) or "")

    async def test_a_deleted_question_takes_the_reply(self, inn: Inn) -> None:
        _, reply = await heard_of_the_key(inn)
        await delete(inn.person("aylin"), int(reply["message_reference"]["message_id"]))
        await is_gone(inn.person("aylin"), reply)
        await nothing_left_to_do(inn)

    async def test_a_question_that_is_gone_already_gets_no_reply(self, inn: Inn) -> None:
        await at_home(inn)
        general, world = inn.channel(GENERAL), inn.house.server.world
        [asked] = talk(inn, general, 1, "Bot remember that gruzilkin plays chess in room")
        gone = world.message(general.id, asked)
        assert gone is not None
        world.drop(gone)  # before the bot hears of it
        facts = "SELECT 1 FROM facts WHERE guild_id = $1 AND message_id = $2"
        await eventually(lambda: inn.house.rows(facts, inn.guild.id, asked))
        await told(inn.person("aylin"), "gruzilkin likes pizza", "pizza")
        await nothing_left_to_do(inn)
        assert said_in(inn, general.id, "chess") == []

    async def test_a_forgotten_fact(self, inn: Inn) -> None:
        await at_home(inn)
        aylin = inn.person("aylin")
        _, confirmed = await told(aylin, "gruzilkin likes pizza", "pizza")
        reply = await answered(aylin, "Bot what do you know about gruzilkin?", "pizza")
        asked = await aylin.say("Bot forget that gruzilkin likes pizza")
        forgotten = await aylin.hear_reply(asked)
        assert "pizza" in forgotten["content"]
        await noted(inn, asked, int(forgotten["id"]))
        await says(aylin, reply, TAKEN_BACK)
        await says(aylin, confirmed, TAKEN_BACK)
        assert "pizza" in (await content_of(aylin, forgotten) or ""), "for as long as it can be undone"
        await self._end_the_day(inn, asked)
        now = await says(aylin, forgotten, "Forgotten.")
        assert buttons_of(now) == []
        await nothing_left_to_do(inn)

    async def test_what_was_told_in_a_deleted_message_goes_with_it(self, inn: Inn) -> None:
        await at_home(inn)
        aylin, florent = inn.person("aylin"), inn.person("florent")
        asked, confirmed = await told(aylin, "gruzilkin likes pizza", "pizza")
        answer = await answered(florent, "Bot what do you know about gruzilkin?", "pizza")
        await delete(aylin, asked)
        await is_gone(aylin, confirmed)
        await says(florent, answer, TAKEN_BACK)
        assert "pizza" not in await florent.ask("Bot what do you know about gruzilkin?")

    async def test_erasing_oneself_takes_what_quotes_one(self, inn: Inn) -> None:
        _, reply = await heard_of_the_key(inn)
        florent = inn.person("florent")
        await press(florent, await use(florent, "privacy", "erase"))
        await says(inn.person("aylin"), reply, TAKEN_BACK)

    async def test_whoever_comes_cannot_read_what_was_quoted_from_behind_a_door(self, inn: Inn) -> None:
        reply = await heard_behind_doors(inn)
        open_to(inn, BACK_ROOM)
        await says(inn.person("aylin"), reply, NOT_FOR_ALL)
        await inn.until_gone(int(reply["id"]))

    async def test_a_digest_tells_whoever_reads_it_now_what_they_can_read(self, inn: Inn) -> None:
        """Told in the back room to Florent and Maren of the kitchen, which is theirs as well, and of what all hear."""
        await heard_behind_doors(inn)
        maren, florent, room = inn.person("maren"), inn.person("florent"), inn.channel(BACK_ROOM).id
        await use(maren, "digest", "setup", channel=str(room), least=1)
        await inn.until_stored(await florent.say("The market opens at noon, bring baskets for the apples."))
        assert "Posted" in words_of(await use(maren, "digest", "now"))
        [digest] = said_in(inn, room, "📰")
        assert ("old clock" in text_in(digest), "baskets" in text_in(digest)) == (True, True)

        # Who cannot enter the kitchen any more has read it; what is told next leaves the kitchen out.
        shut_out = Overwrite(florent.user.id, for_member=True, deny=int(Permission.VIEW_CHANNEL))
        inn.house.server.places.put_overwrite(inn.channel(KITCHEN), shut_out)
        places = inn.house.memory.places
        await until(lambda: inn.channel(KITCHEN).id not in places.audience_of(inn.guild.id, room).sources)
        previewed = words_of(await use(maren, "digest", "preview"))
        assert ("old clock" in previewed, "baskets" in previewed) == (False, True)
        assert "old clock" in text_in(said_in(inn, room, "📰")[0])

        # Who comes to read the back room and never could enter the kitchen finds what all hear.
        open_to(inn, BACK_ROOM)
        await until(lambda: "old clock" not in text_in(said_in(inn, room, "📰")[0]))
        [now] = said_in(inn, room, "📰")
        assert (now.id, "baskets" in text_in(now)) == (digest.id, True)

    @staticmethod
    async def _end_the_day(inn: Inn, asked: int) -> None:
        await inn.house.rows(
            "UPDATE receipts SET take_back_at = now() WHERE guild_id = $1 AND asked_in = $2 AND take_back_at > now()",
            inn.guild.id,
            asked,
        )


async def test_a_restart_in_between_changes_nothing(own_inn: Inn) -> None:
    house = own_inn.house
    async with house.bot_running():
        said, reply = await heard_of_the_key(own_inn)
        asked, confirmed = await told(own_inn.person("aylin"), "gruzilkin likes pizza", "pizza")
    general, kitchen = own_inn.channel(GENERAL), own_inn.channel(KITCHEN)
    await house.memory.log.delete_messages(own_inn.guild.id, kitchen.id, [said])
    await house.memory.log.delete_messages(own_inn.guild.id, general.id, [asked])
    await house.memory.log.settled()
    await house.rows("UPDATE changes SET until = now() - interval '1 second' WHERE kind = 'remembered'")
    async with house.bot_running():
        await eventually(lambda: house.rows("SELECT 1 FROM changes WHERE until < now()"), lambda over: not over)
        await says(own_inn.person("aylin"), reply, TAKEN_BACK)
        await is_gone(own_inn.person("aylin"), confirmed)


async def test_so_it_is_for_those_who_came_while_we_were_away(own_inn: Inn) -> None:
    async with own_inn.house.bot_running():
        reply = await heard_behind_doors(own_inn)
    open_to(own_inn, BACK_ROOM)
    async with own_inn.house.bot_running():
        await says(own_inn.person("aylin"), reply, NOT_FOR_ALL)


async def test_where_we_may_not_it_is_tried_again_and_said(own_inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retract, "FIRST_PAUSE_SECONDS", 0.2)
    house = own_inn.house
    async with house.bot_running():
        said, reply = await heard_of_the_key(own_inn)
        let_the_bot_see(own_inn, GENERAL, yes=False)
        await delete(own_inn.person("florent"), said, KITCHEN)
        await until(lambda: house.state_of("taking back") is PartState.FAILING)
        assert "could not be taken back" in house.issues_of("taking back")
        assert "old clock" in (await content_of(own_inn.person("aylin"), reply) or "")
        let_the_bot_see(own_inn, GENERAL, yes=True)
        await says(own_inn.person("aylin"), reply, TAKEN_BACK)
        await until(lambda: house.state_of("taking back") is PartState.ACTIVE)
