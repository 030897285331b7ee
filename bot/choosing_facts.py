"""When several facts may have been meant to be forgotten, and the one who asked has chosen one of them.

Everything is decided anew: whether its readers may still hear of it, and whether they may have it forgotten.
"""

import logging

from bot.buttons import Interaction
from bot.composing import Composing
from bot.drafts import Draft
from bot.in_place import answer_in_place, is_whispered
from bot.phrases import Voice
from bot.sole_reader import sole_reader
from bot.tellings import rank_in
from memory.core.values import Telling
from memory.manager import MemoryManager
from memory.places.view import Audience

logger = logging.getLogger(__name__)


class ChoosingFacts:
    def __init__(self, memory: MemoryManager, composing: Composing) -> None:
        self._memory = memory
        self._composing = composing

    async def forget(self, interaction: Interaction, message_id: int, voice: Voice) -> None:
        """What was told in a message. For an interaction that has been deferred, by the one who asked."""
        telling = _pointing_at(interaction, message_id)
        until = self._composing.until()

        def readers() -> Audience:
            if is_whispered(interaction):
                return sole_reader(self._memory, interaction)
            return self._memory.audience_of(telling.guild_id, telling.channel_id)

        async def make(audience: Audience) -> Draft:
            work = self._composing.forgotten(telling, audience, voice)
            return await self._composing.attempt(work, voice, until, reading=False)

        await answer_in_place(interaction, make, readers, voice, self._memory.receipts)
        logger.info("a fact was chosen", extra={"channel_id": telling.channel_id})


def _pointing_at(interaction: Interaction, message_id: int) -> Telling:
    if interaction.guild_id is None or interaction.channel_id is None:
        raise ValueError("what is to be forgotten was told in a guild")
    return Telling(
        guild_id=interaction.guild_id,
        channel_id=interaction.channel_id,
        message_id=interaction.id,
        teller_id=interaction.user.id,
        body="",
        told_at=interaction.created_at,
        rank=rank_in(interaction),
        told_in=message_id,
        by_command=True,
    )
