"""Messages of a history page, straight from Discord's payload.

Most are plain words, and making discord.py's own object of each costs more than everything else that is done with them.
Whatever is not plain takes that way all the same, so that `bot.translate` stays the only one to read it. A test holds
the two against each other.
"""

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

import discord

from bot.readable import Readable
from bot.translate import to_message
from memory.core.model import AuthorKind, Message

if TYPE_CHECKING:
    from discord.types.message import Message as Payload

logger = logging.getLogger(__name__)

_PLAIN, _REPLY = 0, 19
_WRITTEN_BY_SOMEONE = (_PLAIN, _REPLY, 20, 23)
# What discord.py raises over a payload that it does not understand, such as a poll without an end.
_STUMBLES = (KeyError, TypeError, ValueError, AttributeError, IndexError)
_NOT_PLAIN = ("attachments", "embeds", "poll", "message_snapshots", "sticker_items", "webhook_id", "application_id")


def message_of(payload: "Payload", place: Readable, self_id: int) -> Message | None:
    if _is_plain(payload):
        return _words_of(payload, place, self_id)
    try:
        return to_message(discord.Message(state=place._state, channel=place, data=payload), self_id)
    except _STUMBLES:
        # One odd message must not keep the whole channel from being read.
        logger.warning("a message was read by its words alone", extra={"message_id": payload["id"]})
        return _words_of(payload, place, self_id) if payload["type"] in _WRITTEN_BY_SOMEONE else None


def _words_of(payload: "Payload", place: Readable, self_id: int) -> Message:
    message_id, author = int(payload["id"]), payload["author"]
    author_id = int(author["id"])
    kind = AuthorKind.BOT if author.get("bot") else AuthorKind.PERSON
    if payload.get("webhook_id") not in (None, payload.get("application_id")):
        kind = AuthorKind.WEBHOOK
    return Message(
        guild_id=place.guild.id,
        channel_id=place.id,
        message_id=message_id,
        author_id=author_id,
        author_kind=AuthorKind.SELF if author_id == self_id else kind,
        text=payload["content"],
        sent_at=discord.utils.snowflake_time(message_id),
        edited_at=discord.utils.parse_time(payload["edited_timestamp"]),
        reply_to=_reply_to(payload),
        parent_id=place.parent_id if isinstance(place, discord.Thread) else None,
    )


def _is_plain(payload: Mapping[str, object]) -> bool:
    if payload["type"] not in (_PLAIN, _REPLY) or payload.get("flags"):
        return False
    return not any(payload.get(name) for name in _NOT_PLAIN)


def _reply_to(payload: "Payload") -> int | None:
    reference = payload.get("message_reference") if payload["type"] == _REPLY else None
    message_id = reference.get("message_id") if reference else None
    return None if message_id is None else int(message_id)
