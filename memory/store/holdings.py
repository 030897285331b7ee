"""All that the store holds: the declarations of its modules in one place, for whoever erases, and for the tests."""

from memory import audit, fact_rows, heartbeat, leases
from memory.db import command_definitions, migrate
from memory.db.retention_declarations import TableDeclaration
from memory.models import usage
from memory.people import store as guilds
from memory.people import store as members
from memory.places import store as places
from memory.policy import store as policy
from memory.store import blobs, changes, contexts, days, indexed, logged, progress, receipts, taking_back, vetoes

HOLDINGS: tuple[TableDeclaration, ...] = (
    *logged.HELD,
    *fact_rows.TABLES,
    *blobs.HELD,
    *changes.HELD,
    *vetoes.HELD,
    *receipts.HELD,
    *taking_back.HELD,
    *days.HELD,
    *contexts.HELD,
    *indexed.HELD,
    *members.TABLES,
    *guilds.GUILD_TABLES,
    *places.TABLES,
    *policy.TABLES,
    *audit.TABLES,
    *progress.HELD,
    *leases.TABLES,
    *usage.TABLES,
    *heartbeat.TABLES,
    *command_definitions.TABLES,
    *migrate.TABLES,
)
