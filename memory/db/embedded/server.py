"""Runs the embedded PostgreSQL for its users: ask for it, and it runs for as long as anybody does.

    server = EmbeddedPostgres(data_dir)
    address = await server.connect_arguments()   # starts it if need be; call again after a lost connection
    ...
    await server.close()                         # or die in any way: the lock goes with the process

The work is done by `memory.db.embedded.server`, a process of its own.
"""

import argparse
import asyncio
import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from memory.db.database import Address
from memory.db.embedded import account, postgres
from memory.db.embedded import cluster as files
from memory.db.embedded.account import find_binaries, server_account
from memory.db.embedded.cluster import StateFolder, last_lines
from memory.db.embedded.postgres import Server
from memory.db.errors import DatabaseAway, DataFolderUnusable, EmbeddedServerFailed, StoreError

# File locks that the kernel releases when their holder dies, however it dies.


class FileLock:
    """Holds an flock on one open file. Closing it, or the death of the process, releases it.

    The descriptor is not inherited by programs we start, so no child can keep the lock by accident.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def try_shared(self) -> bool:
        return self._try(fcntl.LOCK_SH)

    def try_exclusive(self) -> bool:
        return self._try(fcntl.LOCK_EX)

    def is_in_place(self) -> bool:
        """Say whether the path still leads to the file that is locked: a removed folder makes a lock worthless."""
        if self._descriptor is None:
            return False
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self.path))
        except FileNotFoundError:
            return False

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _try(self, kind: int) -> bool:
        if self._descriptor is None:
            raise ValueError(f"the lock on {self.path} is closed")
        try:
            fcntl.flock(self._descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def is_held_exclusively(path: Path) -> bool:
    """Say whether somebody holds the exclusive lock on this file right now.

    To find out, the lock is shared for a moment; whoever wants it exclusively must try more than once.
    """
    if not path.exists():
        return False
    with FileLock(path) as lock:
        return not lock.try_shared()


ROOT = Path(__file__).resolve().parents[3]
LARGEST_LOG = 1_000_000
START_TIMEOUT = 60.0
# The guardian needs no secret of ours, so it gets none; PG* variables would redirect the server.
ENVIRONMENT = (*account.SHARED, "HOME", "LANG", "LC_ALL", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")

# Kept so that a guardian that ends while we live is reaped.
_started: list[subprocess.Popen[bytes]] = []


class EmbeddedPostgres:
    """Uses the server in `data_dir`, as one of several users."""

    open_patience = 90.0  # it may have to be made, or to recover from a crash

    def __init__(
        self,
        data_dir: Path,
        *,
        bin_dir: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._state = StateFolder(data_dir.expanduser().resolve())
        self._bin_dir = bin_dir.expanduser().resolve() if bin_dir else None
        self._settings = dict(settings or {})
        self._users: FileLock | None = None
        self._one_at_a_time = asyncio.Lock()

    async def connect_arguments(self) -> Address:
        """Say where the server is, after making sure that it runs."""
        async with self._one_at_a_time:
            deadline = time.monotonic() + START_TIMEOUT
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
                kind = EmbeddedServerFailed if error.errno == errno.ENOSPC else DataFolderUnusable
                raise kind(
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
        command = [sys.executable, "-m", "memory.db.embedded.server", str(self._state.data_dir)]
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


# The guardian: a small process that is the parent of `postgres` and outlives nobody it serves.
#
# Every Innkeeper process shares the lock on `users.lock` for as long as it lives. The guardian looks at that lock again
# and again; the moment it can have it for itself, nobody is left, and it stops the server and goes. It does not matter
# who started first, who ended first, or how. Started by `memory.db.embedded.server`; not for people.


TICK = 0.25
TAKEOVER = 1.0  # how long to try for the guardian's lock; others look at it for a moment now and then
FAREWELL = 10.0  # how long the users may still finish their work after we were told to stop


def log(line: str) -> None:
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
    sys.stderr.write(f"{moment} guardian[{os.getpid()}] {line}\n")
    sys.stderr.flush()


def note_stops() -> list[float]:
    """Give the list to which each time is added when we are told to stop (SIGTERM, as at a shutdown).

    Ctrl-C and a closed terminal are for the programs in that terminal, so they do not count.
    """
    told_at: list[float] = []
    signal.signal(signal.SIGTERM, lambda *_: told_at.append(time.monotonic()))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    return told_at


def prepare(state: StateFolder, bin_dir: Path | None, settings: dict[str, str]) -> Server:
    """Prepare everything up to the first start: account, folders, programs, an end to any orphan, a cluster."""
    account = server_account(state.data_dir, state.home() / "cluster")
    home = files.settle_home(state, account, log)
    binaries = files.reachable_binaries(find_binaries(bin_dir), account, log)
    files.check_version(home / "cluster", account, binaries)
    if (home / "cluster").exists():
        postgres.stop(home / "cluster", log)
    cluster = files.initialise(state, home, account, binaries, log, sync=settings.get("fsync") != "off")
    return Server(
        state=state,
        cluster=cluster,
        socket=files.socket_folder(state, home, account, log),
        account=account,
        postgres=binaries.postgres,
        settings=settings,
        log=log,
    )


def watch(server: Server, users: FileLock, own: FileLock, told_at: list[float]) -> str:
    """Keep the server running until there is a reason to stop; return the reason."""
    while True:
        if users.try_exclusive():
            return "nobody is left"
        if not own.is_in_place():
            return "the data directory is gone"
        if told_at and time.monotonic() >= told_at[0] + FAREWELL:
            return "told to stop"
        server.keep_running()
        time.sleep(TICK)


def take_over(lock: FileLock) -> bool:
    deadline = time.monotonic() + TAKEOVER
    while not lock.try_exclusive():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def guard(state: StateFolder, bin_dir: Path | None, settings: dict[str, str]) -> int:
    told_at = note_stops()
    with FileLock(state.guardian_lock) as own, FileLock(state.users_lock) as users:
        if not take_over(own):
            log("another guardian is here")
            return 0
        state.ready.unlink(missing_ok=True)
        try:
            server = prepare(state, bin_dir, settings)
            try:
                reason = watch(server, users, own, told_at)
                log(f"{reason}: stopping")
            finally:
                server.stop()
        except (StoreError, OSError) as error:
            log(f"giving up: {error}")
            return 1
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--bin-dir", type=Path)
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args(arguments)
    settings = dict(pair.split("=", 1) for pair in options.settings)
    os.chdir("/")
    return guard(StateFolder(options.data_dir), options.bin_dir, settings)


if __name__ == "__main__":
    sys.exit(main())
