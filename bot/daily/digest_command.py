"""`/digest`: those who manage a server choose where and when it is told what happened, and see what would be said."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import discord
from discord import app_commands
from discord.utils import format_dt

from bot.connection import NEEDED
from bot.daily.digest_worker import Came, DigestWorker, draft_of, is_late
from bot.replies.compose import PrivateReplies
from bot.replies.draft import Draft, SpeakingPlaces
from bot.replies.interactions import Interaction, answer
from bot.replies.split import jump_link
from bot.settings_ui.commands import SettingsEditor
from bot.settings_ui.describe import describe_settings
from bot.words import Notice, Remind, Slash, Voice, described
from memory.daily.values import Schedule, State
from memory.db.errors import StoreError
from memory.language.dates import WEEKDAYS
from memory.language.text import fold
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.policy.setting_fields import Setting
from memory.policy.settings import FIELDS, DigestRules, GuildSettings
from memory.tasks import request

LONGEST_TYPED = 300
_HOUR, _LEAST = FIELDS["digest.hour"], FIELDS["digest.least"]
_RIGHTS = ("view_channel", "send_messages", "read_message_history")
_CHANNEL = re.compile(r"<#(\d{1,20})>")
_CAME = {
    Came.POSTED: Notice.DIGEST_POSTED,
    Came.DONE_BEFORE: Notice.DIGEST_STANDS,
    Came.QUIET: Notice.DIGEST_QUIET,
    Came.LATER: Notice.DIGEST_LATER,
    Came.FORBIDDEN: Notice.DIGEST_LATER,
}
_STATES = {
    State.OPEN: Notice.DIGEST_LAST_OPEN,
    State.POSTED: Notice.DIGEST_LAST_POSTED,
    State.QUIET: Notice.DIGEST_LAST_QUIET,
    State.MISSED: Notice.DIGEST_LAST_MISSED,
}

Place = discord.TextChannel | discord.VoiceChannel
Work = Callable[[Schedule, Voice], Awaitable[str]]
"""What is to be said of it; nothing, where it was said."""


class DigestCommands(app_commands.Group):
    def __init__(
        self,
        memory: MemoryManager,
        replies: PrivateReplies,
        editor: SettingsEditor,
        worker: DigestWorker,
    ) -> None:
        super().__init__(
            name="digest",
            description=described(Slash.DIGEST),
            guild_only=True,
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self._memory = memory
        self._replies = replies
        self._editor = editor
        self._worker = worker
        self._speaking_places = SpeakingPlaces(memory)

    @app_commands.command(name="setup", description=described(Slash.DIGEST_SETUP))
    @app_commands.describe(
        channel=described(FIELDS["digest.channel_id"].key("help")),
        hour=described(FIELDS["digest.hour"].key("help")),
        weekdays=described(Slash.DIGEST_SETUP_WEEKDAYS),
        least=described(FIELDS["digest.least"].key("help")),
        channels=described(Slash.DIGEST_SETUP_CHANNELS),
        weekly=described(FIELDS["digest.weekly"].key("help")),
    )
    async def setup(
        self,
        interaction: Interaction,
        channel: Place,
        hour: app_commands.Range[int, _HOUR.least, _HOUR.most] | None = None,
        weekdays: app_commands.Range[str, 1, LONGEST_TYPED] | None = None,
        least: app_commands.Range[int, _LEAST.least, _LEAST.most] | None = None,
        channels: app_commands.Range[str, 1, LONGEST_TYPED] | None = None,
        weekly: bool | None = None,
    ) -> None:
        voice = self._replies.voice(interaction)
        days = None if weekdays is None else weekdays_in(weekdays, voice)
        if lacking := await self._lacking(channel.guild, channel.id, voice):
            await answer(interaction, lacking)
            return
        if weekdays is not None and not days:
            await answer(interaction, voice.say(Notice.DIGEST_NO_DAYS, example=voice.say(Remind.WEEKDAYS)))
            return

        def change(rules: DigestRules) -> DigestRules:
            return replace(
                rules,
                channel_id=channel.id,
                hour=rules.hour if hour is None else hour,
                weekdays=days or rules.weekdays,
                least=least or rules.least,
                channels=rules.channels if channels is None else _channels_in(channels),
                weekly=rules.weekly if weekly is None else weekly,
                language=voice.language,
                since=interaction.created_at.timestamp(),
            )

        await self._editor.change(interaction, lambda settings: replace(settings, digest=change(settings.digest)))
        self._memory.digests.wake()

    @app_commands.command(name="off", description=described(Slash.DIGEST_OFF))
    async def off(self, interaction: Interaction) -> None:
        def change(settings: GuildSettings) -> GuildSettings:
            return replace(settings, digest=replace(settings.digest, channel_id=None))

        await self._editor.change(interaction, change)

    @app_commands.command(name="preview", description=described(Slash.DIGEST_PREVIEW))
    async def preview(self, interaction: Interaction) -> None:
        await self._answer(interaction, partial(self._preview, interaction))

    @app_commands.command(name="now", description=described(Slash.DIGEST_NOW))
    async def now(self, interaction: Interaction) -> None:
        await self._answer(interaction, partial(self._now, interaction))

    @app_commands.command(name="status", description=described(Slash.DIGEST_STATUS))
    async def status(self, interaction: Interaction) -> None:
        await self._answer(interaction, partial(self._status, interaction))

    async def _answer(self, interaction: Interaction, work: Work) -> None:
        """Answer `/digest` for managers, where a digest is set up; tell all others why not."""
        voice = self._replies.voice(interaction)
        if interaction.guild_id is None or not interaction.permissions.manage_guild:
            await answer(interaction, voice.say(Notice.ONLY_MANAGERS))
            return
        with request("digest"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            try:
                schedule = await self._memory.digests.schedule(interaction.guild_id)
                if schedule is None or schedule.rules.channel_id is None:
                    words = voice.say(Notice.DIGEST_NO_CHANNEL)
                else:
                    words = await work(schedule, voice)
            except StoreError:
                words = voice.say(Notice.NOT_DONE)
            if words:
                await answer(interaction, words)

    async def _preview(self, interaction: Interaction, schedule: Schedule, voice: Voice) -> str:
        def readers() -> Audience:
            """Find what the digest's readers can read, and no more of that than whoever looks at it now."""
            reader = self._replies.reader(interaction)
            target = self._memory.places.audience_of(schedule.guild_id, schedule.rules.channel_id or 0)
            return replace(reader, sources=reader.sources & target.sources)

        work = partial(self._previewed, schedule)
        await self._replies.answer(interaction, work, needs_view=True, readers=readers, voice=voice)
        return ""

    async def _previewed(self, schedule: Schedule, reader: Audience) -> Draft:
        """Preview the digest from the days as they are told; no model is asked."""
        digest = await self._memory.digests.preview(schedule)
        edition = await self._memory.digests.make(digest, schedule, reader, by_model=False)
        return draft_of(edition, Voice(schedule.language, self._replies.bot_name))

    async def _now(self, interaction: Interaction, schedule: Schedule, voice: Voice) -> str:
        came, message_id = await self._worker.post_now(schedule, interaction.client)
        channel_id = schedule.rules.channel_id or 0
        link = "" if message_id is None else self._where(interaction, channel_id, message_id)
        lacking = await self._lacking(interaction.guild, channel_id, voice) if came is Came.FORBIDDEN else ""
        return lacking or voice.say(_CAME[came], channel=f"<#{channel_id}>", link=link)

    async def _status(self, interaction: Interaction, schedule: Schedule, voice: Voice) -> str:
        latest = (await self._memory.digests.latest([schedule.guild_id])).get(schedule.guild_id)
        now, lines = (
            interaction.created_at,
            describe_settings(GuildSettings(digest=schedule.rules), schedule.guild_id, voice, ["digest"]),
        )
        coming = schedule.next_due(now, None if latest is None else latest.local_date)
        if coming is not None:
            lines.append(voice.say(Notice.DIGEST_NEXT, when=format_dt(coming, "F")))
        if latest is not None:
            link = self._where(interaction, latest.channel_id, latest.message_id or 0)
            when = format_dt(latest.due_at, "D")
            lines.append(voice.say(_STATES[latest.state], when=when, link=link))
        if is_late(schedule, latest, now):
            lines.append(voice.say(Notice.DIGEST_LATE))
        lines.append(await self._lacking(interaction.guild, schedule.rules.channel_id or 0, voice))
        return "\n".join(filter(None, lines))

    def _where(self, interaction: Interaction, channel_id: int, message_id: int) -> str:
        """Link to a digest, or name its channel: a channel that asks for an age is not linked to from one that does
        not."""
        reader = self._replies.reader(interaction)
        can_read = channel_id in reader.sources
        return jump_link(reader.guild_id, channel_id, message_id) if can_read else f"<#{channel_id}>"

    async def _lacking(self, guild: discord.Guild | None, channel_id: int, voice: Voice) -> str:
        """Say in a sentence what the bot lacks to post there; nothing, if it may."""
        channel = None if guild is None else guild.get_channel(channel_id)
        if guild is None or channel is None:
            return voice.say(Notice.DIGEST_NO_CHANNEL)
        allowed = channel.permissions_for(guild.me)
        rights = [NEEDED[right] for right in _RIGHTS if not getattr(allowed, right)]
        if not await self._speaking_places.include(guild.id, channel_id):
            rights.append("`/settings speak-in add`")
        return voice.say(Notice.DIGEST_MAY_NOT, channel=channel.mention, rights=", ".join(rights)) if rights else ""


def weekdays_in(typed: str, voice: Voice) -> tuple[int, ...]:
    """Read weekdays by their names, whole or short, in any of our languages; none, if a word is no weekday."""
    short = {fold(name).strip("."): number for number, name in enumerate(voice.say(Remind.WEEKDAYS).split("/"))}
    words = re.findall(r"\w+", fold(typed))
    found = [WEEKDAYS.get(word, short.get(word)) for word in words]
    every = fold(voice.say(Setting.EVERY_DAY)).split()
    if words == every or words == ["all"]:
        return tuple(range(7))
    return () if None in found else tuple(sorted({one for one in found if one is not None}))


def _channels_in(typed: str) -> tuple[int, ...]:
    """Read the channels that are mentioned; anything else means all of them."""
    return tuple(dict.fromkeys(int(one) for one in _CHANNEL.findall(typed)))[: FIELDS["digest.channels"].most]
