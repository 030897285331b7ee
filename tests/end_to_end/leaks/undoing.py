"""Surfaces under the line that says what changed: undo, other words, and the word of whom it is about."""

from dataclasses import replace

from tests.end_to_end.leaks.canaries import Kind
from tests.end_to_end.leaks.interacting import Payload, press, submit, use
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.slash_commands import buttons_of

ASKER, PLACE = ReadBy.ASKER, ReadBy.PLACE
OF_CHANGES = ("undo:", "edit:", "not-true:")


@surface(
    "under what was told",
    read_by=PLACE,
    covers=(
        "component:bot.replies.buttons.ReplyButton",
        "component:bot.replies.buttons.Undo",
        "component:bot.replies.buttons.Edit",
        "component:bot.replies.buttons.NotTrue",
        "component:bot.facts.undo.FactModal",
        "read:undos.undo",
        "read:undos.words",
        "read:undos.edit",
    ),
    weight=3,
)
async def under_what_was_told(case: Case) -> None:
    """Pressed by anybody there, and at last by those whose it is: the line is edited before everyone's eyes."""
    scene = case.scene
    canary = scene.canaries.new(
        Kind.FACT, case.guild.id, case.place.id, author_id=case.asker.id, subject_id=case.subject.id
    )
    canary.forgotten = True
    said = f"Bot remember that <@{case.subject.id}> owns a {canary.words} called {canary.token}"
    reply = await scene.ask(case.asker, case.place, said)
    if reply is None:
        return
    message = {"id": str(reply.message_id), "components": list(reply.components)}
    speakers = scene.speakers_in(case.place)
    those_meant = [user for user in speakers if user.id == case.subject.id]
    for presser in (case.rng.choice(speakers), *those_meant, case.asker):
        await press_one(replace(case, asker=presser), message)


@surface("under what was forgotten", read_by=PLACE, covers=("component:bot.replies.buttons.Undo",), weight=2)
async def under_what_was_forgotten(case: Case) -> None:
    """What comes back may have been told elsewhere: it is said only to those who could hear it there."""
    case.canary.forgotten = True
    said = case.rng.choice(("Bot forget that <@{0}> owns a {1}", "Bot forget everything about me"))
    _no_longer_relied_upon(case)
    reply = await case.scene.ask(case.asker, case.place, said.format(case.subject.id, case.canary.words))
    if reply is not None:
        await press_one(case, {"id": str(reply.message_id), "components": list(reply.components)})


@surface("under what was forgotten by command", read_by=ASKER, covers=("component:bot.replies.buttons.Undo",))
async def under_what_was_forgotten_by_command(case: Case) -> None:
    case.canary.forgotten = True
    outcome = await use(case, "forget", fact=f"that <@{case.subject.id}> owns a {case.canary.words}")
    for message in (outcome or {}).get("followups") or []:
        await press_one(case, message)


async def press_one(case: Case, message: Payload) -> None:
    buttons = [one for one in buttons_of(message) if str(one["custom_id"]).startswith(OF_CHANGES)]
    if not buttons:
        return
    outcome = await press(case, message, case.rng.choice(buttons))
    if outcome is not None and outcome.get("modal"):
        await submit(case, outcome["modal"])


def _no_longer_relied_upon(case: Case) -> None:
    """What is about the asker, whether or not it comes back."""
    for canary in case.scene.canaries:
        about_asker = canary.guild_id == case.guild.id and canary.subject_id == case.asker.id
        canary.forgotten = canary.forgotten or about_asker
