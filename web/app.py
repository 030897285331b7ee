"""The web process's application: health and API for all, and the local guild with its page where there is no token."""

from fastapi import FastAPI
from nicegui import ui

from local_guild.page.app import add_chat_page
from local_guild.server import LocalGuild
from web.health import Reporter, add_status_page, health_routes


def create_app(report: Reporter, local_guild: LocalGuild | None) -> FastAPI:
    # The interactive documentation would load scripts from elsewhere; the description itself is enough.
    app = FastAPI(title="Innkeeper", docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    # Before the local guild's, whose imitation of Discord takes the rest of /api.
    app.include_router(health_routes(report))
    if local_guild is None:
        add_status_page("/", report)
    else:
        add_status_page("/status", report)
        add_chat_page("/")
        app.router.routes.extend(local_guild.routes())
    ui.run_with(
        app,
        title="Innkeeper",
        favicon="🏮",
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        # Compressing on loopback only costs time, and Discord's own answers must arrive as the local guild made them.
        gzip_middleware_factory=None,
    )
    return app
