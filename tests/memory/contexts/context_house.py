"""A guild whose members have contexts: real memory and database, and models on loopback that repeat their data.

Days are told by one model and merged by another, so that each of them can fail alone.
"""

import html
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.chain import Chain, Link
from ai_clients.embedding import StaticVectors
from ai_clients.gemini import GeminiApi, GeminiModel
from ai_clients.guard import Guard
from memory.core.values import Member
from memory.db.database import Database
from memory.manager import MemoryManager
from memory.models.usage import Requester
from tests.gemini_server import GeminiServer, data_of, gemini_server, problem
from tests.memory.summaries.diary_house import GUILD, HALL, DiaryHouse, Scribe
from tests.models import BY

TELLS, MERGES, ANSWERS = "gemini-good", "gemini-3.5-flash-lite", "gemini-3.8-flash"
_DAY = re.compile(r'<day date="([\d-]+)"[^>]*>(.*?)</day>')
_FACT = re.compile(r"<fact [^>]*>(.*?)</fact>")
_TODAY = re.compile(r"<today-[^>]*>\n(.*?)\n</today-")
_HISTORY = re.compile(r"<history-[^>]*>\n(.*?)\n</history-")


@dataclass
class Narrator:
    """Both models."""

    server: GeminiServer

    def calls(self, what: str) -> list[str]:
        """What it was given each time: `histories`, `contexts` or `answers`."""
        data = [data_of(body) for body in self.server.requests if "contents" in body]
        if what == "histories":
            return [one for one in data if one.startswith("<days-")]
        if what == "answers":
            return [one for one in data if "<question-" in one]
        return [one for one in data if "<today-" in one or "<history-" in one]

    def fail(self, *models: str) -> None:
        self.server.faults = {model: lambda _: problem(400) for model in models}

    @staticmethod
    def says(data: str) -> str:
        if "<question-" in data:
            return "So says the model."
        if data.startswith("<days-"):
            return json.dumps({"summary": "Week: " + " ".join(f"{day} {text}" for day, text in _DAY.findall(data))})
        if "<today-" in data or "<history-" in data:
            parts = {
                "told": " ".join(_FACT.findall(data)),
                "today": " ".join(_TODAY.findall(data)),
                "before": " ".join(_HISTORY.findall(data)),
            }
            merged = ". ".join(f"Merged {name}: {text.rstrip('.')}" for name, text in parts.items() if text)
            return json.dumps({"context": html.unescape(merged) + "."})
        return Scribe.writes(data)


@dataclass
class ContextHouse(DiaryHouse):
    narrator: Narrator = field(init=False)

    def start(self, models: Models | None = None, **options: object) -> MemoryManager:
        return super().start(models, member_cooldown_seconds=0, member_hourly_questions=0, **options)

    async def memories(
        self, member: Member, channel: int = HALL, memory: MemoryManager | None = None, patience: float = 60.0
    ) -> str:
        """By default after whatever a model has to do, however busy the machine is."""
        memory = memory or self.memory
        audience = memory.places.audience_of(GUILD, channel)
        by = Requester(BY.user_id, self.new_id())
        return await memory.contexts.text_for(audience, member.user_id, by, patience=patience) or ""

    async def stop(self, memory: MemoryManager) -> None:
        await memory.contexts.stop()
        await super().stop(memory)

    async def rows(self, kind: str) -> list[str]:
        """The texts of a kind that are in the database, whoever may read them."""
        query = "SELECT text FROM texts WHERE guild_id = $1 AND kind = $2 ORDER BY user_id"
        rows = await self.database.read("test", query, GUILD, kind)
        return [row["text"] for row in rows]


def at_noon(house: DiaryHouse, day: int) -> datetime:
    """Of a day of March 2026."""
    return house.clock.now().replace(day=day, hour=12)


def models_of(server: GeminiServer, *, seconds: float = 20.0) -> tuple[Models, list[GeminiModel]]:
    made: list[GeminiModel] = []
    chains: dict[Purpose, Chain] = {}
    guards: dict[str, Guard] = {}
    for purpose, name in ((Purpose.SUMMARISE, TELLS), (Purpose.SMALL, MERGES), (Purpose.ANSWER, ANSWERS)):
        model = GeminiModel(name, GeminiApi(server.options()), seconds=seconds)
        guards[name] = Guard(name)
        chains[purpose] = Chain(purpose, [Link(model, guards[name])], seconds)
        made.append(model)
    return Models(chains, StaticVectors(), guards, tuple(made)), made


@asynccontextmanager
async def context_house(
    database: Database, *, with_models: bool = True, seconds: float = 20.0
) -> AsyncIterator[ContextHouse]:
    async with gemini_server() as server:
        server.says = Narrator.says
        models, made = models_of(server, seconds=seconds)
        house = ContextHouse(database, models if with_models else None)
        house.narrator = Narrator(server)
        try:
            await house.open_guild()
            yield house
        finally:
            for memory in list(house.started):
                await house.stop(memory)
            for model in made:
                await model.close()
