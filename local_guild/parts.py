"""Composes everything a local guild is made of, once: what its REST calls and its control work with."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from pathlib import Path

from cachetools import TTLCache

from local_guild.actions.guilds import Membership, Places, Threads
from local_guild.actions.interactions import ApplicationCommands, Interactions
from local_guild.actions.posting import Posting, ThreadSeats
from local_guild.actions.realm import Realm
from local_guild.faults import Faults
from local_guild.gateway.sessions import EventFaults, Hub, Sessions
from local_guild.gateway.socket import Gateway, Greeter
from local_guild.payloads import Payloads
from local_guild.sample_week import SampleWeek
from local_guild.state.file import StateFile
from local_guild.state.ids import Clock, JsonObject, Snowflakes
from local_guild.state.messages import AttachmentFiles
from local_guild.state.permissions import Access
from local_guild.state.world import World

# Rate limits: what each bucket has left, told in every answer's headers and enforced with 429.


# So wide that play and tests never meet it; the control API narrows it to what Discord allows.
DEFAULT_LIMIT, DEFAULT_SECONDS = 2000, 1.0
MOST_WINDOWS = 1000


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
        wait = round(self.reset_after, 3)
        return {"message": "You are being rate limited.", "retry_after": wait, "global": False}


class RateLimits:
    def __init__(self) -> None:
        self.set()

    def set(self, limit: int = DEFAULT_LIMIT, seconds: float = DEFAULT_SECONDS) -> None:
        self._limit, self._seconds = limit, seconds
        self._windows: TTLCache[str, list[float]] = TTLCache(MOST_WINDOWS, seconds)
        """By bucket: when each request of its window came."""

    def take(self, key: str) -> Allowance:
        now = time.monotonic()
        window = self._windows.setdefault(key, [])
        exceeded = len(window) >= self._limit
        if not exceeded:
            window.append(now)
        return Allowance(
            bucket=hashlib.blake2s(key.encode(), digest_size=16).hexdigest(),
            limit=self._limit,
            remaining=self._limit - len(window),
            reset_after=max(0.001, window[0] + self._seconds - now),
            exceeded=exceeded,
        )


ATTACHMENTS_FOLDER = "attachments"


class Parts:
    def __init__(self, world: World, state: StateFile, folder: Path, clock: Clock) -> None:
        self.world = world
        self.clock = clock
        self.ids = Snowflakes(clock)
        self.attachments_folder = folder / ATTACHMENTS_FOLDER
        self.access = Access(world)
        self.payloads = Payloads(world, self.access)
        self.sessions = Sessions()
        self.event_faults = EventFaults()
        self.hub = Hub(world, self.access, self.sessions, self.event_faults)
        self.realm = Realm(world, clock, self.ids, self.access, self.hub, self.payloads)
        self.seats = ThreadSeats(self.realm)
        self.posting = Posting(self.realm, self.seats)
        self.files = AttachmentFiles(self.attachments_folder)
        self.posting.on_gone = self.files.drop
        self.threads = Threads(self.realm, self.posting, self.seats)
        self.places = Places(self.realm, self.sessions)
        self.greeter = Greeter(world, self.hub, self.payloads)
        self.membership = Membership(self.realm, self.places, self.greeter, self.posting)
        self.commands = ApplicationCommands(self.realm)
        self.interactions = Interactions(self.realm)
        self.sample_week = SampleWeek(self.realm, self.posting, self.commands, self.interactions)
        self.faults = Faults()
        self.rate_limits = RateLimits()
        self.gateway = Gateway(world, self.sessions, self.greeter, self.faults)
        self._state = state

    @property
    def gateway_url(self) -> str:
        return f"{self.payloads.base_url.replace('http', 'ws', 1)}/gateway"

    async def saved(self) -> None:
        """Save whatever has happened so far, so that it survives the death of this process."""
        self._state.save()
