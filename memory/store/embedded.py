"""The embedded PostgreSQL as its users see it: ask for it, and it runs for as long as anybody does.

    server = EmbeddedPostgres(data_dir)
    address = await server.connect_arguments()   # starts it if need be; call again after a lost connection
    ...
    await server.close()                         # or die in any way: the lock goes with the process

The work is done by `memory.store.guardian`, a process of its own.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from memory.store import children
from memory.store.cluster import StateFolder, last_lines
from memory.store.errors import DatabaseAway, EmbeddedServerFailed
from memory.store.locks import FileLock, is_held_exclusively
from memory.store.source import Address

ROOT = Path(__file__).resolve().parents[2]
LARGEST_LOG = 1_000_000
# The guardian needs no secret of ours, so it gets none; PG* variables would redirect the server.
ENVIRONMENT = (*children.SHARED, "HOME", "LANG", "LC_ALL", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")

# Kept so that a guardian that ends while we live is reaped.
_started: list[subprocess.Popen[bytes]] = []


class EmbeddedPostgres:
    """One user of the server in `data_dir`."""

    def __init__(
        self,
        data_dir: Path,
        *,
        bin_dir: Path | None = None,
        settings: Mapping[str, str] | None = None,
        start_timeout: float = 60.0,
    ) -> None:
        self._state = StateFolder(data_dir.expanduser().resolve())
        self._bin_dir = bin_dir.expanduser().resolve() if bin_dir else None
        self._settings = dict(settings or {})
        self._start_timeout = start_timeout
        self._users: FileLock | None = None
        self._one_at_a_time = asyncio.Lock()

    async def connect_arguments(self) -> Address:
        """Where the server is, after making sure that it runs."""
        async with self._one_at_a_time:
            deadline = time.monotonic() + self._start_timeout
            await self._become_user(deadline)
            guardian: subprocess.Popen[bytes] | None = None
            log_start = self._log_size()
            while True:
                guarded = is_held_exclusively(self._state.guardian_lock)
                if guarded and (address := self._ready_address()) is not None:
                    return address
                if not guarded and (guardian is None or guardian.poll() is not None):
                    if guardian is not None and guardian.returncode != 0:
                        raise EmbeddedServerFailed(self._why("Our own PostgreSQL did not start.", log_start))
                    guardian = self._start_guardian()
                    log_start = self._log_size()
                if time.monotonic() > deadline:
                    raise EmbeddedServerFailed(self._why("Our own PostgreSQL is not ready yet.", log_start))
                await asyncio.sleep(0.05)

    async def close(self) -> None:
        """Stop being a user. The server stops once nobody uses it."""
        if self._users is not None:
            self._users.close()
            self._users = None

    async def _become_user(self, deadline: float) -> None:
        """Share the users' lock. It is taken only while a guardian stops its server, and then we wait for that."""
        if self._users is not None and self._users.is_in_place():
            return
        await self.close()
        while True:
            try:
                self._state.create()
                lock = FileLock(self._state.users_lock)
            except OSError as error:
                raise EmbeddedServerFailed(
                    f"The database cannot use {error.filename or self._state.folder}: {error.strerror}. Check DATA_DIR."
                ) from error
            if lock.try_shared() and lock.is_in_place():
                self._users = lock
                return
            lock.close()
            if time.monotonic() > deadline:
                raise DatabaseAway("The database is still shutting down from its last run; try again in a minute.")
            await asyncio.sleep(0.05)

    def _ready_address(self) -> Address | None:
        try:
            ready = json.loads(self._state.ready.read_text())
        except FileNotFoundError:
            return None
        return Address(host=ready["host"], port=ready["port"], user=ready["user"], database=ready["database"])

    def _start_guardian(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "memory.store.guardian", str(self._state.data_dir)]
        if self._bin_dir is not None:
            command += ["--bin-dir", str(self._bin_dir)]
        for name, value in self._settings.items():
            command += ["--set", f"{name}={value}"]
        if self._log_size() > LARGEST_LOG:
            os.truncate(self._state.log, 0)
        with self._state.log.open("ab") as log:
            # A session of its own: Ctrl-C in our terminal must not take the database from under us.
            guardian = subprocess.Popen(  # noqa: S603 - our own module with our own options
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=ROOT,
                env={name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
                start_new_session=True,
            )
        _started[:] = [started for started in _started if started.poll() is None] + [guardian]
        return guardian

    def _log_size(self) -> int:
        return self._state.log.stat().st_size if self._state.log.exists() else 0

    def _why(self, what: str, log_start: int) -> str:
        tail = last_lines(self._state.log, start=log_start)
        return f"{what} The end of {self._state.log}:\n{tail}" if tail else what
