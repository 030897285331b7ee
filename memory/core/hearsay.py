"""What somebody may do about a fact they see in a list, and what came of it, as values."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from memory.core.audience import Audience
from memory.core.authority import Action, Actor, Entitled, FactRules, Matter, Verdict, may
from memory.core.model import Fact, Standing

IN_LISTS = (
    Action.CONFIRM,
    Action.CORRECT,
    Action.VETO,
    Action.NOT_ME,
    Action.HIDE,
    Action.SHOW_AGAIN,
    Action.FORGET,
)
"""What can be done about a fact that is shown to somebody, in the order in which it is offered."""


@dataclass(frozen=True, slots=True)
class Wish:
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
class Held:
    """A fact as it is shown to somebody."""

    fact: Fact
    has_message: bool
    """The message that told it is still there."""
    may: tuple[Action, ...] = ()
    """What they may do about it."""
    is_withheld: bool = False
    """They may show it again, but what it says is for its subject alone."""


@dataclass(frozen=True, slots=True)
class HeldPage:
    held: tuple[Held, ...]
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


@dataclass(frozen=True, slots=True)
class OthersNotTold:
    """It was told by others, and on this guild that is not told; its subject may confirm it."""


HearsayOutcome = Done | NotThere | MayNot | OthersNotTold


def is_told_by_others(fact: Fact) -> bool:
    """Whether only others vouch for it."""
    return fact.subject_id is not None and fact.standing is Standing.HEARSAY


def withheld_by_rule(fact: Fact) -> bool:
    """Hidden because the guild wants nothing told of others; whoever hid it otherwise is a person."""
    return fact.hidden_by == fact.guild_id


def verdict(action: Action, actor: Actor, fact: Fact, rules: FactRules) -> Verdict:
    """Whether somebody may do this to a fact about one member; what is over can only be forgotten."""
    if withheld_by_rule(fact) and action is not Action.SHOW_AGAIN:
        # Nobody's wish: whoever could see it without the rule may do with it as without the rule.
        fact = replace(fact, hidden_by=None)
    return may(action, actor, Matter.of(fact), rules)


def offered(actor: Actor, fact: Fact, rules: FactRules) -> tuple[Action, ...]:
    """What somebody is offered to do about a fact: what they may, and what would change something."""
    return tuple(one for one in IN_LISTS if _makes_sense(one, fact, rules) and verdict(one, actor, fact, rules))


def _makes_sense(action: Action, fact: Fact, rules: FactRules) -> bool:
    if action is Action.FORGET:
        return True
    if fact.valid_to is not None:
        return False
    told_by_another = fact.subject_id is not None and fact.teller_id != fact.subject_id
    match action:
        case Action.CONFIRM:
            return is_told_by_others(fact)
        case Action.VETO | Action.NOT_ME:
            return told_by_another
        case Action.HIDE:
            return fact.hidden_by is None or withheld_by_rule(fact)
        case Action.SHOW_AGAIN:
            return fact.hidden_by is not None and not _is_silenced(fact, rules)
        case _:
            return fact.subject_id is not None


def _is_silenced(fact: Fact, rules: FactRules) -> bool:
    return not rules.about_others and is_told_by_others(fact)


def objection(action: Action, wish: Wish, fact: Fact, rules: FactRules) -> HearsayOutcome | None:
    """Why this may not be done to the fact; None: it may."""
    allowed = verdict(action, wish.actor, fact, rules)
    if not allowed:
        return MayNot(action, allowed.who_may)
    if action is Action.SHOW_AGAIN and _is_silenced(fact, rules):
        return OthersNotTold()
    return None if fact.valid_to is None or action is Action.FORGET else NotThere()


@dataclass(frozen=True, slots=True)
class Correction:
    """A member's own words in the place of what was told of them."""

    text: str
    message_id: int
    at: datetime


class Refusal(StrEnum):
    """Why something is not kept that one member tells about another."""

    GUILD = "guild"
    """Its managers decided that nothing is kept that members tell about others."""
    VETO = "veto"
    """The other has said of this very statement that it is not true of them."""


def is_visible(actor: Actor, fact: Fact, rules: FactRules) -> bool:
    """Whether somebody who could hear a fact is shown it: what is hidden, to its subject and those who may show it."""
    if fact.hidden_by is None or actor.user_id == fact.subject_id:
        return True
    return Action.SHOW_AGAIN in offered(actor, fact, rules)


def shown(actor: Actor, fact: Fact, rules: FactRules, *, has_message: bool) -> Held:
    """What they may do with it goes with it; the words of what is hidden do not, but to its subject."""
    withheld = fact.hidden_by is not None and actor.user_id != fact.subject_id
    return Held(replace(fact, text="") if withheld else fact, has_message, offered(actor, fact, rules), withheld)
