"""The diary of all guilds, put together: days that can be asked for, and the night's work that keeps them told."""

import asyncio
from datetime import date

from ai_clients.base import Purpose
from ai_clients.building import Models
from memory.core.asked_day import asked_day, may_ask_for_a_day
from memory.core.clock import Clock
from memory.core.outcomes import Answer
from memory.core.provenance import DayKey, Read
from memory.core.values import Question
from memory.day_making import DayMaker
from memory.days import WAIT, Days, DayTold
from memory.db.database import Database
from memory.health import Health
from memory.language.detect import Language, language_of
from memory.language.text import repair
from memory.leases import Leases, LeaseStore
from memory.log.outage import CaughtUpChannels
from memory.models.metering import Metering
from memory.nightly import Nightly
from memory.people.names import mentioned_ids, with_strangers
from memory.people.store import GuildStore, MemberStore
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import SettingsStore
from memory.prompts.summaries import Summary
from memory.prompts.tell_day import told
from memory.store.day_making import DayMakingStore
from memory.store.days import DayStore


class Diary:
    def __init__(
        self,
        database: Database,
        places: Places,
        metering: Metering,
        models: Models,
        clock: Clock,
        health: Health,
        live: CaughtUpChannels,
    ) -> None:
        store, making = DayStore(database), DayMakingStore(database)
        claims = Leases(LeaseStore(database), clock)
        chain = models.chain(Purpose.SUMMARISE)
        maker = DayMaker(store, making, claims, metering, chain, clock, health, live.is_live)
        self._members = MemberStore(database)
        self.days = Days(store, making, maker, places, SettingsStore(database), clock)
        self.nightly = Nightly(self.days, maker, store, making, GuildStore(database), places, claims, clock)

    async def stop(self) -> None:
        await self.nightly.stop()

    async def day(self, audience: Audience, day: date, *, wait: float = WAIT) -> DayTold:
        return await self.days.day(audience, day, wait=wait)

    async def answer(
        self, question: Question, audience: Audience, wait: float, noting: "asyncio.Task[None]"
    ) -> Answer | None:
        """What happened on the day that a question asks for; None if it asks for anything else.

        `noting` sets the question itself aside, which is no part of a day.
        """
        text = repair(question.text)
        if not await asyncio.to_thread(may_ask_for_a_day, text, question.asked_at, question.language):
            return None
        zone, named = await asyncio.gather(
            self.days.zone_of(question.guild_id), self._members.spoken_of(audience, text, [question.asker_id])
        )
        members = with_strangers(named, question.guild_id, [question.asker_id, *mentioned_ids(text)])
        asker = next(member for member in members if member.user_id == question.asker_id)
        asked = await asyncio.to_thread(asked_day, text, members, asker, question.asked_at, zone, question.language)
        if asked is None:
            return None
        await asyncio.shield(noting)
        day = await self.days.day(audience, asked.date, wait=min(wait, WAIT))
        summaries: dict[int, list[Summary]] = {}
        told_days: dict[DayKey, int] = {}
        for one in day.told:
            if not asked.people or one.user_id in asked.people:
                summaries.setdefault(one.user_id, []).append(Summary(one.text, one.is_quoted))
                told_days[DayKey(one.scope, one.day.starts_at)] = one.changes
        said, sources = (
            [message for message in messages if not asked.people or message.author_id in asked.people]
            for messages in (day.said, day.sources)
        )
        if asked.people and not summaries and not said:
            return None  # perhaps something else is known of them
        language = question.language or language_of(text) or Language.EN
        read = Read(days=told_days)
        return await asyncio.to_thread(told, asked.date, zone, summaries, said, sources, language, read)
