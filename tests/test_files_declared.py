"""Whoever in the source could write a file is declared, with what it writes."""

import pytest

from launch.files import FILES, WRITERS
from tests.kept_in_files import found, writers


def test_whoever_could_write_a_file_is_declared() -> None:
    assert found() - WRITERS.keys() == set(), (
        "declare it in launch/files.py: what it writes, and how erasing reaches it"
    )
    assert WRITERS.keys() - found() == set(), "it writes no more, so neither is its declaration"


def test_what_is_declared_to_be_written_is_among_the_files() -> None:
    patterns = {one.pattern for one in FILES}
    named = {
        word for said in WRITERS.values() for word in said.split() if word.startswith(("postgres/", "local-guild/"))
    }
    assert named
    assert named <= patterns


WRITING = {
    "a path": "def keep(path):\n    path.write_text('words')",
    "bytes": "def keep(path):\n    (path / 'x').write_bytes(b'words')",
    "opened": "def keep(path):\n    with open(path, 'w') as file: ...",
    "to add": "def keep(path):\n    with path.open('a', encoding='utf-8') as file: ...",
    "by name": "def keep(path):\n    with path.open(mode='x') as file: ...",
    "in a mode that is worked out": "def keep(path, how):\n    with open(path, how) as file: ...",
    "packed": "def keep(file):\n    gzip.GzipFile(fileobj=file, mode='wb')",
    "low": "def keep(path):\n    os.open(path, os.O_WRONLY | os.O_CREAT)",
    "for a while": "def keep():\n    with tempfile.NamedTemporaryFile() as file: ...",
    "a log": "def keep():\n    logger.addHandler(logging.FileHandler('x.log'))",
    "a database": "def keep():\n    sqlite3.connect('x.db')",
    "a copy": "def keep(path):\n    shutil.copy2(path, 'there')",
    "an array": "def keep(array):\n    np.save('x', array)",
}


@pytest.mark.parametrize("source", WRITING.values(), ids=WRITING)
def test_whatever_writes_is_found(source: str) -> None:
    assert writers(source) == {"keep"}


def test_methods_have_their_class_and_modules_no_name() -> None:
    assert writers("class A:\n    def keep(self, path):\n        path.write_text('x')") == {"A.keep"}
    assert writers("LOG = open('x.log', 'a')") == {""}


READING = {
    "opened": "def read(path):\n    with open(path) as file: ...",
    "a path": "def read(path):\n    with path.open('rb') as file: ...",
    "something else": "async def read(options):\n    await Database.open(options, patience=3)",
    "low": "def read(path):\n    os.open(path, os.O_RDONLY)",
    "a copy of a value": "def read(counts):\n    return counts.copy()",
}


@pytest.mark.parametrize("source", READING.values(), ids=READING)
def test_what_only_reads_is_not(source: str) -> None:
    assert writers(source) == set()
