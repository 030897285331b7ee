"""Reads and writes an export on disk: `manifest.json`, and for each guild a folder with a JSON lines file per table.

    backup/manifest.json
    backup/100/facts.jsonl

It is written beside the folder that is wanted, and takes its place when all of it has reached the disk. Whatever is
missing, damaged or not known is an `Unusable` that names it.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import file_digest, sha256
from io import BufferedWriter
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated

import orjson
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

MANIFEST = "manifest.json"
LARGEST_BATCH = 4 << 20
BATCH = 500

_Id = Annotated[int, Field(strict=True, ge=0, lt=2**63)]


class Unusable(Exception):
    """Says that the folder cannot be used, and nothing was written; the text says what is wrong and what to do."""


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TableFile(_Written):
    rows: _Id
    bytes: _Id
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class GuildFolder(_Written):
    guild_id: _Id
    name: str | None
    """None: it is not known any more, but for what keeps out what was said in it."""
    tables: dict[str, TableFile]

    def __str__(self) -> str:
        return f"{self.name} ({self.guild_id})" if self.name else str(self.guild_id)


class Manifest(_Written):
    innkeeper: str
    """The version of the program that wrote it."""
    schema_version: _Id
    exported_at: AwareDatetime
    guilds: tuple[GuildFolder, ...]

    @property
    def rows(self) -> int:
        return sum(file.rows for guild in self.guilds for file in guild.tables.values())

    @property
    def bytes(self) -> int:
        return sum(file.bytes for guild in self.guilds for file in guild.tables.values())


def table_path(folder: Path, guild_id: int, table: str) -> Path:
    return folder / str(guild_id) / f"{table}.jsonl"


# Writing.


@contextmanager
def draft(folder: Path) -> Iterator[Path]:
    """Give a folder to write into, which is at its place on leaving, or gone if anything failed."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Unusable(f"{folder} is there already. Name a folder that is empty, or not there yet.")
    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield made
        for each in (*(one for one in made.iterdir() if one.is_dir()), made):
            _sync(each)
        made.replace(folder)
        _sync(folder.parent)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


class TableWriter:
    """Writes the file of a table."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _at(path):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            self._file = _new(path)
        self._digest = sha256()
        self._rows = self._bytes = 0

    def add(self, rows: Iterable[str]) -> None:
        lines = [f"{row}\n".encode() for row in rows]
        written = b"".join(lines)
        with _at(self._path):
            self._file.write(written)
        self._digest.update(written)
        self._rows += len(lines)
        self._bytes += len(written)

    def close(self) -> TableFile:
        """Close the file when it has reached the disk."""
        with _at(self._path), self._file:
            _finish(self._file)
        return TableFile(rows=self._rows, bytes=self._bytes, sha256=self._digest.hexdigest())


def write_manifest(folder: Path, manifest: Manifest) -> None:
    written = orjson.dumps(manifest.model_dump(mode="json"), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    with _at(folder / MANIFEST), _new(folder / MANIFEST) as file:
        file.write(written)
        _finish(file)


@contextmanager
def _at(path: Path) -> Iterator[None]:
    """Say which file failed; within a transaction it would be taken for a failure of the database."""
    try:
        yield
    except OSError as error:
        raise Unusable(f"{path} cannot be written: {error.strerror}. Check the disk and its permissions.") from error


def _new(path: Path) -> BufferedWriter:
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _finish(file: BufferedWriter) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


# Reading.


def read_manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    try:
        manifest = Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise Unusable(f"There is no {path}. Name the folder that `memory export` wrote.") from None
    except ValidationError as error:
        place = ".".join(map(str, error.errors(include_input=False)[0]["loc"]))
        raise Unusable(f"{path} is damaged{f' at {place}' if place else ''}. Copy the export once more.") from None
    return manifest


def check_file(path: Path, file: TableFile) -> None:
    """Check that a file is the one that was written."""
    try:
        with path.open("rb") as opened:
            if file_digest(opened, sha256).hexdigest() != file.sha256:
                raise Unusable(f"{path} is damaged: its SHA-256 is another one. Copy the export once more.")
    except FileNotFoundError:
        raise Unusable(f"{path} is missing. Copy the export once more.") from None


def batches(path: Path) -> Iterator[list[bytes]]:
    """Read the lines of a file, some at a time."""
    with path.open("rb") as file:
        while rows := file.readlines(LARGEST_BATCH):
            for first in range(0, len(rows), BATCH):
                yield rows[first : first + BATCH]
