"""What somebody typed finds the time zone they mean, or is answered with those they may have meant."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.time_zones import COMMON, MOST_SUGGESTED, is_zone, zone_meant, zones_like

WINTER, SUMMER = datetime(2026, 1, 15, 12, tzinfo=UTC), datetime(2026, 7, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("  europe/berlin ", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("São Paulo", "America/Sao_Paulo"),
        ("America/Argentina/Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("utc", "UTC"),
        ("GMT", "UTC"),
    ],
)
def test_a_name_or_a_city_means_its_zone(typed: str, zone: str) -> None:
    assert zone_meant(typed) == zone


@pytest.mark.parametrize("typed", ["", " ", "CET", "UTC+2", "Berln", "Europe", "Atlantis", "../etc/passwd", "x" * 5000])
def test_what_is_not_a_name_means_none(typed: str) -> None:
    assert zone_meant(typed) is None


@pytest.mark.parametrize(
    ("typed", "now", "suggested"),
    [
        ("CET", WINTER, "Europe/Berlin"),
        ("cest", WINTER, "Europe/Berlin"),
        ("PST", SUMMER, "America/Los_Angeles"),
        ("Berln", WINTER, "Europe/Berlin"),
        ("Europe/Berln", WINTER, "Europe/Berlin"),
        ("kolk", WINTER, "Asia/Kolkata"),
    ],
)
def test_a_near_miss_is_answered_with_what_was_meant(typed: str, now: datetime, suggested: str) -> None:
    assert zones_like(typed, now)[0] == suggested


def test_nothing_typed_offers_the_common_ones_and_nonsense_offers_none() -> None:
    assert zones_like("", WINTER) == list(COMMON)
    assert zones_like("xyzzy", WINTER) == []
    assert len(COMMON) <= MOST_SUGGESTED
    assert all(ZoneInfo(zone).key == zone and is_zone(zone) for zone in COMMON)


@given(st.text(max_size=200))
def test_whatever_is_typed_only_real_zones_come_of_it(typed: str) -> None:
    found = zones_like(typed, WINTER)
    assert len(found) == len(set(found)) <= MOST_SUGGESTED
    assert all(is_zone(zone) for zone in found)
    meant = zone_meant(typed)
    assert meant is None or is_zone(meant)
