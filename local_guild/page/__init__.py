"""The chat page: a client in the browser that speaks to the local guild as any Discord client would.

Python only hosts it. The page talks to `/api/v10`, `/gateway` and `/local` on its own origin, with the
token of the member one chooses to be.
"""

from nicegui import app as host
from nicegui import ui
from nicegui.element import Element

from local_guild.page import assets

TITLE = "Local guild"
YEAR_IN_SECONDS = 31_536_000


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

    ui.page(path, title=TITLE, language="en-US")(chat)

    def chat_at_a_place(place: str) -> None:
        # The browser reads the place from its own address.
        chat()

    ui.page(f"{path.rstrip('/')}/channels/{{place:path}}", title=TITLE, language="en-US")(chat_at_a_place)
