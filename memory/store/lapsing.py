"""Facts told in a message that was deleted or edited: out of use at once, and for a day their teller may keep them.

Our confirmation, which named them, is left to whoever takes replies back: it says then that the message is gone or
changed, without the words, and offers to keep what it told.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from memory.core.changes import ChangeKind
from memory.core.language import Language, language_of
from memory.core.model import Fact
from memory.store import changes
from memory.store.changes import Recorder
from memory.store.database import Connection
from memory.store.fact_rows import SELECT, fact_of
from memory.store.facts import FactStore, made_from
from memory.store.index import spoken_in
from memory.store.owning import own_subjects
from memory.store.receipts import AT_ONCE


async def deleted_just_now(connection: Connection, guild_id: int, message_ids: Collection[int]) -> list[int]:
    """Within the transaction of a caller who owns the log, before they are deleted: those that were not yet.

    A deletion may be told twice. What its teller has kept after the first does not lapse once more.
    """
    rows = await connection.fetch(
        "SELECT message_id FROM tombstones WHERE guild_id = $1 AND message_id = ANY($2)", guild_id, list(message_ids)
    )
    known = {row["message_id"] for row in rows}
    return [message_id for message_id in message_ids if message_id not in known]


async def lapse(
    connection: Connection, guild_id: int, message_ids: Collection[int], facts: FactStore, at: datetime
) -> None:
    """Within the transaction of a caller who owns the log and has deleted these messages.

    What was taken from one of them ("remember this") goes for good: these were its words, whoever asked to keep them.
    """
    await changes.forget_messages(connection, guild_id, message_ids)
    taken = await made_from(connection, guild_id, message_ids)
    told = await _told_in(connection, guild_id, message_ids)
    if not taken and not told:
        return
    subjects = [fact.subject_id for fact in (*taken, *told)]
    await own_subjects(connection, guild_id, subjects)
    await _delete(connection, guild_id, taken)
    await _let_lapse(connection, guild_id, told, at)
    await facts.rebuild(connection, guild_id, subjects, at)


async def lapse_edited(
    connection: Connection, guild_id: int, message_ids: Collection[int], facts: FactStore, at: datetime
) -> None:
    """Within the transaction of a caller who owns the log: these messages say something else now.

    What one of them only pointed at ("remember this") is not in its words.
    """
    await changes.forget_messages(connection, guild_id, message_ids)
    told = await _told_in(connection, guild_id, message_ids, pointing=False)
    if not told:
        return
    subjects = [fact.subject_id for fact in told]
    await own_subjects(connection, guild_id, subjects)
    await _let_lapse(connection, guild_id, told, at)
    await facts.rebuild(connection, guild_id, subjects, at)


async def _let_lapse(connection: Connection, guild_id: int, told: Sequence[Fact], at: datetime) -> None:
    for telling in _tellings(told):
        recorder = Recorder(connection, guild_id)
        await recorder.will_delete([fact.fact_id for fact in telling])
        await _delete(connection, guild_id, telling)
        if await recorder.record(ChangeKind.LAPSED, telling[0].teller_id, at) is not None:
            await _have_it_said(connection, telling[0], at)


async def _told_in(
    connection: Connection, guild_id: int, message_ids: Collection[int], *, pointing: bool = True
) -> list[Fact]:
    """Without what was taken from another of them; with what they only point at, or without.

    What its subject has confirmed is their own word by now, whatever becomes of the first who said so.
    """
    rows = await connection.fetch(
        f"""{SELECT} WHERE guild_id = $1 AND message_id = ANY($2) AND standing <> 'confirmed'
        AND (source_message_id IS NULL OR ($3 AND source_message_id <> ALL ($2))) ORDER BY message_id, fact_id""",
        guild_id,
        list(message_ids),
        pointing,
    )
    return [fact_of(row) for row in rows]


def _tellings(facts: Sequence[Fact]) -> list[list[Fact]]:
    """What each message told: one thing to keep or not."""
    told: dict[tuple[int, int], list[Fact]] = {}
    for fact in facts:
        told.setdefault((fact.message_id, fact.teller_id), []).append(fact)
    return list(told.values())


async def _delete(connection: Connection, guild_id: int, facts: Sequence[Fact]) -> None:
    await connection.execute(
        "DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)", guild_id, [fact.fact_id for fact in facts]
    )


async def _have_it_said(connection: Connection, fact: Fact, at: datetime) -> None:
    """Where the message is gone that asked for it, our reply would go as well; but this one has something to ask.

    One that nobody kept a receipt of is looked for by what it replied to, and speaks as it was spoken to.
    """
    usual = (await spoken_in(connection, fact.guild_id, [fact.channel_id])).get(fact.channel_id)
    await connection.execute(
        """
        INSERT INTO receipts
            (guild_id, asked_in, channel_id, asker_id, made_at, language, take_back_at, because)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 'lapsed')
        ON CONFLICT (guild_id, asked_in) DO UPDATE
            SET take_back_at = excluded.take_back_at, because = excluded.because, tries = 0
        """,
        fact.guild_id,
        fact.message_id,
        fact.channel_id,
        fact.teller_id,
        at,
        language_of(fact.text) or usual or Language.EN,
        AT_ONCE,
    )
