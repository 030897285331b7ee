"""From settings to chains that answer, through the real SDKs."""

import subprocess
import sys

import pytest
from pydantic import SecretStr

from ai_clients.base import Call, Outcome, Prompt, Purpose
from ai_clients.build import build_models, without_models
from ai_clients.embedding import GuardedEmbedder, StaticVectors
from ai_clients.errors import ModelGone
from ai_clients.guard import State
from ai_clients.settings import ModelOptions
from tests.ai_clients.scripted import Said
from tests.gemini_faults import TROUBLES
from tests.gemini_server import GeminiServer
from tests.no_real_models import NOWHERE
from tests.openai_server import OpenAIServer

PROMPT = Prompt("Be brief.", "What is tea?")
LEAVES = '{"text": "leaves"}'
INSTALLED = [
    {"name": "qwen3:8b", "details": {"family": "qwen3", "parameter_size": "8.2B"}},
    {"name": "gemma3:4b", "details": {"family": "gemma3", "parameter_size": "4.3B"}},
    {"name": "nomic-embed-text:latest", "details": {"family": "nomic-bert", "parameter_size": "137M"}},
]


@pytest.fixture(autouse=True)
def leaves(gemini: GeminiServer, openai: OpenAIServer) -> None:
    gemini.says = openai.says = lambda _: LEAVES
    openai.installed, openai.models = INSTALLED, [str(model["name"]) for model in INSTALLED]


async def test_a_chain_of_the_settings_answers_and_falls_through(gemini: GeminiServer) -> None:
    models = await build_models(gemini.options())
    calls: list[Call] = []
    gemini.faults["gemini-3.8-flash"] = TROUBLES["404 model gone"].fault
    for purpose in (Purpose.ANSWER, Purpose.SUMMARISE):
        chain = models.chain(purpose)
        assert chain is not None
        assert chain.models == ("gemini-3.8-flash", "gemma-4-31b-it")
        assert (await chain.generate_as(PROMPT, Said, on_call=calls.append)).model == "gemma-4-31b-it"
    assert [(call.purpose, call.model, call.outcome) for call in calls] == [
        (Purpose.ANSWER, "gemini-3.8-flash", Outcome.REFUSED),
        (Purpose.ANSWER, "gemma-4-31b-it", Outcome.OK),
        (Purpose.SUMMARISE, "gemma-4-31b-it", Outcome.OK),  # what one purpose has learnt, the other knows
    ]
    states = {state.model: state.state for state in models.states()}
    assert states == {
        "gemini-3.8-flash": State.OPEN,
        "gemma-4-31b-it": State.CLOSED,
        "gemini-3.5-flash-lite": State.CLOSED,
    }
    await models.close()


async def test_without_keys_and_servers_there_is_no_chain() -> None:
    models = await build_models(ModelOptions.model_validate({}))
    assert models.chains == without_models().chains == {}
    assert isinstance(models.embedder, StaticVectors)
    assert isinstance(without_models().embedder, StaticVectors)
    await models.close()


LOADED = """
import asyncio, sys
from ai_clients.build import build_models
from ai_clients.settings import ModelOptions
asyncio.run(build_models(ModelOptions()))
print([name for name in ("google.genai", "openai") if name in sys.modules])
"""


def test_without_a_key_no_sdk_is_loaded() -> None:
    assert subprocess.check_output([sys.executable, "-c", LOADED], text=True).strip() == "[]"


async def test_vectors_are_made_by_the_first_that_is_set_up(gemini: GeminiServer) -> None:
    chain = {"EMBED_MODELS": "openai:nowhere,gemini-embedding-2,static", "OPENAI_BASE_URL": None}
    models = await build_models(gemini.options(**chain))
    assert isinstance(models.embedder, GuardedEmbedder)
    assert models.embedder.name == "gemini-embedding-2"
    calls: list[Call] = []
    vectors = await models.embedder.embed(["tea"], on_call=calls.append)
    assert [vector.dimensions() for vector in vectors if vector] == [models.embedder.dimensions]
    more = await models.embedder.embed([f"tea {number}" for number in range(230)], on_call=calls.append)
    assert len({vector.to_text() for vector in more if vector}) == 230
    assert len(calls) == len(gemini.asked) == 4, "each request is one for the limits, and for the accounts"
    call = calls[0]
    assert (call.purpose, call.model, call.outcome) == (Purpose.EMBED, "gemini-embedding-2", Outcome.OK)
    assert call.usage is not None
    assert call.usage.is_estimated
    await models.close()
    keyless = await build_models(ModelOptions.model_validate(chain))
    assert isinstance(keyless.embedder, StaticVectors)


async def test_vectors_that_fail_are_accounted_and_guarded(gemini: GeminiServer) -> None:
    models = await build_models(gemini.options(EMBED_MODELS="gemini-embedding-2"))
    gemini.faults["gemini-embedding-2"] = TROUBLES["404 model gone"].fault
    assert isinstance(models.embedder, GuardedEmbedder)
    for _ in range(2):
        with pytest.raises(ModelGone):
            await models.embedder.embed(["tea"])
    assert gemini.asked == ["gemini-embedding-2:batchEmbedContents"]
    await models.close()


async def test_an_ollama_serves_by_itself_and_vectors_stay_here(openai: OpenAIServer) -> None:
    models = await build_models(ModelOptions.model_validate({"OLLAMA_URL": openai.url}))
    assert {purpose: chain.models for purpose, chain in models.chains.items()} == {
        Purpose.ANSWER: ("ollama:qwen3:8b",),
        Purpose.SUMMARISE: ("ollama:qwen3:8b",),
        Purpose.SMALL: ("ollama:gemma3:4b",),
    }
    assert isinstance(models.embedder, StaticVectors)
    chain = models.chains[Purpose.SMALL]
    assert (await chain.generate_as(PROMPT, Said)).value.text == "leaves"
    await models.close()


async def test_a_chain_may_go_from_one_provider_to_another(gemini: GeminiServer, openai: OpenAIServer) -> None:
    gemini.fault = TROUBLES["403"].fault
    options = gemini.options(
        ANSWER_MODELS="gemini-good,ollama:qwen3:8b,openai:good",
        OLLAMA_URL=f"{NOWHERE}/v1",
        OPENAI_BASE_URL=openai.url,
        OPENAI_API_KEY=SecretStr("test-key-never-real"),
        EMBED_MODELS="openai:good",
    )
    models = await build_models(options)
    calls: list[Call] = []
    reply = await models.chains[Purpose.ANSWER].generate_as(PROMPT, Said, on_call=calls.append)
    assert reply.value.text == "leaves"
    assert [call.model for call in calls][0::4] == ["gemini-good", "openai:good"]
    assert {call.outcome for call in calls if call.model == "ollama:qwen3:8b"} == {Outcome.UNAVAILABLE}
    assert models.embedder.name == "openai:good"
    assert await models.embedder.embed(["tea"]) != [None]
    await models.close()
