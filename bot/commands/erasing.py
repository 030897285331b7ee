"""What happens when somebody wants something gone: it goes while they are told how far it has come, then a receipt."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial

import aiohttp
import discord

from bot.commands.holdings import grouped
from bot.commands.progress import Progress
from bot.commands.questions import Interaction, Question
from bot.notices.notice import Notice
from bot.phrases import Voice
from memory.core.log_values import ErasureProgress, ErasureReport, OnProgress
from memory.db.errors import StoreError

logger = logging.getLogger(__name__)

Erase = Callable[[OnProgress], Awaitable[ErasureReport]]
Conclude = Callable[[str], Awaitable[None]]
"""Says the last word, in the place of all that was said before."""


async def erase_if_asked(
    question: Question, interaction: Interaction, voice: Voice, erase: Erase, receipt: Callable[[ErasureReport], str]
) -> bool:
    """When a question before it has been answered with yes. Whether it is done to the end."""
    question.stop()
    await interaction.response.edit_message(view=None)
    return await erase_and_tell(partial(question.conclude, interaction), interaction, voice, erase, receipt)


async def erase_and_tell(
    conclude: Conclude, interaction: Interaction, voice: Voice, erase: Erase, receipt: Callable[[ErasureReport], str]
) -> bool:
    """For an interaction that has been answered or deferred. Whether it is done to the end: what was decided holds in
    any case, and the purge finishes what broke off."""
    try:
        async with _showing(interaction, voice) as progress:

            async def note(come: ErasureProgress) -> None:
                await progress.note(come.messages, come.in_all)

            gone = await erase(note)
    except StoreError as error:
        logger.warning("an erasure was not possible", extra={"reason": type(error).__name__})
        await _say_last(conclude, _broken_off(progress, voice))
        return False
    logger.info("erased", extra={"messages": gone.messages})
    await _say_last(conclude, receipt(gone))
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


async def _say_last(conclude: Conclude, words: str) -> None:
    """It is done, whether or not that can still be said: Discord lets us answer for fifteen minutes."""
    try:
        await conclude(words)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        logger.warning("nobody could be told of an erasure", extra={"reason": type(error).__name__})
