"""`/settings`: those who manage a server see what was decided about it, and change it."""

import asyncio
import inspect
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import discord
from discord import app_commands

from bot.replies.compose import PrivateReplies
from bot.replies.draft import Draft, sole_reader
from bot.replies.interactions import Confirmation, Interaction, Questions, answer, answer_manager, voice_of
from bot.settings_ui.describe import counted, describe_removal, describe_settings, zone_is, zone_objection
from bot.words import Notice, Remind, Slash, Voice, described
from memory.core.values import LONGEST_SPEAKER, speaker_key
from memory.db.errors import StoreError
from memory.language.time_zones import offset_of, zone_meant, zones_like
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.overview import SeenWebhook
from memory.places.view import Audience
from memory.policy.setting_fields import FieldKind, NotASetting, Setting, SettingField
from memory.policy.settings import FIELDS, GuildSettings, changed
from memory.tasks import request

logger = logging.getLogger(__name__)

LONGEST_ZONE = 60
LONGEST_PERSONA = FIELDS["answers.persona"].most
Change = Callable[[GuildSettings], GuildSettings]
Channel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel | discord.Thread
SpeakingChannel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel


class SettingsEditor:
    """Changes settings: only for managers, and never taking anything away unasked."""

    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions) -> None:
        self._memory = memory
        self._bot_name = bot_name
        self._questions = questions

    async def change(self, interaction: Interaction, change: Change) -> None:
        """Apply a change, and say what is different since; all settings, if nothing is."""
        voice = voice_of(interaction, self._bot_name)

        async def work(guild_id: int) -> str:
            try:
                sources = sole_reader(self._memory, interaction).sources
                if not (doomed := await self._memory.privacy.would_remove(guild_id, change, sources)):
                    return await self._carry_out(guild_id, change, voice, interaction)
            except NotASetting as refused:
                return await _objection(refused, interaction.created_at, voice)
            question = self._question(guild_id, change, voice, Notice.REMOVAL_YES, discord.ButtonStyle.danger)
            await question.ask(interaction, voice.say(Notice.REMOVAL_ASK, what=counted(doomed, voice)))
            return ""

        with request("settings"):
            await answer_manager(interaction, voice, work)

    async def _carry_out(self, guild_id: int, change: Change, voice: Voice, interaction: Interaction) -> str:
        sources = sole_reader(self._memory, interaction).sources
        done = await self._memory.privacy.change_settings(guild_id, change, interaction.user.id, sources)
        if done.after != done.before:
            logger.info("settings changed", extra={"guild_id": guild_id, **asdict(done.removed)})
        before, said = (describe_settings(one, guild_id, voice) for one in (done.before, done.after))
        removed = describe_removal(done, voice)
        if different := [line for line in said if line not in before]:
            return "\n".join([voice.say(Notice.SETTINGS_CHANGED), *different, *removed])
        if done.after.set_up_at is None:
            last = voice.say(Notice.SETUP_SUGGESTED)
        else:
            last = voice.say(Notice.SET_UP_ON, when=discord.utils.format_dt(done.after.set_up_at, "R"))
        return "\n".join([*said, *removed, last])

    async def show_persona(self, interaction: Interaction, text: str | None) -> None:
        """Show how the bot would speak, to be saved; or without a text, how it speaks."""
        voice = voice_of(interaction, self._bot_name)

        async def work(guild_id: int) -> str:
            holds = (await self._memory.privacy.settings(guild_id)).answers.persona
            if not text and not holds:
                return voice.say(Notice.PERSONA_NONE)
            shown = one_line(text or holds, LONGEST_PERSONA)
            yes = Notice.PERSONA_SAVE if text else Notice.PERSONA_REMOVE
            change = wanting({"answers.persona": text or ""}, interaction.created_at)
            question = self._question(guild_id, change, voice, yes, discord.ButtonStyle.primary, ran_out=None)
            said = Notice.PERSONA_PREVIEW if text else Notice.PERSONA_SHOWN
            await question.ask(interaction, voice.say(said, persona=shown))
            return ""

        with request("settings"):
            await answer_manager(interaction, voice, work)

    def _question(
        self,
        guild_id: int,
        change: Change,
        voice: Voice,
        yes: Notice,
        style: discord.ButtonStyle,
        ran_out: Notice | None = Notice.RAN_OUT,
    ) -> Confirmation:
        """Ask before something goes for good, or before the bot speaks otherwise. A yes changes what holds by then."""

        async def act(question: Confirmation, pressed: Interaction) -> None:
            try:
                said = await self._carry_out(guild_id, change, voice, pressed)
            except StoreError as error:
                logger.warning("could not change settings", extra={"reason": type(error).__name__})
                said = voice.say(Notice.NOT_DONE)
            await question.conclude(pressed, said)

        labels, unchanged = (voice.say(yes), voice.say(Notice.REMOVAL_NO)), Notice.NOTHING_CHANGED
        return Confirmation(
            self._questions, voice, act, *labels, unchanged, style=style, ran_out=ran_out, for_managers=True
        )


async def _objection(refused: NotASetting, now: datetime, voice: Voice) -> str:
    if FIELDS[refused.path].kind is not FieldKind.ZONE:
        return f"{FIELDS[refused.path].label(voice.language)}: {FIELDS[refused.path].bounds(voice.language)}"
    typed = str(refused.wanted)
    return zone_objection(typed, await asyncio.to_thread(zones_like, typed, now), voice)


def wanting(wanted: Mapping[str, object], now: datetime) -> Change:
    """Change settings to values that Discord let somebody choose: whatever channel or role is named, they can see."""

    def change(settings: GuildSettings) -> GuildSettings:
        held = [FIELDS[path].of(settings) for path in wanted]
        seen = {int(one) for value in (*wanted.values(), *held) for one in (value if isinstance(value, list) else ())}
        roles = {int(str(wanted[path])) for path in wanted if FIELDS[path].kind is FieldKind.ROLE}
        return changed(settings, wanted, now, channels=seen, roles=seen | roles)

    return change


# Commands drawn from what is declared of settings.


def setting_command(
    editor: SettingsEditor, name: str, options: Mapping[str, str], about: Slash | None = None
) -> app_commands.Command[Any, ..., None]:
    """Make a command that changes settings: `options` has their paths by what they are called while one types.

    One setting alone has to be given; of several, those that are not given stay. `about` describes several."""
    paths = {option.replace("-", "_"): path for option, path in options.items()}
    fields = {option: FIELDS[path] for option, path in paths.items()}
    is_only = len(fields) == 1

    async def run(interaction: Interaction, **given: Any) -> None:  # noqa: ANN401 - as each option has it
        wanted = {paths[option]: _sent(value) for option, value in given.items() if value is not None}
        await editor.change(interaction, wanting(wanted, interaction.created_at))

    description = described(about or next(iter(fields.values())).key("help"))
    parameters = [_parameter(option, one, is_required=is_only) for option, one in fields.items()]
    _sign(run, parameters, {option: one.key("" if is_only else "help") for option, one in fields.items()})
    app_commands.rename(**{option: option.replace("_", "-") for option in fields})(run)
    app_commands.choices(
        **{
            option: [app_commands.Choice(name=described(one.key(choice)), value=str(choice)) for choice in one.choices]
            for option, one in fields.items()
            if one.choices
        }
    )(run)
    command = app_commands.Command[Any, ..., None](name=name, description=description, callback=run)
    for option, one in fields.items():
        if one.kind is FieldKind.ZONE:
            command.autocomplete(option)(offer_zones)
    return command


def _sign(run: Any, parameters: Sequence[inspect.Parameter], about: Mapping[str, Setting]) -> None:  # noqa: ANN401
    """Give a command the options that are declared: what Discord offers is read from its signature (PEP 362)."""
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    run.__signature__ = inspect.Signature([first, *parameters])
    app_commands.describe(**{option: described(key) for option, key in about.items()})(run)


def _parameter(option: str, one: SettingField, *, is_required: bool) -> inspect.Parameter:
    kinds: dict[FieldKind, Any] = {
        FieldKind.SWITCH: bool,
        FieldKind.ROLE: discord.Role,
        FieldKind.NUMBER: app_commands.Range[int, one.least, one.most],
        FieldKind.ZONE: app_commands.Range[str, 1, LONGEST_ZONE],
        FieldKind.CHOICE: str,
    }
    kind, default = kinds[one.kind], inspect.Parameter.empty if is_required else None
    annotation = kind if is_required else kind | None
    return inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _sent(value: Any) -> object:  # noqa: ANN401 - as each option has it
    return str(value.id) if isinstance(value, discord.Role) else value


def list_command(
    editor: SettingsEditor, name: str, option: str, path: str, about: Slash, *, adds: bool
) -> app_commands.Command[Any, ..., None]:
    """Make a command that adds a channel or a role to the list of a setting, or takes one out of it."""
    one = FIELDS[path]

    async def run(interaction: Interaction, **given: Any) -> None:  # noqa: ANN401 - a channel or a role
        def change(settings: GuildSettings) -> GuildSettings:
            before, chosen = one.held(settings), {given[option].id}
            after = before | chosen if adds else before - chosen
            return changed(
                settings, {path: list(after)}, interaction.created_at, channels=before | chosen, roles=before | chosen
            )

        await editor.change(interaction, change)

    channel = Channel if one.has_threads else SpeakingChannel
    annotation: Any = discord.Role if one.kind is FieldKind.ROLES else channel
    _sign(run, [inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, annotation=annotation)], {option: one.key()})
    return app_commands.Command(name=name, description=described(about), callback=run)


async def offer_zones(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    now = interaction.created_at
    found = await asyncio.to_thread(lambda: [(zone, offset_of(zone, now)) for zone in zones_like(typed, now)])
    return [app_commands.Choice(name=f"{zone} ({offset})", value=zone) for zone, offset in found]


class SettingsCommands(app_commands.Group):
    """Answers `/settings`. Everyone sees it, because everyone has a time zone of their own and Discord can hide it only
    as a whole. Whoever is no manager is refused all else when it runs."""

    def __init__(self, memory: MemoryManager, editor: SettingsEditor, replies: PrivateReplies) -> None:
        super().__init__(name="settings", description=described(Slash.SETTINGS), guild_only=True)
        self._memory = memory
        self._replies = replies
        self._editor = editor
        self.add_command(setting_command(editor, "time-zone", {"zone": "time_zone"}))
        self.add_command(setting_command(editor, "hall-role", {"role": "hall_role_id"}))
        facts = {"about-others": "facts.about_others", "moderators-may": "facts.moderators_may"}
        self.add_command(setting_command(editor, "facts", facts, Slash.SETTINGS_FACTS))
        answers = {
            "second-look": "second_look",
            "session": "answers.session_minutes",
            "exchanges": "answers.exchanges",
            "take-memories": "answers.takes_memories",
            "memories": "answers.memories",
            "importance": "answers.least_importance",
            "questions": "answers.hourly_questions",
        }
        self.add_command(setting_command(editor, "answers", answers, Slash.SETTINGS_ANSWERS))
        files = {
            "texts": "files.texts",
            "pictures": "files.pictures",
            "voice-messages": "files.voices",
            "daily": "files.daily",
        }
        self.add_command(setting_command(editor, "files", files, Slash.SETTINGS_FILES))
        log = app_commands.Group(name="log", description=described(Slash.SETTINGS_LOG))
        log.add_command(setting_command(editor, "consent", {"mode": "log.consent"}))
        log.add_command(setting_command(editor, "retention", {"days": "log.retention_days"}))
        log.add_command(setting_command(editor, "summaries", {"days": "log.summary_days"}))
        log.add_command(setting_command(editor, "facts", {"days": "log.fact_days"}))
        speaking = app_commands.Group(name="speak-in", description=described(Slash.SETTINGS_SPEAK_IN))
        for group, name, option, path, about, adds in (
            (log, "exclude-channel", "channel", "log.excluded_channels", Slash.SETTINGS_LOG_EXCLUDE_CHANNEL, True),
            (log, "include-channel", "channel", "log.excluded_channels", Slash.SETTINGS_LOG_INCLUDE_CHANNEL, False),
            (log, "exclude-role", "role", "log.excluded_roles", Slash.SETTINGS_LOG_EXCLUDE_ROLE, True),
            (log, "include-role", "role", "log.excluded_roles", Slash.SETTINGS_LOG_INCLUDE_ROLE, False),
            (speaking, "add", "channel", "speaks_in", Slash.SETTINGS_SPEAK_IN_ADD, True),
            (speaking, "remove", "channel", "speaks_in", Slash.SETTINGS_SPEAK_IN_REMOVE, False),
        ):
            group.add_command(list_command(editor, name, option, path, about, adds=adds))
        self.add_command(log)
        self.add_command(speaking)

        @speaking.command(name="everywhere", description=described(Slash.SETTINGS_SPEAK_IN_EVERYWHERE))
        async def everywhere(interaction: Interaction) -> None:
            await editor.change(interaction, lambda settings: replace(settings, speaks_in=frozenset()))

        self.add_command(BridgeCommands(memory, editor, replies))

    @app_commands.command(name="show", description=described(Slash.SETTINGS_SHOW))
    async def show(self, interaction: Interaction) -> None:
        await self._editor.change(interaction, lambda settings: settings)

    @app_commands.command(name="persona", description=described(Slash.SETTINGS_PERSONA))
    @app_commands.describe(text=described(Slash.SETTINGS_PERSONA_TEXT))
    async def persona(
        self, interaction: Interaction, text: app_commands.Range[str, 1, LONGEST_PERSONA] | None = None
    ) -> None:
        await self._editor.show_persona(interaction, None if text is None else " ".join(text.split()))

    @app_commands.command(name="my-time-zone", description=described(Slash.SETTINGS_MY_TIME_ZONE))
    @app_commands.describe(zone=described(Slash.SETTINGS_MY_TIME_ZONE_ZONE))
    @app_commands.autocomplete(zone=offer_zones)
    async def my_time_zone(self, interaction: Interaction, zone: app_commands.Range[str, 1, LONGEST_ZONE]) -> None:
        """Set the member's own time zone; everyone may."""
        with request("settings"):
            voice = self._replies.voice(interaction)
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


Name = app_commands.Range[str, 1, LONGEST_SPEAKER]
Webhook = app_commands.Range[str, 1, 20]
LONGEST_CHOICE = 100


class BridgeCommands(app_commands.Group):
    """Lets managers say through which webhooks people speak, of those that posted lately where they can read, and which
    of their names are left out."""

    def __init__(self, memory: MemoryManager, editor: SettingsEditor, replies: PrivateReplies) -> None:
        super().__init__(name="bridges", description=described(Slash.SETTINGS_BRIDGES))
        self._memory = memory
        self._editor = editor
        self._replies = replies

    @app_commands.command(name="show", description=described(Slash.SETTINGS_BRIDGES_SHOW))
    async def show(self, interaction: Interaction) -> None:
        voice = self._replies.voice(interaction)

        async def work(reader: Audience) -> Draft:
            if not interaction.permissions.manage_guild:
                return Draft(voice.say(Notice.ONLY_MANAGERS))
            log = (await self._memory.privacy.settings(reader.guild_id)).log
            seen = await self._memory.overview.webhooks(reader)
            lines = [_line(one, one.webhook_id in log.webhooks, voice) for one in seen]
            left_out = ", ".join(one_line(name, LONGEST_SPEAKER) for name in sorted(log.names_left_out))
            said = [voice.say(Notice.BRIDGES_SEEN), *lines] if lines else [voice.say(Notice.BRIDGES_NONE)]
            if left_out:
                said.append(voice.say(Notice.BRIDGES_LEFT_OUT, names=left_out))
            return Draft("\n".join(said), frozenset(channel for one in seen for channel in one.channels))

        await self._replies.answer(interaction, work, needs_view=True)

    @app_commands.command(name="add", description=described(Slash.SETTINGS_BRIDGES_ADD))
    @app_commands.describe(webhook=described(Slash.SETTINGS_BRIDGES_ADD_WEBHOOK))
    async def add(self, interaction: Interaction, webhook: Webhook) -> None:
        await self._change(interaction, "log.webhooks", webhook, adds=True)

    @app_commands.command(name="remove", description=described(Slash.SETTINGS_BRIDGES_REMOVE))
    @app_commands.describe(webhook=described(Slash.SETTINGS_BRIDGES_REMOVE_WEBHOOK))
    async def remove(self, interaction: Interaction, webhook: Webhook) -> None:
        await self._change(interaction, "log.webhooks", webhook, adds=False)

    @app_commands.command(name="leave-out", description=described(Slash.SETTINGS_BRIDGES_LEAVE_OUT))
    @app_commands.describe(name=described(Slash.SETTINGS_BRIDGES_LEAVE_OUT_NAME))
    async def leave_out(self, interaction: Interaction, name: Name) -> None:
        await self._change(interaction, "log.names_left_out", name, adds=True)

    @app_commands.command(name="include", description=described(Slash.SETTINGS_BRIDGES_INCLUDE))
    @app_commands.describe(name=described(Slash.SETTINGS_BRIDGES_INCLUDE_NAME))
    async def include(self, interaction: Interaction, name: Name) -> None:
        await self._change(interaction, "log.names_left_out", speaker_key(name), adds=False)

    @add.autocomplete("webhook")
    @remove.autocomplete("webhook")
    async def webhooks(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer webhooks that posted lately; nothing to whoever may not choose."""
        if not interaction.permissions.manage_guild or interaction.guild_id is None:
            return []
        try:
            seen = await self._memory.overview.webhooks(sole_reader(self._memory, interaction))
        except StoreError:
            return []
        named = [(_choice(one, interaction.guild), str(one.webhook_id)) for one in seen]
        return [
            app_commands.Choice(name=name, value=value) for name, value in named if typed.casefold() in name.casefold()
        ]

    async def _change(self, interaction: Interaction, path: str, one: str, *, adds: bool) -> None:
        def change(settings: GuildSettings) -> GuildSettings:
            known = set(map(str, FIELDS[path].held(settings)))
            wanted = known | {one} if adds else known - {one}
            return changed(settings, {path: sorted(wanted)}, interaction.created_at)

        await self._editor.change(interaction, change)


def _line(one: SeenWebhook, is_person: bool, voice: Voice) -> str:
    names = ", ".join(one_line(name, LONGEST_SPEAKER) for name in one.names) or f"`{one.webhook_id}`"
    said = Notice.BRIDGES_PEOPLE if is_person else Notice.BRIDGES_PROGRAM
    places = " ".join(f"<#{channel}>" for channel in one.channels[:5])
    return f"• {voice.say(said, names=names, places=places, messages=one.messages)}"


def _choice(one: SeenWebhook, guild: discord.Guild | None) -> str:
    """Write a webhook as plain text: in a menu nothing is marked up, and nobody is mentioned."""
    places = [guild.get_channel_or_thread(channel) for channel in one.channels] if guild is not None else []
    where = " ".join(f"#{place.name}" for place in places if place is not None)
    return f"{', '.join(one.names) or one.webhook_id} · {where}"[:LONGEST_CHOICE]
