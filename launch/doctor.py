"""`main.py doctor`: checks everything a working Innkeeper needs and says what to do about what is missing."""

import sys
from collections.abc import AsyncIterator, Sequence

from ai_clients.build import check_models
from ai_clients.check import ModelCheck
from bot.connection import check_discord
from launch.settings import Settings
from memory.core.clock import SystemClock
from memory.diagnosis import Finding, check_database

SIGNS = {True: "ok  ", False: "FAIL", None: "note"}


async def run(settings: Settings) -> int:
    """Prints each finding as it is made; 0 when nothing failed."""
    failed = 0
    async for finding in _look(settings):
        failed += finding.ok is False
        print(_line(finding), flush=True)
    if failed:
        print(f"\n{failed} thing{'s' * (failed > 1)} to mend.", file=sys.stderr)
    else:
        print("\nEverything needed is there. Start with `make run`.")
    return 1 if failed else 0


async def _look(settings: Settings) -> AsyncIterator[Finding]:
    for finding in await check_database(settings.memory, SystemClock()):
        yield finding
    for finding in await check_discord(settings.bot):
        yield finding
    for finding in _models(await check_models(settings.models)):
        yield finding


def _models(checks: Sequence[ModelCheck]) -> list[Finding]:
    if not checks:
        return [
            Finding(
                "models",
                None,
                "GEMINI_API_KEY is not set, and no Ollama is running here: answers quote what was found.",
                "This works. For a model, put GEMINI_API_KEY=… into .env, or see docs/models.md.",
            )
        ]
    return [
        Finding(f"model {check.model} ({', '.join(check.purposes)})", check.answers, check.says, check.remedy)
        for check in checks
    ]


def _line(finding: Finding) -> str:
    line = f"{SIGNS[finding.ok]}  {finding.name}: {finding.says}"
    return f"{line}\n      → {finding.remedy}" if finding.remedy and finding.ok is not True else line
