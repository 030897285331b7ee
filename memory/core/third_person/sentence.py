"""A sentence taken apart into words and what stands between them, so that words can be exchanged one by one."""

import re
from dataclasses import dataclass

from memory.core.text import fold

_PIECES = re.compile(r"<[@#:][^<>\s]*>|[^\W_]+(?:['’ʼ][^\W_]+)*|\s+|.", re.DOTALL)


@dataclass(slots=True)
class Piece:
    """A word, a stretch of space, or a mark. `key` is the word folded, for looking it up."""

    text: str
    key: str

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or self.text.startswith("<@")


class Sentence:
    """Pieces of a text; words are numbered, and exchanged by number."""

    def __init__(self, text: str) -> None:
        self.pieces = [Piece(found.group(), fold(found.group())) for found in _PIECES.finditer(text)]
        self._places = [place for place, piece in enumerate(self.pieces) if piece.is_word]

    @property
    def words(self) -> list[Piece]:
        return [self.pieces[place] for place in self._places]

    def follows_directly(self, number: int) -> bool:
        """Whether nothing but space stands between the word before and this one."""
        if number == 0:
            return False
        between = self.pieces[self._places[number - 1] + 1 : self._places[number]]
        return all(piece.text.isspace() for piece in between)

    def is_last(self, number: int) -> bool:
        """Whether no word follows before the next mark or the end."""
        return number + 1 == len(self._places) or not self.follows_directly(number + 1)

    def exchange(self, number: int, text: str) -> None:
        """Put other text in a word's place; the looked-up word stays what was said."""
        self.pieces[self._places[number]].text = text

    def __str__(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def conjugations(line: str) -> dict[str, str]:
    """A table of `first:third` pairs, looked up by the folded first person."""
    return {fold(first): third for first, _, third in (pair.partition(":") for pair in line.split())}
