"""Promise 3, nothing kept that should be gone: what was deleted while nobody told the bot goes, and nothing else."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.history import catch_up, reconcile
from local_guild.faults import RestTrouble
from local_guild.state.messages import Message
from local_guild.state.world import Channel
from memory.core.clock import SystemClock
from memory.importing.importer import Importer
from memory.settings import MemoryOptions
from tests.end_to_end.absence import archive, readable, running_again, talk, thread_in, until_live
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, eventually, until
from tests.end_to_end.ledger import logged, until_equal
from tests.memory.privacy.exports import exported, user, write

ABANDONED = 4_242
"""A channel that Discord has never heard of."""


async def channels_logged(inn: Inn) -> set[int]:
    rows = await inn.house.rows("SELECT DISTINCT channel_id FROM chat_history WHERE guild_id = $1", inn.guild.id)
    return {row["channel_id"] for row in rows}


async def asked_about(inn: Inn) -> dict[int, object]:
    rows = await inn.house.rows(
        "SELECT channel_id, asked_at FROM channel_progress WHERE guild_id = $1 AND asked_at IS NOT NULL", inn.guild.id
    )
    return {row["channel_id"]: row["asked_at"] for row in rows}


def drop(inn: Inn, channel: Channel, message_ids: Iterable[int]) -> None:
    """Deleted, and no event tells of it."""
    world = inn.house.server.world
    for message_id in message_ids:
        doomed = world.message(channel.id, message_id)
        assert doomed is not None
        world.drop(doomed)


async def import_abandoned(inn: Inn, folder: Path) -> None:
    path = write(
        folder / "old.json", [exported(77, "long ago", user(1, "Alice"))], guild=inn.guild.id, channel=ABANDONED
    )
    await import_file(inn, path, stored=1)


async def import_file(inn: Inn, path: Path, *, stored: int) -> None:
    options = MemoryOptions(data_dir=path.parent, database_url=SecretStr(inn.house.database_url))
    async with Importer.open(options, SystemClock()) as importing:
        assert (await importing.file(path, lambda _: None)).stored == stored


async def test_an_import_outlives_restarts_and_what_discord_shows_of_it_may_go_again(
    own_inn: Inn, tmp_path: Path
) -> None:
    house, general = own_inn.house, own_inn.channel(GENERAL)
    async with house.bot_running():
        said = talk(own_inn, general, 1)
        between = house.server.ids.next()
        said += talk(own_inn, general, 1)
        await until_live(own_inn)
    # One before the channel's first message, one between two, one behind the last.
    brought = [77, between, house.server.ids.next()]
    path = write(
        tmp_path / "old.json", [exported(number) for number in brought], guild=own_inn.guild.id, channel=general.id
    )
    await import_file(own_inn, path, stored=3)

    async def swept() -> object:
        return (await house.rows("SELECT swept_at FROM channel_progress WHERE channel_id = $1", general.id))[0][
            "swept_at"
        ]

    async def kept() -> dict[int, bool]:
        rows = await house.rows("SELECT message_id, imported FROM chat_history WHERE channel_id = $1", general.id)
        return {row["message_id"]: row["imported"] for row in rows}

    async with running_again(house, sweep_days=0.00001, sweep_pause_seconds=0):
        await eventually(swept)
        assert await kept() == dict.fromkeys(said, False) | dict.fromkeys(brought, True)
        own = Message(brought[1], general.id, own_inn.person("aylin").user.id, "hello")
        house.server.world.keep(own)
        await eventually(kept, lambda found: not found[own.id])
        house.server.world.drop(own)
        await own_inn.until_gone(own.id)
        assert sorted(await kept()) == sorted([*said, brought[0], brought[2]])


async def test_channels_deleted_meanwhile_go_and_others_stay(own_inn: Inn, tmp_path: Path) -> None:
    house, general, kitchen = own_inn.house, own_inn.channel(GENERAL), own_inn.channel(KITCHEN)
    doomed, quiet = thread_in(own_inn, general, "doomed"), thread_in(own_inn, general, "quiet")
    secret = thread_in(own_inn, general, "secret", private=True)
    orphan = thread_in(own_inn, kitchen, "of the kitchen")
    async with house.bot_running():
        for place in (general, kitchen, doomed, quiet, secret, orphan):
            talk(own_inn, place, 3)
        await until_live(own_inn)
        await import_abandoned(own_inn, tmp_path)
    archive(own_inn, quiet)
    house.server.seats.leave(secret, house.bot.id)
    archive(own_inn, secret)
    house.server.threads.delete(doomed)
    house.server.places.delete_channel(kitchen)
    remaining = {general.id, quiet.id, secret.id, ABANDONED}
    async with running_again(house):
        await eventually(lambda: channels_logged(own_inn), lambda channels: channels == remaining)
        asked = await eventually(lambda: asked_about(own_inn))
    assert asked.keys() == {secret.id}, "an archived thread that is listed needs no asking"
    house.server.threads.delete(quiet)
    async with running_again(house):
        await eventually(lambda: channels_logged(own_inn), lambda channels: channels == remaining - {quiet.id})
        await own_inn.until_stored(talk(own_inn, general, 1, "still here")[0])
    assert await asked_about(own_inn) == asked, "the answer holds for a while"


@pytest.mark.parametrize("is_noted", [True, False], ids=["and noted", "and nothing else"])
async def test_a_channel_that_was_only_heard_goes_too(own_inn: Inn, *, is_noted: bool) -> None:
    """Whether the bot came to note that it was shown the channel, or stopped right after the message."""
    house, kitchen = own_inn.house, own_inn.channel(KITCHEN)
    readable(own_inn, KITCHEN, yes=False)
    async with house.bot_running():
        heard = await own_inn.person("aylin").say("heard, though not to be read back", KITCHEN)
        await own_inn.until_stored(heard)
        if is_noted:
            noted = "SELECT 1 FROM channel_progress WHERE channel_id = $1"
            await eventually(lambda: house.rows(noted, kitchen.id))
    if not is_noted:
        await house.rows("DELETE FROM channel_progress WHERE channel_id = $1", kitchen.id)
    house.server.places.delete_channel(kitchen)
    async with running_again(house):
        await own_inn.until_gone(heard)


@pytest.mark.parametrize("status", [403, 404, 503])
async def test_an_answer_that_says_nothing_deletes_nothing(own_inn: Inn, status: int) -> None:
    """Only Discord's own word for a channel that does not exist counts, not any 404."""
    house, kitchen = own_inn.house, own_inn.channel(KITCHEN)
    async with house.bot_running():
        talk(own_inn, kitchen, 3)
        await until_live(own_inn)
    house.server.places.delete_channel(kitchen)
    path = f"GET .*/channels/{kitchen.id}$"
    await house.server.control.trouble_rest(RestTrouble(kind="error", status=status, path=path, requests=1))
    async with running_again(house):
        if status == 503:  # it is asked again soon
            await eventually(lambda: channels_logged(own_inn), lambda channels: kitchen.id not in channels)
        else:
            assert (await eventually(lambda: asked_about(own_inn))).keys() == {kitchen.id}
            assert kitchen.id in await channels_logged(own_inn)


async def test_a_guild_that_is_lost_as_a_whole_loses_nothing(own_inn: Inn, caplog: pytest.LogCaptureFixture) -> None:
    house, world, kitchen = own_inn.house, own_inn.house.server.world, own_inn.channel(KITCHEN)
    async with house.bot_running():
        talk(own_inn, kitchen, 3)
        await until_live(own_inn)
    rooms = [own_inn.channel(name) for name in (GENERAL, BACK_ROOM, KITCHEN)]
    world.drop(kitchen)
    held = RestTrouble(kind="rate_limit", requests=1, path=f"GET .*/channels/{kitchen.id}$", retry_after=2.0)
    await house.server.control.trouble_rest(held)
    async with running_again(house):
        for room in rooms[:2]:
            world.drop(room)
        await until(lambda: "Discord lists no channels for a guild" in caplog.text)
        for room in rooms:
            world.keep(room)
        assert (await eventually(lambda: asked_about(own_inn))).keys() == {kitchen.id}
        assert kitchen.id in await channels_logged(own_inn)


async def test_what_was_deleted_at_the_ends_of_a_channel_goes(own_inn: Inn) -> None:
    house, general, kitchen = own_inn.house, own_inn.channel(GENERAL), own_inn.channel(KITCHEN)
    back_room = own_inn.channel(BACK_ROOM)
    async with house.bot_running():
        said = {place.id: talk(own_inn, place, 430) for place in (general, kitchen)}
        alone = talk(own_inn, back_room, 1)
        await until_live(own_inn)
        await until(lambda: house.health.part("back-fill").snapshot().counts["channels_done"] == 3)
    drop(own_inn, general, [*said[general.id][:120], *said[general.id][-205:]])
    drop(own_inn, kitchen, said[kitchen.id])
    drop(own_inn, back_room, alone)
    async with running_again(house):
        assert len(await until_equal(own_inn)) == 430 - 120 - 205


async def test_nothing_is_concluded_from_a_refusal_which_is_tried_again(
    own_inn: Inn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house, kitchen = own_inn.house, own_inn.channel(KITCHEN)
    async with house.bot_running():
        ids = talk(own_inn, kitchen, 60)
        await until_live(own_inn)
    before = await logged(own_inn)
    drop(own_inn, kitchen, ids)
    monkeypatch.setattr(catch_up, "REFUSED_AGAIN_AFTER", catch_up.REFUSED_AGAIN_AFTER / 7200)
    await house.server.control.trouble_rest(
        RestTrouble(kind="error", status=403, path=f"GET .*/channels/{kitchen.id}/messages/{ids[-1]}$", seconds=600)
    )
    async with running_again(house):
        await until(lambda: caplog.text.count("Discord refused to read a channel") > 1)
        assert before.items() <= (await logged(own_inn)).items()
        await house.server.control.clear_faults()
        await until_equal(own_inn)


async def test_a_sweep_goes_on_where_it_was_broken_off(own_inn: Inn) -> None:
    house, general = own_inn.house, own_inn.channel(GENERAL)
    ids = talk(own_inn, general, 430)

    async def swept() -> dict[str, object]:
        rows = await house.rows(
            """
            SELECT swept_at, swept_to,
                   (SELECT array_agg(message_id) FROM chat_history WHERE message_id = ANY($2)) AS kept
            FROM channel_progress WHERE channel_id = $1
            """,
            general.id,
            [ids[-50], ids[50]],
        )
        return rows[0] if rows else {"swept_to": None}

    async with house.bot_running(recent_window=0, sweep_days=0.00001, sweep_pause_seconds=2):
        await eventually(swept, lambda found: found["swept_to"] is not None)
    first = await swept()
    assert first["swept_to"] in ids[100:-99]
    drop(own_inn, general, [ids[-50], ids[50]])
    async with running_again(house, recent_window=0, sweep_days=0.00005, sweep_pause_seconds=0):
        found = await eventually(swept, lambda found: found["swept_at"] != first["swept_at"])
        assert found["swept_to"] is None
        assert found["kept"] == [ids[-50]], "what lies above had been read before"
        await until_equal(own_inn)  # the next sweep begins at the newest message


async def test_what_was_heard_but_never_read_back_goes_too(own_inn: Inn) -> None:
    """It died while catching up: what it heard meanwhile lies beyond its progress, and beyond Discord's last id."""
    house, general = own_inn.house, own_inn.channel(GENERAL)
    async with house.bot_running():
        ids = talk(own_inn, general, 40)
        await until_live(own_inn)
    await house.rows("UPDATE channel_progress SET contiguous_through = $1 WHERE channel_id = $2", ids[10], general.id)
    drop(own_inn, general, ids[-3:])
    async with running_again(house):
        await until_equal(own_inn)


NEWEST_ONLY = {"recent_window": 0}
"""No message is compared at once, so that whatever is found was found by comparing the last days."""


async def heard_until(inn: Inn) -> datetime | None:
    rows = await inn.house.rows("SELECT heard_until FROM guilds WHERE guild_id = $1", inn.guild.id)
    return rows[0]["heard_until"] if rows else None


async def until_heard(inn: Inn, after: datetime | None = None) -> datetime:
    heard = await eventually(
        lambda: heard_until(inn), lambda heard: heard is not None and (after is None or heard > after)
    )
    assert heard is not None
    return heard


async def until_past_is_read(inn: Inn) -> None:
    """Reading the past compares as well; what it has not come to yet it would find changed."""
    unread = "SELECT 1 FROM channel_progress WHERE guild_id = $1 AND NOT backfill_done"
    await eventually(lambda: inn.house.rows(unread, inn.guild.id), lambda rows: not rows)


def change_in_silence(inn: Inn, channel: Channel, *, edited: int, deleted: int) -> None:
    world = inn.house.server.world
    message, doomed = world.message(channel.id, edited), world.message(channel.id, deleted)
    assert message is not None
    assert doomed is not None
    message.content, message.edited_at = "changed meanwhile", inn.house.server.clock.now()
    world.drop(doomed)


async def test_after_an_absence_the_last_days_are_compared_and_begun_again_if_broken_off(
    own_inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "NOTE_EVERY", timedelta(milliseconds=50))
    monkeypatch.setattr(reconcile, "PAUSE_SECONDS", 0)
    house, general = own_inn.house, own_inn.channel(GENERAL)
    async with house.bot_running(**NEWEST_ONLY):
        ids = talk(own_inn, general, 230)
        await until_live(own_inn)
        await until_past_is_read(own_inn)
        await until_heard(own_inn)
    change_in_silence(own_inn, general, edited=ids[-60], deleted=ids[-50])
    change_in_silence(own_inn, general, edited=ids[6], deleted=ids[5])

    async with running_again(house, **NEWEST_ONLY):
        await until_heard(own_inn, await until_heard(own_inn, await heard_until(own_inn)))
    assert await own_inn.stored(ids[-50]), "so short an absence is left to what is compared at once"

    await house.rows("UPDATE guilds SET heard_until = heard_until - interval '6 minutes'")
    away = await heard_until(own_inn)
    monkeypatch.setattr(reconcile, "PAUSE_SECONDS", 600)
    async with running_again(house, **NEWEST_ONLY):
        await own_inn.until_gone(ids[-50])
    assert await own_inn.stored(ids[5]), "it was broken off after the first page"
    assert await heard_until(own_inn) == away

    monkeypatch.setattr(reconcile, "PAUSE_SECONDS", 0)
    async with running_again(house, **NEWEST_ONLY):
        await until_equal(own_inn)
        await until_heard(own_inn, away)
