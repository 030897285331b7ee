"""Every way by which words come in, every kind of deletion, and every place that is searched afterwards registers here.

A part that adds one adds a function with its decorator; the evening drives all of them, in all combinations.
"""

from collections.abc import Awaitable, Callable, Container
from dataclasses import dataclass, field
from enum import StrEnum, auto

from local_guild.state.world import Channel, User
from tests.end_to_end.erasure.canaries import Canary
from tests.end_to_end.erasure.stage import Inn, Stage


class Moment(StrEnum):
    BEFORE = auto()
    """Before the bot ever came."""
    AWAY = auto()
    """While it is away."""
    LIVE = auto()


class Makes(StrEnum):
    MESSAGE = auto()
    """It stands in a message that somebody wrote."""
    BRIDGED = auto()
    """It stands in a message of somebody behind a webhook, who is no member."""
    FACT = auto()
    """It stands in the ledger alone."""
    NAME = auto()
    EVENT = auto()
    """It is a scheduled event that somebody made."""


class Reach(StrEnum):
    """What a deletion takes."""

    MESSAGE = auto()
    AUTHOR = auto()
    """All that somebody wrote."""
    CHANNEL = auto()
    THREAD = auto()
    MEMBER = auto()
    GUILD = auto()
    FACT = auto()
    NAME = auto()


TAKES = dict.fromkeys(Reach, (Makes.MESSAGE, Makes.BRIDGED)) | {
    Reach.AUTHOR: (Makes.MESSAGE,),
    Reach.MEMBER: (Makes.MESSAGE, Makes.FACT, Makes.EVENT),
    Reach.GUILD: (Makes.MESSAGE, Makes.BRIDGED, Makes.FACT, Makes.NAME, Makes.EVENT),
    Reach.FACT: (Makes.FACT,),
    Reach.NAME: (Makes.NAME,),
}


@dataclass
class Plot:
    """Where canaries with one fate stand: a place, and whose words they are."""

    inn: Inn
    channel: Channel
    author: User
    fate: str
    canaries: list[Canary] = field(default_factory=list)
    keys: tuple[str, str] = ("", "")
    """Of its author: of a browser that is signed in to the panel, and a token."""


Plant = Callable[[Stage, Plot, Canary], Awaitable[None]]
CarryOut = Callable[[Stage, Plot], Awaitable[None]]
Finds = Callable[[Stage], Awaitable[dict[str, str]]]
"""Needles, and where each was found."""


@dataclass(frozen=True)
class Way:
    name: str
    moment: Moment
    makes: Makes
    plant: Plant


@dataclass(frozen=True)
class Deletion:
    name: str
    reach: Reach
    carry_out: CarryOut
    inn: str
    """In which inn it is done."""
    spares: tuple[str, ...]
    """Places, or tables, that it is declared not to reach."""
    needs_bot: bool
    """False: it happens while the bot is away."""
    but_for: tuple[str, ...]
    """Ways in that it is declared not to undo."""
    only: tuple[str, ...]
    """None of these: all other ways in."""

    def takes(self, way: Way) -> bool:
        meant = way.name in self.only if self.only else way.name not in self.but_for
        return meant and way.makes in TAKES[self.reach]


WAYS: dict[str, Way] = {}
DELETIONS: dict[str, Deletion] = {}
PLACES: dict[str, Finds] = {}


def way(name: str, *, moment: Moment = Moment.LIVE, makes: Makes = Makes.MESSAGE) -> Callable[[Plant], Plant]:
    def register(plant: Plant) -> Plant:
        _must_be_new(name, WAYS)
        WAYS[name] = Way(name, moment, makes, plant)
        return plant

    return register


def deletion(
    name: str,
    *,
    reach: Reach,
    inn: str = "inn",
    spares: tuple[str, ...] = (),
    needs_bot: bool = True,
    but_for: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
) -> Callable[[CarryOut], CarryOut]:
    def register(carry_out: CarryOut) -> CarryOut:
        _must_be_new(name, DELETIONS)
        DELETIONS[name] = Deletion(name, reach, carry_out, inn, spares, needs_bot, but_for, only)
        return carry_out

    return register


def place(name: str) -> Callable[[Finds], Finds]:
    def register(search: Finds) -> Finds:
        _must_be_new(name, PLACES)
        PLACES[name] = search
        return search

    return register


def _must_be_new(name: str, registry: Container[str]) -> None:
    if name in registry:
        raise ValueError(f"two of them are called {name}")
