"""The local guild is for this machine alone: loopback callers, a loopback Host, and no foreign pages.

A page on the web can make a browser call 127.0.0.1, and a hostile name server can make its own name
point there. The first is told by `Origin`, the second by `Host`.
"""

import ipaddress
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

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
    """An ASGI application behind the rules above; `on_host` learns by which name it is reached."""

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
