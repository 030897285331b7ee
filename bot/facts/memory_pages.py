"""Writes what is held about a member as pages: what, from whom, since when, where; and who did what to it.

Lines are short: most people read them on a phone. The buttons under a page hold numbers alone; a fact is named by the
message that told it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from math import ceil
from typing import Self

import discord
from discord.utils import format_dt

from bot.replies.buttons import ReplyButton
from bot.replies.split import LIMIT, jump_link, sendable
from bot.words import Notice, Phrase, Voice
from memory.audit import AuditEntry, AuditPage, Deed
from memory.core.values import Fact, Standing
from memory.facts.values import FactPage, ListedFact
from memory.language.wording import wording
from memory.models.prompt_data import one_line, statement_line
from memory.places.view import Audience
from memory.policy.authority import Action

NOBODY = 0
"""In the place of a member: all of them."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Names a page of what is held about a member, from 0 on."""

    subject_id: int
    page: int = 0

    @classmethod
    def read(cls, subject: str, page: str) -> Self:
        return cls(int(subject, 16), int(page))

    @property
    def values(self) -> tuple[str, str]:
        return f"{self.subject_id:x}", str(self.page)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Names a fact on a page of what is held about a member."""

    sheet: Sheet
    message_id: int
    thing: int

    @classmethod
    def read(cls, subject: str, page: str, message: str, thing: str) -> Self:
        return cls(Sheet.read(subject, page), int(message, 16), int(thing, 16))

    @property
    def values(self) -> tuple[str, ...]:
        return *self.sheet.values, f"{self.message_id:x}", f"{self.thing:x}"


class TurnMemory(ReplyButton, kind="memory"):
    """Turns to another page of what is held about a member: back, on, or the one that a fact was chosen from."""


class TurnAudit(ReplyButton, kind="audit"):
    """Turns to another page of the audit: who looked at memory and changed it."""


class ChooseFact(ReplyButton, kind="held"):
    """Chooses a fact: stands under a page, once for each fact about which something can be done."""


class Act(ReplyButton, kind="act"):
    """Does something about a fact: stands under it, once for each thing that can be done."""

    @classmethod
    def of(cls, action: Action, chosen: Chosen, label: str) -> Self:
        is_dangerous = action in (Action.VETO, Action.FORGET)
        style = discord.ButtonStyle.danger if is_dangerous else discord.ButtonStyle.secondary
        return cls(action, *chosen.values, label=label, style=style)


class RemindMe(ReplyButton, kind="held-remind"):
    """Offers a reminder: stands under a memory with a day, or of something that is to be done."""


def turning(kind: type[ReplyButton], sheet: Sheet, pages: int) -> tuple[ReplyButton, ...]:
    """Make the buttons back and on; none under a single page."""
    if pages < 2:
        return ()
    before, after = replace(sheet, page=max(sheet.page - 1, 0)), replace(sheet, page=min(sheet.page + 1, pages - 1))
    return (
        kind("b", *before.values, label="◀", is_there=sheet.page > 0, row=1),
        kind("o", *after.values, label="▶", is_there=sheet.page < pages - 1, row=1),
    )


ON_A_PAGE = 5
ENTRIES_ON_A_PAGE = 10
_LENGTHS = (400, 280, 200, 150, 110, 80, 50, 30)
"""Characters of a fact that are shown, the first of these with which a page fits into one message."""
LENGTHS_OF_ONE = (1_500, 1_200, 800)
"""Characters of a fact that stands alone on its page."""

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
    """Write a page of what is held about a member for its only reader, who may be that member."""
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
    """List the lines of what was told, and then of memories, each under its category."""
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
    """Show as much of each fact as there is room for: what marks words up makes them longer."""
    for length in lengths:
        words = sendable(write(length))
        if len(words) <= LIMIT:
            break
    return words[:LIMIT]


def numbered(held: Iterable[ListedFact], sheet: Sheet) -> Iterable[tuple[int, ListedFact]]:
    """Number facts by their places in the whole list, from 1 on."""
    return enumerate(held, sheet.page * ON_A_PAGE + 1)


def one_fact(held: ListedFact, reader: Audience, voice: Voice) -> str:
    """Show a fact that was chosen, in full."""
    return fitting(lambda length: "\n".join(_lines(None, held, length, reader, voice)))


def _lines(number: int | None, held: ListedFact, length: int, reader: Audience, voice: Voice) -> Iterable[str]:
    fact = held.fact
    words = statement_line(fact.text, length)
    yield words if number is None else f"**{number}.** {words}"
    traits = fact.traits
    rated = [] if traits is None else [f"{_circle(traits.importance)} {traits.importance}"]
    tags = [] if traits is None or not traits.tags else [one_line(" ".join(f"#{tag}" for tag in traits.tags), 100)]
    yield f"-# {' · '.join([*rated, _founded(fact, reader, voice), *_when_and_where(held, reader, voice), *tags])}"
    if fact.withheld:
        yield f"-# 🙈 {voice.say(Notice.WITHHELD)}"


def _founded(fact: Fact, reader: Audience, voice: Voice) -> str:
    """Say who vouches for a fact."""
    is_own = fact.subject_id == reader.viewer_id
    teller, name = f"<@{fact.teller_id}>", f"<@{fact.subject_id}>"
    if fact.standing is Standing.INFERRED and fact.teller_id == fact.subject_id:
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
    yield voice.say(Notice.SINCE, when=format_dt(fact.valid_from, "D"))
    if fact.valid_to is not None:
        yield voice.say(Notice.UNTIL, when=format_dt(fact.valid_to, "D"))
    elif fact.traits is not None and fact.traits.expires_at is not None:
        yield voice.say(Notice.UNTIL, when=format_dt(fact.traits.expires_at - timedelta(seconds=1), "D"))
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
    """Write a line of the audit: who did what when, to whose memory; how many facts or messages, if more than one."""
    said = f"• {format_dt(entry.at, 'f')} <@{entry.actor_id}>: {voice.say(_DEEDS[entry.deed])}"
    if entry.items > 1:
        said += f" ({entry.items})"
    if entry.channel_id is not None:
        said += f" · <#{entry.channel_id}>"
    elif with_subject:
        said += f" → {voice.say(Notice.AUDIT_THE_SERVER) if entry.subject_id is None else f'<@{entry.subject_id}>'}"
    return said
