"""What a context goes back to: kept with it, found again in it, and small."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.contexts.cache import BYTES_OF_TEXTS, KeptText
from memory.contexts.parts import UNKNOWN, ContextSources, DaySource, sources_of
from memory.contexts.service import window_of
from memory.contexts.store import DayPart, Hashes, KeptContext, MemberParts, Stamp
from memory.core.provenance import DayKey, digest_of
from memory.core.values import Fact, Standing
from tests.memory.world import ALICE, BOB, CELLAR, GUILD, HALL

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
MIDNIGHT = NOON - timedelta(hours=12)
STAMP = Stamp(1, "UTC", b"digest")


def fact(fact_id: int, text: str, channel: int = HALL) -> Fact:
    return Fact(GUILD, fact_id, ALICE.user_id, BOB.user_id, channel, fact_id, text, Standing.HEARSAY, NOON)


def day(days_ago: int, text: str | None, changes: int = 0, scope: int = 0) -> DayPart:
    starts_at = MIDNIGHT - timedelta(days=days_ago)
    return DayPart(
        scope=scope,
        starts_at=starts_at,
        day=starts_at.date(),
        changes=changes,
        source_channels=frozenset((HALL,)),
        is_settled=True,
        is_quoted=False,
        is_closed=False,
        text=text,
    )


NURSE, ILL = fact(1, "Alice is a nurse"), fact(2, "Alice is ill", CELLAR)
PARTS = MemberParts(
    user_id=ALICE.user_id,
    window=window_of("UTC", NOON),
    blob=None,
    hall_facts=(NURSE,),
    other_facts=(ILL,),
    facts_digest="",
    facts_are_whole=True,
    days=(day(1, "Alice sang", changes=3), day(2, None), day(0, "Alice slept"), day(1, "A secret", scope=CELLAR)),
    histories=(),
    contexts=(),
)


def keys(sources: ContextSources) -> dict[tuple[int, date], int]:
    return {(one.key.scope, one.key.starts_at.date()): one.changes for one in sources.days}


def test_all_parts_that_say_something_are_behind_the_text() -> None:
    sources = sources_of(PARTS, [0])
    assert sources.facts == {1: digest_of(NURSE), 2: digest_of(ILL)}
    assert keys(sources) == {(0, date(2026, 3, 9)): 3, (0, date(2026, 3, 10)): 0}
    assert len(sources_of(PARTS, [0, CELLAR]).days) == 3


def test_behind_an_older_merge_is_what_that_was_made_from_and_what_came_since() -> None:
    older = MIDNIGHT - timedelta(days=8)
    merged = KeptContext(
        scope=0,
        version=1,
        hashes=Hashes("", "", ""),
        fact_ids=frozenset((7,)),
        days=((older, 2), (MIDNIGHT - timedelta(days=1), 3)),
        text="Alice was somebody.",
    )
    sources = sources_of(replace(PARTS, contexts=(merged,)), [0])
    assert sources.facts == {1: digest_of(NURSE), 2: digest_of(ILL), 7: UNKNOWN}
    assert keys(sources) == {(0, older.date()): 2, (0, date(2026, 3, 9)): 3}
    assert [one.text for one in sources.days] == ["", "Alice sang"]


moments = st.datetimes(min_value=datetime(2015, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone
sources = st.builds(
    ContextSources,
    st.dictionaries(st.integers(0, 2**63 - 1), st.binary(min_size=8, max_size=8) | st.just(UNKNOWN), max_size=20),
    st.lists(
        st.builds(
            DaySource,
            st.builds(DayKey, st.integers(0, 2**63 - 1), moments),
            st.integers(0, 2**40),
            st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
        ),
        max_size=8,
    ).map(tuple),
)


@given(sources)
def test_what_is_packed_comes_out_as_it_was(given_sources: ContextSources) -> None:
    assert ContextSources.unpacked(given_sources.packed()) == given_sources
    bare = ContextSources.unpacked(given_sources.packed(with_texts=False))
    assert bare.read == given_sources.read
    assert not any(one.text for one in bare.days)


def test_a_text_is_kept_even_if_its_days_say_too_much() -> None:
    """Then it is not known which of them said what, and each counts for all of it."""
    wordy = "".join(chr(0x4E00 + number * 37 % 20_000) for number in range(6_000))
    talkative = ContextSources.of(PARTS.hall_facts, [DaySource(DayKey(0, MIDNIGHT), 1, wordy)])
    kept = KeptText.of(STAMP, "Alice is a nurse.", is_settled=True, sources=talkative)
    assert kept.size <= BYTES_OF_TEXTS
    unpacked = ContextSources.unpacked(kept.packed)
    assert unpacked.read == talkative.read
    assert unpacked.days[0].text == ""


def test_of_nothing_known_nothing_is_behind() -> None:
    assert KeptText.of(STAMP, None, is_settled=True, sources=sources_of(PARTS, [0])).packed == b""
