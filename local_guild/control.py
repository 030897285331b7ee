"""Lets tests and demonstrations play with the local guild: by `Control` in their process, and by HTTP under /local/.

The calls are documented in docs/local-guild.md.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from local_guild.actions.posting import Revision
from local_guild.faults import RestTrouble
from local_guild.gateway.sessions import EventTrouble, StartRules
from local_guild.rest.call import ApiError, Body, Call, Endpoints, Refusal, invalid
from local_guild.state.describe import WorldFileError, WorldText, add_to_world
from local_guild.state.ids import Json, JsonObject
from local_guild.state.messages import Message
from local_guild.state.world import Channel, ChannelType, Guild

if TYPE_CHECKING:
    from local_guild.parts import Parts

# Invented chat: sentences put together from a small vocabulary, the same for the same random source.


_OPENINGS = (
    "Honestly,", "I think", "Did you know that", "Last night", "For Saturday", "By the way,",
    "If you ask me,", "Somebody said", "Today", "As far as I remember,", "Next week", "It turns out",
)  # fmt: skip
_SUBJECTS = (
    "the soup", "my neighbour's dog", "the new board game", "our garden", "that film", "the old bicycle",
    "the train to Leipzig", "the sourdough", "the router", "her birthday", "the hiking trip", "the choir",
    "the broken printer", "his tomato plants", "the reading group", "the kitchen table",
)  # fmt: skip
_VERBS = (
    "needs more time than", "goes well with", "was cheaper than", "reminds me of", "has nothing to do with",
    "was finished before", "looks better than", "depends on", "will be ready after", "makes no sense without",
)  # fmt: skip
_ENDINGS = (".", ".", ".", "!", "?", " 😄", ", doesn't it?", ", I promise.", " 🍞", ", as always.")


def sentence(rng: random.Random) -> str:
    subject, other = rng.sample(_SUBJECTS, 2)
    return f"{rng.choice(_OPENINGS)} {subject} {rng.choice(_VERBS)} {other}{rng.choice(_ENDINGS)}"


def remark(rng: random.Random) -> str:
    """Make up what one message says: mostly one sentence, at times a few."""
    return " ".join(sentence(rng) for _ in range(rng.choice((1, 1, 1, 2, 3))))


BATCH = 50
MOST_WAITING = 1_000
REMARKS = 500


class FirehoseOrder(BaseModel):
    model_config = ConfigDict(extra="forbid")

    count: int = Field(ge=1, le=10_000_000, description="how many messages are sent")
    channels: list[int] | None = Field(default=None, description="into which; all public text channels if absent")
    edits: float = Field(default=0.0, ge=0, le=1, description="which part of them is edited afterwards")
    deletes: float = Field(default=0.0, ge=0, le=1, description="which part of them is deleted afterwards")
    seed: int = Field(default=0, description="the same seed gives the same messages")


async def pour(server: Parts, order: FirehoseOrder) -> JsonObject:
    """Send as many messages as ordered, as fast as the clients take them, and report how fast that was."""
    rng = random.Random(order.seed)
    places = [(channel, _authors(server, channel)) for channel in _channels(server, order)]
    if not places or not all(authors for _, authors in places):
        raise invalid("channels", "The firehose needs channels with somebody to speak in them.")
    # Invented beforehand: what is measured is the sending.
    remarks = [remark(rng) for _ in range(min(REMARKS, order.count))]
    started = time.perf_counter()
    edits = deletes = 0
    for number in range(order.count):
        channel, authors = rng.choice(places)
        message = Message(server.ids.next(), channel.id, rng.choice(authors), rng.choice(remarks))
        server.posting.publish(channel, message)
        if rng.random() < order.edits:
            server.posting.edit(message, Revision(content=rng.choice(remarks)))
            edits += 1
        if rng.random() < order.deletes:
            server.posting.delete(message)
            deletes += 1
        if number % BATCH == 0:
            await asyncio.sleep(0)  # the writers write
            await _taken(server, MOST_WAITING)
    await _taken(server, 0)
    seconds = max(time.perf_counter() - started, 1e-6)
    counts: JsonObject = {"messages": order.count, "edits": edits, "deletes": deletes}
    return counts | {"seconds": round(seconds, 3), "messages_per_second": round(order.count / seconds)}


async def _taken(server: Parts, most: int) -> None:
    """Wait until no client is further behind than that."""
    links = [session.link for session in server.sessions if session.link is not None]
    while any(link.waiting > most for link in links):  # noqa: ASYNC110 - an event would cost every frame of every day
        await asyncio.sleep(0.001)


def _channels(server: Parts, order: FirehoseOrder) -> list[Channel]:
    channels = server.world.channels
    if order.channels is not None:
        if unknown := set(order.channels) - channels.keys():
            raise invalid("channels", f"There is no channel {min(unknown)}.")
        return [channels[channel_id] for channel_id in order.channels]
    texts = (channel for channel in channels.values() if channel.type == ChannelType.TEXT)
    return [channel for channel in texts if not server.access.is_private(channel)]


def _authors(server: Parts, channel: Channel) -> list[int]:
    users = server.world.users
    return sorted(user_id for user_id in server.access.viewers(channel) if not users[user_id].bot)


SnowflakeId = Annotated[int, Field(ge=0)]


class _Form(BaseModel):
    # A misspelt field is an error: who plays with faults must know which are on.
    model_config = ConfigDict(extra="forbid")


class DropForm(_Form):
    code: int = Field(default=4000, ge=1000, le=4999)
    user_id: SnowflakeId | None = None


class RefuseForm(_Form):
    count: int = Field(default=1, ge=0)


class InvalidateForm(_Form):
    resumable: bool = False


class Control:
    def __init__(self, server: Parts) -> None:
        self._server = server

    async def drop_sockets(self, *, code: int = 4000, user_id: int | None = None) -> int:
        """Close sockets as a failing network would: the sessions can be resumed."""
        return self._server.gateway.drop_sockets(code, user_id=user_id)

    async def refuse_resumes(self, count: int = 1) -> None:
        self._server.faults.refuse_resumes(count)

    async def ask_to_reconnect(self) -> None:
        self._server.gateway.ask_to_reconnect()

    async def invalidate_sessions(self, *, resumable: bool = False) -> None:
        self._server.gateway.invalidate_sessions(resumable=resumable)

    async def trouble_events(self, trouble: EventTrouble) -> None:
        self._server.event_faults.start(trouble)

    async def trouble_rest(self, trouble: RestTrouble) -> None:
        self._server.faults.trouble_rest(trouble)

    async def limit_starts(self, rules: StartRules) -> None:
        self._server.gateway.starts.set(rules)

    async def limit_rates(self, limit: int, seconds: float) -> None:
        self._server.rate_limits.set(limit, seconds)

    async def go_down(self) -> None:
        """Refuse everything until `come_back`; open sockets are closed."""
        self._server.faults.is_down = True
        self._server.gateway.drop_sockets(1012)

    async def come_back(self) -> None:
        self._server.faults.is_down = False

    async def clear_faults(self) -> None:
        self._server.faults.clear()
        self._server.event_faults.clear()
        self._server.rate_limits.set()
        self._server.gateway.starts.set(StartRules())

    async def fall_out(self, guild: Guild) -> None:
        self._server.membership.fall_out(guild)

    async def recover(self, guild: Guild) -> None:
        self._server.membership.come_back(guild)

    async def leave(self, guild: Guild, user_id: int) -> None:
        member = self._server.world.member(guild.id, user_id)
        if member is not None:
            self._server.membership.leave(guild, member)


endpoints = Endpoints()


def _order(method: str, path: str, form: type[Body], act: Callable[[Control, Body], Awaitable[object]]) -> None:
    """Answer a call whose body is a form by what it has `Control` do."""

    async def carry_out(call: Call) -> Json:
        await act(Control(call.server), await call.body(form))
        return None

    endpoints(method, path)(carry_out)


_order("POST", "/faults/sockets", DropForm, lambda c, form: c.drop_sockets(code=form.code, user_id=form.user_id))
_order("POST", "/faults/resumes", RefuseForm, lambda c, form: c.refuse_resumes(form.count))
_order("POST", "/faults/reconnect", _Form, lambda c, _: c.ask_to_reconnect())
_order("POST", "/faults/sessions", InvalidateForm, lambda c, form: c.invalidate_sessions(resumable=form.resumable))
_order("POST", "/faults/events", EventTrouble, lambda c, trouble: c.trouble_events(trouble))
_order("POST", "/faults/rest", RestTrouble, lambda c, trouble: c.trouble_rest(trouble))
_order("DELETE", "/faults", _Form, lambda c, _: c.clear_faults())


@endpoints("POST", "/guilds/{guild_id}/outage")
async def fall_out(call: Call) -> Json:
    await Control(call.server).fall_out(_guild(call))
    return None


@endpoints("DELETE", "/guilds/{guild_id}/outage")
async def recover(call: Call) -> Json:
    await Control(call.server).recover(_guild(call))
    return None


@endpoints("GET", "/world")
async def world(call: Call) -> Json:
    """Say who is there and in which rooms, with the tokens by which anybody may be them."""
    server = call.server
    bot = server.world.bot
    return {
        "bot": {"id": str(bot.id), "name": bot.name, "token": bot.token},
        "guilds": [
            _described(server, guild) | {"sample_week_played": server.sample_week.is_played(guild)}
            for guild in server.world.guilds.values()
        ],
    }


@endpoints("POST", "/world")
async def add_guilds(call: Call) -> Json:
    """Bring the described guilds into this world; its bot is a member of each from the start."""
    server = call.server
    try:
        guilds = add_to_world(server.world, await call.body(WorldText), server.clock)
    except WorldFileError as mistake:
        raise invalid("guilds", str(mistake)) from None
    for guild in guilds:
        for session in server.sessions:
            if session.shard.holds(guild.id) and server.world.member(guild.id, session.reader.user_id):
                server.greeter.introduce(session, guild, joined=True)
    return {"guilds": [str(guild.id) for guild in guilds]}


@endpoints("POST", "/firehose")
async def firehose(call: Call) -> Json:
    return await pour(call.server, await call.body(FirehoseOrder))


def _guild(call: Call) -> Guild:
    guild = call.server.world.guilds.get(call.id("guild_id"))
    if guild is None:
        raise ApiError(Refusal.UNKNOWN_GUILD)
    return guild


def _described(server: Parts, guild: Guild) -> JsonObject:
    world, access = server.world, server.access
    members = [(member, world.users[member.user_id]) for member in world.members(guild.id).values()]
    return {
        "id": str(guild.id),
        "name": guild.name,
        "channels": [
            {"id": str(one.id), "name": one.name, "type": one.type, "private": access.is_private(one)}
            for one in world.channels_of(guild.id)
        ],
        "members": [
            {"id": str(user.id), "name": user.name, "token": user.token, "roles": list(map(str, member.role_ids))}
            for member, user in members
            if user.id != world.facts.bot_id
        ],
        "roles": [{"id": str(role.id), "name": role.name} for role in guild.roles.values()],
    }
