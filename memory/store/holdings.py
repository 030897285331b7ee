"""All that the store holds: the declarations of its modules in one place, for whoever erases, and for the tests."""

from memory import audit, fact_rows, heartbeat, leases
from memory.contexts import store as contexts
from memory.db import command_definitions, migrate
from memory.db.retention_declarations import TableDeclaration
from memory.facts import blob_store, changes, others
from memory.log import reading
from memory.log import store as logged
from memory.models import usage
from memory.people import store as guilds
from memory.people import store as members
from memory.places import store as places
from memory.policy import store as policy
from memory.recall import index_store
from memory.receipts import retractions
from memory.receipts import store as receipts
from memory.summaries import store as days

HOLDINGS: tuple[TableDeclaration, ...] = (
    *logged.TABLES,
    *fact_rows.TABLES,
    *blob_store.TABLES,
    *changes.TABLES,
    *others.TABLES,
    *receipts.TABLES,
    *retractions.TABLES,
    *days.TABLES,
    *contexts.TABLES,
    *index_store.TABLES,
    *members.TABLES,
    *guilds.GUILD_TABLES,
    *places.TABLES,
    *policy.TABLES,
    *audit.TABLES,
    *reading.TABLES,
    *leases.TABLES,
    *usage.TABLES,
    *heartbeat.TABLES,
    *command_definitions.TABLES,
    *migrate.TABLES,
)
