"""Rate limits: what each bucket has left, told in every answer's headers and enforced with 429."""

import hashlib
import time
from dataclasses import dataclass

from local_guild.wire import JsonObject

# So wide that play and tests never meet it; the control API narrows it to what Discord allows.
DEFAULT_LIMIT, DEFAULT_SECONDS = 2000, 1.0
# What people report of edits of messages older than an hour, in one channel. Discord says that there is such a limit
# (its code 30046), and not which.
OLD_EDITS_LIMIT, OLD_EDITS_SECONDS = 3, 20.0


@dataclass(slots=True)
class _Window:
    started: float
    seconds: float
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

    def take(self, key: str, *, is_old_edit: bool = False) -> Allowance:
        """`is_old_edit`: of a message older than an hour, which is limited more narrowly, unless nothing is."""
        now, limit, seconds = time.monotonic(), self.limit, self.seconds
        if is_old_edit and limit < DEFAULT_LIMIT:
            key, limit, seconds = f"{key}:old", OLD_EDITS_LIMIT, OLD_EDITS_SECONDS
        window = self._windows.get(key)
        if window is None or now - window.started >= window.seconds:
            self._forget_old(now)
            window = self._windows[key] = _Window(now, seconds)
        exceeded = window.used >= limit
        if not exceeded:
            window.used += 1
        return Allowance(
            bucket=hashlib.blake2s(key.encode(), digest_size=16).hexdigest(),
            limit=limit,
            remaining=limit - window.used,
            reset_after=max(0.001, window.started + seconds - now),
            exceeded=exceeded,
        )

    def _forget_old(self, now: float) -> None:
        if len(self._windows) > 1000:
            self._windows = {k: w for k, w in self._windows.items() if now - w.started < w.seconds}
