"""Has a model make what a member's context lacks: one text of the days before, of facts, today and those days, and of
the facts alone where they are many.

One process at a time does it for a member. What it came to is kept only if all that it was made from is still there and
unchanged; otherwise it was in vain, and the next question begins anew.

A process caches texts under the stamp of all that they were made from and of who may read that. The stamp is read anew
for every question, so that a text whose sources have changed is simply not found. Failures of models are not kept in
place of a text: they only say when to try again.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from cachetools import LRUCache, TLRUCache, TTLCache

from ai_clients.chain import Chain
from ai_clients.errors import ModelError
from memory.contexts import prompt as merge_context
from memory.contexts.parts import ContextSources, ScopeParts, version_of
from memory.contexts.store import ContextStore, MemberParts, NewText, TextKind, Window
from memory.core.clock import Clock
from memory.core.values import Member
from memory.facts import blob
from memory.health import Health, HealthReporter
from memory.language.word_caches import register_cache
from memory.leases import Lease, Leases
from memory.models.metering import AskedTooOften, Metering
from memory.models.usage import Requester, Routine
from memory.people.names import mentioned_ids, with_strangers
from memory.people.store import MemberStore
from memory.places.service import Places
from memory.places.view import NOWHERE, Audience
from memory.summaries import week_prompt

logger = logging.getLogger(__name__)

HOUR = 3_600
REST = 300
"""Seconds after a model has failed before it is asked again for the same member."""

MemberKey: TypeAlias = tuple[int, int, tuple[int, ...], int | None]
"""Guild, member, scopes, and the one reader if there is only one."""


@dataclass(frozen=True, slots=True)
class CachedProfile:
    """Holds what is known of a member, for one audience, and what it goes back to."""

    stamp: bytes
    zone: str
    text: str | None
    """None: nothing is known."""
    sources: ContextSources
    is_settled: bool
    """No model is going to make anything better of it."""


class ContextCaches:
    """Holds what a process knows of contexts, and for whom models rest that failed."""

    def __init__(self, members: int, places: int, clock: Clock) -> None:
        def seconds() -> float:
            return clock.now().timestamp()

        timer: Callable[[], float] = seconds
        self.profiles: LRUCache[MemberKey, CachedProfile] = LRUCache(members)
        self.looked: TLRUCache[tuple[int, int, datetime], float] = TLRUCache(places, _until, timer)
        """By guild, scope and hour, for how many seconds what was new of today is seen to."""
        self.zones: LRUCache[int, str] = LRUCache(places)
        """The zone that a guild was last seen to be in. It may have moved."""
        self._resting: TTLCache[tuple[int, int, bool], bool] = TTLCache(members, REST, timer)
        """For whom no model could make a text just now. Facts that none could merge keep no context from being made."""
        register_cache(self)

    def forget_words(self) -> None:
        self.profiles.clear()

    def profile(self, key: MemberKey, stamp: bytes) -> CachedProfile | None:
        kept = self.profiles.get(key)
        return kept if kept is not None and kept.stamp == stamp else None

    def may_try(self, guild_id: int, user_id: int, kind: TextKind = TextKind.CONTEXT) -> bool:
        return (guild_id, user_id, kind is TextKind.FACTS) not in self._resting

    def note_failure(self, guild_id: int, user_id: int, kind: TextKind) -> None:
        self._resting[guild_id, user_id, kind is TextKind.FACTS] = True


def _until(_key: object, holds: float, now: float) -> float:
    return now + holds


# Making what a context lacks.


class ContextMaker:
    def __init__(
        self,
        store: ContextStore,
        members: MemberStore,
        places: Places,
        claims: Leases,
        metering: Metering,
        chain: Chain | None,
        caches: ContextCaches,
        clock: Clock,
        health: Health,
        facts_aim: int,
    ) -> None:
        self._store = store
        self._members = members
        self._places = places
        self._claims = claims
        self._metering = metering
        self._chain = chain
        self._caches = caches
        self._clock = clock
        self._health = health
        self._facts_aim = facts_aim

    @property
    def has_model(self) -> bool:
        return self._chain is not None

    @property
    def part(self) -> HealthReporter:
        """Give the part of health; it is named when it is first needed: a process that makes no contexts has none."""
        return self._health.part("contexts")

    def scopes_of(self, parts: MemberParts, scopes: Iterable[int]) -> list[ScopeParts]:
        return [ScopeParts(parts, scope, self._facts_aim) for scope in scopes]

    def lacks(self, scopes: Iterable[ScopeParts]) -> bool:
        """Say whether a model has something to do for a member."""
        return self._chain is not None and any(one.lacking is not None for one in scopes)

    async def make(self, audience: Audience, scope: int, user_id: int, window: Window, by: Requester | Routine) -> None:
        """Make what a member's context lacks. May raise `StoreError`. A model's failure is noted, and nothing else."""
        if self._chain is None:
            return
        guild_id, made = audience.guild_id, None
        async with self._claims.held(guild_id, f"context {scope} {user_id}") as claim:
            while claim is not None:
                # Read behind the claim: whoever had it before may have done all there was to do.
                parts = await self._parts(audience, scope, user_id, window)
                kind = parts.lacking
                if kind is None or kind is made or not self._caches.may_try(guild_id, user_id, kind):
                    return
                try:
                    await self._make(claim, self._chain, audience, parts, kind, by)
                except AskedTooOften:
                    return  # it says nothing of the model; whoever asks next has it made
                except ModelError as error:
                    self._caches.note_failure(guild_id, user_id, kind)
                    self.part.count("failed")
                    self.part.limited("Some contexts could not be merged by a model; their parts serve meanwhile.")
                    logger.warning(
                        "no model merged a member's context: %s", type(error).__name__, extra={"guild_id": guild_id}
                    )
                    return
                made = kind

    async def _parts(self, audience: Audience, scope: int, user_id: int, window: Window) -> ScopeParts:
        found = await self._store.find(audience, [scope], user_id, window)
        return ScopeParts(found.parts(), scope, self._facts_aim)

    async def _make(
        self,
        claim: Lease,
        chain: Chain,
        audience: Audience,
        parts: ScopeParts,
        kind: TextKind,
        by: Requester | Routine,
    ) -> None:
        text, model = await self._asked(chain, audience, parts, kind, by)
        made_at = self._clock.now()
        made = NewText(
            kind=kind,
            scope=parts.scope,
            user_id=parts.member.user_id,
            made_on=parts.member.window.today,
            version=version_of(kind),
            made_from=parts.made_from(kind),
            facts=parts.facts_of(kind),
            days=parts.days_of(kind),
            source_channels=parts.source_channels(kind),
            text=text,
            model=model,
            made_at=made_at,
            asked_at=made_at if isinstance(by, Requester) else None,
        )
        is_kept = await self._store.put(claim, made)
        if is_kept:
            self.part.active()
        self.part.count(f"{kind} made" if is_kept else "made in vain")

    async def _asked(
        self, chain: Chain, audience: Audience, parts: ScopeParts, kind: TextKind, by: Requester | Routine
    ) -> tuple[str, str]:
        """Ask a model for a text; give what it says, and which it is. Raises `ModelError`."""
        guild_id, fence = audience.guild_id, secrets.token_hex(8)
        members = await self._people(audience, parts, kind)
        names = {member.user_id: member.display_name for member in members}
        channels = self._places.names(Audience(guild_id, NOWHERE, parts.source_channels(kind)))
        match kind:
            case TextKind.WEEK:
                week = week_prompt.WeekMaterial(parts.member.user_id, parts.week(), names, parts.language, channels)
                prompt = week_prompt.render(week, fence=fence)
                told = await self._metering.ask_for(guild_id, chain, prompt, week_prompt.WeekReply, by=by, live=False)
                return week_prompt.read(told.value, prompt, week), told.model
            case TextKind.CONTEXT:
                material = replace(parts.material(), names=names, channels=channels)
                asked = merge_context.render(material, fence=fence)
                merged = await self._metering.ask_for(
                    guild_id, chain, asked.prompt, merge_context.ContextReply, by=by, live=False
                )
                return merge_context.read(merged.value, asked), merged.model
            case TextKind.FACTS:
                known = with_strangers(members, guild_id, [parts.member.user_id, *_named_in(parts, kind)])
                subject = next(one for one in known if one.user_id == parts.member.user_id)
                task = blob.Task(subject, known, parts.facts, self._facts_aim)
                prompt = blob.render(task, fence)
                short = await self._metering.ask_for(guild_id, chain, prompt, blob.Reply, by=by, live=False)
                return blob.read(short.value, task), short.model

    async def _people(self, audience: Audience, parts: ScopeParts, kind: TextKind) -> Sequence[Member]:
        people = {parts.member.user_id, *_named_in(parts, kind)}
        return await self._members.spoken_of(audience, "", sorted(people))


def _named_in(parts: ScopeParts, kind: TextKind) -> list[int]:
    """Find whom the parts of a text name, and who told the facts among them."""
    facts = parts.facts_of(kind)
    texts = [*(fact.text for fact in facts), *(day.text or "" for day in parts.days_of(kind))]
    return [*mentioned_ids("\n".join(texts)), *(fact.teller_id for fact in facts)]
