"""An evening at the two inns: people talk, moderators change things, everybody asks the bot everything everywhere."""

import asyncio
import random
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from local_guild.state.world import Channel, Guild
from tests.end_to_end.leaks import (
    api,
    buttons,
    channels,
    days,
    digests,
    holdings,
    insides,
    managing,
    memories,
    mentions,
    missed,
    pages,
    panel,
    reminders,
    routing,
    searching,
    slash_commands,
    telling,
    undoing,
    why,
)
from tests.end_to_end.leaks.canaries import TOKEN, Canary, Kind
from tests.end_to_end.leaks.interacting import use
from tests.end_to_end.leaks.planting import Planting
from tests.end_to_end.leaks.registry import SURFACES, Case, Surface
from tests.end_to_end.leaks.scene import Scene
from tests.end_to_end.leaks.upheaval import Upheaval

DRIVERS = (
    api,
    mentions,
    missed,
    routing,
    buttons,
    slash_commands,
    telling,
    undoing,
    why,
    searching,
    managing,
    memories,
    holdings,
    insides,
    panel,
    days,
    digests,
    channels,
    reminders,
    pages,
)
"""Importing them registers their surfaces."""
AT_ONCE = 8
ASKED_FOR = (Kind.FACT, Kind.EVERYWHERE, Kind.MESSAGE, Kind.EDITED, Kind.FILE_NAME, Kind.EMBED, Kind.POLL)
_NUMBER = re.compile(r"^(\d+) ", re.MULTILINE)
_ASKED = re.compile(r"the (\w+ \w+) called")


@dataclass
class Evening:
    scene: Scene
    rng: random.Random
    planting: Planting = field(init=False)
    upheaval: Upheaval = field(init=False)
    driven: Counter[str] = field(default_factory=Counter)
    changes: list[str] = field(default_factory=list)
    at_once: int = AT_ONCE
    closed: int = 0
    """How often a secret was asked for where it could be heard only a moment before."""
    exposed: int = 0
    """How often something stood where somebody came who could not read it."""
    _waiting: list[Surface] = field(default_factory=lambda: list(SURFACES.values()))

    def __post_init__(self) -> None:
        self.planting = Planting(self.scene, self.rng)
        self.upheaval = Upheaval(self.scene.server, random.Random(self.rng.getrandbits(64)), self.scene.canaries)

    @property
    def guilds(self) -> tuple[Guild, Guild]:
        return self.scene.scenery.guilds

    def talk(self) -> None:
        for guild in self.guilds:
            self.planting.talk(guild)

    async def tell(self) -> None:
        """Facts in every place, those for everywhere too."""
        for guild in self.guilds:
            for place in self.scene.places_of(guild):
                await self.planting.tell(guild, place)

    def change(self, times: int) -> None:
        for guild in self.guilds:
            self.changes += self.upheaval.change(guild, times)
        self.changes.append("|")

    async def change_what_was_told(self, times: int) -> None:
        """Ask for secrets where they may be told, close doors, and ask for the same again: nothing may linger."""
        wanted = [one for one in self.scene.canaries.of([Kind.FACT]) if not one.gone and not one.forgotten]
        pairs: list[tuple[Canary, Channel]] = []
        for canary in self.rng.sample(wanted, min(len(wanted), 4 * AT_ONCE)):
            place = self._place_to_hear(canary, elsewhere=True) if len(pairs) < AT_ONCE else None
            pairs += [] if place is None else [(canary, place)]
        await self._ask_for(pairs)
        await self.scene.all_said()
        self.change(times)
        for number, (canary, place) in enumerate(pairs):
            if number % 3 == 0:
                self.changes.append(self.upheaval.close(canary.source_id or 0))
            elif number % 3 == 1:
                self.changes.append(self.upheaval.regroup(canary.source_id or 0, place))
            else:
                self.changes.append(self.upheaval.let_in(canary.source_id or 0, place))
        self.exposed += len(self.scene.tap.exposed())
        oracle = self.scene.oracle
        closed = [(one, place) for one, place in pairs if not oracle.may_hold(one, place.id, oracle.viewers(place.id))]
        closed = [(one, place) for one, place in closed if oracle.may_speak(place, self.scene.bot.id)]
        self.closed += await self._ask_for(closed)

    async def _ask_for(self, pairs: Sequence[tuple[Canary, Channel]]) -> int:
        asked = [(canary, place, self.scene.speakers_in(place)) for canary, place in pairs]
        asked = [(canary, place, people) for canary, place, people in asked if people]
        async with asyncio.TaskGroup() as group:
            for canary, place, people in asked:
                text = f"<@{self.scene.bot.id}> what is the {canary.words} called?"
                group.create_task(self.scene.ask(self.rng.choice(people), place, text))
        self.scene.cases += len(asked)
        return len(asked)

    async def ask(self, count: int, surfaces: Collection[Surface] = ()) -> None:
        """From many places by many members at the same time. Surfaces that were not driven yet come first."""
        driven = [(self._surface(surfaces), case) for case in self._cases(count)]
        await self._drive([one for one in driven if not one[0].is_inside])
        await self._drive([one for one in driven if one[0].is_inside])

    async def _drive(self, driven: Sequence[tuple[Surface, Case]]) -> None:
        room = asyncio.Semaphore(self.at_once)

        async def drive(surface: Surface, case: Case) -> None:
            async with room:
                await surface.drive(case)
            self.driven[surface.name] += 1
            self.scene.cases += 1

        async with asyncio.TaskGroup() as group:
            for surface, case in driven:
                group.create_task(drive(surface, case))

    async def share_found(self, kinds: Iterable[Kind], *, elsewhere: bool, most: int) -> tuple[int, int]:
        """How many canaries are told where all may read them, of how many that were asked for."""
        wanted = [canary for canary in self.scene.canaries.of(kinds) if not canary.gone and not canary.forgotten]
        found = asked = 0
        for canary in self.rng.sample(wanted, len(wanted)):
            place = None if asked == most else self._place_to_hear(canary, elsewhere=elsewhere)
            if place is None:
                continue
            asked += 1
            question = f"<@{self.scene.bot.id}> what is the {canary.words} called?"
            answer = await self.scene.ask(self.rng.choice(self.scene.speakers_in(place)), place, question)
            found += answer is not None and canary in self.scene.canaries.within(answer.text)
        return found, asked

    async def share_found_privately(self, kinds: Iterable[Kind], *, most: int) -> tuple[int, int]:
        """The same by `/ask`, for what the asker can read and others in the place cannot."""
        wanted = [canary for canary in self.scene.canaries.of(kinds) if not canary.gone and not canary.forgotten]
        found = asked = 0
        for canary in self.rng.sample(wanted, len(wanted)):
            case = None if asked == most else self._private_case(canary)
            if case is None:
                continue
            asked += 1
            outcome = await use(case, "ask", question=f"What is the {canary.words} called?")
            found += outcome is not None and canary in self.scene.canaries.within(str(outcome))
        return found, asked

    async def share_recalled(self, kinds: Iterable[Kind], *, most: int) -> tuple[int, int]:
        """The same by `/recall`, for what was said in rooms that others in the place cannot read."""
        wanted = [canary for canary in self.scene.canaries.of(kinds) if not canary.gone and not canary.forgotten]
        found = asked = 0
        for canary in self.rng.sample(wanted, len(wanted)):
            case = None if asked == most else self._private_case(canary)
            if case is None:
                continue
            asked += 1
            outcome = await use(case, "recall", text=canary.words)
            found += outcome is not None and canary in self.scene.canaries.within(str(outcome))
        return found, asked

    def _private_case(self, canary: Canary) -> Case | None:
        guild = next(guild for guild in self.guilds if guild.id == canary.guild_id)
        oracle, places = self.scene.oracle, self.scene.places_of(guild)
        for place in self.rng.sample(places, len(places)):
            if not oracle.may_hold(canary, place.id, oracle.viewers(place.id)):
                people = [one for one in self.scene.speakers_in(place) if oracle.may_hold(canary, place.id, (one.id,))]
                if people:
                    return Case(self.scene, guild, place, self.rng.choice(people), canary, self.rng)
        return None

    def _place_to_hear(self, canary: Canary, *, elsewhere: bool) -> Channel | None:
        guild = next(guild for guild in self.guilds if guild.id == canary.guild_id)
        places = [
            place
            for place in self.scene.places_of(guild)
            if (place.id != canary.source_id) == elsewhere
            and self.scene.speakers_in(place)
            and self.scene.oracle.may_hold(canary, place.id, self.scene.oracle.viewers(place.id))
        ]
        return self.rng.choice(places) if places else None

    def _cases(self, count: int) -> list[Case]:
        places = [(guild, place) for guild in self.guilds for place in self.scene.places_of(guild)]
        seats = [(guild, place, user) for guild, place in places for user in self.scene.speakers_in(place)]
        wanted = self.scene.canaries.of(ASKED_FOR)
        picked = self.rng.sample(seats, min(count, len(seats)))
        return [
            Case(self.scene, guild, place, user, self._aim(wanted, guild), random.Random(self.rng.getrandbits(64)))
            for guild, place, user in picked
        ]

    def _aim(self, wanted: list[Canary], guild: Guild) -> Canary:
        """Mostly at a secret of this guild, at times at one of the other's."""
        canary = self.rng.choice(wanted)
        return canary if canary.guild_id == guild.id or self.rng.random() < 0.3 else self.rng.choice(wanted)

    def _surface(self, surfaces: Collection[Surface]) -> Surface:
        if surfaces:
            return self.rng.choice(list(surfaces))
        if self._waiting:
            return self._waiting.pop()
        known = list(SURFACES.values())
        return self.rng.choices(known, [surface.weight for surface in known])[0]


def repeat(data: str) -> str:
    """What the model says: every canary it was given, those it was asked for first, and numbers of its sources."""
    tokens = list(dict.fromkeys(TOKEN.findall(data)))
    random.Random(len(data)).shuffle(tokens)
    asked = _ASKED.findall(data[-500:])
    wanted = [line for line in data.splitlines() if any(words in line for words in asked)]
    tokens = list(dict.fromkeys([*TOKEN.findall("\n".join(wanted)), *tokens]))
    numbers = "".join(f"[{number}]" for number in _NUMBER.findall(data)[:5])
    return f"{' '.join(tokens)[:1600]} {numbers}" if tokens else f"I was told nothing. {numbers}"


def announce(line: str) -> None:
    sys.stdout.write(f"leaks: {line}\n")
