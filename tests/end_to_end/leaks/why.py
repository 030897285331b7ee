"""Surfaces of asking why we said something: who asks sees what they may see themselves, whoever was answered."""

from dataclasses import replace

from tests.end_to_end.leaks.interacting import COMMAND, Payload, begin, wander
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.telling import MESSAGE_MENU

NAME = "Why did you say that?"


@surface(
    "why did you say that",
    read_by=ReadBy.ASKER,
    covers=(f"menu:{NAME}", "read:receipts.explain", "component:bot.why.WhyButton"),
    weight=4,
)
async def why(case: Case) -> None:
    """Under an answer, page by page, by the one who asked and by somebody else who sees it there."""
    asked = case.rng.choice((f"<@{case.scene.bot.id}> what is the {{0}} called?", "Bot what do you know about <@{1}>?"))
    reply = await case.scene.ask(case.asker, case.place, asked.format(case.canary.words, case.subject.id))
    if reply is not None:
        await _ask_why(case, reply.message_id)
        await _ask_why(replace(case, asker=case.rng.choice(case.scene.speakers_in(case.place))), reply.message_id)


@surface("why did you say that, of what is not ours", read_by=ReadBy.ASKER, covers=(f"menu:{NAME}",))
async def why_not_ours(case: Case) -> None:
    """A client offers it under messages that it shows; others are not found."""
    if case.canary.message_id:
        await _ask_why(case, case.canary.message_id)


async def _ask_why(case: Case, message_id: int) -> None:
    target: Payload = {"name": NAME, "type": MESSAGE_MENU, "target_id": str(message_id)}
    await wander(case, await begin(case, {"type": COMMAND, "data": target}), steps=2)
