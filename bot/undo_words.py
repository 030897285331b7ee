"""What undoing, rewording and objecting came to, in words; and who may, to somebody who may not."""

from collections.abc import Sequence

from bot.phrasebook import Phrase
from bot.phrases import Voice, listed
from memory.core.authority import Entitled
from memory.core.changes import ChangeKind, Obstacle, Stuck, Undone, UndoneInPart

_STUCK = {
    Obstacle.NEWER: Phrase.STUCK_NEWER,
    Obstacle.SOURCE: Phrase.STUCK_SOURCE,
    Obstacle.PERSON: Phrase.STUCK_PERSON,
    Obstacle.VETOED: Phrase.STUCK_VETOED,
    Obstacle.GONE: Phrase.STUCK_GONE,
}


def refused(who_may: Sequence[Entitled], voice: Voice) -> str:
    """To somebody who may not."""
    return voice.say(Phrase.ONLY_THEY_MAY, who=voice.who(who_may)) if who_may else voice.say(Phrase.NOBODY_MAY)


def undone(outcome: Undone | UndoneInPart, voice: Voice) -> str:
    """What holds now. What went is not repeated: its words were to go."""
    stuck = outcome.stuck if isinstance(outcome, UndoneInPart) else ()
    return "\n".join([_holds_now(outcome, voice), *why_not(stuck, voice)])


def why_not(stuck: Sequence[Stuck], voice: Voice) -> list[str]:
    """Each reason once."""
    return [voice.say(_STUCK[obstacle]) for obstacle in dict.fromkeys(one.obstacle for one in stuck)]


def _holds_now(outcome: Undone | UndoneInPart, voice: Voice) -> str:
    facts = listed(outcome.back)
    match outcome.kind:
        case ChangeKind.REMEMBERED:
            went = voice.say(Phrase.NOT_KEPT_AFTER_ALL)
            return "\n".join([went, voice.say(Phrase.HOLDS_INSTEAD, facts=facts)]) if outcome.back else went
        case ChangeKind.EDITED if outcome.back:
            return voice.say(Phrase.SAYS_AGAIN, facts=facts)
        case ChangeKind.HIDDEN:
            return voice.say(Phrase.TOLD_AGAIN)
        case _ if outcome.back:
            return voice.say(Phrase.HOLDS_AGAIN, facts=facts)
        case _:
            return voice.say(Phrase.AS_IT_WAS)
