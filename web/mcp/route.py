"""The tools over HTTP, beside the API and the panel."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Receive, Scope, Send

from web.guard import LONGEST_BODY, MCP, problem
from web.mcp.tools import SECONDS, Api, mcp_server


class McpRoute(BaseRoute):
    """Takes all requests to `/mcp`, each by itself: there are no sessions that somebody could take over."""

    def __init__(self, api: Any) -> None:  # noqa: ANN401 - an ASGI application
        """`api`: the application of the API behind its guard."""
        http = httpx.AsyncClient(transport=httpx.ASGITransport(api), base_url="http://innkeeper", timeout=SECONDS)
        self.server = mcp_server(Api(http))
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

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return (Match.FULL if scope["type"] == "http" and scope["path"] == MCP else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.lower(): value for name, value in scope["headers"]}
        if not headers.get(b"authorization", b"").lower().startswith(b"bearer "):
            said = "Send a token (Authorization: Bearer …): members make one on the panel, under Access."
            await problem(401, said, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:  # noqa: ANN401 - as Starlette has it
        raise NoMatchFound(name, path_params)
