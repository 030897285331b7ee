"""What of Discord's channels and roles decides who may see them."""

import pytest

from bot.mirror.members import to_place, to_role, to_seat
from memory.core.values import Member
from memory.places.model import Overwrite, Place, PlaceKind, Role, Seat
from tests.bot.discord_objects import EVERYONE, FORUM, GUILD, HALL, MUTED, VIEW, channel, denial, guild, thread

THREAD = 4000


@pytest.mark.parametrize(
    ("kind", "becomes"),
    [
        (0, PlaceKind.CHANNEL),
        (2, PlaceKind.VOICE),
        (4, PlaceKind.CATEGORY),
        (5, PlaceKind.CHANNEL),
        (13, PlaceKind.VOICE),
        (15, PlaceKind.CHANNEL),
    ],
)
def test_a_channel_is_seen_by_its_overwrites(kind: int, becomes: PlaceKind) -> None:
    unnamed = 1 << 62
    doors = [denial(MUTED, VIEW), denial(77, VIEW | unnamed, of_member=True)]
    heard = {"bitrate": 64_000, "user_limit": 0}
    inn = guild([channel(HALL, overwrites=doors, kind=kind) | heard])
    (place,) = [to_place(each) for each in inn.channels]
    assert place == Place(
        HALL, becomes, None, (Overwrite(MUTED, True, 0, VIEW), Overwrite(77, False, 0, VIEW | unnamed))
    )


def test_age_restriction_is_the_channels() -> None:
    inn = guild([channel(HALL, age_restricted=True), channel(FORUM, kind=15)], threads=[thread(THREAD, HALL)])
    assert {place.id: to_place(place).age_restricted for place in inn.channels} == {HALL: True, FORUM: False}
    assert not to_place(inn.threads[0]).age_restricted


@pytest.mark.parametrize("private", [True, False])
def test_only_a_private_thread_has_members_of_its_own(private: bool) -> None:
    inn = guild([channel(HALL)], threads=[thread(THREAD, HALL, private=private)])
    kind = PlaceKind.PRIVATE_THREAD if private else PlaceKind.THREAD
    assert to_place(inn.threads[0]) == Place(THREAD, kind, HALL)
    assert to_place(inn.threads[0], [5, 6]).members == (frozenset((5, 6)) if private else None)


def test_roles_and_seats_are_numbers_alone() -> None:
    inn = guild([], everyone=VIEW)
    assert to_role(inn.default_role) == Role(EVERYONE, VIEW)
    assert to_seat(Member(GUILD, 5, "anna", roles=(MUTED,))) == Seat(5, (MUTED,))
