"""Reads all settings of all packages once from the environment and `.env`, with errors a person can act on."""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from ai_clients.settings import ModelOptions
from bot.settings import BotOptions
from memory.settings import MemoryOptions

_WRITTEN = re.compile(r"^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=", re.MULTILINE)
OF_COMPOSE = ("COMPOSE_", "POSTGRES_", "PG")
"""Variables of Docker Compose and of PostgreSQL, which may stand in the same file."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class WebOptions(BaseSettings):
    """Configures the web process; stands here, or the bot and whoever starts both would load its pages for a port."""

    model_config = SettingsConfigDict(populate_by_name=True, extra="ignore")

    host: str = Field(
        default="127.0.0.1",
        validation_alias="HOST",
        description="Address of the page, the panel and the API. The local guild is served on loopback only.",
    )
    port: int = Field(
        default=8080, ge=1, le=65535, validation_alias="PORT", description="Port of the page, the panel and the API."
    )

    metrics_token: SecretStr | None = Field(
        default=None,
        validation_alias="METRICS_TOKEN",
        description="The bearer token by which Prometheus may read /metrics from elsewhere. Unset: this machine alone.",
    )

    @property
    def url(self) -> str:
        """Say where a browser on this machine finds the panel."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - read, not bound
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


class LocalGuildOptions(BaseSettings):
    model_config = SettingsConfigDict(populate_by_name=True, extra="ignore")

    world: Path | None = Field(
        default=None,
        validation_alias="LOCAL_GUILD_WORLD",
        description="JSON file with the people, rooms and messages of a new local guild; see docs/local-guild.md.",
    )


class LogOptions(BaseSettings):
    model_config = SettingsConfigDict(populate_by_name=True, extra="ignore")

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", validation_alias="LOG_LEVEL", description="How much is logged: DEBUG, INFO, WARNING or ERROR."
    )
    format: Literal["text", "json"] = Field(
        default="text", validation_alias="LOG_FORMAT", description="`text` for people, `json` for log collectors."
    )


SECTIONS: dict[str, type[BaseSettings]] = {
    "Discord": BotOptions,
    "Memory": MemoryOptions,
    "Models": ModelOptions,
    "Web": WebOptions,
    "Local guild": LocalGuildOptions,
    "Logs": LogOptions,
}


class SettingsError(Exception):
    """Gives a line for each value that cannot be used: which variable, what is wrong, what is expected."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


@dataclass(frozen=True, slots=True)
class Settings:
    bot: BotOptions
    memory: MemoryOptions
    models: ModelOptions
    web: WebOptions
    local_guild: LocalGuildOptions
    logs: LogOptions

    @property
    def is_local(self) -> bool:
        """Say whether the bot lives in the local guild: it has no token."""
        return self.bot.token is None

    @property
    def local_guild_folder(self) -> Path:
        return self.memory.data_dir / "local-guild"

    @property
    def _sections(self) -> tuple[BaseSettings, ...]:
        return self.bot, self.memory, self.models, self.web, self.local_guild, self.logs

    def secrets(self) -> list[str]:
        """List every secret value, for the logs to blot out."""
        values = [value for options in self._sections for _, value in options if isinstance(value, SecretStr)]
        return [secret for value in values if (secret := value.get_secret_value())]

    def names_set(self) -> list[str]:
        """List the variables that somebody has set, without their values."""
        return [
            str(field.validation_alias)
            for options in self._sections
            for name, field in type(options).model_fields.items()
            if name in options.model_fields_set
        ]


def load_settings(env_file: Path | None = Path(".env")) -> Settings:
    lines: list[str] = []
    bot = _read(BotOptions, env_file, lines)
    memory = _read(MemoryOptions, env_file, lines)
    models = _read(ModelOptions, env_file, lines)
    web = _read(WebOptions, env_file, lines)
    local_guild = _read(LocalGuildOptions, env_file, lines)
    logs = _read(LogOptions, env_file, lines)
    if not (bot and memory and models and web and local_guild and logs):
        raise SettingsError(lines)
    settings = Settings(bot, memory, models, web, local_guild, logs)
    if settings.is_local and web.host not in LOOPBACK:
        raise SettingsError(
            [
                f"HOST: {web.host} is not a loopback address, and without DISCORD_TOKEN the local guild would be "
                "served there, where everyone may be anyone; set HOST=127.0.0.1, or give a DISCORD_TOKEN."
            ]
        )
    return settings


def unknown_settings(env_file: Path = Path(".env")) -> dict[str, str | None]:
    """Find the variables of the file that no setting has, each with the one that it may be meant for."""
    if not env_file.is_file():
        return {}
    known = {str(field.validation_alias) for options in SECTIONS.values() for field in options.model_fields.values()}
    written = _WRITTEN.findall(env_file.read_text(encoding="utf-8", errors="replace"))
    foreign = [name for name in written if name not in known and not name.startswith(OF_COMPOSE)]
    return {name: next(iter(get_close_matches(name, known, n=1, cutoff=0.7)), None) for name in foreign}


_Options = TypeVar("_Options", bound=BaseSettings)


def _read(options: type[_Options], env_file: Path | None, lines: list[str]) -> _Options | None:
    try:
        return options(_env_file=env_file, _env_ignore_empty=True)
    except ValidationError as error:
        lines.extend(_explain(options, detail) for detail in error.errors(include_url=False))
        return None


def _explain(options: type[BaseSettings], detail: ErrorDetails) -> str:
    """Name the variable and what is expected; never repeat the value, which may be a secret."""
    location = str(detail["loc"][0]) if detail["loc"] else ""
    reason = detail["msg"].removeprefix("Value error, ")
    for name, field in options.model_fields.items():
        if location in (name, field.validation_alias):
            return f"{field.validation_alias}: {reason[:1].lower()}{reason[1:]}. {field.description}"
    return reason


# Writes `.env.example` and the tables of docs/settings.md and docs/privacy.md from what the code declares.


BEGIN = "<!-- settings: generated by `make docs` -->"
END = "<!-- /settings -->"


def env_example() -> str:
    lines = [
        "# Copy to .env and fill in what you need. Every line is optional: with none of them",
        "# Innkeeper runs in a local guild in your browser. Generated by `make docs`.",
    ]
    for title, options in SECTIONS.items():
        lines += ["", f"# --- {title} ---"]
        for field in options.model_fields.values():
            lines += [f"# {field.description}", f"#{field.validation_alias}={_default(field)}"]
    return "\n".join(lines) + "\n"


def settings_table() -> str:
    lines = ["| variable | default | what it does |", "|---|---|---|"]
    for options in SECTIONS.values():
        for field in options.model_fields.values():
            default = _default(field)
            shown = f"`{default}`" if default else "unset"
            lines.append(f"| `{field.validation_alias}` | {shown} | {field.description} |")
    return "\n".join(lines)


def with_table(page: str) -> str:
    before, rest = page.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n{settings_table()}\n{END}{after}"


def with_declarations(privacy: str) -> str:
    """Write what the store modules declare between the marks of the page."""
    from memory.privacy.tables import fates, purposes, reasons  # loads all of them, which a start need not wait for

    for name, written in (("purposes", purposes), ("fates", fates), ("reasons", reasons)):
        begin, end = f"<!-- {name}: generated by `make docs` -->", f"<!-- /{name} -->"
        before, rest = privacy.split(begin, 1)
        _, after = rest.split(end, 1)
        privacy = f"{before}{begin}\n{written()}\n{end}{after}"
    return privacy


def write_reference(root: Path) -> None:
    (root / ".env.example").write_text(env_example(), encoding="utf-8")
    settings = root / "docs" / "settings.md"
    settings.write_text(with_table(settings.read_text(encoding="utf-8")), encoding="utf-8")
    privacy = root / "docs" / "privacy.md"
    privacy.write_text(with_declarations(privacy.read_text(encoding="utf-8")), encoding="utf-8")


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True, validated_data={})
    if value is None or isinstance(value, SecretStr):
        return ""
    if isinstance(value, list | tuple | set | frozenset):
        return ",".join(str(item) for item in value)
    return str(value)
