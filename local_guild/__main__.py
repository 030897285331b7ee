"""`python -m local_guild`: a local guild alone on its port, until it is stopped."""

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from local_guild.running import serve
from local_guild.safety import NotLoopbackError
from local_guild.server import LocalGuild


async def run(data_dir: Path, host: str, port: int) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    local_guild = LocalGuild.open(data_dir)
    try:
        async with serve(local_guild, host, port) as address:
            sys.stdout.write(f"The local guild is at {address.url} (its people: {address.url}/local/world)\n")
            sys.stdout.flush()
            await stop.wait()
    finally:
        await local_guild.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m local_guild", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address")
    parser.add_argument("--port", type=int, default=8081, help="0 picks a free one")
    parser.add_argument("--data-dir", type=Path, default=Path("data/local_guild"))
    arguments = parser.parse_args()
    try:
        asyncio.run(run(arguments.data_dir, arguments.host, arguments.port))
    except NotLoopbackError as refusal:
        parser.error(str(refusal))


if __name__ == "__main__":
    main()
