"""The whole house writes no file that is not declared, and words only where that is said."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from launch.files import FILES, KeptFile
from tests.end_to_end.innkeeper import open_folder, running

WORDS = "ptarmigan"


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


def test_every_file_is_declared_and_words_lie_only_where_that_is_said(folder: Path) -> None:
    with running(folder / "data") as innkeeper:
        assert WORDS in innkeeper.ask(f"Bot remember that I keep a {WORDS}")
        while_running = _files(folder / "data")
        innkeeper.stop()
    files = while_running | _files(folder / "data")
    assert [file for file in sorted(files) if _declared(file) is None] == []
    used = {declared.pattern for file in files if (declared := _declared(file)) is not None}
    assert {"postgres/cluster/**", "local-guild/world.sqlite3*"} <= used
    assert [path.name for path in folder.iterdir() if path.name not in ("data", "data.log")] == []
    for file in _files(folder / "data"):
        declared = _declared(file)
        if declared is not None and not declared.has_words:
            assert WORDS.encode() not in (folder / "data" / file).read_bytes(), f"words in {file}"
    logs = [*(folder / "data" / "postgres" / "cluster" / "log").glob("*"), folder / "data.log"]
    assert len(logs) > 1
    for log in logs:
        assert WORDS not in log.read_text(errors="replace"), f"words in {log.name}"


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def _declared(file: str) -> KeptFile | None:
    return next((one for one in FILES if re.fullmatch(_expression(one.pattern), file)), None)


def _expression(pattern: str) -> str:
    return ".+".join(re.escape(part).replace(r"\*", "[^/]*") for part in pattern.split("**"))
