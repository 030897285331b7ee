"""Somebody who opted out is nobody by name: not in what a model is given, not in what it could be asked about."""

from tests.gemini_server import GeminiServer, data_of, rules_of
from tests.memory.answers.answered_world import answering_world  # noqa: F401 - the world of these tests
from tests.memory.world import ALICE, BOB, FLORENT, GRUZILKIN, GUILD, World


def given(gemini: GeminiServer) -> str:
    """All that the last request said."""
    return rules_of(gemini.requests[-1]) + data_of(gemini.requests[-1])


async def test_a_model_gets_no_name_of_those_who_opted_out(world: World, gemini: GeminiServer) -> None:
    for member in (ALICE, FLORENT):
        await world.memory.privacy.opt_out(GUILD, member.user_id)
    await world.say(BOB, "look at <@1> and <@4>")
    await world.ask(GRUZILKIN, "what about <@1>?")
    assert "look at @someone and @someone" in given(gemini)
    for name in ("Alice", "alice", "Florent", "flo"):
        assert name not in given(gemini)
    await world.ask(ALICE, "what do you know about me?")
    assert "Alice" not in given(gemini)
    await world.memory.privacy.opt_in(GUILD, ALICE.user_id)
    await world.ask(GRUZILKIN, "what about <@1>?")
    assert "look at @Alice and @someone" in given(gemini)


async def test_a_name_finds_nothing_that_was_told_with_a_mention(world: World) -> None:
    await world.remember(BOB, "gruzilkin is Sergey")
    await world.memory.privacy.opt_out(GUILD, GRUZILKIN.user_id)
    await world.memory.privacy.opt_in(GUILD, GRUZILKIN.user_id)
    await world.remember(BOB, "gruzilkin likes chess")
    assert "chess" in (await world.ask_about(BOB, "what do you know about gruzilkin?")).text
    await world.memory.privacy.opt_out(GUILD, GRUZILKIN.user_id)
    for called in ("gruzilkin", "Sergey", "<@3>"):
        told = (await world.ask_about(BOB, f"what do you know about {called}?")).text
        assert "chess" not in told
        assert "Sergey" not in told.replace(called, "")
