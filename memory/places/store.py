"""Stores roles, channels and threads of a guild: written by whoever sees Discord, read by those who do not.

`guilds.places_run` names the run of the bot that has roles, places and members right. It is emptied before a guild is
written anew and set in the last transaction, so that nobody ever trusts half of it.
"""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from memory.db.database import Connection, Database, Record
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.places.model import Overwrite, Place, PlaceKind, Role, Seat
from memory.places.view import GuildView
from memory.policy.store import bump_epoch

AT_ONCE = 200
"""Rows that are written, or read, in one go: the event loop has to breathe in between."""
_THREADS = [PlaceKind.THREAD.value, PlaceKind.PRIVATE_THREAD.value]


@dataclass(frozen=True, slots=True)
class PlaceChanges:
    """Holds what became of some roles and places."""

    owner_id: int | None
    roles: Sequence[Role] = ()
    places: Sequence[Place] = ()
    no_roles: Collection[int] = ()
    no_places: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class StoredThreads:
    """Holds what Discord does not tell at a look around."""

    hall_role_id: int | None
    epoch: int
    """Of the guild, when that was its role."""
    threads: Sequence[Place]
    """Every one that was ever seen and is not known to be gone; Discord lists those in use only."""


class PlaceStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def distrust(self, guild_id: int) -> None:
        """Note that what stands here of a guild may be wrong."""
        async with self._database.transaction("store.places.distrust") as connection:
            await connection.execute(
                "UPDATE guilds SET places_run = NULL, epoch = epoch + 1 WHERE guild_id = $1", guild_id
            )

    async def distrust_all(self, run: UUID) -> None:
        async with self._database.transaction("store.places.distrust_all") as connection:
            await connection.execute(
                "UPDATE guilds SET places_run = NULL, epoch = epoch + 1 WHERE places_run = $1", run
            )

    async def write(self, guild_id: int, changes: PlaceChanges, run: UUID | None) -> None:
        """Write all changes at once; `run` has everything else right as well."""
        async with self._database.transaction("store.places.write") as connection:
            await _vouch(connection, guild_id, changes.owner_id, run)
            await _write(connection, guild_id, changes.roles, changes.places)
            await connection.execute(
                "DELETE FROM roles WHERE guild_id = $1 AND role_id = ANY($2)", guild_id, list(changes.no_roles)
            )
            await _remove(connection, guild_id, changes.no_places)

    async def write_anew(self, guild_id: int, all_of_it: PlaceChanges, run: UUID | None) -> None:
        """Write a guild anew: there are no other roles and channels, and no threads but those of these channels.

        Who is in any other private thread has to be asked for anew. Nobody relies on the guild before the end of this.
        """
        places, rest = all_of_it.places[:AT_ONCE], all_of_it.places[AT_ONCE:]
        for start in range(0, len(rest), AT_ONCE):
            async with self._database.transaction("store.places.write_anew") as connection:
                await _write(connection, guild_id, (), rest[start : start + AT_ONCE])
        async with self._database.transaction("store.places.vouch") as connection:
            await _vouch(connection, guild_id, all_of_it.owner_id, run)
            await _write(connection, guild_id, all_of_it.roles, places)
            await _remove(connection, guild_id, all_of_it.no_places)
            await _remove_others(connection, guild_id, all_of_it)

    async def recall(self, guild_id: int) -> StoredThreads:
        found: list[Place] = []
        async with self._database.transaction("store.places.recall", readonly=True) as connection:
            row = await connection.fetchrow("SELECT hall_role_id, epoch FROM guilds WHERE guild_id = $1", guild_id)
            async for rows in _slices(connection, f"{_PLACES} AND kind = ANY($2)", guild_id, _THREADS):
                found += map(_place, rows)
        role_id, epoch = (None, 0) if row is None else row
        return StoredThreads(role_id, epoch, found)

    async def read(
        self, guild_id: int, alive_since: datetime, known: tuple[int, GuildView] | None
    ) -> tuple[int, GuildView] | None:
        """Read the view of a guild and its epoch, as of one moment, unless the known one still holds. None: no run of
        the bot that was heard of since then vouches for it."""
        async with self._database.transaction(
            "store.places.read", isolation="repeatable_read", readonly=True
        ) as connection:
            row = await connection.fetchrow(_STANDING, guild_id, alive_since)
            if row is None or not row["is_current"]:
                return None
            if known is not None and known[0] == row["epoch"]:
                return known
            view = GuildView(guild_id)
            view.owner(row["owner_id"])
            view.hall_role(row["hall_role_id"])
            async for rows in _slices(connection, _ROLES, guild_id):
                for role in rows:
                    view.role(Role(role["role_id"], role["permissions"], role["name"]))
            async for rows in _slices(connection, _PLACES, guild_id):
                for place in rows:
                    view.place(_place(place))
            async for rows in _slices(connection, _SEATS, guild_id):
                for seat in rows:
                    view.seat(Seat(seat["user_id"], tuple(seat["roles"]), seat["is_bot"]))
        view.open()
        return row["epoch"], view


_STANDING = """
SELECT epoch, owner_id, hall_role_id, left_at IS NULL AND EXISTS (
    SELECT 1 FROM process_health WHERE run = places_run AND beat_at >= $2) AS is_current
FROM guilds WHERE guild_id = $1
"""
_ROLES = "SELECT role_id, permissions, name FROM roles WHERE guild_id = $1"
_PLACES = """
SELECT channel_id, kind, parent_id, age_restricted, overwrites, members, name FROM places WHERE guild_id = $1
"""
_SEATS = "SELECT user_id, roles, is_bot FROM members WHERE guild_id = $1"


async def _write(connection: Connection, guild_id: int, roles: Sequence[Role], places: Sequence[Place]) -> None:
    if roles:
        await connection.execute(
            """
            INSERT INTO roles (guild_id, role_id, permissions, name)
            SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::text[])
            ON CONFLICT (guild_id, role_id) DO UPDATE SET permissions = excluded.permissions, name = excluded.name
            """,
            guild_id,
            [role.role_id for role in roles],
            [role.permissions for role in roles],
            [_name(role) for role in roles],
        )
    if places:
        await connection.execute(
            """
            INSERT INTO places (guild_id, channel_id, kind, parent_id, age_restricted, overwrites, members, name)
            SELECT $1, channel_id, kind, parent_id, age_restricted, overwrites::jsonb, members::bigint[], name
            FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::boolean[], $6::text[], $7::text[], $8::text[])
                 AS seen (channel_id, kind, parent_id, age_restricted, overwrites, members, name)
            ON CONFLICT (guild_id, channel_id) DO UPDATE SET
                kind = excluded.kind, parent_id = excluded.parent_id, age_restricted = excluded.age_restricted,
                overwrites = excluded.overwrites, members = excluded.members, name = excluded.name
            """,
            guild_id,
            [place.channel_id for place in places],
            [place.kind.value for place in places],
            [place.parent_id for place in places],
            [place.age_restricted for place in places],
            # As text: arrays of different lengths do not fit into one of Postgres' arrays.
            [_written(place.overwrites) for place in places],
            [None if place.members is None else f"{{{','.join(map(str, sorted(place.members)))}}}" for place in places],
            [_name(place) for place in places],
        )


async def _remove(connection: Connection, guild_id: int, places: Collection[int]) -> None:
    """Remove places; the threads of a channel go with it."""
    await connection.execute(
        """
        DELETE FROM places WHERE guild_id = $1
          AND (channel_id = ANY($2) OR (kind = ANY($3) AND parent_id = ANY($2)))
        """,
        guild_id,
        list(places),
        _THREADS,
    )


async def _remove_others(connection: Connection, guild_id: int, all_of_it: PlaceChanges) -> None:
    await connection.execute(
        "DELETE FROM roles WHERE guild_id = $1 AND role_id <> ALL($2)",
        guild_id,
        [role.role_id for role in all_of_it.roles],
    )
    await connection.execute(
        """
        DELETE FROM places WHERE guild_id = $1
          AND CASE WHEN kind = ANY($3) THEN coalesce(parent_id, 0) ELSE channel_id END <> ALL($2)
        """,
        guild_id,
        [place.channel_id for place in all_of_it.places if not place.is_thread],
        _THREADS,
    )
    await connection.execute(
        "UPDATE places SET members = NULL WHERE guild_id = $1 AND members IS NOT NULL AND channel_id <> ALL($2)",
        guild_id,
        [place.channel_id for place in all_of_it.places if place.kind is PlaceKind.PRIVATE_THREAD],
    )


async def _vouch(connection: Connection, guild_id: int, owner_id: int | None, run: UUID | None) -> None:
    """Vouch for a guild. Comes first in its transaction, as wherever a guild and what belongs to it change."""
    await connection.execute(
        "UPDATE guilds SET owner_id = $2, places_run = $3 WHERE guild_id = $1", guild_id, owner_id, run
    )
    await bump_epoch(connection, guild_id)


async def _slices(connection: Connection, query: str, *values: object) -> AsyncIterator[list[Record]]:
    cursor = await connection.cursor(query, *values)
    while rows := await cursor.fetch(AT_ONCE):
        yield rows


def _name(of: Role | Place) -> str:
    """Give the name without NUL, which Postgres takes none of."""
    return of.name.replace("\0", "")


def _written(overwrites: Sequence[Overwrite]) -> str:
    return orjson.dumps([(door.target_id, door.is_role, door.allow, door.deny) for door in overwrites]).decode()


def _place(row: Record) -> Place:
    overwrites: list[list[Any]] = row["overwrites"]
    return Place(
        channel_id=row["channel_id"],
        kind=PlaceKind(row["kind"]),
        parent_id=row["parent_id"],
        overwrites=tuple(Overwrite(*overwrite) for overwrite in overwrites),
        age_restricted=row["age_restricted"],
        members=None if row["members"] is None else frozenset(row["members"]),
        name=row["name"],
    )


TABLES = (
    TableDeclaration(
        table="roles",
        purpose="the server's roles, their names and what they allow, to know who may see what",
        until="the role is deleted",
        columns=columns(ids="guild_id role_id", names="name", settings="permissions"),
        message=Stays("it is about no message"),
        member=Stays("it is about no member"),
        channel=Stays("it is about no channel"),
        guild=Goes(),
    ),
    TableDeclaration(
        table="places",
        purpose="channels and threads, their names, who may see them, and the ids of those in a private thread",
        until="the channel or thread is deleted",
        columns=columns(
            ids="guild_id channel_id parent_id",
            people="members overwrites",
            names="name",
            settings="age_restricted",
            states="kind",
        ),
        message=Stays("it is about no message"),
        member=Stays(
            "it is Discord's own list of who can see what; without it the bot could not tell whom to keep out"
        ),
        channel=Stays("the channel is still there, and so are those who may see it"),
        guild=Goes(),
    ),
)
