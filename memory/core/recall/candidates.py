"""Where to look for what is asked, and which of what was found is worth reading with what stands around it."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta

from memory.core.recall.asked import Asked
from memory.core.recall.found import Found, Limits
from memory.core.recall.ranking import Said

LOOKED_INTO = 40
"""Of all that was found, so many are read with what was said around them."""
LOOKED_INTO_FOR_FEW = 30
"""The same where only the best few are wanted: those are nearly always among the first of them."""


def narrowings(asked: Asked, limits: Limits) -> list[Limits]:
    """The asker's own limits hold in each."""
    found = [limits] if asked.words else []
    authors = asked.speakers if limits.author_ids is None else asked.speakers & limits.author_ids
    if authors:
        found.append(replace(limits, author_ids=authors))
    if asked.span is not None:
        after = asked.span.start - timedelta(days=1)
        before = asked.span.told_by
        found.append(
            replace(
                limits,
                after=after if limits.after is None else max(after, limits.after),
                before=before if limits.before is None else min(before, limits.before),
                author_ids=authors or limits.author_ids,
            )
        )
    return found or [limits]


def first_cut(asked: Asked, found: Sequence[Found], most: int) -> set[int]:
    """The ids of the most promising, by what the legs alone can tell."""
    best: dict[int, Found] = {}
    for one in found:
        other = best.get(one.message_id)
        if other is None:
            best[one.message_id] = one
        else:
            meaning = max(one.meaning or 0.0, other.meaning or 0.0)
            words = max(one.words, other.words)
            best[one.message_id] = one._replace(meaning=meaning, words=words, stretch=max(one.stretch, other.stretch))
    most_words = max((one.words for one in best.values()), default=0.0) or 1.0
    most_talk = max((one.stretch for one in best.values()), default=0.0) or 1.0

    def promise(one: Found) -> float:
        score = one.words / most_words + (one.meaning or 0.0) + 0.6 * one.stretch / most_talk
        score *= 2.0 if one.author_id in asked.speakers else 1.0
        return score * (2.0 if asked.span is not None and asked.span.told(one.sent_at) else 1.0)

    ordered = sorted(best.values(), key=lambda one: (-promise(one), -one.message_id))
    return {one.message_id for one in ordered[:most]}


def judged(pool: Sequence[Said], hits: Collection[int], limits: Limits) -> set[int]:
    """What was found, and what stands right beside it: an answer may have none of the words of its question."""
    judged: set[int] = set()
    for place, said in enumerate(pool):
        if said.found.message_id in hits:
            judged |= {near.found.message_id for near in pool[max(place - 1, 0) : place + 2] if _within(near, limits)}
    return judged


def _within(said: Said, limits: Limits) -> bool:
    found = said.found
    return (
        (limits.author_ids is None or found.author_id in limits.author_ids)
        and (limits.channel_ids is None or found.channel_id in limits.channel_ids)
        and (limits.after is None or found.sent_at >= limits.after)
        and (limits.before is None or found.sent_at < limits.before)
    )
