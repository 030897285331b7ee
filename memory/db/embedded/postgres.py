"""Runs one `postgres` as a child of the guardian: started, watched, started again when it dies, stopped."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from memory.db.embedded import account as children
from memory.db.embedded.account import Account
from memory.db.embedded.cluster import DATABASE, PORT, USER, Log, StateFolder
from memory.db.errors import EmbeddedServerFailed

# Telling a living PostgreSQL from the traces of a dead one, and stopping a living one.
#
# `postmaster.pid` survives a kill -9, may have been cut short by a full disk, and its process id may since belong to
# somebody else. So a process counts as a server of a cluster only if it is a `postgres` that works in that folder.


PROC = Path("/proc")
STATUS_LINE = 7  # the eighth line of postmaster.pid: starting, stopping, ready …


def pid_file(cluster: Path) -> Path:
    return cluster / "postmaster.pid"


def recorded_pid(cluster: Path) -> int | None:
    """Read the process id in postmaster.pid; None where there is no such file or nothing sensible in it."""
    try:
        lines = pid_file(cluster).read_text(errors="replace").splitlines()
        pid = int(lines[0])
    except (FileNotFoundError, IndexError, ValueError):
        return None
    return pid if pid > 0 else None


def is_ready(cluster: Path, pid: int) -> bool:
    """Say whether the server with this process id says in its pid file that it takes connections."""
    try:
        lines = pid_file(cluster).read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return False
    return len(lines) > STATUS_LINE and lines[0] == str(pid) and lines[STATUS_LINE].strip() == "ready"


def living_servers(cluster: Path) -> list[int]:
    """List the ids of every living PostgreSQL process of this cluster; the postmaster first where it is known."""
    recorded = recorded_pid(cluster)
    if (PROC / "self" / "cwd").exists():
        pids = [int(entry) for entry in os.listdir(PROC) if entry.isdigit()]
        found = [pid for pid in pids if _works_in(pid, cluster)]
    else:
        found = [recorded] if recorded is not None and _is_started_for(recorded, cluster) else []
    return sorted(found, key=lambda pid: (pid != recorded, pid))


def _works_in(pid: int, cluster: Path) -> bool:
    """Say whether a process works in the cluster: on Linux PostgreSQL has it as working directory."""
    process = PROC / str(pid)
    try:
        if (process / "comm").read_text().strip() != "postgres":
            return False
        return os.path.samefile(process / "cwd", cluster)
    except OSError:
        # It has gone meanwhile, is a zombie, or belongs to somebody else, and then it is no server of ours:
        # PostgreSQL runs only as the owner of its cluster.
        return False


def _is_started_for(pid: int, cluster: Path) -> bool:
    """Say, elsewhere than on Linux, whether a process's command line names the cluster, as we start it so."""
    listing = subprocess.run(  # noqa: S603 - nothing but a number goes in
        ["ps", "-ww", "-o", "command=", "-p", str(pid)],  # noqa: S607 - ps is at home in different folders
        capture_output=True,
        text=True,
        check=False,
    )
    return "postgres" in listing.stdout and str(cluster) in listing.stdout


def stop(cluster: Path, log: Callable[[str], None], patience: float = 60.0) -> None:
    """End whatever still runs on this cluster: politely first, and in the end without asking.

    Whichever way it ends, committed data is in the write-ahead log.
    """
    for step, wait in ((signal.SIGINT, patience), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0)):
        servers = living_servers(cluster)
        if not servers:
            return
        log(f"a PostgreSQL without a guardian still runs here (process {servers[0]}): {step.name}")
        # Workers follow their postmaster, and those that have lost it leave soon on their own.
        has_postmaster = recorded_pid(cluster) in servers
        for pid in servers[:1] if has_postmaster and step is not signal.SIGKILL else servers:
            send(pid, step)
        deadline = time.monotonic() + (wait if has_postmaster else min(wait, 5.0))
        while living_servers(cluster) and time.monotonic() < deadline:
            time.sleep(0.05)


def send(pid: int, what: signal.Signals) -> None:
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        return


def remove_stale_pid_file(cluster: Path, log: Callable[[str], None]) -> None:
    """Remove the pid file of a server that no longer lives. Call only after `stop`."""
    if pid_file(cluster).exists() and not living_servers(cluster):
        log(f"removing a stale postmaster.pid (process {recorded_pid(cluster) or 'unknown'} is no server of ours)")
        pid_file(cluster).unlink(missing_ok=True)


ATTEMPTS = 4  # failed starts in a row before giving up
LONGEST_PAUSE = 4.0
STOP_PATIENCE = 60.0  # a fast shutdown writes a checkpoint first

# For a small machine that also runs the rest of Innkeeper. Nothing that a statement holds may reach the log: errors of
# statements go to the client alone (log_min_messages), and without details.
SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "60",
    "shared_buffers": "128MB",
    "effective_cache_size": "512MB",
    "maintenance_work_mem": "128MB",
    "work_mem": "8MB",
    "max_wal_size": "512MB",
    "max_wal_senders": "0",
    "wal_level": "minimal",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    "cluster_name": "innkeeper",
    "logging_collector": "on",
    "log_directory": "log",
    "log_filename": "postgres-%a.log",
    "log_rotation_age": "1d",
    "log_rotation_size": "0",
    "log_truncate_on_rotation": "on",
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}


@dataclass(slots=True)
class Server:
    """Runs the child, with what is needed to start it. The guardian calls `keep_running` again and again."""

    state: StateFolder
    cluster: Path
    socket: Path
    account: Account
    postgres: Path
    settings: dict[str, str]
    log: Log
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _is_ready: bool = field(default=False, init=False)
    _failed_starts: int = field(default=0, init=False)
    _next_start: float = field(default=0.0, init=False)

    def keep_running(self) -> None:
        """Look once: start the server if it does not run, note that it has become ready or has died."""
        if self._process is None:
            if time.monotonic() >= self._next_start:
                self._start()
        elif (code := self._process.poll()) is not None:
            self._note_death(code)
        elif not self._is_ready and is_ready(self.cluster, self._process.pid):
            self._note_ready(self._process.pid)

    def stop(self) -> None:
        """Stop the server by a fast shutdown; harder where that takes too long."""
        self.state.ready.unlink(missing_ok=True)
        if self._process is None:
            return
        for step, patience in ((signal.SIGINT, STOP_PATIENCE), (signal.SIGQUIT, 10.0), (signal.SIGKILL, None)):
            self._process.send_signal(step)
            try:
                self._process.wait(patience)
            except subprocess.TimeoutExpired:
                self.log(f"the server did not follow {step.name} in time")
            else:
                break
        self.log("the server has stopped")
        self._process = None
        with suppress(OSError):
            self.socket.rmdir()  # it may lie among the temporary files, and is made anew at each start

    def _start(self) -> None:
        stop(self.cluster, self.log, patience=5.0)
        remove_stale_pid_file(self.cluster, self.log)
        command = [str(self.postgres), "-D", str(self.cluster)]
        settings = {**SETTINGS, **self.settings, "unix_socket_directories": str(self.socket)}
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        self._process = subprocess.Popen(  # noqa: S603 - our own program and options
            command,
            stdin=subprocess.DEVNULL,
            cwd="/",
            env=children.environment(),
            umask=0o077,
            preexec_fn=children.end_with_parent(signal.SIGINT),  # a fast but clean shutdown
            **self.account.for_subprocess(),
        )
        self._is_ready = False
        self.log(f"started the server as user {self.account.name} (process {self._process.pid})")

    def _note_ready(self, pid: int) -> None:
        self._is_ready = True
        self._failed_starts = 0
        where: dict[str, object] = {"host": str(self.socket), "port": PORT, "user": USER, "database": DATABASE}
        self.state.write(self.state.ready, {**where, "server_pid": pid, "guardian_pid": os.getpid()})
        self.log("the server is ready")

    def _note_death(self, code: int) -> None:
        self.state.ready.unlink(missing_ok=True)
        self._process = None
        self.log(f"the server ended with {code}; {self.cluster / 'log'} says why")
        if self._is_ready:
            self._next_start = time.monotonic()
            self._is_ready = False
            return
        self._failed_starts += 1
        if self._failed_starts >= ATTEMPTS:
            raise EmbeddedServerFailed(f"the server did not start in {ATTEMPTS} attempts")
        self._next_start = time.monotonic() + min(0.2 * 2**self._failed_starts, LONGEST_PAUSE)
