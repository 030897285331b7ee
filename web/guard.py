"""Guards every request to the panel and the API before anything of it is read, and finds out who stands before them.

A change on the panel needs a request from our own pages; the API takes a token alone, which no browser sends by itself.
Bodies are small and come soon, and nobody asks without end. A socket of a page is opened and used by the browser that
the page was made for, and by no other: to NiceGUI the id of a page is all it takes.
"""

import asyncio
import hmac
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import date
from hashlib import sha256
from html import escape
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import urlsplit

from cachetools import LRUCache
from fastapi import APIRouter, Request
from nicegui import core
from pydantic import AfterValidator, AwareDatetime
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory.access import LINK_LASTS, SESSION_LASTS, Door, KeyKind, Refusal
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from web.words import Panel, Speech, plain_page, speech_for

# Who stands before the panel: the cookie of a browser, and what its holder is at this very moment.

LONGEST_COOKIES = 8_192


class NotOpenYet(Exception):
    """The memory is not open: its database is starting, or away."""


class Doors:
    def __init__(self, memory: Callable[[], MemoryManager | None], *, is_tls: bool) -> None:
        self._memory = memory
        self.is_tls = is_tls
        self.cookie = "__Host-innkeeper" if is_tls else "innkeeper"
        """Browsers let a name with this prefix be set by nobody but this very host, over TLS."""

    @property
    def memory(self) -> MemoryManager:
        memory = self._memory()
        if memory is None:
            raise NotOpenYet
        return memory

    def secret_in(self, headers: Mapping[str, str]) -> str:
        """Find the secret of the session as a browser sent it; nothing if it sent none."""
        said = headers.get("cookie", "")
        if len(said) > LONGEST_COOKIES:
            return ""
        try:
            sent = SimpleCookie(said).get(self.cookie)
        except CookieError:
            return ""
        return "" if sent is None else sent.value

    async def of_session(self, secret: str) -> Door | Refusal:
        return await self.memory.access.door(secret, KeyKind.SESSION)

    async def of_token(self, secret: str) -> Door | Refusal:
        return await self.memory.access.door(secret, KeyKind.TOKEN)

    def keep(self, response: Response, secret: str) -> None:
        """Sign the browser in."""
        response.set_cookie(
            self.cookie,
            secret,
            max_age=int(SESSION_LASTS.total_seconds()),
            path="/",
            secure=self.is_tls,
            httponly=True,
            samesite="lax",
        )


PANEL = "/panel"
API = ("/api/v1/", "/api/memories", "/api/users", "/api/openapi.json")
MCP = "/mcp"
SOCKET = "/_nicegui_ws"
_PASSED_ON = frozenset(("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"))
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LONGEST_BODY = 65_536
SLOWEST_BODY_SECONDS = 10.0
BURST, A_SECOND = 100, 5.0
"""Requests of one key: so many at once, and so many more each second."""
SOCKET_BURST, SOCKET_A_SECOND = 500, 50.0
"""What the pages of one key send: a page tells of every letter that is typed, and a key held down types forty."""
MOST_KEYS = 10_000
# The framework's start-up script is inline and its templates are compiled in the browser: hence the two exceptions.
CONTENT_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; frame-src 'none'; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'self'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not "no-referrer": a browser would then hide the origin of a form, and nobody could tell who posts.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, headers = scope.get("path", ""), Headers(scope=scope) if "headers" in scope else Headers()
        if path.startswith(SOCKET) and not _is_ours(headers):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            else:
                await problem(403, "Innkeeper's pages talk to Innkeeper alone.")(scope, receive, send)
        elif scope["type"] != "http" or not (path in (PANEL, MCP) or path.startswith((f"{PANEL}/", *API))):
            await self._app(scope, receive, send)
        elif scope["method"] in SAFE:
            await self._app(scope, receive, _with_headers(send))
        elif not path.startswith((*API, MCP)) and not _is_ours(headers):
            await problem(403, "Changes are taken from Innkeeper's own pages.")(scope, receive, send)
        else:
            body = await _body(receive)
            if isinstance(body, bytes):
                await self._app(scope, _again(body, receive), _with_headers(send))
            else:
                await body(scope, receive, send)


async def _body(receive: Receive) -> bytes | JSONResponse:
    """Read all of a body, if it is short and comes soon."""
    body, is_whole = b"", False
    try:
        async with asyncio.timeout(SLOWEST_BODY_SECONDS):
            while not is_whole:
                message = await receive()
                body += message.get("body", b"")
                is_whole = not message.get("more_body", False)
                if len(body) > LONGEST_BODY:
                    return problem(413, f"A request may have {LONGEST_BODY:,} bytes.")
    except TimeoutError:
        return problem(408, f"The request did not come within {SLOWEST_BODY_SECONDS:.0f} seconds.")
    return body


def _again(body: bytes, receive: Receive) -> Receive:
    messages = iter(({"type": "http.request", "body": body, "more_body": False},))

    async def receiving() -> Message:
        return next(messages, None) or await receive()

    return receiving


def is_local(request: Request) -> bool:
    """Say whether a request comes from this machine, by its own name and through nobody else."""
    asker, host = request.client.host if request.client else "", _host(request.headers.get("host", ""))
    return _is_loopback(asker) and _is_loopback(host) and _PASSED_ON.isdisjoint(request.headers.keys())


def _host(named: str) -> str:
    """Read the host a request asks for, without the port; of one that cannot be read Starlette has the server's own."""
    try:
        return urlsplit(f"//{named}").hostname or ""
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _is_ours(headers: Headers) -> bool:
    """Say whether a page of this very host asks. Browsers say where a request comes from; what says nothing is none."""
    if (site := headers.get("sec-fetch-site")) is not None:
        return site == "same-origin"  # knows more than we do: behind a proxy, whether it was asked by TLS
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc == headers.get("host")


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """Answer with a problem as RFC 9457 has it."""
    titles = {
        400: "Bad request",
        401: "Not signed in",
        403: "Not allowed",
        404: "Not found",
        405: "Not here",
        408: "Too slow",
        412: "Changed meanwhile",
        413: "Too large",
    }
    titles |= {409: "Not possible", 415: "Not JSON", 422: "Not understood", 429: "Too many", 503: "Away"}
    body = {"type": "about:blank", "title": titles.get(status, "Problem"), "status": status, "detail": detail}
    return JSONResponse(body, status, {**HEADERS, **(headers or {})}, media_type="application/problem+json")


# The sockets of pages.


class Buckets:
    """Holds a bucket of tokens for each key, in this process."""

    def __init__(
        self, burst: int = BURST, a_second: float = A_SECOND, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst = burst
        self._a_second = a_second
        self._now = now
        self._left: LRUCache[bytes, tuple[float, float]] = LRUCache(MOST_KEYS)

    def wait(self, secret: str) -> float:
        """Take a token of this secret's bucket; return how many seconds to wait for one, 0 if its holder may go on."""
        key, now = sha256(secret.encode()).digest(), self._now()
        left, at = self._left.get(key, (float(self._burst), now))
        left = min(left + (now - at) * self._a_second, self._burst)
        self._left[key] = (left - 1 if left >= 1 else left), now
        return 0.0 if left >= 1 else (1 - left) / self._a_second


Handler = Callable[[str, dict[str, Any]], Awaitable[object] | object]


def guard_sockets(doors: Doors, buckets: Buckets | None = None) -> None:
    """Count what a socket sends for the pages that it opened, whatever page it names. One that sends too much is
    closed; what it has to say for the log is not heard, since anybody could write there without end."""
    limit = buckets or Buckets(SOCKET_BURST, SOCKET_A_SECOND)

    async def may_go_on(sid: str) -> bool:
        cookie = {"cookie": str(core.sio.get_environ(sid).get("HTTP_COOKIE", ""))}
        if not limit.wait(doors.secret_in(cookie) or sid):
            return True
        await core.sio.disconnect(sid)
        return False

    def guarded(handler: Handler, *, opens: bool) -> Handler:
        async def handle(sid: str, message: object = None) -> object:
            if await may_go_on(sid) and isinstance(message, dict):
                # What does not have the parts that a page sends is not from a page of ours.
                with suppress(KeyError, TypeError, ValueError):
                    if opens or message.get("client_id") in core.sio.rooms(sid):
                        done = handler(sid, message)
                        return await done if asyncio.iscoroutine(done) else done
            return None

        return handle

    for name in ("handshake", "event", "javascript_response", "ack"):
        core.sio.on(name, guarded(core.sio.handlers["/"][name], opens=name == "handshake"))
    core.sio.on("log", lambda _sid, *_said: None)


# Signing in: by a link that the bot gave to one, or as the member chosen in the local chat.
#
# A link opens by a press of a button, so that a program which looks at links ahead of people spends none. The button
# works in the browser that opened the page, which carries the same number in a cookie and in its form.


MemberOf = Callable[[str, int], int | None]
"""The member of the local guild that a token belongs to, if they are in that guild."""

_ENTERING = "innkeeper_entering"


def sign_in_routes(doors: Doors, member_of: MemberOf | None) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/panel/enter/{link}")
    async def look_at(link: str, request: Request) -> Response:
        speech = speech_for(request.headers)
        try:
            names = await doors.memory.access.whose(link)
        except (NotOpenYet, StoreError):
            return _refusal(speech, Panel.AWAY, 503)
        if names is None:
            return _refusal(speech, Panel.LINK_SPENT, 410)
        number = secrets.token_urlsafe(16)
        guild, member = map(escape, names)
        body = (
            f"<p>{escape(speech.say(Panel.SIGN_IN_AS, member='{member}', guild='{guild}'))}</p>"
            f'<form method="post"><input type="hidden" name="number" value="{number}">'
            f"<button>{escape(speech.say(Panel.SIGN_IN))}</button></form>"
        )
        answer = plain_page(
            speech,
            speech.say(Panel.SIGN_IN),
            body.replace("{member}", f"<b>{member}</b>").replace("{guild}", f"<b>{guild}</b>"),
        )
        answer.set_cookie(
            _ENTERING,
            number,
            max_age=int(LINK_LASTS.total_seconds()),
            path="/panel/enter",
            secure=doors.is_tls,
            httponly=True,
            samesite="strict",
        )
        return answer

    @router.post("/panel/enter/{link}")
    async def enter(link: str, request: Request) -> Response:
        speech, form = speech_for(request.headers), await request.form()
        number, sent = str(form.get("number", "")), request.cookies.get(_ENTERING, "")
        if not sent or not hmac.compare_digest(number.encode(), sent.encode()):
            return _refusal(speech, Panel.OTHER_BROWSER, 403)
        try:
            before = await doors.of_session(doors.secret_in(request.headers))
            secret = await doors.memory.access.redeem(link)
            if secret is not None and not isinstance(before, str):
                await doors.memory.access.sign_out(before.key)
        except (NotOpenYet, StoreError):
            return _refusal(speech, Panel.AWAY, 503)
        if secret is None:
            return _refusal(speech, Panel.LINK_SPENT, 410)
        answer = RedirectResponse(PANEL, 303)
        doors.keep(answer, secret)
        answer.delete_cookie(_ENTERING, path="/panel/enter")
        return answer

    if member_of is not None:

        @router.post("/panel/local")
        async def enter_locally(request: Request) -> Response:
            """Sign in as the member of the local guild whose token this is; it hands those out on this machine."""
            try:
                guild_id = int((await request.json())["guild_id"])
            except (ValueError, KeyError, TypeError):
                return problem(422, "guild_id is missing.")
            user_id = member_of(request.headers.get("authorization", ""), guild_id)
            if user_id is None:
                return problem(404, "There is no such member.")
            try:
                secret = await doors.memory.access.sign_in(guild_id, user_id)
            except (NotOpenYet, StoreError):
                return problem(503, "The memory is not open yet.")
            answer = JSONResponse({"panel": PANEL})
            doors.keep(answer, secret)
            return answer

    return router


def _refusal(speech: Speech, why: Panel, status: int) -> Response:
    return plain_page(speech, speech.say(Panel.SIGN_IN), escape(speech.say(why)), status)


# How far dates and numbers reach that somebody sends, to the API and to the panel alike. A calendar holds more than
# any time zone can be reckoned in, and a number field holds infinity.


FIRST_DAY, LAST_DAY = date(2015, 1, 1), date(2080, 1, 1)
LARGEST = 2**53


def within(day: date) -> date:
    """Find the nearest day on which something may have been said: before Discord nothing was."""
    return min(max(day, FIRST_DAY), LAST_DAY)


def _within_reach(moment: AwareDatetime) -> AwareDatetime:
    if not FIRST_DAY <= moment.date() <= LAST_DAY:
        raise ValueError(f"a time from {FIRST_DAY.year} to {LAST_DAY.year - 1} is expected")
    return moment


Day = Annotated[date, AfterValidator(within)]
Moment = Annotated[AwareDatetime, AfterValidator(_within_reach)]


def whole(typed: float | None) -> int:
    """Read a number field as a whole number, nothing being zero; what is no number at all is far below every other."""
    return int(min(LARGEST, max(-LARGEST, typed or 0)))
