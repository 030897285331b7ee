"""A model asked through the real SDK, and every way in which it can fail to answer."""

from collections.abc import AsyncIterator, Callable

import pytest
from aiohttp import web

from ai_clients.base import Prompt
from ai_clients.errors import BadReply, ModelError, RateLimited, Refused, Unavailable
from ai_clients.gemini import GeminiApi, GeminiModel
from tests.gemini_server import GeminiServer, body, data_of, gemini_server, problem, rules_of, spoken

PROMPT = Prompt("Be brief.", "What is <tea>?")


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with gemini_server() as server:
        yield server


@pytest.fixture
async def model(gemini: GeminiServer) -> AsyncIterator[GeminiModel]:
    asked = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=2)
    yield asked
    await asked.close()


async def test_rules_and_data_go_apart_and_the_reply_comes_with_its_cost(
    gemini: GeminiServer, model: GeminiModel
) -> None:
    reply = await model.generate(PROMPT)
    assert (rules_of(gemini.requests[0]), data_of(gemini.requests[0])) == (PROMPT.rules, PROMPT.data)
    assert (reply.text, reply.model) == (PROMPT.data, "gemini-good")
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (11, 7)


async def test_gemma_finds_the_rules_before_the_data(gemini: GeminiServer) -> None:
    model = GeminiModel("gemma-4-31b-it", GeminiApi(gemini.options()))
    await model.generate(PROMPT)
    await model.close()
    assert rules_of(gemini.requests[0]) == ""
    assert data_of(gemini.requests[0]) == f"{PROMPT.rules}\n\n{PROMPT.data}"


async def test_a_delay_that_the_server_wants_is_told(gemini: GeminiServer, model: GeminiModel) -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17.5s"}
    gemini.fault = lambda _: problem(429, info)
    with pytest.raises(RateLimited) as limited:
        await model.generate(PROMPT)
    assert limited.value.retry_after == 17.5


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (lambda _: problem(429), RateLimited),
        (lambda _: problem(400), Refused),
        (lambda _: problem(403), Refused),
        (lambda _: problem(404), Refused),
        (lambda _: problem(500), Unavailable),
        (lambda _: problem(503), Unavailable),
        (lambda _: body("<html>Bad gateway</html>", "text/html", 502), Unavailable),
        (lambda _: body("<html>Welcome</html>", "text/html"), BadReply),
        (lambda _: body('{"candidates": [{"content": {"par'), BadReply),
        (lambda _: body({"candidates": "no list"}), BadReply),
        (lambda _: body([]), BadReply),  # type: ignore[arg-type]  # the wrong shape is the point
        (lambda _: body({}), BadReply),
        (lambda _: body({"candidates": []}), BadReply),
        (lambda _: body(spoken("   ")), BadReply),
        (lambda _: body({"candidates": [{"finishReason": "STOP"}]}), BadReply),
        (lambda _: body(spoken("Half a sen", finish="SAFETY")), Refused),
        (lambda _: body({"promptFeedback": {"blockReason": "SAFETY"}}), Refused),
    ],
)
async def test_whatever_goes_wrong_is_a_model_error(
    gemini: GeminiServer,
    model: GeminiModel,
    fault: Callable[[web.Request], web.StreamResponse],
    error: type[ModelError],
) -> None:
    gemini.fault = fault
    with pytest.raises(error) as raised:
        await model.generate(PROMPT)
    assert "tea" not in str(raised.value)


async def test_a_server_that_hangs_is_not_waited_for(gemini: GeminiServer, model: GeminiModel) -> None:
    gemini.hangs = True
    with pytest.raises(Unavailable):
        await model.generate(PROMPT)


async def test_a_server_that_is_gone_is_unavailable(gemini: GeminiServer, model: GeminiModel) -> None:
    await gemini.server.close()
    with pytest.raises(Unavailable):
        await model.generate(PROMPT)
