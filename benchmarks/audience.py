"""Measures how soon after a change we know what a reply may draw upon, with 10,000 members and 300 channels.

The same question put to discord.py, `permissions_for` of each member in each channel, is asked of some channels only,
because of all of them it takes half a minute; what they took is counted for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import cycle
from time import perf_counter

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.large_guild import CHANNELS, FIRST_CHANNEL, FIRST_THREAD, READ, LargeGuild, large_guild
from benchmarks.yardsticks import calibrated_loop
from memory.places.model import MANAGE_THREADS, Overwrite, Place, PlaceKind, Role, Seat
from memory.places.view import GuildView

MOST_LOOPS = 20.0


async def measure(full: bool) -> list[Figure]:
    rounds, asked = (50, CHANNELS) if full else (10, 6)
    guild = large_guild()
    view = guild.view()
    took = {name: _best(view, change(view, guild), rounds) for name, change in CHANGES.items()}
    seat = guild.seats[-1]
    for_one = _best(
        view, a_member(view, guild), rounds, lambda: view.audience_for(seat.user_id, FIRST_CHANNEL, seat.role_ids)
    )
    proposing = _best(view, a_member(view, guild), rounds, view.proposed_hall)
    slowest, loop = max(took.values()), calibrated_loop()
    one_by_one = _one_by_one(guild, asked)
    return [
        *loop.figures("audience: of a place after a change, the slowest kind", slowest, at_most(MOST_LOOPS)),
        *(Figure(f"audience: after a change of a {name}", seconds * 1e3, "ms") for name, seconds in took.items()),
        *loop.figures("audience: of one viewer", for_one, at_most(MOST_LOOPS)),
        *loop.figures("audience: proposing a hall role", proposing, at_most(MOST_LOOPS)),
        Figure("audience: permissions_for one by one over ours", one_by_one / slowest, "times", at_least(1_000)),
    ]


Changes = Iterator[None]
"""Makes a change whenever the next is asked for."""


def a_role(view: GuildView, guild: LargeGuild) -> Changes:
    for permissions in cycle((READ | MANAGE_THREADS, 0)):
        view.role(Role(guild.seats[-1].role_ids[0], permissions))
        yield


def a_member(view: GuildView, guild: LargeGuild) -> Changes:
    """Change a member's roles: they keep the last one, and hold the others and let go of them in turn."""
    seat = guild.seats[-1]
    for role_ids in cycle((seat.role_ids[-1:], seat.role_ids)):
        view.seat(Seat(seat.user_id, role_ids))
        yield


def a_door(view: GuildView, guild: LargeGuild) -> Changes:
    first = guild.places[0]
    for overwrites in cycle(((Overwrite(guild.seats[0].user_id, False, READ, 0),), first.overwrites)):
        view.place(replace(first, overwrites=overwrites))
        yield


def a_thread(view: GuildView, guild: LargeGuild) -> Changes:
    new = FIRST_THREAD + len(guild.places)
    while True:
        view.place(Place(new, PlaceKind.THREAD, FIRST_CHANNEL))
        yield
        view.no_place(new)
        yield


CHANGES = {"role": a_role, "member": a_member, "door": a_door, "thread": a_thread}


def _best(view: GuildView, changes: Changes, rounds: int, ask: Callable[[], object] | None = None) -> float:
    """Find the best of an even number of rounds, so that the guild is left as it was."""
    question = ask or (lambda: view.audience_of(FIRST_CHANNEL))
    return min(_timed(view, changes, question) for _ in range(2 * rounds))


def _timed(view: GuildView, changes: Changes, ask: Callable[[], object]) -> float:
    before = view.version
    started = perf_counter()
    next(changes)
    ask()
    took = perf_counter() - started
    if view.version == before:
        raise RuntimeError("that was no change")
    return took


def _one_by_one(guild: LargeGuild, asked: int) -> float:
    """Measure the seconds for all channels, from those that were asked; and both ways must agree."""
    real = guild.of_discord()
    fresh = guild.view()
    channels = real.text_channels[:: CHANNELS // asked][:asked]
    started = perf_counter()
    found = {
        channel.id: frozenset(member.id for member in real.members if channel.permissions_for(member).view_channel)
        for channel in channels
    }
    took = perf_counter() - started
    if any(fresh.people(fresh.viewers(channel_id)) != viewers for channel_id, viewers in found.items()):
        raise RuntimeError("discord.py sees something else")
    return took * CHANNELS / len(channels)
