"""`/settings`: those who manage a server see what was decided about it, and change it."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.replies.draft import sole_reader
from bot.replies.interactions import SILENT, Interaction, ManagersQuestion, Questions, answer, voice_of
from bot.settings_ui.describe import (
    counted,
    describe_answers,
    describe_digest,
    describe_removal,
    describe_settings,
    describe_summary_rules,
    zone_is,
    zone_objection,
)
from bot.words.commands import described
from bot.words.keys import Notice, Remind, Slash
from bot.words.voice import Voice
from memory.core.log_values import Consent, LogSettings, Removal
from memory.db.errors import StoreError
from memory.language.time_zones import offset_of, zone_meant, zones_like
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.policy import setting_fields as fields
from memory.policy.authority import FactRules, ModeratorsMay
from memory.policy.settings import AnswerRules, GuildSettings
from memory.tasks import request

# How `/settings` changes something: only for managers, and never taking anything away unasked.


logger = logging.getLogger(__name__)

T = TypeVar("T")
Change = Callable[[GuildSettings], GuildSettings]


class SettingsEditor:
    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions) -> None:
        self._memory = memory
        self._bot_name = bot_name
        self._questions = questions

    async def change(self, interaction: Interaction, change: Change) -> None:
        """Applies it, and says what is different since; all of it, if nothing is."""
        with request("settings"):
            voice = voice_of(interaction, self._bot_name)
            if interaction.guild_id is None or not interaction.permissions.manage_guild:
                await answer(interaction, voice.say(Notice.ONLY_MANAGERS))
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            try:
                before = await self._memory.privacy.settings(interaction.guild_id)
                log, doomed = change(before).log, Removal()
                if log != before.log:
                    sources = sole_reader(self._memory, interaction).sources
                    doomed = await self._memory.privacy.would_remove(interaction.guild_id, log, sources)
                if doomed:
                    await self._ask(interaction, change, doomed, voice)
                else:
                    await answer(interaction, await self.carry_out(interaction, interaction.guild_id, change, voice))
            except StoreError:
                await answer(interaction, voice.say(Notice.NOT_DONE))

    async def show(self, interaction: Interaction) -> None:
        await self.change(interaction, lambda settings: settings)

    async def carry_out(self, interaction: Interaction, guild_id: int, change: Change, voice: Voice) -> str:
        sources = sole_reader(self._memory, interaction).sources
        done = await self._memory.privacy.change_settings(guild_id, change, interaction.user.id, sources)
        if done.after != done.before:
            logger.info("settings were changed", extra={"guild_id": guild_id, **asdict(done.removed)})
        before, said = (
            [
                *describe_settings(one, guild_id, voice).split("\n"),
                *describe_answers(one, voice),
                describe_summary_rules(one.summaries, voice),
                describe_digest(one.digest, voice),
            ]
            for one in (done.before, done.after)
        )
        different = [line for line in said if line not in before]
        if different:
            return "\n".join([voice.say(Notice.SETTINGS_CHANGED), *different, *describe_removal(done, voice)])
        said += describe_removal(done, voice)
        if done.after.set_up_at is None:
            said.append(voice.say(Notice.SETUP_SUGGESTED))
        else:
            said.append(voice.say(Notice.SET_UP_ON, when=discord.utils.format_dt(done.after.set_up_at, "R")))
        return "\n".join(said)

    async def show_persona(self, interaction: Interaction, text: str | None) -> None:
        """Shows how the bot would speak, to be saved; or without a text, how it speaks."""
        with request("settings"):
            voice = voice_of(interaction, self._bot_name)
            if interaction.guild_id is None or not interaction.permissions.manage_guild:
                await answer(interaction, voice.say(Notice.ONLY_MANAGERS))
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            try:
                holds = (await self._memory.privacy.settings(interaction.guild_id)).answers.persona
            except StoreError:
                await answer(interaction, voice.say(Notice.NOT_DONE))
                return
            if not text and not holds:
                await answer(interaction, voice.say(Notice.PERSONA_NONE))
                return
            question = PersonaQuestion(self, text, self._questions, voice)
            question.shown_by(interaction)
            shown = one_line(text or holds, fields.PERSONA.most)
            words = voice.say(Notice.PERSONA_PREVIEW if text else Notice.PERSONA_SHOWN, persona=shown)
            await interaction.followup.send(words, view=question, ephemeral=True, allowed_mentions=SILENT)

    async def _ask(self, interaction: Interaction, change: Change, doomed: Removal, voice: Voice) -> None:
        question = RemovalQuestion(self, change, self._questions, voice)
        question.shown_by(interaction)
        words = voice.say(Notice.REMOVAL_ASK, what=counted(doomed, voice))
        await interaction.followup.send(words, view=question, ephemeral=True, allowed_mentions=SILENT)


class RemovalQuestion(ManagersQuestion):
    """Before messages or facts go for good. The answer is carried out on what holds by then."""

    def __init__(self, editor: SettingsEditor, change: Change, questions: Questions, voice: Voice) -> None:
        super().__init__(questions, voice)
        self._editor = editor
        self._change = change
        for button, name, label in ((self.yes, "yes", Notice.REMOVAL_YES), (self.no, "no", Notice.REMOVAL_NO)):
            button.custom_id = self.number + name
            button.label = voice.say(label)

    @discord.ui.button(style=discord.ButtonStyle.danger)
    async def yes(self, interaction: Interaction, _button: discord.ui.Button["RemovalQuestion"]) -> None:
        if interaction.guild_id is None:
            return
        with request("settings"):
            # A second press while the first is being carried out would find nothing left to remove, and say so.
            self.stop()
            await interaction.response.edit_message(view=None)
            try:
                said = await self._editor.carry_out(interaction, interaction.guild_id, self._change, self._voice)
            except StoreError as error:
                logger.warning("settings could not be changed", extra={"reason": type(error).__name__})
                said = self._voice.say(Notice.NOT_DONE)
            await self.conclude(interaction, said)

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: Interaction, _button: discord.ui.Button["RemovalQuestion"]) -> None:
        await self.conclude(interaction, self._voice.say(Notice.NOTHING_CHANGED))


# `/settings facts`: whether members may tell about others, and what moderators may do about facts.


def facts_command(editor: SettingsEditor) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="facts", description=described(Slash.SETTINGS_FACTS))
    @app_commands.describe(
        about_others=described(Slash.SETTINGS_FACTS_ABOUT_OTHERS),
        moderators_may=described(Slash.SETTINGS_FACTS_MODERATORS_MAY),
    )
    @app_commands.rename(about_others="about-others", moderators_may="moderators-may")
    @app_commands.choices(
        about_others=[
            app_commands.Choice(name=described(Slash.SETTINGS_FACTS_ABOUT_OTHERS_YES), value="yes"),
            app_commands.Choice(name=described(Slash.SETTINGS_FACTS_ABOUT_OTHERS_NO), value="no"),
        ],
        moderators_may=[
            app_commands.Choice(
                name=described(Slash.SETTINGS_FACTS_MODERATORS_MAY_NOTHING), value=ModeratorsMay.NOTHING.value
            ),
            app_commands.Choice(
                name=described(Slash.SETTINGS_FACTS_MODERATORS_MAY_REMOVE), value=ModeratorsMay.REMOVE.value
            ),
        ],
    )
    async def facts(
        interaction: Interaction, about_others: str | None = None, moderators_may: str | None = None
    ) -> None:
        def change(settings: GuildSettings) -> GuildSettings:
            rules: FactRules = settings.facts
            if about_others is not None:
                rules = replace(rules, about_others=about_others == "yes")
            if moderators_may is not None:
                rules = replace(rules, moderators_may=ModeratorsMay(moderators_may))
            return replace(settings, facts=rules)

        await editor.change(interaction, change)

    return facts


# `/settings answers`: what an answer may cost.


def answers_command(editor: SettingsEditor) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="answers", description=described(Slash.SETTINGS_ANSWERS))
    @app_commands.describe(
        second_look=described(Slash.SETTINGS_ANSWERS_SECOND_LOOK),
        session=described(Slash.SETTINGS_ANSWERS_SESSION),
        exchanges=described(Slash.SETTINGS_ANSWERS_EXCHANGES),
        take_memories=described(Slash.SETTINGS_ANSWERS_TAKE_MEMORIES),
        memories=described(Slash.SETTINGS_ANSWERS_MEMORIES),
        importance=described(Slash.SETTINGS_ANSWERS_IMPORTANCE),
        questions=described(Slash.SETTINGS_ANSWERS_QUESTIONS),
    )
    @app_commands.rename(second_look="second-look", take_memories="take-memories")
    async def answers(
        interaction: Interaction,
        second_look: bool | None = None,
        session: app_commands.Range[int, fields.SESSION.least, fields.SESSION.most] | None = None,
        exchanges: app_commands.Range[int, fields.EXCHANGES.least, fields.EXCHANGES.most] | None = None,
        take_memories: bool | None = None,
        memories: app_commands.Range[int, fields.MEMORIES.least, fields.MEMORIES.most] | None = None,
        importance: app_commands.Range[int, fields.IMPORTANCE.least, fields.IMPORTANCE.most] | None = None,
        questions: app_commands.Range[int, fields.HOURLY.least, fields.HOURLY.most] | None = None,
    ) -> None:
        def change(settings: GuildSettings) -> GuildSettings:
            was = settings.answers
            rules = AnswerRules(
                was.persona,
                _or(session, was.session_minutes),
                _or(exchanges, was.exchanges),
                _or(take_memories, was.takes_memories),
                _or(memories, was.memories),
                _or(importance, was.least_importance),
                was.hourly_questions if questions is None else questions or None,
            )
            return replace(settings, second_look=_or(second_look, settings.second_look), answers=rules)

        await editor.change(interaction, change)

    return answers


def _or(chosen: T | None, was: T) -> T:
    return was if chosen is None else chosen


# `/settings persona`: how the bot speaks, shown before it holds.


def persona_command(editor: SettingsEditor) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="persona", description=described(Slash.SETTINGS_PERSONA))
    @app_commands.describe(text=described(Slash.SETTINGS_PERSONA_TEXT))
    async def persona(
        interaction: Interaction, text: app_commands.Range[str, 1, fields.PERSONA.most] | None = None
    ) -> None:
        await editor.show_persona(interaction, None if text is None else " ".join(text.split()))

    return persona


class PersonaQuestion(ManagersQuestion):
    """Before the bot speaks otherwise. Without a text the only answer is to speak as it did at first."""

    def __init__(self, editor: SettingsEditor, text: str | None, questions: Questions, voice: Voice) -> None:
        super().__init__(questions, voice, ran_out=None)
        self._editor = editor
        self._text = text or ""
        for button, name, label in (
            (self.yes, "yes", Notice.PERSONA_SAVE if text else Notice.PERSONA_REMOVE),
            (self.no, "no", Notice.REMOVAL_NO),
        ):
            button.custom_id = self.number + name
            button.label = voice.say(label)

    @discord.ui.button(style=discord.ButtonStyle.primary)
    async def yes(self, interaction: Interaction, _button: discord.ui.Button["PersonaQuestion"]) -> None:
        if interaction.guild_id is None:
            return

        def change(settings: GuildSettings) -> GuildSettings:
            return replace(settings, answers=replace(settings.answers, persona=self._text))

        with request("settings"):
            try:
                said = await self._editor.carry_out(interaction, interaction.guild_id, change, self._voice)
            except StoreError:
                said = self._voice.say(Notice.NOT_DONE)
            await self.conclude(interaction, said)

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: Interaction, _button: discord.ui.Button["PersonaQuestion"]) -> None:
        await self.conclude(interaction, self._voice.say(Notice.NOTHING_CHANGED))


# `/settings log`: what is stored, of whom and for how long.


Channel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel | discord.Thread


class LogSettingsCommands(app_commands.Group):
    def __init__(self, editor: SettingsEditor) -> None:
        super().__init__(name="log", description=described(Slash.SETTINGS_LOG))
        self._editor = editor

    @app_commands.command(name="show", description=described(Slash.SETTINGS_LOG_SHOW))
    async def show(self, interaction: Interaction) -> None:
        await self._editor.show(interaction)

    @app_commands.command(name="consent", description=described(Slash.SETTINGS_LOG_CONSENT))
    @app_commands.describe(mode=described(Slash.SETTINGS_LOG_CONSENT_MODE))
    @app_commands.choices(
        mode=[
            app_commands.Choice(name=described(Slash.SETTINGS_LOG_CONSENT_MODE_OPT_OUT), value=Consent.OPT_OUT.value),
            app_commands.Choice(name=described(Slash.SETTINGS_LOG_CONSENT_MODE_OPT_IN), value=Consent.OPT_IN.value),
        ]
    )
    async def consent(self, interaction: Interaction, mode: str) -> None:
        await self._change(interaction, lambda log: replace(log, consent=Consent(mode)))

    @app_commands.command(name="retention", description=described(Slash.SETTINGS_LOG_RETENTION))
    @app_commands.describe(days=described(Slash.SETTINGS_LOG_RETENTION_DAYS))
    async def retention(
        self, interaction: Interaction, days: app_commands.Range[int, 0, fields.RETENTION.most]
    ) -> None:
        await self._change(interaction, lambda log: replace(log, retention_days=days or None))

    @app_commands.command(name="summaries", description=described(Slash.SETTINGS_LOG_SUMMARIES))
    @app_commands.describe(days=described(Slash.SETTINGS_LOG_SUMMARIES_DAYS))
    async def summaries(
        self, interaction: Interaction, days: app_commands.Range[int, 0, fields.SUMMARY_DAYS.most]
    ) -> None:
        await self._change(interaction, lambda log: replace(log, summary_days=days or None))

    @app_commands.command(name="facts", description=described(Slash.SETTINGS_LOG_FACTS))
    @app_commands.describe(days=described(Slash.SETTINGS_LOG_FACTS_DAYS))
    async def facts(self, interaction: Interaction, days: app_commands.Range[int, 0, fields.FACT_DAYS.most]) -> None:
        await self._change(interaction, lambda log: replace(log, fact_days=days or None))

    @app_commands.command(name="exclude-channel", description=described(Slash.SETTINGS_LOG_EXCLUDE_CHANNEL))
    @app_commands.describe(channel=described(Slash.SETTINGS_LOG_EXCLUDE_CHANNEL_CHANNEL))
    async def exclude_channel(self, interaction: Interaction, channel: Channel) -> None:
        await self._change(
            interaction, lambda log: replace(log, excluded_channels=log.excluded_channels | {channel.id})
        )

    @app_commands.command(name="include-channel", description=described(Slash.SETTINGS_LOG_INCLUDE_CHANNEL))
    @app_commands.describe(channel=described(Slash.SETTINGS_LOG_INCLUDE_CHANNEL_CHANNEL))
    async def include_channel(self, interaction: Interaction, channel: Channel) -> None:
        await self._change(
            interaction, lambda log: replace(log, excluded_channels=log.excluded_channels - {channel.id})
        )

    @app_commands.command(name="exclude-role", description=described(Slash.SETTINGS_LOG_EXCLUDE_ROLE))
    @app_commands.describe(role=described(Slash.SETTINGS_LOG_EXCLUDE_ROLE_ROLE))
    async def exclude_role(self, interaction: Interaction, role: discord.Role) -> None:
        await self._change(interaction, lambda log: replace(log, excluded_roles=log.excluded_roles | {role.id}))

    @app_commands.command(name="include-role", description=described(Slash.SETTINGS_LOG_INCLUDE_ROLE))
    @app_commands.describe(role=described(Slash.SETTINGS_LOG_INCLUDE_ROLE_ROLE))
    async def include_role(self, interaction: Interaction, role: discord.Role) -> None:
        await self._change(interaction, lambda log: replace(log, excluded_roles=log.excluded_roles - {role.id}))

    async def _change(self, interaction: Interaction, change: Callable[[LogSettings], LogSettings]) -> None:
        await self._editor.change(interaction, lambda settings: replace(settings, log=change(settings.log)))


SpeakingChannel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel


class SettingsCommands(app_commands.Group):
    """Everyone sees it, because everyone has a time zone of their own and Discord can hide it only as a whole. Whoever
    is no manager is refused all else when it runs."""

    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions) -> None:
        super().__init__(
            name="settings",
            description=described(Slash.SETTINGS),
            guild_only=True,
        )
        self._memory = memory
        self._bot_name = bot_name
        self._editor = SettingsEditor(memory, bot_name, questions)
        self.add_command(LogSettingsCommands(self._editor))
        self.add_command(facts_command(self._editor))
        self.add_command(answers_command(self._editor))
        self.add_command(persona_command(self._editor))
        self.add_command(SpeakingCommands(self._editor))

    @app_commands.command(name="show", description=described(Slash.SETTINGS_SHOW))
    async def show(self, interaction: Interaction) -> None:
        await self._editor.show(interaction)

    @app_commands.command(name="time-zone", description=described(Slash.SETTINGS_TIME_ZONE))
    @app_commands.describe(zone=described(Slash.SETTINGS_TIME_ZONE_ZONE))
    async def time_zone(self, interaction: Interaction, zone: app_commands.Range[str, 1, 60]) -> None:
        meant = await asyncio.to_thread(zone_meant, zone)
        if meant is None:
            near = await asyncio.to_thread(zones_like, zone, interaction.created_at)
            await answer(interaction, zone_objection(zone, near, voice_of(interaction, self._bot_name)))
            return
        await self._editor.change(interaction, lambda settings: replace(settings, time_zone=meant))

    @app_commands.command(name="my-time-zone", description=described(Slash.SETTINGS_MY_TIME_ZONE))
    @app_commands.describe(zone=described(Slash.SETTINGS_MY_TIME_ZONE_ZONE))
    async def my_time_zone(self, interaction: Interaction, zone: app_commands.Range[str, 1, 60]) -> None:
        """For everyone."""
        with request("settings"):
            voice = voice_of(interaction, self._bot_name)
            meant = await asyncio.to_thread(zone_meant, zone)
            if meant is None:
                near = await asyncio.to_thread(zones_like, zone, interaction.created_at)
                await answer(interaction, zone_objection(zone, near, voice))
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            try:
                done = await self._memory.reminders.choose_zone(interaction.guild_id or 0, interaction.user.id, meant)
                said = zone_is(meant, interaction.created_at, voice) if done else voice.say(Remind.OPTED_OUT)
            except StoreError:
                said = voice.say(Notice.NOT_DONE)
            await answer(interaction, said)

    @my_time_zone.autocomplete("zone")
    @time_zone.autocomplete("zone")
    async def zones(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        now = interaction.created_at

        def choices() -> list[app_commands.Choice[str]]:
            found = zones_like(typed, now)
            return [app_commands.Choice(name=f"{zone} ({offset_of(zone, now)})", value=zone) for zone in found]

        return await asyncio.to_thread(choices)

    @app_commands.command(name="hall-role", description=described(Slash.SETTINGS_HALL_ROLE))
    @app_commands.describe(role=described(Slash.SETTINGS_HALL_ROLE_ROLE))
    async def hall_role(self, interaction: Interaction, role: discord.Role) -> None:
        await self._editor.change(interaction, lambda settings: replace(settings, hall_role_id=role.id))


class SpeakingCommands(app_commands.Group):
    def __init__(self, editor: SettingsEditor) -> None:
        super().__init__(name="speak-in", description=described(Slash.SETTINGS_SPEAK_IN))
        self._editor = editor

    @app_commands.command(name="add", description=described(Slash.SETTINGS_SPEAK_IN_ADD))
    @app_commands.describe(channel=described(Slash.SETTINGS_SPEAK_IN_ADD_CHANNEL))
    async def add(self, interaction: Interaction, channel: SpeakingChannel) -> None:
        await self._editor.change(
            interaction, lambda settings: replace(settings, speaks_in=settings.speaks_in | {channel.id})
        )

    @app_commands.command(name="remove", description=described(Slash.SETTINGS_SPEAK_IN_REMOVE))
    @app_commands.describe(channel=described(Slash.SETTINGS_SPEAK_IN_REMOVE_CHANNEL))
    async def remove(self, interaction: Interaction, channel: SpeakingChannel) -> None:
        await self._editor.change(
            interaction, lambda settings: replace(settings, speaks_in=settings.speaks_in - {channel.id})
        )

    @app_commands.command(name="everywhere", description=described(Slash.SETTINGS_SPEAK_IN_EVERYWHERE))
    async def everywhere(self, interaction: Interaction) -> None:
        await self._editor.change(interaction, lambda settings: replace(settings, speaks_in=frozenset()))
