"""The REST API as one ASGI application: routes, rate-limit headers, faults, and errors as Discord words them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

from local_guild.rest import (
    channels,
    commands,
    guilds,
    interaction_answers,
    interactions,
    messages,
    reactions,
    threads,
    users,
)
from local_guild.rest.call import Call, Endpoint, Endpoints, Handler
from local_guild.rest.errors import ApiError
from local_guild.state.ids import encode

if TYPE_CHECKING:
    from local_guild.parts import Parts

# The first match answers: paths with a fixed part stand before those with a name in its place.
RESOURCES: tuple[Endpoints, ...] = (
    reactions.endpoints,
    messages.endpoints,
    threads.endpoints,
    channels.endpoints,
    guilds.endpoints,
    users.endpoints,
    commands.endpoints,
    interactions.endpoints,
    interaction_answers.endpoints,
)
# Calls that Discord does not have, for clients that play a member; served under /local.
LOCAL_RESOURCES: tuple[Endpoints, ...] = (
    commands.local_endpoints,
    interactions.local_endpoints,
    users.local_endpoints,
)


ANY_METHOD = ("GET", "POST", "PUT", "PATCH", "DELETE")


def json_response(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """With exactly `application/json`: discord.py takes anything else for text."""
    return Response(encode(body), status, headers, media_type="application/json")


def build(server: Parts) -> Router:
    routes = [*_routes(server, RESOURCES), Route("/{path:path}", _unknown_route, methods=ANY_METHOD)]
    return Router(routes, redirect_slashes=False)


def local_routes(server: Parts) -> list[Route]:
    return list(_routes(server, LOCAL_RESOURCES))


def _routes(server: Parts, resources: tuple[Endpoints, ...]) -> Iterator[Route]:
    for resource in resources:
        for endpoint in resource:
            yield route(server, endpoint.method, endpoint.path, endpoint.handler)


def route(server: Parts, method: str, path: str, handler: Handler) -> Route:
    return Route(path, _answering(server, Endpoint(method, path, handler)), methods=[method])


def _answering(server: Parts, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        call = Call(server, request)
        limited = server.rate_limits.take(_bucket(call, endpoint))
        if limited.exceeded:
            return json_response(limited.body(), 429, limited.headers())
        try:
            result = await endpoint.handler(call)
            # An answer is a promise: what it confirms must survive the death of this process.
            await server.saved()
        except ApiError as error:
            return json_response(error.body, error.status, limited.headers())
        if isinstance(result, Response):
            return result
        if result is None:
            return Response(status_code=204, headers=limited.headers())
        return json_response(result, headers=limited.headers())

    return answer


def _bucket(call: Call, endpoint: Endpoint) -> str:
    """Discord counts per route and per channel or guild, for each caller."""
    params = call.request.path_params
    major = params.get("channel_id") or params.get("guild_id") or ""
    caller = call.caller_or_none
    return f"{caller.id if caller else 0}:{endpoint.method}:{endpoint.path}:{major}"


async def _unknown_route(request: Request) -> Response:
    return json_response({"message": "404: Not Found", "code": 0}, 404)
