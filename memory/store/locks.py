"""File locks that the kernel releases when their holder dies, however it dies."""

import fcntl
import os
from pathlib import Path
from typing import Self


class FileLock:
    """An flock on one open file. Closing it, or the death of the process, releases it.

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
        """Whether the path still leads to the file that is locked: a removed folder makes a lock worthless."""
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
    """Whether somebody holds the exclusive lock on this file right now.

    To find out, the lock is shared for a moment; whoever wants it exclusively must try more than once.
    """
    if not path.exists():
        return False
    with FileLock(path) as lock:
        return not lock.try_shared()
