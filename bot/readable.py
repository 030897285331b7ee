"""The kinds of places that hold messages."""

from dataclasses import dataclass
from typing import TypeAlias

import discord

from memory.core.values import Message

PAGE = 100
"""Discord's most for one answer."""


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of a channel's history, oldest first. Ids count what the log does not keep, too."""

    messages: tuple[Message, ...]
    ids: tuple[int, ...]
    replies_to_us: frozenset[int] = frozenset()

    @property
    def is_full(self) -> bool:
        """There may be more behind it."""
        return len(self.ids) >= PAGE


Readable: TypeAlias = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
