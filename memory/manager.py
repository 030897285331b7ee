"""Opens the one door of bot and web into memory. It builds the services once and hands them out."""

import asyncio
from datetime import datetime, timedelta

from ai_clients.base import Purpose
from ai_clients.build import Models, without_models
from ai_clients.embedding import StaticVectors
from ai_clients.settings import ModelOptions
from memory.access import Access
from memory.answers.about_days import DayAnswers
from memory.answers.about_here import Coming
from memory.answers.about_then import FactsOverTime
from memory.answers.generate import Generator
from memory.answers.service import Answers
from memory.answers.store import ExchangeStore
from memory.answers.understanding import Understanding
from memory.audit import AuditLog
from memory.channels.make import SummaryMaker
from memory.channels.service import ChannelSummaries
from memory.channels.store import ChannelSummaryStore
from memory.contexts.service import contexts_of
from memory.core.clock import Clock
from memory.core.log_values import Purged
from memory.core.outcomes import ForgetOutcome, RememberOutcome
from memory.core.values import Message, RememberRequest
from memory.daily.digest import Digests
from memory.daily.service import CatchUps
from memory.daily.store import CatchUpStore
from memory.db.command_definitions import CommandStore
from memory.db.database import Database
from memory.db.migrate import migrate
from memory.diagnosis import connection_source, told_to
from memory.events import Events
from memory.facts.follow_messages import MessageFollower
from memory.facts.hearsay import Hearsay
from memory.facts.ledger import FactStore
from memory.facts.reader import FactReader
from memory.facts.service import Facts
from memory.facts.undo import UndoService
from memory.health import MISSED_BEATS, Health, HealthStore, Heartbeat
from memory.importing.importer import ImportedChannels
from memory.leases import Leases, LeaseStore
from memory.log.outage import RecentMessages
from memory.log.reading import MessageStore
from memory.log.service import Log
from memory.memories.service import Memories
from memory.models.metering import Metering
from memory.models.usage import ModelHealth, Requester
from memory.overview import Overview
from memory.people.store import GuildStore, MemberStore, People
from memory.places.service import PlaceMirror, Places
from memory.places.store import PlaceStore
from memory.places.view import Audience
from memory.policy.store import Policies
from memory.privacy.export import Exports
from memory.privacy.service import Privacy
from memory.recall.indexer import Indexer
from memory.recall.service import RecallService
from memory.recall.vectors import Embedders
from memory.receipts.retractions import Retractions
from memory.receipts.service import Receipts
from memory.receipts.verdicts import Verdicts
from memory.reminders.service import Reminders
from memory.settings import MemoryOptions
from memory.shards import ShardLeases, ShardLeaseStore
from memory.shared_files.service import SharedFiles


class MemoryManager:
    """Opens the four doors of memory, and hands out its services. Made by `MemoryManager.open`."""

    def __init__(
        self,
        database: Database,
        options: MemoryOptions,
        clock: Clock,
        health: Health,
        models: Models | None = None,
        prices: ModelOptions | None = None,
    ) -> None:
        policies = Policies()
        ring = RecentMessages(options.recent_messages, policies)
        members, messages = MemberStore(database), MessageStore(database)
        every = timedelta(seconds=options.heartbeat_seconds)
        self._database = database
        self.clock = clock
        self.heartbeat = Heartbeat(health, HealthStore(database), clock, every)
        self.shard_leases = ShardLeases(ShardLeaseStore(database), health, self.heartbeat.beat_soon)
        """As which part of Discord's bot this process is connected."""
        self.command_definitions = CommandStore(database)
        """What commands Discord was last given."""
        self.exports = Exports(database, clock, options.data_dir)
        self.people = People(database, policies, clock)
        place_store = PlaceStore(database)
        self.place_mirror = PlaceMirror(place_store, health.run)
        """For the process that sees Discord: what it sees there."""
        self.places = Places(place_store, self.place_mirror, clock, silence=every * MISSED_BEATS)
        self.access = Access(database, self.places, clock)
        """Who may open the panel and the API."""
        self.retractions = Retractions(database, clock, self.place_mirror, health)
        """Replies of ours that may not stand as they are."""

        facts = FactStore(database, self.retractions.wake)
        unfinished = asyncio.Event()
        self.log = Log(
            database,
            MessageFollower(facts, options.fact_limit),
            policies,
            ring,
            self.place_mirror,
            clock,
            health,
            on_changed=self.retractions.wake,
            on_rest=unfinished.set,
        )
        chosen = None if models is None else models.embedder
        models = models or without_models()
        has_model = Purpose.ANSWER in models.chains
        self.metering = Metering(database, options, clock, health, has_model=has_model, prices=prices)
        self.day_answers = DayAnswers(
            database,
            self.places,
            facts,
            self.metering,
            models,
            clock,
            health,
            self.log.live,
            self.log.settled,
            warm=lambda guild_id: self.contexts.precompute(guild_id),
        )
        """Days, and the night's work, begun where Discord is seen."""
        days = self.day_answers.days
        erasures = health.part("erasures")
        erasures.active()

        def erased(guild_id: int) -> None:
            erasures.count("done")
            self.day_answers.nightly.mend_soon(guild_id)

        self.privacy = Privacy(
            database,
            facts,
            policies,
            ring,
            self.place_mirror,
            self.log.settled,
            clock,
            health,
            unfinished,
            on_erased=erased,
        )
        self.imported_channels = ImportedChannels(database, self.place_mirror, clock)
        self.overview = Overview(database, self.privacy.settings, clock)
        embedders = None if chosen is None else Embedders(chosen, self.metering)
        self.recall = RecallService(database, members, self.privacy.settings, embedders, self.log.settled, health)
        self.files = SharedFiles(
            database, self.privacy.settings, models, self.metering, clock, health, is_busy=lambda: self.log.is_busy
        )
        """What people share; fetched where Discord is seen."""
        self.indexer = Indexer(
            database, embedders, clock, health, is_busy=lambda: self.log.is_busy, is_asked=lambda: self.recall.is_asked
        )
        """Started where messages come in; it gives way to the log, and to whoever asks."""
        reader = FactReader(models, self.metering, health)
        limit = options.fact_limit
        claims = Leases(LeaseStore(database), clock, health)
        settings = self.privacy.settings
        self.facts = Facts(facts, messages, members, reader, ring, clock, health, limit, settings)
        self.undos = UndoService(database, facts, members, clock, health, limit)
        """Changes of what is remembered, for a day."""
        self.hearsay = Hearsay(database, facts, members, clock, health, limit)
        """What is held about members, and what they do about it."""
        self.audit_log = AuditLog(database)

        def events_changed() -> None:
            self.retractions.wake()
            self.reminders.wake()

        self.events = Events(database, self.places, clock, events_changed)
        """What is scheduled on Discord."""
        self.reminders = Reminders(database, models, self.metering, self.places, self.events, clock, health)
        summary_store = ChannelSummaryStore(database)
        summary_maker = SummaryMaker(
            summary_store,
            claims,
            self.metering,
            models.chain(Purpose.SUMMARISE),
            clock,
            health,
        )
        self.channels = ChannelSummaries(
            summary_store,
            messages,
            summary_maker,
            self.places,
            settings,
            self.log.settled,
            clock,
            StaticVectors(),
            GuildStore(database),
        )
        """What was talked about in each channel."""
        self.memories = Memories(
            database,
            facts,
            members,
            self.places,
            claims,
            models,
            self.metering,
            settings,
            self.log.settled,
            clock,
            health,
        )
        """What members let on; begun where they speak with us."""
        self.catch_ups = CatchUps(
            CatchUpStore(database),
            self.places,
            days,
            settings,
            self.reminders.zone_of,
            self.log.settled,
            self.events,
            clock,
        )
        """What members missed."""
        self.digests = Digests(database, self.catch_ups, days, self.places, self.log.settled, self.events, clock)
        """What a whole server is told of its days."""
        self.contexts = contexts_of(database, days, self.places, self.metering, models, options, clock, health)
        self.receipts = Receipts(database, clock, health, on_late=self.retractions.check_again)
        """What our replies in channels were made from."""
        self.verdicts = Verdicts(database, clock, health)
        """What members say of our answers."""
        self.answers = Answers(
            facts,
            messages,
            members,
            ring,
            Generator(models, self.metering, ModelHealth(models, health), clock, options.persona),
            Understanding(models, self.metering, health, options.understand_seconds),
            self.recall,
            self.day_answers,
            self.contexts,
            FactsOverTime(facts, days.zone_of),
            ExchangeStore(database),
            self.channels,
            Coming(self.events, self.reminders),
            self.places,
            health,
            options.recent_messages,
            options.recalled_tokens,
            self.log.settled,
            settings,
        )

    @classmethod
    async def open(
        cls,
        options: MemoryOptions,
        *,
        clock: Clock,
        health: Health,
        models: Models | None = None,
        prices: ModelOptions | None = None,
    ) -> "MemoryManager":
        """Open the database, embedded or by its URL, bring it up to date, and start telling how this process is.

        Without models, answers quote and recall goes by words alone. Whoever built them closes them, afterwards.
        """
        part = health.part("database")
        database = await Database.open(
            connection_source(options), on_state=told_to(part), max_size=options.database_pool_size
        )
        try:
            await migrate(database, clock.now())
        except BaseException:
            await database.close()
            raise
        health.watch(lambda: part.show(**database.connections))
        manager = cls(database, options, clock, health, models, prices)
        manager.heartbeat.start()
        return manager

    async def close(self) -> None:
        await self.receipts.stop()
        await self.memories.stop()
        await self.channels.stop()
        await self.contexts.stop()
        await self.day_answers.stop()
        await self.indexer.stop()
        await self.log.close()
        await self.heartbeat.stop()
        await self.metering.close()
        await self._database.close()

    async def ingest_message(self, message: Message) -> None:
        """Queue a message, to be written within moments; waits for room, and never raises because of the database."""
        await self.log.room()
        self.log.put_message(message)

    async def get_memories(self, audience: Audience, user_id: int, by: Requester) -> str | None:
        """Tell what is known of a member, in one text: what they and others told, today, and the days before."""
        await self.log.settled(audience.guild_id)
        return await self.contexts.text_for(audience, user_id, by)

    async def remember(self, telling: RememberRequest, audience: Audience) -> RememberOutcome:
        await self.log.settled(telling.guild_id)
        return await self.facts.remember(telling, audience)

    async def forget(self, telling: RememberRequest, audience: Audience) -> ForgetOutcome:
        await self.log.settled(telling.guild_id)
        return await self.facts.forget(telling, audience)

    async def purge(self, now: datetime) -> Purged:
        """Delete every hour the words, calls and rows whose time is over."""
        purged = await self.privacy.purge(now)
        await self.metering.purge(now)
        await self.undos.purge(now)
        await self.audit_log.purge(now)
        await self.hearsay.report_unreadable()
        await self.memories.purge(now)
        await self.reminders.purge(now)
        await self.events.purge(now)
        await self.catch_ups.purge(now)
        await self.digests.purge(now)
        await self.access.purge()
        await LeaseStore(self._database).forget_expired(now)
        return purged
