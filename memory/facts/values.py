"""Says what somebody may do about a fact they see in a list, and what came of it, as values."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from memory.core.outcomes import Entitled, KnownBetter, NothingToRemember, TooLong, UnclearWho
from memory.core.values import Category, Fact, Standing
from memory.language.text import repair
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, FactRules, Matter, UndoEffect, may

IN_LISTS = (
    Action.CONFIRM,
    Action.CORRECT,
    Action.VETO,
    Action.FORGET,
)
"""What can be done about a fact that is shown to somebody, in the order in which it is offered."""


@dataclass(frozen=True, slots=True)
class HearsayAction:
    """Says what somebody wants done about a fact. It is named by its telling: a number of the ledger would tell how
    much is told behind other doors."""

    audience: Audience
    """What they can read; of other facts they get to know nothing by wishing."""
    actor: Actor
    subject_id: int | None
    message_id: int
    thing: int | None = None
    """Which of the things told there, as `Fact.thing` has it; None: whatever was told of them there."""
    said_in: int | None = None
    """The message of ours that will say what came of it, if others can read it."""


@dataclass(frozen=True, slots=True)
class ListedFact:
    """Holds a fact as it is shown to somebody."""

    fact: Fact
    has_message: bool
    """The message that told it is still there."""
    may: tuple[Action, ...] = ()
    """What they may do about it."""


@dataclass(frozen=True, slots=True)
class FactPage:
    held: tuple[ListedFact, ...]
    in_all: int
    rest: str = ""
    """Where to go on; nothing: that was all. It counts within a message, and so tells nothing of what is hidden."""


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Says which facts somebody wants to see, of those that they may."""

    subject_id: int | None = None
    category: Category | None = None
    memories: bool | None = None
    """Only memories, or only what was told."""
    words: str = ""
    """That stand in it, in this order."""


@dataclass(frozen=True, slots=True)
class Done:
    action: Action
    fact: Fact
    """As it was."""
    change_id: UUID | None
    """By which it can be undone for a day; None: it was so already, and nothing was changed."""
    now: Fact | None = None
    """As it is since; None: it is gone."""


@dataclass(frozen=True, slots=True)
class NotThere:
    """Says that a fact or change is gone by now, over, undone, older than a day, or nothing that they may hear of."""


@dataclass(frozen=True, slots=True)
class MayNot:
    who_may: tuple[Entitled, ...] = ()


HearsayOutcome = Done | NotThere | MayNot


def is_name_in_passing(fact: Fact) -> bool:
    """Say whether a fact is what others call somebody, which nobody asked to be remembered."""
    return fact.standing is Standing.INFERRED and fact.teller_id != fact.subject_id


def offered(actor: Actor, fact: Fact, rules: FactRules) -> tuple[Action, ...]:
    """List what somebody is offered to do about a fact: what they may, and what would change something."""
    return tuple(one for one in IN_LISTS if _makes_sense(one, fact) and may(one, actor, fact, rules))


def _makes_sense(action: Action, fact: Fact) -> bool:
    """Say whether an action on a fact would change something: what is over can only be forgotten."""
    if action is Action.FORGET:
        return True
    if fact.valid_to is not None:
        return False
    match action:
        case Action.CONFIRM:
            return fact.subject_id is not None and fact.standing is Standing.HEARSAY
        case Action.VETO:
            # What they only let on, nobody told.
            told_by_another = fact.teller_id != fact.subject_id or fact.standing is Standing.INFERRED
            return fact.subject_id is not None and told_by_another
        case _:
            return fact.subject_id is not None


MOST_TAGS = 5
_TAG = re.compile(r"[\w-]{2,24}")


def cleaned_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Clean the tags of a memory as they are kept: single words, and few."""
    wanted = (repair(tag).strip().lstrip("#").casefold() for tag in tags)
    return tuple(dict.fromkeys(tag for tag in wanted if _TAG.fullmatch(tag)))[:MOST_TAGS]


def is_visible(actor: Actor, fact: Fact) -> bool:
    """Say whether somebody who could hear a fact is shown it: what is withheld, to its subject alone."""
    return not fact.withheld or actor.user_id == fact.subject_id


# Changes of the ledger that can be undone for a day, and what came of undoing one, as values.


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
    """Describes something that was done to the ledger."""

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
        """List what a change is about, for saying so: what came, or else what was there before."""
        return self.made or self.before

    @property
    def told(self) -> tuple[Fact, ...]:
        """List the facts of the telling that came with it, as they are now."""
        return tuple(fact for fact in self.made if fact.teller_id == self.made_by)

    @property
    def matter(self) -> Matter:
        """Say what undoing it is about, for asking who may."""
        undo_effect = UndoEffect.BRINGS_BACK if self.kind in _TAKEN_AWAY else UndoEffect.TAKES_OUT
        return Matter(self.subjects, self.tellers, made_by=self.made_by, undo_effect=undo_effect)


@dataclass(frozen=True, slots=True)
class TakenAway:
    """Describes what somebody had forgotten or denied, and may have back."""

    change_id: UUID
    at: datetime
    facts: tuple[Fact, ...]
    """As they were, as far as they may see them."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Says that everyone may know a fact now."""

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
    """Says that the ledger is not as the change left it, or what would come back may not: nothing was done."""

    now: tuple[Fact, ...] = ()
    """What holds instead, as far as those who read this may hear it."""


UndoOutcome = Undone | ChangedSince | NotThere | MayNot


@dataclass(frozen=True, slots=True)
class Edited:
    fact: Fact
    change_id: UUID | None
    replaced: tuple[Fact, ...] = ()
    """What does not hold any more since."""
    about: tuple[int, ...] = ()
    """All whom it is about; nobody: the guild itself."""


@dataclass(frozen=True, slots=True)
class EditedNothing:
    """Says that an edit changes nothing: the fact says so already, or is known so."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class AboutSomebodyElse:
    """Says that the new words would be about other people: that is another request."""


@dataclass(frozen=True, slots=True)
class VetoedBefore:
    """Says that the subject of this very statement said that it is not true."""

    subject_id: int


EditOutcome = (
    Edited
    | EditedNothing
    | NotThere
    | MayNot
    | AboutSomebodyElse
    | VetoedBefore
    | KnownBetter
    | NothingToRemember
    | TooLong
    | UnclearWho
)


def audible(facts: Collection[Fact], audience: Audience) -> tuple[Fact, ...]:
    """Choose the facts that this audience could hear."""
    return tuple(
        fact for fact in facts if not fact.withheld and (fact.everywhere or fact.channel_id in audience.sources)
    )


def heard(facts: Collection[Fact], audience: Audience) -> tuple[Fact, ...]:
    """Choose the facts that this audience could hear, one of each telling."""
    tellings = {(fact.message_id, fact.teller_id, fact.text): fact for fact in audible(facts, audience)}
    return tuple(tellings.values())
