"""Each fault of a model × each thing it is asked for, the member gets an answer inside the deadline.

The table is printed; a cell holds the seconds until the finished answer stood there.
"""

import asyncio
import itertools
import math
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ai_clients.base import Purpose
from ai_clients.breaker import LONGEST_REST
from memory.health import PartState
from tests.end_to_end.asking import at_home
from tests.end_to_end.faults.providers import (
    DAY_BY_MODEL,
    FAULTS,
    Fault,
    Provider,
    gemini,
)
from tests.end_to_end.faults.registry import (
    BY_MODEL,
    SAID,
    TEAM,
    WANTED,
    Drive,
    Wanted,
    ask_for_today,
    mentioning,
    new_question,
    remember,
    routed,
)
from tests.end_to_end.house import Inn, eventually, open_house
from tests.soak import SOAK

ANSWER_SECONDS = 12.0
TOO_BUSY = (
    "I can't reach my memory right now",
    "I couldn't look further back than the latest messages",
    "That took too long, so I stopped",
)
MARGIN_SECONDS = 60.0
"""For a busy machine. What hangs would hang for ever."""

Table = dict[tuple[str, str], str]
_VECTORS_SERVE = "SELECT 1 FROM index_state WHERE vector_model = $1 AND vectors_through > 0"
PURPOSES = list(dict.fromkeys(want.purpose for want in WANTED.values()))


@asynccontextmanager
async def inn_of(provider: Provider, folder: Path, database_url: str) -> AsyncIterator[Inn]:
    limits = {"member_cooldown_seconds": 0, "member_hourly_questions": 0}
    models = provider.models
    async with open_house(folder, database_url, guilds=1, models=models, **limits) as house, house.bot_running():
        inn = Inn(house, next(house.fresh))
        await at_home(inn)
        await inn.until_stored(await inn.person("maren").say(f"{SAID}, by the way."))
        await eventually(lambda: house.rows(_VECTORS_SERVE, _name(provider)))
        yield inn


def _name(provider: Provider) -> str:
    assert provider.models.embedder is not None
    return provider.models.embedder.name


async def calmly(drive: Drive, inn: Inn) -> str:
    """Once more where this machine was too busy to look into the memory in time, which is no fault of a model."""
    return await eventually(lambda: drive(inn), lambda words: not is_too_busy(words))


def is_too_busy(words: str) -> bool:
    """An answer does not wait longer than a second or two for what is known of people; then it is made without."""
    return any(sign in words for sign in TOO_BUSY)


async def cell(inn: Inn, provider: Provider, fault: Fault, want: Wanted) -> str:
    started = time.monotonic()
    words = await want.drive(inn)
    took = time.monotonic() - started
    if not want.serves(words, fault) and is_too_busy(words):
        words = await calmly(want.drive, inn)
    assert want.serves(words, fault), f"{provider.name}, {fault.name}, {want.name}: {words!r}"
    for secret in (provider.key, "on demand", "<html", "Traceback", "127.0.0.1", "gemini-good", "content_filter"):
        assert secret not in words, f"{provider.name}, {fault.name}, {want.name}: told {secret}"
    assert took < ANSWER_SECONDS + MARGIN_SECONDS, f"{provider.name}, {fault.name}, {want.name}: {took:.1f} s"
    return f"{took:.1f} s"


async def recovered(inn: Inn, provider: Provider, purpose: Purpose) -> None:
    """It is well again, and after its rest it answers without anybody's help."""
    provider.heal()
    provider.watch.ahead += LONGEST_REST
    if purpose is Purpose.SMALL:
        inn.house.memory.answers._understanding._rests_until = -math.inf
        await remember(inn)
        # Nobody is made to wait longer than two seconds for where a question leads; a busy machine takes longer.
        await eventually(lambda: routed(inn), lambda words: BY_MODEL in words)
    if purpose is Purpose.SUMMARISE:
        assert DAY_BY_MODEL in await ask_for_today(inn)

    async def is_well() -> bool:
        said = await mentioning(inn, new_question())
        models = next(part for part in inn.house.health.snapshot().parts if part.name == "models")
        return BY_MODEL in said and models.state is PartState.ACTIVE and not models.issues

    await eventually(is_well)  # a machine that is too busy to look back does not ask for vectors


def cells_asked() -> list[tuple[Fault, Purpose]]:
    """What a fault is taken for is shown where its provider's client is tested, and what follows from that is the same
    for all that are taken for the same. So one of each kind happens to every purpose; `make soak` has them all."""
    kinds = FAULTS if SOAK else tuple({fault.why: fault for fault in reversed(FAULTS)}.values())
    return list(itertools.product(kinds, PURPOSES))


@pytest.mark.soak
async def test_in_every_cell_the_member_gets_an_answer(
    tmp_path: Path, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    table: Table = {}
    async with gemini(BY_MODEL, ANSWER_SECONDS) as provider, inn_of(provider, tmp_path, database_url) as inn:
        for fault, purpose in cells_asked():
            wants = [want for want in WANTED.values() if want.purpose is purpose]
            provider.fail(purpose, fault)
            embedded = provider.embedded(TEAM)
            cells = await asyncio.gather(*(cell(inn, provider, fault, want) for want in wants))
            table |= {(fault.name, want.name): said for want, said in zip(wants, cells, strict=True)}
            assert purpose is not Purpose.EMBED or provider.embedded(TEAM) > embedded, "no vector was asked for"
            await recovered(inn, provider, purpose)
    announce(provider.name, table)
    assert table.keys() == {
        (fault.name, want.name)
        for fault, purpose in cells_asked()
        for want in WANTED.values()
        if want.purpose is purpose
    }
    assert "never-real" not in caplog.text, "a key stands in the log"
    assert SAID not in caplog.text, "what was said stands in the log"


def announce(provider: str, table: Table) -> None:
    width = max(len(fault.name) for fault in FAULTS)
    lines = [f"{provider}: {len(table)} cells, deadline {ANSWER_SECONDS} s", " | ".join([" " * width, *WANTED])]
    for fault in FAULTS:
        cells = [f"{table.get((fault.name, want), ''):>{len(want)}}" for want in WANTED]
        lines.append(" | ".join([f"{fault.name:<{width}}", *cells]))
    sys.stdout.write("\n" + "\n".join(lines) + "\n")
