"""Whom somebody chose when they were asked which member a name means.

A choice waits in the id of a button until it is made, so it is numbers alone. It knows the name by a fingerprint and
the member by their id: it still means them when they, or others, go by another name by then.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

NOBODY = 0
"""None of those who were offered."""
MOST_CHOICES = 2
"""Names in one sentence that may be asked about: no more fit into the id of a button."""


@dataclass(frozen=True, slots=True)
class Choice:
    name: int
    """The fingerprint of what a name is looked up by."""
    user_id: int

    @property
    def is_nobody(self) -> bool:
        return self.user_id == NOBODY


def fingerprint(name_key: str) -> int:
    return crc32(name_key.encode("utf-8", "surrogatepass"))


def written(choices: Iterable[Choice]) -> str:
    """As short as ids of buttons need it."""
    return "-".join(f"{choice.name:x}.{choice.user_id:x}" for choice in choices)


def read(text: str) -> tuple[Choice, ...]:
    """Raises `ValueError` for what was not written by `written`."""
    pairs = [one.split(".") for one in text.split("-")] if text else []
    return tuple(Choice(int(name, 16), int(user_id, 16)) for name, user_id in pairs)
