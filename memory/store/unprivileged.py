"""PostgreSQL refuses to run as root. As root we lend it the account of somebody without privileges.

No account is created and no mode of a folder that is not ours is changed. Where that account cannot pass through a
folder, the caller has to go elsewhere.
"""

import os
import pwd
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

NOBODY = "nobody"


class SubprocessAccount(TypedDict, total=False):
    """What `subprocess` needs in order to start a program as somebody else."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class Account:
    """Who the server runs as. `borrowed` means: not as we run ourselves."""

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
        """The outermost folder on the way to `path` that the account may not enter, or None if the way is free.

        The kernel is asked, by a child that has become the account: modes alone do not tell of access lists.
        """
        if not self.borrowed:
            return None
        way = [*reversed(path.parents), path]
        folders = [folder for folder in way if folder.is_dir()]
        child = os.fork()
        if child == 0:
            os._exit(self._count_open(folders))
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if code < 0 or code >= FAILED:
            raise PermissionError(f"this process may not become {self.name} (uid {self.uid})")
        return folders[code] if code < len(folders) else None

    def _count_open(self, folders: list[Path]) -> int:
        try:
            os.setgroups([])
            os.setgid(self.gid)
            os.setuid(self.uid)
        except OSError:
            return FAILED
        for index, folder in enumerate(folders):
            if not os.access(folder, os.X_OK):
                return index
        return len(folders)


FAILED = 255  # exit status of the probing child; no path has that many folders


def server_account(data_dir: Path, cluster: Path) -> Account:
    """Whoever owns the cluster, else the owner of DATA_DIR, else `nobody`; simply ourselves unless we are root."""
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
