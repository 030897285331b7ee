"""`main.py import` as a person runs it: real processes, a real database, and kill -9 in the middle."""

import signal
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import asyncpg
import psutil
import pytest

from tests.end_to_end.house import eventually
from tests.end_to_end.innkeeper import free_port
from tests.launch.commands import Command, clean_environment, started_from_nothing
from tests.memory.privacy.exports import exported, user, write, write_large
from tests.memory.world import GUILD, HALL

LARGE = 20_000
MOST_MEMORY = 120 << 20


class Imports:
    """Runs the command against the database of a test."""

    def __init__(self, database_url: str, folder: Path) -> None:
        self.url, self._folder = database_url, folder
        self._environment = clean_environment(DATABASE_URL=database_url, PORT=str(free_port()))

    def start(self, *arguments: str | Path) -> Command:
        return Command("import", *arguments, folder=self._folder, environment=self._environment)

    def start_from_nothing(self, *arguments: str | Path) -> "subprocess.Popen[str]":
        return started_from_nothing("import", *arguments, folder=self._folder, environment=self._environment)


@pytest.fixture
def imports(database_url: str, tmp_path: Path) -> Imports:
    return Imports(database_url, tmp_path)


async def ask(url: str, query: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval(query) or 0)
    finally:
        await connection.close()


HOLD = "SELECT pg_advisory_lock(hashtextextended('log', $1))"
LET_GO = "SELECT pg_advisory_unlock(hashtextextended('log', $1))"


@asynccontextmanager
async def held_log(url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Nobody else writes the log of the guild until the end of the block."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(HOLD, GUILD)
        yield connection
    finally:
        await connection.close()


async def let_one_write(log: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Of those who hold the log in turn, the next has it until its transaction ends, and then we do again."""
    waiting = "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)"
    await eventually(lambda: log.fetchval(waiting), bool)
    await log.execute(LET_GO, GUILD)
    await log.execute(HOLD, GUILD)


def most_memory_until_end(process: subprocess.Popen[str]) -> int:
    """The most that the process was seen to hold at a time."""
    most = 0
    seen = psutil.Process(process.pid)
    while process.poll() is None:
        with suppress(psutil.NoSuchProcess):
            most = max(most, seen.memory_info().rss)
        time.sleep(0.02)
    return most


async def test_a_killed_import_run_again_completes_and_a_finished_one_changes_nothing(
    imports: Imports, tmp_path: Path
) -> None:
    """And all of it in little memory, however large the file."""
    path = write_large(tmp_path / "hall.json", LARGE)
    assert path.stat().st_size > 55 << 20

    async with held_log(imports.url) as log:
        killed = imports.start(path, "--new-guild", str(GUILD))
        while await ask(imports.url, "SELECT count(*) FROM chat_history") < LARGE // 4:
            await let_one_write(log)
        killed.send_signal(signal.SIGKILL)
        code, _, _ = killed.end()
    assert code == -signal.SIGKILL
    reached = await ask(imports.url, "SELECT count(*) FROM chat_history")
    assert 0 < reached < LARGE

    second = imports.start_from_nothing(path)
    most = most_memory_until_end(second)
    out, error = second.communicate()
    assert (second.returncode, error) == (0, "")
    assert 0 < most < MOST_MEMORY
    assert f"{LARGE:,} messages: {LARGE - reached:,} new, {reached:,} known already\n" in out
    assert await ask(imports.url, "SELECT count(*) FROM chat_history") == LARGE
    assert await ask(imports.url, "SELECT count(DISTINCT message_id) FROM chat_history") == LARGE

    newest = await ask(imports.url, "SELECT max(seq) FROM chat_history")
    code, out, error = imports.start(path).end()
    assert (code, error) == (0, "")
    assert f"{LARGE:,} messages: 0 new, {LARGE:,} known already" in out
    assert await ask(imports.url, "SELECT max(seq) FROM chat_history") == newest


async def test_a_folder_with_good_and_bad_files(imports: Imports, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    (folder / "deeper").mkdir(parents=True)
    write(folder / "hall [part 1].json", [exported(1), exported(2)])
    second = write(folder / "hall [part 2].json", [exported(3, "SECRET words"), exported(4), exported(5)])
    second.write_bytes(second.read_bytes().replace(b'"id": "4"', b'"id": 4'))
    truncated = write(folder / "deeper" / "cellar.json", [exported(6), exported(7)], channel=HALL + 1)
    truncated.write_bytes(truncated.read_bytes()[:-600])
    (folder / "notes.json").write_text('{"todo": ["SECRET"]}')
    (folder / "picture.png").write_bytes(b"no export")

    code, out, error = imports.start(folder, "--new-guild", str(GUILD)).end()
    assert code == 1
    assert "part 1].json: 2 messages: 2 new" in out
    assert "part 2].json: 3 messages: 2 new, 1 broken" in out
    assert "message 2): It is not as the exporter writes it" in error
    assert "cellar.json (near line " in error
    assert "The file ends in the middle of it; all before it is imported" in error
    assert "notes.json (near line 1, byte " in error
    assert error.count("  → ") == 3
    assert "SECRET" not in out + error
    assert await ask(imports.url, "SELECT count(*) FROM chat_history") == 5


async def test_what_cannot_be_done_is_said_with_what_to_do(imports: Imports, tmp_path: Path) -> None:
    code, _, error = imports.start(tmp_path / "nowhere.json").end()
    assert (code, "there is no such file" in error) == (2, True)

    path = write(tmp_path / "hall.json", [exported(1, author=user(1, "Alice"))])
    code, _, error = imports.start(path).end()
    assert code == 1
    assert f"The Inn ({GUILD})" in error
    assert f"--new-guild {GUILD}" in error
    assert await ask(imports.url, "SELECT count(*) FROM guilds") == 0
