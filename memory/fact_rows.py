"""Reads a row of the ledger of facts, and says which rows an audience may read."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from memory.core.values import Category, Fact, Standing, Traits
from memory.db.database import Record
from memory.db.table_declarations import Erasing, Follows, Goes, How, TableDeclaration, Unsaid, columns

DATED = "(expires_at IS NULL OR expires_at BETWEEN '1000-01-01' AND '9000-01-01')"
"""The condition that its end, if it has one, can be read and reckoned with in every time zone. The API of 1.0.0 took
others: such facts are left out wherever facts are told, and counted in health."""
ENDS = f"CASE WHEN {DATED} THEN expires_at END AS expires_at"
SELECT = f"""
SELECT guild_id, fact_id, subject_id, teller_id, channel_id, message_id, source_message_id, text, standing, valid_from,
       in_hall, everywhere, valid_to, withheld, told_at, category, importance, tags, attribute, span, {ENDS}
FROM facts
"""  # noqa: S608 - made of constants

CURRENT = "valid_to IS NULL AND NOT withheld"
"""The condition of every read that means "now"; what is over is kept for its dates, and told as nothing else."""
TOLD = f"{CURRENT} AND standing <> 'let_on'"
"""What is known of a member in all is made from this: what they only let on stands by itself, under its category."""
INFERRED_BY_OTHERS = "(standing = 'let_on' AND teller_id <> subject_id)"
"""What others call a member, as the model that tells a day found it."""
OVER = "valid_to IS NOT NULL AND NOT withheld"


def readable(sources: str) -> str:
    """Write the condition of every read: told where the audience could listen, or meant for everyone."""
    return f"((channel_id = ANY({sources}) OR everywhere) AND {DATED})"


def naming(text: str, member: str) -> str:
    """Write the condition that a text names a member; in the ledger names are mentions."""
    return f"{text} ~ ('<@!?' || {member} || '>')"


def fact_of(row: Record | Mapping[str, Any] | None) -> Fact:
    if row is None:
        raise LookupError("the fact is gone, although the log of its guild was locked")
    as_they_are = {name: row[name] for name in _AS_THEY_ARE}
    return Fact(**as_they_are, standing=Standing(row["standing"]), traits=_traits(row))


_AS_THEY_ARE = tuple(one.name for one in fields(Fact) if one.name not in ("standing", "traits"))


def _traits(row: Record | Mapping[str, Any]) -> Traits | None:
    if row["category"] is None:
        return None
    return Traits(Category(row["category"]), row["importance"], tuple(row["tags"]), row["expires_at"])


_ABOUT = f"""subject_id = {{member}} OR {naming("text", "{member}")} OR (message_id, teller_id, text) IN (
    SELECT told.message_id, told.teller_id, told.text FROM facts AS told
    WHERE told.guild_id = $1 AND told.subject_id = {{member}})"""  # noqa: S608 - made of constants
"""What was told about a member, alone or with others, and what names them in telling of somebody else."""

TABLES = (
    TableDeclaration(
        table="facts",
        purpose="what people asked the bot to remember: about whom, who told it, where, when it was first and last"
        " told, from when to when it is true, and who may hear it. Memories: what members mention about themselves"
        " when they talk with the bot, with the words it comes from, or note by hand, with category, importance and"
        " tags. Nicknames: what others call a member in passing, with the sentence it stands in",
        until="someone who may says so, or nobody has told it again for as long as the server keeps facts; an"
        " appointment until its date; a nickname said in passing as long as the server keeps summaries. What a fact"
        " had replaced goes with it",
        columns=columns(
            ids="guild_id fact_id channel_id message_id source_message_id superseded_by",
            people="subject_id teller_id",
            words="text tags attribute span",
            times="valid_from valid_to told_at expires_at",
            numbers="importance",
            states="standing in_hall everywhere withheld category",
        ),
        message=Unsaid("source_message_id = ANY({messages})"),
        member=Unsaid(f"teller_id = {{member}} OR {_ABOUT}"),
        opting_out=Unsaid(_ABOUT),
        channel=Unsaid("channel_id = ANY({channels}) AND message_id <= {through}"),
        guild=Goes(after=("texts", "receipts", "days")),
        named_on={
            Erasing.OPTING_OUT: {
                "teller_id": "what you told about others stays, under your name; `/privacy erase` removes that too",
            }
        },
    ),
    TableDeclaration(
        table="fact_aliases",
        purpose='names that a fact gives a member ("gruzilkin is Sergey")',
        until="the fact goes",
        columns=columns(ids="guild_id fact_id", people="user_id", names="name_key"),
        message=Follows("facts", How.KEY),
        member=Follows("facts", How.KEY),
        channel=Follows("facts", How.KEY),
        guild=Follows("facts", How.KEY),
    ),
)
