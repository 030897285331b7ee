"""Promise 2, nothing leaked: whatever is asked, by whom and where, no reply holds what a reader of it could not read.

The seed is printed; LEAK_SEED=… repeats the guilds, the changes and the questions. SOAK=1 asks far more of them,
and draws others each time.
"""

import os
import random
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.gemini import GeminiApi, GeminiModel
from tests.end_to_end.house import eventually, until
from tests.end_to_end.leaks import channels, contexts, days, memories, routing
from tests.end_to_end.leaks.canaries import Canaries, Kind
from tests.end_to_end.leaks.evening import Evening, announce, repeat
from tests.end_to_end.leaks.pages import web_running
from tests.end_to_end.leaks.registry import SURFACES, ReadBy
from tests.end_to_end.leaks.scene import set_scene
from tests.gemini_server import GeminiServer, data_of, gemini_server, rules_of
from tests.models import answering
from tests.replies import reply

MAY_SEARCH = 'into "searches"'
"""Stands in the rules of a prompt whose model may name what it misses."""
SOAK = bool(os.environ.get("SOAK"))
ROUNDS, CASES = (10, 100) if SOAK else (1, 35)
"""Rounds of each of the two halves of an evening, and cases in each."""
QUOTED_CASES = CASES if SOAK else 15
"""Without a model. What a place shows is mostly the same then; what is quoted is asked for by words as often."""
MOST = 20 if SOAK else 8
"""How many canaries are asked for, of each kind that may be told."""
EVENINGS = 6 if SOAK else 1
USUAL = 7
"""The seed of every run that is no soak: what is new there is what was changed, not what was drawn."""
BY_WORDS = [surface for surface in SURFACES.values() if surface.read_by is ReadBy.PLACE]


def seed_of(evening: int) -> int:
    given = os.environ.get("LEAK_SEED", None if SOAK else f"{USUAL}")
    return secrets.randbits(32) if given is None else int(given) + evening


@pytest.mark.parametrize("number", range(EVENINGS))
async def test_nothing_leaks_by_quotation(tmp_path: Path, database_url: str, number: int) -> None:
    seed = seed_of(number)
    announce(f"LEAK_SEED={seed}")
    async with set_scene(tmp_path, database_url, seed) as scene:
        await whole_evening(Evening(scene, random.Random(seed)), seed, QUOTED_CASES)


def repeating(gemini: GeminiServer) -> Models:
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()))
    return answering(model, others={Purpose.SUMMARISE: model, Purpose.SMALL: model})


def careless(data: str) -> str:
    if memories.is_of_memories(data):
        return memories.pointed_at(data)
    if days.is_of_a_day(data):
        return days.repeated(data)
    if channels.is_of_a_channel(data):
        return channels.repeated(data)
    if routing.is_of_a_route(data):
        return routing.chosen(data)
    return contexts.merged(data) if contexts.is_of_a_context(data) else reply("general", repeat(data))


def prying(gemini: GeminiServer, canaries: Canaries, rng: random.Random) -> Callable[[str], str]:
    """Misses everything at first, and has it looked for by what was said anywhere, in other guilds as well."""

    def says(data: str) -> str:
        if MAY_SEARCH not in rules_of(gemini.requests[-1]):
            return careless(data)
        words = rng.sample([canary.words for canary in canaries], k=3)
        return reply("missing", repeat(data), *words)

    return says


@pytest.mark.parametrize("number", range(EVENINGS))
async def test_nothing_leaks_by_a_model_that_repeats_all_it_was_given(
    tmp_path: Path, database_url: str, number: int
) -> None:
    seed = seed_of(number)
    announce(f"LEAK_SEED={seed}, with a model")
    async with gemini_server() as gemini, set_scene(tmp_path, database_url, seed) as scene:
        gemini.says = prying(gemini, scene.canaries, random.Random(seed))
        scene.models = lambda: repeating(gemini)
        evening = Evening(scene, random.Random(seed))
        await gather_in_the_hall(evening, gemini)
        await whole_evening(evening, seed, CASES)
        assert set(evening.driven) == set(SURFACES), "a surface was never driven"
        assert any(days.is_of_a_day(data_of(request)) for request in gemini.requests)
        assert not all(days.is_of_a_day(data_of(request)) for request in gemini.requests)
        assert any(channels.is_of_a_channel(data_of(request)) for request in gemini.requests)
        assert any(routing.is_of_a_route(data_of(request)) for request in gemini.requests)
        looks = [request for request in gemini.requests if "<question-" in data_of(request)]
        assert any(MAY_SEARCH in rules_of(request) for request in looks)
        assert any(MAY_SEARCH not in rules_of(request) for request in looks), "nobody looked twice"


def has_merged(gemini: GeminiServer) -> bool:
    return any(contexts.is_of_a_context(data_of(request)) for request in gemini.requests)


async def gather_in_the_hall(evening: Evening, gemini: GeminiServer) -> None:
    """What is known of somebody is merged only of what was said and told in the hall, and today is told once an hour.

    Behind a gate there is no hall before a manager names its role; and what is asked while today is being told takes
    that away again. So at one of the inns people meet early, in the hall, talk, and ask one after the other until one
    of them is merged. What was said before the bot came may not have been read yet when the first of them asks.
    """
    scene, guild = evening.scene, evening.guilds[0]
    evening.talk()
    async with scene.open_for_business():
        await scene.ready()
        await eventually(scene.memory.people.known_guilds, lambda known: guild.id in known)
        await until(lambda: scene.memory.places.proposed_hall(guild.id).role_id is not None)
        if not scene.memory.places.hall(guild.id):
            role_id = scene.memory.places.proposed_hall(guild.id).role_id
            await scene.memory.privacy.change_settings(
                guild.id, lambda settings: replace(settings, hall_role_id=role_id)
            )
        for place in (place for place in scene.places_of(guild) if place.id in scene.memory.places.hall(guild.id)):
            for user in scene.speakers_in(place):
                if not has_merged(gemini):
                    scene.say(user, place, "The first herons of the year are back")
                    for birds in ("herons", "ducks"):  # more than stands beside a day without a model
                        seen = ", ".join(f"{number} {birds} at mile {number}" for number in range(1, 24))
                        await scene.ask(user, place, f"Bot remember that I counted {user.id % 97} {birds}: {seen}")
                    await scene.ask(user, place, f"<@{scene.bot.id}> how was my day?")
        await until(lambda: has_merged(gemini))


async def whole_evening(evening: Evening, seed: int, cases: int) -> None:
    scene, started = evening.scene, time.monotonic()
    evening.talk()
    async with scene.open_for_business():
        await evening.ask(20, BY_WORDS)  # before it can know who sees what
        await scene.ready()
        evening.talk()
        await evening.tell()
        for _ in range(ROUNDS):
            await evening.change_what_was_told(3)
            await evening.ask(cases)
        await while_out_of_touch(evening, cases)
        await scene.tap.taken_back()
    evening.change(4)
    evening.talk()
    async with scene.open_for_business(), web_running(scene):
        await evening.ask(20, BY_WORDS)
        await scene.ready()
        for _ in range(ROUNDS):
            await evening.change_what_was_told(2)
            await evening.ask(cases)
        evening.talk()
        await evening.tell()
        told = await evening.share_found([Kind.FACT], elsewhere=True, most=MOST)
        said = await evening.share_found([Kind.MESSAGE, Kind.EDITED], elsewhere=False, most=MOST)
        alone = await evening.share_found_privately([Kind.FACT], most=MOST)
        recalled = await evening.share_recalled([Kind.MESSAGE, Kind.EDITED], most=MOST)
        await scene.tap.taken_back()
    announce(f"{scene.cases} cases in {time.monotonic() - started:.0f} s, {len(scene.canaries)} canaries")
    announce(f"facts found elsewhere {told[0]} of {told[1]}, messages found in their place {said[0]} of {said[1]}")
    announce(
        f"facts found by one reader alone {alone[0]} of {alone[1]}; {evening.closed} asked for behind closed doors,"
        f" {evening.exposed} exposed to newcomers"
    )
    assert not scene.tap.leaks, explained(evening, seed)
    announce(f"messages recalled by one reader alone {recalled[0]} of {recalled[1]}")
    assert_it_could_have_failed(evening, told, said, alone)
    assert recalled[1] >= 5, "too few messages could be recalled by one reader alone"
    assert recalled[0] >= recalled[1] * 0.6, f"only {recalled[0]} of {recalled[1]} messages were recalled"


async def while_out_of_touch(evening: Evening, cases: int) -> None:
    """Discord loses the bot's session, and what changes meanwhile is never told."""
    server = evening.scene.server
    await evening.scene.all_said()
    before = [session for session in server.sessions if session.application]
    await server.control.refuse_resumes()
    await server.control.drop_sockets(user_id=evening.scene.bot.id)
    evening.change(4)
    await until(lambda: any(session.application and session not in before for session in server.sessions))
    await evening.ask(cases)


def assert_it_could_have_failed(
    evening: Evening, told: tuple[int, int], said: tuple[int, int], alone: tuple[int, int]
) -> None:
    """A bot that says nothing leaks nothing: what may be told has to be told."""
    assert told[1] >= 5, "too few facts could be heard anywhere but where they were told"
    assert told[0] >= told[1] * 0.6, f"only {told[0]} of {told[1]} facts were told where all may read them"
    assert said[1] >= 5, "too few messages could be heard where they were said"
    assert said[0] >= said[1] * 0.6, f"only {said[0]} of {said[1]} messages were quoted in their own place"
    assert evening.closed, "no secret was asked for that could be heard just before"
    assert evening.exposed, "nobody came who could not read what was told before"
    assert alone[1] >= 5, "too few facts could be heard by one reader alone"
    assert alone[0] >= alone[1] * 0.6, f"only {alone[0]} of {alone[1]} facts were told to one who could read them"


def explained(evening: Evening, seed: int) -> str:
    leaks = evening.scene.tap.leaks
    shown = "\n".join(str(leak) for leak in leaks[:10])
    return f"LEAK_SEED={seed}: {len(leaks)} leaks, after {' '.join(evening.changes)}\n{shown}"
