"""Makes trouble on demand for REST and the gateway's doors: 429, 500, hanging, refused resumes, being down."""

import asyncio
import re
import time
from dataclasses import dataclass
from typing import Literal

from cachetools import TTLCache
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from local_guild.state.ids import encode


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


async def answer_to(trouble: RestTrouble) -> Response:
    if trouble.kind in ("hang", "unanswered"):
        await asyncio.sleep(trouble.hang_seconds)
        return error_answer(504, "504: Gateway Timeout")
    if trouble.kind == "error":
        return error_answer(trouble.status, f"{trouble.status}: on demand")
    return limited_answer(trouble.retry_after)


def limited_answer(wait: float) -> Response:
    headers = {"Retry-After": f"{wait:.3f}", "X-RateLimit-Scope": "user"}
    return error_answer(429, "You are being rate limited.", headers, retry_after=round(wait, 3))


def error_answer(status: int, message: str, headers: dict[str, str] | None = None, **more: object) -> Response:
    # Discord's answers pass a proxy; clients take a 429 without `Via` for a ban.
    headers = {"Via": "1.1 local-guild", **(headers or {})}
    body = encode({"message": message, "code": 0, **more})
    return Response(body, status, headers, media_type="application/json")


# So wide that play and tests never meet it, unless they narrow it.
DEFAULT_LIMIT, DEFAULT_SECONDS = 2000, 1.0
MOST_WINDOWS = 1000


class RateLimits:
    """Limits how many requests of one kind are answered in a while."""

    def __init__(self) -> None:
        self.set()

    def set(self, limit: int = DEFAULT_LIMIT, seconds: float = DEFAULT_SECONDS) -> None:
        self._limit, self._seconds = limit, seconds
        self._windows: TTLCache[str, list[float]] = TTLCache(MOST_WINDOWS, seconds)
        """When each request of a kind came."""

    def wait(self, kind: str) -> float | None:
        """Count a request; None if it is answered, else how long its caller has to wait."""
        now = time.monotonic()
        window = self._windows.setdefault(kind, [])
        if len(window) < self._limit:
            window.append(now)
            return None
        return max(0.001, window[0] + self._seconds - now)
