"""`make run` on a machine with nothing: it starts, answers, stops cleanly, and survives the death of any process."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from local_guild.server import LocalGuild
from local_guild.serving import serve
from tests.end_to_end.innkeeper import ROOT, Innkeeper, open_folder, wait_until
from tests.loopback import NO_TLS


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def house() -> Iterator[Innkeeper]:
    """One for all that can happen to it: what it starts from the first time is long in the making."""
    with open_folder() as folder, Innkeeper(folder / "data") as innkeeper:
        yield innkeeper


@pytest.fixture
def innkeeper(house: Innkeeper) -> Innkeeper:
    """Running, whatever happened before."""
    if house.parent.poll() is not None:
        house.start()
    house.wait_until_ready()
    return house


FACT = "Bot remember that I take my coffee black"
QUESTION = "Bot what do you know about me?"


def test_after_kill_9_of_any_process_it_recovers_or_the_next_start_just_works(innkeeper: Innkeeper) -> None:
    innkeeper.ask(FACT)
    for victim in ("bot", "web", "postgres", "guardian"):
        innkeeper.processes()[victim].kill()
        assert "coffee black" in innkeeper.ask_until_answered(QUESTION), f"after the end of {victim}"
    innkeeper.processes()["run"].kill()
    innkeeper.parent.wait(60)
    wait_until(lambda: not innkeeper.processes(), "the orphans to stop by themselves")
    innkeeper.start()
    innkeeper.wait_until_ready()
    assert "coffee black" in innkeeper.ask_until_answered(QUESTION)


def test_after_a_power_cut_everything_said_is_still_there(innkeeper: Innkeeper) -> None:
    said = "Bot remember that I sleep in the hayloft"
    assert "hayloft" in innkeeper.ask(said)
    innkeeper.kill_all()
    innkeeper.start()
    innkeeper.wait_until_ready()
    assert "hayloft" in innkeeper.ask(QUESTION)


def test_it_starts_answers_and_stops_without_leaving_anything_running(innkeeper: Innkeeper) -> None:
    """After all that happened to it: it would have to be started again for whatever came next."""
    assert set(innkeeper.processes()) == {"run", "web", "bot", "guardian", "postgres"}
    wait_until(lambda: innkeeper.url in innkeeper.said(), "the greeting")
    assert "coffee black" in innkeeper.ask(FACT)
    assert "coffee black" in innkeeper.ask(QUESTION)
    assert innkeeper.stop(signal.SIGINT) == 0
    wait_until(lambda: not innkeeper.processes(), "every process to end")
    assert "Traceback" not in innkeeper.said()


async def test_with_a_token_it_goes_live_and_serves_no_local_guild(folder: Path, database_url: str) -> None:
    discord = LocalGuild.open(folder / "discord")
    async with serve(discord) as address:
        innkeeper = Innkeeper(
            folder / "data",
            DATABASE_URL=database_url,
            DISCORD_TOKEN=discord.world.bot.token,
            DISCORD_API_BASE=address.api_url,
            DISCORD_GATEWAY_URL=address.gateway_url,
            DISCORD_IDENTIFY_SECONDS="0",
        )
        await asyncio.to_thread(innkeeper.start)
        try:
            await asyncio.to_thread(innkeeper.wait_until_ready)
            async with httpx.AsyncClient(base_url=innkeeper.url, timeout=20, verify=NO_TLS) as http:
                assert (await http.get("/local/world")).status_code == 404
                panel = await http.get("/", follow_redirects=True)
                assert (panel.url.path, "Type /innkeeper panel on your server" in panel.text) == ("/panel", True)
                assert "Everything's working." in (await http.get("/status")).text
                health = (await http.get("/api/health")).json()
            gateway = next(part for part in health["processes"][0]["parts"] if part["name"] == "gateway")
            assert gateway["counts"]["guilds"] == 1
            await asyncio.to_thread(wait_until, lambda: "live on Discord" in innkeeper.said(), "the greeting")
            assert discord.world.bot.token not in innkeeper.said()
        finally:
            await asyncio.to_thread(innkeeper.end)
    await discord.close()


def test_without_its_packages_it_says_what_to_do() -> None:
    done = subprocess.run(
        [sys.executable, "-E", "-S", ROOT / "main.py", "run"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "make run" in done.stderr
    assert "Traceback" not in done.stderr
