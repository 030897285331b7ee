"""A form with the words of a fact, to be put in other words.

People stand in it by their names, as they would be written; in what comes back they are the same people again. What is
filled in is read from the interaction alone, so that it works whatever was restarted while somebody was typing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import discord

from bot.facts.memory_pages import CHOSEN, Chosen
from bot.replies.interactions import Interaction
from bot.replies.split import LIMIT
from bot.replies.undo_buttons import CHANGE
from bot.words.keys import Notice, Phrase
from bot.words.voice import Voice, escaped, listed, told_as
from memory.core.outcomes import Entitled
from memory.core.values import Category, Fact, Traits
from memory.facts.values import (
    AboutSomebodyElse,
    ChangedSince,
    ChangeKind,
    Edited,
    EditedNothing,
    EditOutcome,
    MayNotEdit,
    NothingToEdit,
    Undone,
    VetoedBefore,
)
from memory.language.detect import Language
from memory.language.text import shorten
from memory.language.wording import wording
from memory.people.names import NameOf, with_names

LONGEST = 4_000
"""As much as Discord takes: names may be twice as long as what stands for them in a fact."""
_FORM = re.compile(rf"in-other-words:{CHANGE}")
_FIELD = "fact"
_CATEGORY = "category"
_IMPORTANCE = "importance"


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


def typed_in(interaction: Interaction, field: str = _FIELD) -> str:
    """What stands in a field of a form of ours, or was chosen there."""
    return "" if interaction.data is None else next(_values(interaction.data.get("components", ()), field), "")


def field_with(text: str, name_of: NameOf) -> discord.ui.TextInput[discord.ui.View]:
    """For the words of a fact, people by their names."""
    return discord.ui.TextInput(
        custom_id=_FIELD, style=discord.TextStyle.long, default=with_names(text, name_of), max_length=LONGEST
    )


def _values(components: object, field: str) -> Iterator[str]:
    """Of a field, in whichever shape Discord wraps it."""
    for one in components if isinstance(components, (list, tuple)) else ():
        if not isinstance(one, dict):
            continue
        if one.get("custom_id") == field:
            yield from map(str, one.get("values") or [one.get("value", "")])
        yield from _values(one.get("components"), field)
        yield from _values([one.get("component")], field)


# The form in which a member puts what is held about them in their own words; read from the interaction alone.


def _memory_fields(
    traits: Traits | None, voice: Voice
) -> Iterator[tuple[Notice, discord.ui.Select[discord.ui.View] | discord.ui.TextInput[discord.ui.View]]]:
    """What makes a fact a memory; may be left as it is."""
    options = [
        discord.SelectOption(
            label=wording(voice.language, one), value=one, default=traits is not None and traits.category is one
        )
        for one in Category
    ]
    yield Notice.MEMORY_CATEGORY, discord.ui.Select(custom_id=_CATEGORY, options=options, required=False)
    importance = "" if traits is None else str(traits.importance)
    yield (
        Notice.MEMORY_IMPORTANCE,
        discord.ui.TextInput(custom_id=_IMPORTANCE, default=importance, max_length=2, required=False),
    )


_CORRECTION = re.compile(rf"own-words:{CHOSEN}")


@dataclass(frozen=True, slots=True)
class Corrected:
    """What somebody filled in."""

    chosen: Chosen
    typed: str
    category: str = ""
    importance: str = ""

    @classmethod
    def filled_in(cls, interaction: Interaction) -> "Corrected | None":
        """None: it is something else that Discord tells of."""
        if interaction.type is not discord.InteractionType.modal_submit or interaction.data is None:
            return None
        form = _CORRECTION.fullmatch(str(interaction.data.get("custom_id", "")))
        if form is None:
            return None
        others = (typed_in(interaction, field) for field in (_CATEGORY, _IMPORTANCE))
        return cls(Chosen.read(form), typed_in(interaction), *others)

    def traits(self, fact: Fact) -> Traits | None:
        """What makes it a memory from now on; None: nothing was said about that."""
        known = fact.traits
        if self.category not in list(Category):
            return known
        typed = self.importance.strip()
        given = int(typed) if typed.isdecimal() else 5 if known is None else known.importance
        return replace(known or Traits(Category.OTHER), category=Category(self.category), importance=_clamped(given))


def _clamped(importance: int) -> int:
    return min(max(importance, 1), 10)


class CorrectModal(discord.ui.Modal):
    def __init__(self, chosen: Chosen, fact: Fact, voice: Voice, name_of: NameOf) -> None:
        super().__init__(title=voice.say(Notice.CORRECT_TITLE), custom_id=f"own-words:{chosen.number}")
        self.add_item(discord.ui.Label(text=voice.say(Notice.CORRECT_FIELD), component=field_with(fact.text, name_of)))
        if fact.teller_id == fact.subject_id:
            for label, field in _memory_fields(fact.traits, voice):
                self.add_item(discord.ui.Label(text=voice.say(label), component=field))
        # discord.py would keep it for ever, for a form that may never be sent, and is not needed to read it.
        self.stop()


# What undoing, rewording and objecting came to, in words; and who may, to somebody who may not.


_WHO_MAY_KNOW = (Phrase.STAYS_HERE, Phrase.STAYS_HERE_ALL_THE_SAME, Phrase.EVERYONE_MAY_KNOW)


def refused(who_may: Sequence[Entitled], voice: Voice) -> str:
    """To somebody who may not."""
    return voice.say(Phrase.ONLY_THEY_MAY, who=voice.who(who_may)) if who_may else voice.say(Phrase.NOBODY_MAY)


def opened_to_all(stood: str, voice: Voice) -> str:
    """A confirmation whose last line says from now on that everyone may know it, as long as Discord lets it be."""
    line = voice.say(Phrase.EVERYONE_MAY_KNOW)
    words = stood.removesuffix(voice.say(Phrase.STAYS_HERE)).rstrip()
    return f"{shorten(words, LIMIT - len(line) - 1)}\n{line}"


def undone(outcome: Undone, stood: str, voice: Voice) -> str:
    """What holds now. What went is not repeated: its words were to go. `stood` is what the line said before."""
    reach: list[str] = []
    if outcome.kind is ChangeKind.OPENED and outcome.back:
        reach = [voice.say(Phrase.STAYS_HERE)]
    elif outcome.kind is ChangeKind.EDITED and outcome.back:
        reach = _reach(stood, voice)
    return "\n".join([_holds_now(outcome, voice), *reach])


def changed_since(outcome: ChangedSince, voice: Voice) -> str:
    holds = [voice.say(Phrase.HOLDS_NOW, facts=listed(outcome.now))] if outcome.now else []
    return "\n".join([voice.say(Phrase.CHANGED_SINCE), *holds])


def edited(outcome: Edited, stood: str, voice: Voice, name_of: NameOf) -> str:
    """`stood` is what the line said before: who may know it stays as it was."""
    if not outcome.about:
        words = voice.say(Phrase.EDITED_ABOUT_SERVER, fact=told_as(outcome.fact))
    else:
        names = ", ".join(_called(user_id, name_of) for user_id in outcome.about)
        words = voice.say(Phrase.EDITED, name=names, fact=told_as(outcome.fact))
    instead = [voice.say(Phrase.REPLACED, facts=listed(outcome.replaced))] if outcome.replaced else []
    return "\n".join([words, *instead, *_reach(stood, voice)])


def not_edited(outcome: EditOutcome, voice: Voice, name_of: NameOf) -> str:
    match outcome:
        case Edited():
            raise ValueError("it was put in other words")
        case EditedNothing():
            return voice.say(Phrase.SAYS_SO_ALREADY)
        case NothingToEdit():
            return voice.say(Phrase.NOTHING_TO_EDIT)
        case MayNotEdit(who_may=who_may):
            return refused(who_may, voice)
        case AboutSomebodyElse():
            return voice.say(Phrase.ABOUT_SOMEBODY_ELSE)
        case VetoedBefore(subject_id=subject_id):
            return voice.say(Phrase.DENIED_BEFORE, name=_called(subject_id, name_of))
        case _:
            return voice.told(outcome)


def _reach(stood: str, voice: Voice) -> list[str]:
    """Who may know it, where that was said."""
    return [line for line in map(voice.say, _WHO_MAY_KNOW) if stood.endswith(line)]


def _called(user_id: int, name_of: NameOf) -> str:
    """By their name as it is now; whoever has left has none."""
    name = name_of(user_id)
    return f"<@{user_id}>" if name is None else escaped(name)


def _holds_now(outcome: Undone, voice: Voice) -> str:
    facts = listed(outcome.back)
    match outcome.kind:
        case ChangeKind.REMEMBERED if outcome.back or outcome.gone:
            went = voice.say(Phrase.NOT_KEPT_AFTER_ALL)
            return "\n".join([went, voice.say(Phrase.HOLDS_INSTEAD, facts=facts)]) if outcome.back else went
        case ChangeKind.EDITED | ChangeKind.OPENED if outcome.back:
            return voice.say(Phrase.SAYS_AGAIN, facts=facts)
        case _ if outcome.back:
            return voice.say(Phrase.HOLDS_AGAIN, facts=facts)
        case _:
            return voice.say(Phrase.AS_IT_WAS)
