"""Every kind of deletion that there is, each by the door through which people reach it."""

from collections.abc import Mapping
from typing import Any

from local_guild.actions.posting import Revision
from local_guild.state.messages import Message
from local_guild.state.world import Channel, Role, User
from tests.end_to_end.erasure.canaries import Canary
from tests.end_to_end.erasure.registry import CarryOut, Plot, Reach, deletion
from tests.end_to_end.erasure.stage import Stage
from tests.end_to_end.erasure.ways_in import speaker_of
from tests.end_to_end.house import until
from tests.end_to_end.leaks.member import buttons_of, messages_of

TABLES = "tables"
IN_THE_BOT, BESIDE_IT = "living objects of the bot", "living objects of the process beside it"
ON_DISCORD = "our messages on Discord"
HEARSAY = "fact told by somebody else"
TOLD = "fact told in a channel"
BRIDGED = "text behind a webhook"
REMINDER = "reminder asked for in a channel"
"""It outlives the place it was asked in, and comes by direct message then; and it is kept until it is due."""
Payload = dict[str, Any]


def _messages(stage: Stage, plot: Plot) -> list[tuple[Canary, Message]]:
    world = stage.server.world
    found = [(canary, world.message(plot.channel.id, canary.message_id)) for canary in plot.canaries]
    return [(canary, message) for canary, message in found if message is not None]


@deletion("a message is deleted", reach=Reach.MESSAGE)
async def deleted(stage: Stage, plot: Plot) -> None:
    for _, message in _messages(stage, plot):
        stage.server.posting.delete(message)


@deletion("messages are deleted in bulk", reach=Reach.MESSAGE)
async def bulk_deleted(stage: Stage, plot: Plot) -> None:
    stage.server.posting.delete_many(plot.channel, [message for _, message in _messages(stage, plot)])


@deletion("a message is edited", reach=Reach.MESSAGE)
async def edited(stage: Stage, plot: Plot) -> None:
    for _, message in _messages(stage, plot):
        message.poll, message.message_snapshots, message.sticker_items = None, [], []
        stage.server.posting.edit(message, Revision(content="Never mind", embeds=[], attachments=[]))


@deletion("a message is deleted while the bot is away", reach=Reach.MESSAGE, needs_bot=False)
async def deleted_meanwhile(stage: Stage, plot: Plot) -> None:
    await deleted(stage, plot)


@deletion("a message is gone and nobody was told", reach=Reach.MESSAGE)
async def gone_unnoticed(stage: Stage, plot: Plot) -> None:
    """The sweep finds out."""
    for _, message in _messages(stage, plot):
        stage.server.world.drop(message)


@deletion("a channel is deleted", reach=Reach.CHANNEL, but_for=(REMINDER,))
async def channel_deleted(stage: Stage, plot: Plot) -> None:
    stage.server.places.delete_channel(plot.channel)


@deletion("a channel is deleted while the bot is away", reach=Reach.CHANNEL, but_for=(REMINDER,), needs_bot=False)
async def channel_deleted_meanwhile(stage: Stage, plot: Plot) -> None:
    stage.server.places.delete_channel(plot.channel)


@deletion("a thread is deleted", reach=Reach.THREAD, but_for=(REMINDER,))
async def thread_deleted(stage: Stage, plot: Plot) -> None:
    stage.server.threads.delete(plot.channel)


@deletion("a channel is deleted with its thread", reach=Reach.THREAD, but_for=(REMINDER,))
async def deleted_with_thread(stage: Stage, plot: Plot) -> None:
    assert plot.channel.parent_id is not None
    stage.server.places.delete_channel(stage.server.world.channels[plot.channel.parent_id])


@deletion("a channel is excluded", reach=Reach.CHANNEL, but_for=(TOLD,))
async def channel_excluded(stage: Stage, plot: Plot) -> None:
    await _decided(stage, plot, "settings", "log", "exclude-channel", given={"channel": str(plot.channel.id)})


@deletion("a channel is erased", reach=Reach.CHANNEL)
async def channel_erased(stage: Stage, plot: Plot) -> None:
    await _decided(stage, plot, "channel-memory", "erase", given={"channel": str(plot.channel.id)})


@deletion("a name behind a webhook is left out", reach=Reach.MESSAGE, only=(BRIDGED,))
async def name_left_out(stage: Stage, plot: Plot) -> None:
    for canary in plot.canaries:
        await _decided(stage, plot, "settings", "bridges", "leave-out", given={"name": speaker_of(canary)})


@deletion("a role is excluded", reach=Reach.AUTHOR, but_for=(TOLD,))
async def role_excluded(stage: Stage, plot: Plot) -> None:
    guild, role = plot.inn.guild, Role(stage.server.ids.next(), "guests")
    stage.server.places.add_role(guild, role)
    stage.server.membership.change(guild, stage.server.world.members(guild.id)[plot.author.id], role_ids=[role.id])
    await _decided(stage, plot, "settings", "log", "exclude-role", given={"role": str(role.id)})


@deletion("a member is erased", reach=Reach.MEMBER)
async def member_erased(stage: Stage, plot: Plot) -> None:
    here = plot.inn.channels[0]
    await press_first(stage, plot.author, here, await stage.command(plot.author, here, "privacy", "erase"))


@deletion("a member opts out", reach=Reach.MEMBER)
async def opted_out(stage: Stage, plot: Plot) -> None:
    here = plot.inn.channels[0]
    await press_first(stage, plot.author, here, await stage.command(plot.author, here, "privacy", "opt-out"))


@deletion(
    "a guild keeps nothing that is older than a day",
    reach=Reach.GUILD,
    inn="forgetful inn",
    spares=(ON_DISCORD,),  # what was answered while it was kept stays said
    but_for=("nickname", REMINDER, "scheduled event"),  # an event is kept until it took place
)
async def expired(stage: Stage, plot: Plot) -> None:
    for what in ("retention", "summaries", "facts"):
        await _decided(stage, plot, "settings", "log", what, given={"days": 1})


@deletion(
    "the bot is sent away",
    reach=Reach.GUILD,
    inn="left inn",
    spares=(ON_DISCORD,),  # where it may not do anything any more
)
async def sent_away(stage: Stage, plot: Plot) -> None:
    guild = plot.inn.guild
    stage.server.membership.leave(guild, stage.server.world.members(guild.id)[stage.server.world.bot.id])


@deletion("a guild is erased and left", reach=Reach.GUILD, inn="erased inn", spares=(ON_DISCORD,))
async def guild_erased(stage: Stage, plot: Plot) -> None:
    await _decided(stage, plot, "innkeeper", "leave", given={})


@deletion("what was just told is undone", reach=Reach.FACT)
async def undone(stage: Stage, plot: Plot) -> None:
    """Told once more, in other words: what was told days ago cannot be undone any longer."""
    for way in ("fact by command", "alias by command"):
        canary = stage.canaries.new(way, plot.inn.guild.id, plot.channel.id, plot.author.id, plot.fate)
        plot.canaries.append(canary)
        told = await stage.command(
            plot.author, plot.channel, "remember", given={"fact": f"that I once owned a kite called {canary.token}"}
        )
        await press_first(stage, plot.author, plot.channel, told, "undo:")
    await forgotten(stage, plot)


@deletion("a fact is forgotten by command", reach=Reach.FACT)
async def forgotten(stage: Stage, plot: Plot) -> None:
    for canary in plot.canaries:
        await stage.command(plot.author, plot.channel, "forget", given={"fact": canary.token})


def _by_button(label: str) -> CarryOut:
    async def carry_out(stage: Stage, plot: Plot) -> None:
        """All that `/memory show` tells about somebody, one after the other, by themselves."""
        outcome = await stage.command(plot.author, plot.channel, "memory", "show")
        shown = int(outcome["message"]["id"])

        def buttons() -> dict[str, Payload]:
            message = stage.server.world.message(plot.channel.id, shown)
            assert message is not None
            return {one["label"]: one for one in buttons_of(stage.server.payloads.message(message, plot.author.id))}

        async def press(wanted: str) -> None:
            """Until something else stands there."""
            before = buttons()
            await stage.press(plot.author, plot.channel, {"id": str(shown)}, before[wanted])
            await until(lambda: buttons() != before)

        while numbers := [one for one in buttons() if one.isdigit()]:
            for wanted in (numbers[0], label, "Back"):
                await press(wanted)

    return carry_out


deletion("a fact is forgotten by a button", reach=Reach.FACT)(_by_button("Forget"))


@deletion("a fact is denied", reach=Reach.FACT, only=(HEARSAY,))
async def denied(stage: Stage, plot: Plot) -> None:
    """And told once more, in vain."""
    await _by_button("Not true")(stage, plot)
    for canary in plot.canaries:
        fact = f"that <@{plot.author.id}> owns a boat called {canary.token}"
        await stage.command(plot.inn.people[0], plot.channel, "remember", given={"fact": fact})


@deletion("somebody takes another nickname", reach=Reach.NAME)
async def renamed(stage: Stage, plot: Plot) -> None:
    guild = plot.inn.guild
    stage.server.membership.change(guild, stage.server.world.members(guild.id)[plot.author.id], nick="Somebody")


@deletion("somebody leaves", reach=Reach.NAME)
async def left(stage: Stage, plot: Plot) -> None:
    guild = plot.inn.guild
    stage.server.membership.leave(guild, stage.server.world.members(guild.id)[plot.author.id])


async def _decided(stage: Stage, plot: Plot, *path: str, given: Mapping[str, object]) -> None:
    """By the owner of the inn, who is asked once more where it takes something away."""
    here = plot.inn.channels[0]
    outcome = await stage.command(plot.inn.owner, here, *path, given=given)
    await press_first(stage, plot.inn.owner, here, outcome)


async def press_first(stage: Stage, who: User, where: Channel, outcome: Payload, begins: str = "") -> Payload:
    """The first such button under what a command answered, if there is one; what came of it."""
    for message in messages_of(outcome):
        for button in buttons_of(message):
            if button["custom_id"].startswith(begins):
                return await stage.press(who, where, message, button)
    return {}
