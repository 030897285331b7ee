"""Writes structured logs: one line an event, the request id from event to reply, never content and never secrets."""

import asyncio
import json
import logging
import re
import sys
import traceback
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memory.tasks import NO_REQUEST, RequestIdFilter

if TYPE_CHECKING:
    from launch.settings import LogOptions

logger = logging.getLogger(__name__)

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "request_id",
    "color_message",
}
# Discord puts tokens of interactions and webhooks into addresses, and HTTP libraries log addresses.
_TOKEN_IN_ADDRESS = re.compile(r"((?:interactions|webhooks)/\d+/)[\w.~-]+")
_OWN_PACKAGES = ("bot", "memory", "ai_clients", "web", "local_guild", "launch")


class LineFormatter(logging.Formatter):
    """Writes `time LEVEL logger: message key=value …`; with `as_json` the same as one JSON object."""

    def __init__(self, *, as_json: bool, secrets: Iterable[str] = ()) -> None:
        super().__init__()
        self._as_json = as_json
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields: dict[str, object] = {}
        request_id = getattr(record, "request_id", None)
        if request_id not in (None, NO_REQUEST):
            fields["request"] = request_id
        fields |= {key: value for key, value in vars(record).items() if key not in _STANDARD}
        if record.exc_info and record.exc_info[1]:
            fields["error"] = describe(record.exc_info[1])
        if self._as_json:
            entry = {"at": at, "level": record.levelname, "logger": record.name, "message": record.getMessage()}
            line = json.dumps(entry | fields, default=str, ensure_ascii=False)
        else:
            shown = "".join(f" {key}={value}" for key, value in fields.items())
            line = f"{at} {record.levelname:<7} {record.name}: {record.getMessage()}{shown}"
        return self._redact(line.replace("\n", "\\n"))

    def _redact(self, line: str) -> str:
        for secret in self._secrets:
            line = line.replace(secret, "***")
        return _TOKEN_IN_ADDRESS.sub(r"\1***", line)


def describe(error: BaseException) -> str:
    """Describe an error by type and frames. A foreign text may quote what a member wrote, so only ours is shown."""
    parts: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        own = type(current).__module__.split(".")[0] in _OWN_PACKAGES
        frames = " < ".join(
            f"{frame.name} ({frame.filename.rsplit('/', 1)[-1]}:{frame.lineno})"
            for frame in reversed(traceback.extract_tb(current.__traceback__))
        )
        text = f": {current}" if own else ""
        parts.append(f"{type(current).__qualname__}{text} [{frames}]")
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return " caused by ".join(parts)


def keep_place_alone(record: logging.LogRecord) -> bool:
    """Keep of what NiceGUI logs where in it that was and the error: its messages hold addresses, what
    browsers sent and what members typed."""
    if isinstance(record.msg, BaseException) and not (record.exc_info and record.exc_info[1]):
        record.exc_info = (type(record.msg), record.msg, record.msg.__traceback__)
    record.msg, record.args = f"{record.funcName} ({record.filename}:{record.lineno})", ()
    return True


def log_unhandled(_loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log for asyncio, whose own handler shows exceptions and arguments of callbacks, which may quote people."""
    error = context.get("exception")
    task = context.get("task") or context.get("future")
    name = task.get_name() if isinstance(task, asyncio.Task) else None
    says = re.split(r"[<('\"]", str(context.get("message", "")))[0].strip()
    logger.error(
        "event loop: %s",
        says if error is None else "unhandled error",
        exc_info=error,
        extra={"task": name},
    )


def log_failure(task: "asyncio.Task[Any]") -> None:
    """Log what a task failed with that nobody waits for and that has no part in health."""
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.error("%s failed", task.get_name(), exc_info=error)


def configure(options: "LogOptions", secrets: Iterable[str] = ()) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(RequestIdFilter())
    handler.setFormatter(LineFormatter(as_json=options.format == "json", secrets=secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for package in (*_OWN_PACKAGES, "__main__"):
        logging.getLogger(package).setLevel(options.level)
    logging.getLogger("nicegui").addFilter(keep_place_alone)
    # These repeat payloads or one line a request at lower levels.
    for chatty in ("httpx", "asyncio", "uvicorn", "socketio", "engineio", "google_genai", "openai", "httpcore"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
