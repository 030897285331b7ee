"""The forms in which the words of a fact are put in other words, and what doing so or undoing came to, in words.

People stand in a form by their names, as they would be written; in what comes back they are the same people again.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import discord

from bot.facts.memory_pages import Chosen
from bot.replies.buttons import Form, FormField
from bot.replies.split import LIMIT
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
from memory.language.own_words import words_alone
from memory.language.text import shorten
from memory.language.wording import wording
from memory.people.names import NameOf, with_names

LONGEST = 4_000
"""As much as Discord takes: names may be twice as long as what stands for them in a fact."""
OTHER_WORDS, OWN_WORDS = "in-other-words", "own-words"
"""The kinds of forms, by which their ids begin."""
FIELD, CATEGORY, IMPORTANCE = "fact", "category", "importance"


class FactModal(Form):
    """For the teller, who may put what they told in other words."""

    def __init__(self, change_id: UUID, text: str, voice: Voice, name_of: NameOf) -> None:
        fields: dict[str, FormField] = {voice.say(Phrase.EDIT_FIELD): field_with(text, name_of)}
        super().__init__(voice.say(Phrase.EDIT_TITLE), OTHER_WORDS, voice.language, change_id.hex, fields=fields)


class CorrectModal(Form):
    """For a member, who puts what is held about them in their own words."""

    def __init__(self, chosen: Chosen, fact: Fact, voice: Voice, name_of: NameOf) -> None:
        words = field_with(words_alone(fact.text), name_of)
        fields: dict[str, FormField] = {voice.say(Notice.CORRECT_FIELD): words}
        if fact.teller_id == fact.subject_id:
            fields |= _memory_fields(fact.traits, voice)
        super().__init__(voice.say(Notice.CORRECT_TITLE), OWN_WORDS, *chosen.values, fields=fields)


def field_with(text: str, name_of: NameOf) -> discord.ui.TextInput[discord.ui.View]:
    """For the words of a fact, people by their names."""
    return discord.ui.TextInput(
        custom_id=FIELD, style=discord.TextStyle.long, default=with_names(text, name_of), max_length=LONGEST
    )


def _memory_fields(traits: Traits | None, voice: Voice) -> dict[str, FormField]:
    """What makes a fact a memory; may be left as it is."""
    category = None if traits is None else traits.category
    options = [
        discord.SelectOption(label=wording(voice.language, one), value=one, default=one is category) for one in Category
    ]
    importance = "" if traits is None else str(traits.importance)
    return {
        voice.say(Notice.MEMORY_CATEGORY): discord.ui.Select(custom_id=CATEGORY, options=options, required=False),
        voice.say(Notice.MEMORY_IMPORTANCE): discord.ui.TextInput(
            custom_id=IMPORTANCE, default=importance, max_length=2, required=False
        ),
    }


def traits_in(filled: dict[str, str], known: Traits | None) -> Traits | None:
    """What makes it a memory from now on; None: nothing was said about that."""
    if filled.get(CATEGORY) not in list(Category):
        return known
    typed = filled.get(IMPORTANCE, "").strip()
    given = int(typed) if typed.isdecimal() else 5 if known is None else known.importance
    category, importance = Category(filled[CATEGORY]), min(max(given, 1), 10)
    return replace(known or Traits(Category.OTHER), category=category, importance=importance)


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
