"""Makes trouble on demand for REST and the gateway's doors: 429, 500, hanging, refused resumes, being down."""

import asyncio
import re
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from local_guild.state.ids import JsonObject, encode


class RestTrouble(BaseModel):
    """Hits the next `requests`, or all for `seconds`, whose method and path match `path`."""

    kind: Literal["rate_limit", "error", "hang", "unanswered"]
    """`unanswered`: what was asked for is done, and whoever asked is not told, as `hang` holds."""
    requests: int | None = Field(default=None, gt=0, description="how many requests are hit")
    seconds: float | None = Field(default=None, gt=0, description="for how long requests are hit")
    path: str = Field(default="", description="regular expression searched in 'METHOD /path'")
    status: int = Field(default=500, ge=400, le=599, description="what `error` answers")
    retry_after: float = Field(default=0.5, ge=0, description="what `rate_limit` tells the client to wait")
    hang_seconds: float = Field(
        default=30.0, gt=0, description="how long `hang` and `unanswered` hold before they answer 504"
    )

    model_config = ConfigDict(extra="forbid")

    @field_validator("path")
    @classmethod
    def _compiles(cls, path: str) -> str:
        try:
            re.compile(path)
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from None
        return path


@dataclass(slots=True)
class _Active:
    trouble: RestTrouble
    left: int | None
    until: float | None

    def is_over(self, now: float) -> bool:
        return self.left == 0 or (self.until is not None and now >= self.until)


class Faults:
    def __init__(self) -> None:
        self._active: list[_Active] = []
        self._resumes_to_refuse = 0
        self.is_down = False

    def trouble_rest(self, trouble: RestTrouble) -> None:
        now = asyncio.get_running_loop().time()
        until = None if trouble.seconds is None else now + trouble.seconds
        left = 1 if trouble.requests is None and until is None else trouble.requests
        self._active.append(_Active(trouble, left, until))

    def refuse_resumes(self, count: int) -> None:
        self._resumes_to_refuse = count

    def refuses_resume(self) -> bool:
        if self._resumes_to_refuse > 0:
            self._resumes_to_refuse -= 1
            return True
        return False

    def clear(self) -> None:
        self._active.clear()
        self._resumes_to_refuse = 0
        self.is_down = False

    def for_request(self, method: str, path: str) -> RestTrouble | None:
        now = asyncio.get_running_loop().time()
        self._active = [active for active in self._active if not active.is_over(now)]
        for active in self._active:
            if re.search(active.trouble.path, f"{method} {path}"):
                if active.left is not None:
                    active.left -= 1
                return active.trouble
        return None


class Troubled:
    """Serves the REST application with the troubles that are on."""

    def __init__(self, app: ASGIApp, faults: Faults) -> None:
        self._app = app
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._faults.is_down:
            await _answer(503, {"message": "503: Service Unavailable", "code": 0})(scope, receive, send)
            return
        trouble = self._faults.for_request(scope["method"], scope["path"])
        if trouble is None:
            await self._app(scope, receive, send)
        else:
            if trouble.kind == "unanswered":
                await self._app(scope, receive, _into_the_void)
            await (await _response(trouble))(scope, receive, send)


async def _into_the_void(_message: Message) -> None:
    """Lose an answer on its way."""


async def _response(trouble: RestTrouble) -> Response:
    if trouble.kind in ("hang", "unanswered"):
        await asyncio.sleep(trouble.hang_seconds)
        return _answer(504, {"message": "504: Gateway Timeout", "code": 0})
    if trouble.kind == "error":
        return _answer(trouble.status, {"message": f"{trouble.status}: on demand", "code": 0})
    headers = {
        "Retry-After": f"{trouble.retry_after:.3f}",
        "X-RateLimit-Scope": "user",
        "X-RateLimit-Limit": "5",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset-After": f"{trouble.retry_after:.3f}",
    }
    body: JsonObject = {"message": "You are being rate limited.", "retry_after": trouble.retry_after, "global": False}
    return _answer(429, body, headers)


def _answer(status: int, body: JsonObject, headers: dict[str, str] | None = None) -> Response:
    # Discord's answers pass a proxy; clients take a 429 without `Via` for a ban.
    headers = {"Via": "1.1 local-guild", **(headers or {})}
    return Response(encode(body), status, headers, media_type="application/json")
