"""Files sent with messages: stored in the data folder, served back as downloads that no browser will run."""

import mimetypes
import re

import anyio
from starlette.responses import FileResponse, Response

from local_guild.message_log import Attachment, Message
from local_guild.rest.call import Call
from local_guild.rest.errors import TOO_LARGE, ApiError
from local_guild.rest.message_forms import AttachmentForm, EditForm

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
