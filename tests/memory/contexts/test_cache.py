"""The caches of contexts: bounded, keyed by a stamp, and never in the way of a newer truth."""

from datetime import UTC, datetime, timedelta

from ai_clients.errors import RateLimited
from memory.contexts.make import CachedProfile, ContextCaches, MemberKey
from memory.contexts.parts import ContextSources
from memory.core.clock import SetClock

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
GUILD = 1 << 60


def profile(stamp: bytes, text: str | None = "likes chess") -> CachedProfile:
    return CachedProfile(stamp, "UTC", text, ContextSources({}, ()), is_settled=True)


def key(user_id: int, place: int = 0) -> MemberKey:
    return (GUILD, (1 << 60) + user_id, (0, (1 << 60) + place), None)


def caches(members: int = 10, places: int = 10) -> tuple[ContextCaches, SetClock]:
    clock = SetClock(NOON)
    return ContextCaches(members, places, clock), clock


def test_a_text_is_found_only_under_the_stamp_it_was_made_for() -> None:
    kept, _ = caches()
    kept.keep(key(1), profile(b"1"))
    assert kept.profile(key(1), b"1") == profile(b"1")
    assert kept.profile(key(1), b"2") is None, "something has changed"
    assert kept.profile(key(1, place=5), b"1") is None, "another place"
    kept.keep(key(1), profile(b"2", None))
    assert kept.profile(key(1), b"2") == profile(b"2", None)
    assert kept.profile(key(1), b"1") is None, "a member has one text in a place"


def test_the_least_used_goes_first() -> None:
    kept, _ = caches(members=2)
    for user_id in (1, 2, 3):
        kept.keep(key(user_id), profile(b"1"))
    assert kept.profile(key(1), b"1") is None
    assert kept.profile(key(3), b"1") is not None


def test_each_hour_is_looked_at_anew() -> None:
    kept, clock = caches()
    kept.note_look(GUILD, 0, NOON)
    assert kept.has_looked(GUILD, 0, NOON)
    assert not kept.has_looked(GUILD, 5, NOON)
    assert not kept.has_looked(GUILD + 1, 0, NOON)
    clock.move(timedelta(minutes=59))
    assert kept.has_looked(GUILD, 0, NOON)
    assert not kept.has_looked(GUILD, 0, NOON + timedelta(hours=1))
    clock.move(timedelta(minutes=2))
    assert not kept.has_looked(GUILD, 0, NOON)
    kept.note_look(GUILD, 0, NOON, holds=60)
    clock.move(timedelta(seconds=59))
    assert kept.has_looked(GUILD, 0, NOON)
    clock.move(timedelta(seconds=2))
    assert not kept.has_looked(GUILD, 0, NOON)


def test_after_a_failure_there_is_a_pause_that_grows_and_ends_with_success() -> None:
    kept, clock = caches()
    assert kept.may_try(GUILD, 1)
    kept.note_failure(GUILD, 1)
    assert not kept.may_try(GUILD, 1)
    assert kept.may_try(GUILD, 2)
    clock.move(timedelta(minutes=5))
    assert kept.may_try(GUILD, 1)
    kept.note_failure(GUILD, 1)
    clock.move(timedelta(minutes=9))
    assert not kept.may_try(GUILD, 1)
    kept.note_failure(GUILD, 1, RateLimited("later", retry_after=3_600.0))
    clock.move(timedelta(minutes=59))
    assert not kept.may_try(GUILD, 1), "a provider that says when is believed"
    kept.note_success(GUILD, 1)
    assert kept.may_try(GUILD, 1)
    for _ in range(60):
        kept.note_failure(GUILD, 1)
    clock.move(timedelta(hours=6))
    assert kept.may_try(GUILD, 1)
