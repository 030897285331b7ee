"""Makes the buttons and forms of replies. Their ids hold numbers alone, all that is needed, so that they work after any
restart; what somebody may do by them is asked of memory when they are pressed or filled in."""

import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self, runtime_checkable
from uuid import UUID

import discord

from bot.connection import TROUBLE
from bot.replies.interactions import Interaction
from bot.words import Phrase, Voice
from memory.core.outcomes import UnclearWhat, UnclearWho
from memory.core.values import (
    MOST_CHOICES,
    NOBODY,
    Choice,
    Fact,
    Intent,
    Member,
    Question,
    RememberRequest,
    fingerprint,
    read,
    written,
)
from memory.people.names import name_key
from memory.tasks import request

logger = logging.getLogger(__name__)

MOST_OFFERED = 10

Button = discord.ui.Button[discord.ui.View]
Press = Callable[..., Awaitable[None]]
"""Takes the interaction and, one by one, what stands behind the kind in the id."""


class ReplyButton(discord.ui.DynamicItem[Button], template="(?!)"):
    """Keeps its kind and some numbers in its id. discord.py makes a button anew from the message when it is pressed."""

    kind: ClassVar[str]
    emoji: ClassVar[str | None] = None
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary

    def __init_subclass__(cls, *, kind: str) -> None:
        super().__init_subclass__(template=rf"{kind}:(?P<values>.*)")
        cls.kind = kind

    def __init__(
        self,
        *values: object,
        label: str | None = None,
        emoji: str | None = None,
        style: discord.ButtonStyle | None = None,
        is_there: bool = True,
        row: int | None = None,
    ) -> None:
        custom_id = ":".join((self.kind, *map(str, values)))
        button: Button = discord.ui.Button(
            style=style or self.style,
            label=label,
            emoji=emoji or self.emoji,
            custom_id=custom_id,
            disabled=not is_there,
        )
        super().__init__(button, row=row)

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(*match["values"].split(":"))

    async def callback(self, interaction: Interaction) -> None:
        if not isinstance(interaction.client, HasPresses):
            raise TypeError("this client has no buttons")
        await interaction.client.presses.press(interaction, self.custom_id)


class Presses:
    """Hands what is pressed or filled in to whoever does it, by the kind that its id begins with."""

    def __init__(self) -> None:
        self._handlers: dict[str, Press] = {}
        self.buttons: list[type[ReplyButton]] = []

    def on(self, button: type[ReplyButton], handler: Press) -> None:
        self._handlers[button.kind] = handler
        self.buttons.append(button)

    def on_form(self, kind: str, handler: Press) -> None:
        self._handlers[kind] = handler

    async def press(self, interaction: Interaction, custom_id: str) -> None:
        kind, *values = custom_id.split(":")
        handler = self._handlers.get(kind)
        if handler is None:
            return
        with request("press"):
            try:
                await handler(interaction, *values)
            except TROUBLE:
                logger.exception("could not answer a button press")

    async def read_form(self, interaction: Interaction) -> None:
        """Read a form of ours from what Discord tells of every form that is sent."""
        if interaction.type is discord.InteractionType.modal_submit and interaction.data is not None:
            await self.press(interaction, str(interaction.data.get("custom_id", "")))


@runtime_checkable
class HasPresses(Protocol):
    @property
    def presses(self) -> Presses: ...


class Form(discord.ui.Modal):
    """Shows a form that is read from the interaction alone, whatever was restarted while somebody was typing."""

    def __init__(self, title: str, *custom_id: object, fields: "dict[str, FormField]") -> None:
        """Take `fields` by their labels."""
        super().__init__(title=title, custom_id=":".join(map(str, custom_id)))
        for label, field in fields.items():
            self.add_item(discord.ui.Label(text=label, component=field))
        self.stop()  # discord.py would keep it for ever, for a form that may never be sent


FormField = discord.ui.TextInput[discord.ui.View] | discord.ui.Select[discord.ui.View]


def filled_in(interaction: Interaction) -> dict[str, str]:
    """Read what stands in the fields of a form, or was chosen there."""
    return dict(_fields(None if interaction.data is None else interaction.data.get("components")))


def _fields(components: object) -> Iterator[tuple[str, str]]:
    """Find the fields of a form in whichever shape Discord wraps them."""
    for one in components if isinstance(components, (list, tuple)) else ():
        if isinstance(one, dict):
            if "value" in one or "values" in one:
                yield str(one.get("custom_id")), str(next(iter(one.get("values") or [one.get("value", "")])))
            yield from _fields(one.get("components"))
            yield from _fields([one.get("component")])


# What somebody wants that waits for them to choose whom they mean, or to say that they want it.


_INTENTS = {"r": Intent.REMEMBER, "f": Intent.FORGET, "k": Intent.KNOWLEDGE, "q": Intent.QUESTION}
_LETTERS = {intent: letter for letter, intent in _INTENTS.items()}


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
        """Say whether something is to be done, not answered."""
        return self.intent in (Intent.REMEMBER, Intent.FORGET)

    @classmethod
    def of_telling(cls, telling: RememberRequest, intent: Intent) -> Self:
        by_command, everywhere = telling.by_command, telling.by_command and telling.everywhere
        return cls(intent, telling.teller_id, telling.message_id, telling.choices, by_command, everywhere)

    @classmethod
    def of_question(cls, question: Question, intent: Intent, *, by_command: bool) -> Self:
        return cls(intent, question.asker_id, question.message_id, question.choices, by_command)

    @classmethod
    def of_values(cls, how: str, person: str, message: str, choices: str) -> Self:
        intent, way = _INTENTS[how[0]], how[1]
        return cls(intent, int(person, 16), int(message, 16), read(choices), way != "m", way == "e")

    @property
    def values(self) -> tuple[str, ...]:
        """Write values for the id of a button: with its kind at most a hundred characters, as Discord wants it."""
        way = "m" if not self.by_command else "e" if self.everywhere else "c"
        return f"{_LETTERS[self.intent]}{way}", f"{self.person_id:x}", f"{self.said_in:x}", written(self.choices)

    def finished(self, unclear: UnclearWho, voice: Voice) -> list[tuple[Self, str]]:
        """List a choice and its label for each who may be meant; none, if it was asked too often already."""
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


class ThisMember(ReplyButton, kind="meant"):
    """Chooses a member: stands under the question whom somebody means, once for each; or whether they told something.

    In a channel the message with the words stands there to be read again. The words of a command are repeated in our
    question, which its sender alone can see, and are read from there.
    """

    @classmethod
    def of(cls, unfinished: Unfinished, unclear: UnclearWho, voice: Voice) -> tuple[Self, ...]:
        return tuple(cls(*finished.values, label=label) for finished, label in unfinished.finished(unclear, voice))

    @classmethod
    def remembering(cls, question: Question, voice: Voice) -> Self:
        """Make the button for somebody who may be asking or telling us something."""
        unfinished = Unfinished(Intent.REMEMBER, question.asker_id, question.message_id)
        return cls(*unfinished.values, label=voice.say(Phrase.REMEMBER_THIS))


class ForgetThis(ReplyButton, kind="forget-this"):
    """Forgets a fact: stands under a list of those that may be meant, once for each; by the message that told it."""

    @classmethod
    def of(cls, person_id: int, unclear: UnclearWhat, voice: Voice) -> tuple[Self, ...]:
        facts = unclear.candidates if unclear.can_be_chosen else ()
        return tuple(
            cls(voice.language, f"{person_id:x}", f"{fact.message_id:x}", f"{fact.thing:x}", label=str(number))
            for number, fact in enumerate(facts, start=1)
        )


class AnswerOnlyToMe(ReplyButton, kind="answer-only-to"):
    """Answers the asker alone: stands under a public answer of which they would hear more."""

    emoji = "🤫"

    @classmethod
    def of(cls, asker_id: int, message_id: int, voice: Voice) -> Self:
        return cls(asker_id, message_id, label=voice.say(Phrase.ANSWER_ONLY_TO_ME))


class EveryoneMayKnow(ReplyButton, kind="everyone-may-know"):
    """Lets everyone know a fact: stands under the confirmation of what somebody told of themselves in private.

    It names the message that told it: a number of the ledger would tell how much is told behind other doors.
    """

    emoji = "📣"

    @classmethod
    def of(cls, fact: Fact, voice: Voice) -> Self:
        return cls(voice.language, fact.teller_id, fact.message_id, label=voice.say(Phrase.LET_EVERYONE_KNOW))


class ShowMissed(ReplyButton, kind="show-missed"):
    """Shows somebody what they missed: stands under our answer when they ask for it."""

    style = discord.ButtonStyle.primary

    @classmethod
    def of(cls, asker_id: int, voice: Voice) -> Self:
        return cls(f"{asker_id:x}", label=voice.say(Phrase.SHOW_ME))


# Under the line that says what changed in memory: the number of the change, and the language of that line.


class Undo(ReplyButton, kind="undo"):
    emoji = "↩️"


class Edit(ReplyButton, kind="edit"):
    """Lets the teller put what they told in other words."""

    emoji = "✏️"


class NotTrue(ReplyButton, kind="not-true"):
    """Lets somebody else whom it is about say that it is not true, where they can see it."""


_LABELS = {Undo: Phrase.UNDO, Edit: Phrase.EDIT, NotTrue: Phrase.NOT_TRUE}


def under_told(
    change_id: UUID | None, voice: Voice, *, can_object: bool, can_edit: bool = True
) -> tuple[ReplyButton, ...]:
    """Make the buttons under what was told or put in other words. `can_object`: it is about others than its teller, who
    can see it. `can_edit`: it is one thing, which other words can say."""
    kinds = (Undo, *((Edit,) if can_edit else ()), *((NotTrue,) if can_object else ()))
    return () if change_id is None else tuple(of_change(kind, change_id, voice) for kind in kinds)


def under_taken_away(change_id: UUID | None, voice: Voice) -> tuple[ReplyButton, ...]:
    return () if change_id is None else (of_change(Undo, change_id, voice),)


def of_change(kind: type[ReplyButton], change_id: UUID, voice: Voice) -> ReplyButton:
    return kind(voice.language, change_id.hex, label=voice.say(_LABELS[kind]))
