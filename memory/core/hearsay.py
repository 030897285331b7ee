"""What somebody may do about a fact they see in a list, and what came of it, as values."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.core.outcomes import Entitled
from memory.core.values import Fact, Standing
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, FactRules, may

IN_LISTS = (
    Action.CONFIRM,
    Action.CORRECT,
    Action.VETO,
    Action.NOT_ME,
    Action.FORGET,
)
"""What can be done about a fact that is shown to somebody, in the order in which it is offered."""


@dataclass(frozen=True, slots=True)
class HearsayAction:
    """What somebody wants done about a fact. It is named by its telling: a number of the ledger would tell how much
    is told behind other doors."""

    audience: Audience
    """What they can read; of other facts they get to know nothing by wishing."""
    actor: Actor
    subject_id: int | None
    message_id: int
    said_in: int | None = None
    """The message of ours that will say what came of it, if others can read it."""


@dataclass(frozen=True, slots=True)
class ListedFact:
    """A fact as it is shown to somebody."""

    fact: Fact
    has_message: bool
    """The message that told it is still there."""
    may: tuple[Action, ...] = ()
    """What they may do about it."""


@dataclass(frozen=True, slots=True)
class FactPage:
    held: tuple[ListedFact, ...]
    """What holds comes first, and the newest of it."""
    in_all: int


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
    """It is gone by now, over, or nothing that they may hear of."""


@dataclass(frozen=True, slots=True)
class MayNot:
    action: Action
    who_may: tuple[Entitled, ...]


HearsayOutcome = Done | NotThere | MayNot


def is_told_by_others(fact: Fact) -> bool:
    """Whether only others vouch for it."""
    return fact.subject_id is not None and fact.standing is Standing.HEARSAY


def offered(actor: Actor, fact: Fact, rules: FactRules) -> tuple[Action, ...]:
    """What somebody is offered to do about a fact: what they may, and what would change something."""
    return tuple(one for one in IN_LISTS if _makes_sense(one, fact) and may(one, actor, fact, rules))


def _makes_sense(action: Action, fact: Fact) -> bool:
    """What is over can only be forgotten."""
    if action is Action.FORGET:
        return True
    if fact.valid_to is not None:
        return False
    match action:
        case Action.CONFIRM:
            return is_told_by_others(fact)
        case Action.VETO | Action.NOT_ME:
            return fact.subject_id is not None and fact.teller_id != fact.subject_id
        case _:
            return fact.subject_id is not None


def objection(action: Action, wish: HearsayAction, fact: Fact, rules: FactRules) -> HearsayOutcome | None:
    """Why this may not be done to the fact; None: it may."""
    allowed = may(action, wish.actor, fact, rules)
    if not allowed:
        return MayNot(action, allowed.who_may)
    return None if fact.valid_to is None or action is Action.FORGET else NotThere()


@dataclass(frozen=True, slots=True)
class Correction:
    """A member's own words in the place of what was told of them."""

    text: str
    message_id: int
    at: datetime


def is_visible(actor: Actor, fact: Fact) -> bool:
    """Whether somebody who could hear a fact is shown it: what is withheld, to its subject alone."""
    return not fact.withheld or actor.user_id == fact.subject_id
