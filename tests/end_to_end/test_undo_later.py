"""What can be done about a change works after restarts."""

from tests.end_to_end.asking import at_home, say_and_hear
from tests.end_to_end.changing import fill_in, form_of
from tests.end_to_end.choosing import becomes, press
from tests.end_to_end.house import House, Inn


async def test_buttons_and_an_open_form_outlive_a_restart(own_house: House, own_inn: Inn) -> None:
    florent, aylin = own_inn.person("florent"), own_inn.person("aylin")
    async with own_house.bot_running():
        await at_home(own_inn)
        told = await say_and_hear(florent, f"Bot remember that {aylin.mention} grows quinces")
        form = await form_of(florent, told)
    async with own_house.bot_running():
        await at_home(own_inn)
        await fill_in(florent, told, form, "@Aylin grows radishes")
        changed = await becomes(florent, told, "radishes")
        await press(aylin, changed, "Not true")
        denied = await becomes(aylin, told, "not true")
    async with own_house.bot_running():
        await at_home(own_inn)
        await press(aylin, denied, "Undo")
        await becomes(aylin, told, "I'm keeping this again")
