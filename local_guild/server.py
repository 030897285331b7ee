"""Holds the local guild as one object: a world with its state file, and routes that serve it to this machine alone."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route, Router, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from local_guild import control
from local_guild.parts import Parts
from local_guild.rest import commands, events, guilds, interaction_answers, interactions, messages, threads
from local_guild.rest.call import route, troubled_route, unknown_route
from local_guild.state.describe import default_world
from local_guild.state.ids import Clock
from local_guild.state.world import StateFile, World

STATE_FILE = "world.sqlite3"
RESOURCES = (messages, threads, guilds, events, commands, interactions, interaction_answers)
# Calls that Discord does not have, for clients that play a member.
LOCAL_RESOURCES = (commands, interactions, guilds)
ANY_METHOD = ("GET", "POST", "PUT", "PATCH", "DELETE")

# Loopback callers, a loopback Host, and no foreign pages: a page on the web can make a browser call 127.0.0.1, and a
# hostile name server can make its own name point there. The first is told by `Origin`, the second by `Host`.

READING = frozenset({"GET", "HEAD", "OPTIONS"})


class NotLoopbackError(ValueError):
    def __init__(self, host: str) -> None:
        super().__init__(f"The local guild serves this machine only: use 127.0.0.1, not {host}.")


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def require_loopback(host: str) -> None:
    if not is_loopback(host):
        raise NotLoopbackError(host)


def objection_to(scope: Scope) -> str | None:
    """Say why this request is not answered; None when it may pass."""
    client = scope.get("client")
    if client is None or not is_loopback(client[0]):
        return "The local guild answers callers on this machine only."
    headers = Headers(scope=scope)
    host = urlsplit(f"//{headers.get('host', '')}").hostname
    if host is None or not is_loopback(host):
        return "The local guild is reached by a loopback address only."
    changes = scope["type"] == "websocket" or scope["method"] not in READING
    if changes and not _same_origin(headers):
        return "The local guild takes no requests from other sites."
    return None


def _same_origin(headers: Mapping[str, str]) -> bool:
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


class Guarded:
    """Guards an ASGI application by the rules above; `on_host` learns by which name it is reached."""

    def __init__(self, app: ASGIApp, on_host: Callable[[str], None]) -> None:
        self._app = app
        self._on_host = on_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        objection = objection_to(scope)
        if objection is None:
            self._on_host(Headers(scope=scope)["host"])
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(1008, objection)
        else:
            await PlainTextResponse(objection, 403)(scope, receive, send)


class LocalGuild(Parts):
    """Runs a local guild: `open` it, serve its `routes`, pull its strings by `control`, and `close` it."""

    def __init__(self, world: World, state: StateFile, folder: Path, clock: Clock) -> None:
        super().__init__(world, state, folder, clock)
        self.control = control.Control(self)

    @classmethod
    def open(cls, folder: Path, *, clock: Clock | None = None, world: World | None = None) -> LocalGuild:
        """Open the world kept in `folder`; where there is none yet, the one given, or the default."""
        clock = clock or Clock()
        state = StateFile(folder / STATE_FILE)
        known = state.load()
        if known is None:
            known = world or default_world(clock)
            for entity in known.entities():
                state.keep(entity)
        known.attach(state)
        server = cls(known, state, folder, clock)
        server.posting.recall_nonces()
        server.files.keep_only(known.messages())
        return server

    async def close(self) -> None:
        self.gateway.drop_sockets(1001)
        self.files.keep_only(self.world.messages())
        self._state.close()

    def member_of(self, token: str, guild_id: int) -> int | None:
        """Find the member whose token it is, if that is a person in this guild."""
        user = self.world.user_of_token(token)
        return user.id if user is not None and not user.bot and user.id in self.world.members(guild_id) else None

    def routes(self) -> list[BaseRoute]:
        """List the routes to serve at the root of a loopback port, beside whatever other pages there are."""
        api = [troubled_route(self, endpoint) for resource in RESOURCES for endpoint in resource.endpoints]
        api.append(Route("/{path:path}", unknown_route, methods=ANY_METHOD))
        local = [*control.endpoints, *(one for resource in LOCAL_RESOURCES for one in resource.local_endpoints)]
        files = ("GET", "/{attachment_id}/{filename}", messages.download)
        gateway = self._guarded(self._serve_socket)
        return [
            Mount("/api/v10", app=self._guarded(Router(api, redirect_slashes=False))),
            Mount("/local", app=self._guarded(Router([route(self, one) for one in local], redirect_slashes=False))),
            Mount("/attachments", app=self._guarded(Router([route(self, files)]))),
            WebSocketRoute("/gateway", gateway),
            WebSocketRoute("/gateway/", gateway),
        ]

    def _guarded(self, app: ASGIApp) -> Guarded:
        return Guarded(app, self._reached_by)

    def _reached_by(self, host: str) -> None:
        """Have links to files and to the gateway lead where this server was last found."""
        self.payloads.base_url = f"http://{host}"

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.gateway.serve(WebSocket(scope, receive, send))
