"""Stores who is in a guild, and finds who a text may mean. Names are Discord's and change; only ids are identity."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import datetime

from memory.core.clock import Clock
from memory.core.log_values import Kind
from memory.core.outcomes import UnclearWho
from memory.core.values import UNNAMED, Choice, Guild, Member, last_id_of
from memory.db.database import Connection, Database, Reading, Reads, Record
from memory.db.table_declarations import Follows, Goes, How, Stays, TableDeclaration, columns
from memory.fact_rows import CURRENT, readable
from memory.language.text import fold, repair
from memory.people.names import (
    LONGEST,
    SHORTEST_PART,
    beginnings_of,
    keys_of,
    mentioned_ids,
    opening_names,
    spoken_keys,
    unnamed_in,
    with_strangers,
)
from memory.places.view import Audience
from memory.policy.rules import WHOLE_GUILD
from memory.policy.store import Policies, bump_epoch, forbid_through, has_excluded_role, said_no

MOST_GUESSED = 20
"""People whose names begin like what was typed."""
MOST_OFFERED = 5
"""Of these are offered."""
MEMBERS_AT_ONCE = 500
"""Large guilds have to leave room for messages in between."""
MOST_NICKNAMES = 5


class MemberStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def meet(self, members: Sequence[Member]) -> None:
        """Learn or refresh the names of members of one guild."""
        if not members:
            return
        async with self._database.transaction("store.members.meet") as connection:
            await meet_members(connection, members[0].guild_id, members)

    async def part_from(self, guild_id: int, user_id: int, now: datetime) -> None:
        async with self._database.transaction("store.members.part_from") as connection:
            await part_from_members(connection, guild_id, [user_id], now)

    async def part_from_others(self, guild_id: int, present: Collection[int], now: datetime) -> int:
        """Part from members who left while nobody was looking; give how many they were."""
        async with self._database.transaction("store.members.part_from_others") as connection:
            rows = await connection.fetch(
                "SELECT user_id FROM members WHERE guild_id = $1 AND user_id <> ALL ($2::bigint[])",
                guild_id,
                list(present),
            )
            await part_from_members(connection, guild_id, [row["user_id"] for row in rows], now)
        return len(rows)

    async def spoken_of(self, audience: Audience, text: str, also: Collection[int] = ()) -> list[Member]:
        """Find members whom the text mentions or names, by a fact that this audience could hear too, and those with the
        given ids."""
        reading = Reading(self._database, "store.members.spoken_of")
        return await members_spoken_of(reading, audience.guild_id, text, also, audience.sources)

    async def meant_by(self, audience: Audience, text: str, also: Collection[int]) -> list[Member]:
        """Find everybody the text may mean, and those with the given ids, be they members or not."""
        known = await self.spoken_of(audience, text, also)
        return with_strangers(known, audience.guild_id, [*also, *mentioned_ids(text)])

    async def called(self, guild_id: int, user_ids: Collection[int]) -> dict[int, str]:
        """Tell what members are called on the server; who opted out is called nothing."""
        rows = await self._database.read("store.members.called", _CALLED, guild_id, list(user_ids))
        return {row["user_id"]: row["name"] for row in rows}

    async def listed(self, guild_id: int, like: str, after: int, most: int) -> list[Member]:
        """List people behind one in the order of their ids, without those who opted out."""
        pattern = f"%{fold(like)}%" if like else ""
        rows = await self._database.read("store.members.listed", _LISTED, guild_id, after, pattern, most)
        return [_member(row) for row in rows]

    async def opted_out_in(self, audience: Audience, text: str, members: Sequence[Member]) -> Member | None:
        """Find somebody whom the text speaks of, and of whom nothing may be kept because they opted out.

        `members` are those whom it means otherwise.
        """
        unnamed = await unnamed_members(Reading(self._database, "store.members.unnamed"), audience.guild_id)
        return await asyncio.to_thread(unnamed_in, text, members, unnamed) if unnamed else None

    async def typed_in_part(self, audience: Audience, text: str, choices: Sequence[Choice] = ()) -> UnclearWho | None:
        """Find for words that name nobody who may be meant by their beginning. None if nobody, or if that was asked."""
        for key, typed in opening_names(text) if not choices else ():
            guesses = await self._called_like(audience, key)
            if guesses:
                return UnclearWho(typed, tuple(guesses[:MOST_OFFERED]), is_guess=True)
        return None

    async def _called_like(self, audience: Audience, name_key: str) -> list[Member]:
        """Find members whose name begins so, by the first word ("Alex" for Alex Brown) or most letters; no bots.

        A name that a fact gives counts only where the audience may be told that fact.
        """
        if not SHORTEST_PART <= len(name_key) <= LONGEST:
            return []
        values = (audience.guild_id, name_key, list(audience.sources), MOST_GUESSED)
        rows = await self._database.read("store.members.called_like", _CALLED_LIKE, *values)
        members = await self.spoken_of(audience, "", [row["user_id"] for row in rows])
        return [member for member in members if not member.is_bot]


_MEMBER = f"""
guild_id, members.user_id, username, global_name, nickname, is_bot, roles, {said_no("members.user_id")} AS is_unnamed
"""

_CALLED = f"""
SELECT user_id, coalesce(nickname, global_name, username) AS name FROM members
WHERE guild_id = $1 AND user_id = ANY($2::bigint[]) AND NOT {said_no("members.user_id")}
"""  # noqa: S608 - made of constants
_LISTED = f"""
SELECT {_MEMBER} FROM members
WHERE guild_id = $1 AND user_id > $2 AND NOT is_bot AND NOT {said_no("members.user_id")}
    AND ($3 = '' OR EXISTS (
        SELECT 1 FROM member_names WHERE member_names.guild_id = $1 AND member_names.user_id = members.user_id
          AND name_key LIKE $3))
ORDER BY user_id LIMIT $4
"""  # noqa: S608 - made of constants

# A name that a fact gives somebody is one as far as this audience may be told that fact.
# Of whoever speaks a few nicknames, the newest; of those that the text may mean each.
_SPOKEN_OF = f"""
WITH called AS (
    SELECT user_id, array_agg(name_key ORDER BY name_key) AS aliases, array_agg(fact_id) AS named_by FROM (
        SELECT user_id, name_key, name_key = ANY($3::text[]) AS is_said, max(fact_id) AS fact_id,
            row_number() OVER (PARTITION BY user_id ORDER BY max(fact_id) DESC) AS place
        FROM fact_aliases JOIN facts USING (guild_id, fact_id)
        WHERE guild_id = $1 AND (name_key = ANY($3::text[]) OR fact_aliases.user_id = ANY($2::bigint[]))
          AND $4::bigint[] IS NOT NULL AND {CURRENT} AND {readable("$4")} AND NOT {said_no("fact_aliases.user_id")}
        GROUP BY user_id, name_key
    ) AS known WHERE is_said OR place <= {MOST_NICKNAMES} GROUP BY user_id
)
SELECT {_MEMBER}, aliases, named_by
FROM members LEFT JOIN called ON called.user_id = members.user_id
WHERE guild_id = $1 AND members.user_id IN (
    SELECT unnest($2::bigint[])
    UNION
    SELECT user_id FROM member_names
    WHERE guild_id = $1 AND name_key = ANY($3::text[]) AND NOT {said_no("member_names.user_id")}
    UNION
    SELECT user_id FROM called
)
ORDER BY members.user_id
"""  # noqa: S608 - made of constants

_CALLED_LIKE = f"""
SELECT DISTINCT user_id FROM (
    SELECT user_id, name_key FROM member_names WHERE guild_id = $1
    UNION ALL
    SELECT user_id, name_key FROM fact_aliases JOIN facts USING (guild_id, fact_id)
    WHERE guild_id = $1 AND {CURRENT} AND {readable("$3")}
) AS called
WHERE NOT {said_no("called.user_id")} AND (starts_with(name_key, $2 || ' ')
    OR (starts_with(name_key, $2) AND length($2) >= 4 AND length(name_key) <= length($2) + 2))
ORDER BY user_id LIMIT $4
"""  # noqa: S608 - made of constants


async def members_spoken_of(
    connection: Reads, guild_id: int, text: str, also: Collection[int] = (), sources: Collection[int] | None = None
) -> list[Member]:
    """Find members whom the text mentions or names, and those with the given ids. `sources` are channels whose facts
    may give names as well; None: no fact may."""
    people, keys = [*mentioned_ids(text), *also], list(spoken_keys(repair(text)))
    rows = await connection.fetch(_SPOKEN_OF, guild_id, people, keys, None if sources is None else list(sources))
    return [_member(row) for row in rows]


async def meet_members(connection: Connection, guild_id: int, members: Sequence[Member]) -> None:
    """Store members, within the caller's transaction; in the order of ids, so that no two writers block each other."""
    newest = {member.user_id: member for member in members}
    ordered = [newest[user_id] for user_id in sorted(newest)]
    met = [
        {
            "user_id": member.user_id,
            "username": repair(member.username),
            "global_name": _repaired(member.global_name),
            "nickname": _repaired(member.nickname),
            "is_bot": member.is_bot,
            "roles": member.roles,
        }
        for member in ordered
    ]
    # Whoever is new or has other roles sees other places.
    if await connection.fetchval(_HAS_NEW_SEATS, guild_id, met):
        await bump_epoch(connection, guild_id)
    await connection.execute(_MEET, guild_id, met)
    await _learn_names(connection, guild_id, ordered)


_MET = """
jsonb_to_recordset($2) AS met (
    user_id bigint, username text, global_name text, nickname text, is_bot boolean, roles bigint[])
"""
_HAS_NEW_SEATS = f"""
SELECT EXISTS (
    SELECT 1 FROM {_MET} LEFT JOIN members AS known ON known.guild_id = $1 AND known.user_id = met.user_id
    WHERE known.user_id IS NULL OR known.is_bot <> met.is_bot OR known.roles <> met.roles)
"""  # noqa: S608 - made of constants
_MEET = f"""
INSERT INTO members (guild_id, user_id, username, global_name, nickname, is_bot, roles)
SELECT $1, user_id, username, global_name, nickname, is_bot, roles FROM {_MET}
ON CONFLICT (guild_id, user_id) DO UPDATE SET
    username = excluded.username, global_name = excluded.global_name,
    nickname = excluded.nickname, is_bot = excluded.is_bot, roles = excluded.roles
"""  # noqa: S608 - made of constants


async def _learn_names(connection: Connection, guild_id: int, members: Sequence[Member]) -> None:
    """Store what these members are found by in a text; nothing of those who opted out."""
    names = [
        (member.user_id, repair(key)) for member in members for key in sorted(keys_of(member) | beginnings_of(member))
    ]
    await connection.execute(
        "DELETE FROM member_names WHERE guild_id = $1 AND user_id = ANY($2::bigint[])",
        guild_id,
        [member.user_id for member in members],
    )
    await connection.execute(
        f"""
        INSERT INTO member_names (guild_id, user_id, name_key)
        SELECT DISTINCT $1::bigint, * FROM unnest($2::bigint[], $3::text[]) AS called (user_id, name_key)
        WHERE NOT {said_no("called.user_id")}
        ON CONFLICT DO NOTHING
        """,  # noqa: S608 - made of constants
        guild_id,
        [user_id for user_id, _ in names],
        [key for _, key in names],
    )


async def name_again(connection: Connection, guild_id: int, user_id: int) -> None:
    """Have names mean somebody again who had opted out, within the caller's transaction."""
    rows = await connection.fetch(
        f"SELECT {_MEMBER} FROM members WHERE guild_id = $1 AND user_id = $2",  # noqa: S608 - made of constants
        guild_id,
        user_id,
    )
    await _learn_names(connection, guild_id, [_member(row) for row in rows])


async def unnamed_members(connection: Reads, guild_id: int) -> list[Member]:
    """List who opted out, with their names: to refuse what is told about them, and for nothing else."""
    rows = await connection.fetch(
        f"""
        SELECT guild_id, user_id, username, global_name, nickname, is_bot, roles, false AS is_unnamed
        FROM members WHERE guild_id = $1 AND {said_no("members.user_id")} ORDER BY user_id
        """,  # noqa: S608 - made of constants
        guild_id,
    )
    return [_member(row) for row in rows]


async def part_from_members(connection: Connection, guild_id: int, user_ids: Collection[int], now: datetime) -> None:
    """Part from members, within the caller's transaction. They leave an excluded role, but not what it stood for."""
    excluded = await connection.fetch(
        f"""
        SELECT user_id FROM unnest($2::bigint[]) AS parting (user_id)
        WHERE {has_excluded_role("parting.user_id")}
        """,  # noqa: S608 - made of constants
        guild_id,
        list(user_ids),
    )
    if excluded:
        await forbid_through(connection, guild_id, [row["user_id"] for row in excluded], last_id_of(now), now)
    known = "FROM members WHERE guild_id = $1 AND user_id = ANY($2)"
    if await connection.fetchval(f"SELECT EXISTS (SELECT 1 {known})", guild_id, list(user_ids)):
        await bump_epoch(connection, guild_id)
        await connection.execute(f"DELETE {known}", guild_id, list(user_ids))
        # Whoever comes back signs in anew: a key is for one membership.
        await connection.execute(
            "DELETE FROM access_keys WHERE guild_id = $1 AND user_id = ANY($2)", guild_id, list(user_ids)
        )
        # Whoever comes back has to be let into a private thread anew.
        await connection.execute(
            """
            UPDATE places SET members = ARRAY(SELECT one FROM unnest(members) AS one WHERE one <> ALL($2))
            WHERE guild_id = $1 AND members && $2
            """,
            guild_id,
            list(user_ids),
        )


def _repaired(name: str | None) -> str | None:
    return None if name is None else repair(name)


def _member(row: Record) -> Member:
    if row["is_unnamed"]:
        roles = tuple(row["roles"])
        return Member(row["guild_id"], row["user_id"], UNNAMED, is_bot=row["is_bot"], roles=roles, is_unnamed=True)
    return Member(
        guild_id=row["guild_id"],
        user_id=row["user_id"],
        username=row["username"],
        global_name=row["global_name"],
        nickname=row["nickname"],
        is_bot=row["is_bot"],
        roles=tuple(row["roles"]),
        aliases=tuple(row.get("aliases") or ()),
        named_by=tuple(row.get("named_by") or ()),
    )


TABLES = (
    TableDeclaration(
        table="members",
        purpose="who is on the server now: ids, the names they go by and the ids of their roles, to know who may see"
        " what",
        until="something newer replaces it, or the member leaves",
        columns=columns(ids="guild_id roles", people="user_id", names="username global_name nickname", states="is_bot"),
        message=Stays("it is about no message"),
        member=Stays("it is Discord's own list of who is there, and goes when you leave"),
        channel=Stays("it is about no channel"),
        guild=Goes(),
        counted=Kind.NAMES,
    ),
    TableDeclaration(
        table="member_names",
        purpose="the same names in lower case, to find out who is meant in a text; none of members who opted out",
        until="something newer replaces it, or the member leaves or opts out",
        columns=columns(ids="guild_id", people="user_id", names="name_key"),
        message=Stays("it is about no message"),
        member=Stays("it is Discord's own list of who is there, and goes when you leave"),
        opting_out=Goes("user_id = {member}"),
        channel=Stays("it is about no channel"),
        guild=Follows("members", How.KEY),
    ),
)


# The guilds we are in.


class GuildStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def meet(self, guild: Guild, members: Sequence[Member], met_at: datetime) -> None:
        """Learn or refresh a guild's name and its members'; when we first met stays as it was. We are in it."""
        async with self._database.transaction("store.guilds.meet") as connection:
            await connection.execute(
                """
                INSERT INTO guilds (guild_id, name, met_at) VALUES ($1, $2, $3)
                ON CONFLICT (guild_id) DO UPDATE SET name = excluded.name, left_at = NULL
                """,
                guild.guild_id,
                repair(guild.name),
                met_at,
            )
            await meet_members(connection, guild.guild_id, members)

    async def present(self) -> list[int]:
        """List the guilds we are in, as far as we know."""
        rows = await self._database.read(
            "store.guilds.present", "SELECT guild_id FROM guilds WHERE left_at IS NULL ORDER BY guild_id"
        )
        return [row["guild_id"] for row in rows]

    async def names(self) -> dict[int, str]:
        """Name the guilds we are in, in the order of their names."""
        rows = await self._database.read(
            "store.guilds.names", "SELECT guild_id, name FROM guilds WHERE left_at IS NULL ORDER BY name"
        )
        return {row["guild_id"]: row["name"] for row in rows}

    async def left_before(self, moment: datetime) -> list[int]:
        rows = await self._database.read(
            "store.guilds.left_before", "SELECT guild_id FROM guilds WHERE left_at < $1 ORDER BY guild_id", moment
        )
        return [row["guild_id"] for row in rows]

    async def erased(self) -> list[int]:
        """List guilds that were erased as a whole, and which we are not in."""
        rows = await self._database.read(
            "store.guilds.erased",
            """
            SELECT guild_id FROM channel_erasures WHERE channel_id = $1
              AND NOT EXISTS (SELECT 1 FROM guilds WHERE guilds.guild_id = channel_erasures.guild_id)
            ORDER BY guild_id
            """,
            WHOLE_GUILD,
        )
        return [row["guild_id"] for row in rows]

    async def leave(self, guild_id: int, left_at: datetime) -> bool:
        """Note that a guild was left, if that is not noted yet. False, if nothing is known of it any more."""
        async with self._database.transaction("store.guilds.leave") as connection:
            known = await connection.fetchval(
                """
                UPDATE guilds SET left_at = coalesce(left_at, $2), epoch = epoch + 1 WHERE guild_id = $1 RETURNING true
                """,
                guild_id,
                left_at,
            )
        return known is not None


async def leave_for_good(connection: Connection, guild_id: int) -> None:
    """Have a guild's data wait for nothing any more, within the caller's transaction; the next purge removes it."""
    await connection.execute(
        "UPDATE guilds SET left_at = TIMESTAMP WITH TIME ZONE 'epoch', epoch = epoch + 1 WHERE guild_id = $1", guild_id
    )


GUILD_TABLES = (
    TableDeclaration(
        table="guilds",
        purpose="the server's id, name, owner and time zone, and what its managers decided",
        until="7 days after the bot left the server",
        columns=columns(
            ids="guild_id hall_role_id",
            people="owner_id",
            names="name",
            times="met_at kept_since left_at set_up_at heard_until",
            numbers="epoch",
            settings="time_zone consent retention_days excluded_channels excluded_roles webhooks names_left_out"
            " speaks_in summary_days fact_days facts_about_others moderators_may second_look summaries answers digest"
            " files",
            states="places_run going",
        ),
        message=Stays("it is about no message"),
        member=Stays("Discord says who owns a server; nothing else in it is about a member"),
        channel=Stays("what managers decided about a channel holds on"),
        guild=Goes(after=("chat_history",)),
    ),
)


class People:
    """Learns who comes and goes, as the process that sees Discord tells it."""

    def __init__(self, database: Database, policies: Policies, clock: Clock) -> None:
        self._guilds = GuildStore(database)
        self._members = MemberStore(database)
        self._policies = policies
        self._clock = clock

    async def meet_guild(self, guild: Guild, members: Sequence[Member], *, complete: bool = False) -> None:
        """Learn or refresh a guild and these members; `complete` means that there are no others."""
        for start in range(0, max(len(members), 1), MEMBERS_AT_ONCE):
            await self._guilds.meet(guild, members[start : start + MEMBERS_AT_ONCE], self._clock.now())
        if complete:
            present = {member.user_id for member in members}
            await self._members.part_from_others(guild.guild_id, present, self._clock.now())
        self._policies.forget(guild.guild_id)

    async def meet_member(self, member: Member) -> None:
        await self._members.meet([member])
        self._policies.forget(member.guild_id)

    async def part_from_member(self, guild_id: int, user_id: int) -> None:
        await self._members.part_from(guild_id, user_id, self._clock.now())

    async def called(self, guild_id: int, user_ids: Collection[int]) -> dict[int, str]:
        """Tell what members are called on the server. Who left or opted out is not in it."""
        return await self._members.called(guild_id, user_ids)

    async def listed(self, guild_id: int, like: str, after: int, most: int) -> list[Member]:
        """List members in the order of their ids, behind one; with these letters in a name, if any are given."""
        return await self._members.listed(guild_id, like, after, most)

    async def known_guilds(self) -> list[int]:
        """List the guilds we were in when we last looked; those we are no longer in have been left meanwhile."""
        return await self._guilds.present()
