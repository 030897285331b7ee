"""Signing in with the local guild by OAuth2: the application's credentials, codes, and the tokens given for them."""

import base64
import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from urllib.parse import urlsplit

from pydantic import BaseModel, Field
from starlette.responses import HTMLResponse

from local_guild.actions.realm import Realm
from local_guild.safety import is_loopback
from local_guild.state.world import Record, User

CODE_LIFE = timedelta(minutes=1)
ACCESS_LIFE = timedelta(days=7)
KNOWN_SCOPES = frozenset({"identify", "guilds"})
# What a person's token opens, and the scope it takes.
OPENED_BY = {"/users/@me": "identify", "/users/@me/guilds": "guilds", "/oauth2/@me": ""}

_APPLICATION = "application"
_TOKEN = "oauth2-token:"  # noqa: S105 - the beginning of a record's key


class Application(BaseModel):
    client_secret: str = Field(default_factory=lambda: secrets.token_urlsafe(24))
    redirect_uris: list[str] = Field(default_factory=list, max_length=10)


class Grant(BaseModel):
    """A token that was given, stored under its hash."""

    user_id: int
    scopes: list[str]
    expires_at: datetime
    refreshes: bool = False
    # The key of the token it came with, which ends together with it.
    partner: str = ""


@dataclass(frozen=True, slots=True)
class Consent:
    """A member has agreed; the code for it can be exchanged once, by who asked."""

    user_id: int
    scopes: list[str]
    redirect_uri: str
    challenge: str | None
    given_at: datetime


@dataclass(frozen=True, slots=True)
class Tokens:
    access: str
    refresh: str
    scopes: list[str]


class SignIn:
    def __init__(self, realm: Realm) -> None:
        self._realm = realm
        self._consents: OrderedDict[str, Consent] = OrderedDict()

    @property
    def application(self) -> Application:
        record = self._realm.world.records.get(_APPLICATION)
        if record is not None:
            return Application.model_validate(record.body)
        application = Application.model_validate({})
        self._keep_application(application)
        return application

    def register(self, redirect_uris: list[str]) -> None:
        self._keep_application(self.application.model_copy(update={"redirect_uris": redirect_uris}))

    def may_return_to(self, redirect_uri: str) -> bool:
        """One that was registered, or any port and path of this machine."""
        if redirect_uri in self.application.redirect_uris:
            return True
        parts = urlsplit(redirect_uri)
        return parts.scheme == "http" and parts.hostname is not None and is_loopback(parts.hostname)

    def knows_client(self, client_id: str, client_secret: str) -> bool:
        known = hmac.compare_digest(client_secret.encode(), self.application.client_secret.encode())
        return known and client_id == str(self._realm.world.facts.bot_id)

    def consent(self, user: User, scopes: list[str], redirect_uri: str, challenge: str | None) -> str:
        now = self._realm.clock.now()
        while self._consents and next(iter(self._consents.values())).given_at < now - CODE_LIFE:
            self._consents.popitem(last=False)
        code = secrets.token_urlsafe(22)
        self._consents[code] = Consent(user.id, scopes, redirect_uri, challenge, now)
        return code

    def exchange(self, code: str, redirect_uri: str, verifier: str | None) -> Tokens | None:
        """Tokens for a code; a code is spent by the first attempt, whatever comes of it."""
        consent = self._consents.pop(code, None)
        if consent is None or self._realm.clock.now() - consent.given_at > CODE_LIFE:
            return None
        if redirect_uri != consent.redirect_uri or not _answers(consent.challenge, verifier):
            return None
        return self._issue(consent.user_id, consent.scopes)

    def refresh(self, token: str) -> Tokens | None:
        grant = self._grant(token)
        if grant is None or not grant.refreshes:
            return None
        self.revoke(token)
        return self._issue(grant.user_id, grant.scopes)

    def revoke(self, token: str) -> None:
        """End a token, and the one that was given with it."""
        grant = self._grant(token)
        if grant is None:
            return
        for key in (_key(token), grant.partner):
            record = self._realm.world.records.get(key)
            if record is not None:
                self._realm.world.drop(record)

    def holder(self, token: str) -> Grant | None:
        """What an access token stands for, while it lives."""
        grant = self._grant(token)
        if grant is None or grant.refreshes or grant.expires_at < self._realm.clock.now():
            return None
        return grant

    def caller(self, token: str, path: str) -> User | None:
        """Who calls with this access token; nobody where it does not open the path."""
        grant, scope = self.holder(token), OPENED_BY.get(path)
        if grant is None or scope is None or (scope and scope not in grant.scopes):
            return None
        return self._realm.world.users.get(grant.user_id)

    def _issue(self, user_id: int, scopes: list[str]) -> Tokens:
        access, refresh = secrets.token_urlsafe(22), secrets.token_urlsafe(22)
        until = self._realm.clock.now() + ACCESS_LIFE
        common = {"user_id": user_id, "scopes": scopes, "expires_at": until}
        self._keep(access, Grant.model_validate({**common, "partner": _key(refresh)}))
        self._keep(refresh, Grant.model_validate({**common, "partner": _key(access), "refreshes": True}))
        return Tokens(access, refresh, scopes)

    def _grant(self, token: str) -> Grant | None:
        record = self._realm.world.records.get(_key(token))
        return None if record is None else Grant.model_validate(record.body)

    def _keep(self, token: str, grant: Grant) -> None:
        self._realm.world.keep(Record(_key(token), grant.model_dump(mode="json")))

    def _keep_application(self, application: Application) -> None:
        self._realm.world.keep(Record(_APPLICATION, application.model_dump()))


def _key(token: str) -> str:
    return _TOKEN + hashlib.sha256(token.encode()).hexdigest()


def _answers(challenge: str | None, verifier: str | None) -> bool:
    """Whether the verifier is the one whose SHA-256 the challenge was (RFC 7636)."""
    if challenge is None or verifier is None:
        return challenge is None
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    return hmac.compare_digest(digest, challenge.encode())


# The page on which one chooses which member to sign in as. Plain HTML: no script, nothing from elsewhere.


_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    # Not "no-referrer": a browser would then hide the form's origin, and without it nobody can tell who posts.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }}
body {{ max-width: 26rem; margin: 10vh auto; padding: 0 1rem; }}
form {{ display: grid; gap: .5rem; }}
button {{ font: inherit; padding: .7rem 1rem; text-align: start; cursor: pointer;
         border: 1px solid; border-radius: .5rem; }}
button:focus-visible {{ outline: 3px solid Highlight; outline-offset: 2px; }}
small {{ opacity: .8; }}
</style>
<h1>{title}</h1>
{body}
</html>
"""
_SCOPES = {"identify": "who you are", "guilds": "which guilds you are in"}


def choice_page(application: str, members: Iterable[User], scopes: Iterable[str]) -> HTMLResponse:
    """A form that posts to its own address, whose query says where to return to."""
    learns = " and ".join(_SCOPES[scope] for scope in scopes)
    buttons = "\n".join(
        f'<button name="member" value="{member.id}">{escape(member.global_name or member.name)}'
        f" <small>@{escape(member.name)}</small></button>"
        for member in members
    )
    body = (
        f"<p><b>{escape(application)}</b> will learn {escape(learns)}. As whom do you sign in?</p>\n"
        f'<form method="post">\n{buttons}\n<button name="member" value="">Cancel</button>\n</form>'
    )
    return _page("Sign in", body, 200)


def refusal_page(sentence: str) -> HTMLResponse:
    return _page("This sign-in cannot work", f"<p>{escape(sentence)}</p>", 400)


def _page(title: str, body: str, status: int) -> HTMLResponse:
    return HTMLResponse(_PAGE.format(title=title, body=body), status, _HEADERS)
