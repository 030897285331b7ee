"""What comes with a message's text, as it lies in `chat_history.extras`: only what is there, and all of it storable."""

from collections.abc import Mapping
from typing import Any, TypedDict

import orjson

from memory.core.model import Attachment, Message, MessageEdit
from memory.core.text import repair

LARGEST_SIZE = 2**63 - 1


class Extras(TypedDict):
    """The fields of a `Message` that lie in `extras`."""

    attachments: tuple[Attachment, ...]
    embeds: tuple[str, ...]
    poll: str | None
    forwarded: tuple[str, ...]
    stickers: tuple[str, ...]


def written(message: Message | MessageEdit) -> str | None:
    """As JSON, or None for the most common message: text alone."""
    if not (message.attachments or message.embeds or message.forwarded or message.stickers or message.poll is not None):
        return None
    parts: dict[str, object] = {}
    if message.attachments:
        parts["attachments"] = [_written_attachment(attachment) for attachment in message.attachments]
    if message.embeds:
        parts["embeds"] = [repair(text) for text in message.embeds]
    if message.poll is not None:
        parts["poll"] = repair(message.poll)
    if message.forwarded:
        parts["forwarded"] = [repair(text) for text in message.forwarded]
    if message.stickers:
        parts["stickers"] = [repair(name) for name in message.stickers]
    return orjson.dumps(parts).decode()


def read(extras: Mapping[str, Any] | None) -> Extras:
    found = extras or {}
    return Extras(
        attachments=tuple(_read_attachment(attachment) for attachment in found.get("attachments", ())),
        embeds=tuple(found.get("embeds", ())),
        poll=found.get("poll"),
        forwarded=tuple(found.get("forwarded", ())),
        stickers=tuple(found.get("stickers", ())),
    )


def _written_attachment(attachment: Attachment) -> dict[str, object]:
    return {
        "name": repair(attachment.name),
        "type": None if attachment.content_type is None else repair(attachment.content_type),
        "size": min(max(attachment.size, 0), LARGEST_SIZE),
        "description": None if attachment.description is None else repair(attachment.description),
    }


def _read_attachment(attachment: Mapping[str, Any]) -> Attachment:
    return Attachment(attachment["name"], attachment["type"], attachment["size"], attachment["description"])
