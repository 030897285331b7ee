"""Undoing that something was hidden, or shown again: with all copies of it, also those that were told meanwhile.

A copy that was told while the statement was hidden is as hidden as that (`entering.hidden_copy`), to the same moment.
"""

from collections.abc import Collection

from memory.core.changes import Obstacle, Stuck
from memory.core.model import Fact
from memory.store.about_others import disturb_days
from memory.store.changes import Recorded, Row, fact_before
from memory.store.database import Connection
from memory.store.entering import saying_the_same
from memory.store.fact_rows import SELECT, fact_of


async def unhide(connection: Connection, recorded: Recorded) -> tuple[list[Fact], list[Stuck]]:
    """What is as it was before the change, and what is not, because somebody else has decided about it since."""
    found = [(row, await _put_back(connection, recorded, row)) for row in recorded.changed]
    back = [now for _, now in found if now is not None]
    # Only when all of the change is as it was: what is left then came since.
    for now in back:
        if _is_hidden_by_somebody(now.hidden_by, now.guild_id):
            await disturb_days(connection, now.guild_id, [now.fact_id, *await _hide_copies(connection, now)])
        else:
            await _show_copies(connection, recorded, now)
    return back, [await _why_not(connection, row) for row, now in found if now is None]


def _is_hidden_by_somebody(hidden_by: int | None, guild_id: int) -> bool:
    """And not by a rule of the guild alone."""
    return hidden_by not in (None, guild_id)


async def _put_back(connection: Connection, recorded: Recorded, row: Row) -> Fact | None:
    """None if somebody else has decided since. What a rule keeps silent meanwhile, nobody has."""
    found = await connection.fetchrow(
        """
        UPDATE facts SET hidden_at = ($3::jsonb ->> 'hidden_at')::timestamptz, hidden_by = $4
        WHERE guild_id = $1 AND fact_id = $2
          AND CASE WHEN $5 THEN coalesce(hidden_by, $1) = $1 ELSE hidden_by = $6 END RETURNING *
        """,
        row["guild_id"],
        row["fact_id"],
        row,
        row["hidden_by"],
        _is_hidden_by_somebody(row["hidden_by"], row["guild_id"]),
        recorded.change.made_by,
    )
    return None if found is None else fact_of(found)


async def _show_copies(connection: Connection, recorded: Recorded, shown: Fact) -> None:
    """Of what was hidden with the change: copies that were told since, and that nobody hid for themselves."""
    rows = await connection.fetch(
        f"""{SELECT} WHERE guild_id = $1 AND subject_id IS NOT DISTINCT FROM $2 AND fact_id <> $3
        AND hidden_by = $4 AND hidden_at = $5""",
        shown.guild_id,
        shown.subject_id,
        shown.fact_id,
        recorded.change.made_by,
        recorded.change.made_at,
    )
    copies = await saying_the_same(rows, shown.text)
    await _set_hidden(connection, shown, [row["fact_id"] for row in copies])


async def _hide_copies(connection: Connection, hidden: Fact) -> list[int]:
    """Of what its subject had hidden: copies that were told while it was not. What others hid is one telling alone."""
    if hidden.hidden_by != hidden.subject_id:
        return []
    rows = await connection.fetch(
        f"{SELECT} WHERE guild_id = $1 AND subject_id = $2 AND fact_id <> $3 AND coalesce(hidden_by, $1) = $1",
        hidden.guild_id,
        hidden.subject_id,
        hidden.fact_id,
    )
    copies = [row["fact_id"] for row in await saying_the_same(rows, hidden.text)]
    await _set_hidden(connection, hidden, copies)
    return copies


async def _set_hidden(connection: Connection, like: Fact, fact_ids: Collection[int]) -> None:
    """As hidden, or as open, as another."""
    await connection.execute(
        """
        UPDATE facts SET hidden_at = alike.hidden_at, hidden_by = alike.hidden_by FROM facts AS alike
        WHERE facts.guild_id = $1 AND facts.fact_id = ANY($2) AND alike.guild_id = $1 AND alike.fact_id = $3
        """,
        like.guild_id,
        list(fact_ids),
        like.fact_id,
    )


async def _why_not(connection: Connection, row: Row) -> Stuck:
    there: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT 1 FROM facts WHERE guild_id = $1 AND fact_id = $2)", row["guild_id"], row["fact_id"]
    )
    return Stuck(Obstacle.NEWER) if there else Stuck(Obstacle.GONE, fact_before(row))
