"""Which PostgreSQL serves, by the settings, and how its state becomes known."""

from memory.health import Part
from memory.settings import MemoryOptions
from memory.store.database import OnState
from memory.store.embedded import EmbeddedPostgres
from memory.store.source import ConnectionSource, ExternalPostgres


def connection_source(options: MemoryOptions) -> ConnectionSource:
    if options.database_url is not None:
        return ExternalPostgres(options.database_url.get_secret_value())
    return EmbeddedPostgres(options.data_dir, bin_dir=options.postgres_bin_dir)


def told_to(part: Part) -> OnState:
    def note(active: bool, reason: str | None) -> None:
        if active:
            part.active()
        else:
            part.failing(reason or "The database does not answer.")

    return note
