"""The settings as a manager would like them, beside those they were when the setup began."""

from dataclasses import dataclass
from typing import TypeVar

from memory.core.log_values import LogSettings
from memory.policy.authority import FactRules
from memory.policy.settings import GuildSettings

Value = TypeVar("Value")


@dataclass(slots=True)
class Draft:
    stored: GuildSettings
    """As the database has them, as far as we know."""
    wanted: GuildSettings

    @property
    def changes_the_log(self) -> bool:
        return self.wanted.log != self.stored.log

    def overtaken_by(self, now: GuildSettings) -> None:
        """Somebody else changed settings meanwhile: what this draft left alone is taken from theirs."""
        stored, wanted = self.stored, self.wanted
        self.wanted = GuildSettings(
            time_zone=_settled(stored.time_zone, wanted.time_zone, now.time_zone),
            hall_role_id=_settled(stored.hall_role_id, wanted.hall_role_id, now.hall_role_id),
            speaks_in=_joined(stored.speaks_in, wanted.speaks_in, now.speaks_in),
            set_up_at=now.set_up_at,
            log=_settled_log(stored.log, wanted.log, now.log),
            facts=FactRules(
                about_others=_settled(stored.facts.about_others, wanted.facts.about_others, now.facts.about_others),
                moderators_may=_settled(
                    stored.facts.moderators_may, wanted.facts.moderators_may, now.facts.moderators_may
                ),
            ),
        )
        self.stored = now


def _settled_log(stored: LogSettings, wanted: LogSettings, now: LogSettings) -> LogSettings:
    return LogSettings(
        consent=_settled(stored.consent, wanted.consent, now.consent),
        retention_days=_settled(stored.retention_days, wanted.retention_days, now.retention_days),
        excluded_channels=_joined(stored.excluded_channels, wanted.excluded_channels, now.excluded_channels),
        excluded_roles=_joined(stored.excluded_roles, wanted.excluded_roles, now.excluded_roles),
        summary_days=_settled(stored.summary_days, wanted.summary_days, now.summary_days),
        fact_days=_settled(stored.fact_days, wanted.fact_days, now.fact_days),
    )


def _settled(stored: Value, wanted: Value, now: Value) -> Value:
    return now if wanted == stored else wanted


def _joined(stored: frozenset[int], wanted: frozenset[int], now: frozenset[int]) -> frozenset[int]:
    return (now | (wanted - stored)) - (stored - wanted)
