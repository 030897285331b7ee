"""Serves the chat page: a client in the browser that speaks to the local guild as any Discord client would.

Python only hosts it. The page talks to `/api/v10`, `/gateway` and `/local` on its own origin, with the
token of the member one chooses to be.
"""

import hashlib
from functools import cache, partial
from pathlib import Path

from fastapi import FastAPI
from nicegui import app as host
from nicegui import ui
from nicegui.element import Element

from local_guild.server import LocalGuild

# The page's scripts and styles, served under an address that changes whenever any of them does.


FOLDER = Path(__file__).parent / "assets"
# In the order in which they build on each other.
STYLES = ("tokens", "base", "layout", "messages", "composer", "layers")

# Nothing is fetched from, or sent to, any other host. The framework's own start-up script is inline, and
# the components' templates are compiled in the browser, which is why these two exceptions are needed.
CONTENT_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; frame-src 'none'; "
    "base-uri 'none'; form-action 'none'"
)


@cache
def version() -> str:
    """Digest every file, so that browsers may keep what they have for as long as it is current."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(FOLDER).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def address() -> str:
    return f"/_local_guild/{version()}"


@cache
def head() -> str:
    """Write what the page needs before its first line: policy, styles, and all scripts at once instead of in turn."""
    scripts = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js"))
    return "\n".join(
        [
            f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}">',
            '<meta name="referrer" content="no-referrer">',
            *(f'<link rel="stylesheet" href="{address()}/styles/{name}.css">' for name in STYLES),
            *(f'<link rel="modulepreload" href="{address()}/{script}">' for script in scripts),
        ]
    )


TITLE = "Local guild"
YEAR_IN_SECONDS = 31_536_000
HOST_WAITS_SECONDS = 600.0
"""For its own socket, which the chat does not need. Whoever comes back later has their page loaded anew by the host,
and loses what they were typing and what only they could see."""


class ChatPage(Element, component="chat_page.js"):
    def __init__(self, home: str, panel: str) -> None:
        super().__init__()
        self._props["assets"] = address()
        self._props["home"] = home
        self._props["panel"] = panel


def add_chat_page(path: str = "/", panel: str = "") -> None:
    """Serve the chat at `path`, and links to its channels and messages below it.

    `panel` is where else a member can go: there the chat posts who they are, and opens what it is told.
    """
    host.add_static_files(address(), FOLDER, max_cache_age=YEAR_IN_SECONDS)

    def chat() -> None:
        ui.add_head_html(head())
        ChatPage(path, panel)

    page = partial(ui.page, title=TITLE, language="en-US", reconnect_timeout=HOST_WAITS_SECONDS)
    page(path)(chat)

    def chat_at_a_place(place: str) -> None:
        # The browser reads the place from its own address.
        chat()

    page(f"{path.rstrip('/')}/channels/{{place:path}}")(chat_at_a_place)


# The local guild and its chat page as one application on one port.


def compose(local_guild: LocalGuild) -> FastAPI:
    """Compose the page once per process: the framework behind it has a single application."""
    app = FastAPI(title=TITLE, docs_url=None, redoc_url=None, openapi_url=None)
    app.router.routes.extend(local_guild.routes())
    add_chat_page("/")
    ui.run_with(
        app,
        title=TITLE,
        favicon="🏮",
        tailwind=False,
        show_welcome_message=False,
        # Compressing on loopback only costs time.
        gzip_middleware_factory=None,
    )
    return app
