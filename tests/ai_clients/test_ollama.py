"""Finding an Ollama that nobody told us of, and choosing among its models."""

import asyncio
import logging
import socket

import pytest

from ai_clients.ollama import Chosen, OllamaModel, choose, find_ollama
from tests import openai_faults as faults
from tests.openai_server import Fault, OpenAIServer, Payload

SECONDS = 60.0


def _installed(name: str, size: str | None, family: str = "llama", **more: object) -> Payload:
    details = {"family": family, "families": [family], "parameter_size": size, "quantization_level": "Q4_K_M"}
    return {"name": name, "model": name, "size": 4_800_000_000, "digest": "d", "details": details} | more


async def test_those_that_chat_are_found(openai: OpenAIServer) -> None:
    openai.installed = [
        _installed("qwen3:8b", "8.2B"),
        _installed("mine:latest", None),
        _installed("mixed:latest", "8x7B"),
        _installed("nomic-embed-text:latest", "137M", "nomic-bert"),
        _installed("custom:latest", "3B", capabilities=["embedding"]),
        _installed("gpt-oss:120b-cloud", "116.8B", remote_host="https://ollama.com:443"),
        _installed("glm-4.6:cloud", None),
        _installed("llama-guard3:8b", "8.0B"),
    ]
    for url in (openai.url, f"{openai.url}/", openai.url.removesuffix("/v1")):
        found = await find_ollama(url, SECONDS)
        assert found == [OllamaModel("qwen3:8b", 8.2), OllamaModel("mine:latest", 8.0), OllamaModel("mixed:latest", 56)]


async def test_where_nothing_listens_nothing_is_found_and_nothing_said(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "ai_clients")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    async with asyncio.timeout(SECONDS):
        assert await find_ollama(f"http://127.0.0.1:{port}/v1") is None
    assert not [record for record in caplog.records if record.name.startswith("ai_clients")]


@pytest.mark.parametrize(
    "fault",
    [
        faults.answering(404),
        faults.answering(302, headers={"Location": "http://127.0.0.1:9/"}),
        faults.saying("<html>Welcome</html>", "text/html"),
        faults.saying('{"models": [{"name": ""}]}'),
        faults.nested,
        faults.resetting_midway,
        faults.huge,
        faults.hanging,
        faults.trickling,
    ],
)
async def test_something_else_that_listens_is_none(openai: OpenAIServer, fault: Fault) -> None:
    openai.fault = fault
    async with asyncio.timeout(SECONDS):
        assert await find_ollama(openai.url, 0.1 if fault in (faults.hanging, faults.trickling) else SECONDS) is None


@pytest.mark.parametrize(
    ("models", "chosen"),
    [
        ({}, Chosen(None, None)),
        # The largest that is quick enough answers, and the smallest that is able does the rest.
        ({"a:70b": 70.6, "b:12b": 12.2, "c:4b": 4.3, "d:0.6b": 0.75}, Chosen("b:12b", "c:4b")),
        ({"a:70b": 70, "b:32b": 32}, Chosen("b:32b", "b:32b")),
        # What was made for something else serves only where there is nothing better.
        ({"qwen2.5-coder:14b": 14.8}, Chosen("qwen2.5-coder:14b", "qwen2.5-coder:14b")),
        ({"qwen2.5-coder:14b": 14.8, "deepseek-r1:8b": 8.2, "phi3:medium": 14}, Chosen("phi3:medium", "phi3:medium")),
    ],
)
def test_the_best_is_chosen_whatever_the_order(models: dict[str, float], chosen: Chosen) -> None:
    listed = [OllamaModel(name, billions) for name, billions in models.items()]
    assert choose(listed) == choose(listed[::-1]) == chosen
