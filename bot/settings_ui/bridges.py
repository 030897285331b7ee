"""`/settings bridges`: managers say through which webhooks people speak, and which of their names are left out.

A webhook is chosen from those that posted lately where whoever chooses can read.
"""

from collections.abc import Callable, Sequence

import discord
from discord import app_commands

from bot.replies.compose import PrivateReplies
from bot.replies.draft import Draft, sole_reader
from bot.replies.interactions import Interaction
from bot.settings_ui.commands import SettingsEditor
from bot.words import Notice, Slash, Voice, described
from memory.core.values import LONGEST_SPEAKER, speaker_key
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.overview import SeenWebhook
from memory.places.view import Audience
from memory.policy.settings import FIELDS, GuildSettings, changed

LONGEST_CHOICE = 100
WEBHOOKS, NAMES = "log.webhooks", "log.names_left_out"

Name = app_commands.Range[str, 1, LONGEST_SPEAKER]
Choice = app_commands.Range[str, 1, 20]


class BridgeCommands(app_commands.Group):
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
    async def add(self, interaction: Interaction, webhook: Choice) -> None:
        await self._change(interaction, WEBHOOKS, lambda known: {*known, webhook})

    @app_commands.command(name="remove", description=described(Slash.SETTINGS_BRIDGES_REMOVE))
    @app_commands.describe(webhook=described(Slash.SETTINGS_BRIDGES_REMOVE_WEBHOOK))
    async def remove(self, interaction: Interaction, webhook: Choice) -> None:
        await self._change(interaction, WEBHOOKS, lambda known: {*known} - {webhook})

    @app_commands.command(name="leave-out", description=described(Slash.SETTINGS_BRIDGES_LEAVE_OUT))
    @app_commands.describe(name=described(Slash.SETTINGS_BRIDGES_LEAVE_OUT_NAME))
    async def leave_out(self, interaction: Interaction, name: Name) -> None:
        await self._change(interaction, NAMES, lambda known: {*known, name})

    @app_commands.command(name="include", description=described(Slash.SETTINGS_BRIDGES_INCLUDE))
    @app_commands.describe(name=described(Slash.SETTINGS_BRIDGES_INCLUDE_NAME))
    async def include(self, interaction: Interaction, name: Name) -> None:
        await self._change(interaction, NAMES, lambda known: {*known} - {speaker_key(name)})

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

    async def _change(self, interaction: Interaction, path: str, make: Callable[[Sequence[str]], set[str]]) -> None:
        def change(settings: GuildSettings) -> GuildSettings:
            known = FIELDS[path].of(settings)
            wanted = sorted(make([str(one) for one in known] if isinstance(known, list) else []))
            return changed(settings, {path: wanted}, interaction.created_at)

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
