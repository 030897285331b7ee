"""Measures how well open questions are found without a model, and how long the busiest catch-up takes.

Of real chat in which people marked what answers what (`IRC_DATA`, a folder with `*.ascii.txt`, a message a line, and
`*.annotation.txt`, "from to -" in lines counted from 0, from line 1000 on): a question is open if no message is linked
to it. The data does not belong to the project. And always: a catch-up of twice as many messages as are looked at.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ai_clients.build import without_models
from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_least, at_most, table
from benchmarks.yardsticks import longest_block
from memory.core.clock import SetClock
from memory.core.values import AuthorKind, Guild, Member, Message, last_id_of
from memory.daily.service import open_questions
from memory.daily.values import MOST_READ, Boundary, Since
from memory.health import Health
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.settings import MemoryOptions

BEGINS = datetime(2026, 1, 1, tzinfo=UTC)
ANNOTATED = 1_000
_SAID = re.compile(r"\[(\d\d):(\d\d)\] (?:<([^>]+)>|\* (\S+)) ?(.*)")
_NICK = re.compile(r"[^\s:,;<>()!?]+")
SHORTEST_NICK = 4
"""Shorter ones are words far more often than people, unless they open a message."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Holds a question of the log, and whether it was answered."""

    is_found: bool
    """By the rules of the product."""
    is_open: bool
    is_open_to_others: bool
    """Nobody but the asker is linked to it."""


def questions_in(folder: Path) -> list[Asked]:
    return [one for path in sorted(folder.glob("*.ascii.txt")) for one in _questions(path)]


def _questions(path: Path) -> list[Asked]:
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    messages = _messages(lines)
    authors = {one.message_id: one.author_id for one in messages}
    answers: dict[int, set[int]] = {}
    links = path.with_name(path.name.replace(".ascii.", ".annotation.")).read_text(encoding="utf-8")
    for link in links.splitlines():
        one, other = sorted(map(int, link.split()[:2]))
        if one != other and other in authors:
            answers.setdefault(one, set()).add(authors[other])
    found = {one.message_id for one in open_questions(messages)}
    return [
        Asked(
            asked.message_id in found,
            not answers.get(asked.message_id),
            not answers.get(asked.message_id, set()) - {asked.author_id},
        )
        for asked in messages
        if asked.message_id >= ANNOTATED and "?" in asked.text
    ]


def _messages(lines: Sequence[str]) -> list[Message]:
    """Read lines as messages as Discord would have them: whoever is named is mentioned."""
    said = [(number, found) for number, line in enumerate(lines) if (found := _SAID.match(line)) is not None]
    nicks = [found[3] or found[4] for _, found in said]
    ids = {nick.lower(): number for number, nick in enumerate(sorted({*nicks}), start=1)}

    def mention(found: re.Match[str]) -> str:
        is_long = len(found[0]) >= SHORTEST_NICK or found.start() == 0
        return f"<@{ids[found[0].lower()]}>" if is_long and found[0].lower() in ids else found[0]

    day = BEGINS
    messages: list[Message] = []
    for (number, found), nick in zip(said, nicks, strict=True):
        at = day + timedelta(hours=int(found[1]), minutes=int(found[2]))
        if messages and at < messages[-1].sent_at:  # past midnight, or summer time ends
            at, day = (at + timedelta(days=1), day + timedelta(days=1)) if int(found[1]) == 0 else (at, day)
        text = _NICK.sub(mention, found[5])
        messages.append(Message(1, 1, number, ids[nick.lower()], AuthorKind.PERSON, text, at))
    return messages


def _scores(found: Sequence[bool], is_open: Sequence[bool]) -> tuple[float, float]:
    right = sum(one and other for one, other in zip(found, is_open, strict=True))
    return right / max(sum(found), 1), right / max(sum(is_open), 1)


def _open_questions(folder: Path) -> list[Figure]:
    asked = questions_in(folder)
    is_open = [one.is_open for one in asked]
    precision, recall = _scores([one.is_found for one in asked], is_open)
    others = _scores([one.is_found for one in asked], [one.is_open_to_others for one in asked])
    return [
        Figure("questions in real chat", len(asked), "questions"),
        Figure("open questions: precision", precision, "", at_least(0.70)),
        Figure("open questions: recall", recall, "", at_least(0.30)),
        Figure("open questions: precision, if the asker's own next words are no answer", others[0], ""),
        Figure("open questions: recall, if the asker's own next words are no answer", others[1], ""),
    ]


# How long a catch-up takes where as much was said as is looked at.


def _talk(rng: random.Random, channel_id: int, count: int) -> list[Message]:
    """Make up talk about one thing after the other, with questions and plans among it."""
    words = [f"{first}{last}" for first in ("bro", "mil", "sta", "kor", "len", "pad") for last in ("tan", "ker", "dul")]
    ends = (".", ".", ".", ".", "?", ", we'll meet tomorrow at 18:00")
    said = []
    for number in range(count):
        about = words[number // 120 % 12 :][:6]
        at = BEGINS + timedelta(seconds=channel_id + 20 * number)
        text = f"the {' '.join(rng.choices(about, k=8))}{rng.choice(ends)}"
        author = rng.randrange(1, 41)
        said.append(Message(1, channel_id, last_id_of(at), author, AuthorKind.PERSON, text, at))
    return said


async def _whole_catch_up() -> list[Figure]:
    """Measure the busiest catch-up there can be: twice as many messages as are looked at, in ten channels."""
    rng, channels = random.Random(7), range(10, 20)
    clock = SetClock(BEGINS + timedelta(days=4))
    audience = Audience(1, 10, frozenset(channels), 1, viewer_id=99)
    since, until = Boundary(Since.TIME, BEGINS, last_id_of(BEGINS)), last_id_of(clock.now())
    with open_folder() as folder:
        options = MemoryOptions(data_dir=folder / "data", database_url=None)
        memory = await MemoryManager.open(options, clock=clock, health=Health("bot", clock), models=without_models())
        try:
            await memory.people.meet_guild(Guild(1, "Inn"), [Member(1, user, f"user{user}") for user in range(1, 41)])
            for channel_id in channels:
                await memory.log.store_page(1, channel_id, _talk(rng, channel_id, 2 * MOST_READ // len(channels)))
            await memory.log.settled(1)
            took: list[float] = []
            for _ in range(2):  # the first loads what is loaded once
                began = time.perf_counter()
                found = await memory.catch_ups.catch_up(audience, since, until, None, ())
                took.append(time.perf_counter() - began)
            async with longest_block() as blocks:
                await memory.catch_ups.catch_up(audience, since, until, None, ())
        finally:
            await memory.close()
    return [
        Figure("catch-up: messages counted", found.talk.messages, "messages"),
        Figure("catch-up: messages read", sum(map(len, found.talk.said.values())), "messages"),
        Figure("catch-up: it takes", min(took), "s", at_most(3.0)),
        Figure("catch-up: longest step of the event loop", blocks.worked * 1_000, "ms", at_most(50)),
    ]


async def measure(full: bool) -> list[Figure]:
    del full
    figures = await _whole_catch_up()
    if folder := os.environ.get("IRC_DATA"):
        figures += _open_questions(Path(folder))
    else:
        print("daily: no chat; name its folder by IRC_DATA.", file=sys.stderr)
    return figures


def main() -> int:
    figures = asyncio.run(measure(full=False))
    print(table(figures))
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
