"""Buttons to choose with when it is not clear who or what somebody means. They hold numbers alone, no words.

In a channel the message with the words stands there to be read again. A command stands nowhere: its words are repeated
in our question, which its sender alone can see, and are read from there.
"""

import re
from typing import Any, Self

import discord

from bot.buttons import Button, Interaction, pressing_of
from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice
from bot.unfinished import ID, PATTERN, Unfinished
from memory.core.outcomes import UnclearWhat, UnclearWho
from memory.core.values import Intent
from memory.language.detect import Language


class ThisMember(
    discord.ui.DynamicItem[Button],
    template=PATTERN,
):
    """Under the question whom somebody means, once for each who may be meant; or whether they told us something."""

    def __init__(self, unfinished: Unfinished, label: str | None = None) -> None:
        super().__init__(_button(unfinished.as_id(), label))
        self._unfinished = unfinished

    @classmethod
    def of(cls, unfinished: Unfinished, unclear: UnclearWho, voice: Voice) -> tuple[Self, ...]:
        return tuple(cls(finished, label) for finished, label in unfinished.finished(unclear, voice))

    @classmethod
    def remembering(cls, person_id: int, message_id: int, voice: Voice) -> Self:
        """For somebody of whom we cannot say whether they asked or told us something."""
        return cls(Unfinished(Intent.REMEMBER, person_id, message_id), voice.say(Phrase.REMEMBER_THIS))

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Unfinished.from_id(match))

    async def callback(self, interaction: Interaction) -> None:
        await pressing_of(interaction).choose_member(interaction, self._unfinished)


class ForgetThis(
    discord.ui.DynamicItem[Button], template=rf"forget-this:(?P<language>[a-z]{{2}}):(?P<person>{ID}):(?P<message>{ID})"
):
    """Under a numbered list of facts that may be meant, once for each; by the message that told it."""

    def __init__(self, language: Language, person_id: int, message_id: int, label: str | None = None) -> None:
        super().__init__(_button(f"forget-this:{language}:{person_id:x}:{message_id:x}", label))
        self._language = language
        self._person_id = person_id
        self._message_id = message_id

    @classmethod
    def of(cls, person_id: int, unclear: UnclearWhat, voice: Voice) -> tuple[Self, ...]:
        if not unclear.can_be_chosen:
            return ()
        numbered = enumerate(unclear.candidates, start=1)
        return tuple(cls(voice.language, person_id, fact.message_id, str(number)) for number, fact in numbered)

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Language(match["language"]), int(match["person"], 16), int(match["message"], 16))

    async def callback(self, interaction: Interaction) -> None:
        await pressing_of(interaction).forget_this(interaction, self._person_id, self._message_id, self._language)


def _button(custom_id: str, label: str | None) -> Button:
    return discord.ui.Button(style=discord.ButtonStyle.secondary, label=label, custom_id=custom_id)


CHOICE_BUTTONS = (ThisMember, ForgetThis)
