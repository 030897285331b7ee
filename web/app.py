"""The web process's application: health and API for all, and the local guild with its page where there is no token."""

from fastapi import FastAPI
from nicegui import ui
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

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


# Where the web process listens.


class WebOptions(BaseSettings):
    model_config = SettingsConfigDict(populate_by_name=True, extra="ignore")

    host: str = Field(
        default="127.0.0.1",
        validation_alias="HOST",
        description="Address of the page, the panel and the API. The local guild is served on loopback only.",
    )
    port: int = Field(
        default=8080, ge=1, le=65535, validation_alias="PORT", description="Port of the page, the panel and the API."
    )

    @property
    def url(self) -> str:
        """Where a browser on this machine finds it."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - read, not bound
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"
