"""A program that says which one it is, a wheel of it, and a database that an older one leaves alone."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import asyncpg

from memory.core.version import VERSION
from memory.db.embedded.cluster import StateFolder
from memory.db.embedded.server import is_held_exclusively
from memory.db.migrate import known_migrations
from tests.end_to_end.innkeeper import open_folder, wait_until
from tests.launch.commands import PATIENCE_S, Command, clean_environment

ROOT = Path(__file__).parents[2]
OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
PACKAGES = ("launch", "bot", "web", "memory", "ai_clients", "local_guild")
IMPORT = re.compile(r"^ *(?:from|import) (\w+)(?:\.[\w.]+)?(?: import | as |$)", re.MULTILINE)
PART_OF_ANOTHER = ("anyio", "pydantic_core", "yarl")
"""Whose interface speaks in them: Starlette's, Pydantic's and aiohttp's."""
NEWER = known_migrations()[-1].version + 1


def run(folder: Path, *command: str | Path) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout


def test_every_library_that_is_imported_is_asked_for() -> None:
    """What another library brings along today need not come tomorrow."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.split(r"[<>=]", line)[0].lower() for line in project["dependencies"]}
    code = [one.read_text(encoding="utf-8") for name in PACKAGES for one in (ROOT / name).rglob("*.py")]
    imported = {top for text in code for top in IMPORT.findall(text)}
    imported -= {*PACKAGES, *PART_OF_ANOTHER, "main", *sys.stdlib_module_names}
    known = packages_distributions()
    brought = {top: {name.lower().replace("_", "-") for name in known[top]} for top in imported}
    assert {"discord", "asyncpg", "google"} <= brought.keys(), "the search itself is broken"
    assert [top for top, names in brought.items() if not names & wanted] == []


async def test_an_older_innkeeper_leaves_a_newer_ones_database_alone(database_url: str, tmp_path: Path) -> None:
    writing = await asyncpg.connect(database_url)
    await writing.execute(f"INSERT INTO schema_version VALUES ({NEWER}, 'later', 'epoch', '9.8.7')")
    await writing.close()
    line = (
        f"Innkeeper 9.8.7 has brought this database to schema {NEWER}, and this is Innkeeper {VERSION}, which knows"
        f" schema {NEWER - 1}: start 9.8.7 or a newer one, or restore the backup from before."
    )
    numbers = re.compile(r"\d+(\.\d+)*")
    assert f"    {numbers.sub('N', line)}\n" in numbers.sub("N", OPERATIONS)
    bot, export, doctor = (
        Command(*command, folder=tmp_path, environment=clean_environment(DATABASE_URL=database_url))
        for command in (("bot",), ("memory", "export", "folder"), ("doctor",))
    )
    for refused in (bot, export):
        assert refused.end() == (2, "", f"{line}\n")
    code, said, _ = doctor.end()
    assert said.splitlines()[0] == f"FAIL  database: {line}"
    assert not said.splitlines()[1].startswith("      →"), "the line says what to do"
    assert code == 1
    assert not os.listdir(tmp_path)


def test_a_wheel_of_it_runs_anywhere_without_the_checkout(tmp_path: Path) -> None:
    """As `pipx` installs it, but for the libraries, which are the ones of this environment."""
    uv = [sys.executable, "-m", "uv", "--quiet", "--offline", "--no-cache"]
    built, home = tmp_path / "built", tmp_path / "home"
    run(ROOT, *uv, "build", "--wheel", "--no-build-isolation", "--python", sys.executable, "--out-dir", built, ROOT)
    [wheel] = built.glob("*.whl")
    assert wheel.name == f"innkeeper-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as opened:
        packed = {name for name in opened.namelist() if ".dist-info/" not in name}
    ours = [one for name in PACKAGES for one in (ROOT / name).rglob("*") if one.is_file() and one.suffix != ".pyc"]
    wanted = {f"innkeeper/{one.relative_to(ROOT)}" for one in [*ours, ROOT / "main.py", ROOT / "schema.sql"]}
    assert packed == wanted - {"innkeeper/launch/installed.py"} | {"innkeeper/__init__.py"}

    run(tmp_path, sys.executable, "-m", "venv", "--without-pip", home)
    run(tmp_path, *uv, "pip", "install", "--no-deps", "--python", home / "bin" / "python", wheel)
    [packages] = home.glob("lib/python*/site-packages")
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "borrowed.pth").write_text("\n".join(borrowed))

    innkeeper = home / "bin" / "innkeeper"
    with open_folder() as start_in:
        assert run(start_in, innkeeper, "--version") == f"Innkeeper {VERSION}\n"
        assert run(start_in, innkeeper, "settings") == (ROOT / ".env.example").read_text(encoding="utf-8")
        refused = subprocess.run([innkeeper, "settings", "--write"], cwd=start_in, capture_output=True, text=True)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
        assert not list(start_in.iterdir())
        said = run(start_in, innkeeper, "doctor")
        assert "ok    database: embedded PostgreSQL in data answers" in said
        assert [one.name for one in start_in.iterdir()] == ["data"], "where it was started, and not among the packages"
        guardian = StateFolder(start_in / "data").guardian_lock
        wait_until(lambda: not is_held_exclusively(guardian), "its PostgreSQL to end")
