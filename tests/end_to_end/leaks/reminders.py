"""Surfaces of reminders: asked for in words, by command and by menu, listed, put off, and delivered in between.

What somebody wants to be reminded of is their own, wherever they are let in by then, so no canary is in it: what may
leak is where it was asked for, what it points at, and whatever a reading of it brings along.
"""

from tests.end_to_end.leaks.buttons import press_all
from tests.end_to_end.leaks.interacting import COMMAND, Payload, begin, complete, use, wander
from tests.end_to_end.leaks.registry import Case, ReadBy, surface

ASKER, PLACE = ReadBy.ASKER, ReadBy.PLACE
MESSAGE_MENU = 3
BUTTON = "component:bot.reminders.buttons.ReminderButton"
FORM = "component:bot.reminders.buttons.ReminderForm"


@surface("a reminder in words", read_by=PLACE, covers=("intent:remind", BUTTON), weight=2)
async def in_words(case: Case) -> None:
    when = case.rng.choice(("in 2 seconds", "tomorrow at 9", "every day at 8", ""))
    heard = await case.scene.ask(case.asker, case.place, f"Bot remind me {when} to see to the {case.canary.words}")
    if heard is not None:
        await press_all(case, heard, case.asker)


@surface("reminders by command", read_by=ASKER, covers=("command:remind", "command:reminders", BUTTON, FORM), weight=2)
async def by_command(case: Case) -> None:
    when = case.rng.choice(("in 1 second", "tomorrow at 9", case.canary.words))
    await wander(case, await use(case, "remind", when=when, what=f"the {case.canary.words}"), steps=2)
    await wander(case, await use(case, "reminders"), steps=3)


@surface("remind me of this, by menu", read_by=ASKER, covers=("menu:Remind me of this", FORM), weight=2)
async def of_this(case: Case) -> None:
    """It names the message and says nothing of it."""
    if case.canary.message_id:
        target: Payload = {"name": "Remind me of this", "type": MESSAGE_MENU, "target_id": str(case.canary.message_id)}
        await wander(case, await begin(case, {"type": COMMAND, "data": target}), steps=2)


@surface(
    "a time zone of one's own",
    read_by=ASKER,
    covers=("command:settings my-time-zone", "autocomplete:settings my-time-zone zone"),
)
async def my_time_zone(case: Case) -> None:
    for typed in ("Ber", case.canary.words):
        await complete(case, "settings", "my-time-zone", option="zone", typed=typed)
        await use(case, "settings", "my-time-zone", zone=typed)
