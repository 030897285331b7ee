"""Reads messages that were found before, once more, for whoever may hear them now.

What was deleted, set aside or closed to the reader meanwhile is missing; what was edited says what it says today.
"""

from collections.abc import Sequence

from memory.core.recall.recollection import Bookmark, Passage
from memory.core.values import Message
from memory.db.database import Database
from memory.log.reading import PAUSE, message_of, tellable
from memory.places.view import Audience
from memory.store.index import CONVERSATION


class PassageStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, audience: Audience, marks: Sequence[Bookmark]) -> list[Passage]:
        """In the order of the marks."""
        async with self._database.transaction("store.passages.read", readonly=True) as connection:
            rows = await connection.fetch(
                _READ,
                audience.guild_id,
                list(audience.sources),
                [mark.message_id for mark in marks],
                [mark.with_before for mark in marks],
                [mark.with_after for mark in marks],
            )
        read: dict[int, dict[int, Message]] = {}
        for row in rows:
            read.setdefault(row["found_id"], {})[row["side"]] = message_of(row)
        found = [read[mark.message_id] for mark in marks if 0 in read.get(mark.message_id, {})]
        return [Passage(sides[0], _beside(sides, -1), _beside(sides, 1)) for sides in found]


def _beside(sides: dict[int, Message], side: int) -> tuple[Message, ...]:
    """What stands next to it, if no pause lies between them."""
    other = sides.get(side)
    if other is None or abs(other.sent_at - sides[0].sent_at) >= PAUSE:
        return ()
    return (other,)


_TELLABLE = tellable("said")
_READ = f"""
WITH wanted AS (
    SELECT said.guild_id, said.channel_id, said.message_id, with_before, with_after
    FROM unnest($3::bigint[], $4::boolean[], $5::boolean[]) AS marked (message_id, with_before, with_after)
    JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = marked.message_id
    WHERE said.channel_id = ANY ($2) AND {CONVERSATION} AND {_TELLABLE}
)
SELECT said.*, wanted.message_id AS found_id, 0 AS side
FROM wanted JOIN chat_history AS said USING (guild_id, message_id)
UNION ALL
SELECT before.*, wanted.message_id, -1 FROM wanted CROSS JOIN LATERAL (
    SELECT * FROM chat_history AS said
    WHERE said.guild_id = wanted.guild_id AND said.channel_id = wanted.channel_id
        AND said.message_id < wanted.message_id AND {CONVERSATION} AND {_TELLABLE}
    ORDER BY said.message_id DESC LIMIT 1) AS before
WHERE with_before
UNION ALL
SELECT behind.*, wanted.message_id, 1 FROM wanted CROSS JOIN LATERAL (
    SELECT * FROM chat_history AS said
    WHERE said.guild_id = wanted.guild_id AND said.channel_id = wanted.channel_id
        AND said.message_id > wanted.message_id AND {CONVERSATION} AND {_TELLABLE}
    ORDER BY said.message_id LIMIT 1) AS behind
WHERE with_after
"""  # noqa: S608 - made of constants
