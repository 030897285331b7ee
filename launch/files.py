"""Every file that Innkeeper writes: what it holds, how erasing reaches it, and who writes it.

They lie in DATA_DIR; only the cluster may have to lie elsewhere, where its folder is closed to the account that runs
PostgreSQL. A test starts the whole house, and finds no other file; another finds nobody else in the source who could
write one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class KeptFile:
    pattern: str
    """Of its path in DATA_DIR; `**` stands for whatever is below."""
    holds: str
    has_words: bool
    erased: str
    """How erasing reaches it."""


FILES = (
    KeptFile(
        "postgres/cluster/**",
        "PostgreSQL's own files: all that `docs/privacy.md` lists, and the server's log, which holds no values",
        has_words=True,
        erased="rows are deleted; what they said lies in dead rows and in the write-ahead log until PostgreSQL uses the"
        " room again, where only somebody who has the disk can read it",
    ),
    KeptFile("postgres/users.lock", "nothing; who uses the server holds a lock on it", has_words=False, erased="–"),
    KeptFile("postgres/guardian.lock", "nothing; the guardian holds a lock on it", has_words=False, erased="–"),
    KeptFile("postgres/socket/**", "where the server is spoken to", has_words=False, erased="–"),
    KeptFile("postgres/ready.json", "where the server listens", has_words=False, erased="–"),
    KeptFile("postgres/guardian.log", "when the server started and stopped", has_words=False, erased="–"),
    KeptFile("postgres/elsewhere.json", "where the cluster lies, if not here", has_words=False, erased="–"),
    KeptFile(
        "local-guild/world.sqlite3*",
        "the local guild, which stands for Discord while there is no token: its members and what they wrote there",
        has_words=True,
        erased="as on Discord, by deleting messages there; or by deleting the folder",
    ),
    KeptFile(
        "local-guild/attachments/**",
        "files that were attached to messages in the local guild",
        has_words=True,
        erased="by deleting the folder",
    ),
)

WRITERS: Mapping[str, str] = MappingProxyType(
    {
        "bot/commands/handing_over.py:_pack": "an export, into a file that has no name",
        "launch/reference.py:write": "our own documents, for whoever develops this",
        "local_guild/rest/uploads.py:stored_uploads": "local-guild/attachments/**",
        "local_guild/state_file.py:StateFile.__init__": "local-guild/world.sqlite3*",
        "memory/export.py:Exports.file": "a file without a name, gone with whoever has it open",
        "memory/store/cluster.py:StateFolder.write": "postgres/ready.json and postgres/elsewhere.json",
        "memory/store/cluster.py:settle_home": "whose cluster lies in a folder outside of DATA_DIR; a path, no words",
        "memory/store/embedded.py:EmbeddedPostgres._start_guardian": "postgres/guardian.log",
        "memory/store/locks.py:FileLock.__init__": "postgres/users.lock and postgres/guardian.lock",
        "memory/store/unprivileged.py:copy_readable": "PostgreSQL's own programs, where the account cannot reach them",
    }
)
"""By function. PostgreSQL itself writes its cluster."""
