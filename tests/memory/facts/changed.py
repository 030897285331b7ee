"""What changed in the ledger, for the tests of undoing and of editing: the change itself, undone, and all there is."""

from typing import Any
from uuid import UUID

from memory.core.outcomes import AlreadyKnown, ForgetOutcome, Forgotten, ForgottenAll, Remembered, RememberOutcome
from memory.core.values import Member, Rank
from memory.facts.values import UndoOutcome
from memory.policy.authority import Actor
from tests.memory.world import ALICE, GUILD, HALL, World, audience


def change_of(outcome: RememberOutcome | ForgetOutcome) -> UUID:
    assert isinstance(outcome, Remembered | AlreadyKnown | Forgotten | ForgottenAll), outcome
    assert outcome.change_id is not None
    return outcome.change_id


async def undo(
    world: World, change: UUID, by: Member = ALICE, channel: int = HALL, rank: Rank = Rank.MEMBER
) -> UndoOutcome:
    return await world.memory.undos.undo(GUILD, change, Actor(by.user_id, rank), audience(channel))


async def ledger(world: World) -> list[dict[str, Any]]:
    """All of it, with the names that it gives."""
    async with world.database.connection("test") as connection:
        rows: list[dict[str, Any]] = []
        for table, order in (("facts", "fact_id"), ("fact_aliases", "name_key, fact_id")):
            found = await connection.fetch(f"SELECT to_jsonb({table}) AS row FROM {table} ORDER BY {order}")
            rows += [row["row"] for row in found]
    return rows


async def texts(world: World, member: Member) -> list[str]:
    async with world.database.connection("test") as connection:
        rows = await connection.fetch(
            "SELECT text FROM facts WHERE subject_id = $1 AND valid_to IS NULL ORDER BY fact_id", member.user_id
        )
    return [row["text"] for row in rows]
