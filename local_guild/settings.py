"""What the operator may decide about the local guild."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class LocalGuildOptions(BaseSettings):
    model_config = SettingsConfigDict(populate_by_name=True, extra="ignore")

    world: Path | None = Field(
        default=None,
        validation_alias="LOCAL_GUILD_WORLD",
        description="JSON file with the people, rooms and messages of a new local guild; see docs/local-guild.md.",
    )
