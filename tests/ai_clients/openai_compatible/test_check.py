"""The check of `doctor` for servers of OpenAI's kind, and the remedy for each thing that can be wrong."""

import pytest

from ai_clients.base import Purpose
from ai_clients.check import ModelCheck
from ai_clients.openai_compatible.client import Server
from ai_clients.openai_compatible.embedder import check_openai
from ai_clients.settings import ModelName
from tests import openai_faults as faults
from tests.openai_server import KEY, Fault, OpenAIServer


async def _check(openai: OpenAIServer, *names: str) -> list[ModelCheck]:
    asked = {ModelName.parse(name): (Purpose.ANSWER, Purpose.SMALL) for name in names}
    server = openai.as_server(names[0].partition(":")[0])
    try:
        return await check_openai(server, asked)
    finally:
        await server.close()


async def test_a_model_that_is_missing_comes_with_those_that_are_there(openai: OpenAIServer) -> None:
    openai.models = ["gpt-5-mini", "whisper"]
    [check] = await _check(openai, "openai:gpt-4-mini")
    assert not check.answers
    assert check.remedy is not None
    assert "ANSWER_MODELS and SMALL_MODELS" in check.remedy
    assert "openai:gpt-5-mini" in check.remedy


async def test_for_ollama_the_tag_counts_and_the_remedy_is_to_pull(openai: OpenAIServer) -> None:
    openai.models = ["nomic-embed-text:latest", "qwen3:4b"]
    found, other = await _check(openai, "ollama:nomic-embed-text", "ollama:qwen3:8b")
    assert found.answers
    assert not other.answers
    assert other.remedy is not None
    assert "`ollama pull qwen3:8b`" in other.remedy
    assert "ollama:qwen3:4b" in other.remedy


async def test_a_server_without_a_list_is_not_called_broken(openai: OpenAIServer) -> None:
    openai.fault = faults.answering(404)
    [check] = await _check(openai, "openai:local")
    assert check.answers
    assert "does not list" in check.says


async def test_an_address_that_is_cut_short_is_told_from_a_missing_list(openai: OpenAIServer) -> None:
    server = Server(openai.url.removesuffix("/v1"), None, "openai")
    [check] = await check_openai(server, {ModelName.parse("openai:good"): (Purpose.ANSWER,)})
    await server.close()
    assert not check.answers
    assert check.remedy == "Check OPENAI_BASE_URL; the address usually ends with /v1."


@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        (faults.answering(401), "OPENAI_API_KEY"),
        (faults.answering(429), "quota"),
        (faults.answering(503), "OPENAI_BASE_URL"),
        (faults.saying("<html>Welcome</html>", "text/html"), "OPENAI_BASE_URL"),
    ],
)
async def test_each_failure_has_its_remedy(openai: OpenAIServer, fault: Fault, remedy: str) -> None:
    openai.fault = fault
    [check] = await _check(openai, "openai:good")
    assert not check.answers
    assert remedy in (check.remedy or "")
    assert KEY not in f"{check}"
