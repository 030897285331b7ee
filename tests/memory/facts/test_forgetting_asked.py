"""A wish to forget that no verb says: what would go is told, and only what is chosen then goes."""

import pytest

from memory.core.outcomes import ForgetOutcome, Forgotten, MayNotForget, UnclearWhat
from memory.core.values import Member, RememberRequest
from memory.facts.statement import words_to_forget
from tests.memory.facts.held_facts import kept
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GUILD, HALL, World, as_a, audience


async def wish(world: World, teller: Member, body: str, channel: int = HALL) -> ForgetOutcome:
    said = await world.say(teller, f"Bot, {body}", channel)
    telling = RememberRequest(GUILD, channel, said.message_id, teller.user_id, body, said.sent_at, asks_first=True)
    return await world.memory.forget(telling, audience(channel))


async def choose(world: World, teller: Member, source_id: int, channel: int = HALL) -> ForgetOutcome:
    telling = RememberRequest(
        GUILD, channel, 99_999, teller.user_id, "", world.clock.now(), source_id=source_id, by_command=True
    )
    return await world.memory.forget(telling, audience(channel))


def offered(outcome: ForgetOutcome) -> list[str]:
    assert isinstance(outcome, UnclearWhat), outcome
    return [fact.text for fact in outcome.candidates]


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("I adore pizza", "it is time to forget that I adore pizza"),
        ("I adore pizza", "I adore pizza, time to forget it"),
        ("I adore pizza", "maybe you should just forget about my pizza thing"),
        ("ich liebe Pizza", "es wird Zeit, du solltest vergessen, dass ich Pizza liebe"),
        ("j'adore la pizza", "il est temps d'oublier que j'adore la pizza"),
        ("me encanta la pizza", "ya es hora de olvidar que me encanta la pizza"),
        ("я обожаю пиццу", "самое время забыть, что я обожаю пиццу"),
    ],
)
async def test_words_around_the_wish_are_no_part_of_what_goes(world: World, told: str, sentence: str) -> None:
    await world.remember(ALICE, told)
    await world.remember(ALICE, "I play the cello in the time I have")
    assert offered(await wish(world, ALICE, words_to_forget(sentence))) == [f"“{told}” – <@1>"]


async def test_not_even_everything_of_oneself(world: World) -> None:
    await world.remember(ALICE, "I adore pizza")
    await world.remember(ALICE, "I play the cello")
    await world.remember(ALICE, "I hide the truffles", CELLAR)
    for words in ("everything about me", "me"):
        assert offered(await wish(world, ALICE, words)) == ["“I adore pizza” – <@1>", "“I play the cello” – <@1>"]


async def test_what_somebody_may_not_have_forgotten_is_not_offered(world: World) -> None:
    await world.remember(ALICE, "I adore pizza")
    assert isinstance(await wish(world, BOB, "Alice adores pizza"), MayNotForget)
    told = kept(await world.remember(FLORENT, "I adore pizza"))
    assert isinstance(await choose(world, BOB, told.fact.message_id), MayNotForget)


async def test_what_holds_no_longer_can_be_chosen_too(world: World) -> None:
    await world.remember(ALICE, "I live in Lyon")
    await world.remember(ALICE, "I live in Rome")
    outcome = await wish(world, ALICE, "I live in Lyon")
    assert offered(outcome) == ["“I live in Lyon” – <@1>"]
    assert isinstance(outcome, UnclearWhat)
    gone = as_a(Forgotten, await choose(world, ALICE, outcome.candidates[0].message_id))
    assert [fact.text for fact in gone.facts] == ["“I live in Lyon” – <@1>"]
