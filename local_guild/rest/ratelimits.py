"""Rate limits: what each bucket has left, told in every answer's headers and enforced with 429."""

import hashlib
import time
from dataclasses import dataclass

from local_guild.wire import JsonObject

# So wide that play and tests never meet it; the control API narrows it to what Discord allows.
DEFAULT_LIMIT, DEFAULT_SECONDS = 2000, 1.0


@dataclass(slots=True)
class _Window:
    started: float
    used: int = 0


@dataclass(frozen=True, slots=True)
class Allowance:
    bucket: str
    limit: int
    remaining: int
    reset_after: float
    exceeded: bool

    def headers(self) -> dict[str, str]:
        headers = {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": f"{time.time() + self.reset_after:.3f}",
            "X-RateLimit-Reset-After": f"{self.reset_after:.3f}",
            "X-RateLimit-Bucket": self.bucket,
            # Discord's answers pass a proxy; clients take a 429 without this for a ban.
            "Via": "1.1 local-guild",
        }
        if self.exceeded:
            headers |= {"Retry-After": f"{self.reset_after:.3f}", "X-RateLimit-Scope": "user"}
        return headers

    def body(self) -> JsonObject:
        return {
            "message": "You are being rate limited.",
            "retry_after": round(self.reset_after, 3),
            "global": False,
        }


class RateLimits:
    def __init__(self) -> None:
        self.limit = DEFAULT_LIMIT
        self.seconds = DEFAULT_SECONDS
        self._windows: dict[str, _Window] = {}

    def set(self, limit: int = DEFAULT_LIMIT, seconds: float = DEFAULT_SECONDS) -> None:
        self.limit, self.seconds = limit, seconds
        self._windows.clear()

    def take(self, key: str) -> Allowance:
        now = time.monotonic()
        window = self._windows.get(key)
        if window is None or now - window.started >= self.seconds:
            self._forget_old(now)
            window = self._windows[key] = _Window(now)
        exceeded = window.used >= self.limit
        if not exceeded:
            window.used += 1
        return Allowance(
            bucket=hashlib.blake2s(key.encode(), digest_size=16).hexdigest(),
            limit=self.limit,
            remaining=self.limit - window.used,
            reset_after=max(0.001, window.started + self.seconds - now),
            exceeded=exceeded,
        )

    def _forget_old(self, now: float) -> None:
        if len(self._windows) > 1000:
            self._windows = {k: w for k, w in self._windows.items() if now - w.started < self.seconds}
