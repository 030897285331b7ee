"""Processes of the inn as the test sees them: started, given orders, stopped or killed; and their logs."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from tests.end_to_end.innkeeper import ROOT

PATIENCE_SECONDS = 240.0
LAST_LINES = 30

Payload = dict[str, Any]


class Failed(AssertionError):
    """An order was not obeyed."""


class Process:
    """One at a time, and another after it; `given` says what it is to be."""

    def __init__(self, role: str, folder: Path, given: Payload) -> None:
        self.role = role
        self.log = folder / f"{role}.log"
        self._given = given | {"role": role}
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self.starts = 0
        self.url = ""
        """Where it serves the panel and the API, if it does."""

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self, ahead: float) -> None:
        """`ahead`: how far its time is ahead of ours, in seconds."""
        hidden = ("DISCORD_", "DATABASE_URL", "GEMINI", "GOOGLE", "OPENAI", "OLLAMA")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.end_to_end.erasure.inn_process",
                json.dumps(self._given | {"ahead": ahead}),
                cwd=ROOT,
                env=environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=2**26,
            )
        self.starts += 1
        self.url = (await self._hear())["ready"]

    async def order(self, what: str, **given: object) -> Any:  # noqa: ANN401 - whatever was ordered
        async with self._turn:
            process = self._running()
            assert process.stdin is not None
            process.stdin.write(json.dumps({"order": what, **given}).encode() + b"\n")
            await process.stdin.drain()
            answer = await self._hear()
        if "failed" in answer:
            raise Failed(f"{self.role} could not {what}: {answer['failed']}\n{self.last_words()}")
        return answer["done"]

    async def stop(self) -> None:
        """In good order."""
        process = self._running()
        assert process.stdin is not None
        process.stdin.write(b'{"order": "stop"}\n')
        async with asyncio.timeout(PATIENCE_SECONDS):
            status = await process.wait()
        if status != 0:
            raise Failed(f"{self.role} ended with {status}\n{self.last_words()}")

    async def kill(self) -> None:
        process = self._running()
        process.kill()
        await process.wait()

    def signal(self, number: signal.Signals) -> None:
        self._running().send_signal(number)

    async def end(self) -> None:
        """However the test ended."""
        if self.is_running:
            with contextlib.suppress(ProcessLookupError):
                await self.kill()

    def last_words(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-LAST_LINES:])

    def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            raise Failed(f"{self.role} does not run\n{self.last_words()}")
        return self._process

    async def _hear(self) -> Any:  # noqa: ANN401 - whatever it says
        process = self._running()
        assert process.stdout is not None
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                line = await process.stdout.readline()
        except TimeoutError:
            raise Failed(f"{self.role} does not answer\n{self.last_words()}") from None
        if not line:
            raise Failed(f"{self.role} has ended\n{self.last_words()}")
        return json.loads(line)
