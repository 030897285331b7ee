"""Under a confirmation whose message was deleted: its teller may keep what it told all the same, for a day."""

import logging
import re
from typing import Any, Protocol, Self, runtime_checkable
from uuid import UUID

import aiohttp
import discord

from bot.buttons import Button, Interaction
from bot.composing import Composing
from bot.drafts import Draft
from bot.in_place import say_in_place, whisper
from bot.phrasebook import Phrase
from bot.phrases import Voice, language_of_locale
from bot.settings import BotOptions
from bot.tellings import rank_in
from bot.undo_buttons import CHANGE
from bot.undo_words import nothing_to_undo, refused
from memory.core.authority import Actor, Entitled
from memory.core.changes import MayNotUndo, NothingToUndo, UndoOutcome
from memory.core.language import Language
from memory.manager import MemoryManager
from memory.tracing import request

logger = logging.getLogger(__name__)

_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, OSError)


@runtime_checkable
class HasKeeping(Protocol):
    @property
    def keeping(self) -> "Keeping": ...


class Keep(discord.ui.DynamicItem[Button], template=rf"keep:{CHANGE}"):
    """Its id holds the number of the change and a language, so that it works after any restart."""

    def __init__(self, language: Language, change_id: UUID, label: str | None = None) -> None:
        super().__init__(
            discord.ui.Button(
                style=discord.ButtonStyle.secondary,
                label=label,
                emoji="📌",
                custom_id=f"keep:{language}:{change_id.hex}",
            )
        )
        self._language = language
        self._change_id = change_id

    @classmethod
    def of(cls, change_id: UUID, voice: Voice) -> Self:
        return cls(voice.language, change_id, voice.say(Phrase.KEEP))

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Language(match["language"]), UUID(match["change"]))

    async def callback(self, interaction: Interaction) -> None:
        if not isinstance(interaction.client, HasKeeping):
            raise TypeError("this client cannot keep anything")
        await interaction.client.keeping.keep(interaction, self._change_id, self._language)


class Keeping:
    def __init__(self, memory: MemoryManager, composing: Composing, options: BotOptions) -> None:
        self._memory = memory
        self._composing = composing
        self._bot_name = options.names[0]

    async def keep(self, interaction: Interaction, change_id: UUID, language: Language) -> None:
        """What is kept is not repeated: whoever deleted the message need not see its words again."""
        with request("press"):
            try:
                await interaction.response.defer()
                theirs = Voice(language_of_locale(str(interaction.locale)), self._bot_name)
                work = self._undo(interaction, change_id)
                outcome = await self._composing.attempt(work, theirs, self._composing.until(), reading=False)
                match outcome:
                    case Draft(words=words):
                        await whisper(interaction, words)
                    case MayNotUndo():
                        # Whose words lapsed is who told them, whoever deleted the message.
                        await whisper(interaction, refused((Entitled.TELLER,), theirs))
                    case NothingToUndo(stuck=stuck):
                        await whisper(interaction, nothing_to_undo(stuck, theirs))
                    case _:
                        await say_in_place(interaction, Voice(language, self._bot_name).say(Phrase.KEPT_ON))
            except _DISCORD_FAILS:
                logger.exception("a press could not be answered")

    async def _undo(self, interaction: Interaction, change_id: UUID) -> UndoOutcome:
        guild_id, channel_id = interaction.guild_id, interaction.channel_id
        if guild_id is None or channel_id is None or interaction.message is None:
            return NothingToUndo()
        audience = self._memory.audience_of(guild_id, channel_id)
        actor = Actor(interaction.user.id, rank_in(interaction))
        outcome = await self._memory.undoing.undo(guild_id, change_id, actor, audience)
        if not isinstance(outcome, MayNotUndo | NothingToUndo):
            await self._memory.taking_back.replaced(guild_id, interaction.message.id)
        return outcome
