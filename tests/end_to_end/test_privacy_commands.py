"""`/privacy` as a member uses it: seeing what is held on them, taking it along, and following its end."""

import asyncio
import gzip
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from bot.privacy import export
from local_guild.actions import interactions
from memory.health import PartState
from tests.end_to_end.asking import (
    close_to_everyone,
    held_up,
    opt_out,
    outcome_of,
    until_someone_waits,
)
from tests.end_to_end.files import document, downloads, talk_long, until_read_back
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, House, Inn, Payload, Person, eventually
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import use, words_of

MANY = 300


async def test_a_member_sees_what_is_held_and_what_they_can_do(inn: Inn) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
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
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    aylin = inn.person("aylin")
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
