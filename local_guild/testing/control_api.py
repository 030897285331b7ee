"""The control API under /local/: what `Control` can do, over HTTP. Documented in docs/local-guild.md."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from starlette.routing import Router

from local_guild.actions.posting import Draft
from local_guild.faults import RestTrouble
from local_guild.gateway.sessions import EventTrouble, StartRules
from local_guild.rest import errors
from local_guild.rest.app import local_routes, route
from local_guild.rest.call import Call, Endpoints
from local_guild.rest.errors import UnknownThingError, invalid
from local_guild.state.describe import WorldFileError, WorldText
from local_guild.state.ids import Json, iso
from local_guild.state.world import Channel, Guild
from local_guild.testing.control import (
    ClockForm,
    Control,
    DropForm,
    IntentsForm,
    InvalidateForm,
    JoinForm,
    PastForm,
    PostForm,
    RatesForm,
    RefuseForm,
    UnfurlForm,
)
from local_guild.testing.firehose import FirehoseOrder

if TYPE_CHECKING:
    from local_guild.parts import Parts


endpoints = Endpoints()


def build(server: Parts) -> Router:
    own = [route(server, endpoint.method, endpoint.path, endpoint.handler) for endpoint in endpoints]
    return Router([*own, *local_routes(server)], redirect_slashes=False)


@endpoints("GET", "/world")
async def world(call: Call) -> Json:
    return await Control(call.server).world()


@endpoints("POST", "/world")
async def add_guilds(call: Call) -> Json:
    try:
        guilds = await Control(call.server).add_guilds(await call.body(WorldText))
    except WorldFileError as mistake:
        raise invalid("guilds", "BASE_TYPE_BAD_VALUE", str(mistake)) from None
    return {"guilds": [str(guild.id) for guild in guilds]}


@endpoints("POST", "/faults/sockets")
async def drop_sockets(call: Call) -> Json:
    form = await call.body(DropForm)
    return {"closed": await Control(call.server).drop_sockets(code=form.code, user_id=form.user_id)}


@endpoints("POST", "/faults/resumes")
async def refuse_resumes(call: Call) -> Json:
    await Control(call.server).refuse_resumes((await call.body(RefuseForm)).count)
    return None


@endpoints("POST", "/faults/reconnect")
async def ask_to_reconnect(call: Call) -> Json:
    return {"asked": await Control(call.server).ask_to_reconnect()}


@endpoints("POST", "/faults/sessions")
async def invalidate_sessions(call: Call) -> Json:
    form = await call.body(InvalidateForm)
    return {"invalidated": await Control(call.server).invalidate_sessions(resumable=form.resumable)}


@endpoints("POST", "/faults/events")
async def trouble_events(call: Call) -> Json:
    await Control(call.server).trouble_events(await call.body(EventTrouble))
    return None


@endpoints("POST", "/faults/rest")
async def trouble_rest(call: Call) -> Json:
    await Control(call.server).trouble_rest(await call.body(RestTrouble))
    return None


@endpoints("POST", "/faults/rates")
async def limit_rates(call: Call) -> Json:
    form = await call.body(RatesForm)
    await Control(call.server).limit_rates(form.limit, form.seconds)
    return None


@endpoints("POST", "/faults/starts")
async def limit_starts(call: Call) -> Json:
    await Control(call.server).limit_starts(await call.body(StartRules))
    return None


@endpoints("POST", "/faults/down")
async def go_down(call: Call) -> Json:
    await Control(call.server).go_down()
    return None


@endpoints("DELETE", "/faults/down")
async def come_back(call: Call) -> Json:
    await Control(call.server).come_back()
    return None


@endpoints("DELETE", "/faults")
async def clear_faults(call: Call) -> Json:
    await Control(call.server).clear_faults()
    return None


@endpoints("PUT", "/intents")
async def allow_intents(call: Call) -> Json:
    await Control(call.server).allow_privileged_intents((await call.body(IntentsForm)).privileged)
    return None


@endpoints("POST", "/guilds/{guild_id}/outage")
async def fall_out(call: Call) -> Json:
    await Control(call.server).fall_out(_guild(call))
    return None


@endpoints("DELETE", "/guilds/{guild_id}/outage")
async def recover(call: Call) -> Json:
    await Control(call.server).recover(_guild(call))
    return None


@endpoints("POST", "/guilds/{guild_id}/members")
async def join(call: Call) -> Json:
    guild = _guild(call)
    form = await call.body(JoinForm)
    control = Control(call.server)
    if form.user_id is not None:
        user = call.server.world.users.get(form.user_id)
    elif form.name is not None:
        user = await control.new_user(form.name, bot=form.bot, display_name=form.display_name)
    else:
        raise invalid("name", "BASE_TYPE_REQUIRED", "A name, or the user_id of somebody known, is required")
    if user is None:
        raise UnknownThingError(errors.UNKNOWN_USER)
    await control.join(guild, user, form.roles)
    return {"id": str(user.id), "name": user.name, "token": user.token}


@endpoints("DELETE", "/guilds/{guild_id}/members/{user_id}")
async def leave(call: Call) -> Json:
    await Control(call.server).leave(_guild(call), call.id("user_id"))
    return None


@endpoints("POST", "/channels/{channel_id}/messages")
async def post(call: Call) -> Json:
    form = await call.body(PostForm)
    if form.author_id not in call.server.world.users:
        raise UnknownThingError(errors.UNKNOWN_USER)
    message = await Control(call.server).post(Draft(channel=_channel(call), **dict(form)))
    return call.server.messages.message(message)


@endpoints("POST", "/guilds/{guild_id}/channels/{channel_id}/past")
async def add_past(call: Call) -> Json:
    channel = _channel(call)
    if channel.guild_id != _guild(call).id:
        raise UnknownThingError(errors.UNKNOWN_CHANNEL)
    return {"added": await Control(call.server).add_past(channel, (await call.body(PastForm)).messages)}


@endpoints("POST", "/channels/{channel_id}/messages/{message_id}/unfurl")
async def unfurl(call: Call) -> Json:
    message = call.server.world.message(_channel(call).id, call.id("message_id"))
    if message is None:
        raise UnknownThingError(errors.UNKNOWN_MESSAGE)
    await Control(call.server).unfurl(message, (await call.body(UnfurlForm)).embeds)
    return None


@endpoints("POST", "/firehose")
async def firehose(call: Call) -> Json:
    order = await call.body(FirehoseOrder)
    unknown = set(order.channels or ()) - call.server.world.channels.keys()
    if unknown:
        raise UnknownThingError(errors.UNKNOWN_CHANNEL)
    report = await Control(call.server).firehose(order)
    return {
        "messages": report.messages,
        "edits": report.edits,
        "deletes": report.deletes,
        "seconds": round(report.seconds, 3),
        "messages_per_second": round(report.messages_per_second),
    }


@endpoints("GET", "/clock")
async def read_clock(call: Call) -> Json:
    return _time(call)


@endpoints("PUT", "/clock")
async def set_clock(call: Call) -> Json:
    form = await call.body(ClockForm)
    if form.now is not None:
        await Control(call.server).set_clock(form.now, frozen=form.frozen)
    if form.advance_seconds is not None:
        await Control(call.server).advance_clock(timedelta(seconds=form.advance_seconds))
    return _time(call)


@endpoints("DELETE", "/clock")
async def reset_clock(call: Call) -> Json:
    await Control(call.server).reset_clock()
    return _time(call)


def _time(call: Call) -> Json:
    return {"now": iso(call.server.clock.now())}


def _guild(call: Call) -> Guild:
    guild = call.server.world.guilds.get(call.id("guild_id"))
    if guild is None:
        raise UnknownThingError(errors.UNKNOWN_GUILD)
    return guild


def _channel(call: Call) -> Channel:
    channel = call.server.world.channels.get(call.id("channel_id"))
    if channel is None:
        raise UnknownThingError(errors.UNKNOWN_CHANNEL)
    return channel
