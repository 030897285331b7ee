"""Keeps gateway sessions: a numbered stream of events for one client, which outlives a lost socket for a while."""

import asyncio
import random
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntFlag

from pydantic import BaseModel, ConfigDict, Field

from local_guild.payloads import without_content
from local_guild.state.ids import JsonObject, encode
from local_guild.state.permissions import Access
from local_guild.state.world import World


class Intent(IntFlag):
    """Lists the intents by which something is told here; others may be asked for, and nothing comes of it."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_REACTIONS = 1 << 10
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15
    GUILD_SCHEDULED_EVENTS = 1 << 16


# Plain numbers where every message is asked: an enumeration's arithmetic would show.
MESSAGE_CONTENT = int(Intent.MESSAGE_CONTENT)
ALL_INTENTS = (1 << 26) - 1
PRIVILEGED = int(Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT)


@dataclass(frozen=True, slots=True)
class Reader:
    user_id: int
    intents: int


@dataclass(slots=True, kw_only=True)
class Event:
    """Carries one dispatch to many readers.

    `intents` are those of which a reader needs one (none means everybody gets it); `channel_id`
    limits it to who may view that channel, `only` to the users named. `structural` events tell an
    application of a channel even where it may not look in, as Discord does. Users in `whatever_intents`
    are told of themselves without the intent that hearing of others takes.
    """

    name: str
    data: JsonObject
    intents: int = 0
    guild_id: int | None = None
    channel_id: int | None = None
    only: frozenset[int] | None = None
    structural: bool = False
    whatever_intents: frozenset[int] = frozenset()
    _encoded: bytes | None = field(default=None, init=False)

    def body(self, reader: Reader) -> bytes:
        if self._encoded is None:
            self._encoded = encode(self.data)
        return self._encoded


@dataclass(slots=True, kw_only=True)
class MessageEvent(Event):
    """Carries a message whose content needs the Message Content intent, but for those named in `full_for`."""

    full_for: frozenset[int] = frozenset()
    _reduced: bytes | None = field(default=None, init=False)

    def body(self, reader: Reader) -> bytes:
        in_full = self.guild_id is None or reader.user_id in self.full_for
        if in_full or reader.intents & MESSAGE_CONTENT:
            return Event.body(self, reader)
        if self._reduced is None:
            self._reduced = encode(without_content(self.data))
        return self._reduced


@dataclass(slots=True, kw_only=True)
class PersonalEvent(Event):
    """Says something different to each reader, as a thread says whether *you* are in it."""

    personal: Callable[[int], JsonObject]
    data: JsonObject = field(default_factory=dict)

    def body(self, reader: Reader) -> bytes:
        return encode(self.personal(reader.user_id))


REPLAY_LENGTH = 20_000
RESUMABLE_SECONDS = 600.0


class Link:
    """Leads out of one socket: frames wait here until its writer has sent them."""

    def __init__(self) -> None:
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.close_code: int | None = None

    def send(self, frame: bytes) -> None:
        self._frames.put_nowait(frame)

    def close(self, code: int) -> None:
        """Let the writer close the socket after what was sent before."""
        self.close_code = code
        self._frames.put_nowait(None)

    @property
    def waiting(self) -> int:
        """Count the frames that the socket has not taken yet."""
        return self._frames.qsize()

    async def frame(self) -> bytes | None:
        """Wait for the next frame to write; None when the socket is to be closed."""
        return await self._frames.get()

    def release(self) -> None:
        """Drop the frames of a socket that is gone: nobody need wait for it any more."""
        self._frames = asyncio.Queue()


@dataclass(slots=True)
class Shard:
    index: int = 0
    count: int = 1

    def holds(self, guild_id: int | None) -> bool:
        """Say whether a guild is on this shard. Direct messages, which have no guild, arrive on shard 0."""
        if guild_id is None:
            return self.index == 0
        return (guild_id >> 22) % self.count == self.index


class Session:
    def __init__(self, reader: Reader, shard: Shard, *, application: bool) -> None:
        self.id = secrets.token_hex(16)
        self.reader = reader
        self.shard = shard
        self.application = application
        self.link: Link | None = None
        self.sequence = 0
        self.lost_at: float | None = None
        self._replay: deque[bytes] = deque(maxlen=REPLAY_LENGTH)

    def push(self, name: str, body: bytes) -> None:
        self.sequence += 1
        frame = b'{"t":"%b","s":%d,"op":0,"d":%b}' % (name.encode(), self.sequence, body)
        self._replay.append(frame)
        if self.link is not None:
            self.link.send(frame)

    def attach(self, link: Link) -> None:
        if self.link is not None:
            self.link.close(4000)
        self.link = link
        self.lost_at = None

    def detach(self, link: Link) -> None:
        if self.link is link:
            self.link = None
            self.lost_at = time.monotonic()

    def missed_after(self, sequence: int) -> list[bytes] | None:
        """List what was sent after that; None where it is not known any more."""
        count = self.sequence - sequence
        return list(self._replay)[len(self._replay) - count :] if 0 <= count <= len(self._replay) else None

    @property
    def expired(self) -> bool:
        return self.lost_at is not None and time.monotonic() - self.lost_at > RESUMABLE_SECONDS


class Sessions:
    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def add(self, session: Session) -> None:
        self.end_where(lambda known: known.expired)
        self._sessions[session.id] = session

    def get(self, session_id: str) -> Session | None:
        session = self._sessions.get(session_id)
        return None if session is None or session.expired else session

    def end(self, session: Session) -> None:
        self._sessions.pop(session.id, None)

    def end_where(self, which: Callable[[Session], bool]) -> None:
        for session in self:
            if which(session):
                self.end(session)

    def of_user(self, user_id: int) -> list[Session]:
        return [session for session in self if session.reader.user_id == user_id]


# How often a bot may begin a session: counted always, limited on demand.


class StartRules(BaseModel):
    model_config = ConfigDict(extra="forbid")

    shards: int = Field(default=1, ge=1, description="how many the bot is told to use")
    max_concurrency: int = Field(default=1, ge=1, description="buckets, by the shard's number")
    seconds: float = Field(default=0.0, ge=0, description="between two IDENTIFYs of a bucket; on Discord 5")
    total: int = Field(default=1000, ge=0, description="IDENTIFYs until they are counted anew")
    reset_seconds: float = Field(default=86_400.0, gt=0, description="after so long they are")


class SessionStarts:
    """Counts and limits the session starts of the bot."""

    def __init__(self) -> None:
        self.set(StartRules())

    def set(self, rules: StartRules) -> None:
        self._rules = rules
        self._since = time.monotonic()
        self._used = 0
        self._last: dict[int, float] = {}
        self.refused = 0

    def may_begin(self, shard: Shard) -> bool:
        """Say whether a session may begin. Whoever asks is counted; what comes too early or too often is refused."""
        described, bucket, now = self.described(), shard.index % self._rules.max_concurrency, time.monotonic()
        is_early = now - self._last.get(bucket, -self._rules.seconds) < self._rules.seconds
        self._used += 1
        if is_early or not described["remaining"]:
            self.refused += 1
            return False
        self._last[bucket] = now
        return True

    @property
    def shards(self) -> int:
        return self._rules.shards

    def described(self) -> JsonObject:
        """Describe what is left of session starts, as `session_start_limit`."""
        rules, now = self._rules, time.monotonic()
        if now - self._since >= rules.reset_seconds:
            self._since, self._used = now, 0
        return {
            "total": rules.total,
            "remaining": max(rules.total - self._used, 0),
            "reset_after": round((self._since + rules.reset_seconds - now) * 1000),
            "max_concurrency": rules.max_concurrency,
        }


# Trouble on the gateway, on demand: events that come late, twice, or after those that followed them.


# An event held back to be overtaken is let go after this time even if nothing follows it.
OVERTAKING_SECONDS = 0.25


class EventTrouble(BaseModel):
    """Makes trouble for events: each probability is of one event being hit."""

    model_config = ConfigDict(extra="forbid")

    delay_seconds: float = Field(default=0.0, ge=0, le=60, description="how late every event arrives")
    duplicate: float = Field(default=0.0, ge=0, le=1, description="probability of an event arriving twice")
    reorder: float = Field(default=0.0, ge=0, le=1, description="probability of an event being overtaken by the next")
    seed: int = Field(default=0, description="the same seed gives the same troubles")


class EventFaults:
    def __init__(self) -> None:
        self._trouble: EventTrouble | None = None
        self._random = random.Random(0)
        self._held: dict[str, list[tuple[Session, str, bytes]]] = {}

    def start(self, trouble: EventTrouble) -> None:
        self._trouble = trouble
        self._random = random.Random(trouble.seed)

    def clear(self) -> None:
        self._trouble = None
        for session_id in list(self._held):
            self._release(session_id)

    def deliver(self, session: Session, name: str, body: bytes) -> None:
        trouble = self._trouble
        if trouble is None:
            session.push(name, body)
            return
        if trouble.delay_seconds:
            loop = asyncio.get_running_loop()
            loop.call_later(trouble.delay_seconds, self._arrive, trouble, session, name, body)
        else:
            self._arrive(trouble, session, name, body)

    def _arrive(self, trouble: EventTrouble, session: Session, name: str, body: bytes) -> None:
        if self._random.random() < trouble.reorder:
            self._held.setdefault(session.id, []).append((session, name, body))
            asyncio.get_running_loop().call_later(OVERTAKING_SECONDS, self._release, session.id)
            return
        session.push(name, body)
        if self._random.random() < trouble.duplicate:
            session.push(name, body)
        self._release(session.id)

    def _release(self, session_id: str) -> None:
        for session, name, body in self._held.pop(session_id, []):
            session.push(name, body)


class Hub:
    def __init__(self, world: World, access: Access, sessions: Sessions, faults: EventFaults) -> None:
        self._world = world
        self._access = access
        self._sessions = sessions
        self._faults = faults

    def dispatch(self, event: Event) -> None:
        for session in self._sessions:
            if self._concerns(event, session):
                self.tell(session, event)

    def tell(self, session: Session, event: Event) -> None:
        """Send to this one session, whoever else the event may concern."""
        self._faults.deliver(session, event.name, event.body(session.reader))

    def tell_user(self, user_id: int, event: Event) -> None:
        for session in self._sessions.of_user(user_id):
            if session.shard.holds(event.guild_id):
                self.tell(session, event)

    def _concerns(self, event: Event, session: Session) -> bool:
        user_id = session.reader.user_id
        asked_for = not event.intents or bool(event.intents & session.reader.intents)
        if not asked_for and user_id not in event.whatever_intents:
            return False
        if event.only is not None and user_id not in event.only:
            return False
        if not session.shard.holds(event.guild_id):
            return False
        guild = None if event.guild_id is None else self._world.guilds.get(event.guild_id)
        if guild is not None and (guild.unavailable or user_id not in self._world.members(guild.id)):
            return False
        if event.channel_id is not None and not (event.structural and session.application):
            channel = self._world.channels.get(event.channel_id)
            return channel is not None and self._access.may_view(channel, user_id)
        return event.guild_id is None or guild is not None
