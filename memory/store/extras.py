"""What comes with a message's text, as it lies in `chat_history.extras`: only what is there, and all of it storable."""

from collections.abc import Mapping
from typing import Any, TypedDict

import orjson

from memory.core.values import Attachment, Message, MessageEdit
from memory.language.text import repair

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
    attachments, embeds, poll = message.attachments, message.embeds, message.poll
    forwarded, stickers = message.forwarded, message.stickers
    if not (attachments or embeds or forwarded or stickers or poll is not None):
        return None
    parts: dict[str, object] = {}
    if attachments:
        parts["attachments"] = [_written_attachment(attachment) for attachment in attachments]
    if embeds:
        parts["embeds"] = [repair(text) for text in embeds]
    if poll is not None:
        parts["poll"] = repair(poll)
    if forwarded:
        parts["forwarded"] = [repair(text) for text in forwarded]
    if stickers:
        parts["stickers"] = [repair(name) for name in stickers]
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
