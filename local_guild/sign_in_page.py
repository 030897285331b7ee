"""The page on which one chooses which member to sign in as. Plain HTML: no script, nothing from elsewhere."""

from collections.abc import Iterable
from html import escape

from starlette.responses import HTMLResponse

from local_guild.world import User

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
