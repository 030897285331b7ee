"""Vetoes: digests that know a statement again, and cannot be read."""

from hashlib import sha256

import pytest

from memory.facts.enter import is_vetoed, lift
from memory.facts.matching import digest
from tests.memory.world import GUILD, NOON, World

TEA = "<@1> likes green tea"


def test_a_digest_is_of_a_statement_about_somebody_in_a_guild() -> None:
    others = {
        digest(GUILD + 1, 1, TEA),
        digest(GUILD, 2, TEA),
        digest(GUILD, 1, "<@1> likes black tea"),
    }
    assert digest(GUILD, 1, TEA) not in others
    assert len(others) == 3


@pytest.mark.parametrize(
    ("said", "is_same"),
    [
        ("<@1> owes 50 euro to <@2>", True),
        ("50 euros are what <@1> is owing <@2>!", True),
        ("<@1>: <@1> owes 50 Euros to <@2>", True),
        ("<@2> says: “<@1> owes me 50 euros”", True),
        ("<@1> owes <@2> 60 euros", False),
        ("<@1> owes <@2> 50 dollars", False),
        ("<@1> owes <@3> 50 euros", False),
        ("<@1> doesn't owe <@2> 50 euros", False),
        ("<@1> owes <@2> 50 euros and a tea", False),
    ],
)
def test_a_claim_is_known_again_in_other_words_and_no_other_is(said: str, is_same: bool) -> None:
    assert (digest(GUILD, 1, said) == digest(GUILD, 1, "<@1> owes <@2> 50 euros")) is is_same


def test_what_has_no_topic_is_known_by_its_very_words() -> None:
    assert digest(GUILD, 1, "<@1> is in") != digest(GUILD, 1, "<@1> is out")


def test_a_veto_that_was_given_before_is_still_known() -> None:
    """Whoever changes what a claim is takes the no of members away: then older digests have to be known as well."""
    assert digest(GUILD, 1, TEA) == "53cd284a563a904cbfad8b2f2de67445219b76a90d46c46f61f6f5907fe7fee0"


async def test_a_veto_of_the_very_words_as_they_were_kept_before_holds(world: World) -> None:
    older = sha256(f"{GUILD} 1 1 likes green tea".encode()).hexdigest()
    async with world.database.transaction("test") as connection:
        await connection.execute("INSERT INTO vetoes VALUES ($1, 1, $2, $3)", GUILD, older, NOON)
        assert await is_vetoed(connection, GUILD, 1, TEA)
        await lift(connection, GUILD, [(1, TEA)])
        assert not await is_vetoed(connection, GUILD, 1, TEA)
