"""The receipt of an erasure against what there was: all rows before and after, compared by whose they were."""

from collections import Counter
from typing import Any

from memory.core.clock import SystemClock
from memory.core.log_values import Kind
from memory.health import Health
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.end_to_end.erasure.registry import Plot, Reach, deletion
from tests.end_to_end.erasure.stage import Stage

Row = dict[str, Any]
Key = tuple[object, ...]
Rows = dict[str, dict[Key, Row]]
"""By table and key."""

KEYS = """
SELECT relname AS table_name, array_agg(attname::text ORDER BY attnum) AS columns
FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
WHERE indisprimary AND relnamespace = 'public'::regnamespace GROUP BY relname
"""
BY_KEY = {
    "addressed": Kind.ADDRESSED,
    "vetoes": Kind.VETOES,
    "changes": Kind.CHANGES,
    "audit": Kind.AUDIT,
    "reminders": Kind.REMINDERS,
    "members": Kind.NAMES,
    "texts": Kind.CONTEXTS,
}


@deletion("a member is erased, and it is counted", reach=Reach.MEMBER, needs_bot=False)
async def erased_and_counted(stage: Stage, plot: Plot) -> None:
    """By another process, as the panel would have it done; while the bot is away, so that nothing else changes."""
    guild_id, user_id = plot.inn.guild.id, plot.author.id
    await stage.beside.order("night")  # makes days anew that were disturbed by what was deleted before
    before = await _all_rows(stage)
    options, clock = MemoryOptions.model_validate(stage.memory_options), SystemClock()
    memory = await MemoryManager.open(options, clock=clock, health=Health("panel", clock))
    try:
        receipt = await memory.privacy.erase_member(guild_id, user_id, stage.server.ids.next())
    finally:
        await memory.close()
    gone = _gone(before, await _all_rows(stage), user_id)
    assert dict(receipt.counts) == gone, f"the receipt tells of {receipt.counts}, and {gone} went"
    wanted = {Kind.MESSAGES, Kind.REPLIES, Kind.FACTS_TOLD, Kind.FACTS_ABOUT, Kind.RECEIPTS}
    if _is_told_of(before, user_id):
        wanted.add(Kind.SUMMARIES)
    assert wanted <= gone.keys(), f"there was nothing to count of {wanted - gone.keys()}"


async def _all_rows(stage: Stage) -> Rows:
    found: Rows = {}
    for key in await stage.rows(KEYS):
        rows = await stage.rows(f"SELECT * FROM {key['table_name']}")
        found[key["table_name"]] = {tuple(row[column] for column in key["columns"]): row for row in rows}
    return found


def _gone(before: Rows, after: Rows, user_id: int) -> dict[Kind, int]:
    lost = {table: [rows[key] for key in rows.keys() - after[table].keys()] for table, rows in before.items()}
    kinds = Counter[Kind]()
    for table, kind in BY_KEY.items():
        kinds[kind] += len(lost[table])
    for message in lost["chat_history"]:
        is_ours = message["author_kind"] == "self"
        assert is_ours or message["author_id"] == user_id, "somebody else's message went"
        kinds[Kind.REPLIES if is_ours else Kind.MESSAGES] += 1
    said = {message["message_id"] for message in lost["chat_history"]}
    for fact in lost["facts"]:
        kinds[_kind_of(fact, user_id, said)] += 1
    kinds[Kind.SUMMARIES] = _summaries_gone(before, after) + len(lost["channel_summaries"])
    kinds[Kind.RECEIPTS] = _taken_back(before, after)
    return {kind: number for kind, number in kinds.items() if number}


def _kind_of(fact: Row, user_id: int, said: set[int]) -> Kind:
    if fact["teller_id"] == user_id:
        return Kind.FACTS_TOLD
    is_about = fact["subject_id"] == user_id or fact["source_message_id"] in said
    return Kind.FACTS_ABOUT if is_about else Kind.FACTS_REPLACED


def _is_told_of(rows: Rows, user_id: int) -> bool:
    """In a day that was not disturbed by what others had deleted before."""
    told = {(row["guild_id"], row["scope"], row["starts_at"]) for row in rows["day_entries"].values()}
    return any(user_id in row["people"] and key in told for key, row in rows["days"].items())


def _summaries_gone(before: Rows, after: Rows) -> int:
    """Those of days that have changed: they may have been told anew by now, word for word for all the others."""
    disturbed = {
        key for key, row in before["days"].items() if after["days"].get(key, {}).get("changes") != row["changes"]
    }
    told = before["day_entries"].values()
    return sum((row["guild_id"], row["scope"], row["starts_at"]) in disturbed for row in told)


def _taken_back(before: Rows, after: Rows) -> int:
    marked = [row for row in after["receipts"].values() if row["take_back_at"] is not None]
    stand = after["receipts"].keys() - {(row["guild_id"], row["asked_in"]) for row in marked}
    stood = {key for key, row in before["receipts"].items() if row["take_back_at"] is None}
    return len(stood - stand)
