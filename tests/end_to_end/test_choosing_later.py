"""What was asked with buttons can be answered after a restart, but not for ever."""

from tests.end_to_end.asking import at_home, say_and_hear
from tests.end_to_end.choosing import becomes, facts_of, heard, tell, two_chiefs
from tests.end_to_end.house import Inn
from tests.end_to_end.slash import press


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
