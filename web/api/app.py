"""The API as an application of its own, so that its document tells of it alone and its problems are told its way."""

from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Receive, Scope, Send

from memory.core.version import VERSION
from web.api import asking, guild, memories
from web.api.caller import NOT_FOUND, Desk, Problem
from web.api.examples import with_examples
from web.guard import API, Buckets, Doors, problem

DOCUMENT = "/api/openapi.json"
_PROBLEMS = {
    401: "No key, or one that opens nothing",
    403: "Not for you, or not with this token",
    404: "Nothing that you may see",
    409: "Changed meanwhile, or not possible now",
    412: "Not the version that If-Match names",
    415: "No JSON",
    422: "Not understood",
    429: "Too often; Retry-After says for how long to wait",
    500: "Unexpected",
    503: "The memory or the bot is away",
}
_ABOUT = """All that a member may see and do on Discord, with a token that they make on the panel. It sees what they
can read at this moment, in the one server it was made in; what one may not see answers like what is not there.
Ids are strings, times are UTC (ISO 8601). Lists come in pages: send `next` as `cursor`. Requests of one key are
limited (429 with Retry-After). A delete can be undone for a day; an erasure cannot."""


class Api(BaseRoute):
    """Takes all requests to the API's paths."""

    def __init__(self, doors: Doors, buckets: Buckets | None = None) -> None:
        responses: dict[int | str, dict[str, Any]] = {
            status: {"model": Problem, "description": said} for status, said in _PROBLEMS.items()
        }
        app = self.app = FastAPI(
            title="Innkeeper",
            version=VERSION,
            description=_ABOUT,
            openapi_url=DOCUMENT,
            docs_url=None,
            redoc_url=None,
            redirect_slashes=False,
        )
        app.state.desk = Desk(doors, buckets or Buckets())
        for router in (memories.router, guild.router, asking.router, memories.of_old, guild.of_old):
            app.include_router(router, responses=responses)
        app.add_exception_handler(HTTPException, _nowhere)
        document = with_examples(_with_problems(app.openapi()))
        app.openapi = lambda: document  # type: ignore[method-assign] # as FastAPI has it done
        self.routes = app.routes

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        is_ours = scope["type"] == "http" and scope["path"].startswith(API)
        return (Match.FULL if is_ours else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:  # noqa: ANN401 - as Starlette has it
        raise NoMatchFound(name, path_params)


async def _nowhere(_: Request, error: Exception) -> Response:
    """No path, or no method of it."""
    if isinstance(error, HTTPException) and error.status_code == 405:
        return problem(405, "This cannot be done here.", dict(error.headers or {}))
    return problem(404, NOT_FOUND)


def _with_problems(document: dict[str, Any]) -> dict[str, Any]:
    """FastAPI would say that they are plain JSON."""
    for path in document["paths"].values():
        for operation in path.values():
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    answer["content"] = {"application/problem+json": answer["content"].pop("application/json")}
    return document
