"""Stretches of talk: what was said in one channel without a long pause, and is understood as a whole.

Messages come in any order, days late by an import, or backwards by back-fill; stretches grow, and grow together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

PAUSE = timedelta(minutes=30)
MOST_MESSAGES = 200
"""Where talk never pauses, a stretch ends here."""


@dataclass(frozen=True, slots=True)
class Stretch:
    stretch_id: int
    channel_id: int
    first_at: datetime
    last_at: datetime
    messages: int
    length: int
    """In words."""


@dataclass(frozen=True, slots=True)
class Placed:
    stretch_of: dict[int, int]
    """By message."""
    changed: list[Stretch]
    """As they are now; new ones among them."""
    dissolved: dict[int, int]
    """Known ones that became part of another."""


def of_one(message_id: int, channel_id: int, sent_at: datetime, length: int) -> Stretch:
    """A message alone."""
    return Stretch(message_id, channel_id, sent_at, sent_at, 1, length)


def place(known: Iterable[Stretch], arrived: Iterable[Stretch]) -> Placed:
    """`arrived` are messages alone; `known` must hold all stretches that end or begin within a pause of them."""
    placed = Placed({}, [], {})
    by_channel: dict[int, list[tuple[Stretch, bool]]] = {}
    for stretches, is_known in ((known, True), (arrived, False)):
        for stretch in stretches:
            by_channel.setdefault(stretch.channel_id, []).append((stretch, is_known))
    for pieces in by_channel.values():
        pieces.sort(key=lambda piece: (piece[0].first_at, piece[0].stretch_id))
        _join_neighbours(pieces, placed)
    return placed


def _join_neighbours(pieces: list[tuple[Stretch, bool]], placed: Placed) -> None:
    group: list[tuple[Stretch, bool]] = []
    last_at, messages = pieces[0][0].last_at, 0
    for piece in pieces:
        later = piece[0]
        is_inside = later.last_at <= last_at
        goes_on = later.first_at - last_at < PAUSE and messages + later.messages <= MOST_MESSAGES
        if group and not is_inside and not goes_on:
            _note(group, placed)
            group, last_at, messages = [], later.last_at, 0
        group.append(piece)
        last_at, messages = max(last_at, later.last_at), messages + later.messages
    _note(group, placed)


def _joined(group: Sequence[tuple[Stretch, bool]], stretch_id: int) -> Stretch:
    return replace(
        group[0][0],
        stretch_id=stretch_id,
        last_at=max(stretch.last_at for stretch, _ in group),
        messages=sum(stretch.messages for stretch, _ in group),
        length=sum(stretch.length for stretch, _ in group),
    )


def _note(group: Sequence[tuple[Stretch, bool]], placed: Placed) -> None:
    known = [stretch for stretch, is_known in group if is_known]
    if len(known) == len(group) == 1:
        return
    # The largest keeps its name, so that few messages have to be told.
    kept = max(known, key=lambda stretch: stretch.messages).stretch_id if known else group[0][0].stretch_id
    placed.changed.append(_joined(group, kept))
    placed.dissolved.update({stretch.stretch_id: kept for stretch in known if stretch.stretch_id != kept})
    placed.stretch_of.update({stretch.stretch_id: kept for stretch, is_known in group if not is_known})
