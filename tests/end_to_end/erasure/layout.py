"""Which canary comes in by which way and meets which fate: every way with every deletion, or every other; some stay."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from local_guild.state.world import Channel, User
from tests.end_to_end.erasure import counting, deletions, ways_in, web_pages
from tests.end_to_end.erasure.canaries import Canary
from tests.end_to_end.erasure.registry import DELETIONS, WAYS, Deletion, Makes, Moment, Plot, Reach, Way
from tests.end_to_end.erasure.stage import Stage

DRIVERS = (ways_in, deletions, counting, web_pages)
"""Importing them registers what they have."""
SHARED = 3
"""Channels and people of an inn that belong to no fate alone."""
NEVER_HALVED = (Reach.MEMBER, Reach.FACT, Reach.NAME)
"""What is erased of a member is counted, of every kind; facts and names come in by a few ways only."""
OWN_PERSON = (Reach.AUTHOR, Reach.MEMBER, Reach.FACT, Reach.NAME)


@dataclass
class Seed:
    way: Way
    plot: Plot
    canary: Canary


@dataclass
class Layout:
    doomed: list[Plot] = field(default_factory=list)
    kept: list[Plot] = field(default_factory=list)
    seeds: list[Seed] = field(default_factory=list)

    @property
    def cases(self) -> int:
        return sum(len(plot.canaries) for plot in self.doomed)

    def at(self, moment: Moment) -> list[Seed]:
        return [seed for seed in self.seeds if seed.way.moment is moment]

    def by(self, way: str) -> list[Canary]:
        return [seed.canary for seed in self.seeds if seed.way.name == way]


def lay_out(stage: Stage, copies: int, *, every_pair: bool) -> Layout:
    """`copies`: how many canaries come in by each way for each kind of deletion. Without `every_pair` most
    ways meet every other deletion, and most deletions every other way, as on a chessboard."""
    layout = Layout()
    for kind in DELETIONS.values():
        # A guild goes only once.
        layout.doomed += [_plot(stage, kind) for _ in range(1 if kind.reach is Reach.GUILD else copies)]
    for name in ("inn", "other inn"):
        inn = stage.inns[name]
        layout.kept.append(Plot(inn, stage.rng.choice(inn.channels[:SHARED]), inn.own_person(), ""))
    for number, plot in enumerate([*layout.doomed, *layout.kept]):
        ways = list(_ways_into(plot))
        halved = not every_pair and plot.fate in DELETIONS and DELETIONS[plot.fate].reach not in NEVER_HALVED
        for way in ways[number % 2 :: 2] if halved else ways:
            canary = stage.canaries.new(way.name, plot.inn.guild.id, plot.channel.id, plot.author.id, plot.fate)
            plot.canaries.append(canary)
            layout.seeds.append(Seed(way, plot, canary))
    assert {seed.way.name for seed in layout.seeds} == WAYS.keys(), "a way in is not gone"
    return layout


def _plot(stage: Stage, kind: Deletion) -> Plot:
    inn = stage.inns[kind.inn]
    author = inn.own_person() if kind.reach in OWN_PERSON else stage.rng.choice(inn.people[:SHARED])
    return Plot(inn, _channel(stage, kind, author), author, kind.name)


def _channel(stage: Stage, kind: Deletion, author: User) -> Channel:
    inn = stage.inns[kind.inn]
    match kind.reach:
        case Reach.CHANNEL:
            return inn.own_channel()
        case Reach.THREAD:
            return stage.server.threads.start(inn.own_channel(), "thread", author.id, private=False)
        case _:
            return stage.rng.choice(inn.channels[:SHARED])


def _ways_into(plot: Plot) -> Iterator[Way]:
    """A name can only be one at a time, and stays as long as somebody has it: those who stay are called as ever."""
    kind = DELETIONS.get(plot.fate)
    return (way for way in WAYS.values() if (way.makes is not Makes.NAME if kind is None else kind.takes(way)))
