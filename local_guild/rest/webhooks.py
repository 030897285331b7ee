"""The answers to interactions, reached by the interaction's token: the original one and the follow-ups."""

from starlette.responses import Response

from local_guild.interactions import Interaction
from local_guild.message_log import Message
from local_guild.rest import errors
from local_guild.rest.call import Call, Endpoints
from local_guild.rest.errors import ApiError, UnknownThingError
from local_guild.rest.interaction_answers import edit_answer, follow_up
from local_guild.wire import Json

endpoints = Endpoints()

HOOK = "/webhooks/{application_id}/{token}"
MESSAGE = HOOK + "/messages/{message_id}"


@endpoints("POST", HOOK)
async def send_follow_up(call: Call) -> Json | Response:
    # An interaction's follow-ups are always waited for, whatever `wait` says.
    message = await follow_up(call, _interaction(call))
    return call.server.messages.message(message)


@endpoints("GET", MESSAGE)
async def get_answer(call: Call) -> Json:
    _, message = _answer(call)
    return call.server.messages.message(message)


@endpoints("PATCH", MESSAGE)
async def change_answer(call: Call) -> Json:
    interaction, message = _answer(call)
    return call.server.messages.message(await edit_answer(call, interaction, message))


@endpoints("DELETE", MESSAGE)
async def delete_answer(call: Call) -> Json:
    interaction, message = _answer(call)
    call.server.posting.delete(message)
    if interaction.original is message:
        interaction.original = None
        interaction.settled.set()
    else:
        interaction.followups.remove(message)
    return None


def _interaction(call: Call) -> Interaction:
    if call.id("application_id") != call.server.world.facts.bot_id:
        raise UnknownThingError(errors.UNKNOWN_WEBHOOK)
    interaction = call.server.interactions.answered(call.text("token"))
    if interaction is None:
        raise ApiError(401, errors.INVALID_WEBHOOK_TOKEN, "Invalid Webhook Token")
    return interaction


def _answer(call: Call) -> tuple[Interaction, Message]:
    """The message of the path, if it is among the interaction's answers and still there."""
    interaction = _interaction(call)
    original = [] if interaction.original is None else [interaction.original]
    if call.text("message_id") == "@original":
        named = original
    else:
        message_id = call.id("message_id")
        named = [message for message in (*original, *interaction.followups) if message.id == message_id]
    for message in named:
        if call.server.world.message(message.channel_id, message.id) is not None:
            return interaction, message
    raise UnknownThingError(errors.UNKNOWN_MESSAGE)
