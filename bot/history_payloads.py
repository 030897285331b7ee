"""Messages of a history page: plain ones straight from their payload, all others as discord.py reads them."""

import logging
from typing import TYPE_CHECKING

import discord

from bot.plain_payloads import STUMBLES, is_plain, words_of
from bot.readable import Readable
from bot.translate import to_message
from memory.core.values import Message

if TYPE_CHECKING:
    from discord.types.message import Message as Payload

logger = logging.getLogger(__name__)


def message_of(payload: "Payload", place: Readable, self_id: int) -> Message | None:
    if is_plain(payload):
        return words_of(payload, place, self_id)
    try:
        return to_message(discord.Message(state=place._state, channel=place, data=payload), self_id)
    except STUMBLES:
        # One odd message must not keep the whole channel from being read.
        logger.warning("a message was read by its words alone", extra={"message_id": payload["id"]})
        return words_of(payload, place, self_id)
