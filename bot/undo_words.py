"""What undoing, rewording and objecting came to, in words; and who may, to somebody who may not."""

from collections.abc import Sequence

from bot.fact_modal import NameOf
from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice, escaped, listed, told_as
from bot.reply import LIMIT
from memory.core.outcomes import Entitled
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
from memory.language.text import shorten

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
