"""What happens when somebody has answered yes: erased while they are told how far it has come, then a receipt."""

import logging
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from bot.commands.holdings import grouped
from bot.commands.progress import Progress
from bot.commands.questions import Interaction, Question
from bot.notices import Notice
from bot.phrases import Voice
from memory.core.log import ErasureProgress, OnProgress, Receipt
from memory.errors import StoreError

logger = logging.getLogger(__name__)

Erase = Callable[[OnProgress], Awaitable[Receipt]]


async def erase_and_tell(
    question: Question, interaction: Interaction, voice: Voice, erase: Erase, receipt: Callable[[Receipt], str]
) -> bool:
    """Whether it is done to the end. What was decided holds in any case, and the purge finishes what broke off."""
    question.stop()
    await interaction.response.edit_message(view=None)
    try:
        async with _showing(interaction, voice) as progress:

            async def note(come: ErasureProgress) -> None:
                await progress.note(come.messages, come.in_all)

            gone = await erase(note)
    except StoreError as error:
        logger.warning("an erasure was not possible", extra={"reason": type(error).__name__})
        await _conclude(question, interaction, _broken_off(progress, voice))
        return False
    logger.info("erased", extra={"messages": gone.messages})
    await _conclude(question, interaction, receipt(gone))
    return True


def _showing(interaction: Interaction, voice: Voice) -> Progress:
    def words(done: int, of: int) -> str:
        return voice.say(Notice.ERASING, done=grouped(done), total=grouped(of))

    return Progress(interaction, words, voice.say(Notice.ERASING_GOES_ON))


def _broken_off(progress: Progress, voice: Voice) -> str:
    """The first part decides: before it came about, nothing is changed."""
    if progress.reached is None:
        return voice.say(Notice.NOT_DONE)
    done, of = progress.reached
    return voice.say(Notice.ERASE_BROKE_OFF, done=grouped(done), total=grouped(of))


async def _conclude(question: Question, interaction: Interaction, words: str) -> None:
    """It is done, whether or not that can still be said: Discord lets us answer for fifteen minutes."""
    try:
        await question.conclude(interaction, words)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        logger.warning("nobody could be told of an erasure", extra={"reason": type(error).__name__})
