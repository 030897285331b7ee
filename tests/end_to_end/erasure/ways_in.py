"""Every way in: said, shown, forwarded, edited; live, while away, before the bot came, from a file; told; named."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zlib import crc32

from local_guild.actions.posting import Draft, Revision
from local_guild.state.messages import Attachment, Message
from tests.end_to_end.erasure.canaries import Canary
from tests.end_to_end.erasure.registry import Makes, Moment, Plot, way
from tests.end_to_end.erasure.stage import Stage
from tests.end_to_end.files import uploaded
from tests.end_to_end.leaks.scenery import forwarded, poll_of, schedule

Parts = dict[str, Any]
Show = Callable[[Stage, str], Parts]

REMEMBER_THIS = "Remember this"


def _file_name(stage: Stage, token: str) -> Parts:
    return {"content": "A file", "attachments": [Attachment(stage.server.ids.next(), f"{token}.txt", 9, "text/plain")]}


def _file_text(stage: Stage, token: str) -> Parts:
    """At the end of a long file, so that it is kept in pieces."""
    text = "Nothing to be seen here.\n" * 100 + f"Our boat on the lake is called {token} by all of us"
    return {"content": "A paste", "attachments": [uploaded(stage.server, "message.txt", text)]}


def _file_description(stage: Stage, token: str) -> Parts:
    file = Attachment(stage.server.ids.next(), "boat.png", 9, "image/png", description=f"A boat called {token}")
    return {"content": "", "attachments": [file]}


def _embed(_stage: Stage, token: str) -> Parts:
    return {"content": "Look", "embeds": [{"type": "rich", "title": token, "description": f"A boat called {token}"}]}


def _poll(stage: Stage, token: str) -> Parts:
    tomorrow = stage.server.clock.now() + timedelta(days=1)
    return {"content": "What do you think?", "poll": poll_of(f"Shall we call it {token}?", token, tomorrow)}


def _forwarded(stage: Stage, token: str) -> Parts:
    snapshot = forwarded(f"They call it {token}", stage.server.clock.now())
    return {"content": "", "message_snapshots": [snapshot]}


def _sticker(stage: Stage, token: str) -> Parts:
    return {"content": "", "sticker_items": [{"id": str(stage.server.ids.next()), "name": token, "format_type": 1}]}


def _said(_stage: Stage, token: str) -> Parts:
    return {"content": f"Our boat on the lake is called {token} by all of us"}


def send(stage: Stage, plot: Plot, canary: Canary, parts: Parts, *, days_ago: float = 0) -> Message:
    at = stage.server.clock.now() - timedelta(days=days_ago) if days_ago else None
    message = stage.server.posting.send(Draft(channel=plot.channel, author_id=plot.author.id, at=at, **parts))
    canary.message_id = message.id
    return message


def _register(name: str, show: Show, moment: Moment, days_ago: float = 0) -> None:
    @way(name, moment=moment)
    async def plant(stage: Stage, plot: Plot, canary: Canary) -> None:
        send(stage, plot, canary, show(stage, canary.token), days_ago=days_ago * stage.rng.uniform(0.6, 1.0))


for _name, _show in {
    "text": _said,
    "file name": _file_name,
    "description of a file": _file_description,
    "text of a file": _file_text,
    "embed": _embed,
    "poll": _poll,
    "forwarded message": _forwarded,
    "sticker": _sticker,
}.items():
    _register(_name, _show, Moment.LIVE)
_register("text read back", _said, Moment.BEFORE, days_ago=3)
_register("poll read back", _poll, Moment.BEFORE, days_ago=3)
_register("text said while away", _said, Moment.AWAY)
_register("embed shown while away", _embed, Moment.AWAY)


@way("imported text", moment=Moment.BEFORE)
async def imported(stage: Stage, plot: Plot, canary: Canary) -> None:
    """From a file that was exported before: the evening writes it of all such canaries, and imports it."""
    send(stage, plot, canary, _said(stage, canary.token), days_ago=stage.rng.uniform(4, 6))


@way("edited text")
async def edited(stage: Stage, plot: Plot, canary: Canary) -> None:
    message = send(stage, plot, canary, {"content": "Our boat has no name yet"})
    stage.server.posting.edit(message, Revision(content=f"Our boat on the lake is called {canary.token}"))


@way("unfurled link")
async def unfurled(stage: Stage, plot: Plot, canary: Canary) -> None:
    message = send(stage, plot, canary, {"content": "https://example.org/boats"})
    stage.server.posting.unfurl(message, [{"type": "rich", "title": f"A boat called {canary.token}"}])


def speaker_of(canary: Canary) -> str:
    """The name of somebody behind a webhook, which tells nothing of what they say."""
    return f"speaker {crc32(canary.token.encode())}"


@way("text behind a webhook", makes=Makes.BRIDGED)
async def bridged(stage: Stage, plot: Plot, canary: Canary) -> None:
    """Through a webhook of its own, of which the owner says that people speak there."""
    hook = stage.server.ids.next()
    draft = Draft(channel=plot.channel, author_id=hook, webhook_id=hook, webhook_name=speaker_of(canary))
    draft.content = _said(stage, canary.token)["content"]
    canary.message_id = stage.server.posting.send(draft).id
    here, given = plot.inn.channels[0], {"webhook": str(hook)}
    await stage.command(plot.inn.owner, here, "settings", "bridges", "add", given=given)


@way("fact told in a channel")
async def told(stage: Stage, plot: Plot, canary: Canary) -> None:
    asked = stage.say(plot.author, plot.channel, f"Bot remember that I own a boat called {canary.token}")
    canary.message_id = asked.id
    await stage.answer_to(asked)


@way("let on to the bot")
async def let_on(stage: Stage, plot: Plot, canary: Canary) -> None:
    asked = stage.say(plot.author, plot.channel, f"Bot, how are you? I own a boat called {canary.token}.")
    canary.message_id = asked.id
    await stage.answer_to(asked)


@way("reminder asked for in a channel")
async def reminder(stage: Stage, plot: Plot, canary: Canary) -> None:
    asked = stage.say(plot.author, plot.channel, f"Bot remind me in 3 years of the boat called {canary.token}")
    canary.message_id = asked.id
    await stage.answer_to(asked)


@way("fact by pointing at a message")
async def pointed_at(stage: Stage, plot: Plot, canary: Canary) -> None:
    message = send(stage, plot, canary, _said(stage, canary.token))
    await stage.answer_to(stage.reply(stage.rng.choice(plot.inn.people), plot.channel, "Bot remember this", message.id))


@way("fact by the menu of a message")
async def by_menu(stage: Stage, plot: Plot, canary: Canary) -> None:
    message = send(stage, plot, canary, _said(stage, canary.token))
    await stage.menu(stage.rng.choice(plot.inn.people), plot.channel, REMEMBER_THIS, message.id)


@way("fact by command", makes=Makes.FACT)
async def by_command(stage: Stage, plot: Plot, canary: Canary) -> None:
    await stage.command(
        plot.author, plot.channel, "remember", given={"fact": f"that I own a boat called {canary.token}"}
    )


@way("alias by command", makes=Makes.FACT)
async def alias(stage: Stage, plot: Plot, canary: Canary) -> None:
    await stage.command(plot.author, plot.channel, "remember", given={"fact": f"that I am called {canary.token}"})


@way("fact told by somebody else", makes=Makes.FACT)
async def hearsay(stage: Stage, plot: Plot, canary: Canary) -> None:
    teller = stage.rng.choice(plot.inn.people[:3])
    fact = f"that <@{plot.author.id}> owns a boat called {canary.token}"
    await stage.command(teller, plot.channel, "remember", given={"fact": fact})


@way("scheduled event", makes=Makes.EVENT)
async def event(stage: Stage, plot: Plot, canary: Canary) -> None:
    """Discord goes on listing it, also when the bot comes back."""
    starts_at = stage.server.clock.now() + timedelta(days=900)
    schedule(stage.server, plot.inn.guild, plot.author.id, f"A trip with the boat {canary.token}", starts_at)


@way("nickname", makes=Makes.NAME)
async def nickname(stage: Stage, plot: Plot, canary: Canary) -> None:
    member = stage.server.world.members(plot.inn.guild.id)[plot.author.id]
    stage.server.membership.change(plot.inn.guild, member, nick=canary.token)
