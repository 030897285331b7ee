"""Reactions and pins."""

import re

from local_guild.rest.call import Call, Endpoints
from local_guild.rest.errors import UNKNOWN_EMOJI, MissingAccessError, UnknownThingError
from local_guild.state.ids import Json
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


@endpoints("PUT", "/channels/{channel_id}/messages/pins/{message_id}")
async def pin(call: Call) -> Json:
    channel, message = _target(call)
    call.need(call.rights_in(channel), Permission.PIN_MESSAGES | Permission.MANAGE_MESSAGES)
    call.server.pinning.pin(channel, message, call.caller.id)
    return None
