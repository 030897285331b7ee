"""Large files are parsed by processes of their own, block by block: that is most of the work, and Python does one thing
at a time in each process."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memory.importing.chat_export import Translated, Translator
from memory.importing.header import Header
from memory.importing.message_array import MessageArray
from memory.importing.pace import made_for_reading
from memory.importing.seams import Seam

MOST_PROCESSES = 3


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a file that begins and ends between two messages."""

    path: Path
    start: int
    end: int
    seam: Seam
    header: Header
    own_ids: frozenset[int]


def translate_block(block: Block) -> Translated | None:
    """Runs in a process of its own. Messages are counted from the beginning of the block.

    None if it is not certain that the block begins and ends between two messages.
    """
    translator = Translator(block.path, block.header, block.own_ids)
    with made_for_reading(), block.path.open("rb") as file:
        array = MessageArray(file, block.start, end=block.end, seam=block.seam)
        while (piece := array.read()) is not None:
            if piece.damages and not block.seam.is_certain:
                return None
            translator.take(piece)
    return translator.translated(has_ended=array.has_ended)


@contextmanager
def reading_processes() -> Iterator[ProcessPoolExecutor]:
    """As many as there are processors, up to what a database can follow; they start with the first block."""
    count = min(os.cpu_count() or 1, MOST_PROCESSES)
    executor = ProcessPoolExecutor(
        count, mp_context=multiprocessing.get_context("spawn"), initializer=_live_with_parent
    )
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _live_with_parent() -> None:
    """Ctrl-C is for the parent, which then ends us; and when it dies, however it dies, nobody needs us any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
