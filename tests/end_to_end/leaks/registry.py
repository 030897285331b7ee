"""Every way in which the bot shows anything to anybody registers here: its name, how to drive it, and what of the
program that is.

A part that adds a command, a button, a read of memory or a route adds a surface that drives it; `test_surfaces.py`
finds those that nobody drives.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto

from local_guild.state.world import Channel, Guild, User
from tests.end_to_end.leaks.canaries import Canary
from tests.end_to_end.leaks.scene import Scene


class Door(Enum):
    WORDS = auto()
    """Said in a channel: everyone who can see the place reads the reply."""
    COMMAND = auto()
    """Used or pressed on Discord: the asker alone reads what comes."""
    INSIDE = auto()
    """Asked of memory itself, which has to wait for what changed before; Discord tells of that first."""


@dataclass(frozen=True)
class Case:
    """One question from one place by one member, aimed at one canary."""

    scene: Scene
    guild: Guild
    place: Channel
    asker: User
    canary: Canary
    rng: random.Random
    """Dice of its own: what others do at the same time changes nothing for it."""

    @property
    def subject(self) -> User:
        """Somebody the canary is about, if it is about anybody."""
        users = self.scene.server.world.users
        return users[self.canary.subject_id or self.canary.author_id or self.asker.id]

    @property
    def source_id(self) -> int:
        """The channel that the canary lives in."""
        return self.canary.source_id or self.place.id

    def filled(self, text: str) -> str:
        """A sentence with what this case is about."""
        return text.format(
            bot=f"<@{self.scene.bot.id}>",
            subject=f"<@{self.subject.id}>",
            part_of_name=self.subject.name[:-1],
            words=self.canary.words,
            source=self.source_id,
            place=self.place.id,
        )


Drive = Callable[[Case], Awaitable[object]]


@dataclass(frozen=True)
class Surface:
    name: str
    door: Door
    covers: frozenset[str]
    """What of the program it drives, by the names that `introspection` gives them."""
    drive: Drive


SURFACES: dict[str, Surface] = {}


def surface(name: str, door: Door, *covers: str) -> Callable[[Drive], Drive]:
    def register(drive: Drive) -> Drive:
        if name in SURFACES:
            raise ValueError(f"two surfaces are called {name}")
        SURFACES[name] = Surface(name, door, frozenset(covers), drive)
        return drive

    return register
