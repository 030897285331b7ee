"""Rules on what members tell about others: whether it may be kept, and what becomes of it when a guild decides.

A guild that wants nothing told of others has hearsay withheld: all who read the ledger leave it out, and it is back
when the guild decides otherwise.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256

from memory.core.log_values import Kind
from memory.db.database import Connection, LogWrite
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.fact_rows import INFERRED_BY_OTHERS
from memory.facts.enter import NewFact, NotKept, Objection
from memory.language.detect import word_set
from memory.language.own_words import statement_key
from memory.language.question_words import SAYING
from memory.language.stems import stem, topics
from memory.language.text import plain_words
from memory.policy.authority import FactRules, ModeratorsMay
from memory.policy.store import opted_out_among

# What members said is not true of them: digests of claims, by which we know one when somebody tells it again, in the
# same words or in others.
#
# A veto is between a claim and one member. It keeps others from telling it of them; the member's own word lifts it.


DENYING = word_set(
    "not never no cannot don doesn didn isn aren wasn weren hasn haven won nicht nie niemals kein keine keinen"
    " keinem keiner ne n pas jamais nunca tampoco не нет никогда"
)
_OF_SAYING = frozenset(map(stem, SAYING))
"""What stays in the teller's own words stands behind "… says"."""


def claim_of(subject_id: int, text: str) -> str:
    """Find what a statement claims of a member, in any order and forms: its topics and numbers, and whether it denies.

    What has no topic but people claims no more than its very words.
    """
    spoken = topics(text) - _OF_SAYING - {f"@{subject_id}"}
    if all(topic.startswith("@") for topic in spoken):
        return statement_key(text)
    denies = not DENYING.isdisjoint(plain_words(text))
    return " ".join(["not" if denies else "so", *sorted(spoken)])


def digest(guild_id: int, subject_id: int, text: str) -> str:
    """Digest a claim with guild and member: equal claims about two people have different digests."""
    return sha256(f"{guild_id} {subject_id} {claim_of(subject_id, text)}".encode()).hexdigest()


def _digests(guild_id: int, subject_id: int, text: str) -> list[str]:
    """List the digests of a claim, with the one of the very words that older vetoes have."""
    before = sha256(f"{guild_id} {subject_id} {' '.join(plain_words(text))}".encode()).hexdigest()
    return [digest(guild_id, subject_id, text), before]


async def veto(connection: Connection, guild_id: int, subject_id: int, text: str, at: datetime) -> None:
    """Note a veto, within the caller's transaction."""
    await connection.execute(
        """
        INSERT INTO vetoes (guild_id, subject_id, statement, vetoed_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (guild_id, subject_id, statement) DO UPDATE SET vetoed_at = excluded.vetoed_at
        """,
        guild_id,
        subject_id,
        digest(guild_id, subject_id, text),
        at,
    )


async def lift(connection: Connection, guild_id: int, statements: Iterable[tuple[int, str]]) -> None:
    """Lift vetoes, within the caller's transaction: their members say it now, or take them back."""
    for subject_id, text in statements:
        await connection.execute(
            "DELETE FROM vetoes WHERE guild_id = $1 AND subject_id = $2 AND statement = ANY($3)",
            guild_id,
            subject_id,
            _digests(guild_id, subject_id, text),
        )


async def is_vetoed(
    connection: Connection, guild_id: int, subject_id: int, text: str, after: datetime | None = None
) -> bool:
    """Look for a veto, within the caller's transaction; `after`: only later than that."""
    found: bool = await connection.fetchval(
        """
        SELECT EXISTS (SELECT 1 FROM vetoes WHERE guild_id = $1 AND subject_id = $2 AND statement = ANY($3)
            AND ($4::timestamptz IS NULL OR vetoed_at > $4))
        """,
        guild_id,
        subject_id,
        _digests(guild_id, subject_id, text),
        after,
    )
    return found


TABLES = (
    TableDeclaration(
        table="vetoes",
        purpose="what members said is not true about them, as fingerprints: they recognise it when somebody tells it"
        " again, and nobody can read from them what it was",
        until="the member says it themselves, or undoes it",
        columns=columns(ids="guild_id", people="subject_id", digests="statement", times="vetoed_at"),
        message=Stays("no message can be told from it"),
        member=Goes("subject_id = {member}"),
        opting_out=Stays("your no still counts, and a fingerprint tells nobody what it was"),
        channel=Stays("no channel can be told from it"),
        guild=Goes(),
        counted=Kind.VETOES,
    ),
)


_TOLD = f"guild_id = $1 AND NOT withheld AND (standing = 'hearsay' OR {INFERRED_BY_OTHERS}) AND subject_id IS NOT NULL"
_WITHHELD = "guild_id = $1 AND withheld"


async def rules_of(connection: Connection, guild_id: int) -> FactRules:
    """Read the rules of a guild about facts, within the caller's transaction."""
    row = await connection.fetchrow(
        "SELECT facts_about_others, moderators_may FROM guilds WHERE guild_id = $1", guild_id
    )
    return FactRules() if row is None else FactRules(row["facts_about_others"], ModeratorsMay(row["moderators_may"]))


async def admit(connection: Connection, new: Sequence[NewFact], made_by: int) -> list[NewFact]:
    """Say what of a telling may be kept.

    Told of oneself and others at once, it is kept of oneself. What somebody says of themselves they veto no longer; but
    not by words of theirs that others have kept.
    """
    for subject_id in await opted_out_among(connection, new[0].guild_id, [one.subject_id for one in new]):
        raise NotKept(Objection.OPTED_OUT, subject_id)
    rules = await rules_of(connection, new[0].guild_id)
    admitted: list[NewFact] = []
    refused: list[NotKept] = []
    for one in new:
        if one.subject_id is None:
            admitted.append(one)
        elif one.subject_id == one.teller_id == made_by:
            await lift(connection, one.guild_id, [(one.subject_id, one.text)])
            admitted.append(one)
        elif not rules.about_others:
            refused.append(NotKept(Objection.GUILD, one.subject_id))
        elif await is_vetoed(connection, one.guild_id, one.subject_id, one.text):
            refused.append(NotKept(Objection.VETO, one.subject_id))
        else:
            admitted.append(one)
    if not admitted:
        raise refused[0]
    return admitted


async def apply_policy(connection: LogWrite, guild_id: int) -> frozenset[int]:
    """Tell hearsay or withhold it, as the guild wants it now; give those whom that changed something about."""
    wanted = (await rules_of(connection, guild_id)).about_others
    rows = await connection.fetch(
        f"UPDATE facts SET withheld = $2 WHERE {_WITHHELD if wanted else _TOLD} RETURNING subject_id",  # noqa: S608 - ours
        guild_id,
        not wanted,
    )
    return frozenset(row["subject_id"] for row in rows)
