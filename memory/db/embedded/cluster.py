"""Places the files of the embedded PostgreSQL, in DATA_DIR or where else they have to lie, and creates them."""

import hashlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

from memory.db.embedded import account as children
from memory.db.embedded.account import Account, Binaries, copy_readable, make_private, make_readable
from memory.db.errors import EmbeddedServerFailed

USER = "innkeeper"
DATABASE = "innkeeper"
PORT = 5432  # names the socket file only; the server does not listen on the network
OLDEST_SERVER = 17
LONGEST_SOCKET = 100  # bytes; systems allow between 103 and 107

# Where the server's files go when DATA_DIR lies behind a folder that its account may not enter. Not /tmp: that is
# emptied when the machine starts.
ELSEWHERE = (Path("/var/lib/innkeeper"), Path("/var/tmp/innkeeper"))  # noqa: S108 - ownership is checked
PROGRAMS_ELSEWHERE = (Path("/var/cache/innkeeper"), Path("/var/tmp/innkeeper-programs"))  # noqa: S108 - as above

INITDB_OPTIONS = (
    "--encoding=UTF8",
    "--locale=C",  # for messages and the like; what text means is up to the builtin provider, the same everywhere
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth-local=trust",  # the socket's folder lets only its owner in
    "--auth-host=reject",
    "--no-instructions",
)

Log = Callable[[str], None]


class StateFolder:
    """Names the files in DATA_DIR/postgres, through which the clients and the guardian agree."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.folder = folder = data_dir / "postgres"
        self.users_lock = folder / "users.lock"
        """Shared by every Innkeeper process; exclusive for the guardian once nobody is left."""
        self.guardian_lock = folder / "guardian.lock"
        self.ready = folder / "ready.json"
        """Exists while the server takes connections, and says how to reach it."""
        self.log = folder / "guardian.log"
        self.pointer = folder / "elsewhere.json"
        """Says where the cluster is, if it could not be in here."""

    def create(self) -> None:
        """Make the folder; whoever owns DATA_DIR owns it too, so that root may run Innkeeper once in between."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        if not self.folder.is_dir():
            self.folder.mkdir(exist_ok=True)
            self.folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
        for path in (self.users_lock, self.guardian_lock, self.log):
            path.touch(mode=0o600)
            self.hand_over(path)
        self.hand_over(self.folder)

    def hand_over(self, path: Path) -> None:
        if os.geteuid() == 0:
            owner = self.data_dir.stat()
            os.chown(path, owner.st_uid, owner.st_gid)

    def write(self, path: Path, content: dict[str, object]) -> None:
        """Replace one of the small files as a whole, so that no reader ever sees half of it."""
        draft = path.with_name(f"{path.name}.draft")
        draft.write_text(json.dumps(content) + "\n")
        self.hand_over(draft)
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.replace(path)

    def home(self) -> Path:
        """Find the folder that holds `cluster`, as far as it is settled: here, or where the pointer says."""
        try:
            return Path(json.loads(self.pointer.read_text())["home"])
        except FileNotFoundError:
            return self.folder


def settle_home(state: StateFolder, account: Account, log: Log) -> Path:
    """Decide where the cluster lies, or will lie: in DATA_DIR, unless the account cannot get there."""
    home = state.home()
    if home != state.folder:
        initialised = json.loads(state.pointer.read_text())["initialised"]
        if initialised and not (home / "cluster" / "PG_VERSION").exists():
            raise EmbeddedServerFailed(
                f"The database of {state.data_dir} was kept in {home}, and is gone from there."
                f" Bring it back, or remove {state.pointer} to begin with an empty one."
            )
        if home.is_dir():
            return home
    closed = account.first_closed_folder(state.folder)
    if closed is None:
        return state.folder
    if (state.folder / "cluster").exists():
        raise EmbeddedServerFailed(
            f"The database lies in {state.folder}, but {closed} is closed to user {account.name}, who runs it."
            f" Let others pass through it (chmod o+x {closed}), or move the data directory."
        )
    home = _first_usable(ELSEWHERE, account) / f"{_short_hash(state.data_dir)}-{secrets.token_hex(4)}"
    make_readable(home)
    (home / "belongs-to").write_text(f"{state.data_dir}\n")
    state.write(state.pointer, {"home": str(home), "initialised": False})
    log(f"{closed} is closed to user {account.name}, who runs the database: its files go to {home} instead")
    return home


def initialise(
    state: StateFolder, home: Path, account: Account, binaries: Binaries, log: Log, *, sync: bool = True
) -> Path:
    """Give the cluster in `home`, made if there is none. A kill in the middle leaves only an unfinished folder behind.

    `sync=False` is for throw-away clusters: faster, and not safe against a power cut.
    """
    cluster = home / "cluster"
    for abandoned in home.glob("cluster.unfinished-*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    if not cluster.exists():
        log(f"making a new database in {cluster}")
        # A name of its own each time: an initdb whose guardian was killed may not have ended yet.
        unfinished = home / f"cluster.unfinished-{secrets.token_hex(4)}"
        unfinished.mkdir(mode=0o700)
        account.give(unfinished)
        _run(
            account,
            [str(binaries.initdb), "-D", str(unfinished), f"--username={USER}", *INITDB_OPTIONS]
            + ([] if sync else ["--no-sync"]),
        )
        _run(
            account,
            [str(binaries.postgres), "--single", "-D", str(unfinished), "-c", f"fsync={sync}", "postgres"],
            f"CREATE DATABASE {DATABASE}\n",
        )
        unfinished.rename(cluster)
        _sync_folder(home)
    if home != state.folder:
        state.write(state.pointer, {"home": str(home), "initialised": True})
    if cluster.stat().st_uid != account.uid:
        account.give_tree(cluster)  # for instance a copy that root has put back from a backup
    return cluster


def check_version(cluster: Path, account: Account, binaries: Binaries) -> None:
    """Refuse a server without the builtin locale, or of another major version than the one that wrote the cluster."""
    words = _run(account, [str(binaries.postgres), "--version"]).split()
    here = next((word for word in words if word[0].isdigit()), "0")
    major = int("".join(takewhile(str.isdigit, here)))
    if major < OLDEST_SERVER:
        raise EmbeddedServerFailed(
            f"The programs in {binaries.folder} are of PostgreSQL {here}; Innkeeper needs {OLDEST_SERVER} or newer."
        )
    version_file = cluster / "PG_VERSION"
    made_by = version_file.read_text().strip() if version_file.exists() else str(major)
    if str(major) != made_by:
        raise EmbeddedServerFailed(
            f"The database in {cluster} was made by PostgreSQL {made_by},"
            f" but the programs in {binaries.folder} are of PostgreSQL {here}."
            " Run the Innkeeper that made it once more to export it, or restore a backup."
        )


def socket_folder(state: StateFolder, home: Path, account: Account, log: Log) -> Path:
    """Make a private folder whose path is short enough for a socket."""
    folder = home / "socket"
    if len(os.fsencode(folder / f".s.PGSQL.{PORT}")) > LONGEST_SOCKET:
        bases = (Path(tempfile.gettempdir()), Path("/tmp"))  # noqa: S108 - make_private checks the owner
        name = f"innkeeper-{_short_hash(state.data_dir)}"
        fits = [base / name for base in bases if len(os.fsencode(base)) + len(name) < LONGEST_SOCKET - 20]
        log(f"{folder} is too long a path for a socket: using {fits[0]} instead")
        folder = fits[0]
    make_private(folder, account)
    return folder


def reachable_binaries(binaries: Binaries, account: Account, log: Log) -> Binaries:
    """Give the programs themselves, or a copy where their folder is closed to the account (a checkout under /root)."""
    closed = account.first_closed_folder(binaries.folder)
    if closed is None:
        return binaries
    if not binaries.movable:
        raise EmbeddedServerFailed(
            f"{closed} is closed to user {account.name}, who has to run the programs in {binaries.folder}."
        )
    stamp = binaries.postgres.stat()
    mark = f"{_short_hash(binaries.folder)}-{stamp.st_size:x}-{stamp.st_mtime_ns:x}"
    base = _first_usable(PROGRAMS_ELSEWHERE, account)
    copy = base / mark
    if not copy.exists():
        log(
            f"{closed} is closed to user {account.name}, who runs the database: copying PostgreSQL's programs to {copy}"
        )
        copy_readable(binaries.movable, copy)
        for old in base.glob(f"{_short_hash(binaries.folder)}-*"):
            if old != copy:
                shutil.rmtree(old, ignore_errors=True)
    common = Path(os.path.commonpath([folder.parent for folder in binaries.movable]))
    return Binaries(copy / binaries.folder.relative_to(common), binaries.movable)


def last_lines(path: Path, count: int = 15, start: int = 0) -> str:
    """Read the end of a log, from the byte `start` on."""
    try:
        with path.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(min(start, size), size - 16_384))
            text = log.read().decode(errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-count:])


def _first_usable(candidates: tuple[Path, ...], account: Account) -> Path:
    reasons = []
    for candidate in candidates:
        try:
            make_readable(candidate)
        except OSError as error:
            reasons.append(str(error))
            continue
        closed = account.first_closed_folder(candidate)
        if closed is None:
            return candidate
        reasons.append(f"{closed} is closed to user {account.name}")
    raise EmbeddedServerFailed(f"There is no folder that user {account.name} can use: {'; '.join(reasons)}.")


def _run(account: Account, command: list[str], stdin: str | None = None) -> str:
    done = subprocess.run(  # noqa: S603 - our own programs and options
        command,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        cwd="/",
        umask=0o077,
        env=children.environment(),
        preexec_fn=children.end_with_parent(signal.SIGKILL),
        **account.for_subprocess(),
    )
    if done.returncode != 0:
        tail = "\n".join(done.stdout.splitlines()[-8:])
        raise EmbeddedServerFailed(f"{Path(command[0]).name} failed ({done.returncode}):\n{tail}")
    return done.stdout


def _short_hash(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
