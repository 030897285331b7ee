"""The control API under /local/: what `Control` can do, over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

from local_guild.rest.app import json_response, local_routes

if TYPE_CHECKING:
    from local_guild.server import LocalGuild


def build(server: LocalGuild) -> Router:
    async def world(request: Request) -> Response:
        return json_response(await server.control.world())

    routes = [Route("/world", world, methods=["GET"]), *local_routes(server)]
    return Router(routes, redirect_slashes=False)
