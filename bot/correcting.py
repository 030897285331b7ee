"""The form in which a member puts what is held about them in their own words; read from the interaction alone."""

import re
from dataclasses import dataclass

import discord

from bot.buttons import Interaction
from bot.fact_modal import NameOf, field_with, typed_in
from bot.memory_buttons import CHOSEN, Chosen
from bot.notices.notice import Notice
from bot.phrases import Voice

_FORM = re.compile(rf"own-words:{CHOSEN}")


@dataclass(frozen=True, slots=True)
class Corrected:
    """What somebody filled in."""

    chosen: Chosen
    typed: str

    @classmethod
    def filled_in(cls, interaction: Interaction) -> "Corrected | None":
        """None: it is something else that Discord tells of."""
        if interaction.type is not discord.InteractionType.modal_submit or interaction.data is None:
            return None
        form = _FORM.fullmatch(str(interaction.data.get("custom_id", "")))
        return None if form is None else cls(Chosen.read(form), typed_in(interaction))


class CorrectModal(discord.ui.Modal):
    def __init__(self, chosen: Chosen, text: str, voice: Voice, name_of: NameOf) -> None:
        super().__init__(title=voice.say(Notice.CORRECT_TITLE), custom_id=f"own-words:{chosen.number}")
        self.add_item(discord.ui.Label(text=voice.say(Notice.CORRECT_FIELD), component=field_with(text, name_of)))
        # discord.py would keep it for ever, for a form that may never be sent, and is not needed to read it.
        self.stop()
