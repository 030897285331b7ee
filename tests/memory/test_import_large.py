"""Imports in many steps: cut into blocks, interrupted between two of them, and gone on with."""

import asyncio
import gc
import json
import tracemalloc
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from memory.core.admission import Consent
from memory.core.log import LogSettings
from memory.importing import message_array, parts
from memory.importing.fingerprint import SAMPLE, fingerprint
from memory.importing.importing import Importing
from memory.importing.outcome import Outcome
from tests.memory.exports import exported, user, write
from tests.memory.imports import bring, log_of, rows_of
from tests.memory.logbook import decide_log
from tests.memory.world import ALICE, BOB, GUILD, World

pytestmark = pytest.mark.usefixtures("small_blocks")
MANY = 60


def in_lines(path: Path) -> None:
    """As it was written."""


def on_one_line(path: Path) -> None:
    path.write_bytes(json.dumps(json.loads(path.read_bytes())).encode())


def without_a_space(path: Path) -> None:
    path.write_bytes(json.dumps(json.loads(path.read_bytes()), separators=(",", ":")).encode())


@pytest.mark.parametrize("lay_out", [in_lines, on_one_line, without_a_space])
async def test_large_files_go_through_blocks_with_the_same_result(
    lay_out: Callable[[Path], None], world: World, importing: Importing, tmp_path: Path
) -> None:
    messages = [exported(number, f"text {number}") for number in range(1, 60)]
    del messages[30]["author"]
    path = write(tmp_path / "hall.json", messages)
    lay_out(path)
    path.write_bytes(path.read_bytes().replace(b'text 20"', b"text 20"))
    outcome = await bring(importing, path)
    assert sorted(await log_of(world)) == [number for number in range(1, 60) if number not in (20, 31)]
    assert sorted(damage.index or 0 for damage in outcome.damages) == [20, 31]
    before = await rows_of(world)
    again = await bring(importing, path)
    assert (again.stored, again.known, again.broken) == (0, 57, 2)
    assert await rows_of(world) == before


async def test_what_begins_like_a_message_inside_of_one_is_not_taken_for_one(
    world: World, importing: Importing, tmp_path: Path
) -> None:
    inside = [{"id": str(9_000 + number), "type": "x", "timestamp": None, "content": "no"} for number in range(30)]
    messages = [exported(number, f"text {number}", related=inside) for number in range(1, 30)]
    path = write(tmp_path / "hall.json", messages)
    on_one_line(path)
    outcome = await bring(importing, path)
    assert (outcome.stored, outcome.damages) == (29, [])
    assert sorted(await log_of(world)) == list(range(1, 30))


@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize("worth_starting", [80_000, 1 << 30])
async def test_what_was_stored_is_not_kept_in_memory(
    worth_starting: int, is_known: bool, importing: Importing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (message_array, parts):
        monkeypatch.setattr(module, "BLOCK", 40_000)
    monkeypatch.setattr(parts, "WORTH_STARTING", worth_starting)
    path = write(tmp_path / "hall.json", [exported(number, "x" * 30_000) for number in range(1, MANY)])
    if is_known:
        await bring(importing, path)
    held: list[int] = []
    gc.collect()
    gc.disable()  # it rarely runs while large files are read: what is in a circle stays
    tracemalloc.start()
    try:
        await importing.file(path, lambda _: held.append(tracemalloc.get_traced_memory()[0]))
    finally:
        tracemalloc.stop()
        gc.enable()
    early, late = held[len(held) // 3], held[-1]
    assert late - early < path.stat().st_size // 4


class Interrupted(Exception):
    """Stands for a crash after a transaction."""


async def break_off(importing: Importing, path: Path, *, behind: int = MANY // 3) -> Outcome:
    """Import until at least so many messages have been read."""
    reached: list[Outcome] = []

    def progress(outcome: Outcome) -> None:
        reached.append(outcome)
        if outcome.messages >= behind:
            raise Interrupted

    with pytest.raises(Interrupted):
        await importing.file(path, progress)
    return reached[-1]


async def go_on(importing: Importing, path: Path) -> tuple[list[Outcome], Outcome]:
    """Where it went on, if it did, and what became of the file."""
    resumed: list[Outcome] = []
    return resumed, await importing.file(path, lambda _: None, on_resume=resumed.append)


async def clear_log(world: World) -> None:
    async with world.database.connection("test") as connection:
        await connection.execute("TRUNCATE chat_history")


async def notes(world: World) -> int:
    async with world.database.connection("test") as connection:
        return int(await connection.fetchval("SELECT count(*) FROM imports"))


def many(path: Path, *, of_bob: frozenset[int] = frozenset()) -> Path:
    bob = user(BOB.user_id, "Bob")
    return write(path, [exported(number, author=bob if number in of_bob else None) for number in range(1, MANY)])


async def test_an_interrupted_import_goes_on_where_it_was(world: World, importing: Importing, tmp_path: Path) -> None:
    path = many(tmp_path / "hall.json")
    broken_off = await break_off(importing, path)
    await clear_log(world)  # so that whatever is read again shows
    copy = path.rename(tmp_path / "the same under another name.json")
    (resumed,), outcome = await go_on(importing, copy)
    assert resumed.resumed_at == broken_off.done > 0
    assert resumed.messages == broken_off.messages
    assert (outcome.messages, outcome.stored, outcome.done) == (MANY - 1, MANY - 1, copy.stat().st_size)
    assert sorted(await log_of(world)) == list(range(broken_off.messages + 1, MANY))
    assert await notes(world) == 0


@pytest.mark.parametrize("lay_out", [in_lines, on_one_line])
@pytest.mark.parametrize("behind", [1, 2, MANY - 1])
async def test_wherever_it_is_interrupted_everything_is_stored_once(
    behind: int, lay_out: Callable[[Path], None], world: World, importing: Importing, tmp_path: Path
) -> None:
    path = many(tmp_path / "hall.json")
    lay_out(path)
    await break_off(importing, path, behind=behind)
    _, outcome = await go_on(importing, path)
    assert (outcome.messages, outcome.stored + outcome.known, outcome.damages) == (MANY - 1, MANY - 1, [])
    assert sorted(await log_of(world)) == list(range(1, MANY))


async def test_a_changed_file_and_a_finished_one_are_read_from_the_beginning(
    world: World, importing: Importing, tmp_path: Path
) -> None:
    path = many(tmp_path / "hall.json")
    await break_off(importing, path)
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"content": "hello"', b'"content": "jello"', 1))
    await clear_log(world)
    resumed, outcome = await go_on(importing, path)
    assert (resumed, outcome.stored) == ([], MANY - 1)
    await clear_log(world)
    resumed, outcome = await go_on(importing, path)
    assert (resumed, outcome.stored) == ([], MANY - 1)


async def test_what_was_decided_meanwhile_holds(world: World, importing: Importing, tmp_path: Path) -> None:
    of_bob = frozenset(range(1, MANY, 4))
    path = many(tmp_path / "hall.json", of_bob=of_bob)
    await break_off(importing, path)
    await world.memory.opt_out(GUILD, BOB.user_id)
    await world.memory.erase_member(GUILD, ALICE.user_id, 50)
    resumed, _ = await go_on(importing, path)
    assert resumed
    assert set(await log_of(world)) == set(range(51, MANY)) - of_bob


async def test_what_was_kept_out_is_looked_at_again_after_another_decision(
    world: World, importing: Importing, tmp_path: Path
) -> None:
    await decide_log(world.memory, GUILD, LogSettings(consent=Consent.OPT_IN))
    path = many(tmp_path / "hall.json")
    assert (await break_off(importing, path)).stored == 0
    await decide_log(world.memory, GUILD, LogSettings())
    resumed, outcome = await go_on(importing, path)
    assert (resumed, outcome.stored, outcome.refused) == ([], MANY - 1, 0)
    assert sorted(await log_of(world)) == list(range(1, MANY))


async def test_what_is_broken_in_the_first_part_is_told_at_the_end(
    world: World, importing: Importing, tmp_path: Path
) -> None:
    messages = [exported(number) for number in range(1, MANY)]
    del messages[2]["author"]
    del messages[MANY - 5]["author"]
    path = write(tmp_path / "hall.json", messages)
    await break_off(importing, path)
    resumed, outcome = await go_on(importing, path)
    assert resumed
    assert [damage.index for damage in outcome.damages] == [3, MANY - 4]
    assert (outcome.stored, outcome.broken, outcome.refused) == (MANY - 3, 2, 0)
    data = path.read_bytes()
    assert all(data[damage.offset :].startswith(b'{\n      "id": ') for damage in outcome.damages)


async def test_the_note_goes_with_the_guild(world: World, importing: Importing, tmp_path: Path) -> None:
    await break_off(importing, many(tmp_path / "hall.json"))
    assert await notes(world) == 1
    await world.memory.leave_guild(GUILD)
    await world.memory.purge(world.clock.now() + timedelta(days=8))
    assert await notes(world) == 0


async def test_two_imports_of_one_file_at_a_time_end_well(world: World, importing: Importing, tmp_path: Path) -> None:
    path = many(tmp_path / "hall.json")
    both = await asyncio.gather(go_on(importing, path), go_on(importing, path))
    # Whichever begins later may go on behind the other, and counts what was stored up to there as well.
    stored = sum(outcome.stored - sum(before.stored for before in resumed) for resumed, outcome in both)
    assert stored == MANY - 1
    assert sorted(await log_of(world)) == list(range(1, MANY))
    assert await notes(world) == 0


def test_a_file_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    data = bytes(range(256)) * (3 * SAMPLE // 256)
    path.write_bytes(data)
    known = fingerprint(path)
    for place in (0, len(data) // 2, len(data) - 1):
        changed = bytearray(data)
        changed[place] ^= 1
        path.write_bytes(changed)
        assert fingerprint(path) != known
    path.write_bytes(data + b" ")
    assert fingerprint(path) != known
    path.rename(path := tmp_path / "b.json")
    path.write_bytes(data)
    assert fingerprint(path) == known
