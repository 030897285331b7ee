"""Starts threads, lists them, and says who is in them."""

from datetime import datetime

from pydantic import BaseModel, Field

from local_guild.actions.guilds import ThreadChange
from local_guild.payloads import thread_member_payload
from local_guild.rest.call import ApiError, Call, Endpoints, Refusal, invalid
from local_guild.rest.messages import SendForm, check_parts, draft_of
from local_guild.state.ids import Json, JsonObject, time_of
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType, Thread

endpoints = Endpoints()

THREADABLE = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT, ChannelType.FORUM})


class ThreadForm(BaseModel):
    name: str = Field(min_length=1, max_length=100)
    type: int = ChannelType.PRIVATE_THREAD
    invitable: bool = True
    applied_tags: list[int] = Field(default_factory=list, max_length=5)
    message: SendForm | None = None


@endpoints("POST", "/channels/{channel_id}/messages/{message_id}/threads")
async def start_from_message(call: Call) -> Json:
    parent = _parent(call, Permission.CREATE_PUBLIC_THREADS)
    message = call.message(parent)
    form = await call.body(ThreadForm)
    if message.id in call.server.world.channels:
        raise ApiError(Refusal.THREAD_EXISTS)
    thread = call.server.threads.start_from(message, form.name, call.caller.id)
    return call.described(thread)


@endpoints("POST", "/channels/{channel_id}/threads")
async def start(call: Call) -> Json:
    parent = _parent(call)
    form = await call.body(ThreadForm)
    private = form.type == ChannelType.PRIVATE_THREAD and parent.type != ChannelType.FORUM
    if parent.type == ChannelType.FORUM:
        needed = Permission.SEND_MESSAGES
    else:
        needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    call.need(call.rights_in(parent), needed)
    if parent.type == ChannelType.FORUM and form.message is None:
        raise invalid("message", "This field is required")
    thread = call.server.threads.start(
        parent,
        form.name,
        call.caller.id,
        private=private,
        invitable=form.invitable,
        applied_tags=form.applied_tags,
    )
    if form.message is None:
        return call.described(thread)
    draft = await draft_of(call, form.message, thread, call.caller.id)
    draft.id = thread.id
    check_parts(draft)
    message = call.server.posting.send(draft)
    return call.described(thread) | {"message": call.server.payloads.message(message, call.caller.id)}


async def change_thread(call: Call, channel: Channel, thread: Thread) -> None:
    form = await call.body(ThreadChange)
    rights = call.rights_in(channel)
    manages = bool(rights & Permission.MANAGE_THREADS)
    only_opens = form.model_fields_set == {"archived"} and form.archived is False
    owns = thread.owner_id == call.caller.id
    if not manages and not owns:
        call.need(rights if only_opens else 0, Permission.SEND_MESSAGES)
    if thread.archived and form.archived is not False:
        raise ApiError(Refusal.THREAD_ARCHIVED)
    call.server.threads.change(channel, thread, form)


@endpoints("GET", "/channels/{channel_id}/threads/archived/public")
async def archived_public(call: Call) -> Json:
    return _archived(call, private=False)


@endpoints("GET", "/channels/{channel_id}/threads/archived/private")
async def archived_private(call: Call) -> Json:
    call.channel(Permission.MANAGE_THREADS)
    return _archived(call, private=True)


@endpoints("GET", "/channels/{channel_id}/users/@me/threads/archived/private")
async def archived_private_joined(call: Call) -> Json:
    return _archived(call, private=True, joined=True)


@endpoints("GET", "/channels/{channel_id}/thread-members")
async def thread_members(call: Call) -> Json:
    channel, thread = _thread(call)
    return [thread_member_payload(channel.id, user_id, thread) for user_id in thread.member_since]


@endpoints("PUT", "/channels/{channel_id}/thread-members/{user_id}")
async def add_to_thread(call: Call) -> Json:
    channel, thread = _thread(call)
    user_id = call.id("user_id")
    if thread.archived:
        raise ApiError(Refusal.THREAD_ARCHIVED)
    parent = call.server.world.channels[channel.parent_id or 0]
    if user_id != call.caller.id:
        rights = call.rights_in(channel)
        call.need(rights, Permission.SEND_MESSAGES)
        invites = thread.invitable or thread.owner_id == call.caller.id
        if channel.type == ChannelType.PRIVATE_THREAD and not invites:
            call.need(rights, Permission.MANAGE_THREADS)
        # A seat in a thread opens no door to the room it hangs off.
        if not call.server.access.may_view(parent, user_id):
            raise ApiError(Refusal.MISSING_ACCESS)
    call.server.seats.join(channel, user_id)
    return None


def _parent(call: Call, *needed: int) -> Channel:
    channel = call.channel(*needed)
    if channel.type not in THREADABLE:
        raise ApiError(Refusal.WRONG_CHANNEL_TYPE)
    return channel


def _thread(call: Call) -> tuple[Channel, Thread]:
    channel = call.channel()
    if channel.thread is None:
        raise ApiError(Refusal.WRONG_CHANNEL_TYPE)
    return channel, channel.thread


def _archived(call: Call, *, private: bool, joined: bool = False) -> JsonObject:
    """List the newest archived first, the newest made of those `joined`; `before` is where to go on, in that order."""
    parent, raw = call.readable_channel(), call.request.query_params.get("before")
    limit = call.number("limit", 50, low=2, high=100)
    found: list[tuple[datetime, Channel, Thread]] = []
    for channel in call.server.world.threads_of(parent.guild_id or 0, parent.id):
        thread = channel.thread
        if thread is None or not thread.archived or (channel.type == ChannelType.PRIVATE_THREAD) is not private:
            continue
        if not joined or call.caller.id in thread.member_since:
            found.append((time_of(channel.id) if joined else thread.archived_at, channel, thread))
    if raw is not None:
        try:
            # A plus sign that was not escaped in the address arrives as a blank.
            before = time_of(int(raw)) if joined else datetime.fromisoformat(raw.replace(" ", "+"))
        except ValueError:
            raise invalid("before", "Could not parse the time.") from None
        found = [one for one in found if one[0] < before]
    found.sort(key=lambda one: (one[0], one[1].id), reverse=True)
    return {
        "threads": [call.described(channel) for _, channel, _ in found[:limit]],
        "members": [
            thread_member_payload(channel.id, call.caller.id, thread)
            for _, channel, thread in found[:limit]
            if call.caller.id in thread.member_since
        ],
        "has_more": len(found) > limit,
    }
