"""An operator's upgrade: the database of an earlier release, the commands of operations.md, and what people find."""

import asyncio
import os
from pathlib import Path

import httpx

from memory.core.version import VERSION
from memory.db.migrate import known_migrations
from tests.end_to_end.innkeeper import ROOT, Innkeeper, open_folder, wait_until
from tests.end_to_end.upgrade.kept import all_kept
from tests.launch.commands import Command
from tests.loopback import NO_TLS


async def test_an_operators_upgrade(empty_database_url: str) -> None:
    with open_folder() as folder:
        kept = all_kept()[0]
        await kept.restore_database(empty_database_url)
        (folder / "data").mkdir()
        kept.restore_guild(folder / "data" / "local-guild")
        await asyncio.to_thread(upgrade, folder, empty_database_url)


def test_what_an_older_version_says_stands_in_the_docs() -> None:
    newest = known_migrations()[-1].version
    says = f"has brought this database to schema {newest}, and this is Innkeeper 1.0.0, which knows schema 1: start"
    assert says in (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def upgrade(folder: Path, url: str) -> None:
    code, said = command(folder, url, "doctor")
    assert (code, "ok    database" in said, "Everything needed is there." in said) == (0, True, True), said

    with Innkeeper(folder / "data", DATABASE_URL=url) as innkeeper:
        innkeeper.wait_until_ready()
        assert innkeeper.said().startswith(f"Starting Innkeeper {VERSION} ...")
        wait_until(lambda: "Innkeeper is open. Look at" in innkeeper.said(), "the line that says where to look")
        page = memory_of(innkeeper, "aylin")
        assert "coffee black" in page
        known, _, forgotten = page.partition("Recently forgotten")
        assert ("Bremen" in known, "Bremen" in forgotten) == (False, True), "it was forgotten before, and can come back"
        ready = {"ready": True, "reasons": []}
        wait_until(lambda: httpx.get(f"{innkeeper.url}/readyz", verify=NO_TLS).json() == ready, "all parts to be ready")
        assert "Everything's working." in httpx.get(f"{innkeeper.url}/status", verify=NO_TLS).text
        assert innkeeper.stop() == 0
        assert "Traceback" not in innkeeper.said()

    code, said = command(folder, url, "memory", "export", "backup")
    assert code == 0, said
    assert "rows exported of" in said
    assert "coffee black" in "".join(path.read_text() for path in (folder / "backup").rglob("facts.jsonl"))


def command(folder: Path, url: str, *arguments: str) -> tuple[int, str]:
    hidden = ("DISCORD_", "GEMINI", "GOOGLE", "DATABASE_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    code, said, complaints = Command(*arguments, folder=folder, environment=clean | {"DATABASE_URL": url}).end()
    return code, said + complaints


def memory_of(innkeeper: Innkeeper, name: str) -> str:
    """The page of the panel on what is known of a member, as they open it from the chat."""
    [guild] = innkeeper.world()["guilds"]
    [token] = [member["token"] for member in guild["members"] if member["name"] == name]
    with httpx.Client(base_url=innkeeper.url, verify=NO_TLS, timeout=60) as browser:
        headers = {"Authorization": token, "Origin": innkeeper.url}

        def is_in() -> bool:
            browser.post("/panel/local", json={"guild_id": guild["id"]}, headers=headers)
            return "About you" in browser.get("/panel/memory").text

        wait_until(is_in, "the panel to know who may read what")
        return browser.get("/panel/memory").text
