"""Answers one REST call: who makes it, what it names and brings, and errors and rate limits as Discord words them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from local_guild.actions.components import Mistake
from local_guild.faults import answer_to, error_answer, limited_answer
from local_guild.payloads import without_content
from local_guild.state.ids import JsonObject, encode
from local_guild.state.permissions import Permission

if TYPE_CHECKING:
    from local_guild.parts import Parts
    from local_guild.state.ids import Json
    from local_guild.state.messages import Message
    from local_guild.state.world import Channel, Guild, User


class Refusal(Enum):
    """Lists what Discord answers where it does not do as it is asked: a status, a code and a sentence."""

    UNAUTHORIZED = 401, 0, "401: Unauthorized"
    NOT_FOUND = 404, 0, "404: Not Found"
    UNAVAILABLE = 503, 0, "This guild is temporarily unavailable."
    OWNER_STAYS = 400, 0, "The owner cannot leave the guild"
    UNKNOWN_APPLICATION = 404, 10002, "Unknown Application"
    UNKNOWN_CHANNEL = 404, 10003, "Unknown Channel"
    UNKNOWN_GUILD = 404, 10004, "Unknown Guild"
    UNKNOWN_MEMBER = 404, 10007, "Unknown Member"
    UNKNOWN_MESSAGE = 404, 10008, "Unknown Message"
    UNKNOWN_ROLE = 404, 10011, "Unknown Role"
    UNKNOWN_USER = 404, 10013, "Unknown User"
    UNKNOWN_EMOJI = 404, 10014, "Unknown Emoji"
    UNKNOWN_WEBHOOK = 404, 10015, "Unknown Webhook"
    UNKNOWN_INTERACTION = 404, 10062, "Unknown interaction"
    UNKNOWN_COMMAND = 404, 10063, "Unknown application command"
    UNKNOWN_EVENT = 404, 10070, "Unknown Guild Scheduled Event"
    BOTS_CANNOT = 403, 20001, "Bots cannot use this endpoint"
    TOO_LARGE = 413, 40005, "Request entity too large"
    ALREADY_ANSWERED = 400, 40060, "Interaction has already been acknowledged."
    MISSING_ACCESS = 403, 50001, "Missing Access"
    CANNOT_EDIT_OTHERS = 403, 50005, "Cannot edit a message authored by another user"
    EMPTY_MESSAGE = 400, 50006, "Cannot send an empty message"
    CANNOT_MESSAGE_USER = 400, 50007, "Cannot send messages to this user"
    NO_TEXT_CHANNEL = 400, 50008, "Cannot send messages in a non-text channel"
    MISSING_PERMISSION = 403, 50013, "Missing Permissions"
    WRONG_CHANNEL_TYPE = 400, 50024, "Cannot execute action on this channel type"
    INVALID_WEBHOOK_TOKEN = 401, 50027, "Invalid Webhook Token"
    INVALID_FORM = 400, 50035, "Invalid Form Body"
    THREAD_ARCHIVED = 400, 50083, "Thread is archived"
    POLL_EXPIRED = 400, 520000, "Poll expired"
    INVALID_JSON = 400, 50109, "The request body contains invalid JSON."
    THREAD_EXISTS = 400, 160004, "A thread has already been created for this message"
    WEEK_IS_PLAYED = 409, 0, "The sample week has been played here already."
    NO_STAGE = 400, 0, "The sample week needs a text channel and two people who may write in it."


class ApiError(Exception):
    def __init__(self, refusal: Refusal, errors: JsonObject | None = None) -> None:
        self.status, code, sentence = refusal.value
        super().__init__(sentence)
        self.body: JsonObject = {"message": sentence, "code": code}
        if errors is not None:
            self.body["errors"] = errors


class InvalidFormError(ApiError):
    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        errors: dict[str, Any] = {}
        for path, sentence in mistakes:
            node = errors
            for step in path:
                node = node.setdefault(str(step), {})
            node.setdefault("_errors", []).append({"code": "BASE_TYPE_BAD_VALUE", "message": sentence})
        super().__init__(Refusal.INVALID_FORM, errors)


def invalid(field: str, sentence: str) -> InvalidFormError:
    return InvalidFormError([((field,), sentence)])


Body = TypeVar("Body", bound=BaseModel)


@dataclass
class Call:
    server: Parts
    request: Request

    @property
    def caller(self) -> User:
        """Find who calls: the bot by `Bot <token>`, a member by the bare token."""
        user = self.caller_or_none
        if user is None:
            raise ApiError(Refusal.UNAUTHORIZED)
        return user

    @cached_property
    def caller_or_none(self) -> User | None:
        """Find who calls, if anybody; looked up once, since a page of history asks it for every message."""
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
        """Read an id of the path; `@me` is the caller's own."""
        value = self.text(name)
        if value == "@me":
            return self.caller.id
        if not value.isascii() or not value.isdigit() or len(value) > 20:
            raise invalid(name, f'Value "{value[:40]}" is not snowflake.')
        return int(value)

    def number(self, name: str, default: int, *, low: int, high: int) -> int:
        raw = self.request.query_params.get(name)
        if raw is None:
            return default
        value = int(raw) if raw.isascii() and raw.isdigit() else None
        if value is None or not low <= value <= high:
            raise invalid(name, f"int value should be between {low} and {high}.")
        return value

    def asks_for(self, name: str) -> bool:
        return self.request.query_params.get(name, "").lower() in ("1", "true")

    def snowflake(self, name: str) -> int | None:
        raw = self.request.query_params.get(name)
        return None if raw is None else self.number(name, 0, low=0, high=2**64)

    def channel(self, *needed: int) -> Channel:
        """Find the channel of the path, if the caller may look in and has the permissions needed."""
        channel = self.visible(self.id("channel_id"))
        self.need(self.rights_in(channel), *needed)
        return channel

    def readable_channel(self) -> Channel:
        """Find the channel of the path, if the caller may read what was said there."""
        channel = self.channel()
        if not self.rights_in(channel) & Permission.READ_MESSAGE_HISTORY:
            raise ApiError(Refusal.MISSING_ACCESS)
        return channel

    def visible(self, channel_id: int) -> Channel:
        channel = self.server.world.channels.get(channel_id)
        if channel is None:
            raise ApiError(Refusal.UNKNOWN_CHANNEL)
        if not self.server.access.may_view(channel, self.caller.id):
            raise ApiError(Refusal.MISSING_ACCESS)
        if channel.guild_id is not None and self.server.world.guilds[channel.guild_id].unavailable:
            raise ApiError(Refusal.UNAVAILABLE)
        return channel

    def guild(self, *needed: int) -> Guild:
        guild = self.server.world.guilds.get(self.id("guild_id"))
        if guild is None:
            raise ApiError(Refusal.UNKNOWN_GUILD)
        if self.server.world.member(guild.id, self.caller.id) is None:
            raise ApiError(Refusal.MISSING_ACCESS if self.caller.bot else Refusal.UNKNOWN_GUILD)
        if guild.unavailable:
            raise ApiError(Refusal.UNAVAILABLE)
        self.need(self.rights_over(guild), *needed)
        return guild

    def message(self, channel: Channel) -> Message:
        message = self.server.world.message(channel.id, self.id("message_id"))
        if message is None or (message.ephemeral and message.reader_id != self.caller.id):
            raise ApiError(Refusal.UNKNOWN_MESSAGE)
        return message

    def shown(self, message: Message) -> JsonObject:
        """Write the message as the caller may read it: an application needs leave to read what is not for it."""
        payload = self.server.payloads.message(message, self.caller.id)
        world = self.server.world
        in_guild = world.channels[message.channel_id].guild_id is not None
        concerned = self.caller.id in {message.author_id, *message.mentions}
        if self.is_application and in_guild and not concerned and not world.facts.privileged_intents:
            return without_content(payload)
        return payload

    def described(self, channel: Channel) -> JsonObject:
        """Write the channel as the caller sees it."""
        return self.server.payloads.channel(channel, self.caller.id)

    def rights_in(self, channel: Channel) -> int:
        return self.server.access.in_channel(channel, self.caller.id)

    def rights_over(self, guild: Guild) -> int:
        return self.server.access.in_guild(guild, self.caller.id)

    def need(self, rights: int, *required: int) -> None:
        for permission in required:
            if not rights & permission:
                raise ApiError(Refusal.MISSING_PERMISSION)

    async def body(self, model: type[Body]) -> Body:
        """Read the body as JSON, or the `payload_json` part of a form with files."""
        raw: bytes | str = b"" if self._is_form else await self.request.body()
        if self._is_form:
            part = (await self.request.form()).get("payload_json")
            raw = part if isinstance(part, str) else ""
        try:
            return validated(model, orjson.loads(raw or b"{}"))
        except orjson.JSONDecodeError:
            raise ApiError(Refusal.INVALID_JSON) from None

    async def files(self) -> list[tuple[int, UploadFile]]:
        """List the files of a form with their number, by which attachments refer to them."""
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


def validated(model: type[Body], data: object) -> Body:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InvalidFormError((one["loc"], one["msg"]) for one in error.errors(include_url=False)) from None


Handler = Callable[[Call], Awaitable["Json | Response"]]


Endpoint = tuple[str, str, Handler]
"""Method, path, and the function that answers."""


class Endpoints(list[Endpoint]):
    """Lists the calls one resource answers. A handler's None is answered with 204."""

    def __call__(self, method: str, path: str) -> Callable[[Handler], Handler]:
        def register(handler: Handler) -> Handler:
            self.append((method, path, handler))
            return handler

        return register


def route(server: Parts, endpoint: Endpoint) -> Route:
    """Make the route of an endpoint, with Discord's rate limits."""
    return Route(endpoint[1], partial(_answer, server, endpoint), methods=[endpoint[0]])


def troubled_route(server: Parts, endpoint: Endpoint) -> Route:
    """Make a route that the troubles which are on befall."""

    async def answer(request: Request) -> Response:
        if server.faults.is_down:
            return error_answer(503, "503: Service Unavailable")
        trouble = server.faults.for_request(request.method, request.scope["path"])
        if trouble is None:
            return await _answer(server, endpoint, request)
        if trouble.kind == "unanswered":
            await _answer(server, endpoint, request)
        return await answer_to(trouble)

    return Route(endpoint[1], answer, methods=[endpoint[0]])


async def _answer(server: Parts, endpoint: Endpoint, request: Request) -> Response:
    *kind, handler = endpoint
    call = Call(server, request)
    # Discord counts per route and per channel or guild, for each caller.
    major = request.path_params.get("channel_id") or request.path_params.get("guild_id") or ""
    caller = call.caller_or_none
    wait = server.rate_limits.wait(f"{caller.id if caller else 0}:{':'.join(kind)}:{major}")
    if wait is not None:
        return limited_answer(wait)
    try:
        result = await handler(call)
        # An answer is a promise: what it confirms must survive the death of this process.
        await server.saved()
    except ApiError as error:
        return _json(error.body, error.status)
    if isinstance(result, Response):
        return result
    return Response(status_code=204) if result is None else _json(result)


def _json(body: object, status: int = 200) -> Response:
    """Answer with exactly `application/json`: discord.py takes anything else for text."""
    return Response(encode(body), status, media_type="application/json")


async def unknown_route(request: Request) -> Response:
    return error_answer(404, "404: Not Found")
