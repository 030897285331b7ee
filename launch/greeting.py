"""What the person who typed `make run` reads: where to look, once there is something to see, or what is missing."""

import asyncio

import aiohttp

from launch.settings import Settings

PAUSE_S = 0.5
COMPLAIN_EVERY_S = 30.0

LOCAL = """
  Innkeeper is open. Look at  {url}
  No DISCORD_TOKEN is set, so it lives in a local guild on this machine. Type there:
      Bot remember that I take my coffee black
      Bot what do you know about me?
  To bring it to your Discord server: see README.md. Ctrl-C stops it.
"""
LIVE = """
  Innkeeper is live on Discord. How it is doing:  {url}
  Ctrl-C stops it.
"""


async def greet(settings: Settings) -> None:
    print("Starting Innkeeper ...", flush=True)
    loop = asyncio.get_running_loop()
    complain_at = loop.time() + COMPLAIN_EVERY_S
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as http:
        while reasons := await _unready(http, settings.web.url):
            if loop.time() > complain_at:
                print("Not ready yet: " + "; ".join(reasons), flush=True)
                complain_at = loop.time() + COMPLAIN_EVERY_S
            await asyncio.sleep(PAUSE_S)
    print((LOCAL if settings.is_local else LIVE).format(url=settings.web.url), flush=True)


async def _unready(http: aiohttp.ClientSession, url: str) -> list[str]:
    try:
        async with http.get(f"{url}/readyz") as answer:
            readiness = await answer.json()
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
        return ["the web process does not answer yet"]
    return [str(reason) for reason in readiness["reasons"]]
