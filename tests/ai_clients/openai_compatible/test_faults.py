"""Every way a server can fail, for every way it is asked: the right error, in time, without a word of the question."""

import asyncio
import gc
import json
import logging
import traceback
from collections.abc import Awaitable, Callable

import httpcore
import pytest
from pydantic import BaseModel

from ai_clients.base import Prompt
from ai_clients.embedding import width
from ai_clients.errors import (
    BadReply,
    KeyRefused,
    Misconfigured,
    ModelError,
    ModelGone,
    RateLimited,
    Refused,
    TimedOut,
    Unavailable,
)
from ai_clients.openai_compatible.client import Server
from ai_clients.openai_compatible.embedder import OpenAIEmbedder
from ai_clients.openai_compatible.model import OpenAIModel
from tests import openai_faults as faults
from tests.openai_server import DIMENSIONS, KEY, Fault, OpenAIServer, embedded, spoken

SECRET = "zinnober"
PROMPT = Prompt("Be brief.", f"What is <{SECRET}>?", is_steady=True)
LONG = 60.0
"""No test waits for it; it only has to be longer than a busy machine takes."""
SHORT = 0.3


class Colour(BaseModel):
    name: str


async def _shaped(server: Server, seconds: float) -> object:
    return await OpenAIModel("good", server, seconds).generate_as(PROMPT, Colour)


async def _embed(server: Server, seconds: float) -> object:
    return await OpenAIEmbedder("good", server, seconds).embed([PROMPT.data])


Way = Callable[[Server, float], Awaitable[object]]
WAYS: dict[str, Way] = {"generate_as": _shaped, "embed": _embed}

EVERYWHERE: dict[str, tuple[Fault, type[ModelError]]] = {
    "400": (faults.answering(400), Refused),
    "401": (faults.answering(401), KeyRefused),
    "402 no credit": (faults.answering(402), KeyRefused),
    "403": (faults.answering(403), KeyRefused),
    "403 flagged": (faults.answering(403, "your input was flagged"), Refused),
    "404 model gone": (faults.answering(404, "model 'good' not found"), ModelGone),
    "400 model gone": (faults.answering(400, code="model_not_found"), ModelGone),
    "408": (faults.answering(408), Unavailable),
    "422": (faults.answering(422), Refused),
    "429": (faults.answering(429), RateLimited),
    "500": (faults.answering(500), Unavailable),
    "503": (faults.answering(503), Unavailable),
    "301 elsewhere": (faults.answering(301, headers={"Location": "http://127.0.0.1:9/"}), Misconfigured),
    "502 with HTML": (faults.saying("<html>Bad gateway</html>", "text/html", 502), Unavailable),
    "HTML": (faults.saying("<html>Welcome</html>", "text/html"), BadReply),
    "nothing": (faults.saying("", "text/plain"), BadReply),
    "truncated JSON": (faults.saying('{"choices": [{"message": {"cont'), BadReply),
    "a list": (faults.saying("[]"), BadReply),
    "null": (faults.saying("null"), BadReply),
    "an empty object": (faults.saying("{}"), BadReply),
    "nested for ever": (faults.nested, BadReply),
    "10 MB": (faults.huge, BadReply),
    "503 of 1 MB": (faults.huge_refusal, Unavailable),
    "packed": (faults.packed, BadReply),
    "reset": (faults.resetting, Unavailable),
    "reset midway": (faults.resetting_midway, Unavailable),
}
SLOW: dict[str, Fault] = {"hang": faults.hanging, "trickle": faults.trickling}
OF_TALK: dict[str, tuple[Fault, type[ModelError]]] = {
    "choices of another kind": (faults.saying('{"choices": "none"}'), BadReply),
    "a choice of another kind": (faults.saying('{"choices": [7]}'), BadReply),
    "a message of another kind": (faults.saying('{"choices": [{"message": 7}]}'), BadReply),
    "no choices": (faults.saying('{"choices": []}'), BadReply),
    "null choices": (faults.saying('{"choices": null}'), BadReply),
    "400 for a filter": (faults.answering(400, code="content_filter"), Refused),
    "blank": (faults.ending("stop", "  \n"), BadReply),
    "only thoughts": (faults.ending("length", "<think>I wonder"), BadReply),
    "content filter": (faults.ending("content_filter"), Refused),
    "a refusal": (faults.saying(json.dumps(spoken(None, refusal=f"I will not speak of {SECRET}"))), Refused),
    "200 with an error": (faults.saying('{"error": {"code": 502, "message": "upstream"}}'), Unavailable),
    "200 with a quota": (faults.saying('{"error": {"code": 429, "message": "upstream"}}'), RateLimited),
    "200 with some error": (faults.saying('{"error": "oops"}'), Unavailable),
}
OF_VECTORS: dict[str, Fault] = {
    "no vectors": faults.saying('{"data": []}'),
    "too many": faults.saying('{"data": [{"embedding": [1.0]}, {"embedding": [1.0]}]}'),
    "empty vectors": faults.saying('{"data": [{"embedding": []}]}'),
    "words": faults.saying('{"data": [{"embedding": ["one"]}]}'),
    "base64": faults.saying('{"data": [{"embedding": "AACAPw=="}]}'),
}
CELLS = [(name, "generate_as", *cell) for name, cell in (EVERYWHERE | OF_TALK).items()]
CELLS += [(name, "embed", fault, BadReply) for name, fault in OF_VECTORS.items()]


@pytest.mark.parametrize(("name", "way", "fault", "error"), CELLS, ids=[f"{cell[0]}-{cell[1]}" for cell in CELLS])
async def test_each_fault_ends_in_its_error(
    openai: OpenAIServer,
    server: Server,
    caplog: pytest.LogCaptureFixture,
    name: str,
    way: str,
    fault: Fault,
    error: type[ModelError],
) -> None:
    for chatty in ("", "openai", "httpx", "httpcore"):  # as OPENAI_LOG=debug would
        caplog.set_level(logging.DEBUG, chatty)
    openai.fault = fault
    with pytest.raises(ModelError) as raised:
        await WAYS[way](server, LONG)
    assert raised.type is error
    written = f"{''.join(traceback.format_exception(raised.value))} {caplog.text}"
    assert SECRET not in written
    assert KEY not in written
    assert f"good at {server.address} (openai)" in str(raised.value)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", SLOW)
async def test_a_slow_server_is_not_waited_for(openai: OpenAIServer, server: Server, fault: str, way: str) -> None:
    openai.fault = SLOW[fault]
    async with asyncio.timeout(LONG):
        with pytest.raises(TimedOut):
            await WAYS[way](server, SHORT)


@pytest.mark.parametrize("way", WAYS)
async def test_a_server_that_is_gone_is_unavailable(openai: OpenAIServer, server: Server, way: str) -> None:
    await openai.server.close()
    with pytest.raises(Unavailable) as raised:
        await WAYS[way](server, LONG)
    assert raised.type is Unavailable


@pytest.mark.parametrize("way", WAYS)
async def test_after_a_fault_the_same_client_is_used_again(openai: OpenAIServer, server: Server, way: str) -> None:
    openai.says = lambda data: '{"name": "red"}'
    for fault, seconds in ((faults.huge, LONG), (faults.hanging, SHORT), (faults.answering(503), LONG)):
        openai.fault = fault
        with pytest.raises(ModelError):
            await WAYS[way](server, seconds)
        openai.fault = None
        await WAYS[way](server, LONG)


async def test_nothing_is_kept_of_what_was_called_off(openai: OpenAIServer, server: Server) -> None:
    """At whatever moment, and once more while it is being tidied up, as where two deadlines end together."""
    openai.says = lambda data: '{"name": "red"}'
    await _shaped(server, LONG)
    before = _requests_kept()
    for turns in range(200):
        arrived = len(openai.requests)
        asking = asyncio.create_task(_shaped(server, LONG))
        while len(openai.requests) == arrived:  # noqa: ASYNC110 - turns of the loop are counted
            await asyncio.sleep(0)
        for _ in range(turns // 4):
            await asyncio.sleep(0)
        asking.cancel()
        for _ in range(turns % 4):
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.wait({asking})
    async with asyncio.timeout(LONG):
        while [one for one in _requests_kept() if not any(one is known for known in before)]:  # noqa: ASYNC110 - garbage
            await asyncio.sleep(0.05)


def _requests_kept() -> list[object]:
    """With all the words in them."""
    gc.collect()
    return [one for one in gc.get_objects() if isinstance(one, httpcore.Request)]


@pytest.mark.parametrize(
    ("headers", "delay"),
    [
        ({"Retry-After": "17"}, 17.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After-Ms": "250", "Retry-After": "9"}, 0.25),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": "-3"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "1e999"}, None),
        ({}, None),
    ],
)
async def test_the_delay_that_is_wanted_is_told(
    openai: OpenAIServer, server: Server, headers: dict[str, str], delay: float | None
) -> None:
    openai.fault = faults.answering(429, headers=headers)
    with pytest.raises(RateLimited) as limited:
        await _shaped(server, LONG)
    assert limited.value.retry_after == delay
    assert len(openai.requests) == 1  # nobody but us decides about a second try


async def test_vectors_that_change_their_size_are_a_bad_reply(openai: OpenAIServer, server: Server) -> None:
    embedder = OpenAIEmbedder("good", server, LONG)
    await embedder.embed(["one"])
    openai.fault = faults.saying(json.dumps(embedded([[1.0] * (DIMENSIONS + 1)])))
    with pytest.raises(BadReply):
        await embedder.embed(["two"])
    assert embedder.dimensions == width(DIMENSIONS)


async def test_words_that_cannot_be_sent_are_a_model_error(server: Server) -> None:
    with pytest.raises(ModelError):
        await OpenAIModel("good", server, LONG).generate_as(Prompt("Be brief.", "half a pair: \ud800"), Colour)
    with pytest.raises(ModelError):
        await OpenAIEmbedder("good", server, LONG).embed(["half a pair: \ud800"])
