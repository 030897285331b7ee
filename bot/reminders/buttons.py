"""The buttons and forms of reminders. They hold numbers alone, so that they work after any restart, and in a direct
message as well; what a reminder says and whether it is theirs who presses is asked of memory."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Protocol, Self, runtime_checkable

import discord

from bot.replies.buttons import ID, Button
from bot.replies.draft import Button as Item
from bot.replies.interactions import Interaction
from bot.words.keys import Phrase, Remind
from bot.words.voice import Voice
from memory.language.time_zones import time_in
from memory.reminders.values import LONGEST_TEXT, Reminder

CHANGE, UNDO, ZONE, AT = "change", "undo", "zone", "at"
DONE, SOON, HOUR, TOMORROW = "done", "soon", "hour", "tomorrow"
SHOW, PICK, PAGE, EDIT, DELETE, RESTORE = "show", "pick", "page", "edit", "delete", "restore"
_PUT_OFF = ((DONE, Remind.DONE), (SOON, Remind.SOON), (HOUR, Remind.HOUR), (TOMORROW, Remind.TOMORROW))
LONGEST_WHEN = 100


class ReminderHandler(Protocol):
    async def press(
        self, interaction: Interaction, verb: str, guild_id: int, reminder_id: int, number: int
    ) -> None: ...


@runtime_checkable
class HasReminderHandler(Protocol):
    @property
    def reminders(self) -> ReminderHandler: ...


class ReminderButton(
    discord.ui.DynamicItem[Button],
    template=rf"remind:(?P<verb>[a-z]{{2,8}}):(?P<guild>{ID}):(?P<reminder>{ID}):(?P<number>{ID})",
):
    """`number` is the moment it was due at, the moment to choose, or a page."""

    def __init__(
        self,
        verb: str,
        guild_id: int,
        reminder_id: int,
        number: int,
        label: str,
        *,
        emoji: str | None = None,
        is_there: bool = True,
        row: int | None = None,
    ) -> None:
        style = discord.ButtonStyle.danger if verb == DELETE else discord.ButtonStyle.secondary
        custom_id = f"remind:{verb}:{guild_id:x}:{reminder_id:x}:{number:x}"
        button: Button = discord.ui.Button(
            style=style, label=label, emoji=emoji, custom_id=custom_id, disabled=not is_there
        )
        super().__init__(button, row=row)
        self._pressed = verb, guild_id, reminder_id, number

    @classmethod
    def of(cls, verb: str, one: Reminder, label: str, number: int = 0, emoji: str | None = None) -> Self:
        return cls(verb, one.guild_id, one.reminder_id, number, label, emoji=emoji)

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        guild_id, reminder_id, number = (int(match[group], 16) for group in ("guild", "reminder", "number"))
        return cls(match["verb"], guild_id, reminder_id, number, "…")

    async def callback(self, interaction: Interaction) -> None:
        if not isinstance(interaction.client, HasReminderHandler):
            raise TypeError("this client reminds nobody")
        await interaction.client.reminders.press(interaction, *self._pressed)


def under_made(one: Reminder, voice: Voice, *, tells_zone: bool) -> tuple[Item, ...]:
    zone = (ReminderButton.of(ZONE, one, voice.say(Remind.MY_ZONE), emoji="🕰️"),) if tells_zone else ()
    return (
        ReminderButton.of(CHANGE, one, voice.say(Remind.CHANGE_TIME), emoji="✏️"),
        ReminderButton.of(UNDO, one, voice.say(Phrase.UNDO), emoji="↩️"),
        *zone,
    )


def to_say_when(one: Reminder, moments: Sequence[datetime], voice: Voice) -> tuple[Item, ...]:
    """The moments that may be meant, and a form for any other."""
    offered = (ReminderButton.of(AT, one, _label(at, one.zone, voice), int(at.timestamp())) for at in moments)
    other = voice.say(Remind.OTHER_TIME if moments else Remind.WHEN)
    return (*offered, ReminderButton.of(CHANGE, one, other, emoji="✏️"))


def under_due(one: Reminder, voice: Voice) -> tuple[Item, ...]:
    """By them it is known that this reminder was said for this moment."""
    return tuple(ReminderButton.of(verb, one, voice.say(label), one.due) for verb, label in _PUT_OFF)


def under_all_due(several: Sequence[Reminder]) -> tuple[Item, ...]:
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
    """At most 25 characters, as Discord wants it."""
    return f"{one.reminder_id:x}-{one.due:x}"[:25]


def _label(at: datetime, zone: str, voice: Voice) -> str:
    wall = time_in(zone, at)
    weekday = voice.say(Remind.WEEKDAYS).split("/")[wall.weekday()]
    month = voice.say(Remind.MONTHS).split("/")[wall.month - 1]
    return f"{weekday} {wall.day} {month} {wall:%H:%M}"


# Forms. What is filled in is read from the interaction alone, whatever was restarted while somebody was typing.


OF_TIME, OF_BOTH, OF_ZONE, OF_MESSAGE, OF_NOTE = "time", "both", "zone", "message", "note"
FORM = re.compile(rf"remind-form:(?P<kind>[a-z]{{4,8}}):(?P<guild>{ID}):(?P<reminder>{ID})")
_WHEN, _WHAT = "when", "what"


class ReminderForm(discord.ui.Modal):
    def __init__(self, kind: str, guild_id: int, reminder_id: int, voice: Voice, text: str = "") -> None:
        super().__init__(
            title=voice.say(Remind.FORM_TITLE), custom_id=f"remind-form:{kind}:{guild_id:x}:{reminder_id:x}"
        )
        is_zone = kind == OF_ZONE
        label = voice.say(Remind.MY_ZONE if is_zone else Remind.FORM_WHEN)
        example = "Berlin" if is_zone else voice.say(Remind.FORM_EXAMPLE)
        field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
            custom_id=_WHEN, placeholder=example, max_length=LONGEST_WHEN, required=kind != OF_BOTH
        )
        self.add_item(discord.ui.Label(text=label, component=field))
        if kind in (OF_BOTH, OF_MESSAGE, OF_NOTE):
            about: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
                custom_id=_WHAT,
                style=discord.TextStyle.long,
                default=text,
                max_length=LONGEST_TEXT,
                required=False,
            )
            self.add_item(discord.ui.Label(text=voice.say(Remind.FORM_WHAT), component=about))
        # discord.py would keep it for ever, for a form that may never be sent, and is not needed to read it.
        self.stop()


def filled_in(interaction: Interaction) -> tuple[str, str]:
    """The time, and what it is about."""
    fields = dict(_values(None if interaction.data is None else interaction.data.get("components")))
    return fields.get(_WHEN, ""), fields.get(_WHAT, "")


def _values(components: object) -> Iterator[tuple[str, str]]:
    """Of the text fields, in whichever shape Discord wraps them."""
    for one in components if isinstance(components, (list, tuple)) else ():
        if isinstance(one, dict):
            if "value" in one:
                yield str(one.get("custom_id")), str(one["value"])
            yield from _values(one.get("components"))
            yield from _values([one.get("component")])
