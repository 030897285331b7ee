"""Keys as they are stored: by the digest of their secret, never the secret."""

from datetime import datetime

from memory.access.values import MOST_TOKENS, Key, KeyKind
from memory.db.database import Connection, Database, Record
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns


class KeyStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, key: Key) -> bool:
        """A link takes the place of an earlier one. False: they have as many tokens as one may have."""
        async with self._database.transaction("store.access.add") as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('access', $1))", key.user_id)
            if key.kind is KeyKind.LINK:
                await connection.execute(f"{_DELETE} AND user_id = $2 AND kind = 'link'", key.guild_id, key.user_id)
            if key.kind is KeyKind.TOKEN and await connection.fetchval(_TOKENS, *_whose(key)) >= MOST_TOKENS:
                return False
            await _insert(connection, key)
        return True

    async def find(self, guild_id: int, digest: bytes, kind: KeyKind, now: datetime) -> Key | None:
        rows = await self._database.read("store.access.find", f"SELECT * {_LIVING}", guild_id, digest, kind, now)
        return _key(rows[0]) if rows else None

    async def redeem(self, guild_id: int, digest: bytes, now: datetime, session: Key) -> Key | None:
        """Spends a link, once, for a session of the one it was made for."""
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
        """What the guild and one of its members are called; None: one of them is not known."""
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


def _whose(key: Key) -> tuple[int, int]:
    return key.guild_id, key.user_id


def _key(row: Record) -> Key:
    return Key(
        row["guild_id"],
        row["digest"],
        row["user_id"],
        KeyKind(row["kind"]),
        row["name"],
        row["may_write"],
        row["made_at"],
        row["used_at"],
        row["ends_at"],
    )


TABLES = (
    TableDeclaration(
        table="access_keys",
        purpose="who is signed in to the panel, with which browsers, and the tokens they made for the API; of each key"
        " a digest, never the key",
        until="it ends: a link after five minutes, a browser after two weeks, a token on the day its owner chose; and"
        " with the membership of its owner",
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
