"""Surfaces of speaking to the bot without a verb that it knows; and the model that sorts what is said so."""

import json

from tests.end_to_end.leaks.buttons import press_all
from tests.end_to_end.leaks.registry import Case, ReadBy, surface

PLACE = ReadBy.PLACE
ROUTED = "read:answers.answer_or_intent"
WAYS = {
    "put that in your book": "remember",
    "drop it": "forget",
    "was a dream": "chatter",
    "I was gone": "catch_up",
    "reminders of mine": "reminders",
    "where were we": "channel",
}


def is_of_a_route(data: str) -> bool:
    return "<typed-" in data


def chosen(data: str) -> str:
    typed = data.rpartition("<typed-")[2]  # what was asked before stands there as well
    way = next((way for words, way in WAYS.items() if words in typed), "question")
    if "what happened" in typed or "what did" in typed:
        today = data.partition("<now-")[2].split()[2].rstrip(",")
        return json.dumps({"wants": "days", "first_day": today, "last_day": today})
    return json.dumps({"wants": way, "searches": ["secret", "the name of it"]})


@surface("remember, without a verb", read_by=PLACE, covers=("intent:remember", ROUTED))
async def remember(case: Case) -> None:
    """Whether it is known already may be said only where it could be heard."""
    said = f"Bot, <@{case.subject.id}> owns a {case.canary.words}, put that in your book"
    await case.scene.ask(case.asker, case.place, said)


@surface(
    "forget, without a verb",
    read_by=PLACE,
    covers=("intent:forget", ROUTED, "component:bot.replies.buttons.ForgetThis"),
    weight=2,
)
async def forget(case: Case) -> None:
    """What would go is shown, to be chosen: only what could be heard here. Somebody else presses first."""
    case.canary.forgotten = True
    said = f"Bot, that {case.canary.words} of <@{case.subject.id}> is over, drop it"
    reply = await case.scene.ask(case.asker, case.place, said)
    if reply is not None:
        await press_all(case, reply, case.rng.choice(case.scene.speakers_in(case.place)))
        await press_all(case, reply, case.asker)


@surface("a question without a question mark", read_by=PLACE, covers=("intent:question", ROUTED))
async def question(case: Case) -> None:
    await case.scene.ask(case.asker, case.place, f"Bot, the name of the {case.canary.words}")


@surface("a kind word", read_by=PLACE, covers=("intent:chatter", ROUTED))
async def kind_word(case: Case) -> None:
    await case.scene.ask(case.asker, case.place, "Bot, thank you so much!")
    await case.scene.ask(case.asker, case.place, f"Bot, that {case.canary.words} was a dream")


@surface("what is for oneself alone", read_by=PLACE, covers=("intent:catch_up", "intent:reminders", ROUTED))
async def pointed(case: Case) -> None:
    """Said aloud is only where to find it."""
    await case.scene.ask(case.asker, case.place, f"Bot, I was gone, and the {case.canary.words}")
    await case.scene.ask(case.asker, case.place, f"Bot, those reminders of mine about the {case.canary.words}")
