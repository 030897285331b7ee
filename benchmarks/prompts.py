"""Measures how much of what answers a question stands in the prompt that the answering model gets.

Questions with known evidence through the real answer path, up to the call of a model that records its prompt: asked
in a channel where nothing was said ("elsewhere") and in the channel itself ("here"); among all conversations in one
guild, and with a haystack around them. What counts is the text of each message of evidence, whole, in the prompt; and
tokens by a real tokenizer, rules included. The data is named by RECALL_DATA, that of a haystack by
RECALL_HAYSTACK; searches as a model wrote them from the questions alone, by RECALL_SEARCHES (a file of
lines with `id` and `searches`): then all is measured once more with a model that understands a question so.
"""

from __future__ import annotations

import html
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from ai_clients.base import Prompt
from ai_clients.build import build_models
from ai_clients.gemini import GeminiModel
from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.model_process import ModelProcess, model_process
from benchmarks.recall_data import Cast, EvidenceQuestion, cast, conversations, haystack, questions
from memory.answers.generate import ModelReply
from memory.core.clock import SystemClock
from memory.core.values import Guild, Question, last_id_of
from memory.health import Health
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.settings import MemoryOptions

STRANGER = 1
ELSEWHERE = 999
"""A channel in which nobody ever said anything."""
NO_LIMITS = {"member_cooldown_seconds": 0, "member_hourly_questions": 0, "guild_daily_tokens": 0}
SMALL_ROOM = 1_000
MOST_ALONE, MOST_SEARCHED = (2_500, 3_000), (3_300, 5_500)
"""Tokens of half of the prompts, and of nine of ten: lists and counts are given 2.6 times the room."""
FLOORS = {"guild": 88.0, "hay": 84.0}
FLOORS_SEARCHED = {"guild": 94.0, "hay": 91.0}


@dataclass(frozen=True, slots=True)
class Given:
    """Holds what the model was given for one question."""

    question: EvidenceQuestion
    found: frozenset[str]
    tokens: int
    lines: int
    seconds: float

    @property
    def share(self) -> float:
        return len(self.found) / len(self.question.evidence)


@contextmanager
def recorded(prompts: list[tuple[float, Prompt]]) -> Iterator[None]:
    """Record every prompt that goes to the model for an answer, with its moment."""
    original = GeminiModel.generate_as

    @wraps(original)
    async def noted(self: GeminiModel, prompt: Prompt, shape: type[Any]) -> Any:  # noqa: ANN401 - as it is
        if shape is ModelReply:
            prompts.append((time.perf_counter(), prompt))
        return await original(self, prompt, shape)

    setattr(GeminiModel, "generate_as", noted)  # noqa: B010 - a method is not to be assigned otherwise
    try:
        yield
    finally:
        setattr(GeminiModel, "generate_as", original)  # noqa: B010


@asynccontextmanager
async def opened(folder: Path, model: ModelProcess, room: int | None) -> AsyncIterator[MemoryManager]:
    clock = SystemClock()
    settings = {"data_dir": folder / "data", "database_url": None, **NO_LIMITS}
    options = MemoryOptions.model_validate(settings | ({} if room is None else {"recalled_tokens": room}))
    models = await build_models(model.options())
    manager = await MemoryManager.open(options, clock=clock, health=Health("bot", clock), models=models)
    try:
        yield manager
    finally:
        await manager.close()
        await models.close()


async def take_in(manager: MemoryManager, guild: Cast) -> None:
    await manager.people.meet_guild(Guild(guild.guild_id, "Measured"), guild.members, complete=True)
    for each in guild.messages:
        await manager.ingest_message(each)
    await manager.log.settled()
    await manager.indexer.catch_up()


async def ask(manager: MemoryManager, guild: Cast, asked: Sequence[EvidenceQuestion], *, here: bool) -> list[Given]:
    count = tokenizer()
    texts = {guild.line_of[one.message_id]: " ".join(one.text.split()) for one in guild.messages}
    given: list[Given] = []
    prompts: list[tuple[float, Prompt]] = []
    with recorded(prompts):
        for number, one in enumerate(asked):
            place = guild.channels[one.channel] if here else ELSEWHERE
            audience = Audience(guild.guild_id, place, frozenset(guild.channels.values()) | {ELSEWHERE})
            message_id = last_id_of(one.asked_at) + number
            question = Question(guild.guild_id, place, message_id, STRANGER, one.text, one.asked_at)
            prompts.clear()
            started = time.perf_counter()
            await manager.answers.answer(question, audience)
            at, prompt = next((entry for entry in prompts if "<question-" in entry[1].data), (started, Prompt("", "")))
            data = html.unescape(prompt.data)
            found = frozenset(line for line in one.evidence if texts[line] in data)
            lines = len(re.findall(r"^\d+ ", data, re.MULTILINE))
            given.append(Given(one, found, count(prompt.rules + prompt.data), lines, at - started))
    return given


def tokenizer() -> Any:  # noqa: ANN401 - from text to a number
    """Load the tokenizer of the model that comes with the vectors: as good as any to see what a prompt costs."""
    import wordllama

    loaded = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True).tokenizer
    loaded.no_padding()
    loaded.no_truncation()
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)


def figures_of(
    setting: str, given: Sequence[Given], floor: float | None, most_tokens: tuple[int, int] | None
) -> list[Figure]:
    """Make the figures of a setting; `most_tokens`: of half of the prompts, and of nine of ten."""
    said = f"prompts, {setting}"
    tokens = quantiles([one.tokens for one in given], n=10)
    figures = [
        Figure(
            f"{said}: evidence", 100 * mean(one.share for one in given), "%", None if floor is None else at_least(floor)
        ),
        Figure(f"{said}: questions with any", 100 * mean(bool(one.found) for one in given), "%"),
        Figure(f"{said}: questions with all", 100 * mean(one.share == 1 for one in given), "%"),
        Figure(
            f"{said}: tokens, half",
            median(one.tokens for one in given),
            "",
            at_most(most_tokens[0]) if most_tokens else None,
        ),
        Figure(f"{said}: tokens, nine of ten", tokens[-1], "", at_most(most_tokens[1]) if most_tokens else None),
        Figure(f"{said}: numbered lines", mean(one.lines for one in given), ""),
        Figure(f"{said}: until the model, half", 1e3 * median(one.seconds for one in given), "ms"),
        Figure(f"{said}: without a prompt", 100 * mean(not one.tokens for one in given), "%"),
    ]
    for name in sorted({one.question.category for one in given}):
        group = [one.share for one in given if one.question.category == name]
        figures.append(Figure(f"{said}, {name} ({len(group)}): evidence", 100 * mean(group), "%"))
    return figures


async def measured(data: Path, hay: Path | None, searches: Path | None = None) -> list[Figure]:
    lines, asked = conversations(data), questions(data)
    figures: list[Figure] = []
    async with model_process() as model:
        for name in ("guild", "hay") if hay is not None else ("guild",):
            guild = cast(1, [*lines, *haystack(hay)] if name == "hay" and hay is not None else lines)
            with open_folder() as folder:
                async with opened(folder, model, None) as manager:
                    await take_in(manager, guild)
                    given = await ask(manager, guild, asked, here=False)
                    most = MOST_ALONE if name == "guild" else None
                    figures += figures_of(f"{name}, elsewhere", given, FLOORS[name], most)
                if searches is not None:
                    understood = Path(folder) / "searches.json"
                    understood.write_text(json.dumps(_by_question(searches, asked)), encoding="utf-8")
                    async with model_process(understood) as knowing, opened(folder, knowing, None) as manager:
                        given = await ask(manager, guild, asked, here=False)
                        figures += figures_of(f"{name}, searched", given, FLOORS_SEARCHED[name], MOST_SEARCHED)
                if name == "hay":
                    continue
                async with opened(folder, model, None) as manager:
                    given = await ask(manager, guild, asked, here=True)
                    figures += figures_of(f"{name}, here", given, FLOORS[name], None)
                async with opened(folder, model, SMALL_ROOM) as manager:
                    given = await ask(manager, guild, asked, here=False)
                    figures += figures_of(f"{name}, elsewhere, {SMALL_ROOM:,} tokens", given, None, None)
    return figures


def _by_question(searches: Path, asked: Sequence[EvidenceQuestion]) -> dict[str, list[str]]:
    lines = (json.loads(line) for line in searches.read_text(encoding="utf-8").splitlines())
    of_id = {line["id"]: line["searches"] for line in lines}
    return {one.text: of_id.get(one.question_id, []) for one in asked}


async def measure(_full: bool) -> list[Figure]:
    """Measure, among the other benchmarks, only where the data is."""
    data, hay, searches = map(os.environ.get, ("RECALL_DATA", "RECALL_HAYSTACK", "RECALL_SEARCHES"))
    if not data:
        print("prompts: no data; name its folder by RECALL_DATA.", file=sys.stderr)
        return []
    return await measured(Path(data), Path(hay) if hay else None, Path(searches) if searches else None)
