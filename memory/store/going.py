"""Messages that may be stored no longer, and are being removed some at a time: nobody is told of them meanwhile.

That is what people decided to have removed, and what was said in channels that were deleted.

What removes more than goes in one transaction leaves a mark at its guild with the decision, and takes it away with the
last message. Whoever reads the log to tell of it asks for `tellable`. Without a mark, which is nearly always, that is
one look at the guild's row; with one, each message is judged by what was decided. A mark that a crash left behind goes
with the purge that finds nothing more to remove.
"""

from textwrap import indent
from uuid import UUID, uuid4

from memory.db.database import Connection
from memory.policy.store import MAY_STAY
from memory.store.log import NOT_CLOSED

# As schema.sql has it, where it is written out: a database is made from that alone. A test compares the two.
MAY_BE_TOLD = f"""
CREATE FUNCTION may_be_told(of_guild bigint, said_in bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT 1 FROM chat_history AS arrived
        WHERE arrived.guild_id = $1 AND arrived.message_id = said_in AND arrived.author_kind <> 'self'
{indent(f"AND {NOT_CLOSED.strip()}", " " * 8)}
{indent(f"AND {MAY_STAY}", " " * 8)});
END $$;
""".replace("$1", "of_guild")  # noqa: S608 - made of constants


def tellable(said: str) -> str:
    """A condition on a row of the log by that name; its guild is $1.

    The rule itself is a function of the database: to plan for it would cost every question more than the look.
    """
    return f"""
((SELECT marked.going = '{{}}' FROM guilds AS marked WHERE marked.guild_id = $1) IS NOT FALSE
 OR may_be_told($1, {said}.message_id))
"""  # noqa: S608 - names of our own


async def begin(connection: Connection, guild_id: int) -> UUID:
    """Within the transaction of the decision; the mark."""
    mark = uuid4()
    await connection.execute("UPDATE guilds SET going = going || $2::uuid WHERE guild_id = $1", guild_id, mark)
    return mark


async def is_marked(connection: Connection, guild_id: int) -> bool:
    """Whether a removal is under way, or was broken off."""
    marked: bool | None = await connection.fetchval("SELECT going <> '{}' FROM guilds WHERE guild_id = $1", guild_id)
    return bool(marked)


async def end(connection: Connection, guild_id: int, mark: UUID) -> None:
    """Within the transaction that removes the last of them."""
    await connection.execute("UPDATE guilds SET going = array_remove(going, $2) WHERE guild_id = $1", guild_id, mark)


async def end_all(connection: Connection, guild_id: int) -> None:
    """Within the transaction of a caller who owns the log, and has found nothing that may not be stored."""
    await connection.execute("UPDATE guilds SET going = '{}' WHERE guild_id = $1 AND going <> '{}'", guild_id)
