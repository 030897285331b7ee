"""PgBouncer in front of the tests' PostgreSQL: Debian's own, in transaction mode, with few sessions for many."""

import asyncio
import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

import asyncpg
import pytest

from memory.db.embedded.account import server_account

SESSIONS = 2
PORT = 6432
"""Of a socket in a folder of its own, so that it is free."""
PATIENCE_SECONDS = 60.0


class PgBouncer:
    """Made by `pgbouncer_before`."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self._folder = folder
        self._account = server_account(folder, folder)
        self._account.give(folder)
        self._process: subprocess.Popen[bytes] | None = None
        parts = urlsplit(database_url)
        self.url = f"postgresql://innkeeper@{parts.path}?host={quote(str(folder), safe='')}&port={PORT}"
        query = parse_qs(parts.query)
        there = {
            "host": query.get("host", [parts.hostname or ""])[0],
            "port": query.get("port", [str(parts.port or 5432)])[0],
            "user": unquote(parts.username or ""),
            "password": unquote(parts.password or ""),
        }
        server = " ".join(f"{name}='{value}'" for name, value in there.items() if value)
        (folder / "pgbouncer.ini").write_text(
            f"""
            [databases]
            * = {server}
            [pgbouncer]
            pool_mode = transaction
            default_pool_size = {SESSIONS}
            auth_type = any
            unix_socket_dir = {folder}
            listen_port = {PORT}
            """.replace("            ", "")
        )

    async def start(self) -> None:
        command = [_program(), "-q", str(self._folder / "pgbouncer.ini")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, cwd="/", stderr=log, **self._account.for_subprocess())  # noqa: ASYNC220 - it lives on
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                with contextlib.suppress(OSError, asyncpg.PostgresError):
                    return await (await asyncpg.connect(self.url)).close()
                assert self._process.poll() is None, (self._folder / "log").read_text()
                await asyncio.sleep(0.02)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE_SECONDS)
            self._process = None


def _program() -> str:
    found = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if found is None:
        pytest.skip("there is no pgbouncer here; Debian's package of that name has it")
    return found


@contextlib.asynccontextmanager
async def pgbouncer_before(database_url: str) -> AsyncIterator[PgBouncer]:
    """Started, or the test is skipped where it is not installed."""
    _program()
    with tempfile.TemporaryDirectory(prefix="innkeeper-bouncer-") as folder:
        bouncer = PgBouncer(Path(folder), database_url)
        try:
            await bouncer.start()
            yield bouncer
        finally:
            bouncer.stop()
