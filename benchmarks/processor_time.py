"""What processor time a process used, and how long it wanted a core: on a busy machine the two differ."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True, slots=True)
class ProcessorTime:
    """`used` is that of all threads; `wanted` is the main thread's, with the time it waited for a free core."""

    used: float
    wanted: float

    def __sub__(self, earlier: ProcessorTime) -> ProcessorTime:
        return ProcessorTime(self.used - earlier.used, self.wanted - earlier.wanted)


def processor_time(process: psutil.Process) -> ProcessorTime:
    times = process.cpu_times()
    used = float(times.user + times.system)
    return ProcessorTime(used, _wanted(process.pid) or used)


def _wanted(pid: int) -> float | None:
    """Linux tells of each thread how long it ran, and how long it stood in the queue for a core."""
    try:
        running, queued, _ = Path(f"/proc/{pid}/task/{pid}/schedstat").read_text("ascii").split()
    except (OSError, ValueError):
        return None
    return (int(running) + int(queued)) / 1e9
