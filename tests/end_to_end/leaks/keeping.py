"""The surface under a confirmation whose message was deleted: its words must not come back there, whoever presses."""

import asyncio
from dataclasses import replace

from local_guild.actions.components import walk
from local_guild.state.ids import JsonObject
from tests.end_to_end.leaks.canaries import Kind
from tests.end_to_end.leaks.interacting import press
from tests.end_to_end.leaks.registry import Case, ReadBy, surface

PATIENCE_SECONDS = 20.0
"""Whoever was to see it may have been shut out meanwhile, with the bot; then nothing comes."""


@surface("under what lapsed", read_by=ReadBy.PLACE, covers=("component:bot.keep_button.Keep",))
async def under_what_lapsed(case: Case) -> None:
    scene, place = case.scene, case.place
    if not scene.oracle.may_speak(place, case.asker.id) or place.id not in scene.server.world.channels:
        return
    canary = scene.canaries.new(Kind.FACT, case.guild.id, place.id, author_id=case.asker.id, subject_id=case.subject.id)
    canary.forgotten = True
    asked = scene.say(
        case.asker, place, f"Bot remember that <@{case.subject.id}> owns a {canary.words} called {canary.token}"
    )
    reply = await scene.tap.answer_to(asked)
    doomed = scene.server.world.message(place.id, asked) if reply is not None else None
    if reply is None or doomed is None:
        return
    scene.server.posting.delete(doomed)
    button = await _offered(case, reply.message_id)
    if button is None:
        return
    message = {"id": str(reply.message_id)}
    for presser in (case.rng.choice(scene.speakers_in(place) or [case.asker]), case.asker):
        await press(replace(case, asker=presser), message, button)


async def _offered(case: Case, message_id: int | None) -> JsonObject | None:
    """The button, when the confirmation says that its message is gone."""
    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE_SECONDS
    while loop.time() < until and message_id is not None:
        stands = case.scene.server.world.message(case.place.id, message_id)
        if stands is None:
            return None
        for _, component in walk(list(stands.components)):
            if str(component.get("custom_id", "")).startswith("keep:"):
                return component
        await asyncio.sleep(0.05)
    return None
