"""Surfaces that are words in a channel, and the buttons under the reply: everyone who sees the place reads it."""

from dataclasses import replace

from bot.replies.buttons import EveryoneMayKnow
from bot.replies.split import jump_link
from memory.policy.settings import GuildSettings
from tests.end_to_end.leaks.canaries import Kind
from tests.end_to_end.leaks.member import buttons_of, press, press_all, submit, use_menu, wander
from tests.end_to_end.leaks.registry import Case, Door, surface
from tests.end_to_end.leaks.wiretap import PASTED

WORDS = Door.WORDS
BUTTONS = "component:bot.replies.buttons"
OPENING = EveryoneMayKnow.kind
OF_CHANGES = ("undo:", "edit:", "not-true:")
WHY = "Why did you say that?"
ROUTED = "read:answers.answer_or_intent"
WITH_AN_ANSWER = (
    "read:answers.answer",
    "read:day_answers.asked_for",
    "read:day_answers.tell",
    "read:recall.for_answer",
    "read:contexts.cached_profile",
    "read:receipts.receipt_of",
    "read:receipts.with_standing_sources",
)
"""What every answer is made of, or kept with."""


def say(name: str, *sentences: str, covers: tuple[str, ...], one_of: bool = False, pressed: bool = False) -> None:
    """Each sentence, or one of them; where there are buttons, somebody else presses first, whose answer it is not."""

    @surface(name, WORDS, *covers)
    async def drive(case: Case) -> None:
        for sentence in (case.rng.choice(sentences),) if one_of else sentences:
            reply = await case.scene.ask(case.asker, case.place, case.filled(sentence))
            if reply is not None and pressed:
                await press_all(case, reply, case.rng.choice(case.scene.speakers_in(case.place)))
                await press_all(case, reply, case.asker)


say(
    "a question by mention",
    "{bot} what is the {words} called?",
    covers=("intent:question", f"{BUTTONS}.AnswerOnlyToMe", *WITH_AN_ANSWER),
    pressed=True,
)
say("a question without a question mark", "Bot, the name of the {words}", covers=("intent:question", ROUTED))
say(
    "what is known of somebody",
    "Bot what do you know about {subject}?",
    "Bot what do you know about me and {subject}?",
    covers=("intent:knowledge", "read:answers.what_is_known", "read:day_answers.lately"),
    one_of=True,
)
say(
    "what is known of oneself, the server, a thing",
    "Bot what do you know about me?",
    "Bot what do you know about this server?",
    "Bot what do you know about {words}?",
    covers=("intent:knowledge",),
)
say(  # from the ledger by its dates: what holds, what is over, and what took its place
    "what was known when",
    "Bot what did we believe about {subject} this year?",
    "Bot what did you know this year?",
    "Bot what did we know about {subject} since yesterday?",
    "Bot since when does {subject} own a {words}?",
    "Bot what do you know about {subject} this month?",
    covers=("intent:knowledge", "intent:question"),
)
say(
    "what happened on a day",
    "{bot} what happened today?",
    "{bot} what happened yesterday?",
    "Bot, what did {subject} do today?",
    covers=("intent:question", "intent:days", ROUTED),
    one_of=True,
)
say(
    "where were we",
    "{bot} where were we?",
    "{bot} tl;dr",
    "{bot} what have we talked about here?",
    covers=("intent:question", "intent:channel", ROUTED),
    one_of=True,
)
say(
    "what is coming up",
    "{bot} what's coming up?",
    "{bot} the {words} calendar",
    covers=("intent:question", "intent:coming_up", ROUTED),
    one_of=True,
)
say(
    "what is pinned",
    "{bot} what's pinned here?",
    "{bot} the {words} on the pinboard",
    covers=("intent:question", "intent:pins", ROUTED),
    one_of=True,
)
say("a kind word", "Bot, thank you so much!", "Bot, that {words} was a dream", covers=("intent:chatter", ROUTED))
say(  # said aloud is only where to find it
    "what is for oneself alone",
    "Bot, I was gone, and the {words}",
    "Bot, those reminders of mine about the {words}",
    covers=("intent:catch_up", "intent:reminders", ROUTED),
)
say(
    "what somebody missed, in words",
    "Bot, what did I miss?",
    covers=("intent:chatter", f"{BUTTONS}.ShowMissed"),
    pressed=True,
)
say(  # whether it is known already may be said only where it could be heard
    "remember what somebody else has told already",
    "Bot remember that {subject} owns a {words}",
    "Bot, {subject} owns a {words}, put that in your book",
    covers=("intent:remember", "read:remember", ROUTED),
)
say(  # whoever may not have it forgotten is told what they may not: only if it could be heard here
    "forget", "Bot forget that {subject} owns a {words}", covers=("intent:forget", "read:forget", "read:facts.forget")
)
say(  # what would go is shown, to be chosen: only what could be heard here
    "which fact do you mean",
    "Bot forget the {words} regatta",
    "Bot, that {words} of {subject} is over, drop it",
    covers=("intent:forget", ROUTED, f"{BUTTONS}.ForgetThis"),
    pressed=True,
)
say(
    "forget everything about somebody", "Bot forget everything about {subject}", covers=("intent:forget", "read:forget")
)
say(
    "whom do you mean",
    "Bot remember that {part_of_name} owns a {words}",
    "Bot what do you know about {part_of_name}?",
    "Bot what does {part_of_name} call their {words}?",
    covers=(f"{BUTTONS}.ThisMember",),
    one_of=True,
    pressed=True,
)
say(  # a reminder is its owner's own, so what may leak is where it was asked for, and what it points at
    "a reminder in words",
    "Bot remind me in 2 seconds to see to the {words}",
    "Bot remind me tomorrow at 9 to see to the {words}",
    "Bot remind me every day at 8 to see to the {words}",
    "Bot remind me to see to the {words}",
    covers=("intent:remind", "component:bot.reminders.pages.ReminderButton"),
    one_of=True,
    pressed=True,
)


@surface("somebody called by a name of the guild", WORDS, "intent:knowledge", "intent:question")
async def names(case: Case) -> None:
    """Not of the other one: what somebody types here can be read here, wherever they have it from."""
    known = [one for one in case.scene.canaries.of((Kind.NICKNAME, Kind.USERNAME)) if one.guild_id == case.guild.id]
    name = case.rng.choice(known).token
    await case.scene.ask(case.asker, case.place, f"Bot what do you know about {name}?")
    await case.scene.ask(case.asker, case.place, f"Bot, what does {name} own, a {case.canary.words}?")


@surface("remember", WORDS, "intent:remember", "read:remember", "read:facts.remember")
async def remember(case: Case) -> None:
    await case.scene.tell_by(case.guild, case.place, case.asker, everywhere=case.rng.random() < 0.5)


@surface("remember this", WORDS, "intent:remember", "intent:question")
async def this(case: Case) -> None:
    """What was said last, what is replied to, and a message of another channel: Discord would not let a client do
    that, and a bot must not depend on it."""
    scene, canary = case.scene, case.canary
    await scene.ask(case.asker, case.place, case.filled("Bot remember this about {subject}"))
    if not canary.message_id or canary.source_id is None or not scene.oracle.may_speak(case.place, case.asker.id):
        return
    reference = {"type": 0, "message_id": f"{canary.message_id}", "channel_id": f"{canary.source_id}"}
    reference["guild_id"] = str(canary.guild_id)
    for text in ("Bot remember this", "Bot forget this", "Bot what is this?"):
        if case.place.id in scene.server.world.channels:
            await scene.tap.answer_to(scene.say(case.asker, case.place, text, type=19, reference=reference))


@surface("a link to a message", WORDS, "intent:remember", "intent:question")
async def linked(case: Case) -> None:
    """Of any channel of either server: whoever has a link can paste it anywhere."""
    scene, canary = case.scene, case.canary
    if not canary.message_id or canary.source_id is None or not scene.oracle.may_speak(case.place, case.asker.id):
        return
    link = jump_link(canary.guild_id, canary.source_id, canary.message_id)
    link = link.replace("https://discord.com/", PASTED)
    if case.place.id in scene.server.world.channels:
        scene.say(case.asker, case.place, f"Look, the {canary.words}: {link}")
    for text in ("Bot remember this: {link}", "{bot} what is this about? {link}", "{bot} what is the {words} called?"):
        await scene.ask(case.asker, case.place, case.filled(text.replace("{link}", link)))


@surface("a reply to the bot", WORDS, "intent:question")
async def reply_to_the_bot(case: Case) -> None:
    answered = await case.scene.ask(case.asker, case.place, "Bot, tell me something.")
    if answered is not None:
        words = f"What is the {case.canary.words} called?"
        await case.scene.ask(case.asker, case.place, words, reply_to=answered.message_id)


@surface("a telling that is edited", WORDS, "read:facts.is_told_in")
async def edited(case: Case) -> None:
    """It is told anew, and our line under it says so, for all who can see the place."""
    scene, told = case.scene, case.filled("Bot remember that {subject} owns a {words}")
    if scene.oracle.may_speak(case.place, case.asker.id) and case.place.id in scene.server.world.channels:
        said = scene.say(case.asker, case.place, told)
        await scene.tap.answer_to(said)
        scene.edit(case.place, said, f"{told}, and polishes it")


@surface("everyone may know this", WORDS, f"{BUTTONS}.EveryoneMayKnow", "read:remember")
async def everyone_may_know(case: Case) -> None:
    """First pressed by others, whose word it is not; the teller opens it half of the times."""
    canary = case.scene.canary(Kind.FACT, case.place, case.asker, subject_id=case.asker.id)
    told = f"Bot remember that I own a {canary.words} called {canary.token}"
    reply = await case.scene.ask(case.asker, case.place, told)
    if reply is None:
        return
    others = [user for user in case.scene.speakers_in(case.place) if user.id != case.asker.id]
    if others:
        await press_all(case, reply, case.rng.choice(others), only=OPENING)
    if case.rng.random() < 0.5:
        canary.kind = Kind.EVERYWHERE if OPENING in str(reply.components) else Kind.FACT
        await press_all(case, reply, case.asker, only=OPENING)


@surface(
    "under what was told and forgotten",
    WORDS,
    *(f"{BUTTONS}.{name}" for name in ("ReplyButton", "Undo", "Edit", "NotTrue")),
    "component:bot.facts.undo.FactModal",
    "read:undos.undo",
    "read:undos.words",
    "read:undos.edit",
)
async def under_what_changed(case: Case) -> None:
    """Pressed by anybody there, and at last by those whose it is: the line is edited before everyone's eyes. What comes
    back may have been told elsewhere: it is said only to those who could hear it there."""
    scene, place = case.scene, case.place
    canary = scene.canary(Kind.FACT, place, case.asker, subject_id=case.subject.id)
    told = case.filled(f"Bot remember that {{subject}} owns a {canary.words} called {canary.token}")
    forgotten = case.rng.choice(("Bot forget that {subject} owns a {words}", "Bot forget everything about me"))
    for said in (told, case.filled(forgotten)):
        reply = await scene.ask(case.asker, place, said)
        if reply is None:
            continue
        message = {"id": str(reply.message_id), "components": list(reply.components)}
        buttons = [one for one in buttons_of(message) if str(one["custom_id"]).startswith(OF_CHANGES)]
        speakers = scene.speakers_in(place)
        meant = [user for user in speakers if user.id == case.subject.id]
        for presser in (case.rng.choice(speakers), *meant, case.asker) if buttons else ():
            pressing = replace(case, asker=presser)
            outcome = await press(pressing, message, case.rng.choice(buttons))
            if outcome is not None and outcome.get("modal"):
                await submit(pressing, outcome["modal"])


@surface("what is let on to the bot", WORDS, "intent:question")
async def let_on(case: Case) -> None:
    """It lives where it was said, and is used there and where all who read could read that."""
    scene, place, asker = case.scene, case.place, case.asker
    canary = scene.canary(Kind.FACT, place, asker, subject_id=asker.id)
    await scene.ask(asker, place, f"Bot, how are you? I own a {canary.words} called {canary.token}.")
    await scene.memory.privacy.change_settings(case.guild.id, _without_sessions)
    await scene.memory.memories.take_due()
    await scene.ask(asker, place, f"Bot, what is the {canary.words} called?")


def _without_sessions(settings: GuildSettings) -> GuildSettings:
    return replace(settings, answers=replace(settings.answers, session_minutes=0))


@surface("why did you say that", WORDS, f"menu:{WHY}", "read:receipts.explain", "component:bot.why.WhyButton")
async def why(case: Case) -> None:
    """Under an answer, page by page, by the one who asked and by somebody else who sees it there; and of what is not
    ours. Who asks sees what they may see themselves, whoever was answered."""
    asked = case.rng.choice(("{bot} what is the {words} called?", "Bot what do you know about {subject}?"))
    reply = await case.scene.ask(case.asker, case.place, case.filled(asked))
    if reply is not None:
        for asker in (case.asker, case.rng.choice(case.scene.speakers_in(case.place))):
            asking = replace(case, asker=asker)
            await wander(asking, await use_menu(asking, WHY, reply.message_id), steps=3)
    if case.canary.message_id:
        await use_menu(case, WHY, case.canary.message_id)


@surface("that was wrong", WORDS, "menu:That was wrong", "component:bot.verdicts.WrongForm")
async def wrong(case: Case) -> None:
    """Under an answer, by whoever sees it: what it cites is shown to them as far as they can read it."""
    reply = await case.scene.ask(case.asker, case.place, case.filled("Bot what do you know about {subject}?"))
    if reply is not None:
        for asker in (case.asker, case.rng.choice(case.scene.speakers_in(case.place))):
            asking = replace(case, asker=asker)
            await wander(asking, await use_menu(asking, "That was wrong", reply.message_id), steps=3)


@surface("a direct message", WORDS, "direct message")
async def direct_message(case: Case) -> None:
    """There is no guild in it, so nothing of any guild may come."""
    scene = case.scene
    headers = {"Authorization": case.asker.token}
    url, body = f"{scene.address.api_url}/users/@me/channels", {"recipient_id": str(scene.bot.id)}
    opened = (await scene.http.post(url, headers=headers, json=body)).raise_for_status().json()
    channel = scene.server.world.channels[int(opened["id"])]
    asked = case.filled("What is the {words} called, and what do you know about {subject}?")
    await scene.tap.answer_to(scene.say(case.asker, channel, asked))
