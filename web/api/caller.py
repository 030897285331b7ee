"""Finds out who calls the API, and stands between a request and its answer.

A token says who somebody is, and a browser's cookie says nothing here; what they may is worked out anew for each
request. Whatever goes wrong is told as a problem (RFC 9457), and never more of it than its reader may know.
"""

import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from math import ceil
from typing import Annotated, Any, Final

from fastapi import Depends, Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from memory.access import Door, Refusal
from memory.db.errors import StoreError
from memory.facts.values import HearsayAction
from memory.manager import MemoryManager
from memory.models.usage import Requester
from memory.tasks import request as requested
from web.api.values import Id, MemoryName
from web.guard import SAFE, Buckets, Doors, NotOpenYet, problem

logger = logging.getLogger(__name__)

AWAY_SECONDS = 5
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Refused(Exception):
    """The request cannot be answered as it stands; the caller is told why."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(status)
        self.status = status
        self.detail = detail
        self.headers = headers


NOT_FOUND: Final = "There is nothing here that you may see."


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str


@dataclass(frozen=True, slots=True)
class Caller:
    door: Door
    memory: MemoryManager

    @property
    def guild_id(self) -> int:
        return self.door.guild_id

    @property
    def requester(self) -> Requester:
        """Say on whose behalf a model is asked in this request, which counts as theirs."""
        return Requester.without_message(self.door.user_id, self.memory.clock.now())

    def wish(self, name: MemoryName) -> HearsayAction:
        return HearsayAction(self.door.reader, self.door.actor, name.subject_id, name.message_id, name.thing)

    def readable(self, channel_id: int) -> int:
        """Give the channel back if they can read it; refuse otherwise."""
        if channel_id not in self.door.reader.sources:
            raise Refused(404, "There is no such channel, or you cannot read it.")
        return channel_id


_BEARER = HTTPBearer(auto_error=False, scheme_name="token", description="A token of your own, made on the panel.")
_NO_KEY = {"WWW-Authenticate": "Bearer"}


async def reader(request: Request, guild_id: Id, _bearer: Annotated[object, Depends(_BEARER)] = None) -> Caller:
    doors: Doors = request.app.state.doors
    buckets: Buckets = request.app.state.buckets
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    secret = token.strip()
    if not secret or scheme.lower() != "bearer":
        raise Refused(401, "Send a token that you made on the panel (Authorization: Bearer …).", _NO_KEY)
    seconds = buckets.wait(secret)
    if seconds:
        raise Refused(429, "You ask too often.", {"Retry-After": str(ceil(seconds))})
    door = await doors.of_token(secret)
    if door is Refusal.CLOSED:
        raise Refused(503, "Who may read what is not known at the moment: the bot is away.", _AGAIN)
    if door is Refusal.UNKNOWN:
        raise Refused(401, "This key opens nothing: it is not one of ours, or its time is over.", _NO_KEY)
    if isinstance(door, Refusal) or door.guild_id != guild_id:
        raise Refused(404, NOT_FOUND)
    if request.method not in SAFE and not door.key.may_write:
        raise Refused(403, "This token may only read.")
    return Caller(door, doors.memory)


Reader = Annotated[Caller, Depends(reader)]


async def manager(caller: Reader) -> Caller:
    if not caller.door.is_manager:
        raise Refused(403, "This is for those who manage the server.")
    return caller


Manager = Annotated[Caller, Depends(manager)]
_AGAIN = {"Retry-After": str(AWAY_SECONDS)}


class ApiRoute(APIRoute):
    """Answers with a problem whatever goes wrong."""

    def get_route_handler(self) -> Handler:
        handle, known = super().get_route_handler(), _query_fields(self.dependant)

        async def answer(request: Request) -> Response:
            with requested("api") as request_id:
                try:
                    content = request.headers.get("content-type", "").partition(";")[0].strip().lower()
                    if await request.body() and content != "application/json":
                        return problem(415, "Send JSON (Content-Type: application/json).")
                    if not known.issuperset(request.query_params):
                        takes = f"It takes {', '.join(sorted(known))}." if known else "It takes none."
                        return problem(422, f"A field of the query is unknown here. {takes}")
                    return await handle(request)
                except Refused as refused:
                    return problem(refused.status, refused.detail, refused.headers)
                except RequestValidationError as error:
                    return problem(422, _said(error))
                except (NotOpenYet, StoreError):
                    return problem(503, "The memory is not reached at the moment.", _AGAIN)
                except HTTPException:
                    return problem(422, "The request cannot be read.")
                except Exception:
                    logger.exception("API request failed")
                    return problem(500, f"Something unexpected happened; the log tells of it under {request_id}.")

        return answer


def _query_fields(dependant: Dependant) -> frozenset[str]:
    own = frozenset(field.alias for field in dependant.query_params)
    return own.union(*map(_query_fields, dependant.dependencies))


def _said(error: RequestValidationError) -> str:
    """Say where and what was wrong, and nothing of what was sent."""
    wrong = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:5]]
    return "; ".join(wrong)
