"""What somebody wants that waits for them to choose whom they mean, or to say that they want it.

It is the numbers that fit into the id of a button.
"""

import re
from dataclasses import dataclass, replace
from typing import Self

from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice
from memory.core.outcomes import UnclearWho
from memory.core.values import (
    MOST_CHOICES,
    NOBODY,
    Choice,
    Intent,
    Member,
    Question,
    Telling,
    fingerprint,
    read,
    written,
)
from memory.people.names import name_key

MOST_OFFERED = 10

ID = "[0-9a-f]{1,16}"
_CHOICE = rf"[0-9a-f]{{1,8}}\.{ID}"
_INTENTS = {"r": Intent.REMEMBER, "f": Intent.FORGET, "k": Intent.KNOWLEDGE, "q": Intent.QUESTION}
_LETTERS = {intent: letter for letter, intent in _INTENTS.items()}


PATTERN = (
    rf"meant:(?P<intent>[rfkq])(?P<way>[mce]):(?P<person>{ID}):(?P<message>{ID}):"
    rf"(?P<choices>(?:{_CHOICE}(?:-{_CHOICE}){{0,{MOST_CHOICES - 1}}})?)"
)


@dataclass(frozen=True, slots=True)
class Unfinished:
    intent: Intent
    person_id: int
    said_in: int
    """The message, or the command, that says it."""
    choices: tuple[Choice, ...] = ()
    by_command: bool = False
    everywhere: bool = False
    """A command said that everyone may know it; a message says so itself."""

    @property
    def tells(self) -> bool:
        """Something is to be done, not answered."""
        return self.intent in (Intent.REMEMBER, Intent.FORGET)

    @classmethod
    def of_telling(cls, telling: Telling, intent: Intent) -> Self:
        by_command, everywhere = telling.by_command, telling.by_command and telling.everywhere
        return cls(intent, telling.teller_id, telling.message_id, telling.choices, by_command, everywhere)

    @classmethod
    def of_question(cls, question: Question, intent: Intent, *, by_command: bool) -> Self:
        return cls(intent, question.asker_id, question.message_id, question.choices, by_command)

    @classmethod
    def from_id(cls, match: re.Match[str]) -> Self:
        person_id, said_in, way = int(match["person"], 16), int(match["message"], 16), match["way"]
        return cls(_INTENTS[match["intent"]], person_id, said_in, read(match["choices"]), way != "m", way == "e")

    def as_id(self) -> str:
        """At most a hundred characters, as Discord wants it."""
        way = "m" if not self.by_command else "e" if self.everywhere else "c"
        return f"meant:{_LETTERS[self.intent]}{way}:{self.person_id:x}:{self.said_in:x}:{written(self.choices)}"

    def finished(self, unclear: UnclearWho, voice: Voice) -> list[tuple[Self, str]]:
        """One for each who may be meant, with what stands on its button; none, if it was asked too often already."""
        if len(self.choices) >= MOST_CHOICES:
            return []
        name = fingerprint(name_key(unclear.name))
        offered = [(member.user_id, label_of(member)) for member in unclear.candidates[:MOST_OFFERED]]
        if unclear.is_guess and self.tells:
            # A guess may be wrong altogether, and then something is still to be done.
            offered.append((NOBODY, voice.say(Phrase.NONE_OF_THEM)))
        return [(replace(self, choices=(*self.choices, Choice(name, user_id))), label) for user_id, label in offered]


def label_of(member: Member) -> str:
    return f"{member.display_name[:40]} (@{member.username[:34]})"
