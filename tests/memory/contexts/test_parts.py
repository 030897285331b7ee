"""What a context goes back to."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from memory.contexts.parts import UNKNOWN, ContextSources, ScopeParts, sources_of
from memory.contexts.service import window_of
from memory.contexts.store import DayPart, MadeText, MemberParts, TextKind
from memory.core.provenance import digest_of
from memory.core.values import Fact, Standing
from tests.memory.world import ALICE, BOB, CELLAR, GUILD, HALL

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
MIDNIGHT = NOON - timedelta(hours=12)


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
    hall_facts=(NURSE,),
    other_facts=(ILL,),
    facts_are_whole=True,
    days=(day(1, "Alice sang", changes=3), day(2, None), day(0, "Alice slept"), day(1, "A secret", scope=CELLAR)),
    texts=(),
)


def behind(parts: MemberParts, *places: int) -> ContextSources:
    return sources_of(parts, [ScopeParts(parts, scope, 400) for scope in (0, *places)])


def keys(sources: ContextSources) -> dict[tuple[int, date], int]:
    return {(one.key.scope, one.key.starts_at.date()): one.changes for one in sources.days}


def test_all_parts_that_say_something_are_behind_the_text() -> None:
    sources = behind(PARTS)
    assert sources.facts == {1: digest_of(NURSE), 2: digest_of(ILL)}
    assert keys(sources) == {(0, date(2026, 3, 9)): 3, (0, date(2026, 3, 10)): 0}
    assert len(behind(PARTS, CELLAR).days) == 3


def test_behind_an_older_merge_is_what_that_was_made_from_and_what_came_since() -> None:
    older = MIDNIGHT - timedelta(days=8)
    merged = MadeText(
        kind=TextKind.CONTEXT,
        scope=0,
        version=1,
        made_from="",
        fact_ids=frozenset((7,)),
        day_starts=(older, MIDNIGHT - timedelta(days=1)),
        day_changes=(2, 3),
        text="Alice was somebody.",
    )
    sources = behind(replace(PARTS, texts=(merged,)))
    assert sources.facts == {1: digest_of(NURSE), 2: digest_of(ILL), 7: UNKNOWN}
    assert keys(sources) == {(0, older.date()): 2, (0, date(2026, 3, 9)): 3}
    assert [one.text for one in sources.days] == ["", "Alice sang"]
