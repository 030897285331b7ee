"""What the process that sees Discord writes of who may see what, and what any other believes of it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from memory.core.values import Guild, Member
from memory.health import MISSED_BEATS, HealthStore
from memory.places.model import VIEW_CHANNEL, Overwrite, Place, PlaceKind, Role, Seat
from memory.settings import MemoryOptions
from tests.memory.world import ALICE, BOB, CELLAR, GUILD, HALL, LOUNGE, World, room

KEEPERS = 700
CLOSED = room(CELLAR, Overwrite(GUILD, True, 0, VIEW_CHANNEL))
THREAD = Place(2001, PlaceKind.THREAD, HALL)
BACK = Place(2002, PlaceKind.PRIVATE_THREAD, HALL, members=frozenset((ALICE.user_id,)))


class Inn:
    """The bot, and a process that has no Discord."""

    def __init__(self, world: World) -> None:
        self.bot, self.place_mirror, self.clock = world.memory, world.memory.place_mirror, world.clock
        self.options = MemoryOptions()
        self.world = world
        self.web = world.beside()
        self.place_mirror.begin(lambda: None)

    async def beat(self) -> None:
        await HealthStore(self.world.database).beat(self.world.health.snapshot())

    def look(self, *places: Place, owner: Member = ALICE) -> None:
        self.world.sees(*places, owner=owner)

    async def written(self) -> None:
        await self.place_mirror.distrust(GUILD)
        await self.bot.people.meet_guild(Guild(GUILD, "The Inn"), [ALICE, BOB], complete=True)
        await self.place_mirror.write_anew(GUILD)

    async def web_sources(self, channel_id: int = HALL) -> frozenset[int]:
        await self.web.places.follow(GUILD)
        return self.web.places.audience_of(GUILD, channel_id).sources


@pytest.fixture
async def inn(world: World) -> AsyncIterator[Inn]:
    inn = Inn(world)
    await inn.beat()
    inn.look(room(HALL), room(LOUNGE), CLOSED)
    await inn.written()
    yield inn
    await inn.web.log.settled()


async def test_new_roles_of_a_member_are_read(inn: Inn) -> None:
    assert await inn.web_sources() == {HALL, LOUNGE}
    inn.place_mirror.role(GUILD, Role(KEEPERS, 0))
    inn.place_mirror.place(GUILD, room(LOUNGE, Overwrite(KEEPERS, True, 0, VIEW_CHANNEL)))
    await inn.place_mirror.write(GUILD)
    assert await inn.web_sources() == {HALL, LOUNGE}
    await inn.bot.people.meet_member(Member(GUILD, BOB.user_id, BOB.username, roles=(KEEPERS,)))
    assert await inn.web_sources() == {HALL}
    await inn.bot.people.part_from_member(GUILD, BOB.user_id)
    assert await inn.web_sources() == {HALL, LOUNGE, CELLAR}  # the owner is alone now


async def test_who_left_and_comes_back_is_in_no_private_thread(inn: Inn) -> None:
    """Also for a process that reads their return before the bot has written anything else."""
    inn.place_mirror.place(GUILD, replace(BACK, members=frozenset((ALICE.user_id, BOB.user_id))))
    await inn.place_mirror.write(GUILD)
    await inn.web.places.follow(GUILD)
    assert BACK.channel_id in inn.web.places.audience_for(GUILD, HALL, BOB.user_id).sources
    inn.place_mirror.no_seat(GUILD, BOB.user_id)
    await inn.bot.people.part_from_member(GUILD, BOB.user_id)
    inn.place_mirror.seat(GUILD, Seat(BOB.user_id, ()))
    await inn.bot.people.meet_member(BOB)
    await inn.web.places.follow(GUILD)
    for process in (inn.bot, inn.web):
        assert BACK.channel_id not in process.places.audience_for(GUILD, HALL, BOB.user_id).sources
        assert BACK.channel_id in process.places.audience_for(GUILD, HALL, ALICE.user_id).sources


async def test_a_bot_that_fell_silent_vouches_for_nothing(inn: Inn) -> None:
    assert len(await inn.web_sources()) == 2
    inn.clock.move(timedelta(seconds=inn.options.heartbeat_seconds) * MISSED_BEATS)
    assert len(await inn.web_sources()) == 2
    inn.clock.move(timedelta(seconds=1))
    assert await inn.web_sources() == {HALL}
    await inn.beat()
    assert len(await inn.web_sources()) == 2


async def test_old_threads_are_recalled_and_their_guests_are_not(inn: Inn) -> None:
    for thread in (THREAD, BACK):
        inn.place_mirror.place(GUILD, thread)
    await inn.place_mirror.write(GUILD)
    assert await inn.web_sources(BACK.channel_id) == {HALL, LOUNGE, CELLAR, THREAD.channel_id, BACK.channel_id}
    inn.look(room(HALL), room(LOUNGE), CLOSED)
    await inn.written()
    assert inn.bot.places.audience_of(GUILD, HALL).sources == {HALL, LOUNGE, THREAD.channel_id}
    assert inn.bot.places.audience_of(GUILD, BACK.channel_id).sources == {BACK.channel_id}
    assert await inn.web_sources(BACK.channel_id) == {BACK.channel_id}
    inn.look(room(LOUNGE), CLOSED)
    await inn.written()
    rows = await inn.world.database.read("test", "SELECT channel_id FROM places WHERE guild_id = $1", GUILD)
    assert {row["channel_id"] for row in rows} == {LOUNGE, CELLAR}


async def test_a_guild_that_stays_after_it_was_erased_begins_anew(inn: Inn) -> None:
    await inn.bot.privacy.change_settings(GUILD, lambda now: replace(now, hall_role_id=KEEPERS))
    await inn.bot.privacy.erase_guild(GUILD)
    assert inn.bot.places.hall(GUILD) == frozenset()
    await inn.written()
    assert inn.bot.places.hall(GUILD) == {HALL, LOUNGE}, "@everyone, as in a guild where nobody has decided anything"
