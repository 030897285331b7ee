"""FEATURES 1.2, 1.3 and 1.6 with a small model, asked through the real SDK: what a member sees of it."""

import json
import re
from collections.abc import Callable

import pytest

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.chain import Chain, Link
from ai_clients.embedding import StaticVectors
from ai_clients.gemini import GeminiApi, GeminiModel
from ai_clients.guard import Guard
from tests.end_to_end.house import Inn, Person
from tests.end_to_end.screen import memory_of
from tests.gemini_server import GeminiServer, data_of, problem

SECONDS = 20.0


@pytest.fixture(scope="module")
def models(gemini: GeminiServer) -> Models:
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=SECONDS)
    guard = Guard(model.name)
    chain = Chain(Purpose.SMALL, [Link(model, guard)], SECONDS)
    return Models({Purpose.SMALL: chain}, StaticVectors(), {model.name: guard}, (model,))


def numbered(data: str, words: str) -> int:
    found = re.search(rf'<fact n="(\d+)"[^>]*>[^<]*{words}', data)
    assert found is not None, data
    return int(found[1])


def put_down(statement: str, over: str | None = None) -> Callable[[str], str]:
    """Names people by the numbers that the prompt gives them: `{gruzilkin}`; and what is over by the words it has."""

    def reply(data: str) -> str:
        numbers = {name: f"@P{number}" for number, name in re.findall(r'n="@P(\d+)" name="(\w+)"', data)}
        text = statement.format(**numbers)
        about = [int(number) for number in dict.fromkeys(re.findall(r"@P(\d+)", text))]
        replaces = [] if over is None else [numbered(data, over)]
        return json.dumps({"facts": [{"text": text, "about": about, "replaces": replaces}]})

    return reply


async def test_told_replaced_refused_and_forgotten(inn: Inn, gemini: GeminiServer) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    gemini.says = put_down("{Aylin} is married to {gruzilkin}")
    said = await aylin.ask("Bot remember that I'm married to gruzilkin, by the way!")
    assert f"<@{aylin.user.id}> is married to <@{inn.person('gruzilkin').user.id}>" in said
    assert "married" in await florent.ask("Bot what do you know about gruzilkin?")

    gemini.says = put_down("{Aylin} drives a red Volvo")
    await aylin.ask("Bot remember that I drive a red Volvo")
    gemini.says = put_down("{Aylin} sold the Volvo", over="red Volvo")
    said = await aylin.ask("Bot remember that I sold the Volvo")
    assert "This replaces" in said
    assert "red Volvo" in said
    known = await florent.ask(f"Bot what do you know about {aylin.mention}?")
    assert "sold the Volvo" in known
    assert "red" not in known

    gemini.says = put_down("{Aylin} drives the Volvo", over="sold the Volvo")
    said = await florent.ask("Bot remember that Aylin drives the Volvo")
    assert "Only Aylin can change it" in said

    gemini.says = lambda data: json.dumps({"numbers": [numbered(data, "sold the Volvo")]})
    said = await aylin.ask("Bot forget my old automobile")
    assert "sold the Volvo" in said
    rows = await inn.house.rows("SELECT text FROM facts WHERE guild_id = $1", inn.guild.id)
    assert {"married" in row["text"] for row in rows} == {True}


async def test_a_plan_that_is_called_off_holds_no_longer(aylin: Person, florent: Person, gemini: GeminiServer) -> None:
    for person, name in ((aylin, "Aylin"), (florent, "Florent")):
        gemini.says = put_down(f"{{{name}}} moves to Graz in May")
        await person.ask("Bot remember that I move to Graz in May")
    assert "moves to Graz" in (await memory_of(aylin)).words
    gemini.says = put_down("The move to Graz is off", over="@P1 moves to Graz")
    said = await aylin.ask("Bot remember that the move to Graz is off")
    assert "This replaces" in said
    prompt = data_of(gemini.requests[-1])
    assert re.search(r'<fact n="\d" told="\w+day [\d-]+ [\d:]+">@P1 moves to Graz in May</fact>', prompt)
    shown = (await memory_of(aylin)).words
    assert re.search(r"The move to Graz is off\n-# you said so · since <t:\d+:D> · <#", shown)
    assert re.search(r"moves to Graz in May\n-# you said so · since <t:\d+:D> · until <t:\d+:D>", shown)
    known = await florent.ask("Bot what do you know about Aylin?")
    assert "move to Graz is off" in known
    assert "moves to Graz" not in known
    assert "moves to Graz" in (await memory_of(florent)).words, "his own plan stands"


async def test_nobody_is_given_what_a_private_room_knows(florent: Person, gemini: GeminiServer) -> None:
    gemini.says = put_down("{Florent} hides the truffles")
    await florent.ask("Bot remember that I hide the truffles", "back-room")
    gemini.says = put_down("{Florent} likes tea")
    await florent.ask("Bot remember that I like tea")
    assert "truffles" not in data_of(gemini.requests[-1])


async def test_while_it_is_away_the_rules_serve(aylin: Person, gemini: GeminiServer) -> None:
    gemini.fault = lambda _: problem(503)  # the last test: it is left alone for a while
    assert f"“I play the cello” – <@{aylin.user.id}>" in await aylin.ask("Bot remember that I play the cello")
    assert "cello" in await aylin.ask("Bot forget that I play the cello")
