"""What a member's context goes back to: facts, and days with what each says of the member.

It lies in memory beside the text, packed, since of most contexts nobody ever asks for it; only once a model has
answered, what it has taken from where is looked up here.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson

from memory.core.provenance import DayKey, Read, digest_of
from memory.core.values import Fact

UNKNOWN = b""
"""The digest of a fact whose words are not at hand: it is known to be there, and as it was when it was merged."""


@dataclass(frozen=True, slots=True)
class DaySource:
    key: DayKey
    changes: int
    text: str = ""
    """Empty: not at hand. Then it may say anything that the context does."""

    @property
    def read(self) -> Read:
        return Read(days={self.key: self.changes})


@dataclass(frozen=True, slots=True)
class ContextSources:
    facts: Mapping[int, bytes]
    days: Sequence[DaySource]

    @classmethod
    def of(cls, facts: Iterable[Fact], days: Iterable[DaySource], merged: Iterable[int] = ()) -> "ContextSources":
        """`merged` are facts that were merged before, by their ids."""
        digests = dict.fromkeys(merged, UNKNOWN) | {fact.fact_id: digest_of(fact) for fact in facts}
        return cls(digests, tuple(days))

    @classmethod
    def of_all(cls, several: Iterable["ContextSources"]) -> "ContextSources":
        facts: dict[int, bytes] = {}
        days: list[DaySource] = []
        for one in several:
            facts |= one.facts
            days += one.days
        return cls(facts, tuple(days))

    @property
    def read(self) -> Read:
        return Read(facts=self.facts, days={day.key: day.changes for day in self.days})

    def packed(self, *, with_texts: bool = True) -> bytes:
        """Without the texts of days it is smaller, and says less."""
        facts = [(fact_id, b64encode(digest).decode()) for fact_id, digest in self.facts.items()]
        days = [(day.key.scope, day.key.starts_at, day.changes, day.text if with_texts else "") for day in self.days]
        return zlib.compress(orjson.dumps((facts, days)))

    @classmethod
    def unpacked(cls, packed: bytes) -> "ContextSources":
        facts, days = orjson.loads(zlib.decompress(packed))
        return cls(
            {fact_id: b64decode(digest) for fact_id, digest in facts},
            tuple(
                DaySource(DayKey(scope, datetime.fromisoformat(starts_at)), changes, text)
                for scope, starts_at, changes, text in days
            ),
        )
