"""Builds the API as an application of its own, so that its document tells of it alone and problems are told its way;
beside it, its routes serve assistants as tools."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from fastapi import FastAPI
from mcp.server.transport_security import TransportSecuritySettings
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Receive, Scope, Send

from memory.core.version import VERSION
from web.api import asking, guild, memories
from web.api.caller import NOT_FOUND, Desk, Problem
from web.api.examples import with_examples
from web.guard import API, LONGEST_BODY, MCP, Buckets, Doors, problem
from web.mcp_tools import SECONDS, mcp_server
from web.mcp_tools import Api as ApiCaller

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


class _Paths(BaseRoute):
    """Takes all requests to some paths."""

    def takes(self, path: str) -> bool:
        raise NotImplementedError

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return (Match.FULL if scope["type"] == "http" and self.takes(scope["path"]) else Match.NONE), {}

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:  # noqa: ANN401 - as Starlette has it
        raise NoMatchFound(name, path_params)


class Api(_Paths):
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

    def takes(self, path: str) -> bool:
        return path.startswith(API)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


class McpRoute(_Paths):
    """Takes all requests to `/mcp`, each by itself: there are no sessions that somebody could take over."""

    def __init__(self, api: Any) -> None:  # noqa: ANN401 - an ASGI application
        """Serve the tools over HTTP; `api` is the application of the API behind its guard."""
        http = httpx.AsyncClient(transport=httpx.ASGITransport(api), base_url="http://innkeeper", timeout=SECONDS)
        self.server = mcp_server(ApiCaller(http))
        # Nobody gets far without a token, so that it is no matter by which name of this machine they ask.
        security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        self._app = self.server.streamable_http_app(
            streamable_http_path=MCP,
            json_response=True,
            stateless_http=True,
            max_request_body_size=LONGEST_BODY,
            transport_security=security,
        )

    @asynccontextmanager
    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        async with self.server.session_manager.run():
            yield

    def takes(self, path: str) -> bool:
        return path == MCP

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.lower(): value for name, value in scope["headers"]}
        if not headers.get(b"authorization", b"").lower().startswith(b"bearer "):
            said = "Send a token (Authorization: Bearer …): members make one on the panel, under Access."
            await problem(401, said, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
            return
        await self._app(scope, receive, send)


async def _nowhere(_: Request, error: Exception) -> Response:
    """Answer with a problem where there is no such path, or no such method of it."""
    if isinstance(error, HTTPException) and error.status_code == 405:
        return problem(405, "This cannot be done here.", dict(error.headers or {}))
    return problem(404, NOT_FOUND)


def _with_problems(document: dict[str, Any]) -> dict[str, Any]:
    """Mark errors in the document as `application/problem+json`: FastAPI would say that they are plain JSON."""
    for path in document["paths"].values():
        for operation in path.values():
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    answer["content"] = {"application/problem+json": answer["content"].pop("application/json")}
    return document
