"""Telling a living PostgreSQL from the traces of a dead one, and stopping a living one.

`postmaster.pid` survives a kill -9, may have been cut short by a full disk, and its process id may since belong to
somebody else. So a process counts as a server of a cluster only if it is a `postgres` that works in that folder.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

PROC = Path("/proc")
STATUS_LINE = 7  # the eighth line of postmaster.pid: starting, stopping, ready …


def pid_file(cluster: Path) -> Path:
    return cluster / "postmaster.pid"


def recorded_pid(cluster: Path) -> int | None:
    """The process id in postmaster.pid, or None where there is no such file or nothing sensible in it."""
    try:
        lines = pid_file(cluster).read_text(errors="replace").splitlines()
        pid = int(lines[0])
    except (FileNotFoundError, IndexError, ValueError):
        return None
    return pid if pid > 0 else None


def is_ready(cluster: Path, pid: int) -> bool:
    """Whether the server with this process id says in its pid file that it takes connections."""
    try:
        lines = pid_file(cluster).read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return False
    return len(lines) > STATUS_LINE and lines[0] == str(pid) and lines[STATUS_LINE].strip() == "ready"


def living_servers(cluster: Path) -> list[int]:
    """Process ids of every living PostgreSQL process of this cluster; the postmaster first where it is known."""
    recorded = recorded_pid(cluster)
    if (PROC / "self" / "cwd").exists():
        pids = [int(entry) for entry in os.listdir(PROC) if entry.isdigit()]
        found = [pid for pid in pids if _works_in(pid, cluster)]
    else:
        found = [recorded] if recorded is not None and _is_started_for(recorded, cluster) else []
    return sorted(found, key=lambda pid: (pid != recorded, pid))


def _works_in(pid: int, cluster: Path) -> bool:
    """On Linux: every PostgreSQL process has its cluster as its working directory."""
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
    """Elsewhere: the command line of a postmaster names the cluster, because we start it that way."""
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
