"""Events about the same message keep their order, whatever each of them takes."""

import asyncio
from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from bot.background import KeyedLock, KeyedLocks


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3)), max_size=20))
def test_what_shares_a_key_happens_in_the_order_announced(events: list[tuple[int, int]]) -> None:
    happened: dict[int, list[int]] = defaultdict(list)
    announced: dict[int, list[int]] = defaultdict(list)

    async def play() -> int:
        turns = KeyedLocks()

        async def happen(number: int, key: int, pauses: int) -> None:
            turn = turns.take(key)
            announced[key].append(number)
            async with turn.acquired():
                for _ in range(pauses):
                    await asyncio.sleep(0)
                happened[key].append(number)

        await asyncio.gather(*(happen(number, *event) for number, event in enumerate(events)))
        return len(turns)

    left = asyncio.run(play())
    assert happened == announced
    assert left == 0


async def test_one_that_stops_waiting_does_not_let_the_next_one_overtake() -> None:
    turns = KeyedLocks()
    first, second, third = turns.take("a"), turns.take("a"), turns.take("a")
    happened: list[str] = []

    async def happen(name: str, turn: KeyedLock) -> None:
        async with turn.acquired():
            happened.append(name)

    waiting = asyncio.create_task(happen("second", second))
    last = asyncio.create_task(happen("third", third))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    for _ in range(10):
        await asyncio.sleep(0)
    assert happened == []
    await happen("first", first)
    await asyncio.wait_for(last, 60)
    assert happened == ["first", "third"]
    assert len(turns) == 0
