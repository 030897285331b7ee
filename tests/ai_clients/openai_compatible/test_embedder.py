"""Vectors from a server through the real SDK: their form, their order, and what the server is given for them."""

import json

import pytest
from aiohttp import web
from pgvector import HalfVector

from ai_clients.errors import Refused
from ai_clients.openai_compatible.client import Server
from ai_clients.openai_compatible.embedder import LEAST_CHARACTERS, MOST_CHARACTERS, OpenAIEmbedder
from tests import openai_faults as faults
from tests.openai_server import DIMENSIONS, OpenAIServer, Payload, embedded, problem

SECONDS = 60.0


@pytest.fixture
def embedder(server: Server) -> OpenAIEmbedder:
    return OpenAIEmbedder("some-model", server, SECONDS)


def _read(vector: HalfVector | None) -> list[float]:
    assert vector is not None
    return vector.to_list()


async def test_a_vector_has_length_one_in_half_floats(openai: OpenAIServer, embedder: OpenAIEmbedder) -> None:
    openai.vector = lambda text: [3, 0.0, -4.0, 0.0]
    assert embedder.dimensions == 0
    [vector] = await embedder.embed(["tea"])
    # Filled up: the shipped pgvector ends the server on some processors over numbers that are not a multiple of eight.
    assert _read(vector) == pytest.approx((0.6, 0.0, -0.8, 0.0, 0.0, 0.0, 0.0, 0.0), abs=0.001)
    assert (embedder.name, embedder.dimensions) == ("openai:some-model", 8)
    assert openai.requests == [{"model": "some-model", "input": ["tea"], "encoding_format": "float"}]


async def test_the_numbers_of_the_vectors_decide_about_their_order(
    openai: OpenAIServer, embedder: OpenAIEmbedder
) -> None:
    reply = embedded([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    reply["data"].reverse()
    openai.fault = faults.saying(json.dumps(reply))
    found = await embedder.embed(["one", "two"])
    assert [_read(vector).index(1.0) for vector in found] == [0, 1]
    for item in reply["data"]:
        item["index"] = 0  # as servers send that do not number them
    openai.fault = faults.saying(json.dumps(reply))
    found = await embedder.embed(["one", "two"])
    assert [_read(vector).index(1.0) for vector in found] == [1, 0]


@pytest.mark.parametrize("broken", [[0.0] * DIMENSIONS, [float("nan")] * DIMENSIONS, [float("inf"), 1.0, 1.0, 1.0]])
async def test_a_vector_that_points_nowhere_is_none(
    openai: OpenAIServer, embedder: OpenAIEmbedder, broken: list[float]
) -> None:
    openai.vector = lambda text: broken if text == "nowhere" else [1.0, 0.0, 0.0, 0.0]
    found = await embedder.embed(["nowhere", "somewhere", " \n"])
    assert [vector is None for vector in found] == [True, False, True]


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("nomic-embed-text", "search_document: "),
        ("hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF", "search_document: "),
        ("embeddinggemma:300m", "title: none | text: "),
        ("text-embedding-3-small", ""),
    ],
)
async def test_models_that_want_to_know_what_for_are_told(
    openai: OpenAIServer, server: Server, name: str, prefix: str
) -> None:
    await OpenAIEmbedder(name, server, SECONDS).embed(["tea"])
    assert openai.requests[0]["input"] == [f"{prefix}tea"]


@pytest.mark.parametrize("status", [400, 413, 500])
async def test_a_server_that_finds_a_text_too_long_gets_less_of_it(
    openai: OpenAIServer, embedder: OpenAIEmbedder, status: int
) -> None:
    async def choosy(server: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
        if any(len(text) > 1_000 for text in body["input"]):
            return problem(status, "input is too large to process")
        return web.json_response(embedded([server.vector(text) for text in body["input"]]))

    openai.fault = choosy
    for _ in range(2):
        found = await embedder.embed(["tea " * 2_000, "tea"])
        assert all(vector is not None for vector in found)
    # Found out once, and remembered.
    assert [len(body["input"][0]) for body in openai.requests] == [MOST_CHARACTERS, 2_000, 1_000, 1_000]
    openai.fault = faults.answering(413)
    with pytest.raises(Refused):
        await embedder.embed(["tea " * 2_000])
    assert len(openai.requests[-1]["input"][0]) == LEAST_CHARACTERS
