"""Programs the guardian starts: they end when it ends, and they are told none of our secrets."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
SHARED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TZDIR")


def environment() -> dict[str, str]:
    """Only what a program of PostgreSQL may need: no token of ours, and no PG* variable that would redirect it."""
    return {name: os.environ[name] for name in SHARED if name in os.environ} | {"LC_ALL": "C"}


def end_with_parent(what: signal.Signals) -> Callable[[], None] | None:
    """For `preexec_fn`: on Linux the kernel sends the child this signal when we die, even by kill -9.

    It runs in the child after that has taken on its account, because a change of user would clear the request.
    Elsewhere the next guardian finds the orphan and stops it.
    """
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(what), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)  # it died before we asked

    return ask
