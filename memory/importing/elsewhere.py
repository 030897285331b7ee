"""Work that another thread or process does for the loop.

`run_in_executor` and `to_thread` leave each result in a circle of objects, which stays until Python looks for garbage;
and while much is being read it hardly ever does. Here a result is gone when its reader is done with it.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def done_by(executor: Executor, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> "asyncio.Future[T]":
    loop = asyncio.get_running_loop()
    awaited: asyncio.Future[T] = loop.create_future()

    def hand_over(finished: Future[T]) -> None:
        if awaited.done():
            return
        if finished.cancelled():
            awaited.cancel()
        elif error := finished.exception():
            awaited.set_exception(error)
        else:
            awaited.set_result(finished.result())

    started = executor.submit(work, *arguments, **named)
    started.add_done_callback(lambda finished: loop.call_soon_threadsafe(hand_over, finished))
    return awaited
