"""What members do about what is held of them: confirm, correct, deny, forget; and who else may."""

from dataclasses import replace

import pytest

from memory.core.outcomes import NothingFound, NothingToRemember, NotToldOfOthers, Refusal, SubjectOptedOut, TooLong
from memory.core.values import Standing, last_id_of
from memory.facts.values import NotThere, Undone
from memory.policy.authority import Action, FactRules
from tests.memory.facts.held_facts import Holding, done, kept, told, undo
from tests.memory.log.logbook import rows_of
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GRUZILKIN, GUILD, World

TEA = "gruzilkin likes green tea"


@pytest.fixture
def holding(world: World) -> Holding:
    return Holding(world)


async def decide(world: World, rules: FactRules) -> None:
    await world.memory.privacy.change_settings(GUILD, lambda now: replace(now, facts=rules))


async def test_a_fact_that_cannot_be_read_is_left_out_and_said_in_health(world: World, holding: Holding) -> None:
    await world.remember(ALICE, TEA)
    far = told(await world.remember(GRUZILKIN, "I keep bees"))
    await world.execute("UPDATE facts SET expires_at = '10000-01-01' WHERE fact_id = $1", far.fact_id)
    assert await holding.texts(BOB, GRUZILKIN) == ["<@3> likes green tea"]
    await world.memory.purge(world.clock.now())
    issues = [part.guild_issues.get(GUILD, "") for part in world.health.snapshot().parts]
    assert [issue for issue in issues if "cannot be read: 1." in issue]
    await world.memory.privacy.erase_member(GUILD, GRUZILKIN.user_id, last_id_of(world.clock.now()))
    assert not await rows_of(world.database, "facts", GUILD), "what cannot be read can be erased"


async def test_a_correction_takes_the_place_of_what_was_told_and_keeps_its_dates(
    world: World, holding: Holding
) -> None:
    fact = told(await world.remember(ALICE, TEA))
    corrected = done(await holding.correct(GRUZILKIN, fact, "I like black tea"))
    assert corrected.now is not None
    assert (corrected.now.text, corrected.now.standing) == ("“I like black tea” – <@3>", Standing.SELF)
    now, before = await holding.shown(GRUZILKIN, GRUZILKIN)
    assert now.fact.text == "“I like black tea” – <@3>"
    assert (before.fact.valid_from, before.fact.valid_to) == (fact.valid_from, now.fact.valid_from)
    assert await holding.texts(BOB, GRUZILKIN) == ["“I like black tea” – <@3>"]
    assert isinstance(await undo(world, corrected.change_id, GRUZILKIN), Undone)
    assert await holding.texts(BOB, GRUZILKIN) == ["<@3> likes green tea"]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("I like black tea", "“I like black tea” – <@3>"),
        ("gruzilkin likes black tea", "<@3> likes black tea"),
        ("black tea, not green", "“black tea, not green” – <@3>"),
        ("Florent's tea is better", "“<@4>'s tea is better” – <@3>"),
    ],
)
async def test_a_correction_is_about_who_makes_it(world: World, holding: Holding, words: str, kept: str) -> None:
    fact = told(await world.remember(ALICE, TEA))
    assert done(await holding.correct(GRUZILKIN, fact, words)).now == replace(
        (await holding.shown(BOB, GRUZILKIN))[0].fact, text=kept
    )


async def test_a_correction_needs_words_and_not_too_many(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    assert await holding.correct(GRUZILKIN, fact, " ?! ") == NothingToRemember()
    assert isinstance(await holding.correct(GRUZILKIN, fact, "tea " * 2_000), TooLong)
    assert await holding.texts(BOB, GRUZILKIN) == ["<@3> likes green tea"]


async def test_a_correction_names_nobody_who_opted_out(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    await world.memory.privacy.opt_out(GUILD, BOB.user_id)
    for called in ("Bob", f"<@{BOB.user_id}>"):
        refused = await holding.correct(GRUZILKIN, fact, f"I like the tea that {called} makes")
        assert refused == SubjectOptedOut(is_teller=False)
    assert await holding.texts(FLORENT, GRUZILKIN) == ["<@3> likes green tea"]


async def test_whom_it_is_about_takes_a_telling_back_and_it_is_told_nowhere_else(
    world: World, holding: Holding
) -> None:
    """By Undo under the line that says so: that is their no, and no other copy goes on saying it."""
    told(await world.remember(BOB, TEA, CELLAR))
    await undo(world, kept(await world.remember(ALICE, TEA)).change_id, GRUZILKIN)
    assert await holding.texts(BOB, GRUZILKIN, CELLAR) == []
    assert isinstance(await world.remember(FLORENT, TEA), NotToldOfOthers)


async def test_what_one_says_is_not_true_of_several_is_kept_of_none(world: World, holding: Holding) -> None:
    await world.remember(ALICE, "gruzilkin and Florent are brothers")
    [own] = await holding.shown(GRUZILKIN, GRUZILKIN)
    done(await holding.do(Action.VETO, GRUZILKIN, own.fact))
    assert await rows_of(world.database, "facts", GUILD) == []
    again = await world.remember(BOB, "gruzilkin and Florent are brothers")
    assert again == NotToldOfOthers(Refusal.VETO, GRUZILKIN)


async def test_others_own_words_stay_theirs(world: World, holding: Holding) -> None:
    told(await world.remember(FLORENT, "gruzilkin and I are brothers"))
    [own] = await holding.shown(GRUZILKIN, GRUZILKIN)
    done(await holding.do(Action.VETO, GRUZILKIN, own.fact))
    assert await holding.texts(GRUZILKIN, GRUZILKIN) == []
    [theirs] = await holding.shown(FLORENT, FLORENT)
    assert theirs.fact.standing is Standing.SELF


async def test_what_one_cannot_read_is_not_there(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA, CELLAR))
    for action in (Action.CONFIRM, Action.VETO, Action.FORGET):
        assert await holding.do(action, GRUZILKIN, fact) == NotThere()
    assert await holding.texts(GRUZILKIN, GRUZILKIN) == []
    assert await holding.texts(GRUZILKIN, GRUZILKIN, CELLAR) == [fact.text]


async def test_where_nothing_is_told_of_others_the_teller_is_told_who_decided(world: World, holding: Holding) -> None:
    await decide(world, FactRules(about_others=False))
    assert await world.remember(ALICE, TEA) == NotToldOfOthers(Refusal.GUILD, GRUZILKIN)
    told(await world.remember(GRUZILKIN, "I like green tea"))
    told(await world.remember(ALICE, "the inn opens at six"))
    both = kept(await world.remember(ALICE, "Bob and I are friends"))
    assert (both.subject, both.others) == (ALICE, ())


async def test_what_a_rule_withholds_is_heard_on_no_way(world: World, holding: Holding) -> None:
    told(await world.remember(ALICE, TEA))
    told(await world.remember(ALICE, "gruzilkin is Sergey"))
    await decide(world, FactRules(about_others=False))
    heard = [
        (await world.ask_about(BOB, "what do you know about gruzilkin?")).text,
        (await world.ask(BOB, "what does gruzilkin like to drink?")).text,
        (await world.ask(BOB, "what did you know about gruzilkin yesterday?")).text,
        str(await rows_of(world.database, "texts", GUILD)),
    ]
    assert "likes green tea" not in "\n".join(heard)
    assert isinstance(await world.forget(ALICE, "that gruzilkin likes green tea"), NothingFound)
    assert told(await world.remember(BOB, "Sergey sings")).subject_id is None, "a withheld name is nobody's"


async def test_what_is_not_true_is_not_true_in_other_words(world: World, holding: Holding) -> None:
    """Told so before it goes as well, and told so afterwards it is not kept."""
    told(await world.remember(BOB, "gruzilkin owes 50 euro to Alice", CELLAR))
    fact = told(await world.remember(ALICE, "gruzilkin owes me 50 euros"))
    vetoed = done(await holding.do(Action.VETO, GRUZILKIN, fact))
    assert await rows_of(world.database, "facts", GUILD) == []
    for teller, words in ((ALICE, "gruzilkin owes 50 euro to me"), (BOB, "gruzilkin is owing Alice 50 Euros!")):
        assert await world.remember(teller, words) == NotToldOfOthers(Refusal.VETO, GRUZILKIN)
    assert isinstance(await undo(world, vetoed.change_id, GRUZILKIN), Undone)
    assert len(await holding.shown(GRUZILKIN, GRUZILKIN, CELLAR)) == 2
    assert await rows_of(world.database, "vetoes", GUILD) == []
