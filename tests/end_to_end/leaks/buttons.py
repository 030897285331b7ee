"""Surfaces under and beside replies: answers to one reader alone, and the word of a teller that all may know."""

from dataclasses import replace

from bot.replies.buttons import EveryoneMayKnow
from local_guild.state.world import User
from tests.end_to_end.leaks.canaries import Kind
from tests.end_to_end.leaks.interacting import press, use
from tests.end_to_end.leaks.planting import Planting
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.slash_commands import buttons_of
from tests.end_to_end.leaks.wiretap import Overheard

ASKER, PLACE = ReadBy.ASKER, ReadBy.PLACE
OPENING = EveryoneMayKnow.kind


@surface("ask", read_by=ASKER, covers=("command:ask",), weight=4)
async def ask(case: Case) -> None:
    await use(case, "ask", question=f"What is the {case.canary.words} called?")


@surface("ask, what is known of somebody", read_by=ASKER, covers=("command:ask",), weight=2)
async def ask_what_is_known(case: Case) -> None:
    await use(case, "ask", question=f"What do you know about <@{case.subject.id}>?")


@surface("ask, for something else than an answer", read_by=ASKER, covers=("command:ask",))
async def ask_for_more(case: Case) -> None:
    await use(case, "ask", question=f"Bot forget that <@{case.subject.id}> owns a {case.canary.words}")


@surface("answer only to me", read_by=ASKER, covers=("component:bot.replies.buttons.AnswerOnlyToMe",), weight=4)
async def answer_only_to_me(case: Case) -> None:
    """Pressed by the asker, and by somebody else who sees it there."""
    asked = f"<@{case.scene.bot.id}> what is the {case.canary.words} called?"
    reply = await case.scene.ask(case.asker, case.place, asked)
    if reply is not None:
        await press_all(case, reply, case.asker)
        await press_all(case, reply, case.rng.choice(case.scene.speakers_in(case.place)))


@surface("remember everywhere", read_by=PLACE, covers=("intent:remember",), weight=2)
async def remember_everywhere(case: Case) -> None:
    await Planting(case.scene, case.rng).tell_by(case.guild, case.place, case.asker, everywhere=True)


@surface(
    "everyone may know this",
    read_by=PLACE,
    covers=("component:bot.replies.buttons.EveryoneMayKnow", "read:remember"),
    weight=3,
)
async def everyone_may_know(case: Case) -> None:
    """First pressed by others, whose word it is not; the teller opens it half of the times."""
    scene = case.scene
    canary = scene.canaries.new(
        Kind.FACT, case.guild.id, case.place.id, author_id=case.asker.id, subject_id=case.asker.id
    )
    reply = await scene.ask(case.asker, case.place, f"Bot remember that I own a {canary.words} called {canary.token}")
    if reply is None:
        return
    others = [user for user in scene.speakers_in(case.place) if user.id != case.asker.id]
    if others:
        await press_all(case, reply, case.rng.choice(others), only=OPENING)
    if case.rng.random() < 0.5:
        canary.kind = Kind.EVERYWHERE if OPENING in str(reply.components) else Kind.FACT
        await press_all(case, reply, case.asker, only=OPENING)


async def press_all(case: Case, reply: Overheard, presser: User, *, only: str = "") -> None:
    """`only`: how the ids of those begin that are pressed."""
    message = {"id": str(reply.message_id), "components": list(reply.components)}
    pressing = replace(case, asker=presser)
    for button in buttons_of(message):
        if str(button["custom_id"]).startswith(only):
            await press(pressing, message, button)
