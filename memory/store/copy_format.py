"""Messages of one channel as rows in PostgreSQL's binary COPY format, made where they are translated.

So that the process that stores them neither takes them apart nor puts them together again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from struct import Struct

import orjson

from memory.core.model import AuthorKind, Message
from memory.store.extras import read

COLUMNS = (
    "guild_id",
    "channel_id",
    "parent_id",
    "imported",
    "message_id",
    "sent_at",
    "author_id",
    "author_kind",
    "edited_at",
    "reply_to",
    "text",
    "extras",
)

_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_TAIL = b"\xff\xff"
_NULL = b"\xff\xff\xff\xff"
_TRUE = b"\0\0\0\1\1"
_JSONB_VERSION = b"\1"
_COUNT = Struct("!h")
_NUMBER = Struct("!iq")
_TWO_NUMBERS = Struct("!iqiq")
_LENGTH = Struct("!i")
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Oldest:
    """Of the messages of one author and kind the lowest id and the earliest time, which need not be of one message."""

    author_id: int
    author_kind: AuthorKind
    message_id: int
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Packed:
    """Messages of one channel, ready for COPY, and what has to be known before."""

    guild_id: int
    channel_id: int
    parent_id: int | None
    data: bytes
    count: int
    first_id: int
    last_id: int
    oldest: list[Oldest]


@dataclass(frozen=True, slots=True)
class Row:
    """One of them again, for those who have to look at each."""

    message: Message
    data: bytes


@dataclass(slots=True)
class _Author:
    field: bytes
    lowest_id: int
    earliest: int


@dataclass(slots=True)
class Packer:
    """Takes messages one by one, with nothing left to repair. Written for speed: an old guild has millions."""

    guild_id: int
    channel_id: int
    parent_id: int | None
    _place: bytes = b""
    _parts: list[bytes] = field(default_factory=lambda: [_HEAD])
    _count: int = 0
    _first_id: int = 1 << 63
    _last_id: int = -1
    _authors: dict[tuple[int, AuthorKind], _Author] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._place = (
            _COUNT.pack(len(COLUMNS))
            + _TWO_NUMBERS.pack(8, self.guild_id, 8, self.channel_id)
            + (_NULL if self.parent_id is None else _NUMBER.pack(8, self.parent_id))
            + _TRUE
        )

    def add(
        self,
        message_id: int,
        author: tuple[int, AuthorKind],
        text: str,
        sent_at: datetime,
        edited_at: datetime | None = None,
        reply_to: int | None = None,
        extras: bytes | None = None,
    ) -> None:
        sent = (sent_at - _EPOCH) // _MICROSECOND
        edited = _NULL if edited_at is None else _NUMBER.pack(8, (edited_at - _EPOCH) // _MICROSECOND)
        words = text.encode()
        known = self._authors.get(author)
        if known is None:
            known = self._authors[author] = _Author(_author_field(*author), message_id, sent)
        elif message_id < known.lowest_id or sent < known.earliest:
            known.lowest_id = min(message_id, known.lowest_id)
            known.earliest = min(sent, known.earliest)
        self._parts += (
            self._place,
            _TWO_NUMBERS.pack(8, message_id, 8, sent),
            known.field,
            edited,
            _NULL if reply_to is None else _NUMBER.pack(8, reply_to),
            _LENGTH.pack(len(words)),
            words,
            _NULL if extras is None else _LENGTH.pack(1 + len(extras)) + _JSONB_VERSION + extras,
        )
        self._count += 1
        if message_id < self._first_id:
            self._first_id = message_id
        if message_id > self._last_id:
            self._last_id = message_id

    def packed(self) -> Packed | None:
        """All of them, or None if there was nothing to pack."""
        if not self._count:
            return None
        oldest = [
            Oldest(author_id, kind, author.lowest_id, _EPOCH + author.earliest * _MICROSECOND)
            for (author_id, kind), author in self._authors.items()
        ]
        place = (self.guild_id, self.channel_id, self.parent_id)
        return Packed(*place, b"".join((*self._parts, _TAIL)), self._count, self._first_id, self._last_id, oldest)


def _author_field(author_id: int, kind: AuthorKind) -> bytes:
    name = kind.value.encode()
    return _NUMBER.pack(8, author_id) + _LENGTH.pack(len(name)) + name


def joined(rows: Iterable[Row]) -> bytes:
    """Some of the rows, ready for COPY again."""
    return b"".join((_HEAD, *(row.data for row in rows), _TAIL))


def unpack(packed: Packed) -> list[Row]:
    rows: list[Row] = []
    data, place = packed.data, len(_HEAD)
    for _ in range(packed.count):
        start = place
        place += _COUNT.size
        fields: list[bytes | None] = []
        for _ in COLUMNS:
            (length,) = _LENGTH.unpack_from(data, place)
            place += _LENGTH.size
            fields.append(None if length < 0 else data[place : place + length])
            place += max(length, 0)
        rows.append(Row(_message(packed, fields), data[start:place]))
    return rows


def _message(packed: Packed, fields: list[bytes | None]) -> Message:
    message_id, sent, author_id, kind, edited, reply_to, text, extras = fields[4:]
    return Message(
        packed.guild_id,
        packed.channel_id,
        _number(message_id),
        _number(author_id),
        AuthorKind((kind or b"").decode()),
        (text or b"").decode(),
        _EPOCH + _number(sent) * _MICROSECOND,
        None if edited is None else _EPOCH + _number(edited) * _MICROSECOND,
        None if reply_to is None else _number(reply_to),
        packed.parent_id,
        **read(None if extras is None else orjson.loads(extras[len(_JSONB_VERSION) :])),
    )


def _number(data: bytes | None) -> int:
    return int.from_bytes(data or b"", signed=True)
