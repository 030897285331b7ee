"""What is wrong with an exported file: what, where, and what to do. Never what anybody wrote in it."""

from dataclasses import dataclass, replace
from pathlib import Path

BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Damage:
    """Something in a file that could not be used."""

    what: str
    remedy: str
    offset: int
    """Bytes from the beginning of the file."""
    index: int | None = None
    """Which message, counted from 1; None where it is not about a message."""

    def behind(self, messages: int) -> "Damage":
        """The same, with the messages counted that stand before the part it was found in."""
        return self if self.index is None else replace(self, index=self.index + messages)


class UnusableExport(Exception):
    """Nothing of this file can be imported."""

    def __init__(self, damage: Damage) -> None:
        super().__init__(damage.what)
        self.damage = damage


def line_at(path: Path, offset: int) -> int:
    """The line, counted from 1, that holds this byte. Only asked where something is wrong, so it may read again."""
    lines = 1
    with path.open("rb") as file:
        while offset > 0 and (block := file.read(min(BLOCK, offset))):
            lines += block.count(b"\n")
            offset -= len(block)
    return lines
