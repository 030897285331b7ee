"""Chains, limits and prices as a person writes them, and what is said about those that cannot be read."""

from decimal import Decimal

import pytest
from pydantic import ValidationError

from ai_clients.base import Purpose
from ai_clients.settings import Limits, ModelName, ModelOptions, Provider


def options(**given: str) -> ModelOptions:
    return ModelOptions.model_validate(given)


def test_a_chain_is_read_in_its_order() -> None:
    read = options(ANSWER_MODELS=" models/gemini-3.8-flash, openai:gpt-x , ollama:qwen3:8b,").chain_of(Purpose.ANSWER)
    assert [(name.provider, name.name) for name in read] == [
        (Provider.GEMINI, "gemini-3.8-flash"),
        (Provider.OPENAI, "gpt-x"),
        (Provider.OLLAMA, "qwen3:8b"),
    ]
    assert [str(name) for name in read] == ["gemini-3.8-flash", "openai:gpt-x", "ollama:qwen3:8b"]


def test_by_default_there_is_a_second_model_for_words_and_none_that_hears_everything() -> None:
    defaults = options()
    for purpose in (Purpose.ANSWER, Purpose.SUMMARISE, Purpose.SMALL):
        assert len(defaults.chain_of(purpose)) == 2
    assert defaults.chain_of(Purpose.EMBED) == (ModelName(Provider.STATIC, "static"),)


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({}, 20),
        ({"ANSWER_MODELS": "ollama:qwen3:8b"}, 60),
        ({"ANSWER_MODELS": "openai:local", "OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"}, 60),
        ({"ANSWER_MODELS": "openai:gpt-5-mini", "OPENAI_BASE_URL": "https://models.example/v1"}, 20),
        ({"ANSWER_MODELS": "gemini-3.8-flash, ollama:qwen3:8b"}, 20),
        ({"ANSWER_MODELS": "ollama:qwen3:8b", "ANSWER_SECONDS": "20"}, 20),
    ],
)
def test_models_on_this_machine_have_a_minute_to_answer(given: dict[str, str], seconds: float) -> None:
    read = options(**given)
    assert read.seconds_for(Purpose.ANSWER, read.chain_of(Purpose.ANSWER)) == seconds
    assert read.longest_seconds >= seconds


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("ANSWER_MODELS", "azure:gpt", "azure:gpt"),
        ("ANSWER_MODELS", "openai:", "openai:"),
        ("ANSWER_MODELS", "static", "vectors"),
        ("SMALL_MODELS", "gemini-a,gemini-a", "twice"),
        ("EMBED_MODELS", "static,static", "twice"),
        ("ANSWER_SECONDS", "0", "greater"),
        ("MODEL_LIMITS", "gemini-a", "model=…"),
        ("MODEL_LIMITS", "gemini-a=", "model=…"),
        ("MODEL_LIMITS", "=10/min", "model=…"),
        ("MODEL_LIMITS", "gemini-a=10/hour", "10/hour"),
        ("MODEL_LIMITS", "gemini-a=10tok/day", "10tok/day"),
        ("MODEL_LIMITS", "gemini-a=10/min,20/min", "twice"),
        ("MODEL_LIMITS", "gemini-a=10/min;gemini-a=2/day", "twice"),
        ("MODEL_LIMITS", "gemini-a=0/min", "nothing at all"),
        ("MODEL_PRICES", "gemini-a=0.30", "0.30/2.50"),
        ("MODEL_PRICES", "gemini-a=a/b", "0.30/2.50"),
        ("MODEL_PRICES", "gemini-a=-1/2", "0.30/2.50"),
        ("MODEL_PRICES", "gemini-a=NaN/2", "0.30/2.50"),
        ("MODEL_PRICES", "gemini-a=inf/2", "0.30/2.50"),
    ],
)
def test_what_cannot_be_read_is_said(variable: str, value: str, says: str) -> None:
    with pytest.raises(ValidationError, match=says.replace("(", r"\(")) as raised:
        options(**{variable: value})
    assert raised.value.errors()[0]["loc"] == (variable,)


def test_limits_are_those_of_the_model_or_of_the_first_pattern_it_fits() -> None:
    read = options(MODEL_LIMITS="gemini-*=5/min ; gemini-3.8-flash=10/min, 250/day,250000tok/min; ollama:*=60/min;")
    assert read.limits_of("gemini-3.8-flash") == Limits(10, 250, 250_000)
    assert read.limits_of("gemini-other") == Limits(5)
    assert read.limits_of("ollama:qwen3:8b") == Limits(60)
    assert read.limits_of("gemma-4") == Limits()


def test_prices_are_for_a_million_tokens() -> None:
    read = options(MODEL_PRICES="gemini-3.8-flash=0.30/2.50; gemma-*=0/0")
    price = read.price_of("gemini-3.8-flash")
    assert price is not None
    assert price.of(1_000_000, 100_000) == Decimal("0.55")
    free = read.price_of("gemma-4-31b-it")
    assert free is not None
    assert free.of(10**9, 10**9) == 0
    assert read.price_of("openai:gpt-x") is None
