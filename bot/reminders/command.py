"""Lets members ask for reminders in words or by command, see, change, put off and delete them; and answers
`/channel-memory reminders`, by which those who manage a server see what will be posted in a channel, and end it."""

import asyncio
import logging
from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import discord
from cachetools import LRUCache
from discord import app_commands

from bot.connection import TROUBLE
from bot.privacy.commands import ChannelMemoryCommands
from bot.reminders.pages import (
    CHANGE,
    DELETE,
    DONE,
    EDIT,
    HOUR,
    LONGEST_WHEN,
    OF_MESSAGE,
    OF_NOTE,
    ON_A_PAGE,
    PAGE,
    PICK,
    RESTORE,
    SHOW,
    SOON,
    TOMORROW,
    WHAT,
    WHEN,
    ZONE,
    ReminderButton,
    ReminderForm,
    coming_in,
    listed,
    moment,
    on_page,
    pages_of,
    shown,
    told,
    under_due,
)
from bot.replies.buttons import filled_in
from bot.replies.compose import PrivateReplies
from bot.replies.draft import Draft, Mark, sole_reader
from bot.replies.interactions import SILENT, Interaction, Question, Questions, answer
from bot.replies.send import ephemeral_post, is_ephemeral, send
from bot.settings_ui.commands import Channel
from bot.settings_ui.describe import zone_is, zone_objection
from bot.words import Notice, Phrase, Remind, Slash, Voice, described
from memory.db.errors import StoreError
from memory.language.time_zones import zone_meant, zones_like
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.places.view import Audience
from memory.reminders.values import LONGEST_TEXT, AskedWhen, Made, Outcome, Refused, Reminder, State, Wish
from memory.tasks import request

logger = logging.getLogger(__name__)

MOST_MENTIONED = 10_000
"""Of what could not be delivered it is said once that there is something; of the eldest, perhaps once more."""
_SNOOZES = {SOON: timedelta(minutes=20), HOUR: timedelta(hours=1), TOMORROW: None}


class ReminderCommand:
    def __init__(self, memory: MemoryManager, replies: PrivateReplies) -> None:
        self._memory = memory
        self._replies = replies
        self._mentioned: LRUCache[tuple[int, int], None] = LRUCache(MOST_MENTIONED)

    async def asked(self, wish: Wish, voice: Voice) -> Draft:
        """Make the reminder asked for in a message, which the reply answers."""
        outcome = await self._memory.reminders.ask(wish)
        draft = self._told(outcome, voice)
        is_alone = wish.for_several and not isinstance(outcome, Refused)
        return replace(draft, words=f"{draft.words}\n{voice.say(Remind.YOU_ALONE)}") if is_alone else draft

    async def asked_before(self, wish: Wish, voice: Voice) -> Draft:
        """Answer a message that a reminder was made for already; of one that will not come nothing is said."""
        one = await self._memory.reminders.one(wish.guild_id, wish.asked_in, wish.owner_id)
        if one is None or one.state not in (State.OPEN, State.ASKED):
            return Draft("")
        return told(Made(one) if one.state is State.OPEN else AskedWhen(one), voice)

    async def undelivered(self, guild_id: int, user_id: int, voice: Voice) -> str:
        """Hint that something could not be delivered to whoever is answered now; others may read the hint as well."""
        try:
            kept = await self._memory.reminders.kept(guild_id, user_id)
        except StoreError:
            return ""
        unheard = {(guild_id, one.reminder_id) for one in kept} - self._mentioned.keys()
        self._mentioned.update(dict.fromkeys(unheard))
        return voice.say(Remind.KEPT) if unheard else ""

    async def contact(self, interaction: Interaction) -> None:
        """Tell somebody who used a command what could not be delivered to them, and nobody else."""
        if interaction.guild_id is None:
            return
        with request("reminder"):
            try:
                for one in await self._memory.reminders.kept(interaction.guild_id, interaction.user.id):
                    if await self._memory.reminders.told(one):
                        voice, sources = self._spoken(one), self._replies.reader(interaction).sources
                        words = f"{voice.say(Remind.KEPT_ONE, when=moment(one.due_at))}\n{shown(one, voice, sources)}"
                        draft = Draft(words, buttons=under_due(one, voice))
                        await send(draft, ephemeral_post(interaction), ending="", still=lambda: True)
            except (*TROUBLE, StoreError) as error:
                logger.info("reminder confirmation postponed", extra={"reason": type(error).__name__})

    async def remind(self, interaction: Interaction, when: str, what: str) -> None:
        await self._replies.answer(interaction, partial(self._ask, interaction, when, what, None), reading=False)

    async def remind_of(self, interaction: Interaction, message: discord.Message) -> None:
        form = ReminderForm(OF_MESSAGE, interaction.guild_id or 0, message.id, self._voice(interaction))
        await interaction.response.send_modal(form)

    def form_about(self, interaction: Interaction, text: str) -> ReminderForm:
        """Make a form about something that its reader noted before."""
        return ReminderForm(OF_NOTE, interaction.guild_id or 0, 0, self._voice(interaction), text[:LONGEST_TEXT])

    async def show_all(self, interaction: Interaction) -> None:
        await self._replies.answer(interaction, partial(self._page, interaction, 0), reading=False)

    async def press(self, interaction: Interaction, verb: str, guild: str, reminder: str, value: str) -> None:
        """Do what a button says, for the reminder's owner alone."""
        guild_id, reminder_id, number = (int(one, 16) for one in (guild, reminder, value))
        if verb in (CHANGE, EDIT, ZONE):
            await self._replies.show_form(interaction, self._form(interaction, verb, guild_id, reminder_id))
        elif verb == PAGE:
            await self._replies.replace(interaction, partial(self._page, interaction, number))
        else:
            work = partial(self._pressed, interaction, verb, guild_id, reminder_id, number)
            # One of several in a note is shown beside it.
            shows_beside = verb == SHOW and not is_ephemeral(interaction)
            go_on = self._replies.answer if shows_beside else self._replies.replace
            await go_on(interaction, work, reading=False)

    async def read_form(self, interaction: Interaction, of: str, guild: str, reminder: str) -> None:
        guild_id, reminder_id, filled = int(guild, 16), int(reminder, 16), filled_in(interaction)
        when, what = filled.get(WHEN, ""), filled.get(WHAT, "")
        if of in (OF_MESSAGE, OF_NOTE):
            work = partial(self._ask, interaction, when, what, reminder_id or None)
            await self._replies.answer(interaction, work, reading=False)
            return
        change = self._zone_chosen if of == ZONE else self._changed
        text = what if of == EDIT else None
        await self._replies.replace(interaction, partial(change, interaction, guild_id, reminder_id, when, text))

    # What is done, and what is said of it

    async def _ask(self, interaction: Interaction, when: str, what: str, about_id: int | None, _: Audience) -> Draft:
        if interaction.guild_id is None or interaction.channel_id is None:
            raise ValueError("reminders are asked for in a guild")
        voice = self._voice(interaction)
        wish = Wish(
            interaction.guild_id,
            interaction.channel_id,
            interaction.id,
            interaction.user.id,
            interaction.created_at,
            voice.language,
            what,
            when,
            about_id=about_id,
        )
        return replace(await self.asked(wish, voice), mark=Mark.DONE)

    async def _page(self, interaction: Interaction, page: int, reader: Audience) -> Draft:
        voice, guild_id = self._voice(interaction), interaction.guild_id or 0
        reminders = await self._memory.reminders.of_owner(guild_id, interaction.user.id)
        page = min(page, pages_of(reminders) - 1)
        picks = [
            ReminderButton.by_ids(PICK, guild_id, one.reminder_id, page, str(number), row=0)
            for number, one in on_page(reminders, page)
        ]
        turns = [
            ReminderButton.by_ids(PAGE, guild_id, way, max(page + step, 0), sign, is_there=is_there, row=1)
            for way, step, sign, is_there in (
                (0, -1, "◀", page > 0),
                (1, 1, "▶", page < pages_of(reminders) - 1),
            )
            if pages_of(reminders) > 1
        ]
        return Draft(listed(reminders, page, voice, reader.sources), buttons=(*picks, *turns))

    async def _pressed(
        self, interaction: Interaction, verb: str, guild_id: int, reminder_id: int, number: int, reader: Audience
    ) -> Draft:
        reminders = self._memory.reminders
        one = await reminders.one(guild_id, reminder_id, interaction.user.id)
        if one is None or (verb in (DONE, *_SNOOZES) and one.due != number and one.repeat is None):
            return self._gone(interaction)
        voice = self._spoken(one)
        match verb:
            case "at":
                return self._done(await reminders.choose(one, datetime.fromtimestamp(number, UTC)), voice)
            case "undo" | "delete":
                deleted = await reminders.delete(one) if one.state is not State.ASKED else False
                return self._deleted(one, voice) if deleted else self._gone(interaction)
            case "restore":
                if not await reminders.restore(one):
                    return self._gone(interaction)
                back = self._told(Made(one), voice)
                return replace(back, words=f"{voice.say(Remind.RESTORED)}\n{back.words}")
            case "done":
                await reminders.done(one)
                return Draft(f"✅ {one_line(one.text, LONGEST_TEXT)}")
            case "soon" | "hour" | "tomorrow":
                return self._done(await reminders.snooze(one, _SNOOZES[verb], interaction.id), voice)
            case _:
                is_due = one.state is State.SENT or (verb == SHOW and one.due == number)
                return self._one(one, voice, number, reader.sources, is_due=is_due)

    def _one(self, one: Reminder, voice: Voice, page: int, sources: Set[int], *, is_due: bool) -> Draft:
        if is_due:
            return Draft(shown(one, voice, sources), buttons=under_due(one, voice))
        buttons: tuple[ReminderButton, ...] = (
            ReminderButton.of(EDIT, one, voice.say(Phrase.EDIT), emoji="✏️"),
            ReminderButton.of(DELETE, one, voice.say(Remind.DELETE)),
            ReminderButton.of(PAGE, one, voice.say(Notice.ACT_BACK), page),
        )
        return Draft(shown(one, voice, sources), buttons=buttons)

    async def _changed(
        self, interaction: Interaction, guild_id: int, reminder_id: int, when: str, text: str | None, _: Audience
    ) -> Draft:
        one = await self._memory.reminders.one(guild_id, reminder_id, interaction.user.id)
        if one is None:
            return self._gone(interaction)
        outcome = await self._memory.reminders.change(one, when, text)
        draft = self._told(outcome, self._spoken(one))
        # What holds still stands there, unless it waits for a time.
        keeps = isinstance(outcome, AskedWhen) and one.state is not State.ASKED and not outcome.moments
        return replace(draft, mark=Mark.FAILED if keeps or outcome in tuple(Refused) else Mark.DONE)

    async def _zone_chosen(
        self, interaction: Interaction, guild_id: int, reminder_id: int, typed: str, _text: str | None, _: Audience
    ) -> Draft:
        """Choose a time zone, and move the reminder along: who says where they are meant their own clock."""
        voice, reminders, user_id = self._voice(interaction), self._memory.reminders, interaction.user.id
        one = await reminders.one(guild_id, reminder_id, user_id)
        meant = await asyncio.to_thread(zone_meant, typed)
        if meant is None:
            near = await asyncio.to_thread(zones_like, typed, interaction.created_at)
            return Draft(zone_objection(typed, near, voice), mark=Mark.FAILED)
        if one is None:
            return self._gone(interaction)
        if not await reminders.choose_zone(guild_id, user_id, meant):
            return Draft(voice.say(Remind.OPTED_OUT), mark=Mark.FAILED)
        outcome = await reminders.move_to_zone(one, meant)
        await answer(interaction, zone_is(meant, interaction.created_at, voice))
        if not isinstance(outcome, Made | AskedWhen):
            return self._gone(interaction)
        return self._told(outcome, self._spoken(one))

    def _done(self, outcome: Outcome, voice: Voice) -> Draft:
        """Say what came of a press; what was pressed under stays as it is, where nothing came of it."""
        draft = self._told(outcome, voice)
        return replace(draft, mark=Mark.FAILED) if isinstance(outcome, Refused) else draft

    def _told(self, outcome: Outcome, voice: Voice) -> Draft:
        privately = isinstance(outcome, Made) and self._memory.reminders.comes_privately(outcome.reminder)
        return told(outcome, voice, privately=privately)

    def _deleted(self, one: Reminder, voice: Voice) -> Draft:
        button = ReminderButton.of(RESTORE, one, voice.say(Phrase.UNDO), emoji="↩️")
        return Draft(voice.say(Remind.DELETED), buttons=(button,))

    def _gone(self, interaction: Interaction) -> Draft:
        return Draft(self._voice(interaction).say(Remind.GONE), mark=Mark.FAILED)

    # How it is said

    async def _form(self, interaction: Interaction, of: str, guild_id: int, reminder_id: int) -> discord.ui.Modal | str:
        voice, one = (
            self._voice(interaction),
            await self._memory.reminders.one(guild_id, reminder_id, interaction.user.id),
        )
        return voice.say(Remind.GONE) if one is None else ReminderForm(of, guild_id, reminder_id, voice, one.text)

    def _voice(self, interaction: Interaction) -> Voice:
        return self._replies.voice(interaction)

    def _spoken(self, one: Reminder) -> Voice:
        return Voice(one.language, self._replies.bot_name)


def remind_command(reminders: ReminderCommand) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="remind", description=described(Slash.REMIND))
    @app_commands.describe(when=described(Slash.REMIND_WHEN), what=described(Slash.REMIND_WHAT))
    @app_commands.guild_only()
    async def remind(
        interaction: Interaction,
        when: app_commands.Range[str, 1, LONGEST_WHEN],
        what: app_commands.Range[str, 1, LONGEST_TEXT],
    ) -> None:
        await reminders.remind(interaction, when, what)

    return remind


def reminders_command(reminders: ReminderCommand) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="reminders", description=described(Slash.REMINDERS))
    @app_commands.guild_only()
    async def show_reminders(interaction: Interaction) -> None:
        await reminders.show_all(interaction)

    return show_reminders


def channel_reminders_command(
    group: ChannelMemoryCommands, memory: MemoryManager, questions: Questions
) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="reminders", description=described(Slash.CHANNEL_MEMORY_REMINDERS))
    @app_commands.describe(channel=described(Slash.CHANNEL_MEMORY_REMINDERS_CHANNEL))
    async def reminders(interaction: Interaction, channel: Channel) -> None:
        if not await group.manages(interaction):
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        voice, reader = group.replies.voice(interaction), group.replies.reader(interaction)
        if closed := group.closed(interaction, channel, reader):
            await answer(interaction, closed)
            return
        try:
            coming = await memory.reminders.in_channel(reader, interaction.user.id, channel.id)
        except StoreError:
            await answer(interaction, voice.say(Notice.USAGE_UNKNOWN))
            return
        if not coming:
            await answer(interaction, voice.say(Remind.NONE_COMING, channel=channel.mention))
            return
        question = EndReminderQuestion(memory, coming[:ON_A_PAGE], questions, voice)
        words = coming_in(channel.mention, coming[:ON_A_PAGE], voice, reader.sources)
        await interaction.followup.send(words, view=question, ephemeral=True, allowed_mentions=SILENT)
        question.shown_by(interaction)

    return reminders


class EndReminderQuestion(Question):
    """Asks which of the reminders that are to come in a channel shall not come. Unanswered, all of them do."""

    def __init__(self, memory: MemoryManager, coming: Sequence[Reminder], questions: Questions, voice: Voice) -> None:
        super().__init__(questions, voice, ran_out=None, for_managers=True)
        self._memory = memory
        for number, one in enumerate(coming, start=1):
            label = voice.say(Remind.END, number=number)
            button = discord.ui.Button[EndReminderQuestion](label=label, custom_id=f"{self.number}{number}")
            button.callback = partial(self._end, one)  # type: ignore[method-assign] # as discord.py has it done
            self.add_item(button)

    async def _end(self, one: Reminder, interaction: Interaction) -> None:
        with request("channel memory"):
            await interaction.response.defer()
            try:
                reader = sole_reader(self._memory, interaction)
                ended = await self._memory.reminders.end(reader, interaction.user.id, one.reminder_id)
            except StoreError:
                await answer(interaction, self._voice.say(Notice.NOT_DONE))
                return
            words = Remind.ENDED if ended else Remind.GONE
            await self.conclude(interaction, self._voice.say(words, owner=f"<@{one.owner_id}>"))
