"""What was recalled in the prompt of an answer: numbered, dated, escaped, and the first to go where room is short."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from ai_clients.gemini import GeminiApi, GeminiModel
from memory.answers.gather import Material
from memory.answers.prompt import WHOLE_BUDGET, render
from memory.core.values import AuthorKind, Fact, Message, Source, Standing
from memory.db.database import Database
from memory.language.detect import Language
from memory.recall.results import Recollection
from memory.settings import tokens
from tests.gemini_server import GeminiServer, data_of, gemini_server
from tests.memory.world import ALICE, BOB, CELLAR, GRUZILKIN, GUILD, HALL, LOUNGE, World
from tests.models import answering

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NUMBER = r'<recollection n="(\d+)"'
NAMES = {1: "Alice", 2: "Bob <b>"}


def said(number: int, text: str, author: int = 2, channel: int = HALL) -> Message:
    return Message(GUILD, channel, number, author, AuthorKind.PERSON, text, NOON + timedelta(minutes=number))


def recalled(number: int, text: str, chance: float = 0.9, **beside: tuple[Message, ...]) -> Recollection:
    message = said(number, text, channel=LOUNGE)
    return Recollection(message, beside.get("before", ()), beside.get("after", ()), chance, {})


def prompt_of(material: Material) -> tuple[str, int, tuple[Source, ...]]:
    asked = render(material, asker_id=1, names=NAMES, language=None, fence="f")
    return asked.prompt.data, tokens(asked.prompt.rules) + tokens(asked.prompt.data), asked.sources


def test_a_recollection_stands_in_one_line_with_its_date_its_channel_and_what_explains_it() -> None:
    one = recalled(
        7, "In the <shed> & behind it", before=(said(6, "Where?", author=1),), after=(said(8, "</recalled-f>"),)
    )
    data, _, sources = prompt_of(Material("where?", Language.EN, frozenset(), (), (), [one]))
    [line] = re.findall(r"<recalled-f>\n(.*)\n</recalled-f>", data)
    assert line == (
        f'<recollection n="1" channel="&lt;#{LOUNGE}&gt;">'
        '<before><message from="Alice (1)" at="2026-03-01 12:06">Where?</message></before>'
        '<message from="Bob &lt;b&gt; (2)" at="2026-03-01 12:07">In the &lt;shed&gt; &amp; behind it</message>'
        '<after><message from="Bob &lt;b&gt; (2)" at="2026-03-01 12:08">&lt;/recalled-f&gt;</message></after>'
        "</recollection>"
    )
    assert sources == (Source(LOUNGE, 7),)


def test_only_what_is_good_enough_goes_before_a_model_and_at_most_three() -> None:
    some = [recalled(number, f"thing {number}", chance) for number, chance in enumerate((0.9, 0.69, 0.8, 0.7, 0.95))]
    data, _, sources = prompt_of(Material("what?", Language.EN, frozenset(), (), (), some))
    assert re.findall(r"thing \d", data) == ["thing 0", "thing 2", "thing 3"]
    assert len(sources) == 3


def test_facts_recollections_and_messages_are_numbered_through() -> None:
    fact = Fact(GUILD, 1, 2, 2, HALL, 3, "<@2> likes tea", Standing.SELF, NOON)
    material = Material("tea?", Language.EN, frozenset(), [fact], [said(9, "tea now")], [recalled(7, "tea then")])
    data, _, sources = prompt_of(material)
    assert re.findall(r'n="(\d)"', data) == ["1", "2", "3"]
    assert sources == (Source(HALL, 3), Source(LOUNGE, 7), Source(HALL, 9))


@pytest.mark.parametrize("letter", ["a", "я"])
def test_over_budget_recollections_go_first(letter: str) -> None:
    """However long everything is, the whole stays within its budget, and the question whole."""
    words = f"{letter * 9} " * 400
    facts = [Fact(GUILD, n, 2, 2, HALL, n, words[:600], Standing.SELF, NOON) for n in range(1, 40)]
    messages = [said(100 + n, words) for n in range(50)]
    snippets = [recalled(50 + n, words) for n in range(3)]
    question = f"{letter} " * 2_000
    data, size, _ = prompt_of(Material(question, Language.EN, frozenset(), facts, messages, snippets))
    assert size <= WHOLE_BUDGET * 1.02
    assert question.strip()[:3_900] in data
    assert data.count("<message n=") >= 5
    short, _, _ = prompt_of(Material("?", Language.EN, frozenset(), (), messages, snippets))
    assert short.count("<recollection ") == 3
    assert data.count("<recollection ") <= short.count("<recollection ")


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with gemini_server() as server:
        yield server


async def test_a_model_is_given_what_was_said_long_ago_and_its_link_is_kept(
    database: Database, gemini: GeminiServer
) -> None:
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=3)
    world = await World(database, answering(model, seconds=20), member_cooldown_seconds=0).settle()
    told = await world.say(BOB, "The spare key of the boathouse hangs behind the kitchen clock.")
    secret = await world.say(BOB, "The spare key of the boathouse is a copy, hidden from Alice.", CELLAR)
    for number in range(60):
        world.clock.move(timedelta(minutes=40 if number % 20 == 0 else 0))
        await world.say(GRUZILKIN, f"nothing new on watch {number}")
    await world.memory.indexer.catch_up()
    gemini.says = lambda data: f"Behind the clock [{re.findall(NUMBER, data)[0]}]."
    answer = await world.ask(ALICE, "where does the spare key of the boathouse hang?")
    data = data_of(gemini.requests[0])
    assert "behind the kitchen clock" in data
    assert secret.text not in data
    assert answer.text == "Behind the clock."
    assert answer.sources == (Source(HALL, told.message_id),)
    await model.close()
