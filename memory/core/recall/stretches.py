"""Stretches of talk: what was said in one channel without a long pause, and is understood as a whole.

Messages come in any order, days late by an import, or backwards by back-fill; stretches grow, and grow together.
"""

from collections.abc import Iterable
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
    group = [pieces[0]]
    now = pieces[0][0]
    for piece in pieces[1:]:
        if _belong_together(now, piece[0]):
            group.append(piece)
            now = replace(
                now,
                last_at=max(now.last_at, piece[0].last_at),
                messages=now.messages + piece[0].messages,
                length=now.length + piece[0].length,
            )
        else:
            _note(group, now, placed)
            group, now = [piece], piece[0]
    _note(group, now, placed)


def _belong_together(now: Stretch, later: Stretch) -> bool:
    is_inside = later.last_at <= now.last_at
    return is_inside or (later.first_at - now.last_at < PAUSE and now.messages + later.messages <= MOST_MESSAGES)


def _note(group: list[tuple[Stretch, bool]], now: Stretch, placed: Placed) -> None:
    known = [stretch for stretch, is_known in group if is_known]
    if len(known) == len(group) == 1:
        return
    # The largest keeps its name, so that few messages have to be told.
    kept = max(known, key=lambda stretch: stretch.messages).stretch_id if known else group[0][0].stretch_id
    placed.changed.append(replace(now, stretch_id=kept))
    placed.dissolved.update({stretch.stretch_id: kept for stretch in known if stretch.stretch_id != kept})
    placed.stretch_of.update({stretch.stretch_id: kept for stretch, is_known in group if not is_known})
