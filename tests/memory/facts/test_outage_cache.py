"""What was last read of the ledger: for whom it may be told, and until when."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.core.values import Fact, Standing
from memory.facts.ledger import UNSETTLED_SECONDS, FactOutageCache
from memory.places.view import Audience

GUILD, PLACE, OTHER = 1, 10, 11
FACT = Fact(GUILD, 5, 2, 2, PLACE, 100, "likes tea", Standing.SELF, datetime(2026, 3, 1, tzinfo=UTC))
HERE = Audience(GUILD, PLACE, frozenset((PLACE, OTHER)), version=7)


@pytest.fixture
def heard() -> FactOutageCache:
    heard = FactOutageCache(lambda: 1000.0)
    heard.note(HERE, [FACT], [99], 1000.0)
    return heard


@pytest.mark.parametrize(
    "other",
    [
        replace(HERE, guild_id=2),
        replace(HERE, place_id=OTHER),
        replace(HERE, version=8),
        replace(HERE, sources=frozenset((PLACE,))),
        replace(HERE, viewer_id=2),
        replace(HERE, is_hall=True),
    ],
)
def test_no_other_audience_does(heard: FactOutageCache, other: Audience) -> None:
    assert heard.of(other) is None


def test_a_change_of_the_ledger_empties_it_until_all_who_read_must_know(heard: FactOutageCache) -> None:
    heard.ledger_changed(2)
    assert heard.of(HERE) == [FACT]
    heard.ledger_changed(GUILD)
    assert heard.of(HERE) is None
    heard.note(HERE, [FACT], [], 1000.0)
    assert heard.of(HERE) is None
    heard.note(HERE, [FACT], [], 1000.0 + UNSETTLED_SECONDS)
    assert heard.of(HERE) == [FACT]


def test_a_message_that_changes_takes_along_what_was_taken_from_it(heard: FactOutageCache) -> None:
    heard.messages_changed(GUILD, [98])
    heard.messages_changed(2, [99])
    assert heard.of(HERE) == [FACT]
    heard.messages_changed(GUILD, [99])
    assert heard.of(HERE) is None
