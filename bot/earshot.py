"""A quick look whether a message can be for us at all: every message passes here, and nearly none is.

It may only ever err on the side of listening; `memory.core.addressing` decides.
"""

import string
from collections.abc import Sequence

_NO_LETTERS = string.punctuation + string.whitespace + "¿¡"


class Earshot:
    def __init__(self, names: Sequence[str]) -> None:
        heads = tuple(name.split()[0].lower() for name in names)
        self._heads = heads if all(head.isascii() and head.isalnum() for head in heads) else None
        self._longest = max(map(len, heads))

    def may_be_addressed(self, text: str) -> bool:
        """By name or mention; a reply to us is another matter."""
        if self._heads is None or "<@" in text:
            return True
        # Behind code, quotes and links the author's own words may begin anywhere.
        if "`" in text or "> " in text or "://" in text:
            return True
        head = text.lstrip(_NO_LETTERS)[: self._longest]
        return not head.isascii() or head.lower().startswith(self._heads)
