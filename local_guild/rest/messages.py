"""Sends, reads back, edits and deletes messages; serves typing, reactions, pins, and votes in their polls."""

from datetime import timedelta
from typing import Annotated, Any

import anyio
from pydantic import BaseModel, Field
from starlette.responses import FileResponse, Response

from local_guild.actions.components import Mistake, mistakes_in_message, numbered
from local_guild.actions.posting import REPLY, AllowedMentions, Draft, Revision
from local_guild.actions.realm import place_of, reference_to
from local_guild.gateway.sessions import Intent
from local_guild.rest.call import ApiError, Call, Endpoints, InvalidFormError, Refusal, invalid
from local_guild.state.ids import Json, JsonObject, iso
from local_guild.state.messages import (
    COMPONENTS_V2,
    MAX_FILE_BYTES,
    SILENT,
    SUPPRESS_EMBEDS,
    Attachment,
    Message,
    content_type_of,
    safe_filename,
)
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType

# The forms a message is sent and edited with, and their limits.


MAX_CONTENT = 2000
MAX_EMBEDS = 10
EMBED_LIMITS = {"title": 256, "description": 4096}


class Reference(BaseModel):
    message_id: int
    channel_id: int | None = None
    fail_if_not_exists: bool = True


class AttachmentForm(BaseModel):
    id: int
    filename: str | None = Field(default=None, max_length=1024)
    description: str | None = Field(default=None, max_length=1024)
    duration_secs: float | None = Field(default=None, ge=0, le=1200)
    waveform: str | None = Field(default=None, max_length=400)


class PollMedia(BaseModel):
    text: str = Field(min_length=1, max_length=300)


class PollAnswer(BaseModel):
    poll_media: PollMedia


class PollForm(BaseModel):
    question: PollMedia
    answers: list[PollAnswer] = Field(min_length=1, max_length=10)
    duration: int = Field(default=24, ge=1, le=768, description="in hours")


class SendForm(BaseModel):
    content: str | int | float | None = None
    nonce: Annotated[str, Field(max_length=25)] | int | None = None
    enforce_nonce: bool = False
    embeds: list[JsonObject] | None = Field(default=None, max_length=MAX_EMBEDS)
    components: list[JsonObject] | None = Field(default=None, max_length=40)
    attachments: list[AttachmentForm] | None = Field(default=None, max_length=10)
    allowed_mentions: AllowedMentions | None = None
    message_reference: Reference | None = None
    flags: int | None = None
    poll: PollForm | None = None

    @property
    def text(self) -> str:
        return "" if self.content is None else str(self.content).strip()


class EditForm(SendForm):
    """Changes a message: fields left out stay as they are; those given as null become empty."""

    def gives(self, field: str) -> bool:
        return field in self.model_fields_set


def check_limits(form: SendForm, *, is_layout: bool) -> None:
    """Refuse texts that are too long, and components that may not be so, with or without the flag of Components V2."""
    mistakes: list[Mistake] = list(mistakes_in_message(form.components or [], is_layout=is_layout))
    if len(form.text) > MAX_CONTENT:
        mistakes.append((("content",), f"Must be {MAX_CONTENT} or fewer in length."))
    for number, embed in enumerate(form.embeds or []):
        for field, limit in EMBED_LIMITS.items():
            if len(str(embed.get(field) or "")) > limit:
                mistakes.append((("embeds", number, field), f"Must be {limit} or fewer in length."))
    if mistakes:
        raise InvalidFormError(mistakes)


PARTS = ("content", "embeds", "components", "attachments", "sticker_items", "poll", "message_snapshots")


def check_parts(message: Draft | Message, revision: Revision | None = None) -> None:
    """Refuse a message of which nothing is there, or would be after the revision."""
    changed = {part: getattr(revision, part, None) for part in PARTS}
    if not any(getattr(message, part) if new is None else new for part, new in changed.items()):
        raise ApiError(Refusal.EMPTY_MESSAGE)


def as_sent(embed: JsonObject) -> JsonObject:
    return {"type": "rich"} | embed


# Files sent with messages: stored in the data folder, served back as downloads that no browser will run.


INLINE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "text/plain", "audio/ogg"})


async def stored_uploads(call: Call, forms: list[AttachmentForm]) -> list[Attachment]:
    described = {form.id: form for form in forms}
    stored = []
    for number, upload in await call.files():
        content = await upload.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise ApiError(Refusal.TOO_LARGE)
        form = described.get(number, AttachmentForm(id=number))
        filename = safe_filename(form.filename or upload.filename or "unknown")
        attachment = Attachment(
            id=call.server.ids.next(),
            filename=filename,
            size=len(content),
            content_type=content_type_of(filename),
            description=form.description,
            duration_secs=form.duration_secs,
            waveform=form.waveform,
        )
        await call.server.files.add(attachment, content)
        stored.append(attachment)
    return stored


async def kept_and_new(call: Call, message: Message, form: EditForm) -> list[Attachment] | None:
    """List the attachments after an edit: those the form still names, and new files. None: unchanged."""
    new = await stored_uploads(call, form.attachments or [])
    if not form.gives("attachments"):
        return [*message.attachments, *new] if new else None
    named = {attachment.id for attachment in form.attachments or []}
    return [*(kept for kept in message.attachments if kept.id in named), *new]


async def download(call: Call) -> Response:
    attachment_id, filename = call.id("attachment_id"), safe_filename(call.text("filename"))
    path = call.server.attachments_folder / str(attachment_id)
    if not await anyio.Path(path).is_file():
        raise ApiError(Refusal.NOT_FOUND)
    content_type = content_type_of(filename)
    inline = content_type in INLINE_TYPES
    return FileResponse(
        path,
        media_type=content_type if inline else "application/octet-stream",
        filename=filename,
        content_disposition_type="inline" if inline else "attachment",
        headers={"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"},
    )


endpoints = Endpoints()

SENDABLE_FLAGS = SUPPRESS_EMBEDS | SILENT | COMPONENTS_V2
WORDLESS = frozenset({ChannelType.CATEGORY, ChannelType.FORUM})


class BulkDelete(BaseModel):
    messages: list[int] = Field(min_length=2, max_length=100)


@endpoints("GET", "/channels/{channel_id}/messages")
async def history(call: Call) -> Json:
    channel = call.channel()
    limit = call.number("limit", 50, low=1, high=100)
    before, after = (call.snowflake(name) for name in ("before", "after"))
    if not call.rights_in(channel) & Permission.READ_MESSAGE_HISTORY:
        return []
    log = call.server.world.log(channel.id)
    found = log.before(before, limit) if after is None or before is not None else log.after(after, limit)
    return [call.shown(message) for message in found]


@endpoints("GET", "/channels/{channel_id}/messages/pins")
async def pins(call: Call) -> Json:
    channel = call.channel()
    if not call.rights_in(channel) & Permission.READ_MESSAGE_HISTORY:
        return {"items": [], "has_more": False}
    pinned = [one for one in call.server.world.log(channel.id).newest_first() if one.pinned]
    # When each was pinned is not kept: told apart by when they were sent, which pages may go by as well.
    return {
        "items": [{"pinned_at": iso(one.created_at), "message": call.shown(one)} for one in pinned],
        "has_more": False,
    }


@endpoints("GET", "/channels/{channel_id}/messages/{message_id}")
async def get_message(call: Call) -> Json:
    return call.shown(call.message(call.readable_channel()))


@endpoints("POST", "/channels/{channel_id}/messages")
async def send_message(call: Call) -> Json:
    channel = call.channel()
    form = await call.body(SendForm)
    _check_may_send(call, channel, form)
    draft = await draft_of(call, form, channel, call.caller.id)
    if form.message_reference is not None:
        _refer(call, draft, form.message_reference)
    check_parts(draft)
    message = call.server.posting.send(draft)
    return call.server.payloads.message(message, call.caller.id)


async def draft_of(
    call: Call, form: SendForm, channel: Channel, author_id: int, sendable_flags: int = SENDABLE_FLAGS
) -> Draft:
    """Make the draft of the message that the form asks for, its files stored; refuse what Discord would."""
    flags = (form.flags or 0) & sendable_flags
    check_limits(form, is_layout=bool(flags & COMPONENTS_V2))
    return Draft(
        channel=channel,
        author_id=author_id,
        content=form.text,
        nonce=form.nonce,
        enforce_nonce=form.enforce_nonce,
        flags=flags,
        embeds=[as_sent(embed) for embed in form.embeds or []],
        components=numbered(form.components or []),
        allowed_mentions=form.allowed_mentions,
        attachments=await stored_uploads(call, form.attachments or []),
        poll=None if form.poll is None else _begun(call, form.poll),
    )


def _begun(call: Call, form: PollForm) -> JsonObject:
    return {
        "question": form.question.model_dump(),
        "answers": [
            {"answer_id": number, "poll_media": one.poll_media.model_dump()}
            for number, one in enumerate(form.answers, 1)
        ],
        "expiry": iso(call.server.clock.now() + timedelta(hours=form.duration)),
        "allow_multiselect": False,
        "layout_type": 1,
        "results": {"is_finalized": False, "answer_counts": []},
        "voters": {},
    }


@endpoints("PATCH", "/channels/{channel_id}/messages/{message_id}")
async def edit_message(call: Call) -> Json:
    channel = call.channel()
    message = call.message(channel)
    form = await call.body(EditForm)
    if channel.thread is not None and channel.thread.archived:
        raise ApiError(Refusal.THREAD_ARCHIVED)
    if message.author_id != call.caller.id:
        call.need(call.rights_in(channel), Permission.MANAGE_MESSAGES)
        if form.model_fields_set - {"flags"}:
            raise ApiError(Refusal.CANNOT_EDIT_OTHERS)
    revision = await revision_of(call, message, form)
    call.server.posting.edit(message, revision)
    return call.server.payloads.message(message, call.caller.id)


async def revision_of(call: Call, message: Message, form: EditForm) -> Revision:
    """Read what the form changes; refuse to leave nothing of the message. A layout stays one."""
    flags = message.flags
    if form.gives("flags"):
        flags = (flags & ~SUPPRESS_EMBEDS) | ((form.flags or 0) & (SUPPRESS_EMBEDS | COMPONENTS_V2))
    check_limits(form, is_layout=bool(flags & COMPONENTS_V2))
    revision = Revision(flags=flags if form.gives("flags") else None, allowed_mentions=form.allowed_mentions)
    if form.gives("content"):
        revision.content = form.text
    if form.gives("embeds"):
        revision.embeds = [as_sent(embed) for embed in form.embeds or []]
    if form.gives("components"):
        revision.components = numbered(form.components or [])
    revision.attachments = await kept_and_new(call, message, form)
    check_parts(message, revision)
    return revision


@endpoints("DELETE", "/channels/{channel_id}/messages/{message_id}")
async def delete_message(call: Call) -> Json:
    channel = call.channel()
    message = call.message(channel)
    if message.author_id != call.caller.id:
        call.need(call.rights_in(channel), Permission.MANAGE_MESSAGES)
    call.server.posting.delete(message)
    return None


@endpoints("POST", "/channels/{channel_id}/messages/bulk-delete")
async def bulk_delete(call: Call) -> Json:
    channel = call.channel(Permission.MANAGE_MESSAGES)
    log = call.server.world.log(channel.id)
    ids = sorted(set((await call.body(BulkDelete)).messages))
    call.server.posting.delete_many(channel, [message for one in ids if (message := log.get(one)) is not None])
    return None


@endpoints("POST", "/channels/{channel_id}/typing")
async def typing(call: Call) -> Json:
    channel = call.channel(Permission.SEND_MESSAGES)
    data: JsonObject = {"user_id": str(call.caller.id), "timestamp": int(call.server.clock.now().timestamp())}
    intent = Intent.DIRECT_MESSAGE_TYPING if channel.guild_id is None else Intent.GUILD_MESSAGE_TYPING
    member = call.server.world.member(channel.guild_id or 0, call.caller.id)
    if member is not None:
        data["member"] = call.server.payloads.member(member)
    call.server.realm.tell_channel("TYPING_START", channel, data | place_of(channel), intent)
    return None


def _check_may_send(call: Call, channel: Channel, form: SendForm) -> None:
    if channel.type in WORDLESS:
        raise ApiError(Refusal.NO_TEXT_CHANNEL)
    rights = call.rights_in(channel)
    call.need(rights, Permission.SEND_MESSAGES)
    if form.message_reference is not None:
        call.need(rights, Permission.READ_MESSAGE_HISTORY)
    if call.request.headers.get("content-type", "").startswith("multipart/"):
        call.need(rights, Permission.ATTACH_FILES)
    if form.embeds:
        call.need(rights, Permission.EMBED_LINKS)


def _refer(call: Call, draft: Draft, form: Reference) -> None:
    """Make the draft a reply to the message that the form names."""
    world = call.server.world
    channel = world.channels.get(form.channel_id or draft.channel.id)
    visible = channel is not None and call.server.access.may_view(channel, call.caller.id)
    original = world.log(channel.id).get(form.message_id) if channel is not None and visible else None
    if original is None or channel is None:
        if form.fail_if_not_exists:
            raise invalid("message_reference", "Unknown message")
        return
    draft.type, draft.replied_user_id = REPLY, original.author_id
    draft.reference = reference_to(channel, original.id)


# Reactions and pins.


REACTIONS = "/channels/{channel_id}/messages/{message_id}/reactions"


def _emoji(call: Call) -> str:
    text = call.text("emoji")
    if text.isascii() or len(text) > 20:
        raise ApiError(Refusal.UNKNOWN_EMOJI)
    return text


@endpoints("PUT", REACTIONS + "/{emoji}/@me")
async def react(call: Call) -> Json:
    channel = call.readable_channel()
    message = call.message(channel)
    name = _emoji(call)
    if message.reaction(name) is None:
        call.need(call.rights_in(channel), Permission.ADD_REACTIONS)
    call.server.posting.react(message, name, call.caller.id)
    return None


@endpoints("DELETE", REACTIONS + "/{emoji}/{user_id}")
async def unreact(call: Call) -> Json:
    channel = call.readable_channel()
    message = call.message(channel)
    user_id = call.id("user_id")
    if user_id != call.caller.id:
        call.need(call.rights_in(channel), Permission.MANAGE_MESSAGES)
    call.server.posting.unreact(message, _emoji(call), user_id)
    return None


@endpoints("PUT", "/channels/{channel_id}/messages/pins/{message_id}")
@endpoints("DELETE", "/channels/{channel_id}/messages/pins/{message_id}")
async def pin(call: Call) -> Json:
    channel = call.readable_channel()
    message = call.message(channel)
    call.need(call.rights_in(channel), Permission.PIN_MESSAGES | Permission.MANAGE_MESSAGES)
    if call.request.method == "PUT":
        call.server.posting.pin(channel, message, call.caller.id)
    else:
        call.server.posting.unpin(channel, message)
    return None


# Polls: asked with a message, voted in by members, and ended with their result.


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
