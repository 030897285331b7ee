"""The one door of bot and web into memory. It composes the modules behind it and holds no logic of its own."""

from collections.abc import Collection, Sequence
from datetime import timedelta

from memory.answer import Answers
from memory.core.audience import Audience
from memory.core.clock import Clock
from memory.core.model import Guild, Member, Message, MessageEdit, Question, Telling
from memory.core.outcomes import Answer, ForgetOutcome, RememberOutcome
from memory.facts import Facts
from memory.health import Health, HealthReport, Part
from memory.heartbeat import Heartbeat
from memory.ingest import Ingest
from memory.settings import MemoryOptions
from memory.store.commands import CommandStore
from memory.store.database import Database, OnState
from memory.store.embedded import EmbeddedPostgres
from memory.store.facts import FactStore
from memory.store.guilds import GuildStore
from memory.store.health import HealthStore
from memory.store.members import MemberStore
from memory.store.messages import MessageStore
from memory.store.migrate import migrate
from memory.store.source import ConnectionSource, ExternalPostgres


class MemoryManager:
    """Made by `MemoryManager.open`; everything a process may ask of memory."""

    def __init__(self, database: Database, options: MemoryOptions, clock: Clock, health: Health) -> None:
        members, messages = MemberStore(database), MessageStore(database)
        facts = FactStore(database, options.fact_blob_aim)
        self._database = database
        self._clock = clock
        self._guilds = GuildStore(database)
        self._members = members
        self._commands = CommandStore(database)
        self._ingest = Ingest(database, facts, clock, health, options.fact_limit)
        self._facts = Facts(facts, messages, members, clock, health, options.fact_limit)
        self._answers = Answers(facts, messages, members, health, options.recent_messages)
        every = timedelta(seconds=options.heartbeat_seconds)
        self._heartbeat = Heartbeat(health, HealthStore(database), clock, every)

    @classmethod
    async def open(cls, options: MemoryOptions, *, clock: Clock, health: Health) -> "MemoryManager":
        """Open the database, embedded or by its URL, bring it up to date, and start telling how this process is."""
        part = health.part("database")
        database = await Database.open(
            connection_source(options), on_state=_told_to(part), max_size=options.database_pool_size
        )
        try:
            await migrate(database, clock.now())
        except BaseException:
            await database.close()
            raise
        manager = cls(database, options, clock, health)
        manager._heartbeat.start()
        return manager

    async def close(self) -> None:
        await self._heartbeat.stop()
        await self._database.close()

    async def meet_guild(self, guild: Guild, members: Sequence[Member]) -> None:
        await self._guilds.meet(guild, members, self._clock.now())

    async def meet_member(self, member: Member) -> None:
        await self._members.meet([member])

    async def part_from_member(self, guild_id: int, user_id: int) -> None:
        await self._members.part_from(guild_id, user_id)

    async def ingest_message(self, message: Message) -> None:
        await self._ingest.add([message])

    async def ingest_messages(self, messages: Sequence[Message]) -> None:
        """Many messages of one guild at once."""
        await self._ingest.add(messages)

    async def edit_message(self, edit: MessageEdit) -> None:
        await self._ingest.edit(edit)

    async def delete_messages(self, guild_id: int, channel_id: int, message_ids: Collection[int]) -> None:
        await self._ingest.delete(guild_id, channel_id, message_ids)

    async def delete_channel(self, guild_id: int, channel_id: int) -> None:
        await self._ingest.delete_channel(guild_id, channel_id)

    async def remember(self, telling: Telling, audience: Audience, public: bool) -> RememberOutcome:
        return await self._facts.remember(telling, audience, public=public)

    async def forget(self, telling: Telling, audience: Audience) -> ForgetOutcome:
        return await self._facts.forget(telling, audience)

    async def get_memories(self, audience: Audience, user_id: int) -> str | None:
        return await self._facts.memories_of(audience, user_id)

    async def tell_what_is_known(self, question: Question, audience: Audience) -> Answer:
        return await self._answers.what_is_known(question, audience)

    async def answer(self, question: Question, audience: Audience) -> Answer:
        return await self._answers.answer(question, audience)

    async def health_report(self) -> HealthReport:
        return await self._heartbeat.report()

    async def command_definitions(self, application_id: int, scope: int) -> str | None:
        return await self._commands.digest(application_id, scope)

    async def note_command_definitions(self, application_id: int, scope: int, digest: str) -> None:
        await self._commands.note(application_id, scope, digest)


def connection_source(options: MemoryOptions) -> ConnectionSource:
    if options.database_url is not None:
        return ExternalPostgres(options.database_url.get_secret_value())
    return EmbeddedPostgres(options.data_dir, bin_dir=options.postgres_bin_dir)


def _told_to(part: Part) -> OnState:
    def note(active: bool, reason: str | None) -> None:
        if active:
            part.active()
        else:
            part.failing(reason or "The database does not answer.")

    return note
