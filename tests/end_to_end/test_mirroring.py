"""Who may see what follows Discord: on the very next reply, after an absence, through outages, for other processes."""

import contextlib
import random
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from local_guild.actions.guilds import ThreadChange
from local_guild.gateway.sessions import Session
from local_guild.payloads import LARGE_GUILD
from local_guild.state.world import Channel, Member, User
from memory.db.errors import StoreError
from tests.end_to_end.absence import running_again, thread_in
from tests.end_to_end.asking import close_to_everyone
from tests.end_to_end.cable import cable_to
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, eventually, open_house, until
from tests.end_to_end.leaks.canaries import Canaries
from tests.end_to_end.leaks.upheaval import Upheaval
from tests.end_to_end.mirror import Mirror
from tests.end_to_end.web_process import web_memory


def member(inn: Inn, name: str) -> Member:
    return inn.house.server.world.members(inn.guild.id)[inn.person(name).user.id]


async def test_a_guild_out_of_sight_is_closed_and_forgets_what_went_meanwhile(own_inn: Inn) -> None:
    house, server, mirror = own_inn.house, own_inn.house.server, Mirror(own_inn)
    async with house.bot_running():
        await mirror.agrees()
        assert len(mirror.audience_of(GENERAL).sources) == 2
        await server.control.fall_out(own_inn.guild)
        await until(lambda: not mirror.view.is_open)
        assert mirror.audience_of(GENERAL).sources == {own_inn.channel(GENERAL).id}
        async with web_memory(own_inn.house.database_url) as web:
            await eventually(lambda: vouched(own_inn), lambda run: run is None)
            await web.places.follow(own_inn.guild.id)
            assert len(web.places.audience_of(own_inn.guild.id, own_inn.channel(GENERAL).id).sources) == 1
        gruzilkin, kitchen = own_inn.person("gruzilkin").user.id, own_inn.channel(KITCHEN)
        await server.control.leave(own_inn.guild, gruzilkin)
        server.places.delete_channel(kitchen)
        await server.control.recover(own_inn.guild)
        await mirror.agrees()
        everyone = mirror.view.people(mirror.view.viewers(own_inn.channel(GENERAL).id))
        assert gruzilkin not in everyone
        assert own_inn.person("aylin").user.id in everyone


async def vouched(inn: Inn) -> object:
    (row,) = await inn.house.rows("SELECT places_run FROM guilds WHERE guild_id = $1", inn.guild.id)
    return row["places_run"]


def archive(inn: Inn, thread: Channel) -> None:
    assert thread.thread is not None
    inn.house.server.threads.change(thread, thread.thread, ThreadChange(archived=True))


async def test_who_leaves_the_guild_and_returns_is_in_no_private_thread(own_inn: Inn) -> None:
    """Of those in the archive Discord does not tell who left; and what it answered before may be outdated."""
    house, server, mirror = own_inn.house, own_inn.house.server, Mirror(own_inn)
    florent = own_inn.person("florent").user
    general = own_inn.channel(GENERAL)
    old, stale = (thread_in(own_inn, general, name, private=True) for name in ("old plans", "stale plans"))
    assert stale.thread is not None
    for thread in (old, stale):
        server.seats.join(thread, florent.id)
    async with house.bot_running():
        await mirror.agrees()
        archive(own_inn, old)
        server.membership.leave(own_inn.guild, member(own_inn, "florent"))
        server.membership.join(own_inn.guild, florent)
        await mirror.agrees()
        assert florent.id not in mirror.view.people(mirror.view.viewers(old.id))
    # While the bot is away he goes once more, and for a while Discord lists him in a thread all the same.
    archive(own_inn, stale)
    server.membership.leave(own_inn.guild, member(own_inn, "florent"))
    stale.thread.member_since[florent.id] = datetime.now(UTC)
    async with running_again(own_inn.house):
        known = house.memory.place_mirror.known_place
        await until(lambda: (place := known(own_inn.guild.id, stale.id)) and florent.id in (place.members or ()))
        del stale.thread.member_since[florent.id]
        server.membership.join(own_inn.guild, florent)
        await mirror.agrees()
        assert florent.id not in mirror.view.people(mirror.view.viewers(stale.id))


async def test_changes_hold_while_the_database_is_away_and_are_written_when_it_is_back(
    database_url: str, tmp_path: Path
) -> None:
    async with cable_to(database_url) as cable, open_house(tmp_path, cable.url, guilds=1) as house, house.bot_running():
        house.database_url = database_url
        inn = Inn(house, next(house.fresh))
        mirror = Mirror(inn)
        await mirror.agrees()
        kitchen = inn.channel(KITCHEN).id
        async with web_memory(inn.house.database_url) as web:
            await web.places.follow(inn.guild.id)
            assert kitchen in web.places.audience_of(inn.guild.id, inn.channel(GENERAL).id).sources
            await cable.cut(house.memory)
            await close_to_everyone(inn, KITCHEN)
            house.server.membership.change(inn.guild, member(inn, "aylin"), role_ids=[])
            await house.server.control.leave(inn.guild, inn.person("gruzilkin").user.id)
            await cable.mend()
            await mirror.agrees()
            await eventually(lambda: vouched(inn))
            await web.places.follow(inn.guild.id)
            assert web.places.audience_of(inn.guild.id, inn.channel(GENERAL).id) == mirror.audience_of(GENERAL)


async def test_another_process_sees_the_same_and_nothing_once_the_run_is_over(own_inn: Inn) -> None:
    house, guild_id, mirror = own_inn.house, own_inn.guild.id, Mirror(own_inn)
    async with web_memory(own_inn.house.database_url) as web:
        general, back_room = own_inn.channel(GENERAL).id, own_inn.channel(BACK_ROOM).id
        await web.places.follow(guild_id)
        assert web.places.audience_of(guild_id, general).sources == {general}
        async with house.bot_running():
            await mirror.agrees()
            await eventually(lambda: vouched(own_inn))
            await web.places.follow(guild_id)
            for place in (general, back_room):
                assert web.places.audience_of(guild_id, place) == house.memory.places.audience_of(guild_id, place)
            assert (
                web.places.hall(guild_id)
                == house.memory.places.hall(guild_id)
                == {general, own_inn.channel(KITCHEN).id}
            )
            await close_to_everyone(own_inn, KITCHEN)
            await mirror.agrees()
            await web.places.follow(guild_id)
            assert web.places.hall(guild_id) == {general}
        await web.places.follow(guild_id)
        assert web.places.hall(guild_id) == house.memory.places.hall(guild_id) == frozenset()
        async with running_again(own_inn.house):
            await mirror.agrees()
            await eventually(lambda: vouched(own_inn))
        await house.memory.close()
        await web.places.follow(guild_id)
        assert web.places.audience_of(guild_id, back_room).sources == {back_room}
        assert web.places.hall(guild_id) == frozenset()


async def test_a_large_guild_whose_first_connection_breaks_is_mirrored_in_the_next(
    own_inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of its members cannot be asked for then, and no event tells that."""
    server = own_inn.house.server
    for number in range(LARGE_GUILD):
        user = User(server.ids.next(), f"regular-{number}", f"token-{number}")
        server.world.keep(user)
        server.membership.join(own_inn.guild, user)
    greet, greeted = server.gateway.greeter.greet, list[Session]()

    def cut(session: Session, user: User, gateway_url: str) -> None:
        greet(session, user, gateway_url)
        greeted.append(session)
        if len(greeted) == 1 and session.link is not None:
            session.link.close(4000)

    monkeypatch.setattr(server.gateway.greeter, "greet", cut)
    async with own_inn.house.bot_running():
        await Mirror(own_inn).agrees()
    assert len(greeted) == 1


async def test_without_its_database_another_process_sees_nothing(own_inn: Inn) -> None:
    async with own_inn.house.bot_running(), cable_to(own_inn.house.database_url) as cable:
        await Mirror(own_inn).agrees()
        await eventually(lambda: vouched(own_inn))
        async with web_memory(cable.url) as web:
            await web.places.follow(own_inn.guild.id)
            assert len(web.places.hall(own_inn.guild.id)) == 2
            await cable.cut(web)
            with pytest.raises(StoreError):
                await web.places.follow(own_inn.guild.id)
            assert web.places.hall(own_inn.guild.id) == frozenset()


# Whatever happens, in whatever order and while the bot is whatever far away.

SCENES = 8
CHANGES_EACH = 12
FEWEST = 3


@contextlib.asynccontextmanager
async def out_of_touch(inn: Inn, how: str) -> AsyncIterator[None]:
    """What happens meanwhile the bot sees, or has to find out afterwards."""
    control, bot_id = inn.house.server.control, inn.house.bot.id
    if how == "session lost":
        await control.refuse_resumes()
    if how in ("connection lost", "session lost"):
        await control.drop_sockets(user_id=bot_id)
    if how == "guild unavailable":
        await control.fall_out(inn.guild)
    yield
    if how == "guild unavailable":
        await control.recover(inn.guild)


WAYS = ("seen", "seen", "connection lost", "session lost", "guild unavailable")


@pytest.mark.parametrize("seed", [11, 12, 13])
async def test_the_mirror_ends_up_right(own_inn: Inn, seed: int) -> None:
    rng, mirror = random.Random(seed), Mirror(own_inn)
    upheaval = Upheaval(own_inn.house.server, rng, Canaries(random.Random(seed)), fewest=FEWEST)
    for _ in range(2):
        async with running_again(own_inn.house):
            await mirror.agrees()
            for _ in range(SCENES // 2):
                async with out_of_touch(own_inn, rng.choice(WAYS)):
                    upheaval.change(own_inn.guild, CHANGES_EACH)
                await mirror.agrees()
        upheaval.change(own_inn.guild, CHANGES_EACH)
