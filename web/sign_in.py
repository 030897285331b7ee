"""Signs members in to the panel: by a link that the bot gave to one, or as the member chosen in the local chat.

A link opens by a press of a button, so that a program which looks at links ahead of people spends none. The button
works in the browser that opened the page, which carries the same number in a cookie and in its form.
"""

import hmac
import secrets
from collections.abc import Callable
from html import escape

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from memory.access import LINK_LASTS
from memory.db.errors import StoreError
from web.guard import Doors, NotOpenYet, problem
from web.words import Panel, Speech, plain_page, speech_for

MemberOf = Callable[[str, int], int | None]
"""The member of the local guild that a token belongs to, if they are in that guild."""

HOME = "/panel"
_ENTERING = "innkeeper_entering"


def sign_in_routes(doors: Doors, member_of: MemberOf | None) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/panel/enter/{link}")
    async def look_at(link: str, request: Request) -> Response:
        speech = speech_for(request.headers)
        try:
            names = await doors.memory.access.whose(link)
        except (NotOpenYet, StoreError):
            return _refusal(speech, Panel.AWAY, 503)
        if names is None:
            return _refusal(speech, Panel.LINK_SPENT, 410)
        number = secrets.token_urlsafe(16)
        guild, member = map(escape, names)
        body = (
            f"<p>{escape(speech.say(Panel.SIGN_IN_AS, member='{member}', guild='{guild}'))}</p>"
            f'<form method="post"><input type="hidden" name="number" value="{number}">'
            f"<button>{escape(speech.say(Panel.SIGN_IN))}</button></form>"
        )
        answer = plain_page(
            speech,
            speech.say(Panel.SIGN_IN),
            body.replace("{member}", f"<b>{member}</b>").replace("{guild}", f"<b>{guild}</b>"),
        )
        answer.set_cookie(
            _ENTERING,
            number,
            max_age=int(LINK_LASTS.total_seconds()),
            path="/panel/enter",
            secure=doors.is_tls,
            httponly=True,
            samesite="strict",
        )
        return answer

    @router.post("/panel/enter/{link}")
    async def enter(link: str, request: Request) -> Response:
        speech, form = speech_for(request.headers), await request.form()
        number, sent = str(form.get("number", "")), request.cookies.get(_ENTERING, "")
        if not sent or not hmac.compare_digest(number.encode(), sent.encode()):
            return _refusal(speech, Panel.OTHER_BROWSER, 403)
        try:
            before = await doors.of_session(doors.secret_in(request.headers))
            secret = await doors.memory.access.redeem(link)
            if secret is not None and not isinstance(before, str):
                await doors.memory.access.sign_out(before.key)
        except (NotOpenYet, StoreError):
            return _refusal(speech, Panel.AWAY, 503)
        if secret is None:
            return _refusal(speech, Panel.LINK_SPENT, 410)
        answer = RedirectResponse(HOME, 303)
        doors.keep(answer, secret)
        answer.delete_cookie(_ENTERING, path="/panel/enter")
        return answer

    if member_of is not None:

        @router.post("/panel/local")
        async def enter_locally(request: Request) -> Response:
            """Sign in as the member of the local guild whose token this is; it hands those out on this machine."""
            try:
                guild_id = int((await request.json())["guild_id"])
            except (ValueError, KeyError, TypeError):
                return problem(422, "guild_id is missing.")
            user_id = member_of(request.headers.get("authorization", ""), guild_id)
            if user_id is None:
                return problem(404, "There is no such member.")
            try:
                secret = await doors.memory.access.sign_in(guild_id, user_id)
            except (NotOpenYet, StoreError):
                return problem(503, "The memory is not open yet.")
            answer = JSONResponse({"panel": HOME})
            doors.keep(answer, secret)
            return answer

    return router


def _refusal(speech: Speech, why: Panel, status: int) -> Response:
    return plain_page(speech, speech.say(Panel.SIGN_IN), escape(speech.say(why)), status)
