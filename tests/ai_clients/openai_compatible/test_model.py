"""A model asked through the real SDK: what goes out, what comes back, and what a server turns out to be able to do."""

from dataclasses import replace

import pytest
from pydantic import BaseModel, Field, SecretStr

from ai_clients.base import Prompt, PromptFile, Transcript
from ai_clients.errors import Refused
from ai_clients.openai_compatible.client import Server
from ai_clients.openai_compatible.model import OpenAIModel, said
from memory.shared_files.prompt import Seen
from tests import openai_faults as faults
from tests.openai_server import ALL, KEY, OpenAIServer, data_of, files_of, rules_of
from tests.sample_files import VOICE, png_of

PROMPT = Prompt("Be brief.", "What is <tea>?")
STEADY = Prompt("Be brief.", "What is <tea>?", is_steady=True)
PICTURE = Prompt("Describe it.", "here", files=(PromptFile("image/png", png_of("CATS")),))
RECORDING = Prompt("Write it down.", "here", files=(PromptFile("audio/ogg", VOICE),))
SECONDS = 60.0


class Tea(BaseModel):
    name: str
    minutes: int = Field(ge=0)


GREEN = '{"name": "green", "minutes": 2}'


@pytest.fixture
def model(openai: OpenAIServer, server: Server) -> OpenAIModel:
    openai.says = lambda _: GREEN
    return OpenAIModel("good", server, SECONDS)


async def test_rules_and_data_go_apart_and_the_reply_comes_with_its_cost(
    openai: OpenAIServer, model: OpenAIModel
) -> None:
    reply = await model.generate_as(PROMPT, Tea)
    [body] = openai.requests
    assert (body["model"], data_of(body)) == ("good", PROMPT.data)
    assert rules_of(body).startswith(PROMPT.rules)
    assert (reply.value, reply.model) == (Tea(name="green", minutes=2), "openai:good")
    assert (reply.usage.tokens_in, reply.usage.tokens_out, reply.usage.is_estimated) == (11, 7, False)
    assert openai.headers[0]["Authorization"] == f"Bearer {KEY}"


async def test_a_server_that_does_not_count_is_counted_for(openai: OpenAIServer, model: OpenAIModel) -> None:
    openai.counts = False
    reply = await model.generate_as(PROMPT, Tea)
    assert reply.usage.is_estimated
    assert reply.usage.tokens_in > 0
    assert reply.usage.tokens_out > 0


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>Hm, tea. A < b?</think>\n\nLeaves.", "Leaves."),
        ("  <THINKING>Hm</thinking>Leaves.", "Leaves."),
        ("Hm, tea.\n</think>\nLeaves.", "Leaves."),
        ("The mark </think> ends thinking.", "The mark </think> ends thinking."),
        ("Leaves. <think>not first</think>", "Leaves. <think>not first</think>"),
        ("<thing>", "<thing>"),
    ],
)
def test_thinking_aloud_is_no_part_of_an_answer(text: str, answer: str) -> None:
    assert said(text) == answer


@pytest.mark.parametrize(
    ("refused", "bounds"),
    [
        ((), ["max_tokens", "max_tokens"]),
        (("max_tokens",), ["max_tokens", "max_completion_tokens", "max_completion_tokens"]),
        (("max_tokens", "max_completion_tokens"), ["max_tokens", "max_completion_tokens", None, None]),
    ],
)
async def test_the_longest_reply_is_told_in_the_way_that_is_taken(
    openai: OpenAIServer, model: OpenAIModel, refused: tuple[str, ...], bounds: list[str | None]
) -> None:
    openai.takes = ALL.difference(refused)
    for _ in range(2):
        await model.generate_as(replace(PROMPT, most_tokens=77), Tea)
    told = [
        next((name for name in ("max_tokens", "max_completion_tokens") if name in body), None)
        for body in openai.requests
    ]
    assert told == bounds
    assert all(body[name] == 77 for body, name in zip(openai.requests, told, strict=True) if name is not None)


async def test_where_rules_cannot_stand_apart_they_go_first(openai: OpenAIServer, model: OpenAIModel) -> None:
    openai.takes = ALL - {"system role"}
    for _ in range(2):
        await model.generate_as(PROMPT, Tea)
    rules = rules_of(openai.requests[0])
    assert [rules_of(body) for body in openai.requests[1:]] == ["", ""]
    assert rules.startswith(PROMPT.rules)
    assert data_of(openai.requests[-1]) == f"{rules}\n\n{PROMPT.data}"


@pytest.mark.parametrize("names_it", [True, False])
@pytest.mark.parametrize(
    ("refused", "forms"),
    [
        (set(), ["json_schema", "json_schema"]),
        ({"json_schema"}, ["json_schema", "json_object", "json_object"]),
        ({"json_schema", "json_object"}, ["json_schema", "json_object", None, None]),
        ({"json_schema", "json_object", "temperature"}, None),
    ],
)
async def test_the_surest_form_that_is_taken_is_found_once(
    openai: OpenAIServer, server: Server, refused: set[str], forms: list[str | None] | None, names_it: bool
) -> None:
    openai.takes, openai.names_what_it_refuses = ALL - refused, names_it
    openai.says = lambda data: f"Here you are:\n```json\n{GREEN}\n```" if "json_object" in refused else GREEN
    for _ in range(2):
        # Another object of the same model: what was found out belongs to the server.
        shaped = await OpenAIModel("good", server, SECONDS).generate_as(STEADY, Tea)
        assert shaped.value == Tea(name="green", minutes=2)
    asked = [body.get("response_format", {}).get("type") for body in openai.requests]
    if forms is not None:
        assert asked == forms
    else:
        assert asked[-2:] == [None, None]
        assert "temperature" not in openai.requests[-1]
    assert all("JSON" in rules_of(body) and '"minutes"' in rules_of(body) for body in openai.requests)
    assert all(data_of(body) == STEADY.data for body in openai.requests)


async def test_nothing_is_learnt_from_a_prompt_that_is_refused_whatever_is_left_out(
    openai: OpenAIServer, model: OpenAIModel
) -> None:
    openai.fault = faults.answering(400)
    with pytest.raises(Refused):
        await model.generate_as(STEADY, Tea)
    assert len(openai.requests) == 4
    openai.fault, openai.says = None, lambda data: GREEN
    await model.generate_as(STEADY, Tea)
    assert openai.requests[-1]["response_format"]["type"] == "json_schema"
    assert openai.requests[-1]["temperature"] == 0.0


@pytest.mark.parametrize("code", ["context_length_exceeded", "content_filter"])
async def test_a_refusal_that_says_why_is_not_asked_again(openai: OpenAIServer, model: OpenAIModel, code: str) -> None:
    openai.fault = faults.answering(400, code=code)
    with pytest.raises(Refused):
        await model.generate_as(STEADY, Tea)
    assert len(openai.requests) == 1


async def test_a_server_without_a_key_gets_none_of_the_environment(
    openai: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    openai.says = lambda _: GREEN
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-another")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    server = openai.as_server("ollama", key=None)
    assert (await OpenAIModel("good", server, SECONDS).generate_as(PROMPT, Tea)).model == "ollama:good"
    await server.close()
    assert "of-another" not in str(openai.headers)


def test_an_address_is_named_without_its_password() -> None:
    server = Server("https://me:hunter2@models.example:8443/v1", SecretStr("k"), "openai")
    assert server.naming("m") == "m at models.example:8443 (openai)"


@pytest.mark.parametrize("key", ["schlüssel", "a\nb"])
def test_a_key_that_cannot_be_one_is_said_without_repeating_it(key: str) -> None:
    with pytest.raises(ValueError, match="characters that no key has") as raised:
        Server("http://127.0.0.1:1/v1", SecretStr(key), "openai")
    assert key not in str(raised.value)


async def test_a_picture_goes_along_and_a_recording_by_the_route_for_it(
    openai: OpenAIServer, model: OpenAIModel
) -> None:
    openai.says = lambda _: '{"description": "A cat.", "words": ""}'
    assert (await model.generate_as(PICTURE, Seen)).value.description == "A cat."
    assert files_of(openai.requests[0]) == [("image/png", png_of("CATS"))]
    openai.says = lambda _: "the key hangs here"
    heard = await model.generate_as(RECORDING, Transcript)
    assert heard.value.words == "the key hangs here"
    assert openai.requests[-1] == {"model": "good", "name": "voice.ogg", "sound": VOICE}
    with pytest.raises(Refused):
        await model.generate_as(RECORDING, Seen)


async def test_a_model_that_does_not_see_says_so_at_once_and_serves_on(
    openai: OpenAIServer, model: OpenAIModel
) -> None:
    openai.takes = ALL - {"image input"}
    with pytest.raises(Refused, match="does not see"):
        await model.generate_as(PICTURE, Seen)
    assert len(openai.requests) == 1
    assert (await model.generate_as(PROMPT, Tea)).value.name == "green"
