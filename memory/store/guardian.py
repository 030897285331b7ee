"""The guardian: a small process that is the parent of `postgres` and outlives nobody it serves.

Every Innkeeper process shares the lock on `users.lock` for as long as it lives. The guardian looks at that lock again
and again; the moment it can have it for itself, nobody is left, and it stops the server and goes. It does not matter
who started first, who ended first, or how. Started by `memory.store.embedded`; not for people.
"""

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from memory.store import cluster as files
from memory.store import postmaster
from memory.store.binaries import find_binaries
from memory.store.cluster import StateFolder
from memory.store.errors import StoreError
from memory.store.locks import FileLock
from memory.store.server import Server
from memory.store.unprivileged import server_account

TICK = 0.25
TAKEOVER = 1.0  # how long to try for the guardian's lock; others look at it for a moment now and then
FAREWELL = 10.0  # how long the users may still finish their work after we were told to stop


def log(line: str) -> None:
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
    sys.stderr.write(f"{moment} guardian[{os.getpid()}] {line}\n")
    sys.stderr.flush()


class Departure:
    """Told to stop (SIGTERM, as at the shutdown of a machine), the users get a moment to finish before the server goes.

    Ctrl-C and a closed terminal are for the programs in that terminal, so they do not count.
    """

    def __init__(self) -> None:
        self._deadline: float | None = None
        signal.signal(signal.SIGTERM, self._told)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def _told(self, _signal: int, _frame: FrameType | None) -> None:
        if self._deadline is None:
            self._deadline = time.monotonic() + FAREWELL

    @property
    def is_due(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline


def prepare(state: StateFolder, bin_dir: Path | None, settings: dict[str, str]) -> Server:
    """Everything up to the first start: account, folders, programs, an end to any orphan, a cluster."""
    account = server_account(state.data_dir, state.home() / "cluster")
    home = files.settle_home(state, account, log)
    binaries = files.reachable_binaries(find_binaries(bin_dir), account, log)
    files.check_version(home / "cluster", account, binaries)
    if (home / "cluster").exists():
        postmaster.stop(home / "cluster", log)
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


def watch(server: Server, users: FileLock, own: FileLock, departure: Departure) -> str:
    """Keep the server running until there is a reason to stop; return the reason."""
    while True:
        if users.try_exclusive():
            return "nobody is left"
        if not own.is_in_place():
            return "the data directory is gone"
        if departure.is_due:
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
    departure = Departure()
    with FileLock(state.guardian_lock) as own, FileLock(state.users_lock) as users:
        if not take_over(own):
            log("another guardian is here")
            return 0
        state.ready.unlink(missing_ok=True)
        try:
            server = prepare(state, bin_dir, settings)
            try:
                reason = watch(server, users, own, departure)
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
