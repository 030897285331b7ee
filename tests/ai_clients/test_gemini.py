"""A model asked through the real SDK, and every way in which it can fail to answer."""

import asyncio
import math
import socket
from collections.abc import AsyncIterator, Awaitable
from dataclasses import replace

import pytest
from pydantic import BaseModel

from ai_clients.base import Prompt
from ai_clients.errors import ModelError, RateLimited, TimedOut, Unavailable
from ai_clients.gemini import GeminiApi, GeminiEmbedder, GeminiModel
from tests.gemini_faults import TROUBLES
from tests.gemini_server import GeminiServer, data_of, rules_of

PROMPT = Prompt("Be brief.", "What is <tea> made of?")
STEADY = Prompt("Be brief.", "What is <tea>?", is_steady=True)


class Tea(BaseModel):
    leaves: list[str]
    minutes: int


GREEN = '{"leaves": ["green"], "minutes": 2}'


@pytest.fixture
async def api(gemini: GeminiServer) -> AsyncIterator[GeminiApi]:
    opened = GeminiApi(gemini.options())
    yield opened
    await opened.close()


@pytest.fixture
def model(api: GeminiApi) -> GeminiModel:
    return GeminiModel("gemini-good", api)


@pytest.fixture
def gemma(api: GeminiApi) -> GeminiModel:
    return GeminiModel("gemma-4-31b-it", api)


async def test_rules_and_data_go_apart_and_the_reply_comes_with_its_cost(
    gemini: GeminiServer, model: GeminiModel
) -> None:
    gemini.says = lambda _: GREEN
    reply = await model.generate_as(PROMPT, Tea)
    assert (rules_of(gemini.requests[0]), data_of(gemini.requests[0])) == (PROMPT.rules, PROMPT.data)
    assert (reply.value, reply.model) == (Tea(leaves=["green"], minutes=2), "gemini-good")
    assert (reply.usage.tokens_in, reply.usage.tokens_out, reply.usage.is_estimated) == (11, 7, False)


@pytest.mark.parametrize(
    ("name", "temperature"),
    [("gemma-4-31b-it", 0.0), ("gemini-2.5-flash", 0.0), ("gemini-3.8-flash", None), ("gemini-4-pro", None)],
)
async def test_a_steady_reply_is_asked_for_where_a_model_takes_a_temperature(
    gemini: GeminiServer, api: GeminiApi, name: str, temperature: float | None
) -> None:
    gemini.says = lambda _: GREEN
    for prompt in (STEADY, PROMPT):
        await GeminiModel(name, api).generate_as(prompt, Tea)
    asked = [request.get("generationConfig", {}).get("temperature") for request in gemini.requests]
    assert asked == [temperature, None]


async def test_gemini_is_given_the_schema_and_gemma_is_told_of_it(
    gemini: GeminiServer, model: GeminiModel, gemma: GeminiModel
) -> None:
    gemini.says = lambda _: '{"leaves": ["assam"], "minutes": 4}'
    for asked in (model, gemma):
        shaped = await asked.generate_as(replace(PROMPT, most_tokens=77), Tea)
        assert shaped.value == Tea(leaves=["assam"], minutes=4)
        assert (shaped.usage.tokens_in, shaped.model) == (11, asked.name)
    by_schema, in_words = gemini.requests
    assert [body["generationConfig"]["maxOutputTokens"] for body in gemini.requests] == [77] * 2
    assert by_schema["generationConfig"]["responseJsonSchema"] == Tea.model_json_schema()
    assert by_schema["generationConfig"]["responseMimeType"] == "application/json"
    assert (
        not {"responseMimeType", "responseJsonSchema", "responseSchema"} & in_words.get("generationConfig", {}).keys()
    )
    assert '"minutes"' in data_of(in_words)
    assert data_of(in_words).startswith(PROMPT.rules)
    assert data_of(in_words).endswith(PROMPT.data)


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_whatever_goes_wrong_is_a_model_error_in_time(gemini: GeminiServer, api: GeminiApi, trouble: str) -> None:
    """However it is asked. Only what never ends gets little time: a slow machine must not look like a slow model."""
    known = TROUBLES[trouble]
    gemini.fault = known.fault
    seconds = 0.3 if known.error is TimedOut else 30
    model = GeminiModel("gemini-good", api, seconds=seconds)
    embedder = GeminiEmbedder("gemini-embedding-2", api, seconds=seconds)
    ways: dict[str, Awaitable[object]] = {
        "shaped": model.generate_as(PROMPT, Tea),
        "vectors": embedder.embed(["tea", "milk"]),
    }
    found: dict[str, type[BaseException]] = {}
    for way, asking in ways.items():
        async with asyncio.timeout(60):  # without it a hang would be one of the whole run
            with pytest.raises(ModelError) as raised:
                await asking
        found[way] = raised.type
        assert "tea" not in str(raised.value)
    assert found == dict.fromkeys(ways, known.error) | {"vectors": known.error_of_vectors or known.error}


async def test_a_delay_in_the_details_is_told(gemini: GeminiServer, model: GeminiModel) -> None:
    gemini.fault = TROUBLES["429 with RetryInfo"].fault
    with pytest.raises(RateLimited) as limited:
        await model.generate_as(PROMPT, Tea)
    assert limited.value.retry_after == 17.5


async def test_an_api_that_is_not_there_is_unavailable_at_once(gemini: GeminiServer) -> None:
    """The SDK by itself would sleep for up to ten seconds and try again."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
        api = GeminiApi(gemini.options(GOOGLE_GEMINI_BASE_URL=address))
        with pytest.raises(Unavailable):
            await GeminiModel("gemini-good", api).generate_as(PROMPT, Tea)
    await api.close()


async def test_vectors_are_of_length_one_and_in_order(gemini: GeminiServer, api: GeminiApi) -> None:
    embedder = GeminiEmbedder("gemini-embedding-2", api)
    texts = [f"text {number}" for number in range(90)]
    texts[7] = "  "
    found = await embedder.embed(texts)
    assert [len(request["requests"]) for request in gemini.requests] == [89]
    assert set(gemini.asked) == {"gemini-embedding-2:batchEmbedContents"}
    assert found[7] is None
    spoken = [vector for vector in found if vector is not None]
    assert len(spoken) == 89
    assert len({vector.to_text() for vector in spoken}) == 89
    for vector in spoken[:5]:
        assert vector.dimensions() == embedder.dimensions
        assert math.hypot(*vector.to_list()) == pytest.approx(1, abs=0.01)
    assert await embedder.embed([texts[70]]) == [found[70]]
    assert await embedder.embed([]) == []
