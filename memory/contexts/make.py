"""Has a model make what a context lacks: one text of the days before, and one of facts, today and those days.

One process at a time does it for a member. What it came to is kept only if all that it was made from is still there and
unchanged; otherwise it was in vain, and the next question begins anew.
"""

import logging
import secrets
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

from ai_clients.chain import Chain
from ai_clients.errors import BudgetExhausted, ModelError, RateLimited
from memory.contexts import prompt as merge_context
from memory.contexts.cache import ContextCaches
from memory.contexts.parts import ScopeParts
from memory.contexts.store import ContextStore, MadeContext, MadeHistory, MemberParts, Window
from memory.core.clock import Clock
from memory.health import Health, Part
from memory.leases import Lease, Leases
from memory.models.metering import AskedTooOften, Metering
from memory.models.usage import Requester, Routine
from memory.people.names import mentioned_ids
from memory.people.store import MemberStore
from memory.places.service import Places
from memory.places.view import NOWHERE, Audience
from memory.summaries import week_prompt

logger = logging.getLogger(__name__)

OF_NO_FACTS = sha256(b"").hexdigest()


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

    @property
    def part(self) -> Part:
        """Named when it is first needed: a process that makes no contexts has no such part."""
        return self._health.part("contexts")

    def lacks(self, parts: MemberParts, scopes: Iterable[int]) -> list[int]:
        """The scopes in which a model has something to do for a member."""
        if self._chain is None:
            return []
        found = [ScopeParts(parts, scope) for scope in scopes]
        return [one.scope for one in found if one.wants_history or one.wants_merge]

    async def parts(self, audience: Audience, scopes: Iterable[int], user_id: int, window: Window) -> MemberParts:
        return await self._store.parts(audience, list(scopes), user_id, window, week_prompt.VERSION)

    async def make(self, audience: Audience, scope: int, user_id: int, window: Window, by: Requester | Routine) -> None:
        """May raise `StoreError`. A model's failure is noted, and nothing else."""
        if self._chain is None:
            return
        async with self._claims.held(audience.guild_id, f"context {scope} {user_id}") as claim:
            if claim is None:
                return
            try:
                await self._make(claim, self._chain, audience, scope, user_id, window, by)
            except AskedTooOften:
                return  # it says nothing of the model; whoever asks next has it made
            except ModelError as error:
                delay = error.retry_after if isinstance(error, RateLimited | BudgetExhausted) else None
                self._caches.note_failure(audience.guild_id, user_id, delay)
                self.part.count("failed")
                self.part.limited("Some contexts could not be merged by a model; their parts serve meanwhile.")
                logger.warning(
                    "a context was not merged: %s", type(error).__name__, extra={"guild_id": audience.guild_id}
                )
            else:
                self._caches.note_success(audience.guild_id, user_id)

    async def _make(
        self,
        claim: Lease,
        chain: Chain,
        audience: Audience,
        scope: int,
        user_id: int,
        window: Window,
        by: Requester | Routine,
    ) -> None:
        # Read behind the claim: whoever had it before may have done all there was to do.
        parts = ScopeParts(await self.parts(audience, [scope], user_id, window), scope)
        if parts.wants_history:
            await self._make_history(claim, chain, audience, parts, by)
            parts = ScopeParts(await self.parts(audience, [scope], user_id, window), scope)
        if parts.wants_merge:
            await self._merge(claim, chain, audience, parts, by)

    async def _make_history(
        self, claim: Lease, chain: Chain, audience: Audience, parts: ScopeParts, by: Requester | Routine
    ) -> None:
        user_id, days = parts.member.user_id, parts.before
        names = await self._names(audience, user_id, (day.text or "" for day in days))
        source_channels = frozenset[int]().union(*(day.source_channels for day in days))
        channels = self._places.names(Audience(audience.guild_id, NOWHERE, source_channels))
        material = week_prompt.Material(user_id, parts.week(), names, parts.language, channels)
        asked = week_prompt.render(material, fence=secrets.token_hex(8))
        reply = await self._metering.ask_for(claim.guild_id, chain, asked.prompt, week_prompt.Reply, by=by, live=False)
        made = MadeHistory(
            scope=parts.scope,
            user_id=user_id,
            version=week_prompt.VERSION,
            days=days,
            source_channels=source_channels,
            text=week_prompt.read(reply.value, asked).text,
            model=reply.model,
            made_at=self._clock.now(),
            last_day=parts.member.window.last,
            made_from=parts.made_from,
        )
        self._note("histories", is_kept=await self._store.put_history(claim, made))

    async def _merge(
        self, claim: Lease, chain: Chain, audience: Audience, parts: ScopeParts, by: Requester | Routine
    ) -> None:
        material = parts.material()
        texts = [fact.text for fact in parts.facts] + [day.text or "" for day in parts.days]
        tellers = [told.hearsay_of for told in material.facts if told.hearsay_of is not None]
        names = await self._names(audience, material.user_id, texts, tellers)
        asked = merge_context.render(replace(material, names=names), fence=secrets.token_hex(8))
        reply = await self._metering.ask_for(
            claim.guild_id, chain, asked.prompt, merge_context.Reply, by=by, live=False
        )
        made = MadeContext(
            scope=parts.scope,
            user_id=material.user_id,
            version=merge_context.VERSION,
            days=parts.days,
            source_channels=parts.source_channels,
            text=merge_context.read(reply.value, asked).text,
            model=reply.model,
            made_at=self._clock.now(),
            made_on=parts.member.window.today,
            hashes=parts.hashes(),
            fact_ids=tuple(fact.fact_id for fact in parts.facts),
            facts_digest=parts.member.facts_digest if parts.facts else OF_NO_FACTS,
        )
        self._note("merged", is_kept=await self._store.put_context(claim, made))

    async def _names(
        self, audience: Audience, user_id: int, texts: Iterable[str], also: Iterable[int] = ()
    ) -> dict[int, str]:
        people = {user_id, *also, *(one for text in texts for one in mentioned_ids(text))}
        members = await self._members.spoken_of(audience, "", sorted(people))
        return {member.user_id: member.display_name for member in members}

    def _note(self, what: str, *, is_kept: bool) -> None:
        if is_kept:
            self.part.active()
        self.part.count(what if is_kept else "made in vain")
