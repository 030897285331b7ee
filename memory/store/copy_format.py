"""Rows of the log in PostgreSQL's binary COPY format, made where they are translated.

So that the process that stores them neither takes them apart nor puts them together again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import TypeAlias

Arrival: TypeAlias = tuple[int, int, int, int, str, str, datetime, datetime | None, int | None, int | None]
"""A message of text alone: the first fields of `Message` in their order, with nothing left to repair."""

Oldest: TypeAlias = dict[tuple[int, str], tuple[int, datetime]]
"""Of each author and kind of author the lowest id and the earliest time."""

PACKED_COLUMNS = (
    "guild_id",
    "channel_id",
    "message_id",
    "author_id",
    "sent_at",
    "edited_at",
    "reply_to",
    "parent_id",
    "author_kind",
    "text",
)

_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_TAIL = b"\xff\xff"
_NULL = b"\xff\xff\xff\xff"
_FIXED = Struct("!hiqiqiqiqiq")
_NUMBER = Struct("!iq")
_LENGTH = Struct("!i")
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Packed:
    """Messages of one channel, ready for COPY, and what has to be known before."""

    data: bytes
    count: int
    first_id: int
    last_id: int
    oldest: Oldest


def pack(arrivals: Sequence[Arrival], oldest: Oldest) -> Packed:
    parts = [_HEAD]
    kinds: dict[str, bytes] = {}
    for guild_id, channel_id, message_id, author_id, kind, text, sent_at, edited_at, reply_to, parent_id in arrivals:
        words = text.encode()
        parts += (
            _FIXED.pack(
                10, 8, guild_id, 8, channel_id, 8, message_id, 8, author_id, 8, (sent_at - _EPOCH) // _MICROSECOND
            ),
            _NULL if edited_at is None else _NUMBER.pack(8, (edited_at - _EPOCH) // _MICROSECOND),
            _NULL if reply_to is None else _NUMBER.pack(8, reply_to),
            _NULL if parent_id is None else _NUMBER.pack(8, parent_id),
            kinds.get(kind) or kinds.setdefault(kind, _LENGTH.pack(len(kind)) + kind.encode()),
            _LENGTH.pack(len(words)),
            words,
        )
    parts.append(_TAIL)
    ids = [arrival[2] for arrival in arrivals]
    return Packed(b"".join(parts), len(arrivals), min(ids), max(ids), oldest)


def unpack(packed: Packed, most: int | None = None) -> list[Arrival]:
    """The same messages again, or the first of them, for those who have to look at each."""
    arrivals: list[Arrival] = []
    data, place = packed.data, len(_HEAD)
    for _ in range(packed.count if most is None else most):
        _, _, guild_id, _, channel_id, _, message_id, _, author_id, _, sent = _FIXED.unpack_from(data, place)
        place += _FIXED.size
        optional: list[int | None] = []
        for _ in range(3):
            field, place = _field(data, place)
            optional.append(None if field is None else int.from_bytes(field, signed=True))
        kind, place = _field(data, place)
        text, place = _field(data, place)
        edited, reply_to, parent_id = optional
        edited_at = None if edited is None else _EPOCH + edited * _MICROSECOND
        words = ((kind or b"").decode(), (text or b"").decode())
        sent_at = _EPOCH + sent * _MICROSECOND
        arrivals.append((guild_id, channel_id, message_id, author_id, *words, sent_at, edited_at, reply_to, parent_id))
    return arrivals


def _field(data: bytes, place: int) -> tuple[bytes | None, int]:
    (length,) = _LENGTH.unpack_from(data, place)
    place += _LENGTH.size
    return (None, place) if length < 0 else (data[place : place + length], place + length)
