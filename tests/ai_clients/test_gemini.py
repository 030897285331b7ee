"""The model check of `doctor`, through the real SDK against a loopback server that speaks the wire format."""

import socket
from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from aiohttp.test_utils import BaseTestServer, TestServer
from pydantic import SecretStr

from ai_clients.building import check_models
from ai_clients.settings import ModelOptions

KEY = "test-key-never-real"


def _error(code: int) -> web.Response:
    return web.json_response({"error": {"code": code, "message": "no", "status": "X"}}, status=code)


@pytest.fixture
async def gemini() -> AsyncIterator[BaseTestServer]:
    """Knows one model; the name of any other asks for the answer it gets: `answers-429`."""

    async def get_model(request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if request.headers.get("x-goog-api-key") != KEY:
            return _error(403)
        if name.startswith("answers-"):
            return _error(int(name.removeprefix("answers-")))
        return web.json_response({"name": f"models/{name}", "displayName": name})

    app = web.Application()
    app.router.add_get("/{version}/models/{name}", get_model)
    async with TestServer(app) as server:
        yield server


def _options(server: BaseTestServer, **changes: str) -> ModelOptions:
    return ModelOptions.model_validate(
        {
            "GEMINI_API_KEY": SecretStr(KEY),
            "GOOGLE_GEMINI_BASE_URL": str(server.make_url("/")),
            "ANSWER_MODELS": "good",
            "SUMMARISE_MODELS": "good",
            "SMALL_MODELS": "good",
            "EMBED_MODELS": "good",
            **changes,
        }
    )


async def test_a_model_that_answers_is_asked_once_for_all_its_purposes(gemini: BaseTestServer) -> None:
    (check,) = await check_models(_options(gemini))
    assert check.answers
    assert check.purposes == ("answer", "summarise", "small", "embed")


@pytest.mark.parametrize(
    ("code", "says", "remedy"),
    [
        (404, "no model answers-404", "SMALL_MODELS"),
        (403, "refused", "GEMINI_API_KEY"),
        (429, "quota", "quota"),
        (503, "503", "later"),
    ],
)
async def test_a_model_that_fails_comes_with_its_remedy(
    gemini: BaseTestServer, code: int, says: str, remedy: str
) -> None:
    checks = await check_models(_options(gemini, SMALL_MODELS=f"answers-{code}"))
    (bad,) = [check for check in checks if not check.answers]
    assert says in bad.says
    assert bad.remedy is not None
    assert remedy in bad.remedy


async def test_an_api_out_of_reach_is_said_as_such(gemini: BaseTestServer) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
    (check,) = await check_models(_options(gemini, GOOGLE_GEMINI_BASE_URL=address))
    assert not check.answers
    assert "could not be reached" in check.says


async def test_without_a_key_nothing_is_asked() -> None:
    assert await check_models(ModelOptions.model_validate({"GEMINI_API_KEY": None})) == []
