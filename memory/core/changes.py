"""Changes of the ledger that can be undone for a day, and what came of undoing one, as values."""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from memory.core.outcomes import Entitled, KnownBetter, NothingToRemember, TooLong, UnclearWho
from memory.core.values import Fact
from memory.places.view import Audience
from memory.policy.authority import Matter, UndoEffect


class ChangeKind(StrEnum):
    REMEMBERED = "remembered"
    FORGOTTEN = "forgotten"
    EDITED = "edited"
    VETOED = "vetoed"
    """Its subject says that it is not true, or not about them."""
    OPENED = "opened"
    """Its teller let everyone know what they had told of themselves in private."""


_TAKEN_AWAY = (ChangeKind.FORGOTTEN, ChangeKind.VETOED)


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was done to the ledger."""

    guild_id: int
    change_id: UUID
    kind: ChangeKind
    made_by: int
    made: tuple[Fact, ...]
    """Facts that came with it, as they are now; those that are gone meanwhile are missing."""
    before: tuple[Fact, ...]
    """Facts that it changed or took away, as they were; those whose words may not be kept any more are missing."""
    subjects: frozenset[int]
    tellers: frozenset[int]
    channels: frozenset[int]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What it is about, for saying so: what came, or else what was there before."""
        return self.made or self.before

    @property
    def told(self) -> tuple[Fact, ...]:
        """The facts of the telling that came with it, as they are now."""
        return tuple(fact for fact in self.made if fact.teller_id == self.made_by)

    @property
    def matter(self) -> Matter:
        """What undoing it is about, for asking who may."""
        undoing = UndoEffect.BRINGS_BACK if self.kind in _TAKEN_AWAY else UndoEffect.TAKES_OUT
        return Matter(self.subjects, self.tellers, made_by=self.made_by, undoing=undoing)


@dataclass(frozen=True, slots=True)
class Opened:
    """Everyone may know it now."""

    change_id: UUID | None
    """None: they could already."""


@dataclass(frozen=True, slots=True)
class Undone:
    kind: ChangeKind
    back: tuple[Fact, ...] = ()
    """What holds again or says again what it said, as far as those who read this may hear it."""
    gone: tuple[Fact, ...] = ()
    """What went with the change, likewise."""
    told_by: UUID | None = field(default=None, compare=False)
    """The change that told what is back, or last put it in other words, if that can be undone in turn."""
    is_about_others: bool = field(default=False, compare=False)
    """What is back is about somebody else than its teller, who may object to it."""


@dataclass(frozen=True, slots=True)
class ChangedSince:
    """The ledger is not as the change left it, or what would come back may not: nothing was done."""

    now: tuple[Fact, ...] = ()
    """What holds instead, as far as those who read this may hear it."""


@dataclass(frozen=True, slots=True)
class NothingToUndo:
    """The day is over, or it was undone already."""


@dataclass(frozen=True, slots=True)
class MayNotUndo:
    who_may: tuple[Entitled, ...] = ()


UndoOutcome = Undone | ChangedSince | NothingToUndo | MayNotUndo


@dataclass(frozen=True, slots=True)
class Edited:
    fact: Fact
    change_id: UUID
    replaced: tuple[Fact, ...] = ()
    """What does not hold any more since."""
    about: tuple[int, ...] = ()
    """All whom it is about; nobody: the guild itself."""


@dataclass(frozen=True, slots=True)
class EditedNothing:
    """It says so already, or is known so."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class NothingToEdit:
    """The fact is gone, over or not told here, or was told too long ago."""


@dataclass(frozen=True, slots=True)
class MayNotEdit:
    who_may: tuple[Entitled, ...] = ()


@dataclass(frozen=True, slots=True)
class AboutSomebodyElse:
    """In other words it would be about other people: that is another telling."""


@dataclass(frozen=True, slots=True)
class VetoedBefore:
    """Whom it is about said of this very statement that it is not true."""

    subject_id: int


EditOutcome = (
    Edited
    | EditedNothing
    | NothingToEdit
    | MayNotEdit
    | AboutSomebodyElse
    | VetoedBefore
    | KnownBetter
    | NothingToRemember
    | TooLong
    | UnclearWho
)


def audible(facts: Collection[Fact], audience: Audience) -> tuple[Fact, ...]:
    """Those that this audience could hear."""
    return tuple(
        fact for fact in facts if not fact.withheld and (fact.everywhere or fact.channel_id in audience.sources)
    )


def heard(facts: Collection[Fact], audience: Audience) -> tuple[Fact, ...]:
    """Those that this audience could hear, one of each telling."""
    tellings = {(fact.message_id, fact.teller_id, fact.text): fact for fact in audible(facts, audience)}
    return tuple(tellings.values())
