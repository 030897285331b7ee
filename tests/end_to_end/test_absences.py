"""Promise 3: what was edited or deleted while we were away is found soon, also among older messages."""

from datetime import datetime, timedelta

import pytest

from bot.history import reconcile
from local_guild.state.world import Channel
from tests.end_to_end.absence import starting_anew, talk, until_live
from tests.end_to_end.house import GENERAL, Inn, eventually
from tests.end_to_end.ledger import until_equal

NEWEST_ONLY = {"recent_window": 0}
"""No message is compared at once, so that whatever is found was found by comparing the last days."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconcile, "NOTE_EVERY", timedelta(milliseconds=50))
    monkeypatch.setattr(reconcile, "PAUSE_SECONDS", 0)


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
    house, general = own_inn.house, own_inn.channel(GENERAL)
    async with house.bot_running(**NEWEST_ONLY):
        ids = talk(own_inn, general, 230)
        await until_live(own_inn)
        await until_past_is_read(own_inn)
        await until_heard(own_inn)
    change_in_silence(own_inn, general, edited=ids[-60], deleted=ids[-50])
    change_in_silence(own_inn, general, edited=ids[6], deleted=ids[5])

    starting_anew(house)
    async with house.bot_running(**NEWEST_ONLY):
        await until_heard(own_inn, await until_heard(own_inn, await heard_until(own_inn)))
    assert await own_inn.stored(ids[-50]), "so short an absence is left to what is compared at once"

    await house.rows("UPDATE guilds SET heard_until = heard_until - interval '6 minutes'")
    away = await heard_until(own_inn)
    monkeypatch.setattr(reconcile, "PAUSE_SECONDS", 600)
    starting_anew(house)
    async with house.bot_running(**NEWEST_ONLY):
        await own_inn.until_gone(ids[-50])
    assert await own_inn.stored(ids[5]), "it was broken off after the first page"
    assert await heard_until(own_inn) == away

    monkeypatch.setattr(reconcile, "PAUSE_SECONDS", 0)
    starting_anew(house)
    async with house.bot_running(**NEWEST_ONLY):
        await until_equal(own_inn)
        await until_heard(own_inn, away)
