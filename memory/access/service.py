"""Opens the panel and the API to members: makes keys, and says what the holder of one is at this moment.

A key is `<guild in hex>.<secret>`. The secret has 256 random bits, so that its digest tells nothing of it and needs
no salt; the guild stands before it because every statement names its guild.
"""

import re
import secrets
from datetime import timedelta
from hashlib import sha256

from memory.access.store import KeyStore
from memory.access.values import (
    LINK_LASTS,
    LONGEST_NAME,
    LONGEST_TOKEN_DAYS,
    SESSION_IDLE,
    SESSION_LASTS,
    Door,
    Key,
    KeyKind,
    Refusal,
)
from memory.core.clock import Clock
from memory.db.database import Database
from memory.places.service import Places

_KEY = re.compile(r"([0-9a-f]{1,16})\.[\w-]{43}", re.ASCII)
NOTED_EVERY = timedelta(minutes=1)
"""That a key was used: not with every click."""


class Access:
    def __init__(self, database: Database, places: Places, clock: Clock) -> None:
        self._store = KeyStore(database)
        self._places = places
        self._clock = clock

    # Signing in

    async def link(self, guild_id: int, user_id: int) -> str:
        """A key that opens once, within five minutes. An earlier one opens nothing any more."""
        return await self._make(guild_id, user_id, KeyKind.LINK, LINK_LASTS) or ""

    async def whose(self, link: str) -> tuple[str, str] | None:
        """The guild and the member that a link is for, by their names, and without spending it."""
        found = await self._find(link, KeyKind.LINK)
        return None if found is None else await self._store.names(found.guild_id, found.user_id)

    async def redeem(self, link: str) -> str | None:
        """The secret of a new session, once; None: the link is spent or over."""
        guild_id = _guild_of(link)
        if guild_id is None:
            return None
        secret, session = self._new(guild_id, 0, KeyKind.SESSION, SESSION_LASTS)
        spent = await self._store.redeem(guild_id, _digest(link), self._clock.now(), session)
        return None if spent is None else secret

    async def sign_in(self, guild_id: int, user_id: int) -> str:
        """The secret of a session of somebody who is known already: the local guild's member."""
        return await self._make(guild_id, user_id, KeyKind.SESSION, SESSION_LASTS) or ""

    async def sign_out(self, key: Key, *, everywhere: bool = False) -> None:
        if everywhere:
            await self._store.end_all(key.guild_id, key.user_id, KeyKind.SESSION)
        else:
            await self._store.end(key.guild_id, key.digest)

    async def browsers(self, door: Door) -> list[Key]:
        return await self._store.of_member(door.guild_id, door.user_id, KeyKind.SESSION, self._clock.now())

    # Tokens

    async def make_token(self, door: Door, name: str, days: int, *, may_write: bool) -> str | None:
        """Shown once. None: they have as many as one may have."""
        lasts = timedelta(days=min(max(days, 1), LONGEST_TOKEN_DAYS))
        return await self._make(door.guild_id, door.user_id, KeyKind.TOKEN, lasts, name, may_write=may_write)

    async def tokens(self, door: Door) -> list[Key]:
        return await self._store.of_member(door.guild_id, door.user_id, KeyKind.TOKEN, self._clock.now())

    async def revoke(self, door: Door, key_id: str) -> bool:
        for key in await self.tokens(door):
            if key.key_id == key_id:
                await self._store.end(key.guild_id, key.digest)
                return True
        return False

    # Using one

    async def door(self, secret: str, kind: KeyKind) -> Door | Refusal:
        """What the holder is now. Asked before every read and every change: nothing of it may be kept."""
        key = await self._find(secret, kind)
        now = self._clock.now()
        if key is None or (kind is KeyKind.SESSION and now - key.used_at > SESSION_IDLE):
            return Refusal.UNKNOWN
        guild_id, user_id = key.guild_id, key.user_id
        await self._places.follow(guild_id)
        names = await self._store.names(guild_id, user_id)
        if names is None:
            return Refusal.LEFT
        if not self._places.is_open(guild_id):
            return Refusal.CLOSED
        rank = self._places.rank_of(guild_id, user_id)
        if rank is None:
            return Refusal.LEFT
        if now - key.used_at > NOTED_EVERY:
            await self._store.used(key, now)
        return Door(key, *names, rank, self._places.reader(guild_id, user_id))

    async def purge(self) -> None:
        await self._store.purge(self._clock.now())

    async def _find(self, secret: str, kind: KeyKind) -> Key | None:
        guild_id = _guild_of(secret)
        if guild_id is None:
            return None
        return await self._store.find(guild_id, _digest(secret), kind, self._clock.now())

    async def _make(
        self, guild_id: int, user_id: int, kind: KeyKind, lasts: timedelta, name: str = "", *, may_write: bool = True
    ) -> str | None:
        secret, key = self._new(guild_id, user_id, kind, lasts, name, may_write=may_write)
        return secret if await self._store.add(key) else None

    def _new(
        self, guild_id: int, user_id: int, kind: KeyKind, lasts: timedelta, name: str = "", *, may_write: bool = True
    ) -> tuple[str, Key]:
        secret, now = f"{guild_id:x}.{secrets.token_urlsafe(32)}", self._clock.now()
        name = name.replace("\0", "").strip()[:LONGEST_NAME]
        return secret, Key(guild_id, _digest(secret), user_id, kind, name, may_write, now, now, now + lasts)


def _guild_of(secret: str) -> int | None:
    read = _KEY.fullmatch(secret)
    guild_id = 0 if read is None else int(read[1], 16)
    return guild_id if 0 < guild_id < 1 << 63 else None


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
