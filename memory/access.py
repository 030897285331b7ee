"""Opens the panel and the API to members: makes keys, and says what the holder of one is at this moment.

A key is `<guild in hex>.<secret>`. The secret has 256 random bits, so that its digest, under which it is stored, tells
nothing of it and needs no salt; the guild stands before it because every statement names its guild. A key says who
somebody is; what they may is worked out anew each time.
"""

import re
import secrets
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from memory.core.clock import Clock
from memory.core.values import Rank
from memory.db.database import Connection, Database, Record
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.authority import Actor

_KEY = re.compile(r"([0-9a-f]{1,16})\.[\w-]{43}", re.ASCII)
NOTED_EVERY = timedelta(minutes=1)
"""That a key was used: not with every click."""


LINK_LASTS = timedelta(minutes=5)
SESSION_IDLE = timedelta(hours=12)
SESSION_LASTS = timedelta(days=14)
LONGEST_TOKEN_DAYS = 365
MOST_TOKENS = 10
"""Of one member of one guild."""
LONGEST_NAME = 60


class KeyKind(StrEnum):
    LINK = "link"
    """Opens once, and makes a session of it."""
    SESSION = "session"
    """A browser that is signed in."""
    TOKEN = "token"  # noqa: S105 - what a token is called


@dataclass(frozen=True, slots=True)
class Key:
    """Describes a key as the panel lists it, without its secret, of which only the digest is kept."""

    guild_id: int
    digest: bytes
    user_id: int
    kind: KeyKind
    name: str
    may_write: bool
    made_at: datetime
    used_at: datetime
    ends_at: datetime

    @property
    def key_id(self) -> str:
        return self.digest.hex()[:16]


@dataclass(frozen=True, slots=True)
class Door:
    """Describes somebody before the memory of a guild, as Discord has them at this moment."""

    key: Key
    guild_name: str
    name: str
    rank: Rank
    reader: Audience
    """All that they can read back on Discord, and no more."""

    @property
    def guild_id(self) -> int:
        return self.key.guild_id

    @property
    def user_id(self) -> int:
        return self.key.user_id

    @property
    def is_manager(self) -> bool:
        return self.rank >= Rank.MANAGER

    @property
    def actor(self) -> Actor:
        return Actor(self.user_id, self.rank)


class Refusal(StrEnum):
    """Names why a key opens nothing."""

    UNKNOWN = "unknown"
    """It never was one, or is over."""
    LEFT = "left"
    """Its holder is in the guild no more."""
    CLOSED = "closed"
    """It is not known at the moment who may read what, because the bot is away."""


class Access:
    def __init__(self, database: Database, places: Places, clock: Clock) -> None:
        self._database = database
        self._places = places
        self._clock = clock

    # Signing in

    async def link(self, guild_id: int, user_id: int) -> str:
        """Make a key that opens once, within five minutes. An earlier one opens nothing any more."""
        return await self._make(guild_id, user_id, KeyKind.LINK, LINK_LASTS) or ""

    async def whose(self, link: str) -> tuple[str, str] | None:
        """Say whose link it is, by the names of guild and member, without spending it."""
        found = await self._find(link, KeyKind.LINK)
        return None if found is None else await self._names(found.guild_id, found.user_id)

    async def redeem(self, link: str) -> str | None:
        """Spend a link and give the secret of a new session. None: the link is spent or over."""
        guild_id = _guild_of(link)
        if guild_id is None:
            return None
        async with self._database.transaction("store.access.redeem") as connection:
            spent = await connection.fetchrow(
                f"DELETE {_LIVING} RETURNING user_id", guild_id, _digest(link), KeyKind.LINK, self._clock.now()
            )
            if spent is None:
                return None
            secret, session = self._new(guild_id, spent["user_id"], KeyKind.SESSION, SESSION_LASTS)
            await _insert(connection, session)
        return secret

    async def sign_in(self, guild_id: int, user_id: int) -> str:
        """Give the secret of a session to somebody who is known already: the local guild's member."""
        return await self._make(guild_id, user_id, KeyKind.SESSION, SESSION_LASTS) or ""

    async def sign_out(self, key: Key, *, everywhere: bool = False) -> None:
        if everywhere:
            query, which = f"{_DELETE} AND user_id = $2 AND kind = 'session'", key.user_id
            await self._change("store.access.end_all", query, key.guild_id, which)
        else:
            await self._end(key)

    async def browsers(self, door: Door) -> list[Key]:
        return await self._of_member(door, KeyKind.SESSION)

    # Tokens

    async def make_token(self, door: Door, name: str, days: int, *, may_write: bool) -> str | None:
        """Make a token, which is shown once. None: they have as many as one may have."""
        lasts = timedelta(days=min(max(days, 1), LONGEST_TOKEN_DAYS))
        return await self._make(door.guild_id, door.user_id, KeyKind.TOKEN, lasts, name, may_write=may_write)

    async def tokens(self, door: Door) -> list[Key]:
        return await self._of_member(door, KeyKind.TOKEN)

    async def revoke(self, door: Door, key_id: str) -> bool:
        for key in await self.tokens(door):
            if key.key_id == key_id:
                await self._end(key)
                return True
        return False

    # Using one

    async def door(self, secret: str, kind: KeyKind) -> Door | Refusal:
        """Say what the holder of a key may do now. Asked before every read and change: nothing of it may be kept."""
        key = await self._find(secret, kind)
        now = self._clock.now()
        if key is None or (kind is KeyKind.SESSION and now - key.used_at > SESSION_IDLE):
            return Refusal.UNKNOWN
        guild_id, user_id = key.guild_id, key.user_id
        await self._places.follow(guild_id)
        names = await self._names(guild_id, user_id)
        if names is None:
            return Refusal.LEFT
        if not self._places.is_open(guild_id):
            return Refusal.CLOSED
        rank = self._places.rank_of(guild_id, user_id)
        if rank is None:
            return Refusal.LEFT
        if now - key.used_at > NOTED_EVERY:
            query = "UPDATE access_keys SET used_at = $3 WHERE guild_id = $1 AND digest = $2"
            await self._change("store.access.used", query, guild_id, key.digest, now)
        return Door(key, *names, rank, self._places.reader(guild_id, user_id))

    async def purge(self) -> None:
        async with self._database.transaction("store.access.purge") as connection:
            await connection.execute("DELETE FROM access_keys WHERE ends_at <= $1", self._clock.now())

    async def _find(self, secret: str, kind: KeyKind) -> Key | None:
        guild_id = _guild_of(secret)
        if guild_id is None:
            return None
        given = (guild_id, _digest(secret), kind, self._clock.now())
        rows = await self._database.read("store.access.find", f"SELECT * {_LIVING}", *given)
        return _key(rows[0]) if rows else None

    async def _names(self, guild_id: int, user_id: int) -> tuple[str, str] | None:
        """Give the names of the guild and of one of its members. None: one of them is not known."""
        rows = await self._database.read("store.access.names", _NAMES, guild_id, user_id)
        return (rows[0]["guild"], rows[0]["member"]) if rows else None

    async def _of_member(self, door: Door, kind: KeyKind) -> list[Key]:
        given = (door.guild_id, door.user_id, kind, self._clock.now())
        rows = await self._database.read("store.access.of_member", _OF_MEMBER, *given)
        return [_key(row) for row in rows]

    async def _make(
        self, guild_id: int, user_id: int, kind: KeyKind, lasts: timedelta, name: str = "", *, may_write: bool = True
    ) -> str | None:
        """Make and store a key; a link replaces an earlier one. None: they have as many tokens as one may have."""
        secret, key = self._new(guild_id, user_id, kind, lasts, name, may_write=may_write)
        async with self._database.transaction("store.access.add") as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('access', $1))", user_id)
            if kind is KeyKind.LINK:
                await connection.execute(f"{_DELETE} AND user_id = $2 AND kind = 'link'", guild_id, user_id)
            if kind is KeyKind.TOKEN and await connection.fetchval(_TOKENS, guild_id, user_id) >= MOST_TOKENS:
                return None
            await _insert(connection, key)
        return secret

    def _new(
        self, guild_id: int, user_id: int, kind: KeyKind, lasts: timedelta, name: str = "", *, may_write: bool = True
    ) -> tuple[str, Key]:
        secret, now = f"{guild_id:x}.{secrets.token_urlsafe(32)}", self._clock.now()
        name = name.replace("\0", "").strip()[:LONGEST_NAME]
        return secret, Key(guild_id, _digest(secret), user_id, kind, name, may_write, now, now, now + lasts)

    async def _end(self, key: Key) -> None:
        await self._change("store.access.end", f"{_DELETE} AND digest = $2", key.guild_id, key.digest)

    async def _change(self, name: str, query: str, *given: object) -> None:
        async with self._database.transaction(name) as connection:
            await connection.execute(query, *given)


def _guild_of(secret: str) -> int | None:
    read = _KEY.fullmatch(secret)
    guild_id = 0 if read is None else int(read[1], 16)
    return guild_id if 0 < guild_id < 1 << 63 else None


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()


_DELETE = "DELETE FROM access_keys WHERE guild_id = $1"
_LIVING = "FROM access_keys WHERE guild_id = $1 AND digest = $2 AND kind = $3 AND ends_at > $4"
_TOKENS = "SELECT count(*) FROM access_keys WHERE guild_id = $1 AND user_id = $2 AND kind = 'token'"
_OF_MEMBER = """
SELECT * FROM access_keys WHERE guild_id = $1 AND user_id = $2 AND kind = $3 AND ends_at > $4 ORDER BY made_at DESC
"""
_NAMES = """
SELECT guilds.name AS guild, coalesce(nickname, global_name, username) AS member
FROM guilds JOIN members USING (guild_id) WHERE guild_id = $1 AND user_id = $2 AND NOT is_bot AND left_at IS NULL
"""


async def _insert(connection: Connection, key: Key) -> None:
    await connection.execute(
        f"INSERT INTO access_keys ({', '.join(_COLUMNS)}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",  # noqa: S608 - ours
        *(getattr(key, column) for column in _COLUMNS),
    )


def _key(row: Record) -> Key:
    return Key(**{column: row[column] for column in _COLUMNS} | {"kind": KeyKind(row["kind"])})


_COLUMNS = tuple(one.name for one in fields(Key))


TABLES = (
    TableDeclaration(
        table="access_keys",
        purpose="who is signed in to the panel, in which browsers, and the API tokens they made; only a fingerprint of"
        " each key, never the key",
        until="it runs out: a link after five minutes, a browser after two weeks, a token on the day its owner chose;"
        " or its owner leaves the server",
        columns=columns(
            ids="guild_id",
            people="user_id",
            names="name",
            digests="digest",
            times="made_at used_at ends_at",
            states="kind may_write",
        ),
        message=Stays("it is about no message"),
        member=Goes("user_id = {member}"),
        channel=Stays("it is about no channel"),
        guild=Goes(),
        left_behind="whoever moves signs in there anew",
    ),
)
