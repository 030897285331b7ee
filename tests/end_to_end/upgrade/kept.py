"""An inn of a release as it is kept here: its database, the local guild it lived in, and what happened there.

python -m tests.end_to_end.upgrade      writes the one of today's version
"""

import io
import json
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg

from local_guild.server import STATE_FILE
from memory.core.version import VERSION
from memory.db.embedded.account import find_binaries

FOLDER = Path(__file__).parent / "kept"
NOTES, DATABASE = "notes.json", "database.sql"
NOT_SQL = ("\\", "SET transaction_timeout")
"""What only psql, and what only a newer PostgreSQL than the oldest that serves, understands."""


@dataclass(frozen=True)
class Kept:
    path: Path

    @property
    def notes(self) -> dict[str, Any]:
        notes: dict[str, Any] = json.loads(self._read(NOTES))
        return notes

    async def restore_database(self, url: str) -> None:
        """Into an empty one."""
        connection = await asyncpg.connect(url)
        try:
            await connection.execute(self._read(DATABASE).decode())
        finally:
            await connection.close()

    def restore_guild(self, local_guild: Path) -> None:
        local_guild.mkdir()
        (local_guild / STATE_FILE).write_bytes(self._read(STATE_FILE))

    def _read(self, name: str) -> bytes:
        with tarfile.open(self.path) as archive:
            found = archive.extractfile(name)
            assert found is not None
            return found.read()


def all_kept() -> list[Kept]:
    return [Kept(path) for path in sorted(FOLDER.glob("*.tar.xz"))]


def keep(database_url: str, local_guild: Path, notes: dict[str, Any]) -> Path:
    """Both must be at rest."""
    told = {"innkeeper": VERSION, **notes}
    path = FOLDER / f"{VERSION}.tar.xz"
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for name, content in (
            (NOTES, json.dumps(told, indent=1).encode()),
            (DATABASE, _dump(database_url)),
            (STATE_FILE, (local_guild / STATE_FILE).read_bytes()),
        ):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


def _dump(database_url: str) -> bytes:
    program = str(find_binaries().folder / "pg_dump")
    command = [program, "--inserts", "--no-owner", "--no-privileges", database_url]
    written = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return "".join(line for line in written.splitlines(keepends=True) if not line.startswith(NOT_SQL)).encode()
