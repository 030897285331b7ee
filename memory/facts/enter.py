"""Enters a telling into the ledger: says whether it may be kept, finds what is known already, what it overturns, and
what overrules it."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from enum import Enum, auto
from typing import Self
from uuid import UUID

from memory.core.log_values import Kind
from memory.core.values import Category, Fact, Message, Standing, Traits
from memory.db.database import Connection, LogWrite, Record
from memory.db.errors import StoreError
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.fact_rows import CURRENT, INFERRED_BY_OTHERS, SELECT, fact_of, readable
from memory.facts.changes import LedgerChange, Row, delete_facts
from memory.facts.matching import contradicted_by, digest, digests, may_overturn
from memory.language.own_words import statement_key
from memory.people.names import aliases_in
from memory.places.view import Audience
from memory.policy.authority import FactRules, ModeratorsMay
from memory.policy.store import opted_out_among


@dataclass(frozen=True, slots=True)
class ToldTo:
    """Says where a fact was told, as far as that decides who may hear it."""

    channel_id: int
    in_hall: bool
    everywhere: bool

    @classmethod
    def of(cls, row: Record | Row) -> "ToldTo":
        return cls(row["channel_id"], row["in_hall"], row["everywhere"])

    def covers(self, old: "ToldTo") -> bool:
        """Say whether all who could be told the old may be told this; for others it would vanish, and tell by that."""
        if self.everywhere:
            return True
        if old.everywhere or old.in_hall:
            return self.in_hall
        return old.channel_id == self.channel_id


@dataclass(frozen=True, slots=True)
class NewFact:
    guild_id: int
    subject_id: int | None
    teller_id: int
    channel_id: int
    message_id: int
    source_message_id: int | None
    text: str
    standing: Standing
    in_hall: bool
    """Told where everyone may read it, so that it may join the member's blob."""
    valid_from: datetime
    everywhere: bool = False
    """Its subject, who tells it, says that everyone may know it; so it joins the blob as well."""
    category: Category | None = None
    importance: int = 5
    tags: Sequence[str] = ()
    expires_at: datetime | None = None
    attribute: str = ""
    """What it says of its subject that holds once at a time, in topics; only of what was let on."""
    span: str | None = None
    """The words of the message that it rests on, where it was let on."""

    @classmethod
    def of(cls, row: Record, text: str) -> Self:
        """Make a fact of the ledger anew, in other words."""
        was = {one.name: row[one.name] for one in fields(cls)}
        return cls(**{**was, "text": text, "standing": Standing(row["standing"])})

    @classmethod
    def let_on(cls, message: Message, subject_id: int, text: str, span: str, traits: Traits, *, in_hall: bool) -> Self:
        """Make a fact of what a message lets on, in words of it."""
        return cls(
            guild_id=message.guild_id,
            subject_id=subject_id,
            teller_id=message.author_id,
            channel_id=message.channel_id,
            message_id=message.message_id,
            source_message_id=message.message_id,
            text=text,
            standing=Standing.INFERRED,
            in_hall=in_hall,
            valid_from=message.sent_at,
            span=span,
        ).with_traits(traits)

    def with_traits(self, traits: Traits | None) -> Self:
        return self if traits is None else replace(self, **asdict(traits))

    @property
    def told_to(self) -> ToldTo:
        return ToldTo(self.channel_id, self.in_hall, self.everywhere)


@dataclass(frozen=True, slots=True)
class Entered:
    """Describes a telling that was entered in the ledger."""

    fact: Fact
    """Of those whom the telling is about, the fact of the first."""
    is_new: bool
    """Of any of them it was not known yet."""
    replaced: tuple[Fact, ...] = ()
    """What does not hold any more."""
    change_id: UUID | None = None
    """None: nothing changed by it."""
    about: frozenset[int | None] = frozenset()
    """Of whom it was kept."""
    also: tuple[Fact, ...] = ()
    """What else was told in the same breath, a fact of each thing."""


MOST_TOLD = 300
"""Facts of one teller about one member, or about the guild, that one audience could hear."""


class Objection(Enum):
    """Names why a telling is not kept."""

    TELLING_GONE = auto()
    """The message that it stands in has been deleted."""
    SOURCE_GONE = auto()
    """The message that it is taken from has been deleted, or may not be stored."""
    KNOWN_BETTER = auto()
    """It contradicts what somebody said of themselves, and who tells it is not that person."""
    TOLD_ENOUGH = auto()
    """Its teller has told so much about its subject that no more is kept of them."""
    OPTED_OUT = auto()
    """It is about somebody of whom nothing may be kept."""
    GUILD = auto()
    """Nothing is kept here that members tell about others."""
    VETO = auto()
    """Whom it is about has said that it is not true."""


class NotKept(StoreError):
    """Says that a telling is not kept, and nothing has changed."""

    def __init__(self, objection: Objection, subject_id: int | None = None, known: Fact | None = None) -> None:
        """`known` is the better founded fact, where there is one."""
        super().__init__(f"not kept: {objection.name}")
        self.objection = objection
        self.subject_id = subject_id
        self.known = known


async def enter(
    change: LedgerChange,
    new: NewFact,
    audience: Audience,
    replaces: Collection[int] = (),
    only_about: int | None = None,
    *,
    passed_on: bool = False,
) -> Entered:
    """Enter a telling about one subject into the ledger, unless it is known or a better founded fact says otherwise.

    `replaces` are facts that somebody judged to be over; those that plainly contradict are so in any case.
    `only_about`: of a telling about several, only what is told of this one is touched. `passed_on`: others have its
    teller's words kept, who may have said otherwise since, so it overturns and confirms no more than hearsay does.
    """
    standing = Standing.HEARSAY if passed_on else new.standing
    connection = change.connection
    rows = await known_to(connection, new, audience)
    alike = await saying_the_same(rows, new.text)
    # Whoever says outright what they had let on has told it.
    let_on = [row for row in alike if row["standing"] == Standing.INFERRED and standing is Standing.SELF]
    same = [row for row in alike if row not in let_on]
    others = [row for row in rows if row not in alike]
    contradicted = await contradicted_among(others, new.text)
    over = [row for row in others if row["fact_id"] in replaces or row in contradicted]
    better = [fact_of(row) for row in over if not may_overturn(standing, Standing(row["standing"]))]
    if better:
        raise NotKept(Objection.KNOWN_BETTER, better[0].subject_id, better[0])
    # Only what these listeners could hear is counted: how much was told elsewhere is not for them.
    told = [row for row in rows if (row["standing"] == Standing.INFERRED) == (standing is Standing.INFERRED)]
    if not same and not over and sum(row["teller_id"] == new.teller_id for row in told) >= MOST_TOLD:
        raise NotKept(Objection.TOLD_ENOUGH, new.subject_id)
    await _will_touch(change, [*alike, *over], only_about)
    fact, is_new = await _keep(connection, new, same, standing)
    if is_new:
        change.made(fact.fact_id)
    # Told again where fewer listen, it is kept no longer for the others, who would see by that that it was.
    again = [row["fact_id"] for row in same if new.told_to.covers(ToldTo.of(row))]
    await _tell_again(change, again, new.valid_from, only_about)
    replaced = [fact_of(row) for row in over if new.told_to.covers(ToldTo.of(row))]
    outright = [fact_of(row) for row in let_on if new.told_to.covers(ToldTo.of(row))]
    await _supersede(change, [*replaced, *outright], fact, new.valid_from, only_about)
    return Entered(fact, is_new, tuple(replaced))


async def learn_names(connection: Connection, fact: Fact) -> None:
    """Note, within the caller's transaction, the names that a fact, as it says now, gives somebody; what they only let
    on of themselves gives none."""
    await connection.execute(
        "DELETE FROM fact_aliases WHERE guild_id = $1 AND fact_id = $2", fact.guild_id, fact.fact_id
    )
    is_own = fact.standing is Standing.INFERRED and fact.teller_id == fact.subject_id
    for user_id, name_key in () if is_own else aliases_in(fact.text):
        if 0 < user_id == fact.subject_id:
            await connection.execute(
                "INSERT INTO fact_aliases (guild_id, name_key, fact_id, user_id) VALUES ($1, $2, $3, $4)",
                fact.guild_id,
                name_key,
                fact.fact_id,
                user_id,
            )


async def known_to(connection: Connection, new: NewFact, audience: Audience) -> list[Record]:
    """Read what this audience could read already about the subject, the newest first."""
    return await connection.fetch(
        f"""{SELECT} WHERE guild_id = $1 AND subject_id IS NOT DISTINCT FROM $2 AND {CURRENT} AND {readable("$3")}
        ORDER BY fact_id DESC""",
        new.guild_id,
        new.subject_id,
        list(audience.sources),
    )


async def saying_the_same(rows: Sequence[Record], text: str) -> list[Record]:
    """Choose the rows that say the same, in a thread: members decide how many there are to compare."""
    key = statement_key(text)
    return await asyncio.to_thread(lambda: [row for row in rows if statement_key(row["text"]) == key])


async def same_hearsay(connection: Connection, guild_id: int, subject_id: int | None, text: str) -> list[Fact]:
    """Find the same statement about somebody, wherever it was told, on others' word alone."""
    rows = await connection.fetch(
        f"{SELECT} WHERE guild_id = $1 AND subject_id = $2 AND standing = 'hearsay'", guild_id, subject_id
    )
    return [fact_of(row) for row in await saying_the_same(rows, text)]


async def contradicted_among(rows: Sequence[Record], text: str) -> list[Record]:
    """Choose the rows that do not hold any more if this statement does."""
    is_over = contradicted_by(text)
    return await asyncio.to_thread(lambda: [row for row in rows if is_over(row["text"])])


async def _will_touch(change: LedgerChange, rows: Sequence[Record], only_about: int | None) -> None:
    """Note all that may be told again, confirmed, replaced or led elsewhere because of these."""
    ids = [row["fact_id"] for row in rows]
    over = await change.connection.fetch(
        "SELECT fact_id FROM facts WHERE guild_id = $1 AND superseded_by = ANY($2)", change.guild_id, ids
    )
    told = [fact.fact_id for fact in await change.told_with(ids, only_about)]
    await change.will_change([*told, *(row["fact_id"] for row in over)])


async def _keep(connection: Connection, new: NewFact, same: Sequence[Record], standing: Standing) -> tuple[Fact, bool]:
    known = [fact_of(row) for row in same]
    if new.everywhere and known and not any(fact.everywhere for fact in known):
        # The teller's own word for everyone takes the place of what was said of them in the same words.
        since = min(fact.valid_from for fact in known)
        fact = await _insert(connection, replace(new, valid_from=since), told_at=new.valid_from)
        await connection.execute(
            "UPDATE facts SET superseded_by = $3 WHERE guild_id = $1 AND superseded_by = ANY($2)",
            new.guild_id,
            [fact.fact_id for fact in known],
            fact.fact_id,
        )
        await delete_facts(connection, new.guild_id, [one.fact_id for one in known])
        return fact, True
    is_lesser = standing in (Standing.HEARSAY, Standing.INFERRED)
    if is_lesser or any(fact.standing is not Standing.HEARSAY for fact in known):
        return (known[0], False) if known else (await _insert(connection, new), True)
    for row in same:
        # That somebody confirmed it is known where they did. Elsewhere it stays hearsay.
        if row["channel_id"] == new.channel_id or (row["in_hall"] and new.in_hall):
            query = "UPDATE facts SET standing = 'confirmed' WHERE guild_id = $1 AND fact_id = $2 RETURNING *"
            return fact_of(await connection.fetchrow(query, new.guild_id, row["fact_id"])), False
    return await _insert(connection, new), True


async def _tell_again(change: LedgerChange, ids: Sequence[int], at: datetime, only_about: int | None) -> None:
    """Keep for longer what somebody says once more, for each of those it is about."""
    await change.connection.execute(
        """
        UPDATE facts SET told_at = greatest(told_at, $3)
        WHERE guild_id = $1 AND fact_id = ANY($2) AND valid_to IS NULL
        """,
        change.guild_id,
        [fact.fact_id for fact in await change.told_with(ids, only_about)],
        at,
    )


async def _supersede(
    change: LedgerChange, replaced: Sequence[Fact], successor: Fact, at: datetime, only_about: int | None
) -> None:
    """Note what is over: a statement about several people is so for each of them."""
    told = await change.told_with([fact.fact_id for fact in replaced], only_about)
    await change.connection.execute(
        """
        UPDATE facts SET valid_to = greatest($3, valid_from), superseded_by = $4
        WHERE guild_id = $1 AND fact_id = ANY($2) AND valid_to IS NULL AND fact_id <> $4
        """,
        change.guild_id,
        [fact.fact_id for fact in told],
        at,
        successor.fact_id,
    )


_COLUMNS = tuple(one.name for one in fields(NewFact))
_INSERT = f"""
INSERT INTO facts ({", ".join(_COLUMNS)}, told_at)
VALUES ({", ".join(f"${number}" for number in range(1, len(_COLUMNS) + 2))}) RETURNING *
"""  # noqa: S608 - made of constants


async def _insert(connection: Connection, new: NewFact, told_at: datetime | None = None) -> Fact:
    values = [getattr(new, name) for name in _COLUMNS]
    fact = fact_of(await connection.fetchrow(_INSERT, *values, told_at or new.valid_from))
    await learn_names(connection, fact)
    return fact


# What members tell about others: whether it may be kept, and what becomes of it when a guild decides.
#
# A guild that wants nothing told of others has hearsay withheld: all who read the ledger leave it out, and it is back
# when the guild decides otherwise.


_WITHHOLD = f"""
UPDATE facts SET withheld = $2 WHERE guild_id = $1 AND withheld <> $2
    AND (NOT $2 OR ((standing = 'hearsay' OR {INFERRED_BY_OTHERS}) AND subject_id IS NOT NULL))
"""  # noqa: S608 - made of constants


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


async def apply_policy(connection: LogWrite, guild_id: int) -> None:
    """Tell hearsay or withhold it, as the guild wants it now."""
    rules = await rules_of(connection, guild_id)
    await connection.execute(_WITHHOLD, guild_id, not rules.about_others)


# What members said is not true of them.
#
# A veto is between a claim and one member: it keeps others from telling it of them, in the same words or in others, and
# the member's own word lifts it.


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
            digests(guild_id, subject_id, text),
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
        digests(guild_id, subject_id, text),
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
