"""What was asked with buttons can be answered after a restart, but not for ever."""

from datetime import timedelta

from tests.end_to_end.asking import at_home, buttons_of, held_up, say_and_hear
from tests.end_to_end.choosing import becomes, facts_of, heard, message_of, press, tell, two_chiefs
from tests.end_to_end.house import Inn
from tests.end_to_end.slash import words_of


async def test_every_choice_can_be_made_after_a_restart(own_inn: Inn) -> None:
    inn, house = own_inn, own_inn.house
    async with house.bot_running():
        aylin = await two_chiefs(inn)
        await aylin.ask("Bot remember that I sail a red boat on Sundays with friends")
        await aylin.ask("Bot remember that I rent a red boat for tourists in summer")
        question = await say_and_hear(aylin, "Bot what do you know about Chief?")
        telling = await say_and_hear(aylin, "Bot remember that Chief owns a kite")
        list_of_facts = await say_and_hear(aylin, "Bot forget the red boat regatta")
        asked = await tell(aylin, "ask", question="what do you know about Chief?")
        told = await tell(aylin, "remember", fact="that Chief owns a sledge", everyone=False)
        forgetting = await tell(aylin, "forget", fact="everything about gruzilk")
    gruzilkin, florent = (inn.person(name).user.id for name in ("gruzilkin", "florent"))
    async with house.bot_running():
        await at_home(inn)
        await press(aylin, question, "@florent")
        await becomes(aylin, question, "quinces")
        await press(aylin, telling, "@gruzilkin")
        await becomes(aylin, telling, "kite")
        await press(aylin, list_of_facts, "1")
        await becomes(aylin, list_of_facts, "Forgotten:")
        assert "quinces" not in await heard(aylin, await press(aylin, asked, "@gruzilkin"), "radishes")
        await heard(aylin, await press(aylin, told, "@florent"), "sledge")
        known = await facts_of(inn)
        assert (gruzilkin, f"<@{gruzilkin}> owns a kite") in known
        assert (florent, f"<@{florent}> owns a sledge") in known
        await heard(aylin, await press(aylin, forgetting, "@gruzilkin"), "Forgotten:")
        assert gruzilkin not in [subject for subject, _ in await facts_of(inn)]


async def test_after_a_day_it_is_to_be_said_again(own_inn: Inn) -> None:
    inn, house = own_inn, own_inn.house
    async with house.bot_running():
        aylin = await two_chiefs(inn)
        telling = await say_and_hear(aylin, "Bot remember that Chief owns a kite")
        told = await tell(aylin, "remember", fact="that Chief owns a sledge")
        question = await say_and_hear(aylin, "Bot what do you know about Chief?")
        before = await facts_of(inn)
        house.server.clock.advance(timedelta(hours=25))
        late = await press(inn.person("florent"), telling, "@florent")
        assert "Only they know" in words_of(late), "whose it is comes first"
        await press(aylin, telling, "@florent")
        assert buttons_of(await becomes(aylin, telling, "too long ago")) == []
        await heard(aylin, await press(aylin, told, "@florent"), "too long ago")
        assert await facts_of(inn) == before
        await press(aylin, question, "@florent")
        assert "quinces" in (await becomes(aylin, question, "quinces"))["content"], "a question grows no older"


async def test_what_cannot_be_looked_up_can_be_chosen_again(own_inn: Inn) -> None:
    inn, house = own_inn, own_inn.house
    async with house.bot_running():
        aylin = await two_chiefs(inn)
        question = await say_and_hear(aylin, "Bot what do you know about Chief?")
        telling = await say_and_hear(aylin, "Bot remember that Chief owns a kite")
    async with house.bot_running(reply_seconds=1.0):
        await at_home(inn)
        async with held_up(house):
            for message in (question, telling):
                await heard(aylin, await press(aylin, message, "@florent"), "in a moment")
                assert (await message_of(aylin, message))["content"] == message["content"]
    async with house.bot_running():
        await at_home(inn)
        for message, words in ((question, "quinces"), (telling, "kite")):
            await press(aylin, message, "@florent")
            await becomes(aylin, message, words)
