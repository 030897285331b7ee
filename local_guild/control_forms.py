"""The bodies the control API takes."""

from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from local_guild.wire import JsonObject

SnowflakeId = Annotated[int, Field(ge=0)]


class _Form(BaseModel):
    # A misspelt field is an error: who plays with faults must know which are on.
    model_config = ConfigDict(extra="forbid")


class DropForm(_Form):
    code: int = Field(default=4000, ge=1000, le=4999)
    user_id: SnowflakeId | None = None


class RefuseForm(_Form):
    count: int = Field(default=1, ge=0)


class InvalidateForm(_Form):
    resumable: bool = False


class IntentsForm(_Form):
    privileged: bool


class RatesForm(_Form):
    limit: int = Field(ge=1)
    seconds: float = Field(gt=0)


class ClockForm(_Form):
    now: AwareDatetime | None = None
    advance_seconds: float | None = None
    frozen: bool = False


class JoinForm(_Form):
    """Somebody new by name, or somebody known by id (the bot, too)."""

    name: str | None = Field(default=None, min_length=2, max_length=32)
    user_id: SnowflakeId | None = None
    display_name: str | None = None
    bot: bool = False
    roles: list[SnowflakeId] = Field(default_factory=list)


class PostForm(_Form):
    author_id: SnowflakeId
    content: str = ""
    type: int = 0
    flags: int = 0
    at: AwareDatetime | None = None
    embeds: list[JsonObject] = Field(default_factory=list)
    components: list[JsonObject] = Field(default_factory=list)
    sticker_items: list[JsonObject] = Field(default_factory=list)
    poll: JsonObject | None = None
    message_snapshots: list[JsonObject] = Field(default_factory=list)


class PastAuthor(_Form):
    id: SnowflakeId
    name: str
    display_name: str | None = None
    bot: bool = False


class PastMessage(_Form):
    id: SnowflakeId
    author: PastAuthor
    content: str
    edited_at: AwareDatetime | None = None
    reply_to: SnowflakeId | None = None


class PastForm(_Form):
    messages: list[PastMessage]


class UnfurlForm(_Form):
    embeds: list[JsonObject] = Field(min_length=1)
