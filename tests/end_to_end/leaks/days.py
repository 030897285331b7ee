"""Surfaces that tell of a day: in words, and asked of memory itself."""

import json
import re
from datetime import timedelta

from memory.places.view import Audience
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.wiretap import Overheard
from tests.models import BY

PLACE, ASKER = ReadBy.PLACE, ReadBy.ASKER
_PERSON = re.compile(r'<person id="(\d+)"')
_LINE = re.compile(r'<message time="[^"]*" author-id="(\d+)"[^>]* n="(\d+)">(.*?)</message>')


@surface(
    "what happened on a day",
    read_by=PLACE,
    covers=("intent:question", "intent:days", "read:answers.answer_or_intent"),
    weight=3,
)
async def what_happened(case: Case) -> None:
    when = case.rng.choice(("today", "yesterday"))
    await case.scene.ask(case.asker, case.place, f"<@{case.scene.bot.id}> what happened {when}?")


@surface("what somebody did on a day", read_by=PLACE, covers=("intent:question", "read:answers.answer"), weight=2)
async def what_somebody_did(case: Case) -> None:
    await case.scene.ask(case.asker, case.place, f"Bot, what did <@{case.subject.id}> do today?")


@surface("a day, for a place", read_by=PLACE, covers=("read:day_answers.day",), weight=3, is_inside=True)
async def for_the_place(case: Case) -> None:
    audience = case.scene.memory.places.audience_of(case.guild.id, case.place.id)
    await _read_days(case, audience, case.scene.oracle.viewers(case.place.id), "a day for a place")


@surface("a day, for one viewer", read_by=ASKER, covers=("read:day_answers.day",), weight=3, is_inside=True)
async def for_the_asker(case: Case) -> None:
    audience = case.scene.memory.places.audience_for(case.guild.id, case.place.id, case.asker.id)
    await _read_days(case, audience, frozenset((case.asker.id,)), "a day for one viewer")


def is_of_a_day(data: str) -> bool:
    """Whether a prompt asks for the summaries of a day."""
    return "<people-" in data and '<message time="' in data


def repeated(data: str) -> str:
    """What a careless model makes of it: of each person all that they said, and for those who said nothing the rest;
    and it takes the longest word of each line for the name of somebody else."""
    said: dict[str, list[str]] = {}
    called: list[dict[str, object]] = []
    people = _PERSON.findall(data)
    for author, number, text in _LINE.findall(data):
        said.setdefault(author, []).append(text)
        name = max(re.findall(r"\w+", text), key=len, default="")
        called += [{"id": one, "name": name, "message": int(number)} for one in people if one != author][:1]
    everything = [text for texts in said.values() for text in texts]
    members = [{"id": one, "summary": ". ".join(said.get(one, everything))} for one in people]
    return json.dumps({"members": members, "also_called": called[-20:]})


async def _read_days(case: Case, audience: Audience, readers: frozenset[int], what: str) -> None:
    today = case.scene.server.clock.now().date()
    days = [await case.scene.memory.day_answers.day(audience, today - timedelta(days=back), BY) for back in (0, 1)]
    text = "\n".join(str(day) for day in days)
    case.scene.tap.judge(Overheard(what, case.place.id, readers, text, ephemeral=len(readers) == 1))
