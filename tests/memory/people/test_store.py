"""Names of members and guilds, and finding whom a text may mean."""

from memory.core.values import Guild, Member
from memory.people.store import GuildStore, MemberStore
from tests.memory.world import ALICE, FLORENT, GUILD, NOON, World, audience


async def names(world: World, text: str) -> list[str]:
    return [member.username for member in await MemberStore(world.database).spoken_of(audience(), text)]


async def test_members_are_found_by_every_name_and_by_mention(world: World) -> None:
    assert await names(world, "alice, FLORENT and <@3>") == ["alice", "gruzilkin", "flo"]
    assert await names(world, "the flo of time") == ["flo"]
    assert await names(world, "nobody") == []


async def test_a_change_of_name_is_followed(world: World) -> None:
    await world.memory.people.meet_member(Member(GUILD, FLORENT.user_id, "flo", nickname="Flöckchen"))
    assert await names(world, "florent") == []
    assert await names(world, "flockchen") == ["flo"]


async def test_who_left_is_no_longer_found(world: World) -> None:
    await world.memory.people.part_from_member(GUILD, ALICE.user_id)
    assert await names(world, "alice <@1>") == []


async def test_guilds_never_mix(world: World) -> None:
    await world.memory.people.meet_guild(Guild(GUILD + 1, "Next door"), [Member(GUILD + 1, 50, "zed")])
    assert await names(world, "zed and <@50>") == []


async def test_names_that_cannot_be_stored_are_repaired(world: World) -> None:
    await world.memory.people.meet_member(Member(GUILD, 60, "x\x00y", global_name="\ud800", nickname="Zo\u0000e"))
    assert await names(world, "<@60>") == ["x�y"]


async def test_a_guild_keeps_when_we_met_and_takes_a_new_name(world: World) -> None:
    world.clock.move(world.clock.now() - NOON)
    await GuildStore(world.database).meet(Guild(GUILD, "The New Inn"), [], world.clock.now())
    async with world.database.connection("test") as connection:
        row = await connection.fetchrow("SELECT * FROM guilds WHERE guild_id = $1", GUILD)
    assert row is not None
    assert (row["name"], row["met_at"], row["time_zone"]) == ("The New Inn", NOON, "UTC")
