"""What became of a file so far, in numbers; also as it is noted for a later run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from memory.importing.chat_export import Translated
from memory.importing.damage import Damage
from memory.store.bulk import BulkAdded

MOST_DAMAGES = 20
"""Told one by one; of a file that is broken throughout, more would help nobody."""

COUNTS = ("messages", "stored", "changed", "known", "system", "broken")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of all runs together, if an earlier one was interrupted."""

    path: Path
    size: int
    done: int = 0
    """Bytes."""
    resumed_at: int = 0
    """Bytes that an earlier run has stored."""
    messages: int = 0
    stored: int = 0
    changed: int = 0
    known: int = 0
    system: int = 0
    """Written by Discord itself: joins, pins. They are not kept."""
    broken: int = 0
    damages: list[Damage] = field(default_factory=list)

    @property
    def refused(self) -> int:
        """Deleted before, or kept out by a decision of a member or the guild."""
        return self.messages - self.stored - self.changed - self.known - self.system - self.broken

    def after(self, part: Translated, added: BulkAdded) -> "Outcome":
        """With one more part of the file."""
        damages = [damage.behind(self.messages) for damage in part.damages]
        return replace(
            self,
            done=part.end,
            messages=self.messages + part.messages,
            stored=self.stored + added.stored,
            changed=self.changed + len(added.changed),
            known=self.known + part.passed_over + added.known,
            system=self.system + part.system,
            broken=self.broken + sum(damage.index is not None for damage in damages),
            damages=[*self.damages, *damages][:MOST_DAMAGES],
        )

    def noted(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in COUNTS} | {"damages": [asdict(each) for each in self.damages]}

    def resumed(self, noted: Mapping[str, Any], stored_to: int) -> "Outcome":
        """As an earlier run has left it."""
        return Outcome(
            self.path,
            self.size,
            done=stored_to,
            resumed_at=stored_to,
            damages=[Damage(**each) for each in noted["damages"]],
            **{name: noted[name] for name in COUNTS},
        )
