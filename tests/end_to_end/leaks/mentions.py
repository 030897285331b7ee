"""Surfaces that are words in a channel: everyone who sees the place reads the reply."""

from local_guild.actions.posting import Draft
from tests.end_to_end.leaks.canaries import Kind
from tests.end_to_end.leaks.planting import Planting
from tests.end_to_end.leaks.registry import Case, ReadBy, surface

PLACE = ReadBy.PLACE


WITH_AN_ANSWER = (
    "read:day_answers.asked_for",
    "read:day_answers.tell",
    "read:recall.for_answer",
    "read:contexts.cached_profile",
    "read:receipts.receipt_of",
    "read:receipts.broken_for_one",
    "read:receipts.with_standing_sources",
)
"""What every answer is made of, or kept with."""


@surface(
    "a question by mention", read_by=PLACE, covers=("intent:question", "read:answers.answer", *WITH_AN_ANSWER), weight=8
)
async def question(case: Case) -> None:
    await case.scene.ask(case.asker, case.place, f"<@{case.scene.bot.id}> what is the {case.canary.words} called?")


@surface(
    "what is known of somebody",
    read_by=PLACE,
    covers=("intent:knowledge", "read:answers.what_is_known", "read:day_answers.lately"),
    weight=5,
)
async def knowledge(case: Case) -> None:
    """Of them alone, or of all who are listed."""
    listed = case.rng.choice(("<@{0}>", "me and <@{0}>"))
    await case.scene.ask(case.asker, case.place, f"Bot what do you know about {listed.format(case.subject.id)}?")


@surface("what is known of oneself, the server, a thing", read_by=PLACE, covers=("intent:knowledge",), weight=3)
async def knowledge_of_things(case: Case) -> None:
    for whom in ("me", "this server", case.canary.words):
        await case.scene.ask(case.asker, case.place, f"Bot what do you know about {whom}?")


@surface("what was known when", read_by=PLACE, covers=("intent:knowledge", "intent:question"), weight=3)
async def known_then(case: Case) -> None:
    """From the ledger by its dates: what holds, what is over, and what took its place."""
    who, ask = f"<@{case.subject.id}>", case.scene.ask
    for question in (
        f"what did we believe about {who} this year?",
        "what did you know this year?",
        f"what did we know about {who} since yesterday?",
        f"since when does {who} own a {case.canary.words}?",
        f"what do you know about {who} this month?",
    ):
        await ask(case.asker, case.place, f"Bot {question}")


@surface("somebody called by a name of the guild", read_by=PLACE, covers=("intent:knowledge", "intent:question"))
async def names(case: Case) -> None:
    """Not of the other one: what somebody types here can be read here, wherever they have it from."""
    known = [one for one in case.scene.canaries.of((Kind.NICKNAME, Kind.USERNAME)) if one.guild_id == case.guild.id]
    name = case.rng.choice(known).token
    await case.scene.ask(case.asker, case.place, f"Bot what do you know about {name}?")
    await case.scene.ask(case.asker, case.place, f"Bot, what does {name} own, a {case.canary.words}?")


@surface("remember", read_by=PLACE, covers=("intent:remember", "read:remember", "read:facts.remember"), weight=2)
async def remember(case: Case) -> None:
    await Planting(case.scene, case.rng).tell_by(case.guild, case.place, case.asker)


@surface("remember what somebody else has told already", read_by=PLACE, covers=("intent:remember", "read:remember"))
async def remember_again(case: Case) -> None:
    """Whether it is known already may be said only where it could be heard."""
    await case.scene.ask(case.asker, case.place, f"Bot remember that <@{case.subject.id}> owns a {case.canary.words}")


@surface("remember this", read_by=PLACE, covers=("intent:remember",))
async def remember_this(case: Case) -> None:
    """What was said last in the place, or a message replied to; also one that stands somewhere else."""
    await case.scene.ask(case.asker, case.place, f"Bot remember this about <@{case.subject.id}>")
    if case.canary.source_id == case.place.id and case.canary.message_id:
        await case.scene.ask(case.asker, case.place, "Bot remember this", reply_to=case.canary.message_id)


@surface("this, pointing into another channel", read_by=PLACE, covers=("intent:remember", "intent:question"))
async def this_elsewhere(case: Case) -> None:
    """Discord would not let a client do this; a bot must not depend on it."""
    scene, canary = case.scene, case.canary
    if not canary.message_id or canary.source_id is None:
        return
    for text in ("Bot remember this", "Bot forget this", "Bot what is this?"):
        draft = Draft(
            channel=case.place,
            author_id=case.asker.id,
            content=text,
            type=19,
            reference={
                "type": 0,
                "message_id": str(canary.message_id),
                "channel_id": str(canary.source_id),
                "guild_id": str(canary.guild_id),
            },
        )
        await scene.tap.answer_to(scene.server.posting.send(draft).id)


@surface("forget", read_by=PLACE, covers=("intent:forget", "read:forget", "read:facts.forget"), weight=2)
async def forget(case: Case) -> None:
    """Whoever may not have it forgotten is told what they may not: only if it could be heard here."""
    case.canary.forgotten = True
    await case.scene.ask(case.asker, case.place, f"Bot forget that <@{case.subject.id}> owns a {case.canary.words}")


@surface("forget everything about somebody", read_by=PLACE, covers=("intent:forget", "read:forget"))
async def forget_everything(case: Case) -> None:
    whom = "me" if case.rng.random() < 0.3 else f"<@{case.subject.id}>"
    about = case.asker.id if whom == "me" else case.subject.id
    for canary in case.scene.canaries.of((Kind.FACT, Kind.EVERYWHERE)):
        canary.forgotten = canary.forgotten or (canary.guild_id == case.guild.id and canary.subject_id == about)
    await case.scene.ask(case.asker, case.place, f"Bot forget everything about {whom}")


@surface("a reply to the bot", read_by=PLACE, covers=("intent:question",), weight=2)
async def reply_to_the_bot(case: Case) -> None:
    answered = await case.scene.ask(case.asker, case.place, "Bot, tell me something.")
    if answered is not None:
        words = f"What is the {case.canary.words} called?"
        await case.scene.ask(case.asker, case.place, words, reply_to=answered.message_id)


@surface("a direct message", read_by=ReadBy.ASKER, covers=("direct message",))
async def direct_message(case: Case) -> None:
    """There is no guild in it, so nothing of any guild may come."""
    scene = case.scene
    headers = {"Authorization": case.asker.token}
    url, body = f"{scene.address.api_url}/users/@me/channels", {"recipient_id": str(scene.bot.id)}
    opened = (await scene.http.post(url, headers=headers, json=body)).raise_for_status().json()
    channel = scene.server.world.channels[int(opened["id"])]
    said = f"What is the {case.canary.words} called, and what do you know about <@{case.subject.id}>?"
    await scene.tap.answer_to(scene.say(case.asker, channel, said))
