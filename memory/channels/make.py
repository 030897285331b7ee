"""Makes the summaries of a channel: by a model that has to pass a gate; without any model by quotation.

Each channel is worked on by one at a time, in this process and in all. A reply that does not pass is asked for once
more; then it counts as a failure of the model: what it was to cover stays open, and an extract of that serves.
"""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from zoneinfo import ZoneInfo

from ai_clients.chain import Chain
from ai_clients.errors import BadReply, ModelError
from memory.channels import prompt
from memory.channels.prompt import Fault, Told
from memory.channels.store import ChannelSummaryStore, Talk
from memory.channels.values import ChannelSummary, Policy, SummaryRules, next_merge
from memory.core.clock import Clock
from memory.core.values import Message
from memory.health import Health
from memory.leases import Lease, Leases
from memory.models.metering import AskedTooOften, Metering
from memory.models.usage import Requester, Routine
from memory.people.names import mentioned_ids
from memory.places.view import Audience
from memory.summaries.make_day import most_spoken

logger = logging.getLogger(__name__)

TRIES = 2
PATIENCE = 20.0
"""Seconds that somebody waits for each of them."""
CARRIED = 3
"""Sources of each text that goes into another: they are read again, because texts made of texts invent."""
MOST_MERGES = 10


class SummaryOutcome(StrEnum):
    MADE = auto()
    QUOTED = auto()
    """By quotation, because there is no model."""
    FAILED = auto()
    """No model could: what was to be covered stays open."""
    TOO_OFTEN = auto()
    """Whoever asked has to wait."""
    NOT_DUE = auto()
    CHANGED = auto()
    """Something it was made from changed meanwhile."""
    ELSEWHERE = auto()
    """Somebody else is at it."""


@dataclass(frozen=True, slots=True)
class Channel:
    guild_id: int
    channel_id: int
    zone: str
    rules: SummaryRules
    by: Requester | Routine
    """On whose behalf a model is asked."""
    live: bool = False
    """They wait for it; otherwise it gives way to answers."""
    name: str | None = None
    """None: not known."""

    @property
    def itself(self) -> Audience:
        """Make an audience of whoever is in the channel: what is made of it is made for them."""
        return Audience.of_place_alone(self.guild_id, self.channel_id)


class SummaryMaker:
    def __init__(
        self,
        store: ChannelSummaryStore,
        claims: Leases,
        metering: Metering,
        chain: Chain | None,
        clock: Clock,
        health: Health,
    ) -> None:
        self._store = store
        self._claims = claims
        self._metering = metering
        self._chain = chain
        self._clock = clock
        self.part = health.part("channels")
        self.part.active()

    @property
    def has_model(self) -> bool:
        return self._chain is not None

    async def make(self, channel: Channel, *, at_once: bool = False) -> SummaryOutcome:
        """Make what is due; `at_once`: also what is not due yet, as somebody asked for it. May raise `StoreError`."""
        async with self._claims.held(channel.guild_id, f"channel {channel.channel_id}") as claim:
            if claim is None:
                return SummaryOutcome.ELSEWHERE
            outcome = await self._cover(channel, claim, at_once=at_once)
            if channel.rules.policy is Policy.LEVELS and outcome in (SummaryOutcome.MADE, SummaryOutcome.QUOTED):
                await self._merge(channel, claim)
            return outcome

    async def _cover(self, channel: Channel, claim: Lease, *, at_once: bool) -> SummaryOutcome:
        rules = channel.rules
        standing = await self._store.standing(channel.itself, channel.channel_id, rules.policy)
        if not at_once and not standing.is_due(rules):
            return SummaryOutcome.NOT_DUE
        # Whoever asks for it wants the newest as well.
        leaving = rules.kept if rules.policy is Policy.ROLLING and not at_once else 0
        talk = await self._store.uncovered(channel.guild_id, channel.channel_id, rules.policy, leaving)
        if talk is None:
            return SummaryOutcome.NOT_DUE
        before = [] if rules.policy is Policy.LEVELS else standing.summaries[:1]
        return await self._write(channel, claim, talk, before, level=1)

    async def _merge(self, channel: Channel, claim: Lease) -> None:
        for _ in range(MOST_MERGES):
            active = await self._store.told(channel.itself, channel.channel_id, Policy.LEVELS)
            merged = next_merge(active)
            if not merged:
                return
            talk = await self._store.span_of(channel.guild_id, channel.channel_id, merged)
            if talk is None:
                return
            outcome = await self._write(channel, claim, talk, merged, level=max(one.level for one in merged) + 1)
            if outcome not in (SummaryOutcome.MADE, SummaryOutcome.QUOTED):
                return

    async def _write(
        self,
        channel: Channel,
        claim: Lease,
        talk: Talk,
        before: Sequence[ChannelSummary],
        *,
        level: int,
    ) -> SummaryOutcome:
        """Write one text of what was said, and of the texts before it."""
        carried = await self._carried(channel, before)
        told: Told | None = None
        model: str | None = None
        try:
            told, model = await self._by_model(channel, talk, before, carried)
        except AskedTooOften:
            return SummaryOutcome.TOO_OFTEN
        except ModelError as error:
            self._note_failure(channel, error)
            return SummaryOutcome.FAILED
        if told is None:
            told = await asyncio.to_thread(prompt.without_model, [*carried, *talk.messages])
        if told is None:
            return SummaryOutcome.NOT_DUE
        made = self._made(channel, talk, before, told, level=level, model=model)
        if await self._store.put(claim, made, prompt.VERSION, talk, before) is None:
            return SummaryOutcome.CHANGED
        self.part.count("made" if model is not None else "quoted")
        if model is not None:
            self.part.active()
        return SummaryOutcome.MADE if model is not None else SummaryOutcome.QUOTED

    async def _carried(self, channel: Channel, before: Sequence[ChannelSummary]) -> list[Message]:
        cited = [message_id for one in before for message_id in one.cites[: CARRIED if len(before) > 1 else None]]
        return await self._store.cited(channel.itself, cited)

    async def _by_model(
        self, channel: Channel, talk: Talk, before: Sequence[ChannelSummary], carried: Sequence[Message]
    ) -> tuple[Told | None, str | None]:
        """Have a model write the text; nothing, where there is no model."""
        if self._chain is None:
            return None, None
        messages = () if len(before) > 1 else talk.messages
        said = [*carried, *messages]
        authors = {message.author_id for message in said}
        mentioned = {
            one for text in (*(m.text for m in said), *(b.text for b in before)) for one in mentioned_ids(text)
        }
        material = prompt.ChannelMaterial(
            most_spoken(said),
            ZoneInfo(channel.zone),
            messages,
            await self._store.people(channel.guild_id, authors, mentioned, talk.span.first_id),
            tuple(Told(one.text, one.cites) for one in before),
            carried,
            {} if channel.name is None else {channel.channel_id: channel.name},
        )
        fault = Fault.EMPTY
        seconds = PATIENCE if channel.live else None
        for _ in range(TRIES):
            asked = await asyncio.to_thread(prompt.render, material, fence=secrets.token_hex(8))
            reply = await self._metering.ask_for(
                channel.guild_id,
                self._chain,
                asked.prompt,
                prompt.ChannelReply,
                by=channel.by,
                live=channel.live,
                seconds=seconds,
            )
            read = await asyncio.to_thread(prompt.read, reply.value, asked)
            if isinstance(read, Told):
                return read, reply.model
            fault = read
            self.part.count("refused")
        raise BadReply(f"a summary that is {fault}")

    def _made(
        self,
        channel: Channel,
        talk: Talk,
        before: Sequence[ChannelSummary],
        told: Told,
        *,
        level: int,
        model: str | None,
    ) -> ChannelSummary:
        span = talk.span
        if before and level == 1:
            earlier = before[0].span
            first_id, last_id = min(earlier.first_id, span.first_id), max(earlier.last_id, span.last_id)
            span = replace(span, first_id=first_id, last_id=last_id, messages=earlier.messages + span.messages)
        people = {message.author_id for message in talk.messages}
        people |= {one for message in talk.messages for one in mentioned_ids(message.text)}
        people |= {one for text in before for one in text.people}
        return ChannelSummary(
            summary_id=0,
            channel_id=channel.channel_id,
            policy=channel.rules.policy,
            level=level,
            span=span,
            people=frozenset(people),
            cites=told.cites,
            text=told.text,
            model=model,
            made_at=self._clock.now(),
            quality=prompt.quality(told.text, talk.messages) if model is not None and level == 1 else None,
        )

    def _note_failure(self, channel: Channel, error: ModelError) -> None:
        logger.warning("channel summary failed: %s", type(error).__name__, extra={"guild_id": channel.guild_id})
        self.part.count("failed")
        self.part.limited("Some channels could not be summarised by a model; they are quoted, and tried again later.")
