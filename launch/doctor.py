"""`main.py doctor`: checks everything a working Innkeeper needs, and says what to do about what is missing."""

import platform
import re
import sys
from collections.abc import Iterable
from importlib.metadata import version
from urllib.parse import urlsplit

from ai_clients.build import check_models
from bot.connection import check_discord
from launch.settings import LOOPBACK, Settings, unknown_settings
from memory.core.clock import SystemClock
from memory.core.version import VERSION
from memory.diagnosis import Finding, check_database

SIGNS = {True: "ok  ", False: "FAIL", None: "note"}
LIBRARIES = ("discord.py", "asyncpg", "google-genai", "openai", "nicegui", "pydantic")
WITHOUT_MODEL = (
    "GEMINI_API_KEY is not set, and no Ollama is running here: answers quote what was found.",
    "This works. For a model, put GEMINI_API_KEY=… into .env, or see docs/models.md.",
)
NAMES_GUILDS = frozenset({"token", "permissions"})
"""Findings that hold names of the bot, of servers or of channels: a report says only how they came out."""
_ADDRESS = re.compile(
    r"(?<!\w)\w++://\S++|(?<![\w.-])[\w.-]++:\d{2,5}\b|(?<!\d)\d++\.\d++\.\d++\.\d++\b|(?<!\w)/[\w./-]{3,}+"
)


async def run(settings: Settings, *, is_report: bool) -> int:
    """Check and say each finding as it comes; for a report without addresses, names and secrets."""

    def say(findings: Iterable[Finding]) -> int:
        failed = 0
        for finding in findings:
            failed += finding.ok is False
            line = _without_names(finding, settings.secrets()) if is_report else finding.says
            print(f"{SIGNS[finding.ok]}  {finding.name}: {line}", flush=True)
            if finding.remedy and finding.ok is not True and not is_report:
                print(f"      → {finding.remedy}", flush=True)
        return failed

    if is_report:
        print(*_versions(settings), sep="\n")
    failed = say(await check_database(settings.memory, SystemClock()))
    failed += say(await check_discord(settings.bot))
    say([Finding("panel", *_panel(settings)), *_unknown()])
    models = [
        Finding(f"model {check.model} ({', '.join(check.purposes)})", check.answers, check.says, check.remedy)
        for check in await check_models(settings.models)
    ]
    failed += say(models or [Finding("models", None, *WITHOUT_MODEL)])
    if failed:
        print(f"\n{failed} thing{'s' * (failed > 1)} to mend.", file=sys.stderr)
    elif not is_report:
        print("\nEverything needed is there. Start with `make run`, or `innkeeper` if that is installed.")
    return 1 if failed else 0


def _versions(settings: Settings) -> list[str]:
    """List what a bug report has to name before anything else; of settings only that they are set."""
    return [
        f"Innkeeper {VERSION}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        ", ".join(f"{name} {version(name)}" for name in LIBRARIES),
        f"set: {', '.join(settings.names_set()) or 'nothing'}",
    ]


def _without_names(finding: Finding, secrets: Iterable[str]) -> str:
    if finding.name in NAMES_GUILDS:
        return "(not repeated in a report)"
    says = finding.says
    for secret in secrets:
        says = says.replace(secret, "***")
    return _ADDRESS.sub("…", says)


def _unknown() -> list[Finding]:
    return [
        Finding(
            ".env", None, f"{name} is no setting of Innkeeper.", f"Did you mean {meant}?" if meant else "Take it out."
        )
        for name, meant in unknown_settings().items()
    ]


def _panel(settings: Settings) -> tuple[bool | None, str, str | None]:
    """Say from where the panel can be reached, and whether what goes to and fro can be read on the way."""
    url, host, port = settings.bot.panel_url, settings.web.host, settings.web.port
    if url.startswith("https:"):
        apart = "" if host in LOOPBACK else f" Let nobody but your proxy reach port {port}: it has no TLS of its own."
        return True, f"members reach it at {url}, with TLS.{apart}", None
    if host in LOOPBACK and (not url or (urlsplit(url).hostname or "") in LOOPBACK):
        return True, f"it can be reached on this machine alone, at {settings.web.url}; PUBLIC_URL opens it.", None
    where = f"at {url}" if url else f"from other machines, because it listens on {host}:{port},"
    return (
        None,
        f"it can be reached {where} without TLS: who is on the way can read along and take over what is signed in.",
        "Put a proxy with TLS before it and set PUBLIC_URL=https://… (docs/panel.md), or set HOST=127.0.0.1.",
    )
