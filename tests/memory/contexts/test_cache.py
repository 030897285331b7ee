"""The caches of contexts: bounded, keyed by a stamp, and never in the way of a newer truth."""

import sys
from datetime import UTC, datetime, timedelta

from memory.contexts.cache import BYTES_OF_TEXTS, OVERHEAD, ContextCaches, KeptText, MemberKey
from memory.contexts.parts import NEWER_AIM, OTHER_AIM
from memory.contexts.prompt import CONTEXT_LIMIT
from memory.contexts.store import Stamp
from memory.core.clock import SetClock

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
GUILD = 1 << 60
LONGEST_TEXT = 2 * CONTEXT_LIMIT + NEWER_AIM + OTHER_AIM
"""Characters: of the hall with newer facts, of a private place, and what was told elsewhere."""


def stamp(number: int) -> Stamp:
    return Stamp(number, "UTC", number.to_bytes(32, "big"))


def key(user_id: int, place: int = 0) -> MemberKey:
    return (GUILD, (1 << 60) + user_id, (0, (1 << 60) + place), None)


def caches(members: int = 10, places: int = 10) -> tuple[ContextCaches, SetClock]:
    clock = SetClock(NOON)
    return ContextCaches(members, places, clock), clock


def held_by(thing: object, seen: set[int]) -> int:
    """Bytes of a thing and of all that it alone holds on to."""
    if id(thing) in seen or isinstance(thing, type):
        return 0
    seen.add(id(thing))
    size = sys.getsizeof(thing)
    if isinstance(thing, dict):
        return size + sum(held_by(one, seen) for pair in thing.items() for one in pair)
    if isinstance(thing, (tuple, list)):
        return size + sum(held_by(one, seen) for one in thing)
    names = [*getattr(thing, "__dict__", {}), *getattr(type(thing), "__slots__", ())]
    return size + sum(held_by(getattr(thing, name, None), seen) for name in names)


def test_a_text_is_found_only_under_the_stamp_it_was_made_for() -> None:
    kept, _ = caches()
    kept.keep_text(key(1), KeptText.of(stamp(1), "likes chess 🎲", is_settled=True))
    found = kept.text(key(1), stamp(1))
    assert found is not None
    assert found.text == "likes chess 🎲"
    assert kept.text(key(1), stamp(2)) is None, "something has changed"
    assert kept.text(key(1, place=5), stamp(1)) is None, "another place"
    kept.keep_text(key(1), KeptText.of(stamp(2), None, is_settled=True))
    nothing = kept.text(key(1), stamp(2))
    assert nothing is not None
    assert nothing.text is None
    assert kept.text(key(1), stamp(1)) is None, "a member has one text in a place"


def test_all_caches_together_stay_within_ten_kilobytes_a_member() -> None:
    members = 300
    kept, clock = caches(members, places=members)
    empty = sum(held_by(cache, set()) for cache in vars(kept).values() if cache is not clock)
    for user_id in range(3 * members):
        text = "ж" * (LONGEST_TEXT - 1) + "🎲"
        kept.keep_text(key(user_id), KeptText.of(stamp(user_id), text, is_settled=True))
        kept.note_asked(GUILD, (1 << 60) + user_id)
        kept.note_failure(GUILD, (1 << 60) + user_id, None)
        kept.note_look(GUILD + user_id, 0, NOON)
        kept.keep_zone(GUILD + user_id, "Europe/Berlin")
        kept.note_look_back(GUILD + user_id, NOON.date())
    seen = {id(clock)}
    held = sum(held_by(cache, seen) for cache in vars(kept).values() if cache is not clock)
    assert (held - empty) / members < 10_000, f"{(held - empty) / members:.0f} bytes a member"
    assert len(kept._texts) >= members, "as many members are at hand as the settings say"


def test_an_entry_takes_no_more_beside_its_text_than_it_is_counted_with() -> None:
    entry = KeptText.of(stamp(1), "x" * 100, is_settled=True)
    assert held_by(entry, set()) + held_by(key(1), set()) - 100 < OVERHEAD


def test_what_is_too_long_is_not_kept_and_the_least_used_goes_first() -> None:
    kept, _ = caches(members=1)
    kept.keep_text(key(1), KeptText.of(stamp(1), "x" * BYTES_OF_TEXTS, is_settled=True))
    assert kept.text(key(1), stamp(1)) is None
    for user_id in (1, 2, 3):
        kept.keep_text(key(user_id), KeptText.of(stamp(1), "x" * 3_000, is_settled=True))
    assert kept.text(key(1), stamp(1)) is None
    assert kept.text(key(3), stamp(1)) is not None


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
    kept.note_failure(GUILD, 1, None)
    assert not kept.may_try(GUILD, 1)
    assert kept.may_try(GUILD, 2)
    clock.move(timedelta(minutes=5))
    assert kept.may_try(GUILD, 1)
    kept.note_failure(GUILD, 1, None)
    clock.move(timedelta(minutes=9))
    assert not kept.may_try(GUILD, 1)
    kept.note_failure(GUILD, 1, retry_after=3_600.0)
    clock.move(timedelta(minutes=59))
    assert not kept.may_try(GUILD, 1), "a provider that says when is believed"
    kept.note_success(GUILD, 1)
    assert kept.may_try(GUILD, 1)
    for _ in range(60):
        kept.note_failure(GUILD, 1, None)
    clock.move(timedelta(hours=6))
    assert kept.may_try(GUILD, 1)
