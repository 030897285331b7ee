"""Reactions and pins."""

import re

from local_guild.rest.call import Call, Endpoints
from local_guild.rest.errors import UNKNOWN_EMOJI, MissingAccessError, UnknownThingError
from local_guild.state.ids import Json, iso
from local_guild.state.messages import Message
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel

endpoints = Endpoints()

REACTIONS = "/channels/{channel_id}/messages/{message_id}/reactions"
_CUSTOM = re.compile(r"(?:a:)?(\w{2,32}):(\d{15,20})")


def _emoji(call: Call) -> tuple[str, int | None]:
    text = call.text("emoji")
    custom = _CUSTOM.fullmatch(text)
    if custom is not None:
        return custom[1], int(custom[2])
    if text.isascii() or len(text) > 20:
        raise UnknownThingError(UNKNOWN_EMOJI)
    return text, None


def _target(call: Call) -> tuple[Channel, Message]:
    channel = call.channel()
    if not call.rights_in(channel) & Permission.READ_MESSAGE_HISTORY:
        raise MissingAccessError
    return channel, call.message(channel)


@endpoints("PUT", REACTIONS + "/{emoji}/@me")
async def react(call: Call) -> Json:
    channel, message = _target(call)
    name, emoji_id = _emoji(call)
    if message.reaction(name, emoji_id) is None:
        call.need(call.rights_in(channel), Permission.ADD_REACTIONS)
    call.server.reacting.add(message, name, emoji_id, call.caller.id)
    return None


@endpoints("DELETE", REACTIONS + "/{emoji}/{user_id}")
async def unreact(call: Call) -> Json:
    channel, message = _target(call)
    user_id = call.id("user_id")
    if user_id != call.caller.id:
        call.need(call.rights_in(channel), Permission.MANAGE_MESSAGES)
    call.server.reacting.remove(message, *_emoji(call), user_id)
    return None


@endpoints("GET", REACTIONS + "/{emoji}")
async def who_reacted(call: Call) -> Json:
    _, message = _target(call)
    limit = call.number("limit", 25, low=1, high=100)
    after = call.snowflake("after") or 0
    reaction = message.reaction(*_emoji(call))
    if reaction is None:
        return []
    ids = sorted(user_id for user_id in reaction.user_ids if user_id > after)[:limit]
    return [call.server.payloads.user(user_id) for user_id in ids]


@endpoints("DELETE", REACTIONS)
async def clear_reactions(call: Call) -> Json:
    channel, message = _target(call)
    call.need(call.rights_in(channel), Permission.MANAGE_MESSAGES)
    call.server.reacting.clear(message)
    return None


@endpoints("DELETE", REACTIONS + "/{emoji}")
async def clear_emoji(call: Call) -> Json:
    channel, message = _target(call)
    call.need(call.rights_in(channel), Permission.MANAGE_MESSAGES)
    call.server.reacting.clear_emoji(message, *_emoji(call))
    return None


@endpoints("GET", "/channels/{channel_id}/messages/pins")
async def pins(call: Call) -> Json:
    channel = call.channel()
    if not call.rights_in(channel) & Permission.READ_MESSAGE_HISTORY:
        return {"items": [], "has_more": False}
    limit = call.number("limit", 50, low=1, high=50)
    found = call.server.pinning.pinned(channel)
    return {
        "items": [{"pinned_at": iso(message.created_at), "message": call.shown(message)} for message in found[:limit]],
        "has_more": len(found) > limit,
    }


@endpoints("PUT", "/channels/{channel_id}/messages/pins/{message_id}")
async def pin(call: Call) -> Json:
    channel, message = _pinnable(call)
    call.server.pinning.pin(channel, message, call.caller.id)
    return None


@endpoints("DELETE", "/channels/{channel_id}/messages/pins/{message_id}")
async def unpin(call: Call) -> Json:
    channel, message = _pinnable(call)
    call.server.pinning.unpin(channel, message)
    return None


def _pinnable(call: Call) -> tuple[Channel, Message]:
    channel, message = _target(call)
    rights = call.rights_in(channel)
    call.need(rights, Permission.PIN_MESSAGES | Permission.MANAGE_MESSAGES)
    return channel, message
