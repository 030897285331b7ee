"""Serves users, direct messages, and what an application asks about itself and the gateway."""

from pydantic import BaseModel

from local_guild.payloads import user_payload
from local_guild.rest.call import ApiError, Call, Endpoints, Refusal
from local_guild.sample_week import AlreadyPlayedError, NoStageError
from local_guild.state.ids import Json
from local_guild.state.world import Channel, ChannelType

endpoints = Endpoints()

INTENT_FLAGS = 1 << 15 | 1 << 19


class Recipient(BaseModel):
    recipient_id: int


@endpoints("GET", "/gateway/bot")
async def gateway_for_bot(call: Call) -> Json:
    if not call.caller.bot:
        raise ApiError(Refusal.MISSING_PERMISSION)
    starts = call.server.gateway.starts
    return {"url": call.server.gateway_url, "shards": starts.shards, "session_start_limit": starts.described()}


@endpoints("GET", "/users/{user_id}")
async def get_user(call: Call) -> Json:
    user = call.server.world.users.get(call.id("user_id"))
    if user is None:
        raise ApiError(Refusal.UNKNOWN_USER)
    payload = user_payload(user)
    if user.id == call.caller.id:
        payload |= {"verified": True, "mfa_enabled": False, "flags": 0, "email": None, "locale": "en-US"}
    return payload


@endpoints("GET", "/users/@me/guilds")
async def my_guilds(call: Call) -> Json:
    limit = call.number("limit", 200, low=1, high=200)
    after = call.snowflake("after") or 0
    guilds = sorted(call.server.world.guilds_of(call.caller.id), key=lambda guild: guild.id)
    return [
        {
            "id": str(guild.id),
            "name": guild.name,
            "owner": guild.owner_id == call.caller.id,
            "permissions": str(call.rights_over(guild)),
            "features": [],
        }
        for guild in guilds
        if guild.id > after
    ][:limit]


@endpoints("POST", "/users/@me/channels")
async def open_dm(call: Call) -> Json:
    recipient = call.server.world.users.get((await call.body(Recipient)).recipient_id)
    if recipient is None:
        raise ApiError(Refusal.UNKNOWN_USER)
    if recipient.id == call.caller.id:
        raise ApiError(Refusal.CANNOT_MESSAGE_USER)
    channel = dm_between(call, call.caller.id, recipient.id)
    return call.server.payloads.channel(channel, call.caller.id)


def dm_between(call: Call, one: int, other: int) -> Channel:
    world = call.server.world
    for channel in world.channels.values():
        if channel.type == ChannelType.DM and set(channel.recipient_ids) == {one, other}:
            return channel
    channel = Channel(call.server.ids.next(), ChannelType.DM, recipient_ids=[one, other])
    world.keep(channel)
    return channel


@endpoints("GET", "/users/@me/channels")
async def my_dms(call: Call) -> Json:
    mine = [
        channel
        for channel in call.server.world.channels.values()
        if channel.guild_id is None and call.caller.id in channel.recipient_ids
    ]
    return [call.server.payloads.channel(channel, call.caller.id) for channel in mine]


@endpoints("GET", "/oauth2/applications/@me")
@endpoints("GET", "/applications/@me")
async def application_info(call: Call) -> Json:
    if not call.is_application:
        raise ApiError(Refusal.MISSING_PERMISSION)
    world = call.server.world
    owners = [guild.owner_id for guild in world.guilds_of(world.bot.id)]
    owner = call.server.payloads.user(owners[0] if owners else world.bot.id)
    return {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "bot": user_payload(world.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": owner,
        "verify_key": "0" * 64,
        "flags": INTENT_FLAGS if world.facts.privileged_intents else 0,
        "approximate_guild_count": len(owners),
    }


# The button that fills a guild with a week of chat.


local_endpoints = Endpoints()


class WeekForm(BaseModel):
    guild_id: int


@local_endpoints("POST", "/sample-week")
async def play(call: Call) -> Json:
    guild = call.server.world.guilds.get((await call.body(WeekForm)).guild_id)
    if guild is None:
        raise ApiError(Refusal.UNKNOWN_GUILD)
    try:
        viewer = call.caller_or_none
        return {"messages": await call.server.sample_week.play(guild, None if viewer is None else viewer.id)}
    except AlreadyPlayedError:
        raise ApiError(Refusal.WEEK_IS_PLAYED) from None
    except NoStageError:
        raise ApiError(Refusal.NO_STAGE) from None
