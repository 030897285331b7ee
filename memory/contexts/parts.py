"""Puts a member's context together from its parts: the merged text where there is one, or the best without.

In this order: what was merged of these very parts; the last that was merged, with newer facts behind it; the parts
joined; and of the parts whichever there are, facts before today, and today before the days before.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from memory.contexts import prompt as merge_context
from memory.contexts.store import DayPart, MadeText, MemberParts, TextKind
from memory.core.provenance import DayKey, Read, digest_of
from memory.core.values import Fact
from memory.facts import blob
from memory.facts.blob import sentence_of
from memory.language.detect import Language, language_of
from memory.summaries import week_prompt
from memory.summaries.calendar import HALL_SCOPE
from memory.summaries.day_prompt import as_one
from memory.summaries.week_prompt import WEEK_AIM, DayTold, Summary

# What a member's context goes back to: facts, and days with what each says of the member.
#
# It lies in memory beside the text; once a model has answered, what it has taken from where is looked up here.


UNKNOWN = b""
"""The digest of a fact whose words are not at hand: it is known to be there, and as it was when it was merged."""


@dataclass(frozen=True, slots=True)
class DaySource:
    key: DayKey
    changes: int
    text: str = ""
    """Empty: not at hand. Then it may say anything that the context does."""

    @property
    def read(self) -> Read:
        return Read(days={self.key: self.changes})


@dataclass(frozen=True, slots=True)
class ContextSources:
    facts: Mapping[int, bytes]
    days: Sequence[DaySource]

    @classmethod
    def of(cls, facts: Iterable[Fact], days: Iterable[DaySource], merged: Iterable[int] = ()) -> "ContextSources":
        """Make the sources of facts and days; `merged` are facts that were merged before, by their ids."""
        digests = dict.fromkeys(merged, UNKNOWN) | {fact.fact_id: digest_of(fact) for fact in facts}
        return cls(digests, tuple(days))

    @classmethod
    def of_all(cls, several: Iterable["ContextSources"]) -> "ContextSources":
        facts: dict[int, bytes] = {}
        days: list[DaySource] = []
        for one in several:
            facts |= one.facts
            days += one.days
        return cls(facts, tuple(days))

    @property
    def read(self) -> Read:
        return Read(facts=self.facts, days={day.key: day.changes for day in self.days})


MOST_JOINED = 2
"""Parts of a context, or days of a history, that stand as they are if they are short together: no model merges them."""
NEWER_AIM = 300
"""Characters of facts behind a text that was merged before they were told."""
OTHER_AIM = 500
"""Characters of facts that were told outside the hall."""


def version_of(kind: TextKind) -> int:
    """Tell by which rules a text of a kind is made today."""
    rules = {
        TextKind.WEEK: week_prompt.VERSION,
        TextKind.CONTEXT: merge_context.VERSION,
        TextKind.FACTS: blob.VERSION,
    }
    return rules[kind]


@dataclass(frozen=True)
class ScopeParts:
    """Holds the parts of one scope: of the hall with its facts, or of a private channel."""

    member: MemberParts
    scope: int
    aim: int
    """Characters of the facts alone, merged."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.member.hall_facts if self.scope == HALL_SCOPE else ()

    @property
    def days(self) -> tuple[DayPart, ...]:
        """List the days that say something of the member, today among them."""
        return tuple(day for day in self.member.days if day.scope == self.scope and day.text is not None)

    @property
    def today(self) -> tuple[DayPart, ...]:
        return tuple(day for day in self.days if day.day == self.member.window.today)

    @property
    def before(self) -> tuple[DayPart, ...]:
        return tuple(day for day in self.days if day.day < self.member.window.today)

    @property
    def is_whole(self) -> bool:
        """Say whether nothing is left out because of who reads it: whatever is made of it is the same for all."""
        is_open = not any(day.is_closed for day in self.member.days if day.scope == self.scope)
        return is_open and (self.scope != HALL_SCOPE or self.member.facts_are_whole)

    @property
    def language(self) -> Language:
        texts = (*(fact.text for fact in self.facts), *(day.text or "" for day in self.days))
        return language_of(" ".join(texts)) or Language.EN

    def facts_of(self, kind: TextKind) -> tuple[Fact, ...]:
        return () if kind is TextKind.WEEK else self.facts

    def days_of(self, kind: TextKind) -> tuple[DayPart, ...]:
        return {TextKind.FACTS: (), TextKind.WEEK: self.before, TextKind.CONTEXT: self.days}[kind]

    def source_channels(self, kind: TextKind) -> frozenset[int]:
        channels = (fact.channel_id for fact in self.facts_of(kind) if not fact.everywhere)
        return frozenset(channels).union(*(day.source_channels for day in self.days_of(kind)))

    def made_from(self, kind: TextKind) -> str:
        """Make the key of a text: a digest of all the words it is made from, with the dates it bears."""
        window, facts = self.member.window, [f"{one.fact_id} {one.standing} {one.text}" for one in self.facts]
        match kind:
            case TextKind.FACTS:
                return _digest(facts)
            case TextKind.WEEK:
                return _digest(f"{day.starts_at.isoformat()} {day.is_quoted} {day.text}" for day in self.before)
            case TextKind.CONTEXT:
                today, history = _as_one(self.today), self._history
                recent = [] if today is None else [f"today {window.today} {today.text}"]
                week = [] if history is None else [f"week {window.first} {window.last} {history.text}"]
                return _digest([*facts, *recent, *week])

    @property
    def lacking(self) -> TextKind | None:
        """Say what a model shall make first, and has not yet."""
        if not self.is_whole:
            return None
        # Days that are quoted are about to be told, and would be merged once more then.
        if not any(day.is_quoted for day in self.days):
            stands = _can_stand(day.text for day in self.before)
            if not stands and self._is_settled and self._made(TextKind.WEEK) is None:
                return TextKind.WEEK
            if not self._stands and self._made(TextKind.CONTEXT) is None:
                return TextKind.CONTEXT
        merged = blob.merge(self.facts, self.aim)
        fits = merged is None or merged.is_complete
        return None if fits or self._made(TextKind.FACTS) is not None else TextKind.FACTS

    @property
    def _is_settled(self) -> bool:
        """Say whether none of the days before is going to change by itself."""
        rows = (day for day in self.member.days if day.scope == self.scope and day.day <= self.member.window.last)
        return all(day.is_settled for day in rows)

    @property
    def _stands(self) -> bool:
        """Say whether the parts need no model to be one text."""
        today, history = _as_one(self.today), self._history
        facts = " ".join(map(sentence_of, self.facts))
        return _can_stand([facts, *(one.text for one in (today, history) if one is not None)])

    def _made(self, kind: TextKind) -> str | None:
        """Find what was made of these very parts, by the rules of today."""
        made = [one for one in self._texts(kind) if one.version == version_of(kind)]
        key = self.made_from(kind) if made else ""
        return next((one.text for one in made if one.made_from == key), None)

    def _texts(self, kind: TextKind) -> list[MadeText]:
        may_be = self.is_whole or kind is TextKind.WEEK
        return [one for one in self.member.texts if may_be and (one.scope, one.kind) == (self.scope, kind)]

    def week(self) -> list[DayTold]:
        dates = dict.fromkeys(day.day for day in self.before)
        return [
            DayTold(one, summary)
            for one in dates
            if (summary := _as_one([day for day in self.before if day.day == one])) is not None
        ]

    def material(self) -> merge_context.ContextMaterial:
        """Put the parts together without names, which only a model needs."""
        window, today, history = self.member.window, _as_one(self.today), self._history
        return merge_context.ContextMaterial(
            user_id=self.member.user_id,
            facts=self.facts,
            today=None if today is None else DayTold(window.today, today),
            history=None if history is None else merge_context.History(window.first, window.last, history),
            names={},
            language=self.language,
        )

    def blob(self) -> str | None:
        """Merge what was told of them that everybody may know, or as many whole facts as there is room for; None if
        there is nothing, or not all of it for this audience."""
        if not self.is_whole:
            return None
        merged = blob.merge(self.facts, self.aim)
        return self._made(TextKind.FACTS) or (None if merged is None else merged.text)

    def text(self) -> str | None:
        made = self._made(TextKind.CONTEXT)
        if made is not None:
            return made
        last_good = self._last_good()
        if last_good is not None:
            newer = [fact for fact in self.facts if fact.fact_id not in last_good.fact_ids]
            return " ".join([last_good.text, *sentences(newer, NEWER_AIM)])
        if self.facts and not self.days:
            return self.blob() or " ".join(sentences(self.facts, merge_context.AIM))
        aim = merge_context.CONTEXT_LIMIT if self._stands else merge_context.AIM
        return merge_context.without_model(self.material(), aim)

    def sources(self) -> ContextSources:
        """List what the text goes back to."""
        told = [_source_of(day) for day in self.days]
        last_good = None if self._made(TextKind.CONTEXT) is not None else self._last_good()
        if last_good is None:
            return ContextSources.of(self.facts, told)
        texts = {source.key: source.text for source in told}
        merged = (
            DaySource(key, changes, texts.get(key, ""))
            for starts_at, changes in zip(last_good.day_starts, last_good.day_changes, strict=True)
            for key in [DayKey(self.scope, starts_at)]
        )
        return ContextSources.of(self.facts, merged, last_good.fact_ids)

    def _last_good(self) -> MadeText | None:
        """Find what was merged before, of parts that have changed by more coming to them."""
        return next(iter(self._texts(TextKind.CONTEXT)), None)

    @cached_property
    def _history(self) -> Summary | None:
        made = self._made(TextKind.WEEK)
        if made is not None:
            return Summary(made)
        stands = _can_stand(day.text for day in self.before)
        return week_prompt.without_model(self.week(), merge_context.CONTEXT_LIMIT if stands else WEEK_AIM)


def text_of(parts: MemberParts, scopes: Sequence[ScopeParts]) -> str | None:
    """Join what the hall knows, what is known in this place, and what was told elsewhere to these listeners."""
    texts = [one.text() for one in scopes]
    return " ".join([*(text for text in texts if text), *sentences(parts.other_facts, OTHER_AIM)]) or None


def sources_of(parts: MemberParts, scopes: Sequence[ScopeParts]) -> ContextSources:
    """List the facts and days that the text was built from."""
    return ContextSources.of_all([*(one.sources() for one in scopes), ContextSources.of(parts.other_facts, ())])


def sentences(facts: Sequence[Fact], aim: int) -> list[str]:
    """Choose the newest facts that fit, at least one of them, and none cut; in the order in which they were told."""
    chosen: list[str] = []
    for fact in reversed(facts):
        text = sentence_of(fact)
        if chosen and len(text) + 1 > aim:
            break
        aim -= len(text) + 1
        chosen.append(text)
    return chosen[::-1]


def _can_stand(texts: Iterable[str | None]) -> bool:
    said = [text for text in texts if text]
    return len(said) < MOST_JOINED or (len(said) == MOST_JOINED and sum(map(len, said)) <= merge_context.AIM)


def _source_of(day: DayPart) -> DaySource:
    return DaySource(DayKey(day.scope, day.starts_at), day.changes, day.text or "")


def _as_one(days: Sequence[DayPart]) -> Summary | None:
    """Join the parts of a day: it can have two, if the guild moved to another zone in between."""
    texts = [day.text for day in days if day.text is not None]
    is_quoted = any(day.is_quoted for day in days if day.text is not None)
    return Summary(as_one(texts, week_prompt.DAY_LIMIT), is_quoted) if texts else None


def _digest(lines: Iterable[str]) -> str:
    text = "\n".join(lines)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if text else ""
