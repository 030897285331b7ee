"""Declares all that the store holds, from all modules in one place, for whoever erases, and for the tests."""

from collections.abc import Iterable

from memory import access, audit, events, fact_rows, health, leases
from memory.channels import store as channels
from memory.contexts import store as contexts
from memory.daily import store as daily
from memory.db import command_definitions, migrate
from memory.db.table_declarations import (
    Changes,
    Erasing,
    Fate,
    Follows,
    Goes,
    Holds,
    How,
    InParts,
    Stays,
    TableDeclaration,
    TakenBack,
    Unsaid,
)
from memory.facts import changes, enter
from memory.log import reading
from memory.log import store as logged
from memory.memories import service as memories
from memory.models import usage
from memory.people import store as guilds
from memory.people import store as members
from memory.places import store as places
from memory.policy import store as policy
from memory.recall import index_store, pieces
from memory.receipts import retractions, verdicts
from memory.receipts import store as receipts
from memory.reminders import store as reminders
from memory.summaries import store as days

ALL_TABLES: tuple[TableDeclaration, ...] = (
    *logged.TABLES,
    *fact_rows.TABLES,
    *changes.TABLES,
    *enter.TABLES,
    *receipts.TABLES,
    *retractions.TABLES,
    *verdicts.TABLES,
    *days.TABLES,
    *channels.TABLES,
    *memories.TABLES,
    *daily.TABLES,
    *contexts.TABLES,
    *reminders.TABLES,
    *events.TABLES,
    *index_store.TABLES,
    *pieces.TABLES,
    *access.TABLES,
    *members.TABLES,
    *guilds.GUILD_TABLES,
    *places.TABLES,
    *policy.TABLES,
    *audit.TABLES,
    *reading.TABLES,
    *leases.TABLES,
    *usage.TABLES,
    *health.TABLES,
    *command_definitions.TABLES,
    *migrate.TABLES,
)


# The tables of docs/privacy.md, written from what the store modules declare.


_TELLING = frozenset({Holds.PERSON, Holds.NAME, Holds.WORDS, Holds.MEANING})
_TITLES = {
    Erasing.MESSAGE: "a message is deleted",
    Erasing.OPTING_OUT: "you opt out",
    Erasing.MEMBER: "you are erased",
    Erasing.CHANNEL: "a channel is erased",
    Erasing.GUILD: "the server is erased",
}
_WHEN = {Erasing.MEMBER: "when you are erased, ", Erasing.OPTING_OUT: "when you opt out, "}


def purposes() -> str:
    """Write what each table is for, and until when it is kept."""
    return _table(
        ("table", "what it holds", "kept until"), ((_name(one), one.purpose, one.until) for one in ALL_TABLES)
    )


def fates() -> str:
    """Write what becomes, by each kind of erasing, of each table that tells something about people."""
    rows = ((_name(one), *(_said(one.fate(erasing)) for erasing in _TITLES)) for one in _telling())
    return _table(("table", *_TITLES.values()), rows)


def reasons() -> str:
    """Write why something that tells about people stays when somebody is erased, or leaves."""
    found: dict[str, list[str]] = {}
    for one in _telling():
        for erasing in (Erasing.MEMBER, Erasing.OPTING_OUT, Erasing.GUILD):
            fate = one.fate(erasing)
            if isinstance(fate, Stays) and _name(one) not in found.setdefault(fate.because, []):
                found[fate.because].append(_name(one))
            for column, because in one.named_on.get(erasing, {}).items():
                found.setdefault(f"{_WHEN[erasing]}{because}", []).append(f"your id in `{one.table}.{column}`")
    return "\n".join(f"- {', '.join(tables)}: {because}." for because, tables in found.items())


def _telling() -> list[TableDeclaration]:
    return [one for one in ALL_TABLES if _TELLING & set(one.columns.values())]


def _said(fate: Fate) -> str:
    match fate:
        case Goes() | InParts() | Unsaid():
            return "deleted"
        case Changes():
            return "what was made of it is deleted"
        case TakenBack():
            return "the answer is taken back, then deleted"
        case Follows(by=How.LEDGER, table=table):
            return f"made anew with `{table}`"
        case Follows(table=table):
            return f"goes with `{table}`"
        case Stays():
            return "stays"


def _name(held: TableDeclaration) -> str:
    return f"`{held.table}`"


def _table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [titles, tuple("---" for _ in titles), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
