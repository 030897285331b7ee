"""What members tell about others: whether a telling may be kept at all, and what becomes of it when a guild decides.

A guild that wants nothing told of others has hearsay withheld: all who read the ledger leave it out, and it is back
when the guild decides otherwise.
"""

from collections.abc import Collection, Sequence

from memory.core.outcomes import Refusal
from memory.db.database import Connection
from memory.db.errors import StoreError
from memory.policy.authority import FactRules, ModeratorsMay
from memory.policy.store import opted_out_among
from memory.store.entering import NewFact
from memory.store.owning import own_subjects
from memory.store.vetoes import is_vetoed, lift

_TOLD = "guild_id = $1 AND NOT withheld AND standing = 'hearsay' AND subject_id IS NOT NULL"
_WITHHELD = "guild_id = $1 AND withheld"


class NotToBeTold(StoreError):
    """One member may not tell this about another."""

    def __init__(self, refusal: Refusal, subject_id: int) -> None:
        super().__init__("not kept: it is about somebody else")
        self.refusal = refusal
        self.subject_id = subject_id


class OptedOut(StoreError):
    """It is about somebody of whom nothing may be kept."""

    def __init__(self, subject_id: int) -> None:
        super().__init__("not kept: it is about somebody who opted out")
        self.subject_id = subject_id


async def rules_of(connection: Connection, guild_id: int) -> FactRules:
    """Within the caller's transaction."""
    row = await connection.fetchrow(
        "SELECT facts_about_others, moderators_may FROM guilds WHERE guild_id = $1", guild_id
    )
    return FactRules() if row is None else FactRules(row["facts_about_others"], ModeratorsMay(row["moderators_may"]))


async def admit(connection: Connection, new: Sequence[NewFact]) -> list[NewFact]:
    """Within the transaction of a caller who shares the log and owns these subjects: what of a telling may be kept.

    Told of oneself and others at once, it is kept of oneself. What somebody says of themselves they veto no longer.
    """
    for subject_id in await opted_out_among(connection, new[0].guild_id, [one.subject_id for one in new]):
        raise OptedOut(subject_id)
    rules = await rules_of(connection, new[0].guild_id)
    admitted: list[NewFact] = []
    refused: list[NotToBeTold] = []
    for one in new:
        if one.subject_id is None:
            admitted.append(one)
        elif one.subject_id == one.teller_id:
            await lift(connection, one.guild_id, [(one.subject_id, one.text)])
            admitted.append(one)
        elif not rules.about_others:
            refused.append(NotToBeTold(Refusal.GUILD, one.subject_id))
        elif await is_vetoed(connection, one.guild_id, one.subject_id, one.text):
            refused.append(NotToBeTold(Refusal.VETO, one.subject_id))
        else:
            admitted.append(one)
    if not admitted:
        raise refused[0]
    return admitted


async def obey(connection: Connection, guild_id: int) -> frozenset[int]:
    """Within the transaction of a caller who owns the log: hearsay is told or not, as the guild wants it now.

    Whom that changed something about; they are owned then.
    """
    wanted = (await rules_of(connection, guild_id)).about_others
    condition = _WITHHELD if wanted else _TOLD
    rows = await connection.fetch(f"SELECT DISTINCT subject_id FROM facts WHERE {condition}", guild_id)  # noqa: S608 - ours
    owned = await own_subjects(connection, guild_id, [row["subject_id"] for row in rows])
    if wanted:
        await connection.execute(f"UPDATE facts SET withheld = false WHERE {_WITHHELD}", guild_id)  # noqa: S608 - ours
        return owned
    withheld = await connection.fetch(
        f"UPDATE facts SET withheld = true WHERE {_TOLD} RETURNING fact_id",  # noqa: S608 - ours
        guild_id,
    )
    await disturb_days(connection, guild_id, [row["fact_id"] for row in withheld])
    return owned


async def disturb_days(connection: Connection, guild_id: int, fact_ids: Collection[int]) -> None:
    """Within the transaction of a caller who owns the log: days that call people by names these facts gave them."""
    if not fact_ids:
        return
    days = await connection.fetch(
        """
        SELECT scope, starts_at FROM days WHERE guild_id = $1 AND fact_ids && $2
        ORDER BY guild_id, scope, starts_at FOR UPDATE
        """,
        guild_id,
        list(fact_ids),
    )
    if days:
        await connection.execute(
            "UPDATE days SET changes = changes + 1 WHERE guild_id = $1 AND fact_ids && $2", guild_id, list(fact_ids)
        )
        await connection.execute("SELECT forget_disturbed($1)", guild_id)
