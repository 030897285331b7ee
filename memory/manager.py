"""The one door of bot and web into memory. It composes the modules behind it and holds no logic of its own."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, timedelta

from ai_clients.base import Purpose
from ai_clients.build import Models, without_models
from memory.answers.about_days import DayAnswers
from memory.answers.about_then import FactsOverTime
from memory.answers.generate import Generator
from memory.answers.routing import Router
from memory.answers.service import Answers
from memory.audit import AuditLog
from memory.contexts.service import contexts_of
from memory.core.clock import Clock
from memory.core.log_values import (
    ChannelProgress,
    ErasureReport,
    GuildLog,
    LogSettings,
    OnProgress,
    Purged,
    Reconciled,
    Removal,
    Unanswered,
)
from memory.core.outcomes import Answer, ForgetOutcome, RememberOutcome
from memory.core.values import Guild, Intent, Member, Message, MessageEdit, Question, Telling
from memory.db.command_definitions import CommandStore
from memory.db.database import Database
from memory.db.migrate import migrate
from memory.diagnosis import connection_source, told_to
from memory.facts.blob_store import BlobStore
from memory.facts.edit import FactEditor
from memory.facts.follow_messages import MessageFollower
from memory.facts.hearsay import Hearsay
from memory.facts.history import FactsThenStore
from memory.facts.ledger import FactStore
from memory.facts.merge_job import MergeJob
from memory.facts.reader import FactReader
from memory.facts.service import Facts
from memory.facts.undo import UndoService
from memory.facts.values import Opened
from memory.health import Health, HealthReport
from memory.heartbeat import MISSED_BEATS, HealthStore, Heartbeat
from memory.leases import Leases, LeaseStore
from memory.log.events import ChannelDeletion, Deletion
from memory.log.ingest import Ingest
from memory.log.reading import MessageStore, ProgressStore
from memory.log.recent import RecentMessages
from memory.models.metering import Metering, Prices
from memory.models.usage import ModelHealth, UsageReport
from memory.people.resolver import Naming
from memory.people.store import GuildStore, MemberStore
from memory.places.mirror import PlaceMirror
from memory.places.service import Places
from memory.places.store import PlaceStore
from memory.places.view import Audience, HallProposal
from memory.policy.settings import GuildSettings, SettingsChange
from memory.policy.store import Policies
from memory.privacy.export import Exports
from memory.privacy.service import Privacy
from memory.recall.embedder import Embedders
from memory.recall.indexer import Indexer
from memory.recall.results import Bookmark, Passage, Recollection
from memory.recall.search import NO_LIMITS
from memory.recall.service import RecallService
from memory.recall.values import Limits
from memory.receipts.retractions import Retractions
from memory.receipts.service import Receipts
from memory.settings import MemoryOptions
from memory.summaries.days import DayTold

# The part of the one door that leads into the log: what is said, edited and deleted, and how far it was read.


class LogDoors:
    """For `MemoryManager`, which has these."""

    _clock: Clock
    _ingest: Ingest
    _messages: MessageStore
    _progress: ProgressStore

    async def ingest_message(self, message: Message) -> None:
        """Queued, and written within moments; never raises because of the database."""
        await self._ingest.put(message)

    def take_message(self, message: Message) -> None:
        """The same for whoever cannot wait, and stops reading while there is no `room`."""
        self._ingest.take(message)

    async def ingest_messages(self, messages: Sequence[Message]) -> None:
        for message in messages:
            await self._ingest.put(message)

    async def edit_message(self, edit: MessageEdit) -> None:
        await self._ingest.put(edit)

    async def delete_messages(self, guild_id: int, channel_id: int, message_ids: Collection[int]) -> None:
        await self._ingest.put(Deletion(guild_id, channel_id, frozenset(message_ids)))

    @property
    def has_room(self) -> bool:
        """Whether the log keeps up. If not, whoever can should stop reading until there is `room`."""
        return self._ingest.has_room

    async def room(self) -> None:
        await self._ingest.room()

    async def settled(self, guild_id: int | None = None) -> None:
        """Until everything that was put into the log before, of one guild or of all, has been committed or given up."""
        await self._ingest.settled(guild_id)

    def on_database_return(self, callback: Callable[[int], None]) -> None:
        """Call back whenever the log of a guild can be written again after it could not: messages have been missed."""
        self._ingest.on_database_return(callback)

    def channel_is_live(self, guild_id: int, channel_id: int) -> bool:
        """Catch-up of a channel has finished; False if messages were missed meanwhile and it has to read on."""
        return self._ingest.live.begin(guild_id, channel_id)

    def no_channel_is_live(self, guild_id: int | None = None) -> None:
        """A new session, or a guild that comes back: there may be holes before what arrives now."""
        self._ingest.live.end(guild_id)

    async def progress(self, guild_id: int) -> Mapping[int, ChannelProgress]:
        return await self._progress.of_guild(guild_id)

    async def guild_log(self, guild_id: int) -> GuildLog:
        return await self._progress.in_all(guild_id)

    async def store_page(
        self,
        guild_id: int,
        channel_id: int,
        messages: Sequence[Message],
        *,
        through: int | None = None,
        backfilled_to: int | None = None,
        backfill_done: bool = False,
    ) -> int:
        """Store a page of history and how far it brings the channel, in one transaction; how many were new."""
        return await self._ingest.store_page(
            guild_id,
            channel_id,
            messages,
            through=through,
            backfilled_to=backfilled_to,
            backfill_done=backfill_done,
        )

    async def reconcile(
        self, guild_id: int, channel_id: int, returned: Sequence[Message], ids: Collection[int] = ()
    ) -> Reconciled:
        """Compare the log with what Discord returned of a channel without a gap: edits, deletions, missing messages.

        `ids` are those of messages that were returned, too, and are not to be stored.
        """
        return await self._ingest.reconcile(guild_id, channel_id, returned, ids)

    async def stored_between(self, guild_id: int, channel_id: int, *, above: int, below: int, limit: int) -> list[int]:
        """Ids of a channel's messages in the log, the oldest first; neither `above` nor `below` is among them."""
        return await self._messages.ids_between(guild_id, channel_id, above=above, below=below, limit=limit)

    async def unanswered(self, guild_id: int, channel_id: int) -> list[Unanswered]:
        """What was said to us in a channel and is still to be done, the oldest first."""
        return await self._messages.unanswered(guild_id, channel_id)

    async def note_answered(self, guild_id: int, message_ids: Collection[int]) -> None:
        """There is nothing left to do about these, whatever came of them."""
        await self._messages.note_answered(guild_id, message_ids)

    async def note_channels(self, guild_id: int, channel_ids: Collection[int]) -> None:
        """Discord has shown us these. What was imported from channels it never showed us is not looked for there."""
        await self._progress.note_seen(guild_id, channel_ids)

    async def channels_exist(self, guild_id: int, channel_ids: Collection[int]) -> None:
        """Discord said so of channels that are out of our view."""
        await self._progress.note_asked(guild_id, channel_ids, self._clock.now())

    async def sweep_reached(self, guild_id: int, channel_id: int, message_id: int) -> None:
        """A sweep that is broken off goes on below this message."""
        await self._progress.sweep_reached(guild_id, channel_id, message_id)

    async def swept(self, guild_id: int, channel_id: int, at: datetime) -> None:
        await self._progress.swept(guild_id, channel_id, at)

    async def heard_until(self, guild_ids: Collection[int]) -> Mapping[int, datetime]:
        """Up to when edits and deletions are known, of those guilds of which that was ever noted."""
        return await self._progress.heard_until(guild_ids)

    async def note_heard(self, guild_ids: Collection[int], at: datetime) -> None:
        await self._progress.note_heard(guild_ids, at)


# The part of the one door that leads to what people decide: consent, erasing, settings, retention, leaving.


class PrivacyDoors:
    """For `MemoryManager`, which has these."""

    _ingest: Ingest
    _metering: Metering
    _privacy: Privacy
    place_mirror: PlaceMirror
    undos: UndoService
    audit_log: AuditLog

    async def leave_guild(self, guild_id: int) -> None:
        """Its data waits for seven days, then `purge` removes it."""
        await self._privacy.leave_guild(guild_id)

    async def rejoin_guild(self, guild_id: int) -> None:
        await self._privacy.rejoin_guild(guild_id)

    async def opt_out(self, guild_id: int, user_id: int, on_progress: OnProgress | None = None) -> ErasureReport:
        """Nothing of a member is stored from now on, nor told about them, and what was stored goes; how much it was."""
        await self._ingest.settled(guild_id)
        return await self._privacy.opt_out(guild_id, user_id, on_progress)

    async def opt_in(self, guild_id: int, user_id: int) -> None:
        """A member is stored from now on; what they said before stays out."""
        await self._privacy.opt_in(guild_id, user_id)

    async def erase_member(
        self, guild_id: int, user_id: int, through_message_id: int, on_progress: OnProgress | None = None
    ) -> ErasureReport:
        """All that is kept of a member up to a message, never to return; how much that was."""
        await self._ingest.settled(guild_id)
        return await self._privacy.erase_member(guild_id, user_id, through_message_id, on_progress)

    async def erase_channel(
        self, guild_id: int, channel_id: int, through_message_id: int, by: int, on_progress: OnProgress | None = None
    ) -> ErasureReport:
        """All that is kept of a channel and its threads up to a message, never to return; how much that was. That this
        member had it erased stands in the audit log from the moment it is decided."""
        await self._ingest.settled(guild_id)
        return await self._privacy.erase_channel(guild_id, channel_id, through_message_id, by, on_progress)

    async def erase_guild(self, guild_id: int, on_progress: OnProgress | None = None) -> ErasureReport:
        """All that is kept of a guild, at once and never to return; how much that was. For leaving it."""
        await self._ingest.settled(guild_id)
        gone = await self._privacy.erase_guild(guild_id, on_progress)
        self.place_mirror.forget_decisions(guild_id)
        return gone

    async def settings(self, guild_id: int) -> GuildSettings:
        return await self._privacy.settings(guild_id)

    async def would_remove(self, guild_id: int, log: LogSettings) -> Removal:
        """How much would have to go if this were decided about the log."""
        return await self._privacy.would_remove(guild_id, log)

    async def change_settings(
        self, guild_id: int, change: Callable[[GuildSettings], GuildSettings], by: int | None = None
    ) -> SettingsChange:
        """`change` is told what holds now. What may not be stored any longer is removed at once; the audit log says by
        whose decision."""
        return await self._privacy.change_settings(guild_id, change, by)

    async def erasure_broke_off(self) -> None:
        """Waits until one has, for whoever purges: what it decided holds, and what is left should not wait for long."""
        await self._privacy.is_unfinished.wait()

    async def purge(self, now: datetime) -> Purged:
        await self._metering.purge(now)
        await self.undos.purge(now)
        await self.audit_log.purge(now)
        return await self._privacy.purge(now)


MEMBERS_AT_ONCE = 500
"""Large guilds have to leave room for messages in between."""


class MemoryManager(LogDoors, PrivacyDoors):
    """Made by `MemoryManager.open`; everything a process may ask of memory."""

    def __init__(
        self,
        database: Database,
        options: MemoryOptions,
        clock: Clock,
        health: Health,
        models: Models | None = None,
        prices: Prices | None = None,
    ) -> None:
        facts = FactStore(database, options.fact_blob_aim)
        policies = self._policies = Policies()
        ring = RecentMessages(options.recent_messages, policies)
        self._database = database
        self._clock = clock
        self.exports = Exports(database, clock, options.data_dir)
        self._guilds = GuildStore(database)
        members = self._members = MemberStore(database)
        messages = self._messages = MessageStore(database)
        self._commands = CommandStore(database)
        self._progress = ProgressStore(database)
        self._ingest = Ingest(database, MessageFollower(facts, clock, options.fact_limit), policies, ring, health)
        chosen = None if models is None else models.embedder
        self._privacy = Privacy(database, facts, policies, ring, clock)
        self._ingest.on_broke_off = self._privacy.is_unfinished.set
        models = models or without_models()
        has_model = Purpose.ANSWER in models.chains
        self._metering = Metering(database, options, clock, health, has_model=has_model, prices=prices)
        embedders = None if chosen is None else Embedders(chosen, self._metering)
        self._recall_service = RecallService(database, members, self.settings, embedders, health)
        self._indexer = self._indexer_of(database, embedders, health)
        reader = FactReader(models, self._metering, health)
        self._open_eyes(database, health, timedelta(seconds=options.heartbeat_seconds))
        self._open_ledger(database, facts, reader, ring, options, health)
        self._router = Router(models, self._metering, health)
        self._speaker = Generator(models, self._metering, ModelHealth(models, health), clock, options.persona)
        day_answers = self.day_answers = DayAnswers(
            database, self._places, self._metering, models, clock, health, self._ingest.live
        )
        """Days, and the night's work that one process alone begins."""
        self._privacy.on_erased = day_answers.nightly.mend_soon
        self.contexts = contexts_of(
            database, day_answers.days, self._places, self._metering, models, options, clock, health
        )
        day_answers.nightly.warm = self.contexts.warm
        self.receipts = Receipts(database, clock, health, on_late=self.retractions.check_again)
        """What our replies in channels were made from."""
        self._answers = Answers(
            facts,
            messages,
            members,
            ring,
            self._speaker,
            self._recall_service,
            day_answers,
            self.contexts,
            FactsOverTime(FactsThenStore(database), day_answers.days.zone_of),
            health,
            options.recent_messages,
            self._ingest.settled,
        )

    def _open_eyes(self, database: Database, health: Health, every: timedelta) -> None:
        """All that processes tell each other about who is there, and about how they are."""
        self._heartbeat = Heartbeat(health, HealthStore(database), self._clock, every)
        places = PlaceStore(database)
        self.place_mirror = PlaceMirror(places, health.run)
        """For the process that sees Discord: what it sees there."""
        self._places = Places(places, self.place_mirror, self._clock, silence=every * MISSED_BEATS)
        self._privacy.on_hall_role = self.place_mirror.hall_role

    def _open_ledger(
        self,
        database: Database,
        facts: FactStore,
        reader: FactReader,
        ring: RecentMessages,
        options: MemoryOptions,
        health: Health,
    ) -> None:
        """All that is done to what was told: kept, forgotten, put in other words, denied, undone, and taken back."""
        clock, naming, limit = self._clock, Naming(self._members), options.fact_limit
        blobs = BlobStore(database, options.fact_blob_aim)
        merge_job = self._merge_job = MergeJob(blobs, reader, Leases(LeaseStore(database), clock), clock, health)
        self._facts = Facts(facts, self._messages, naming, reader, merge_job, ring, clock, health, limit, self.settings)
        self.retractions = Retractions(database, clock, self.place_mirror)
        """Replies of ours that may not stand as they are."""
        facts.on_changed = self._ingest.on_changed = self.retractions.wake
        self.undos = UndoService(database, facts, merge_job, clock, health)
        """Changes of what is remembered, for a day."""
        self.hearsay = Hearsay(database, facts, naming, merge_job, clock, health, limit)
        """What is held about members, and what they do about it."""
        self.audit_log = AuditLog(database)
        self.fact_editor = FactEditor(database, facts, naming, merge_job, clock, health, limit)

    def _indexer_of(self, database: Database, embedders: Embedders | None, health: Health) -> Indexer:
        """It gives way to the log, and to whoever asks."""
        return Indexer(
            database,
            embedders,
            health,
            is_busy=lambda: self._ingest.is_busy,
            is_asked=lambda: self._recall_service.is_asked,
        )

    @classmethod
    async def open(
        cls,
        options: MemoryOptions,
        *,
        clock: Clock,
        health: Health,
        models: Models | None = None,
        prices: Prices | None = None,
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
        manager = cls(database, options, clock, health, models, prices)
        manager._heartbeat.start()
        manager._merge_job.start()
        return manager

    async def close(self) -> None:
        await self.receipts.stop()
        await self.contexts.stop()
        await self.day_answers.stop()
        await self._indexer.stop()
        await self._ingest.close()
        await self._merge_job.stop()
        await self._heartbeat.stop()
        await self._metering.close()
        await self._database.close()

    def start_indexing(self) -> None:
        """In one process alone: from now on, what is in the log gets into the index of recall."""
        self._indexer.start()

    async def meet_guild(self, guild: Guild, members: Sequence[Member], *, complete: bool = False) -> None:
        """Learn or refresh a guild and these members; `complete` means that there are no others."""
        for start in range(0, max(len(members), 1), MEMBERS_AT_ONCE):
            await self._guilds.meet(guild, members[start : start + MEMBERS_AT_ONCE], self._clock.now())
        if complete:
            present = {member.user_id for member in members}
            await self._members.part_from_others(guild.guild_id, present, self._clock.now())
        self._policies.forget(guild.guild_id)

    async def meet_member(self, member: Member) -> None:
        await self._members.meet([member])
        self._policies.forget(member.guild_id)

    async def part_from_member(self, guild_id: int, user_id: int) -> None:
        await self._members.part_from(guild_id, user_id, self._clock.now())

    def audience_of(self, guild_id: int, channel_id: int) -> Audience:
        """Of a reply that everyone who sees the channel can read."""
        return self._places.audience_of(guild_id, channel_id)

    def audience_for(
        self, guild_id: int, channel_id: int, user_id: int, role_ids: Sequence[int] | None = None
    ) -> Audience:
        """Of a reply that one person alone can read. An interaction tells their roles, which may be unknown here."""
        return self._places.audience_for(guild_id, channel_id, user_id, role_ids)

    def hall(self, guild_id: int) -> frozenset[int]:
        """The channels that everyone in the hall can read back, with their public threads."""
        return self._places.hall(guild_id)

    def proposed_hall(self, guild_id: int) -> HallProposal:
        return self._places.proposed_hall(guild_id)

    def hall_with(self, guild_id: int, role_id: int) -> HallProposal:
        """What would be the hall with another role; without a role, if that cannot be said just now."""
        return self._places.hall_with(guild_id, role_id)

    async def follow_places(self, guild_id: int) -> None:
        """First, in a process that does not see Discord: who may see what is read from the store, if it changed."""
        await self._places.follow(guild_id)

    async def known_guilds(self) -> list[int]:
        """The guilds we were in when we last looked; those we are no longer in have been left meanwhile."""
        return await self._guilds.present()

    async def delete_channel(self, guild_id: int, channel_id: int, *, is_told: bool = True) -> None:
        """A channel or thread, with all that was said in it and in its own threads.

        If Discord did not tell of it but was found not to have it, what an import brought stays.
        """
        self.place_mirror.no_place(guild_id, channel_id)
        await self._ingest.put(ChannelDeletion(guild_id, channel_id, is_told))

    async def remember(self, telling: Telling, audience: Audience) -> RememberOutcome:
        await self._ingest.settled(telling.guild_id)
        return await self._facts.remember(telling, audience)

    async def let_everyone_know(self, guild_id: int, message_id: int, teller_id: int) -> Opened | None:
        """A member decides so of what they told of themselves; None if there is nothing to decide."""
        return await self._facts.let_everyone_know(guild_id, message_id, teller_id)

    async def forget(self, telling: Telling, audience: Audience) -> ForgetOutcome:
        await self._ingest.settled(telling.guild_id)
        return await self._facts.forget(telling, audience)

    async def get_memories(self, audience: Audience, user_id: int) -> str | None:
        """What is known of a member, in one text: what they and others told, today, and the days before."""
        await self._ingest.settled(audience.guild_id)
        return await self.contexts.of(audience, user_id)

    async def day(self, audience: Audience, day: date) -> DayTold:
        """What a day was about, brought up to date if that is due; what nobody summarised is quoted."""
        await self._ingest.settled(audience.guild_id)
        return await self.day_answers.day(audience, day)

    async def tell_what_is_known(self, question: Question, audience: Audience) -> Answer:
        await self._ingest.settled(audience.guild_id)
        return await self._answers.what_is_known(question, audience)

    @property
    def answer_seconds(self) -> float:
        """How long an answer may take in all."""
        return self._speaker.seconds

    async def answer(self, question: Question, audience: Audience, *, until: float | None = None) -> Answer:
        """`until`: a time of the loop's clock."""
        return await self._answers.answer(question, audience, until=until)

    async def answer_unless_routed(
        self, question: Question, audience: Audience, *, until: float | None = None
    ) -> Answer | Intent:
        """The same for what no verb of ours says: the answer, or what is wanted instead of one."""
        return await self._router.unless_routed(
            question,
            lambda may_speak: self._answers.answer(question, audience, until=until, may_speak=may_speak),
        )

    async def route(self, question: Question) -> Intent:
        """What is wanted, where nothing can be answered."""
        return await self._router.route(question)

    async def recall(
        self,
        question: str,
        audience: Audience,
        asker: int,
        when: datetime,
        k: int = 3,
        *,
        limits: Limits = NO_LIMITS,
        thorough: bool = False,
        request_id: int | None = None,
    ) -> tuple[Recollection, ...]:
        """What was said that answers a question, the best first; nothing, where nothing is good enough.

        `thorough`: whatever may be it, for somebody who judges it themselves. `request_id`: in which interaction, so
        that a model is asked for them once at most, and within their limit.
        """
        await self._ingest.settled(audience.guild_id)
        return await self._recall_service.search(
            question, audience, asker, when, k, limits=limits, thorough=thorough, request_id=request_id
        )

    async def read_again(self, audience: Audience, marks: Sequence[Bookmark]) -> list[Passage]:
        """What was found before, as it is now; what is gone, or may not be heard any longer, is left out."""
        await self._ingest.settled(audience.guild_id)
        return await self._recall_service.read_again(audience, marks)

    async def leave_unanswered(self, question: Question, intent: Intent) -> None:
        """A question in a place where we may not speak: it is set aside from conversation like any other."""
        await self._answers.leave_unanswered(question, intent)

    async def usage(self, guild_id: int) -> UsageReport:
        """What models were asked for a guild, and what that took; never what was said."""
        return await self._metering.usage(guild_id)

    async def requests_since(self, moment: datetime) -> Mapping[str, int]:
        """How often each model was asked, for all guilds together."""
        return await self._metering.requests_since(moment)

    async def health_report(self) -> HealthReport:
        return await self._heartbeat.report()

    async def command_definitions(self, application_id: int, scope: int) -> str | None:
        return await self._commands.digest(application_id, scope)

    async def note_command_definitions(self, application_id: int, scope: int, digest: str) -> None:
        await self._commands.note(application_id, scope, digest)
