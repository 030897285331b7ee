"""A draft is said only while its readers may read it, and is made anew otherwise."""

from collections.abc import Callable

import pytest

from bot.replies.draft import MOST_LOOKS, Draft, Sent, deliver
from memory.places.view import Audience

GUILD, HALL, CELLAR, ATTIC = 1, 10, 11, 12


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


async def test_what_still_holds_is_said() -> None:
    room = Room(OPEN, OPEN)
    assert await room.deliver() is Sent.DELIVERED
    assert room.made_for == [frozenset((HALL, CELLAR))]


async def test_what_may_be_read_by_more_is_no_reason_to_start_again() -> None:
    room = Room(CLOSED, OPEN)
    await room.deliver()
    assert room.made_for == [frozenset((HALL,))]


async def test_what_closed_meanwhile_is_made_anew() -> None:
    room = Room(OPEN, CLOSED)
    await room.deliver()
    assert room.said == [f"from [{HALL}]"]
    assert room.made_for == [frozenset((HALL, CELLAR)), frozenset((HALL,))]


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


@pytest.mark.parametrize("sent", [Sent.FORBIDDEN, Sent.NOTHING, Sent.DELIVERED])
async def test_it_is_tried_once_where_that_is_the_end_of_it(sent: Sent) -> None:
    room = Room(OPEN)

    async def say(_draft: Draft, _still: Callable[[], bool]) -> Sent:
        return sent

    assert (await deliver(room.make, room.readers, say))[1] is sent
    assert len(room.made_for) == 1
