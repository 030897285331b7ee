"""What is held about a member as pages to read: what, from whom, since when, where; and who did what to it.

Lines are short: most people read them on a phone.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Protocol, Self, runtime_checkable

import discord

from bot.replies.buttons import ID, Button
from bot.replies.interactions import Interaction
from bot.replies.split import LIMIT, jump_link, sendable
from bot.words.keys import Notice, Phrase
from bot.words.voice import Voice
from memory.audit import AuditEntry, AuditPage, Deed
from memory.core.values import Fact, Standing
from memory.facts.values import FactPage, ListedFact
from memory.language.wording import wording
from memory.models.prompt_data import one_line
from memory.places.view import Audience
from memory.policy.authority import Action

# The buttons under what is held about a member. They hold numbers alone, so that they work after any restart.
#
# A fact is named by the message that told it. What stands on a page, what a fact says and what may be done about it is
# asked of memory whenever one of them is pressed.


_PAGE = r"(?P<page>[0-9]{1,6})"
_SHEET = rf"(?P<subject>{ID}):{_PAGE}"
NOBODY = 0
"""In the place of a member: all of them."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of what is held about a member, from 0 on."""

    subject_id: int
    page: int = 0

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        return cls(int(match["subject"], 16), int(match["page"]))

    @property
    def number(self) -> str:
        return f"{self.subject_id:x}:{self.page}"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A fact on such a page."""

    sheet: Sheet
    message_id: int
    thing: int

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        return cls(Sheet.read(match), int(match["message"], 16), int(match["thing"], 16))

    @property
    def number(self) -> str:
        return f"{self.sheet.number}:{self.message_id:x}:{self.thing:x}"


CHOSEN = rf"{_SHEET}:(?P<message>{ID}):(?P<thing>{ID})"


class MemoryHandler(Protocol):
    """What is done when one of them is pressed."""

    async def turn_to(self, interaction: Interaction, sheet: Sheet) -> None: ...

    async def choose(self, interaction: Interaction, chosen: Chosen) -> None: ...

    async def act(self, interaction: Interaction, chosen: Chosen, action: Action) -> None: ...

    async def remind(self, interaction: Interaction, chosen: Chosen) -> None: ...

    async def turn_audit_to(self, interaction: Interaction, sheet: Sheet) -> None: ...


@runtime_checkable
class HasMemoryHandler(Protocol):
    @property
    def looking(self) -> MemoryHandler: ...


class Turn(discord.ui.DynamicItem[Button], template=rf"turn:(?P<way>[bon]):{_SHEET}"):
    """To another page: back, on, or the one that a fact was chosen from."""

    name = "turn"

    def __init__(self, way: str, sheet: Sheet, label: str, *, is_there: bool = True, row: int | None = None) -> None:
        super().__init__(_button(f"{self.name}:{way}:{sheet.number}", label, disabled=not is_there), row=row)
        self._sheet = sheet

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(match["way"], Sheet.read(match), "…")

    @classmethod
    def both(cls, sheet: Sheet, pages: int) -> tuple[Self, ...]:
        """Back and on; none under a single page."""
        if pages < 2:
            return ()
        before, after = replace(sheet, page=max(sheet.page - 1, 0)), replace(sheet, page=min(sheet.page + 1, pages - 1))
        return (
            cls("b", before, "◀", is_there=sheet.page > 0, row=1),
            cls("o", after, "▶", is_there=sheet.page < pages - 1, row=1),
        )


class TurnMemory(Turn, template=rf"memory:(?P<way>[bon]):{_SHEET}"):
    name = "memory"

    async def callback(self, interaction: Interaction) -> None:
        await handler_of(interaction).turn_to(interaction, self._sheet)


class TurnAudit(Turn, template=rf"audit:(?P<way>[bon]):{_SHEET}"):
    name = "audit"

    async def callback(self, interaction: Interaction) -> None:
        await handler_of(interaction).turn_audit_to(interaction, self._sheet)


class ChooseFact(discord.ui.DynamicItem[Button], template=rf"held:{CHOSEN}"):
    """Under a page, once for each fact about which something can be done."""

    def __init__(self, chosen: Chosen, label: str) -> None:
        super().__init__(_button(f"held:{chosen.number}", label), row=0)
        self._chosen = chosen

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Chosen.read(match), "…")

    async def callback(self, interaction: Interaction) -> None:
        await handler_of(interaction).choose(interaction, self._chosen)


class Act(discord.ui.DynamicItem[Button], template=rf"act:(?P<action>[a-z_]{{1,20}}):{CHOSEN}"):
    """Under a fact, once for each thing that can be done about it."""

    def __init__(self, action: Action, chosen: Chosen, label: str) -> None:
        dangerous = action in (Action.VETO, Action.FORGET)
        style = discord.ButtonStyle.danger if dangerous else discord.ButtonStyle.secondary
        super().__init__(_button(f"act:{action}:{chosen.number}", label, style=style))
        self._action = action
        self._chosen = chosen

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Action(match["action"]), Chosen.read(match), "…")

    async def callback(self, interaction: Interaction) -> None:
        await handler_of(interaction).act(interaction, self._chosen, self._action)


class RemindMe(discord.ui.DynamicItem[Button], template=rf"held-remind:{CHOSEN}"):
    """Under a memory with a day, or of something that is to be done."""

    def __init__(self, chosen: Chosen, label: str) -> None:
        super().__init__(_button(f"held-remind:{chosen.number}", label))
        self._chosen = chosen

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Chosen.read(match), "…")

    async def callback(self, interaction: Interaction) -> None:
        await handler_of(interaction).remind(interaction, self._chosen)


MEMORY_BUTTONS = (TurnMemory, TurnAudit, ChooseFact, Act, RemindMe)


def _button(
    custom_id: str,
    label: str,
    *,
    disabled: bool = False,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
) -> Button:
    return discord.ui.Button(style=style, label=label, custom_id=custom_id, disabled=disabled)


class ReminderOffers(Protocol):
    def form_about(self, interaction: Interaction, text: str) -> discord.ui.Modal: ...


@runtime_checkable
class HasReminderOffers(Protocol):
    @property
    def reminders(self) -> ReminderOffers: ...


def offers_of(interaction: Interaction) -> ReminderOffers:
    if not isinstance(interaction.client, HasReminderOffers):
        raise TypeError("this client reminds nobody")
    return interaction.client.reminders


def handler_of(interaction: Interaction) -> MemoryHandler:
    if not isinstance(interaction.client, HasMemoryHandler):
        raise TypeError("this client shows nothing of what it holds")
    return interaction.client.looking


ON_A_PAGE = 5
ENTRIES_ON_A_PAGE = 10
_LENGTHS = (400, 280, 200, 150, 110, 80, 50, 30)
"""Characters of a fact that are shown, the first of these with which a page fits into one message."""
LENGTHS_OF_ONE = (1_500, 1_200, 800)
"""The same for a fact alone."""

LABELS: dict[Action, Notice | Phrase] = {
    Action.CONFIRM: Notice.ACT_CONFIRM,
    Action.CORRECT: Notice.ACT_CORRECT,
    Action.VETO: Phrase.NOT_TRUE,
    Action.FORGET: Notice.ACT_FORGET,
}
_DEEDS = {
    Deed.LOOKED: Notice.DEED_LOOKED,
    Deed.TOLD: Notice.DEED_TOLD,
    Deed.REPLACED: Notice.DEED_REPLACED,
    Deed.FORGOT: Notice.DEED_FORGOT,
    Deed.EDITED: Notice.DEED_EDITED,
    Deed.UNDID: Notice.DEED_UNDID,
    Deed.VETOED: Notice.DEED_VETOED,
    Deed.CORRECTED_DAY: Notice.DEED_CORRECTED_DAY,
    Deed.CORRECTED_SUMMARY: Notice.DEED_CORRECTED_SUMMARY,
    Deed.SHOWED_CHANNEL: Notice.DEED_SHOWED_CHANNEL,
    Deed.EXPORTED_CHANNEL: Notice.DEED_EXPORTED_CHANNEL,
    Deed.ERASED_CHANNEL: Notice.DEED_ERASED_CHANNEL,
    Deed.OPENED_CHANNEL: Notice.DEED_OPENED_CHANNEL,
    Deed.CLOSED_CHANNEL: Notice.DEED_CLOSED_CHANNEL,
    Deed.ENDED_REMINDER: Notice.DEED_ENDED_REMINDER,
    Deed.CHANGED_KEEPING: Notice.DEED_CHANGED_KEEPING,
    Deed.CHANGED_PERSONA: Notice.DEED_CHANGED_PERSONA,
}


def pages_in(in_all: int, on_a_page: int = ON_A_PAGE) -> int:
    return max(ceil(in_all / on_a_page), 1)


def memory_page(page: FactPage, sheet: Sheet, reader: Audience, voice: Voice) -> str:
    """For the only one who reads it, who may be the member it is about."""
    is_own = sheet.subject_id == reader.viewer_id
    name = f"<@{sheet.subject_id}>"
    if not page.held:
        return voice.say(Notice.MEMORY_NONE_OF_YOU) if is_own else voice.say(Notice.MEMORY_NONE_OF, name=name)
    heading = voice.say(Notice.MEMORY_OF_YOU) if is_own else voice.say(Notice.MEMORY_OF, name=name)
    return _fitting(heading, page.held, sheet, pages_in(page.in_all), reader, voice)


def _fitting(heading: str, held: Sequence[ListedFact], sheet: Sheet, pages: int, reader: Audience, voice: Voice) -> str:
    ending = [voice.say(Notice.MEMORY_PAGE, page=sheet.page + 1, pages=pages)] if pages > 1 else []
    ending += [voice.say(Notice.MEMORY_CHOOSE)] if any(one.may for one in held) else []
    small = [f"-# {' · '.join(ending)}"] if ending else []

    def write(length: int) -> str:
        return "\n".join([heading, *_listed(held, sheet, length, reader, voice), *small])

    return fitting(write, _LENGTHS)


def _listed(held: Sequence[ListedFact], sheet: Sheet, length: int, reader: Audience, voice: Voice) -> Iterable[str]:
    """What was told, and then memories, each under its category."""
    has_memories = any(one.fact.traits is not None for one in held)
    under = ""
    for number, one in numbered(held, sheet):
        heading = _heading(one.fact, voice) if has_memories else ""
        if heading != under:
            yield heading
        under = heading
        yield from _lines(number, one, length, reader, voice)


def _heading(fact: Fact, voice: Voice) -> str:
    if fact.valid_to is not None:
        return f"**{voice.say(Notice.MEMORY_OVER)}**"
    return "" if fact.traits is None else f"**{wording(voice.language, fact.traits.category)}**"


def _circle(importance: int) -> str:
    return "⚪" if importance <= 3 else "🔵" if importance <= 6 else "🟠" if importance <= 8 else "🔴"


def fitting(write: Callable[[int], str], lengths: Sequence[int] = LENGTHS_OF_ONE) -> str:
    """With as much of each fact as there is room for: what marks words up makes them longer."""
    for length in lengths:
        words = sendable(write(length))
        if len(words) <= LIMIT:
            break
    return words[:LIMIT]


def numbered(held: Iterable[ListedFact], sheet: Sheet) -> Iterable[tuple[int, ListedFact]]:
    """With their places in the whole list, from 1 on."""
    return enumerate(held, sheet.page * ON_A_PAGE + 1)


def one_fact(held: ListedFact, reader: Audience, voice: Voice) -> str:
    """A fact that was chosen, in full."""
    return fitting(lambda length: "\n".join(_lines(None, held, length, reader, voice)))


def _lines(number: int | None, held: ListedFact, length: int, reader: Audience, voice: Voice) -> Iterable[str]:
    fact = held.fact
    words = one_line(fact.text, length)
    yield words if number is None else f"**{number}.** {words}"
    traits = fact.traits
    rated = [] if traits is None else [f"{_circle(traits.importance)} {traits.importance}"]
    tags = [] if traits is None or not traits.tags else [one_line(" ".join(f"#{tag}" for tag in traits.tags), 100)]
    yield f"-# {' · '.join([*rated, _founded(fact, reader, voice), *_when_and_where(held, reader, voice), *tags])}"
    if fact.withheld:
        yield f"-# 🙈 {voice.say(Notice.WITHHELD)}"


def _founded(fact: Fact, reader: Audience, voice: Voice) -> str:
    """Who vouches for it."""
    is_own = fact.subject_id == reader.viewer_id
    teller, name = f"<@{fact.teller_id}>", f"<@{fact.subject_id}>"
    if fact.standing is Standing.LET_ON and fact.teller_id == fact.subject_id:
        return voice.say(Notice.LET_ON_BY_YOU) if is_own else voice.say(Notice.LET_ON_BY, name=name)
    if fact.subject_id is not None and fact.teller_id == fact.subject_id:
        return voice.say(Notice.SAID_BY_YOU) if is_own else voice.say(Notice.SAID_BY, name=name)
    if fact.standing is Standing.CONFIRMED:
        if is_own:
            return voice.say(Notice.CONFIRMED_BY_YOU, teller=teller)
        return voice.say(Notice.CONFIRMED_BY, teller=teller, name=name)
    return voice.say(Notice.TOLD_BY, teller=teller)


def _when_and_where(held: ListedFact, reader: Audience, voice: Voice) -> Iterable[str]:
    fact = held.fact
    yield voice.say(Notice.SINCE, when=_day(fact.valid_from))
    if fact.valid_to is not None:
        yield voice.say(Notice.UNTIL, when=_day(fact.valid_to))
    elif fact.traits is not None and fact.traits.expires_at is not None:
        yield voice.say(Notice.UNTIL, when=_day(fact.traits.expires_at - timedelta(seconds=1)))
    if fact.everywhere:
        yield voice.say(Notice.MAY_BE_KNOWN)
    if fact.channel_id in reader.sources:
        yield f"<#{fact.channel_id}>"
        if held.has_message:
            link = jump_link(fact.guild_id, fact.channel_id, fact.message_id)
            yield f"[{voice.say(Notice.MESSAGE_LINK)}]({link})"


def audit_page(page: AuditPage, sheet: Sheet, voice: Voice) -> str:
    everybody = sheet.subject_id == NOBODY
    name = f"<@{sheet.subject_id}>"
    heading = voice.say(Notice.AUDIT_TITLE) if everybody else voice.say(Notice.AUDIT_TITLE_OF, name=name)
    if not page.entries:
        return f"{heading}\n{voice.say(Notice.AUDIT_NONE)}"
    pages = pages_in(page.in_all, ENTRIES_ON_A_PAGE)
    small = [f"-# {voice.say(Notice.MEMORY_PAGE, page=sheet.page + 1, pages=pages)}"] if pages > 1 else []
    lines = (audit_line(entry, voice, with_subject=everybody) for entry in page.entries)
    return sendable("\n".join([heading, *lines, *small]))


def audit_line(entry: AuditEntry, voice: Voice, *, with_subject: bool) -> str:
    """Who did what when, to whose memory; how many facts or messages it was, where it was more than one."""
    said = f"• <t:{int(entry.at.timestamp())}:f> <@{entry.actor_id}>: {voice.say(_DEEDS[entry.deed])}"
    if entry.items > 1:
        said += f" ({entry.items})"
    if entry.channel_id is not None:
        said += f" · <#{entry.channel_id}>"
    elif with_subject:
        said += f" → {voice.say(Notice.AUDIT_THE_SERVER) if entry.subject_id is None else f'<@{entry.subject_id}>'}"
    return said


def _day(when: datetime) -> str:
    return f"<t:{int(when.timestamp())}:D>"
