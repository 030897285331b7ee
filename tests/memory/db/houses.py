"""A house for the crash tests: a data directory of its own, real processes in it, and an eye on what still runs."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from memory.db.database import Database
from memory.db.embedded.account import find_binaries, server_account
from memory.db.embedded.cluster import StateFolder
from memory.db.embedded.server import EmbeddedPostgres

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60.0


async def until(condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait for something that happens in another process."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        await asyncio.sleep(0.1)


class Writer:
    """A real process that writes rows one after the other and says which ones are committed."""

    def __init__(self, data_dir: Path, name: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.memory.db.embedded.log_writer", str(data_dir), name],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        self._lines = self.process.stdout
        self._rest = b""
        self.name = name
        self.said: list[str] = []
        os.set_blocking(self._lines.fileno(), False)

    def listen(self) -> list[str]:
        """Everything it has said so far, complete lines only."""
        if not self._lines.closed:
            self._rest += self._lines.read() or b""
        *complete, self._rest = self._rest.split(b"\n")
        self.said += [line.decode() for line in complete]
        return self.said

    def confirmed(self) -> list[int]:
        return [int(line.split()[1]) for line in self.listen() if line.startswith("committed ")]

    async def has_written(self, more: int) -> None:
        goal = len(self.confirmed()) + more
        await until(
            lambda: len(self.confirmed()) >= goal or self.process.poll() is not None,
            f"{self.name} commits {more} more rows",
        )
        assert self.process.poll() is None, self.said[-5:]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)
        self.listen()
        self._lines.close()


@dataclass
class House:
    """A data directory and everything that happens in it."""

    data_dir: Path
    writers: list[Writer] = field(default_factory=list)

    @property
    def state(self) -> StateFolder:
        return StateFolder(self.data_dir)

    @property
    def cluster(self) -> Path:
        return self.state.home() / "cluster"

    def user(self, **settings: str) -> EmbeddedPostgres:
        """One more user of the server here, which need not be safe against a power cut."""
        return EmbeddedPostgres(self.data_dir, settings={"fsync": "off", **settings})

    def writer(self, name: str = "ada") -> Writer:
        writer = Writer(self.data_dir, name)
        self.writers.append(writer)
        return writer

    def pid(self, which: str) -> int:
        """`server_pid` or `guardian_pid` as the ready file has it; 0 while nothing is ready."""
        try:
            return int(json.loads(self.state.ready.read_text())[which])
        except FileNotFoundError:
            return 0

    def log(self) -> str:
        return self.state.log.read_text()

    def servers(self) -> list[psutil.Process]:
        """Every PostgreSQL process of this house, whoever started it."""
        return [process for process in psutil.process_iter() if self._is_server(process)]

    def postmasters(self) -> list[int]:
        """Those among them that are nobody's workers."""
        parents = {}
        for process in self.servers():
            with suppress(psutil.Error):
                parents[process.pid] = process.ppid()
        return [pid for pid, parent in parents.items() if parent not in parents]

    def guardians(self) -> list[psutil.Process]:
        wanted = ["memory.db.embedded.server", str(self.data_dir)]
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if "python" in process.name() and all(part in process.cmdline() for part in wanted):
                    found.append(process)
        return found

    def server_without_guardian(self) -> subprocess.Popen[bytes]:
        """A PostgreSQL on this cluster that nobody looks after."""
        account = server_account(self.data_dir, self.cluster)
        socket = f"unix_socket_directories={self.cluster}"
        return subprocess.Popen(
            [find_binaries().postgres, "-D", self.cluster, "-c", "listen_addresses=", "-c", socket],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            **account.for_subprocess(),
        )

    async def visit(self) -> tuple[int, psutil.Process]:
        """Write and read; how many visits there were, and the server's process for a look at who it ran as."""
        database = await Database.open(self.user())
        async with database.transaction("test.visit") as connection:
            await connection.execute("CREATE TABLE IF NOT EXISTS visits (n serial)")
            await connection.execute("INSERT INTO visits DEFAULT VALUES")
            visits: int = await connection.fetchval("SELECT count(*) FROM visits")
        server = psutil.Process(self.pid("server_pid"))
        with server.oneshot():
            server.uids()
            server.username()
        await database.close()
        return visits, server

    async def is_empty(self) -> None:
        """Nobody and nothing runs in here any more."""
        await until(lambda: not self.servers() and not self.guardians(), f"{self.data_dir} is empty")

    def _is_server(self, process: psutil.Process) -> bool:
        try:
            return process.name() == "postgres" and process.cwd().startswith(str(self.state.home()))
        except psutil.Error:
            return False
