"""Putting the ledger back as it was before a change, as far as that may be.

Facts that the change deleted come back under their old ids, with their dates, names and standing, and what they had
replaced; facts that it changed say what they said; facts that it made go. What cannot be put back says why.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import asyncpg

from memory.core.changes import ChangeKind, Obstacle, Stuck
from memory.core.contradiction import contradicts
from memory.core.model import Fact, Standing
from memory.core.telling import statement_key
from memory.store import vetoes
from memory.store.about_others import disturb_days
from memory.store.changes import Recorded, Row, fact_before
from memory.store.database import Connection
from memory.store.entering import ToldTo, hidden_copy, learn_names, saying_the_same
from memory.store.fact_rows import CURRENT, SELECT, fact_of
from memory.store.policy import any_of, is_erased, said_no
from memory.store.told_changes import edited_since
from memory.store.unhiding import unhide

_PEOPLE = ("told.teller_id", "told.subject_id")
_PEOPLE_LEFT = f"""
SELECT told.fact_id FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
    AS told (fact_id, message_id, teller_id, subject_id)
WHERE {any_of(refusal for one in _PEOPLE for refusal in (said_no(one), is_erased(one, "told.message_id")))}
"""  # noqa: S608 - made of constants

# The message of what has lapsed is gone in any case; what "this" meant must be there.
_SOURCES_LEFT = """
SELECT told.fact_id FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[])
    AS told (fact_id, message_id, source_message_id, channel_id, everywhere)
WHERE EXISTS (SELECT 1 FROM tombstones AS gone WHERE gone.guild_id = $1
              AND (gone.message_id = told.source_message_id OR (gone.message_id = told.message_id AND NOT $7)))
   OR (NOT told.everywhere AND EXISTS (
        SELECT 1 FROM closed_channels AS closed WHERE closed.guild_id = $1 AND closed.channel_id = told.channel_id))
   OR EXISTS (SELECT 1 FROM channel_erasures AS erased WHERE erased.guild_id = $1
              AND erased.channel_id = told.channel_id AND told.message_id <= erased.through_message_id)
"""

_PUT_BACK = """
INSERT INTO facts OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::facts, $1)
"""


@dataclass(slots=True)
class PutBack:
    """What came of it."""

    back: list[Fact] = field(default_factory=list)
    gone: list[Fact] = field(default_factory=list)
    stuck: list[Stuck] = field(default_factory=list)


async def put_back(connection: Connection, recorded: Recorded) -> PutBack:
    """Within the transaction of a caller who owns the log and all subjects of the change, and then follows with the
    blobs."""
    done = PutBack()
    if recorded.change.kind is ChangeKind.VETOED:
        said = [(row["subject_id"], row["text"]) for row in recorded.rows if row["subject_id"] is not None]
        await vetoes.lift(connection, recorded.change.guild_id, said)
    await _bring_back(connection, recorded, done)
    match recorded.change.kind:
        case ChangeKind.HIDDEN:
            back, stuck = await unhide(connection, recorded)
            done.back += back
            done.stuck += stuck
        case ChangeKind.EDITED:
            await _say_again(connection, recorded, done)
        case ChangeKind.OPENED:
            await _close_again(connection, recorded, done)
        case ChangeKind.REMEMBERED:
            await _let_hold_again(connection, recorded, recorded.made_ids, done)
            await _take_out(connection, recorded, done)
        case _:
            pass
    return done


async def take_out_hearsay(connection: Connection, guild_id: int, subject_id: int, text: str) -> list[Fact]:
    """Within the transaction of a caller who owns the log and this subject: the same, on others' word alone."""
    rows = await connection.fetch(
        f"{SELECT} WHERE guild_id = $1 AND subject_id = $2 AND standing = 'hearsay'", guild_id, subject_id
    )
    going = [fact_of(row) for row in await saying_the_same(rows, text)]
    ids = [fact.fact_id for fact in going]
    await connection.execute("DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)", guild_id, ids)
    return going


async def _bring_back(connection: Connection, recorded: Recorded, done: PutBack) -> None:
    """What the change deleted."""
    rows = list(recorded.deleted)
    stuck = await _obstacles(connection, recorded, rows)
    rows = [row for row in rows if row["fact_id"] not in stuck]
    rows = await _with_successors(connection, recorded.change.guild_id, rows)
    rows = [await _as_hidden(connection, recorded, row) for row in rows]
    await connection.execute(_PUT_BACK, rows)
    for row in rows:
        await learn_names(connection, fact_before(row))
    done.back += [fact_before(row) for row in rows if row["valid_to"] is None]
    done.stuck += [one for one in stuck.values() if one.fact is None or one.fact.valid_to is None]
    if len(recorded.rows) == 0 and recorded.change.kind is not ChangeKind.REMEMBERED and recorded.messages:
        # Its words went with the message that they came from.
        done.stuck.append(Stuck(Obstacle.SOURCE))


async def _as_hidden(connection: Connection, recorded: Recorded, row: Row) -> Row:
    """As hidden as a copy that somebody hid meanwhile; only whose own words they are bring them to light by undoing."""
    guild_id, subject_id = recorded.change.guild_id, row["subject_id"]
    if row["hidden_by"] not in (None, guild_id) or recorded.change.made_by == subject_id == row["teller_id"]:
        return row
    copy = await hidden_copy(connection, guild_id, subject_id, row["text"])
    return row if copy is None else {**row, "hidden_at": copy["hidden_at"].isoformat(), "hidden_by": copy["hidden_by"]}


async def _with_successors(connection: Connection, guild_id: int, rows: list[Row]) -> list[Row]:
    """Without those whose successor is neither there nor comes back, and without what is there already."""
    known = await connection.fetch(
        "SELECT fact_id FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)",
        guild_id,
        [one for row in rows for one in (row["fact_id"], row["superseded_by"]) if one is not None],
    )
    there = {row["fact_id"] for row in known}
    coming = {row["fact_id"]: row for row in rows if row["fact_id"] not in there}
    while orphans := [
        fact_id
        for fact_id, row in coming.items()
        if row["superseded_by"] is not None and row["superseded_by"] not in there | coming.keys()
    ]:
        for fact_id in orphans:
            del coming[fact_id]
    return list(coming.values())


async def _obstacles(connection: Connection, recorded: Recorded, rows: Sequence[Row]) -> dict[int, Stuck]:
    """By the ids of facts, why they must not come back."""
    guild_id, kind = recorded.change.guild_id, recorded.change.kind
    found: dict[int, Stuck] = {}
    ids, messages = [row["fact_id"] for row in rows], [row["message_id"] for row in rows]
    left = await connection.fetch(
        _PEOPLE_LEFT, guild_id, ids, messages, [r["teller_id"] for r in rows], [r["subject_id"] for r in rows]
    )
    found.update((row["fact_id"], Stuck(Obstacle.PERSON)) for row in left)
    sources = await connection.fetch(
        _SOURCES_LEFT,
        guild_id,
        ids,
        messages,
        [row["source_message_id"] for row in rows],
        [row["channel_id"] for row in rows],
        [row["everywhere"] for row in rows],
        kind is ChangeKind.LAPSED,
    )
    found.update((row["fact_id"], Stuck(Obstacle.SOURCE)) for row in sources if row["fact_id"] not in found)
    for row in rows:
        if row["fact_id"] not in found and row["valid_to"] is None:
            stuck = await _contested(connection, recorded, row)
            if stuck is not None:
                found[row["fact_id"]] = stuck
    return found


async def _contested(connection: Connection, recorded: Recorded, row: Row) -> Stuck | None:
    """By its subject, or by what was told since where whoever could hear the old one hears it, too."""
    guild_id, subject_id = recorded.change.guild_id, row["subject_id"]
    fact = fact_before(row)
    is_hearsay = subject_id is not None and fact.standing is Standing.HEARSAY
    if is_hearsay and await vetoes.is_vetoed(connection, guild_id, subject_id, fact.text):
        return Stuck(Obstacle.VETOED, fact)
    since = await connection.fetch(
        f"""{SELECT} WHERE guild_id = $1 AND subject_id IS NOT DISTINCT FROM $2 AND {CURRENT} AND told_at > $3
        AND fact_id <> ALL ($4) ORDER BY fact_id DESC""",
        guild_id,
        subject_id,
        recorded.change.made_at,
        [*(one["fact_id"] for one in recorded.rows), *recorded.made_ids],
    )
    covering = [newer for newer in since if ToldTo.of(newer).covers(ToldTo.of(row))]
    newer = await asyncio.to_thread(_instead_of, fact.text, covering)
    return None if newer is None else Stuck(Obstacle.NEWER, fact, fact_of(newer))


def _instead_of(text: str, newer: Sequence[asyncpg.Record]) -> asyncpg.Record | None:
    """The first that says the same, or contradicts it."""
    key = statement_key(text)
    return next((one for one in newer if statement_key(one["text"]) == key or contradicts(one["text"], text)), None)


async def _say_again(connection: Connection, recorded: Recorded, done: PutBack) -> None:
    """What was put in other words; and what did not hold any more since holds again."""
    guild_id = recorded.change.guild_id
    reworded = await edited_since(
        connection, guild_id, [row["fact_id"] for row in recorded.changed], recorded.change.made_at
    )
    for row in recorded.changed:
        if row["valid_to"] is not None:
            continue
        now = await connection.fetchrow(
            # Hidden before the edit are only its words: a copy of them was.
            f"{SELECT} WHERE guild_id = $1 AND fact_id = $2 AND valid_to IS NULL AND coalesce(hidden_at < $3, true)",
            guild_id,
            row["fact_id"],
            recorded.change.made_at,
        )
        if now is None:
            continue  # replaced by the edit, and told of below; or forgotten or hidden since
        contested = await _contested(connection, recorded, row)
        if now["fact_id"] in reworded:
            done.stuck.append(Stuck(Obstacle.NEWER, fact_before(row), fact_of(now)))
        elif contested is not None:
            done.stuck.append(contested)
        elif now["text"] != row["text"]:
            done.back.append(await _put_in_old_words(connection, row))
    restored = {fact.fact_id for fact in done.back}
    await disturb_days(connection, guild_id, restored)
    await _let_hold_again(connection, recorded, restored, done)
    if not done.back and not done.stuck:
        done.stuck.append(Stuck(Obstacle.GONE))


async def _put_in_old_words(connection: Connection, row: Row) -> Fact:
    """As hidden as others' copies of them are by now."""
    is_own = row["teller_id"] == row["subject_id"]
    copy = None if is_own else await hidden_copy(connection, row["guild_id"], row["subject_id"], row["text"])
    said = await connection.fetchrow(
        "UPDATE facts SET text = $3, hidden_at = $4, hidden_by = $5 WHERE guild_id = $1 AND fact_id = $2 RETURNING *",
        row["guild_id"],
        row["fact_id"],
        row["text"],
        None if copy is None else copy["hidden_at"],
        None if copy is None else copy["hidden_by"],
    )
    await learn_names(connection, fact_of(said))
    return fact_of(said)


async def _close_again(connection: Connection, recorded: Recorded, done: PutBack) -> None:
    """What everyone may know lives where it was told, unless it is over by now or that place is gone."""
    guild_id = recorded.change.guild_id
    ids = [row["fact_id"] for row in recorded.changed if not row["everywhere"]]
    rows = await connection.fetch(
        """
        UPDATE facts SET everywhere = false
        WHERE guild_id = $1 AND fact_id = ANY($2) AND valid_to IS NULL AND NOT EXISTS (
            SELECT 1 FROM closed_channels AS closed
            WHERE closed.guild_id = $1 AND closed.channel_id = facts.channel_id)
        RETURNING *
        """,
        guild_id,
        ids,
    )
    done.back += [fact_of(row) for row in rows]
    if not rows:
        done.stuck.append(Stuck(Obstacle.GONE))


async def _let_hold_again(
    connection: Connection, recorded: Recorded, over_by: frozenset[int] | set[int], done: PutBack
) -> None:
    """What these facts had replaced, and what stands better by a telling. What has replaced one of them since, has
    replaced what was before it as well."""
    for row in recorded.changed:
        now = await connection.fetchrow(
            """
            SELECT over.*, since.valid_to AS since_to, since.superseded_by AS since_by
            FROM facts AS over LEFT JOIN facts AS since
                ON since.guild_id = over.guild_id AND since.fact_id = over.superseded_by
            WHERE over.guild_id = $1 AND over.fact_id = $2
            """,
            recorded.change.guild_id,
            row["fact_id"],
        )
        if now is None or (now["superseded_by"] is not None and now["superseded_by"] not in over_by):
            continue
        if now["superseded_by"] is None and recorded.change.kind is ChangeKind.EDITED:
            continue  # the one that was put in other words
        if row["superseded_by"] is not None and not await _is_there(connection, recorded, row["superseded_by"]):
            continue  # it goes with what has its place now
        before = fact_before(row)
        holds = before.valid_to is None and now["since_by"] is None
        restored = await connection.fetchrow(
            """
            UPDATE facts SET standing = $3, told_at = ($4::jsonb ->> 'told_at')::timestamptz, valid_to = $5,
                superseded_by = $6, hidden_by = coalesce(($4 ->> 'hidden_by')::bigint, hidden_by),
                hidden_at = coalesce(($4 ->> 'hidden_at')::timestamptz, hidden_at)
            WHERE guild_id = $1 AND fact_id = $2 RETURNING *
            """,
            recorded.change.guild_id,
            row["fact_id"],
            row["standing"],
            row,
            before.valid_to if before.valid_to is not None else now["since_to"],
            row["superseded_by"] if row["superseded_by"] is not None else now["since_by"],
        )
        if holds and (now["superseded_by"], now["standing"]) != (None, row["standing"]):
            done.back.append(fact_of(restored))


async def _take_out(connection: Connection, recorded: Recorded, done: PutBack) -> None:
    """What came with the change. What an earlier undoing led to it holds again, unless it is over itself."""
    led_here = await connection.fetch(
        """
        UPDATE facts AS before SET valid_to = made.valid_to, superseded_by = made.superseded_by FROM facts AS made
        WHERE before.guild_id = $1 AND made.guild_id = $1 AND made.fact_id = ANY($2)
          AND before.superseded_by = made.fact_id AND before.fact_id <> ALL ($3)
        RETURNING before.*
        """,
        recorded.change.guild_id,
        list(recorded.made_ids),
        [row["fact_id"] for row in recorded.rows],
    )
    done.back += [fact_of(row) for row in led_here if row["valid_to"] is None]
    rows = await connection.fetch(
        f"{SELECT} WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id",
        recorded.change.guild_id,
        list(recorded.made_ids),
    )
    await connection.execute(
        "DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)",
        recorded.change.guild_id,
        [row["fact_id"] for row in rows],
    )
    done.gone += [fact_of(row) for row in rows]
    if not rows and recorded.made_ids:
        done.stuck.append(Stuck(Obstacle.GONE))


async def _is_there(connection: Connection, recorded: Recorded, fact_id: int) -> bool:
    there: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT 1 FROM facts WHERE guild_id = $1 AND fact_id = $2)", recorded.change.guild_id, fact_id
    )
    return there
