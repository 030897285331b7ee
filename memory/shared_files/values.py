"""Holds what is to be read: an attachment with its message, by what the managers of a guild decided."""

from collections.abc import Collection
from dataclasses import dataclass

from memory.core.attachments import readable_as
from memory.core.values import Attachment, Message, ReadAs
from memory.policy.settings import FileRules


@dataclass(frozen=True, slots=True)
class SharedFile:
    """Holds an attachment that may be read, and its message."""

    message: Message
    attachment: Attachment
    attachment_id: int
    read_as: ReadAs

    @property
    def guild_id(self) -> int:
        return self.message.guild_id


def unread_in(message: Message, wanted: Collection[ReadAs]) -> list[SharedFile]:
    """List the files of a message that may be read and were not."""
    found = ((one, one.attachment_id, readable_as(one)) for one in message.attachments if one.read_as is None)
    return [
        SharedFile(message, one, attachment_id, read_as)
        for one, attachment_id, read_as in found
        if attachment_id is not None and read_as is not None and read_as in wanted
    ]


def pictures_in(message: Message) -> list[SharedFile]:
    """List the pictures of a message, described or not."""
    found = ((one, one.attachment_id) for one in message.attachments if readable_as(one) is ReadAs.PICTURE)
    return [SharedFile(message, one, known, ReadAs.PICTURE) for one, known in found if known is not None]


def wanted_by(rules: FileRules) -> list[ReadAs]:
    switches = ((ReadAs.TEXT, rules.texts), (ReadAs.PICTURE, rules.pictures), (ReadAs.VOICE, rules.voices))
    return [read_as for read_as, is_on in switches if is_on]
