"""Pictures and voice messages, through the front door, with models that see and hear over Gemini's wire format."""

import json
from collections.abc import Iterator

import pytest
from aiohttp import web

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.gemini import GeminiApi, GeminiModel
from bot import shared_files
from tests.end_to_end.asking import recall
from tests.end_to_end.files import files_of as stored_files
from tests.end_to_end.files import until_read
from tests.end_to_end.house import NOON, Inn, Person, eventually
from tests.end_to_end.slash import use, words_of
from tests.gemini_server import GeminiServer, data_of, files_of, problem
from tests.models import answering
from tests.sample_files import VOICE, png_of

AT = NOON
CATS = png_of("CATS")
SEEN = {"description": "A cat sleeps on a red sofa.", "words": "CATS"}


def speaking(data: str) -> str:
    if "<posted-" in data:
        return json.dumps(SEEN)
    if data == "The voice message.":
        return json.dumps({"words": "The spare key hangs behind the clock."})
    if "<question-" in data and "<typed-" not in data:
        return json.dumps({"kind": "memory", "answer": "It shows a cat on a sofa. [1]"})
    return json.dumps({"intent": "question"})


@pytest.fixture(scope="module", autouse=True)
def _read_soon() -> Iterator[None]:
    """What was posted before a manager switched it on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_files, "REST_SECONDS", 0.2)
        yield


@pytest.fixture(scope="module")
def models(gemini: GeminiServer) -> Models:
    gemini.says = speaking
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=20)
    return answering(model, others={Purpose.SEE: model, Purpose.HEAR: model})


@pytest.fixture
async def inn(inn: Inn, gemini: GeminiServer) -> Inn:
    gemini.requests.clear()
    return inn


def shown(gemini: GeminiServer) -> list[tuple[str, bytes]]:
    return [file for body in gemini.requests for file in files_of(body)]


async def test_a_picture_is_described_once_and_found_by_what_it_shows(inn: Inn, gemini: GeminiServer) -> None:
    maren, florent, aylin = inn.person("maren"), inn.person("florent"), inn.person("aylin")
    early, _ = await florent.share({"IMG_1.png": CATS}, description="my cat")
    await inn.until_stored(early)
    assert "my cat" in words_of(await recall(aylin, "cat"))
    assert shown(gemini) == []
    assert "Pictures: on" in words_of(await use(maren, "settings", "files", pictures=True))
    await until_read(inn, early)
    assert shown(gemini) == [("image/png", CATS)]
    words = words_of(await recall(aylin, "Who posted the cat on the sofa?"))
    assert '🖼 IMG_1.png: A cat sleeps on a red sofa. "CATS"' in words
    assert florent.mention in words
    place = inn.channel("general").id
    await florent.call("PATCH", f"/channels/{place}/messages/{early}", {"content": "look"})
    await inn.until_stored(early, text="look")
    assert (await stored_files(inn, early))[0]["read"]["words"].startswith("A cat sleeps")
    assert len(shown(gemini)) == 1


async def test_a_question_about_a_picture_is_shown_it_and_the_answer_goes_with_it(
    inn: Inn, maren: Person, florent: Person, aylin: Person, gemini: GeminiServer
) -> None:
    said, _ = await florent.share({"IMG_2.png": CATS})
    await inn.until_stored(said)
    await aylin.ask("Bot, what is on this?", reply_to=said)
    assert shown(gemini) == [], "nobody has switched it on"
    await use(maren, "settings", "files", pictures=True)
    await until_read(inn, said)
    gemini.requests.clear()
    asked = await aylin.say("Bot, what is on this picture?", reply_to=said)
    reply = await aylin.hear_reply(asked)
    assert "a cat on a sofa" in str(reply["content"])
    [body] = [body for body in gemini.requests if "<question-" in data_of(body) and files_of(body)]
    assert files_of(body) == [("image/png", CATS)]
    own, _ = await aylin.share({"IMG_3.png": CATS}, "Bot, and what is on mine?")
    assert "a cat on a sofa" in str((await aylin.hear_reply(own))["content"])
    await until_read(inn, own)
    place = inn.channel("general").id
    await florent.call("DELETE", f"/channels/{place}/messages/{said}")
    await eventually(
        lambda: aylin.replies_to(asked), lambda replies: all("cat on a sofa" not in str(one) for one in replies)
    )


async def test_a_voice_message_is_written_down_and_marked(inn: Inn, gemini: GeminiServer) -> None:
    florent, aylin = inn.person("florent"), inn.person("aylin")
    said, message = await florent.share({"voice-message.ogg": VOICE}, duration_secs=4.2, waveform="AAAA")
    assert message["attachments"][0]["duration_secs"] == 4.2
    await inn.until_stored(said)
    await use(inn.person("maren"), "settings", "files", **{"voice-messages": True})
    await until_read(inn, said)
    assert shown(gemini) == [("audio/ogg", VOICE)]
    words = words_of(await recall(aylin, "where is the spare key?"))
    assert "🎙 voice-message.ogg: The spare key hangs behind the clock." in words


async def test_the_day_has_a_limit_and_a_model_that_fails_is_left_alone(inn: Inn, gemini: GeminiServer) -> None:
    florent = inn.person("florent")
    await use(inn.person("maren"), "settings", "files", pictures=True, daily=2)
    wrong, _ = await florent.share({"fake.png": b"<svg/>"})
    await until_read(inn, wrong)
    said = [(await florent.share({f"IMG_{number}.png": CATS}))[0] for number in range(4)]
    await eventually(lambda: _described(inn, said), lambda count: count == 2)
    last, _ = await florent.share({"notes.txt": b"The kettle is blue."})
    await until_read(inn, last)
    assert len(shown(gemini)) == 2
    assert await _described(inn, said) == 2


async def _described(inn: Inn, said: list[int]) -> int:
    return sum(["read" in (await stored_files(inn, one))[0] for one in said])


async def test_a_model_that_does_not_see_answers_without_the_picture(inn: Inn, gemini: GeminiServer) -> None:
    await use(inn.person("maren"), "settings", "files", pictures=True)
    said, _ = await inn.person("florent").share({"IMG_2.png": CATS}, "Look at this")
    await until_read(inn, said)

    async def blind(request: web.Request) -> web.StreamResponse | None:
        return problem(400) if files_of(await request.json()) else None

    gemini.fault = blind  # type: ignore[assignment] # None: nothing is wrong with the request
    asked = await inn.person("aylin").ask("Bot, what is on this picture?", reply_to=said)
    assert "a cat on a sofa" in asked
    assert files_of(gemini.requests[-2])
    assert not files_of(gemini.requests[-1])
    assert "A cat sleeps on a red sofa" in data_of(gemini.requests[-1])
