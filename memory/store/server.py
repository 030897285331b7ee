"""One `postgres` as a child of the guardian: started, watched, started again when it dies, stopped."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from memory.store import children, postmaster
from memory.store.cluster import DATABASE, PORT, USER, Log, StateFolder, last_lines
from memory.store.errors import EmbeddedServerFailed
from memory.store.unprivileged import Account

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


class Server:
    """The child and what is needed to start it. `keep_running` is called again and again by the guardian."""

    def __init__(
        self,
        *,
        state: StateFolder,
        cluster: Path,
        socket: Path,
        account: Account,
        postgres: Path,
        settings: dict[str, str],
        log: Log,
    ) -> None:
        self._state = state
        self._cluster = cluster
        self._socket = socket
        self._account = account
        self._postgres = postgres
        self._settings = {**SETTINGS, **settings, "unix_socket_directories": str(socket)}
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._known_sizes: dict[Path, int] = {}
        self._is_ready = False
        self._failed_starts = 0
        self._next_start = 0.0

    def keep_running(self) -> None:
        """One look: start it if it does not run, note that it has become ready or has died."""
        if self._process is None:
            if time.monotonic() >= self._next_start:
                self._start()
        elif (code := self._process.poll()) is not None:
            self._note_death(code)
        elif not self._is_ready and postmaster.is_ready(self._cluster, self._process.pid):
            self._note_ready(self._process.pid)

    def stop(self) -> None:
        """Fast shutdown; harder where that takes too long."""
        self._state.ready.unlink(missing_ok=True)
        if self._process is None:
            return
        for step, patience in ((signal.SIGINT, STOP_PATIENCE), (signal.SIGQUIT, 10.0), (signal.SIGKILL, None)):
            self._process.send_signal(step)
            try:
                self._process.wait(patience)
            except subprocess.TimeoutExpired:
                self._log(f"the server did not follow {step.name} in time")
            else:
                break
        self._log("the server has stopped")
        self._process = None
        with suppress(OSError):
            self._socket.rmdir()  # it may lie among the temporary files, and is made anew at each start

    def _start(self) -> None:
        postmaster.stop(self._cluster, self._log, patience=5.0)
        postmaster.remove_stale_pid_file(self._cluster, self._log)
        self._known_sizes = self._log_sizes()
        command = [str(self._postgres), "-D", str(self._cluster)]
        for name, value in self._settings.items():
            command += ["-c", f"{name}={value}"]
        self._process = subprocess.Popen(  # noqa: S603 - our own program and options
            command,
            stdin=subprocess.DEVNULL,
            cwd="/",
            env=children.environment(),
            umask=0o077,
            preexec_fn=children.end_with_parent(signal.SIGINT),  # a fast but clean shutdown
            **self._account.for_subprocess(),
        )
        self._is_ready = False
        self._log(f"started the server as user {self._account.name} (process {self._process.pid})")

    def _note_ready(self, pid: int) -> None:
        self._is_ready = True
        self._failed_starts = 0
        where: dict[str, object] = {"host": str(self._socket), "port": PORT, "user": USER, "database": DATABASE}
        self._state.write(self._state.ready, {**where, "server_pid": pid, "guardian_pid": os.getpid()})
        self._log("the server is ready")

    def _note_death(self, code: int) -> None:
        self._state.ready.unlink(missing_ok=True)
        self._process = None
        self._log(f"the server ended with {code}; its last words:\n{self._last_words()}")
        if self._is_ready:
            self._next_start = time.monotonic()
            self._is_ready = False
            return
        self._failed_starts += 1
        if self._failed_starts >= ATTEMPTS:
            raise EmbeddedServerFailed(f"the server did not start in {ATTEMPTS} attempts")
        self._next_start = time.monotonic() + min(0.2 * 2**self._failed_starts, LONGEST_PAUSE)

    def _last_words(self) -> str:
        """What its log says since this start."""
        new = [path for path, size in self._log_sizes().items() if size != self._known_sizes.get(path)]
        words = "\n".join(last_lines(path, 8, self._known_sizes.get(path, 0)) for path in new)
        return words or "(none)"

    def _log_sizes(self) -> dict[Path, int]:
        return {path: path.stat().st_size for path in (self._cluster / "log").glob("*.log")}
