"""Every setting that the managers of a guild may change, once: its name, what it may be, and what says what it means.

The commands take their ranges from here, the panel its page, and the API its names. Ids are text, because many
programs round numbers of that size.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum, auto
from typing import Any, TypeAlias

from memory.core.log_values import Consent
from memory.language.detect import Language
from memory.language.text import repair
from memory.language.time_zones import zone_meant
from memory.policy.authority import ModeratorsMay
from memory.policy.settings import GuildSettings, Policy, SummaryRules

SettingValue: TypeAlias = bool | int | str | list[str] | list[int] | None

LONGEST_RETENTION_DAYS = 3650


class FieldKind(StrEnum):
    SWITCH = auto()
    NUMBER = auto()
    CHOICE = auto()
    TEXT = auto()
    ZONE = auto()
    CHANNEL = auto()
    """One of them, or none."""
    ROLE = auto()
    CHANNELS = auto()
    ROLES = auto()
    DAYS = auto()
    """Of the week, from Monday, which is 0, on."""


class NotASetting(Exception):
    """What was wanted cannot be: says of which setting, and what it may be."""

    def __init__(self, path: str, expected: str) -> None:
        super().__init__(f"{path}: {expected} is expected.")
        self.path = path
        self.expected = expected


@dataclass(frozen=True, slots=True)
class SettingField:
    path: str
    """Its name: `log.retention_days`."""
    kind: FieldKind
    words: str
    """What says what it means, among what the commands say of themselves."""
    least: int = 0
    most: int = 0
    """Of a number, of the letters of a text, or of the entries of a list."""
    or_none: bool = False
    """Of a number: zero stands for none at all."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Each with its words."""

    def of(self, settings: GuildSettings) -> SettingValue:
        value: Any = settings
        for name in self.path.split("."):
            value = getattr(value, name)
        match self.kind:
            case FieldKind.CHANNEL | FieldKind.ROLE:
                return None if value is None else str(value)
            case FieldKind.CHANNELS | FieldKind.ROLES:
                return [str(one) for one in sorted(value)]
            case FieldKind.DAYS:
                return list(value)
            case FieldKind.CHOICE:
                return str(value)
        return value  # type: ignore[no-any-return]

    @property
    def expected(self) -> str:
        match self.kind:
            case FieldKind.SWITCH:
                return "true or false"
            case FieldKind.NUMBER:
                return f"a whole number from {self.least} to {self.most}" + (", or null for none" * self.or_none)
            case FieldKind.CHOICE:
                return f"one of {', '.join(self.choices)}"
            case FieldKind.TEXT:
                return f"a text of at most {self.most} characters"
            case FieldKind.ZONE:
                return "the name of a time zone, such as Europe/Berlin,"
            case FieldKind.DAYS:
                return "a list of weekdays, from 0 for Monday to 6,"
            case FieldKind.CHANNEL | FieldKind.ROLE:
                return f"null or the id of a {self.kind} that you can see"
        return f"a list of ids of {self.kind} that you can see"


def _keeping(path: str, words: str) -> SettingField:
    return SettingField(path, FieldKind.NUMBER, words, 0, LONGEST_RETENTION_DAYS, or_none=True)


ZONE = SettingField("time_zone", FieldKind.ZONE, "settings_time_zone")
HALL_ROLE = SettingField("hall_role_id", FieldKind.ROLE, "settings_hall_role_role")
SPEAKS_IN = SettingField("speaks_in", FieldKind.CHANNELS, "settings_speak_in", most=500)
CONSENT = SettingField(
    "log.consent",
    FieldKind.CHOICE,
    "settings_log_consent_mode",
    choices={
        Consent.OPT_OUT: "settings_log_consent_mode_opt_out",
        Consent.OPT_IN: "settings_log_consent_mode_opt_in",
    },
)
RETENTION = _keeping("log.retention_days", "settings_log_retention_days")
SUMMARY_DAYS = _keeping("log.summary_days", "settings_log_summaries_days")
FACT_DAYS = _keeping("log.fact_days", "settings_log_facts_days")
EXCLUDED_CHANNELS = SettingField(
    "log.excluded_channels", FieldKind.CHANNELS, "settings_log_exclude_channel", most=2_000
)
EXCLUDED_ROLES = SettingField("log.excluded_roles", FieldKind.ROLES, "settings_log_exclude_role", most=500)
ABOUT_OTHERS = SettingField("facts.about_others", FieldKind.SWITCH, "settings_facts_about_others")
MODERATORS = SettingField(
    "facts.moderators_may",
    FieldKind.CHOICE,
    "settings_facts_moderators_may",
    choices={
        ModeratorsMay.NOTHING: "settings_facts_moderators_may_nothing",
        ModeratorsMay.REMOVE: "settings_facts_moderators_may_remove",
    },
)
PERSONA = SettingField("answers.persona", FieldKind.TEXT, "settings_persona", most=600)
SECOND_LOOK = SettingField("second_look", FieldKind.SWITCH, "settings_answers_second_look")
SESSION = SettingField("answers.session_minutes", FieldKind.NUMBER, "settings_answers_session", 5, 240)
EXCHANGES = SettingField("answers.exchanges", FieldKind.NUMBER, "settings_answers_exchanges", 1, 8)
TAKES_MEMORIES = SettingField("answers.takes_memories", FieldKind.SWITCH, "settings_answers_take_memories")
MEMORIES = SettingField("answers.memories", FieldKind.NUMBER, "settings_answers_memories", 0, 30)
IMPORTANCE = SettingField("answers.least_importance", FieldKind.NUMBER, "settings_answers_importance", 1, 10)
HOURLY = SettingField(
    "answers.hourly_questions", FieldKind.NUMBER, "settings_answers_questions", 0, 1_000, or_none=True
)
SUMS_UP = SettingField("summaries.is_on", FieldKind.SWITCH, "summary_on")
SUMMARY_POLICY = SettingField(
    "summaries.policy",
    FieldKind.CHOICE,
    "summary_setup_policy",
    choices={Policy.ROLLING: "summary_setup_policy_rolling", Policy.LEVELS: "summary_setup_policy_levels"},
)
TURNS = SettingField("summaries.turns", FieldKind.NUMBER, "summary_setup_turns", 1, 500)
FIRST = SettingField("summaries.first", FieldKind.NUMBER, "summary_setup_first", 1, 500)
FIRST_TOKENS = SettingField("summaries.first_tokens", FieldKind.NUMBER, "summary_setup_first_tokens", 500, 100_000)
AGAIN = SettingField("summaries.again", FieldKind.NUMBER, "summary_setup_again", 1, 300)
KEPT = SettingField("summaries.kept", FieldKind.NUMBER, "summary_setup_kept", 0, 200)
"""With `AGAIN`, as many as are counted of what no summary covers."""
DIGEST_CHANNEL = SettingField("digest.channel_id", FieldKind.CHANNEL, "digest_setup_channel")
DIGEST_HOUR = SettingField("digest.hour", FieldKind.NUMBER, "digest_setup_hour", 0, 23)
DIGEST_DAYS = SettingField("digest.weekdays", FieldKind.DAYS, "digest_setup_weekdays", 1, 7)
DIGEST_LEAST = SettingField("digest.least", FieldKind.NUMBER, "digest_setup_least", 1, 1_000)
DIGEST_CHANNELS = SettingField("digest.channels", FieldKind.CHANNELS, "digest_setup_channels", most=25)
DIGEST_WEEKLY = SettingField("digest.weekly", FieldKind.SWITCH, "digest_setup_weekly")
DIGEST_LANGUAGE = SettingField(
    "digest.language", FieldKind.CHOICE, "digest_setup_channel", choices=dict.fromkeys(Language, "")
)

GROUPS: Mapping[str, tuple[SettingField, ...]] = {
    "server": (ZONE, HALL_ROLE, SPEAKS_IN),
    "log": (CONSENT, RETENTION, SUMMARY_DAYS, FACT_DAYS, EXCLUDED_CHANNELS, EXCLUDED_ROLES),
    "facts": (ABOUT_OTHERS, MODERATORS),
    "answers": (PERSONA, SECOND_LOOK, SESSION, EXCHANGES, TAKES_MEMORIES, MEMORIES, IMPORTANCE, HOURLY),
    "summaries": (SUMS_UP, SUMMARY_POLICY, TURNS, FIRST, FIRST_TOKENS, AGAIN, KEPT),
    "digest": (
        DIGEST_CHANNEL,
        DIGEST_HOUR,
        DIGEST_DAYS,
        DIGEST_WEEKLY,
        DIGEST_LEAST,
        DIGEST_CHANNELS,
        DIGEST_LANGUAGE,
    ),
}
FIELDS: Mapping[str, SettingField] = {one.path: one for group in GROUPS.values() for one in group}
NOT_SETTABLE: Mapping[str, str] = {
    "set_up_at": "the setup notes when a manager went through it",
    "digest.since": "it follows from when the digest was last changed",
}


def read(settings: GuildSettings) -> dict[str, SettingValue]:
    return {path: one.of(settings) for path, one in FIELDS.items()}


def changed(
    settings: GuildSettings,
    wanted: Mapping[str, object],
    now: datetime,
    *,
    channels: Collection[int],
    roles: Collection[int],
) -> GuildSettings:
    """With other values for some of them. Raises `NotASetting`.

    `channels` and `roles` are those that whoever changes them can see: they choose among these, and the rest of a list
    stays in it.
    """
    before = settings.digest
    for path, value in wanted.items():
        if path not in FIELDS:
            raise NotASetting(path, f"one of {', '.join(FIELDS)}")
        one = FIELDS[path]
        seen = frozenset(roles if one.kind in (FieldKind.ROLE, FieldKind.ROLES) else channels)
        room, _, name = path.rpartition(".")
        owner: Any = getattr(settings, room) if room else settings
        made = replace(owner, **{name: _value(one, value, getattr(owner, name), seen)})
        settings = replace(settings, **{room: made}) if room else made
    digest = settings.digest if settings.digest == before else replace(settings.digest, since=now.timestamp())
    return replace(settings, summaries=coherent(settings.summaries), digest=digest)


def coherent(rules: SummaryRules) -> SummaryRules:
    """Of fewer messages than are left open, nothing could be summed up."""
    return replace(rules, first=max(rules.first, rules.kept + 1))


def _value(one: SettingField, wanted: Any, now: Any, seen: frozenset[int]) -> object:  # noqa: ANN401 - of any kind
    """As the settings have it."""
    try:
        made = _read(one, wanted, now, seen)
    except (ValueError, TypeError, OverflowError):
        made = _NOTHING
    if made is _NOTHING:
        raise NotASetting(one.path, one.expected)
    return made


def _read(one: SettingField, wanted: Any, now: Any, seen: frozenset[int]) -> object:  # noqa: ANN401 - of any kind
    match one.kind, wanted:
        case FieldKind.SWITCH, bool():
            return wanted
        case FieldKind.NUMBER, None if one.or_none:
            return None
        case FieldKind.NUMBER, int() if not isinstance(wanted, bool) and one.least <= wanted <= one.most:
            return None if one.or_none and not wanted else wanted
        case FieldKind.CHOICE, str() if wanted in one.choices:
            return type(now)(wanted)
        case FieldKind.TEXT, str() if len(said := " ".join(repair(wanted).split())) <= one.most:
            return said
        case FieldKind.ZONE, str():
            return zone_meant(wanted) or _NOTHING
        case ((FieldKind.CHANNEL | FieldKind.ROLE), None):
            return None
        case ((FieldKind.CHANNEL | FieldKind.ROLE), int() | str()) if int(wanted) in seen | {now}:
            return int(wanted)
        case ((FieldKind.CHANNELS | FieldKind.ROLES), list()):
            chosen, before = {int(each) for each in wanted}, frozenset(now)
            kept = chosen | (before - seen)
            return type(now)(sorted(kept)) if chosen <= seen | before and len(kept) <= one.most else _NOTHING
        case FieldKind.DAYS, list() if wanted and set(wanted) <= set(range(7)):
            return tuple(sorted(set(map(int, wanted))))
    return _NOTHING


_NOTHING = object()
