"""A message of plain words, straight from Discord's payload.

Most messages are that, and making discord.py's own object of each costs more than everything else that is done with
them. What is not plain takes the long way, so that `bot.translate` stays the only one to read it. A test holds the two
against each other.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import discord

from bot.readable import Readable
from memory.core.values import Answered, AuthorKind, Message

if TYPE_CHECKING:
    from discord.types.message import Message as Payload

STUMBLES = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What discord.py raises over a payload that it does not understand, such as a poll without an end."""

_PLAIN, _REPLY = 0, 19
_WRITTEN_BY_SOMEONE = (_PLAIN, _REPLY, 20, 23)
_EPHEMERAL = 1 << 6
_NOT_PLAIN = (
    "flags",
    "attachments",
    "embeds",
    "poll",
    "message_snapshots",
    "sticker_items",
    "webhook_id",
    "application_id",
    "thread",
)


def is_plain(payload: Mapping[str, object]) -> bool:
    if payload["type"] not in (_PLAIN, _REPLY):
        return False
    for name in _NOT_PLAIN:  # noqa: SIM110 - every message passes here, and a generator costs as much as the looking
        if payload.get(name):
            return False
    return True


def words_of(payload: "Payload", place: Readable, self_id: int) -> Message | None:
    """All of a plain message; of any other what it says. None for what nobody wrote."""
    if payload["type"] not in _WRITTEN_BY_SOMEONE or payload.get("flags", 0) & _EPHEMERAL:
        return None
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
        edited_at=discord.utils.parse_time(payload.get("edited_timestamp")),
        reply_to=_reply_to(payload),
        parent_id=place.parent_id if isinstance(place, discord.Thread) else None,
        answers=_answered(payload) if author_id == self_id else None,
    )


def replies_to(payload: "Payload", user_id: int) -> bool:
    """Whether it answers something of theirs, which Discord sends along."""
    replied_to = payload.get("referenced_message")
    return False if not replied_to else int(replied_to["author"]["id"]) == user_id


def _answered(payload: "Payload") -> Answered | None:
    replied_to = payload.get("referenced_message")
    if not replied_to or _reply_to(payload) is None or replied_to["author"].get("bot"):
        return None
    return Answered(int(replied_to["author"]["id"]), int(replied_to["id"]))


def _reply_to(payload: "Payload") -> int | None:
    reference = payload.get("message_reference") if payload["type"] == _REPLY else None
    message_id = reference.get("message_id") if reference else None
    return None if message_id is None else int(message_id)
