"""What is wrong on this machine is said in one line before anything is started, and nothing is tried again."""

import asyncio
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest

import main
from tests.launch.commands import Command, clean_environment


async def started(command: str, folder: Path, settings: Mapping[str, str]) -> tuple[int, str, str]:
    return await asyncio.to_thread(Command(command, folder=folder, environment=clean_environment(**settings)).end)


@pytest.mark.parametrize(
    ("variable", "value", "reason", "ends_with"),
    [
        ("PORT", "eighty", "", 2),
        ("DATA_DIR", "a-file", "it is a file", 1),
        ("DATA_DIR", "a-file/below", "Not a directory", 1),
        ("LOCAL_GUILD_WORLD", "missing.json", "missing.json cannot be read", 1),
        ("LOCAL_GUILD_WORLD", ".", "Is a directory", 1),
        ("LOCAL_GUILD_WORLD", "broken.json", "broken.json describes no world: Invalid JSON", 1),
        ("LOCAL_GUILD_WORLD", "ownerless.json", "ownerless.json: 'Inn' has no member 'nobody'", 1),
    ],
)
async def test_what_cannot_be_used_ends_it_with_one_line(
    tmp_path: Path, variable: str, value: str, reason: str, ends_with: int
) -> None:
    (tmp_path / "a-file").touch()
    (tmp_path / "broken.json").write_text('{"guilds": [')
    (tmp_path / "ownerless.json").write_text('{"guilds": [{"name": "Inn", "owner": "nobody"}]}')
    code, said, complaint = await started("run", tmp_path, {variable: value})
    assert (code, said, complaint.count("\n")) == (ends_with, "", 1), complaint
    assert complaint.startswith(f"{variable}: ")
    assert reason in complaint


async def test_a_port_that_another_holds_is_said_before_the_greeting(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, said, complaint = await started("run", tmp_path, {"PORT": str(port)})
    assert (code, said) == (1, "")
    assert complaint == (
        f"PORT: 127.0.0.1:{port} cannot be used (Address already in use); stop what is there, or choose another PORT.\n"
    )


async def test_a_damaged_local_guild_is_not_tried_again(tmp_path: Path) -> None:
    (tmp_path / "data" / "local-guild").mkdir(parents=True)
    (tmp_path / "data" / "local-guild" / "world.sqlite3").write_text("this is something else, and long enough")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    code, _, complaint = await started("web", tmp_path, {"PORT": str(port)})
    assert code == 2, "which says so to the parent"
    assert complaint == ("DATA_DIR: the local guild in data/local-guild cannot be opened (file is not a database).\n")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--shards", "0-8", "--of", "8"], "0-8 is not among 0-7"),
        (["--shards", "0-3"], "--shards and --of belong together"),
        (["--of", "8"], "--shards and --of belong together"),
        (["--shards", "low", "--of", "8"], "a list such as 0-3 or 0,2,5 is expected"),
    ],
)
def test_shards_that_make_no_sense_are_one_line(
    given: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["bot", *given]) == 2
    assert told in capsys.readouterr().err
