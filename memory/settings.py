"""Declares the settings of the memory: where it lives and how much it holds."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

_HOST = re.compile(r"(\[[\da-f:.%]+\]|[^\[\]:]*)(:\d*)?", re.IGNORECASE)


class MemoryOptions(BaseSettings):
    model_config = SettingsConfigDict(
        alias_generator=str.upper, populate_by_name=True, extra="ignore", env_ignore_empty=True
    )

    data_dir: Path = Field(
        default=Path("data"),
        description="Folder that holds everything on disk, the embedded PostgreSQL included.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="A PostgreSQL server to use instead of the embedded one: postgresql://user:password@host/database.",
    )
    database_pooled: bool = Field(
        default=False,
        description="DATABASE_URL leads to PgBouncer or its like, in transaction mode; see docs/operations.md.",
    )
    postgres_bin_dir: Path | None = Field(
        default=None,
        description="Folder of an installed PostgreSQL's programs to start instead of those in the wheel.",
    )
    database_pool_size: int = Field(
        default=8,
        ge=1,
        le=100,
        description="Most connections that one process opens to the database, besides 3 for the log and 2 for exports.",
    )
    fact_blob_aim: int = Field(
        default=400,
        ge=100,
        le=4000,
        description="Characters that the merged facts about a member aim at; the ledger keeps all of them.",
    )
    fact_limit: int = Field(
        default=600,
        ge=50,
        le=2000,
        description="Most characters that one fact may have.",
    )
    recent_messages: int = Field(
        default=50,
        ge=1,
        le=500,
        description="How many of a channel's newest messages an answer looks at.",
    )
    recalled_tokens: int = Field(
        default=1_700,
        ge=200,
        le=20_000,
        description="Tokens of a prompt that are filled with what was said earlier and may answer the question.",
    )
    understand_seconds: float = Field(
        default=2.5,
        ge=0.2,
        le=30,
        description="How long an answer waits for the small model to understand what is wanted, before rules do.",
    )
    persona: str = Field(
        default="",
        max_length=500,
        description="The manner in which a model answers, in a sentence or two. "
        "It changes how things are said, never what is true or who may hear it.",
    )
    heartbeat_seconds: float = Field(
        default=5.0,
        gt=0,
        le=300,
        description="How often a process writes down how it is doing; silent for four times that, it is failing.",
    )
    guild_daily_tokens: int = Field(
        default=2_000_000,
        ge=0,
        description="Tokens that models may use for one server on one of its days, vectors apart; then answers quote. "
        "0: no limit.",
    )
    member_cooldown_seconds: float = Field(
        default=2.0,
        ge=0,
        le=3600,
        description="Pause between two questions of one member, where a model answers. 0: none.",
    )
    member_hourly_questions: int = Field(
        default=60,
        ge=0,
        le=10_000,
        description="Questions of one member within an hour, where a model answers. 0: no limit.",
    )
    usage_days: int = Field(
        default=90,
        ge=31,
        le=3650,
        description="Days for which the use of models is kept on record: numbers, no content.",
    )
    cached_members: int = Field(
        default=2_000,
        ge=1,
        le=1_000_000,
        description="Members of whom a process keeps at hand what is known; each takes some kilobytes.",
    )
    cached_places: int = Field(
        default=1_000,
        ge=1,
        le=1_000_000,
        description="Servers and private channels of which a process remembers that today was looked at this hour.",
    )

    @field_validator("database_url")
    @classmethod
    def _is_address(cls, url: SecretStr | None) -> SecretStr | None:
        """Check that it is an address; `urlsplit`'s complaint may quote the password, so nothing of it is passed on."""
        if url is not None:
            try:
                parts = urlsplit(url.get_secret_value())
                hosts = parts.netloc.rpartition("@")[2].split(",")
                is_address = all(map(_HOST.fullmatch, hosts)) and "@" not in parts.path
            except ValueError:
                is_address = False
            if not is_address:
                raise ValueError(
                    "this is no address. Whatever is not a letter or a digit in a password has to be written as in any "
                    "address (/ is %2F), or leave the password out and set PGPASSWORD"
                )
        return url

    @field_validator("database_pooled")
    @classmethod
    def _leads_somewhere(cls, pooled: bool, info: ValidationInfo) -> bool:
        if pooled and info.data.get("database_url") is None:
            raise ValueError("there is no DATABASE_URL, and the embedded PostgreSQL has no pooler")
        return pooled


# How much of what there is fits into a prompt.


Item = TypeVar("Item")

CHARACTERS_OF_A_TOKEN = 4
"""Of plain letters. Nothing takes less than a letter does."""
_LETTER = 1 / CHARACTERS_OF_A_TOKEN
_MARK = 0.9
_CYRILLIC = 0.47
_IDEOGRAPH = 1.3
_DIGITS = b"0123456789"
_MARKS = b"\n" + bytes(code for code in range(33, 127) if not chr(code).isalnum())
_CYRILLIC_LETTERS = re.compile("[\u0400-\u052f]")
_IDEOGRAPHS = re.compile("[\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00010000-\U0010ffff]")


def tokens(text: str) -> int:
    """Estimate what a text costs a model: plain letters little, digits a token each, other scripts by their kind."""
    plain = text.encode("ascii", "ignore")
    digits = len(plain) - len(plain.translate(None, _DIGITS))
    marks = len(plain) - len(plain.translate(None, _MARKS))
    cost = digits + marks * _MARK + (len(plain) - digits - marks) * _LETTER
    if len(plain) < len(text):
        others = len(text) - len(plain)
        cyrillic = len(_CYRILLIC_LETTERS.findall(text))
        ideographs = len(_IDEOGRAPHS.findall(text))
        # An accented letter, and one of a script of its own, is a token.
        cost += cyrillic * _CYRILLIC + ideographs * _IDEOGRAPH + (others - cyrillic - ideographs)
    return int(cost) + 1


def fitting(
    items: Iterable[Item], budget: int, written: Callable[[Item], str], least: Callable[[Item], int] = lambda _: 1
) -> list[Item]:
    """Choose the first items whose texts fit into so many tokens; one that is too long is passed over.

    `least` tells without writing it what a text takes at least: one for which there is no room is never written.
    """
    chosen: list[Item] = []
    for item in items:
        if budget < least(item):
            continue
        cost = tokens(written(item))
        if cost <= budget:
            budget -= cost
            chosen.append(item)
    return chosen
