"""Writes reminders in words, with their buttons and forms. A reminder's text is its owner's own: escaped, in one line,
and it calls nobody.

Buttons and forms hold numbers alone, so that they work after any restart, and in a direct message as well; what a
reminder says and whether it is theirs who presses is asked of memory.
"""

from collections.abc import Sequence, Set
from datetime import datetime
from typing import Self

import discord
from discord.utils import format_dt

from bot.replies.buttons import Form, FormField, ReplyButton
from bot.replies.draft import Draft, Mark
from bot.replies.split import LIMIT, jump_link, sendable
from bot.words import Notice, Phrase, Remind, Voice
from memory.core.provenance import Evidence
from memory.language.time_grammar import Every, Repeat
from memory.language.time_meaning import Shift
from memory.language.time_zones import time_in
from memory.models.prompt_data import one_line
from memory.reminders.values import (
    LATE,
    LONGEST_TEXT,
    MOST_OPEN,
    AskedWhen,
    Made,
    NoTime,
    Outcome,
    Refused,
    Reminder,
    State,
)

CHANGE, UNDO, ZONE, AT = "change", "undo", "zone", "at"
DONE, SOON, HOUR, TOMORROW = "done", "soon", "hour", "tomorrow"
SHOW, PICK, PAGE, EDIT, DELETE, RESTORE = "show", "pick", "page", "edit", "delete", "restore"
_PUT_OFF = ((DONE, Remind.DONE), (SOON, Remind.SOON), (HOUR, Remind.HOUR), (TOMORROW, Remind.TOMORROW))
REMIND_FORM = "remind-form"
OF_MESSAGE, OF_NOTE = "message", "note"
WHEN, WHAT = "when", "what"
LONGEST_WHEN = 100


class ReminderButton(ReplyButton, kind="remind"):
    """Holds what is wanted, the guild, the reminder, and the moment it was due at, the moment to choose, or a page."""

    @classmethod
    def of(cls, verb: str, one: Reminder, label: str, number: int = 0, emoji: str | None = None) -> Self:
        return cls.by_ids(verb, one.guild_id, one.reminder_id, number, label, emoji=emoji)

    @classmethod
    def by_ids(
        cls,
        verb: str,
        guild_id: int,
        reminder_id: int,
        number: int,
        label: str,
        *,
        emoji: str | None = None,
        is_there: bool = True,
        row: int | None = None,
    ) -> Self:
        style = discord.ButtonStyle.danger if verb == DELETE else discord.ButtonStyle.secondary
        ids = (f"{one:x}" for one in (guild_id, reminder_id, number))
        return cls(verb, *ids, label=label, emoji=emoji, style=style, is_there=is_there, row=row)


def under_made(one: Reminder, voice: Voice, *, tells_zone: bool) -> tuple[ReplyButton, ...]:
    zone = (ReminderButton.of(ZONE, one, voice.say(Remind.MY_ZONE), emoji="🕰️"),) if tells_zone else ()
    return (
        ReminderButton.of(CHANGE, one, voice.say(Remind.CHANGE_TIME), emoji="✏️"),
        ReminderButton.of(UNDO, one, voice.say(Phrase.UNDO), emoji="↩️"),
        *zone,
    )


def to_say_when(one: Reminder, moments: Sequence[datetime], voice: Voice) -> tuple[ReplyButton, ...]:
    """Offer the moments that may be meant, and a form for any other."""
    offered = (ReminderButton.of(AT, one, _label(at, one.zone, voice), int(at.timestamp())) for at in moments)
    other = voice.say(Remind.OTHER_TIME if moments else Remind.WHEN)
    return (*offered, ReminderButton.of(CHANGE, one, other, emoji="✏️"))


def under_due(one: Reminder, voice: Voice) -> tuple[ReplyButton, ...]:
    """Make the buttons under a due reminder, by which it is known that it was said for this moment."""
    return tuple(ReminderButton.of(verb, one, voice.say(label), one.due) for verb, label in _PUT_OFF)


def under_all_due(several: Sequence[Reminder]) -> tuple[ReplyButton, ...]:
    return tuple(ReminderButton.of(SHOW, one, str(number), one.due) for number, one in enumerate(several, start=1))


def is_of(message: discord.Message, one: Reminder) -> bool:
    """Say whether a message of ours says that this reminder is due, at the moment it is due at."""
    wanted = f":{one.guild_id:x}:{one.reminder_id:x}:{one.due:x}"
    ids = (
        item.custom_id or ""
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for item in row.children
        if isinstance(item, discord.Button)
    )
    return any(custom_id.startswith("remind:") and custom_id.endswith(wanted) for custom_id in ids)


def nonce_of(one: Reminder) -> str:
    """Make a nonce of at most 25 characters, as Discord wants it."""
    return f"{one.reminder_id:x}-{one.due:x}"[:25]


def _label(at: datetime, zone: str, voice: Voice) -> str:
    wall = time_in(zone, at)
    weekday = voice.say(Remind.WEEKDAYS).split("/")[wall.weekday()]
    month = voice.say(Remind.MONTHS).split("/")[wall.month - 1]
    return f"{weekday} {wall.day} {month} {wall:%H:%M}"


class ReminderForm(Form):
    def __init__(self, of: str, guild_id: int, reminder_id: int, voice: Voice, text: str = "") -> None:
        is_zone = of == ZONE
        label = voice.say(Remind.MY_ZONE if is_zone else Remind.FORM_WHEN)
        example = "Berlin" if is_zone else voice.say(Remind.FORM_EXAMPLE)
        fields: dict[str, FormField] = {
            label: discord.ui.TextInput(
                custom_id=WHEN, placeholder=example, max_length=LONGEST_WHEN, required=of != EDIT
            )
        }
        if of in (EDIT, OF_MESSAGE, OF_NOTE):
            style = discord.TextStyle.long
            fields[voice.say(Remind.FORM_WHAT)] = discord.ui.TextInput(
                custom_id=WHAT, style=style, default=text, max_length=LONGEST_TEXT, required=False
            )
        super().__init__(
            voice.say(Remind.FORM_TITLE), REMIND_FORM, of, f"{guild_id:x}", f"{reminder_id:x}", fields=fields
        )


ON_A_PAGE = 5
LISTED_LENGTH = 200
_WHY = {
    NoTime.MISSING: Remind.MISSING,
    NoTime.PAST: Remind.PAST,
    NoTime.TOO_FAR: Remind.TOO_FAR,
    NoTime.TOO_OFTEN: Remind.TOO_OFTEN,
}
_EVERY = {
    Every.HOURS: (Remind.EVERY_HOUR, Remind.EVERY_HOURS),
    Every.DAY: (Remind.EVERY_DAY, Remind.EVERY_DAYS),
    Every.WEEKDAY: (Remind.EVERY_WEEKDAY, Remind.EVERY_WEEKDAY),
    Every.WEEK: (Remind.EVERY_WEEK, Remind.EVERY_WEEKS),
    Every.MONTH: (Remind.EVERY_MONTH, Remind.EVERY_MONTHS),
}
_SHIFTS = {Shift.SKIPPED: Remind.SKIPPED, Shift.DOUBLED: Remind.DOUBLED}


def told(outcome: Outcome, voice: Voice, *, privately: bool = False) -> Draft:
    """Say what came of asking for a reminder or changing it; `privately`: its owner may not write in its place."""
    match outcome:
        case Made(reminder=one, tells_zone=tells_zone):
            return Draft(
                _made(outcome, voice, privately=privately),
                buttons=under_made(one, voice, tells_zone=tells_zone),
                evidence=Evidence(),
            )
        case AskedWhen(reminder=one, why=why, moments=moments):
            words = voice.say(Remind.WHICH if moments else _WHY[why])
            buttons = to_say_when(one, moments, voice)
            return Draft(words, mark=Mark.NOT_DONE, buttons=buttons, evidence=Evidence())
        case Refused.OPTED_OUT:
            words = voice.say(Remind.OPTED_OUT)
        case Refused.TOO_MANY:
            words = voice.say(Remind.TOO_MANY, count=MOST_OPEN)
        case Refused.TOO_LONG:
            words = voice.say(Remind.TOO_LONG, limit=LONGEST_TEXT)
        case Refused.GONE:
            words = voice.say(Remind.GONE)
    return Draft(words, mark=Mark.NOT_DONE, evidence=Evidence(), is_unasked=outcome is Refused.GONE)


def _made(made: Made, voice: Voice, *, privately: bool) -> str:
    one = made.reminder
    lines = [voice.say(Remind.MADE if one.text else Remind.MADE_OF_THIS, when=moment(one.due_at))]
    # What stands in the message that it answers is not repeated: it may be edited.
    lines += [f"> {one_line(one.text, LONGEST_TEXT)}"] if one.text and not one.by_message else []
    lines += [f"-# 🔁 {_every(one.repeat, voice)}"] if one.repeat is not None else []
    lines += [voice.say(Remind.BY_DIRECT_MESSAGE, channel=f"<#{one.channel_id}>")] if privately else []
    if made.shift is not None and one.wall is not None:
        lines.append(voice.say(_SHIFTS[made.shift], time=f"{one.wall:%H:%M}"))
    lines += [voice.say(Remind.BY_ZONE, zone=one.zone)] if made.tells_zone else []
    return "\n".join(lines)


def due(one: Reminder, now: datetime, voice: Voice, next_at: datetime | None = None, *, in_place: bool) -> str:
    """Say a reminder that is due. Elsewhere than in its place nothing leads there, where its owner may not be let in
    any more."""
    owner = f"<@{one.owner_id}>"
    text = one_line(one.text, LONGEST_TEXT)
    lines = [f"{owner} ⏰ {text}" if text else voice.say(Remind.DUE_OF_THIS, owner=owner)]
    if in_place and one.about_id is not None:
        lines.append(f"-# ↪ {_link(one, one.about_id, voice)}")
    if one.due_at is not None and now - one.due_at > LATE:
        lines.append(voice.say(Remind.LATE, when=moment(one.due_at)))
    if one.repeat is not None and next_at is not None:
        lines.append(voice.say(Remind.NEXT, every=_every(one.repeat, voice), when=moment(next_at)))
    return "\n".join(lines)


def all_due(several: Sequence[Reminder], voice: Voice) -> str:
    """Put into one note what came due during a long absence."""
    heading = voice.say(Remind.ABSENT, owner=f"<@{several[0].owner_id}>")
    return _fitting(heading, list(enumerate(several, start=1)), voice, frozenset())


def listed(reminders: Sequence[Reminder], page: int, voice: Voice, sources: Set[int]) -> str:
    """List reminders for an owner who can read these places."""
    if not reminders:
        return voice.say(Remind.LIST_NONE)
    shown = on_page(reminders, page)
    pages = pages_of(reminders)
    small = f"\n-# {voice.say(Notice.MEMORY_PAGE, page=page + 1, pages=pages)}" if pages > 1 else ""
    return _fitting(voice.say(Remind.LIST), shown, voice, sources)[: LIMIT - len(small)] + small


def coming_in(channel: str, reminders: Sequence[Reminder], voice: Voice, sources: Set[int]) -> str:
    """List the next reminders to be posted in a channel, for somebody who manages the guild and can read it."""
    heading = voice.say(Remind.COMING, channel=channel)
    return _fitting(heading, list(enumerate(reminders, start=1)), voice, sources, with_owners=True)


def on_page(reminders: Sequence[Reminder], page: int) -> list[tuple[int, Reminder]]:
    """List a page of reminders with their numbers in the whole list, from 1 on."""
    return list(enumerate(reminders, start=1))[page * ON_A_PAGE : (page + 1) * ON_A_PAGE]


def pages_of(reminders: Sequence[Reminder]) -> int:
    return max((len(reminders) + ON_A_PAGE - 1) // ON_A_PAGE, 1)


def shown(one: Reminder, voice: Voice, sources: Set[int]) -> str:
    """Show one reminder of a list in full."""
    return "\n".join([line for line in (one_line(one.text, LONGEST_TEXT), _small(one, voice, sources)) if line])


def _fitting(
    heading: str,
    numbered: Sequence[tuple[int, Reminder]],
    voice: Voice,
    sources: Set[int],
    *,
    with_owners: bool = False,
) -> str:
    """List reminders with as much of each text as there is room for."""
    untold = voice.say(Remind.A_MESSAGE)
    for length in (LISTED_LENGTH, 80, 30):
        lines = (
            f"**{number}.** {f'<@{one.owner_id}> ' * with_owners}{one_line(one.text, length) or untold}\n"
            f"{_small(one, voice, sources)}"
            for number, one in numbered
        )
        words = sendable("\n".join([heading, *lines]))
        if len(words) <= LIMIT - 100:
            break
    return words[:LIMIT]


def _small(one: Reminder, voice: Voice, sources: Set[int]) -> str:
    said = [moment(one.due_at)]
    if one.repeat is not None:
        said.append(f"🔁 {_every(one.repeat, voice)}")
    if one.channel_id in sources:
        link = one.about_id or (one.reminder_id if one.by_message else None)
        place = f"<#{one.channel_id}>"
        said += [place] if link is None else [place, _link(one, link, voice)]
    if one.state is State.KEPT:
        said.append(voice.say(Remind.UNDELIVERED))
    return f"-# {' · '.join(said)}"


def _link(one: Reminder, message_id: int, voice: Voice) -> str:
    return f"[{voice.say(Notice.MESSAGE_LINK)}]({jump_link(one.guild_id, one.channel_id, message_id)})"


def moment(at: datetime | None) -> str:
    """Write a moment as Discord shows it, by everyone's own clock."""
    return "" if at is None else f"{format_dt(at, 'F')} ({format_dt(at, 'R')})"


def _every(repeat: Repeat, voice: Voice) -> str:
    one, several = _EVERY[repeat.every]
    return voice.say(several if repeat.count > 1 else one, count=repeat.count)
