"""A form with the words of a fact, to be put in other words.

People stand in it by their names, as they would be written; in what comes back they are the same people again. What is
filled in is read from the interaction alone, so that it works whatever was restarted while somebody was typing.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from uuid import UUID

import discord

from bot.buttons import Interaction
from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice
from bot.undo_buttons import CHANGE
from memory.language.detect import Language

LONGEST = 4_000
"""As much as Discord takes: names may be twice as long as what stands for them in a fact."""
_FORM = re.compile(rf"in-other-words:{CHANGE}")
_FIELD = "fact"
_MENTION = re.compile(r"<@!?(\d{1,20})>")

NameOf = Callable[[int], str | None]


@dataclass(frozen=True, slots=True)
class OtherWords:
    """What somebody filled in."""

    change_id: UUID
    language: Language
    typed: str

    @classmethod
    def filled_in(cls, interaction: Interaction) -> "OtherWords | None":
        """None: it is something else that Discord tells of."""
        if interaction.type is not discord.InteractionType.modal_submit or interaction.data is None:
            return None
        form = _FORM.fullmatch(str(interaction.data.get("custom_id", "")))
        if form is None:
            return None
        return cls(UUID(form["change"]), Language(form["language"]), typed_in(interaction))


class FactModal(discord.ui.Modal):
    def __init__(self, change_id: UUID, text: str, voice: Voice, name_of: NameOf) -> None:
        super().__init__(
            title=voice.say(Phrase.EDIT_TITLE), custom_id=f"in-other-words:{voice.language}:{change_id.hex}"
        )
        self.add_item(discord.ui.Label(text=voice.say(Phrase.EDIT_FIELD), component=field_with(text, name_of)))
        # discord.py would keep it here for ever, for a form that may never be sent, and is not needed to read it.
        self.stop()


def typed_in(interaction: Interaction) -> str:
    """What stands in the field of a form of ours."""
    return "" if interaction.data is None else next(_values(interaction.data.get("components", ())), "")


def field_with(text: str, name_of: NameOf) -> discord.ui.TextInput[discord.ui.View]:
    """For the words of a fact, people by their names."""
    return discord.ui.TextInput(
        custom_id=_FIELD, style=discord.TextStyle.long, default=with_names(text, name_of), max_length=LONGEST
    )


def with_names(text: str, name_of: NameOf) -> str:
    """With people as they are called, where that says who is meant."""
    names = _names(text, name_of)
    return _MENTION.sub(lambda found: names.get(int(found[1]), found[0]), text)


def with_ids(typed: str, text: str, name_of: NameOf) -> str:
    """What was typed in the place of `text`, with the people who were shown in it by their names."""
    shown = {name: user_id for user_id, name in _names(text, name_of).items()}
    if not shown:
        return typed
    longest_first = sorted(shown, key=len, reverse=True)
    pattern = "|".join(rf"{re.escape(name)}(?!\w)" for name in longest_first)
    return re.sub(pattern, lambda found: f"<@{shown[found[0]]}>", typed)


def _names(text: str, name_of: NameOf) -> dict[int, str]:
    """Of the people in a text, `@` included; two who are called alike stay numbers."""
    called = {int(found): name_of(int(found)) for found in _MENTION.findall(text)}
    times = Counter(called.values())
    return {user_id: f"@{name}" for user_id, name in called.items() if name and times[name] == 1}


def _values(components: object) -> Iterator[str]:
    """Of the text fields, in whichever shape Discord wraps them."""
    for one in components if isinstance(components, (list, tuple)) else ():
        if not isinstance(one, dict):
            continue
        if one.get("custom_id") == _FIELD:
            yield str(one.get("value", ""))
        yield from _values(one.get("components"))
        yield from _values([one.get("component")])
