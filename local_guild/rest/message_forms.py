"""The forms a message is sent and edited with, and their limits."""

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
    filename: str | None = Field(None, max_length=1024)
    description: str | None = Field(None, max_length=1024)


class SendForm(BaseModel):
    content: str | int | float | None = None
    nonce: str | int | None = None
    enforce_nonce: bool = False
    tts: bool = False
    embeds: list[JsonObject] | None = Field(None, max_length=MAX_EMBEDS)
    components: list[JsonObject] | None = Field(None, max_length=40)
    attachments: list[AttachmentForm] | None = Field(None, max_length=10)
    sticker_ids: list[int] | None = Field(None, max_length=3)
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
    if len(form.text) > MAX_CONTENT:
        sentence = f"Must be {MAX_CONTENT} or fewer in length."
        raise InvalidFormError([(("content",), "BASE_TYPE_MAX_LENGTH", sentence)])
    if sum(map(_text_length, form.embeds or [])) > MAX_EMBED_TEXT:
        sentence = f"Embed size exceeds maximum size of {MAX_EMBED_TEXT}"
        raise InvalidFormError([(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", sentence)])


def as_sent(embed: JsonObject) -> JsonObject:
    return {"type": "rich"} | embed


def _text_length(embed: JsonObject) -> int:
    """The characters of the parts that count: title, description, field names and values, footer, author."""
    total = len(str(embed.get("title") or "")) + len(str(embed.get("description") or ""))
    fields = embed.get("fields")
    if isinstance(fields, list):
        total += sum(len(str(f.get("name", ""))) + len(str(f.get("value", ""))) for f in fields)
    for part, key in (("footer", "text"), ("author", "name")):
        inner = embed.get(part)
        if isinstance(inner, dict):
            total += len(str(inner.get(key) or ""))
    return total
