"""Keeps changes of the ledger for a day so that they can be undone: what was before, and how they left it.

A change is recorded in the transaction that makes it. Rows of the ledger lie in `before` as they were; `fact_ids` are
those that were there afterwards, and `left_as` is a digest of each as it was then. One of them that is in `before` as
well was changed, and the others were made; what is in `before` alone was deleted.

What deletes messages, or people, takes the words out of here too. A change whose day is over is never read.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from memory.core.log_values import Kind
from memory.core.values import KEPT_FOR, Fact
from memory.db.database import Connection, LogWrite, Record
from memory.db.table_declarations import Erasing, Goes, TableDeclaration, columns
from memory.fact_rows import SELECT, fact_of, naming
from memory.facts.values import Change, ChangeKind, TakenAway, is_visible
from memory.places.view import Audience
from memory.policy.authority import Actor

Row: TypeAlias = dict[str, Any]
"""A row of the ledger as JSON says it: times are texts."""

_ANYWAY = frozenset(("told_at", "standing", "withheld"))
"""What may change of a fact that is still as a change left it: it was told again, confirmed, or withheld by a rule."""


@dataclass(frozen=True, slots=True)
class Recorded(Change):
    """Adds to a change what is needed to undo it."""

    made_at: datetime
    rows: tuple[Row, ...]
    """As they were before."""
    left_as: Mapping[int, str]
    """By the ids of the facts that were there afterwards."""
    messages: frozenset[int]

    @property
    def made_ids(self) -> frozenset[int]:
        return frozenset(self.left_as) - {row["fact_id"] for row in self.rows}

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(self.left_as) | {row["fact_id"] for row in self.rows}


def digest(row: Row) -> str:
    """Digest a row, to know a fact that is as a change left it. A column that nobody has filled is none."""
    told = {key: value for key, value in row.items() if value is not None and key not in _ANYWAY}
    said = json.dumps(told, sort_keys=True)
    return sha256(said.encode("utf-8", "replace")).hexdigest()


async def rows_of(connection: Connection, guild_id: int, fact_ids: Collection[int]) -> list[Row]:
    """Read facts as they are now."""
    rows = await connection.fetch(
        "SELECT to_jsonb(facts) AS row FROM facts WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id",
        guild_id,
        list(fact_ids),
    )
    return [row["row"] for row in rows]


async def delete_facts(connection: Connection, guild_id: int, fact_ids: Collection[int]) -> None:
    query = "DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)"
    await connection.execute(query, guild_id, list(fact_ids))


async def with_replaced(connection: Connection, guild_id: int, fact_ids: Collection[int]) -> list[int]:
    """List facts and all that they replaced: deleting them deletes those as well."""
    rows = await connection.fetch(
        """
        WITH RECURSIVE going AS (
            SELECT fact_id FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)
            UNION
            SELECT before.fact_id FROM facts AS before JOIN going ON before.superseded_by = going.fact_id
            WHERE before.guild_id = $1)
        SELECT fact_id FROM going
        """,
        guild_id,
        list(fact_ids),
    )
    return [row["fact_id"] for row in rows]


_TOLD_WITH = f"""{SELECT}
JOIN (SELECT DISTINCT message_id, teller_id, text FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)) AS told
    USING (message_id, teller_id, text)
WHERE guild_id = $1 AND ($3::bigint IS NULL OR subject_id = $3) ORDER BY fact_id
"""  # noqa: S608 - made of constants


class LedgerChange:
    """Carries a change of the ledger. Whoever has one owns the guild's log, so changes take turns.

    It keeps what was before, and in the end records the change itself, so that it can be undone.
    """

    def __init__(self, connection: LogWrite, guild_id: int, at: datetime) -> None:
        self.connection = connection
        self.guild_id = guild_id
        self.at = at
        self._before: dict[int, Row] = {}
        self._made: set[int] = set()

    async def told_with(self, fact_ids: Collection[int], about: int | None = None) -> tuple[Fact, ...]:
        """Give the whole tellings of these facts: one for each of those they are about, or only the one of somebody."""
        return tuple(map(fact_of, await self.connection.fetch(_TOLD_WITH, self.guild_id, list(fact_ids), about)))

    async def will_change(self, fact_ids: Collection[int]) -> None:
        """Note facts that are about to be changed or deleted."""
        unknown = set(fact_ids) - self._before.keys() - self._made
        for row in await rows_of(self.connection, self.guild_id, unknown):
            self._before[row["fact_id"]] = row

    async def delete(self, fact_ids: Collection[int]) -> None:
        """Delete facts, and note them; what they had replaced goes with them."""
        await self.will_change(await with_replaced(self.connection, self.guild_id, fact_ids))
        await delete_facts(self.connection, self.guild_id, fact_ids)

    def made(self, fact_id: int) -> None:
        self._made.add(fact_id)

    async def record(self, kind: ChangeKind, made_by: int, *, also_nothing: bool = False) -> UUID | None:
        """Record the change afterwards: for a day it can be undone by this id. None if all is as it was, unless nobody
        is to see whether there was something to change."""
        before, after = await self._difference()
        if not before and not after and not also_nothing:
            return None
        change_id, concerned = uuid4(), [*before, *after]
        await self.connection.execute(
            """
            INSERT INTO changes (guild_id, change_id, kind, made_by, made_at, until, fact_ids, left_as, before,
                                 subjects, tellers, channels, messages)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            self.guild_id,
            change_id,
            kind,
            made_by,
            self.at,
            self.at + KEPT_FOR,
            [row["fact_id"] for row in after],
            [digest(row) for row in after],
            before,
            sorted({row["subject_id"] for row in concerned if row["subject_id"] is not None}),
            sorted({row["teller_id"] for row in concerned}),
            sorted({row["channel_id"] for row in concerned}),
            sorted({message_id for row in concerned for message_id in _messages_of(row)}),
        )
        return change_id

    async def _difference(self) -> tuple[list[Row], list[Row]]:
        """List the rows that are not as they were: as they were, and as they are."""
        rows = await rows_of(self.connection, self.guild_id, self._before.keys() | self._made)
        now = {row["fact_id"]: row for row in rows}
        before = [row for fact_id, row in self._before.items() if not _says_the_same(row, now.get(fact_id))]
        return before, [row for fact_id, row in now.items() if fact_id in self._made or self._before[fact_id] in before]


async def read(
    connection: Connection, guild_id: int, change_id: UUID, now: datetime, *, to_undo: bool = False
) -> Recorded | None:
    """Read a change; None once its day is over. `to_undo`: nobody else undoes it meanwhile."""
    lock = "FOR UPDATE" if to_undo else ""
    query = f"SELECT * FROM changes WHERE guild_id = $1 AND until > $2 AND change_id = $3 {lock}"  # noqa: S608 - ours
    row = await connection.fetchrow(query, guild_id, now, change_id)
    return None if row is None else await _recorded(connection, guild_id, row)


async def told_by(connection: Connection, guild_id: int, fact_ids: Collection[int], now: datetime) -> UUID | None:
    """Find the change that told all of these facts or put them in other words, if it can be undone."""
    change_id: UUID | None = await connection.fetchval(
        """
        SELECT change_id FROM changes
        WHERE guild_id = $1 AND until > $2 AND kind IN ('remembered', 'edited') AND fact_ids @> $3 AND $3 <> '{}'
          AND NOT EXISTS (
            SELECT 1 FROM jsonb_array_elements(before) AS was WHERE (was ->> 'fact_id')::bigint = ANY ($3))
        """,
        guild_id,
        now,
        list(fact_ids),
    )
    return change_id


async def remove(connection: Connection, guild_id: int, change_id: UUID) -> None:
    await connection.execute("DELETE FROM changes WHERE guild_id = $1 AND change_id = $2", guild_id, change_id)


async def forget_messages(connection: Connection, guild_id: int, message_ids: Collection[int]) -> None:
    """Delete, within the caller's transaction, the words of what was told in these messages, or taken from them."""
    ids = frozenset(message_ids)
    await _strip(connection, guild_id, "messages", ids, lambda row: not ids.isdisjoint(_messages_of(row)))


async def forget_channels(connection: Connection, guild_id: int, channel_ids: Collection[int]) -> None:
    """Delete, within the caller's transaction, the words of what was told in channels that are gone, but for
    everyone's, and of what was taken from their messages, which are still there."""
    ids = frozenset(channel_ids)
    await _strip(connection, guild_id, "channels", ids, lambda row: row["channel_id"] in ids and not row["everywhere"])
    taken = await connection.fetch(
        """
        SELECT said.message_id FROM changes, unnest(changes.messages) AS mentioned (message_id)
        JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = mentioned.message_id
        WHERE changes.guild_id = $1 AND said.channel_id = ANY ($2)
        """,
        guild_id,
        list(ids),
    )
    await forget_messages(connection, guild_id, {row["message_id"] for row in taken})


async def _strip(
    connection: Connection, guild_id: int, column: str, ids: Collection[int], is_gone: Callable[[Row], bool]
) -> None:
    """Take rows whose words go out of the changes that have these in a column."""
    found = await connection.fetch(
        f"SELECT change_id, before, fact_ids, left_as FROM changes WHERE guild_id = $1 AND {column} && $2 FOR UPDATE",  # noqa: S608 - ours
        guild_id,
        list(ids),
    )
    for change in found:
        gone = {row["fact_id"] for row in change["before"] if is_gone(row)}
        if not gone:
            continue
        # Or they would pass for facts that the change made.
        left_as = {id_: as_ for id_, as_ in zip(change["fact_ids"], change["left_as"], strict=True) if id_ not in gone}
        await connection.execute(
            "UPDATE changes SET before = $3, fact_ids = $4, left_as = $5 WHERE guild_id = $1 AND change_id = $2",
            guild_id,
            change["change_id"],
            [row for row in change["before"] if row["fact_id"] not in gone],
            list(left_as),
            list(left_as.values()),
        )


_TAKEN_AWAY_BY = """
SELECT * FROM changes WHERE guild_id = $1 AND until > $2 AND made_by = $3 AND kind IN ('forgotten', 'vetoed')
ORDER BY made_at DESC LIMIT $4
"""


async def taken_away_by(
    connection: Connection, actor: Actor, audience: Audience, now: datetime, most: int
) -> list[TakenAway]:
    """List what a member had forgotten or denied within its day, the newest first, as far as they may see it."""
    shown = []
    for row in await connection.fetch(_TAKEN_AWAY_BY, audience.guild_id, now, actor.user_id, most):
        change = await _recorded(connection, audience.guild_id, row)
        told = [fact for fact in change.before if fact.everywhere or fact.channel_id in audience.sources]
        facts = tuple(fact for fact in told if is_visible(actor, fact))
        shown += [TakenAway(change.change_id, change.made_at, facts)] if facts else []
    return shown


async def _recorded(connection: Connection, guild_id: int, row: Record) -> Recorded:
    rows = tuple(row["before"])
    made = set(row["fact_ids"]) - {one["fact_id"] for one in rows}
    found = await connection.fetch(
        f"{SELECT} WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id", guild_id, sorted(made)
    )
    return Recorded(
        guild_id=guild_id,
        change_id=row["change_id"],
        kind=ChangeKind(row["kind"]),
        made_by=row["made_by"],
        made=tuple(fact_of(one) for one in found),
        before=tuple(fact_before(one) for one in rows),
        subjects=frozenset(row["subjects"]),
        tellers=frozenset(row["tellers"]),
        channels=frozenset(row["channels"]),
        made_at=row["made_at"],
        rows=rows,
        left_as=dict(zip(row["fact_ids"], row["left_as"], strict=True)),
        messages=frozenset(row["messages"]),
    )


def fact_before(row: Row) -> Fact:
    """Make a fact of a row as it was."""
    times = {key: row[key] and datetime.fromisoformat(row[key]) for key in ("valid_from", "valid_to", "expires_at")}
    return fact_of({**row, **times})


def _says_the_same(before: Row, now: Row | None) -> bool:
    """Say whether nothing but a repeated telling changed: nobody would undo that."""
    return now is not None and {**before, "told_at": None} == {**now, "told_at": None}


def _messages_of(row: Row) -> list[int]:
    return [row["message_id"], *([] if row["source_message_id"] is None else [row["source_message_id"]])]


_NAMES_THEM = naming("before::text", "{member}")

TABLES = (
    TableDeclaration(
        table="changes",
        purpose="what was remembered, forgotten or edited in the last day, as it was before, for Undo",
        until="a day later",
        columns=columns(
            ids="guild_id change_id fact_ids channels messages",
            people="made_by subjects tellers",
            words="before",
            digests="left_as",
            times="made_at until",
            states="kind",
        ),
        message=Goes("messages && {messages}"),
        member=Goes(
            f"made_by = {{member}} OR {{member}} = ANY (subjects) OR {{member}} = ANY (tellers) OR {_NAMES_THEM}"
        ),
        opting_out=Goes(f"{{member}} = ANY (subjects) OR {_NAMES_THEM}"),
        channel=Goes("channels && {channels}"),
        guild=Goes(),
        counted=Kind.CHANGES,
        named_on={
            Erasing.OPTING_OUT: dict.fromkeys(
                ("made_by", "tellers", "before"), "what you told about others can still be undone for a day"
            )
        },
    ),
)
