"""Surfaces that tell somebody what they missed: by command, in words, and asked of memory itself."""

import json

from memory.core.values import last_id_of
from memory.language.detect import Language
from tests.end_to_end.leaks.buttons import press_all
from tests.end_to_end.leaks.interacting import complete, use, wander
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.wiretap import Overheard

PLACE, ASKER = ReadBy.PLACE, ReadBy.ASKER
READS = (
    "read:places.with_threads",
    *(f"read:catch_ups.{name}" for name in ("boundary", "boundary_at", "catch_up", "mark", "stretch")),
)


@surface(
    "what somebody missed",
    read_by=ASKER,
    covers=(
        "command:catchup",
        "autocomplete:catchup since",
        "component:bot.daily.catchup_command.CatchUpButton",
        "read:catch_ups.by_model",
    ),
    weight=4,
)
async def catch_up(case: Case) -> None:
    given: dict[str, object] = {"since": "14 days"} if case.rng.random() < 0.8 else {}
    if case.rng.random() < 0.3:
        given["channel"] = str(case.canary.source_id or case.place.id)
    await complete(case, "catchup", option="since", typed="1")
    await wander(case, await use(case, "catchup", **given), steps=4)


@surface(
    "what somebody missed, in words",
    read_by=PLACE,
    covers=("intent:chatter", "component:bot.replies.buttons.ShowMissed"),
    weight=2,
)
async def in_words(case: Case) -> None:
    """Somebody else presses first."""
    reply = await case.scene.ask(case.asker, case.place, "Bot, what did I miss?")
    if reply is not None:
        await press_all(case, reply, case.rng.choice(case.scene.speakers_in(case.place)))
        await press_all(case, reply, case.asker)


@surface("what somebody missed, asked of memory", read_by=ASKER, covers=READS, weight=3, is_inside=True)
async def for_the_asker(case: Case) -> None:
    memory, now = case.scene.memory, case.scene.server.clock.now()
    audience = memory.places.audience_for(case.guild.id, case.place.id, case.asker.id)
    everywhere = sorted(case.scene.server.world.channels)
    boundary = await memory.catch_ups.boundary_at(audience, "14 days", Language.EN)
    boundary = boundary or await memory.catch_ups.boundary(audience, None, last_id_of(now))
    roles, until = sorted(case.guild.roles), last_id_of(now)
    read: list[object] = [
        await memory.catch_ups.catch_up(audience, boundary, until, channel_id, roles, Language.EN)
        for channel_id in (None, case.rng.choice(everywhere))
    ]
    read.append(await memory.catch_ups.stretch(audience, everywhere, boundary.after_id, until))
    read.append(await memory.catch_ups.boundary(audience, case.rng.choice(everywhere), until))
    if case.rng.random() < 0.1:
        await memory.catch_ups.mark(audience, None, until)
    text = "\n".join(map(str, read))
    case.scene.tap.judge(
        Overheard("what somebody missed", case.place.id, frozenset((case.asker.id,)), text, ephemeral=True)
    )


def is_of_a_catch_up(data: str) -> bool:
    """Whether a prompt asks for what somebody missed."""
    return '<channel name="' in data


def listed(said: list[tuple[str, str]]) -> str:
    """What a careless model makes of it: all that was said, each with its number."""
    lines = [f"Somebody said {text} [{number}]." for number, text in said]
    return json.dumps({"decided": lines[::2][:10], "talked": lines[1::2][:10]})
