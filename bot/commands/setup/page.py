"""One step of the setup: what it says, and what can be pressed. Pages change the draft, and never the settings."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, TypeAlias

import discord

from bot.commands.questions import Interaction, Question
from bot.commands.setup.draft import Draft
from bot.notices.notice import Notice
from bot.phrases import Voice
from memory.manager import MemoryManager

Item: TypeAlias = discord.ui.Item[Any]
Act: TypeAlias = Callable[[Interaction], Awaitable[None]]
Choose: TypeAlias = Callable[[Interaction, Sequence[str]], Awaitable[None]]


@dataclass
class Desk:
    """What all pages of one setup share."""

    memory: MemoryManager
    question: Question
    guild: discord.Guild
    now: datetime
    """When the last button was pressed."""
    voice: Voice
    """In the language of the manager."""
    house_voice: Voice
    """In the language of the guild."""
    draft: Draft
    redraw: Act

    def custom_id(self, name: str) -> str:
        return self.question.number + name


class Page(ABC):
    title: ClassVar[Notice]
    takes_time: ClassVar[bool] = False
    """Whether `prepare` may take longer than Discord waits for an answer."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def prepare(self) -> None:
        """Before it is shown because somebody turned to it."""
        return

    @abstractmethod
    def words(self) -> list[str]:
        """Paragraphs: what the step means for members, then what is chosen."""

    @abstractmethod
    def items(self) -> list[Item]:
        """Rows 0 to 3; the last row leads from page to page."""

    def leave_as_is(self) -> None:
        """What was decided here is taken back: as it is stored."""
        return

    def say(self, notice: Notice, **values: object) -> str:
        return self.desk.voice.say(notice, **values)
