"""What can be done about what was just written into memory: buttons under the line that says what changed.

Their ids hold the number of the change and a language, and nothing else: who may press them, and for how long, is asked
of memory when they are pressed, so that they work after any restart.
"""

import re
from typing import Any, Protocol, Self, runtime_checkable
from uuid import UUID

import discord

from bot.replies.buttons import Button
from bot.replies.interactions import Interaction
from bot.words.keys import Phrase
from bot.words.voice import Voice
from memory.language.detect import Language

CHANGE = "(?P<language>[a-z]{2}):(?P<change>[0-9a-f]{32})"


class UndoHandler(Protocol):
    """What is done when one of them is pressed. `language` is the one of the line above it."""

    async def undo(self, interaction: Interaction, change_id: UUID, language: Language) -> None: ...

    async def ask_for_other_words(self, interaction: Interaction, change_id: UUID, language: Language) -> None: ...

    async def object(self, interaction: Interaction, change_id: UUID, language: Language) -> None: ...


@runtime_checkable
class HasUndoHandler(Protocol):
    @property
    def undos(self) -> UndoHandler: ...


class ChangeButton(discord.ui.DynamicItem[Button], template=rf"change:{CHANGE}"):
    """One of them; each kind has a name of its own in its template."""

    kind = "change"
    label = Phrase.UNDO
    emoji: str | None = None

    def __init__(self, language: Language, change_id: UUID, label: str | None = None) -> None:
        super().__init__(
            discord.ui.Button(
                style=discord.ButtonStyle.secondary,
                label=label,
                emoji=self.emoji,
                custom_id=f"{self.kind}:{language}:{change_id.hex}",
            )
        )
        self._language = language
        self._change_id = change_id

    @classmethod
    def of(cls, change_id: UUID, voice: Voice) -> Self:
        return cls(voice.language, change_id, voice.say(cls.label))

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Language(match["language"]), UUID(match["change"]))


class Undo(ChangeButton, template=rf"undo:{CHANGE}"):
    """Under every line that says what changed."""

    kind, label, emoji = "undo", Phrase.UNDO, "↩️"

    async def callback(self, interaction: Interaction) -> None:
        await undo_handler_of(interaction).undo(interaction, self._change_id, self._language)


class Edit(ChangeButton, template=rf"edit:{CHANGE}"):
    """Under what was told: for its teller, who may put it in other words."""

    kind, label, emoji = "edit", Phrase.EDIT, "✏️"

    async def callback(self, interaction: Interaction) -> None:
        await undo_handler_of(interaction).ask_for_other_words(interaction, self._change_id, self._language)


class NotTrue(ChangeButton, template=rf"not-true:{CHANGE}"):
    """Under what was told of somebody else, for them, where they can see it."""

    kind, label = "not-true", Phrase.NOT_TRUE

    async def callback(self, interaction: Interaction) -> None:
        await undo_handler_of(interaction).object(interaction, self._change_id, self._language)


UNDO_BUTTONS = (Undo, Edit, NotTrue)

Handles = tuple[discord.ui.DynamicItem[Button], ...]


def under_told(change_id: UUID | None, voice: Voice, *, can_object: bool, can_edit: bool = True) -> Handles:
    """Under what was told or put in other words. `can_object`: it is about others than its teller, who can see it.
    `can_edit`: it is one thing, which other words can say."""
    if change_id is None:
        return ()
    kinds = (Undo, *((Edit,) if can_edit else ()), *((NotTrue,) if can_object else ()))
    return tuple(kind.of(change_id, voice) for kind in kinds)


def under_taken_away(change_id: UUID | None, voice: Voice) -> Handles:
    return () if change_id is None else (Undo.of(change_id, voice),)


def undo_handler_of(interaction: Interaction) -> UndoHandler:
    if not isinstance(interaction.client, HasUndoHandler):
        raise TypeError("this client cannot undo")
    return interaction.client.undos
