"""Runs a local guild alone on its port, until it is stopped: `python -m local_guild`."""

import argparse
import asyncio
import gc
import signal
import sys
from pathlib import Path

from starlette.types import ASGIApp

from local_guild.port import PortTakenError
from local_guild.server import LocalGuild, NotLoopbackError, require_loopback
from local_guild.serving import loop_factory, serve
from local_guild.state.describe import WorldFileError, read_world
from local_guild.state.ids import Clock


async def run(arguments: argparse.Namespace) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    require_loopback(arguments.host)
    clock = Clock()
    world = None if arguments.world is None else read_world(arguments.world, clock)
    local_guild = LocalGuild.open(arguments.data_dir, clock=clock, world=world)
    try:
        app = None if arguments.without_page else _with_page(local_guild)
        # Messages stay as long as the world does: to look through them for garbage again and again is a tenth of the
        # work.
        gc.freeze()
        gc.set_threshold(50_000, 50, 100)
        async with serve(local_guild, arguments.host, arguments.port, app=app) as address:
            sys.stdout.write(f"The local guild is at {address.url} (its people: {address.url}/local/world)\n")
            sys.stdout.flush()
            await stop.wait()
    finally:
        await local_guild.close()


def _with_page(local_guild: LocalGuild) -> ASGIApp:
    from local_guild.page import compose  # to load it takes longer than all else

    return compose(local_guild)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m local_guild", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address")
    parser.add_argument("--port", type=int, default=8081, help="0 picks a free one")
    parser.add_argument("--data-dir", type=Path, default=Path("data/local_guild"))
    parser.add_argument("--world", type=Path, help="a JSON file that describes the world to start with")
    parser.add_argument("--without-page", action="store_true", help="the server alone, without the chat page")
    arguments = parser.parse_args()
    try:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(run(arguments))
    except (NotLoopbackError, WorldFileError, PortTakenError, OSError) as refusal:
        parser.error(str(refusal))


if __name__ == "__main__":
    main()
