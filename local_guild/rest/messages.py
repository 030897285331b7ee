"""Messages: sending, reading back, editing, deleting, typing."""

import mimetypes
import re
from collections.abc import Iterator
from datetime import timedelta

import anyio
from pydantic import BaseModel, Field, field_validator
from starlette.responses import FileResponse, Response

from local_guild.actions.posting import REPLY, AllowedMentions, Draft, Revision
from local_guild.gateway.events import Event, Intent
from local_guild.rest import errors
from local_guild.rest.call import Call, Endpoints
from local_guild.rest.component_values import checked
from local_guild.rest.errors import TOO_LARGE, ApiError, InvalidFormError
from local_guild.state.ids import Json, JsonObject, iso, iso_or_none, time_of
from local_guild.state.messages import SUPPRESS_EMBEDS, Attachment, Message
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType

# The forms a message is sent and edited with, and their limits.


MAX_CONTENT = 2000
MAX_EMBEDS = 10
MAX_EMBED_TEXT = 6000


class Reference(BaseModel):
    message_id: int
    channel_id: int | None = None
    guild_id: int | None = None
    type: int = 0
    fail_if_not_exists: bool = True


class AttachmentForm(BaseModel):
    id: int
    filename: str | None = Field(default=None, max_length=1024)
    description: str | None = Field(default=None, max_length=1024)


class SendForm(BaseModel):
    content: str | int | float | None = None
    nonce: str | int | None = None
    enforce_nonce: bool = False
    tts: bool = False
    embeds: list[JsonObject] | None = Field(default=None, max_length=MAX_EMBEDS)
    components: list[JsonObject] | None = Field(default=None, max_length=40)
    attachments: list[AttachmentForm] | None = Field(default=None, max_length=10)
    sticker_ids: list[int] | None = Field(default=None, max_length=3)
    allowed_mentions: AllowedMentions | None = None
    message_reference: Reference | None = None
    poll: JsonObject | None = None
    flags: int | None = None

    @field_validator("nonce")
    @classmethod
    def _short_nonce(cls, nonce: str | int | None) -> str | int | None:
        if isinstance(nonce, str) and len(nonce) > 25:
            raise ValueError("Must be 25 or fewer in length.")
        return nonce

    @property
    def text(self) -> str:
        return "" if self.content is None else str(self.content).strip()


class EditForm(SendForm):
    """Fields left out stay as they are; those given as null become empty."""

    def gives(self, field: str) -> bool:
        return field in self.model_fields_set


def check_limits(form: SendForm) -> None:
    mistakes: list[tuple[tuple[str | int, ...], str, str]] = []
    if len(form.text) > MAX_CONTENT:
        mistakes.append((("content",), "BASE_TYPE_MAX_LENGTH", too_long(MAX_CONTENT)))
    total = 0
    for number, embed in enumerate(form.embeds or []):
        for path, text, limit in _texts(embed):
            total += len(text)
            if len(text) > limit:
                mistakes.append((("embeds", number, *path), "BASE_TYPE_MAX_LENGTH", too_long(limit)))
    if total > MAX_EMBED_TEXT:
        sentence = f"Embed size exceeds maximum size of {MAX_EMBED_TEXT}"
        mistakes.append((("embeds",), "MAX_EMBED_SIZE_EXCEEDED", sentence))
    if mistakes:
        raise InvalidFormError(mistakes)


def too_long(limit: int) -> str:
    return f"Must be {limit} or fewer in length."


def as_sent(embed: JsonObject) -> JsonObject:
    return {"type": "rich"} | embed


def _texts(embed: JsonObject) -> Iterator[tuple[tuple[str | int, ...], str, int]]:
    """The parts of an embed that count, with where they stand and how long each may be."""
    yield ("title",), str(embed.get("title") or ""), 256
    yield ("description",), str(embed.get("description") or ""), 4096
    for part, key, limit in (("footer", "text", 2048), ("author", "name", 256)):
        inner = embed.get(part)
        if isinstance(inner, dict):
            yield (part, key), str(inner.get(key) or ""), limit
    fields = embed.get("fields")
    for number, field in enumerate(fields if isinstance(fields, list) else []):
        if isinstance(field, dict):
            yield ("fields", number, "name"), str(field.get("name") or ""), 256
            yield ("fields", number, "value"), str(field.get("value") or ""), 1024


# Files sent with messages: stored in the data folder, served back as downloads that no browser will run.


MAX_FILE_BYTES = 10 * 1024 * 1024
INLINE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "text/plain", "audio/ogg"})
_UNSAFE = re.compile(r"[^\w.\-]+")


def safe_filename(name: str) -> str:
    """As Discord shows it: no folders, no blanks, never empty."""
    cleaned = _UNSAFE.sub("_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip("._")
    return cleaned[-100:] or "unknown"


def content_type_of(filename: str) -> str:
    """By the name, as clients seldom say: discord.py calls everything a stream of octets."""
    return mimetypes.guess_type(filename)[0] or "application/octet-stream"


async def stored_uploads(call: Call, forms: list[AttachmentForm]) -> list[Attachment]:
    described = {form.id: form for form in forms}
    stored = []
    for number, upload in await call.files():
        content = await upload.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise ApiError(413, TOO_LARGE, "Request entity too large")
        form = described.get(number)
        name = (form.filename if form is not None else None) or upload.filename or "unknown"
        filename = safe_filename(name)
        attachment = Attachment(
            id=call.server.ids.next(),
            filename=filename,
            size=len(content),
            content_type=content_type_of(filename),
            description=form.description if form is not None else None,
        )
        folder = call.server.attachments_folder
        await anyio.Path(folder).mkdir(parents=True, exist_ok=True)
        await anyio.Path(folder / str(attachment.id)).write_bytes(content)
        stored.append(attachment)
    return stored


async def kept_and_new(call: Call, message: Message, form: EditForm) -> list[Attachment] | None:
    """The attachments after an edit: those the form still names, and new files. None: unchanged."""
    new = await stored_uploads(call, form.attachments or [])
    if not form.gives("attachments"):
        return [*message.attachments, *new] if new else None
    named = {attachment.id for attachment in form.attachments or []}
    return [*(kept for kept in message.attachments if kept.id in named), *new]


async def download(call: Call) -> Response:
    attachment_id, filename = call.id("attachment_id"), safe_filename(call.text("filename"))
    path = call.server.attachments_folder / str(attachment_id)
    if not await anyio.Path(path).is_file():
        raise ApiError(404, 0, "404: Not Found")
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

FORWARD = 1
SENDABLE_FLAGS = SUPPRESS_EMBEDS | 1 << 12 | 1 << 15
WORDLESS = frozenset({ChannelType.CATEGORY, ChannelType.FORUM})
DELETABLE_SYSTEM_TYPES = frozenset({0, 6, 7, 8, 9, 10, 11, 12, 18, 19, 20, 22, 23, 24})
BULK_AGE = timedelta(days=14)


class BulkDelete(BaseModel):
    messages: list[int] = Field(max_length=100)


@endpoints("GET", "/channels/{channel_id}/messages")
async def history(call: Call) -> Json:
    channel = call.channel()
    limit = call.number("limit", 50, low=1, high=100)
    around, before, after = (call.snowflake(name) for name in ("around", "before", "after"))
    if not call.rights_in(channel) & Permission.READ_MESSAGE_HISTORY:
        return []
    log = call.server.world.log(channel.id)
    if around is not None:
        found = log.around(around, limit)
    elif after is not None and before is None:
        found = log.after(after, limit)
    else:
        found = log.before(before, limit)
    return [call.shown(message) for message in found]


@endpoints("GET", "/channels/{channel_id}/messages/{message_id}")
async def get_message(call: Call) -> Json:
    channel = call.channel()
    if not call.rights_in(channel) & Permission.READ_MESSAGE_HISTORY:
        raise errors.MissingAccessError
    return call.shown(call.message(channel))


@endpoints("POST", "/channels/{channel_id}/messages")
async def send_message(call: Call) -> Json:
    channel = call.channel()
    form = await call.body(SendForm)
    check_limits(form)
    _check_may_send(call, channel, form)
    draft = Draft(
        channel=channel,
        author_id=call.caller.id,
        content=form.text,
        nonce=form.nonce,
        enforce_nonce=form.enforce_nonce,
        tts=form.tts,
        flags=(form.flags or 0) & SENDABLE_FLAGS,
        embeds=[as_sent(embed) for embed in form.embeds or []],
        components=checked(form.components or []),
        sticker_items=[_sticker(sticker_id) for sticker_id in form.sticker_ids or []],
        poll=form.poll,
        allowed_mentions=form.allowed_mentions,
    )
    if form.message_reference is not None:
        _refer(call, draft, form.message_reference)
    draft.attachments = await stored_uploads(call, form.attachments or [])
    if _is_empty(draft):
        raise ApiError(400, errors.EMPTY_MESSAGE, "Cannot send an empty message")
    message = call.server.posting.send(draft)
    return call.server.messages.message(message, call.caller.id)


@endpoints("PATCH", "/channels/{channel_id}/messages/{message_id}")
async def edit_message(call: Call) -> Json:
    channel = call.channel()
    message = call.message(channel)
    form = await call.body(EditForm)
    check_limits(form)
    if channel.thread is not None and channel.thread.archived:
        raise ApiError(400, errors.THREAD_ARCHIVED, "Thread is archived")
    if message.author_id != call.caller.id:
        call.need(call.rights_in(channel), Permission.MANAGE_MESSAGES)
        if form.model_fields_set - {"flags"}:
            raise ApiError(403, errors.CANNOT_EDIT_OTHERS, "Cannot edit a message authored by another user")
    revision = await revision_of(call, message, form)
    call.server.posting.edit(message, revision)
    return call.server.messages.message(message, call.caller.id)


async def revision_of(call: Call, message: Message, form: EditForm) -> Revision:
    """What the form changes; refuses to leave nothing of the message."""
    revision = Revision(allowed_mentions=form.allowed_mentions)
    if form.gives("content"):
        revision.content = form.text
    if form.gives("embeds"):
        revision.embeds = [as_sent(embed) for embed in form.embeds or []]
    if form.gives("components"):
        revision.components = checked(form.components or [])
    if form.gives("flags"):
        revision.flags = (message.flags & ~SUPPRESS_EMBEDS) | ((form.flags or 0) & SUPPRESS_EMBEDS)
    revision.attachments = await kept_and_new(call, message, form)
    remains = (
        message.content if revision.content is None else revision.content,
        message.embeds if revision.embeds is None else revision.embeds,
        message.components if revision.components is None else revision.components,
        message.attachments if revision.attachments is None else revision.attachments,
        message.sticker_items or message.poll or message.message_snapshots,
    )
    if not any(remains):
        raise ApiError(400, errors.EMPTY_MESSAGE, "Cannot send an empty message")
    return revision


@endpoints("DELETE", "/channels/{channel_id}/messages/{message_id}")
async def delete_message(call: Call) -> Json:
    channel = call.channel()
    message = call.message(channel)
    if message.type not in DELETABLE_SYSTEM_TYPES:
        raise ApiError(403, errors.SYSTEM_MESSAGE, "Cannot execute action on a system message")
    if message.author_id != call.caller.id:
        call.need(call.rights_in(channel), Permission.MANAGE_MESSAGES)
    call.server.posting.delete(message)
    return None


@endpoints("POST", "/channels/{channel_id}/messages/bulk-delete")
async def bulk_delete(call: Call) -> Json:
    channel = call.channel()
    call.need(call.rights_in(channel), Permission.MANAGE_MESSAGES)
    ids = set((await call.body(BulkDelete)).messages)
    if len(ids) < 2:
        sentence = "Provided too few or too many messages to delete. Must provide at least 2 and at most 100."
        raise ApiError(400, errors.BULK_DELETE_COUNT, sentence)
    log = call.server.world.log(channel.id)
    doomed = [message for message_id in sorted(ids) if (message := log.get(message_id)) is not None]
    # By the ids alone: one that is too old is refused even where nothing is left to delete.
    if any(time_of(message_id) < call.server.clock.now() - BULK_AGE for message_id in ids):
        sentence = "You can only bulk delete messages that are under 14 days old."
        raise ApiError(400, errors.BULK_DELETE_TOO_OLD, sentence)
    call.server.posting.delete_many(channel, doomed)
    return None


@endpoints("POST", "/channels/{channel_id}/typing")
async def typing(call: Call) -> Json:
    channel = call.channel()
    call.need(call.rights_in(channel), Permission.SEND_MESSAGES)
    now = call.server.clock.now()
    data: JsonObject = {
        "channel_id": str(channel.id),
        "user_id": str(call.caller.id),
        "timestamp": int(now.timestamp()),
    }
    intent = Intent.DIRECT_MESSAGE_TYPING
    if channel.guild_id is not None:
        intent = Intent.GUILD_MESSAGE_TYPING
        data["guild_id"] = str(channel.guild_id)
        member = call.server.world.member(channel.guild_id, call.caller.id)
        if member is not None:
            data["member"] = call.server.payloads.member(member)
    call.server.hub.dispatch(
        Event(
            name="TYPING_START",
            data=data,
            intents=intent,
            guild_id=channel.guild_id,
            channel_id=channel.id,
        )
    )
    return None


def _check_may_send(call: Call, channel: Channel, form: SendForm) -> None:
    if channel.type in WORDLESS:
        raise ApiError(400, errors.NOT_IN_VOICE, "Cannot send messages in a non-text channel")
    rights = call.rights_in(channel)
    call.need(rights, Permission.SEND_MESSAGES)
    if channel.thread is not None and channel.thread.locked and not rights & Permission.MANAGE_THREADS:
        raise ApiError(400, errors.THREAD_ARCHIVED, "Thread is locked")
    if form.message_reference is not None and form.message_reference.type != FORWARD:
        call.need(rights, Permission.READ_MESSAGE_HISTORY)
    if call.request.headers.get("content-type", "").startswith("multipart/"):
        call.need(rights, Permission.ATTACH_FILES)
    if form.embeds:
        call.need(rights, Permission.EMBED_LINKS)


def _refer(call: Call, draft: Draft, form: Reference) -> None:
    """Make the draft a reply to, or a forward of, the message the form names."""
    world = call.server.world
    channel = world.channels.get(form.channel_id or draft.channel.id)
    visible = channel is not None and call.server.access.may_view(channel, call.caller.id)
    original = world.log(channel.id).get(form.message_id) if channel is not None and visible else None
    if original is None or channel is None:
        if form.fail_if_not_exists:
            sentence = "Unknown message"
            raise InvalidFormError([(("message_reference",), "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", sentence)])
        return
    reference: JsonObject = {
        "type": form.type,
        "message_id": str(original.id),
        "channel_id": str(channel.id),
    }
    if channel.guild_id is not None:
        reference["guild_id"] = str(channel.guild_id)
    draft.reference = reference
    if form.type == FORWARD:
        draft.message_snapshots = [_snapshot(call, original)]
    else:
        draft.type = REPLY
        draft.replied_user_id = original.author_id


def _snapshot(call: Call, original: Message) -> JsonObject:
    payload = call.server.messages.message(original)
    copied = ("type", "content", "embeds", "attachments", "flags", "mentions", "mention_roles", "components")
    times: JsonObject = {
        "timestamp": iso(original.created_at),
        "edited_timestamp": iso_or_none(original.edited_at),
    }
    return {"message": {name: payload[name] for name in copied} | times}


def _sticker(sticker_id: int) -> JsonObject:
    return {"id": str(sticker_id), "name": f"sticker-{sticker_id}", "format_type": 1}


def _is_empty(draft: Draft) -> bool:
    parts = (
        draft.content,
        draft.embeds,
        draft.components,
        draft.attachments,
        draft.sticker_items,
        draft.poll,
        draft.message_snapshots,
    )
    return not any(parts)
