"""Undoing a change: the rows of the ledger become what they were before it, if they are as it left them.

What the readers of the line could hear comes back as a whole, or nothing does. What was told elsewhere comes back or
not without a word: whether something happened to it there is not for them.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence

import asyncpg

from memory.core.changes import ChangedSince, ChangeKind, audible, heard
from memory.core.contradiction import contradicts
from memory.core.telling import statement_key
from memory.core.values import Fact, Standing
from memory.db.database import Connection
from memory.fact_rows import CURRENT, SELECT, fact_of
from memory.places.view import Audience
from memory.policy.store import any_of, is_erased, said_no
from memory.store import vetoes
from memory.store.changes import Recorded, Row, digest, fact_before, rows_of
from memory.store.entering import ToldTo, learn_names

_PEOPLE = ("told.teller_id", "told.subject_id")
# Of people who were erased or opted out, from messages that were deleted, or told where nobody is or may be quoted.
_UNWELCOME = f"""
SELECT told.fact_id FROM jsonb_populate_recordset(NULL::facts, $2) AS told
WHERE {any_of(refusal for one in _PEOPLE for refusal in (said_no(one), is_erased(one, "told.message_id")))}
   OR EXISTS (SELECT 1 FROM tombstones AS gone WHERE gone.guild_id = $1
              AND gone.message_id IN (told.source_message_id, told.message_id))
   OR (NOT told.everywhere AND EXISTS (
        SELECT 1 FROM closed_channels AS closed WHERE closed.guild_id = $1 AND closed.channel_id = told.channel_id))
   OR EXISTS (SELECT 1 FROM channel_erasures AS erased WHERE erased.guild_id = $1
              AND erased.channel_id = told.channel_id AND told.message_id <= erased.through_message_id)
"""  # noqa: S608 - made of constants
_PUT_BACK = """
INSERT INTO facts OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::facts, $1)
ON CONFLICT (guild_id, fact_id) DO UPDATE SET standing = excluded.standing, everywhere = excluded.everywhere,
    valid_to = excluded.valid_to, superseded_by = excluded.superseded_by, told_at = excluded.told_at,
    withheld = excluded.withheld
"""
_HOLDS_INSTEAD = f"""
WITH RECURSIVE since AS (
    SELECT * FROM facts WHERE guild_id = $1 AND (fact_id = ANY($2) OR message_id = ANY($3))
    UNION SELECT later.* FROM facts AS later JOIN since ON later.fact_id = since.superseded_by
    WHERE later.guild_id = $1)
SELECT * FROM since WHERE {CURRENT} ORDER BY fact_id
"""  # noqa: S608 - made of constants


async def put_back(connection: Connection, recorded: Recorded, audience: Audience) -> ChangedSince | list[Fact]:
    """What went with the change. Within the transaction of a caller who owns the log and all subjects of the change,
    and then follows with the blobs."""
    guild_id, kind = recorded.change.guild_id, recorded.change.kind
    stuck = await _stuck(connection, recorded)
    heard_of = {fact.fact_id for fact in audible(recorded.change.before, audience)} | recorded.made_ids
    # Its words went with the message that they came from.
    is_empty = not recorded.ids and recorded.messages and recorded.change.channels & audience.sources
    if is_empty or not heard_of.isdisjoint(stuck):
        ids = [*recorded.ids, *(newer.fact_id for newer in stuck.values() if newer is not None)]
        now = await connection.fetch(_HOLDS_INSTEAD, guild_id, ids, list(recorded.messages))
        return ChangedSince(heard([fact_of(row) for row in now], audience))
    rows = [row for row in recorded.rows if row["fact_id"] not in stuck]
    await connection.execute(_PUT_BACK, rows)
    for row in rows:
        await learn_names(connection, fact_before(row))
    if kind is ChangeKind.VETOED:
        said = [(row["subject_id"], row["text"]) for row in rows if row["subject_id"] is not None]
        await vetoes.lift(connection, guild_id, said)
    await take_out(connection, guild_id, recorded.made_ids, but=stuck)
    return list(recorded.change.made)


async def take_out(
    connection: Connection, guild_id: int, fact_ids: Collection[int], *, but: Collection[int] = ()
) -> None:
    """Within the transaction of a caller who owns the log and their subjects: what they had replaced holds again, `but`
    for these, which go with them."""
    ids = list(fact_ids)
    await connection.execute(
        """
        UPDATE facts SET valid_to = NULL, superseded_by = NULL
        WHERE guild_id = $1 AND superseded_by = ANY($2) AND fact_id <> ALL ($3)
        """,
        guild_id,
        ids,
        list(but),
    )
    await connection.execute("DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)", guild_id, ids)


async def _stuck(connection: Connection, recorded: Recorded) -> Mapping[int, Fact | None]:
    """Facts that cannot become what they were, by their ids, with what was told in their place."""
    guild_id, ids = recorded.change.guild_id, recorded.ids
    now = {row["fact_id"]: row for row in await rows_of(connection, guild_id, ids)}
    left = {fact_id: digest(row) for fact_id, row in now.items()}
    stuck: dict[int, Fact | None] = {one: None for one in ids if left.get(one) != recorded.left_as.get(one)}
    unwelcome = await connection.fetch(_UNWELCOME, guild_id, list(recorded.rows))
    stuck.update(dict.fromkeys(row["fact_id"] for row in unwelcome))
    for row in recorded.rows:
        if row["fact_id"] not in stuck and row["valid_to"] is None:
            is_contested, newer = await _contested(connection, recorded, row)
            if is_contested:
                stuck[row["fact_id"]] = newer
    # What is over comes back only with what took its place.
    over = {row["fact_id"]: row["superseded_by"] for row in recorded.rows if row["superseded_by"] is not None}
    there = {row["fact_id"] for row in await rows_of(connection, guild_id, over.values())} | ids
    while orphans := [one for one, by in over.items() if one not in stuck and (by in stuck or by not in there)]:
        stuck.update(dict.fromkeys(orphans))
    return stuck


async def _contested(connection: Connection, recorded: Recorded, row: Row) -> tuple[bool, Fact | None]:
    """By its subject, or by what was told since where whoever could hear the old one hears it, too."""
    guild_id, subject_id = recorded.change.guild_id, row["subject_id"]
    is_hearsay = subject_id is not None and row["standing"] == Standing.HEARSAY
    is_denied = is_hearsay and await vetoes.is_vetoed(connection, guild_id, subject_id, row["text"])
    if is_denied and recorded.change.kind is not ChangeKind.VETOED:
        return True, None
    since = await connection.fetch(
        f"""{SELECT} WHERE guild_id = $1 AND subject_id IS NOT DISTINCT FROM $2 AND {CURRENT} AND told_at > $3
        AND fact_id <> ALL ($4) ORDER BY fact_id DESC""",
        guild_id,
        subject_id,
        recorded.made_at,
        list(recorded.ids),
    )
    covering = [newer for newer in since if ToldTo.of(newer).covers(ToldTo.of(row))]
    newer = await asyncio.to_thread(_instead_of, row["text"], covering)
    return newer is not None, None if newer is None else fact_of(newer)


def _instead_of(text: str, newer: Sequence[asyncpg.Record]) -> asyncpg.Record | None:
    """The first that says the same, or contradicts it."""
    key = statement_key(text)
    return next((one for one in newer if statement_key(one["text"]) == key or contradicts(one["text"], text)), None)
