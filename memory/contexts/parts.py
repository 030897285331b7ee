"""What a member's context is, given its parts: the merged text where there is one, or the best that can be had without.

In this order: what was merged of these very parts; the last that was merged, with newer facts behind it; the parts
joined; and of the parts whichever there are, facts before today, and today before the days before.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

import orjson

from memory.contexts import prompt as merge_context
from memory.contexts.store import DayPart, Hashes, KeptContext, MemberParts
from memory.core.provenance import DayKey, Read, digest_of
from memory.core.values import Fact
from memory.facts.blob import sentence_of
from memory.language.detect import Language, language_of
from memory.summaries import week_prompt
from memory.summaries.calendar import HALL_SCOPE
from memory.summaries.extractive import WEEK_AIM
from memory.summaries.week_prompt import Summary, joined

# What a member's context goes back to: facts, and days with what each says of the member.
#
# It lies in memory beside the text, packed, since of most contexts nobody ever asks for it; only once a model has
# answered, what it has taken from where is looked up here.


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
        """`merged` are facts that were merged before, by their ids."""
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

    def packed(self, *, with_texts: bool = True) -> bytes:
        """Without the texts of days it is smaller, and says less."""
        facts = [(fact_id, b64encode(digest).decode()) for fact_id, digest in self.facts.items()]
        days = [(day.key.scope, day.key.starts_at, day.changes, day.text if with_texts else "") for day in self.days]
        return zlib.compress(orjson.dumps((facts, days)))

    @classmethod
    def unpacked(cls, packed: bytes) -> "ContextSources":
        facts, days = orjson.loads(zlib.decompress(packed))
        return cls(
            {fact_id: b64decode(digest) for fact_id, digest in facts},
            tuple(
                DaySource(DayKey(scope, datetime.fromisoformat(starts_at)), changes, text)
                for scope, starts_at, changes, text in days
            ),
        )


MOST_JOINED = 2
"""Parts of a context, or days of a history, that stand as they are if they are short together: no model merges them."""
NEWER_AIM = 300
"""Characters of facts behind a text that was merged before they were told."""
OTHER_AIM = 500
"""Characters of facts that were told outside the hall."""


@dataclass(frozen=True, slots=True)
class ScopeParts:
    """The parts of one scope: of the hall with its facts, or of a private channel."""

    member: MemberParts
    scope: int

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.member.hall_facts if self.scope == HALL_SCOPE else ()

    @property
    def days(self) -> tuple[DayPart, ...]:
        """Those that say something of the member, today among them."""
        return tuple(day for day in self.member.days if day.scope == self.scope and day.text is not None)

    @property
    def today(self) -> tuple[DayPart, ...]:
        return tuple(day for day in self.days if day.day == self.member.window.today)

    @property
    def before(self) -> tuple[DayPart, ...]:
        return tuple(day for day in self.days if day.day < self.member.window.today)

    @property
    def is_whole(self) -> bool:
        """Nothing is left out because of who reads it: whatever is made of it is the same for all who may."""
        is_open = not any(day.is_closed for day in self.member.days if day.scope == self.scope)
        return is_open and (self.scope != HALL_SCOPE or self.member.facts_are_whole)

    @property
    def language(self) -> Language:
        texts = (*(fact.text for fact in self.facts), *(day.text or "" for day in self.days))
        return language_of(" ".join(texts)) or Language.EN

    @property
    def source_channels(self) -> frozenset[int]:
        told_in = (fact.channel_id for fact in self.facts if not fact.everywhere)
        return frozenset(told_in).union(*(day.source_channels for day in self.days))

    @property
    def made_from(self) -> str:
        """What the days before say, as a history is kept under it."""
        return _digest(f"{day.starts_at.isoformat()} {day.is_quoted} {day.text}" for day in self.before)

    @property
    def wants_history(self) -> bool:
        """A model shall make one text of the days before, now that none of them is going to change by itself."""
        if not self._may_be_merged or _can_stand(day.text for day in self.before) or self._kept_history() is not None:
            return False
        window = self.member.window
        rows = (day for day in self.member.days if day.scope == self.scope and day.day <= window.last)
        return all(day.is_settled for day in rows)

    @property
    def wants_merge(self) -> bool:
        """A model shall make one text of several parts, and has not yet."""
        return self._may_be_merged and not self._stands and self._kept() is None

    @property
    def _may_be_merged(self) -> bool:
        """Days that are quoted are about to be told, and would be merged once more then."""
        return self.is_whole and not any(day.is_quoted for day in self.days)

    @property
    def _stands(self) -> bool:
        """The parts need no model to be one text."""
        today, history = _as_one(self.today), self._history()
        facts = " ".join(map(sentence_of, self.facts))
        return _can_stand([facts, *(one.text for one in (today, history) if one is not None)])

    def week(self) -> list[week_prompt.DayTold]:
        dates = dict.fromkeys(day.day for day in self.before)
        return [
            week_prompt.DayTold(one, summary)
            for one in dates
            if (summary := _as_one([day for day in self.before if day.day == one])) is not None
        ]

    def material(self) -> merge_context.Material:
        """Without names, which only a model needs."""
        window, today, history = self.member.window, _as_one(self.today), self._history()
        return merge_context.Material(
            user_id=self.member.user_id,
            facts=[merge_context.Told.of(fact) for fact in self.facts],
            today=None if today is None else merge_context.Today(window.today, today),
            history=None if history is None else merge_context.History(window.first, window.last, history),
            names={},
            language=self.language,
        )

    def hashes(self) -> Hashes:
        """Of what is merged, with the dates it bears."""
        window, today, history = self.member.window, _as_one(self.today), self._history()
        return Hashes(
            facts=_digest(f"{fact.fact_id} {fact.standing} {fact.text}" for fact in self.facts),
            today=_digest([] if today is None else [f"{window.today}", today.text]),
            history=_digest([] if history is None else [f"{window.first} {window.last}", history.text]),
        )

    def text(self) -> str | None:
        kept = self._kept()
        if kept is not None:
            return kept.text
        last_good = self._last_good()
        if last_good is not None:
            return " ".join([last_good.text, *sentences(self._newer(last_good), NEWER_AIM)])
        if self._texts() == ["facts"]:
            return self.member.blob or " ".join(sentences(self.facts, merge_context.AIM))
        joined_parts = merge_context.without_model(
            self.material(), merge_context.CONTEXT_LIMIT if self._stands else merge_context.AIM
        )
        return None if joined_parts is None else joined_parts.text

    def sources(self) -> ContextSources:
        """What the text goes back to, however it was made."""
        told = [_source_of(day) for day in self.days]
        last_good = None if self._kept() is not None else self._last_good()
        if last_good is None:
            return ContextSources.of(self.facts, told)
        texts = {source.key: source.text for source in told}
        merged = (
            DaySource(key, changes, texts.get(key, ""))
            for starts_at, changes in last_good.days
            for key in [DayKey(self.scope, starts_at)]
        )
        return ContextSources.of(self.facts, merged, last_good.fact_ids)

    def _last_good(self) -> KeptContext | None:
        """What was merged before, of parts that have changed by more coming to them."""
        kept = (one for one in self.member.contexts if one.scope == self.scope)
        return next(kept, None) if self.is_whole else None

    def _texts(self) -> list[str]:
        """Which of the parts there are."""
        found = {"facts": self.facts, "today": self.today, "history": self.before}
        return [name for name, parts in found.items() if parts]

    def _kept(self) -> KeptContext | None:
        """What was merged of these very parts, by the rules of today."""
        if not self.is_whole:
            return None
        hashes = self.hashes()
        return next(
            (
                kept
                for kept in self.member.contexts
                if kept.scope == self.scope and kept.hashes == hashes and kept.version == merge_context.VERSION
            ),
            None,
        )

    def _newer(self, context: KeptContext) -> list[Fact]:
        return [fact for fact in self.facts if fact.fact_id not in context.fact_ids]

    def _kept_history(self) -> Summary | None:
        made_from = self.made_from
        kept = (one for one in self.member.histories if one.scope == self.scope and one.made_from == made_from)
        return next((Summary(one.text) for one in kept), None)

    def _history(self) -> Summary | None:
        aim = merge_context.CONTEXT_LIMIT if _can_stand(day.text for day in self.before) else WEEK_AIM
        return self._kept_history() or week_prompt.without_model(self.week(), aim)


def text_of(parts: MemberParts, scopes: Sequence[int]) -> str | None:
    """All of it: what the hall knows, what is known in this place, and what was told elsewhere to these listeners."""
    texts = [ScopeParts(parts, scope).text() for scope in scopes]
    return " ".join([*(text for text in texts if text), *sentences(parts.other_facts, OTHER_AIM)]) or None


def sources_of(parts: MemberParts, scopes: Sequence[int]) -> ContextSources:
    """What all of it goes back to."""
    elsewhere = ContextSources.of(parts.other_facts, ())
    return ContextSources.of_all([*(ScopeParts(parts, scope).sources() for scope in scopes), elsewhere])


def sentences(facts: Sequence[Fact], aim: int) -> list[str]:
    """The newest that fit, at least one of them, and none cut; in the order in which they were told."""
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
    """A day can have two parts, if the guild moved to another zone in between."""
    parts = [{0: Summary(day.text, day.is_quoted)} for day in days if day.text is not None]
    return joined(parts, week_prompt.DAY_LIMIT).get(0)


def _digest(lines: Iterable[str]) -> str:
    text = "\n".join(lines)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if text else ""
