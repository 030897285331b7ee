"""The files of messages on disk: each is there as long as a message has it, and no longer."""

from collections.abc import Iterable
from pathlib import Path

from local_guild.message_log import Message


class AttachmentFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def drop(self, message: Message) -> None:
        """Those of a message that is gone."""
        for attachment in message.attachments:
            (self._folder / str(attachment.id)).unlink(missing_ok=True)

    def keep_only(self, messages: Iterable[Message]) -> None:
        """At the beginning and the end: what only one member could see goes with the server, and so do its files."""
        if not self._folder.is_dir():
            return
        kept = {str(attachment.id) for message in messages for attachment in message.attachments}
        for path in self._folder.iterdir():
            if path.name not in kept:
                path.unlink(missing_ok=True)
