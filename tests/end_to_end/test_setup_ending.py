"""A setup in a house of its own: what ends it early or hinders it, and the language of the house."""

from tests.end_to_end.house import GENERAL, Inn
from tests.end_to_end.screen import ready, set_up, settings, to_the_summary
from tests.end_to_end.slash import TEXT_MENU


async def test_a_setup_left_open_over_a_restart_says_that_it_ran_out(own_inn: Inn) -> None:
    maren, house = own_inn.person("maren"), own_inn.house
    async with house.bot_running():
        await ready(own_inn)
        screens = [await set_up(maren) for _ in range(3)]
        opened = await screens[1].press("Type another")
    house.health.part("gateway").initializing()
    async with house.bot_running():
        await screens[0].press("Next")
        await screens[1].fill_in(opened, "Berlin")
        await screens[2].choose(TEXT_MENU, "Europe/Paris")
        for screen in screens:
            assert "That took too long, so nothing was changed" in screen.words
            assert screen.components == []
    assert (await settings(own_inn)).set_up_at is None


async def test_the_notice_is_in_the_language_of_the_house(own_inn: Inn) -> None:
    own_inn.guild.preferred_locale = "de"
    async with own_inn.house.bot_running():
        await ready(own_inn)
        screen = await set_up(own_inn.person("maren"))
        await to_the_summary(screen)
        assert "> **Ich bin das Gedächtnis dieses Servers.**" in screen.words
        await screen.press("Save and post")
        await screen.until("Saved.")
        log = own_inn.house.server.world.log(own_inn.channel(GENERAL).id)
        assert log.before(None, 1)[0].content.startswith("**Ich bin das Gedächtnis dieses Servers.**")
