"""Questions of which nothing is kept: whoever asked may not be stored, or had it erased while it was being answered.

An answer may stand all the same, since everyone sees on Discord what it answers; and it has to be taken back when
something that it quotes goes. So it has a receipt, in which nobody asked, and is not in the log.
"""

from memory.core.provenance import ReplyReceipt
from memory.core.values import ERASED
from memory.db.database import Connection
from memory.policy.rules import Verdict
from memory.policy.store import MAY_STAY, REFUSALS, any_of, said_no

# As the question would come in now. An id tells its time.
_QUESTION = """
SELECT $2::bigint AS message_id, $3::bigint AS channel_id, $4::bigint AS author_id, 'person' AS author_kind,
       to_timestamp((($2::bigint >> 22) + 1420070400000) / 1000.0) AS sent_at,
       (SELECT parent_id FROM places WHERE places.guild_id = $1 AND places.channel_id = $3
        AND kind IN ('thread', 'private_thread')) AS parent_id
"""
_MAY_BE_KEPT = f"SELECT EXISTS (SELECT 1 FROM ({_QUESTION}) AS arrived WHERE {MAY_STAY})"  # noqa: S608 - constants
_WITHDRAWALS = (*REFUSALS[Verdict.ERASED], said_no("arrived.author_id", " AND decided.decided_at > arrived.sent_at"))
_WITHDRAWN = f"SELECT EXISTS (SELECT 1 FROM ({_QUESTION}) AS arrived WHERE {any_of(_WITHDRAWALS)})"  # noqa: S608 - constants


async def is_withdrawn(connection: Connection, receipt: ReplyReceipt) -> bool:
    """Whether the question was erased, or whoever asked it has opted out since: then its answer goes with it."""
    withdrawn: bool = await connection.fetchval(_WITHDRAWN, *_question(receipt))
    return withdrawn


async def asker_to_keep(connection: Connection, receipt: ReplyReceipt) -> int:
    """Who asked, unless nothing of them may be kept."""
    may_be_kept: bool = await connection.fetchval(_MAY_BE_KEPT, *_question(receipt))
    return receipt.asker_id if may_be_kept else ERASED


def _question(receipt: ReplyReceipt) -> tuple[int, int, int, int]:
    return receipt.guild_id, receipt.asked_in, receipt.channel_id, receipt.asker_id
