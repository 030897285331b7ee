"""Finding an Ollama that nobody told us of, and choosing among its models."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_clients.ollama import Chosen, OllamaModel, choose, find_ollama
from tests import openai_faults as faults
from tests.openai_server import Fault, OpenAIServer, Payload, openai_server

SECONDS = 60.0


@pytest.fixture
async def ollama() -> AsyncIterator[OpenAIServer]:
    async with openai_server() as server:
        yield server


def _installed(name: str, size: str | None, family: str = "llama", **more: object) -> Payload:
    details = {"family": family, "families": [family], "parameter_size": size, "quantization_level": "Q4_K_M"}
    return {"name": name, "model": name, "size": 4_800_000_000, "digest": "d", "details": details} | more


async def _names(ollama: OpenAIServer, *installed: Payload) -> Chosen:
    ollama.installed = list(installed)
    found = await find_ollama(ollama.url, SECONDS)
    assert found is not None
    return choose(found.models)


async def test_it_is_found_with_its_models(ollama: OpenAIServer) -> None:
    ollama.installed = [_installed("qwen3:8b", "8.2B"), _installed("nomic-embed-text:latest", "137M", "nomic-bert")]
    for url in (ollama.url, f"{ollama.url}/", ollama.url.removesuffix("/v1")):
        found = await find_ollama(url, SECONDS)
        assert found is not None
        assert found.base_url == ollama.url
        assert found.models == (
            OllamaModel("qwen3:8b", 8.2, is_embedding=False, is_remote=False),
            OllamaModel("nomic-embed-text:latest", 0.137, is_embedding=True, is_remote=False),
        )


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
        faults.answering(500),
        faults.answering(302, headers={"Location": "http://127.0.0.1:9/"}),
        faults.saying("<html>Welcome</html>", "text/html"),
        faults.saying('{"models": 7}'),
        faults.saying('{"models": [{"name": ""}]}'),
        faults.saying("[]"),
        faults.nested,
        faults.resetting,
        faults.resetting_midway,
        faults.huge,
    ],
)
async def test_something_else_that_listens_is_none(ollama: OpenAIServer, fault: Fault) -> None:
    ollama.fault = fault
    assert await find_ollama(ollama.url, SECONDS) is None


@pytest.mark.parametrize("fault", [faults.hanging, faults.trickling])
async def test_a_silent_one_is_not_waited_for(ollama: OpenAIServer, fault: Fault) -> None:
    ollama.fault = fault
    async with asyncio.timeout(SECONDS):
        assert await find_ollama(ollama.url, 0.1) is None


async def test_an_ollama_without_models_has_none_to_choose(ollama: OpenAIServer) -> None:
    assert await _names(ollama) == Chosen(None, None, None)


async def test_the_largest_that_is_quick_enough_answers_and_the_smallest_able_does_the_rest(
    ollama: OpenAIServer,
) -> None:
    chosen = await _names(
        ollama,
        _installed("llama3.3:70b", "70.6B"),
        _installed("gemma3:12b", "12.2B", "gemma3"),
        _installed("gemma3:4b", "4.3B", "gemma3"),
        _installed("qwen3:0.6b", "751.63M", "qwen3"),
        _installed("all-minilm:latest", "23M", "bert"),
        _installed("nomic-embed-text:latest", "137M", "nomic-bert"),
    )
    assert chosen == Chosen("gemma3:12b", "gemma3:4b", "nomic-embed-text:latest")


async def test_a_model_for_vectors_never_chats(ollama: OpenAIServer) -> None:
    chosen = await _names(
        ollama,
        _installed("qwen3-embedding:8b", "7.6B", "qwen3"),
        _installed("bge-m3:latest", "566.70M"),
        _installed("custom:latest", "3B", capabilities=["embedding"]),
    )
    assert chosen == Chosen(None, None, "bge-m3:latest")


async def test_what_was_made_for_something_else_serves_only_where_there_is_nothing_better(
    ollama: OpenAIServer,
) -> None:
    coder, thinker = _installed("qwen2.5-coder:14b", "14.8B"), _installed("deepseek-r1:8b", "8.2B")
    guard = _installed("llama-guard3:8b", "8.0B")
    assert (await _names(ollama, guard)).chat is None
    assert (await _names(ollama, coder, guard)).chat == "qwen2.5-coder:14b"
    plain = _installed("phi3:medium", "14B")
    assert (await _names(ollama, coder, thinker, guard, plain)).chat == "phi3:medium"


async def test_what_is_passed_on_to_the_cloud_is_not_chosen_unasked(ollama: OpenAIServer) -> None:
    chosen = await _names(
        ollama,
        _installed("gpt-oss:120b-cloud", "116.8B", remote_host="https://ollama.com:443"),
        _installed("glm-4.6:cloud", None),
        _installed("llama3.2:3b", "3.2B"),
    )
    assert chosen == Chosen("llama3.2:3b", "llama3.2:3b", None)


async def test_where_all_are_large_the_least_large_serves(ollama: OpenAIServer) -> None:
    chosen = await _names(ollama, _installed("a:70b", "70B"), _installed("b:32b", "32B"), _installed("m:8x7b", "8x7B"))
    assert (chosen.chat, chosen.small) == ("b:32b", "b:32b")


async def test_a_size_that_is_not_told_is_guessed_by_the_room_it_takes(ollama: OpenAIServer) -> None:
    ollama.installed = [_installed("mine:latest", None), _installed("odd:latest", "many"), {"name": "bare"}]
    found = await find_ollama(ollama.url, SECONDS)
    assert found is not None
    assert [model.billions for model in found.models] == [pytest.approx(8.0), pytest.approx(8.0), 0.0]


MODELS = st.lists(
    st.builds(
        OllamaModel,
        st.sampled_from(["llama3.2", "qwen3:8b", "nomic-embed-text", "bge-m3", "llava:7b", "mine", "x-cloud"]),
        st.floats(0, 500),
        st.booleans(),
        st.booleans(),
    ),
    unique_by=lambda model: model.name,
)


@given(MODELS, st.randoms())
def test_the_choice_is_of_the_right_kind_and_does_not_depend_on_order(
    models: list[OllamaModel], random: Random
) -> None:
    chosen = choose(models)
    by_name = {model.name: model for model in models}
    for name in (chosen.chat, chosen.small):
        assert name is None or not (by_name[name].is_embedding or by_name[name].is_remote)
    assert chosen.embedding is None or by_name[chosen.embedding].is_embedding
    assert (chosen.chat is None) == (chosen.small is None)
    random.shuffle(models)
    assert choose(models) == chosen
