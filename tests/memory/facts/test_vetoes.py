"""Vetoes: digests that know a statement again, and cannot be read."""

from hypothesis import given
from hypothesis import strategies as st

from memory.facts.others import digest, is_vetoed, lift, veto
from tests.memory.world import GUILD, NOON, World

TEA = "<@1> likes green tea"


def test_a_digest_is_of_a_statement_about_somebody_in_a_guild() -> None:
    others = {digest(GUILD + 1, 1, TEA), digest(GUILD, 2, TEA), digest(GUILD, 1, "<@1> likes black tea")}
    assert digest(GUILD, 1, TEA) not in others
    assert len(others) == 3


@given(st.sampled_from([str.upper, str.title, lambda text: f"  {text}!", lambda text: text.replace(" ", ", ")]))
def test_case_and_punctuation_make_no_other_statement(said: object) -> None:
    assert callable(said)
    assert digest(GUILD, 1, str(said("likes green tea"))) == digest(GUILD, 1, "likes green tea")


async def test_a_veto_holds_until_it_is_lifted(world: World) -> None:
    async with world.database.transaction("test") as connection:
        for _ in range(2):
            await veto(connection, GUILD, 1, TEA, NOON)
        assert await is_vetoed(connection, GUILD, 1, TEA.upper())
        assert not await is_vetoed(connection, GUILD, 2, TEA)
        assert not await is_vetoed(connection, GUILD + 1, 1, TEA)
        await lift(connection, GUILD, [(2, TEA), (1, "<@1> likes cake")])
        assert await is_vetoed(connection, GUILD, 1, TEA)
        await lift(connection, GUILD, [(1, TEA)])
        assert not await is_vetoed(connection, GUILD, 1, TEA)
