"""Processes of the inn as the test sees them: started, given orders, stopped or killed; and their logs."""

import asyncio
import json
import os
import signal
import socket
from pathlib import Path
from typing import Any

from tests.end_to_end.forked import Forked
from tests.end_to_end.innkeeper import ROOT

PATIENCE_SECONDS = 300.0
LAST_LINES = 30
MODULE = "tests.end_to_end.erasure.inn_process"
"""Not imported here: it moves the time of the process that it is in."""

Payload = dict[str, Any]


class Failed(AssertionError):
    """An order was not obeyed."""


class Process:
    """One at a time, and another after it; `given` says what it is to be."""

    def __init__(self, role: str, folder: Path, given: Payload) -> None:
        self.role = role
        self.log = folder / f"{role}.log"
        self._given = given | {"role": role}
        self._process: Forked | None = None
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
        ours, theirs = socket.socketpair()
        given = json.dumps(self._given | {"ahead": ahead})
        with theirs:
            self._process = await asyncio.to_thread(
                Forked, MODULE, given, theirs, folder=ROOT, environment=environment, log=self.log
            )
        self._heard, self._said = await asyncio.open_connection(sock=ours, limit=2**26)
        self.starts += 1
        self.url = (await self._hear())["ready"]

    async def order(self, what: str, **given: object) -> Any:  # noqa: ANN401 - whatever was ordered
        async with self._turn:
            self._running()
            self._said.write(json.dumps({"order": what, **given}).encode() + b"\n")
            await self._said.drain()
            answer = await self._hear()
        if "failed" in answer:
            raise Failed(f"{self.role} could not {what}: {answer['failed']}\n{self.last_words()}")
        return answer["done"]

    async def stop(self) -> None:
        """In good order."""
        process = self._running()
        self._said.write(b'{"order": "stop"}\n')
        status = await process.wait(PATIENCE_SECONDS)
        self._said.close()
        if status != 0:
            raise Failed(f"{self.role} ended with {status}\n{self.last_words()}")

    async def kill(self) -> None:
        process = self._running()
        process.kill()
        await process.wait(PATIENCE_SECONDS)
        self._said.close()

    def signal(self, number: signal.Signals) -> None:
        self._running().send_signal(number)

    async def end(self) -> None:
        """However the test ended."""
        if self.is_running:
            await self.kill()

    def last_words(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-LAST_LINES:])

    def _running(self) -> Forked:
        if self._process is None or self._process.returncode is not None:
            raise Failed(f"{self.role} does not run\n{self.last_words()}")
        return self._process

    async def _hear(self) -> Any:  # noqa: ANN401 - whatever it says
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                line = await self._heard.readline()
        except TimeoutError:
            raise Failed(f"{self.role} does not answer\n{self.last_words()}") from None
        if not line:
            raise Failed(f"{self.role} has ended\n{self.last_words()}")
        return json.loads(line)
