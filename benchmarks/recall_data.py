"""Reads conversations with questions about them from a folder: what recall is measured with.

`messages.jsonl`: id, channel, author, time, text. `questions.jsonl`: id, channel, question, category, asked_at, and in
`evidence` the ids of the messages that hold the answer. A haystack is a folder of chat logs, `<date>*.ascii.txt`, one
message a line: `[12:34] <author> text`. None of it belongs to the project.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory.core.values import AuthorKind, Member, Message, last_id_of

_LINE = re.compile(r"\[(\d\d):(\d\d)\] <([^>]+)> (.*)")
_FIRST_CHANNEL = 1_000
_FIRST_MEMBER = 100_000


@dataclass(frozen=True, slots=True)
class Line:
    """Holds a message as a file has it."""

    line_id: str
    channel: str
    author: str
    time: datetime
    text: str


@dataclass(frozen=True, slots=True)
class EvidenceQuestion:
    question_id: str
    channel: str
    text: str
    category: str
    evidence: frozenset[str]
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class Cast:
    """Holds lines as messages of a guild, with the ids they got there."""

    guild_id: int
    messages: list[Message]
    members: list[Member]
    channels: dict[str, int]
    line_of: dict[int, str]
    """By message."""


def conversations(folder: Path) -> list[Line]:
    lines = (json.loads(line) for line in (folder / "messages.jsonl").read_text(encoding="utf-8").splitlines())
    return [
        Line(line["id"], line["channel"], line["author"], datetime.fromisoformat(line["time"]), line["text"])
        for line in lines
    ]


def questions(folder: Path) -> list[EvidenceQuestion]:
    lines = (json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines())
    return [_question(line) for line in lines]


def _question(line: dict[str, Any]) -> EvidenceQuestion:
    return EvidenceQuestion(
        line["id"],
        line["channel"],
        line["question"],
        line["category"],
        frozenset(line["evidence"]),
        datetime.fromisoformat(line["asked_at"]),
    )


def haystack(folder: Path) -> list[Line]:
    lines: list[Line] = []
    for file in sorted(folder.glob("*.ascii.txt")):
        day = datetime.fromisoformat(file.name[:10]).replace(tzinfo=UTC)
        for number, written in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines()):
            found = _LINE.match(written)
            if found:
                at = day + timedelta(hours=int(found[1]), minutes=int(found[2]), milliseconds=number % 60_000)
                lines.append(Line(f"{file.name}/{number}", file.name, found[3], at, found[4]))
    return lines


def cast(guild_id: int, lines: Iterable[Line]) -> Cast:
    """Make lines messages of a guild; their ids grow with time, as Discord's do."""
    ordered = sorted(lines, key=lambda line: line.time)
    channels = {name: _FIRST_CHANNEL + number for number, name in enumerate(sorted({line.channel for line in ordered}))}
    people = {name: _FIRST_MEMBER + number for number, name in enumerate(sorted({line.author for line in ordered}))}
    messages: list[Message] = []
    line_of: dict[int, str] = {}
    message_id = 0
    for line in ordered:
        message_id = max(message_id + 1, last_id_of(line.time))
        line_of[message_id] = line.line_id
        messages.append(
            Message(
                guild_id,
                channels[line.channel],
                message_id,
                people[line.author],
                AuthorKind.PERSON,
                line.text,
                line.time,
            )
        )
    members = [Member(guild_id, user_id, name) for name, user_id in people.items()]
    return Cast(guild_id, messages, members, channels, line_of)
