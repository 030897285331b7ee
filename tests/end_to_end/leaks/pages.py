"""Surfaces of the web process: whoever reaches the machine may read them, so no canary may stand there at all."""

import contextlib
import os
from collections.abc import AsyncIterator

import httpx

from tests.end_to_end.forked import Forked
from tests.end_to_end.house import PATIENCE_SECONDS, eventually
from tests.end_to_end.innkeeper import free_port
from tests.end_to_end.leaks.holdings import own_words
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.scene import Scene
from tests.end_to_end.leaks.wiretap import Leak, Overheard
from web.app import LEAVES

COOKIE = "innkeeper"

EXPORT = "/panel/export"
PANEL = (*(leaf.path for leaf in LEAVES), EXPORT)
PATHS = (
    "/",
    "/status",
    "/healthz",
    "/readyz",
    "/api/health",
    "/api/openapi.json",
    "/metrics",
    "/panel/enter/{link}",
    *PANEL,
)


@surface(
    "pages of the panel",
    read_by=ReadBy.ASKER,
    covers=(
        "read:overview.held",
        "read:overview.messages",
        "read:overview.memories",
        "read:undos.recently_forgotten",
        "read:places.rooms",
    ),
    weight=2,
)
async def panel(case: Case) -> None:
    """As somebody sees them who is signed in: what stands on a page is in it when it is sent."""
    scene = case.scene
    if scene.web_url is None:
        return
    secret = await scene.memory.access.sign_in(case.guild.id, case.asker.id)
    for path in case.rng.sample(PANEL, 3):
        answer = await scene.http.get(f"{scene.web_url}{path}", headers={"cookie": f"{COOKIE}={secret}"})
        heard = Overheard(path, case.place.id, frozenset((case.asker.id,)), answer.text, ephemeral=True)
        scene.tap.judge(heard, typed=own_words(case) if path == EXPORT else "")


@surface("pages and the API", read_by=ReadBy.ANYBODY, covers=tuple(f"route:{path}" for path in PATHS))
async def pages(case: Case) -> None:
    scene = case.scene
    if scene.web_url is None:
        return
    for path in PATHS:
        answer = await scene.http.get(f"{scene.web_url}{path}")
        text = f"{answer.text}\n{answer.headers}"
        for canary in scene.canaries.within(text):
            heard = Overheard(path, 0, frozenset(), text)
            scene.tap.leaks.append(Leak(canary.kind.value, canary.token, "anybody may read the page", heard))


@contextlib.asynccontextmanager
async def web_running(scene: Scene) -> AsyncIterator[None]:
    """The web process beside the bot, on the same store."""
    port = free_port()
    hidden = ("DISCORD_", "GEMINI", "GOOGLE", "HOST")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    environment |= {
        "DATA_DIR": str(scene.folder / "web"),
        "DATABASE_URL": scene.database_url,
        "DISCORD_TOKEN": scene.bot.token,
        "PORT": str(port),
    }
    process = Forked("main", ["web"], folder=scene.folder, environment=environment, log=scene.folder / "web.log")
    scene.web_url = f"http://127.0.0.1:{port}"
    try:
        await eventually(lambda: _answers(scene))
        yield
    finally:
        scene.web_url = None
        process.terminate()
        await process.wait(PATIENCE_SECONDS)
        _read_its_log(scene)


async def _answers(scene: Scene) -> bool:
    with contextlib.suppress(httpx.HTTPError):
        return (await scene.http.get(f"{scene.web_url}/api/health")).status_code == 200
    return False


def _read_its_log(scene: Scene) -> None:
    text = (scene.folder / "web.log").read_text(encoding="utf-8")
    for canary in scene.canaries.within(text):
        heard = Overheard("the web process's log", 0, frozenset(), text)
        scene.tap.leaks.append(Leak(canary.kind.value, canary.token, "nothing said belongs into a log", heard))
