"""Promise 3, nothing kept that should be gone: what members and managers decide, through the commands they use."""

import asyncio
import gzip
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from bot import background
from bot.privacy import commands, export
from local_guild.actions import interactions
from local_guild.state.world import Role
from memory.health import PartState
from memory.policy.settings import LogSettings
from tests.end_to_end.absence import running_again, until_live
from tests.end_to_end.asking import at_home, close_to_everyone, held_up, opt_out, outcome_of, until_someone_waits
from tests.end_to_end.files import document, downloads, talk_long, until_read_back
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, House, Inn, Payload, Person, eventually
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


MANY = 300


async def test_a_member_sees_what_is_held_and_what_they_can_do(inn: Inn, aylin: Person, florent: Person) -> None:
    await inn.until_stored(await aylin.say("I like tea."))
    await aylin.ask("Bot remember that I live in Graz")
    await florent.ask("Bot remember that aylin whistles")
    await florent.ask("Bot remember that aylin gets a lute", BACK_ROOM)
    said = words_of(await use(aylin, "privacy", "show"))
    assert "your messages: 2 (since <t:" in said
    assert "facts you told me: 1" in said
    assert "facts others told me about you: 1" in said
    assert "stores everyone who doesn't opt out" in said
    assert "messages: until they're deleted" in said
    for command in ("/privacy export", "/privacy erase", "/privacy opt-out", "/memory show"):
        assert command in said
    await opt_out(aylin)
    said = words_of(await use(aylin, "privacy", "show"))
    assert "not to be stored, <t:" in said
    assert "your messages" not in said


async def test_the_file_holds_all_of_it_and_nothing_that_is_not_theirs(
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    aylin, florent, general = inn.person("aylin"), inn.person("florent"), inn.channel(GENERAL)
    tea = await aylin.say("I like tea, Grüße 🫖")
    await inn.until_stored(tea)
    await florent.ask("Bot remember that aylin whistles")
    await florent.ask("Bot remember that aylin gets a lute", BACK_ROOM)
    await aylin.ask("Bot what do you know about me?")
    with monkeypatch.context() as full_disk:
        full_disk.setattr("tempfile.TemporaryFile", lambda **_: Path("/dev/full").open("w+b"))  # noqa: SIM115 - as it is
        refused = await use(aylin, "privacy", "export")
        assert "disk of the machine I run on is full" in await eventually(lambda: said_by(aylin, refused))
    assert inn.house.state_of("database") is PartState.ACTIVE, "whose disk has room"
    outcome = await use(aylin, "privacy", "export")
    [name] = await downloads(aylin, outcome)
    assert "Only you can see this" in words_of(await outcome_of(aylin, outcome))
    assert name.startswith(f"innkeeper-{aylin.user.id}-20")
    assert name.endswith(".json")
    document_of_aylin = await document(aylin, outcome)
    held = document_of_aylin["held"]
    message = held["messages"][0]
    assert message["text"] == "I like tea, Grüße 🫖"
    assert message["channel"] == {"id": str(general.id), "name": GENERAL}
    assert message["link"] == f"https://discord.com/channels/{inn.guild.id}/{general.id}/{tea}"
    [fact] = held["facts_others_told_about_you"]
    assert fact["told_by"]["name"] == "Florent"
    assert held["questions_and_what_the_answers_were_made_from"][0]["used_fact_ids"] == [fact["fact_id"]]
    assert "lute" not in json.dumps(document_of_aylin)
    assert "lute" in json.dumps(await document(florent, await use(florent, "privacy", "export")))


async def test_a_room_that_is_closed_while_the_file_is_collected_is_in_no_file(inn: Inn) -> None:
    aylin, florent, house = inn.person("aylin"), inn.person("florent"), inn.house
    await florent.ask("Bot remember that aylin burnt the soup", KITCHEN)
    async with held_up(house) as holding:
        exporting = asyncio.create_task(use(aylin, "privacy", "export"))
        await until_someone_waits(holding)
        second = await use(aylin, "privacy", "export")
        assert "still putting together the file" in await eventually(lambda: said_by(aylin, second))
        await close_to_everyone(inn, KITCHEN)
    outcome = await exporting
    said = await eventually(lambda: said_by(aylin, outcome))
    assert "What you can read has just changed" in said
    assert (await outcome_of(aylin, outcome))["message"]["attachments"] == []
    assert "soup" not in json.dumps(await document(aylin, await use(aylin, "privacy", "export")))


async def test_a_file_that_discord_would_refuse_is_packed_or_comes_in_parts(
    inn: Inn, aylin: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interactions, "MAX_FILE_BYTES", 64 * 1024 + 5_000)
    talk_long(inn, aylin, KITCHEN, 60)
    await inn.until_stored(await aylin.say("tea " * 400))
    await until_read_back(inn, aylin, 61)
    begun = await use(aylin, "privacy", "export")
    assert len((await document(aylin, begun))["held"]["messages"]) == 61
    assert "compressed" in words_of(await outcome_of(aylin, begun))
    spoken = [secrets.token_hex(900) for _ in range(10)]
    for text in spoken:
        last = await aylin.say(text)
    await inn.until_stored(last)
    begun = await use(aylin, "privacy", "export")
    parts = await downloads(aylin, begun, 3)
    assert "in 3 parts" in words_of(await outcome_of(aylin, begun))
    assert [name[-4:] for name in sorted(parts)] == [".001", ".002", ".003"]
    held = json.loads(gzip.decompress(b"".join(parts[name] for name in sorted(parts))))["held"]
    assert {message["text"] for message in held["messages"]} >= set(spoken)


async def said_by(person: Person, outcome: Payload) -> str:
    return words_of(await outcome_of(person, outcome))


async def test_an_erasure_that_breaks_off_says_so_and_is_finished_by_the_purge(
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "EVERY_SECONDS", 0.01)
    aylin, house = inn.person("aylin"), inn.house
    monkeypatch.setattr(house.memory.privacy._erasure, "_chunk", 1)
    talk_long(inn, aylin, KITCHEN, MANY)
    await until_read_back(inn, aylin, MANY)
    screen = await Screen.open(aylin, "privacy", "erase")
    async with held_up_halfway(house, aylin) as cut_off:
        pressed = asyncio.create_task(screen.press("Delete"))
        await screen.until("Deleting:")
        await cut_off()
    said = await screen.until("The rest goes by itself")
    await pressed
    assert f"of {MANY} messages" in said
    assert await _left(inn)
    await house.memory.purge(house.server.clock.now())
    assert not await _left(inn)


async def _left(inn: Inn) -> list[dict[str, Any]]:
    author_id = inn.person("aylin").user.id
    return await inn.house.rows("SELECT message_id FROM chat_history WHERE author_id = $1", author_id)


@asynccontextmanager
async def held_up_halfway(house: House, person: Person) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Whoever erases what they said comes no further than half of it, and loses the connection when this is called."""
    connection = await asyncpg.connect(house.database_url)

    async def cut_off() -> None:
        async def ended() -> int:
            return int(
                await connection.fetchval(
                    """
                    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                    WHERE datname = current_database() AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
                    """
                )
            )

        await eventually(ended)

    try:
        async with connection.transaction():
            await connection.execute(
                """
                SELECT FROM chat_history WHERE message_id = (
                    SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY message_id) FROM chat_history
                    WHERE author_id = $1) FOR UPDATE
                """,
                person.user.id,
            )
            yield cut_off
    finally:
        await connection.close()
