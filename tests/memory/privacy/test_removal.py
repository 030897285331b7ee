"""What has to go is found by an index, however long the log is: the log stands still meanwhile."""

from itertools import pairwise

import pytest

from memory.db.database import Database
from memory.db.table_declarations import Erasing, written
from memory.privacy import erase

GUILD = 1
_LONG_LOG = """
INSERT INTO chat_history (guild_id, message_id, channel_id, author_id, author_kind, text, sent_at, parent_id, reply_to)
SELECT 1 + number % 2, number, 10 + number % 20, number % 50, CASE WHEN number % 40 = 0 THEN 'self' ELSE 'person' END,
    'words', now() - number * interval '1 minute', CASE WHEN number % 5 = 0 THEN 500 + number % 7 END,
    CASE WHEN number % 40 = 0 THEN number - 1 END
FROM generate_series(1, 20000) AS number;
INSERT INTO guilds (guild_id, name, met_at, consent, kept_since, excluded_channels, excluded_roles)
VALUES (1, 'The Inn', now(), 'opt_in', now() - interval '1 year', '{900}', '{5}');
INSERT INTO consents SELECT 1, author, CASE WHEN author < 45 THEN 'in' ELSE 'out' END, now()
FROM generate_series(0, 50) AS author;
INSERT INTO erasures SELECT 1, author, 5, now() FROM generate_series(20, 25) AS author;
INSERT INTO channel_erasures SELECT 1, channel, 5, now() FROM unnest(ARRAY[0, 10, 501]) AS channel;
ANALYZE;
"""
_BY_MEMBER = written(
    f"SELECT message_id FROM chat_history WHERE guild_id = $1 AND {erase._MESSAGES[Erasing.MEMBER]}"
    " AND message_id > {after} ORDER BY message_id LIMIT {most}"
)
LOOKS: dict[str, tuple[str, list[object]]] = {
    "may not be stored": (erase.NOT_ADMITTED, [GUILD, 100]),
    "from before the horizon": (erase.EXPIRED, [GUILD, 100, 50]),
    "our replies": (f"DELETE FROM {erase.OUR_REPLIES}", [GUILD, [39, 79]]),
    "of a member": (
        _BY_MEMBER.sql,
        _BY_MEMBER.arguments({"guild": GUILD, "member": 7, "through": 900, "after": 0, "most": 100}),
    ),
    "of a channel's threads": (
        "SELECT channel_id FROM chat_history WHERE guild_id = $1 AND parent_id = $2",
        [GUILD, 501],
    ),
}


@pytest.fixture
async def long_log(database: Database) -> Database:
    async with database.connection("test") as connection:
        await connection.execute(_LONG_LOG)
    return database


async def test_nobody_reads_the_whole_log_to_find_what_has_to_go(long_log: Database) -> None:
    for what, (query, values) in LOOKS.items():
        async with long_log.connection("test") as connection:
            plan = [row[0] for row in await connection.fetch(f"EXPLAIN {query}", *values)]
        assert not [line for line in plan if "Seq Scan on chat_history" in line], what
        # The first author of all is the first entry of its index.
        looked = [(line, below) for line, below in pairwise(plan) if "Index" in line and " chat_history" in line]
        assert looked, what
        by_guild_alone = [line for line, below in looked if "Index Cond: ((guild_id = " not in below]
        assert [line for line in by_guild_alone if "Index Only Scan using chat_history_by_author" not in line] == [], (
            what
        )
