"""What stands between two messages of a file, learned from its first one: there, a file can be cut unread."""

import re
from dataclasses import dataclass
from typing import TypeAlias

_LONGEST_INDENT = 64
_LAST_LINE = re.compile(rb"\r?\n[ \t]*\}\Z")
_NEXT_BEGINS = re.compile(rb"[ \t\r\n]*,[ \t\r\n]*\{")
# As the exporter begins a message, and nothing else: of all that is in one, only the first key is the same.
_FIRST_KEYS = re.compile(
    rb'(?P<opening>\{\s*"id"\s*:\s*")\d+"\s*,\s*"type"\s*:\s*"[^"\\]*"\s*,\s*"timestamp"\s*:\s*(?:"|null)'
)
_AFTER_OPENING = re.compile(rb'\d+"\s*,\s*"type"\s*:\s*"[^"\\]*"\s*,\s*"timestamp"\s*:\s*(?:"|null)')


@dataclass(frozen=True, slots=True)
class LineSeam:
    """Of a file that is laid out in lines: line breaks and indents tell, and no string can hold a line break."""

    between: bytes
    """From the line break before the closing brace of one to the opening brace of the next."""
    closing: int
    """How much of it belongs to the first."""

    is_certain = True

    def last_end(self, data: bytes) -> int | None:
        """Just behind the last message that is followed by another."""
        found = data.rfind(self.between)
        return None if found < 0 else found + self.closing

    def next_end(self, data: bytes, start: int) -> int | None:
        found = data.find(self.between, start)
        return None if found < 0 else found + self.closing


@dataclass(frozen=True, slots=True)
class KeySeam:
    """Of a file on one line: the keys that a message begins with tell, and no string can hold their bare quotation
    marks. Something inside of a message might begin with the same ones, so what was cut there has to be whole."""

    between: bytes
    """From the closing brace of one message into the id of the next."""

    is_certain = False

    def last_end(self, data: bytes) -> int | None:
        found = data.rfind(self.between)
        while found >= 0 and not _AFTER_OPENING.match(data, found + len(self.between)):
            found = data.rfind(self.between, 0, found)
        return None if found < 0 else found + 1

    def next_end(self, data: bytes, start: int) -> int | None:
        found = data.find(self.between, start)
        while found >= 0 and not _AFTER_OPENING.match(data, found + len(self.between)):
            found = data.find(self.between, found + 1)
        return None if found < 0 else found + 1


Seam: TypeAlias = LineSeam | KeySeam


def learned_from(data: bytes, start: int, end: int) -> Seam | None:
    """The seam that follows the message there, if it shows one."""
    following = _NEXT_BEGINS.match(data, end)
    if following is None:
        return None
    closing = _LAST_LINE.search(data[max(start, end - _LONGEST_INDENT) : end])
    if closing:
        return LineSeam(closing.group() + following.group(), len(closing.group()))
    begins = _FIRST_KEYS.match(data, following.end() - 1)
    if begins and _FIRST_KEYS.match(data, start):
        return KeySeam(b"}" + data[end : following.end() - 1] + begins["opening"])
    return None
