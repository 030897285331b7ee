"""Every way in which the bot shows anything to anybody registers here: its name, how to drive it, who reads what comes.

A part that adds a command, a button, a read of memory or a route adds a surface that drives it; `test_surfaces.py`
finds those that nobody drives.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from local_guild.state.world import Channel, Guild, User
from tests.end_to_end.leaks.canaries import Canary
from tests.end_to_end.leaks.scene import Scene


class ReadBy(StrEnum):
    PLACE = "everyone who can see the place"
    ASKER = "the asker alone"
    ANYBODY = "anybody who reaches the machine"


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


Drive = Callable[[Case], Awaitable[None]]


@dataclass(frozen=True)
class Surface:
    name: str
    read_by: ReadBy
    covers: frozenset[str]
    """What of the program it drives, by the names that `introspection` gives them."""
    drive: Drive
    weight: int
    """How often it is drawn, compared with the others."""
    is_inside: bool
    """It asks memory itself. What is asked on Discord comes behind all that changed before; this has to wait for it."""


SURFACES: dict[str, Surface] = {}


def surface(
    name: str, *, read_by: ReadBy, covers: tuple[str, ...], weight: int = 1, is_inside: bool = False
) -> Callable[[Drive], Drive]:
    def register(drive: Drive) -> Drive:
        if name in SURFACES:
            raise ValueError(f"two surfaces are called {name}")
        SURFACES[name] = Surface(name, read_by, frozenset(covers), drive, weight, is_inside)
        return drive

    return register
