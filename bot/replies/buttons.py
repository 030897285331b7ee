"""The buttons under replies. They hold in their id all they need, so that they work after any restart.

discord.py makes such a button anew from the message when it is pressed; what is to be done is asked of the client.
"""

import re
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

import discord

from bot.replies.interactions import Interaction
from bot.words.keys import Notice, Phrase
from bot.words.voice import Voice
from memory.core.outcomes import UnclearWhat, UnclearWho
from memory.core.values import (
    MOST_CHOICES,
    NOBODY,
    Choice,
    Fact,
    Intent,
    Member,
    Question,
    Telling,
    fingerprint,
    read,
    written,
)
from memory.language.detect import Language
from memory.people.names import name_key

# What somebody wants that waits for them to choose whom they mean, or to say that they want it.
#
# It is the numbers that fit into the id of a button.


MOST_OFFERED = 10

ID = "[0-9a-f]{1,16}"


class ToldThing(NamedTuple):
    """A fact, by the message that told it and what tells it apart there: see `Fact.thing`."""

    message_id: int
    thing: int


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


Button = discord.ui.Button[discord.ui.View]


class PressHandler(Protocol):
    """What is done when a button is pressed."""

    async def answer_only_to(self, interaction: Interaction, asker_id: int, message_id: int) -> None: ...

    async def let_everyone_know(
        self, interaction: Interaction, teller_id: int, message_id: int, language: Language
    ) -> None: ...

    async def choose_member(self, interaction: Interaction, unfinished: Unfinished) -> None: ...

    async def forget_this(
        self, interaction: Interaction, person_id: int, told: ToldThing, language: Language
    ) -> None: ...


@runtime_checkable
class HasPressHandler(Protocol):
    @property
    def pressing(self) -> PressHandler: ...


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
        await press_handler_of(interaction).answer_only_to(interaction, self._asker_id, self._message_id)


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
        await press_handler_of(interaction).let_everyone_know(
            interaction, self._teller_id, self._message_id, self._language
        )


class CatchUpOpener(Protocol):
    async def show(self, interaction: Interaction, asker_id: int) -> None: ...


@runtime_checkable
class HasCatchUpOpener(Protocol):
    @property
    def catch_ups(self) -> CatchUpOpener: ...


class ShowMissed(discord.ui.DynamicItem[Button], template=rf"show-missed:(?P<asker>{ID})"):
    """Under our answer to somebody who asks what they missed."""

    def __init__(self, asker_id: int, label: str | None = None) -> None:
        super().__init__(
            discord.ui.Button(
                style=discord.ButtonStyle.primary, label=label or "…", custom_id=f"show-missed:{asker_id:x}"
            )
        )
        self._asker_id = asker_id

    @classmethod
    def of(cls, asker_id: int, voice: Voice) -> Self:
        return cls(asker_id, voice.say(Phrase.SHOW_ME))

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(int(match["asker"], 16))

    async def callback(self, interaction: Interaction) -> None:
        if not isinstance(interaction.client, HasCatchUpOpener):
            raise TypeError("this client has no catch-ups")
        await interaction.client.catch_ups.show(interaction, self._asker_id)


BUTTONS = (AnswerOnlyToMe, EveryoneMayKnow, ShowMissed)


def press_handler_of(interaction: Interaction) -> PressHandler:
    if not isinstance(interaction.client, HasPressHandler):
        raise TypeError("this client has no buttons")
    return interaction.client.pressing


# Buttons to choose with when it is not clear who or what somebody means. They hold numbers alone, no words.
#
# In a channel the message with the words stands there to be read again. A command stands nowhere: its words are
# repeated in our question, which its sender alone can see, and are read from there.


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
    def wanting(cls, intent: Intent, question: Question, voice: Voice) -> Self:
        """For somebody of whom we cannot say what they want."""
        return cls(Unfinished(intent, question.asker_id, question.message_id), voice.say(_WANTED[intent]))

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Unfinished.from_id(match))

    async def callback(self, interaction: Interaction) -> None:
        await press_handler_of(interaction).choose_member(interaction, self._unfinished)


class ForgetThis(
    discord.ui.DynamicItem[Button],
    template=rf"forget-this:(?P<language>[a-z]{{2}}):(?P<person>{ID}):(?P<message>{ID}):(?P<thing>{ID})",
):
    """Under a numbered list of facts that may be meant, once for each; by the message that told it."""

    def __init__(self, language: Language, person_id: int, told: ToldThing, label: str | None = None) -> None:
        super().__init__(_button(f"forget-this:{language}:{person_id:x}:{told.message_id:x}:{told.thing:x}", label))
        self._language = language
        self._person_id = person_id
        self._told = told

    @classmethod
    def of(cls, person_id: int, unclear: UnclearWhat, voice: Voice) -> tuple[Self, ...]:
        if not unclear.can_be_chosen:
            return ()
        numbered = enumerate(unclear.candidates, start=1)
        return tuple(
            cls(voice.language, person_id, ToldThing(fact.message_id, fact.thing), str(number))
            for number, fact in numbered
        )

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        told = ToldThing(int(match["message"], 16), int(match["thing"], 16))
        return cls(Language(match["language"]), int(match["person"], 16), told)

    async def callback(self, interaction: Interaction) -> None:
        await press_handler_of(interaction).forget_this(interaction, self._person_id, self._told, self._language)


_WANTED: dict[Intent, Phrase | Notice] = {
    Intent.REMEMBER: Phrase.REMEMBER_THIS,
    Intent.FORGET: Notice.ACT_FORGET,
    Intent.QUESTION: Phrase.IT_IS_A_QUESTION,
}


def _button(custom_id: str, label: str | None) -> Button:
    return discord.ui.Button(style=discord.ButtonStyle.secondary, label=label, custom_id=custom_id)


CHOICE_BUTTONS = (ThisMember, ForgetThis)
