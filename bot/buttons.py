"""The buttons under replies. They hold in their id all they need, so that they work after any restart.

discord.py makes such a button anew from the message when it is pressed; what is to be done is asked of the client.
"""

import re
from typing import Any, Protocol, Self, runtime_checkable

import discord

from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice
from bot.unfinished import Unfinished
from memory.core.values import Fact
from memory.language.detect import Language

Interaction = discord.Interaction[discord.Client]
Button = discord.ui.Button[discord.ui.View]


class Pressing(Protocol):
    """What is done when a button is pressed."""

    async def answer_only_to(self, interaction: Interaction, asker_id: int, message_id: int) -> None: ...

    async def let_everyone_know(
        self, interaction: Interaction, teller_id: int, message_id: int, language: Language
    ) -> None: ...

    async def choose_member(self, interaction: Interaction, unfinished: Unfinished) -> None: ...

    async def forget_this(
        self, interaction: Interaction, person_id: int, message_id: int, language: Language
    ) -> None: ...


@runtime_checkable
class HasPressing(Protocol):
    @property
    def pressing(self) -> Pressing: ...


class AnswerOnlyToMe(
    discord.ui.DynamicItem[Button], template=r"answer-only-to:(?P<asker>[0-9]{1,20}):(?P<message>[0-9]{1,20})"
):
    """Under every public answer, whatever it says: that it is there tells nothing."""

    def __init__(self, asker_id: int, message_id: int, label: str | None = None) -> None:
        super().__init__(
            discord.ui.Button(
                style=discord.ButtonStyle.secondary,
                label=label,
                emoji="🤫",
                custom_id=f"answer-only-to:{asker_id}:{message_id}",
            )
        )
        self._asker_id = asker_id
        self._message_id = message_id

    @classmethod
    def of(cls, message: discord.Message, voice: Voice) -> Self:
        return cls(message.author.id, message.id, voice.say(Phrase.ANSWER_ONLY_TO_ME))

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(int(match["asker"]), int(match["message"]))

    async def callback(self, interaction: Interaction) -> None:
        await pressing_of(interaction).answer_only_to(interaction, self._asker_id, self._message_id)


class EveryoneMayKnow(
    discord.ui.DynamicItem[Button],
    template=r"everyone-may-know:(?P<language>[a-z]{2}):(?P<teller>[0-9]{1,20}):(?P<message>[0-9]{1,20})",
):
    """Under the confirmation of what somebody told of themselves in private.

    It names the message that told it: a number of the ledger would tell how much is told behind other doors.
    """

    PREFIX = "everyone-may-know:"

    def __init__(self, language: Language, teller_id: int, message_id: int, label: str | None = None) -> None:
        super().__init__(
            discord.ui.Button(
                style=discord.ButtonStyle.secondary,
                label=label,
                emoji="📣",
                custom_id=f"{self.PREFIX}{language}:{teller_id}:{message_id}",
            )
        )
        self._language = language
        self._teller_id = teller_id
        self._message_id = message_id

    @classmethod
    def of(cls, fact: Fact, voice: Voice) -> Self:
        return cls(voice.language, fact.teller_id, fact.message_id, voice.say(Phrase.LET_EVERYONE_KNOW))

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Language(match["language"]), int(match["teller"]), int(match["message"]))

    async def callback(self, interaction: Interaction) -> None:
        await pressing_of(interaction).let_everyone_know(interaction, self._teller_id, self._message_id, self._language)


BUTTONS = (AnswerOnlyToMe, EveryoneMayKnow)


def pressing_of(interaction: Interaction) -> Pressing:
    if not isinstance(interaction.client, HasPressing):
        raise TypeError("this client has no buttons")
    return interaction.client.pressing
