"""Receives Discord's events as the bot and hands them on. What to do with them stands in the modules it composes."""

import asyncio
import contextlib
import logging
import math
import sys
from datetime import datetime
from functools import partial
from typing import Any

import discord
from discord import app_commands
from yarl import URL

from bot.answering.answer import Answerer
from bot.answering.backlog import Backlog
from bot.answering.presses import ButtonPresses, PrivateAnswers, ask_command
from bot.channels.summary_command import SUMMARY_WORDS, ContextCommands, SummaryButton, SummaryCommands
from bot.command_sync import sync_commands
from bot.connection import LABEL, LOST, REMEDY, GatewayAwayError, Privileged, SessionStarts, fenced, wanted
from bot.daily.catchup_command import CatchUpButton, CatchUpCommand, catchup_command
from bot.daily.digest_command import DigestCommands
from bot.daily.digest_worker import DigestWorker
from bot.facts.memory_command import OWN_WORDS, MemoryCommands
from bot.facts.memory_pages import Act, ChooseFact, RemindMe, TurnAudit, TurnMemory
from bot.facts.tellings import PrivateTellings, forget_command, remember_command
from bot.facts.undo import OTHER_WORDS, UndoPresses
from bot.history.catch_up import History
from bot.innkeeper import InnkeeperCommands
from bot.listener import EventMirror, MarkMirror, MessageListener
from bot.mirror.guilds import GuildMirror, mend_cache
from bot.privacy.commands import ChannelMemoryCommands, PrivacyCommands
from bot.recall import PageButton, RecallCommand, recall_command
from bot.reminders.command import (
    ReminderCommand,
    channel_reminders_command,
    remind_command,
    reminders_command,
)
from bot.reminders.delivery import ReminderWorker
from bot.reminders.pages import REMIND_FORM, ReminderButton
from bot.replies.buttons import (
    AnswerOnlyToMe,
    Edit,
    EveryoneMayKnow,
    ForgetThis,
    NotTrue,
    Presses,
    ShowMissed,
    ThisMember,
    Undo,
)
from bot.replies.compose import Composer, PrivateReplies
from bot.replies.interactions import InnkeeperTree, Questions
from bot.replies.retract import RetractionWorker
from bot.settings import BotOptions
from bot.settings_ui.commands import SettingsCommands, SettingsEditor
from bot.shared_files import FileWorker
from bot.translate import Readable, title_of
from bot.verdicts import WRONG_FORM, VerdictCommand
from bot.why import WhyButton, WhyCommand
from bot.words import Slash
from memory.background import start_task
from memory.core.clock import Clock
from memory.core.values import Marks
from memory.db.errors import StoreError
from memory.health import Health, PartState
from memory.manager import MemoryManager
from memory.shards import ShardLease

logger = logging.getLogger(__name__)

LAST_WORDS_SECONDS = 10.0
DECISIONS_SECONDS = 3.0
"""How long closing waits for messages that are being stored."""
PULSE_SECONDS = 15.0


class InnkeeperClient(discord.AutoShardedClient):
    def __init__(
        self,
        options: BotOptions,
        memory: MemoryManager,
        health: Health,
        clock: Clock,
        lease: ShardLease,
        without: frozenset[Privileged] = frozenset(),
    ) -> None:
        shards = lease.shards
        super().__init__(
            intents=wanted(without),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=1.0,
            # Where the connection breaks before discord.py could ask for a large guild's members, it tells nobody of
            # that guild. The mirror asks for them, as often as it takes.
            chunk_guilds_at_startup=False,
            max_messages=None,  # the log is our memory of what was said
            shard_count=shards.of or None,
            shard_connect_timeout=None,  # it may have to wait for its turn
            http_trace=fenced(lease.is_ours),
        )
        self.shard_ids = list(shards.ids) if shards.of else None
        self._memory = memory
        self._health = health
        self._lease = lease
        self._gateway = health.part("gateway")
        self._launching: set[int] = set()
        self._starts = SessionStarts(self, memory.shard_leases, self._gateway, clock, options.identify_seconds)
        self._messages = health.part("messages")
        self._replies = health.part("replies")
        self._members = health.part("members")
        name, part = options.names[0], health.part
        composer = Composer(memory, self._replies, options.reply_seconds)
        replies = PrivateReplies(memory, composer, name)
        private_answers = PrivateAnswers(memory, composer, replies, options, self._replies)
        tellings = PrivateTellings(memory, composer, replies, options, self._replies)
        self.reminders = ReminderCommand(memory, replies)
        pressing = ButtonPresses(memory, composer, replies, private_answers, tellings, options)
        looking = MemoryCommands(memory, replies, self.reminders.form_about, tellings, self._replies)
        undos = UndoPresses(memory, composer, replies)
        recall = RecallCommand(memory, replies, self._replies)
        self._questions = Questions(name)
        editor = SettingsEditor(memory, name, self._questions)
        summaries = SummaryCommands(memory, replies, editor)
        catch_ups = CatchUpCommand(memory, replies)
        why = WhyCommand(memory, replies)
        self._verdicts = VerdictCommand(memory, replies)
        self.presses = Presses()
        for button, handler in (
            (AnswerOnlyToMe, pressing.answer_only_to),
            (EveryoneMayKnow, pressing.let_everyone_know),
            (ThisMember, pressing.choose_member),
            (ForgetThis, pressing.forget_this),
            (ShowMissed, catch_ups.show),
            (CatchUpButton, catch_ups.press),
            (Undo, undos.undo),
            (Edit, undos.ask_for_other_words),
            (NotTrue, undos.object),
            (TurnMemory, looking.turn_to),
            (TurnAudit, looking.turn_audit_to),
            (ChooseFact, looking.choose),
            (Act, looking.act),
            (RemindMe, looking.remind),
            (PageButton, recall.turn_to),
            (SummaryButton, summaries.press),
            (ReminderButton, self.reminders.press),
            (WhyButton, why.turn_to),
        ):
            self.presses.on(button, handler)
        for kind, reader in (
            (OTHER_WORDS, undos.reword),
            (OWN_WORDS, looking.correct),
            (SUMMARY_WORDS, summaries.correct),
            (REMIND_FORM, self.reminders.read_form),
            (WRONG_FORM, self._verdicts.read_form),
        ):
            self.presses.on_form(kind, reader)
        part("commands").active()
        self._digests = DigestWorker(memory, name, clock, part("digest"))
        self._retractions = RetractionWorker(
            memory.retractions, memory.undos, name, clock, part("taking back"), self._digests.regenerate
        )
        self._reminding = ReminderWorker(memory, name, clock, part("reminders"))
        self._files = FileWorker(memory, options, part("files"))
        self._answerer = Answerer(memory, composer, self.reminders, options, self._files, self._replies)
        told_of_changes = Privileged.MEMBERS not in without
        self._guild_mirror = GuildMirror(memory, self._members, told_of_changes=told_of_changes)
        self._event_mirror = EventMirror(memory)
        self._mark_mirror = MarkMirror(memory)
        self._listener = MessageListener(memory, self._answerer, self._files, self._guild_mirror, self._messages)
        backlog = Backlog(memory, self._answerer, self._guild_mirror, clock)
        self._history = History(
            memory, options, health, clock, self._guild_mirror.guests.seen, self._mark_mirror.pins_changed, backlog
        )
        self._catch_up = self._history.catch_up
        self._tasks: list[asyncio.Task[None]] = []
        self._shards_down: set[int] = set()
        self._in_sight: set[int] = set()
        self.tree = InnkeeperTree(self, options.names[0])
        channel_memory = ChannelMemoryCommands(memory, replies, self._questions)
        channel_memory.add_command(channel_reminders_command(channel_memory, memory, self._questions))
        settings_commands = SettingsCommands(memory, editor, replies)
        for command in (
            ask_command(private_answers),
            recall_command(recall, memory),
            catchup_command(catch_ups),
            looking,
            summaries,
            DigestCommands(memory, replies, editor, self._digests),
            ContextCommands("context", Slash.CONTEXT, memory, replies),
            remember_command(tellings),
            forget_command(tellings),
            remind_command(self.reminders),
            reminders_command(self.reminders),
            InnkeeperCommands(memory, name, self._questions, options.panel_url),
            channel_memory,
            PrivacyCommands(memory, replies, self._questions),
            settings_commands,
        ):
            self.tree.add_command(command)
        for menu, callback in (
            ("Remember this", tellings.remember_this),
            ("Remind me of this", self.reminders.remind_of),
            ("Why did you say that?", why.explain),
            ("That was wrong", self._verdicts.ask),
        ):
            of_message = app_commands.ContextMenu(name=menu, callback=callback)
            self.tree.add_command(app_commands.guild_only(of_message))
        _report_intents(health, without)

    @property
    def me(self) -> discord.ClientUser:
        """Get the bot's own user, known from signing in, before any event."""
        if self.user is None:
            raise RuntimeError("the client has not signed in yet")
        return self.user

    async def setup_hook(self) -> None:
        self._memory.log.report_to(self._database_returned, self._messages_left_out)
        self.add_dynamic_items(*self.presses.buttons)
        mend_cache(self)
        part = self._health.part
        sync = partial(sync_commands, self.tree, self._memory, self.application_id or self.me.id, part("commands"))
        self._tasks = [
            *self._history.start(lambda: self.guilds, self._guilds_heard),
            start_task("mirroring", self._guild_mirror.run, self._members.failing),
            start_task("scheduled events", self._event_mirror.tasks.run, self._members.failing),
            start_task("reactions and pins", self._mark_mirror.tasks.run, self._messages.failing),
            start_task(
                "taking back", partial(self._retractions.run, lambda: self.guilds, self), part("taking back").failing
            ),
            start_task("reminders", partial(self._reminding.run, self._guilds_heard, self), part("reminders").failing),
            start_task("digests", partial(self._digests.run, self._guilds_heard, self), part("digest").failing),
            start_task("files", partial(self._files.run, self._guilds_heard), part("files").failing),
            start_task("pulse", self._take_pulse, self._gateway.failing),
            start_task("decisions", self._follow_decisions, self._members.failing),
            start_task("commands", sync, part("commands").failing),
        ]

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - discord.py's own
        """Pass an event on, unless it waited in the socket while this process was stopped and lost its shards."""
        if self._lease.is_ours():
            super().dispatch(event, *args, **kwargs)

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Launch a shard once. discord.py would call this again for ever; `bot.run` tries anew instead."""
        if shard_id in self._launching:
            raise GatewayAwayError
        self._launching.add(shard_id)
        try:
            await super().launch_shard(gateway, shard_id, initial=initial)
        finally:
            self._launching.discard(shard_id)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for our turn to identify. discord.py would wait five seconds and know of no other process."""
        await self._starts.turn(shard_id or 0)

    async def close(self) -> None:
        """Close once what was heard is stored and answered; what is said after that stays with Discord.

        Not where another process takes over: it answers, and may do so in seconds.
        """
        if not self._lease.is_ours():
            await super().close()
        elif not self.is_closed():
            try:
                async with asyncio.timeout(LAST_WORDS_SECONDS):
                    await self._memory.log.settled()
                    await self._answerer.settle()
            except TimeoutError:
                logger.warning("closed before everything was stored and answered")
        self._memory.log.report_to()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._guild_mirror.end()
        self._questions.close()
        await super().close()

    async def _follow_decisions(self) -> None:
        """Follow what is decided on the panel, in another process."""
        while True:
            with contextlib.suppress(StoreError):
                await self._memory.privacy.follow([guild.id for guild in self.guilds])
            await asyncio.sleep(DECISIONS_SECONDS)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Begin a new session, not a resumed one: nothing that happened before it will be told."""
        guild_ids = [guild.id for guild in self.guilds if guild.shard_id == shard_id]
        self._in_sight.difference_update(guild_ids)
        self._guild_mirror.lose_sight(guild_ids)
        self._guild_mirror.guilds_are(guild_ids, shard_id, self.shard_count or 1)
        self._catch_up.begin_session(guild_ids)
        self._shard_is(shard_id, up=True)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Take in guilds that discord.py loses: they appear just when it stops waiting for more of them."""
        for guild in self.guilds:
            if guild.shard_id == shard_id and not guild.unavailable and guild.id not in self._in_sight:
                await self.on_guild_available(guild)

    async def on_shard_resumed(self, shard_id: int) -> None:
        self._shard_is(shard_id, up=True)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self._shard_is(shard_id, up=False)

    async def on_ready(self) -> None:
        if self.is_closed():
            return  # discord.py waits for guilds before it says so, also when we left meanwhile
        logger.info("ready", extra={"guilds": len(self.guilds), "shards": self.shard_count})
        self._report_gateway()
        self._memory.reminders.wake()
        self._memory.digests.wake()

    async def on_message(self, message: discord.Message) -> None:
        await self._listener.message(message, self.me)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        await self._listener.edited(event, self.me)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        await self._listener.deleted(event.guild_id, event.channel_id, (event.message_id,))

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        await self._listener.deleted(event.guild_id, event.channel_id, event.message_ids)

    async def on_raw_reaction_add(self, event: discord.RawReactionActionEvent) -> None:
        await self._reacted(event, Marks(added=1))

    async def on_raw_reaction_remove(self, event: discord.RawReactionActionEvent) -> None:
        await self._reacted(event, Marks(added=-1))

    async def _reacted(self, event: discord.RawReactionActionEvent, marks: Marks) -> None:
        if event.user_id != self.me.id:
            self._mark_mirror.reacted(event.guild_id, event.message_id, marks)
            await self._verdicts.reacted(event, self.me)

    async def on_raw_reaction_clear(self, event: discord.RawReactionClearEvent) -> None:
        self._mark_mirror.reacted(event.guild_id, event.message_id, Marks(cleared=True))

    async def on_guild_channel_pins_update(
        self, channel: discord.abc.GuildChannel | discord.Thread, _last_pin: datetime | None
    ) -> None:
        if isinstance(channel, Readable):
            self._mark_mirror.pins_changed(channel)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        self._guild_mirror.channel_changed(channel)
        if isinstance(channel, Readable):
            self._catch_up.place_appeared(channel)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        self._guild_mirror.channel_changed(after)
        if before.permissions_for(after.guild.me) != after.permissions_for(after.guild.me):
            self._guild_mirror.own_view_changed(after.guild)
        self._catch_up.channel_changed(before, after)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        self._guild_mirror.place_deleted(channel.guild.id, channel.id)
        self._catch_up.place_disappeared(channel.guild.id, channel.id)
        await self._listener.channel_deleted(channel.guild.id, channel.id)

    async def on_thread_create(self, thread: discord.Thread) -> None:
        self._mark_mirror.titled(thread)
        self._guild_mirror.guests.seen(thread)
        self._catch_up.place_appeared(thread)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        self._guild_mirror.guests.seen(thread)
        self._catch_up.place_appeared(thread)

    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        if title_of(before) != title_of(after):
            self._mark_mirror.titled(after)
            self._guild_mirror.guests.renamed(after)
        self._catch_up.place_appeared(after)

    async def on_thread_remove(self, thread: discord.Thread) -> None:
        self._guild_mirror.guests.out_of_view(thread)
        self._catch_up.place_disappeared(thread.guild.id, thread.id)

    async def on_thread_member_join(self, member: discord.ThreadMember) -> None:
        self._guild_mirror.guests.entered(member.thread.guild.id, member.thread_id, member.id)

    async def on_raw_thread_member_remove(self, event: discord.RawThreadMembersUpdate) -> None:
        removed = {int(user_id) for user_id in event.data.get("removed_member_ids", [])}
        self._guild_mirror.guests.left(event.guild_id, event.thread_id, removed)

    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        self._guild_mirror.place_deleted(event.guild_id, event.thread_id)
        self._catch_up.place_disappeared(event.guild_id, event.thread_id)
        await self._listener.channel_deleted(event.guild_id, event.thread_id)

    async def on_scheduled_event_create(self, event: discord.ScheduledEvent) -> None:
        self._event_mirror.changed(event.guild)

    async def on_scheduled_event_update(self, _before: discord.ScheduledEvent, after: discord.ScheduledEvent) -> None:
        if after.status is discord.EventStatus.cancelled:
            await self._event_mirror.cancelled(after)
        else:
            self._event_mirror.changed(after.guild)

    async def on_scheduled_event_delete(self, event: discord.ScheduledEvent) -> None:
        await self._event_mirror.cancelled(event)

    async def on_scheduled_event_user_add(self, event: discord.ScheduledEvent, _user: discord.User) -> None:
        self._event_mirror.counted(event.guild)

    async def on_scheduled_event_user_remove(self, event: discord.ScheduledEvent, _user: discord.User) -> None:
        self._event_mirror.counted(event.guild)

    async def on_guild_role_create(self, role: discord.Role) -> None:
        self._guild_mirror.role_changed(role)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        self._guild_mirror.role_changed(after)
        if before.permissions != after.permissions and after in after.guild.me.roles:
            self._own_view_changed(after.guild)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        self._guild_mirror.role_deleted(role)
        self._own_view_changed(role.guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        self._memory.reminders.wake()
        self._memory.digests.wake()
        self._in_sight.add(guild.id)
        self._guild_mirror.guild_appeared(guild)
        self._event_mirror.changed(guild)
        self._mark_mirror.guild_appeared(guild)
        self._catch_up.guild_appeared(guild)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        logger.info("joined a guild", extra={"guild_id": guild.id})
        self._in_sight.add(guild.id)
        self._guild_mirror.guild_appeared(guild)
        self._event_mirror.changed(guild)
        self._catch_up.guild_appeared(guild, is_joined=True)

    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        if before.name != after.name:
            self._guild_mirror.guild_changed(after)
        if before.owner_id != after.owner_id:
            self._guild_mirror.owner_changed(after)
            self._own_view_changed(after)

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        logger.warning("guild unavailable on Discord", extra={"guild_id": guild.id})
        self._in_sight.discard(guild.id)
        self._guild_mirror.lose_sight([guild.id])
        self._catch_up.guild_disappeared(guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self._in_sight.discard(guild.id)
        self._guild_mirror.guild_left(guild.id)
        self._event_mirror.tasks.forget_guild(guild.id)
        self._mark_mirror.guild_disappeared(guild.id)
        self._catch_up.guild_disappeared(guild.id)

    async def on_member_join(self, member: discord.Member) -> None:
        await self._guild_mirror.member_changed(member)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        # A message that brought new roles along has changed `before` already; only what was written down knows better.
        if (before.nick, before.roles) == (after.nick, after.roles) and self._guild_mirror.has_written(after):
            return
        if after.id == self.me.id:
            self._own_view_changed(after.guild)
        await self._guild_mirror.member_changed(after)

    async def on_raw_member_remove(self, event: discord.RawMemberRemoveEvent) -> None:
        guild = self.get_guild(event.guild_id)
        if guild is not None:
            await self._guild_mirror.member_left(guild, event.user.id)

    async def on_user_update(self, before: discord.User, after: discord.User) -> None:
        if (before.name, before.global_name) != (after.name, after.global_name):
            await self._guild_mirror.user_changed(after)

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        await self._questions.answer_if_left_over(interaction)
        await self.presses.read_form(interaction)

    async def on_app_command_completion(
        self,
        interaction: discord.Interaction[discord.Client],
        _command: app_commands.Command[Any, ..., Any] | app_commands.ContextMenu,
    ) -> None:
        await self.reminders.contact(interaction)

    async def on_error(self, event_method: str, /, *_args: object, **_kwargs: object) -> None:
        """Log an error's type and frames, but not the event itself, which may hold what someone wrote."""
        logger.error("event handler failed", exc_info=sys.exc_info(), extra={"event": event_method})

    def _database_returned(self, guild_id: int) -> None:
        if (guild := self.get_guild(guild_id)) is not None:
            self._catch_up.database_returned(guild)

    def _messages_left_out(self, guild_id: int, channel_id: int) -> None:
        guild = self.get_guild(guild_id)
        place = None if guild is None else guild.get_channel_or_thread(channel_id)
        if isinstance(place, Readable):
            self._catch_up.messages_left_out(place)

    def _own_view_changed(self, guild: discord.Guild) -> None:
        self._guild_mirror.own_view_changed(guild)
        self._catch_up.view_changed(guild)

    def _guilds_heard(self) -> list[discord.Guild]:
        """List the guilds whose events reach us now."""
        return [guild for guild in self.guilds if not guild.unavailable and guild.shard_id not in self._shards_down]

    def _shard_is(self, shard_id: int, *, up: bool) -> None:
        if up:
            self._shards_down.discard(shard_id)
        else:
            self._shards_down.add(shard_id)
        if not self.is_closed():
            self._report_gateway()

    def _report_gateway(self) -> None:
        if self._shards_down:
            self._gateway.failing(
                f"{len(self._shards_down)} of {len(self.shards) or 1} connections to Discord are lost; "
                "they are being opened again."
            )
            return
        self._gateway.active(guilds=len(self.guilds), latency_ms=self._latency_ms())
        self._listener.report_health()
        if self._replies.snapshot().state is PartState.INITIALIZING:
            self._replies.active()  # nothing to do yet is not the same as not ready

    def _latency_ms(self) -> int:
        return 0 if math.isnan(self.latency) or math.isinf(self.latency) else round(self.latency * 1000)

    async def _take_pulse(self) -> None:
        while True:
            await asyncio.sleep(PULSE_SECONDS)
            if self.is_ready():
                self._report_gateway()


def _report_intents(health: Health, without: frozenset[Privileged]) -> None:
    for intent in Privileged:
        part = health.part(LABEL[intent].lower())
        if intent in without:
            part.failing(f"Off: {LOST[intent]}. {REMEDY.format(label=LABEL[intent])}")
        else:
            part.active()
