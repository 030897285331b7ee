"""Builds the API as an application of its own, so that its document tells of it alone and problems are told its way;
beside it, its routes serve assistants as tools."""

from collections.abc import AsyncIterator, Callable, Mapping
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
from web.api import guild, memories
from web.api.caller import NOT_FOUND, Problem
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

    def __init__(self, takes: Callable[[str], bool]) -> None:
        self._takes = takes

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return (Match.FULL if scope["type"] == "http" and self._takes(scope["path"]) else Match.NONE), {}

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:  # noqa: ANN401 - as Starlette has it
        raise NoMatchFound(name, path_params)


class Api(_Paths):
    """Takes all requests to the API's paths."""

    def __init__(self, doors: Doors, buckets: Buckets | None = None) -> None:
        super().__init__(lambda path: path.startswith(API))
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
        app.state.doors, app.state.buckets = doors, buckets or Buckets()
        for router in (memories.router, guild.router, memories.of_old, guild.of_old):
            app.include_router(router, responses=responses)
        app.add_exception_handler(HTTPException, _nowhere)
        document = _with_examples(_with_problems(app.openapi()))
        app.openapi = lambda: document  # type: ignore[method-assign] # as FastAPI has it done
        self.routes = app.routes

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


class McpRoute(_Paths):
    """Takes all requests to `/mcp`, each by itself: there are no sessions that somebody could take over."""

    def __init__(self, api: Any) -> None:  # noqa: ANN401 - an ASGI application
        """Serve the tools over HTTP; `api` is the application of the API behind its guard."""
        super().__init__(lambda path: path == MCP)
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


# An example of each body and each answer in the document, made of its schema and everyday values.


_MOMENT = "2026-03-02T18:30:00Z"
_MEMBER, _CHANNEL, _MESSAGE = "284746190012153856", "310297841160257536", "1478046531604938752"
_BY_NAME: Mapping[str, object] = {
    "about": _MEMBER,
    "author_id": _MEMBER,
    "change_id": "0195d1c6-6f0a-7c1e-9a4b-3f1f5f6f2a10",
    "channel_id": _CHANNEL,
    "channels": 3,
    "chance": 0.91,
    "cites": [_MESSAGE],
    "counts": {"chat_history": 412, "facts": 9},
    "currency": "EUR",
    "erase": "everything of mine",
    "extract": None,
    "failed": 0,
    "id": _MESSAGE,
    "importance": 5,
    "issues": [],
    "level": 1,
    "link": f"https://discord.com/channels/1/{_CHANNEL}/{_MESSAGE}",
    "may": ["edit", "forget"],
    "member_id": _MEMBER,
    "message_id": _MESSAGE,
    "model": "gemini-3.8-flash",
    "name": "Maren",
    "names": {_MEMBER: "Maren"},
    "next": None,
    "policy": "rolling",
    "purpose": "answer",
    "repeats": False,
    "sections": {"decided": [{"text": "We paint the shed green.", "sources": [], "when": None}]},
    "state": "waiting",
    "tags": ["kitchen"],
    "text": "I take my coffee black",
    "told_by": _MEMBER,
    "username": "maren",
    "version": "9f2b6c1d0a7e4b53",
    "what": "water the plants",
    "why": {"words": 1.2},
    "zone": "Europe/Berlin",
}
_MEMORY_ID = f"{_MEMBER}-{_MESSAGE}-2718281828"
_OF_SCHEMA: Mapping[tuple[str, str], object] = {
    ("MemoryView", "id"): _MEMORY_ID,
    ("MemoryView", "kind"): "told",
    ("MemoryView", "until"): None,
    ("MemoryView", "category"): None,
    ("MemoryView", "expires_at"): None,
    ("GuildHealthView", "state"): "active",
    ("ReminderSent", "when"): "tomorrow at 9",
    ("WhenSent", "when"): "on Friday at 18:00",
    ("ChannelView", "name"): "kitchen",
}
_BY_TYPE: Mapping[str, object] = {"boolean": False, "integer": 12, "number": 0.5, "string": "…", "null": None}
_BY_FORMAT = {"date-time": _MOMENT, "date": "2026-03-02"}


def _with_examples(document: dict[str, Any]) -> dict[str, Any]:
    """Put an example beside the schema of each body that is sent, and of each answer that is no problem."""
    schemas = document["components"]["schemas"]
    for path in document["paths"].values():
        for operation in path.values():
            answers = [answer for status, answer in operation["responses"].items() if int(status) < 400]
            for holder in [operation.get("requestBody"), *answers]:
                for content in [] if holder is None else holder["content"].values():
                    content["example"] = _example(content["schema"], schemas)
    return document


def _example(schema: Mapping[str, Any], schemas: Mapping[str, Any], owner: str = "") -> object:
    if "$ref" in schema:
        owner = schema["$ref"].rpartition("/")[2]
        return _example(schemas[owner], schemas, owner)
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _example(schema["anyOf"][0], schemas, owner)
    if "properties" in schema:
        return {
            name: _OF_SCHEMA.get((owner, name), _BY_NAME.get(name, _example(one, schemas, owner)))
            for name, one in schema["properties"].items()
        }
    if schema.get("type") == "array":
        return [_example(schema["items"], schemas, owner)]
    if schema.get("type") == "object":
        return {"time_zone": "Europe/Berlin"}
    return _BY_FORMAT.get(schema.get("format", ""), _BY_TYPE.get(schema.get("type", "null")))
