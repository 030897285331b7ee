"""OAuth2: the authorization page, tokens for codes, and what a signed-in person's token says."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit, urlunsplit

from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from local_guild.rest.call import Call, Endpoints
from local_guild.rest.errors import UnauthorizedError
from local_guild.sign_in import ACCESS_LIFE, KNOWN_SCOPES, Tokens, choice_page, refusal_page
from local_guild.state.ids import Json, JsonObject, encode, iso
from local_guild.state.world import User

endpoints = Endpoints()
local_endpoints = Endpoints()
page_endpoints = Endpoints()


class RedirectsForm(BaseModel):
    redirect_uris: list[str] = Field(max_length=10)


@dataclass(frozen=True, slots=True)
class Wish:
    """What an application asks for by sending somebody to the authorization page."""

    redirect_uri: str
    scopes: list[str]
    state: str | None
    challenge: str | None

    def returning(self, **said: str) -> RedirectResponse:
        """Back to the application; 303 makes a browser ask there with GET."""
        parts = urlsplit(self.redirect_uri)
        if self.state is not None:
            said["state"] = self.state
        query = f"{parts.query}&{urlencode(said)}" if parts.query else urlencode(said)
        return RedirectResponse(urlunsplit(parts._replace(query=query, fragment="")), 303)


@page_endpoints("GET", "/authorize")
@endpoints("GET", "/oauth2/authorize")
async def ask(call: Call) -> Response:
    wish = _wish(call)
    if isinstance(wish, str):
        return refusal_page(wish)
    return choice_page(call.server.world.bot.name, _people(call), wish.scopes)


@page_endpoints("POST", "/authorize")
@endpoints("POST", "/oauth2/authorize")
async def agree(call: Call) -> Response:
    """A member was chosen, by the page's button or as `?member=<id>`.

    Another site cannot press that button for somebody: a POST with a foreign Origin never gets here.
    """
    wish = _wish(call)
    if isinstance(wish, str):
        return refusal_page(wish)
    chosen = (await _fields(call)).get("member") or call.request.query_params.get("member", "")
    if not chosen:
        return wish.returning(error="access_denied", error_description="The resource owner denied the request")
    member = next((user for user in _people(call) if str(user.id) == chosen), None)
    if member is None:
        return refusal_page("There is no such member.")
    code = call.server.sign_in.consent(member, wish.scopes, wish.redirect_uri, wish.challenge)
    return wish.returning(code=code)


@endpoints("POST", "/oauth2/token")
async def token(call: Call) -> Json | Response:
    fields, sign_in = await _fields(call), call.server.sign_in
    if not sign_in.knows_client(*_client(call, fields)):
        return _refusal("invalid_client", "Unknown client or wrong secret", 401)
    match fields.get("grant_type"):
        case "authorization_code":
            tokens = sign_in.exchange(
                fields.get("code", ""), fields.get("redirect_uri", ""), fields.get("code_verifier")
            )
        case "refresh_token":
            tokens = sign_in.refresh(fields.get("refresh_token", ""))
        case _:
            return _refusal("unsupported_grant_type", "Use authorization_code or refresh_token")
    if tokens is None:
        return _refusal("invalid_grant", 'Invalid "code" or "refresh_token" in request.')
    return _told(tokens)


@endpoints("POST", "/oauth2/token/revoke")
async def revoke(call: Call) -> Json | Response:
    fields = await _fields(call)
    if not call.server.sign_in.knows_client(*_client(call, fields)):
        return _refusal("invalid_client", "Unknown client or wrong secret", 401)
    call.server.sign_in.revoke(fields.get("token", ""))
    return {}


@endpoints("GET", "/oauth2/@me")
async def current_authorization(call: Call) -> Json:
    bearer = call.request.headers.get("authorization", "").removeprefix("Bearer ")
    grant = call.server.sign_in.holder(bearer)
    if grant is None:
        raise UnauthorizedError
    bot = call.server.world.bot
    body: JsonObject = {
        "application": {"id": str(bot.id), "name": bot.name, "icon": None, "description": "", "bot_public": True},
        "scopes": grant.scopes,
        "expires": iso(grant.expires_at),
    }
    if "identify" in grant.scopes:
        body["user"] = call.server.payloads.user(grant.user_id)
    return body


@local_endpoints("GET", "/application")
async def application(call: Call) -> Json:
    """What a developer would read in Discord's portal: the credentials a panel signs people in with."""
    return _application(call)


@local_endpoints("POST", "/application")
async def register_redirects(call: Call) -> Json:
    call.server.sign_in.register((await call.body(RedirectsForm)).redirect_uris)
    return _application(call)


def _application(call: Call) -> JsonObject:
    bot = call.server.world.bot
    return {"id": str(bot.id), "name": bot.name, **call.server.sign_in.application.model_dump()}


def _wish(call: Call) -> Wish | str:
    """What the query asks for, or the sentence why it cannot be granted."""
    query = call.request.query_params
    if query.get("client_id") != str(call.server.world.facts.bot_id):
        return "There is no application with this client_id here."
    redirect_uri = query.get("redirect_uri", "")
    if not call.server.sign_in.may_return_to(redirect_uri):
        return "The redirect_uri is neither registered nor on this machine."
    scopes = query.get("scope", "").split()
    if not scopes or not KNOWN_SCOPES.issuperset(scopes):
        return f"Ask for one or more of these scopes: {', '.join(sorted(KNOWN_SCOPES))}."
    if query.get("response_type") != "code":
        return "Only response_type=code is known here."
    challenge = query.get("code_challenge")
    if challenge is not None and query.get("code_challenge_method") != "S256":
        return "Only code_challenge_method=S256 is known here."
    return Wish(redirect_uri, scopes, query.get("state"), challenge)


def _people(call: Call) -> list[User]:
    return [user for user in call.server.world.users.values() if not user.bot]


async def _fields(call: Call) -> dict[str, str]:
    form = await call.request.form()
    return {name: value for name, value in form.items() if isinstance(value, str)}


def _client(call: Call, fields: Mapping[str, str]) -> tuple[str, str]:
    """Id and secret, from the form or as basic authentication."""
    header = call.request.headers.get("authorization", "")
    if header.startswith("Basic "):
        try:
            name, _, secret = base64.b64decode(header.removeprefix("Basic "), validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return "", ""
        return name, secret
    return fields.get("client_id", ""), fields.get("client_secret", "")


def _told(tokens: Tokens) -> JsonObject:
    return {
        "token_type": "Bearer",
        "access_token": tokens.access,
        "expires_in": int(ACCESS_LIFE.total_seconds()),
        "refresh_token": tokens.refresh,
        "scope": " ".join(tokens.scopes),
    }


def _refusal(error: str, description: str, status: int = 400) -> Response:
    """Errors here have OAuth2's shape, not Discord's."""
    body = {"error": error, "error_description": description}
    return Response(encode(body), status, media_type="application/json")
