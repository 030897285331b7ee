"""The forms a message is sent and edited with, and their limits."""

from collections.abc import Iterator

from pydantic import BaseModel, Field, field_validator

from local_guild.mentions import AllowedMentions
from local_guild.rest.errors import InvalidFormError
from local_guild.wire import JsonObject

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
