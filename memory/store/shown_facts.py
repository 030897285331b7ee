"""Facts as they are shown to somebody who asks for all that is held about a member."""

from datetime import datetime

from memory.audit import Deed, note_facts
from memory.core.hearsay import FactPage, HearsayAction, ListedFact, is_visible, offered
from memory.db.database import Connection, Database
from memory.fact_rows import SELECT, fact_of, readable
from memory.places.view import Audience
from memory.policy.authority import Actor, FactRules
from memory.store.about_others import rules_of
from memory.store.going import tellable

_SHOWN = f"""
SELECT told.*, EXISTS (
    SELECT 1 FROM chat_history AS said WHERE said.guild_id = told.guild_id AND said.message_id = told.message_id
      AND {tellable("said")}
) AS has_message
FROM ({SELECT} WHERE guild_id = $1 AND subject_id IS NOT DISTINCT FROM $2 AND {readable("$3")}) AS told
ORDER BY valid_to IS NOT NULL, fact_id DESC
"""  # noqa: S608 - made of constants


class ShownFacts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, audience: Audience, actor: Actor, subject_id: int, at: datetime, *, skip: int, most: int
    ) -> FactPage:
        """What is held about a member, as far as the one who looks may see it; that they looked is written down."""
        async with self._database.transaction("store.shown_facts.page") as connection:
            rules = await rules_of(connection, audience.guild_id)
            held = await _shown(connection, audience, actor, subject_id, rules)
            page = held[skip : skip + most]
            await note_facts(connection, actor.user_id, Deed.LOOKED, [one.fact for one in page], at)
        return FactPage(tuple(page), len(held))

    async def one(self, wish: HearsayAction) -> ListedFact | None:
        """A fact that somebody was shown, as it is now; None if it is not there for them any more."""
        async with self._database.transaction("store.shown_facts.one", readonly=True) as connection:
            rules = await rules_of(connection, wish.audience.guild_id)
            held = await _shown(connection, wish.audience, wish.actor, wish.subject_id, rules)
        return next((one for one in held if one.fact.message_id == wish.message_id), None)


async def _shown(
    connection: Connection, audience: Audience, actor: Actor, subject_id: int | None, rules: FactRules
) -> list[ListedFact]:
    """All that somebody is shown about a member: what is over, to the member alone."""
    rows = await connection.fetch(_SHOWN, audience.guild_id, subject_id, list(audience.sources))
    return [
        ListedFact(fact, row["has_message"], offered(actor, fact, rules))
        for row in rows
        if is_visible(actor, fact := fact_of(row)) and (fact.valid_to is None or actor.user_id == fact.subject_id)
    ]
