"""What doctor says about each configured model, asked through the real SDKs."""

import pytest

from ai_clients.base import Purpose
from ai_clients.build import check_models
from ai_clients.check import ModelCheck
from ai_clients.settings import ModelOptions
from tests import openai_faults as faults
from tests.gemini_faults import TROUBLES
from tests.gemini_server import GeminiServer
from tests.openai_server import KEY, Fault, OpenAIServer


@pytest.mark.parametrize(
    ("trouble", "says", "remedy"),
    [
        ("403", "the key was refused", "GEMINI_API_KEY"),
        ("400 wrong key", "the key was refused", "GEMINI_API_KEY"),
        ("404 model gone", "no model gemini-good", "ANSWER_MODELS"),
        ("429", "quota", "quota"),
        ("503", "503", "later"),
        ("connection reset", "could not be reached", "GOOGLE_GEMINI_BASE_URL"),
        ("HTML instead of JSON", "no reply", "GOOGLE_GEMINI_BASE_URL"),
    ],
)
async def test_a_model_that_fails_comes_with_its_remedy(
    gemini: GeminiServer, trouble: str, says: str, remedy: str
) -> None:
    gemini.faults["gemini-good"] = TROUBLES[trouble].fault
    checks = await check_models(gemini.options(ANSWER_MODELS="gemini-good"))
    (bad,) = [check for check in checks if not check.answers]
    assert bad.model == "gemini-good"
    assert says in bad.says
    assert bad.remedy is not None
    assert remedy in bad.remedy


async def test_doctor_says_what_a_named_model_lacks() -> None:
    options = {"ANSWER_MODELS": "openai:gpt-x,gemini-3.8-flash", "OPENAI_BASE_URL": None}
    checks = await check_models(ModelOptions.model_validate(options))
    assert [(check.model, check.answers) for check in checks] == [("openai:gpt-x", False), ("gemini-3.8-flash", False)]
    assert "OPENAI_BASE_URL or OPENAI_API_KEY" in checks[0].says
    assert "GEMINI_API_KEY" in checks[1].says
    assert "ANSWER_MODELS" in str(checks[1].remedy)
    assert await check_models(ModelOptions.model_validate({})) == []


async def check_openai(url: str) -> ModelCheck:
    named = dict.fromkeys(("ANSWER_MODELS", "SMALL_MODELS"), "openai:gpt-4-mini")
    options = ModelOptions.model_validate({"OPENAI_BASE_URL": url, "OPENAI_API_KEY": KEY, **named})
    [check] = await check_models(options)
    return check


@pytest.mark.parametrize(
    ("fault", "remedies"),
    [
        (None, ("ANSWER_MODELS and SMALL_MODELS", "openai:gpt-5-mini")),
        (faults.answering(401), ("OPENAI_API_KEY",)),
        (faults.answering(429), ("quota",)),
        (faults.answering(503), ("OPENAI_BASE_URL",)),
        (faults.saying("<html>Welcome</html>", "text/html"), ("OPENAI_BASE_URL",)),
    ],
)
async def test_each_failure_of_another_server_has_its_remedy(
    openai: OpenAIServer, fault: Fault | None, remedies: tuple[str, ...]
) -> None:
    openai.fault, openai.models = fault, ["gpt-5-mini", "whisper"]
    check = await check_openai(openai.url)
    assert not check.answers
    assert [one for one in remedies if one not in (check.remedy or "")] == []
    assert KEY not in f"{check}"


async def test_a_server_without_a_list_is_told_from_an_address_that_is_cut_short(openai: OpenAIServer) -> None:
    cut_short = await check_openai(openai.url.removesuffix("/v1"))
    assert not cut_short.answers
    assert cut_short.remedy == "Check OPENAI_BASE_URL; the address usually ends with /v1."
    openai.fault = faults.answering(404)
    unlisted = await check_openai(openai.url)
    assert (unlisted.answers, "does not list" in unlisted.says) == (True, True)


async def test_an_ollama_that_was_found_is_checked_like_one_that_was_named(openai: OpenAIServer) -> None:
    openai.installed = [{"name": "qwen3:8b", "details": {"family": "qwen3", "parameter_size": "8.2B"}}]
    openai.models = ["qwen3:8b", "nomic-embed-text:latest"]
    (found,) = await check_models(ModelOptions.model_validate({"OLLAMA_URL": openai.url}))
    assert (found.model, found.answers) == ("ollama:qwen3:8b", True)
    assert found.purposes == (Purpose.ANSWER, Purpose.SUMMARISE, Purpose.SMALL)
    named = {"ANSWER_MODELS": "ollama:qwen3:9b", "EMBED_MODELS": "ollama:nomic-embed-text"}
    options = ModelOptions.model_validate({"OLLAMA_URL": openai.url, **named})
    checks = {check.model: check for check in await check_models(options)}
    assert checks["ollama:nomic-embed-text"].answers, "which is called :latest there"
    assert not checks["ollama:qwen3:9b"].answers
    remedy = str(checks["ollama:qwen3:9b"].remedy)
    assert ("`ollama pull qwen3:9b`" in remedy, "ollama:qwen3:8b" in remedy) == (True, True)
