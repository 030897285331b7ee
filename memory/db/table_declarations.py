"""Lets a store module declare what its tables hold, and what erasing means for each of them.

Erasing reads the declarations and carries them out, so that one which is wrong does not go unnoticed: the tests plant
rows in every table, erase, and look for what was declared to go and to stay. A table or a column that nobody declared
fails them too.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from graphlib import TopologicalSorter
from types import MappingProxyType

from memory.core.log_values import Kind


class Holds(StrEnum):
    """Names what a column can tell."""

    ID = "id"
    """Of a server, channel, role or message, or a number of our own."""
    PERSON = "person"
    """The id of a member, or of several."""
    NAME = "name"
    WORDS = "words"
    """What somebody said, or what was made of it and can be read."""
    MEANING = "meaning"
    """What was made of words and can only be compared."""
    DIGEST = "digest"
    TIME = "time"
    NUMBER = "number"
    SETTING = "setting"
    STATE = "state"
    """How far something has come, or which kind it is."""


def columns(
    *,
    ids: str = "",
    people: str = "",
    names: str = "",
    words: str = "",
    meaning: str = "",
    digests: str = "",
    times: str = "",
    numbers: str = "",
    settings: str = "",
    states: str = "",
) -> Mapping[str, Holds]:
    given = (
        (Holds.ID, ids),
        (Holds.PERSON, people),
        (Holds.NAME, names),
        (Holds.WORDS, words),
        (Holds.MEANING, meaning),
        (Holds.DIGEST, digests),
        (Holds.TIME, times),
        (Holds.NUMBER, numbers),
        (Holds.SETTING, settings),
        (Holds.STATE, states),
    )
    return MappingProxyType({column: holds for holds, listed in given for column in listed.split()})


class Erasing(StrEnum):
    MESSAGE = "message"
    MEMBER = "member"
    OPTING_OUT = "opting out"
    CHANNEL = "channel"
    GUILD = "guild"


@dataclass(frozen=True, slots=True)
class Goes:
    """Says that rows of the guild for which this holds are deleted. The condition names values: {messages}, {member},
    {channels} (arrays of ids, but for the member) and {through}, the last message that is meant."""

    where: str = "true"
    after: tuple[str, ...] = ()
    """Tables that come before this one."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Says that rows for which this holds are changed."""

    to: str
    where: str
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InParts:
    """Says that messages for which this holds are taken out, some thousands in one transaction, as erased ones are."""

    where: str


@dataclass(frozen=True, slots=True)
class Unsaid:
    """Says that the ledger forgets facts for which this holds, and makes what was merged from them anew."""

    where: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Says that our replies of these receipts are taken back on Discord, and then the receipts go."""

    where: str


class How(StrEnum):
    MESSAGE = "erasing each message"
    KEY = "a foreign key"
    TRIGGER = "a trigger"
    LEDGER = "the ledger, in the same transaction"


@dataclass(frozen=True, slots=True)
class Follows:
    """Says that what belongs to rows of another table goes, or is made true again, when those go."""

    table: str
    by: How


@dataclass(frozen=True, slots=True)
class Stays:
    because: str


Fate = Goes | Changes | InParts | Unsaid | TakenBack | Follows | Stays


@dataclass(frozen=True, slots=True)
class TableDeclaration:
    """Declares a table: what it is for, what its columns hold, and what becomes of it."""

    table: str
    purpose: str
    """In a sentence for the people it is about."""
    until: str
    """When it goes by itself."""
    columns: Mapping[str, Holds]
    message: Fate
    member: Fate
    channel: Fate
    guild: Fate
    opting_out: Fate | None = None
    """None: as for the member who is erased."""
    counted: Kind | None = None
    """What a receipt counts its deleted rows as."""
    named_on: Mapping[Erasing, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    """Columns in which the id of a member stays in rows that are somebody else's, and why."""
    unnamed: Mapping[Erasing, Changes] = field(default_factory=lambda: MappingProxyType({}))
    """How a member is taken out of rows that stay, for good or for now, when all that goes has gone."""
    left_behind: str = ""
    """Why an export of the memory does not carry it. Empty: it does."""

    def fate(self, erasing: Erasing) -> Fate:
        match erasing:
            case Erasing.MESSAGE:
                return self.message
            case Erasing.MEMBER:
                return self.member
            case Erasing.OPTING_OUT:
                return self.opting_out or self.member
            case Erasing.CHANNEL:
                return self.channel
            case Erasing.GUILD:
                return self.guild


@dataclass(frozen=True, slots=True)
class Statement:
    """Holds SQL, and the names of the values it takes, in their order; the first is the guild."""

    sql: str
    takes: tuple[str, ...]

    def arguments(self, values: Mapping[str, object]) -> list[object]:
        return [values[name] for name in self.takes]


_TYPES = {
    "messages": "bigint[]",
    "member": "bigint",
    "channels": "bigint[]",
    "through": "bigint",
    "after": "bigint",
    "most": "integer",
}
_NAMED = re.compile(r"\{(\w+)\}")


def written(sql: str) -> Statement:
    """Put numbers in the place of names, as the driver wants them."""
    takes = ("guild", *dict.fromkeys(_NAMED.findall(sql)))
    numbered = _NAMED.sub(lambda found: f"${takes.index(found[1]) + 1}::{_TYPES[found[1]]}", sql)
    return Statement(numbered, takes)


def statement_of(held: TableDeclaration, erasing: Erasing) -> Statement | None:
    """Write the statement that carries out the fate of a table; None where it takes more than one, or none at all."""
    match held.fate(erasing):
        case Goes(where=where):
            return written(f"DELETE FROM {held.table} WHERE guild_id = $1 AND ({where})")  # noqa: S608 - declared
        case Changes() as changes:
            return _editor(held.table, changes)
        case TakenBack(where=where):
            return written(
                f"SELECT take_back($1, coalesce(array_agg(asked_in), '{{}}'), 'question') FROM {held.table}"  # noqa: S608 - declared
                f" WHERE guild_id = $1 AND ({where})"
            )
        case InParts() | Unsaid() | Follows() | Stays():
            return None


def unnaming(holdings: Iterable[TableDeclaration], erasing: Erasing) -> tuple[Statement, ...]:
    return tuple(_editor(held.table, held.unnamed[erasing]) for held in holdings if erasing in held.unnamed)


def _editor(table: str, changes: Changes) -> Statement:
    return written(f"UPDATE {table} SET {changes.to} WHERE guild_id = $1 AND ({changes.where})")  # noqa: S608 - declared


def statements(holdings: Iterable[TableDeclaration], erasing: Erasing) -> tuple[Statement, ...]:
    """Write the statements that carry it out for all of these tables, in their order."""
    found = (statement_of(held, erasing) for held in in_order(holdings, erasing))
    return tuple(statement for statement in found if statement is not None)


def in_order(holdings: Iterable[TableDeclaration], erasing: Erasing) -> list[TableDeclaration]:
    """Sort the tables that have a statement, each behind the ones it has to come after."""
    carried_out = {held.table: held for held in holdings if statement_of(held, erasing) is not None}
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for table, held in carried_out.items():
        fate = held.fate(erasing)
        after = fate.after if isinstance(fate, Goes | Changes) else ()
        sorter.add(table, *(other for other in after if other in carried_out))
    return [carried_out[table] for table in sorter.static_order()]
