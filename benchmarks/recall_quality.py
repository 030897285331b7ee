"""Measures how much of what was asked for recall finds: messages and questions by the real ingest, index and recall.

Each conversation in a guild of its own ("alone"), all in one guild ("guild"), and with a haystack around them ("hay").
The data is not part of the project: name its folder by --data or RECALL_DATA, that of a haystack by --haystack or
RECALL_HAYSTACK.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from statistics import mean, quantiles

from ai_clients.embedding import StaticVectors
from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_least
from benchmarks.recall_data import Cast, EvidenceQuestion, cast, conversations, haystack, questions
from benchmarks.recall_fit import Case, left_out
from memory.core.clock import SystemClock
from memory.core.values import Guild
from memory.db.database import Database
from memory.diagnosis import connection_source
from memory.health import Health
from memory.manager import MemoryManager
from memory.people.store import MemberStore
from memory.places.view import Audience
from memory.recall.indexer import Indexer
from memory.recall.ranking import WEIGHTS, Weights
from memory.recall.search import QuestionVectors, Recall
from memory.recall.store import RecallStore
from memory.recall.vectors import Embedders
from memory.settings import MemoryOptions

CUTS = (5, 10, 20)
FLOORS = {"alone": 77.0, "guild": 76.0, "hay": 73.0}
FIRST_GUILD = 1


@dataclass(frozen=True, slots=True)
class Setting:
    """Says where the questions are asked: for each channel of the questions, the guild it is in."""

    name: str
    casts: dict[str, Cast]


@dataclass(frozen=True, slots=True)
class Asked:
    question: EvidenceQuestion
    found: list[str]
    chances: list[float]
    seconds: float

    def recall(self, cut: int) -> float:
        return len(self.question.evidence.intersection(self.found[:cut])) / len(self.question.evidence)

    def gain(self, cut: int = 10) -> float:
        """Compute the nDCG of what was found."""
        hits = (1 / math.log2(place + 2) for place, one in enumerate(self.found[:cut]) if one in self.question.evidence)
        best = (1 / math.log2(place + 2) for place in range(min(cut, len(self.question.evidence))))
        return sum(hits) / sum(best)


PARTS_LEFT_OUT = {
    "the talk around": ("said_with_before", "topic", "meaning_around", "answers"),
    **{
        name.replace("_", " "): (name,)
        for name in (
            "said", "said_all", "said_with_before", "topic", "meaning", "meaning_around", "answers", "speaker",
            "in_time", "tells_time", "tells_place", "tells_number", "tells_person", "asks", "opens", "here", "recent",
        )
    },
}  # fmt: skip
"""What is left out of the sum, one after the other, to see what it is worth."""


class House:
    """Holds a memory with an index, and recall over it."""

    def __init__(self, database: Database, manager: MemoryManager, indexer: Indexer) -> None:
        self._database = database
        self._manager = manager
        self._indexer = indexer
        self._vectors = StaticVectors()

    async def take_in(self, settings: Iterable[Setting]) -> None:
        for guild in {one.guild_id: one for setting in settings for one in setting.casts.values()}.values():
            await self._manager.people.meet_guild(Guild(guild.guild_id, "Measured"), guild.members, complete=True)
            for each in guild.messages:
                await self._manager.ingest_message(each)
            await self._manager.log.settled()
        await self._indexer.catch_up()

    def recall(self, *, vectors: bool = True, close_words: bool = True) -> Recall:
        return Recall(
            RecallStore(self._database),
            MemberStore(self._database),
            QuestionVectors(Embedders(self._vectors), self._database) if vectors else None,
            self._vectors if vectors and close_words else None,
        )


async def ask(
    recall: Recall, setting: Setting, asked: Sequence[EvidenceQuestion], weights: Sequence[Weights] = (WEIGHTS,)
) -> list[list[Asked]]:
    """Ask the questions with each of the weights; the first ones are timed."""
    found: list[list[Asked]] = [[] for _ in weights]
    for question in asked:
        guild = setting.casts[question.channel]
        place = guild.channels[question.channel]
        audience = Audience(guild.guild_id, place, frozenset(guild.channels.values()))
        started = time.perf_counter()
        looked = await recall.look(question.text, audience, STRANGER, question.asked_at, UTC)
        for answers, weighed in zip(found, weights, strict=True):
            hits = [] if looked is None else replace(looked, weights=weighed).ranked[: max(CUTS)]
            ids = [guild.line_of[one.said.found.message_id] for one in hits]
            answers.append(Asked(question, ids, [one.chance for one in hits], time.perf_counter() - started))
    return found


STRANGER = 1
"""Asks, and never said anything."""


@asynccontextmanager
async def opened_house() -> AsyncIterator[House]:
    with open_folder() as folder:
        clock = SystemClock()
        health = Health("bot", clock)
        options = MemoryOptions(data_dir=folder / "data", database_url=None)
        manager = await MemoryManager.open(options, clock=clock, health=health)
        database = await Database.open(connection_source(options))
        try:
            yield House(database, manager, Indexer(database, Embedders(StaticVectors()), clock, health))
        finally:
            await database.close()
            await manager.close()


def settings_of(data: Path, hay: Path | None) -> list[Setting]:
    lines = conversations(data)
    names = sorted({line.channel for line in lines})
    alone = {
        name: cast(FIRST_GUILD + number, (line for line in lines if line.channel == name))
        for number, name in enumerate(names)
    }
    together = cast(FIRST_GUILD + len(names), lines)
    settings = [Setting("alone", alone), Setting("guild", dict.fromkeys(names, together))]
    if hay is not None:
        buried = cast(FIRST_GUILD + len(names) + 1, [*lines, *haystack(hay)])
        settings.append(Setting("hay", dict.fromkeys(names, buried)))
    return settings


def figures_of(setting: str, asked: Sequence[Asked]) -> list[Figure]:
    groups: dict[str, list[Asked]] = {"all": list(asked)}
    for one in asked:
        groups.setdefault(one.question.category, []).append(one)
    figures = []
    for name, group in groups.items():
        said = f"recall, {setting}, {name} ({len(group)})"
        for cut in CUTS:
            bar = at_least(FLOORS[setting]) if name == "all" and cut == 10 else None
            figures.append(Figure(f"{said}: R@{cut}", 100 * mean(one.recall(cut) for one in group), "%", bar))
        figures.append(Figure(f"{said}: nDCG@10", 100 * mean(one.gain() for one in group), "%"))
        figures += _times(said, [one.seconds for one in group])
    return figures


def _times(said: str, seconds: Sequence[float]) -> list[Figure]:
    cuts = quantiles(seconds, n=20) if len(seconds) > 1 else [seconds[0]] * 19
    return [Figure(f"{said}: p50", 1000 * cuts[9], "ms"), Figure(f"{said}: p95", 1000 * cuts[18], "ms")]


async def ablation(house: House, setting: Setting, asked: Sequence[EvidenceQuestion]) -> list[Figure]:
    """Measure what R@10 loses without each ingredient."""
    weights = [WEIGHTS, *(replace(WEIGHTS, **dict.fromkeys(parts, 0.0)) for parts in PARTS_LEFT_OUT.values())]
    whole, *others = await ask(house.recall(), setting, asked, weights)
    without = dict(zip(PARTS_LEFT_OUT, others, strict=True))
    [without["vectors"]] = await ask(house.recall(vectors=False), setting, asked)
    [without["close words"]] = await ask(house.recall(close_words=False), setting, asked)
    return [
        Figure(f"recall, {setting.name}: R@10 without {name}", _recall_at_10(found) - _recall_at_10(whole), "points")
        for name, found in without.items()
    ]


def _recall_at_10(asked: Sequence[Asked]) -> float:
    return 100 * mean(one.recall(10) for one in asked)


async def by_others(house: House, setting: Setting, asked: Sequence[EvidenceQuestion]) -> list[Figure]:
    """Measure by weights that were fitted on the other conversations: what a guild that nobody knows may expect."""
    if len({question.channel for question in asked}) == 1:
        return []  # there are no others
    recall, cases = house.recall(), []
    for question in asked:
        guild = setting.casts[question.channel]
        audience = Audience(guild.guild_id, guild.channels[question.channel], frozenset(guild.channels.values()))
        looked = await recall.look(question.text, audience, STRANGER, question.asked_at, UTC)
        if looked is not None:
            cases.append(Case.of(question, looked, guild))
    share = await asyncio.to_thread(left_out, cases, len(asked))
    return [Figure(f"recall, {setting.name}: R@10 by weights of the other conversations", share, "%")]


async def measured(
    data: Path, hay: Path | None, *, ablate: Sequence[str] = (), note: Callable[[str, list[Asked]], None] | None = None
) -> list[Figure]:
    settings, asked = settings_of(data, hay), questions(data)
    figures: list[Figure] = []
    async with opened_house() as house:
        await house.take_in(settings)
        for setting in settings:
            [found] = await ask(house.recall(), setting, asked)
            figures += figures_of(setting.name, found)
            figures += await by_others(house, setting, asked)
            if note is not None:
                note(setting.name, found)
            if setting.name in ablate:
                figures += await ablation(house, setting, asked)
    return figures


async def measure(full: bool) -> list[Figure]:
    """Measure, among the other benchmarks, only where the data is."""
    data, hay = os.environ.get("RECALL_DATA"), os.environ.get("RECALL_HAYSTACK")
    if not data:
        print("recall_quality: no data; name its folder by RECALL_DATA.", file=sys.stderr)
        return []
    return await measured(Path(data), Path(hay) if hay else None, ablate=("alone", "guild") if full else ())


def main() -> int:
    from benchmarks.figures import table

    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall_quality", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("RECALL_DATA"), help="messages and questions")
    parser.add_argument("--haystack", type=Path, default=os.environ.get("RECALL_HAYSTACK"), help="logs to bury them in")
    parser.add_argument("--ablate", nargs="*", default=[], help="settings in which each part is left out once")
    parser.add_argument("--dump", type=Path, help="write what was found for each question here, as JSON lines")
    options = parser.parse_args()
    if options.data is None or not (Path(options.data) / "messages.jsonl").is_file():
        parser.error("no data: --data or RECALL_DATA has to name a folder with messages.jsonl and questions.jsonl")
    dumped: list[str] = []

    def note(setting: str, found: list[Asked]) -> None:
        for one in found:
            hits = list(zip(one.found, one.chances, strict=True))
            dumped.append(json.dumps({"setting": setting, "question": one.question.question_id, "found": hits}))

    hay = Path(options.haystack) if options.haystack else None
    figures = asyncio.run(measured(Path(options.data), hay, ablate=options.ablate, note=note))
    print(table(figures))
    if options.dump is not None:
        options.dump.write_text("\n".join(dumped) + "\n", encoding="utf-8")
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
