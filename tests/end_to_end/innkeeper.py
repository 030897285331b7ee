"""The whole of Innkeeper as `make run` starts it, for tests that look at it from outside."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import psutil
import pytest

from tests.loopback import NO_TLS

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], bool], what: str, patience: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"waited {patience:.0f} s for {what}")
        time.sleep(0.1)


class Innkeeper:
    """`main.py run` with a data folder and a port of its own; without a token it lives in its local guild."""

    def __init__(self, data_dir: Path, port: int | None = None, **environment: str) -> None:
        self.data_dir = data_dir
        self._environment = environment
        self.url = f"http://127.0.0.1:{port or free_port()}"
        self.log = data_dir.parent / f"{data_dir.name}.log"
        self._parent: subprocess.Popen[bytes] | None = None
        self._http = httpx.Client(base_url=self.url, timeout=20, verify=NO_TLS)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()

    def end(self) -> None:
        """Stops what still runs, in good order if it can, and sees that nothing is left."""
        self._http.close()
        if self._parent is not None and self._parent.poll() is None:
            self._parent.terminate()
            try:
                self._parent.wait(60)
            except subprocess.TimeoutExpired:
                self.kill_all()
        wait_until(lambda: not self.processes(), "every process to end")

    def start(self) -> None:
        hidden = ("DISCORD_", "DATABASE_URL", "GEMINI", "GOOGLE", "HOST")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        environment |= {"DATA_DIR": str(self.data_dir), "PORT": self.url.rsplit(":", 1)[1], "HEARTBEAT_SECONDS": "1"}
        environment |= self._environment
        # Not the checkout: an .env of the developer's there must not reach the test.
        with self.log.open("ab") as log:
            self._parent = subprocess.Popen(
                [sys.executable, ROOT / "main.py", "run"],
                cwd=self.data_dir.parent,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def wait_until_ready(self) -> None:
        def ready() -> bool:
            if self.parent.poll() is not None:
                pytest.fail(f"it ended with {self.parent.returncode}:\n{self.said()}")
            with contextlib.suppress(httpx.HTTPError):
                return self._http.get("/readyz").status_code == 200
            return False

        try:
            wait_until(ready, "readiness")
        except pytest.fail.Exception as waited:
            pytest.fail(f"{waited}\n{self.said()}")

    @property
    def parent(self) -> "subprocess.Popen[bytes]":
        assert self._parent is not None
        return self._parent

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def stop(self, with_signal: signal.Signals = signal.SIGTERM) -> int:
        self.parent.send_signal(with_signal)
        return self.parent.wait(PATIENCE_S)

    def processes(self) -> dict[str, psutil.Process]:
        """Everything that belongs to this data folder, by role; the guardian and its server included."""
        found: dict[str, psutil.Process] = {}
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                role = self._role(process)
                if role is not None and process.status() != psutil.STATUS_ZOMBIE:
                    found.setdefault(role, process)
        return found

    def _role(self, process: psutil.Process) -> str | None:
        command = process.cmdline()
        if len(command) > 2 and command[1] == str(ROOT / "main.py"):
            return command[2] if process.environ().get("DATA_DIR") == str(self.data_dir) else None
        if str(self.data_dir) in " ".join(command):
            if "memory.db.embedded.server" in command:
                return "guardian"
            return "postgres" if Path(command[0]).name == "postgres" else None
        return None

    def kill_all(self) -> None:
        for process in self.processes().values():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self.parent.wait(PATIENCE_S)

    def world(self) -> dict[str, Any]:
        answer: dict[str, Any] = self._http.get("/local/world").raise_for_status().json()
        return answer

    def ask(self, text: str, *, member: int = 0, channel: str = "general", patience: float = 60) -> str:
        """Posts as a member and waits for the bot's reply to it."""
        message_id = self.post(text, member=member, channel=channel)
        replies: list[str] = []

        def answered() -> bool:
            replies[:] = [
                message["content"]
                for message in self.history(member=member, channel=channel)
                if (message.get("message_reference") or {}).get("message_id") == message_id
            ]
            return bool(replies)

        wait_until(answered, f"a reply to {text!r}", patience)
        return "\n".join(reversed(replies))

    def ask_until_answered(self, text: str) -> str:
        """As a patient person would just after a mishap: asks again when nothing comes."""
        for _ in range(15):
            with contextlib.suppress(pytest.fail.Exception, httpx.HTTPError):
                return self.ask(text, patience=8)
            time.sleep(2)  # a refused connection is no reply either, but comes at once
        pytest.fail(f"no reply to {text!r}, however often asked\n{self.said()}")

    def post(self, text: str, *, member: int = 0, channel: str = "general") -> str:
        path = f"/api/v10/channels/{self._channel(channel)}/messages"
        answer = self._http.post(path, json={"content": text}, headers=self._as(member)).raise_for_status()
        return str(answer.json()["id"])

    def history(self, *, member: int = 0, channel: str = "general") -> list[dict[str, Any]]:
        path = f"/api/v10/channels/{self._channel(channel)}/messages"
        answer: list[dict[str, Any]] = self._http.get(path, headers=self._as(member)).raise_for_status().json()
        return answer

    def _as(self, member: int) -> dict[str, str]:
        return {"Authorization": self.world()["guilds"][0]["members"][member]["token"]}

    def _channel(self, name: str) -> str:
        return next(str(each["id"]) for each in self.world()["guilds"][0]["channels"] if each["name"] == name)


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everyone may enter. As root, pytest's own are closed to the account PostgreSQL runs as."""
    folder = Path(tempfile.mkdtemp(prefix="inn-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def running(data_dir: Path, **environment: str) -> Iterator[Innkeeper]:
    with Innkeeper(data_dir, None, **environment) as innkeeper:
        innkeeper.wait_until_ready()
        yield innkeeper
