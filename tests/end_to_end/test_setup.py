"""`/innkeeper setup`, step by step, through the buttons and menus a manager uses."""

import pytest

from local_guild.faults import RestTrouble
from local_guild.state.permissions import Permission
from memory.core.log_values import Consent
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn
from tests.end_to_end.screen import CHANNEL_MENU, ROLE_MENU, ready, role_id, set_up, settings, to_the_summary
from tests.end_to_end.slash import TEXT_MENU, use, words_of


@pytest.fixture
async def lit_inn(inn: Inn) -> Inn:
    """With the commands known and the view of its rooms open."""
    await ready(inn)
    return inn


def posted(inn: Inn, channel: str = GENERAL) -> list[str]:
    log = inn.house.server.world.log(inn.channel(channel).id)
    return [one.content for one in log.before(None, 100) if one.author_id == inn.house.bot.id]


async def test_a_whole_setup_changes_everything_at_the_end_and_nothing_before(lit_inn: Inn) -> None:
    maren, aylin, house = lit_inn.person("maren"), lit_inn.person("aylin"), lit_inn.house
    kitchen, general, cellar = lit_inn.channel(KITCHEN), lit_inn.channel(GENERAL), role_id(lit_inn, "Cellar")
    await lit_inn.until_stored(await aylin.say("flour and eggs", KITCHEN))
    before = await settings(lit_inn)
    screen = await set_up(maren)
    assert "Time zone" in screen.words
    assert "**UTC** (UTC+00:00" in screen.words
    assert "Back" not in screen.labels()
    await screen.choose(TEXT_MENU, "Europe/Paris")
    assert "**Europe/Paris**" in screen.words

    await screen.press("Next")
    assert "The hall" in screen.words
    assert "Chosen: @everyone" in screen.words
    assert f"<#{kitchen.id}>" in screen.words
    assert f"<#{lit_inn.channel(BACK_ROOM).id}>" not in screen.words
    await screen.choose(ROLE_MENU, cellar)
    assert f"Chosen: <@&{cellar}>. People who have it: 1" in screen.words
    assert f"<#{lit_inn.channel(BACK_ROOM).id}>" in screen.words

    await screen.press("Next")
    await screen.choose(CHANNEL_MENU, kitchen.id)
    await screen.choose(ROLE_MENU, role_id(lit_inn, "Keeper"))
    await screen.press("Next")
    assert "My channels" in screen.words
    await screen.choose(CHANNEL_MENU, general.id)
    await screen.press("Next")
    await screen.choose(TEXT_MENU, "opt_in")
    await screen.press("Next")
    summary = await screen.until("Summary")
    for shown in ("Europe/Paris", f"<@&{cellar}>", f"<#{kitchen.id}>", f"<#{general.id}>", "/privacy opt-in"):
        assert shown in summary
    assert "Saving deletes for good: 1 message." in summary
    assert "> **I remember this server.**" in summary
    assert f"post in <#{general.id}>" in summary
    assert await settings(lit_inn) == before
    assert posted(lit_inn) == []

    await screen.press("Save and post the notice")
    done = await screen.until("Saved.")
    assert "Deleted, because" in done
    assert f"The notice is in <#{general.id}>" in done
    assert screen.components == []
    now = await settings(lit_inn)
    assert now.time_zone == "Europe/Paris"
    assert now.hall_role_id == cellar
    assert now.speaks_in == {general.id}
    assert now.log.consent is Consent.OPT_IN
    assert now.log.excluded_channels == {kitchen.id}
    assert now.log.excluded_roles == {role_id(lit_inn, "Keeper")}
    assert now.set_up_at is not None
    assert house.memory.places.hall(lit_inn.guild.id) >= {lit_inn.channel(BACK_ROOM).id}
    (notice,) = posted(lit_inn)
    for told in ("/privacy opt-in", "/privacy opt-out", "/privacy erase", "private channel"):
        assert told in notice
    assert await house.rows("SELECT 1 FROM chat_history WHERE channel_id = $1", kitchen.id) == []


@pytest.mark.parametrize(
    ("typed", "said", "offered"),
    [
        ("Berlin", "**Europe/Berlin**", "Europe/Berlin"),
        ("CET", "“CET”. Did you mean `Europe/Berlin`", "Europe/Berlin"),
        ("UTC+2", "“UTC+2”. Did you mean", "Africa/Johannesburg"),
        ("**@everyone** <@1>", r"“\*\*@" + "\u200b" + r"everyone\*\*", "Europe/London"),
        ("Atlantis", "Try the nearest big city", "Europe/London"),
    ],
)
async def test_a_time_zone_may_be_typed(lit_inn: Inn, typed: str, said: str, offered: str) -> None:
    screen = await set_up(lit_inn.person("maren"))
    await screen.fill_in(await screen.press("Type another"), typed)
    assert said in screen.words
    assert offered in [one["value"] for one in screen.menu(TEXT_MENU)["options"]]
    await screen.choose(TEXT_MENU, offered)
    assert f"**{offered}**" in screen.words
    assert "know a time zone" not in screen.words


async def test_a_notice_that_cannot_be_posted_is_said_before_and_after(lit_inn: Inn) -> None:
    maren, house = lit_inn.person("maren"), lit_inn.house
    kitchen = lit_inn.channel(KITCHEN)
    path = f"/channels/{kitchen.id}/permissions/{lit_inn.guild.id}"
    await maren.call("PUT", path, {"type": 0, "allow": "0", "deny": str(int(Permission.SEND_MESSAGES))})
    screen = await set_up(maren)
    await to_the_summary(screen)
    await screen.choose(CHANNEL_MENU, kitchen.id)
    assert f"I can't write in <#{kitchen.id}>" in screen.words
    assert screen.button("Save and post")["disabled"]
    await screen.choose(CHANNEL_MENU)
    assert "Choose below where to post it" in screen.words
    await screen.choose(CHANNEL_MENU, lit_inn.channel(GENERAL).id)
    # Discord refuses it between the summary and the press.
    path = f"POST .*/channels/{lit_inn.channel(GENERAL).id}/messages"
    await house.server.control.trouble_rest(RestTrouble(kind="error", status=403, path=path, requests=1))
    await screen.press("Save and post")
    assert "I couldn't post the notice" in await screen.until("Saved.")
    assert (await settings(lit_inn)).set_up_at is not None


async def test_only_managers_set_up_and_only_as_long_as_they_are(lit_inn: Inn) -> None:
    maren, florent = lit_inn.person("maren"), lit_inn.person("florent")
    assert "Only people who manage" in words_of(await use(florent, "innkeeper", "setup"))
    keeper = role_id(lit_inn, "Keeper")
    member = f"/guilds/{lit_inn.guild.id}/members/{florent.user.id}/roles/{keeper}"
    await maren.call("PUT", member)
    screen, typing = await set_up(florent), await set_up(florent)
    opened = await typing.press("Type another")
    await maren.call("DELETE", member)
    await screen.press("Next")
    await typing.fill_in(opened, "Berlin")
    for one in (screen, typing):
        assert "Only people who manage" in one.words
        assert one.components == []


async def test_a_manager_is_told_that_nobody_has_set_it_up(lit_inn: Inn) -> None:
    maren = lit_inn.person("maren")
    assert "/innkeeper setup" in words_of(await use(maren, "settings", "show"))
    assert "/innkeeper setup" in words_of(await use(maren, "innkeeper", "status"))
    assert "/innkeeper setup" not in words_of(await use(lit_inn.person("aylin"), "innkeeper", "status"))
    screen = await set_up(maren)
    await to_the_summary(screen)
    await screen.press("Save without")
    await screen.until("Saved.")
    assert "/innkeeper setup" not in words_of(await use(maren, "innkeeper", "status"))
    assert "Set up <t:" in words_of(await use(maren, "settings", "show"))
