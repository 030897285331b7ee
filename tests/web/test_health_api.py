"""Health over HTTP, asked of the real application by a real client."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI

from memory.core.clock import SetClock
from memory.core.version import VERSION
from memory.health import Health, HealthReport, PartState, ProcessHealth
from web.app import health_routes, unready

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Watch:
    """The parts of a bot and a web process, which a test can make well or ill."""

    def __init__(self) -> None:
        self.clock = SetClock(NOW)
        self.bot = Health("bot", self.clock)
        self.web = Health("web", self.clock)
        self.silent_since: str | None = None

    async def report(self) -> HealthReport:
        bot = self.bot.snapshot()
        if self.silent_since:
            bot = ProcessHealth(bot.process, bot.pid, bot.started_at, bot.beat_at, bot.parts, (self.silent_since,))
        return HealthReport((bot, self.web.snapshot()), self.clock.now())


@pytest.fixture
def watch() -> Watch:
    watch = Watch()
    watch.bot.part("gateway").active(guilds=2)
    watch.web.part("database").active()
    return watch


def _client(watch: Watch, asker: str = "127.0.0.1", host: str = "127.0.0.1:8080") -> httpx.AsyncClient:
    app = FastAPI()
    app.include_router(health_routes(watch.report))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(asker, 1)), base_url=f"http://{host}")


@pytest.mark.parametrize(
    ("asker", "host", "headers"),
    [
        ("203.0.113.5", "inn.example.org", {}),
        ("172.17.0.1", "localhost:8080", {}),
        ("127.0.0.1", "inn.example.org", {}),
        ("127.0.0.1", "127.0.0.1:8080", {"X-Forwarded-For": "203.0.113.5"}),
        ("127.0.0.1", "127.0.0.1:8080", {"Host": "inn.example:port"}),
        ("127.0.0.1", "127.0.0.1:8080", {"Host": "[inn.example"}),
    ],
)
async def test_strangers_see_states_alone(watch: Watch, asker: str, host: str, headers: dict[str, str]) -> None:
    """Neither channels nor machines nor how much goes on; also through a proxy on this machine."""
    watch.bot.part("gateway").count("messages", 7)
    watch.bot.part("replies").limited(in_guilds={200: "In <#4711> the bot may not write."})
    watch.web.part("database").failing("The database at db.example.net does not answer.")
    async with _client(watch, asker, host) as client:
        report = await client.get("/api/health", headers=headers)
        ready = await client.get("/readyz", headers=headers)
    assert ready.json() == {"ready": False, "reasons": ["web, database: failing"]}
    assert not any(told in report.text for told in ("4711", "db.example.net", "messages"))
    assert report.json()["innkeeper"] is None
    assert [process["state"] for process in report.json()["processes"]] == ["active", "failing"]
    assert {part["updated_at"] for process in report.json()["processes"] for part in process["parts"]} == {None}


async def test_well_means_alive_ready_and_every_part_shown(watch: Watch) -> None:
    async with _client(watch) as client:
        assert (await client.get("/healthz")).status_code == 200
        ready = await client.get("/readyz")
        assert (ready.status_code, ready.json()) == (200, {"ready": True, "reasons": []})
        report = (await client.get("/api/health")).json()
    assert (report["innkeeper"], report["state"]) == (VERSION, "active")
    (bot, web) = report["processes"]
    assert (bot["name"], bot["alive"], bot["parts"][0]["counts"]) == ("bot", True, {"guilds": 2})
    assert web["parts"][0]["name"] == "database"


async def test_a_failing_part_is_named_with_its_reason_and_since_when(watch: Watch) -> None:
    watch.clock.move(timedelta(hours=1))
    watch.web.part("database").failing("The disk is full.")
    watch.clock.move(timedelta(minutes=5))
    async with _client(watch) as client:
        ready = await client.get("/readyz")
        assert ready.status_code == 503
        assert ready.json()["reasons"] == ["web, database: The disk is full."]
        report = (await client.get("/api/health")).json()
        assert (await client.get("/healthz")).status_code == 200, "a process that answers is alive"
    part = report["processes"][1]["parts"][0]
    assert part["state"] == PartState.FAILING
    assert datetime.fromisoformat(part["since"]) == NOW + timedelta(hours=1)


async def test_a_process_that_is_silent_or_never_reported_makes_it_unready(watch: Watch) -> None:
    watch.silent_since = "no word from it since noon"
    async with _client(watch) as client:
        assert (await client.get("/readyz")).json()["reasons"] == ["bot: no word from it since noon"]
        assert (await client.get("/api/health")).json()["processes"][0]["alive"] is False
    assert unready(HealthReport((watch.web.snapshot(),), NOW)) == ["bot: has not reported yet"]
