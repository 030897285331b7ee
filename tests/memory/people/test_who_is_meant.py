"""Whom a question means: never guessed between two, asked about where a part was typed, and told apart in answers."""

from dataclasses import replace

from memory.core.outcomes import Answer, Forgotten, NothingFound, UnclearWho
from memory.core.values import Choice, Guild, Member, Question, RememberRequest, fingerprint
from memory.people.names import name_key
from tests.memory.facts.held_facts import kept, told
from tests.memory.world import ALICE, BOB, CELLAR, EVERYONE, FLORENCE, FLORENT, GUILD, HALL, World, audience

TWIN = Member(GUILD, 7, "florent2", nickname="Florent")


async def asked(world: World, text: str, *chosen: tuple[str, int], channel: int = HALL, known: bool = True) -> Answer:
    said = await world.say(ALICE, f"Bot {text}", channel)
    choices = tuple(Choice(fingerprint(name_key(name)), user_id) for name, user_id in chosen)
    question = Question(GUILD, channel, said.message_id, ALICE.user_id, text, said.sent_at, choices=choices)
    ask = world.memory.answers.what_is_known if known else world.memory.answers.answer
    return await ask(question, audience(channel))


async def test_names_that_cannot_be_stored_are_repaired(world: World) -> None:
    await world.memory.people.meet_member(Member(GUILD, 60, "x\x00y", global_name="\ud800", nickname="Zo\u0000e"))
    assert await world.memory.people.called(GUILD, [60]) == {60: "Zo\ufffde"}


async def test_whether_anything_is_known_makes_no_difference(world: World) -> None:
    """Who is offered goes by names that everybody sees; facts of a back room neither add nor take anybody."""
    before = await asked(world, "Floren")
    await world.remember(BOB, "<@4> plays the cello", CELLAR)
    await world.remember(BOB, "<@5> plays the drums")
    assert await asked(world, "Floren") == before
    assert before.unclear is not None


async def test_the_beginning_of_a_name_means_its_one_bearer_and_of_two_is_asked_about(world: World) -> None:
    brown, cole = Member(GUILD, 11, "ab", nickname="Alex B."), Member(GUILD, 12, "ac", nickname="Alex Cole")
    await world.settle((*EVERYONE, brown))
    assert kept(await world.remember(BOB, "alex keeps bees")).subject == brown
    assert "bees" in (await asked(world, "Alex")).text
    assert "bees" in (await asked(world, "what does alex keep?", known=False)).text
    await world.settle((*EVERYONE, brown, cole))
    answer = await asked(world, "Alex")
    assert answer.unclear == UnclearWho("Alex", (brown, cole))
    assert "bees" not in answer.text
    assert isinstance(await world.remember(BOB, "Alex likes tea"), UnclearWho)
    await world.memory.privacy.opt_out(GUILD, brown.user_id)
    assert (await asked(world, "Alex")).unclear is None


async def test_a_name_from_a_back_room_is_not_offered_elsewhere(world: World) -> None:
    await world.remember(BOB, "gruzilkin is Sergey", CELLAR)
    for typed in ("Sergey", "Serge"):
        elsewhere = await asked(world, typed)
        assert elsewhere.unclear is None
        assert "know anyone here called" in elsewhere.text
    assert "Sergey" in (await asked(world, "Sergey", channel=CELLAR)).text
    assert (await asked(world, "Serge", channel=CELLAR)).unclear is not None


async def test_what_was_said_of_something_is_told_before_a_name_like_it_is_offered(world: World) -> None:
    await world.settle((*EVERYONE, Member(GUILD, 8, "barbecues")))
    await world.say(ALICE, "the barbecue was fun")
    answer = await asked(world, "barbecue")
    assert "the barbecue was fun" in answer.text
    assert answer.text.endswith("-# Or do you mean <@8> (barbecues)?")


async def test_of_too_many_nobody_is_looked_up(world: World) -> None:
    crowd = [Member(GUILD, 20 + number, f"alex{number}", nickname="Alex") for number in range(20)]
    await world.settle((*EVERYONE, *crowd[:3]))
    await world.remember(BOB, "<@22> keeps bees")
    assert "keeps bees" in (await asked(world, "tell me of Alex", known=False)).text
    await world.settle((*EVERYONE, *crowd))
    answer = await asked(world, "tell me of Alex", known=False)
    assert "keeps bees" not in answer.text
    assert "…. Mention" in answer.text
    known = await asked(world, "Alex")
    assert known.unclear is not None
    assert len(known.unclear.candidates) == 20


async def test_whoever_was_chosen_is_told_of_under_another_name_and_after_they_left(world: World) -> None:
    await world.settle((*EVERYONE, TWIN))
    await world.remember(BOB, "<@7> plays the drums")
    await world.settle((*EVERYONE, replace(TWIN, nickname="Captain")))
    assert "<@7> plays the drums" in (await asked(world, "Florent", ("Florent", 7))).text
    await world.memory.people.part_from_member(GUILD, 7)
    assert "drums" in (await asked(world, "Florent", ("Florent", 7))).text
    assert (await asked(world, "Florent")).unclear is None, "there is one left"


async def test_names_of_another_guild_mean_nobody_here(world: World) -> None:
    await world.memory.people.meet_guild(Guild(200, "Elsewhere"), [Member(200, 7, "florent2", nickname="Florent")])
    assert (await asked(world, "Florent")).unclear is None
    assert "<@4>" in (await asked(world, "Florent")).text


async def test_two_unclear_names_are_chosen_one_after_the_other(world: World) -> None:
    other = Member(GUILD, 8, "florence2", nickname="Florence")
    await world.settle((*EVERYONE, TWIN, other))
    body = "Florent and Florence are married"
    said = await world.say(BOB, f"Bot remember {body}")
    telling = RememberRequest(GUILD, HALL, said.message_id, BOB.user_id, body, said.sent_at)
    first = await world.memory.remember(telling, audience())
    assert first == UnclearWho("Florent", (FLORENT, TWIN))
    one = Choice(fingerprint("florent"), TWIN.user_id)
    second = await world.memory.remember(replace(telling, choices=(one,)), audience())
    assert second == UnclearWho("Florence", (FLORENCE, other))
    both = (one, Choice(fingerprint("florence"), other.user_id))
    outcome = await world.memory.remember(replace(telling, choices=both), audience())
    assert told(outcome).text == "<@7> and <@8> are married"


async def test_what_is_pointed_at_behind_a_door_is_not_found(world: World) -> None:
    source = told(await world.remember(ALICE, "I keep bees", CELLAR)).message_id
    pressed = RememberRequest(
        GUILD, HALL, 99_999, ALICE.user_id, "", world.clock.now(), source_id=source, by_command=True
    )
    assert await world.memory.forget(pressed, audience()) == NothingFound("")
    assert isinstance(await world.memory.forget(replace(pressed, channel_id=CELLAR), audience(CELLAR)), Forgotten)
