"""What a reply in a place may draw upon: itself, and what the whole server can read."""

import discord
import pytest

from bot.rooms import audience_of, is_public
from tests.bot.discord_objects import (
    ANNA,
    CELLAR,
    EVERYONE,
    FORUM,
    GUILD,
    HALL,
    LOUNGE,
    MUTED,
    READ_BACK,
    VIEW,
    Payload,
    channel,
    denial,
    guild,
    thread,
)

CELLAR_CLOSED = channel(CELLAR, overwrites=[denial(EVERYONE, VIEW)])


def place(inn: discord.Guild, channel_id: int) -> discord.TextChannel | discord.Thread:
    found = inn.get_channel_or_thread(channel_id)
    assert isinstance(found, discord.TextChannel | discord.Thread)
    return found


def sources(inn: discord.Guild, channel_id: int) -> set[int]:
    audience = audience_of(place(inn, channel_id), inn)
    assert (audience.guild_id, audience.place_id) == (GUILD, channel_id)
    return set(audience.sources)


def test_the_hall_does_not_hear_the_cellar() -> None:
    inn = guild([channel(HALL), channel(LOUNGE), CELLAR_CLOSED])
    assert sources(inn, HALL) == {HALL, LOUNGE}
    assert sources(inn, CELLAR) == {HALL, LOUNGE, CELLAR}
    assert is_public(place(inn, HALL))
    assert not is_public(place(inn, CELLAR))


@pytest.mark.parametrize(
    "doubtful",
    [
        channel(LOUNGE, overwrites=[denial(EVERYONE, VIEW)]),
        channel(LOUNGE, overwrites=[denial(EVERYONE, READ_BACK)]),
        channel(LOUNGE, overwrites=[denial(MUTED, VIEW)]),
        channel(LOUNGE, overwrites=[denial(ANNA, READ_BACK, of_member=True)]),
        channel(LOUNGE, age_restricted=True),
    ],
    ids=["closed", "not read back", "closed to a role", "not read back by one member", "age-restricted"],
)
def test_in_doubt_a_channel_is_not_public(doubtful: Payload) -> None:
    inn = guild([channel(HALL), doubtful])
    assert sources(inn, HALL) == {HALL}
    assert sources(inn, LOUNGE) == {HALL, LOUNGE}
    assert not is_public(place(inn, LOUNGE))


def test_where_everyone_sees_nothing_every_place_is_alone() -> None:
    inn = guild([channel(HALL), channel(LOUNGE)], everyone=0)
    assert sources(inn, HALL) == {HALL}


def test_a_public_thread_counts_as_its_channel_and_a_private_one_as_itself() -> None:
    inn = guild(
        [channel(HALL), CELLAR_CLOSED, channel(FORUM, kind=15)],
        threads=[thread(31, HALL), thread(32, HALL, private=True), thread(33, CELLAR), thread(34, FORUM)],
    )
    assert sources(inn, HALL) == {HALL, 31, 34}
    assert sources(inn, 32) == {HALL, 31, 34, 32}
    assert sources(inn, 33) == {HALL, 31, 34, 33}
    assert [is_public(place(inn, number)) for number in (31, 32, 33, 34)] == [True, False, False, True]


def test_a_guild_that_is_out_of_sight_leaves_only_the_place() -> None:
    inn = guild([channel(HALL), channel(LOUNGE)])
    inn.unavailable = True
    assert sources(inn, HALL) == {HALL}
