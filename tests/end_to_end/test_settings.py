"""`/settings`: everything in one view, each thing changed by itself, and nothing removed unasked."""

from functools import partial
from operator import eq

import httpx
import pytest

from local_guild.state.permissions import Permission
from local_guild.state.world import Overwrite
from tests.end_to_end.house import GENERAL, KITCHEN, Inn, eventually
from tests.end_to_end.ledger import logged
from tests.end_to_end.reminding import said_in
from tests.end_to_end.screen import Screen, ready, role_id, settings
from tests.end_to_end.slash import use, words_of


@pytest.fixture
async def lit_inn(inn: Inn) -> Inn:
    await ready(inn)
    return inn


async def epoch(inn: Inn) -> int:
    (row,) = await inn.house.rows("SELECT epoch FROM guilds WHERE guild_id = $1", inn.guild.id)
    return int(row["epoch"])


async def test_everything_is_shown_and_each_thing_changed(lit_inn: Inn) -> None:
    maren, kitchen, cellar = lit_inn.person("maren"), lit_inn.channel(KITCHEN).id, role_id(lit_inn, "Cellar")
    shown = words_of(await use(maren, "settings", "show"))
    for part in ("Time zone: UTC", "@everyone", "everywhere I may write", "Everyone who hasn't opted out", "none"):
        assert part in shown
    before = await epoch(lit_inn)
    said = words_of(await use(maren, "settings", "time-zone", zone="berlin"))
    assert said == "Changed. `/settings show` shows everything.\n• Time zone: Europe/Berlin"
    assert "**What is stored**" in words_of(await use(maren, "settings", "time-zone", zone="berlin"))
    assert await epoch(lit_inn) > before
    assert f"<@&{cellar}>" in words_of(await use(maren, "settings", "hall-role", role=str(cellar)))
    said = words_of(await use(maren, "settings", "speak-in", "add", channel=str(kitchen)))
    assert f"My channels: <#{kitchen}>" in said
    assert (await settings(lit_inn)).speaks_in == {kitchen}
    said = words_of(await use(maren, "settings", "speak-in", "remove", channel=str(kitchen)))
    assert "everywhere I may write" in said
    await use(maren, "settings", "speak-in", "add", channel=str(kitchen))
    assert "everywhere I may write" in words_of(await use(maren, "settings", "speak-in", "everywhere"))
    said = words_of(await use(maren, "settings", "log", "summaries", days=30))
    assert "Summaries kept: for 30 days" in said
    assert (await settings(lit_inn)).log.summary_days == 30
    said = words_of(await use(maren, "settings", "log", "summaries", days=0))
    assert "Summaries kept: as long as" in said
    assert "Facts kept" not in said
    said = words_of(await use(maren, "settings", "log", "facts", days=90))
    assert "Facts kept: for 90 days after the last telling" in said
    assert (await settings(lit_inn)).log.fact_days == 90
    assert "until someone has me forget them" in words_of(await use(maren, "settings", "log", "facts", days=0))


async def test_another_hall_role_holds_from_the_very_next_reply_on(lit_inn: Inn) -> None:
    maren, memory, guild_id = lit_inn.person("maren"), lit_inn.house.memory, lit_inn.guild.id
    general = lit_inn.channel(GENERAL).id
    assert memory.places.audience_of(guild_id, general).is_hall
    nobody = await maren.call("POST", f"/guilds/{guild_id}/roles", {"name": "Nobody"})
    await use(maren, "settings", "hall-role", role=nobody.json()["id"])
    assert not memory.places.audience_of(guild_id, general).is_hall
    assert memory.places.hall(guild_id) == frozenset()
    await use(maren, "settings", "hall-role", role=str(guild_id))
    assert memory.places.audience_of(guild_id, general).is_hall


async def test_nothing_is_removed_before_it_was_agreed_to(lit_inn: Inn) -> None:
    maren, aylin, kitchen = lit_inn.person("maren"), lit_inn.person("aylin"), lit_inn.channel(KITCHEN).id
    said = await aylin.say("flour and eggs", KITCHEN)
    await lit_inn.until_stored(said)
    question = await Screen.open(maren, "settings", "log", "exclude-channel", channel=str(kitchen))
    assert "deletes for good: 1 message." in question.words
    await question.press("Cancel")
    assert question.words == "Nothing was changed."
    assert said in await logged(lit_inn)
    assert (await settings(lit_inn)).log.excluded_channels == frozenset()
    question = await Screen.open(maren, "settings", "log", "exclude-channel", channel=str(kitchen))
    await question.press("Change and delete")
    assert "Deleted, because" in await question.until("Channels left out: <#")
    assert said not in await logged(lit_inn)
    assert question.components == []


async def test_facts_go_when_their_time_is_shortened_and_a_manager_agrees(lit_inn: Inn) -> None:
    maren, aylin = lit_inn.person("maren"), lit_inn.person("aylin")
    assert "remember" in (await aylin.ask("Bot remember that I collect old maps")).lower()
    await lit_inn.house.rows("UPDATE facts SET told_at = told_at - interval '40 days' RETURNING fact_id")
    assert "maps" in await aylin.ask("Bot what do you know about me?")
    question = await Screen.open(maren, "settings", "log", "facts", days=30)
    assert "deletes for good: 1 fact." in question.words
    await question.press("Cancel")
    assert "maps" in await aylin.ask("Bot what do you know about me?")
    question = await Screen.open(maren, "settings", "log", "facts", days=30)
    await question.press("Change and delete")
    assert "I may no longer keep it: 1 fact" in await question.until("Facts kept: for 30 days")
    assert "maps" not in await aylin.ask("Bot what do you know about me?")


async def test_how_the_bot_speaks_is_shown_before_it_holds_and_written_down(lit_inn: Inn) -> None:
    maren = lit_inn.person("maren")
    assert "I talk in my own way here" in words_of(await use(maren, "settings", "persona"))
    screen = await Screen.open(maren, "settings", "persona", text="Like a  librarian\n**with** <@&1> @everyone wit")
    assert "> Like a librarian \\*\\*with\\*\\* @role @\u200beveryone wit\n" in screen.words
    await screen.press("Cancel")
    await screen.until("Nothing was changed")
    assert (await settings(lit_inn)).answers.persona == ""
    with pytest.raises(httpx.HTTPStatusError):  # Discord takes no more than the command says
        await use(maren, "settings", "persona", text="x" * 601)
    screen = await Screen.open(maren, "settings", "persona", text="Like a librarian with dry wit")
    await screen.press("Save")
    await screen.until("• Persona: “Like a librarian with dry wit”")
    assert (await settings(lit_inn)).answers.persona == "Like a librarian with dry wit"
    assert "Persona: “Like a librarian" in words_of(await use(maren, "settings", "show"))
    assert "changed how I speak" in words_of(await use(maren, "memory", "audit"))
    screen = await Screen.open(maren, "settings", "persona")
    assert "> Like a librarian with dry wit\n" in screen.words
    await screen.press("Talk in your own way again")
    await screen.until("• Persona: my own")
    assert (await settings(lit_inn)).answers.persona == ""


async def test_a_digest_is_set_up_only_where_it_can_be_posted_and_tells_of_the_chosen_channels(lit_inn: Inn) -> None:
    maren, places = lit_inn.person("maren"), lit_inn.house.server.places
    kitchen, general = lit_inn.channel(KITCHEN), lit_inn.channel(GENERAL)

    async def digest(name: str, **given: object) -> str:
        return words_of(await use(maren, "digest", name, **given))

    def forbid(permission: Permission) -> None:
        places.put_overwrite(kitchen, Overwrite(lit_inn.house.bot.id, for_member=True, deny=int(permission)))

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
    aylin = lit_inn.person("aylin")
    await lit_inn.until_stored(await aylin.say("The sourdough rises on the warm oven tonight, says the baker."))
    await lit_inn.until_stored(await aylin.say("The goat cheese waits in the cellar for all of us.", KITCHEN))
    await use(maren, "settings", "speak-in", "add", channel=str(kitchen.id))
    assert ". I need: `/settings speak-in add`." in await digest("now")
    assert ". I need: `/settings speak-in add`." in await digest("status")
    assert said_in(lit_inn, general.id, "📰") == []
    previewed = await digest("preview")
    assert ("goat" in previewed, "sourdough" in previewed) == (True, False)
