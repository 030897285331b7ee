"""What the managers of a guild decide about it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime

from memory.core.authority import FactRules
from memory.core.log_values import LogSettings, Removal


@dataclass(frozen=True, slots=True)
class GuildSettings:
    time_zone: str = "UTC"
    """By its name in the IANA database."""
    hall_role_id: int | None = None
    """The role whose holders are the guild's public; None: nobody has chosen one, so it is @everyone."""
    speaks_in: frozenset[int] = frozenset()
    """The channels we may write in; none means all of them."""
    set_up_at: datetime | None = None
    """When a manager last went through all of it; None: never."""
    log: LogSettings = field(default_factory=LogSettings)
    facts: FactRules = field(default_factory=FactRules)


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """What became of a wish to change settings."""

    before: GuildSettings
    after: GuildSettings
    removed: Removal = field(default_factory=Removal)
    """What may not be kept any longer, and went."""
    all_removed: bool = True
    """False: the decision holds, but the database went away while they were being removed; the next purge goes on."""


SettingsOf = Callable[[int], Awaitable[GuildSettings]]
