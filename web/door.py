"""Who stands before the panel: the cookie of a browser, and what its holder is at this very moment."""

from collections.abc import Callable, Mapping
from http.cookies import CookieError, SimpleCookie

from starlette.responses import Response

from memory.access.values import SESSION_LASTS, Door, KeyKind, Refusal
from memory.manager import MemoryManager

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
        """Of the session, as a browser sent it; nothing if it sent none."""
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
        """Signs the browser in."""
        response.set_cookie(
            self.cookie,
            secret,
            max_age=int(SESSION_LASTS.total_seconds()),
            path="/",
            secure=self.is_tls,
            httponly=True,
            samesite="lax",
        )
