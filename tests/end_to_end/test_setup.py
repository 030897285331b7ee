"""`/innkeeper setup`, step by step as a manager uses it; and `/settings`, where nothing is removed unasked."""

from functools import partial
from operator import eq
from pathlib import Path

import httpx
import pytest

from local_guild.faults import RestTrouble
from local_guild.state.permissions import Permission
from local_guild.state.world import Overwrite
from memory.core.log_values import Consent
from tests.end_to_end.absence import running_again
from tests.end_to_end.asking import outcome_of
from tests.end_to_end.cable import cable_to
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, Person, eventually, open_house
from tests.end_to_end.reminding import said_in
from tests.end_to_end.screen import CHANNEL_MENU, ROLE_MENU, Screen, ready, role_id, set_up, settings, to_the_summary
from tests.end_to_end.slash import TEXT_MENU, use, words_of


def posted(inn: Inn, channel: str = GENERAL) -> list[str]:
    log = inn.house.server.world.log(inn.channel(channel).id)
    return [one.content for one in log.before(None, 100) if one.author_id == inn.house.bot.id]


async def test_a_whole_setup_changes_everything_at_the_end_and_nothing_before(inn: Inn) -> None:
    maren, aylin, house = inn.person("maren"), inn.person("aylin"), inn.house
    kitchen, general, cellar = inn.channel(KITCHEN), inn.channel(GENERAL), role_id(inn, "Cellar")
    await inn.until_stored(await aylin.say("flour and eggs", KITCHEN))
    before = await settings(inn)
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
    assert f"<#{inn.channel(BACK_ROOM).id}>" not in screen.words
    await screen.choose(ROLE_MENU, cellar)
    assert f"Chosen: <@&{cellar}>. People who have it: 1" in screen.words
    assert f"<#{inn.channel(BACK_ROOM).id}>" in screen.words

    await screen.press("Next")
    await screen.choose(CHANNEL_MENU, kitchen.id)
    await screen.choose(ROLE_MENU, role_id(inn, "Keeper"))
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
    assert await settings(inn) == before
    assert posted(inn) == []

    await screen.press("Save and post the notice")
    done = await screen.until("Saved.")
    assert "Deleted, because" in done
    assert f"The notice is in <#{general.id}>" in done
    assert screen.components == []
    now = await settings(inn)
    assert now.time_zone == "Europe/Paris"
    assert now.hall_role_id == cellar
    assert now.speaks_in == {general.id}
    assert now.log.consent is Consent.OPT_IN
    assert now.log.excluded_channels == {kitchen.id}
    assert now.log.excluded_roles == {role_id(inn, "Keeper")}
    assert now.set_up_at is not None
    assert house.memory.places.hall(inn.guild.id) >= {inn.channel(BACK_ROOM).id}
    (notice,) = posted(inn)
    for told in ("/privacy opt-in", "/privacy opt-out", "/privacy erase", "private channel"):
        assert told in notice
    assert await house.rows("SELECT 1 FROM chat_history WHERE channel_id = $1", kitchen.id) == []


async def test_a_notice_that_cannot_be_posted_is_said_before_and_after(inn: Inn) -> None:
    maren, house = inn.person("maren"), inn.house
    kitchen = inn.channel(KITCHEN)
    path = f"/channels/{kitchen.id}/permissions/{inn.guild.id}"
    await maren.call("PUT", path, {"type": 0, "allow": "0", "deny": str(int(Permission.SEND_MESSAGES))})
    screen = await set_up(maren)
    await to_the_summary(screen)
    await screen.choose(CHANNEL_MENU, kitchen.id)
    assert f"I can't write in <#{kitchen.id}>" in screen.words
    assert screen.button("Save and post")["disabled"]
    await screen.choose(CHANNEL_MENU)
    assert "Choose below where to post it" in screen.words
    await screen.choose(CHANNEL_MENU, inn.channel(GENERAL).id)
    # Discord refuses it between the summary and the press.
    path = f"POST .*/channels/{inn.channel(GENERAL).id}/messages"
    await house.server.control.trouble_rest(RestTrouble(kind="error", status=403, path=path, requests=1))
    await screen.press("Save and post")
    assert "I couldn't post the notice" in await screen.until("Saved.")
    assert (await settings(inn)).set_up_at is not None


async def test_only_managers_set_up_and_only_as_long_as_they_are(inn: Inn, maren: Person, florent: Person) -> None:
    assert "Only people who manage" in words_of(await use(florent, "innkeeper", "setup"))
    keeper = role_id(inn, "Keeper")
    member = f"/guilds/{inn.guild.id}/members/{florent.user.id}/roles/{keeper}"
    await maren.call("PUT", member)
    screen, typing = await set_up(florent), await set_up(florent)
    opened = await typing.press("Type another")
    await maren.call("DELETE", member)
    await screen.press("Next")
    await typing.fill_in(opened, "Berlin")
    for one in (screen, typing):
        assert "Only people who manage" in one.words
        assert one.components == []


async def test_a_manager_is_told_that_nobody_has_set_it_up(inn: Inn, maren: Person) -> None:
    assert "/innkeeper setup" in words_of(await use(maren, "settings", "show"))
    assert "/innkeeper setup" in words_of(await use(maren, "innkeeper", "status"))
    assert "/innkeeper setup" not in words_of(await use(inn.person("aylin"), "innkeeper", "status"))
    screen = await set_up(maren)
    await to_the_summary(screen)
    await screen.press("Save without")
    await screen.until("Saved.")
    assert "/innkeeper setup" not in words_of(await use(maren, "innkeeper", "status"))
    assert "Set up <t:" in words_of(await use(maren, "settings", "show"))


async def test_a_setup_left_open_over_a_restart_says_that_it_ran_out(own_inn: Inn) -> None:
    maren, house = own_inn.person("maren"), own_inn.house
    async with house.bot_running():
        await ready(own_inn)
        screens = [await set_up(maren) for _ in range(3)]
        opened = await screens[1].press("Type another")
    async with running_again(house):
        await screens[0].press("Next")
        await screens[1].fill_in(opened, "Berlin")
        await screens[2].choose(TEXT_MENU, "Europe/Paris")
        for screen in screens:
            assert "That took too long, so nothing was changed" in screen.words
            assert screen.components == []
    assert (await settings(own_inn)).set_up_at is None


async def test_a_setup_that_could_not_be_saved_is_saved_when_it_can_be(database_url: str, tmp_path: Path) -> None:
    async with cable_to(database_url) as cable, open_house(tmp_path, cable.url, guilds=1) as house, house.bot_running():
        house.database_url = database_url
        inn = Inn(house, next(house.fresh))
        maren = inn.person("maren")
        await ready(inn)
        screen = await set_up(maren)
        await screen.choose(TEXT_MENU, "Europe/Paris")
        await to_the_summary(screen)
        await cable.cut(house.memory)
        pressed = await screen.press("Save without")

        async def answered() -> str:
            return str((await outcome_of(maren, pressed)).get("followups"))

        await eventually(answered, lambda said: "nothing was changed" in said)
        await cable.mend()
        await screen.press("Save without")
        await screen.until("Saved.")
        assert (await settings(inn)).time_zone == "Europe/Paris"


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


async def epoch(inn: Inn) -> int:
    (row,) = await inn.house.rows("SELECT epoch FROM guilds WHERE guild_id = $1", inn.guild.id)
    return int(row["epoch"])


async def test_everything_is_shown_and_each_thing_changed(inn: Inn) -> None:
    maren, kitchen, cellar = inn.person("maren"), inn.channel(KITCHEN).id, role_id(inn, "Cellar")
    shown = words_of(await use(maren, "settings", "show"))
    for part in ("Time zone: UTC", "@everyone", "everywhere I may write", "Everyone who hasn't opted out", "none"):
        assert part in shown
    before = await epoch(inn)
    said = words_of(await use(maren, "settings", "time-zone", zone="berlin"))
    assert said == "Changed. `/settings show` shows everything.\n• Time zone: Europe/Berlin"
    assert "**What is stored**" in words_of(await use(maren, "settings", "time-zone", zone="berlin"))
    assert await epoch(inn) > before
    assert f"<@&{cellar}>" in words_of(await use(maren, "settings", "hall-role", role=str(cellar)))
    said = words_of(await use(maren, "settings", "speak-in", "add", channel=str(kitchen)))
    assert f"My channels: <#{kitchen}>" in said
    assert (await settings(inn)).speaks_in == {kitchen}
    said = words_of(await use(maren, "settings", "speak-in", "remove", channel=str(kitchen)))
    assert "everywhere I may write" in said
    await use(maren, "settings", "speak-in", "add", channel=str(kitchen))
    assert "everywhere I may write" in words_of(await use(maren, "settings", "speak-in", "everywhere"))
    said = words_of(await use(maren, "settings", "log", "summaries", days=30))
    assert "Summaries kept: for 30 days" in said
    assert (await settings(inn)).log.summary_days == 30
    said = words_of(await use(maren, "settings", "log", "summaries", days=0))
    assert "Summaries kept: as long as" in said
    assert "Facts kept" not in said
    said = words_of(await use(maren, "settings", "log", "facts", days=90))
    assert "Facts kept: for 90 days after the last telling" in said
    assert (await settings(inn)).log.fact_days == 90
    assert "until someone has me forget them" in words_of(await use(maren, "settings", "log", "facts", days=0))


async def test_another_hall_role_holds_from_the_very_next_reply_on(inn: Inn) -> None:
    maren, memory, guild_id = inn.person("maren"), inn.house.memory, inn.guild.id
    general = inn.channel(GENERAL).id
    assert memory.places.audience_of(guild_id, general).is_hall
    nobody = await maren.call("POST", f"/guilds/{guild_id}/roles", {"name": "Nobody"})
    await use(maren, "settings", "hall-role", role=nobody.json()["id"])
    assert not memory.places.audience_of(guild_id, general).is_hall
    assert memory.places.hall(guild_id) == frozenset()
    await use(maren, "settings", "hall-role", role=str(guild_id))
    assert memory.places.audience_of(guild_id, general).is_hall


async def test_facts_go_when_their_time_is_shortened_and_a_manager_agrees(inn: Inn) -> None:
    maren, aylin = inn.person("maren"), inn.person("aylin")
    assert "remember" in (await aylin.ask("Bot remember that I collect old maps")).lower()
    await inn.house.rows("UPDATE facts SET told_at = told_at - interval '40 days' RETURNING fact_id")
    assert "maps" in await aylin.ask("Bot what do you know about me?")
    question = await Screen.open(maren, "settings", "log", "facts", days=30)
    assert "deletes for good: 1 fact." in question.words
    await question.press("Cancel")
    assert "maps" in await aylin.ask("Bot what do you know about me?")
    question = await Screen.open(maren, "settings", "log", "facts", days=30)
    await question.press("Change and delete")
    assert "I may no longer keep it: 1 fact" in await question.until("Facts kept: for 30 days")
    assert "maps" not in await aylin.ask("Bot what do you know about me?")


async def test_how_the_bot_speaks_is_shown_before_it_holds_and_written_down(inn: Inn, maren: Person) -> None:
    assert "I talk in my own way here" in words_of(await use(maren, "settings", "persona"))
    screen = await Screen.open(maren, "settings", "persona", text="Like a  librarian\n**with** <@&1> @everyone wit")
    assert "> Like a librarian \\*\\*with\\*\\* @role @\u200beveryone wit\n" in screen.words
    await screen.press("Cancel")
    await screen.until("Nothing was changed")
    assert (await settings(inn)).answers.persona == ""
    with pytest.raises(httpx.HTTPStatusError):  # Discord takes no more than the command says
        await use(maren, "settings", "persona", text="x" * 601)
    screen = await Screen.open(maren, "settings", "persona", text="Like a librarian with dry wit")
    await screen.press("Save")
    await screen.until("• Persona: “Like a librarian with dry wit”")
    assert (await settings(inn)).answers.persona == "Like a librarian with dry wit"
    assert "Persona: “Like a librarian" in words_of(await use(maren, "settings", "show"))
    assert "changed how I speak" in words_of(await use(maren, "memory", "audit"))
    screen = await Screen.open(maren, "settings", "persona")
    assert "> Like a librarian with dry wit\n" in screen.words
    await screen.press("Talk in your own way again")
    await screen.until("• Persona: my own")
    assert (await settings(inn)).answers.persona == ""


async def test_a_digest_is_set_up_only_where_it_can_be_posted_and_tells_of_the_chosen_channels(inn: Inn) -> None:
    maren, places = inn.person("maren"), inn.house.server.places
    kitchen, general = inn.channel(KITCHEN), inn.channel(GENERAL)

    async def digest(name: str, **given: object) -> str:
        return words_of(await use(maren, "digest", name, **given))

    def forbid(permission: Permission) -> None:
        places.put_overwrite(kitchen, Overwrite(inn.house.bot.id, for_member=True, deny=int(permission)))

    for permission, right in (
        (Permission.SEND_MESSAGES, "Send Messages"),
        (Permission.READ_MESSAGE_HISTORY, "Read Message History"),
    ):
        forbid(permission)
        expected = f"I can't post in <#{kitchen.id}>. I need: {right}. Allow me, or choose another channel."
        await eventually(lambda: digest("setup", channel=str(kitchen.id)), partial(eq, expected))
    forbid(Permission(0))
    await use(maren, "settings", "speak-in", "add", channel=str(general.id))
    refused = await eventually(lambda: digest("setup", channel=str(kitchen.id)), lambda said: "History" not in said)
    assert ". I need: `/settings speak-in add`." in refused
    assert "no digest here yet" in await digest("status"), "nothing was chosen"
    assert "don't know those weekdays" in await digest("setup", channel=str(general.id), weekdays="Fryday")

    # Managers change their mind about where it may speak once it is set up: it says what it lacks, and posts nothing.
    await use(maren, "settings", "speak-in", "everywhere")
    chosen = f"<#{kitchen.id}>"
    assert chosen in await digest("setup", channel=str(general.id), least=1, channels=chosen)
    aylin = inn.person("aylin")
    await inn.until_stored(await aylin.say("The sourdough rises on the warm oven tonight, says the baker."))
    await inn.until_stored(await aylin.say("The goat cheese waits in the cellar for all of us.", KITCHEN))
    await use(maren, "settings", "speak-in", "add", channel=str(kitchen.id))
    assert ". I need: `/settings speak-in add`." in await digest("now")
    assert ". I need: `/settings speak-in add`." in await digest("status")
    assert said_in(inn, general.id, "📰") == []
    previewed = await digest("preview")
    assert ("goat" in previewed, "sourdough" in previewed) == (True, False)
