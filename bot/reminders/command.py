"""What members do about their reminders: ask for one in words or by command, see, change, put off and delete them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Set
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import aiohttp
import discord
from cachetools import LRUCache
from discord import app_commands

from bot.reminders.buttons import (
    CHANGE,
    DELETE,
    DONE,
    EDIT,
    FORM,
    HOUR,
    OF_BOTH,
    OF_MESSAGE,
    OF_NOTE,
    OF_TIME,
    OF_ZONE,
    PAGE,
    PICK,
    RESTORE,
    SHOW,
    SOON,
    TOMORROW,
    ZONE,
    ReminderButton,
    ReminderForm,
    filled_in,
    under_due,
)
from bot.reminders.pages import listed, moment, on_page, pages_of, shown, told
from bot.replies.compose import Composer
from bot.replies.draft import Button, Draft, Mark, sole_reader
from bot.replies.interactions import Interaction, voice_of
from bot.replies.send import SILENT, is_whispered, view_of, whisper
from bot.settings import BotOptions
from bot.settings_ui.describe import zone_is, zone_objection
from bot.words.commands import described
from bot.words.keys import Notice, Phrase, Remind, Slash
from bot.words.voice import Voice
from memory.db.errors import StoreError
from memory.language.time_zones import zone_meant, zones_like
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.reminders.values import LONGEST_TEXT, AskedWhen, Made, Outcome, Refused, Reminder, State, Wish
from memory.tasks import request

logger = logging.getLogger(__name__)

MOST_MENTIONED = 10_000
"""Of what could not be delivered it is said once that there is something; of the eldest, perhaps once more."""
FORM_SECONDS = 2.0
"""A form has to be shown within the three seconds that Discord waits for any answer."""
_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, OSError)
_SNOOZES = {SOON: timedelta(minutes=20), HOUR: timedelta(hours=1), TOMORROW: None}
_FORMS = {CHANGE: OF_TIME, EDIT: OF_BOTH, ZONE: OF_ZONE}

Work = Callable[[], Awaitable[Draft]]


class ReminderCommand:
    def __init__(self, memory: MemoryManager, composer: Composer, options: BotOptions) -> None:
        self._memory = memory
        self._composer = composer
        self._bot_name = options.names[0]
        self._mentioned: LRUCache[tuple[int, int], None] = LRUCache(MOST_MENTIONED)

    async def asked(self, wish: Wish, voice: Voice) -> Draft:
        """In a message, which the reply answers."""
        outcome = await self._memory.reminders.ask(wish)
        draft = self._told(outcome, voice)
        is_alone = wish.for_several and not isinstance(outcome, Refused)
        return replace(draft, words=f"{draft.words}\n{voice.say(Remind.YOU_ALONE)}") if is_alone else draft

    async def asked_before(self, wish: Wish, voice: Voice) -> Draft:
        """In a message that its reminder was made for already; nothing is said of one that is not to come any more."""
        one = await self._memory.reminders.one(wish.guild_id, wish.asked_in, wish.owner_id)
        if one is None or one.state not in (State.OPEN, State.ASKED):
            return Draft("")
        return told(Made(one) if one.state is State.OPEN else AskedWhen(one), voice)

    async def undelivered(self, guild_id: int, user_id: int, voice: Voice) -> str:
        """That something could not be delivered to whoever is answered now; what it is, others may read as well."""
        try:
            kept = await self._memory.reminders.kept(guild_id, user_id)
        except StoreError:
            return ""
        unheard = {(guild_id, one.reminder_id) for one in kept} - self._mentioned.keys()
        self._mentioned.update(dict.fromkeys(unheard))
        return voice.say(Remind.KEPT) if unheard else ""

    async def contact(self, interaction: Interaction) -> None:
        """Somebody used a command: what could not be delivered to them is told to them alone."""
        if interaction.guild_id is None:
            return
        with request("reminder"):
            try:
                for one in await self._memory.reminders.kept(interaction.guild_id, interaction.user.id):
                    if await self._memory.reminders.told(one):
                        voice = self._spoken(one)
                        words = [
                            voice.say(Remind.KEPT_ONE, when=moment(one.due_at)),
                            shown(one, voice, self._sources(interaction)),
                        ]
                        draft = Draft("\n".join(words), handles=under_due(one, voice))
                        await _follow(interaction, draft)
            except (*_DISCORD_FAILS, StoreError) as error:
                logger.info("a reminder is told later", extra={"reason": type(error).__name__})

    async def remind(self, interaction: Interaction, when: str, what: str) -> None:
        await self._begin(interaction, partial(self._ask, interaction, when, what))

    async def remind_of(self, interaction: Interaction, message: discord.Message) -> None:
        form = ReminderForm(OF_MESSAGE, interaction.guild_id or 0, message.id, self._voice(interaction))
        await interaction.response.send_modal(form)

    def form_about(self, interaction: Interaction, text: str) -> ReminderForm:
        """For something that its reader noted before."""
        return ReminderForm(OF_NOTE, interaction.guild_id or 0, 0, self._voice(interaction), text[:LONGEST_TEXT])

    async def show_all(self, interaction: Interaction) -> None:
        await self._begin(interaction, partial(self._page, interaction, 0))

    async def press(self, interaction: Interaction, verb: str, guild_id: int, reminder_id: int, number: int) -> None:
        """Only its owner does anything by it."""
        with request("reminder"):
            try:
                if verb in _FORMS:
                    await self._show_form(interaction, _FORMS[verb], guild_id, reminder_id)
                elif verb == PAGE:
                    await self._go_on(interaction, partial(self._page, interaction, number))
                else:
                    await self._go_on(
                        interaction, partial(self._pressed, interaction, verb, guild_id, reminder_id, number), verb
                    )
            except _DISCORD_FAILS:
                logger.exception("a press could not be answered")

    async def read_form(self, interaction: Interaction) -> None:
        """Discord tells of every form; ours is read from what it tells."""
        if interaction.type is not discord.InteractionType.modal_submit or interaction.data is None:
            return
        form = FORM.fullmatch(str(interaction.data.get("custom_id", "")))
        if form is None:
            return
        with request("reminder"):
            guild_id, reminder_id = int(form["guild"], 16), int(form["reminder"], 16)
            when, what = filled_in(interaction)
            try:
                if form["kind"] in (OF_MESSAGE, OF_NOTE):
                    await self._begin(interaction, partial(self._ask, interaction, when, what, reminder_id or None))
                    return
                change = self._zone_chosen if form["kind"] == OF_ZONE else self._changed
                text = what if form["kind"] == OF_BOTH else None
                await self._go_on(interaction, partial(change, interaction, guild_id, reminder_id, when, text))
            except _DISCORD_FAILS:
                logger.exception("a form could not be answered")

    # What is done, and what is said of it

    async def _ask(self, interaction: Interaction, when: str, what: str, about_id: int | None = None) -> Draft:
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

    async def _page(self, interaction: Interaction, page: int) -> Draft:
        voice, guild_id = self._voice(interaction), interaction.guild_id or 0
        reminders = await self._memory.reminders.of_owner(guild_id, interaction.user.id)
        page = min(page, pages_of(reminders) - 1)
        picks = [
            ReminderButton(PICK, guild_id, one.reminder_id, page, str(number), row=0)
            for number, one in on_page(reminders, page)
        ]
        turns = [
            ReminderButton(PAGE, guild_id, way, max(page + step, 0), sign, is_there=is_there, row=1)
            for way, step, sign, is_there in (
                (0, -1, "◀", page > 0),
                (1, 1, "▶", page < pages_of(reminders) - 1),
            )
            if pages_of(reminders) > 1
        ]
        return Draft(listed(reminders, page, voice, self._sources(interaction)), choices=(*picks, *turns))

    async def _pressed(
        self, interaction: Interaction, verb: str, guild_id: int, reminder_id: int, number: int
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
                return self._one(one, voice, number, self._sources(interaction), is_due=is_due)

    def _one(self, one: Reminder, voice: Voice, page: int, sources: Set[int], *, is_due: bool) -> Draft:
        if is_due:
            return Draft(shown(one, voice, sources), choices=under_due(one, voice))
        buttons: tuple[Button, ...] = (
            ReminderButton.of(EDIT, one, voice.say(Phrase.EDIT), emoji="✏️"),
            ReminderButton.of(DELETE, one, voice.say(Remind.DELETE)),
            ReminderButton.of(PAGE, one, voice.say(Notice.ACT_BACK), page),
        )
        return Draft(shown(one, voice, sources), choices=buttons)

    async def _changed(
        self, interaction: Interaction, guild_id: int, reminder_id: int, when: str, text: str | None
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
        self, interaction: Interaction, guild_id: int, reminder_id: int, typed: str, _text: str | None
    ) -> Draft:
        """The reminder under which it was chosen moves along; whoever says where they are meant their own clock."""
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
        await whisper(interaction, zone_is(meant, interaction.created_at, voice))
        if not isinstance(outcome, Made | AskedWhen):
            return self._gone(interaction)
        return self._told(outcome, self._spoken(one))

    def _done(self, outcome: Outcome, voice: Voice) -> Draft:
        """What was pressed under stays as it is, where nothing came of it."""
        draft = self._told(outcome, voice)
        return replace(draft, mark=Mark.FAILED) if isinstance(outcome, Refused) else draft

    def _told(self, outcome: Outcome, voice: Voice) -> Draft:
        privately = isinstance(outcome, Made) and self._memory.reminders.comes_privately(outcome.reminder)
        return told(outcome, voice, privately=privately)

    def _deleted(self, one: Reminder, voice: Voice) -> Draft:
        button = ReminderButton.of(RESTORE, one, voice.say(Phrase.UNDO), emoji="↩️")
        return Draft(voice.say(Remind.DELETED), choices=(button,))

    def _gone(self, interaction: Interaction) -> Draft:
        return Draft(self._voice(interaction).say(Remind.GONE), mark=Mark.FAILED)

    # How it is said

    async def _begin(self, interaction: Interaction, work: Work) -> None:
        """What a command answers, to the one who used it alone."""
        with request("reminder"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await _follow(interaction, await self._attempt(interaction, work))

    async def _go_on(self, interaction: Interaction, work: Work, verb: str = "") -> None:
        """In the place of what was pressed; what could not be done is whispered. One of several that stand in a note
        is shown beside it."""
        beside = verb == SHOW and not is_whispered(interaction)
        await interaction.response.defer(ephemeral=beside, thinking=beside)
        draft = await self._attempt(interaction, work)
        if beside:
            await _follow(interaction, draft)
        elif draft.mark is Mark.FAILED:
            await whisper(interaction, draft.words)
        else:
            await interaction.edit_original_response(content=draft.words, view=view_of(draft), allowed_mentions=SILENT)

    async def _show_form(self, interaction: Interaction, kind: str, guild_id: int, reminder_id: int) -> None:
        voice, until = self._voice(interaction), asyncio.get_running_loop().time() + FORM_SECONDS
        work = self._memory.reminders.one(guild_id, reminder_id, interaction.user.id)
        one = await self._composer.attempt(work, voice, until, reading=True)
        if isinstance(one, Reminder):
            await interaction.response.send_modal(ReminderForm(kind, guild_id, reminder_id, voice, one.text))
            return
        words = voice.say(Remind.GONE) if one is None else one.words
        await interaction.response.send_message(words, ephemeral=True, allowed_mentions=SILENT)

    async def _attempt(self, interaction: Interaction, work: Work) -> Draft:
        voice, until = self._voice(interaction), self._composer.until()
        return await self._composer.attempt(work(), voice, until, reading=False)

    def _sources(self, interaction: Interaction) -> Set[int]:
        """What they can read now, as far as is known: nothing leads elsewhere."""
        return frozenset() if interaction.guild_id is None else sole_reader(self._memory, interaction).sources

    def _voice(self, interaction: Interaction) -> Voice:
        return voice_of(interaction, self._bot_name)

    def _spoken(self, one: Reminder) -> Voice:
        return Voice(one.language, self._bot_name)


async def _follow(interaction: Interaction, draft: Draft) -> None:
    await interaction.followup.send(
        draft.words, ephemeral=True, allowed_mentions=SILENT, suppress_embeds=True, view=view_of(draft)
    )


# `/remind`, `/reminders`, and "Remind me of this" in the menu of a message.


LONGEST_WHEN = 100


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


def remind_of_this_menu(reminders: ReminderCommand) -> app_commands.ContextMenu:
    @app_commands.guild_only()
    async def remind_of_this(interaction: Interaction, message: discord.Message) -> None:
        await reminders.remind_of(interaction, message)

    return app_commands.ContextMenu(name="Remind me of this", callback=remind_of_this)
