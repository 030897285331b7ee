"""What is told to somebody who asks what was talked about here, and what a model is given of it for other questions."""

import json
import re
from collections.abc import AsyncIterator

import pytest

from ai_clients.base import Purpose
from ai_clients.gemini import GeminiApi, GeminiModel
from memory.answers.about_here import asked_by_phrase
from memory.core.values import Intent
from memory.db.database import Database
from memory.log.reading import MessageStore
from tests.gemini_server import GeminiServer, data_of
from tests.memory.answers.test_exchanges import Hosts, part
from tests.memory.channels.test_service import minutes
from tests.memory.world import ALICE, BOB, HALL, audience
from tests.models import BY, answering

ASKED = """
where were we?
So, where were we
what have we talked about here?
What have you all been discussing?
what is this channel about?
tl;dr
TL;DR please
can you give me a quick summary of this thread?
summarise this conversation
sum it up
recap so far
worüber haben wir hier geredet?
Wo waren wir stehen geblieben?
Zusammenfassung bitte
fass das mal zusammen
worum geht es hier
de quoi avons-nous parlé ici ?
on en était où ?
un résumé de la conversation
¿de qué hemos hablado aquí?
¿en qué nos quedamos?
resumen por favor
о чём мы тут говорили?
на чём мы остановились?
краткое содержание
перескажи разговор
"""

NOT_ASKED = """
what have we talked about boats?
where were we on Saturday when the boat sank?
who summarised the meeting?
what did Bob say here?
wo waren wir im Urlaub?
de quoi Alice a parlé hier
summary of the budget figures for May
where is the summary?
where were you?
о чём говорил Боб?
"""


def test_who_asks_what_was_talked_about_and_who_asks_for_something_more_particular() -> None:
    asked = {line: asked_by_phrase(line) for line in ASKED.strip().splitlines()}
    assert [line for line, taken in asked.items() if taken is None or taken[0] is not Intent.CHANNEL] == []
    assert [line for line in NOT_ASKED.strip().splitlines() if asked_by_phrase(line) is not None] == []


def answer_or_minutes(data: str) -> str:
    """Summaries as they are wanted; to any other question, what the minutes say, cited."""
    if "<question-" not in data:
        return minutes(data)
    found = re.search(r"<minutes-\w+>\n.*?\[(\d+)\]", data, re.DOTALL)
    number = "" if found is None else f" [{found[1]}]"
    return json.dumps({"kind": "memory", "answer": f"You take the boat on Friday{number}.", "searches": []})


@pytest.fixture
def gemini(gemini: GeminiServer) -> GeminiServer:
    gemini.says = answer_or_minutes
    return gemini


@pytest.fixture
async def hosts(database: Database, gemini: GeminiServer) -> AsyncIterator[Hosts]:
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=60)
    models = answering(model, seconds=120, others={Purpose.SUMMARISE: model})
    await models.embedder.embed(["ready"])
    world = Hosts(database, models, member_cooldown_seconds=0)
    await world.settle()
    yield world
    await world.memory.channels.stop()
    await world.memory.log.settled()
    await model.close()


@pytest.fixture
async def quoting(database: Database) -> AsyncIterator[Hosts]:
    world = Hosts(database)
    await world.settle()
    yield world
    await world.memory.channels.stop()


async def talk(hosts: Hosts, count: int = 40, channel: int = HALL) -> list[int]:
    said = [
        await hosts.say((ALICE, BOB)[number % 2], f"we take the boat number {number} on Friday", channel)
        for number in range(count)
    ]
    return [message.message_id for message in said]


async def test_where_were_we_is_told_from_the_summary_with_links(hosts: Hosts) -> None:
    ids = await talk(hosts)
    answer = await hosts.exchange(ALICE, "where were we?")
    assert "What was talked about here:" in answer.text
    assert f"• <@{BOB.user_id}> said that we take the boat number 29 on Friday." in answer.text
    assert "And since then:" in answer.text
    assert ids[29] in [source.message_id for source in answer.sources]
    assert set(ids[30:]) & {source.message_id for source in answer.sources}
    assert answer.evidence.quoted.summaries


async def test_without_a_model_it_is_quoted_and_says_so(quoting: Hosts) -> None:
    await talk(quoting)
    answer = await quoting.exchange(ALICE, "tl;dr")
    assert answer.text.startswith("From what was said here:")
    assert answer.sources
    assert (await quoting.exchange(ALICE, "tl;dr")).text


async def test_where_nobody_spoke_there_is_nothing_to_tell(quoting: Hosts) -> None:
    answer = await quoting.exchange(ALICE, "what have we talked about here?")
    assert answer.text == "Nothing has been said here yet that I could sum up."


async def test_a_model_is_given_the_summary_and_what_it_does_not_cover(hosts: Hosts, gemini: GeminiServer) -> None:
    ids = await talk(hosts)
    await hosts.memory.channels.now(audience(), BY)
    answer = await hosts.exchange(BOB, "when do we go?")
    assert "boat number 39" in part(gemini, "minutes")
    conversation = part(gemini, "conversation")
    assert "number 30 " in conversation
    assert "number 28 " not in conversation
    assert [source.message_id for source in answer.sources] == [ids[39]]
    assert answer.evidence.quoted.summaries


async def test_what_an_answer_took_from_a_summary_is_taken_back_with_it(hosts: Hosts) -> None:
    ids = await talk(hosts)
    await hosts.memory.channels.now(audience(), BY)
    answer = await hosts.exchange(BOB, "when do we go?")
    messages = MessageStore(hosts.database)
    assert (await messages.recent(audience(), 1))[0].text == answer.text
    await hosts.delete(ids[3])
    assert await hosts.memory.channels.for_answer(audience()) == ()
    assert answer.text not in [one.text for one in await messages.recent(audience(), 5)]


async def test_what_was_covered_is_brought_back_when_the_summary_goes(hosts: Hosts, gemini: GeminiServer) -> None:
    ids = await talk(hosts)
    await hosts.memory.channels.now(audience(), BY)
    await hosts.delete(ids[3])
    await hosts.exchange(BOB, "when do we go?")
    assert part(gemini, "minutes") == ""
    assert "number 28 " in part(gemini, "conversation")
    assert "number 3 " not in data_of(gemini.requests[-1])
