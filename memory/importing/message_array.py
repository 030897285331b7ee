"""The `messages` of an export, read piece by piece: a file of any size in the memory of a few blocks.

What looks like the last seam between two messages is taken as the end of a piece, and the parser has to agree: a wrong
guess does not parse. Where there is no seam, at the end, and wherever a guess fails, brackets are counted instead,
message by message. That is also how a broken message is told from its neighbours, which are kept.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import orjson

from memory.importing.damage import Damage
from memory.importing.json_pieces import end_of_value, read_json
from memory.importing.seams import Seam, learned_from

PIECE = 256 << 10
"""Parsed at a time: what is made of it stays in the processor's cache until it is translated."""
BLOCK = 4 << 20
"""Stored at a time."""
LARGEST_MESSAGE = 16 << 20

_SEPARATION = re.compile(rb"[ \t\r\n,]*+")
_FOLLOWED = re.compile(rb"[ \t\r\n]*+(?:,[ \t\r\n]*+\{|\])")

AGAIN = "Export this channel again and import the new file; what is there already stays as it is."

ExportedMessage: TypeAlias = dict[str, Any]
"""As it was parsed; what is in it, nobody has looked at yet."""


@dataclass(slots=True)
class Piece:
    """Messages that follow each other in the file. They are counted from its beginning."""

    start: int
    messages: list[ExportedMessage] = field(default_factory=list)
    damages: list[Damage] = field(default_factory=list)
    skipped: list[int] = field(default_factory=list)
    """Positions in `messages` before which a broken one was left out, in order."""
    end: int = 0

    @property
    def next_index(self) -> int:
        return len(self.messages) + len(self.skipped) + 1

    def index_of(self, position: int) -> int:
        """The number, counted from 1 and with the broken ones, of a message of this piece."""
        return position + 1 + sum(1 for place in self.skipped if place <= position)


class MessageArray:
    """Gives pieces until the array or the file ends."""

    def __init__(self, file: BinaryIO, start: int, *, end: int | None = None, seam: Seam | None = None) -> None:
        """`start` is the place just behind the array's opening bracket, or where a part of it begins that goes to `end`
        and whose seam is known."""
        self._file = file
        self._file.seek(start)
        self._buffer = b""
        self._offset = start
        self._end = end
        self.seam = seam
        self._is_layout_known = seam is not None
        self._wanted = PIECE
        self._at_end_of_file = False
        self._finished = False
        self.has_ended = False
        """The closing bracket has been read."""

    @property
    def is_finished(self) -> bool:
        """Nothing more can be read, whether the array has ended or not."""
        return self._finished

    @property
    def offset(self) -> int:
        """How far the file has been used up; behind the array's closing bracket once all is read."""
        return self._offset

    def read(self, size: int | None = None) -> Piece | None:
        """The next messages, about `size` bytes of them, or None when there are no more."""
        self._wanted = size or PIECE
        while not self._finished:
            self._fill()
            piece = self._guess() or self._count()
            if piece.messages or piece.damages:
                return piece
            # A message that does not fit needs more, and that twice as much each time.
            self._wanted *= 2
        return None

    def cut(self) -> tuple[int, int] | None:
        """The next block that ends at a seam, as places in the file, passed over unread; None without a seam.

        Only its end is looked at, which is where the last seam has to be; what was read ahead is given back.
        """
        if self.seam is None or self._finished:
            return None
        cut: tuple[int, int] | None = None
        for length in (BLOCK // 16, BLOCK):
            from_ = self._offset + BLOCK - length
            self._file.seek(from_)
            found = self.seam.last_end(self._file.read(length))
            if found is not None:
                cut = (self._offset, from_ + found)
                self._offset = from_ + found
                break
        self._file.seek(self._offset)
        self._buffer, self._at_end_of_file = b"", False
        return cut

    def _fill(self) -> None:
        while len(self._buffer) < self._wanted and not self._at_end_of_file:
            wanted = self._wanted - len(self._buffer)
            if self._end is not None:
                wanted = min(wanted, self._end - self._offset - len(self._buffer))
            block = self._file.read(wanted)
            self._at_end_of_file = not block
            self._buffer += block

    def _guess(self) -> Piece | None:
        if self.seam is None:
            return None
        start = _separation_end(self._buffer, 0)
        end = self.seam.last_end(self._buffer)
        if end is None or end <= start:
            return None
        try:
            messages = orjson.loads(b"[%b]" % self._buffer[start:end])
        except orjson.JSONDecodeError:
            return None
        piece = Piece(self._offset, messages)
        self._use_up(piece, end)
        return piece

    def _count(self) -> Piece:
        """Every whole message in the buffer by counting brackets, or the first of the file if it shows a seam."""
        piece = Piece(self._offset)
        place = 0
        while not self._finished:
            start = _separation_end(self._buffer, place)
            if start == len(self._buffer):
                if self._at_end_of_file and self._end is None:
                    self._stop(piece, start, None, "The file ends before its list of messages does")
                self._finished = self._at_end_of_file
                place = start
                break
            if self._buffer[start] == ord("]"):
                self._finished = self.has_ended = True
                place = start + 1
                break
            end = end_of_value(self._buffer, start)
            if (end is None or self._is_last_in_sight(end)) and not self._must_be_whole(start):
                place = start
                break
            message = self._message(start, end)
            if message is not None and end is not None:
                piece.messages.append(message)
                place = end
                if not self._is_layout_known and self._learn_layout(start, end):
                    break
            elif (after := self._behind_broken(start, end)) is not None:
                self._leave_out(piece, start)
                place = after
            elif self._must_be_whole(start):
                what = "The file ends in the middle of it" if self._at_end_of_file else "It has no end"
                self._stop(piece, start, piece.next_index, what)
                place = len(self._buffer)
            else:
                place = start
                break
        self._use_up(piece, place)
        return piece

    def _is_last_in_sight(self, end: int) -> bool:
        """Whether what follows a message, which shows if it really ends there, has yet to be read."""
        return _separation_end(self._buffer, end) == len(self._buffer)

    def _must_be_whole(self, start: int) -> bool:
        return self._at_end_of_file or len(self._buffer) - start > LARGEST_MESSAGE

    def _message(self, start: int, end: int | None) -> ExportedMessage | None:
        """The message there, if it is one and nothing follows it that does not belong there."""
        if end is None or not (_FOLLOWED.match(self._buffer, end) or self._is_last_in_sight(end)):
            return None
        try:
            message = read_json(self._buffer[start:end])
        except ValueError:
            return None
        return message if isinstance(message, dict) else None

    def _behind_broken(self, start: int, end: int | None) -> int | None:
        """Where sense begins again. A lost quotation mark swallows what follows it, but no seam is in a string."""
        if self.seam is None:
            return end
        found = self.seam.next_end(self._buffer, start)
        if found is not None:
            return found
        if not self._must_be_whole(start):
            return None
        return end if self._end is None else len(self._buffer)

    def _leave_out(self, piece: Piece, start: int) -> None:
        what = "It is not valid JSON and was left out"
        piece.damages.append(Damage(what, AGAIN, self._offset + start, piece.next_index))
        piece.skipped.append(len(piece.messages))

    def _stop(self, piece: Piece, start: int, index: int | None, what: str) -> None:
        piece.damages.append(Damage(f"{what}; all before it is imported", AGAIN, self._offset + start, index))
        if index is not None:
            piece.skipped.append(len(piece.messages))
        self._finished = True

    def _learn_layout(self, start: int, end: int) -> bool:
        """From the first message; whether the file has seams."""
        self._is_layout_known = True
        self.seam = learned_from(self._buffer, start, end)
        return self.seam is not None

    def _use_up(self, piece: Piece, end: int) -> None:
        self._buffer = self._buffer[end:]
        self._offset += end
        piece.end = self._offset


def _separation_end(data: bytes, start: int) -> int:
    found = _SEPARATION.match(data, start)
    return found.end() if found else start


def place_of(path: Path, piece: Piece, position: int) -> int:
    """Where in the file a message of a piece begins. Only asked where something is wrong with it, so it reads again."""
    with path.open("rb") as file:
        file.seek(piece.start)
        data = file.read(piece.end - piece.start)
    start = _separation_end(data, 0)
    for _ in range(piece.index_of(position) - 1):
        end = end_of_value(data, start) if start < len(data) else None
        if end is None:
            break
        start = _separation_end(data, end)
    return piece.start + start
