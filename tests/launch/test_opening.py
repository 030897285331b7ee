"""Opening the memory with the models that the settings name."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from pydantic import SecretStr

from ai_clients.settings import ModelOptions
from launch import processes as opening
from launch.processes import Memory
from memory.core.clock import SystemClock
from memory.core.values import Guild, Question
from memory.db.database import Database, ExternalPostgres
from memory.health import Health, PartState
from memory.manager import MemoryManager
from memory.models.usage import ModelCall, UsageStore
from memory.settings import MemoryOptions
from tests.end_to_end.house import eventually
from tests.gemini_server import gemini_server
from tests.memory.world import ALICE, GUILD, HALL, audience

MODEL = "gemini-3.8-flash"


@asynccontextmanager
async def opened(database_url: str, models: ModelOptions) -> AsyncIterator[MemoryManager]:
    clock = SystemClock()
    options = MemoryOptions.model_validate({"DATABASE_URL": SecretStr(database_url)})
    memory = Memory(options, clock, Health("bot", clock), models)
    manager = await memory.open(asyncio.Event())
    assert manager is not None
    try:
        yield manager
    finally:
        await memory.close()


async def ask(manager: MemoryManager) -> bool:
    """Whether a model answered."""
    question = Question(GUILD, HALL, 1, ALICE.user_id, "who likes tea?", datetime.now(UTC))
    return not (await manager.answers.answer(question, audience())).without_model


async def test_what_was_asked_today_before_counts_against_the_limits_of_a_model(
    database_url: str, database: Database
) -> None:
    async with gemini_server() as gemini:
        limits = gemini.options(ANSWER_MODELS=MODEL, MODEL_LIMITS=f"{MODEL}=2/day")
        async with opened(database_url, limits) as manager:
            await manager.people.meet_guild(Guild(GUILD, "The Inn"), [ALICE])
            assert await ask(manager)
        before = [ModelCall(GUILD, uuid4(), datetime.now(UTC), "answer", MODEL, "ok", 1, 1, False, 1) for _ in range(2)]
        await UsageStore(database).record(before)
        asked = gemini.asked.count(f"{MODEL}:generateContent")
        async with opened(database_url, limits) as manager:
            assert not await ask(manager)
        assert gemini.asked.count(f"{MODEL}:generateContent") == asked == 1


async def test_a_database_that_nobody_answers_for_is_named_soon_and_a_stop_is_obeyed_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert opening.SILENCE_S < 5
    monkeypatch.setattr(opening, "SILENCE_S", 0.05)
    monkeypatch.setattr(ExternalPostgres, "open_patience", 600.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = SecretStr(f"postgresql://inn@127.0.0.1:{silent.getsockname()[1]}/inn")
        clock, stop = SystemClock(), asyncio.Event()
        memory = Memory(MemoryOptions.model_validate({"DATABASE_URL": url}), clock, Health("web", clock))
        waiting = asyncio.create_task(memory.open(stop))
        await eventually(memory.report, lambda report: report.state is PartState.FAILING)
        assert (await memory.report()).processes[0].parts[0].issues == (
            "DATABASE_URL: The database has not answered yet.",
        )
        stop.set()
        assert await asyncio.wait_for(waiting, 60) is None
        await memory.close()


async def test_a_model_that_does_not_exist_is_named_before_anybody_asks_it(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with gemini_server() as gemini:
        clock = SystemClock()
        health = Health("bot", clock)
        memory = Memory(
            MemoryOptions.model_validate({"DATABASE_URL": SecretStr(database_url)}),
            clock,
            health,
            gemini.options(ANSWER_MODELS="gemini-3.9-flash,gemma-4-31b-it"),
        )
        await memory.open(asyncio.Event())
        await memory.check_models()
        named = [record.getMessage() for record in caplog.records if record.name == "launch.processes"]
        part = next(one for one in health.snapshot().parts if one.name == "models")
        await memory.close()
    gone = "there is no model gemini-3.9-flash (any more)"
    assert len(named) == 1
    assert f"model gemini-3.9-flash: {gone}. Change ANSWER_MODELS" in named[0]
    assert [issue for issue in part.issues if gone in issue]
    assert part.state is PartState.ACTIVE, "another one answers"
