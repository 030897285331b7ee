"""Every file that Innkeeper writes, in DATA_DIR and nowhere else: what it holds, and how erasing reaches it.

A test starts the whole house, and finds no other file.
"""

from dataclasses import dataclass


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
