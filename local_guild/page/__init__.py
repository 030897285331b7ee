"""The chat page: a client in the browser that speaks to the local guild as any Discord client would.

Python only hosts it. The page talks to `/api/v10`, `/gateway` and `/local` on its own origin, with the
token of the member one chooses to be.
"""

from functools import partial

from nicegui import app as host
from nicegui import ui
from nicegui.element import Element

from local_guild.page import assets

TITLE = "Local guild"
YEAR_IN_SECONDS = 31_536_000
HOST_WAITS_SECONDS = 600.0
"""For its own socket, which the chat does not need. Whoever comes back later has their page loaded anew by the host,
and loses what they were typing and what only they could see."""


class ChatPage(Element, component="chat_page.js"):
    def __init__(self, home: str) -> None:
        super().__init__()
        self._props["assets"] = assets.address()
        self._props["home"] = home


def add_chat_page(path: str = "/") -> None:
    """Serve the chat at `path`, and links to its channels and messages below it."""
    host.add_static_files(assets.address(), assets.FOLDER, max_cache_age=YEAR_IN_SECONDS)

    def chat() -> None:
        ui.add_head_html(assets.head())
        ChatPage(path)

    page = partial(ui.page, title=TITLE, language="en-US", reconnect_timeout=HOST_WAITS_SECONDS)
    page(path)(chat)

    def chat_at_a_place(place: str) -> None:
        # The browser reads the place from its own address.
        chat()

    page(f"{path.rstrip('/')}/channels/{{place:path}}")(chat_at_a_place)
