"""The local guild and its chat page as one application on one port."""

from fastapi import FastAPI
from nicegui import ui

from local_guild.page import TITLE, add_chat_page
from local_guild.server import LocalGuild


def compose(local_guild: LocalGuild) -> FastAPI:
    """One per process: the framework behind the page has a single application that cannot be mounted twice."""
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
