"""One REST call: who makes it, what it names, what it brings, and the table of which function answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import orjson
from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from local_guild.payloads.messages import without_content
from local_guild.rest.errors import (
    GENERAL,
    UNKNOWN_CHANNEL,
    UNKNOWN_GUILD,
    UNKNOWN_MESSAGE,
    ApiError,
    InvalidFormError,
    MissingAccessError,
    MissingPermissionError,
    UnauthorizedError,
    UnknownThingError,
)

if TYPE_CHECKING:
    from local_guild.parts import Parts
    from local_guild.state.ids import Json, JsonObject
    from local_guild.state.messages import Message
    from local_guild.state.world import Channel, Guild, User

Body = TypeVar("Body", bound=BaseModel)
Value = TypeVar("Value")


@dataclass
class Call:
    server: Parts
    request: Request
    _uploads: list[UploadFile] | None = None

    @property
    def caller(self) -> User:
        """Who calls: the bot by `Bot <token>`, a member by the bare token."""
        user = self.caller_or_none
        if user is None:
            raise UnauthorizedError
        return user

    @cached_property
    def caller_or_none(self) -> User | None:
        """Looked up once: a page of history asks it for every message."""
        token = self.request.headers.get("authorization", "")
        user = self.server.world.user_of_token(token.removeprefix("Bot "))
        if user is not None and user.bot and not token.startswith("Bot "):
            return None
        return user

    @property
    def is_application(self) -> bool:
        return self.caller.id == self.server.world.facts.bot_id

    def text(self, name: str) -> str:
        return str(self.request.path_params[name])

    def id(self, name: str) -> int:
        """An id of the path; `@me` is the caller's own."""
        value = self.text(name)
        if value == "@me":
            return self.caller.id
        if not value.isascii() or not value.isdigit() or len(value) > 20:
            raise InvalidFormError([((name,), "NUMBER_TYPE_COERCE", f'Value "{value[:40]}" is not snowflake.')])
        return int(value)

    def number(self, name: str, default: int, *, low: int, high: int) -> int:
        raw = self.request.query_params.get(name)
        if raw is None:
            return default
        value = int(raw) if raw.isascii() and raw.isdigit() else None
        if value is None or not low <= value <= high:
            sentence = f"int value should be between {low} and {high}."
            raise InvalidFormError([((name,), "NUMBER_TYPE_COERCE", sentence)])
        return value

    def snowflake(self, name: str) -> int | None:
        raw = self.request.query_params.get(name)
        return None if raw is None else self.number(name, 0, low=0, high=2**64)

    def channel(self, name: str = "channel_id") -> Channel:
        """The channel of the path, if the caller may look in."""
        channel = self.server.world.channels.get(self.id(name))
        if channel is None:
            raise UnknownThingError(UNKNOWN_CHANNEL)
        if not self.server.access.may_view(channel, self.caller.id):
            raise MissingAccessError
        if channel.guild_id is not None and self.server.world.guilds[channel.guild_id].unavailable:
            raise ApiError(503, GENERAL, "This guild is temporarily unavailable.")
        return channel

    def guild(self, name: str = "guild_id") -> Guild:
        guild = self.server.world.guilds.get(self.id(name))
        if guild is None:
            raise UnknownThingError(UNKNOWN_GUILD)
        if self.server.world.member(guild.id, self.caller.id) is None:
            raise MissingAccessError if self.caller.bot else UnknownThingError(UNKNOWN_GUILD)
        if guild.unavailable:
            raise ApiError(503, GENERAL, "This guild is temporarily unavailable.")
        return guild

    def message(self, channel: Channel) -> Message:
        message = self.server.world.message(channel.id, self.id("message_id"))
        if message is None or (message.ephemeral and message.reader_id != self.caller.id):
            raise UnknownThingError(UNKNOWN_MESSAGE)
        return message

    def shown(self, message: Message) -> JsonObject:
        """The message as the caller may read it: an application needs leave to read what is not for it."""
        payload = self.server.messages.message(message, self.caller.id)
        world = self.server.world
        in_guild = world.channels[message.channel_id].guild_id is not None
        concerned = self.caller.id in {message.author_id, *message.mentions}
        if self.is_application and in_guild and not concerned and not world.facts.privileged_intents:
            return without_content(payload)
        return payload

    def rights_in(self, channel: Channel) -> int:
        return self.server.access.in_channel(channel, self.caller.id)

    def rights_over(self, guild: Guild) -> int:
        return self.server.access.in_guild(guild, self.caller.id)

    def need(self, rights: int, *required: int) -> None:
        for permission in required:
            if not rights & permission:
                raise MissingPermissionError

    async def body(self, model: type[Body]) -> Body:
        """The body as JSON, or the `payload_json` part of a form with files."""
        return await self._validated(TypeAdapter(model), b"{}")

    async def bodies(self, model: type[Body]) -> list[Body]:
        """The body as a JSON list."""
        return await self._validated(TypeAdapter(list[model]), b"[]")  # type: ignore[valid-type]

    async def _validated(self, adapter: TypeAdapter[Value], empty: bytes) -> Value:
        raw: bytes | str = await self.request.body() if not self._is_form else await self._payload_json()
        try:
            return adapter.validate_python(orjson.loads(raw or empty))
        except orjson.JSONDecodeError:
            raise ApiError(400, 50109, "The request body contains invalid JSON.") from None
        except ValidationError as error:
            raise InvalidFormError(_mistakes(error)) from None

    async def files(self) -> list[tuple[int, UploadFile]]:
        """The files of a form with their number, by which attachments refer to them."""
        if not self._is_form:
            return []
        form = await self.request.form()
        found: list[tuple[int, UploadFile]] = []
        for name, part in form.multi_items():
            if isinstance(part, UploadFile) and name.startswith("files[") and name.endswith("]"):
                number = name[6:-1]
                found.append((int(number) if number.isdigit() else len(found), part))
        return found

    @property
    def _is_form(self) -> bool:
        return self.request.headers.get("content-type", "").startswith("multipart/form-data")

    async def _payload_json(self) -> str:
        form = await self.request.form()
        part = form.get("payload_json")
        return part if isinstance(part, str) else "{}"


Handler = Callable[[Call], Awaitable["Json | Response"]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    method: str
    path: str
    handler: Handler


class Endpoints:
    """The calls one resource answers. A handler's None is answered with 204."""

    def __init__(self) -> None:
        self._endpoints: list[Endpoint] = []

    def __iter__(self) -> Iterator[Endpoint]:
        return iter(self._endpoints)

    def __call__(self, method: str, path: str) -> Callable[[Handler], Handler]:
        def register(handler: Handler) -> Handler:
            self._endpoints.append(Endpoint(method, path, handler))
            return handler

        return register


_CODES = {
    "missing": ("BASE_TYPE_REQUIRED", "This field is required"),
    "string_too_long": ("BASE_TYPE_MAX_LENGTH", "Must be {max_length} or fewer in length."),
    "string_too_short": ("BASE_TYPE_MIN_LENGTH", "Must be {min_length} or more in length."),
    "too_long": ("BASE_TYPE_MAX_LENGTH", "Must be {max_length} or fewer in length."),
    "too_short": ("BASE_TYPE_MIN_LENGTH", "Must be {min_length} or more in length."),
    "value_error": ("BASE_TYPE_BAD_VALUE", "{error}"),
}


def _mistakes(error: ValidationError) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    for mistake in error.errors(include_url=False):
        code, sentence = _CODES.get(mistake["type"], ("BASE_TYPE_BAD_TYPE", mistake["msg"]))
        yield mistake["loc"], code, sentence.format(**mistake.get("ctx", {}))
