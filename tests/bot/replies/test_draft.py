"""A draft is said only while its readers may read it, and is made anew otherwise."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import discord

from bot.replies.draft import MOST_LOOKS, Draft, Sent, deliver, may_write
from memory.places.view import Audience
from tests.bot import discord_objects as objects

GUILD, HALL, CELLAR, ATTIC = 1, 10, 11, 12
_NO_WRITING = objects.denial(objects.EVERYONE, objects.SEND)


class Room:
    """A place whose readers change, by turns, whenever they are looked at."""

    def __init__(self, *views: frozenset[int]) -> None:
        self._views = list(views)
        self.made_for: list[frozenset[int]] = []
        self.said: list[str] = []
        self.instead: Draft | None = None

    def readers(self) -> Audience:
        view = self._views.pop(0) if len(self._views) > 1 else self._views[0]
        return Audience(GUILD, HALL, view | {HALL}, viewer_id=7)

    async def make(self, audience: Audience) -> Draft:
        self.made_for.append(audience.sources)
        return Draft(f"from {sorted(audience.sources)}", audience.sources, instead=self.instead)

    async def say(self, draft: Draft, still: Callable[[], bool]) -> Sent:
        if not still():
            return Sent.CHANGED
        self.said.append(draft.words)
        return Sent.DELIVERED

    async def deliver(self) -> Sent:
        return (await deliver(self.make, self.readers, self.say))[1]


OPEN, CLOSED = frozenset((CELLAR,)), frozenset[int]()


async def test_what_may_be_read_by_more_is_no_reason_to_start_again() -> None:
    room = Room(CLOSED, OPEN)
    await room.deliver()
    assert room.made_for == [frozenset((HALL,))]


async def test_where_doors_never_rest_the_place_itself_remains() -> None:
    room = Room(*(frozenset((CELLAR if turn % 2 else ATTIC,)) for turn in range(50)))
    assert await room.deliver() is Sent.DELIVERED
    assert len(room.made_for) == MOST_LOOKS + 1
    assert room.said == [f"from [{HALL}]"]


async def test_what_cannot_be_made_anew_has_other_words() -> None:
    room = Room(OPEN, CLOSED)
    room.instead = Draft("It is done.")
    await room.deliver()
    assert room.said == ["It is done."]
    assert len(room.made_for) == 1


def test_nobody_writes_in_a_time_out_in_a_closed_thread_or_where_others_alone_may() -> None:
    in_threads = 1 << 38
    rooms = [objects.channel(objects.HALL), objects.channel(objects.CELLAR, overwrites=[_NO_WRITING])]
    threads = [objects.thread(1, objects.HALL), objects.thread(2, objects.HALL), objects.thread(3, objects.CELLAR)]
    threads[1]["thread_metadata"]["locked"] = True
    guild = objects.guild(rooms, threads=threads, everyone=objects.VIEW | objects.SEND | in_threads)
    places = [guild.get_channel_or_thread(one) for one in (objects.HALL, objects.CELLAR, 1, 2, 3)]

    def writes(until: datetime | None) -> list[bool]:
        data: Any = {"user": objects.user(77, "bea"), "roles": [], "joined_at": None, "flags": 0}
        data["communication_disabled_until"] = None if until is None else until.isoformat()
        bea = discord.Member(data=data, guild=guild, state=guild._state)
        return [place is not None and may_write(place, place.permissions_for(bea)) for place in places]

    assert writes(None) == [True, False, True, False, True]
    assert writes(datetime.now(UTC) + timedelta(days=1)) == [False] * 5
