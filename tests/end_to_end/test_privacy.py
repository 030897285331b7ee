"""Promise 3, nothing kept that should be gone: what members and managers decide, through the commands they use."""

from datetime import timedelta
from typing import Any

import pytest

from bot import background
from bot.privacy import commands
from local_guild.state.world import Role
from memory.policy.settings import LogSettings
from tests.end_to_end.absence import running_again, until_live
from tests.end_to_end.asking import at_home, opt_out
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, Person, eventually
from tests.end_to_end.ledger import logged
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import press, use, words_of
from tests.memory.log.logbook import decide_log

YES, NO = 0, 1


async def texts(inn: Inn, person: Person | None = None) -> set[str]:
    return {line.text for line in (await logged(inn)).values() if person is None or line.author_id == person.user.id}


async def until_heard(inn: Inn, person: Person, words: str, channel: str = GENERAL) -> None:
    await inn.until_stored(await person.say(words, channel))


async def settled(inn: Inn) -> None:
    """Whatever was said before has been judged by now: what follows it has been stored."""
    await until_heard(inn, inn.person("florent"), "Nothing more to be said.", BACK_ROOM)


async def restart_and_catch_up(inn: Inn, **options: Any) -> None:  # noqa: ANN401 - the fields of the options
    """A new start reads the channels again, and with these options compares all their history with the log."""
    house = inn.house

    async def swept() -> set[int]:
        query = "SELECT channel_id FROM channel_progress WHERE guild_id = $1 AND swept_at > $2"
        return {row["channel_id"] for row in await house.rows(query, inn.guild.id, started)}

    async with running_again(house, sweep_days=0.00001, sweep_pause_seconds=0, **options):
        started = house.server.clock.now()
        channels = {channel.id for channel in house.server.world.channels_of(inn.guild.id)}
        await eventually(swept, lambda known: channels <= known)


async def test_opting_out_holds_from_the_next_message_on(own_inn: Inn) -> None:
    aylin, florent, house = own_inn.person("aylin"), own_inn.person("florent"), own_inn.house
    async with house.bot_running():
        await at_home(own_inn)
        await until_heard(own_inn, aylin, "I like tea.")
        await until_heard(own_inn, florent, "So do I.")
        asked = await use(aylin, "privacy", "opt-out")
        assert "the facts you told me about yourself" in words_of(asked)
        assert "I store your messages as before" in words_of(await press(aylin, asked, 1))
        assert await texts(own_inn, aylin) == {"I like tea."}
        said = words_of(await opt_out(aylin))
        assert "From now on I store nothing" in said
        assert "• your messages: 1" in said
        assert "/privacy erase" in said
        await aylin.say("Is anybody writing this down?")
        assert await aylin.ask("Bot what do you know about florent?")
        await settled(own_inn)
        assert await texts(own_inn, aylin) == set()
        assert "So do I." in await texts(own_inn, florent)
        assert "From now on I store what you write on this server" in words_of(await use(aylin, "privacy", "opt-in"))
        await until_heard(own_inn, aylin, "Write this down.")
    await restart_and_catch_up(own_inn)
    assert await texts(own_inn, aylin) == {"Write this down."}


async def test_erasing_asks_first_and_stays_done(own_inn: Inn) -> None:
    aylin, florent, house = own_inn.person("aylin"), own_inn.person("florent"), own_inn.house
    async with house.bot_running():
        await at_home(own_inn)
        await aylin.ask("Bot remember that florent collects spoons")
        await florent.ask("Bot remember that aylin whistles")
        await until_heard(own_inn, aylin, "I like tea.", KITCHEN)
        before = await logged(own_inn)
        question = await use(aylin, "privacy", "erase")
        assert "Should I delete" in words_of(question)
        await press(aylin, question, NO)
        assert await logged(own_inn) == before
        question = await use(aylin, "privacy", "erase")
        pressed = await press(aylin, question, YES)
        message_id = int(question["message"]["id"])

        async def receipt() -> str:
            kept = house.server.world.message(own_inn.channel(GENERAL).id, message_id)
            return kept.content if kept else ""

        said = await eventually(receipt, lambda words: "Deleted." in words)
        assert pressed
        assert "your messages: 2" in said
        assert "facts you told me: 1" in said
        assert "What others told me about you is gone too" in said
        assert await texts(own_inn, aylin) == set()
        assert "whistles" not in await florent.ask("Bot what do you know about aylin?")
        await until_heard(own_inn, aylin, "A fresh start.")
    await house.rows("DELETE FROM channel_progress")  # as if none of it had ever been read
    await restart_and_catch_up(own_inn, recent_window=1000)
    assert await texts(own_inn, aylin) == {"A fresh start."}


async def test_an_erasure_that_nobody_confirms_is_none(own_inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "CONFIRM_SECONDS", 1.0)
    aylin = own_inn.person("aylin")
    async with own_inn.house.bot_running():
        await at_home(own_inn)
        await until_heard(own_inn, aylin, "I like tea.")
        question = await Screen.open(aylin, "privacy", "erase")
        await question.until("Nothing was deleted")
        assert question.components == []
    assert await texts(own_inn, aylin) == {"I like tea."}


async def test_managers_decide_what_the_log_may_hold(own_inn: Inn) -> None:
    aylin, florent, maren, house = (*map(own_inn.person, ("aylin", "florent", "maren")), own_inn.house)
    cellar = next(role for role in own_inn.guild.roles.values() if role.name == "Cellar")
    kitchen = own_inn.channel(KITCHEN)

    async def settings(*path: str, **options: object) -> str:
        """What is said in the end; that messages go is said first, and agreed to."""
        screen = await Screen.open(maren, "settings", "log", *path, **options)
        if "Go ahead?" in screen.words:
            await screen.press("Change and delete")
            return await screen.until("Changed.")
        return screen.words

    async with house.bot_running():
        await at_home(own_inn)
        # Discord shows the command to everyone, for their own time zone.
        assert "Only people who manage this server" in words_of(await use(aylin, "settings", "show"))
        await until_heard(own_inn, aylin, "in the kitchen", KITCHEN)
        await until_heard(own_inn, florent, "from the cellar")
        assert "Everyone who hasn't opted out" in words_of(await use(maren, "settings", "show"))
        said = await settings("exclude-channel", channel=str(kitchen.id))
        assert f"<#{kitchen.id}>" in said
        assert "1 message" in said
        opened = await aylin.call("POST", f"/channels/{kitchen.id}/threads", {"name": "spoons", "type": 11})
        await aylin.say_in(int(opened.json()["id"]), "in a thread of the kitchen")
        await aylin.say("in the kitchen again", KITCHEN)
        assert f"<@&{cellar.id}>" in await settings("exclude-role", role=str(cellar.id))
        await florent.say("from the cellar again")
        await until_heard(own_inn, aylin, "in the hall")
        assert await texts(own_inn) == {"in the hall"}
        assert "Only those who have opted in" in await settings("consent", mode="opt_in")
        await aylin.say("without having been asked")
        assert "for 30 days" in await settings("retention", days=30)
        await use(maren, "privacy", "opt-in")
        await until_heard(own_inn, maren, "I agreed.")
        assert await texts(own_inn) == {"I agreed."}
        await settings("include-channel", channel=str(kitchen.id))
        await settings("include-role", role=str(cellar.id))
        assert "until they're deleted" in await settings("retention", days=0)
        await settings("consent", mode="opt_out")
        assert "Everyone who hasn't opted out" in words_of(await use(maren, "settings", "show"))
        deeds = await house.rows("SELECT actor_id, action FROM audit WHERE guild_id = $1", own_inn.guild.id)
        assert {(row["actor_id"], row["action"]) for row in deeds} == {(maren.user.id, "changed keeping")}
        assert len(deeds) == 8, "each decision, and no look at the settings"


LEFT_LONG_AGO = 77_000


async def test_the_purge_comes_by_itself(own_inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever gains an excluded role, and guilds that were left more than a week ago."""
    house, aylin = own_inn.house, own_inn.person("aylin")
    monkeypatch.setattr(background, "AFTER_START", timedelta(0))
    monkeypatch.setattr(background, "EVERY", timedelta(seconds=0.2))
    server = house.server
    guest = Role(server.ids.next(), "Guest")
    server.places.add_role(own_inn.guild, guest)
    async with house.bot_running():
        await until_live(own_inn)
        await decide_log(house.memory, own_inn.guild.id, LogSettings(excluded_roles=frozenset({guest.id})))
        before = await aylin.say("before the role")
        kept = await own_inn.person("florent").say("without it")
        await own_inn.until_stored(before)
        await own_inn.until_stored(kept)
        member = server.world.members(own_inn.guild.id)[aylin.user.id]
        server.membership.change(own_inn.guild, member, role_ids=[guest.id])
        await own_inn.until_gone(before)
        assert await own_inn.stored(kept)
        await house.rows(
            """
            INSERT INTO guilds (guild_id, name, met_at, left_at)
            VALUES ($1, 'Elsewhere', now() - interval '9 days', now() - interval '8 days')
            """,
            LEFT_LONG_AGO,
        )
        await eventually(
            lambda: house.rows("SELECT 1 FROM guilds WHERE guild_id = $1", LEFT_LONG_AGO), lambda rows: not rows
        )
        assert await own_inn.stored(kept)
