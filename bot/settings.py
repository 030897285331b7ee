"""Holds what the operator may decide about the bot."""

from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


class BotOptions(BaseSettings):
    model_config = SettingsConfigDict(populate_by_name=True, extra="ignore")

    token: SecretStr | None = Field(
        default=None,
        validation_alias="DISCORD_TOKEN",
        description="The bot's token from the Discord developer portal. Unset: Innkeeper lives in the local guild.",
    )
    names: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("Bot", "Бот"),
        validation_alias="BOT_NAMES",
        description="Names the bot answers to at the start of a message, separated by commas, in any case.",
    )
    reply_seconds: float = Field(
        default=60.0,
        ge=1,
        le=600,
        validation_alias="BOT_REPLY_SECONDS",
        description="How long the bot may work on one reply before it says that it could not finish (1 to 600). "
        "For answers ANSWER_SECONDS counts where it is less.",
    )
    backfill_days: int | None = Field(
        default=None,
        ge=0,
        le=36_500,
        validation_alias="BACKFILL_DAYS",
        description="How many days of a server's past are read when the bot joins it. Unset: all of it; 0: nothing.",
    )
    recent_window: int = Field(
        default=200,
        ge=0,
        le=5_000,
        validation_alias="RECENT_WINDOW",
        description="How many of a channel's newest messages are compared for edits and deletes after an absence.",
    )
    sweep_days: float = Field(
        default=30.0,
        gt=0,
        le=3_650,
        validation_alias="SWEEP_DAYS",
        description="After how many days all history is compared with Discord once more.",
    )
    sweep_pause_seconds: float = Field(
        default=2.0,
        ge=0,
        le=3_600,
        validation_alias="SWEEP_PAUSE_SECONDS",
        description="How long that comparison rests after each page of 100 messages.",
    )
    api_base: str | None = Field(
        default=None,
        validation_alias="DISCORD_API_BASE",
        description="Address of another Discord-compatible REST API, up to its version, such as http://host/api/v10.",
    )
    gateway_url: str | None = Field(
        default=None,
        validation_alias="DISCORD_GATEWAY_URL",
        description="Address of that server's gateway, such as ws://host/gateway. Goes with DISCORD_API_BASE.",
    )
    identify_seconds: float = Field(
        default=5.0,
        ge=0,
        le=600,
        validation_alias="DISCORD_IDENTIFY_SECONDS",
        description="How far apart connections to the gateway are opened, by all bot processes together. Discord wants "
        "5; 0 is for a server, or a proxy before Discord, that does not mind.",
    )
    panel_url: str = Field(
        default="",
        validation_alias="PUBLIC_URL",
        description="Where members' browsers reach the panel, such as https://inn.example, with TLS by a proxy in front"
        " of it. Unset: the panel is for the machine that runs Innkeeper.",
    )

    @field_validator("backfill_days", mode="before")
    @classmethod
    def _no_days_is_all(cls, value: object) -> object:
        return (value.strip() or None) if isinstance(value, str) else value

    @field_validator("panel_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/")):
            raise ValueError("is not an address such as https://inn.example; the panel needs a host of its own")
        return value.rstrip("/")

    @field_validator("token", mode="before")
    @classmethod
    def _tidy_token(cls, value: object) -> object:
        """Tidy a token: people paste it with quotes, spaces or the header's "Bot "; an empty line means none."""
        if not isinstance(value, str):
            return value
        return value.strip().strip("\"'").removeprefix("Bot ").strip() or None

    @field_validator("token")
    @classmethod
    def _token_is_one_word(cls, value: SecretStr | None) -> SecretStr | None:
        secret = value.get_secret_value() if value else ""
        if any(char.isspace() or not char.isprintable() or ord(char) > 126 for char in secret):
            raise ValueError("a token is one word of plain letters, digits and signs")
        return value

    @field_validator("names", mode="before")
    @classmethod
    def _split_names(cls, value: object) -> object:
        return value.split(",") if isinstance(value, str) else value

    @field_validator("names")
    @classmethod
    def _tidy_names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        names = tuple(" ".join(name.split()) for name in value if name.strip())
        if not names:
            raise ValueError("at least one name is needed")
        if any(len(name) > 32 for name in names):
            raise ValueError("a name has at most 32 characters")
        return names

    @field_validator("api_base", "gateway_url", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return (value.strip().rstrip("/") or None) if isinstance(value, str) else value

    @field_validator("api_base")
    @classmethod
    def _is_http(cls, value: str | None) -> str | None:
        return _absolute(value, ("http", "https"))

    @field_validator("gateway_url")
    @classmethod
    def _is_websocket(cls, value: str | None) -> str | None:
        return _absolute(value, ("ws", "wss"))

    @model_validator(mode="after")
    def _both_addresses_or_neither(self) -> Self:
        if (self.api_base is None) != (self.gateway_url is None):
            given, missing = "DISCORD_API_BASE", "DISCORD_GATEWAY_URL"
            if self.api_base is None:
                given, missing = missing, given
            raise ValueError(f"{missing}: is needed because {given} is set; set both for another server, or neither")
        return self


def _absolute(value: str | None, schemes: tuple[str, ...]) -> str | None:
    if value is None:
        return None
    url = urlsplit(value)  # a malformed address is a ValueError
    if url.scheme not in schemes or not url.hostname:
        raise ValueError(f"an address that begins with {' or '.join(f'{scheme}://' for scheme in schemes)} is expected")
    return value
