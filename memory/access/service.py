"""Opens the panel and the API to members: makes keys, and says what the holder of one is at this moment.

A key is `<guild in hex>.<secret>`. The secret has 256 random bits, so that its digest tells nothing of it and needs
no salt; the guild stands before it because every statement names its guild.
"""

import re
import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from memory.access.values import (
    LINK_LASTS,
    LONGEST_NAME,
    LONGEST_TOKEN_DAYS,
    MOST_TOKENS,
    SESSION_IDLE,
    SESSION_LASTS,
    Door,
    Key,
    KeyKind,
    Refusal,
)
from memory.core.clock import Clock
from memory.db.database import Connection, Database, Record
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
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
        """Make a key that opens once, within five minutes. An earlier one opens nothing any more."""
        return await self._make(guild_id, user_id, KeyKind.LINK, LINK_LASTS) or ""

    async def whose(self, link: str) -> tuple[str, str] | None:
        """Say whose link it is, by the names of guild and member, without spending it."""
        found = await self._find(link, KeyKind.LINK)
        return None if found is None else await self._store.names(found.guild_id, found.user_id)

    async def redeem(self, link: str) -> str | None:
        """Spend a link and give the secret of a new session. None: the link is spent or over."""
        guild_id = _guild_of(link)
        if guild_id is None:
            return None
        secret, session = self._new(guild_id, 0, KeyKind.SESSION, SESSION_LASTS)
        spent = await self._store.redeem(guild_id, _digest(link), self._clock.now(), session)
        return None if spent is None else secret

    async def sign_in(self, guild_id: int, user_id: int) -> str:
        """Give the secret of a session to somebody who is known already: the local guild's member."""
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
        """Make a token, which is shown once. None: they have as many as one may have."""
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
        """Say what the holder of a key may do now. Asked before every read and change: nothing of it may be kept."""
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


# Keys as they are stored: by the digest of their secret, never the secret.


class KeyStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, key: Key) -> bool:
        """Store a key; a link replaces an earlier one. False: they have as many tokens as one may have."""
        async with self._database.transaction("store.access.add") as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('access', $1))", key.user_id)
            if key.kind is KeyKind.LINK:
                await connection.execute(f"{_DELETE} AND user_id = $2 AND kind = 'link'", key.guild_id, key.user_id)
            if (
                key.kind is KeyKind.TOKEN
                and await connection.fetchval(_TOKENS, key.guild_id, key.user_id) >= MOST_TOKENS
            ):
                return False
            await _insert(connection, key)
        return True

    async def find(self, guild_id: int, digest: bytes, kind: KeyKind, now: datetime) -> Key | None:
        rows = await self._database.read("store.access.find", f"SELECT * {_LIVING}", guild_id, digest, kind, now)
        return _key(rows[0]) if rows else None

    async def redeem(self, guild_id: int, digest: bytes, now: datetime, session: Key) -> Key | None:
        """Spend a link, once, for a session of the one it was made for."""
        async with self._database.transaction("store.access.redeem") as connection:
            row = await connection.fetchrow(f"DELETE {_LIVING} RETURNING *", guild_id, digest, KeyKind.LINK, now)
            if row is None:
                return None
            link = _key(row)
            await _insert(connection, session, user_id=link.user_id)
        return link

    async def used(self, key: Key, now: datetime) -> None:
        async with self._database.transaction("store.access.used") as connection:
            await connection.execute(
                "UPDATE access_keys SET used_at = $3 WHERE guild_id = $1 AND digest = $2",
                key.guild_id,
                key.digest,
                now,
            )

    async def end(self, guild_id: int, digest: bytes) -> None:
        async with self._database.transaction("store.access.end") as connection:
            await connection.execute(f"{_DELETE} AND digest = $2", guild_id, digest)

    async def end_all(self, guild_id: int, user_id: int, kind: KeyKind) -> None:
        async with self._database.transaction("store.access.end_all") as connection:
            await connection.execute(f"{_DELETE} AND user_id = $2 AND kind = $3", guild_id, user_id, kind)

    async def of_member(self, guild_id: int, user_id: int, kind: KeyKind, now: datetime) -> list[Key]:
        rows = await self._database.read(
            "store.access.of_member",
            "SELECT * FROM access_keys WHERE guild_id = $1 AND user_id = $2 AND kind = $3 AND ends_at > $4"
            " ORDER BY made_at DESC",
            guild_id,
            user_id,
            kind,
            now,
        )
        return [_key(row) for row in rows]

    async def names(self, guild_id: int, user_id: int) -> tuple[str, str] | None:
        """Give the names of the guild and of one of its members. None: one of them is not known."""
        rows = await self._database.read("store.access.names", _NAMES, guild_id, user_id)
        return (rows[0]["guild"], rows[0]["member"]) if rows else None

    async def purge(self, now: datetime) -> None:
        async with self._database.transaction("store.access.purge") as connection:
            await connection.execute("DELETE FROM access_keys WHERE ends_at <= $1", now)


_DELETE = "DELETE FROM access_keys WHERE guild_id = $1"
_LIVING = "FROM access_keys WHERE guild_id = $1 AND digest = $2 AND kind = $3 AND ends_at > $4"
_TOKENS = "SELECT count(*) FROM access_keys WHERE guild_id = $1 AND user_id = $2 AND kind = 'token'"
_NAMES = """
SELECT guilds.name AS guild, coalesce(nickname, global_name, username) AS member
FROM guilds JOIN members USING (guild_id) WHERE guild_id = $1 AND user_id = $2 AND NOT is_bot AND left_at IS NULL
"""


async def _insert(connection: Connection, key: Key, user_id: int | None = None) -> None:
    await connection.execute(
        """
        INSERT INTO access_keys (guild_id, user_id, digest, kind, name, may_write, made_at, used_at, ends_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """,
        key.guild_id,
        user_id or key.user_id,
        key.digest,
        key.kind,
        key.name,
        key.may_write,
        key.made_at,
        key.used_at,
        key.ends_at,
    )


def _key(row: Record) -> Key:
    columns = "guild_id digest user_id kind name may_write made_at used_at ends_at"
    return Key(**{column: row[column] for column in columns.split()} | {"kind": KeyKind(row["kind"])})


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
