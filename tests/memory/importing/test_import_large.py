"""Imports in many batches: interrupted between two of them and run again, two at a time, and in little memory."""

from pathlib import Path

import pytest

from memory.importing import importer
from memory.importing.importer import Importer, Outcome
from tests.memory.importing.imports import bring, rows_of
from tests.memory.privacy.exports import exported, user, write
from tests.memory.world import BOB, World

MANY = 60


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importer, "BATCH", 7)


class Interrupted(Exception):
    """Stands for a crash after a transaction."""


async def break_off(importing: Importer, path: Path, *, behind: int = MANY // 3) -> Outcome:
    """Import until at least so many messages have been read."""
    reached: list[Outcome] = []

    def progress(outcome: Outcome) -> None:
        reached.append(outcome)
        if outcome.messages >= behind:
            raise Interrupted

    with pytest.raises(Interrupted):
        await importing.file(path, progress)
    return reached[-1]


def many(path: Path, *, of_bob: frozenset[int] = frozenset()) -> Path:
    bob = user(BOB.user_id, "Bob")
    return write(path, [exported(number, author=bob if number in of_bob else None) for number in range(1, MANY)])


@pytest.mark.parametrize("behind", [1, MANY - 1])
async def test_wherever_it_is_interrupted_everything_is_stored_once(
    behind: int, world: World, importing: Importer, tmp_path: Path
) -> None:
    path = many(tmp_path / "hall.json")
    reached = await break_off(importing, path, behind=behind)
    before = await rows_of(world)
    assert len(before) == reached.stored == reached.messages
    assert 0 < reached.done <= path.stat().st_size
    outcome = await bring(importing, path)
    assert (outcome.messages, outcome.stored, outcome.known) == (MANY - 1, MANY - 1 - reached.stored, reached.stored)
    assert (outcome.done, outcome.damages) == (path.stat().st_size, [])
    after = await rows_of(world)
    assert len(after) == MANY - 1
    assert after[: len(before)] == before
