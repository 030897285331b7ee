"""Surfaces that tell what was talked about in a channel: in words, and asked of memory itself."""

import json
import re

from memory.places.view import Audience
from tests.end_to_end.leaks.interacting import use, wander
from tests.end_to_end.leaks.managing import by_a_manager
from tests.end_to_end.leaks.missed import is_of_a_catch_up, listed
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.wiretap import Overheard
from tests.models import BY

PLACE, ASKER = ReadBy.PLACE, ReadBy.ASKER
READS = tuple(
    f"read:channels.{name}"
    for name in (
        "analyze",
        "brought_up_to_date",
        "by_id",
        "correct",
        "for_answer",
        "history",
        "may_correct",
        "now",
        "restart",
        "rests_on",
        "returning",
        "status",
        "text",
        "views",
    )
)
_LINE = re.compile(r'<message n="(\d+)"[^>]*>(.*?)</message>', re.DOTALL)


@surface(
    "where were we",
    read_by=PLACE,
    covers=("intent:question", "intent:channel", "read:answers.answer_or_intent"),
    weight=3,
)
async def where_were_we(case: Case) -> None:
    asked = case.rng.choice(("where were we?", "tl;dr", "what have we talked about here?"))
    await case.scene.ask(case.asker, case.place, f"<@{case.scene.bot.id}> {asked}")


@surface("a channel, for a place", read_by=PLACE, covers=READS, weight=3, is_inside=True)
async def for_the_place(case: Case) -> None:
    audience = case.scene.memory.places.audience_of(case.guild.id, case.place.id)
    await _read_channels(case, audience, case.scene.oracle.viewers(case.place.id), "a channel for a place")


@surface("a channel, for one viewer", read_by=ASKER, covers=READS, weight=3, is_inside=True)
async def for_the_asker(case: Case) -> None:
    audience = case.scene.memory.places.audience_for(case.guild.id, case.place.id, case.asker.id)
    await _read_channels(case, audience, frozenset((case.asker.id,)), "a channel for one viewer")


@surface(
    "the summary of a channel",
    read_by=ASKER,
    covers=(
        "command:summary now",
        "command:summary status",
        "component:bot.channels.summary_command.SummaryButton",
        "component:bot.channels.summary_command.SummaryModal",
    ),
    weight=4,
)
async def summary(case: Case) -> None:
    case = by_a_manager(case) if case.rng.random() < 0.3 else case
    await use(case, "summary", "status")
    await wander(case, await use(case, "summary", "now"), steps=4)


@surface("how channels are summed up", read_by=ASKER, covers=("command:summary setup",))
async def decide(case: Case) -> None:
    case = by_a_manager(case)
    await use(
        case, "summary", "setup", policy=case.rng.choice(("rolling", "levels")), first=5, again=3, kept=2, turns=4
    )


@surface("whether channels are summed up", read_by=ASKER, covers=("command:summary off", "command:summary on"))
async def switch(case: Case) -> None:
    """It does not stay off: then there would be little to leak."""
    case = by_a_manager(case)
    for state in ("off", "on"):
        await use(case, "summary", state)


@surface(
    "the past of a channel",
    read_by=ASKER,
    covers=("command:context show", "command:context history", "command:context analyze"),
    weight=4,
)
async def past(case: Case) -> None:
    await use(case, "context", "show")
    await wander(case, await use(case, "context", "history"), steps=2)
    given = {"about": case.canary.words[:60]} if case.rng.random() < 0.5 else {}
    await use(case, "context", "analyze", **given)


@surface("a conversation that begins anew", read_by=ASKER, covers=("command:context clear",))
async def begin_anew(case: Case) -> None:
    await use(by_a_manager(case) if case.rng.random() < 0.2 else case, "context", "clear")


def is_of_a_channel(data: str) -> bool:
    """Whether a prompt asks for the summary of a channel."""
    return '<message n="' in data


def repeated(data: str) -> str:
    """What a careless model makes of it: all that was said, each with its number."""
    said = [(number, text.rstrip(".!?")) for number, text in _LINE.findall(data)][-20:]
    if is_of_a_catch_up(data):
        return listed(said)
    return json.dumps({"summary": " ".join(f"Somebody said {text} [{number}]." for number, text in said)})


async def _read_channels(case: Case, audience: Audience, readers: frozenset[int], what: str) -> None:
    channels = case.scene.memory.channels
    if case.rng.random() < 0.5:
        await channels.now(audience, BY)
    everywhere = case.rng.sample(sorted(case.scene.server.world.channels), 4)
    texts = [await channels.text(audience, channel_id, BY) for channel_id in (case.place.id, *everywhere)]
    read: list[object] = [
        *texts,
        await channels.brought_up_to_date(audience, 5.0, BY),
        await channels.status(audience),
        await channels.views(audience),
        await channels.history(audience, BY),
        await channels.analyze(audience, case.rng.choice((None, "canary"))),
        await channels.for_answer(audience),
        await channels.returning(case.canary.words, audience, 2**62, case.scene.server.clock.now()),
    ]
    for summary in [one for text in texts if text is not None for one in text.summaries]:
        read += [await channels.by_id(audience, summary.summary_id), await channels.rests_on(audience, summary)]
        await channels.may_correct(audience, summary, case.asker.id, is_manager=False)
    guessed = case.rng.randrange(1, 200)
    read.append(await channels.by_id(audience, guessed))
    await channels.correct(audience, guessed, "Corrected by hand", case.asker.id)
    if case.rng.random() < 0.1:
        await channels.restart(audience)
    text = "\n".join(map(str, read))
    case.scene.tap.judge(Overheard(what, case.place.id, readers, text, ephemeral=len(readers) == 1))
