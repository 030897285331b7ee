"""Serves the REST API as one ASGI application: routes, rate-limit headers, and errors as Discord words them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

from local_guild.rest import (
    commands,
    events,
    guilds,
    interaction_answers,
    interactions,
    messages,
    polls,
    threads,
    users,
)
from local_guild.rest.call import ApiError, Call, Endpoint
from local_guild.state.ids import encode

if TYPE_CHECKING:
    from local_guild.parts import Parts

# The first match answers: paths with a fixed part stand before those with a name in its place.
RESOURCES = (messages, polls, threads, guilds, events, users, commands, interactions, interaction_answers)
# Calls that Discord does not have, for clients that play a member; served under /local.
LOCAL_ENDPOINTS = (*commands.local_endpoints, *interactions.local_endpoints, *users.local_endpoints)
ANY_METHOD = ("GET", "POST", "PUT", "PATCH", "DELETE")


def build(server: Parts) -> Router:
    routes = [route(server, endpoint) for resource in RESOURCES for endpoint in resource.endpoints]
    return Router([*routes, Route("/{path:path}", _unknown_route, methods=ANY_METHOD)], redirect_slashes=False)


def route(server: Parts, endpoint: Endpoint) -> Route:
    return Route(endpoint[1], _answering(server, endpoint), methods=[endpoint[0]])


def _answering(server: Parts, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    *bucket, handler = endpoint

    async def answer(request: Request) -> Response:
        call = Call(server, request)
        # Discord counts per route and per channel or guild, for each caller.
        major = request.path_params.get("channel_id") or request.path_params.get("guild_id") or ""
        caller = call.caller_or_none
        limited = server.rate_limits.take(f"{caller.id if caller else 0}:{':'.join(bucket)}:{major}")
        if limited.exceeded:
            return _json(limited.body(), 429, limited.headers())
        try:
            result = await handler(call)
            # An answer is a promise: what it confirms must survive the death of this process.
            await server.saved()
        except ApiError as error:
            return _json(error.body, error.status, limited.headers())
        if isinstance(result, Response):
            return result
        if result is None:
            return Response(status_code=204, headers=limited.headers())
        return _json(result, headers=limited.headers())

    return answer


def _json(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Answer with exactly `application/json`: discord.py takes anything else for text."""
    return Response(encode(body), status, headers, media_type="application/json")


async def _unknown_route(request: Request) -> Response:
    return _json({"message": "404: Not Found", "code": 0}, 404)
