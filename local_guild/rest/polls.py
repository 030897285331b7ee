"""Serves polls: asked with a message, voted in by members, and ended with their result."""

from typing import Any

from pydantic import BaseModel, Field

from local_guild.actions.posting import Draft
from local_guild.actions.realm import reference_to
from local_guild.rest.call import ApiError, Call, Endpoints, Refusal, invalid
from local_guild.state.ids import Json, JsonObject
from local_guild.state.messages import Message
from local_guild.state.world import Channel

endpoints = Endpoints()

POLL = "/channels/{channel_id}/polls/{message_id}"
POLL_RESULT = 46


class VoteForm(BaseModel):
    answer_ids: list[int] = Field(max_length=10)


@endpoints("PUT", POLL + "/answers/{user_id}")
async def vote(call: Call) -> Json:
    """Vote for these answers, and for no others."""
    channel = call.channel()
    message, poll = _poll(call, channel)
    chosen = set((await call.body(VoteForm)).answer_ids)
    if not chosen <= {one["answer_id"] for one in poll["answers"]}:
        raise invalid("answer_ids", "There is no such answer.")
    if poll["results"]["is_finalized"]:
        raise ApiError(Refusal.POLL_EXPIRED)
    poll["voters"][str(call.caller.id)] = sorted(chosen)
    voted = [answer_id for answers in poll["voters"].values() for answer_id in answers]
    poll["results"]["answer_counts"] = [
        {"id": answer_id, "count": voted.count(answer_id), "me_voted": False} for answer_id in sorted(set(voted))
    ]
    call.server.world.keep(message)
    return None


@endpoints("POST", POLL + "/expire")
async def expire(call: Call) -> Json:
    """End a poll of one's own."""
    channel = call.channel()
    message, poll = _poll(call, channel)
    if message.author_id != call.caller.id:
        raise ApiError(Refusal.CANNOT_EDIT_OTHERS)
    poll["results"]["is_finalized"] = True
    call.server.posting.announce_change(message)
    best = max(poll["results"]["answer_counts"], key=lambda one: one["count"], default={"id": 0, "count": 0})
    told = {
        "poll_question_text": poll["question"]["text"],
        "victor_answer_id": best["id"],
        "victor_answer_votes": best["count"],
        "total_votes": sum(one["count"] for one in poll["results"]["answer_counts"]),
    }
    embed: JsonObject = {
        "type": "poll_result",
        "fields": [{"name": name, "value": str(value), "inline": False} for name, value in told.items()],
    }
    reference = reference_to(channel, message.id)
    call.server.posting.send(
        Draft(channel=channel, author_id=message.author_id, type=POLL_RESULT, reference=reference, embeds=[embed])
    )
    return call.shown(message)


def _poll(call: Call, channel: Channel) -> tuple[Message, dict[str, Any]]:
    message = call.message(channel)
    if message.poll is None:
        raise ApiError(Refusal.UNKNOWN_MESSAGE)
    return message, message.poll
