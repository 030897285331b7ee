"""The buttons and forms of reminders. They hold numbers alone, so that they work after any restart, and in a direct
message as well; what a reminder says and whether it is theirs who presses is asked of memory."""

from collections.abc import Sequence
from datetime import datetime
from typing import Self

import discord

from bot.replies.buttons import Form, FormField, ReplyButton
from bot.words.keys import Phrase, Remind
from bot.words.voice import Voice
from memory.language.time_zones import time_in
from memory.reminders.values import LONGEST_TEXT, Reminder

CHANGE, UNDO, ZONE, AT = "change", "undo", "zone", "at"
DONE, SOON, HOUR, TOMORROW = "done", "soon", "hour", "tomorrow"
SHOW, PICK, PAGE, EDIT, DELETE, RESTORE = "show", "pick", "page", "edit", "delete", "restore"
_PUT_OFF = ((DONE, Remind.DONE), (SOON, Remind.SOON), (HOUR, Remind.HOUR), (TOMORROW, Remind.TOMORROW))
REMIND_FORM = "remind-form"
OF_TIME, OF_BOTH, OF_ZONE, OF_MESSAGE, OF_NOTE = "time", "both", "zone", "message", "note"
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
    """The moments that may be meant, and a form for any other."""
    offered = (ReminderButton.of(AT, one, _label(at, one.zone, voice), int(at.timestamp())) for at in moments)
    other = voice.say(Remind.OTHER_TIME if moments else Remind.WHEN)
    return (*offered, ReminderButton.of(CHANGE, one, other, emoji="✏️"))


def under_due(one: Reminder, voice: Voice) -> tuple[ReplyButton, ...]:
    """Make the buttons by which it is known that this reminder was said for this moment."""
    return tuple(ReminderButton.of(verb, one, voice.say(label), one.due) for verb, label in _PUT_OFF)


def under_all_due(several: Sequence[Reminder]) -> tuple[ReplyButton, ...]:
    return tuple(ReminderButton.of(SHOW, one, str(number), one.due) for number, one in enumerate(several, start=1))


def is_of(message: discord.Message, one: Reminder) -> bool:
    """Whether a message of ours says that this reminder is due, at the moment it is due at."""
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
        is_zone = of == OF_ZONE
        label = voice.say(Remind.MY_ZONE if is_zone else Remind.FORM_WHEN)
        example = "Berlin" if is_zone else voice.say(Remind.FORM_EXAMPLE)
        fields: dict[str, FormField] = {
            label: discord.ui.TextInput(
                custom_id=WHEN, placeholder=example, max_length=LONGEST_WHEN, required=of != OF_BOTH
            )
        }
        if of in (OF_BOTH, OF_MESSAGE, OF_NOTE):
            style = discord.TextStyle.long
            fields[voice.say(Remind.FORM_WHAT)] = discord.ui.TextInput(
                custom_id=WHAT, style=style, default=text, max_length=LONGEST_TEXT, required=False
            )
        super().__init__(
            voice.say(Remind.FORM_TITLE), REMIND_FORM, of, f"{guild_id:x}", f"{reminder_id:x}", fields=fields
        )
