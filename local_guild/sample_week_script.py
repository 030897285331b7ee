"""Reads the script of the sample week: who says what in which room at what time, and what happens to it.

The format is described at the head of sample_week.txt.
"""

import re
from dataclasses import dataclass, field, replace
from datetime import time, timedelta
from pathlib import Path

SCRIPT = Path(__file__).with_name("sample_week.txt")

_SPEECH = re.compile(r"^(\d\d):(\d\d) (\w+)((?: [*^]\w+)*): (.+)$")
# Lines of the same minute follow one another at this distance.
_BREATH = timedelta(seconds=11)


class ScriptError(ValueError):
    def __init__(self, number: int, line: str) -> None:
        super().__init__(f"line {number} of the sample week cannot be read: {line!r}")


@dataclass(frozen=True, slots=True)
class Reactions:
    emoji: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    later: timedelta
    text: str


@dataclass(frozen=True, slots=True)
class Unfurl:
    url: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Deletion:
    pass


Act = Reactions | Edit | Unfurl | Deletion


@dataclass(frozen=True, slots=True)
class Line:
    days_ago: int
    room: str
    at: timedelta
    part: str
    text: str
    mark: str | None = None
    answers: str | None = None
    acts: tuple[Act, ...] = field(default=())


def read_script(text: str) -> list[Line]:
    """All lines in the order in which they were said."""
    lines: list[Line] = []
    days_ago, room = 0, ""
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.split()
        if not words or raw.startswith("#"):
            continue
        if raw.startswith("  "):
            if not lines:
                raise ScriptError(number, raw)
            act = _act(number, raw.strip())
            lines[-1] = replace(lines[-1], acts=(*lines[-1].acts, act))
        elif words[0] == "day" and len(words) == 2:
            days_ago = int(words[1])
        elif words[0] == "in" and len(words) == 2:
            room = words[1]
        else:
            lines.append(_line(number, raw, days_ago, room))
    return _spaced(lines)


def _line(number: int, raw: str, days_ago: int, room: str) -> Line:
    found = _SPEECH.match(raw)
    if found is None:
        raise ScriptError(number, raw)
    hour, minute, part, marks, text = found.groups()
    signs = {mark[0]: mark[1:] for mark in marks.split()}
    at = time(int(hour), int(minute))
    since_midnight = timedelta(hours=at.hour, minutes=at.minute)
    return Line(days_ago, room, since_midnight, part, text, signs.get("*"), signs.get("^"))


def _act(number: int, raw: str) -> Act:
    verb, _, rest = raw.partition(" ")
    match verb:
        case "react":
            emoji, *parts = rest.split()
            return Reactions(emoji, tuple(parts))
        case "edit":
            minutes, _, text = rest.partition(" ")
            return Edit(timedelta(minutes=int(minutes)), text)
        case "unfurl":
            url, title, description = (part.strip() for part in rest.split("|"))
            return Unfurl(url, title, description)
        case "delete":
            return Deletion()
    raise ScriptError(number, raw)


def _spaced(lines: list[Line]) -> list[Line]:
    """In order of time, with seconds between the lines of one minute."""
    ordered = sorted(lines, key=lambda line: (-line.days_ago, line.at))
    spaced: list[Line] = []
    for line in ordered:
        before = spaced[-1] if spaced else None
        if before is not None and before.days_ago == line.days_ago and before.at >= line.at:
            line = replace(line, at=before.at + _BREATH)
        spaced.append(line)
    return spaced
