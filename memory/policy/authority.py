"""Decides who may do what to what is remembered: one rule for buttons, modals, commands and words.

`_RULES` is the whole of it. A verdict that refuses says who may instead, so that the refusal can be worded. Whether
somebody could hear of a fact at all is not decided here but by the audience, before anything is asked of this module.

Standing (of oneself, confirmed, by others) decides which of two facts holds, not who may act; but what somebody has
confirmed of themselves is no longer its teller's to reword.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Self

from memory.core.outcomes import Entitled
from memory.core.values import Fact, Rank, Standing
from memory.policy.settings import FactRules as FactRules
from memory.policy.settings import ModeratorsMay as ModeratorsMay


class Action(StrEnum):
    UNDO = auto()
    """Take back a change; what it is a change of is in the `Matter`."""
    EDIT = auto()
    """Reword what one told, in place."""
    CONFIRM = auto()
    CORRECT = auto()
    VETO = auto()
    """Say of what was told of oneself that it is not true, or that somebody else is meant."""
    FORGET = auto()


@dataclass(frozen=True, slots=True)
class Actor:
    user_id: int
    rank: Rank = Rank.MEMBER


class UndoEffect(StrEnum):
    """Names what undoing a change does."""

    TAKES_OUT = auto()
    """What was told or reworded goes again."""
    BRINGS_BACK = auto()
    """What was forgotten or vetoed holds again."""


@dataclass(frozen=True, slots=True)
class Matter:
    """Describes what somebody wants to act upon: a fact, a telling with a fact for each it is about, or a change."""

    subjects: frozenset[int]
    """Nobody: it is about the guild itself."""
    tellers: frozenset[int]
    is_confirmed: bool = False
    """Somebody it is about has confirmed it."""
    made_by: int | None = None
    """Who made the change that is to be undone; None: no change is meant."""
    undo_effect: UndoEffect = UndoEffect.TAKES_OUT

    @classmethod
    def of(cls, *facts: Fact) -> Self:
        return cls(
            subjects=frozenset(fact.subject_id for fact in facts if fact.subject_id is not None),
            tellers=frozenset(fact.teller_id for fact in facts),
            is_confirmed=any(fact.standing is Standing.CONFIRMED for fact in facts),
        )


@dataclass(frozen=True, slots=True)
class Permission:
    allowed: bool
    who_may: tuple[Entitled, ...] = ()
    """Those who may, in the order in which they are named; nobody: it can be done to nothing of this kind."""

    def __bool__(self) -> bool:
        return self.allowed


def may(action: Action, actor: Actor, what: Fact | Matter, rules: FactRules) -> Permission:
    """Decide whether the actor may act on a fact, and else say who may."""
    matter = Matter.of(what) if isinstance(what, Fact) else what
    # Nobody is sent to the person it is about where it is about the guild itself.
    entitled = [one for one in _entitled(action, matter, rules) if one is not Entitled.SUBJECT or matter.subjects]
    return Permission(any(_is(actor, one, matter) for one in entitled), tuple(entitled))


def _entitled(action: Action, matter: Matter, rules: FactRules) -> Iterable[Entitled]:
    match action:
        case Action.UNDO:
            return _may_undo(matter, rules)
        case Action.EDIT:
            # A lesser standing never overturns a better one: who has confirmed it corrects it.
            reworded_by_others = matter.is_confirmed and matter.subjects != matter.tellers
            return (Entitled.SUBJECT,) if reworded_by_others else (Entitled.TELLER,)
        case Action.CONFIRM | Action.CORRECT | Action.VETO:
            return (Entitled.SUBJECT,)
        case Action.FORGET:
            return _keeping_order(*_whose(matter), rules=rules)


def _may_undo(matter: Matter, rules: FactRules) -> Iterable[Entitled]:
    is_theirs = matter.made_by in matter.subjects | matter.tellers
    match matter.undo_effect:
        case UndoEffect.TAKES_OUT:
            # For its subject that is a veto; for all others, the same as having it forgotten.
            maker = () if is_theirs else (Entitled.MAKER,)
            return _keeping_order(*maker, *_whose(matter), rules=rules)
        case UndoEffect.BRINGS_BACK:
            # What those whose it is took away, nobody puts back over their heads.
            return (Entitled.MAKER,) if is_theirs else (Entitled.MAKER, Entitled.MANAGERS)


def _whose(matter: Matter) -> tuple[Entitled, ...]:
    """List subject and teller; who told it of themselves is named once."""
    return (Entitled.SUBJECT,) if matter.subjects == matter.tellers else (Entitled.SUBJECT, Entitled.TELLER)


def _keeping_order(*first: Entitled, rules: FactRules) -> Iterable[Entitled]:
    moderators = (Entitled.MODERATORS,) if rules.moderators_may is ModeratorsMay.REMOVE else ()
    return (*first, *moderators, Entitled.MANAGERS)


def _is(actor: Actor, entitled: Entitled, matter: Matter) -> bool:
    match entitled:
        case Entitled.TELLER:
            return actor.user_id in matter.tellers
        case Entitled.SUBJECT:
            return actor.user_id in matter.subjects
        case Entitled.MAKER:
            return actor.user_id == matter.made_by
        case Entitled.MODERATORS:
            return actor.rank >= Rank.MODERATOR
        case Entitled.MANAGERS:
            return actor.rank >= Rank.MANAGER
