"""Surfaces of telling by command and menu, and of being asked whom one means."""

from local_guild.actions.posting import Revision
from local_guild.state.world import User
from tests.end_to_end.leaks.buttons import OPENING, press_all
from tests.end_to_end.leaks.canaries import Kind
from tests.end_to_end.leaks.interacting import COMMAND, Payload, begin, press, use
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.slash_commands import buttons_of

ASKER, PLACE = ReadBy.ASKER, ReadBy.PLACE
MESSAGE_MENU = 3


@surface("remember by command", read_by=ASKER, covers=("command:remember", "read:remember"), weight=3)
async def remember(case: Case) -> None:
    """What is told so lives in the place; of oneself it may be for everyone."""
    everyone = case.rng.random() < 0.3
    about = case.asker if everyone or case.rng.random() < 0.3 else case.subject
    canary = case.scene.canaries.new(
        Kind.EVERYWHERE if everyone else Kind.FACT,
        case.guild.id,
        case.place.id,
        author_id=case.asker.id,
        subject_id=about.id,
    )
    who = "I own" if about is case.asker else f"<@{about.id}> owns"
    outcome = await use(case, "remember", fact=f"that {who} a {canary.words} called {canary.token}", everyone=everyone)
    for message in _messages(outcome):
        for button in buttons_of(message):
            if str(button["custom_id"]).startswith(OPENING):
                canary.kind = Kind.EVERYWHERE
                await press(case, message, button)


@surface("remember by command what was told already", read_by=ASKER, covers=("command:remember",), weight=2)
async def remember_again(case: Case) -> None:
    fact = f"<@{case.subject.id}> owns a {case.canary.words}"
    await use(case, "remember", fact=fact, about=str(case.subject.id))


@surface("forget by command", read_by=ASKER, covers=("command:forget", "read:forget"), weight=2)
async def forget(case: Case) -> None:
    case.canary.forgotten = True
    words = case.rng.choice(("that <@{0}> owns a {1}", "the {1} thing", "what <@{0}> calls their {1}"))
    await use(case, "forget", fact=words.format(case.subject.id, case.canary.words))


@surface("remember this, by menu", read_by=ASKER, covers=("menu:Remember this",), weight=2)
async def remember_this(case: Case) -> None:
    """A client offers it under messages that it shows; others are not found."""
    if case.canary.message_id:
        target: Payload = {"name": "Remember this", "type": MESSAGE_MENU, "target_id": str(case.canary.message_id)}
        await begin(case, {"type": COMMAND, "data": target})


@surface("a telling that is edited", read_by=PLACE, covers=("read:facts.is_told_in",), weight=2)
async def edited(case: Case) -> None:
    """It is told anew, and our line under it says so, for all who can see the place."""
    scene, told = case.scene, f"Bot remember that <@{case.subject.id}> owns a {case.canary.words}"
    if not scene.oracle.may_speak(case.place, case.asker.id) or case.place.id not in scene.server.world.channels:
        return
    said = scene.say(case.asker, case.place, told)
    await scene.tap.answer_to(said)
    message = scene.server.world.message(case.place.id, said)
    if message is not None:
        scene.server.posting.edit(message, Revision(content=f"{told}, and polishes it"))


@surface("whom do you mean", read_by=PLACE, covers=("component:bot.replies.buttons.ThisMember",), weight=2)
async def whom_do_you_mean(case: Case) -> None:
    """Pressed by somebody else first, whose choice it is not."""
    said = f"Bot remember that {_in_part(case.subject)} owns a {case.canary.words}"
    reply = await case.scene.ask(case.asker, case.place, said)
    if reply is not None:
        await press_all(case, reply, case.rng.choice(case.scene.speakers_in(case.place)))
        await press_all(case, reply, case.asker)


@surface("whom does a question mean", read_by=PLACE, covers=("component:bot.replies.buttons.ThisMember",), weight=3)
async def whom_does_a_question_mean(case: Case) -> None:
    """What is known of whoever is chosen stands in the place then, and is for all who can see it."""
    asked = case.rng.choice(("Bot what do you know about {0}?", "Bot what does {0} call their {1}?"))
    said = asked.format(_in_part(case.subject), case.canary.words)
    reply = await case.scene.ask(case.asker, case.place, said)
    if reply is not None:
        await press_all(case, reply, case.rng.choice(case.scene.speakers_in(case.place)))
        await press_all(case, reply, case.asker)


@surface("whom does a command mean", read_by=ASKER, covers=("component:bot.replies.buttons.ThisMember",), weight=2)
async def whom_does_it_mean(case: Case) -> None:
    who = _in_part(case.subject)
    told = case.rng.random() < 0.5
    outcome = (
        await use(case, "remember", fact=f"{who} owns a {case.canary.words}")
        if told
        else await use(case, "ask", question=f"what do you know about {who}?")
    )
    for message in _messages(outcome):
        for button in buttons_of(message)[:1]:
            await press(case, message, button)


@surface("which fact do you mean", read_by=PLACE, covers=("component:bot.replies.buttons.ForgetThis",), weight=2)
async def which_fact(case: Case) -> None:
    """Some words of a fact, and others that nobody used: what may be meant is listed, and can be chosen."""
    said = f"Bot forget the {case.canary.words} regatta"
    reply = await case.scene.ask(case.asker, case.place, said)
    if reply is not None:
        for listed in case.scene.canaries.within(reply.text):
            listed.forgotten = True
        await press_all(case, reply, case.rng.choice(case.scene.speakers_in(case.place)))
        await press_all(case, reply, case.asker)


@surface("which fact does a command mean", read_by=ASKER, covers=("component:bot.replies.buttons.ForgetThis",))
async def which_fact_by_command(case: Case) -> None:
    outcome = await use(case, "forget", fact=f"the {case.canary.words} regatta")
    for listed in case.scene.canaries.within(str(outcome)):
        listed.forgotten = True
    for message in _messages(outcome):
        for button in buttons_of(message)[:1]:
            await press(case, message, button)


def _messages(outcome: Payload | None) -> list[Payload]:
    if outcome is None:
        return []
    return [message for message in [outcome.get("message"), *(outcome.get("followups") or [])] if message]


def _in_part(user: User) -> str:
    return user.name[:-1]
