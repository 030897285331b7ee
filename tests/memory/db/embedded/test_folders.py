"""Where the embedded PostgreSQL can live: long paths, as root, behind closed doors, as a normal user."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import psutil
import pytest

from memory.db.embedded import cluster as files
from memory.db.embedded.account import Account, Binaries, find_binaries, make_private, make_readable, server_account
from memory.db.errors import EmbeddedServerFailed
from tests.memory.db.houses import House

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can lend the server another account")


def mode_of(path: Path) -> int | None:
    return path.stat().st_mode & 0o777 if path.exists() else None


def owner_of(path: Path) -> int:
    return path.stat().st_uid


def set_mode(path: Path, mode: int) -> None:
    path.chmod(mode)


@pytest.fixture
def nobody() -> Account:
    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_uid, entry.pw_gid, entry.pw_name, borrowed=True)


@pytest.fixture
def closed_folder(open_folder: Path) -> Path:
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    return closed


async def test_a_path_too_long_for_a_socket(new_house: House) -> None:
    new_house.data_dir = new_house.data_dir / ("long" * 20) / ("longer" * 20)
    server = new_house.user()
    address = await server.connect_arguments()
    socket = Path(address.host or "")
    assert socket.parent == Path(tempfile.gettempdir())
    assert mode_of(socket) == 0o700
    assert owner_of(socket) == psutil.Process(new_house.pid("server_pid")).uids().real
    await server.close()
    assert (await new_house.visit())[0] == 1
    assert "is too long a path for a socket" in new_house.log()
    await new_house.is_empty()
    assert mode_of(socket) is None, "it is taken away again"


def test_a_folder_that_somebody_else_made_first_is_refused(open_folder: Path) -> None:
    me = server_account(open_folder, open_folder)
    squatted = open_folder / "squatted"
    squatted.mkdir()
    squatted.chmod(0o777)
    with pytest.raises(PermissionError, match="made by somebody else"):
        make_private(squatted, me)
    (open_folder / "link").symlink_to(open_folder)
    with pytest.raises(PermissionError, match="made by somebody else"):
        make_private(open_folder / "link", me)
    with pytest.raises(PermissionError, match="made by somebody else"):
        make_readable(open_folder / "link")


@as_root
async def test_as_root_the_server_runs_as_nobody(house: House, nobody: Account) -> None:
    """Also on a copy that root has put back from a backup, every file of which is root's."""
    for path in (house.cluster, *house.cluster.rglob("*")):
        os.chown(path, 0, 0)
    _, server = await house.visit()
    assert server.username() == nobody.name
    assert {path.stat().st_uid for path in (house.cluster, *house.cluster.rglob("*"))} == {nobody.uid}
    assert house.data_dir.stat().st_uid == 0


@as_root
async def test_as_root_in_the_folder_of_a_user_it_runs_as_that_user(new_house: House) -> None:
    owner = pwd.getpwnam("daemon")
    new_house.data_dir.mkdir(mode=0o700)
    os.chown(new_house.data_dir, owner.pw_uid, owner.pw_gid)
    _, server = await new_house.visit()
    assert server.username() == owner.pw_name
    made = [new_house.state.folder, *new_house.state.folder.iterdir()]
    assert {path.stat().st_uid for path in made} == {owner.pw_uid}, "the user can go on without root"
    assert (await new_house.visit())[0] == 2


@as_root
async def test_as_root_behind_a_closed_folder(closed_folder: Path, new_house: House, nobody: Account) -> None:
    new_house.data_dir = closed_folder / "data"
    await new_house.visit()
    home = new_house.state.home()
    try:
        assert not home.is_relative_to(closed_folder)
        line = f"{closed_folder} is closed to user nobody, who runs the database: its files go to {home} instead"
        assert line in new_house.log()
        assert mode_of(closed_folder) == 0o700, "no folder of others was opened"
        assert (home / "cluster").stat().st_uid == nobody.uid
        assert (home / "belongs-to").read_text().strip() == str(new_house.data_dir)
        assert (await new_house.visit())[0] == 2, "the second start finds the same database"
        assert new_house.state.home() == home
        await new_house.is_empty()
        home.rename(home.with_name(f"{home.name}-away"))
        with pytest.raises(EmbeddedServerFailed, match=r"was kept in .*, and is gone from there"):
            await new_house.visit()
        home.with_name(f"{home.name}-away").rename(home)
        assert (await new_house.visit())[0] == 3
        await new_house.is_empty()
    finally:
        shutil.rmtree(home, ignore_errors=True)


@as_root
async def test_a_database_behind_a_door_that_was_closed_later_is_not_replaced_by_an_empty_one(
    closed_folder: Path, new_house: House
) -> None:
    new_house.data_dir = closed_folder / "data"
    set_mode(closed_folder, 0o755)
    await new_house.visit()
    await new_house.is_empty()
    set_mode(closed_folder, 0o700)
    with pytest.raises(EmbeddedServerFailed, match=rf"{closed_folder} is closed to user nobody"):
        await new_house.visit()
    assert new_house.state.home() == new_house.state.folder


@as_root
def test_programs_behind_a_closed_folder_are_copied(closed_folder: Path, open_folder: Path, nobody: Account) -> None:
    wheel = find_binaries()
    common = Path(os.path.commonpath([folder.parent for folder in wheel.movable]))
    inside = []
    for folder in wheel.movable:
        inside.append(closed_folder / folder.relative_to(common))
        shutil.copytree(folder, inside[-1], symlinks=True)
    locked = Binaries(closed_folder / wheel.folder.relative_to(common), tuple(inside))
    said: list[str] = []
    copy = files.reachable_binaries(locked, nobody, said.append)
    copied = copy.folder
    while copied.parent not in files.PROGRAMS_ELSEWHERE:
        copied = copied.parent
    try:
        assert str(closed_folder) in said[0]
        assert str(copied) in said[0]
        for program in (copy.initdb, copy.postgres):
            done = subprocess.run([program, "--version"], **nobody.for_subprocess(), capture_output=True, check=True)
            assert b"PostgreSQL" in done.stdout
        assert files.reachable_binaries(locked, nobody, said.append) == copy
        assert len(said) == 1, "copied once"
    finally:
        shutil.rmtree(copied)
