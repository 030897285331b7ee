"""Where the web process listens."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


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
