"""Ids carry the true time, and the world's clock can be set, stopped and moved on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import discord
from hypothesis import given
from hypothesis import strategies as st

from local_guild.state.ids import Clock, Snowflakes, snowflake_at, time_of
from tests.local_guild.people import Body
from tests.local_guild.running import Served
from tests.local_guild.scene import Scene
from tests.local_guild.witness import Witness

MOMENTS = st.datetimes(datetime(2015, 1, 2), datetime(2080, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds are naive


@given(MOMENTS)
def test_ids_and_times_convert_as_in_discord_py(moment: datetime) -> None:
    smallest = snowflake_at(moment)
    assert time_of(smallest) == moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    assert discord.utils.snowflake_time(smallest) == time_of(smallest)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=200))
def test_ids_are_unique_and_grow_with_the_clock(milliseconds: list[int]) -> None:
    clock = Clock()
    clock.set(datetime(2026, 5, 1, tzinfo=UTC), frozen=True)
    ids, made = Snowflakes(clock), []
    for step in milliseconds:
        clock.advance(timedelta(milliseconds=step))
        made.append(ids.next())
        assert abs(time_of(made[-1]) - clock.now()) <= timedelta(milliseconds=1)
    assert made == sorted(set(made))


@given(st.lists(st.tuples(MOMENTS, st.integers(1, 5)), min_size=1, max_size=20))
def test_ids_stay_unique_when_the_clock_jumps(jumps: list[tuple[datetime, int]]) -> None:
    clock = Clock()
    ids, made = Snowflakes(clock), []
    for moment, several in jumps:
        clock.set(moment, frozen=True)
        made += [ids.next() for _ in range(several)]
    assert len(made) == len(set(made))


async def set_clock(local_guild: Served, **fields: Body) -> None:
    (await local_guild.http.put("/local/clock", json=fields)).raise_for_status()


async def test_the_clock_is_set_stopped_and_moved(local_guild: Served, scene: Scene, witness: Witness) -> None:
    then = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC)
    await set_clock(local_guild, now=then.isoformat(), frozen=True)
    await scene.guest.say(scene.hall, "from the future")
    message = await witness.heard("from the future")
    assert message.created_at == then
    await set_clock(local_guild, advance_seconds=86_400)
    await scene.guest.edit(scene.hall, message.id, "a day later")
    _, edited = await witness.saw("message_edit")
    assert edited.edited_at == then + timedelta(days=1)
    await scene.guest.say(scene.hall, "the next day")
    assert (await witness.heard("the next day")).created_at == then + timedelta(days=1)
    (await local_guild.http.delete("/local/clock")).raise_for_status()
    await scene.guest.say(scene.hall, "today")
    assert abs((await witness.heard("today")).created_at - datetime.now(UTC)) < timedelta(minutes=1)


async def test_history_by_time_finds_what_was_said_then(local_guild: Served, scene: Scene, witness: Witness) -> None:
    start = datetime(2026, 3, 1, 12, tzinfo=UTC)
    for day in range(5):
        await set_clock(local_guild, now=(start + timedelta(days=day)).isoformat(), frozen=True)
        await scene.guest.say(scene.garden, f"day {day}")
    garden = scene.channel(witness, scene.garden)
    window = garden.history(after=start + timedelta(hours=12), before=start + timedelta(days=3, hours=12))
    assert [message.content async for message in window] == ["day 1", "day 2", "day 3"]


async def test_a_message_of_the_past_takes_its_place(local_guild: Served, scene: Scene, witness: Witness) -> None:
    await scene.guest.say(scene.hall, "now")
    long_ago = datetime(2025, 6, 1, tzinfo=UTC)
    body = {"author_id": scene.guest.id, "content": "then", "at": long_ago.isoformat()}
    (await local_guild.http.post(f"/local/channels/{scene.hall}/messages", json=body)).raise_for_status()
    assert (await witness.heard("then")).created_at == long_ago
    assert [message.content async for message in scene.channel(witness).history()] == ["now", "then"]
