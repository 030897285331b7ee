"""What a member sees who speaks to the bot in their own way: it is remembered, forgotten, answered or nodded to."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest
from aiohttp import web

from ai_clients.build import Models
from tests.end_to_end.asking import say_and_hear
from tests.end_to_end.choosing import becomes, texts_of
from tests.end_to_end.house import GENERAL, KITCHEN, Inn, Payload, Person, eventually
from tests.end_to_end.slash import buttons_of, labels_of, press
from tests.end_to_end.test_being_addressed import signed, speak_only_in
from tests.gemini_server import GeminiServer, body, problem, spoken
from tests.routed import ANSWERS, SORTS, models_of, routings, sorting

MIRA = "my sister is called Mira, put that in your book"
PIZZA = "the pizza thing about me isn't true any more, drop it"
BY_MODEL = "So it is, says the model."
AMPLE = 120.0


@pytest.fixture(scope="module")
def models(gemini: GeminiServer) -> Models:
    return models_of(gemini, seconds=AMPLE)


@pytest.fixture
async def inn(inn: Inn, gemini: GeminiServer) -> Inn:
    gemini.faults = {}
    gemini.requests.clear()
    gemini.asked.clear()
    return inn


def doing(wants: str, **small: object) -> Callable[[str], str]:
    """Sorts everything like this; puts down and finds as `small` says; answers whatever is asked."""

    def otherwise(data: str) -> str:
        return json.dumps(small) if "<told-" in data or "<wish-" in data else BY_MODEL

    return sorting(wants, otherwise)


async def intent_of(inn: Inn, message_id: int) -> str | None:
    rows = await inn.house.rows("SELECT intent FROM addressed WHERE message_id = $1", message_id)
    return rows[0]["intent"] if rows else None


async def hear(person: Person, text: str) -> tuple[int, Payload]:
    asked = await person.say(text)
    return asked, await person.hear_reply(asked)


async def test_it_is_remembered(inn: Inn, aylin: Person, gemini: GeminiServer) -> None:
    gemini.says = doing("remember", facts=[{"text": "@P1 has a sister called Mira", "about": [1]}])
    asked, reply = await hear(aylin, f"Bot, {MIRA}")
    assert reply["content"] == f"Got it, I'll remember about Aylin: <@{aylin.user.id}> has a sister called Mira"
    assert labels_of(reply) == ["Undo", "Edit"], "it is no answer"
    assert await texts_of(inn) == [f"<@{aylin.user.id}> has a sister called Mira"]
    await eventually(lambda: intent_of(inn, asked), lambda intent: intent == "remember")
    assert not any(one.startswith(ANSWERS) for one in gemini.asked)


async def test_forgetting_is_asked_about_and_then_done(inn: Inn, gemini: GeminiServer) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    gemini.says = doing("forget", text="", numbers=[1])
    await aylin.ask("Bot remember that I adore pizza")
    reply = await say_and_hear(aylin, f"Bot, {PIZZA}")
    assert reply["content"] == (
        "Should I forget this? Press 1 if so. I haven't forgotten anything yet.\n"
        f"1. “I adore pizza” – <@{aylin.user.id}>"
    )
    assert len(await texts_of(inn)) == 1, "a model alone has nothing forgotten"
    await press(florent, reply)
    assert len(await texts_of(inn)) == 1, "nor has anybody else"
    await press(aylin, reply)
    await eventually(lambda: texts_of(inn), lambda kept: kept == [])
    await becomes(aylin, reply, "Forgotten:")


async def test_whom_it_means_is_asked_as_after_a_verb(inn: Inn, gemini: GeminiServer) -> None:
    """And what was wanted is still known when they have chosen."""
    aylin, gruzilkin = inn.person("aylin"), inn.person("gruzilkin")
    gemini.says = doing("remember", facts=[])
    reply = await say_and_hear(aylin, "Bot, gruzilk grows radishes, just so you know")
    assert "know anyone called “gruzilk”" in reply["content"]
    gemini.says = doing("question")
    await press(aylin, reply, "@gruzilkin")
    await becomes(aylin, reply, "Got it, I'll remember about gruzilkin")
    assert await texts_of(inn) == [f"<@{gruzilkin.user.id}> grows radishes"]


async def test_a_question_is_answered_and_a_kind_word_is_nodded_to(inn: Inn, gemini: GeminiServer) -> None:
    aylin = inn.person("aylin")
    await inn.until_stored(await aylin.say("The pizza of last night was great"))
    gemini.says = doing("question")
    reply = await say_and_hear(aylin, "Bot, the pizza of last night")
    assert reply["content"].startswith(BY_MODEL)
    assert labels_of(reply) == []
    gemini.says = doing("chatter")
    asked, reply = await hear(aylin, "Bot, that pizza of yours was a dream")
    assert reply["content"] == "Anytime. 🙂"
    assert buttons_of(reply) == []
    assert await eventually(lambda: intent_of(inn, asked)) == "question"
    before = len(gemini.requests)
    assert await aylin.ask("Bot, thank you so much!") == "You're welcome!"
    assert await aylin.ask("merci beaucoup", reply_to=int(reply["id"])) == "Avec plaisir !"
    assert len(gemini.requests) == before, "a kind word costs nothing"


async def test_what_could_not_be_sorted_is_answered_and_may_be_remembered_by_a_press(
    inn: Inn, aylin: Person, florent: Person, gemini: GeminiServer
) -> None:
    gemini.says = doing("remember")
    gemini.faults = {SORTS: lambda _: problem(400)}
    reply = await say_and_hear(aylin, f"Bot, {MIRA}")
    assert reply["content"].startswith(BY_MODEL)
    assert reply["content"].endswith("I can't tell whether that's a question or something to remember. Which is it?")
    assert "Remember this" in labels_of(reply)
    await press(florent, reply, "Remember this")
    assert await texts_of(inn) == []
    await press(aylin, reply, "Remember this")
    await becomes(aylin, reply, "Got it, I'll remember about Aylin")
    (fact,) = await texts_of(inn)
    assert "Mira" in fact


async def say_and_change(inn: Inn, gemini: GeminiServer, wants: str, change: Callable[[int], Awaitable[object]]) -> int:
    """What is said is changed while the model has not chosen yet, and all of that is over."""
    aylin = inn.person("aylin")
    said: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def choose(_: web.Request) -> web.StreamResponse:
        gemini.faults = {}
        await change(await said)
        return body(spoken(json.dumps({"wants": wants})))

    gemini.says = doing(wants, text="", numbers=[])
    gemini.faults = {SORTS: choose}
    said.set_result(await aylin.say(f"Bot, {MIRA}"))
    await eventually(lambda: asyncio.sleep(0, routings(gemini)))
    # One thing after the other: when the next is answered, this is over.
    assert "You're welcome!" in await aylin.ask("Bot, thanks!")
    return await said


@pytest.mark.parametrize("wants", ["remember", "forget"])
async def test_deleted_while_the_model_chooses(inn: Inn, gemini: GeminiServer, wants: str) -> None:
    """As with any command whose message is gone: nothing is left of the message itself."""

    async def delete(message_id: int) -> None:
        await inn.until_stored(message_id)
        await inn.person("aylin").call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{message_id}")
        await inn.until_gone(message_id)

    asked = await say_and_change(inn, gemini, wants, delete)
    assert await intent_of(inn, asked) is None
    assert await inn.stored(asked) is None


async def test_where_it_may_not_write_it_does_what_is_wanted_and_leaves_a_sign(inn: Inn, gemini: GeminiServer) -> None:
    aylin = inn.person("aylin")
    await speak_only_in(inn, KITCHEN)
    gemini.says = doing("remember", facts=[])
    assert await signed(aylin, f"Bot, {MIRA}") == ["✅"]
    assert len(await texts_of(inn)) == 1
    gemini.says = doing("forget", text="", numbers=[1])
    assert await signed(aylin, "Bot, drop that sister of mine") == ["❓"]
    assert len(await texts_of(inn)) == 1, "nobody could be asked"
    gemini.says = doing("question")
    assert await signed(aylin, f"Bot, {MIRA}") == ["🤐"]
    assert await signed(aylin, "Bot, thanks!") == ["👋"]
