"""Composes Innkeeper and runs its commands. Written so that an older Python reads it, and says what is needed."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - what is installed is told by pip, but not who starts this file
    this = f"{sys.version_info[0]}.{sys.version_info[1]}"
    sys.exit(f"Innkeeper needs Python 3.11 or newer, and this is {this}. Start it with `make run PYTHON=python3.11`.")

import argparse
import asyncio
import gc
import json
import os
from collections.abc import Sequence
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from memory.core.version import VERSION

ROOT = Path(__file__).resolve().parent
ALIVE_TIMEOUT_S = 8
WEB = "http://127.0.0.1:8080"
THRESHOLDS = (50_000, 50, 100)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Innkeeper, a Discord bot that remembers a guild. Without a command: run.",
    )
    parser.add_argument("--version", action="version", version=f"Innkeeper {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser("run", help="start the web and the bot process (the default)")
    for role, what in (("bot", "the bot process alone"), ("web", "the web process alone")):
        child = commands.add_parser(role, help=what)
        child.add_argument("--tethered", action="store_true", help="stop when standard input closes")
        if role == "bot":
            child.add_argument("--shards", metavar="LIST", help="only these shards, such as 0-3 or 0,2,5")
            child.add_argument("--of", type=int, metavar="N", help="of so many, in all bot processes together")
    doctor = commands.add_parser(
        "doctor", help="check database, token, intents, permissions and models, say what to do"
    )
    doctor.add_argument("--report", action="store_true", help="as a text for an issue: no names, addresses or secrets")
    importing = commands.add_parser("import", help="bring exported channels (DiscordChatExporter, JSON) into the log")
    importing.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="an exported file, or a folder of them")
    importing.add_argument("--new-guild", type=int, metavar="ID", help="a guild that Innkeeper has not met yet")
    memory = commands.add_parser("memory", help="carry the whole memory to a folder, or from one into this database")
    ways = memory.add_subparsers(dest="way", metavar="export|import", required=True)
    for way, what, one in (
        ("export", "write all that is remembered into a new folder", "only this guild"),
        ("import", "bring what `memory export` wrote into this database", "only this guild of the export"),
    ):
        carrying = ways.add_parser(way, help=what)
        carrying.add_argument("folder", type=Path, metavar="DIR")
        carrying.add_argument("--guild", type=int, metavar="ID", help=one)
    judged = commands.add_parser(
        "verdicts", help="write the answers that members called right or wrong, to evaluate by"
    )
    judged.add_argument("file", type=Path, metavar="FILE", help="a new file: a JSON object in each line")
    judged.add_argument("--guild", type=int, metavar="ID", help="only this guild")
    tools = commands.add_parser("mcp", help="serve the memory to an assistant over stdio (token: INNKEEPER_TOKEN)")
    tools.add_argument("--at", default=WEB, help="where the web process answers")
    settings = commands.add_parser("settings", help="print the settings as an .env file")
    settings.add_argument("--write", action="store_true", help="write .env.example and docs/settings.md instead")
    alive = commands.add_parser("alive", help="exit 0 if a process is well (for container health checks)")
    alive.add_argument("--process", metavar="bot|web", required=True, help='"bot 0-3/8" for one of several bots')
    alive.add_argument("--at", default=WEB, help="where the web process answers")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    # What is loaded stays: to look through it for garbage again and again is a fifth of the time that loading takes.
    gc.set_threshold(*THRESHOLDS)
    try:
        return _dispatch(options)
    except ModuleNotFoundError as missing:
        top = (missing.name or "").split(".")[0]
        if (ROOT / top).is_dir() or (ROOT / f"{top}.py").is_file():
            raise
        print(f"The package {top} is not installed. Start with `make run`, or use .venv/bin/python.", file=sys.stderr)
        return 2


def _dispatch(options: argparse.Namespace) -> int:
    # Imported late: a wrong command line answers at once, a missing package gets its sentence above, and a process
    # carries only what it needs.
    if options.command == "alive":
        wrong = complaint(options.process, options.at)
        if wrong:
            print(wrong, file=sys.stderr)
        return 1 if wrong else 0
    if options.command == "settings":
        from launch import settings as declared

        if options.write:
            if not (ROOT / "docs").exists():
                print("An installed Innkeeper has no docs to write into: this is for a checkout.", file=sys.stderr)
                return 2
            declared.write_reference(ROOT)
        else:
            print(declared.env_example(), end="")
        return 0

    if options.command == "mcp":
        token = os.environ.get("INNKEEPER_TOKEN", "")
        if not token:
            print("Set INNKEEPER_TOKEN to a token of yours: /innkeeper panel, then Access.", file=sys.stderr)
            return 2
        from web.mcp_tools import serve_stdio

        asyncio.run(serve_stdio(options.at, token))
        return 0

    from launch.settings import SettingsError, load_settings

    try:
        settings = load_settings()
    except SettingsError as error:
        for line in error.lines:
            print(line, file=sys.stderr)
        return 2
    if options.command == "bot":
        from launch import processes
        from memory.shards import ALL, Shards

        try:
            shards = ALL if options.shards is None is options.of else Shards.parse(options.shards, options.of)
        except ValueError as error:
            print(error, file=sys.stderr)
            return 2
        return asyncio.run(processes.run_bot_process(settings, tethered=options.tethered, shards=shards))
    if options.command == "web":
        from launch import processes

        return asyncio.run(processes.run_web_process(settings, tethered=options.tethered))
    if options.command == "doctor":
        from launch import doctor

        return asyncio.run(doctor.run(settings, is_report=options.report))
    if options.command in (None, "run"):
        from launch import supervise as both

        return asyncio.run(both.run(settings, main=Path(__file__).resolve()))
    from launch import commands

    if options.command == "import":
        return asyncio.run(commands.import_files(settings, options.paths, new_guild=options.new_guild))
    if options.command == "memory":
        return asyncio.run(commands.carry(settings, options.way, options.folder, guild_id=options.guild))
    return asyncio.run(commands.write_verdicts(settings, options.file, guild_id=options.guild))


def complaint(process: str, at: str) -> str | None:
    """Say what is wrong with a process of ours by the web process's word, or None. For container health checks."""
    if not at.startswith(("http://", "https://")):
        return f"--at {at} is not an http address"
    try:
        with urlopen(f"{at}/api/health", timeout=ALIVE_TIMEOUT_S) as answer:  # noqa: S310 - the scheme was checked above
            report = json.load(answer)
    except (HTTPError, URLError, TimeoutError, ValueError) as error:
        return f"no answer from {at}: {type(error).__name__}"
    found = [entry for entry in report["processes"] if f"{entry['name']} ".startswith(f"{process} ")]
    for entry in found:
        if not entry["alive"]:
            return f"no word from {entry['name']} since {entry['beat_at']}"
    return None if found else f"no process {process} has reported"


if __name__ == "__main__":
    sys.exit(main())
