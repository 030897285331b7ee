"""Promise 3, nothing kept that should be gone: whatever was deleted, in whatever way, leaves no trace anywhere.

Every run has the same evening, as far as processes that run side by side let it; SOAK=1 has many, and others each time.
The seed is printed; ERASURE_SEED=… repeats the people, the words, their fates and the order of events.
"""

import asyncio
import time
from pathlib import Path

import pytest

from tests.end_to_end.erasure.evening import Evening, announce
from tests.end_to_end.erasure.layout import lay_out
from tests.end_to_end.erasure.searching import QUICK, traces, until_gone
from tests.end_to_end.erasure.stage import set_stage
from tests.soak import SOAK, seed_of

EVENINGS, COPIES = (3, 2) if SOAK else (1, 1)
ROUNDS = 3 if SOAK else 1
USUAL = 9
SEARCHES, SEARCHING_AGAIN_SECONDS = 3, 5.0


@pytest.mark.soak
@pytest.mark.parametrize("number", range(EVENINGS))
async def test_what_was_deleted_leaves_no_trace(tmp_path: Path, database_url: str, number: int) -> None:
    seed, started = seed_of("ERASURE_SEED", USUAL, number), time.monotonic()
    announce(f"ERASURE_SEED={seed}")
    async with set_stage(tmp_path, database_url, seed) as stage:
        evening = Evening(stage, lay_out(stage, COPIES, every_pair=SOAK))
        await evening.come_in()
        await evening.derive()
        announce(f"{time.monotonic() - started:.0f} s: all is in, and told on")
        doomed = stage.rng.sample(evening.layout.doomed, len(evening.layout.doomed))
        for start in range(ROUNDS):
            await evening.delete(doomed[start::ROUNDS])
        await evening.time_goes_by()
        announce(f"{time.monotonic() - started:.0f} s: all is deleted")
        await assert_no_trace(evening, seed)
        announce(f"{time.monotonic() - started:.0f} s: no trace")
        await evening.bring_back()
        announce(f"{time.monotonic() - started:.0f} s: nobody brought it back")
        await assert_no_trace(evening, seed)
        await evening.must_have_stayed()
        announce(f"{evening.layout.cases} cases in {time.monotonic() - started:.0f} s")


async def assert_no_trace(evening: Evening, seed: int) -> None:
    """What is under way just then may still hold it for a moment."""
    await until_gone(lambda: traces(evening.stage, QUICK, explained=False))
    for search in range(SEARCHES):
        await asyncio.sleep(search * SEARCHING_AGAIN_SECONDS)
        found = await traces(evening.stage, explained=search == SEARCHES - 1)
        if not found:
            return
    shown = "\n".join(found[:40])
    raise AssertionError(f"ERASURE_SEED={seed}: {len(found)} traces, after {evening.done}\n{shown}")
