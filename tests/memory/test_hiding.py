"""What is hidden is told to nobody but its subject: on no way there is, until it is shown again."""

import pytest

from memory.core.authority import Action, Actor
from memory.core.changes import NothingToUndo, Obstacle, Stuck, Undone
from memory.core.hearsay import MayNot, NotThere
from memory.core.model import Rank
from memory.core.outcomes import NothingFound
from tests.memory.holding import Holding, alone, done, told
from tests.memory.logbook import rows_of
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GRUZILKIN, GUILD, World, audience

TEA = "gruzilkin likes green tea"
CALLED = "gruzilkin is Sergey"


@pytest.fixture
def holding(world: World) -> Holding:
    return Holding(world)


async def heard(world: World) -> str:
    """All that is told of gruzilkin in the hall, on every way."""
    told_of = [
        (await world.ask_about(BOB, "what do you know about gruzilkin?")).text,
        (await world.ask(BOB, "what does gruzilkin like to drink?")).text,
        (await world.ask(BOB, "what did you know about gruzilkin yesterday?")).text,
        (await world.ask(BOB, "since when do you know that gruzilkin likes green tea?")).text,
        await world.memory.get_memories(audience(), GRUZILKIN.user_id) or "",
        str(await rows_of(world.database, "user_facts", GUILD)),
        str(await rows_of(world.database, "contexts", GUILD)),
    ]
    return "\n".join(told_of)


async def test_what_is_hidden_is_heard_by_its_subject_alone(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    assert "<@3> likes green tea" in await heard(world)
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    silent = await heard(world)
    assert "likes green tea" not in silent.replace("that gruzilkin likes green tea", "")
    assert await holding.texts(BOB, GRUZILKIN) == []
    [own] = await holding.shown(GRUZILKIN, GRUZILKIN)
    assert (own.fact.text, own.fact.hidden_by, own.is_withheld) == ("<@3> likes green tea", 3, False)
    done(await holding.do(Action.SHOW_AGAIN, GRUZILKIN, fact))
    assert "<@3> likes green tea" in await heard(world)


async def test_a_hidden_name_is_nobodys(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, CALLED))
    assert told(await world.remember(ALICE, "Sergey plays chess")).subject_id == GRUZILKIN.user_id
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    assert told(await world.remember(BOB, "Sergey sings")).subject_id is None


async def test_what_was_hidden_does_not_come_to_light_by_being_told_again(world: World, holding: Holding) -> None:
    """Whoever tells it sees nothing of that; and its subject sees both."""
    fact = told(await world.remember(ALICE, TEA))
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    for teller, channel in ((BOB, CELLAR), (FLORENT, audience().place_id)):
        again = told(await world.remember(teller, TEA, channel))
        assert again.text == fact.text
    assert await holding.texts(BOB, GRUZILKIN, CELLAR) == []
    assert len(await holding.shown(GRUZILKIN, GRUZILKIN, CELLAR)) == 3
    assert "<@3> likes green tea" not in await heard(world)
    done(await holding.do(Action.SHOW_AGAIN, GRUZILKIN, fact))
    assert len(await holding.shown(BOB, GRUZILKIN, CELLAR)) == 3


async def test_who_hid_it_may_tell_it_themselves(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    told(await world.remember(GRUZILKIN, "I like green tea"))
    assert await holding.texts(BOB, GRUZILKIN) == [fact.text]


async def test_hiding_reaches_the_same_words_wherever_they_were_told(world: World, holding: Holding) -> None:
    told(await world.remember(BOB, TEA, CELLAR))
    fact = told(await world.remember(ALICE, TEA))
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    assert await holding.texts(BOB, GRUZILKIN, CELLAR) == []


async def test_what_its_subject_hid_nobody_else_shows_again_or_even_sees(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    for by, rank in ((ALICE, Rank.MEMBER), (BOB, Rank.MODERATOR), (BOB, Rank.OWNER)):
        assert await holding.shown(by, GRUZILKIN, rank=rank) == []
        for action in (Action.SHOW_AGAIN, Action.FORGET, Action.HIDE):
            assert await holding.do(action, by, fact, rank=rank) == NotThere()


async def test_what_a_moderator_hid_is_shown_again_without_its_words_being_seen(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    done(await holding.do(Action.HIDE, BOB, fact, rank=Rank.MODERATOR))
    assert await holding.shown(ALICE, GRUZILKIN) == []
    [withheld] = await holding.shown(FLORENT, GRUZILKIN, rank=Rank.MODERATOR)
    assert (withheld.is_withheld, withheld.fact.text) == (True, "")
    assert withheld.may == (Action.SHOW_AGAIN,)
    [own] = await holding.shown(GRUZILKIN, GRUZILKIN)
    assert own.fact.text == fact.text
    done(await holding.do(Action.SHOW_AGAIN, FLORENT, fact, rank=Rank.MODERATOR))
    assert await holding.texts(ALICE, GRUZILKIN) == [fact.text]


async def test_a_member_hides_nothing_of_others(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    for by in (ALICE, BOB):
        assert isinstance(await holding.do(Action.HIDE, by, fact), MayNot)


async def test_hiding_what_is_said_of_several_leaves_others_their_own_words(world: World, holding: Holding) -> None:
    await world.remember(ALICE, "gruzilkin and Florent are brothers")
    told(await world.remember(FLORENT, "gruzilkin and I are friends"))
    for held in await holding.shown(GRUZILKIN, GRUZILKIN):
        done(await holding.do(Action.HIDE, GRUZILKIN, held.fact))
    assert await holding.texts(BOB, GRUZILKIN) == []
    assert await holding.texts(BOB, FLORENT) == ["<@4> says: “<@3> and I are friends”"]


async def test_what_is_hidden_is_not_found_for_forgetting(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    assert isinstance(await world.forget(ALICE, "that gruzilkin likes green tea"), NothingFound)
    assert len(await rows_of(world.database, "facts", GUILD)) == 1


async def test_corrected_it_stays_hidden(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    done(await holding.correct(GRUZILKIN, fact, "I like black tea"))
    assert await holding.texts(BOB, GRUZILKIN) == []
    assert await holding.texts(GRUZILKIN, GRUZILKIN) == ["<@3> likes black tea", fact.text]
    assert await world.memory.get_memories(audience(), GRUZILKIN.user_id) is None


async def test_undoing_what_was_hidden_shows_nothing_that_its_subject_hid_since(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    hidden = done(await holding.do(Action.HIDE, BOB, fact, rank=Rank.MODERATOR))
    done(await holding.do(Action.SHOW_AGAIN, GRUZILKIN, fact))
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    moderator = Actor(BOB.user_id, Rank.MODERATOR)
    assert hidden.change_id is not None
    outcome = await world.memory.undoing.undo(GUILD, hidden.change_id, moderator, alone(BOB))
    assert outcome == NothingToUndo((Stuck(Obstacle.NEWER),))
    assert await holding.texts(ALICE, GRUZILKIN) == []


async def test_hiding_and_showing_again_are_undone(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    moderator = Actor(BOB.user_id, Rank.MODERATOR)
    hidden = done(await holding.do(Action.HIDE, BOB, fact, rank=Rank.MODERATOR))
    assert hidden.change_id is not None
    assert isinstance(await world.memory.undoing.undo(GUILD, hidden.change_id, moderator, alone(BOB)), Undone)
    assert await holding.texts(ALICE, GRUZILKIN) == [fact.text]
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    shown = done(await holding.do(Action.SHOW_AGAIN, GRUZILKIN, fact))
    assert shown.change_id is not None
    own = Actor(GRUZILKIN.user_id)
    assert isinstance(await world.memory.undoing.undo(GUILD, shown.change_id, own, alone(GRUZILKIN)), Undone)
    assert await holding.texts(ALICE, GRUZILKIN) == []
