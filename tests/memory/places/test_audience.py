"""What an audience says of itself: whose knowledge it is, what caches know it by, and whether a reply still holds."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.core.values import AuthorKind, Message
from memory.places.view import PRESENT, Audience

GUILD, PLACE, OTHER, ANNA = 1, 10, 11, 100
AUDIENCE = Audience(GUILD, PLACE, frozenset((PLACE, OTHER)), version=5)


def test_of_a_place_that_cannot_be_read_back_there_is_the_present() -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    old, new = (
        Message(GUILD, PLACE, number, ANNA, AuthorKind.PERSON, "hello", now - ago)
        for number, ago in enumerate((PRESENT + timedelta(seconds=1), PRESENT))
    )
    deaf = replace(AUDIENCE, sources=frozenset((OTHER,)))
    assert AUDIENCE.present([old, new], None) == AUDIENCE.present([old, new], now) == [old, new]
    assert deaf.present([old, new], now) == [new]
    assert deaf.present([old, new], None) == []
    assert deaf.alone().sources == frozenset()
    assert AUDIENCE.alone() == Audience.of_place_alone(GUILD, PLACE)


def test_two_places_of_the_hall_share_what_they_may_both_say_and_nothing_else() -> None:
    here = replace(AUDIENCE, is_hall=True)
    assert replace(here, place_id=OTHER).key == here.key
    assert replace(here, place_id=OTHER, sources=frozenset((OTHER,))).key != here.key


def test_a_reply_still_holds_when_more_may_be_said_and_not_when_less_may() -> None:
    wider = replace(AUDIENCE, sources=AUDIENCE.sources | {12}, version=6)
    assert wider.covers(AUDIENCE)
    assert not AUDIENCE.covers(wider)
    assert replace(AUDIENCE, version=6).covers(AUDIENCE)


@pytest.mark.parametrize("change", [{"guild_id": 2}, {"place_id": OTHER}, {"viewer_id": ANNA}])
def test_a_reply_to_others_is_another_reply(change: dict[str, int]) -> None:
    other = Audience(
        change.get("guild_id", GUILD), change.get("place_id", PLACE), AUDIENCE.sources, 5, change.get("viewer_id")
    )
    assert not other.covers(AUDIENCE)
