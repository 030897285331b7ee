"""Who may do what, as a table that a reader can check: each action, each relation or rank, facts of each standing.

In the table: T told it, S is the one it is about, O is another member, and M a moderator, G a manager ("Manage
Server") and W the owner, who neither told it nor are meant. Said of oneself, T and S are one person.
"""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.core.outcomes import Entitled
from memory.core.values import Fact, Rank, Standing
from memory.policy.authority import Action, Actor, FactRules, Matter, ModeratorsMay, Permission, UndoEffect, may

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TELLER, SUBJECT, OTHER, MODERATOR, MANAGER, OWNER = range(1, 7)
ACTORS = {
    "T": Actor(TELLER),
    "S": Actor(SUBJECT),
    "O": Actor(OTHER),
    "M": Actor(MODERATOR, Rank.MODERATOR),
    "G": Actor(MANAGER, Rank.MANAGER),
    "W": Actor(OWNER, Rank.OWNER),
}
NOTHING, REMOVE = (FactRules(moderators_may=one) for one in ModeratorsMay)


def fact(standing: Standing, *, about_the_guild: bool = False) -> Fact:
    teller = SUBJECT if standing is Standing.SELF else TELLER
    subject = None if about_the_guild else SUBJECT
    return Fact(1, 1, subject, teller, 1, 1, "<@2> likes tea", standing, NOON)


HEARSAY, CONFIRMED, OF_ONESELF = (fact(one) for one in (Standing.HEARSAY, Standing.CONFIRMED, Standing.SELF))
OF_THE_GUILD = fact(Standing.HEARSAY, about_the_guild=True)


def allowed(action: Action, what: Fact | Matter, rules: FactRules) -> str:
    """The letters of those who may. Of what was said of oneself, the teller is the subject and has no letter."""
    letters = [letter for letter, actor in ACTORS.items() if may(action, actor, what, rules)]
    return "".join(letters)


# fmt: off
TABLE = [
    # action             hearsay   confirmed  of oneself  of the guild   moderators may
    (Action.EDIT,        "T",      "S",       "S",        "T",           NOTHING),
    (Action.EDIT,        "T",      "S",       "S",        "T",           REMOVE),
    (Action.CONFIRM,     "S",      "S",       "S",        "",            NOTHING),
    (Action.CONFIRM,     "S",      "S",       "S",        "",            REMOVE),
    (Action.CORRECT,     "S",      "S",       "S",        "",            NOTHING),
    (Action.CORRECT,     "S",      "S",       "S",        "",            REMOVE),
    (Action.VETO,        "S",      "S",       "S",        "",            NOTHING),
    (Action.VETO,        "S",      "S",       "S",        "",            REMOVE),
    (Action.FORGET,      "TSGW",   "TSGW",    "SGW",      "TGW",         NOTHING),
    (Action.FORGET,      "TSMGW",  "TSMGW",   "SMGW",     "TMGW",        REMOVE),
]
UNDO = [
    # what undoing does      made by     hearsay   confirmed  of oneself  of the guild   moderators may
    # Telling and rewording are undone by those who could have it forgotten.
    (UndoEffect.TAKES_OUT,      TELLER,     "TSGW",   "TSGW",    None,       "TGW",         NOTHING),
    (UndoEffect.TAKES_OUT,      TELLER,     "TSMGW",  "TSMGW",   None,       "TMGW",        REMOVE),
    (UndoEffect.TAKES_OUT,      SUBJECT,    None,     "TSGW",    "SGW",      None,          NOTHING),
    (UndoEffect.TAKES_OUT,      SUBJECT,    None,     "TSMGW",   "SMGW",     None,          REMOVE),
    # What they themselves took away, nobody puts back over their heads.
    (UndoEffect.BRINGS_BACK,    TELLER,     "T",      "T",       None,       "T",           REMOVE),
    (UndoEffect.BRINGS_BACK,    SUBJECT,    "S",      "S",       "S",        None,          REMOVE),
    (UndoEffect.BRINGS_BACK,    MODERATOR,  "MGW",    "MGW",     "MGW",      "MGW",         REMOVE),
    (UndoEffect.BRINGS_BACK,    MANAGER,    "GW",     "GW",      "GW",       "GW",          REMOVE),
    (UndoEffect.BRINGS_BACK,    OWNER,      "GW",     "GW",      "GW",       "GW",          NOTHING),
]
# fmt: on


@pytest.mark.parametrize(("action", "hearsay", "confirmed", "of_oneself", "of_the_guild", "rules"), TABLE)
def test_who_may(
    action: Action, hearsay: str, confirmed: str, of_oneself: str, of_the_guild: str, rules: FactRules
) -> None:
    assert allowed(action, HEARSAY, rules) == hearsay
    assert allowed(action, CONFIRMED, rules) == confirmed
    assert allowed(action, OF_ONESELF, rules) == of_oneself
    assert allowed(action, OF_THE_GUILD, rules) == of_the_guild


@pytest.mark.parametrize(("undo_effect", "by", "hearsay", "confirmed", "of_oneself", "of_the_guild", "rules"), UNDO)
def test_who_may_undo(
    undo_effect: UndoEffect,
    by: int,
    hearsay: str | None,
    confirmed: str | None,
    of_oneself: str | None,
    of_the_guild: str | None,
    rules: FactRules,
) -> None:
    cases = [(HEARSAY, hearsay), (CONFIRMED, confirmed), (OF_ONESELF, of_oneself), (OF_THE_GUILD, of_the_guild)]
    for what, expected in cases:
        if expected is not None:
            change = replace(Matter.of(what), made_by=by, undo_effect=undo_effect)
            assert allowed(Action.UNDO, change, rules) == expected


# fmt: off
REFUSALS = [
    (Action.FORGET, HEARSAY,      NOTHING, [Entitled.SUBJECT, Entitled.TELLER, Entitled.MANAGERS]),
    (Action.FORGET, HEARSAY,      REMOVE, [Entitled.SUBJECT, Entitled.TELLER, Entitled.MODERATORS, Entitled.MANAGERS]),
    (Action.FORGET, OF_ONESELF,   NOTHING, [Entitled.SUBJECT, Entitled.MANAGERS]),
    (Action.FORGET, OF_THE_GUILD, NOTHING, [Entitled.TELLER, Entitled.MANAGERS]),
    (Action.EDIT,   CONFIRMED,    NOTHING, [Entitled.SUBJECT]),
    (Action.VETO,   HEARSAY,      NOTHING, [Entitled.SUBJECT]),
    (Action.VETO,   OF_THE_GUILD, NOTHING, []),
]
# fmt: on


@pytest.mark.parametrize(("action", "what", "rules", "who_may"), REFUSALS)
def test_a_refusal_says_who_may(action: Action, what: Fact, rules: FactRules, who_may: list[Entitled]) -> None:
    assert may(action, ACTORS["O"], what, rules) == Permission(allowed=False, who_may=tuple(who_may))


def test_each_of_those_a_telling_is_about_may_have_the_whole_forgotten() -> None:
    told_of_two = Matter(frozenset({SUBJECT, OTHER}), frozenset({TELLER}))
    assert allowed(Action.FORGET, told_of_two, NOTHING) == "TSOGW"
    assert allowed(Action.VETO, told_of_two, NOTHING) == "SO"
