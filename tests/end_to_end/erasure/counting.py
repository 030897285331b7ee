"""The receipt of an erasure against what there was: counted in the tables before, by what is whose."""

from memory.core.clock import SystemClock
from memory.core.log import Kind
from memory.health import Health
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.end_to_end.erasure.registry import Plot, Reach, deletion
from tests.end_to_end.erasure.stage import Stage

OF_A_MEMBER = """
WITH said AS (SELECT message_id FROM chat_history WHERE guild_id = $1 AND author_id = $2)
SELECT (SELECT count(*) FROM said) AS messages,
    (SELECT count(*) FROM early_edits WHERE guild_id = $1 AND author_id = $2) AS early_edits,
    (SELECT count(*) FROM addressed JOIN said USING (message_id) WHERE guild_id = $1) AS addressed,
    (SELECT count(*) FROM facts WHERE guild_id = $1 AND (
        teller_id = $2 OR subject_id = $2 OR source_message_id IN (SELECT message_id FROM said))) AS facts,
    (SELECT count(*) FROM chat_history WHERE guild_id = $1 AND author_kind = 'self' AND reply_to IN (
        SELECT message_id FROM said)) AS replies
"""
FACTS = (Kind.FACTS_TOLD, Kind.FACTS_ABOUT, Kind.FACTS_REPLACED)


@deletion("a member is erased, and it is counted", reach=Reach.MEMBER)
async def erased_and_counted(stage: Stage, plot: Plot) -> None:
    """By another process, as the panel would have it done."""
    guild_id, user_id = plot.inn.guild.id, plot.author.id
    (held,) = await stage.rows(OF_A_MEMBER, guild_id, user_id)
    options, clock = MemoryOptions.model_validate(stage.memory_options), SystemClock()
    memory = await MemoryManager.open(options, clock=clock, health=Health("panel", clock))
    try:
        gone = await memory.erase_member(guild_id, user_id, stage.server.ids.next())
    finally:
        await memory.close()
    assert gone[Kind.MESSAGES] == held["messages"]
    assert gone[Kind.EARLY_EDITS] == held["early_edits"]
    assert gone[Kind.ADDRESSED] == held["addressed"]
    assert sum(gone[kind] for kind in FACTS) == held["facts"]
    assert gone[Kind.REPLIES] >= held["replies"], "others of our words may have quoted them as well"
    assert min(held["messages"], held["facts"], held["replies"]) > 0, "there was nothing to count"
