"""Measures how good answers without a model are: questions through the real ingest, index and answers, which quote.

All conversations stand in one guild, and a stranger asks in a channel where nothing was said: is the first quote a
message that holds the answer, and is any? The same questions are asked where nothing can be right: in a guild of the
haystack alone, and in guilds of the other conversations. There, whatever is quoted is wrong. The data is that of
`recall_quality`: name its folders by RECALL_DATA and RECALL_HAYSTACK.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, quantiles

from ai_clients.build import without_models
from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.recall_data import Cast, EvidenceQuestion, cast, conversations, haystack, questions
from memory.core.clock import SystemClock
from memory.core.values import Guild, Question, last_id_of
from memory.health import Health
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.settings import MemoryOptions

LEAST_FIRST, LEAST_SOME, MOST_WRONG = 60.0, 58.0, 2.0
STRANGER = 1
ELSEWHERE = 10
"""A channel in which nobody has said anything."""
FIRST_GUILD = 1


@dataclass(frozen=True, slots=True)
class Quoted:
    """Holds what an answer quotes, as lines of the data."""

    question: EvidenceQuestion
    first: str | None
    lines: frozenset[str]
    """All that stands there, what is quoted beside the others too."""
    text: str
    seconds: float

    @property
    def first_is_evidence(self) -> bool:
        return self.first in self.question.evidence

    @property
    def has_evidence(self) -> bool:
        return not self.lines.isdisjoint(self.question.evidence)


@dataclass(frozen=True, slots=True)
class Setting:
    """Says where the questions of each conversation are asked."""

    name: str
    casts: dict[str, Cast]


def settings_of(data: Path, hay: Path | None) -> list[Setting]:
    """List first the guild that holds the answers, then those that do not."""
    lines = conversations(data)
    names = sorted({line.channel for line in lines})
    settings = [Setting("guild", dict.fromkeys(names, cast(FIRST_GUILD, lines)))]
    if len(names) > 1:
        others = {
            name: cast(FIRST_GUILD + number, (line for line in lines if line.channel != name))
            for number, name in enumerate(names, start=2)
        }
        settings.append(Setting("other conversations", others))
    if hay is not None:
        settings.append(Setting("haystack", dict.fromkeys(names, cast(FIRST_GUILD + 1, haystack(hay)))))
    return settings


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[MemoryManager]:
    clock = SystemClock()
    options = MemoryOptions(data_dir=folder / "data", database_url=None)
    manager = await MemoryManager.open(options, clock=clock, health=Health("bot", clock), models=without_models())
    try:
        yield manager
    finally:
        await manager.close()


async def take_in(manager: MemoryManager, settings: Sequence[Setting]) -> None:
    for guild in {one.guild_id: one for setting in settings for one in setting.casts.values()}.values():
        await manager.people.meet_guild(Guild(guild.guild_id, "Measured"), guild.members, complete=True)
        for message in guild.messages:
            await manager.ingest_message(message)
        await manager.log.settled()
    await manager.indexer.catch_up()


async def ask(manager: MemoryManager, setting: Setting, asked: Sequence[EvidenceQuestion]) -> list[Quoted]:
    found = []
    for number, question in enumerate(asked):
        guild = setting.casts[question.channel]
        audience = Audience(guild.guild_id, ELSEWHERE, frozenset((ELSEWHERE, *guild.channels.values())))
        message_id = last_id_of(question.asked_at) + number
        put = Question(guild.guild_id, ELSEWHERE, message_id, STRANGER, question.text, question.asked_at)
        started = time.perf_counter()
        answer = await manager.answers.answer(put, audience)
        seconds = time.perf_counter() - started
        sources = [guild.line_of[source.message_id] for source in answer.sources]
        lines = frozenset((*sources, *(guild.line_of[one] for one in answer.evidence.quoted.messages)))
        found.append(Quoted(question, sources[0] if sources else None, lines, answer.text, seconds))
    return found


def figures_of(found: Sequence[Quoted]) -> list[Figure]:
    """Make the figures of questions whose answer is there."""
    groups = {"all": list(found)}
    for one in found:
        groups.setdefault(one.question.channel, []).append(one)
    figures = []
    for name, group in groups.items():
        said, is_whole = f"quotes, {name} ({len(group)})", name == "all"
        quoting = [one for one in group if one.first is not None]
        first = 100 * mean([one.first_is_evidence for one in quoting] or [0.0])
        some = 100 * mean(one.has_evidence for one in group)
        figures += [
            Figure(f"{said}: quote something", 100 * len(quoting) / len(group), "%"),
            Figure(
                f"{said}: of these, first quote is evidence", first, "%", at_least(LEAST_FIRST) if is_whole else None
            ),
            Figure(f"{said}: some evidence quoted", some, "%", at_least(LEAST_SOME) if is_whole else None),
        ]
    seconds = [one.seconds for one in found]
    worst = quantiles(seconds, n=20)[18] if len(seconds) > 1 else seconds[0]
    return [*figures, Figure("quotes: p95 of an answer", 1000 * worst, "ms")]


def wrong_figures(found: dict[str, list[Quoted]]) -> list[Figure]:
    """Make the figures of questions whose answer is nowhere."""
    shares = [(name, 100 * mean(one.first is not None for one in asked)) for name, asked in found.items()]
    return [Figure(f"quotes where nothing fits, {name}", share, "%", at_most(MOST_WRONG)) for name, share in shares]


async def measured(
    data: Path, hay: Path | None, note: Callable[[str, list[Quoted]], None] | None = None
) -> list[Figure]:
    settings, asked = settings_of(data, hay), questions(data)
    with open_folder() as folder:
        async with opened(folder) as manager:
            await take_in(manager, settings)
            found = {setting.name: await ask(manager, setting, asked) for setting in settings}
    for name, answers in found.items():
        if note is not None:
            note(name, answers)
    return [*figures_of(found.pop(settings[0].name)), *wrong_figures(found)]


async def measure(full: bool) -> list[Figure]:
    """Measure, among the other benchmarks, only where the data is."""
    data, hay = os.environ.get("RECALL_DATA"), os.environ.get("RECALL_HAYSTACK")
    if not data:
        print("quotes: no data; name its folder by RECALL_DATA.", file=sys.stderr)
        return []
    return await measured(Path(data), Path(hay) if hay else None)


def main() -> int:
    from benchmarks.figures import table

    parser = argparse.ArgumentParser(prog="python -m benchmarks.quotes", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("RECALL_DATA"), help="messages and questions")
    parser.add_argument("--haystack", type=Path, default=os.environ.get("RECALL_HAYSTACK"), help="logs without answers")
    parser.add_argument("--dump", type=Path, help="write every question with its answer here, as JSON lines")
    options = parser.parse_args()
    if options.data is None or not (Path(options.data) / "messages.jsonl").is_file():
        parser.error("no data: --data or RECALL_DATA has to name a folder with messages.jsonl and questions.jsonl")
    dumped: list[str] = []

    def note(setting: str, found: list[Quoted]) -> None:
        for one in found:
            is_good = {"first": one.first_is_evidence, "some": one.has_evidence}
            dumped.append(json.dumps({"setting": setting, "question": one.question.text, **is_good, "text": one.text}))

    figures = asyncio.run(measured(Path(options.data), Path(options.haystack) if options.haystack else None, note))
    print(table(figures))
    if options.dump is not None:
        options.dump.write_text("\n".join(dumped) + "\n", encoding="utf-8")
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
